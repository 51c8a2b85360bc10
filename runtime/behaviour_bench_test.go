package runtime

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
)

const behaviours = `package P { private import ScalarValues::*;
	item def Flip;
	action loops { attribute i : Integer = 0; first start; then action work { while i < 1000000 { assign i := i + 1; } } then done; }
	action steps { attribute i : Integer = 0; first start; then merge again; then action work { assign i := i + 1; }
		then decide; if i < 100000 then again; else done; }
	state flips { attribute n : Integer = 0; entry; then off; state off; state on;
		transition first off accept Flip do assign n := n + 1 then on; transition first on accept Flip then off; }
	state nested { attribute n : Integer = 0; entry; then idle; state idle;
		state busy { entry assign n := n + 1; then warm; exit assign n := n + 1; state warm { entry; then low; state low; state high; } }
		transition first idle accept Flip do assign n := n + 1 then busy; transition first busy accept Flip then idle; }
	state regions { attribute n : Integer = 0; attribute k : Integer = 0; entry; then work; state work parallel {
		state left { entry; then a; state a; state b; transition first a accept Flip do assign n := n + 1 then b; transition first b accept Flip then a; }
		state right { entry; then c; state c; state d; transition first c accept Flip do assign k := k + 1 then d; transition first d accept Flip then c; } } }
	action signals { attribute i : Integer = 0; first start; then merge again;
		then action post { send i to take; } then action take accept k : Integer; then action next { assign i := i + 1; }
		then decide; if i < 10000 then again; else done; }
	action def Flood { in n : Integer; attribute i : Integer = 0; attribute taken : Integer = 0; first start;
		then action post { while i < n { send i to take; assign i := i + 1; } }
		then merge again; then action take accept k : Integer; then action next { assign taken := taken + 1; }
		then decide; if taken < n then again; else done; }
	action flood : Flood;
	action round { first start; then merge again; then action rest; then again; }
	state spin { entry; then a; state a; state b; succession first a then b; succession first b then a; }
	state busy { entry; then a; state a { do action { attribute k : Integer = 0; while true { assign k := k + 1; } } } }
	state flicker { entry; then a; state a { entry send Flip(); } transition first a accept Flip then a; }
	action endless { attribute i : Integer = 0; first start; then action work { while true { assign i := i + 1; } } then done; }
}`

func benchBehaviours(b testing.TB) *Session {
	big := budget.Budget{}.With(budget.Steps, 1<<50).With(budget.ActionSteps, 1<<40).With(budget.Events, 1<<40).With(budget.Elements, 1<<30)
	s := New(Options{Library: library.Embedded(), Budget: big})
	declare(b, s, behaviours)
	return s
}

func benchRun(b *testing.B, name string, o RunOptions, per int, unit string) {
	s := benchBehaviours(b)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		r, err := s.Run(context.Background(), name, o)
		if err != nil {
			b.Fatal(err)
		}
		if r.Err != nil {
			b.Fatal(r.Err)
		}
	}
	b.ReportMetric(float64(b.N)*float64(per)/b.Elapsed().Seconds(), unit)
}

func BenchmarkActionLoop(b *testing.B) {
	benchRun(b, "P::loops", RunOptions{}, 1_000_000, "iterations/s")
}
func BenchmarkActionSteps(b *testing.B) { benchRun(b, "P::steps", RunOptions{}, 400_000, "steps/s") }

func BenchmarkStateEvents(b *testing.B) {
	events := make([]Event, 100_000)
	for i := range events {
		events[i].Name = "Flip"
	}
	benchRun(b, "P::flips", RunOptions{Events: events}, len(events), "events/s")
}

// BenchmarkStateEventsIn has events that enter and leave composite states, and
// events that two regions answer.
func BenchmarkStateEventsIn(b *testing.B) {
	events := make([]Event, 20_000)
	for i := range events {
		events[i].Name = "Flip"
	}
	for _, name := range []string{"nested", "regions"} {
		b.Run(name, func(b *testing.B) { benchRun(b, "P::"+name, RunOptions{Events: events}, len(events), "events/s") })
	}
}

func BenchmarkSignals(b *testing.B) {
	benchRun(b, "P::signals", RunOptions{}, 10_000, "signals/s")
}

