package explore

import (
	"context"
	"fmt"
	"hash/maphash"
	"math/big"
	"slices"
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
	// worlds are those of waiting nodes, where they are at hand.
	worlds map[int32]*exec.World
	// kept are nodes whose Worlds stay at hand, so that the way from one to
	// those behind it is short.
	kept map[int32]bool
	// lent are the nodes of the last Worlds that were learned from, which stay at
	// hand for a while, since what is not known yet is often near; the oldest is
	// at index oldest.
	lent   []int32
	oldest int
	// ends are the distinct ends: results and errors.
	ends    []*End
	endOf   map[string]int32
	plans   interned[string]
	ways    interned[way]
	visits  [][]string
	visitOf map[string]int32
	shares  []*big.Rat
	shareOf map[string]int32
	// uniform is the share of n equal alternatives, by n.
	uniform map[uint64]int32

	known    table
	keys     arena
	seed     maphash.Seed
	waiting  []int32 // known nodes whose moves were not made, in order
	next     int     // the first of waiting that is left
	runs     int
	moves    int // the start included
	distinct int // distinct Worlds
	// expanded are those whose moves were made.
	expanded int
	depth    int32
	bounds   []Bound
	stopped  bool // by a bound
	failed   error

	// alphabet and locals serve moves that need not be made on a World.
	alphabet alphabet
	sections sections
	locals   locals
	// reduce asks for a reduction.
	reduce bool
	// relative says that instants are told by how far they are from now, so that
	// what happens again and again comes back to Worlds that are known. Where
	// that turns out not to be the same the search begins anew without it.
	relative bool
	// forked are waiting nodes in which there are more tokens than before.
	forked map[int32]bool
	joints []joint

	properties []Property
	broken     []decided // by property
	// lively says that there are properties of kind Eventually; holding then says
	// which conditions hold in a node, by bit.
	lively  bool
	holding []uint64
	// tests are what Worlds say of the properties, by all of their parts that a
	// property can read.
	tests      map[string]test
	expansions []expansion
}

// A node is a World, or an end in an error.
type node struct {
	key place
	// parent and by are the edge through which the node was found.
	parent, by int32
	// first and count are its edges.
	first, count int32
	// choices is the number of choice points, moves the number of moves on
	// the way through which the node was found.
	choices, moves int32
	// end is the index of what ends here; -1 where nothing does.
	end int32
	// part says that only tokens of one group have moved: see separate.
	part bool
}

// An edge is one way that a move can go.
type edge struct{ to, way int32 }

// A way is what edges have in common.
type way struct {
	// actor is the label of the token that moves, from 1; 0 where plan says all.
	actor uint32
	// plan are the choices: of an actor, those inside its move.
	plan, visits, share, choices int32
	// joint is the number of the joint end of groups that it leads to, from 1;
	// 0 where it is a move.
	joint int32
}

// NewSearch begins a search.
func NewSearch(s Start, o Options) *Search {
	return newSearch(s, o, !o.Plain && s.ClockStep == 0 && !s.World.Program.TellsTime())
}

