package runtime

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

func modelText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../models", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replayed runs a behaviour along a witness.
func replayed(t *testing.T, s *Session, behavior string, w *schedule.Witness) *Run {
	t.Helper()
	file := filepath.Join(t.TempDir(), "witness")
	if err := os.WriteFile(file, []byte(w.Text()), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(context.Background(), behavior, RunOptions{Settings: &schedule.Settings{Schedule: schedule.Policy{Kind: schedule.Replayed, File: file}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPhilosophers finds the one deadlock of the table, with the shortest way
// there: five forks are laid, and each of the five takes one.
func TestPhilosophers(t *testing.T) {
	s := declared(t, modelText(t, "philosophers.sysml"))
	for _, unreduced := range []bool{false, true} {
		c, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: ExploreRequest{Behavior: "Table::Dine", Granularity: explore.Node}, Unreduced: unreduced})
		if err != nil {
			t.Fatal(err)
		}
		if c.Text != "violation" || !c.Complete || len(c.Violations) != 1 || c.Violations[0].Kind != "deadlock" || c.Violations[0].Moves != 13 {
			t.Fatalf("%s: %d violations over %d worlds: %+v", c.Text, len(c.Violations), c.Worlds, c.Violations[0])
		}
		w, err := c.ViolationWitness(c.Violations[0])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(w.Decisive, "step 12: 6@left4 first of") {
			t.Errorf("the decisive choice is %q, not the last fork that is taken", w.Decisive)
		}
		if r := replayed(t, s, "Table::Dine", w); r.Err == nil || !strings.Contains(r.Err.Message, "accept deadlock") || r.Err.Error() != c.Violations[0].Err.Error() {
			t.Errorf("the witness ends in %v", r.Err)
		}
	}
}

// TestTwoPhaseCommit checks the protocol with a timer and without: nobody is
// stuck with it, somebody is without, and with neither do two participants
// learn different decisions.
func TestTwoPhaseCommit(t *testing.T) {
	s := declaredOver(t, modelText(t, "two_phase_commit.sysml"), library.Embedded())
	for _, c := range []struct{ behavior, verdict string }{{"Protocol::Commit", "divergent"}, {"Protocol::Impatient", "violation"}} {
		for _, unreduced := range []bool{false, true} {
			v, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: ExploreRequest{Behavior: c.behavior, Granularity: explore.Node}, Unreduced: unreduced})
			if err != nil || !v.Complete || v.Text != c.verdict {
				t.Fatalf("%s: %v, %s, complete %v", c.behavior, err, v.Text, v.Complete)
			}
			t.Logf("%s: %d Worlds, %d moves, %d violations", c.behavior, v.Worlds, v.Moves, len(v.Violations))
			if len(v.Violations) == 0 {
				continue
			}
			w, err := v.ViolationWitness(v.Violations[0])
			if err != nil {
				t.Fatal(err)
			}
			if r := replayed(t, s, c.behavior, w); r.Err == nil || r.Err.Error() != v.Violations[0].Err.Error() {
				t.Errorf("the witness ends in %v, not in %v", r.Err, v.Violations[0].Err)
			}
		}
	}
}

// TestModelsOfParts explores the models whose parts have machines.
func TestModelsOfParts(t *testing.T) {
	for _, c := range []struct {
		file, object, behavior string
		cyclic                 bool
		outcomes               []string
	}{
		{"token_ring.sysml", "Ring::Ring", "serve", true, []string{"served = 5"}},
		{"elevator.sysml", "Lift::Building", "visit", false, []string{"floor = 0", "floor = 1", "floor = 2"}},
		{"pump_station.sysml", "Pumping::Station", "shift", false,
			[]string{"starts = 1, flood = false", "starts = 2, flood = false", "starts = 3, flood = false", "starts = 4, flood = false"}},
	} {
		s := declaredOver(t, modelText(t, c.file), library.Embedded())
		if _, err := s.Instantiate(context.Background(), c.object, "it"); err != nil {
			t.Fatal(err)
		}
		x, err := s.Explore(context.Background(), ExploreRequest{Behavior: c.object + "::" + c.behavior, On: "it", Granularity: explore.Node})
		if err != nil || !x.Complete || x.Cyclic != c.cyclic || len(x.Outcomes) != len(c.outcomes) {
			t.Fatalf("%s: %v, complete %v, cyclic %v, %d outcomes", c.file, err, x.Complete, x.Cyclic, len(x.Outcomes))
		}
		t.Logf("%s: %d Worlds, %d moves", c.file, x.Worlds, x.Moves)
		for i, o := range x.Outcomes {
			if o.Text() != c.outcomes[i] {
				t.Errorf("%s: %s, want %s", c.file, o.Text(), c.outcomes[i])
			}
		}
	}
}

// TestDecisionsAgree: in no World has one participant committed and another
// aborted, and in some all four have committed.
func TestDecisionsAgree(t *testing.T) {
	s := declaredOver(t, modelText(t, "two_phase_commit.sysml"), library.Embedded())
	one := func(value string) string {
		var list []string
		for i := 1; i <= 4; i++ {
			list = append(list, fmt.Sprintf("end%d == %q", i, value))
		}
		return strings.Join(list, " or ")
	}
	property := func(kind explore.PropertyKind, text string) Property {
		x, list := syntax.ParseExpression(source.NewFile("property", text), 0, syntax.Options{Extensions: true})
		if list.HasErrors() {
			t.Fatal(list)
		}
		return Property{Kind: kind, Condition: x}
	}
	v, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: ExploreRequest{Behavior: "Protocol::Commit", Granularity: explore.Node},
		Properties: []Property{
			property(explore.Never, "("+one("commit")+") and ("+one("abort")+")"),
			property(explore.Reachable, strings.ReplaceAll(one("commit"), " or ", " and ")),
			property(explore.Never, "broken and votes == 2"),
		}})
	if err != nil || !v.Complete || len(v.Reached) != 1 || len(v.Violations) != 1 || v.Violations[0].Kind != "never" {
		t.Fatalf("%v: %+v", err, v)
	}
	if w, err := v.ViolationWitness(v.Violations[0]); err != nil || !strings.Contains(w.Property, "broken") {
		t.Errorf("%v: %+v", err, w)
	}
}

