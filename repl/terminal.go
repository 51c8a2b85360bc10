package repl

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/repl/edit"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file reads cells from a person.

const (
	prompt  = "orrery> "
	further = "   ...> "
)

// columns is the width that outputs are made for.
func (s *session) columns() int {
	if !s.o.Interactive || s.o.Size == nil {
		return render.PageWidth
	}
	columns, _ := s.o.Size()
	return max(columns, 20)
}

func (s *session) terminal(ctx context.Context) int {
	s.keys = newKeyboard(s.o.In, s.o.Dumb)
	s.past = openHistory(s.o.History)
	if !s.o.Dumb {
		s.screen = &edit.Terminal{Out: s.o.Out, Keys: s.keys, Raw: s.raw, Size: s.o.Size, Suspend: s.o.Suspend}
		s.editor = edit.New(edit.Guide{Enter: s.enter, Complete: s.complete, Tints: s.tints, Hint: s.hint, Outside: s.outside})
		s.editor.Color = s.o.Color
	}
	// A terminal is left as it was found, whatever ends the process.
	ctx, release := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer release()
	// Between two cells, an interrupt has nothing to end.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, os.Interrupt)
	defer signal.Stop(ignored)
	_, _ = io.WriteString(s.o.Out, folded(s.o.Banner, s.columns()))
	for ctx.Err() == nil {
		code, err := s.read(ctx)
		switch {
		case errors.Is(err, edit.ErrDropped):
			if strings.TrimSpace(code) == "" {
				_, _ = io.WriteString(s.o.Out, "Ctrl-D or %quit leaves\n")
			}
			s.past.add(code)
			continue
		case err != nil:
			return endStatus(ctx)
		}
		if strings.TrimSpace(code) == "" {
			continue
		}
		s.past.add(code)
		if _, leave := s.execute(ctx, code); leave {
			return 0
		}
	}
	return endStatus(ctx)
}

// endStatus is 0 for a user who has left, and that of what was stopped for one
// who was made to.
func endStatus(ctx context.Context) int {
	if ctx.Err() != nil {
		return 4
	}
	return 0
}

// raw is Options.Raw, of which the keyboard knows.
func (s *session) raw() (restore func(), err error) {
	before, err := s.o.Raw()
	if err != nil {
		return nil, err
	}
	s.keys.setRaw(true)
	return func() {
		s.keys.setRaw(false)
		before()
	}, nil
}

// read reads one cell. What is given up comes with edit.ErrDropped, so that it
// can be had again from the history.
func (s *session) read(ctx context.Context) (string, error) {
	s.past.refresh()
	if s.editor == nil {
		return s.readLines(ctx)
	}
	e := s.editor
	e.Prompt, e.Gutter = s.prompt(), strings.TrimLeft(further, " ")
	e.Begin(s.next, s.past.entries)
	s.next = ""
	code, err := s.screen.Read(ctx, e)
	return code + "\n", err
}

// enter says whether a cell can run when Enter is pressed at its end, and how
// its next line is indented otherwise: the Shell calls it complete, or wrong in
// a way that more input cannot mend. A %% cell ends with an empty line, unless
// it is entered again, and two empty lines end any cell.
func (s *session) enter(code string, again bool) (run bool, indent string) {
	last := code[strings.LastIndexByte(code, '\n')+1:]
	blank := strings.TrimSpace(last) == ""
	if blank {
		code = code[:len(code)-len(last)]
	}
	c := s.shell.IsComplete(code + "\n")
	switch {
	case strings.HasSuffix(code, "\n\n") && blank:
		return true, ""
	case c.Status == "incomplete":
		return false, c.Indent
	case strings.HasPrefix(code, "%%") && !blank && !again:
		return false, last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	}
	return true, ""
}

// hintSize is the length of a cell, in bytes, from which no hint is worth the
// time that a reader waits for each key.
const hintSize = 1 << 16

// hint is what a cell of several lines lacks, or how it runs.
func (s *session) hint(code string, inside, again bool) string {
	if len(code) > hintSize || !strings.Contains(code, "\n") {
		return ""
	}
	c := s.shell.IsComplete(code + "\n")
	switch {
	case c.Missing != "":
		return "needs " + c.Missing
	case strings.HasPrefix(code, "%%") && !again:
		return "an empty line at the end runs it"
	case inside && c.Status == "complete":
		return "Enter begins a line here; on the last line it runs the cell"
	}
	return ""
}

// readLines reads a cell from a terminal that hands over lines: until the Shell
// calls it complete. An empty line ends a cell that is only waiting for more.
func (s *session) readLines(ctx context.Context) (string, error) {
	code, ask := "", s.prompt()
	for {
		text, err := s.plainLine(ctx, ask)
		if err != nil {
			if code != "" && !errors.Is(err, edit.ErrDropped) {
				return code, nil
			}
			return code, err
		}
		code += text + "\n"
		blank := strings.TrimSpace(text) == ""
		c := s.shell.IsComplete(code)
		if strings.HasPrefix(code, "%%") {
			if blank && (c.Status != "incomplete" || strings.HasSuffix(code, "\n\n\n")) {
				return code, nil
			}
		} else if blank || c.Status != "incomplete" {
			return code, nil
		}
		ask = s.further(code, c)
	}
}

// plainLine reads a line as the terminal hands it over.
func (s *session) plainLine(ctx context.Context, ask string) (string, error) {
	read, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	_, _ = io.WriteString(s.o.Out, ask)
	text, err := s.keys.line(read)
	if err != nil && ctx.Err() == nil && read.Err() != nil {
		_, _ = io.WriteString(s.o.Out, "\n")
		return "", edit.ErrDropped
	}
	return strings.TrimSuffix(text, "\r"), err
}

// answer reads what a cell asks for.
func (s *session) answer(ctx context.Context, ask string, password bool) (string, error) {
	if s.screen == nil {
		return s.plainLine(ctx, ask)
	}
	above, ask := ask[:strings.LastIndexByte(ask, '\n')+1], ask[strings.LastIndexByte(ask, '\n')+1:]
	_, _ = io.WriteString(s.o.Out, above)
	e := edit.New(edit.Guide{})
	e.Prompt, e.Secret = ask, password
	e.Begin("", nil)
	return s.screen.Read(ctx, e)
}

// narrow is a terminal with fewer columns than this, where a prompt is no more
// than a name.
const narrow = 40

// prompt is what stands before the first line of a cell: in a stepped run,
// where that stands.
func (s *session) prompt() string {
	status, open := s.shell.Status()
	if !open {
		return s.shade(shadeStrong, strings.TrimSuffix(prompt, " ")) + " "
	}
	name, rest := status.Behavior, []string{status.Step}
	if status.Ended {
		rest[0] += ", done"
	}
	if status.Time != "" {
		rest = append(rest, status.Time)
	}
	rest = append(rest, status.Schedule)
	text := strings.Join(rest, ", ")
	if s.columns() < narrow {
		return s.shade(shadeRun, display.Cut(name, s.columns()/2-2)) + s.shade(shadeStrong, ">") + " "
	}
	if room := s.columns()/2 - display.Width(name) - 4; display.Width(text) > room {
		text = display.Cut(status.Step, max(room, 8))
	}
	return s.shade(shadeRun, name) + " " + s.shade(shadeFaint, "("+text+")") + s.shade(shadeStrong, ">") + " "
}

// further is what stands before the other lines of a cell on a terminal that
// hands over lines: what it lacks.
func (s *session) further(code string, c magics.Completeness) string {
	if c.Missing == "" || strings.HasPrefix(code, "%%") {
		return further
	}
	return "   needs " + c.Missing + " > "
}
