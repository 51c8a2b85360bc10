package exec

import (
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// k is constant i as an operand.
func k(i int32) int32 { return ^i }

// assemble is a Program of hand-written units.
func assemble(units ...*Unit) *Program {
	p := &Program{}
	for i, u := range units {
		u.ID = UnitID(i)
		p.Units = append(p.Units, u)
	}
	return p.Seal()
}

func fibonacci() *Program {
	return assemble(&Unit{
		Name: "fib", Kind: CalcUnit, Params: []Param{{Name: "n"}}, Locals: 1, Registers: 4,
		Consts: []value.Value{value.Int(2), value.Int(1)},
		Code: []Instr{
			{Op: OpLessJump, Cost: 3, A: 1, B: 0, C: k(0)},
			{Op: OpJumpIfNot, B: 1, A: 3, Cost: 1},
			{Op: OpReturn, B: 0, Cost: 1},
			{Op: OpSub, Cost: 3, A: 2, B: 0, C: k(1)},
			{Op: OpCall, Cost: 1, A: 1, B: 0, C: 2, D: 1},
			{Op: OpSub, Cost: 3, A: 2, B: 0, C: k(0)},
			{Op: OpCall, Cost: 1, A: 2, B: 0, C: 2, D: 1},
			{Op: OpAdd, Cost: 1, A: 1, B: 1, C: 2},
			{Op: OpReturn, B: 1},
		},
	})
}

// counting sums 1..n in a loop of one assignment.
func counting() *Program {
	return assemble(&Unit{
		Name: "count", Kind: CalcUnit, Params: []Param{{Name: "n"}}, Locals: 3, Registers: 4,
		Consts: []value.Value{value.Int(0), value.Int(1), value.Text("assign i")},
		Code: []Instr{
			{Op: OpMove, A: 1, B: k(0)},
			{Op: OpMove, A: 2, B: k(0)},
			{Op: OpIterate, B: 2, Cost: 1},
			{Op: OpLessJump, Cost: 3, A: 3, B: 1, C: 0},
			{Op: OpJumpIfNot, A: 8, B: 3},
			{Op: OpStatement, B: k(2)},
			{Op: OpAdd, Cost: 3, A: 1, B: 1, C: k(1)},
			{Op: OpJump, A: 2},
			{Op: OpReturn, B: 1},
		},
	})
}

func newRunner(p *Program) *Runner {
	return &Runner{World: NewWorld(p), Meter: budget.NewMeter(context.Background(), budget.Budget{}.With(budget.Steps, 1<<50))}
}

func TestCallsAndLoops(t *testing.T) {
	for _, c := range []struct {
		p    *Program
		n    int64
		want int64
	}{{fibonacci(), 1, 1}, {fibonacci(), 20, 6765}, {counting(), 0, 0}, {counting(), 1000, 1000}} {
		r := newRunner(c.p)
		v, err := r.Run(0, value.NoObject, NoEnv, value.Int(c.n))
		if got, _ := v.AsInt(); err != nil || got != c.want {
			t.Errorf("%s(%d) is %s, %v, want %d", c.p.Units[0].Name, c.n, value.Trace(v), err, c.want)
		}
	}
}

// A body stopped before any statement goes on from the World alone: copied,
// saved, loaded, and with the one that was stopped long gone.
func TestPausedBodiesAreInTheWorld(t *testing.T) {
	p := counting()
	r := newRunner(p)
	r.Pause = true
	r.Start(0, value.NoObject, NoEnv, value.Int(5))
	for pauses := 0; ; pauses++ {
		stop, err := r.Continue()
		if err != nil {
			t.Fatal(err)
		}
		if stop.Kind == Done {
			if n, _ := stop.Value.AsInt(); n != 5 || pauses != 5 {
				t.Fatalf("ended with %d after %d pauses", n, pauses)
			}
			return
		}
		id := r.Store(NoStack)
		copied := r.World.Copy()
		if copied.Hash() != r.World.Hash() || !copied.Equal(r.World) {
			t.Fatal("a copy is not equal")
		}
		loaded, err := Load(p, copied.Save())
		if err != nil || !loaded.Equal(copied) || loaded.Hash() != copied.Hash() {
			t.Fatalf("pause %d: the World does not survive its encoding: %v", pauses, err)
		}
		r = &Runner{World: loaded, Meter: r.Meter, Pause: true}
		r.Restore(id)
		loaded.FreeStack(id)
	}
}

func TestDepthIsBounded(t *testing.T) {
	p := assemble(&Unit{Name: "P::f", Kind: CalcUnit, Registers: 1, Code: []Instr{{Op: OpCall, A: 0, B: 0, C: 1}, {Op: OpReturn}}})
	r := newRunner(p)
	r.Meter.Budget = r.Meter.Budget.With(budget.Depth, 12)
	_, err := r.Run(0, value.NoObject, NoEnv)
	want := "calc P::f: … 12 frames: calc recursion limit exceeded: calc P::f nested 12 deep (unbounded recursion?; raise ORRERY_MAX_DEPTH to allow more)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func BenchmarkFibonacci25(b *testing.B) {
	r := newRunner(fibonacci())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Run(0, value.NoObject, NoEnv, value.Int(25)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoop(b *testing.B) {
	r := newRunner(counting())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Run(0, value.NoObject, NoEnv, value.Int(1_000_000)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "iterations/s")
}

var _ trace.Observer = (*trace.Recorder)(nil)
