package suite

import (
	"context"
	"sort"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// This file goes straight to leaves that are named by their id. An id is a
// digest and leads nowhere by itself, but digests are cheap where runs are not:
// a few runs of a test tell its axes, and which of the assignments of those has
// the id is computed. Of leaves that are not found so, an earlier walk may have
// kept rows.

// The most that is done to find leaves of one test, before the whole is walked.
const (
	maxProbes   = 200       // runs
	maxAssigned = 2_000_000 // assignments whose ids are computed
)

// locate gives selectors for o.Leaves that name options where o names ids, and
// the tests that have those leaves; ok is false where it cannot tell.
func locate(ctx context.Context, tests []*lang.Test, o Options) (leaves []axis.Selector, found []*lang.Test, ok bool) {
	missing := map[string]int{} // id -> place in o.Leaves
	for i, sel := range o.Leaves {
		if len(sel.ID) < axis.IDLength { // several leaves may begin like this
			return nil, nil, false
		}
		missing[sel.ID[:axis.IDLength]] = i
	}
	if len(missing) == 0 || len(missing) < len(o.Leaves) {
		return nil, nil, false
	}
	leaves = append(leaves, o.Leaves...)
	for _, t := range tests {
		before := len(missing)
		for id, p := range probe(ctx, t, o, missing) {
			leaves[missing[id]].Pins = p.Pins()
			delete(missing, id)
		}
		if len(missing) < before {
			found = append(found, t)
		}
	}
	for _, i := range missing {
		t, p := recorded(tests, o, o.Leaves[i].ID)
		if t == nil {
			return nil, nil, false
		}
		leaves[i].Pins = p.Pins()
		found = append(found, t)
	}
	return leaves, distinct(found), true
}

// recorded is the test and the path of the leaf that an earlier walk had; nil
// for none.
func recorded(tests []*lang.Test, o Options, id string) (*lang.Test, axis.Path) {
	if o.Recorded == nil {
		return nil, nil
	}
	name, p := o.Recorded(id)
	for _, t := range tests {
		if t.Name() == name {
			return t, p
		}
	}
	return nil, nil
}

// distinct is tests by name and once each.
func distinct(tests []*lang.Test) []*lang.Test {
	sort.Slice(tests, func(i, j int) bool { return tests[i].Name() < tests[j].Name() })
	var out []*lang.Test
	for i, t := range tests {
		if i == 0 || t != tests[i-1] {
			out = append(out, t)
		}
	}
	return out
}

// probe runs a few leaves of t, those beside the first axes first, and gives the
// assignments of the axes that they meet whose ids are wanted.
func probe(ctx context.Context, t *lang.Test, o Options, wanted map[string]int) map[string]axis.Path {
	found := map[string]axis.Path{}
	queue := []axis.Path{nil}
	left := maxAssigned
	for n := 0; n < len(queue) && n < maxProbes && left > 0 && len(found) < len(wanted) && ctx.Err() == nil; n++ {
		r := t.Run(ctx, leaf.Request{Prefix: queue[n], Steps: o.MaxSteps, Runs: o.MaxRuns})
		path := queue[n]
		for _, b := range r.Branches {
			for _, i := range b.Survivors {
				if i != b.Taken && len(queue) < maxProbes {
					queue = append(queue, path.With(b.Axis, i))
				}
			}
			path = path.With(b.Axis, max(b.Taken, 0))
		}
		left -= assignments(ctx, path, len(queue[n]), left, func(p axis.Path) {
			if id := p.ID(t.Name()); id != "" {
				if _, ok := wanted[id[:axis.IDLength]]; ok {
					found[id[:axis.IDLength]] = append(axis.Path(nil), p...)
				}
			}
		})
	}
	return found
}

// assignments calls visit with path under every assignment of its axes behind
// the first fixed ones, at most limit, and gives their number.
func assignments(ctx context.Context, path axis.Path, fixed, limit int, visit func(axis.Path)) int {
	p := append(axis.Path(nil), path...)
	for i := range p[fixed:] {
		p[fixed+i].Index = 0
	}
	for n := 1; n <= limit && (n%10_000 != 0 || ctx.Err() == nil); n++ {
		visit(p)
		i := len(p) - 1
		for ; i >= fixed; i-- {
			if p[i].Index++; p[i].Index < len(p[i].Axis.Options) {
				break
			}
			p[i].Index = 0
		}
		if i < fixed {
			return n
		}
	}
	return limit
}
