package runtime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// lively has behaviours that end, wait, and go round.
const lively = `package P {
private import ScalarValues::*;
item def Ask;
item def Answer;
action Starve {
	attribute x : Integer := 0;
	attribute go : Boolean := true;
	first start;
	then fork f;
	then spin;
	then set;
	merge spin;
	then action turn { }
	then decide d;
	if go then spin;
	if not go then met;
	action set { assign go := false; assign x := 1; }
	then met;
	join met;
	then done;
}
action Choosy {
	attribute x : Integer := 0;
	first start;
	then merge spin;
	then action turn { }
	then decide d;
	if x == 0 then spin;
	if x == 0 then set;
	action set { assign x := 1; }
	then done;
}
action Race {
	attribute x : Integer := 0;
	first start;
	then fork f;
	then a;
	then b;
	action a { assign x := 1; }
	then met;
	action b { assign x := 2; }
	then met;
	join met;
	then done;
}
action Stuck {
	attribute x : Integer := 0;
	first start;
	then action a accept n : Integer;
	then action b { assign x := 1; }
	then done;
}
action Fails {
	attribute x : Integer := 0;
	first start;
	then action a { assign x := 1 / x; }
	then action b { assign x := 1; }
	then done;
}
action Blinks {
	attribute x : Integer := 0;
	first start;
	then fork f;
	then on;
	then wait;
	merge on;
	then action up { assign x := 1; }
	then action down { assign x := 0; }
	then on;
	action wait accept when x == 1;
	then action seen { assign x := 2; }
	then done;
}
state def Timer {
	attribute n : Integer := 0;
	entry; then a;
	state a;
	state b;
	transition first a accept after 1 do assign n := 1 - n then b;
	transition first b accept after 2 then a;
}
state def Asked {
	attribute n : Integer := 0;
	entry; then a;
	state a;
	state b;
	transition first a accept Ask do assign n := 1 then b;
}
part def Server {
	attribute busy : Boolean := false;
	exhibit state serve {
		entry; then idle;
		state idle;
		transition first idle accept Ask do assign busy := true then idle;
	}
}
part def Office {
	part server : Server;
	action polls {
		attribute turns : Integer := 0;
		first start;
		then action ask { send Ask() to server; }
		then merge again;
		then action look { assign turns := 1 - turns; }
		then decide d;
		if server.busy then over;
		if not server.busy then again;
		merge over;
		then done;
	}
	action waits {
		attribute turns : Integer := 0;
		first start;
		then merge again;
		then action look { assign turns := 1 - turns; }
		then decide d;
		if server.busy then over;
		if not server.busy then again;
		merge over;
		then done;
	}
}
}`

func eventually(t *testing.T, text string) Property {
	t.Helper()
	x, list := syntax.ParseExpression(source.NewFile("claim", text), 0, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatal(list)
	}
	return Property{Kind: explore.Eventually, Condition: x}
}

