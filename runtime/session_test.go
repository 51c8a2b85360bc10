package runtime

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// declare adds text to s and fails where it has an error.
func declare(t testing.TB, s *Session, text string) *Declaration {
	t.Helper()
	return declareAs(t, s, "cell", text)
}

func declareAs(t testing.TB, s *Session, owner, text string) *Declaration {
	t.Helper()
	f := source.NewFile(owner, text)
	tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatal(diagnostic.Text(list[0], diagnostic.Style{}))
	}
	d, list := s.Declare(context.Background(), Text{File: f, Tree: tree, Owner: owner})
	for _, x := range list {
		if x.Severity == diagnostic.Error {
			t.Fatal(diagnostic.Text(x, diagnostic.Style{}))
		}
	}
	return d
}

func session(t testing.TB, text string) *Session {
	t.Helper()
	s := New(Options{Library: library.Embedded()})
	declare(t, s, text)
	return s
}

func TestEvaluate(t *testing.T) {
	s := session(t, `package P { private import ScalarValues::*; private import SI::*; private import NumericalFunctions::*;
		attribute gravity = 9.81;
		calc def Square { in x; return : Real = x * x; }
		part def Engine { attribute power = 300; attribute double = power * 2; }
		part def Car { part engine : Engine[2]; attribute total = sum(engine.power); }
		part car : Car;
	}`)
	for _, c := range []struct{ text, scope, want string }{
		{"1 + 2 * 3", "", "7"},
		{"1 / 3", "", "1/3"},
		{"P::gravity * 2", "", "19.62"},
		{"P::Square(1.5)", "", "2.25"},
		{"P::car.total", "", "600"},
		{"P::car.engine#(2).double", "", "600"},
		{"gravity", "P", "9.81"},
		{"total + 1", "P::car", "601"},
		{"(1..5)->select { in x; x > 2 }->collect { in x; x * x }", "", "(9, 16, 25)"},
		{"(3, 1, 2)->minimize { in x; x }", "", "1"},
		{"(1, 2, 3)->reduce { in a; in b; a + b }", "", "6"},
		{"if true ? \"yes\" else 1 / 0", "", `"yes"`},
		{"5 [SI::km] + 200 [SI::m]", "", "5.2 [SI::km]"},
		{"null ?? 4", "", "4"},
		{"P::car istype P::Car", "", "true"},
		{"1 + nowhere", "", "error: unresolved reference: nowhere"},
		{"1 / 0", "", "error: division by zero"},
		{"P::Square()", "", `error: calc P::Square: unbound parameter: calc P::Square parameter "x" has no argument and no default`},
		{"P::Square(1, 2)", "", "error: calc argument count mismatch: calc P::Square takes 1 argument(s), got 2"},
		{"P::Square(y = 1)", "", `error: unknown parameter: calc P::Square has no input parameter "y"`},
		{"P::Car", "", "error: cannot evaluate definition Car"},
		{"P::car.wheel", "", "error: member wheel not found in instance"},
		{"1e308 * 10", "", "error: 1e+308 * 10 is not a finite Real"},
		{"-9223372036854775808", "", "-9223372036854775808"},
		{"-9223372036854775808 - 1", "", "error: integer overflow: -9223372036854775808 - 1 exceeds the Integer range"},
		{"9223372036854775808", "", "error: integer overflow: the literal 9223372036854775808 exceeds the Integer range"},
		{"9223372036854775807 + P::car.total", "", "error: integer overflow: 9223372036854775807 + 600 exceeds the Integer range"},
	} {
		v, err := s.EvaluateText(context.Background(), c.text, c.scope)
		got := value.Trace(v)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s in %q\ngot  %s\nwant %s", c.text, c.scope, got, c.want)
		}
	}
}

