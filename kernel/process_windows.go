package kernel

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// watchSignals makes Ctrl-C an interrupt_request. What it returns undoes that.
func (k *server) watchSignals() (release func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				k.running.interrupt()
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Stop(signals); close(done) }
}

// watchParent ends the kernel when the process that started it is gone.
// Jupyter hands down a handle that is signalled then.
func (k *server) watchParent() {
	handle, err := strconv.ParseUint(os.Getenv("JPY_PARENT_PID"), 10, 64)
	if err != nil || handle == 0 {
		return
	}
	if e, err := syscall.WaitForSingleObject(syscall.Handle(handle), syscall.INFINITE); err == nil && e == syscall.WAIT_OBJECT_0 {
		k.end()
	}
}

// lockFile does nothing here: two kernels that start within a millisecond may
// share a session number.
func lockFile(*os.File) (unlock func()) { return func() {} }

func stateDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "orrery")
}
