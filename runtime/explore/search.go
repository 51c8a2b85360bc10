package explore

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"math/big"
	"sync"
	"time"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A Search builds the graph of the Worlds that a behaviour can reach, breadth
// first. It can be stopped between any two moves and go on later.
type Search struct {
	start   Start
	options Options

	nodes []node
	edges []edge
	// ends are the distinct ends: results and errors.
	ends    []*End
	endOf   map[string]int32
	plans   interned[string]
	visits  [][]string
	visitOf map[string]int32
	shares  []*big.Rat
	shareOf map[string]int32
	// uniform is the share of n equal alternatives, by n.
	uniform map[uint64]int32

	known   map[uint64]int32 // the last node with a hash
	keys    arena
	seed    maphash.Seed
	waiting []int32 // known nodes whose moves were not made, in order
	next    int     // the first of waiting that is left
	runs    int
	moves   int // the start included
	// diamonds are the moves that did not have to be made.
	diamonds int
	worlds   int // distinct ones
	depth    int32
	bounds   []Bound
	stopped  bool // by a bound
	failed   error

	// reduce asks for a reduction, which independence makes once the run has
	// begun.
	reduce       bool
	independence *exec.Independence
	labels       map[string]int32 // of tokens as they stand

	properties []Property
	broken     []decided // by property
}

// A node is a World, or an end in an error.
type node struct {
	world *exec.World // until its moves are made
	key   slice
	// next is the node before with the same hash; -1 for none.
	next int32
	// parent and by are the edge through which the node was found.
	parent, by int32
	// first and count are its edges.
	first, count int32
	// choices is the number of choice points, moves the number of moves on
	// the way through which the node was found.
	choices, moves int32
	// end is the index of what ends here; -1 where nothing does.
	end int32
}

// An edge is one way that a move can go.
//
// Where it is the move of one token and no other choice, label is the number
// of the token as it stood, and node the number of its node; label is 0
// elsewhere.
type edge struct{ to, plan, visits, share, label, node int32 }

// NewSearch begins a search.
func NewSearch(s Start, o Options) *Search {
	o.Workers = max(o.Workers, 1)
	x := &Search{start: s, options: o, known: map[uint64]int32{}, seed: maphash.MakeSeed(), endOf: map[string]int32{},
		visitOf: map[string]int32{"": 0}, visits: [][]string{nil}, shareOf: map[string]int32{}, uniform: map[uint64]int32{}, labels: map[string]int32{}, runs: 1}
	x.plans.id("")
	x.shares = append(x.shares, big.NewRat(1, 1))
	x.nodes = append(x.nodes, node{world: s.World, parent: -1, by: -1, next: -1, end: -1})
	x.waiting = append(x.waiting, 0)
	return x
}

// chunk is how many Worlds a worker expands before what it found is joined to
// the graph.
const chunk = 64

// Run searches on until everything is known, a bound is reached or ctx ends;
// done is false in the last case, after which Run may be called again.
func (x *Search) Run(ctx context.Context) (done bool) {
	fresh := budget.NewMeter(ctx, x.start.Budget)
	movers := make([]*mover, x.options.Workers)
	for i := range movers {
		movers[i] = newMover(&x.start, x.options.Granularity == Node, fresh)
	}
	told := time.Now()
	for x.next < len(x.waiting) && !x.stopped {
		if ctx.Err() != nil {
			return false
		}
		size := chunk * len(movers)
		if len(movers) == 1 || x.worlds < 8*chunk || 3*x.diamonds > x.moves {
			size = 1 // so that each World is told from all that were found before, and diamonds close
		}
		part := x.waiting[x.next:min(x.next+size, len(x.waiting))]
		for _, m := range movers {
			m.keys = m.keys[:0]
		}
		found := x.expand(movers, part)
		for i, f := range found {
			if f.interrupted() {
				return false
			}
			w := x.nodes[part[i]].world
			x.join(part[i], f)
			x.next++
			if part[i] != 0 && !f.ends() {
				movers[i%len(movers)].retire(w)
			}
			if x.bounded() {
				break
			}
		}
		if x.next > len(x.waiting)/2 && x.next > 4096 {
			x.waiting = append([]int32(nil), x.waiting[x.next:]...)
			x.next = 0
		}
		if x.options.Progress != nil && (size > 1 || x.next%chunk == 0) && time.Since(told) > 200*time.Millisecond {
			told = time.Now()
			x.options.Progress(x.Progress())
		}
	}
	if x.options.Progress != nil {
		x.options.Progress(x.Progress())
	}
	return true
}

