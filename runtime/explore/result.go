package explore

import (
	"context"
	"math/big"
	"sort"
	"unsafe"

	"github.com/orrery-sysml/orrery/runtime/schedule"
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
	// infinite, or where it is Uncounted.
	Linearizations *big.Int
	// Runs is the number of path segments, Worlds of distinct Worlds, Moves
	// of moves made, Depth of moves on the longest of the shortest ways.
	Runs, Worlds, Moves, Depth int
	// Apart says that tokens which have nothing to do with each other were
	// explored apart: Worlds then counts those of the parts, not all that they
	// can be put together to.
	Apart bool
	// Cyclic says that a run can come back to a World that it was in.
	Cyclic bool
	// Uncounted says that it was interrupted before the linearizations were
	// summed: no outcome has their number and its share then.
	Uncounted bool
	// Bytes is the memory that is kept of the Worlds: their keys, the graph of
	// moves between them, and the table that finds them.
	Bytes int64

	search *Search
}

// Result sums over what was found so far, however long that takes.
func (x *Search) Result() *Result { return x.ResultWithin(context.Background()) }

// ResultWithin is Result, but that it sums over no more than 100,000 moves once
// ctx has ended: then outcomes are listed without numbers, each with the way on
// which it was found.
func (x *Search) ResultWithin(ctx context.Context) *Result {
	c := x.count(ctx)
	r := x.summary()
	r.Uncounted = c.ended
	for _, o := range c.found {
		if c.ended {
			o.share = nil
		}
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
	if r.Uncounted {
		r.Linearizations = nil
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
		Runs: x.runs, Worlds: x.distinct, Moves: max(x.moves-1, 0), Depth: max(int(x.depth)-1, 0), Bytes: x.bytes(), Apart: len(x.joints) > 0, search: x}
	r.Complete = len(r.Bounds) == 0 && !r.Interrupted
	return r
}

// bytes is the memory that is kept of the Worlds.
func (x *Search) bytes() int64 {
	return x.keys.bytes + int64(len(x.nodes))*int64(unsafe.Sizeof(node{})) + int64(len(x.edges))*int64(unsafe.Sizeof(edge{})) + int64(len(x.known.slots))*int64(unsafe.Sizeof(slot{}))
}

// Witness walks the shortest way to an outcome again and writes down its
// choices and its trace.
func (r *Result) Witness(o *Outcome) (*schedule.Witness, error) {
	return r.search.witness(o.path, func(e *End) bool { return e == o.End })
}