func newSearch(s Start, o Options, relative bool) *Search {
	o.Workers = max(o.Workers, 1)
	x := &Search{start: s, options: o, seed: maphash.MakeSeed(), endOf: map[string]int32{}, worlds: map[int32]*exec.World{0: s.World},
		visitOf: map[string]int32{"": 0}, visits: [][]string{nil}, shareOf: map[string]int32{}, uniform: map[uint64]int32{}, forked: map[int32]bool{}, kept: map[int32]bool{}, runs: 1, relative: relative}
	x.alphabet.parts.Relative = relative
	x.sections.passing = effect{label: noActor, end: -1, equal: 1}
	x.plans.id("")
	x.shares = append(x.shares, big.NewRat(1, 1))
	x.nodes = append(x.nodes, node{parent: -1, by: -1, end: -1})
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
	if x.start.Covered != nil {
		defer func() {
			for _, m := range movers {
				x.start.Covered.Add(m.engine.Covered)
			}
		}()
	}
	pace := x.pace()
	for x.next < len(x.waiting) && !x.stopped {
		if ctx.Err() != nil {
			return false
		}
		size := chunk * len(movers)
		if len(movers) == 1 || x.distinct < 8*chunk {
			size = 1 // so that each World is told from all that were found before
		}
		part := x.waiting[x.next:min(x.next+size, len(x.waiting))]
		if !x.advance(movers, part) {
			return false
		}
		if slices.ContainsFunc(movers, func(m *mover) bool { return m.inexact }) {
			for _, m := range movers {
				m.inexact = false
			}
			x.restart()
			pace = x.pace()
			continue
		}
		if x.next > len(x.waiting)/2 && x.next > 4096 {
			x.waiting = append([]int32(nil), x.waiting[x.next:]...)
			x.next = 0
		}
		if x.options.Progress != nil && (size > 1 || x.next%chunk == 0) && time.Since(pace.at) > 200*time.Millisecond {
			x.tell(&pace)
		}
	}
	if x.options.Progress != nil {
		x.tell(&pace)
	}
	return true
}

// restart begins the search anew, with instants as they are.
func (x *Search) restart() {
	y := newSearch(x.start, x.options, false)
	y.reduce = x.reduce
	y.Watch(x.properties...)
	*x = *y
}

// advance finds where the moves of the nodes of part lead; false where it was
// interrupted.
func (x *Search) advance(movers []*mover, part []int32) bool {
	for _, m := range movers {
		m.keys = m.keys[:0]
	}
	found := x.expand(movers, part)
	for i := range found {
		e := &found[i]
		if x.separate(movers[0], part[i]) {
			delete(x.worlds, part[i])
			x.next++
			x.expanded++
			continue
		}
		if e.missed {
			if len(part) > 1 { // those before it may have told
				x.expandOne(movers[0], part[i], e)
			}
			if e.missed {
				x.learn(movers[0], part[i], e)
			}
		}
		if e.interrupted() {
			return false
		}
		w := x.worlds[part[i]]
		x.join(part[i], e)
		x.next++
		x.expanded++
		if w != nil && part[i] != 0 && !x.kept[part[i]] {
			delete(x.worlds, part[i])
			if !e.ends() {
				movers[i%len(movers)].retire(w)
			}
		}
		if x.bounded() {
			break
		}
	}
	return true
}

// A pace is how far a search was at some time.
type pace struct {
	at               time.Time
	worlds, expanded int
}

func (x *Search) pace() pace { return pace{time.Now(), x.distinct, x.expanded} }

// tell reports progress since the pace before, and sets it anew.
func (x *Search) tell(before *pace) {
	now := x.pace()
	p := x.Progress()
	p.PerSecond = float64(now.worlds-before.worlds) / max(now.at.Sub(before.at).Seconds(), 1e-3)
	// Where each World leads to fewer new ones than one, those that wait bring
	// a geometric series of others.
	if made := now.expanded - before.expanded; made > 0 {
		if ratio := float64(now.worlds-before.worlds) / float64(made); ratio < 0.98 {
			p.Estimate = p.Worlds + int(float64(p.Waiting)*ratio/(1-ratio))
		}
	}
	*before = now
	x.options.Progress(p)
}

// Progress is how far the search is, without its speed.
func (x *Search) Progress() Progress {
	return Progress{Worlds: x.distinct, Moves: x.moves, Waiting: len(x.waiting) - x.next, Depth: int(x.depth), Outcomes: len(x.ends)}
}

// SetProgress says whom to tell how far the search is.
func (x *Search) SetProgress(f func(Progress)) { x.options.Progress = f }

// An expansion is what came of the moves of one World.
type expansion struct {
	found []reached
	steps []step // those made on a World
	more  bool
	// missed says that a World is needed.
	missed bool
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
	return len(e.found) == 0
}

