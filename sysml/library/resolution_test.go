package library_test

import (
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Every name in the embedded texts means something. Each text is checked as a
// document of a user, since a library is not; only what it says of names
// counts then.
func TestEmbeddedResolves(t *testing.T) {
	lib := library.Embedded()
	for _, name := range lib.Files() {
		f, _ := lib.File(name)
		tree, _ := syntax.Parse(f, syntax.Options{})
		m := model.New(lib, model.Options{})
		d := &model.Document{File: f, Tree: tree, Owner: name}
		m.Add(d)
		for _, found := range m.Check(d) {
			if found.Code == diagnostic.UnresolvedName {
				at := found.Span.StartPosition()
				t.Errorf("%s:%d:%d: %s\n\t%s", name, at.Line, at.Column, found.Message, f.Line(at.Line))
			}
		}
	}
}