// BenchmarkSignalsWaiting has all signals wait before the first is taken.
func BenchmarkSignalsWaiting(b *testing.B) {
	for _, n := range []int64{10_000, 100_000} {
		b.Run(strconv.FormatInt(n, 10), func(b *testing.B) {
			benchRun(b, "P::flood", RunOptions{Inputs: []Argument{{Name: "n", Value: value.Int(n)}}}, int(n), "signals/s")
		})
	}
}

// TestCancelledSoon cancels what runs without end.
func TestCancelledSoon(t *testing.T) {
	for _, name := range []string{"endless", "round", "spin", "busy", "flicker"} {
		s := benchBehaviours(t)
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		begun := time.Now()
		r, err := s.Run(ctx, "P::"+name, RunOptions{})
		if err == nil && r.Err == nil {
			t.Errorf("%s ended", name)
		}
		if took := time.Since(begun); took > 10*time.Second { // far from 0.2 s for the sake of busy machines
			t.Errorf("%s was cancelled after %v", name, took)
		} else {
			t.Logf("%s: %v, %v", name, took, err)
		}
	}
}

// cancelledAt is a context that ends when it is looked at the looks-th time.
type cancelledAt struct {
	context.Context
	looks int
	done  chan struct{}
}

func (c *cancelledAt) Done() <-chan struct{} {
	if c.looks--; c.looks == 0 {
		close(c.done)
	}
	return c.done
}

// TestCancelledRunsGoOn cancels stepped runs in the middle of what they do: the
// World is that of the last whole step, and from there they go on to the end.
func TestCancelledRunsGoOn(t *testing.T) {
	const long = `package P { private import ScalarValues::*; item def Tick;
		action counts { attribute i : Integer = 0; first start; then action one { assign i := 1; } then action work { while i < 300000 { assign i := i + 1; } } then done; }
		state ticks { attribute n : Integer = 0; entry; then a; state a { entry action { assign n := n + 1; } }
			transition first a accept after 1 if n < 4000 then a; transition first a accept after 1 if n >= 4000 then b; state b; } }`
	for _, c := range []struct{ behavior, watch, want string }{{"P::counts", "i", "300000"}, {"P::ticks", "n", "4000"}} {
		s := New(Options{Library: library.Embedded(), Budget: budget.Budget{}.With(budget.Steps, 1<<40)})
		declare(t, s, long)
		if _, err := s.Start(context.Background(), c.behavior, RunOptions{}); err != nil {
			t.Fatal(err)
		}
		cancelled := 0
		for looks := 1; ; looks *= 2 {
			at, err := s.Continue(&cancelledAt{context.Background(), looks, make(chan struct{})})
			if err == nil {
				if at.Waits == "" && !at.Ended {
					t.Errorf("%s: stopped at %+v", c.behavior, at)
				}
				break
			}
			if diagnostic.Of(err)[0].Code != diagnostic.Interrupted {
				t.Fatalf("%s: %v", c.behavior, err)
			}
			cancelled++
		}
		if v, err := s.Watch(context.Background(), c.watch); err != nil || value.Trace(v) != c.want || cancelled < 5 {
			t.Errorf("%s: %s = %s after %d interrupts, want %s: %v", c.behavior, c.watch, value.Trace(v), cancelled, c.want, err)
		}
	}
}

// TestMessagesBeforeARun are taken by an action as by a machine.
func TestMessagesBeforeARun(t *testing.T) {
	s := New(Options{Library: library.Embedded()})
	declare(t, s, `package P { private import ScalarValues::*;
		action a { attribute v : Integer = 0; first start; then action t accept g : Integer; then action u { assign v := t.g; } then done; }
		state m { attribute v : Integer = 0; entry; then off; state off; state on; transition first off accept g : Integer do assign v := g then on; } }`)
	events := []Event{{Name: "Integer", Args: []Argument{{Name: "value", Value: value.Int(4)}}}}
	for _, name := range []string{"P::a", "P::m"} {
		r, err := s.Run(context.Background(), name, RunOptions{Events: events})
		if err != nil || r.Err != nil {
			t.Fatal(name, err, r.Err)
		}
		for _, o := range r.Outputs {
			if o.Name == "v" && o.Text != "4" {
				t.Errorf("%s: v = %s, want 4", name, o.Text)
			}
		}
		x, err := s.Explore(context.Background(), ExploreRequest{Behavior: name, Events: events})
		if err != nil || len(x.Outcomes) != 1 || !strings.Contains(x.Outcomes[0].Text(), "v = 4") {
			t.Errorf("%s explored: %+v, %v", name, x, err)
		}
	}
}