// expand finds where the moves of the nodes of part lead, as far as that takes
// nothing that workers share.
func (x *Search) expand(movers []*mover, part []int32) []expansion {
	for len(x.expansions) < len(part) {
		x.expansions = append(x.expansions, expansion{})
	}
	found := x.expansions[:len(part)]
	if len(part) == 1 || len(movers) == 1 {
		for i := range part {
			x.expandOne(movers[0], part[i], &found[i])
		}
		return found
	}
	var wg sync.WaitGroup
	for k, m := range movers {
		wg.Go(func() {
			for i := k; i < len(part); i += len(movers) {
				x.expandOne(m, part[i], &found[i])
			}
		})
	}
	wg.Wait()
	return found
}

func (x *Search) expandOne(m *mover, id int32, e *expansion) {
	*e = expansion{found: e.found[:0]}
	switch v, ok := x.vectorOf(m, id, asVector); {
	case ok && !x.limited(id):
		if e.here, ok = x.examined(m, v); ok {
			e.found, ok = x.recall(m, v, e.found)
		}
		if !ok {
			e.found, e.missed = e.found[:0], true
		}
	case x.sections.begun:
		v, ok := x.vectorOf(m, id, asSections)
		if ok = ok && !x.limited(id); ok {
			e.here, ok = x.examinedSections(v)
		}
		if ok {
			e.found, ok = x.recallSections(m, v, e.found)
		}
		if !ok {
			e.found, e.missed = e.found[:0], true
		}
	case x.alphabet.Independence != nil:
		e.missed = true
	default:
		x.make(m, id, x.worlds[id], nil, e)
	}
}

// vectorOf is the vector of a node, written as asVector or asSections says; ok is
// false where it has none.
func (x *Search) vectorOf(m *mover, id int32, as byte) (v []uint32, ok bool) {
	if id == 0 {
		return nil, false
	}
	v, ok = unpack(m.before[:0], as, x.keys.at(x.nodes[id].key))
	m.before = v
	return v, ok
}

// limited reports whether only the first way out of a node is followed.
func (x *Search) limited(id int32) bool {
	return x.options.Depth > 0 && int(x.nodes[id].choices) >= x.options.Depth
}

// make makes the moves of a node on its World. Where lead is given, only those
// that begin with it.
func (x *Search) make(m *mover, id int32, w *exec.World, lead []int32, e *expansion) {
	steps, more := m.expand(w, [][]int32{lead}, id == 0, x.limited(id), func(s *step) (drop bool) {
		if s.err != nil || s.progress == exec.Resting {
			return s.err == nil
		}
		if id == 0 && !x.options.Plain {
			x.begin(m, s.world)
		}
		return x.look(m, s)
	})
	e.steps, e.more = append([]step(nil), steps...), more
	for i := range e.steps {
		e.found = append(e.found, reachedBy(&e.steps[i]))
	}
	if id != 0 {
		e.here = x.examine(w)
	}
}

// look finds out which World a step leads to; known says that it is known.
func (x *Search) look(m *mover, s *step) (known bool) {
	s.world.Sweep()
	s.key = x.key(m, s.world)
	s.hash = x.hash(s.key)
	if s.known = x.find(s.hash, s.key); s.known >= 0 {
		return true
	}
	if s.progress == exec.Over {
		if v, ok := unpack(nil, asSections, s.key); ok && x.sections.cut.Cut(s.world) {
			s.test = x.examineIn(&x.sections.cut, m, s.world, v)
		} else {
			s.test = x.examine(s.world)
		}
	}
	return false
}

func reachedBy(s *step) reached {
	return reached{step: s, key: s.key, hash: s.hash, known: s.known, world: s.world}
}

func (x *Search) hash(key []byte) uint32 { return uint32(maphash.Bytes(x.seed, key)) }

// Reduce lets the search leave out orders that no end tells apart. Ends stay
// what they are; numbers of linearizations, shares and the Worlds on the way do
// not. It is called before the first Run, and not with properties.
func (x *Search) Reduce() { x.reduce = true }

