package runtime

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

const fuzzed = `package P { private import ScalarValues::*; private import SI::*; private import ControlFunctions::*; private import SequenceFunctions::*;
	enum def Colour { red; green; }
	calc def f { in x; in y = 2; return : Real = x + y; }
	calc def g { in n; out a = n; out b = a + 1; }
	calc u : g { in n = 3; }
	constraint c { 1 < 2 }
	part def Engine { attribute power = 300; attribute empty; }
	part def Car { part engine : Engine[2]; attribute total = 5; calc own : g { in n = total; } }
	part car : Car;
	attribute length = 3 [m];
}`

// FuzzEvaluate: whatever parses as an expression has a value or a diagnostic.
func FuzzEvaluate(f *testing.F) {
	for _, text := range []string{"1 + 2 * -3 ** 2", "P::f(1, y = 2)", "P::car.engine.power#(1)", "(1..5)->select { in x; x > 2 }.{ in y; y * y }",
		"P::u.a + P::u.b", "P::car.own.b", "P::length * 2 + 1 [SI::km]", "if P::c ? P::Colour::red else null ?? ()", "P::car istype P::Car and not (P::car @ P::Colour)",
		"all P::Car", "new P::Car()", "(1, \"a\", true)->reduce { in a; in b; a }", "P::car.engine->minimize { in e; e.power }", "P::f", "P::Car.metadata", "P::car as P::Engine"} {
		f.Add(text)
	}
	s := New(Options{Library: library.Embedded(), Lenient: true, Budget: budget.Budget{}.With(budget.Steps, 5_000).With(budget.Depth, 200).With(budget.Elements, 10_000)})
	file := source.NewFile("model", fuzzed)
	tree, _ := syntax.Parse(file, syntax.Options{})
	if _, list := s.Declare(context.Background(), Text{File: file, Tree: tree, Owner: "model"}); list.HasErrors() {
		f.Fatal(list)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, list := syntax.ParseExpression(source.NewFile(text, text), 0, syntax.Options{Extensions: true})
		if list.HasErrors() {
			return
		}
		s.clearWorld()
		for _, scope := range []string{"", "P", "P::car"} {
			_, err := s.Evaluate(context.Background(), x, scope)
			for _, d := range diagnostic.Of(err) {
				if d.Code == diagnostic.Internal || d.Code == "broken-program" || strings.Contains(d.Message, "%!") {
					t.Errorf("%q in %q: %s", text, scope, d.Message)
				}
			}
		}
		s.Why(context.Background(), x, "")
	})
}