// TestEventually says how a property of kind Eventually is broken: by an end, by
// a deadlock, by an error, by a run that goes round; and that a run which starves
// a token, or a performer, does not break it.
func TestEventually(t *testing.T) {
	for _, c := range []struct{ behavior, on, claim, events, want string }{
		{behavior: "Starve", claim: "x == 1"},
		{behavior: "Starve", claim: "x == 7", want: "eventually after 9 moves: the run ends, and x == 7 was never true"},
		{behavior: "Choosy", claim: "x == 1", want: "eventually after 2 moves: 3 moves lead back to the same World, round and round, and x == 1 is never true"},
		{behavior: "Choosy", claim: "x == 0"},
		{behavior: "Race", claim: "x == 1"},
		{behavior: "Race", claim: "x == 0"},
		{behavior: "Race", claim: "x > 1"},
		{behavior: "Race", claim: "x == 3", want: "eventually after 6 moves: the run ends, and x == 3 was never true"},
		{behavior: "Stuck", claim: "x == 1", want: "eventually after 2 moves: the run is stuck, and x == 1 was never true"},
		{behavior: "Fails", claim: "x == 1", want: "eventually after 2 moves: the run fails, and x == 1 was never true"},
		{behavior: "Timer", claim: "n == 1"},
		{behavior: "Timer", claim: "n == 2", want: "lead back to the same World, round and round, and n == 2 is never true"},
		{behavior: "Timer", claim: `finalState == "b"`},
		{behavior: "Asked", claim: "n == 1", want: "eventually after 0 moves: the run ends, and n == 1 was never true"},
		{behavior: "Asked", claim: "n == 1", events: "Ask"},
		{behavior: "Office::polls", on: "office", claim: "server.busy"},
		{behavior: "Office::waits", on: "office", claim: "server.busy",
			want: "lead back to the same World, round and round, and server.busy is never true"},
		{behavior: "Office::waits", on: "office", claim: "turns == 1"},
	} {
		s := declared(t, lively)
		if c.on != "" {
			if _, err := s.Instantiate(context.Background(), "P::Office", c.on); err != nil {
				t.Fatal(err)
			}
		}
		q := ExploreRequest{Behavior: "P::" + c.behavior, On: c.on}
		if c.events != "" {
			q.Events = []Event{{Name: c.events}}
		}
		got := ""
		for workers := 1; workers <= 4; workers += 3 {
			q.Workers = workers
			v, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: q, Properties: []Property{eventually(t, c.claim)}})
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, y := range v.Violations {
				if y.Kind == "eventually" {
					text += y.Text
					if _, err := v.ViolationWitness(y); err != nil {
						t.Errorf("%s, eventually %s: no witness: %v", c.behavior, c.claim, err)
					}
				}
			}
			if !v.Complete || workers > 1 && text != got {
				t.Errorf("%s, eventually %s: complete %t, %q with %d workers, %q with one", c.behavior, c.claim, v.Complete, text, workers, got)
			}
			got = text
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, eventually %s: %q, want %q", c.behavior, c.claim, got, c.want)
		}
	}
}

// looping writes an action of two or three branches that may go round, over two
// features of few values.
func (r *random) looping() string {
	r.b.Reset()
	w := func(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }
	condition := func() string {
		return []string{"true", "x < 1", "x == 1", "y == 0", "y > 0", "x == y", "x + y < 2"}[r.IntN(7)]
	}
	body := func() string {
		v := []string{"x", "y"}[r.IntN(2)]
		return []string{"", fmt.Sprintf("assign %s := %d;", v, r.IntN(3)), fmt.Sprintf("assign %s := 1 - %s;", v, v), "assign x := y;"}[r.IntN(4)]
	}
	w("package P {\n action A {\n attribute x : ScalarValues::Integer := 0;\n attribute y : ScalarValues::Integer := 0;\n first start;\n then fork f;")
	branches := 1 + r.IntN(3)
	for i := range branches {
		w(" then m%d;", i)
	}
	for i := range branches {
		w(" merge m%d;\n then action a%d { %s }", i, i, body())
		switch c := condition(); r.IntN(6) {
		case 0:
			w(" then met;")
		case 1:
			w(" then m%d;", i)
		case 2:
			w(" then decide d%d;\n if %s then m%d;\n if %s then met;", i, c, i, condition())
		default:
			w(" then decide d%d;\n if %s then m%d;\n if not (%s) then met;", i, c, i, c)
		}
	}
	w(" join met;\n then done;\n }\n}")
	return r.b.String()
}

// A plainGraph is the graph of the Worlds of a behaviour, made by its moves alone.
type plainGraph struct {
	t     *testing.T
	start explore.Start
	holds func(*exec.World) (holds, decided bool, err error)
	ids   map[string]int
	nodes []*plainNode
	units map[string]bool
}

// A plainNode is a World where the condition does not hold, or an end.
type plainNode struct {
	open map[string]bool
	ways []plainWay
	ends bool
}

// A plainWay leads to a World where the condition does not hold.
type plainWay struct {
	to    int
	takes []string
}

