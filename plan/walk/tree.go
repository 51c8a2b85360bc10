package walk

import (
	"container/heap"
	"context"
	"sync"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// Options say how a test is walked. The zero Options run every leaf, one at a
// time.
type Options struct {
	Jobs int // workers; below 1 for one
	// Request is what every run is asked for, beside its prefix.
	Request leaf.Request
	// MaxLeaves and MaxFailures end the walk behind so many rows of leaves
	// that ran, or that failed; 0 for no bound.
	MaxLeaves, MaxFailures int
	// MaxCuts is how many removed leaves are listed; 0 for 10,000, negative
	// for none. The others are marked as unlisted.
	MaxCuts int
	Shard   Shard
	// Recall gives the run of a prefix that an earlier walk made; nil for
	// none.
	Recall func(prefix axis.Path) *leaf.Run
	// Finished hears of every run as it ends, in no order; nil for nobody.
	Finished func(prefix axis.Path, r *leaf.Run)
}

// DefaultMaxCuts is how many removed leaves of a test are listed.
const DefaultMaxCuts = 10_000

func (o Options) maxCuts() int {
	switch {
	case o.MaxCuts == 0:
		return DefaultMaxCuts
	case o.MaxCuts < 0:
		return 0
	}
	return o.MaxCuts
}

// A Row is one leaf in the result of a walk.
type Row struct {
	Path axis.Path // the picks that fan out
	Run  *leaf.Run // nil for a leaf that was removed before it ran
	Cut  *leaf.Cut // what removed it
	// Predicted says that part of Path comes from the subtree beside it.
	Predicted bool
	// Unlisted says that the row is beyond MaxCuts, to be counted alone.
	Unlisted bool
	// Open says that a removed row stands for a subtree whose leaves only the
	// merge of all shards knows.
	Open bool
}

// A Result sums a walk up.
type Result struct {
	Leaves   int // rows, removed and unlisted ones included
	Ran      int // rows of leaves that ran
	Cuts     int // removed leaves
	Unlisted int // of them, those beyond MaxCuts
	// Runs are the runs that were made; Avoided the runs of bodies that
	// predicates saved.
	Runs int
	// NotRun is how many subtrees a bound or an interrupt left, at least so
	// many leaves; Left are the first of them.
	NotRun  int
	Left    []axis.Path
	Stopped bool // by a bound or by the context
}

// maxLeft is how many unfinished subtrees a Result names.
const maxLeft = 20

// A node is an axis that fans out, met behind one prefix.
type node struct {
	parent   *subtree
	at       int // picks that fan out before it
	axis     *axis.Axis
	children []child
	// beside are the paths of the last child before the current one that had
	// rows, and rows those of the current one: what a removed option asks for.
	beside, rows []axis.Path
}

type child struct {
	index int
	cut   *leaf.Cut
	sub   *subtree
}

// A subtree is what lies behind one prefix: another node or a leaf.
type subtree struct {
	prefix  axis.Path
	parent  *node
	ran     bool // its first run has come back
	foreign bool // another shard's
	done    bool // complete, and known to be
	branch  *node
	run     *leaf.Run // of the leaf, where branch is nil
	removed *leaf.Cut // of the whole
}

// A tree is one walk at work. The mutex guards all of it.
type tree struct {
	mu      sync.Mutex
	wake    *sync.Cond
	test    leaf.Test
	o       Options
	ctx     context.Context
	cancel  context.CancelFunc
	emit    func(Row) error
	queue   frontier
	busy    int
	ahead   int // leaves that ran and are not written
	root    *subtree
	stack   []frame
	begun   bool // the root has been entered
	ended   bool // every row is out
	result  Result
	failed  int
	listed  int
	depth   int // of the shard; -1 until the first run tells
	failure error
}

// Tree runs every leaf of t and emits rows in the order of leaves. emit is
// called by one goroutine at a time; its error ends the walk. The other error
// is ctx's, where the walk was stopped by it.
func Tree(ctx context.Context, t leaf.Test, o Options, emit func(Row) error) (Result, error) {
	w := &tree{test: t, o: o, emit: emit, depth: -1}
	w.wake = sync.NewCond(&w.mu)
	w.ctx, w.cancel = context.WithCancel(ctx)
	defer w.cancel()
	defer context.AfterFunc(w.ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.wake.Broadcast()
	})()
	w.root = &subtree{}
	heap.Push(&w.queue, item{sub: w.root})
	var workers sync.WaitGroup
	for range max(o.Jobs, 1) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			w.work()
		}()
	}
	workers.Wait()
	if !w.ended {
		w.result.Stopped = true
		w.leave()
	}
	if w.failure != nil {
		return w.result, w.failure
	}
	return w.result, ctx.Err()
}

// maxAhead is how many leaves may wait for one before them to be written.
const maxAhead = 1_000

