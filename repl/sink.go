package repl

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A sink prints the outputs of one cell as text.
type sink struct {
	s       *session
	ctx     context.Context // of the cell
	stop    func()          // ends it
	open    io.Writer       // the stream whose last text did not end its line, nil for none
	live    bool            // a progress line stands on the terminal
	painted time.Time       // when it was last drawn
}

// Stream implements magics.Sink.
func (k *sink) Stream(name magics.Stream, text string) {
	if name == magics.Stderr {
		k.print(k.s.o.Err, text)
		return
	}
	k.print(k.s.o.Out, text)
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
	k.end()
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

// Progress implements magics.Sink: one line that is drawn over itself.
func (k *sink) Progress(p magics.Progress) {
	if !k.s.o.Interactive || k.s.o.Dumb || k.open != nil {
		return
	}
	if p.Ended {
		k.hide()
		return
	}
	now := time.Now()
	if now.Sub(k.painted) < 100*time.Millisecond {
		return
	}
	k.painted, k.live = now, true
	text := fmt.Sprintf("%s: %d %s %s", p.Label, p.Done, p.Unit, p.Note)
	if p.Total > 0 {
		text = fmt.Sprintf("%s: %d/%d %s %s", p.Label, p.Done, p.Total, p.Unit, p.Note)
	}
	_, _ = io.WriteString(k.s.o.Err, "\r\x1b[K"+cutColumns(text, k.s.columns()-1))
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
	k.end()
	if k.s.pages(text) {
		k.s.page(k.ctx, text)
		return
	}
	k.print(k.s.o.Out, text)
}

func (k *sink) print(w io.Writer, text string) {
	if text == "" {
		return
	}
	k.hide()
	if k.open != nil && k.open != w {
		_, _ = io.WriteString(k.open, "\n")
	}
	_, _ = io.WriteString(w, text)
	if k.open = w; strings.HasSuffix(text, "\n") {
		k.open = nil
	}
}

// end finishes an unfinished line.
func (k *sink) end() {
	k.hide()
	if k.open != nil {
		k.print(k.open, "\n")
	}
}

func (k *sink) hide() {
	if k.live {
		_, _ = io.WriteString(k.s.o.Err, "\r\x1b[K")
		k.live = false
	}
}
