package explore

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file makes moves on Worlds, and learns from them what moves do.

// learn finds where the moves of a node lead, some of which are not known yet.
// The moves are those of its World, which is made again where it is not at hand.
func (x *Search) learn(m *mover, id int32, e *expansion) {
	*e = expansion{found: e.found[:0]}
	w, failed := x.world(m, id)
	if failed != nil {
		e.steps = []step{*failed}
		return
	}
	a := &x.alphabet
	if _, ok := x.vectorOf(m, id, asSections); ok && !x.limited(id) {
		x.learnSections(m, id, w, e)
		return
	}
	_, isVector := x.vectorOf(m, id, asVector)
	if !isVector || x.limited(id) {
		x.make(m, id, w, nil, e)
		return
	}
	v, _ := a.vector(m, w, m.before[:0])
	m.before = v
	e.here = x.examine(w)
	x.keep(m, v, e.here)
	able := int32(0)
	for _, t := range m.tokens {
		if t.able {
			able++
		}
	}
	anything := slices.ContainsFunc(m.tokens, func(t standing) bool { return a.standing[t.label].Kind == exec.Anything })
	if able == 0 || anything {
		x.make(m, id, w, x.leadOf(m, v, able), e)
		return
	}
	x.actors(m, v)
	tokens := slices.Clone(m.tokens)
	made := make([][]step, len(m.actors))
	for k := range m.actors {
		y := &m.actors[k]
		if y.local == nil || y.local.opaque {
			made[k] = x.study(m, w, v, y, tokens)
			e.steps = append(e.steps, made[k]...)
		}
	}
	if e.interrupted() {
		return
	}
	only := -1
	if x.reduce && able > 1 {
		only = x.leading(m, v, func(y *actor) bool { return y.local.opaque || len(y.local.effects) > 0 })
	}
	for k := range m.actors {
		y := &m.actors[k]
		switch {
		case only >= 0 && only != k:
		case y.local.opaque:
			for i := range made[k] {
				for range y.times {
					e.found = append(e.found, reachedBy(&made[k][i]))
				}
			}
		default:
			from := len(e.found)
			e.found = x.apply(m, v, y, able, e.found)
			for i := range made[k] { // the Worlds that were made are at hand
				e.found[from+i*int(y.times)].world = made[k][i].world
			}
		}
	}
	e.steps = nil
	for k := range made {
		if m.actors[k].local.opaque {
			e.steps = append(e.steps, made[k]...)
		}
	}
}

// leadOf is the beginning of the plans of a World whose moves may be made
// before all others; nil where there is none.
func (x *Search) leadOf(m *mover, v []uint32, able int32) []int32 {
	if !x.reduce || able < 2 {
		return nil
	}
	a := &x.alphabet
	k := int32(0)
	for i, t := range m.tokens {
		if !t.able {
			continue
		}
		leads := a.standing[t.label].Kind == exec.Single && a.Leads(&a.standing[t.label], func(yield func(int32) bool) {
			for j, other := range m.tokens {
				if i != j && !yield(a.standing[other.label].Node) {
					return
				}
			}
		})
		if leads {
			return []int32{k}
		}
		k++
	}
	return nil
}

// study makes the moves of an actor, and remembers what they do.
func (x *Search) study(m *mover, w *exec.World, v []uint32, y *actor, tokens []standing) []step {
	a := &x.alphabet
	key, _ := a.surroundings(nil, v, slices.Index(v[a.places:], y.label))
	l := &local{key: key}
	lead, able := a.placeOf(tokens, y.label)
	var steps []step
	if lead >= 0 {
		plan := []int32{lead}
		if able == 1 {
			plan = nil
		}
		labels := key[1 : key[0]>>1]
		node := a.standing[y.label].Node
		before := slices.Clone(v)
		made, _ := m.expand(w, [][]int32{plan}, false, false, func(s *step) (drop bool) {
			if s.err != nil {
				l.opaque = l.opaque || !x.fails(l, s, labels[0], len(plan), able)
				return false
			}
			known := x.look(m, s)
			l.opaque = l.opaque || !x.effect(m, l, s, before, labels, node, len(plan), able)
			return known
		})
		steps = append(steps, made...)
	}
	for i := range steps {
		if steps[i].interrupted() {
			return steps
		}
	}
	if y.local == nil {
		x.locals.add(l)
	}
	y.local = l
	if l.opaque {
		l.effects = nil
	}
	return steps
}