// TestSearchesAreTheSameForAnyWorkers compares explorations with one worker
// and with several, and one that is interrupted again and again.
func TestSearchesAreTheSameForAnyWorkers(t *testing.T) {
	s := declared(t, modelText(t, "philosophers.sysml"))
	line := func(x *Exploration) string {
		text := ""
		for _, o := range x.Outcomes {
			w, err := x.Witness(o)
			if err != nil {
				t.Fatal(err)
			}
			text += o.Text() + " " + o.Linearizations.String() + " " + o.Share.RatString() + " " + schedule.Summary(w.Choices) + "\n"
		}
		return text
	}
	var want string
	for _, workers := range []int{1, 2, 5} {
		x, err := s.Explore(context.Background(), ExploreRequest{Behavior: "Table::Dine", Granularity: explore.Node, Workers: workers})
		if err != nil || !x.Complete {
			t.Fatal(err)
		}
		if want == "" {
			want = line(x)
		} else if got := line(x); got != want {
			t.Errorf("%d workers found\n%s\none found\n%s", workers, got, want)
		}
	}
	x := interruptedOnce(t, s)
	if !x.Interrupted || x.Complete {
		t.Errorf("interrupted %v, complete %v", x.Interrupted, x.Complete)
	}
	x, err := s.Explore(context.Background(), ExploreRequest{Resume: x})
	if err != nil || !x.Complete {
		t.Fatalf("resumed: %v", err)
	}
	if got := line(x); got != want {
		t.Errorf("resumed, it found\n%s\nin one go\n%s", got, want)
	}
}

// TestInterruptIsHeardAtOnce interrupts a search of a million Worlds: it stops
// before the next few, and says how far it came.
func TestInterruptIsHeardAtOnce(t *testing.T) {
	s := declared(t, philosophers(9))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	told := explore.Progress{}
	x, err := s.Explore(ctx, ExploreRequest{Behavior: "Table::Dine", Granularity: explore.Node, Workers: 2, Worlds: 10_000_000,
		Progress: func(p explore.Progress) { told = p; cancel() }})
	if err != nil || !x.Interrupted || x.Complete || x.Worlds == 0 {
		t.Fatalf("%v: %+v", err, x)
	}
	if x.Worlds != told.Worlds || told.PerSecond <= 0 {
		t.Errorf("%d Worlds at the interrupt, %d at the end; %v", told.Worlds, x.Worlds, told)
	}
	again, stop := context.WithCancel(context.Background())
	defer stop()
	next, err := s.Explore(again, ExploreRequest{Resume: x, Progress: func(explore.Progress) { stop() }})
	if err != nil || next.Worlds <= x.Worlds {
		t.Errorf("%v: resumed, it has %d Worlds", err, next.Worlds)
	}
}

