package runtime_test

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// stepModel has a loop inside an action that a loop performs, beside a branch
// that writes the same feature.
const stepModel = `package P {
	attribute def Go;
	action def Count {
		in upto : Integer;
		out sum : Integer;
		first start;
		then action work {
			assign sum := 0;
			for i in 1..upto {
				for j in 1..i { assign sum := sum + j; }
			}
		}
		then done;
	}
	action outer {
		attribute total : Integer = 0;
		attribute sum : Integer = 0;
		first start;
		then fork split;
			then left;
			then right;
		action left {
			for k in 1..3 {
				perform action c : Count { in upto = k; }
				assign total := total + c.sum;
			}
		}
		action right { assign total := total + 100; assign total := total + 1; }
		succession left then sync;
		succession right then sync;
		join sync;
		then done;
	}
	state light {
		attribute n : Integer = 0;
		entry; then off;
		state off;
		state on { do { assign n := n + 1; assign n := n + 10; } }
		transition first off accept Go then on;
		transition first on accept Go then off;
		transition first on accept after 5 then done;
	}
}`

func sessionOf(t testing.TB, text string) *runtime.Session {
	t.Helper()
	file := source.NewFile("model", text)
	tree, list := syntax.Parse(file, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatal(list)
	}
	s := runtime.New(runtime.Options{Files: true, Lenient: true})
	if _, list := s.Declare(context.Background(), runtime.Text{File: file, Tree: tree, Owner: "model"}); list.HasErrors() {
		t.Fatal(list)
	}
	return s
}

func policy(t testing.TB, text string) *schedule.Settings {
	t.Helper()
	var s schedule.Settings
	if d := s.Set("schedule", text); d != nil {
		t.Fatal(d)
	}
	return &s
}

// TestSteppingBackAndForth goes back to the start from every step of a run and
// forward again, under every policy, and finds the same Worlds and traces.
func TestSteppingBackAndForth(t *testing.T) {
	ctx := context.Background()
	for _, p := range []string{"reverse", "declared", "seed:1", "seed:7"} {
		s := sessionOf(t, stepModel)
		if _, err := s.Start(ctx, "P::outer", runtime.RunOptions{Settings: policy(t, p)}); err != nil {
			t.Fatal(err)
		}
		var worlds []string
		var texts []string
		for {
			worlds, texts = append(worlds, string(s.World().Save())), append(texts, s.TraceText())
			at, err := s.Step(ctx, 1)
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			if at.Ended {
				worlds, texts = append(worlds, string(s.World().Save())), append(texts, s.TraceText())
				break
			}
		}
		for n := 1; n < len(worlds); n++ {
			last := len(worlds) - 1
			if _, err := s.Back(ctx, n); err != nil {
				t.Fatalf("%s: back %d: %v", p, n, err)
			}
			if string(s.World().Save()) != worlds[last-n] || s.TraceText() != texts[last-n] {
				t.Fatalf("%s: %d steps back is another World or trace:\n%s\nwant\n%s", p, n, s.TraceText(), texts[last-n])
			}
			if _, err := s.Forward(ctx, n); err != nil {
				t.Fatalf("%s: forward %d: %v", p, n, err)
			}
			if string(s.World().Save()) != worlds[last] || s.TraceText() != texts[last] {
				t.Fatalf("%s: %d steps forward is another World or trace", p, n)
			}
		}
		if _, err := s.Back(ctx, len(worlds)); err == nil || !strings.Contains(err.Error(), "cannot go back") {
			t.Errorf("%s: back behind the start: %v", p, err)
		}
	}
}

