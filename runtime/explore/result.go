package explore

import (
	"context"
	"math/big"
	"sort"
	"unsafe"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// An Outcome is one result that the behaviour can have.
type Outcome struct {
	*End
	// Visits are the states entered on the way, in order.
	Visits []string
	// Linearizations is how many ways to resolve the choices lead here; nil
	// where a cycle makes them infinite.
	Linearizations *big.Int
	// Share is the part of the schedule space that they carry: the product of
	// the shares taken at the choices of each, summed. nil where the
	// linearizations are infinite.
	Share *big.Rat

	path []int32
}

// A Result is what a Search has found.
type Result struct {
	Granularity Granularity
	// Complete says that everything was found: no bound was reached and the
	// search was not stopped.
	Complete    bool
	Bounds      []Bound
	Interrupted bool
	// Outcomes are sorted by their text, then by their visits.
	Outcomes []*Outcome
	// Linearizations is the sum over the outcomes; nil where a cycle makes it
	// infinite.
	Linearizations *big.Int
	// Runs is the number of path segments, Worlds of distinct Worlds, Moves
	// of moves made, Depth of moves on the longest of the shortest ways.
	Runs, Worlds, Moves, Depth int
	// Cyclic says that a run can come back to a World that it was in.
	Cyclic bool
	// Bytes is the memory that is kept of the Worlds: their keys, the graph of
	// moves between them, and the table that finds them.
	Bytes int64

	search *Search
}

// Result sums over what was found so far.
func (x *Search) Result() *Result {
	c := x.count()
	r := x.summary()
	for _, o := range c.found {
		r.Outcomes = append(r.Outcomes, &Outcome{End: x.ends[o.end], Visits: c.states(o.visits), Linearizations: o.count, Share: o.share, path: c.path(o)})
	}
	sort.Slice(r.Outcomes, func(i, j int) bool {
		a, b := r.Outcomes[i], r.Outcomes[j]
		if a.key != b.key {
			return a.key < b.key
		}
		return visitText(a.Visits) < visitText(b.Visits)
	})
	r.Linearizations = new(big.Int)
	for _, o := range r.Outcomes {
		if o.Linearizations == nil {
			r.Linearizations = nil
			break
		}
		r.Linearizations.Add(r.Linearizations, o.Linearizations)
	}
	for _, cyclic := range c.cyclic {
		if cyclic {
			r.Cyclic, r.Linearizations = true, nil
			break
		}
	}
	return r
}

// summary is what a Result says without its outcomes.
func (x *Search) summary() *Result {
	x.date()
	r := &Result{Granularity: x.options.Granularity, Bounds: x.bounds, Interrupted: !x.stopped && x.next < len(x.waiting),
		Runs: x.runs, Worlds: x.worlded, Moves: max(x.moves-1, 0), Depth: max(int(x.depth)-1, 0), Bytes: x.bytes(), search: x}
	r.Complete = len(r.Bounds) == 0 && !r.Interrupted
	return r
}

// bytes is the memory that is kept of the Worlds.
func (x *Search) bytes() int64 {
	return x.keys.bytes + int64(len(x.nodes))*int64(unsafe.Sizeof(node{})) + int64(len(x.edges))*int64(unsafe.Sizeof(edge{})) + 4*int64(len(x.known.slots))
}

// Witness walks the shortest way to an outcome again and writes down its
// choices and its trace.
func (r *Result) Witness(o *Outcome) (*schedule.Witness, error) {
	w, _, err := r.search.walk(o.path)
	return w, err
}

// walk makes the moves of a path of edges again. Worlds that are equal in
// canonical form may list their alternatives in another order, so each move is
// made in every way until the one is found that leads where the edge does.
//
// fails is the error that the way ends in.
func (x *Search) walk(path []int32) (_ *schedule.Witness, fails, _ error) {
	fresh := budget.NewMeter(context.Background(), x.start.Budget)
	m := newMover(&x.start, x.options.Granularity == Node, fresh)
	w := x.start.World
	out := &schedule.Witness{Draws: x.start.Draws, ClockStep: x.start.ClockStep, Nodes: x.options.Granularity == Node}
	var record trace.Recorder
	var taken []schedule.Taken
	for i, e := range path {
		plan, err := x.planFor(m, w, i == 0, e)
		if err != nil {
			return nil, nil, err
		}
		follow := planner{plan: plan, nodes: m.planner.nodes}
		meter := *fresh
		engine := exec.Engine{World: w.Branch(), Meter: &meter, Resolver: labelled{&follow}, Draws: x.start.Draws, ClockStep: x.start.ClockStep,
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
		if err != nil {
			out.Fails, fails = err.Error(), err
			break
		}
	}
	out.Choices = schedule.WitnessOf(taken)
	out.Trace = record.Text()
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
		if _, fails, err := x.walk(x.pathTo(e.node)); err == nil && fails != nil {
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
