package walk

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// draw is the Guide of sample k: what it takes at an axis depends on the seed,
// the test, k and the axis, and on nothing else.
type draw struct {
	test string
	seed int64
	k    int
}

// Pick draws by weight among the survivors.
func (d draw) Pick(a *axis.Axis, survivors []int, _ axis.Path) int {
	sum := sha256.Sum256(fmt.Appendf(nil, "sample/1\n%d\n%s\n%d\n%s", d.seed, d.test, d.k, a.ID))
	u := float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
	total := 0.0
	for _, i := range survivors {
		total += a.Share(i)
	}
	at := u * total
	for _, i := range survivors {
		if at -= a.Share(i); at < 0 {
			return i
		}
	}
	return survivors[len(survivors)-1]
}

// Sample draws n different leaves of t, or all where there are fewer, and
// emits them in the order of leaves. exhausted says that there are no more.
func Sample(ctx context.Context, t leaf.Test, o Options, n int, seed int64, emit func(Row) error) (res Result, exhausted bool, err error) {
	found := map[string]*leaf.Run{}
	seen := &explored{children: map[int]*explored{}}
	for k := 0; len(found) < n && k < 50*n+200 && !seen.whole && ctx.Err() == nil; k++ {
		request := o.Request
		request.Guide = draw{t.Name(), seed, k}
		r := t.Run(ctx, request)
		res.Runs++
		seen.add(r)
		if r.Removed == nil && ctx.Err() == nil {
			if key := r.Path.ID(t.Name()); found[key] == nil {
				found[key] = r
			}
		}
	}
	var runs []*leaf.Run
	for id, r := range found {
		if o.Shard.Count < 2 || o.Shard.Owner(id) == o.Shard.Index {
			runs = append(runs, r)
		}
	}
	sort.Slice(runs, func(i, j int) bool { return runs[i].Path.Compare(runs[j].Path) < 0 })
	for _, r := range runs {
		res.Leaves++
		res.Ran++
		if err := emit(Row{Path: r.Path.Fanned(), Run: r}); err != nil {
			return res, false, err
		}
	}
	res.Stopped = ctx.Err() != nil
	return res, seen.whole, ctx.Err()
}

// explored is the part of the tree that samples have seen.
type explored struct {
	children map[int]*explored
	options  int  // survivors, 0 until known
	whole    bool // nothing below is unseen
}

// add notes the leaf of r.
func (e *explored) add(r *leaf.Run) {
	path := []*explored{e}
	for _, b := range r.Branches {
		at := path[len(path)-1]
		at.options = len(b.Survivors)
		if b.Taken < 0 {
			break
		}
		next := at.children[b.Taken]
		if next == nil {
			next = &explored{children: map[int]*explored{}}
			at.children[b.Taken] = next
		}
		path = append(path, next)
	}
	path[len(path)-1].whole = true
	for i := len(path) - 2; i >= 0; i-- {
		n := 0
		for _, c := range path[i].children {
			if c.whole {
				n++
			}
		}
		path[i].whole = n == path[i].options
	}
}
