package walk

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// This file makes the runs of samples and covering arrays on several workers.
// Which leaf comes next depends there on what the last one came to, so that a
// worker runs what is likely to be asked for, and every run is kept: what is
// asked for in the end is the same with any number of workers, and only how
// much of it is there already differs.

// A place is what runs have told of the tree behind one path.
type place struct {
	axis      *axis.Axis // that is met there; nil for a leaf, or where nothing is known
	survivors []int
	below     map[int]*place
	run       *leaf.Run // the leaf, or the dead end
	whole     bool      // every leaf below has been seen
}

// add notes r, a run without a prefix.
func (p *place) add(r *leaf.Run) {
	for _, b := range r.Branches {
		if b.Taken < 0 {
			break
		}
		if p.axis == nil {
			p.axis, p.survivors, p.below = b.Axis, b.Survivors, map[int]*place{}
		}
		if p.below[b.Taken] == nil {
			p.below[b.Taken] = &place{}
		}
		p = p.below[b.Taken]
	}
	p.run = r
}

// find is the run that g leads to; nil where it has not been made.
func (p *place) find(g leaf.Guide) *leaf.Run {
	var path axis.Path
	for p != nil && p.run == nil && p.axis != nil {
		i := g.Pick(p.axis, p.survivors, path)
		path = append(path, axis.Pick{Axis: p.axis, Index: i})
		p = p.below[i]
	}
	if p == nil {
		return nil
	}
	return p.run
}

// guess is the path that g most likely leads to: behind an option that no run
// has taken, it expects what lies behind another one.
func (p *place) guess(g leaf.Guide) axis.Path {
	var path axis.Path
	for p.run == nil && p.axis != nil {
		i := g.Pick(p.axis, p.survivors, path)
		path = append(path, axis.Pick{Axis: p.axis, Index: i})
		next := p.below[i]
		for k := 0; next == nil && k < len(p.survivors); k++ {
			next = p.below[p.survivors[k]]
		}
		if p = next; p == nil {
			return path
		}
	}
	return path
}

// see marks the leaf of r, a run that was added, as seen.
func (p *place) see(r *leaf.Run) {
	way := []*place{p}
	for _, b := range r.Branches {
		if b.Taken >= 0 {
			p = p.below[b.Taken]
			way = append(way, p)
		}
	}
	p.whole = true
	for i := len(way) - 2; i >= 0; i-- {
		at := way[i]
		at.whole = true
		for _, k := range at.survivors {
			at.whole = at.whole && at.below[k] != nil && at.below[k].whole
		}
	}
}

// follow is the Guide along a path that was guessed.
type follow axis.Path

// Pick is the option of the path, else the first.
func (f follow) Pick(a *axis.Axis, survivors []int, _ axis.Path) int {
	if p, ok := axis.Path(f).Get(a.ID); ok {
		for _, i := range survivors {
			if i == p.Index {
				return i
			}
		}
	}
	return survivors[0]
}

// runner makes runs of one test and keeps them. One goroutine asks it; the runs
// are made on others.
type runner struct {
	test    leaf.Test
	request leaf.Request
	jobs    int
	ctx     context.Context
	cancel  context.CancelFunc
	known   place
	flying  map[string]bool // keys of the runs that are being made
	landed  chan landing
	running sync.WaitGroup
	runs    int // made
}

// A landing is the end of a run.
type landing struct {
	key string
	run *leaf.Run
}

func newRunner(ctx context.Context, t leaf.Test, o Options) *runner {
	w := &runner{test: t, request: o.Request, jobs: max(o.Jobs, 1), flying: map[string]bool{}}
	w.landed = make(chan landing, w.jobs)
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w
}

// close gives up the runs that are being made.
func (w *runner) close() {
	w.cancel()
	w.running.Wait()
}

// free reports whether there is a worker for one more run.
func (w *runner) free() bool { return len(w.flying) < w.jobs }

// start makes the run that g leads to, unless one with the key is being made.
// g must stay as it is until that has landed.
func (w *runner) start(key string, g leaf.Guide) {
	if w.flying[key] {
		return
	}
	w.flying[key] = true
	request := w.request
	request.Guide = g
	w.running.Go(func() { w.landed <- landing{key, w.test.Run(w.ctx, request)} })
}

// land waits until a run has been made.
func (w *runner) land() landing {
	l := <-w.landed
	delete(w.flying, l.key)
	if w.ctx.Err() == nil {
		w.runs++
		w.known.add(l.run)
	}
	return l
}

// run is the run that g leads to. While it is made under the key, ahead starts
// those that may be asked for next, as long as there is a worker for them. What
// a stopped walk gives is no leaf.
func (w *runner) run(key string, g leaf.Guide, ahead func()) *leaf.Run {
	asked := false // for exactly this one, under g: what g depends on must not change before it has landed
	for {
		if !asked {
			if r := w.known.find(g); r != nil {
				return r
			}
			if !w.flying[key] && w.free() {
				w.start(key, g)
				asked = true
			}
		}
		ahead()
		if l := w.land(); asked && l.key == key {
			return l.run
		}
	}
}

// keyOf tells one path of a test from another.
func keyOf(p axis.Path) string {
	var b strings.Builder
	for _, x := range p {
		fmt.Fprintf(&b, "%s=%d\n", x.Axis.ID, x.Index)
	}
	return b.String()
}
