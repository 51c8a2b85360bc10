package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a command has to hear of an interrupt before another one
// ends the process; what reaches it twice at once, by way of a process group, is
// one interrupt.
const patience = time.Second

// interruptible is ctx until the user interrupts the command or the system asks
// it to end, as continuous integration does when time is up: either way it says
// what it has so far and ends with status 4. The returned stop gives the signals
// back.
func interruptible(ctx context.Context) (run context.Context, stop context.CancelFunc) {
	run, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(run, func() { time.AfterFunc(patience, stop) })
	return run, stop
}
