package lower

import (
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// modelOf is a model of one text.
func modelOf(t *testing.T, text string) *model.Model {
	t.Helper()
	m := model.New(library.Embedded(), model.Options{Cells: true, Lenient: true})
	add(t, m, "model", text)
	return m
}

func add(t *testing.T, m *model.Model, name, text string) {
	t.Helper()
	f := source.NewFile(name, text)
	tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatal(list)
	}
	m.Add(&model.Document{File: f, Tree: tree, Owner: name})
}

// unitOf is the code of the calculation called name.
func unitOf(t *testing.T, l *Lowering, name string) *exec.Unit {
	t.Helper()
	u, err := l.Calculation(l.Model().Find(name))
	if err != nil {
		t.Fatal(err)
	}
	return l.Program().Units[u]
}

func count(u *exec.Unit, op exec.Op) (n int) {
	for _, in := range u.Code {
		if in.Op == op {
			n++
		}
	}
	return n
}

const lowered = `package P { private import ScalarValues::*;
	calc def fib { in n : Integer; return : Integer = if n < 2 ? n else fib(n - 1) + fib(n - 2); }
	calc def fixed { return : Real = 2 * 3 + 4.5 / 1.5 - (if 1 < 2 ? 1 else 0); }
	calc def repeat { in n : Integer; attribute i : Integer = 0; while i < n { assign i := i + 1; } return : Integer = i; }
	calc def text { return : String = "a" + "b"; }
	part def Thing { attribute mass = 900; }
	part def Car :> Thing { attribute dry :>> mass; attribute half = mass / 2; part wheels : Wheel[4]; }
	part def Wheel { attribute d = 10; }
	part car : Car;
}`

// Names are registers and constants, comparisons decide their jumps, and
// constant expressions are constants.
func TestCodeOfExpressions(t *testing.T) {
	l := New(modelOf(t, lowered))
	for _, c := range []struct {
		name string
		op   exec.Op
		want int
	}{
		{"P::fib", exec.OpLessJump, 1}, {"P::fib", exec.OpCall, 2}, {"P::fib", exec.OpSelfFeature, 0}, {"P::fib", exec.OpSub, 2},
		{"P::fixed", exec.OpAdd, 0}, {"P::fixed", exec.OpBinary, 0}, {"P::fixed", exec.OpJumpIfNot, 0},
		{"P::repeat", exec.OpLessJump, 1}, {"P::repeat", exec.OpAdd, 1}, {"P::repeat", exec.OpSelfFeature, 0},
		{"P::text", exec.OpAdd, 1}, // texts are not folded: a trace shows their operands
	} {
		if got := count(unitOf(t, l, c.name), c.op); got != c.want {
			t.Errorf("%s has operation %d %d times, want %d", c.name, c.op, got, c.want)
		}
	}
	u := unitOf(t, l, "P::fixed")
	found := false
	for _, k := range u.Consts {
		f, ok := k.AsFloat()
		found = found || ok && f == 8
	}
	if !found {
		t.Errorf("the constants are %v", u.Consts)
	}
}

// Every instruction has its place, its node and its notes, jumps stay inside
// the code, and operands inside the registers.
func TestTablesOfUnitsFit(t *testing.T) {
	l := New(modelOf(t, lowered))
	for _, name := range []string{"P::fib", "P::fixed", "P::repeat", "P::text"} {
		unitOf(t, l, name)
	}
	l.Type(l.Model().Find("P::car"))
	for _, u := range l.Program().Units {
		if len(u.Spans) == 0 {
			continue // written by hand: see Reading
		}
		if len(u.Spans) != len(u.Code) || len(u.Open) != len(u.Code) || len(u.NotesAt) != len(u.Code)+1 {
			t.Errorf("unit %d %s: %d instructions, %d places, %d nodes, %d notes", u.ID, u.Name, len(u.Code), len(u.Spans), len(u.Open), len(u.NotesAt))
		}
		for pc, in := range u.Code {
			switch in.Op {
			case exec.OpJump, exec.OpJumpIf, exec.OpJumpIfNot, exec.OpJumpPresent, exec.OpJumpAbsent, exec.OpJumpNull, exec.OpJumpSome:
				if in.A < 0 || int(in.A) >= len(u.Code) {
					t.Errorf("unit %d: the jump at %d leads to %d", u.ID, pc, in.A)
				}
			case exec.OpAdd, exec.OpMove:
				if in.A >= u.Registers || in.B >= u.Registers || in.B < -int32(len(u.Consts)) {
					t.Errorf("unit %d: instruction %d is outside the registers", u.ID, pc)
				}
			}
		}
	}
}

// Features that redefinition makes one have one slot; defaults that are
// constants are there from the start.
func TestLayoutOfObjects(t *testing.T) {
	l := New(modelOf(t, lowered))
	id := l.Type(l.Model().Find("P::Car"))
	p := l.Program()
	typ := p.Types[id]
	slot := func(name string) int {
		i, ok := typ.SlotOf(l.NameID(name))
		if !ok {
			t.Fatalf("no slot for %s", name)
		}
		return i
	}
	if slot("mass") != slot("dry") {
		t.Error("two names of one feature have two slots")
	}
	if v := typ.Constants[slot("mass")]; !value.Same(v, value.Int(900)) {
		t.Errorf("mass begins as %s", value.Trace(v))
	}
	if s := typ.Slots[slot("wheels")]; !s.Many || !s.Composite || s.Lower != 4 || s.Upper != 4 {
		t.Errorf("wheels is %+v", s)
	}
	if !typ.Constants[slot("half")].IsAbsent() || typ.Slots[slot("half")].Fill == exec.NoUnit {
		t.Error("a computed default is not code")
	}
}

// The same model gives the same Program, and what is lowered later does not
// show in a Program that was given out before.
func TestProgramsAreTheSameAndStay(t *testing.T) {
	digest := func() ([32]byte, *Lowering) {
		l := New(modelOf(t, lowered))
		unitOf(t, l, "P::fib")
		l.Type(l.Model().Find("P::car"))
		return l.Program().Digest(), l
	}
	a, l := digest()
	b, _ := digest()
	if a != b {
		t.Error("two lowerings of one model differ")
	}
	before := l.Program()
	units, types := len(before.Units), len(before.Types)
	unitOf(t, l, "P::repeat")
	if after := l.Program(); len(before.Units) != units || len(before.Types) != types || before.Digest() != a || len(after.Units) <= units {
		t.Error("lowering more changed a Program that was given out")
	}
}

// A document that only adds keeps what was lowered, unless that depends on
// names that led nowhere.
func TestRenew(t *testing.T) {
	m := modelOf(t, lowered)
	l := New(m)
	unitOf(t, l, "P::fib")
	add(t, m, "second", `private import ScalarValues::*; package Q { attribute x = 1; }`)
	if l.Current() || !l.Renew() || !l.Current() {
		t.Error("adding a package made the code stale")
	}
	add(t, m, "third", `package R { calc def broken { return : ScalarValues::Integer = missing; } }`)
	l.Renew()
	unitOf(t, l, "R::broken")
	add(t, m, "fourth", `private import SI::*; package missing { }`)
	if !l.Current() && l.Renew() {
		t.Error("code that names what was missing is kept")
	}
}