// plainGraph is that of a request with one property.
func (s *Session) plainGraph(t *testing.T, q CheckRequest) *plainGraph {
	t.Helper()
	g := &plainGraph{t: t, ids: map[string]int{}, units: map[string]bool{}}
	list, err := s.properties(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	g.holds = list[0].Holds
	err = s.look(context.Background(), func(turn *turn) (err error) {
		g.start, _, _, err = turn.exploreFrom(q.ExploreRequest)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w := g.start.World.Copy()
	if err := g.start.Begin(&exec.Engine{World: w, Meter: budget.NewMeter(context.Background(), g.start.Budget), Resolver: schedule.Planned(nil)}); err != nil {
		t.Fatal(err)
	}
	g.add(w)
	return g
}

// add is the number of a World, whose moves are made where it is new; -1 where
// the condition holds in it, -2 where there are too many.
func (g *plainGraph) add(w *exec.World) int {
	if holds, _, err := g.holds(w); err != nil {
		g.t.Fatal(err)
	} else if holds {
		return -1
	}
	w.Sweep()
	key := string(w.Canonical(nil))
	if id, ok := g.ids[key]; ok {
		return id
	}
	if len(g.nodes) > 400 {
		return -2
	}
	id := len(g.nodes)
	g.ids[key] = id
	n := &plainNode{open: map[string]bool{}}
	g.nodes = append(g.nodes, n)
	look := exec.Engine{World: w.Copy(), Meter: budget.NewMeter(context.Background(), g.start.Budget), Resolver: schedule.Planned(nil)}
	runs := look.AbleRuns(nil)
	var takes [][]string // by run and token
	for _, run := range runs {
		name := fmt.Sprint("run ", run)
		tokens := look.AbleTokens(run)
		if len(tokens) == 0 {
			takes = append(takes, []string{name})
		}
		for _, token := range tokens {
			takes = append(takes, []string{name, name + "@" + token.Node, name + "=" + token.Standing})
		}
	}
	for _, list := range takes {
		for _, a := range list {
			n.open[a], g.units[a] = true, true
		}
	}
	g.moves(w, n, nil, takes)
	return id
}

// ofOneMove is a plan of the choices of a single move.
type ofOneMove struct {
	schedule.Planned
	plan []int
	made int
}

func (o *ofOneMove) Choose(c *schedule.Choice, _ *schedule.Cursor) (k int, _ *diagnostic.Diagnostic) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	if o.made < len(o.plan) {
		k = o.plan[o.made]
	}
	o.made++
	return k, nil
}

// moves makes the moves of a World that begin as planned. Behind the choice of
// the token, of which there is one run's, are those inside the move.
func (g *plainGraph) moves(w *exec.World, n *plainNode, plan []int, takes [][]string) {
	var taken []schedule.Taken
	e := &exec.Engine{World: w.Copy(), Meter: budget.NewMeter(context.Background(), g.start.Budget), Resolver: &ofOneMove{plan: plan},
		Chose: func(t schedule.Taken) { taken = append(taken, t) }}
	p, err := e.Move(g.start.Run)
	switch {
	case err != nil || p == exec.Resting || p == exec.Over:
		n.ends = true
	default:
		way := plainWay{to: g.add(e.World)}
		if len(takes) > 1 {
			way.takes = takes[taken[0].Index]
		} else if len(takes) == 1 {
			way.takes = takes[0]
		}
		n.ways = append(n.ways, way)
	}
	for i := len(plan); i < len(taken); i++ {
		for k := taken[i].Index + 1; k < len(taken[i].Alternatives); k++ {
			next := make([]int, i+1)
			for j := range i {
				next[j] = taken[j].Index
			}
			next[i] = k
			g.moves(w, n, next, takes)
		}
	}
}

// ends reports whether a run ends before the condition holds.
func (g *plainGraph) ends() bool {
	return slices.ContainsFunc(g.nodes, func(n *plainNode) bool { return n.ends })
}

// goesRound reports whether a fair run goes on for ever without the condition:
// the nodes from which one does are the greatest set in which each leads, for
// every alternative, within the set to a World where it is not open or along a
// way that takes it.
func (g *plainGraph) goesRound() bool {
	in := make([]bool, len(g.nodes))
	for i := range in {
		in[i] = true
	}
	for again := true; again; {
		again = false
		for a := range g.units {
			served := make([]bool, len(g.nodes))
			for more := true; more; {
				more = false
				for i, n := range g.nodes {
					for _, y := range n.ways {
						if in[i] && !served[i] && y.to >= 0 && in[y.to] && (!n.open[a] || slices.Contains(y.takes, a) || served[y.to]) {
							served[i], more = true, true
						}
					}
				}
			}
			for i := range in {
				if in[i] && !served[i] {
					in[i], again = false, true
				}
			}
		}
	}
	return slices.Contains(in, true)
}

// TestEventuallyIsThatOfPlainGraphs compares verdicts on generated actions with
// those of graphs that are made by moves alone, and goes along what breaks them.
func TestEventuallyIsThatOfPlainGraphs(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(11, 19))}
	models := generated(80, 3000)
	compared, ended, round := 0, 0, 0
	for i := 0; compared < models && i < 5*models && !t.Failed(); i++ {
		text := r.looping()
		s := declared(t, text)
		claim := eventually(t, []string{"x == 1", "y == 1", "x == 2", "x + y > 1", "x == y and x > 0"}[r.IntN(5)])
		q := CheckRequest{ExploreRequest: ExploreRequest{Behavior: "P::A", Workers: 1 + r.IntN(2)}, Properties: []Property{claim}}
		g := s.plainGraph(t, q)
		if len(g.nodes) > 400 {
			continue
		}
		compared++
		v, err := s.CheckBehavior(context.Background(), q)
		if err != nil || !v.Complete {
			t.Fatalf("%v, %+v\n%s", err, v, text)
		}
		var broken *explore.Violation
		for _, y := range v.Violations {
			if y.Property != "" {
				broken = y
			}
		}
		ends, goesRound := g.ends(), g.goesRound()
		q.Depth = 1 + r.IntN(6)
		bounded, err := s.CheckBehavior(context.Background(), q)
		if err != nil || !ends && !goesRound && slices.ContainsFunc(bounded.Violations, func(y *explore.Violation) bool { return y.Property != "" }) {
			t.Fatalf("%v: broken only where %d choices bound the search: %+v\n%s", err, q.Depth, bounded, text)
		}
		if broken == nil != (!ends && !goesRound) || broken != nil && broken.Cycle > 0 != (!ends && goesRound) {
			t.Fatalf("%s: %+v, but ends: %t, goes round: %t\n%s", claim.Condition.Span().Text(), broken, ends, goesRound, text)
		}
		if broken == nil {
			continue
		}
		g.follow(s, text, v, broken)
		if broken.Cycle > 0 {
			round++
		} else {
			ended++
		}
	}
	if compared < models || round < models/30 || ended < models/10 {
		t.Errorf("%d compared, %d with an end, %d that go round are too few", compared, ended, round)
	}
	t.Logf("%d compared, %d with an end, %d that go round", compared, ended, round)
}

