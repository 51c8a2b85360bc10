package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/chzyer/readline"

	"github.com/orrery-sysml/orrery/magics"
)

// A Shell executes and completes cells; magics.Shell is one.
type Shell interface {
	Execute(ctx context.Context, cell magics.Cell, sink magics.Sink) magics.Outcome
	IsComplete(code string) magics.Completeness
	Complete(ctx context.Context, code string, cursor int) magics.Completion
}

// Options say how Run talks to its user.
type Options struct {
	// Banner is printed before the first prompt of a terminal.
	Banner string
	// History is the file that keeps what was typed, "" for none.
	History string
	// In, Out and Err are the streams; In is read line by line.
	In       io.ReadCloser
	Out, Err io.Writer
	// Interactive is true where In and Out are a terminal.
	Interactive bool
	// Color allows ANSI colours.
	Color bool
	// Width tells the columns of the terminal.
	Width func() int
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
	line  *readline.Instance // nil in a script
	// pending are the lines of the cell that is being typed.
	pending string
}

// execute returns the status of a cell and whether nothing should follow it.
func (s *session) execute(ctx context.Context, code string) (status int, leave bool) {
	s.count++
	run, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	sink := &sink{s: s}
	cell := magics.Cell{Code: code, Name: fmt.Sprintf("cell %d", s.count), Count: s.count}
	outcome := s.shell.Execute(run, cell, sink)
	sink.end()
	if outcome.Err == nil {
		return outcome.Verdict, outcome.Exit
	}
	for _, text := range outcome.Err.Traceback(s.o.Color) {
		_, _ = io.WriteString(s.o.Err, strings.TrimRight(text, "\n")+"\n")
	}
	leave = outcome.Exit || s.line == nil
	if run.Err() != nil {
		return 4, leave
	}
	return 1, leave
}

const (
	prompt  = "orrery> "
	further = "   ...> "
)

func (s *session) terminal(ctx context.Context) int {
	line, err := readline.NewEx(&readline.Config{
		Prompt: prompt, HistoryFile: s.o.History, HistorySearchFold: true,
		AutoComplete: (*completer)(s), InterruptPrompt: "^C", EOFPrompt: "\n",
		Stdin: s.o.In, Stdout: s.o.Out, Stderr: s.o.Err,
	})
	if err != nil {
		s.o.Interactive = false
		return s.script(ctx)
	}
	defer line.Close()
	s.line = line
	_, _ = io.WriteString(s.o.Out, s.o.Banner)
	for ctx.Err() == nil {
		code, err := s.read()
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
// waiting for more, and a %% cell.
func (s *session) read() (string, error) {
	s.line.SetPrompt(prompt)
	s.pending = ""
	for {
		text, err := s.line.Readline()
		if errors.Is(err, readline.ErrInterrupt) {
			if s.pending == "" && text == "" {
				_, _ = io.WriteString(s.o.Out, "Ctrl-D or %quit leaves\n")
			}
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
			return s.pending, nil
		}
		s.line.SetPrompt(further)
	}
}

// whole reports whether the pending cell can go, last being its newest line.
func (s *session) whole(last string) bool {
	blank := strings.TrimSpace(last) == ""
	if strings.HasPrefix(s.pending, "%%") {
		return blank && (s.shell.IsComplete(s.pending).Status != "incomplete" || strings.HasSuffix(s.pending, "\n\n\n"))
	}
	return blank || s.shell.IsComplete(s.pending).Status != "incomplete"
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

// completer is a session as readline asks it for completions.
type completer session

// Do implements readline.AutoCompleter: it returns what could follow the
// cursor, and how many code points before the cursor that continues.
func (c *completer) Do(line []rune, pos int) ([][]rune, int) {
	code := c.pending + string(line)
	before := len([]rune(c.pending))
	found := c.shell.Complete(context.Background(), code, before+pos)
	if found.Start < before || found.Start > before+pos {
		return nil, 0
	}
	typed := string(line[found.Start-before : pos])
	var rest [][]rune
	for _, m := range found.Matches {
		if after, ok := strings.CutPrefix(m.Text, typed); ok {
			rest = append(rest, []rune(after))
		}
	}
	return rest, len([]rune(typed))
}
