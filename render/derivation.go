package render

import (
	"fmt"

	"github.com/orrery-sysml/orrery/runtime"
)

// Derivation is where a value comes from, as a tree: what has the value, how it
// got it and where that is written, and below it what that was made of.
func Derivation(d *runtime.Derivation) *Node {
	n := &Node{Label: d.Label, Value: "= " + d.Text, Tone: Good, Note: d.Kind}
	if d.Label == d.Text {
		n.Value = ""
	}
	if d.Err != nil {
		n.Value, n.Tone = "cannot be worked out: "+d.Err.Message, Bad
	}
	if d.Kind == "assignment" {
		// What the span tells is the feature's declaration, not who assigned it.
		n.Note = "assigned; declared"
	}
	if !d.Span.IsZero() && d.Kind != "literal" {
		at := d.Span.StartPosition()
		n.Note += fmt.Sprintf(" at %s:%d:%d", d.Span.File.Name, at.Line, at.Column)
	}
	for _, p := range d.Parts {
		n.Children = append(n.Children, Derivation(p))
	}
	return n
}
