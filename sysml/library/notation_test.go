package library

import (
	"testing"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Every embedded text is standard notation.
func TestEmbeddedParses(t *testing.T) {
	for _, name := range Embedded().Files() {
		f, _ := Embedded().File(name)
		_, found := syntax.Parse(f, syntax.Options{})
		for _, d := range found {
			at := f.Position(d.Span.Start)
			t.Errorf("%s:%d:%d: %s\n\t%s", f.Name, at.Line, at.Column, d.Message, f.Line(at.Line))
		}
	}
}
