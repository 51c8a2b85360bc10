package explore

import (
	"context"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file walks ways through the graph again and writes them down.

// witness is the witness of a path that ends as settled has it, with the choice
// after which there is no other end.
func (x *Search) witness(path []int32, settled func(*End) bool) (*schedule.Witness, error) {
	decisive := x.decisive(path, settled)
	if decisive >= 0 && x.ways.list[x.edges[path[decisive]].way].joint > 0 {
		decisive = -1 // the groups decide it together
	}
	w, _, err := x.walk(route{edges: path, decisive: decisive})
	return w, err
}

// decisive is the move of a path after which every order ends as settled has
// it; -1 where they all do from the start.
func (x *Search) decisive(path []int32, settled func(*End) bool) int {
	return x.closing(path, x.reaching(func(id int32) bool {
		e := x.nodes[id].end
		return e >= 0 && !settled(x.ends[e])
	}))
}

// closing is the move of a path that leads from a node of a set to one that is
// not in it; -1 for none.
func (x *Search) closing(path []int32, set []bool) int {
	from := int32(0)
	for i, e := range path {
		to := x.edges[e].to
		if set[from] && !set[to] {
			return i
		}
		from = to
	}
	return -1
}

// reaching says from which nodes one that is sought can be reached, those
// included whose moves were not made.
func (x *Search) reaching(sought func(id int32) bool) []bool {
	open := make([]bool, len(x.nodes))
	for _, id := range x.waiting[x.next:] {
		open[id] = true
	}
	for i := range x.nodes {
		open[i] = open[i] || sought(int32(i))
	}
	for again := true; again; { // edges lead back in cycles alone
		again = false
		for i := len(x.nodes) - 1; i >= 0; i-- {
			n := &x.nodes[i]
			for k := n.first; k < n.first+n.count && !open[i]; k++ {
				if open[x.edges[k].to] {
					open[i], again = true, true
				}
			}
		}
	}
	return open
}

// lastChoice is the last move of a path that had a choice; -1 for none.
func (x *Search) lastChoice(path []int32) int {
	for i := len(path) - 1; i >= 0; i-- {
		if x.ways.list[x.edges[path[i]].way].choices > 0 {
			return i
		}
	}
	return -1
}

// A recording keeps a trace, and those of its events that a timeline shows.
type recording struct {
	trace.Recorder
	events []trace.Event
}

func (r *recording) Observe(e trace.Event) {
	switch e.Kind {
	case trace.Step, trace.EnterState, trace.ExitState:
		r.events = append(r.events, e)
	}
	r.Recorder.Observe(e)
}

// A route is a way to be walked again.
type route struct {
	edges []int32
	// decisive is the move whose choices are marked; -1 for none.
	decisive int
	// takes are the alternatives that the last moves take, which go round in a
	// cycle; fairness tells what a move takes.
	takes    []string
	fairness *fairness
}

// walk makes the moves of a path of edges again. Worlds that are equal in
// canonical form may list their alternatives in another order, so each move is
// made in every way until the one is found that leads where the edge does.
//
// fails is the error that the way ends in.
func (x *Search) walk(r route) (_ *schedule.Witness, fails, _ error) {
	fresh := budget.NewMeter(context.Background(), x.start.Budget)
	m := newMover(&x.start, x.options.Granularity == Node, fresh)
	w := x.start.World
	out := &schedule.Witness{Draws: x.start.Draws, ClockStep: x.start.ClockStep, Nodes: x.options.Granularity == Node}
	path, at := x.unfolded(r.edges)
	decisive := r.decisive
	if decisive >= 0 {
		decisive = at[decisive]
	}
	var record recording
	var taken []schedule.Taken
	behind := 0 // the length of the trace before a cycle
	for i, e := range path {
		plan, err := x.planOn(m, w, &r, i, e)
		if err != nil {
			return nil, nil, err
		}
		if len(r.takes) > 0 && i == len(path)-len(r.takes) {
			out.Round, out.Stem = len(r.takes), i-1 // the start is no move
			out.Behind, behind = len(schedule.WitnessOf(taken)), len(record.Text())
		}
		before := len(taken)
		follow := planner{plan: plan, nodes: m.planner.nodes}
		meter := *fresh
		engine := exec.Engine{World: w.Branch(), Meter: &meter, Resolver: labelled{&follow}, Draws: x.start.Draws, ClockStep: x.start.ClockStep, Others: x.start.others,
			Chose: func(t schedule.Taken) { taken = append(taken, t) }}
		if i > 0 {
			engine.Observer = &record
			_, err = engine.Move(x.start.Run)
		} else {
			err = x.start.Begin(&engine)
			engine.Observer = &record
		}
		w = engine.World
		w.Sweep()
		if i == decisive {
			out.Decisive = strings.Join(schedule.WitnessOf(taken[before:]), "; ")
			if i := slices.IndexFunc(taken[before:], func(t schedule.Taken) bool { return t.Kind != schedule.Write }); i >= 0 {
				out.DecisiveStep = taken[before+i].Step
			}
		}
		if err != nil {
			out.Fails, fails = err.Error(), err
			break
		}
	}
	out.Choices = schedule.WitnessOf(taken)
	out.Trace, out.Events = record.Text(), record.events
	if out.Round > 0 {
		out.Trace = out.Trace[:behind] + "-- round and round from here --\n" + out.Trace[behind:]
	}
	return out, fails, nil
}

// date makes the errors of deadlocks say since when something waits, on the way
// on which they were found: moves of a search count no steps.
func (x *Search) date() {
	for _, e := range x.ends {
		if e.Err == nil || e.dated || timeless(e.Err.Message) == e.Err.Message {
			continue
		}
		e.dated = true
		if _, fails, err := x.walk(route{edges: x.pathTo(e.node), decisive: -1}); err == nil && fails != nil {
			if d := diagnostic.Of(fails)[0]; timeless(d.Message) == timeless(e.Err.Message) {
				e.Err = d
			}
		}
	}
}

// labelled is a planner whose labels are read.
type labelled struct{ schedule.Resolver }

// planOn is the plan of move i of a route, which goes along an edge.
func (x *Search) planOn(m *mover, w *exec.World, r *route, i int, by int32) ([]int32, error) {
	if k := i - (len(r.edges) - len(r.takes)); len(r.takes) > 0 && k >= 0 && r.takes[k] != "" {
		for _, t := range r.fairness.open(m, &r.fairness.cut, w).turns {
			if t.to == x.edges[by].to && slices.Contains(t.takes, r.takes[k]) {
				return t.plan, nil
			}
		}
	}
	return x.planFor(m, w, i == 0, by)
}

// planFor is the plan with which the move of w goes where an edge goes.
func (x *Search) planFor(m *mover, w *exec.World, root bool, by int32) ([]int32, error) {
	e := x.edges[by]
	to := x.nodes[e.to]
	if to.part {
		return x.planOfPart(m, w, &x.ways.list[e.way]), nil
	}
	steps, _ := m.expand(w, [][]int32{nil}, root, false, nil)
	for i := range steps {
		s := &steps[i]
		if s.err == nil {
			s.world.Sweep()
		}
		switch {
		case visitText(s.visits) != visitText(x.visits[x.ways.list[e.way].visits]):
		case s.err != nil && to.end >= 0 && x.ends[to.end].Err != nil && failure(s.err) == x.ends[to.end].key:
			return s.plan, nil
		case s.err == nil && string(x.key(m, s.world)) == string(x.keys.at(to.key)):
			return s.plan, nil
		}
	}
	return nil, errLost
}

var lost = diagnostic.Register("witness-lost",
	"A way that an exploration found cannot be walked again. This is a fault of the workbench.")

var errLost = diagnostic.New(lost, source.Span{}, "the way to the outcome cannot be walked again")

// planOfPart is the plan of an edge between nodes of one group, whose tokens
// stand as they do there, and those of others elsewhere.
func (x *Search) planOfPart(m *mover, w *exec.World, y *way) []int32 {
	m.vector, _ = x.alphabet.vector(m, w, m.vector[:0])
	plan := x.planOf(y.plan)
	if place, able := x.alphabet.placeOf(m.tokens, y.actor-1); able > 1 {
		plan = append([]int32{place}, plan...)
	}
	return plan
}