// work runs the least prefix of the frontier until none is left.
func (w *tree) work() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for w.busy > 0 && (len(w.queue) == 0 || w.ahead > maxAhead) && w.ctx.Err() == nil {
			w.wake.Wait()
		}
		if len(w.queue) == 0 || w.ctx.Err() != nil {
			w.wake.Broadcast()
			return
		}
		s := w.next()
		if s == nil {
			continue
		}
		w.busy++
		w.mu.Unlock()
		r, recalled := w.run(s)
		w.mu.Lock()
		w.busy--
		if w.ctx.Err() == nil {
			if !recalled {
				w.result.Runs++
			}
			w.grow(s, r)
			w.drain()
		}
		w.wake.Broadcast()
	}
}

// next takes the least prefix out of the frontier; nil where it turns out to
// be another shard's.
func (w *tree) next() *subtree {
	it := heap.Pop(&w.queue).(item)
	if it.sub != nil {
		return it.sub
	}
	n := it.node
	c := &n.children[it.child]
	for k := it.child + 1; k < len(n.children); k++ {
		if n.children[k].cut == nil && n.children[k].sub == nil {
			heap.Push(&w.queue, item{node: n, child: k})
			break
		}
	}
	c.sub = &subtree{parent: n, prefix: n.prefixOf(c.index)}
	if w.o.Shard.Count > 1 && w.depth >= 0 && len(c.sub.prefix) >= w.depth && !w.o.Shard.owns(w.test.Name(), c.sub.prefix[:w.depth]) {
		c.sub.foreign, c.sub.ran = true, true
		w.drain()
		return nil
	}
	return c.sub
}

// prefixOf is the prefix of option i of n.
func (n *node) prefixOf(i int) axis.Path { return n.parent.prefix.With(n.axis, i) }

func (w *tree) run(s *subtree) (r *leaf.Run, recalled bool) {
	if w.o.Recall != nil {
		if r := w.o.Recall(s.prefix); r != nil {
			return r, true
		}
	}
	request := w.o.Request
	request.Prefix = s.prefix
	r = w.test.Run(w.ctx, request)
	if w.o.Finished != nil && w.ctx.Err() == nil {
		w.o.Finished(s.prefix, r)
	}
	return r, false
}

// grow hangs what a run met below the subtree it was asked for.
func (w *tree) grow(s *subtree, r *leaf.Run) {
	if w.depth < 0 {
		w.depth = w.o.Shard.depth(r)
	}
	for _, b := range r.Branches {
		n := &node{parent: s, at: b.At, axis: b.Axis, children: children(b)}
		s.ran, s.branch = true, n
		if b.Taken < 0 {
			return
		}
		pending := -1
		var below *subtree
		for k := range n.children {
			c := &n.children[k]
			switch {
			case c.cut != nil:
			case c.index == b.Taken:
				below = &subtree{parent: n, prefix: n.prefixOf(c.index)}
				c.sub = below
			case pending < 0:
				pending = k
			}
		}
		if pending >= 0 {
			heap.Push(&w.queue, item{node: n, child: pending})
		}
		s = below
	}
	s.ran = true
	if r.Removed != nil {
		s.removed = r.Removed
		return
	}
	s.run = r
	w.ahead++
}

// children are the options of b in order, removed ones included.
func children(b leaf.Branch) []child {
	var out []child
	cuts := b.Cuts
	for _, i := range b.Survivors {
		for len(cuts) > 0 && cuts[0].Index < i {
			out = append(out, child{index: cuts[0].Index, cut: &cuts[0]})
			cuts = cuts[1:]
		}
		out = append(out, child{index: i})
	}
	for k := range cuts {
		out = append(out, child{index: cuts[k].Index, cut: &cuts[k]})
	}
	return out
}

// complete reports whether nothing below s is still to be run.
func (s *subtree) complete() bool {
	if s == nil || !s.ran {
		return false
	}
	if s.done || s.branch == nil {
		return true
	}
	for k := range s.branch.children {
		if c := &s.branch.children[k]; c.cut == nil && !c.sub.complete() {
			return false
		}
	}
	s.done = true
	return true
}

// An item of the frontier is the root, or the next option of a node.
type item struct {
	sub   *subtree
	node  *node
	child int
}

// frontier is the items by the order of leaves.
type frontier []item

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(item)) }

// Pop takes the last item, as package heap asks.
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// Less compares option by option; of two of which one begins the other the
// shorter comes first.
func (f frontier) Less(i, j int) bool {
	a, b := f[i], f[j]
	if a.node == nil || b.node == nil {
		return a.node == nil && b.node != nil
	}
	p, q := a.node.parent.prefix, b.node.parent.prefix
	for k := 0; ; k++ {
		x, moreA := step(p, a, k)
		y, moreB := step(q, b, k)
		switch {
		case !moreA || !moreB:
			return !moreA && moreB
		case x != y:
			return x < y
		}
	}
}

func step(p axis.Path, it item, k int) (int, bool) {
	switch {
	case k < len(p):
		return p[k].Index, true
	case k == len(p):
		return it.node.children[it.child].index, true
	}
	return 0, false
}