// TestChooseByHand takes each alternative of the first open choice.
func TestChooseByHand(t *testing.T) {
	ctx := context.Background()
	s := sessionOf(t, stepModel)
	if _, err := s.Start(ctx, "P::outer", runtime.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(ctx, 2); err != nil {
		t.Fatal(err)
	}
	c, err := s.Choices(ctx)
	if err != nil || c == nil || len(c.Alternatives) != 2 || c.Kind != schedule.TokenOrder {
		t.Fatalf("open choice %+v, %v", c, err)
	}
	s.Forked("here")
	if _, err := s.Choose(ctx, 1); err != nil {
		t.Fatal(err)
	}
	right, err := s.Watch(ctx, "total")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Switch("here"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Choose(ctx, 0); err != nil {
		t.Fatal(err)
	}
	left, err := s.Watch(ctx, "total")
	if err != nil || value.Same(left, right) {
		t.Errorf("both alternatives leave total at %s and %s (%v)", value.Trace(left), value.Trace(right), err)
	}
	list, err := s.Diff("previous", "")
	if err != nil || len(list) == 0 {
		t.Errorf("no difference between the two: %v %v", list, err)
	}
	if _, err := s.Choose(ctx, 9); err == nil {
		t.Error("alternative 9 is taken")
	}
}

// TestSteppedMachine sends, advances and goes back in a state machine.
func TestSteppedMachine(t *testing.T) {
	ctx := context.Background()
	s := sessionOf(t, stepModel)
	at, err := s.Start(ctx, "P::light", runtime.RunOptions{})
	if err != nil || at.FinalState != "off" {
		t.Fatalf("%+v, %v", at, err)
	}
	if _, err := s.Send(ctx, runtime.Event{Name: "Stop"}); err == nil || !strings.Contains(err.Error(), "nothing that is active accepts Stop") {
		t.Errorf("Stop: %v", err)
	}
	if _, err := s.Send(ctx, runtime.Event{Name: "Go"}); err != nil {
		t.Fatal(err)
	}
	if at, err = s.Continue(ctx); err != nil {
		t.Fatal(err)
	}
	if !at.Ended || at.FinalState != "done" || at.Time != 5 {
		t.Errorf("after Go and 5 seconds: %s at %v, ended %v", at.FinalState, at.Time, at.Ended)
	}
	if n, err := s.Watch(ctx, "n"); err != nil || value.Trace(n) != "11" {
		t.Errorf("n = %s, %v", value.Trace(n), err)
	}
	for at.Moves > 0 {
		if at, err = s.Back(ctx, 1); err != nil {
			t.Fatal(err)
		}
	}
	if at.FinalState != "off" || at.Time != 0 {
		t.Errorf("back at the start: %s at %v", at.FinalState, at.Time)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(ctx, 1); err == nil {
		t.Error("a run that was stopped steps")
	}
}

// TestTracingChangesNothing runs with and without an observer and compares
// the Worlds.
func TestTracingChangesNothing(t *testing.T) {
	ctx := context.Background()
	for _, p := range []string{"reverse", "declared", "seed:3"} {
		var saved []string
		for _, traced := range []bool{false, true} {
			s := sessionOf(t, stepModel)
			run, err := s.Run(ctx, "P::outer", runtime.RunOptions{Settings: policy(t, p), Keep: true, Trace: traced})
			if err != nil || run.Err != nil {
				t.Fatal(err, run)
			}
			saved = append(saved, string(s.World().Save()))
		}
		if saved[0] != saved[1] {
			t.Errorf("%s: a traced run ends in another World", p)
		}
	}
}

// TestUntilAndBreak stops where it is told to.
func TestUntilAndBreak(t *testing.T) {
	ctx := context.Background()
	s := sessionOf(t, stepModel)
	if _, err := s.Start(ctx, "P::outer", runtime.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	at, err := s.Until(ctx, "sync")
	if err != nil || at.Stopped != "sync" {
		t.Fatalf("%+v, %v", at, err)
	}
	s.Break(runtime.Breakpoint{Place: "done", If: "total > 0"})
	if at, err = s.Continue(ctx); err != nil || at.Stopped != "done" {
		t.Fatalf("%+v, %v", at, err)
	}
	s.Unbreak("")
	if at, err = s.Continue(ctx); err != nil || !at.Ended {
		t.Fatalf("%+v, %v", at, err)
	}
}

// TestWorldTravels saves a World in the middle of a body that is paused inside
// nested loops of an action that is performed, and goes on in another session.
func TestWorldTravels(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"P::outer", "P::light"} {
		for steps := 0; steps < 6; steps++ {
			a := sessionOf(t, stepModel)
			if _, err := a.Start(ctx, name, runtime.RunOptions{Settings: policy(t, "seed:5")}); err != nil {
				t.Fatal(err)
			}
			if name == "P::light" {
				if _, err := a.Send(ctx, runtime.Event{Name: "Go"}); err != nil {
					t.Fatal(err)
				}
			}
			if steps > 0 {
				if _, err := a.Step(ctx, steps); err != nil {
					t.Fatal(err)
				}
			}
			b := sessionOf(t, stepModel)
			if err := b.LoadWorld(a.SaveWorld()); err != nil {
				t.Fatal(err)
			}
			x, err := a.Continue(ctx)
			if err != nil {
				t.Fatal(err)
			}
			y, err := b.Continue(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if x.Trace != y.Trace || string(a.World().Save()) != string(b.World().Save()) {
				t.Errorf("%s after %d steps: the run goes on differently\n%s\n%s", name, steps, x.Trace, y.Trace)
			}
		}
	}
	s := sessionOf(t, stepModel)
	for _, bad := range []string{"", "nonsense", "orrery session\x001\ntrue\n0\nP::outer\nreverse\noff\nrandom\noff\nx"} {
		if err := s.LoadWorld([]byte(bad)); err == nil {
			t.Errorf("%q is loaded", bad)
		}
	}
}

// TestBackInAnotherBranch goes back behind a checkpoint, on in another way past
// it, and back again: the World of the way that was left is no part of this one.
func TestBackInAnotherBranch(t *testing.T) {
	ctx := context.Background()
	s := sessionOf(t, `package P { private import ScalarValues::*;
		attribute def Up; attribute def Down;
		part def Counter { attribute n : Integer = 0;
			exhibit state count { entry; then on; state on;
				transition first on accept Up do assign n := n + 1 then on;
				transition first on accept Down do assign n := n - 1 then on; } }
	}`)
	if _, err := s.Instantiate(ctx, "P::Counter", "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Attach(ctx, "c.count", nil); err != nil {
		t.Fatal(err)
	}
	var worlds []string
	send := func(signal string, times int) {
		t.Helper()
		for range times {
			worlds = append(worlds, string(s.World().Save()))
			if _, err := s.Send(ctx, runtime.Event{Name: signal}); err != nil {
				t.Fatal(err)
			}
		}
	}
	back := func(n int) {
		t.Helper()
		if _, err := s.Back(ctx, n); err != nil {
			t.Fatal(err)
		}
		last := len(worlds) - n
		if string(s.World().Save()) != worlds[last] {
			t.Errorf("after going back to move %d, the World is not that of move %d", last, last)
		}
		worlds = worlds[:last]
	}
	send("Up", 40)
	back(30)
	send("Down", 10)
	back(2)
}
