//go:build unix

package kernel

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/kernel/internal/mock"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// These tests run the kernel as a process: the test binary, told by its
// environment to be a kernel, or the parent of one.

const (
	roleVariable = "KERNEL_TEST_ROLE"
	fileVariable = "KERNEL_TEST_FILE"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "kernel":
		os.Exit(beKernel())
	case "parent":
		beParent()
	}
	os.Exit(m.Run())
}

func beKernel() int {
	err := Serve(context.Background(), Options{ConnectionFile: os.Getenv(fileVariable),
		Open: func() (Interpreter, error) { return &mock.Interpreter{}, nil }})
	if err != nil {
		fmt.Fprint(os.Stderr, diagnostic.Text(diagnostic.Of(err)[0], diagnostic.Style{}))
		return 2
	}
	return 0
}

// beParent starts a kernel, says its process id, and waits to be killed.
func beParent() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"=kernel", "JPY_PARENT_PID="+strconv.Itoa(os.Getpid()))
	if err := cmd.Start(); err != nil {
		os.Exit(1)
	}
	fmt.Println(cmd.Process.Pid)
	cmd.Wait()
}

// process starts the test binary in a role.
func process(t *testing.T, role, file string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), roleVariable+"="+role, fileVariable+"="+file, "JPY_PARENT_PID="+strconv.Itoa(os.Getpid()))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.Cleanup(func() {
		if cmd.Process != nil {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			cmd.Wait()
		}
	})
	return cmd
}

// fixedPorts is a connection file whose ports are free and known beforehand,
// as Jupyter writes it.
func fixedPorts(t *testing.T) string {
	t.Helper()
	change := map[string]any{}
	for _, name := range []string{"shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
		change[name] = ln.Addr().(*net.TCPAddr).Port
	}
	return connectionFile(t, change)
}

// awaitPort waits until the kernel of file listens.
func awaitPort(t *testing.T, file string) {
	t.Helper()
	conn, err := readConnection(file)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(soon); ; time.Sleep(2 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", conn.ShellPort)) // the last to be served
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the kernel does not listen")
		}
	}
}

func TestSignals(t *testing.T) {
	file := fixedPorts(t)
	cmd := process(t, "kernel", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	awaitPort(t, file)
	c := connect(t, file, true)

	if err := cmd.Process.Signal(syscall.SIGINT); err != nil { // nothing runs: nothing happens
		t.Fatal(err)
	}
	c.execute("add 3")
	id := c.send(c.shell, "execute_request", code("spin"))
	c.expect(c.iopubIn, "execute_input")
	time.Sleep(20 * time.Millisecond)
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if m := c.reply(c.shellIn, id); m.Content["ename"] != "KeyboardInterrupt" || time.Since(began) > prompt {
		t.Errorf("SIGINT: %v after %v", m.Content, time.Since(began))
	}
	if _, out := c.execute("add 4"); out[1].Content["data"].(map[string]any)["text/plain"] != "7" {
		t.Errorf("the session after SIGINT: %v", out[1].Content)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("SIGTERM: %v", err)
	}
}

func TestShutdownExitsWithZero(t *testing.T) {
	file := fixedPorts(t)
	for round := range 2 { // a restart binds the same ports
		cmd := process(t, "kernel", file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		awaitPort(t, file)
		c := connect(t, file, true)
		if m, _ := c.execute("1"); m.Content["execution_count"] != 1.0 {
			t.Errorf("round %d: %v", round, m.Content)
		}
		c.reply(c.controlIn, c.send(c.control, "shutdown_request", map[string]any{"restart": round == 0}))
		if err := cmd.Wait(); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		c.close()
	}
}

// A kernel killed outright leaves its ports to the next one.
func TestRestartAfterKill(t *testing.T) {
	for _, transport := range []string{"tcp", "ipc"} {
		file := fixedPorts(t)
		if transport == "ipc" {
			file = connectionFile(t, map[string]any{"transport": "ipc", "ip": filepath.Join(t.TempDir(), "k"),
				"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5})
		}
		for round := range 2 {
			cmd := process(t, "kernel", file)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if transport == "tcp" {
				awaitPort(t, file)
			} else {
				time.Sleep(300 * time.Millisecond)
			}
			c := connect(t, file, true)
			if m, _ := c.execute("1"); m.Content["execution_count"] != 1.0 {
				t.Errorf("%s, round %d: %v", transport, round, m.Content)
			}
			cmd.Process.Kill()
			cmd.Wait()
			c.close()
		}
	}
}

// The kernel does not outlive the process that started it.
func TestParentGone(t *testing.T) {
	file := fixedPorts(t)
	parent := process(t, "parent", file)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	awaitPort(t, file)
	c := connect(t, file, true)
	c.send(c.shell, "execute_request", code("spin")) // it leaves in the middle of work, too
	c.expect(c.iopubIn, "execute_input")
	parent.Process.Kill()
	parent.Wait()
	for deadline := time.Now().Add(soon); ; time.Sleep(20 * time.Millisecond) {
		if gone(pid) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is there %v after its parent", pid, soon)
		}
	}
}

// gone reports whether pid has ended; a collector may not have noticed yet.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestStartFailureIsOneLine(t *testing.T) {
	cmd := process(t, "kernel", "no such file")
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("exit: %v", err)
	}
	if got := stderr.String(); !strings.HasPrefix(got, "error[connection-file]: connection file no such file: does not exist\n") {
		t.Errorf("stderr: %s", got)
	}
}
