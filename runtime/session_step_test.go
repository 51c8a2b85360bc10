package runtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
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

// counter is an object with a machine that counts.
const counter = `package P { private import ScalarValues::*;
	attribute def Up; attribute def Down;
	part def Counter { attribute n : Integer = 0; attribute step : Integer = 1;
		exhibit state count { entry; then on; state on;
			transition first on accept Up do assign n := n + step then on;
			transition first on accept Down do assign n := n - step then on; } }
}`

// A journey is a stepped run whose Worlds are kept outside of the session, too.
type journey struct {
	*testing.T
	*runtime.Session
	worlds  []string // canonical, by the number of moves before
	objects []int    // how many objects there were
}

// newJourney begins with the machine of a counter called c.
func newJourney(t *testing.T) *journey {
	s := sessionOf(t, counter)
	if _, err := s.Instantiate(t.Context(), "P::Counter", "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Attach(t.Context(), "c.count", nil); err != nil {
		t.Fatal(err)
	}
	return &journey{T: t, Session: s}
}

// send sends a signal so many times; steps in between take it.
func (j *journey) send(signal string, times int) {
	j.Helper()
	for range times {
		j.keep()
		if _, err := j.Send(j.Context(), runtime.Event{Name: signal}); err != nil {
			j.Fatal(err)
		}
		j.keep()
		if _, err := j.Step(j.Context(), 1); err != nil {
			j.Fatal(err)
		}
	}
}

func (j *journey) keep() {
	j.worlds, j.objects = append(j.worlds, string(j.World().Canonical(nil))), append(j.objects, len(j.Objects()))
}

// backTo goes back from move number here to where move number at was still to
// come; forwardTo goes on again.
func (j *journey) backTo(at, here int) {
	j.Helper()
	if _, err := j.Back(j.Context(), here-at); err != nil {
		j.Fatal(err)
	}
	j.stands(at)
}

func (j *journey) forwardTo(at, here int) {
	j.Helper()
	if _, err := j.Forward(j.Context(), at-here); err != nil {
		j.Fatal(err)
	}
	j.stands(at)
}

func (j *journey) stands(at int) {
	j.Helper()
	if string(j.World().Canonical(nil)) != j.worlds[at] || len(j.Objects()) != j.objects[at] {
		j.Errorf("the World is not that before move %d", at)
	}
}

// TestBackInAnotherBranch goes back behind a checkpoint, on in another way past
// it, and back again: the World of the way that was left is no part of this one.
func TestBackInAnotherBranch(t *testing.T) {
	j := newJourney(t)
	j.send("Up", 20)
	j.backTo(10, 40)
	j.worlds, j.objects = j.worlds[:10], j.objects[:10]
	j.send("Down", 5)
	j.backTo(18, 20)
}

// TestBackToWhatWasChanged sets a value and makes an object between two moves:
// going back and forward leads to the Worlds that there were.
func TestBackToWhatWasChanged(t *testing.T) {
	j := newJourney(t)
	j.send("Up", 2)
	if err := j.Set(t.Context(), "c.step", value.Int(10)); err != nil {
		t.Fatal(err)
	}
	j.send("Up", 10)
	if _, err := j.Instantiate(t.Context(), "P::Counter", "d"); err != nil {
		t.Fatal(err)
	}
	j.send("Up", 2)
	j.keep()
	for _, at := range []int{27, 24, 23, 17, 5, 4, 3, 0} {
		j.backTo(at, 28)
		j.forwardTo(28, at)
	}
	j.backTo(0, 28)
	if _, err := j.EvaluateText(t.Context(), "d.n", ""); err == nil {
		t.Error("an object is known that is not made yet")
	}
}

// TestAChangeEndsTheWayAhead takes moves back and then looks, or changes the
// World: moves that were made in another World are not made again in this one.
func TestAChangeEndsTheWayAhead(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(j *journey) error
		ahead int
	}{
		{"nothing", func(*journey) error { return nil }, 4},
		{"a value is read", func(j *journey) error { _, err := j.EvaluateText(j.Context(), "c.n", ""); return err }, 4},
		{"a value is set", func(j *journey) error { return j.Set(j.Context(), "c.step", value.Int(10)) }, 0},
		{"an object is made", func(j *journey) error { _, err := j.Instantiate(j.Context(), "P::Counter", "d"); return err }, 0},
		{"a signal is sent", func(j *journey) error {
			_, err := j.Send(j.Context(), runtime.Event{Name: "Up", To: "e"})
			return err
		}, 0},
		{"what fails", func(j *journey) error {
			if err := j.Set(j.Context(), "c.nothing", value.Int(10)); err == nil {
				return errors.New("it does not")
			}
			return nil
		}, 4},
	} {
		j := newJourney(t)
		if _, err := j.Instantiate(t.Context(), "P::Counter", "e"); err != nil {
			t.Fatal(err)
		}
		j.send("Up", 5)
		j.keep()
		j.backTo(6, 10)
		if err := c.do(j); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.ahead > 0 {
			j.forwardTo(10, 6)
			continue
		}
		_, err := j.Forward(t.Context(), 1)
		if err == nil || diagnostic.Of(err)[0].Hint == "" {
			t.Errorf("%s: the way ahead is still there, or does not say why not: %v", c.name, err)
		}
		changed := string(j.World().Canonical(nil))
		j.backTo(3, 6)
		if _, err := j.Forward(t.Context(), 3); err != nil || string(j.World().Canonical(nil)) != changed {
			t.Errorf("%s: back and forward lead to another World (%v)", c.name, err)
		}
	}
}
