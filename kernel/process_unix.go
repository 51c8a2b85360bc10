//go:build unix

package kernel

import (
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// watchSignals makes SIGINT an interrupt_request and SIGTERM an orderly end.
// What it returns undoes that.
func (k *server) watchSignals() (release func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGINT {
					k.running.interrupt()
				} else {
					k.end()
				}
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(signals); close(done) }
}

// parentPoll is how often the kernel looks whether its parent lives.
const parentPoll = 500 * time.Millisecond

// watchParent ends the kernel when the process that started it is gone, where
// Jupyter says that it did. The parent of an orphan is process 1 or, in
// containers and under systemd, some other collector: any change tells.
func (k *server) watchParent() {
	announced, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || announced <= 1 {
		return
	}
	parent := os.Getppid()
	// Where a script stands between, the announced process is watched too,
	// provided it can be seen from here at all.
	seen := alive(announced)
	ticker := time.NewTicker(parentPoll)
	defer ticker.Stop()
	for {
		select {
		case <-k.stop:
			return
		case <-ticker.C:
			if os.Getppid() != parent || seen && !alive(announced) {
				k.end()
				return
			}
		}
	}
}

func alive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }

// lockFile keeps other kernels out of f until unlock is called.
func lockFile(f *os.File) (unlock func()) {
	fd := int(f.Fd())
	if syscall.Flock(fd, syscall.LOCK_EX) != nil {
		return func() {}
	}
	return func() { syscall.Flock(fd, syscall.LOCK_UN) }
}

func stateDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "orrery")
	}
	return filepath.Join(home, ".local", "state", "orrery")
}
