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
	w, _, err := x.walk(path, decisive)
	return w, err
}

// decisive is the move of a path after which every order ends as settled has
// it; -1 where they all do from the start.
func (x *Search) decisive(path []int32, settled func(*End) bool) int {
	open := x.open(settled)
	from := int32(0)
	for i, e := range path {
		to := x.edges[e].to
		if open[from] && !open[to] {
			return i
		}
		from = to
	}
	return -1
}

// open says from which nodes an end can be reached that is not as settled has
// it, those included whose moves were not made.
func (x *Search) open(settled func(*End) bool) []bool {
	open := make([]bool, len(x.nodes))
	for _, id := range x.waiting[x.next:] {
		open[id] = true
	}
	for i := range x.nodes {
		if e := x.nodes[i].end; e >= 0 && !settled(x.ends[e]) {
			open[i] = true
		}
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

// walk makes the moves of a path of edges again. Worlds that are equal in
// canonical form may list their alternatives in another order, so each move is
// made in every way until the one is found that leads where the edge does.
//
// fails is the error that the way ends in. The choices of the move number
// decisive, -1 for none, are marked.
func (x *Search) walk(path []int32, decisive int) (_ *schedule.Witness, fails, _ error) {
	fresh := budget.NewMeter(context.Background(), x.start.Budget)
	m := newMover(&x.start, x.options.Granularity == Node, fresh)
	w := x.start.World
	out := &schedule.Witness{Draws: x.start.Draws, ClockStep: x.start.ClockStep, Nodes: x.options.Granularity == Node}
	path, at := x.unfolded(path)
	if decisive >= 0 {
		decisive = at[decisive]
	}
	var record recording
	var taken []schedule.Taken
	for i, e := range path {
		plan, err := x.planFor(m, w, i == 0, e)
		if err != nil {
			return nil, nil, err
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
		if _, fails, err := x.walk(x.pathTo(e.node), -1); err == nil && fails != nil {
			if d := diagnostic.Of(fails)[0]; timeless(d.Message) == timeless(e.Err.Message) {
				e.Err = d
			}
		}
	}
}

// labelled is a planner whose labels are read.
type labelled struct{ schedule.Resolver }

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