// join adds what came of the moves of a node to the graph.
func (x *Search) join(id int32, e *expansion) {
	from := x.nodes[id]
	x.nodes[id].first = int32(len(x.edges))
	x.depth = from.moves
	x.note(id, e.here)
	if e.more {
		x.bound("depth", int64(x.options.Depth))
	}
	for i := range e.found {
		x.take(id, &e.found[i], &from)
	}
	count := int32(len(x.edges)) - x.nodes[id].first
	x.nodes[id].count = count
	x.runs += max(int(count)-1, 0)
}

// take adds the edge that leads to what was found.
func (x *Search) take(id int32, f *reached, from *node) {
	x.moves++
	s := f.step
	switch {
	case f.rests:
		x.nodes[id].end = f.end
		return
	case s == nil:
	case s.spent():
		x.failed = s.err
		return
	case s.err == nil && s.progress == exec.Resting:
		x.nodes[id].end = x.end(x.worlds[id], nil)
		return
	}
	way := int32(0)
	if f.effect != nil {
		way = x.wayOf(f.effect, f.able)
	} else {
		way = x.way(x.wayOfStep(s))
	}
	x.edges = append(x.edges, edge{x.target(f, id, int32(len(x.edges)), from, x.ways.list[way].choices), way})
}

// wayOfStep is the way of a step whose plan says all.
func (x *Search) wayOfStep(s *step) way {
	return way{plan: x.plan(s.plan), visits: x.visited(s.visits), share: x.share(s), choices: s.choices}
}

func (x *Search) way(w way) int32 {
	if id, ok := x.ways.ids[w]; ok {
		return id
	}
	return x.ways.id(w)
}

// wayOf is the way of an effect among the moves of as many that could move.
func (x *Search) wayOf(e *effect, able int32) int32 {
	for int(able) >= len(e.ways) {
		e.ways = append(e.ways, -1)
	}
	if e.ways[able] < 0 {
		w := way{actor: e.label + 1, plan: x.plan(e.plan), visits: e.visits, choices: int32(len(e.plan))}
		if e.share == nil {
			w.share = x.equal(uint64(able) * e.equal)
		} else {
			w.share = x.shareNumber(new(big.Rat).Mul(e.share, big.NewRat(1, int64(able))))
		}
		if able > 1 {
			w.choices++
		}
		e.ways[able] = x.way(w)
	}
	return e.ways[able]
}

// target is the node that a way leads to, a new one where its World is new.
func (x *Search) target(f *reached, parent, by int32, from *node, choices int32) int32 {
	fresh := node{parent: parent, by: by, end: -1, choices: from.choices + choices, moves: from.moves + 1}
	switch {
	case f.step != nil && f.step.err != nil:
		fresh.end = x.end(nil, f.step.err)
	case f.effect != nil:
		fresh.end = f.effect.end
	}
	if fresh.end >= 0 {
		e := x.ends[fresh.end]
		if e.node < 0 {
			e.node = int32(len(x.nodes))
			x.nodes = append(x.nodes, fresh)
		}
		return e.node
	}
	if f.known < 0 {
		f.known = x.find(f.hash, f.key)
	}
	if f.known >= 0 {
		return f.known
	}
	x.distinct++
	id := int32(len(x.nodes))
	fresh.key = x.keys.add(f.key)
	over := f.over || f.step != nil && f.step.progress == exec.Over
	if f.over {
		fresh.end = f.end
	} else if over {
		fresh.end = x.end(f.world, nil)
	} else {
		x.waiting = append(x.waiting, id)
		if f.effect != nil && len(f.effect.added) > 1 {
			x.forked[id] = true
		}
		if f.world != nil {
			x.worlds[id] = f.world
		}
	}
	x.nodes = append(x.nodes, fresh)
	x.remember(id, f.hash)
	if f.over {
		x.note(id, f.test)
	} else if over {
		x.note(id, f.step.test)
	}
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
	case left && o.Worlds > 0 && x.distinct >= o.Worlds:
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
