package runtime

import (
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

const paused = `package P { private import ScalarValues::*; private import SequenceFunctions::*; private import NumericalFunctions::*; private import ControlFunctions::*;
	calc def Split { in n : Integer; out low = n - 1; out high = n + 1; }
	calc def fact { in n : Integer; if n <= 1 { return : Integer = 1; } return : Integer = n * fact(n - 1); }
	calc def nested { in n : Integer; attribute s : Integer = 0;
		for i in 1..n { attribute k : Integer = i; while k > 0 { assign s := s + fact(k); assign k := k - 1; } }
		calc p : Split { in n = s; }
		return : Integer = p.low * p.high; }
	part def Leaf { attribute mass : Real; }
	part def Tree { part leaves : Leaf[*]; attribute total = sum(leaves.mass); attribute copy; bind copy = total; }
	part tree : Tree { part a : Leaf :> leaves { :>> mass = 1.5; } part b : Leaf :> leaves { :>> mass = 2.5; } }
	calc def mixed { return : Real[*] = ((1..4)->select { in x; x > 1 }->collect { in x; x * tree.copy }, (3, 1, 2)->minimize { in x; 0 - x }); }
}`

// A body stopped before each instruction, its World copied, saved and loaded
// there, ends with the value and in the World of one that was never stopped;
// a trace changes neither.
func TestABodyCanPauseBetweenAnyTwoInstructions(t *testing.T) {
	for _, c := range []struct {
		name string
		args []value.Value
	}{{"P::fact", []value.Value{value.Int(4)}}, {"P::nested", []value.Value{value.Int(3)}}, {"P::mixed", nil}} {
		s := session(t, paused)
		e, err := s.Find(c.name)
		if err != nil {
			t.Fatal(err)
		}
		u, err := s.lowering.Calculation(e)
		if err != nil {
			t.Fatal(err)
		}
		p := s.lowering.Program()
		m := s.meter(context.Background())
		whole := &exec.Runner{World: exec.NewWorld(p), Meter: m}
		want, err := whole.Run(u, value.NoObject, exec.NoEnv, c.args...)
		if err != nil {
			t.Fatal(err)
		}
		traced := &exec.Runner{World: exec.NewWorld(p), Meter: m, Observer: &trace.Recorder{}}
		if v, err := traced.Run(u, value.NoObject, exec.NoEnv, c.args...); err != nil || !value.Same(v, want) || !traced.World.Equal(whole.World) {
			t.Errorf("%s: a traced run differs: %v", c.name, err)
		}
		r := &exec.Runner{World: exec.NewWorld(p), Meter: m, Every: true}
		r.Start(u, value.NoObject, exec.NoEnv, c.args...)
		pauses := 0
		for {
			stop, err := r.Continue()
			if err != nil {
				t.Fatalf("%s: %v after %d pauses", c.name, err, pauses)
			}
			if stop.Kind == exec.Done {
				if !value.Same(stop.Value, want) || r.World.Hash() != whole.World.Hash() || string(r.World.Canonical(nil)) != string(whole.World.Canonical(nil)) {
					t.Errorf("%s: got %s, want %s", c.name, value.Trace(stop.Value), value.Trace(want))
				}
				break
			}
			pauses++
			id := r.Store(exec.NoStack)
			copied := r.World.Copy()
			before := copied.Save()
			loaded, err := exec.Load(p, before)
			if err != nil {
				t.Fatalf("%s: pause %d: %v", c.name, pauses, err)
			}
			if loaded.HashStack(id) != copied.HashStack(id) {
				t.Fatalf("%s: pause %d: the body hashes to another value", c.name, pauses)
			}
			next := &exec.Runner{World: loaded, Meter: m, Every: true}
			next.Restore(id)
			loaded.FreeStack(id)
			r = next
			if string(copied.Save()) != string(before) {
				t.Fatalf("%s: pause %d: going on changed a copy", c.name, pauses)
			}
		}
		if pauses < 20 {
			t.Errorf("%s paused %d times only", c.name, pauses)
		}
	}
}