// Progress is how far the search is.
func (x *Search) Progress() Progress {
	return Progress{Worlds: x.worlds, Moves: x.moves, Waiting: len(x.waiting) - x.next, Depth: int(x.depth), Outcomes: len(x.ends)}
}

// SetProgress says whom to tell how far the search is.
func (x *Search) SetProgress(f func(Progress)) { x.options.Progress = f }

// An expansion is what came of the moves of one World.
type expansion struct {
	steps []step
	// ways are the moves of tokens, some of which did not have to be made.
	ways []way
	more bool
	// here is what the World itself says of the properties.
	here test
}

func (e *expansion) interrupted() bool {
	for i := range e.steps {
		if e.steps[i].interrupted() {
			return true
		}
	}
	return false
}

// ends reports whether the World itself may be what a run ends in.
func (e *expansion) ends() bool {
	for i := range e.steps {
		if e.steps[i].progress == exec.Resting || e.steps[i].err != nil {
			return true
		}
	}
	return len(e.steps) == 0 && len(e.ways) == 0
}

// expand makes the moves of the nodes of part.
func (x *Search) expand(movers []*mover, part []int32) []expansion {
	found := make([]expansion, len(part))
	for i, id := range part {
		found[i].ways = x.ways(movers[0], id)
	}
	if len(part) == 1 || len(movers) == 1 {
		for i := range part {
			found[i] = x.expandOne(movers[0], part[i], found[i].ways)
		}
		return found
	}
	var wg sync.WaitGroup
	for k, m := range movers {
		wg.Go(func() {
			for i := k; i < len(part); i += len(movers) {
				found[i] = x.expandOne(m, part[i], found[i].ways)
			}
		})
	}
	wg.Wait()
	return found
}

func (x *Search) expandOne(m *mover, id int32, ways []way) expansion {
	n := &x.nodes[id]
	first := x.options.Depth > 0 && int(n.choices) >= x.options.Depth
	leads := [][]int32{nil}
	if ways != nil {
		leads = leads[:0]
		for k := len(ways) - 1; k >= 0; k-- {
			if ways[k].to < 0 {
				leads = append(leads, []int32{int32(k)})
			}
		}
	} else if id != 0 && x.reduce {
		leads[0] = m.leading(n.world, x.independence)
	}
	steps, more := m.expand(n.world, leads, id == 0, first, func(s *step) (drop bool) {
		if s.err != nil || s.progress == exec.Resting {
			return s.err == nil
		}
		s.world.Sweep()
		s.key = m.canonical(s.world)
		s.hash = maphash.Bytes(x.seed, s.key)
		if s.known = x.find(s); s.known >= 0 {
			return true
		}
		if s.progress == exec.Over {
			s.test = x.examine(s.world)
		}
		return false
	})
	e := expansion{steps: append([]step(nil), steps...), more: more, ways: ways}
	if id == 0 {
		return e
	}
	e.here = x.examine(n.world)
	return e
}

// find is the node of the World that a step leads to; -1 where it is new.
func (x *Search) find(s *step) int32 {
	last, ok := x.known[s.hash]
	if !ok {
		return -1
	}
	for n := last; n >= 0; n = x.nodes[n].next {
		if bytes.Equal(x.keys.at(x.nodes[n].key), s.key) {
			return n
		}
	}
	return -1
}

// Reduce lets the search leave out orders that no end tells apart. Ends stay
// what they are; numbers of linearizations, shares and the Worlds on the way do
// not. It is called before the first Run, and not with properties.
func (x *Search) Reduce() { x.reduce = true }