func TestAFailedOperationLeavesTheWorld(t *testing.T) {
	s := session(t, `package P { part def A { attribute x = 1; } part a : A; part b : A; }`)
	ctx := context.Background()
	if _, err := s.EvaluateText(ctx, "P::a.x + 1 / 0", ""); err == nil {
		t.Fatal("no error")
	}
	if n := len(s.Objects()); n != 0 {
		t.Errorf("%d objects are left of a failed expression", n)
	}
	if _, err := s.EvaluateText(ctx, "P::b.x", ""); err != nil {
		t.Fatal(err)
	}
	if o := s.Objects(); len(o) != 1 || o[0].Number != 1 || o[0].Name != "b" {
		t.Errorf("objects: %+v", o)
	}
}

func TestObjectsOutliveARedeclaration(t *testing.T) {
	ctx := context.Background()
	s := New(Options{Library: library.Embedded()})
	declareAs(t, s, "1", `package P { part def Engine { attribute power = 100; } part def Car { part engine : Engine; attribute mass = 900; attribute old = 1; } }`)
	if _, err := s.Instantiate(ctx, "P::Car", "car"); err != nil {
		t.Fatal(err)
	}
	for path, v := range map[string]int64{"car.engine.power": 250, "car.old": 7} {
		if err := s.Set(ctx, path, value.Int(v)); err != nil {
			t.Fatal(err)
		}
	}
	d := declareAs(t, s, "2", `package P { part def Engine { attribute power = 120; } part def Car { part engine : Engine; attribute mass = 950; } }`)
	if len(d.Rebuilt) != 1 || d.Rebuilt[0].Name != "car" || len(d.Replaced) != 1 {
		t.Errorf("rebuilt %v, replaced %v", d.Rebuilt, d.Replaced)
	}
	for x, want := range map[string]string{"car.engine.power": "250", "car.mass": "950", "car.old": "error"} {
		v, err := s.EvaluateText(ctx, x, "")
		if got := value.Trace(v); err == nil && got != want || err != nil && want != "error" {
			t.Errorf("%s is %s, %v, want %s", x, got, err, want)
		}
	}
	o, err := s.Object(ctx, "car")
	if err != nil || o.Number != 1 {
		t.Errorf("the object is now %+v, %v", o, err)
	}
	if d := s.Forget("2"); len(d.Dropped) != 0 {
		t.Errorf("dropped %v, though the first cell declares the part", d.Dropped[0])
	}
	if d := s.Forget("1"); len(d.Dropped) != 1 {
		t.Errorf("dropped %v", d.Dropped)
	}
}

func TestAnInterruptStopsALoop(t *testing.T) {
	s := session(t, `package P { calc def forever { attribute i = 0; loop { assign i := i + 1; } return : ScalarValues::Integer = i; } }`)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Call(ctx, "P::forever", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v", err)
	}
	_, err = s.Call(context.Background(), "P::forever", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "evaluation step limit exceeded (10000000 steps; raise ORRERY_MAX_STEPS to allow more)") {
		t.Errorf("got %v", err)
	}
}

// lines are the derivation as an indented text.
func lines(b *strings.Builder, d *Derivation, depth int) {
	b.WriteString(strings.Repeat("  ", depth) + d.Kind + " " + d.Label + " = " + d.Text)
	if !d.Span.IsZero() {
		b.WriteString(" @" + strings.TrimPrefix(d.Span.Text(), " "))
	}
	b.WriteByte('\n')
	for _, p := range d.Parts {
		lines(b, p, depth+1)
	}
}

