package repl

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/chzyer/readline"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file reads cells from a person.

const (
	prompt  = "orrery> "
	further = "   ...> "
)

func itoa(n int) string { return strconv.Itoa(n) }

// columns is the width that outputs are made for.
func (s *session) columns() int {
	if !s.o.Interactive || s.o.Size == nil {
		return render.PageWidth
	}
	columns, _ := s.o.Size()
	return max(columns, 20)
}

func (s *session) terminal(ctx context.Context) int {
	s.keys = newKeyboard(s.o.In)
	s.past = openHistory(s.o.History)
	if !s.o.Dumb {
		line, err := readline.NewEx(&readline.Config{
			Prompt: prompt, DisableAutoSaveHistory: true, HistoryLimit: historyEntries, HistorySearchFold: true,
			AutoComplete: (*completer)(s), Painter: (*painter)(s), InterruptPrompt: "^C", EOFPrompt: "\n",
			Stdin: s.keys, Stdout: s.o.Out, Stderr: s.o.Err, FuncGetWidth: s.columns,
		})
		if err != nil {
			s.o.Dumb = true
		} else {
			defer line.Close()
			s.line = line
		}
	}
	// Between two cells, an interrupt has nothing to end.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, os.Interrupt)
	defer signal.Stop(ignored)
	_, _ = io.WriteString(s.o.Out, s.o.Banner)
	for ctx.Err() == nil {
		code, err := s.read(ctx)
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case err != nil:
			return 0
		}
		if strings.TrimSpace(code) == "" {
			continue
		}
		if _, leave := s.execute(ctx, code); leave {
			return 0
		}
	}
	return 0
}

// read reads one cell: lines until the Shell calls them complete, or wrong in
// a way that more input cannot mend. An empty line ends a cell that is only
// waiting for more, and a %% cell. What an interrupt gives up can be had again
// from the history.
func (s *session) read(ctx context.Context) (string, error) {
	s.pending = ""
	first := s.next
	s.next = ""
	s.recall()
	ask := s.prompt()
	for {
		text, err := s.readLine(ctx, ask, first)
		first = ""
		if errors.Is(err, readline.ErrInterrupt) {
			if s.pending == "" && text == "" {
				_, _ = io.WriteString(s.o.Out, "Ctrl-D or %quit leaves\n")
			}
			s.past.add(s.pending + text)
			return "", err
		}
		if err != nil {
			if s.pending != "" {
				return s.pending, nil
			}
			return "", err
		}
		s.pending += text + "\n"
		if s.whole(text) {
			s.past.add(s.pending)
			return s.pending, nil
		}
		ask = s.further()
	}
}

// recall gives the line editor the history as it is now, the cells of other
// processes among them.
func (s *session) recall() {
	s.past.refresh()
	if s.line == nil {
		return
	}
	s.line.ResetHistory()
	for _, code := range s.past.entries {
		_ = s.line.SaveHistory(strings.ReplaceAll(code, "\n", string(lineEnd)))
	}
}

// readLine reads one line, or several that are edited as one.
func (s *session) readLine(ctx context.Context, ask, first string) (string, error) {
	if s.line == nil {
		return s.plainLine(ctx, ask)
	}
	s.line.SetPrompt(ask)
	s.keys.edit()
	text, err := s.line.ReadlineWithDefault(strings.ReplaceAll(first, "\n", string(lineEnd)))
	return strings.ReplaceAll(text, string(lineEnd), "\n"), err
}

// plainLine reads a line as the terminal hands it over.
func (s *session) plainLine(ctx context.Context, ask string) (string, error) {
	read, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	_, _ = io.WriteString(s.o.Out, ask)
	var text []byte
	for {
		b, ok, err := s.keys.next(read, resizeTime)
		switch {
		case err != nil && ctx.Err() == nil && read.Err() != nil:
			_, _ = io.WriteString(s.o.Out, "\n")
			return "", readline.ErrInterrupt
		case err != nil:
			if len(text) > 0 {
				return string(text), nil
			}
			return "", err
		case ok && b == '\n':
			return strings.TrimSuffix(string(text), "\r"), nil
		case ok:
			text = append(text, b)
		}
	}
}

// answer reads what a cell asks for.
func (s *session) answer(ctx context.Context, ask string, password bool) (string, error) {
	switch {
	case s.line == nil:
		return s.plainLine(ctx, ask)
	case password:
		s.keys.edit()
		text, err := s.line.ReadPassword(ask)
		return string(text), err
	}
	pending := s.pending
	s.pending = ""
	defer func() { s.pending = pending }()
	return s.readLine(ctx, ask, "")
}

// whole reports whether the pending cell can go, last being its newest line.
func (s *session) whole(last string) bool {
	blank := strings.TrimSpace(last) == ""
	if strings.HasPrefix(s.pending, "%%") {
		return blank && (s.shell.IsComplete(s.pending).Status != "incomplete" || strings.HasSuffix(s.pending, "\n\n\n"))
	}
	return blank || s.shell.IsComplete(s.pending).Status != "incomplete"
}

// shade is text in a colour, where there are colours.
func (s *session) shade(code, text string) string {
	if !s.o.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// prompt is what stands before the first line of a cell: in a stepped run,
// where that stands.
func (s *session) prompt() string {
	status, open := s.shell.Status()
	if !open {
		return s.shade("1", strings.TrimSuffix(prompt, " ")) + " "
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
	if room := s.columns()/2 - display.Width(name) - 4; display.Width(text) > room {
		text = cutColumns(status.Step, max(room, 8))
	}
	return s.shade("1;36", name) + " " + s.shade("2", "("+text+")") + s.shade("1", ">") + " "
}

// further is what stands before the other lines of a cell: what it lacks.
func (s *session) further() string {
	lacks := s.shell.IsComplete(s.pending).Missing
	if lacks == "" || strings.HasPrefix(s.pending, "%%") {
		return s.shade("2", strings.TrimSuffix(further, " ")) + " "
	}
	return s.shade("2", "   needs "+lacks+" >") + " "
}