// effect adds what a step did to what is known; false where it did more than
// moves of its kind do.
func (x *Search) effect(m *mover, l *local, s *step, before, labels []uint32, node int32, led int, able int32) bool {
	if s.progress != exec.Moved || len(s.visits) > 0 || s.share != nil {
		return false
	}
	after, ok := unpack(nil, asVector, s.key)
	if !ok {
		return false
	}
	e := x.alphabet.effectOf(before, after, labels, node)
	if e == nil {
		return false
	}
	l.add(e, s, led, able)
	return true
}

// fails adds the error of a step to what is known; false where a bound is what
// it ran into.
func (x *Search) fails(l *local, s *step, label uint32, led int, able int32) bool {
	if s.spent() || s.interrupted() || len(s.visits) > 0 || s.share != nil {
		return false
	}
	l.add(&effect{label: label, end: x.end(nil, s.err)}, s, led, able)
	return true
}

// add adds what a step did, led by so many choices which token moves.
func (l *local) add(e *effect, s *step, led int, able int32) {
	e.plan, e.equal = slices.Clone(s.plan[led:]), s.equal
	if led > 0 {
		e.equal /= uint64(able)
	}
	l.effects = append(l.effects, e)
}

// placeOf is the place, among the tokens that could move, of the one to move
// where an actor does, -1 where it cannot, and how many could move.
func (a *alphabet) placeOf(tokens []standing, label uint32) (place, able int32) {
	s := &a.standing[label]
	place = -1
	for _, t := range tokens {
		if !t.able {
			continue
		}
		o := &a.standing[t.label]
		if place < 0 && (t.label == label || s.Kind == exec.Joining && o.Kind == exec.Joining && o.Node == s.Node) {
			place = able
		}
		able++
	}
	return place, able
}

// world is the World of a waiting node. Where it is not at hand, the moves from
// the nearest node before whose World is are made again.
func (x *Search) world(m *mover, id int32) (w *exec.World, failed *step) {
	var path []int32
	at := id
	for w = x.worlds[at]; w == nil; w = x.worlds[at] {
		path = append(path, x.nodes[at].by)
		at = x.nodes[at].parent
	}
	slices.Reverse(path)
	path, _ = x.unfolded(path)
	for i := range path {
		y := &x.ways.list[x.edges[path[i]].way]
		plan := x.planOf(y.plan)
		if _, ok := x.vectorOf(m, at, asSections); ok && y.actor != 0 {
			m.turn = x.runIn(m, w, y.actor-1)
		} else if y.actor != 0 {
			plan = x.planOfPart(m, w, y)
		}
		m.steps = m.steps[:0]
		m.make(w, plan, at == 0)
		m.turn = exec.NoRun
		s := &m.steps[0]
		if s.interrupted() {
			return nil, s
		}
		s.world.Sweep()
		if at != 0 && w != x.worlds[at] {
			m.retire(w)
		}
		w, at = s.world, x.edges[path[i]].to
		if i%8 == 7 && !x.nodes[at].part && x.worlds[at] == nil {
			x.worlds[at] = w // others that are needed are often behind it
			x.lend(at)
		}
	}
	if id != 0 {
		x.worlds[id] = w
		if len(path) > 64+(len(x.kept)-len(x.lent))/16 { // the more are kept, the further apart
			x.kept[id] = true
		} else {
			x.lend(id)
		}
	}
	return w, nil
}

// mostLent is how many Worlds stay at hand beside those that wait.
const mostLent = 1024

// lend keeps the World of a node at hand until enough others were kept.
func (x *Search) lend(id int32) {
	if x.kept[id] {
		return
	}
	x.kept[id] = true
	if len(x.lent) < mostLent {
		x.lent = append(x.lent, id)
		return
	}
	delete(x.kept, x.lent[x.oldest])
	delete(x.worlds, x.lent[x.oldest])
	x.lent[x.oldest] = id
	x.oldest = (x.oldest + 1) % mostLent
}
