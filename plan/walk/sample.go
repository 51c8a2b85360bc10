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
	w := newRunner(ctx, t, o)
	defer w.close()
	found := map[string]*leaf.Run{}
	for k := 0; len(found) < n && k < 50*n+200 && !w.known.whole && ctx.Err() == nil; k++ {
		r := w.draw(seed, k, n-len(found))
		if ctx.Err() != nil {
			break
		}
		w.known.see(r)
		if r.Removed == nil {
			found[r.Path.ID(t.Name())] = r
		}
	}
	res = Result{Runs: w.runs, Stopped: ctx.Err() != nil}
	if err := res.emit(found, o.Shard, emit); err != nil {
		return res, false, err
	}
	return res, w.known.whole, ctx.Err()
}

// draw is the run of sample k, of which so many are missing. Those behind it
// are made meanwhile, but no more than may be needed.
func (w *runner) draw(seed int64, k, missing int) *leaf.Run {
	return w.run(fmt.Sprint(k), draw{w.test.Name(), seed, k}, func() {
		for next := k + 1; len(w.flying) < min(w.jobs, missing) && next < k+4*w.jobs; next++ {
			if d := (draw{w.test.Name(), seed, next}); w.known.find(d) == nil {
				w.start(fmt.Sprint(next), d)
			}
		}
	})
}

// emit writes the leaves of a shard, by id, in their order.
func (r *Result) emit(found map[string]*leaf.Run, s Shard, emit func(Row) error) error {
	var runs []*leaf.Run
	for id, run := range found {
		if s.Count < 2 || s.Owner(id) == s.Index {
			runs = append(runs, run)
		}
	}
	sort.Slice(runs, func(i, j int) bool { return runs[i].Path.Compare(runs[j].Path) < 0 })
	for _, run := range runs {
		r.Leaves++
		r.Ran++
		if err := emit(Row{Path: run.Path.Fanned(), Run: run}); err != nil {
			return err
		}
	}
	return nil
}
