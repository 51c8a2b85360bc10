package repl

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/repl/edit"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A Shell executes and completes cells; magics.Shell is one.
type Shell interface {
	Execute(ctx context.Context, cell magics.Cell, sink magics.Sink) magics.Outcome
	IsComplete(code string) magics.Completeness
	Complete(ctx context.Context, code string, cursor int) magics.Completion
	Tints(code string) []magics.Tint
	Status() (magics.Status, bool)
}

// Options say how Run talks to its user.
type Options struct {
	// Banner is printed before the first prompt of a terminal.
	Banner string
	// History is the file that keeps what was typed, "" for none.
	History string
	// In, Out and Err are the streams; In is read as it is typed.
	In       io.ReadCloser
	Out, Err io.Writer
	// Interactive is true where In and Out are a terminal.
	Interactive bool
	// Dumb is true where the terminal cannot move its cursor.
	Dumb bool
	// Color allows ANSI colours.
	Color bool
	// Size tells the columns and rows of the terminal; nil where there is
	// none.
	Size func() (columns, rows int)
	// Raw lets keys come as they are pressed, until the function it returns
	// is called; nil where there is no terminal.
	Raw func() (restore func(), err error)
	// Pager is the command line that shows what is longer than the terminal, ""
	// for a pager of ours; Editor the one that edits a file, "" for none.
	Pager, Editor string
	// Suspend stops the process until the user brings it back; nil where the
	// system has no such thing.
	Suspend func()
}

// Run executes cells until the input ends. A script stops at its first cell
// that ends in an error; a judgement that does not hold counts as a failure,
// but later cells run. It returns the exit status: that of the script, 0 for a
// terminal.
func Run(ctx context.Context, shell Shell, o Options) int {
	s := &session{shell: shell, o: o}
	if !o.Interactive {
		return s.script(ctx)
	}
	return s.terminal(ctx)
}

// Execute runs one cell and prints its outputs, for `orrery -c` as well. It
// returns the exit status.
func Execute(ctx context.Context, shell Shell, cell magics.Cell, o Options) int {
	s := &session{shell: shell, o: o, count: max(cell.Count-1, 0)}
	status, _ := s.execute(ctx, cell.Code)
	return status
}

type session struct {
	shell Shell
	o     Options
	count int
	keys  *keyboard // nil in a script
	past  *history
	// screen and editor are nil in a script and on a dumb terminal.
	screen *edit.Terminal
	editor *edit.Editor
	// lent is true while another program has the terminal.
	lent atomic.Bool
	// next is what the next cell begins with.
	next string
}

// execute returns the status of a cell and whether nothing should follow it.
func (s *session) execute(ctx context.Context, code string) (status int, leave bool) {
	s.count++
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.onSignal(cancel)()
	sink := &sink{s: s, ctx: run, stop: cancel, Console: magics.Console{Out: s.o.Out, Err: s.o.Err}}
	if s.o.Interactive && !s.o.Dumb {
		sink.Columns = s.columns
	}
	cell := magics.Cell{Code: code, Name: fmt.Sprintf("cell %d", s.count), Count: s.count}
	outcome := s.shell.Execute(run, cell, sink)
	sink.EndLine()
	if outcome.Err == nil {
		return outcome.Verdict, outcome.Exit
	}
	style := diagnostic.Style{Color: s.o.Color}
	if s.o.Interactive {
		style.Columns = s.columns()
	}
	for _, text := range outcome.Err.Texts(style) {
		text = strings.TrimRight(text, "\n") + "\n"
		if s.o.Interactive {
			text = folded(text, style.Columns)
		}
		_, _ = io.WriteString(s.o.Err, text)
	}
	leave = outcome.Exit || s.keys == nil
	if run.Err() != nil {
		return 4, leave
	}
	return 1, leave
}

// onSignal has interrupts end a cell, until the function it returns is called;
// one that is meant for a program which has the terminal does not.
func (s *session) onSignal(end func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				if !s.lent.Load() {
					end()
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

func (s *session) script(ctx context.Context) int {
	text, err := io.ReadAll(s.o.In)
	if err != nil {
		_, _ = io.WriteString(s.o.Err, "error[input]: standard input cannot be read\n")
		return 2
	}
	status := 0
	for _, code := range s.split(string(text)) {
		one, leave := s.execute(ctx, code)
		if status != 1 && one != 0 || one == 4 {
			status = one
		}
		if leave {
			return status
		}
	}
	return status
}

// split cuts a script into cells as if it were typed: a cell ends with the
// line that completes it. A %% cell reaches to the next line that starts with
// %%, or to the end; %%sysml goes back to SysML.
func (s *session) split(text string) []string {
	var cells []string
	open := ""
	take := func() {
		if strings.TrimSpace(open) != "" {
			cells = append(cells, open)
		}
		open = ""
	}
	magic := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "%%") && (magic || strings.TrimSpace(open) == "") {
			take()
			magic = true
			if strings.TrimSpace(line) == "%%sysml" {
				magic = false
				continue
			}
		}
		open += line
		if !magic && s.shell.IsComplete(open).Status != "incomplete" {
			take()
		}
	}
	take()
	return cells
}
