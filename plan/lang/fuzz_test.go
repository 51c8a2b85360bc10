package lang

import (
	"testing"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// FuzzCell runs anything as a cell: it ends, and what fails has a message and
// a place in the cell.
func FuzzCell(f *testing.F) {
	for _, s := range []string{"x = 1\nx + 1", "def f(): return f()\nf()", "[i for i in range(3)]", "x = (", "a.b.c", "'é' + 1", "lambda: x", "for i in 1: pass", "x *= 2", "load('a', 'b')"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		texts := NewTexts()
		text, err := texts.Parse(source.NewFile("cell", code))
		if err == nil {
			thread, release := NewThread("cell", &Context{Phase: AtCell}, Limits{Steps: 5_000, Depth: 50})
			defer release()
			_, err = NewGlobals(texts, starlark.StringDict{}).Exec(thread, text, nil)
		}
		for _, d := range diagnostic.Of(err) {
			if d.Message == "" || d.Code == diagnostic.Internal {
				t.Errorf("%q: %s %q", code, d.Code, d.Message)
			}
			if s := d.Span; s.Start < 0 || int(s.End) > len(code) || s.Start > s.End {
				t.Errorf("%q: place %d to %d", code, s.Start, s.End)
			}
			diagnostic.Text(d, diagnostic.Style{})
		}
	})
}
