package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// lateGraph is a small random graph: node 0 leads to node 1, three performers
// can act in some of the others, each by one or two ways, by themselves or as a
// token that stands somewhere; where none can, the clock moves or the run ends.
func lateGraph(r *rand.Rand) (*liveness, *fairness) {
	x := &Search{properties: []Property{{Kind: Eventually, Text: "p"}}, lively: true}
	n := 3 + r.IntN(6)
	f := &fairness{ctx: context.Background(), openings: map[int32]*opening{}}
	for id := range int32(n) {
		o := &opening{}
		var ways []int32
		to := func() int32 { return 1 + int32(r.IntN(n-1)) }
		switch kind := r.IntN(12); {
		case id == 0:
			ways = []int32{1}
		case kind == 0:
		case kind == 1:
			ways = []int32{to()}
		default:
			for p := range 3 {
				if r.IntN(3) == 0 {
					continue
				}
				takes := []string{fmt.Sprint(p)}
				if r.IntN(2) == 0 {
					takes = append(takes, fmt.Sprint(p, "@", r.IntN(2)))
				}
				o.alternatives = append(o.alternatives, takes...)
				for range 1 + r.IntN(2) {
					ways = append(ways, to())
					o.turns = append(o.turns, turn{to: ways[len(ways)-1], takes: takes})
				}
			}
		}
		slices.Sort(o.alternatives)
		f.openings[id] = o
		y := node{first: int32(len(x.edges)), count: int32(len(ways)), end: -1}
		if len(ways) == 0 {
			y.end = 0
		}
		x.nodes = append(x.nodes, y)
		for _, to := range ways {
			x.edges = append(x.edges, edge{to: to})
		}
		x.holding = append(x.holding, 0)
		if id > 0 && r.IntN(5) == 0 {
			x.holding[id] = 1
		}
	}
	l := x.livenessOf(0)
	f.liveness = l
	return l, f
}

// visitsFor reports whether a run can visit exactly the nodes of a set again and
// again and be fair.
func (f *fairness) visitsFor(set []int32) bool {
	in := func(id int32) bool { return slices.Contains(set, id) }
	for _, from := range set { // each leads to each
		reached := []int32{}
		for at := []int32{from}; len(at) > 0; at = at[1:] {
			f.eachEdge(at[0], func(_, to int32) {
				if in(to) && !slices.Contains(reached, to) {
					reached, at = append(reached, to), append(at, to)
				}
			})
		}
		if len(reached) < len(set) {
			return false
		}
	}
	for _, a := range f.openings[set[0]].alternatives {
		open, taken := true, false
		for _, id := range set {
			o := f.openings[id]
			open = open && slices.Contains(o.alternatives, a)
			taken = taken || slices.ContainsFunc(o.turns, func(t turn) bool { return in(t.to) && slices.Contains(t.takes, a) })
		}
		if open && !taken {
			return false
		}
	}
	return true
}

// TestLivenessIsThatOfEverySetOfNodes looks for an end, and for the sets of nodes
// that a fair run can visit for ever, among all sets, and compares.
func TestLivenessIsThatOfEverySetOfNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	ends, rounds, starving := 0, 0, 0
	for i := range 4000 {
		l, f := lateGraph(r)
		late := l.late[1:]
		wantRound, connected := false, false
		for bits := 1; bits < 1<<len(late); bits++ {
			var set []int32
			for k, id := range late {
				if bits&(1<<k) != 0 {
					set = append(set, id)
				}
			}
			wantRound = wantRound || f.visitsFor(set)
		}
		wantEnd := slices.ContainsFunc(late, func(id int32) bool { return l.nodes[id].end >= 0 })
		end := l.end()
		stem, cycle, takes, err := l.round(f)
		connected = l.parts > 0
		if err != nil || end >= 0 != wantEnd || len(cycle) > 0 != wantRound {
			t.Fatalf("graph %d: end %d, want one: %t; round of %d moves, want one: %t (%v)\n%+v\n%+v", i, end, wantEnd, len(cycle), wantRound, err, l.nodes, l.edges)
		}
		if wantEnd {
			ends++
			checkWay(t, l, l.way(end), end)
		}
		switch {
		case wantRound:
			rounds++
			checkWay(t, l, append(stem, cycle...), l.edges[stem[len(stem)-1]].to)
			f.checkRound(t, l.edges[stem[len(stem)-1]].to, cycle, takes)
		case connected:
			starving++
		}
	}
	if ends < 500 || rounds < 500 || starving < 100 {
		t.Errorf("%d ends, %d rounds and %d parts in which something starves are too few to tell", ends, rounds, starving)
	}
}

// checkWay checks that a path goes from the start through late nodes to one.
func checkWay(t *testing.T, l *liveness, path []int32, last int32) {
	t.Helper()
	at := int32(0)
	for _, e := range path {
		if n := &l.nodes[at]; e < n.first || e >= n.first+n.count {
			t.Fatalf("edge %d does not leave node %d", e, at)
		}
		if at = l.edges[e].to; l.holds(at) {
			t.Fatalf("the condition holds in node %d", at)
		}
	}
	if at != last {
		t.Fatalf("the way leads to node %d, not to %d", at, last)
	}
}

// checkRound checks that what is open in all nodes of a cycle is taken in it.
func (f *fairness) checkRound(t *testing.T, root int32, cycle []int32, takes []string) {
	t.Helper()
	var nodes []int32
	taken := map[string]bool{}
	at := root
	for i, e := range cycle {
		nodes = append(nodes, at)
		to := f.edges[e].to
		for _, y := range f.openings[at].turns {
			if y.to == to && slices.Contains(y.takes, takes[i]) {
				for _, a := range y.takes {
					taken[a] = true
				}
				break
			}
		}
		at = to
	}
	for _, a := range f.openings[root].alternatives {
		open := true
		for _, id := range nodes {
			open = open && slices.Contains(f.openings[id].alternatives, a)
		}
		if open && !taken[a] {
			t.Fatalf("%q is open all round %v, and never taken by %q", a, nodes, takes)
		}
	}
}
