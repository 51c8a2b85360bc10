package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file runs a walk in a process of its own, which can be ended whatever
// a plan does: Starlark bounds steps and the size of values, and yet a single
// operation can take long, such as remove, which compares with every element.

var isolatedCode = diagnostic.Register("isolated-walk-ended",
	"A walk with --isolate process was ended, since its process held more memory than --max-memory or went on after --max-time. The leaves that had ended are in the journal beside the bundle; --resume goes on with the others.")

// isolation is how a walk is kept apart.
type isolation struct {
	how    string // "process"; "" for not at all
	memory int64  // bytes that the process may hold; 0 for no bound
}

const (
	// grace is how long an isolated walk has to end by itself.
	grace = 3 * time.Second
	// glance is how long lies between two looks at its memory.
	glance = 20 * time.Millisecond
)

// run runs the command line args, in which isolation was asked for, in another
// process and gives its status; 4 where it had to be ended.
func (i isolation) run(ctx context.Context, args []string, most time.Duration) int {
	program, err := os.Executable()
	if err != nil {
		complain(diagnostic.New(isolatedCode, source.Span{}, "the program cannot be started again"))
		return unusable
	}
	c := exec.Command(program, append([]string{"walk"}, inner(args)...)...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if i.memory > 0 {
		c.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%d", i.memory/10*9))
	}
	if err := c.Start(); err != nil {
		complain(diagnostic.New(isolatedCode, source.Span{}, "the program cannot be started again"))
		return unusable
	}
	why := make(chan string, 1)
	ended := make(chan struct{})
	go func() {
		if reason := i.watch(ctx, c.Process, most, ended); reason != "" {
			why <- reason
			c.Process.Kill()
		}
		close(why)
	}()
	err = c.Wait()
	close(ended)
	if reason := <-why; reason != "" {
		complain(diagnostic.New(isolatedCode, source.Span{}, "the walk was ended: "+reason).
			WithHint("with --bundle its finished leaves are kept, and --resume goes on behind them"))
		return stopped
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() < 0 {
		return stopped
	}
	return c.ProcessState.ExitCode()
}

// watch returns when the process has ended, with "", or must be ended, with
// the reason. It hands an interrupt on, which need not have reached both.
func (i isolation) watch(ctx context.Context, inside *os.Process, most time.Duration, ended <-chan struct{}) string {
	look := time.NewTicker(glance)
	defer look.Stop()
	var late <-chan time.Time
	if most > 0 {
		late = time.After(most + grace)
	}
	interrupted := ctx.Done()
	reason := fmt.Sprintf("it went on after %v", most)
	for {
		select {
		case <-ended:
			return ""
		case <-interrupted:
			_ = inside.Signal(os.Interrupt) // where the system has none, grace remains
			interrupted, late, reason = nil, time.After(grace), "it went on after an interrupt"
		case <-late:
			return reason
		case <-look.C:
			if i.memory > 0 && resident(inside.Pid) > i.memory {
				return fmt.Sprintf("it held more than %d MiB", i.memory>>20)
			}
		}
	}
}

// inner is args without the flags of isolation.
func inner(args []string) []string {
	var out []string
	for k := 0; k < len(args); k++ {
		name, _, valued := strings.Cut(strings.TrimLeft(args[k], "-"), "=")
		if strings.HasPrefix(args[k], "-") && (name == "isolate" || name == "max-memory") {
			if !valued {
				k++
			}
			continue
		}
		out = append(out, args[k])
	}
	return out
}

// resident is how many bytes of memory a process holds; 0 where the system
// does not say.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