// join adds what came of the moves of a node to the graph.
func (x *Search) join(id int32, e expansion) {
	if id == 0 && len(e.steps) > 0 && e.steps[0].err == nil && e.steps[0].world != nil {
		x.independence = e.steps[0].world.Independence(x.start.Run)
	}
	from := x.nodes[id]
	x.nodes[id].world = nil
	x.nodes[id].first = int32(len(x.edges))
	x.depth = from.moves
	x.note(id, e.here)
	if e.more {
		x.bound("depth", int64(x.options.Depth))
	}
	add := func(i edge) {
		x.edges = append(x.edges, i)
		x.moves++
	}
	next := 0
	for k, w := range e.ways {
		plan := [1]int32{int32(k)}
		if w.to >= 0 {
			x.diamonds++
			add(edge{to: w.to, plan: x.plan(plan[:]), share: x.equal(uint64(len(e.ways))), label: w.label, node: w.node})
			continue
		}
		for ; next < len(e.steps) && len(e.steps[next].plan) > 0 && e.steps[next].plan[0] == int32(k); next++ {
			x.take(id, &e.steps[next], from, w, add)
		}
	}
	for ; next < len(e.steps); next++ {
		x.take(id, &e.steps[next], from, way{}, add)
	}
	count := int32(len(x.edges)) - x.nodes[id].first
	x.nodes[id].count = count
	x.runs += max(int(count)-1, 0)
}

// take adds the edge of a step that was made.
func (x *Search) take(id int32, s *step, from node, w way, add func(edge)) {
	switch {
	case s.spent():
		x.moves++
		x.failed = s.err
		return
	case s.err == nil && s.progress == exec.Resting:
		x.moves++
		x.nodes[id].end = x.end(from.world, nil)
		return
	}
	e := edge{to: x.target(s, id, int32(len(x.edges)), from), plan: x.plan(s.plan), visits: x.visited(s.visits), share: x.share(s)}
	if s.choices == 1 && s.err == nil && len(s.visits) == 0 {
		e.label, e.node = w.label, w.node
	}
	add(e)
}

// target is the node that a step leads to, a new one where its World is new.
func (x *Search) target(s *step, parent, by int32, from node) int32 {
	fresh := node{parent: parent, by: by, next: -1, end: -1, choices: from.choices + s.choices, moves: from.moves + 1}
	if s.err != nil {
		fresh.end = x.end(nil, s.err)
		e := x.ends[fresh.end]
		if e.node < 0 {
			e.node = int32(len(x.nodes))
			x.nodes = append(x.nodes, fresh)
		}
		return e.node
	}
	if s.known < 0 {
		s.known = x.find(s)
	}
	if s.known >= 0 {
		return s.known
	}
	if last, ok := x.known[s.hash]; ok {
		fresh.next = last
	}
	x.worlds++
	id := int32(len(x.nodes))
	fresh.key = x.keys.add(s.key)
	if s.progress == exec.Over {
		fresh.end = x.end(s.world, nil)
		x.note(id, s.test)
	} else {
		fresh.world = s.world
		x.waiting = append(x.waiting, id)
	}
	x.nodes = append(x.nodes, fresh)
	x.known[s.hash] = id
	return id
}

// bounded notes what bound is reached, and whether it ends the search.
func (x *Search) bounded() bool {
	if x.failed != nil {
		x.bounds = append(x.bounds, budgetBound(x.failed))
		x.failed, x.stopped = nil, true
	}
	left := x.next < len(x.waiting)
	switch o := x.options; {
	case left && o.Runs > 0 && x.runs > o.Runs:
		x.bound("runs", int64(o.Runs))
		x.stopped = true
	case left && o.Worlds > 0 && x.worlds >= o.Worlds:
		x.bound("worlds", int64(o.Worlds))
		x.stopped = true
	}
	return x.stopped
}

// bound notes a bound once.
func (x *Search) bound(name string, limit int64) {
	for _, b := range x.bounds {
		if b.Name == name {
			return
		}
	}
	x.bounds = append(x.bounds, Bound{Name: name, Limit: limit, Text: fmt.Sprintf("--%s %d doubles it", name, 2*limit)})
}

// budgetBound is the bound of a budget that a move ran into.
func budgetBound(err error) Bound {
	d := diagnostic.Of(err)[0]
	return Bound{Text: d.Message}
}
