package walk

import (
	"container/heap"
	"context"
	"sort"
	"sync"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// This file runs leaves in the order of their probability. What is known of a
// subtree before it is run is the probability of its prefix, which no leaf in
// it exceeds: so the subtree or leaf with the greatest such bound comes next,
// and a leaf that comes next is the likeliest of those that are left.

// Likely runs the leaves of t in the order of their probability, the likeliest
// first; of equals the first in the order of leaves. It makes a difference
// where a bound or an interrupt ends the walk: the leaves that ran are the
// likeliest. Rows are emitted in the order of leaves, when the last one has
// run; those of a walk that was ended hold no removed leaves.
func Likely(ctx context.Context, t leaf.Test, o Options, emit func(Row) error) (Result, error) {
	l := &likely{test: t, o: o, runs: map[string]*leaf.Run{}, jobs: make(chan struct{}, max(o.Jobs, 1))}
	inner, cancel := context.WithCancel(ctx)
	heap.Push(&l.queue, &candidate{bound: 1})
	bounded := l.search(inner)
	cancel()
	l.running.Wait()
	if !bounded && ctx.Err() == nil {
		return l.whole(ctx, emit)
	}
	return l.partial(ctx, emit)
}

// likely is one such walk at work.
type likely struct {
	test    leaf.Test
	o       Options
	queue   candidates
	jobs    chan struct{} // as many as may run at once
	running sync.WaitGroup
	runs    map[string]*leaf.Run
	made    int         // runs that no journal had
	leaves  []*leaf.Run // in the order of their probability
}

// A candidate is a prefix that is to be run, or a leaf that has.
type candidate struct {
	prefix axis.Path
	bound  float64
	leaf   *leaf.Run // nil for a prefix
	answer chan answer
}

// An answer is what came of a prefix.
type answer struct {
	run      *leaf.Run
	recalled bool
}

// search runs candidates until none is left, and reports whether a bound ended
// it before.
func (l *likely) search(ctx context.Context) (bounded bool) {
	failed := 0
	for len(l.queue) > 0 {
		for _, c := range l.queue[:min(len(l.queue), cap(l.jobs))] { // near the top, if not in order
			l.start(ctx, c)
		}
		c := heap.Pop(&l.queue).(*candidate)
		if c.leaf == nil {
			a := <-c.answer
			if ctx.Err() != nil {
				heap.Push(&l.queue, c)
				return true
			}
			if !a.recalled {
				l.made++
			}
			l.runs[c.prefix.ID(l.test.Name())] = a.run
			l.grow(c, a.run)
			continue
		}
		l.leaves = append(l.leaves, c.leaf)
		if c.leaf.Outcome.Fails() {
			failed++
		}
		if o := l.o; (o.MaxLeaves > 0 && len(l.leaves) >= o.MaxLeaves || o.MaxFailures > 0 && failed >= o.MaxFailures) && len(l.queue) > 0 {
			return true
		}
	}
	return false
}

// start runs c on a goroutine of its own, unless it runs already.
func (l *likely) start(ctx context.Context, c *candidate) {
	if c.leaf != nil || c.answer != nil {
		return
	}
	c.answer = make(chan answer, 1)
	l.running.Go(func() {
		if l.o.Recall != nil {
			if r := l.o.Recall(c.prefix); r != nil {
				c.answer <- answer{r, true}
				return
			}
		}
		l.jobs <- struct{}{}
		defer func() { <-l.jobs }()
		request := l.o.Request
		request.Prefix, request.Guide = c.prefix, likeliest{}
		r := l.test.Run(ctx, request)
		if l.o.Finished != nil && ctx.Err() == nil {
			l.o.Finished(c.prefix, r)
		}
		c.answer <- answer{r, false}
	})
}

// grow adds what the run of c met: its leaf, and the options beside those that
// it took.
func (l *likely) grow(c *candidate, r *leaf.Run) {
	bound, path := c.bound, c.prefix
	for _, b := range r.Branches {
		for _, i := range b.Survivors {
			if i != b.Taken {
				heap.Push(&l.queue, &candidate{prefix: path.With(b.Axis, i), bound: bound * b.Axis.Share(i)})
			}
		}
		if b.Taken < 0 {
			return
		}
		path, bound = path.With(b.Axis, b.Taken), bound*b.Axis.Share(b.Taken)
	}
	if r.Removed == nil {
		heap.Push(&l.queue, &candidate{prefix: path, bound: bound, leaf: r})
	}
}

// whole emits the rows of a walk that has run everything, as Tree does.
func (l *likely) whole(ctx context.Context, emit func(Row) error) (Result, error) {
	o := l.o
	o.Jobs, o.MaxLeaves, o.MaxFailures, o.Finished = 1, 0, 0, nil
	o.Recall = func(prefix axis.Path) *leaf.Run { return l.runs[prefix.ID(l.test.Name())] }
	res, err := Tree(ctx, l.test, o, emit)
	res.Runs = l.made
	return res, err
}

// partial emits the leaves that ran, and counts what is left.
func (l *likely) partial(ctx context.Context, emit func(Row) error) (Result, error) {
	res := Result{Runs: l.made, Stopped: true}
	sort.Slice(l.leaves, func(i, j int) bool { return l.leaves[i].Path.Compare(l.leaves[j].Path) < 0 })
	for _, r := range l.leaves {
		res.Leaves++
		res.Ran++
		if err := emit(Row{Path: r.Path.Fanned(), Run: r}); err != nil {
			return res, err
		}
	}
	sort.Slice(l.queue, func(i, j int) bool { return l.queue[i].prefix.Compare(l.queue[j].prefix) < 0 })
	for _, c := range l.queue {
		res.NotRun++
		if len(res.Left) < maxLeft {
			res.Left = append(res.Left, c.prefix)
		}
	}
	return res, ctx.Err()
}

// likeliest is the Guide that takes the likeliest option; of equals the first.
type likeliest struct{}

// Pick is the survivor with the greatest share.
func (likeliest) Pick(a *axis.Axis, survivors []int, _ axis.Path) int {
	best := survivors[0]
	for _, i := range survivors {
		if a.Share(i) > a.Share(best) {
			best = i
		}
	}
	return best
}

// candidates is a heap, the greatest bound at its top.
type candidates []*candidate

func (h candidates) Len() int      { return len(h) }
func (h candidates) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *candidates) Push(x any)   { *h = append(*h, x.(*candidate)) }

// Pop takes the last candidate, as package heap asks.
func (h *candidates) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// Less prefers the greater bound; of equals, the first in the order of leaves,
// a prefix before the leaf that it leads to.
func (h candidates) Less(i, j int) bool {
	a, b := h[i], h[j]
	if a.bound != b.bound {
		return a.bound > b.bound
	}
	return a.prefix.Compare(b.prefix) < 0
}
