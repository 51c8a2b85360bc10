package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// FuzzModel: whatever the text, checking ends without a panic, every question
// about every element has an answer, and asking again, or in another order, gives the
// same.
func FuzzModel(f *testing.F) {
	for _, pattern := range []string{"testdata/*.*ml", "codes/*"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for chunk := range strings.SplitSeq(string(text), "\n---\n") {
				f.Add(chunk, strings.HasSuffix(path, ".kerml"))
			}
		}
	}
	lib := library.Embedded()
	f.Fuzz(func(t *testing.T, text string, kerml bool) {
		if len(text) > 1<<12 {
			return
		}
		file := source.NewFile("fuzz", text)
		if kerml {
			file.Language = source.KerML
		}
		tree, _ := syntax.Parse(file, syntax.Options{Extensions: true, MaxDepth: 60})
		for _, options := range []model.Options{{}, {Cells: true, Lenient: true}} {
			m := model.New(lib, options)
			d := &model.Document{File: file, Tree: tree, Owner: "fuzz"}
			m.Add(d)
			first := m.Check(d)
			for _, e := range m.Roots() {
				interrogate(m, e)
			}
			second := m.Check(d)
			if len(first) != len(second) {
				t.Fatalf("%d diagnostics, then %d", len(first), len(second))
			}
			for i := range first {
				if first[i].Message != second[i].Message {
					t.Fatalf("first %q, then %q", first[i].Message, second[i].Message)
				}
			}
			m.Replace("fuzz", &model.Document{File: file, Tree: tree})
			m.Check()
		}
		agree(t, "fuzz", file, lib)
	})
}

// interrogate asks e, and all below it, everything there is to ask.
func interrogate(m *model.Model, e *model.Element) {
	_ = e.QualifiedName() + e.EffectiveName() + e.Doc()
	e.Generals()
	e.Types()
	e.Features()
	e.AllFeatures()
	e.RedefinitionClosure()
	e.Multiplicity()
	e.Value()
	e.Direction()
	e.Annotations()
	e.ImportTarget()
	e.LookupMember("x")
	for range m.InScope(e) {
		break
	}
	for _, c := range append(e.Header(), e.Members()...) {
		interrogate(m, c)
	}
}
