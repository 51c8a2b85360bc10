package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
)

// graphLines is a graph as text, without what pointers would add to it.
func graphLines(g *explore.Graph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %v %v %d\n", g.Worlds, g.Moves, g.Complete, g.Whole, g.Along)
	for _, n := range g.Nodes {
		end := ""
		if n.End != nil {
			end = n.End.Text()
		}
		n.End = nil
		fmt.Fprintf(&b, "%+v %q\n", n, end)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%+v\n", e)
	}
	return b.String()
}

// checkGraph verifies that every node can be reached, that every outcome that
// there is room for is drawn, and that the marked way leads from the initial
// World to its finding.
func checkGraph(t *testing.T, text string, x *Exploration, g *explore.Graph) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf(format+"\n%s\n%s", append(args, graphLines(g), text)...)
	}
	reached := make([]bool, len(g.Nodes))
	reached[0] = true
	on, way := 0, map[int]int{}
	for again := true; again; {
		again = false
		for _, e := range g.Edges {
			if reached[e.From] && !reached[e.To] {
				reached[e.To], again = true, true
			}
		}
	}
	pairs := map[[2]int]bool{}
	for _, e := range g.Edges {
		if pairs[[2]int{e.From, e.To}] {
			fail("two edges lead from %d to %d", e.From, e.To)
		}
		pairs[[2]int{e.From, e.To}] = true
		if e.Ways < len(e.Labels) || e.Ways < 1 {
			fail("%d ways have the labels %q", e.Ways, e.Labels)
		}
		if e.OnWay {
			way[e.From] = e.To
		}
	}
	found := map[int]bool{}
	for i, n := range g.Nodes {
		if !reached[i] {
			fail("nothing leads to node %d", i)
		}
		if n.Start != (i == 0) {
			fail("node %d: start %v", i, n.Start)
		}
		for _, k := range n.Findings {
			found[k] = true
		}
	}
	for k := range x.Outcomes {
		if !found[k+1] {
			fail("outcome %d is not drawn", k+1)
		}
	}
	for range way {
		to, ok := way[on]
		if !ok {
			break
		}
		on = to
	}
	if g.Along > 0 && !strings.Contains(fmt.Sprint(g.Nodes[on].Findings), fmt.Sprint(g.Along)) {
		fail("the way to outcome %d leads to node %d", g.Along, on)
	}
}

// TestGraphsShowEveryOutcome draws the graphs of generated actions and
// machines whole and in groups, after searches with one worker and with several.
func TestGraphsShowEveryOutcome(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(5, 9))}
	grouped := 0
	for i := range generated(60, 400) {
		text, q := "", ExploreRequest{Behavior: "P::A", Worlds: 5000}
		if i%3 == 0 {
			text, q.Events = r.machine()
		} else {
			text = r.action()
		}
		s := declared(t, text)
		var want []string
		for _, workers := range []int{1, 3} {
			q.Workers = workers
			x, err := s.Explore(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			if len(x.Outcomes) == 0 || len(x.Outcomes) > 12 {
				continue
			}
			for k, most := range []int{1000, 6} {
				g, err := s.Graph(context.Background(), x, len(x.Outcomes), most)
				if err != nil {
					t.Fatal(err)
				}
				checkGraph(t, text, x, g)
				if lines := graphLines(g); workers == 1 {
					want = append(want, lines)
				} else if want[k] != lines {
					t.Errorf("3 workers give\n%s\none gives\n%s", lines, want[k])
				}
				if !g.Whole {
					grouped++
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	if grouped < 20 {
		t.Errorf("only %d graphs had groups", grouped)
	}
}

// TestGraphsOfLargeSearches: the way to the deadlock is whole, and the rest is
// in groups, where most orders were left out as well as where none was.
func TestGraphsOfLargeSearches(t *testing.T) {
	s := declared(t, philosophers(6))
	q := ExploreRequest{Behavior: "Table::Dine", Granularity: explore.Node}
	c, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: q})
	if err != nil || len(c.Violations) != 1 {
		t.Fatalf("%v: %+v", err, c)
	}
	g, err := s.Graph(context.Background(), c, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	inGroups, onWay := 0, 0
	for _, n := range g.Nodes {
		inGroups += n.Size
	}
	for _, e := range g.Edges {
		if e.OnWay {
			onWay++
		}
	}
	if g.Whole || !g.Complete || g.Along != 1 || len(g.Nodes) > 20 || onWay != 7 || inGroups < g.Worlds-20 {
		t.Errorf("%d in groups, %d on the way\n%s", inGroups, onWay, graphLines(g))
	}
	// Explored apart, a graph needs a search of its own; it is bounded.
	s = declared(t, branches(9, 6, false))
	x, err := s.Explore(context.Background(), ExploreRequest{Behavior: "P::A"})
	if err != nil || !x.Apart {
		t.Fatalf("%v: apart %v", err, x.Apart)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Graph(ctx, x, 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := s.Graph(context.Background(), x, 2, 0); err == nil {
		t.Error("there is no outcome 2, and it was drawn")
	}
}

// TestLongWaysAreCut: of a way with many choices, both ends are drawn.
func TestLongWaysAreCut(t *testing.T) {
	s := declared(t, branches(2, 60, true))
	x, err := s.Explore(context.Background(), ExploreRequest{Behavior: "P::A", Granularity: explore.Node})
	if err != nil || !x.Complete {
		t.Fatal(err)
	}
	g, err := s.Graph(context.Background(), x, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	checkGraph(t, "two branches", x, g)
	cut := 0
	for _, n := range g.Nodes {
		if n.Cut {
			cut = n.Size
		}
	}
	if cut != 37 {
		t.Errorf("%d Worlds were cut out\n%s", cut, graphLines(g))
	}
}

func BenchmarkGraph(b *testing.B) {
	s := declared(b, philosophers(3))
	x, err := s.Explore(context.Background(), ExploreRequest{Behavior: "Table::Dine", Granularity: explore.Node})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Graph(context.Background(), x, 0, 150); err != nil {
			b.Fatal(err)
		}
	}
}
