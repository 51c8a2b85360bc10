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

// backwards asks everything about e and all below it, the last first.
func backwards(m *model.Model, e *model.Element) {
	below := append(e.Header(), e.Members()...)
	for i := len(below) - 1; i >= 0; i-- {
		backwards(m, below[i])
	}
	e.AllFeatures()
	e.Types()
	e.Supertypes()
	e.Redefines()
	e.LookupInside("nothing")
}

// agree reports where checking at once and checking after everything was asked
// in another order differ.
func agree(t *testing.T, name string, f *source.File, lib model.Library) {
	t.Helper()
	tree, _ := syntax.Parse(f, syntax.Options{MaxDepth: 60})
	say := func(first func(*model.Model)) string {
		m := model.New(lib, model.Options{})
		d := &model.Document{File: f, Tree: tree, Owner: name}
		m.Add(d)
		first(m)
		var all []string
		for _, d := range m.Check(d) {
			all = append(all, d.Message)
		}
		return strings.Join(all, "\n")
	}
	at := say(func(*model.Model) {})
	after := say(func(m *model.Model) {
		roots := m.Roots()
		for i := len(roots) - 1; i >= 0; i-- {
			backwards(m, roots[i])
		}
	})
	if at != after {
		t.Errorf("%s: at once\n%s\nafter asking backwards\n%s", name, at, after)
	}
}

// TestAnswersDoNotDependOnTheOrderOfQuestions holds for every model of ours,
// and for those of the shared folder where there is one.
func TestAnswersDoNotDependOnTheOrderOfQuestions(t *testing.T) {
	patterns := []string{"testdata/*.*ml", "codes/*"}
	if dir := os.Getenv("ORRERY_SHARED"); dir != "" {
		patterns = append(patterns, filepath.Join(dir, "corpus/language/*.*ml"), filepath.Join(dir, "omg/training/*/*.sysml"),
			filepath.Join(dir, "omg/examples/*/*.sysml"))
	}
	for _, pattern := range patterns {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for chunk := range strings.SplitSeq(string(text), "\n---\n") {
				f := source.NewFile(filepath.Base(path), chunk)
				if strings.HasSuffix(path, ".kerml") {
					f.Language = source.KerML
				}
				agree(t, filepath.Base(path), f, library.Embedded())
			}
		}
	}
}
