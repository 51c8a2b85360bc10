package magics

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file runs commands of the operating system, where the user started
// Orrery with --allow-shell.

func systemMagics() []*magic {
	return []*magic{{
		name: "bash", aliases: []string{"sh", "script"}, cell: true, family: cellFamily,
		summary: "run the cell in the shell of the operating system",
		help:    "It exists only when Orrery was started with --allow-shell; !COMMAND runs one line. An interrupt ends the command.",
		example: "%%bash\necho hello",
		run: func(c *call) error {
			return c.cell.system(c.body.Text(), c.span())
		},
	}}
}

// shellLine runs "!command".
func (e *execution) shellLine(span source.Span) error {
	return e.system(span.Text()[1:], span)
}

// system runs command in the shell, its outputs line by line in the cell.
func (e *execution) system(command string, span source.Span) error {
	if !e.shell.options.AllowShell {
		return diagnostic.New(codeNoShell, span, "commands of the operating system are off").
			WithHint("start Orrery with --allow-shell to switch them on")
	}
	run := exec.CommandContext(e.ctx, "sh", "-c", command)
	run.Dir = e.shell.dir
	run.WaitDelay = 100 * time.Millisecond
	out, err := &streamWriter{e.sink, Stdout}, &streamWriter{e.sink, Stderr}
	lock := new(sync.Mutex) // the sink is called from one goroutine at a time
	run.Stdout, run.Stderr = locked{lock, out}, locked{lock, err}
	failed := run.Run()
	if e.ctx.Err() != nil {
		return e.ctx.Err()
	}
	var status *exec.ExitError
	switch {
	case errors.As(failed, &status):
		return diagnostic.New(codeNoShell, span, fmt.Sprintf("the command ended with status %d", status.ExitCode()))
	case failed != nil:
		return diagnostic.New(codeNoShell, span, "the command cannot run: "+rootCause(failed))
	}
	return nil
}

// A streamWriter writes to a stream of a cell.
type streamWriter struct {
	sink Sink
	name Stream
}

func (w *streamWriter) Write(p []byte) (int, error) {
	w.sink.Stream(w.name, string(bytes.ToValidUTF8(p, []byte("�"))))
	return len(p), nil
}

// locked is a writer of several that write to one sink.
type locked struct {
	lock *sync.Mutex
	*streamWriter
}

func (w locked) Write(p []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.streamWriter.Write(p)
}
