package runtime

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A sketch is a generated package: constants, calculations and part
// definitions, of which each member depends on earlier ones.
type sketch struct {
	consts, calcs []int
	defs          []sketched
	remarks       int
}

type sketched struct {
	start, wait int
	// part, calc and konst are what the definition refers to; -1 for none.
	part, calc, konst int
	extra             bool // one more attribute
	shadow            bool // an attribute of its own is called as the constant it names
	power             bool // the machine has one more transition
}

func newSketch(r *rand.Rand) *sketch {
	k := &sketch{}
	for range 3 {
		k.consts, k.calcs = append(k.consts, r.Intn(9)), append(k.calcs, r.Intn(9))
	}
	for i := range 5 {
		k.defs = append(k.defs, sketched{start: r.Intn(9), wait: 1 + r.Intn(4), part: r.Intn(i+1) - 1, calc: r.Intn(4) - 1, konst: r.Intn(4) - 1})
	}
	return k
}

// text is the package.
func (k *sketch) text() string {
	var b strings.Builder
	b.WriteString("package P { private import ScalarValues::*; private import SI::*; private import NumericalFunctions::*;\n")
	for range k.remarks {
		b.WriteString("  // a remark\n")
	}
	for i, c := range k.consts {
		fmt.Fprintf(&b, "  attribute k%d : Integer = %d;\n", i, c)
		fmt.Fprintf(&b, "  calc def F%d { in x : Integer; return : Integer = x + k%d * %d; }\n", i, i, k.calcs[i])
	}
	for i, d := range k.defs {
		fmt.Fprintf(&b, "  part def D%d {\n    attribute a : Integer := %d;\n    attribute n : Integer := 0;\n", i, d.start)
		sum := "a"
		if d.shadow && d.konst >= 0 {
			fmt.Fprintf(&b, "    attribute k%d : Integer = 100;\n", d.konst)
		}
		if d.part >= 0 {
			fmt.Fprintf(&b, "    part p : D%d;\n", d.part)
			sum += " + p.b"
		}
		if d.calc >= 0 {
			sum += fmt.Sprintf(" + F%d(a)", d.calc)
		}
		if d.konst >= 0 {
			sum += fmt.Sprintf(" + k%d", d.konst)
		}
		fmt.Fprintf(&b, "    attribute b : Integer = %s;\n", sum)
		if d.extra {
			b.WriteString("    attribute c : Integer = b * 2;\n")
		}
		fmt.Fprintf(&b, "    exhibit state m { entry; then off; state off; state on { entry assign n := n + 1; }\n"+
			"      transition first off accept after %d [s] then on; transition first on accept after 2 [s] then off;\n", d.wait)
		if d.power {
			b.WriteString("      transition first off accept Power then on;\n")
		}
		b.WriteString("    }\n  }\n")
	}
	b.WriteString("  item def Power;\n}\n")
	return b.String()
}

// edit changes one thing and gives the definitions that depend on it.
func (k *sketch) edit(r *rand.Rand) map[int]bool {
	direct := func(of func(d sketched) bool) map[int]bool {
		hit := map[int]bool{}
		for i, d := range k.defs {
			hit[i] = of(d) || d.part >= 0 && hit[d.part]
		}
		return hit
	}
	n, i := r.Intn(len(k.consts)), r.Intn(len(k.defs))
	d := &k.defs[i]
	switch r.Intn(8) {
	case 0:
		k.remarks++
		return map[int]bool{}
	case 1:
		return map[int]bool{}
	case 2:
		k.consts[n]++
		return direct(func(d sketched) bool { return d.calc == n || d.konst == n && !d.shadow })
	case 3:
		k.calcs[n]++
		return direct(func(d sketched) bool { return d.calc == n })
	case 4:
		d.start++
	case 5:
		d.wait++
	case 6:
		d.extra = !d.extra
	default:
		if d.konst < 0 {
			d.power = !d.power
		} else {
			d.shadow = !d.shadow
		}
	}
	hit := map[int]bool{}
	for j, x := range k.defs {
		hit[j] = j == i || x.part >= 0 && hit[x.part]
	}
	return hit
}

