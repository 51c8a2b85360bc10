package mock

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Interpreter executes the lines of a cell in order. The zero value is ready.
type Interpreter struct {
	mu    sync.Mutex
	cells []magics.Cell
	sum   int
}

// Cells are those executed so far.
func (m *Interpreter) Cells() []magics.Cell {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]magics.Cell(nil), m.cells...)
}

// A command does the work of one line. What it returns ends the cell.
type command func(m *Interpreter, ctx context.Context, arg string, out magics.Sink) *magics.CellError

var commands = map[string]command{
	"print": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		out.Stream(magics.Stdout, arg+"\n")
		return nil
	},
	"eprint": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		out.Stream(magics.Stderr, arg+"\n")
		return nil
	},
	"lines": (*Interpreter).lines,
	"bytes": (*Interpreter).bytes,
	"spin":  (*Interpreter).spin,
	"deaf":  (*Interpreter).deaf,
	"sleep": (*Interpreter).sleep,
	"add":   (*Interpreter).add,
	"ask": func(m *Interpreter, ctx context.Context, arg string, out magics.Sink) *magics.CellError {
		return m.ask(ctx, arg, false, out)
	},
	"password": func(m *Interpreter, ctx context.Context, arg string, out magics.Sink) *magics.CellError {
		return m.ask(ctx, arg, true, out)
	},
	"progress": (*Interpreter).progress,
	"error": func(_ *Interpreter, _ context.Context, arg string, _ magics.Sink) *magics.CellError {
		return failure(arg)
	},
	"panic": func(_ *Interpreter, _ context.Context, arg string, _ magics.Sink) *magics.CellError { panic(arg) },
	"display": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		id, text, _ := strings.Cut(arg, " ")
		out.Display(render.Text(text).With(render.HTML, "<b>"+text+"</b>").With(render.JSON, `{"x":1}`), strings.TrimPrefix(id, "-"))
		return nil
	},
	"update": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		id, text, _ := strings.Cut(arg, " ")
		out.Update(id, render.Text(text))
		return nil
	},
	"badjson": func(_ *Interpreter, _ context.Context, _ string, out magics.Sink) *magics.CellError {
		out.Display(render.Text("kept").With(render.JSON, "{"), "")
		return nil
	},
	"clear": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		out.Clear(arg == "wait")
		return nil
	},
	"page": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		out.Page(render.Text(arg))
		return nil
	},
	"next": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		out.NextInput(arg, false)
		return nil
	},
	"raw": func(_ *Interpreter, _ context.Context, arg string, out magics.Sink) *magics.CellError {
		text, err := strconv.Unquote(arg)
		if err != nil {
			return failure(err.Error())
		}
		for i := range len(text) { // a byte at a time, characters torn apart
			out.Stream(magics.Stdout, text[i:i+1])
		}
		return nil
	},
}

// Execute runs the lines of a cell. A line that is no command and reads as an
// expression is the result; "exit" ends the session.
func (m *Interpreter) Execute(ctx context.Context, cell magics.Cell, out magics.Sink) magics.Outcome {
	m.mu.Lock()
	m.cells = append(m.cells, cell)
	m.mu.Unlock()
	for line := range strings.Lines(cell.Code) {
		name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch do := commands[name]; {
		case name == "":
		case name == "exit":
			return magics.Outcome{Exit: true}
		case do != nil:
			if err := do(m, ctx, arg, out); err != nil {
				return magics.Outcome{Err: err}
			}
		default:
			b, err := m.Evaluate(ctx, strings.TrimSpace(line))
			if err != nil {
				return magics.Outcome{Err: err}
			}
			out.Result(b)
		}
	}
	return magics.Outcome{}
}

// failure is an error of a cell with message text.
func failure(text string) *magics.CellError {
	d := diagnostic.New(diagnostic.Syntax, source.Span{}, text)
	return &magics.CellError{Name: string(d.Code), Value: d.Message, Diagnostics: diagnostic.List{d}}
}

func stopped(ctx context.Context) *magics.CellError {
	if ctx.Err() == nil {
		return nil
	}
	return &magics.CellError{Name: "KeyboardInterrupt", Value: "interrupted"}
}

