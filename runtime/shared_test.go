package runtime

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// TestSharedModels does everything with every element of every model in the
// folder that ORRERY_SHARED names: none of it may fail with anything but a
// diagnostic about the model.
func TestSharedModels(t *testing.T) {
	dir := os.Getenv("ORRERY_SHARED")
	if dir == "" {
		return
	}
	var paths []string
	for _, sub := range []string{"omg/training", "omg/examples", "corpus/execution", "corpus/language"} {
		filepath.WalkDir(filepath.Join(dir, sub), func(path string, d os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".sysml") {
				paths = append(paths, path)
			}
			return err
		})
	}
	done := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		done += exercise(t, filepath.Base(path), string(text))
	}
	t.Logf("%d operations on %d models", done, len(paths))
}

// exercise does what can be done with each element of a model and gives the
// number of operations.
func exercise(t *testing.T, name, text string) (done int) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: panic: %v", name, r)
		}
	}()
	s := New(Options{Library: library.Embedded(), Files: true, Lenient: true,
		Budget: budget.Budget{}.With(budget.Steps, 20_000).With(budget.Reads, 200)})
	f := source.NewFile(name, text)
	tree, _ := syntax.Parse(f, syntax.Options{Extensions: true})
	s.Declare(context.Background(), Text{File: f, Tree: tree, Owner: name})
	ctx := context.Background()
	check := func(what string, err error) {
		done++
		if err == nil {
			return
		}
		for _, d := range diagnostic.Of(err) {
			if d.Code == diagnostic.Internal || d.Code == "broken-program" || strings.Contains(d.Message, "%!") {
				t.Errorf("%s: %s: %s", name, what, d.Message)
			}
		}
	}
	var walk func(e *model.Element, depth int)
	walk = func(e *model.Element, depth int) {
		for _, m := range e.Members() {
			if m.EffectiveName() != "" && m.Metaclass().IsType() && s.Model().Find(m.QualifiedName()) == m {
				exerciseElement(ctx, s, m, check)
			}
			if depth < 4 && m.Metaclass().IsNamespace() {
				walk(m, depth+1)
			}
		}
	}
	if root := s.Model().Root(f); root != nil {
		walk(root, 0)
	}
	_, err := s.Satisfactions(ctx, "")
	check("satisfactions", err)
	return done
}

// exerciseElement does what can be done with one element, in a World of its
// own.
func exerciseElement(ctx context.Context, s *Session, m *model.Element, check func(what string, err error)) {
	q := m.QualifiedName()
	_, err := s.Peek(ctx, expression(q), "")
	check("evaluate "+q, err)
	if m.Metaclass().IsDefinition() || m.Metaclass().IsUsage() {
		if o, err := s.Instantiate(ctx, q, ""); err == nil {
			ref := fmt.Sprint("#", o.Number)
			_, err = s.Features(ctx, ref, 2)
			check("features "+q, err)
			_, err = s.Validate(ctx, ref)
			check("validate "+q, err)
		} else {
			check("instantiate "+q, err)
		}
	}
	_, err = s.Call(ctx, q, nil, nil)
	check("call "+q, err)
	_, err = s.Constraint(ctx, q, "")
	check("judge "+q, err)
	_, err = s.Analysis(ctx, q, "")
	check("run "+q, err)
	_, err = s.WhyText(ctx, q, "")
	check("why "+q, err)
	s.clearWorld()
}

func expression(text string) syntax.Expr {
	x, _ := syntax.ParseExpression(source.NewFile("expression", text), 0, syntax.Options{Extensions: true})
	return x
}
