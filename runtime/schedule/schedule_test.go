package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

func TestParsePolicy(t *testing.T) {
	for _, c := range []struct{ text, want, wantErr string }{
		{"", "reverse", ""},
		{"reverse", "reverse", ""},
		{"declared", "declared", ""},
		{"seed:1", "seed:1", ""},
		{"seed:9223372036854775807", "seed:9223372036854775807", ""},
		{"explore", "explore", ""},
		{"explore:runs=7", "explore:runs=7,depth=64", ""},
		{"explore:depth=0,runs=2", "explore:runs=2,depth=0", ""},
		{"explore:runs=1024,depth=64", "explore", ""},
		{"replay:a b.witness", "replay:a b.witness", ""},
		{"x", "", `invalid scheduling policy "x": want one of declared, reverse, seed:<n>, explore[:runs=<n>,depth=<d>], replay:<file>`},
		{"Reverse", "", "want one of"},
		{"replay:", "", "want one of"},
		{"seed:", "", `invalid scheduling policy "seed:": seed: needs a number`},
		{"seed", "", "seed: needs a number"},
		{"seed:x", "", `seed "x" is not a non-negative decimal integer`},
		{"seed:-1", "", `seed "-1" is not a non-negative decimal integer`},
		{"seed:9223372036854775808", "", "is not a non-negative decimal integer"},
		{"explore:runs=0", "", "runs must be at least 1"},
		{"explore:runs=1,runs=2", "", "each once"},
		{"explore:width=1", "", `explore has no bound "width"`},
		{"explore:", "", "explore takes"},
	} {
		p, d := schedule.ParsePolicy(c.text)
		switch {
		case c.wantErr == "" && d != nil:
			t.Errorf("%q: %v", c.text, d)
		case c.wantErr != "" && (d == nil || !strings.Contains(d.Message, c.wantErr)):
			t.Errorf("%q: got %v, want %q", c.text, d, c.wantErr)
		case c.wantErr == "" && p.String() != c.want:
			t.Errorf("%q: got %s, want %s", c.text, p, c.want)
		case c.wantErr == "":
			if again, _ := schedule.ParsePolicy(p.String()); again != p {
				t.Errorf("%q: %s reads back as %+v", c.text, p, again)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct{ name, text, want, wantErr string }{
		{"schedule", "seed:3", "seed:3", ""},
		{"schedule", "", "reverse", ""},
		{"seed", "-7", "-7", ""},
		{"seed", "0", "0", ""},
		{"seed", "off", "off", ""},
		{"seed", "1.5", "", `invalid seed "1.5": want a 64-bit integer, or off`},
		{"draws", "average", "average", ""},
		{"draws", "", "random", ""},
		{"draws", "mean", "", `invalid draw policy "mean": want one of random, min, max, average`},
		{"clock-step", "0.5", "0.5", ""},
		{"clock-step", "0", "off", ""},
		{"clock-step", "off", "off", ""},
		{"clock-step", "-1", "", "invalid clock step"},
		{"clock-step", "Inf", "", "invalid clock step"},
		{"speed", "1", "", `no setting "speed"`},
	} {
		var s schedule.Settings
		d := s.Set(c.name, c.text)
		if c.wantErr != "" {
			if d == nil || !strings.Contains(d.Message, c.wantErr) {
				t.Errorf("%s %q: got %v, want %q", c.name, c.text, d, c.wantErr)
			}
			if s != (schedule.Settings{}) {
				t.Errorf("%s %q: a refused text changed %+v", c.name, c.text, s)
			}
			continue
		}
		if d != nil || s.Get(c.name) != c.want {
			t.Errorf("%s %q: got %q (%v), want %q", c.name, c.text, s.Get(c.name), d, c.want)
		}
	}
	for _, name := range schedule.Names() {
		if (schedule.Settings{}).Get(name) == "" {
			t.Errorf("setting %s has no spelling", name)
		}
	}
}

func alternatives(labels ...string) []schedule.Alternative {
	var all []schedule.Alternative
	for _, l := range labels {
		label, weight, _ := strings.Cut(l, " p=")
		a := schedule.Alternative{Label: label}
		fmt.Sscan(weight, &a.Weight)
		all = append(all, a)
	}
	return all
}

func taken(kind schedule.Kind, where string, index int, labels ...string) schedule.Taken {
	return schedule.Taken{Choice: schedule.Choice{Kind: kind, Where: where, Alternatives: alternatives(labels...)}, Index: index}
}

func TestTakenText(t *testing.T) {
	drew := taken(schedule.Weighted, "step 2: decision pick", 1, "1->fast p=0.7", "2->slow p=0.3")
	drew.Drew, drew.HasDrawn = 0.75, true
	for _, c := range []struct {
		taken         schedule.Taken
		text, witness string
	}{
		{taken(schedule.TokenOrder, "step 3", 1, "2@a", "3@b", "4@c"),
			"step 3: tokens 2@a, 3@b, 4@c (unordered; took 3@b first)", "step 3: 3@b first of 2@a, 3@b, 4@c"},
		{taken(schedule.Write, "step 2", 0, "x := 1 by token 2", "x := 2 by token 3"),
			"step 2: writes x := 1 by token 2, x := 2 by token 3 (unordered; x := 1 by token 2 stood)", ""},
		{taken(schedule.Decision, "step 2: decision select", 1, "1->warn", "2->alarm"),
			"step 2: decision select branches 1->warn, 2->alarm hold (unordered; took 2->alarm)",
			"step 2: decision select -> 2->alarm among 1->warn, 2->alarm"},
		{drew, "step 2: decision pick branches 1->fast p=0.7, 2->slow p=0.3 hold (weighted; drew 0.75, took 2->slow)",
			"step 2: decision pick -> 2->slow among 1->fast p=0.7, 2->slow p=0.3 drew 0.75"},
		{taken(schedule.Weighted, "step 2: decision pick", 0, "1->fast p=0.7", "2->slow p=0.3"),
			"step 2: decision pick branches 1->fast p=0.7, 2->slow p=0.3 hold (weighted; took 1->fast)",
			"step 2: decision pick -> 1->fast among 1->fast p=0.7, 2->slow p=0.3"},
		{taken(schedule.Transition, "state idle on accept Go", 0, "1->low", "2->high"),
			"state idle on accept Go: transitions 1->low, 2->high (unordered; took 1->low)",
			"state idle on accept Go -> 1->low"},
		{taken(schedule.RegionOrder, "on accept Go", 0, "a1(exit)", "b1(exit)"),
			"on accept Go: next a1(exit), b1(exit) (unordered; took a1(exit) first)",
			"on accept Go: a1(exit) first of a1(exit), b1(exit)"},
		{taken(schedule.DoRound, "do round at t=0.0", 0, "lwork", "rwork"),
			"do round at t=0.0: states lwork, rwork react (unordered; took lwork first)", ""},
		{taken(schedule.JoinOrder, "join sync", 1, "l1", "r1"),
			"join sync: states l1, r1 react (unordered; took r1 first)", ""},
		{taken(schedule.EntryOrder, "entering work", 1, "left(entry)", "right(entry)"),
			"entering work: next left(entry), right(entry) (unordered; took right(entry) first)", ""},
		{taken(schedule.Due, "at t=5.0", 1, "action a", "action b"),
			"at t=5.0: due action a, action b (unordered; ran action b first)",
			"t=5.0: action b first of action a, action b"},
		{taken(schedule.Dispatch, "events at t=2.0", 0, "time a1 1->a2", "time b1 1->b2"),
			"events at t=2.0: time a1 1->a2, time b1 1->b2 (unordered; dispatched time a1 1->a2 first)", ""},
		{taken(schedule.Statements, "statements in action node s", 1, "1 if", "2 assign x"),
			"statements in action node s: next 1 if, 2 assign x (unordered; took 2 assign x first)", ""},
		{taken(schedule.TokenOrder, "step 1", 0, "1@a, b", "2@c"),
			"step 1: tokens 1@a, b, 2@c (unordered; took 1@a, b first)", `step 1: "1@a, b" first of "1@a, b", 2@c`},
	} {
		if got := c.taken.Text(); got != c.text {
			t.Errorf("text:\n got %s\nwant %s", got, c.text)
		}
		if got := c.taken.Witness(); c.witness != "" && got != c.witness {
			t.Errorf("witness:\n got %s\nwant %s", got, c.witness)
		}
	}
}

// The numbers were made with math/rand/v2 under Go 1.26, which keeps them in
// a regression test of its own.
func TestScheduleStream(t *testing.T) {
	p := schedule.Policy{Kind: schedule.Seeded, Seed: 1}
	stream := p.NewCursor().Stream
	var draws []int
	for range 12 {
		draws = append(draws, stream.Rand().IntN(2))
	}
	if got := fmt.Sprint(draws); got != "[1 0 0 0 0 0 0 0 1 0 1 0]" {
		t.Errorf("IntN(2): %s", got)
	}
	for _, c := range []struct {
		n    int
		want string
	}{{2, "[2 3]"}, {3, "[4 2 3]"}, {4, "[3 4 2 5]"}, {5, "[3 2 5 6 4]"}} {
		order := make([]int32, c.n)
		for i := range order {
			order[i] = int32(i + 2)
		}
		at := p.NewCursor()
		p.Resolver().Sweep(order, func(int32) bool { return false }, &at)
		if got := fmt.Sprint(order); got != c.want {
			t.Errorf("shuffle of %d: %s, want %s", c.n, got, c.want)
		}
	}
}

func TestSweep(t *testing.T) {
	for _, c := range []struct {
		policy string
		parked string // places held
		want   string
	}{
		{"reverse", "", "[3 2 1 0]"},
		{"declared", "", "[0 1 2 3]"},
		{"seed:1", "", "[1 2 0 3]"},
		{"seed:1", "13", "[0 1 2 3]"},   // 0 and 2 are free: the draw keeps two things in place
		{"seed:1", "1", "[3 1 0 2]"},    // three free slots
		{"seed:1", "0123", "[0 1 2 3]"}, // nothing is drawn
		{"explore", "", "[3 2 1 0]"},
	} {
		p, d := schedule.ParsePolicy(c.policy)
		if d != nil {
			t.Fatal(d)
		}
		at, before := p.NewCursor(), p.NewCursor()
		order := []int32{0, 1, 2, 3}
		p.Resolver().Sweep(order, func(place int32) bool { return strings.Contains(c.parked, fmt.Sprint(place)) }, &at)
		if got := fmt.Sprint(order); got != c.want {
			t.Errorf("%s, parked %q: %s, want %s", c.policy, c.parked, got, c.want)
		}
		if len(c.parked) == 4 && at != before {
			t.Errorf("%s, parked %q: the stream was touched", c.policy, c.parked)
		}
	}
}

func TestChoose(t *testing.T) {
	three := schedule.Choice{Kind: schedule.EntryOrder, Where: "entering s", Alternatives: alternatives("a", "b", "c")}
	due := schedule.Choice{Kind: schedule.Due, Where: "at t=5.0", Alternatives: alternatives("a", "b", "c")}
	only := schedule.Choice{Kind: schedule.EntryOrder, Alternatives: alternatives("a")}
	for _, c := range []struct {
		policy string
		choice schedule.Choice
		want   int
		made   int64
	}{
		{"reverse", three, 0, 1}, {"reverse", due, 2, 1}, {"reverse", only, 0, 0},
		{"declared", three, 0, 1}, {"declared", due, 0, 1},
		{"seed:1", only, 0, 0},
	} {
		p, _ := schedule.ParsePolicy(c.policy)
		at := p.NewCursor()
		got, d := p.Resolver().Choose(&c.choice, &at)
		if d != nil || got != c.want || at.Made != c.made || at.Stream != p.NewCursor().Stream {
			t.Errorf("%s %s: took %d (%v), %d made", c.policy, c.choice.Kind, got, d, at.Made)
		}
	}
	plan := schedule.Planned{2, 9}
	var at schedule.Cursor
	for i, want := range []int{2, 2, 0} {
		if got, _ := plan.Choose(&three, &at); got != want {
			t.Errorf("planned choice %d: %d, want %d", i, got, want)
		}
	}
}

// TestPauses pins where the bodies of tokens 1 to 4 pause under seed:1. Two
// tokens whose bodies read an attribute first, 2 and 3, pause right behind it.
func TestPauses(t *testing.T) {
	p := schedule.Policy{Kind: schedule.Seeded, Seed: 1}
	var got []string
	for token := int64(1); token <= 4; token++ {
		line := ""
		for boundary := int64(1); boundary <= 8; boundary++ {
			if p.Resolver().Pauses(token, boundary) {
				line += "p"
			} else {
				line += "."
			}
		}
		got = append(got, line)
	}
	want := "ppppppp. p.pp.p.. p..pp.pp p......p"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	if (schedule.Policy{}).Resolver().Pauses(1, 1) {
		t.Error("reverse pauses")
	}
}

func TestWitness(t *testing.T) {
	w := &schedule.Witness{
		Objects: []string{"#1 = car"}, Inputs: []string{"limit = 3"}, Draws: schedule.Max, ClockStep: 0.5,
		Drawn:   []string{"uniform(1, 80) = 80.0"},
		Choices: []string{"step 1: 3@b first of 2@a, 3@b", "state idle on accept Go -> 1->low"},
		Trace:   "step 1: token 2@a, token 3@b\nstep 2: no active tokens\n", Property: "x < 3",
	}
	again, d := schedule.ParseWitness(w.Text())
	if d != nil || again.Text() != w.Text() || again.Property != w.Property || len(again.Choices) != 2 || again.Trace != w.Trace {
		t.Errorf("%v: read back as %+v", d, again)
	}
	bare, d := schedule.ParseWitness("step 1: 3@b first of 2@a, 3@b\n")
	if d != nil || len(bare.Choices) != 1 || bare.Trace != "" {
		t.Errorf("%v: %+v", d, bare)
	}
	if _, d := schedule.ParseWitness("what is this\n"); d == nil || !strings.Contains(d.Message, "witness line 1") {
		t.Errorf("got %v", d)
	}
}

func TestReplay(t *testing.T) {
	w := &schedule.Witness{Choices: []string{
		"step 1: 3@b first of 2@a, 3@b", "step 2: decision pick -> 2->slow among 1->fast p=0.7, 2->slow p=0.3 drew 0.31", "step 3: 9@z first of 9@z, 8@y"}}
	r := w.Resolver()
	var at schedule.Cursor
	order := schedule.Choice{Kind: schedule.TokenOrder, Step: 1, Alternatives: alternatives("2@a", "3@b")}
	if i, d := r.Choose(&order, &at); d != nil || i != 1 {
		t.Errorf("first move: %d, %v", i, d)
	}
	pick := schedule.Choice{Kind: schedule.Weighted, Step: 2, Where: "decision pick", Alternatives: alternatives("1->fast p=0.7", "2->slow p=0.3")}
	if i, d := r.Choose(&pick, &at); d != nil || i != 1 {
		t.Errorf("second move: %d, %v", i, d)
	}
	_, d := r.Choose(&order, &at)
	if d == nil || !strings.HasPrefix(d.Message, "replay refused: move 3 (step 3: 9@z first of 9@z, 8@y): ") {
		t.Errorf("third move: %v", d)
	}
	if i, d := r.Choose(&order, &at); d != nil || i != 0 {
		t.Errorf("past the end: %d, %v", i, d)
	}
}

func FuzzParseWitness(f *testing.F) {
	f.Add("object #1 = car\nstep 1: 3@b first of 2@a, 3@b\n\nstep 1: token 2@a\n\nfails: division by zero\n")
	f.Add("\n\n\nproperty: x")
	f.Fuzz(func(t *testing.T, text string) {
		w, d := schedule.ParseWitness(text)
		if d != nil {
			return
		}
		again, d := schedule.ParseWitness(w.Text())
		if d != nil || strings.Join(again.Choices, "\n") != strings.Join(w.Choices, "\n") {
			t.Errorf("%q reads back as %+v (%v)", w.Text(), again, d)
		}
	})
}