func (m *Interpreter) lines(ctx context.Context, arg string, out magics.Sink) *magics.CellError {
	n, _ := strconv.Atoi(arg)
	for i := 0; i < n || n < 0; i++ { // "lines -1" has no end
		out.Stream(magics.Stdout, "line "+strconv.Itoa(i)+"\n")
		if err := stopped(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *Interpreter) bytes(_ context.Context, arg string, out magics.Sink) *magics.CellError {
	n, _ := strconv.Atoi(arg)
	out.Stream(magics.Stdout, strings.Repeat("é", n/2))
	return nil
}

func (m *Interpreter) spin(ctx context.Context, _ string, _ magics.Sink) *magics.CellError {
	for {
		if err := stopped(ctx); err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// deaf does not hear an interrupt for arg milliseconds.
func (m *Interpreter) deaf(_ context.Context, arg string, _ magics.Sink) *magics.CellError {
	n, _ := strconv.Atoi(arg)
	time.Sleep(time.Duration(n) * time.Millisecond)
	return nil
}

func (m *Interpreter) sleep(ctx context.Context, arg string, _ magics.Sink) *magics.CellError {
	n, _ := strconv.Atoi(arg)
	select {
	case <-time.After(time.Duration(n) * time.Millisecond):
		return nil
	case <-ctx.Done():
		return stopped(ctx)
	}
}

// add changes the session, so that tests see whether it has survived.
func (m *Interpreter) add(_ context.Context, arg string, out magics.Sink) *magics.CellError {
	n, _ := strconv.Atoi(arg)
	m.sum += n
	out.Result(render.Text(strconv.Itoa(m.sum)))
	return nil
}

func (m *Interpreter) ask(ctx context.Context, prompt string, password bool, out magics.Sink) *magics.CellError {
	out.Stream(magics.Stdout, "asking\n")
	line, err := out.Ask(ctx, prompt, password)
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	if err != nil {
		l := diagnostic.Of(err)
		return &magics.CellError{Name: string(l[0].Code), Value: l[0].Message, Diagnostics: l}
	}
	out.Stream(magics.Stdout, "got "+line+"\n")
	return nil
}

// progress reports for arg milliseconds, as often as it can.
func (m *Interpreter) progress(ctx context.Context, arg string, out magics.Sink) *magics.CellError {
	n, _ := strconv.Atoi(arg)
	began := time.Now()
	for {
		done := time.Since(began).Milliseconds()
		out.Progress(magics.Progress{Label: "counting", Done: min(done, int64(n)), Total: int64(n), Unit: "ticks", Ended: done >= int64(n)})
		if done >= int64(n) {
			return nil
		}
		if err := stopped(ctx); err != nil {
			return err
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// Complete offers the commands that begin with the word before cursor.
func (m *Interpreter) Complete(_ context.Context, code string, cursor int) magics.Completion {
	runes := []rune(code)[:cursor]
	start := len(runes)
	for start > 0 && runes[start-1] >= 'a' && runes[start-1] <= 'z' {
		start--
	}
	word := string(runes[start:])
	c := magics.Completion{Start: start, End: cursor}
	for _, name := range []string{"page", "panic", "password", "print", "progress"} {
		if word != "" && strings.HasPrefix(name, word) {
			c.Matches = append(c.Matches, magics.Match{Text: name, Type: "command", Signature: name + " TEXT"})
		}
	}
	if word == "panicnow" {
		panic("in completion")
	}
	return c
}

// Inspect knows print.
func (m *Interpreter) Inspect(_ context.Context, code string, _, detail int) (render.Bundle, bool) {
	if !strings.Contains(code, "print") {
		return render.Bundle{}, false
	}
	return render.Text(fmt.Sprintf("print TEXT (detail %d)", detail)).With(render.Markdown, "**print** TEXT"), true
}

// IsComplete goes by braces: an open one is incomplete, a stray one invalid.
func (m *Interpreter) IsComplete(code string) magics.Completeness {
	switch open := strings.Count(code, "{") - strings.Count(code, "}"); {
	case open > 0:
		return magics.Completeness{Status: "incomplete", Indent: strings.Repeat("    ", open)}
	case open < 0:
		return magics.Completeness{Status: "invalid"}
	}
	return magics.Completeness{Status: "complete"}
}

// Evaluate adds whole numbers.
func (m *Interpreter) Evaluate(_ context.Context, expr string) (render.Bundle, *magics.CellError) {
	sum := 0
	for term := range strings.SplitSeq(expr, "+") {
		n, err := strconv.Atoi(strings.TrimSpace(term))
		if err != nil {
			return render.Bundle{}, failure("neither a command nor a sum: " + expr)
		}
		sum += n
	}
	return render.Text(strconv.Itoa(sum)), nil
}
