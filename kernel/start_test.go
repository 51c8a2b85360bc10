package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/orrery-sysml/orrery/kernel/internal/mock"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

func TestConnectionFileErrors(t *testing.T) {
	long := strings.Repeat("x", 120)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file string
		code diagnostic.Code
		want string
	}{
		{"no such file", badConnectionFile, "does not exist"},
		{broken, badConnectionFile, "is not JSON"},
		{connectionFile(t, map[string]any{"shell_port": "many"}), badConnectionFile, `"many" is no port`},
		{connectionFile(t, map[string]any{"hb_port": 70000}), badConnectionFile, `70000 is no port`},
		{connectionFile(t, map[string]any{"transport": "udp"}), badConnectionFile, "neither tcp nor ipc"},
		{connectionFile(t, map[string]any{"signature_scheme": "rot13"}), badConnectionFile, "rot13"},
		{connectionFile(t, map[string]any{"curve_publickey": "abc"}), badConnectionFile, "CurveZMQ"},
		{connectionFile(t, map[string]any{"iopub_port": taken.Addr().(*net.TCPAddr).Port}), cannotBind, "the iopub socket"},
		{connectionFile(t, map[string]any{"transport": "ipc", "ip": "/" + long}), cannotBind, "at most"},
	} {
		_, err := newServer(Options{ConnectionFile: c.file})
		d := diagnostic.Of(err)
		if len(d) != 1 || d[0].Code != c.code || !strings.Contains(d[0].Message, c.want) {
			t.Errorf("%s: %v, want %q", filepath.Base(c.file), err, c.want)
		}
	}
}