func TestWhy(t *testing.T) {
	s := session(t, `package P { private import ScalarValues::*;
		calc def Twice { in x; return : Real = x + x; }
		part def Leaf { attribute mass = 3; }
		part def Tree { part leaf : Leaf; attribute height = 2; attribute total = Twice(leaf.mass) * height; attribute label; bind label = total; }
		part tree : Tree { attribute :>> height = 5; }
	}`)
	if err := s.Set(context.Background(), "P::tree.leaf.mass", value.Int(4)); err != nil {
		t.Fatal(err)
	}
	d, err := s.WhyText(context.Background(), "P::tree.label", "")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	lines(&b, d, 0)
	want := `feature P::tree.label = 40 @P::tree.label
  binding tree.label = 40
    default tree.total = 40 @Twice(leaf.mass) * height
      expression Twice(leaf.mass) * height = 40 @Twice(leaf.mass) * height
        calculation Twice(leaf.mass) = 8 @Twice(leaf.mass)
          feature leaf.mass = 4 @leaf.mass
            feature leaf = tree.leaf #2 @leaf
            assignment tree.leaf.mass = 4 @3
          calculation P::Twice = 8
            expression x + x = 8 @x + x
              feature x = 4 @x
              feature x = 4 @x
        feature height = 5 @height
          redefinition tree.height = 5 @5
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	before := len(s.Objects())
	if _, err := s.WhyText(context.Background(), "P::tree.nowhere", ""); err == nil {
		t.Error("a feature that does not exist has a derivation")
	}
	if len(s.Objects()) != before {
		t.Error("asking why made objects")
	}
}

// A cell that only adds, or one with an error, leaves objects as they are:
// values that behaviours or bindings gave, numbers of parts, everything.
func TestObjectsStayWhenNothingIsReplaced(t *testing.T) {
	ctx := context.Background()
	s := New(Options{Library: library.Embedded()})
	declareAs(t, s, "1", `package P { part def Engine { attribute power = 100; } part def Car { part engine : Engine; } part car : Car; }`)
	if _, err := s.EvaluateText(ctx, "P::car.engine.power + nowhere", ""); err == nil {
		t.Fatal("no error")
	}
	if _, err := s.EvaluateText(ctx, "P::car.engine.power", ""); err != nil {
		t.Fatal(err)
	}
	world := s.World().Save()
	d := declareAs(t, s, "2", `private import ScalarValues::*; package Q { attribute nowhere : Integer = 5; }`)
	if len(d.Rebuilt)+len(d.Dropped) > 0 {
		t.Errorf("rebuilt %v, dropped %v", d.Rebuilt, d.Dropped)
	}
	f := source.NewFile("3", `package P { part def Wrong :> Missing; }`)
	tree, _ := syntax.Parse(f, syntax.Options{})
	if _, list := s.Declare(ctx, Text{File: f, Tree: tree, Owner: "3"}); !list.HasErrors() {
		t.Error("a missing definition is no error")
	}
	if string(s.World().Save()[:40]) != string(world[:40]) || len(s.Objects()) != 2 {
		t.Errorf("the World is another one: %d objects", len(s.Objects()))
	}
	v, err := s.EvaluateText(ctx, "P::car.engine.power + Q::nowhere", "")
	if got := value.Trace(v); err != nil || got != "105" {
		t.Errorf("got %s, %v", got, err)
	}
}

// Evaluating the same text again makes no new code.
func TestRepeatedExpressionsShareTheirCode(t *testing.T) {
	s := session(t, `package P { attribute x = 2; part def A { attribute y = 1; } }`)
	ctx := context.Background()
	var units int
	for i := range 20 {
		if _, err := s.EvaluateText(ctx, "P::x * 2", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Instantiate(ctx, "P::A", "a"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Features(ctx, "a", 1); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			units = len(s.World().Program.Units)
		}
	}
	if n := len(s.World().Program.Units); n != units {
		t.Errorf("%d units became %d", units, n)
	}
}

// TestFeaturesHeedAnInterrupt: what is read of many objects is no answer once
// the context has ended.
func TestFeaturesHeedAnInterrupt(t *testing.T) {
	s := session(t, "package P { part def Cell { part next : Cell[1]; } }")
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := s.Instantiate(ctx, "P::Cell", "cell"); err != nil {
		t.Fatal(err)
	}
	cancel()
	tree, err := s.Features(ctx, "cell", 1<<20)
	if d, ok := err.(*diagnostic.Diagnostic); !ok || d.Code != diagnostic.Interrupted || tree != nil {
		t.Errorf("got %v, %v", tree, err)
	}
}