// TestSumsEndWithTheInterrupt asks for the outcomes of a search when nobody waits
// for them any more: a few are summed at once, many are listed without numbers.
func TestSumsEndWithTheInterrupt(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		branches  int
		uncounted bool
	}{{4, false}, {8, true}} {
		s := declared(t, branches(c.branches, 3, false))
		var search *explore.Search
		err := s.look(context.Background(), func(turn *turn) error {
			start, _, _, err := turn.exploreFrom(ExploreRequest{Behavior: "P::A"})
			search = explore.NewSearch(start, explore.Options{Granularity: explore.Node})
			return err
		})
		if err != nil || !search.Run(context.Background()) {
			t.Fatal(err)
		}
		r, whole := search.ResultWithin(over), search.Result()
		if r.Uncounted != c.uncounted || whole.Uncounted || len(r.Outcomes) != len(whole.Outcomes) || len(r.Outcomes) == 0 {
			t.Fatalf("%d branches: uncounted %v, %d outcomes", c.branches, r.Uncounted, len(r.Outcomes))
		}
		if r.Outcomes[0].Text() != whole.Outcomes[0].Text() || (r.Outcomes[0].Share == nil) != c.uncounted || (r.Linearizations == nil) != c.uncounted || whole.Linearizations == nil {
			t.Errorf("%d branches: %v linearizations, share %v", c.branches, r.Linearizations, r.Outcomes[0].Share)
		}
		if _, err := r.Witness(r.Outcomes[0]); err != nil {
			t.Error(err)
		}
	}
}

// interruptedOnce is an exploration that was interrupted on the way.
func interruptedOnce(t *testing.T, s *Session) *Exploration {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	q := ExploreRequest{Behavior: "Table::Dine", Granularity: explore.Node, Workers: 1}
	var search *explore.Search
	err := s.look(ctx, func(turn *turn) error {
		start, _, _, err := turn.exploreFrom(q)
		if err != nil {
			return err
		}
		search = explore.NewSearch(start, explore.Options{Granularity: explore.Node, Workers: 1})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	search.Watch(explore.Property{Kind: explore.Never, Text: "stop", Holds: stopper(cancel, 4)})
	search.Run(ctx)
	return &Exploration{Interrupted: search.Result().Interrupted, search: search, Behavior: "Table::Dine", Kind: "action"}
}

// stopper is a condition that never holds and cancels when it was asked often
// enough.
func stopper(cancel func(), after int) func(*exec.World) (bool, bool, error) {
	return func(*exec.World) (bool, bool, error) {
		if after--; after == 0 {
			cancel()
		}
		return false, true, nil
	}
}

// TestCyclesHaveShares explores an action that can go round for ever: its
// linearizations have no bound, and its outcomes exact shares.
func TestCyclesHaveShares(t *testing.T) {
	s := declared(t, `package P {
	action def A {
		attribute x = 0;
		first start;
		merge again;
		action turn { assign x := 1 - x; }
		decide more;
		action left;
		done;
		succession first start then again;
		succession first again then turn;
		succession first turn then more;
		succession first more if true then again;
		succession first more if true then left;
		succession first left then done;
	}
}`)
	x, err := s.Explore(context.Background(), ExploreRequest{Behavior: "P::A"})
	if err != nil || !x.Complete || !x.Cyclic || len(x.Outcomes) != 2 {
		t.Fatalf("%v: %+v", err, x)
	}
	// Leaving behind the first turn has 1/2, behind the third 1/8, and so on.
	for i, want := range []*big.Rat{big.NewRat(1, 3), big.NewRat(2, 3)} {
		o := x.Outcomes[i]
		if o.Linearizations != nil || o.Share == nil || o.Share.Cmp(want) != 0 {
			t.Errorf("%s: %v linearizations, share %v, want %v", o.Text(), o.Linearizations, o.Share, want)
		}
		w, err := x.Witness(o)
		if err != nil || len(w.Choices) != 2-i {
			t.Errorf("%s: %v, witness %v", o.Text(), err, w)
		}
	}
}

// TestBoundsAreNoOutcomes explores what has no end within its bounds.
func TestBoundsAreNoOutcomes(t *testing.T) {
	grows := `package P { action def A { attribute x = 0; first start; merge again; action more { assign x := x + 1; }
		succession first start then again; succession first again then more; succession first more then again; } }`
	stays := `package P { action def A { attribute x = 0; first start; then action more { while true { assign x := x + 1; } } then done; } }`
	for _, c := range []struct {
		text, bound string
		q           ExploreRequest
	}{
		{grows, "worlds budget 50 hit; --worlds 100 doubles it", ExploreRequest{Worlds: 50}},
		{branches(3, 2, true), "runs budget 3 hit; --runs 6 doubles it", ExploreRequest{Runs: 3}},
		{branches(3, 2, true), "depth budget 2 hit; --depth 4 doubles it", ExploreRequest{Depth: 2}},
		{stays, "evaluation step limit exceeded", ExploreRequest{}},
	} {
		x := explored(t, c.text, c.q)
		if x.Complete || x.Interrupted || len(x.Bounds) != 1 || !strings.Contains(x.Bounds[0].String(), c.bound) {
			t.Errorf("complete %v, bounds %v, want %q", x.Complete, x.Bounds, c.bound)
		}
		for _, o := range x.Outcomes {
			if o.Err != nil {
				t.Errorf("a bound became the outcome %s", o.Text())
			}
		}
	}
}
