package explore

import (
	"encoding/binary"
	"math"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file makes moves on Worlds as numbers of what their sections hold: the
// turn of a run that was made once is known wherever the sections that it looked
// at hold the same.

// recallSections finds where the moves of a vector of sections lead without a
// World; ok is false where that is not known.
func (x *Search) recallSections(m *mover, v []uint32, list []reached) (_ []reached, ok bool) {
	able, known := x.turns(m, v)
	if !known {
		return list, false
	}
	if able == 0 {
		return x.idle(m, v, list)
	}
	for k := range m.actors {
		if list, ok = x.applyTurn(m, v, m.actors[k].local, able, list); !ok {
			return list, false
		}
	}
	return list, true
}

// turns are the runs of a vector that may act; known is false where what one
// does is not known.
func (x *Search) turns(m *mover, v []uint32) (able int32, known bool) {
	a := &x.sections
	m.actors = m.actors[:0]
	known = true
	for _, p := range a.runs {
		if !a.list[p].known[a.at(v, p)].acts {
			continue
		}
		n, told := m.act(uint32(p), x.localOf(m, v, p))
		able, known = able+n, known && told
	}
	return able, known
}

// applyTurn adds where the turn of a run leads; ok is false where it ends the
// driven run in a way that is not known yet.
func (x *Search) applyTurn(m *mover, v []uint32, l *local, able int32, list []reached) (_ []reached, ok bool) {
	for _, e := range l.effects {
		f := reached{effect: e, able: able, known: -1}
		if e.end < 0 && !x.lead(m, v, e.writes, &f) {
			return list, false
		}
		list = append(list, f)
	}
	return list, true
}

// lead finds the World that what an effect writes leads to.
func (x *Search) lead(m *mover, v []uint32, writes []write, f *reached) (ok bool) {
	a := &x.sections
	next := append(m.next[:0], v...)
	for _, w := range writes {
		next = a.put(next, w.place, w.content)
	}
	next = trimmed(next)
	m.next = next
	from := len(m.keys)
	m.keys = pack(m.keys, asSections, next)
	f.key = m.keys[from:len(m.keys):len(m.keys)]
	f.hash = x.hash(f.key)
	f.known = x.find(f.hash, f.key)
	if f.known >= 0 || a.list[a.driven].known[a.at(next, a.driven)].acts {
		return true
	}
	f.over = true
	if f.end, ok = a.endOf(next); !ok {
		return false
	}
	f.test, ok = x.examinedSections(next)
	return ok
}

// endOf is the end that a World is, where it is over or rests; ok is false where
// that is not known yet.
func (a *sections) endOf(v []uint32) (end int32, ok bool) {
	end, ok = a.ends[a.ending(v)]
	return end, ok
}

// ending is all of a vector that an end depends on.
func (a *sections) ending(v []uint32) [2]uint32 {
	k := [2]uint32{a.at(v, a.driven)}
	if a.self >= 0 {
		k[1] = a.at(v, a.self)
	}
	return k
}

// keepEnd remembers what endOf finds.
func (a *sections) keepEnd(v []uint32, end int32) {
	if a.ends == nil {
		a.ends = map[[2]uint32]int32{}
	}
	a.ends[a.ending(v)] = end
}

// idle is the move of a vector in which no run can act: that of the clock, or
// none.
func (x *Search) idle(m *mover, v []uint32, list []reached) (_ []reached, ok bool) {
	a := &x.sections
	next, passes := x.nextDue(v)
	if !passes {
		end, ok := a.endOf(v)
		if !ok {
			return list, false
		}
		if x.ends[end].Err == nil {
			return append(list, reached{rests: true, end: end, known: -1}), true
		}
		return append(list, reached{effect: a.failing(end), able: 1, known: -1}), true
	}
	if m.writes, ok = x.passing(m.writes[:0], v, next); !ok {
		return list, false
	}
	f := reached{effect: &a.passing, able: 1, known: -1}
	if !x.lead(m, v, m.writes, &f) {
		return list, false
	}
	return append(list, f), true
}

// nextDue is the instant that the clock moves to where no run can act; passes is
// false where it does not move.
func (x *Search) nextDue(v []uint32) (next float64, passes bool) {
	a := &x.sections
	now := 0.0
	if !x.relative {
		now = a.instant(a.at(v, exec.ClockSection))
	}
	next, hopes := math.Inf(1), x.start.others
	for _, p := range a.runs {
		f := &a.list[p].known[a.at(v, p)].facts
		for _, due := range f.Dues {
			if due > now && due < next {
				next = due
			}
		}
		hopes = hopes || f.Hopes
	}
	return next, hopes && !math.IsInf(next, 1)
}

// passing appends what moving the clock to an instant writes: the clock, or,
// where instants are relative, what runs wait for. It is false where that is not
// known yet.
func (x *Search) passing(writes []write, v []uint32, next float64) (_ []write, ok bool) {
	a := &x.sections
	if !x.relative {
		n := a.clockNumber(next)
		return append(writes, write{exec.ClockSection, n}), n != 0
	}
	for _, p := range a.runs {
		c := &a.list[p].known[a.at(v, p)]
		if len(c.facts.Dues) == 0 {
			continue
		}
		n, known := c.aged[next]
		if !known {
			return writes, false
		}
		writes = append(writes, write{p, n})
	}
	return writes, true
}

// learnPassing remembers what moving the clock to an instant made of v.
func (x *Search) learnPassing(v, after []uint32, next float64) {
	a := &x.sections
	for _, p := range a.runs {
		c := &a.list[p].known[a.at(v, p)]
		if len(c.facts.Dues) == 0 || !x.relative {
			continue
		}
		if c.aged == nil {
			c.aged = map[float64]uint32{}
		}
		c.aged[next] = a.at(after, p)
	}
}

// clockNumber is the number of an instant; 0, which no clock is moved to, where
// it was not met yet.
func (a *sections) clockNumber(t float64) uint32 {
	var few [16]byte
	b := append(binary.BigEndian.AppendUint64(few[:0], math.Float64bits(t)), '.')
	return uint32(a.list[exec.ClockSection].contents.ids[string(b)])
}

// noActor is the label of an effect that no run has: the number of its actor is
// 0.
const noActor = math.MaxUint32

// failing is the effect of a move that nothing can make.
func (a *sections) failing(end int32) *effect {
	return &effect{label: noActor, end: end, equal: 1}
}

// examinedSections is what a World as a vector of sections says of the
// properties; ok is false where that is not known yet. It is used by one
// goroutine for each mover.
func (x *Search) examinedSections(v []uint32) (t test, ok bool) {
	if len(x.properties) == 0 {
		return t, true
	}
	for k, look := range x.sections.looks {
		if t, ok = x.sections.tests[x.sections.testKey(k, v, look)]; ok {
			return t, true
		}
	}
	return t, false
}

// testKey is the key of tests for what v has in the places of a list of looks.
func (a *sections) testKey(k int, v []uint32, look []int32) string {
	b := binary.AppendUvarint(nil, uint64(k))
	for _, p := range look {
		b = binary.AppendUvarint(b, uint64(a.at(v, p)))
	}
	return string(b)
}
