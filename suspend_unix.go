//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// suspend stops the processes of this command, as Ctrl-Z does, and returns when
// the user has them go on. Where nobody could (no shell waits for them), the
// system does not stop them.
func suspend() {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return
	}
	select {
	case <-goesOn:
	case <-time.After(200 * time.Millisecond): // it was not stopped
	}
}
