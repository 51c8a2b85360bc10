package explore

import (
	"math/big"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file remembers moves. What the move of a token does is told by the token
// and by the parts of the World that its node touches: once it was made on a
// World, it is known in all others that have these parts, however their other
// tokens stand. So moves are made on vectors, and few of them on Worlds.

// An actor is what moves at a time: a token, of which there may be several that
// stand the same way, or those that a join takes together.
type actor struct {
	label uint32 // of the token, or of one of those at the join
	times int32
	local *local
}

// A local is what is known of the moves of an actor in its surroundings.
type local struct {
	// key is the actor with its surroundings: whether it is alone, its labels,
	// and what is in the places that it touches.
	key []uint32
	// opaque says that its moves have to be made each time, since they end the
	// run or touch what they were not expected to.
	opaque bool
	// effects are the ways that its move can go; none where it cannot move.
	effects []*effect
}

// An effect is a way that the move of an actor can go.
type effect struct {
	label          uint32
	removed, added []uint32 // labels, in ascending order
	writes         []write
	plan           []int32 // the choices inside the move
	equal          uint64  // the product of their numbers of alternatives
	// end is the error that the move ends in; -1 for none.
	end int32
	// visits are the states that the driven machine enters, and share is that of
	// the choices inside the move where some are weighted: sections alone have
	// them.
	visits int32
	share  *big.Rat
	// ways are the numbers of the ways of edges, by how many could move.
	ways []int32
}

// A write is a new content of a place.
type write struct {
	place   int32
	content uint32
}

// locals finds a local by its key.
type locals struct {
	slots []*local
	used  int
}

func hashWords(words []uint32) uint32 {
	h := uint64(len(words))
	for _, w := range words {
		h = (h ^ uint64(w)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return uint32(h >> 16)
}

func (t *locals) find(key []uint32) *local {
	if len(t.slots) == 0 {
		return nil
	}
	mask := uint32(len(t.slots) - 1)
	for i := hashWords(key) & mask; t.slots[i] != nil; i = (i + 1) & mask {
		if slices.Equal(t.slots[i].key, key) {
			return t.slots[i]
		}
	}
	return nil
}

func (t *locals) add(l *local) {
	if 2*(t.used+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]*local, max(256, 2*len(old)))
		for _, l := range old {
			if l != nil {
				t.put(l)
			}
		}
	}
	t.used++
	t.put(l)
}

func (t *locals) put(l *local) {
	mask := uint32(len(t.slots) - 1)
	i := hashWords(l.key) & mask
	for t.slots[i] != nil {
		i = (i + 1) & mask
	}
	t.slots[i] = l
}

// surroundings appends the key of the actor of which the i-th token of v is the
// first; ok is false where that token belongs to an actor before, or its moves
// depend on more.
func (a *alphabet) surroundings(key, v []uint32, i int) (_ []uint32, ok bool) {
	labels := v[a.places:]
	s := &a.standing[labels[i]]
	key = append(key, 0)
	switch s.Kind {
	case exec.Single:
		key = append(key, labels[i])
	case exec.Joining:
		for k, l := range labels {
			if o := &a.standing[l]; o.Kind == exec.Joining && o.Node == s.Node {
				if k < i {
					return key, false
				}
				key = append(key, l)
			}
		}
	}
	key[0] = uint32(len(key)) << 1
	if len(key)-1 == len(labels) {
		key[0]++
	}
	for _, p := range a.touched[s.Node] {
		key = append(key, v[p])
	}
	return key, true
}

// actors are the actors of a vector as far as their moves are known; known is
// false where the moves of one are not, or depend on more.
func (x *Search) actors(m *mover, v []uint32) (able int32, known bool) {
	a := &x.alphabet
	m.actors = m.actors[:0]
	labels := v[a.places:]
	known = true
	for i, l := range labels {
		s := &a.standing[l]
		if s.Kind == exec.Anything {
			return 0, false
		}
		if s.Kind == exec.Single && i > 0 && labels[i-1] == l {
			last := &m.actors[len(m.actors)-1]
			last.times++
			if last.local != nil && len(last.local.effects) > 0 {
				able++
			}
			continue
		}
		key, ok := a.surroundings(m.words[:0], v, i)
		if m.words = key; !ok {
			continue
		}
		n, told := m.act(l, x.locals.find(key))
		able, known = able+n, known && told
	}
	return able, known
}

// act adds an actor with what is known of its moves; able is 1 where it has
// some, and known false where they have to be made.
func (m *mover) act(label uint32, l *local) (able int32, known bool) {
	m.actors = append(m.actors, actor{label: label, times: 1, local: l})
	switch {
	case l == nil || l.opaque:
		return 0, false
	case len(l.effects) > 0:
		return 1, true
	}
	return 0, true
}

// leading is the index of an actor whose moves may be made before those of all
// others; -1 where there is none.
func (x *Search) leading(m *mover, v []uint32, moves func(*actor) bool) int {
	a := &x.alphabet
	labels := v[a.places:]
	for k := range m.actors {
		y := &m.actors[k]
		if !moves(y) || y.times > 1 {
			continue
		}
		if a.Leads(&a.standing[y.label], func(yield func(int32) bool) {
			for _, l := range labels {
				if l != y.label && !yield(a.standing[l].Node) {
					return
				}
			}
		}) {
			return k
		}
	}
	return -1
}

// A reached is where a way that a move can go leads.
type reached struct {
	step   *step // where it was made
	effect *effect
	able   int32 // how many could move
	key    []byte
	hash   uint32
	known  int32
	world  *exec.World // where it was made; else nil
	// over says that the driven run ends, in end; rests that nothing moves and
	// end is what it rests in. test is that of the World in which it is over.
	over, rests bool
	end         int32
	test        test
}

// recall finds where the moves of a vector lead without a World; ok is false
// where that is not known.
func (x *Search) recall(m *mover, v []uint32, list []reached) (_ []reached, ok bool) {
	able, known := x.actors(m, v)
	if !known || able == 0 {
		return list, false
	}
	only := -1
	if x.reduce && able > 1 {
		only = x.leading(m, v, func(y *actor) bool { return len(y.local.effects) > 0 })
	}
	for k := range m.actors {
		if y := &m.actors[k]; only < 0 || only == k {
			list = x.apply(m, v, y, able, list)
		}
	}
	return list, true
}

// apply adds where the moves of an actor lead.
func (x *Search) apply(m *mover, v []uint32, y *actor, able int32, list []reached) []reached {
	for _, e := range y.local.effects {
		if e.end >= 0 {
			for range y.times {
				list = append(list, reached{effect: e, able: able, known: -1})
			}
			continue
		}
		from := len(m.keys)
		m.next = e.on(m.next[:0], v, x.alphabet.places)
		m.keys = pack(m.keys, asVector, m.next)
		f := reached{effect: e, able: able, key: m.keys[from:len(m.keys):len(m.keys)]}
		f.hash = x.hash(f.key)
		f.known = x.find(f.hash, f.key)
		for range y.times {
			list = append(list, f)
		}
	}
	return list
}

// on appends the vector that an effect makes of v.
func (e *effect) on(next, v []uint32, places int) []uint32 {
	next = append(next, v[:places]...)
	for _, w := range e.writes {
		next[w.place] = w.content
	}
	removed, added := e.removed, e.added
	for _, l := range v[places:] {
		if len(removed) > 0 && removed[0] == l {
			removed = removed[1:]
			continue
		}
		for len(added) > 0 && added[0] < l {
			next, added = append(next, added[0]), added[1:]
		}
		next = append(next, l)
	}
	return append(next, added...)
}

// effectOf is what makes after of before; nil where the move of an actor of
// node, with some labels, did more than it was expected to.
func (a *alphabet) effectOf(before, after, labels []uint32, node int32) *effect {
	e := &effect{label: labels[0], end: -1}
	for i := range a.places {
		if before[i] == after[i] {
			continue
		}
		if !slices.Contains(a.touched[node], int32(i)) {
			return nil
		}
		e.writes = append(e.writes, write{int32(i), after[i]})
	}
	x, y := before[a.places:], after[a.places:]
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0] < y[0]:
			if !slices.Contains(labels, x[0]) {
				return nil
			}
			e.removed, x = append(e.removed, x[0]), x[1:]
		case len(x) == 0 || y[0] < x[0]:
			e.added, y = append(e.added, y[0]), y[1:]
		default:
			x, y = x[1:], y[1:]
		}
	}
	return e
}