func TestConnectionFileSpellings(t *testing.T) {
	for _, change := range []map[string]any{
		{"shell_port": "0"},
		{"key": ""},
		{"signature_scheme": "hmac-sha512"},
		{"signature_scheme": "hmac-md5"},
		{"ip": "0.0.0.0"},
		{"ip": "*"},
		{"unknown_key": []int{1}, "curve_publickey": nil, "jupyter_session": "/a/b.ipynb"},
		{"transport": "ipc", "ip": filepath.Join(t.TempDir(), "k"), "shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5},
		{"transport": "ipc", "ip": filepath.Join(t.TempDir(), "chosen")},
	} {
		k := start(t, Options{ConnectionFile: connectionFile(t, change)})
		path := k.conn.path
		if k.conn.IP == "*" || k.conn.IP == "0.0.0.0" {
			path = connectionFile(t, map[string]any{"shell_port": k.conn.ShellPort, "iopub_port": k.conn.IOPubPort,
				"stdin_port": k.conn.StdinPort, "control_port": k.conn.ControlPort, "hb_port": k.conn.HBPort})
		}
		c := connect(t, path, true)
		if m, _ := c.execute("1"); m.Content["status"] != "ok" {
			t.Errorf("%v: %v", change, m.Content)
		}
	}
}

// The file whose ports were chosen keeps everything else it said.
func TestChosenPortsAreWritten(t *testing.T) {
	path := connectionFile(t, map[string]any{"jupyter_session": "n.ipynb"})
	k := start(t, Options{ConnectionFile: path})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got["jupyter_session"] != "n.ipynb" || got["shell_port"] != float64(k.conn.ShellPort) || got["hb_port"] == 0.0 || got["key"] != testKey {
		t.Errorf("file %s", text)
	}
}

// The first request is sent before anybody has subscribed to iopub; its idle
// must be heard all the same.
func TestFirstIdleIsHeard(t *testing.T) {
	for range 25 {
		k := start(t, Options{})
		c := connect(t, k.conn.path, false)
		id := c.send(c.shell, "kernel_info_request", map[string]any{})
		time.Sleep(20 * time.Millisecond)
		c.listen()
		if m := c.receive(c.iopubIn); m.Type != "iopub_welcome" || m.Content["subscription"] != "" || m.RawParent != "{}" {
			t.Fatalf("first message %+v", m)
		}
		c.outputs(id)
		c.close()
		k.end()
		<-k.done
	}
}

// A client that never listens is answered, too.
func TestFirstRequestIsNotHeldForLong(t *testing.T) {
	k := start(t, Options{})
	c := connect(t, k.conn.path, false)
	began := time.Now()
	c.reply(c.shellIn, c.send(c.shell, "kernel_info_request", map[string]any{}))
	if took := time.Since(began); took > gateTime+prompt {
		t.Errorf("the reply took %v", took)
	}
	began = time.Now()
	c.reply(c.shellIn, c.send(c.shell, "kernel_info_request", map[string]any{}))
	if took := time.Since(began); took >= gateTime {
		t.Errorf("the second reply took %v", took)
	}
}

func TestStartingIsPublishedOnce(t *testing.T) {
	opened := make(chan struct{})
	k := start(t, Options{Open: func() (Interpreter, error) { <-opened; return &mock.Interpreter{}, nil }})
	a := connect(t, k.conn.path, true)
	if m := a.receive(a.iopubIn); m.Content["execution_state"] != "starting" || m.RawParent != "{}" {
		t.Errorf("after the welcome: %+v", m)
	}
	close(opened)
	if m := a.receive(a.iopubIn); m.Content["execution_state"] != "idle" || m.RawParent != "{}" {
		t.Errorf("when the session is open: %+v", m)
	}
	b := connect(t, k.conn.path, true)
	b.execute("1")
	a.execute("1")
	for _, c := range []*client{a, b} {
		for len(c.iopubIn) > 0 {
			if m := <-c.iopubIn; m.Content["execution_state"] == "starting" {
				t.Error("starting was published again")
			}
		}
	}
}

// JupyterLab passes over the status of a question about the kernel, which is
// all that it asks when it connects again after a restart.
func TestIdleIsSaidOnceMoreAfterKernelInfo(t *testing.T) {
	k := start(t, Options{})
	c := connect(t, k.conn.path, true)
	for range 20 {
		c.outputs(c.send(c.shell, "kernel_info_request", map[string]any{}))
		if m := c.receive(c.iopubIn); m.Content["execution_state"] != "idle" || m.RawParent != "{}" {
			t.Fatalf("behind the idle of kernel_info: %+v", m)
		}
	}
}

// Who subscribes while a cell runs hears that it does, behind the welcome.
func TestLateSubscriberLearnsTheState(t *testing.T) {
	k := start(t, Options{})
	a := connect(t, k.conn.path, true)
	for _, x := range []struct{ cell, state string }{{"1", "idle"}, {"spin", "busy"}} {
		id := a.send(a.shell, "execute_request", code(x.cell))
		if x.state == "idle" {
			a.outputs(id)
		} else {
			a.expect(a.iopubIn, "execute_input")
		}
		b := connect(t, k.conn.path, true)
		if m := b.receive(b.iopubIn); m.Type != "status" || m.Content["execution_state"] != x.state || m.RawParent != "{}" {
			t.Errorf("behind the welcome: %+v, want %s", m, x.state)
		}
	}
}

// A slow start of the session holds up cells and nothing else.
func TestKernelInfoDoesNotWaitForTheSession(t *testing.T) {
	release := make(chan struct{})
	k := start(t, Options{Open: func() (Interpreter, error) { <-release; return &mock.Interpreter{}, nil }})
	c := connect(t, k.conn.path, true)
	began := time.Now()
	c.ask("kernel_info_request", map[string]any{})
	if took := time.Since(began); took > prompt {
		t.Errorf("kernel_info took %v", took)
	}
	id := c.send(c.shell, "execute_request", code("1"))
	close(release)
	if m := c.reply(c.shellIn, id); m.Content["status"] != "ok" {
		t.Errorf("the cell: %v", m.Content)
	}
}

func TestRestartOnTheSamePorts(t *testing.T) {
	path := connectionFile(t, nil)
	first := start(t, Options{ConnectionFile: path})
	c := connect(t, path, true)
	c.execute("add 1")
	session := c.ask("kernel_info_request", map[string]any{}).Session
	c.close()
	first.end()
	<-first.done
	start(t, Options{ConnectionFile: path})
	c = connect(t, path, true)
	m, _ := c.execute("1")
	if m.Content["execution_count"] != 1.0 || m.Session == session {
		t.Errorf("after the restart: %v, session %s", m.Content, m.Session)
	}
}

func TestRegistration(t *testing.T) {
	t.Setenv("JUPYTER_RUNTIME_DIR", t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	l := announced(ctx, t)
	forged, err := (&connection{Key: "wrong"}).signer()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []interface{ EncodeContent([]byte) [][]byte }{forged, l.kernel.signer} {
		ack := append([][]byte{l.identity}, s.EncodeContent([]byte(`{"status":"ok"}`))...)
		if err := l.socket.SendMulti(zmq4.NewMsgFrom(ack...)); err != nil {
			t.Fatal(err)
		}
	}
	// The ordinary connection file that it leaves for other clients.
	written := filepath.Join(os.Getenv("JUPYTER_RUNTIME_DIR"), "kernel-k1.json")
	for deadline := time.Now().Add(soon); ; time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(written); err == nil && json.Valid(text) {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("%s: %v\n%s", written, err, l.log)
		}
	}
	other := connect(t, written, true)
	if m, _ := other.execute("1"); m.Content["status"] != "ok" {
		t.Errorf("a client of the written file: %v", m.Content)
	}
	l.end()
	if err := <-l.ended; err != nil {
		t.Error(err)
	}
}

func TestUnconfirmedRegistrationEndsTheKernel(t *testing.T) {
	t.Setenv("JUPYTER_RUNTIME_DIR", t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	l := announced(ctx, t)
	l.socket.Close()
	if err := <-l.ended; err == nil || diagnostic.Of(err)[0].Code != notRegistered {
		t.Errorf("unconfirmed registration: %v", err)
	}
}

// A launcher waits for a kernel that it started to announce itself.
type launcher struct {
	socket   zmq4.Socket
	identity []byte // of the kernel at the socket
	kernel   *server
	log      *lockedBuffer
	end      context.CancelFunc // asks the kernel to end
	ended    chan error
}

// announced starts a kernel with a registration file and takes its
// announcement, which has its ports.
func announced(ctx context.Context, t *testing.T) *launcher {
	t.Helper()
	l := &launcher{socket: zmq4.NewRouter(ctx), log: &lockedBuffer{}, ended: make(chan error, 1)}
	t.Cleanup(func() { l.socket.Close() })
	if err := l.socket.Listen("tcp://127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "registration.json")
	text := fmt.Sprintf(`{"kernel_id": "k1", "transport": "tcp", "registration_ip": "127.0.0.1", "registration_port": %d, "key": %q, "signature_scheme": "hmac-sha256"}`,
		l.socket.Addr().(*net.TCPAddr).Port, testKey)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := newServer(Options{ConnectionFile: file, Log: l.log, Open: func() (Interpreter, error) { return &mock.Interpreter{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	l.kernel = k
	ctx, l.end = context.WithCancel(ctx)
	t.Cleanup(l.end)
	go func() { l.ended <- k.serve(ctx) }()
	m, err := l.socket.Recv()
	if err != nil {
		t.Fatal(err)
	}
	l.identity = m.Frames[0]
	c := client{t: t, conn: k.conn, signer: k.signer}
	if err := c.signer.DecodeContent(m.Frames); err != nil {
		t.Fatal(err)
	}
	var ports map[string]string
	if err := json.Unmarshal(m.Frames[3], &ports); err != nil || ports["kernel_id"] != "k1" || ports["shell_port"] != fmt.Sprint(k.conn.ShellPort) || len(ports) != 6 {
		t.Errorf("announced %s: %v", m.Frames[3], err)
	}
	return l
}

// Fifty clients, and one that floods: everybody is answered, and when they
// have gone nothing is left.
func TestManyClients(t *testing.T) {
	k := start(t, Options{})
	flood := connect(t, k.conn.path, false)
	stop := make(chan struct{})
	var flooding sync.WaitGroup
	flooding.Go(func() {
		for range 5_000 {
			select {
			case <-stop:
				return
			default:
				flood.send(flood.shell, "kernel_info_request", map[string]any{})
			}
		}
	})
	var all sync.WaitGroup
	for i := range 50 {
		c := connect(t, k.conn.path, i < 10)
		all.Go(func() {
			for range 3 {
				if m := c.reply(c.shellIn, c.send(c.shell, "execute_request", code("1"))); m.Content["status"] != "ok" {
					t.Errorf("a client among many: %v", m.Content)
				}
			}
			c.close()
		})
	}
	all.Wait()
	close(stop)
	flooding.Wait()
	flood.close()
	k.end()
	<-k.done
	for deadline := time.Now().Add(soon); ; time.Sleep(10 * time.Millisecond) {
		left := ownGoroutines()
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("goroutines that are left:\n%s", strings.Join(left, "\n\n"))
		}
	}
}

// ownGoroutines are the stacks of goroutines that run the kernel, and not the
// client of a test.
func ownGoroutines() (list []string) {
	stacks := make([]byte, 8<<20)
	for s := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
		if strings.Contains(s, "kernel/zmtp.") || strings.Contains(s, "kernel.(*server)") {
			list = append(list, s)
		}
	}
	return list
}

// FuzzRequest sends content of any kind to every handler: each request is
// answered or refused, and the kernel goes on.
func FuzzRequest(f *testing.F) {
	f.Add(uint8(0), []byte(`{"code":"1","silent":false}`))
	f.Add(uint8(1), []byte(`{"code":"pri","cursor_pos":-1}`))
	f.Add(uint8(4), []byte(`{"hist_access_type":"search","pattern":"[a-"}`))
	opened := make(chan struct{})
	close(opened)
	k, err := newServer(Options{ConnectionFile: connectionFile(f, nil), Log: &lockedBuffer{}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(k.close)
	k.interp, k.opened = &mock.Interpreter{}, opened
	names := []string{"execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request",
		"comm_info_request", "comm_open", "debug_request", "connect_request", "interrupt_request"}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		if !json.Valid(content) || strings.Contains(string(content), "spin") || strings.Contains(string(content), "lines") ||
			strings.Contains(string(content), "sleep") || strings.Contains(string(content), "deaf") {
			return
		}
		ctx, release := k.running.begin(t.Context())
		defer release()
		r := request{}
		r.msg = newMessage(names[int(which)%len(names)], content)
		rep := k.handle(ctx, &r)
		if want := strings.HasSuffix(r.msg.Header.MsgType, "_request"); want != (rep != nil) {
			t.Fatalf("%s %s: reply %v", r.msg.Header.MsgType, content, rep)
		}
	})
}
