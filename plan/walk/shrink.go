package walk

import (
	"context"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// towards is a Guide that takes the options of an assignment where it can.
type towards map[string]int

// Pick is the option of the assignment, or the first that survives.
func (t towards) Pick(a *axis.Axis, survivors []int, _ axis.Path) int {
	if want, ok := t[a.ID]; ok {
		for _, i := range survivors {
			if i == want {
				return i
			}
		}
	}
	return survivors[0]
}

// toward is the run of a leaf that takes the options of p as far as it can.
func toward(ctx context.Context, t leaf.Test, request leaf.Request, p axis.Path) *leaf.Run {
	g := towards{}
	for _, x := range p {
		g[x.Axis.ID] = x.Index
	}
	request.Prefix, request.Guide = nil, g
	return t.Run(ctx, request)
}

// maxShrinkRuns bounds the runs of one search.
const maxShrinkRuns = 200

// Shrink moves the axes of a failing leaf to earlier options as long as it
// fails in the same way, to a fixed point. free are the axes of the leaf found
// whose option does not matter: each was moved to another option, alone, and
// the leaf failed as before.
func Shrink(ctx context.Context, t leaf.Test, request leaf.Request, p axis.Path, same func(*leaf.Run) bool) (least axis.Path, free []string, runs int) {
	try := func(q axis.Path) (axis.Path, bool) {
		if runs >= maxShrinkRuns || ctx.Err() != nil {
			return nil, false
		}
		runs++
		r := toward(ctx, t, request, q)
		if r.Removed != nil || !same(r) {
			return nil, false
		}
		return r.Path.Fanned(), true
	}
	with := func(p axis.Path, k, i int) axis.Path {
		q := append(axis.Path(nil), p...)
		q[k].Index = i
		return q
	}
	least = p
	for changed := true; changed; {
		changed = false
		for k := 0; k < len(least); k++ {
			for i := range least[k].Index {
				if q, ok := try(with(least, k, i)); ok && q.Compare(least) < 0 {
					least, changed = q, true
					break
				}
			}
		}
	}
	for k, x := range least {
		other := 0
		matters := false
		for i := range x.Axis.Options {
			if i == x.Index {
				continue
			}
			if _, ok := try(with(least, k, i)); !ok {
				matters = true
				break
			}
			other++
		}
		if !matters && other > 0 {
			free = append(free, x.Axis.ID)
		}
	}
	return least, free, runs
}

// Twice is a Test that runs every leaf twice and reports a difference as an
// error of the leaf.
type Twice struct{ leaf.Test }

// Run runs the leaf, and once more along the path it took.
func (t Twice) Run(ctx context.Context, r leaf.Request) *leaf.Run {
	one := t.Test.Run(ctx, r)
	if one.Removed != nil || ctx.Err() != nil {
		return one
	}
	r.Prefix = one.Path.Fanned()
	two := t.Test.Run(ctx, r)
	if two.Outcome == one.Outcome && two.Reason == one.Reason && two.Path.String() == one.Path.String() && two.Output == one.Output {
		return one
	}
	one.Outcome = leaf.Error
	one.Reason = "run again along the same choices the leaf ended otherwise: " + two.Outcome.String() + " " + two.Reason
	return one
}
