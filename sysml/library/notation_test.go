package library

import (
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Every embedded text is standard notation.
func TestEmbeddedParses(t *testing.T) {
	for _, name := range Embedded().Files() {
		f, _ := Embedded().File(name)
		tree, found := syntax.Parse(f, syntax.Options{})
		for _, d := range found {
			at := f.Position(d.Span.Start)
			t.Errorf("%s:%d:%d: %s\n\t%s", f.Name, at.Line, at.Column, d.Message, f.Line(at.Line))
		}
		checkMayHold(t, f, tree)
	}
}

// checkMayHold holds the light scan of a text against its tree: it finds the
// same packages, and no member that it has missed.
func checkMayHold(t *testing.T, f *source.File, tree *syntax.Tree) {
	t.Helper()
	top, held := topPackages(f.Text), membersOf(f.Text)
	for _, p := range tree.Members {
		if p.Metaclass != syntax.Package && p.Metaclass != syntax.LibraryPackage {
			continue
		}
		if len(top) == 0 || top[0] != (topPackage{p.Name.Text, p.ShortName.Text}) {
			t.Errorf("%s: %s is not the next of %v", f.Name, p.Name.Text, top)
			return
		}
		top = top[1:]
		for _, d := range p.Members() {
			names := []string{d.Name.Text, d.ShortName.Text}
			for _, kind := range []syntax.RelationshipKind{syntax.Redefines, syntax.References} {
				for _, r := range d.Related(kind) {
					names = append(names, r.Links[len(r.Links)-1].Last().Text)
				}
			}
			for _, name := range names {
				if name != "" && !held.mayHold(name) {
					t.Errorf("%s: %s cannot hold %s", f.Name, p.Name.Text, name)
				}
			}
		}
	}
}