// follow makes the moves of the witness of a violation: the condition holds
// nowhere, and a round leads back to the World where it began.
func (g *plainGraph) follow(s *Session, text string, v *Checking, y *explore.Violation) {
	g.t.Helper()
	way, err := v.ViolationWitness(y)
	if err != nil {
		g.t.Fatalf("%v\n%s", err, text)
	}
	if way.Round != y.Cycle {
		g.t.Fatalf("the witness goes round in %d moves, not %d", way.Round, y.Cycle)
	}
	e := &exec.Engine{World: g.start.World.Copy(), Meter: budget.NewMeter(context.Background(), g.start.Budget), Resolver: way.Resolver()}
	if err := g.start.Begin(e); err != nil {
		g.t.Fatal(err)
	}
	began := ""
	for i := range y.Moves {
		e.World.Sweep()
		if holds, _, _ := g.holds(e.World); holds {
			g.t.Fatalf("the condition holds after %d moves\n%s\n%s", i, way.Text(), text)
		}
		if i == y.Moves-y.Cycle {
			began = string(e.World.Canonical(nil))
		}
		if _, err := e.Move(g.start.Run); err != nil && i < y.Moves-1 {
			g.t.Fatalf("%v after %d of %d moves\n%s", err, i, y.Moves, text)
		}
	}
	e.World.Sweep()
	if y.Cycle > 0 && string(e.World.Canonical(nil)) != began {
		g.t.Fatalf("the round does not lead back\n%s\n%s", way.Text(), text)
	}
}
