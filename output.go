package main

import (
	"encoding/json"
	"errors"
	"os"
	"sync"
	"syscall"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var cannotPrint = diagnostic.Register("output",
	"What the command had to say cannot be written to standard output: the disk is full, or what it leads to takes no more.")

// stdout is the standard output of the process. Every command prints there and
// nowhere else, so that what could not be written is known in the end.
var stdout = &output{file: os.Stdout}

// An output is a stream that remembers its first failure. It is safe for any
// goroutine.
type output struct {
	file *os.File
	mu   sync.Mutex
	err  error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.file.Write(text)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// settle is the exit status of a command that ended with status: output that
// was lost is a failure. A reader that has gone away (as head does) has what
// it wanted, and is told nothing.
func (o *output) settle(status int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil || errors.Is(o.err, syscall.EPIPE) {
		return status
	}
	reason := o.err
	if at := (*os.PathError)(nil); errors.As(o.err, &at) {
		reason = at.Err
	}
	complain(diagnostic.New(cannotPrint, source.Span{}, "cannot write to standard output: "+reason.Error()).
		WithHint("make room there, or let it lead somewhere else"))
	if status == unusable || status == stopped {
		return status
	}
	return failed
}

// printJSON prints a document, laid out.
func printJSON(document any) {
	encoder := json.NewEncoder(stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(document) // stdout remembers what went wrong
}
