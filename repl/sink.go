package repl

import (
	"context"
	"strings"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A sink prints the outputs of one cell as text.
type sink struct {
	s    *session
	ctx  context.Context // of the cell
	stop func()          // ends it
	magics.Console
}

// Stream implements magics.Sink.
func (k *sink) Stream(name magics.Stream, text string) {
	if name == magics.Stderr {
		k.Print(k.Err, text)
		return
	}
	k.Print(k.Out, text)
}

// Display implements magics.Sink.
func (k *sink) Display(b render.Bundle, _ string) { k.line(b) }

// Update implements magics.Sink: a terminal shows the new text below.
func (k *sink) Update(_ string, b render.Bundle) { k.line(b) }

// Clear implements magics.Sink: what a terminal has shown stays.
func (k *sink) Clear(bool) {}

// Result implements magics.Sink.
func (k *sink) Result(b render.Bundle) { k.line(b) }

// Page implements magics.Sink.
func (k *sink) Page(b render.Bundle) { k.line(b) }

// NextInput implements magics.Sink: the code is the next line's first text.
func (k *sink) NextInput(code string, _ bool) {
	k.s.next = strings.TrimRight(code, "\n")
}

// Ask implements magics.Sink.
func (k *sink) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	k.EndLine()
	if k.s.keys == nil {
		return "", diagnostic.New("no-answer", source.Span{}, "the cell asks for input, and standard input is the script itself").
			WithHint("run the cell at a terminal or in a notebook")
	}
	text, err := k.s.answer(ctx, prompt, password)
	if err != nil {
		return "", asked(err)
	}
	return text, ctx.Err()
}

var _ = diagnostic.Register("no-answer", "A cell asked for a line of input and there was none: the input ended, or nobody can answer.")

func asked(err error) error {
	if err == nil {
		return nil
	}
	return diagnostic.New("no-answer", source.Span{}, "the input ended without an answer")
}

func (k *sink) line(b render.Bundle) {
	text := diagnostic.Visible(b.TextFor(k.s.columns()))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if k.s.o.Interactive {
		text = folded(text, k.s.columns())
	}
	if k.s.o.Color {
		text = coloured(text)
	}
	k.EndLine()
	if k.s.pages(text) {
		k.s.page(k.ctx, text)
		return
	}
	k.Print(k.Out, text)
}
