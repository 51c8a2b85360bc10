package explore

import (
	"context"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file decides properties of kind Eventually. Call a World late where the
// condition does not hold and has not held on some way there. The property is
// broken by a way through late Worlds to an end, and by a run that goes round
// among them for ever: in a strongly connected part of the late Worlds.
//
// Fairness. A model says which occurrences come before which; it knows no
// scheduler that holds one back for ever. So a run without an end counts only
// where it is weakly fair: what could act in each of its Worlds from some World
// on does act at some time. What acts are performers and the tokens of actions:
// fairness.go. More is not assumed: a decision may go the same way every time,
// whatever its weights are, and so may the choices inside one turn of a machine
// or of a nested action.

// A liveness decides one property.
type liveness struct {
	*Search
	property int
	// late are the late Worlds, the nearest first, with the start, which is no
	// World of the behaviour. by is the edge through which each is reached first
	// and before the node that it leaves; -1 for the start and what is not late.
	late       []int32
	by, before []int32
	isLate     []bool
	// part numbers the strongly connected parts of late Worlds from 1, in the
	// order in which they were closed; 0 for what no way leads back to.
	part  []int32
	parts int32
}

// livenessOf finds the late Worlds of a property.
func (x *Search) livenessOf(property int) *liveness {
	n := len(x.nodes)
	l := &liveness{Search: x, property: property, late: []int32{0}, by: make([]int32, n), before: make([]int32, n), isLate: make([]bool, n)}
	for i := range n {
		l.by[i], l.before[i] = -1, -1
	}
	l.isLate[0] = true
	for i := 0; i < len(l.late); i++ {
		l.eachEdge(l.late[i], func(k, to int32) {
			if !l.isLate[to] && !l.holds(to) {
				l.isLate[to], l.by[to], l.before[to] = true, k, l.late[i]
				l.late = append(l.late, to)
			}
		})
	}
	return l
}

func (x *Search) eachEdge(id int32, visit func(edge, to int32)) {
	n := &x.nodes[id]
	for k := n.first; k < n.first+n.count; k++ {
		visit(k, x.edges[k].to)
	}
}

// holds reports whether the condition holds in a World. That is known of all
// whose moves were made and of all that end; those that wait lead nowhere yet.
func (l *liveness) holds(id int32) bool {
	return int(id) < len(l.holding) && l.holding[id]&(1<<l.property) != 0
}

// way are the edges to a late World.
func (l *liveness) way(id int32) (path []int32) {
	for ; l.by[id] >= 0; id = l.before[id] {
		path = append(path, l.by[id])
	}
	slices.Reverse(path)
	return path
}

// end is the nearest late World that is an end; -1 for none.
func (l *liveness) end() int32 {
	for _, id := range l.late {
		if l.nodes[id].end >= 0 {
			return id
		}
	}
	return -1
}

// round is the nearest fair run that goes round among late Worlds: a way into a
// part, and a way round there, with the alternatives that its moves take; nil
// where there is none. The error is that of the context of f where it ends before
// that is known.
func (l *liveness) round(f *fairness) (path, cycle []int32, takes []string, err error) {
	l.connect()
	judged := make([]bool, l.parts+1)
	for _, id := range l.late {
		p := l.part[id]
		if p == 0 || judged[p] {
			continue
		}
		judged[p] = true
		fair, err := f.fair(p)
		if err != nil {
			return nil, nil, nil, err
		}
		if fair {
			cycle, takes, err = f.round(id)
			return l.way(id), cycle, takes, err
		}
	}
	return nil, nil, nil, nil
}

// A visit is a node whose edges are being followed.
type visit struct{ node, next int32 }

// connect numbers the strongly connected parts of late Worlds, by the algorithm
// of Tarjan without recursion.
func (l *liveness) connect() {
	n := len(l.nodes)
	l.part = make([]int32, n)
	number, low := make([]int32, n), make([]int32, n) // numbers from 1, in the order of visits
	closed := make([]bool, n)
	var stack []int32
	var visits []visit
	last := int32(0)
	open := func(id int32) {
		last++
		number[id], low[id] = last, last
		stack, visits = append(stack, id), append(visits, visit{node: id})
	}
	open(0)
	for len(visits) > 0 {
		v := &visits[len(visits)-1]
		id := v.node
		if v.next < l.nodes[id].count {
			to := l.edges[l.nodes[id].first+v.next].to
			v.next++
			switch {
			case !l.isLate[to] || closed[to]:
			case number[to] == 0:
				open(to)
			default:
				low[id] = min(low[id], number[to])
			}
			continue
		}
		if visits = visits[:len(visits)-1]; len(visits) > 0 {
			on := visits[len(visits)-1].node
			low[on] = min(low[on], low[id])
		}
		if low[id] < number[id] {
			continue
		}
		from := len(stack) - 1
		for stack[from] != id {
			from--
		}
		l.closePart(stack[from:], closed)
		stack = stack[:from]
	}
}

// closePart numbers a part, where a way leads round in it.
func (l *liveness) closePart(nodes []int32, closed []bool) {
	round := len(nodes) > 1
	for _, id := range nodes {
		closed[id] = true
		l.eachEdge(id, func(_, to int32) { round = round || to == id })
	}
	if !round {
		return
	}
	l.parts++
	for _, id := range nodes {
		l.part[id] = l.parts
	}
}

// eventually finds how a property of kind Eventually is broken, as far as the
// search went; broken is false where it is not.
func (x *Search) eventually(ctx context.Context, y *Violation) (broken bool, err error) {
	l := x.livenessOf(y.property)
	text := x.properties[y.property].Text
	if id := l.end(); id >= 0 {
		y.path = l.way(id)
		y.Moves = max(len(y.path)-1, 0) // the start is none
		how := "the run ends"
		if e := x.ends[x.nodes[id].end]; e.Deadlocked() {
			how = "the run is stuck"
		} else if e.Err != nil {
			how = "the run fails"
		}
		y.Text = y.Kind + " after " + moves(y.Moves) + ": " + how + ", and " + text + " was never true"
		return true, nil
	}
	stem, cycle, takes, err := l.round(newFairness(ctx, l))
	if err != nil || len(cycle) == 0 {
		return false, err
	}
	y.path, y.takes = append(stem, cycle...), takes
	y.Moves, y.Cycle = len(y.path)-1, len(cycle)
	lead := " lead"
	if y.Cycle == 1 {
		lead = " leads"
	}
	y.Text = y.Kind + " after " + moves(y.Moves-y.Cycle) + ": " + moves(y.Cycle) + lead + " back to the same World, round and round, and " + text + " is never true"
	return true, nil
}

// lateWitness walks the way on which the condition of a property never holds.
func (x *Search) lateWitness(y *Violation) (*schedule.Witness, error) {
	l := &liveness{Search: x, property: y.property}
	r := route{edges: y.path, decisive: x.closing(y.path, x.reaching(l.holds)), takes: y.takes, fairness: newFairness(context.Background(), l)}
	w, _, err := x.walk(r)
	if err == nil {
		w.Property = y.Property
	}
	return w, err
}