// sight is all that can be seen of an object and of what it holds, without
// display numbers.
func (s *Session) sight(t *testing.T, name string) string {
	t.Helper()
	tree, err := s.Features(context.Background(), name, 5)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	tree.write(&b)
	w := s.world
	root := s.names[name]
	for _, id := range w.Behavior.Attached {
		if run := w.Run(id); run.Used && w.Held(run.Self, root) {
			fmt.Fprintf(&b, "%s in %v", s.object(w, run.Self).Name, w.ActiveStates(id))
			for _, e := range w.Pool(id) {
				fmt.Fprintf(&b, " %s at %v", e.Name, e.Time)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (tree *ObjectTree) write(b *strings.Builder) {
	for _, f := range tree.Features {
		if len(f.Objects) > 0 {
			for _, o := range f.Objects {
				fmt.Fprintf(b, "%s {\n", o.Name)
				o.write(b)
				b.WriteString("}\n")
			}
		} else if f.Name != "m" {
			fmt.Fprintf(b, "%s = %s %v\n", f.Name, f.Text, f.Assigned)
		}
	}
}

// populate makes an object of each definition, and sets something in some.
func populate(t *testing.T, s *Session, k *sketch, which map[int]bool) {
	t.Helper()
	ctx := context.Background()
	for i, d := range k.defs {
		if which != nil && !which[i] {
			continue
		}
		name := fmt.Sprintf("d%d", i)
		if _, err := s.Instantiate(ctx, fmt.Sprintf("P::D%d", i), name); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if err := s.Set(ctx, name+".a", value.Int(50)); err != nil {
				t.Fatal(err)
			}
		}
		if i%2 == 1 && d.part >= 0 {
			if err := s.Set(ctx, name+".p.a", value.Int(60)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func advance(t *testing.T, s *Session, seconds float64) {
	t.Helper()
	if _, err := s.Advance(context.Background(), seconds); err != nil {
		t.Fatal(err)
	}
}

// TestRedeclarationTouchesWhatChanged edits generated packages under objects
// at work. What depends on the edit must be as if it had been made in a session
// that never had another text; what does not must not notice.
func TestRedeclarationTouchesWhatChanged(t *testing.T) {
	rounds := 25
	if testing.Short() {
		rounds = 5
	}
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		k := newSketch(r)
		s := session(t, k.text())
		populate(t, s, k, nil)
		clock := 0.0
		for step := range 4 {
			advance(t, s, 3.5)
			clock += 3.5
			before := make([]string, len(k.defs))
			for i := range k.defs {
				before[i] = s.sight(t, fmt.Sprintf("d%d", i))
			}
			earlier := k.text()
			changed := k.edit(r)
			d := declare(t, s, k.text())
			where := fmt.Sprintf("seed %d, step %d", seed, step)
			rebuilt := map[int]bool{}
			for _, o := range d.Rebuilt {
				i := 0
				fmt.Sscanf(o.Name, "d%d", &i)
				rebuilt[i] = true
			}
			fresh := session(t, k.text())
			advance(t, fresh, clock)
			populate(t, fresh, k, nil)
			for i := range k.defs {
				name := fmt.Sprintf("d%d", i)
				now := s.sight(t, name)
				switch {
				case rebuilt[i] != changed[i]:
					t.Fatalf("%s: D%d: rebuilt %v, depends on the edit %v\n%s\n%s", where, i, rebuilt[i], changed[i], earlier, k.text())
				case !rebuilt[i] && now != before[i]:
					t.Fatalf("%s: %s was not to notice\nbefore:\n%s\nafter:\n%s", where, name, before[i], now)
				case rebuilt[i] && now != fresh.sight(t, name):
					t.Fatalf("%s: %s is not as if made anew\nanew:\n%s\nis:\n%s\n%s\n%s", where, name, fresh.sight(t, name), now, earlier, k.text())
				}
			}
			if !slices.IsSortedFunc(s.Objects(), func(a, b *Object) int { return a.Number - b.Number }) {
				t.Fatalf("%s: the objects are not in the order of their numbers", where)
			}
			if s.world.Behavior.Clock != clock {
				t.Fatalf("%s: the clock is at %v, not %v", where, s.world.Behavior.Clock, clock)
			}
			loaded := New(Options{Library: library.Embedded()})
			declare(t, loaded, k.text())
			if err := loaded.LoadWorld(s.SaveWorld()); err != nil {
				t.Fatalf("%s: what was carried over cannot be loaded: %v", where, err)
			}
			advance(t, loaded, 20)
			ahead := New(Options{Library: library.Embedded()})
			*ahead = Session{options: s.options, model: s.model, lowering: s.lowering, world: s.world.Copy(), settings: s.settings, budget: s.budget, names: s.names}
			advance(t, ahead, 20)
			for i := range k.defs {
				if name := fmt.Sprintf("d%d", i); loaded.sight(t, name) != ahead.sight(t, name) {
					t.Fatalf("%s: %s goes on differently once loaded", where, name)
				}
			}
		}
	}
}

// TestASteppedRunGoesOn steps an action under an object and declares around
// it: what has not changed leaves the run and its way back alone.
func TestASteppedRunGoesOn(t *testing.T) {
	const text = `package P { private import ScalarValues::*;
		part def A { attribute x : Integer := 1; }
		part a : A;
		action walk { attribute n : Integer := 0; first start; then action one { assign n := n + 1; } then action two { assign n := n + 10; } then done; }
		attribute spare : Integer = %d;
		%s
	}`
	ctx := context.Background()
	for _, c := range []struct {
		name, text string
		rebuilt    int
		ended, cut bool
		back       bool
	}{
		{"the same text", fmt.Sprintf(text, 1, ""), 0, false, false, true},
		{"a comment", fmt.Sprintf(text, 1, "/* nothing */"), 0, false, false, true},
		{"something else", fmt.Sprintf(text, 2, "part def B;"), 0, false, false, true},
		{"the object", strings.Replace(fmt.Sprintf(text, 1, ""), "x : Integer := 1", "x : Integer := 2", 1), 1, false, true, false},
		{"the action", strings.Replace(fmt.Sprintf(text, 1, ""), "n + 10", "n + 20", 1), 0, true, false, false},
		{"the object is gone", strings.Replace(fmt.Sprintf(text, 1, ""), "part a : A;", "", 1), 0, false, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session(t, fmt.Sprintf(text, 1, ""))
			if _, err := s.EvaluateText(ctx, "P::a.x", ""); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Start(ctx, "P::walk", RunOptions{}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, err := s.Step(ctx, 1); err != nil {
					t.Fatal(err)
				}
			}
			d := declare(t, s, c.text)
			if len(d.Rebuilt) != c.rebuilt || d.Ended != c.ended || d.Cut != c.cut {
				t.Fatalf("rebuilt %d, ended %v, cut %v", len(d.Rebuilt), d.Ended, d.Cut)
			}
			if c.ended {
				if _, err := s.Position(); err == nil {
					t.Fatal("the run is still there")
				}
				return
			}
			if _, err := s.Back(ctx, 1); (err == nil) != c.back {
				t.Fatalf("back: %v", err)
			}
			p, err := s.Continue(ctx)
			if err != nil || !p.Ended {
				t.Fatalf("%+v %v", p, err)
			}
			if v, err := s.Watch(ctx, "n"); err != nil || value.Trace(v) != "11" {
				t.Fatalf("n = %s, %v", value.Trace(v), err)
			}
		})
	}
}

// TestWhatRefersInsideIsRebuilt sets references to objects by hand: one to a
// root that is built anew follows it, one to what that held cannot.
func TestWhatRefersInsideIsRebuilt(t *testing.T) {
	const text = `package P { private import ScalarValues::*;
		part def Wheel { attribute d : Integer = %d; }
		part def Thing { attribute m : Integer = 1; }
		part def Car :> Thing { part w : Wheel; attribute :>> m = %d; }
		part def Seen { ref part it : Thing; ref part wheel : Wheel; attribute twice : Integer = it.m * 2; attribute y : Integer := 0; }
	}`
	ctx := context.Background()
	s := session(t, fmt.Sprintf(text, 1, 10))
	for _, name := range []string{"Car", "Seen"} {
		if _, err := s.Instantiate(ctx, "P::"+name, strings.ToLower(name)); err != nil {
			t.Fatal(err)
		}
	}
	set := func(path, text string) {
		t.Helper()
		v, err := s.EvaluateText(ctx, text, "")
		if err == nil {
			err = s.Set(ctx, path, v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	reads := func(text, want string) {
		t.Helper()
		v, err := s.EvaluateText(ctx, text, "")
		if err != nil || value.Trace(v) != want {
			t.Errorf("%s = %s, %v; want %s", text, value.Trace(v), err, want)
		}
	}
	set("seen.it", "car")
	set("seen.y", "3")
	reads("seen.twice", "20")
	d := declare(t, s, fmt.Sprintf(text, 1, 30))
	if len(d.Rebuilt) != 1 || d.Rebuilt[0].Name != "car" {
		t.Fatalf("rebuilt %v", d.Rebuilt)
	}
	reads("seen.twice", "60")
	reads("seen.y", "3")
	set("seen.wheel", "car.w")
	d = declare(t, s, fmt.Sprintf(text, 1, 40))
	if len(d.Rebuilt) != 2 {
		t.Fatalf("rebuilt %v", d.Rebuilt)
	}
	reads("seen.twice", "80")
	reads("seen.y", "3")
}

// TestValuesOfOtherTypesAreNotRestored changes the types of features that were
// set by hand: what is no value of the new type stays behind.
func TestValuesOfOtherTypesAreNotRestored(t *testing.T) {
	const text = `package P { private import ScalarValues::*;
		enum def Color { enum red; %s }
		part def Car { attribute color : Color = Color::red; attribute m : %s; attribute n : Integer = 1; }
	}`
	ctx := context.Background()
	s := session(t, fmt.Sprintf(text, "enum blue;", "Real = 1"))
	if _, err := s.Instantiate(ctx, "P::Car", "car"); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{"car.color": "P::Color::blue", "car.m": "2.5", "car.n": "7"} {
		v, err := s.EvaluateText(ctx, text, "")
		if err == nil {
			err = s.Set(ctx, path, v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	declare(t, s, fmt.Sprintf(text, "", "String = \"new\""))
	for path, want := range map[string]string{"car.color": "Color::red", "car.m": `"new"`, "car.n": "7"} {
		if v, err := s.EvaluateText(ctx, path, ""); err != nil || value.Trace(v) != want {
			t.Errorf("%s = %s, %v; want %s", path, value.Trace(v), err, want)
		}
	}
}

// BenchmarkRedeclare re-runs the text of a session with 10,000 objects at work:
// with nothing changed, with a change to what one object is made of, and with
// one to what all are made of.
func BenchmarkRedeclare(b *testing.B) {
	const text = `package P { private import ScalarValues::*; private import SI::*;
		part def Cell { attribute x : Integer := %d; exhibit state m { entry; then off; state off; state on; transition first off accept after 5 [s] then on; } }
		part def Lone { attribute x : Integer := %d; }
	}`
	for _, c := range []struct {
		name       string
		cell, lone int
	}{{"same", 0, 0}, {"one", 0, 1}, {"all", 1, 0}} {
		b.Run(c.name, func(b *testing.B) {
			ctx := context.Background()
			s := session(b, fmt.Sprintf(text, 0, 0))
			for i := range 10_000 {
				name := "P::Cell"
				if i == 5_000 {
					name = "P::Lone"
				}
				if _, err := s.Instantiate(ctx, name, fmt.Sprintf("o%d", i)); err != nil {
					b.Fatal(err)
				}
			}
			n := 0
			for b.Loop() {
				n++
				d := declare(b, s, fmt.Sprintf(text, n*c.cell, n*c.lone))
				if want := c.lone + 9_999*c.cell; len(d.Rebuilt) != want {
					b.Fatalf("%d objects were rebuilt, not %d", len(d.Rebuilt), want)
				}
			}
		})
	}
}

// checkUnchanged steps the behaviours of a text a little, declares the text
// again, and checks that all goes on as if it had not been.
func checkUnchanged(t *testing.T, name, text string) {
	t.Helper()
	ctx := context.Background()
	parse := func(text string) Text {
		file := source.NewFile(name, text)
		tree, _ := syntax.Parse(file, syntax.Options{Extensions: true})
		return Text{File: file, Tree: tree, Owner: name}
	}
	s := New(Options{Files: true, Lenient: true, Library: library.Embedded(), Budget: small})
	d, _ := s.Declare(ctx, parse(text))
	if d == nil {
		return // judged elsewhere
	}
	var behaviours []*model.Element
	for _, root := range d.Elements {
		for _, e := range root.Members() {
			switch e.Metaclass() {
			case syntax.PartDefinition, syntax.PartUsage, syntax.ItemUsage:
				s.Instantiate(ctx, e.QualifiedName(), "") // what cannot be made is judged elsewhere
			case syntax.ActionDefinition, syntax.ActionUsage, syntax.StateDefinition, syntax.StateUsage:
				behaviours = append(behaviours, e)
			}
		}
	}
	behaviours = append(behaviours, nil) // once without a run
	for n, e := range behaviours {
		if e != nil {
			if _, err := s.Start(ctx, e.QualifiedName(), RunOptions{}); err != nil {
				continue
			}
			for range 1 + n%3 {
				s.Step(ctx, 1)
			}
		}
		objects := s.shown()
		var before ended
		if e != nil {
			before = s.toEnd(s.world.Copy())
		}
		d, _ := s.Declare(ctx, parse(strings.Repeat("/* again */ ", n+1)+text))
		if d == nil || len(d.Rebuilt)+len(d.Dropped) > 0 || d.Ended || d.Cut {
			t.Fatalf("the same text changes something: %+v", d)
		}
		if now := s.shown(); now != objects {
			t.Fatalf("objects were\n%s\nand are\n%s", objects, now)
		}
		if e != nil {
			now := s.toEnd(s.world.Copy())
			if now.trace != before.trace || now.err != before.err {
				t.Fatalf("%s went on\n%s%s\nand goes on\n%s%s", e.QualifiedName(), before.trace, before.err, now.trace, now.err)
			}
			moves := s.run.here
			last := s.TraceText()
			if _, err := s.Back(ctx, moves); moves > 0 && err != nil {
				t.Fatal(err)
			}
			if _, err := s.Forward(ctx, moves); moves > 0 && (err != nil || s.TraceText() != last) {
				t.Fatalf("back and forward: %v\n%s\n%s", err, last, s.TraceText())
			}
		}
	}
}

// shown is all objects with what is in their slots.
func (s *Session) shown() string {
	var b strings.Builder
	w := s.world
	for _, o := range s.Objects() {
		fmt.Fprintf(&b, "#%d %s : %s", o.Number, o.Name, o.Type)
		row := w.Object(o.ID)
		for k := range row.Slots() {
			v, state := row.Slot(k)
			fmt.Fprintf(&b, " %s/%d", s.text(w, v), state)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestTheSameTextChangesNothing declares each model of our conformance cases,
// and of the shared corpus where ORRERY_SHARED names it, again and again.
func TestTheSameTextChangesNothing(t *testing.T) {
	names, _ := filepath.Glob("testdata/conformance/*.sysml")
	if shared := os.Getenv("ORRERY_SHARED"); shared != "" {
		more, _ := filepath.Glob(filepath.Join(shared, "corpus/execution/*.sysml"))
		names = append(names, more...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".sysml"), func(t *testing.T) { checkUnchanged(t, name, string(text)) })
	}
}
