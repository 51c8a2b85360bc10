package explore

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file writes Worlds in which several runs are under way as numbers, one
// for what each of their sections holds. Sections and contents are numbered in
// the order in which they are met. What a section holds at the start has the
// number 0, and that there is no such section where there was none at the start,
// so that new sections change no vector and zeros at the end are left out.

// sections are those of all Worlds that were met, each with a place. A vector has
// the numbers of those that have ever held anything else than at the start, in
// the order in which that was met.
type sections struct {
	// cut is that of the last World that was written as numbers, before that of
	// the World whose moves are learned.
	cut, before exec.Sections
	reads       exec.Reads
	list        []*section
	places      map[string]int32
	// index is where a place is in a vector; -1 where it is in none yet. live is
	// the number of those that are.
	index []int32
	live  int32
	// runs are the places of runs; driven is that of the run that is explored,
	// and self that of the object that performs it, -1 for none.
	runs         []int32
	driven, self int32
	begun        bool
	// ends are those of Worlds that rest or are over, by what the driven run and
	// its performer hold.
	ends map[[2]uint32]int32
	// passing is the effect of moving the clock, but for what it writes.
	passing effect
	// tests are what the properties say, by the contents of the sections that
	// were looked at for one of the lists of looks.
	looks [][]int32
	tests map[string]test
}

// A section is what can be in one place of a vector.
type section struct {
	identity string
	contents interned[string]
	// absent is the number of there being no such section; -1 for none yet.
	absent int32
	isRun  bool
	known  []content // by number
}

// A content is what is known of something that a run's section holds.
type content struct {
	// acts says that it is the section of a run that has not ended.
	acts  bool
	facts exec.Facts
	// looks are lists of places, in ascending order: where a World is alike in
	// those of one of them, the run may be known to do the same.
	looks [][]int32
	// aged is what is held when so much time has passed, where instants are
	// relative.
	aged map[float64]uint32
}

// at is the number in a place of a vector.
func (a *sections) at(v []uint32, place int32) uint32 {
	if i := a.index[place]; uint(i) < uint(len(v)) {
		return v[i]
	}
	return 0
}

// indexOf is where a place is in a vector, from now on where it was not before.
func (a *sections) indexOf(place int32) int32 {
	if a.index[place] < 0 {
		a.index[place] = a.live
		a.live++
	}
	return a.index[place]
}

// put puts a number into a place of v, whatever its length.
func (a *sections) put(v []uint32, place int32, n uint32) []uint32 {
	if n == 0 && a.index[place] < 0 {
		return v
	}
	i := a.indexOf(place)
	for int(i) >= len(v) {
		v = append(v, 0)
	}
	v[i] = n
	return v
}

// trimmed is v without the zeros at its end.
func trimmed(v []uint32) []uint32 {
	n := len(v)
	for n > 0 && v[n-1] == 0 {
		n--
	}
	return v[:n]
}

// place is the place of an identity, a new one where it is met first.
func (a *sections) place(identity []byte) int32 {
	if p, ok := a.places[string(identity)]; ok {
		return p
	}
	if a.places == nil {
		a.places = map[string]int32{}
	}
	p := int32(len(a.list))
	s := &section{identity: string(identity), absent: -1}
	a.list, a.index = append(a.list, s), append(a.index, -1)
	a.places[s.identity] = p
	if a.begun {
		s.absent = s.number("", nil)
	}
	return p
}

// number is the number of a content, a new one where it is met first; learn
// then says what is known of it.
func (s *section) number(bytes string, learn func() content) int32 {
	if bytes == "" && s.absent >= 0 {
		return s.absent
	}
	if id, ok := s.contents.ids[bytes]; ok {
		return id
	}
	id := s.contents.id(bytes)
	var c content
	if learn != nil {
		c = learn()
	}
	s.known = append(s.known, c)
	if bytes == "" {
		s.absent = id
	}
	return id
}

// sectioned is a World as the numbers of what its sections hold, written over v;
// ok is false where it is none that can be cut. The places of the sections of cut
// are then those of m.places.
func (x *Search) sectioned(cut *exec.Sections, m *mover, w *exec.World, v []uint32) (_ []uint32, ok bool) {
	a := &x.sections
	cut.Relative = x.relative
	if !cut.Cut(w) {
		return v, false
	}
	m.inexact = m.inexact || cut.Inexact
	driven := x.start.Run
	m.engine.World = w
	v = v[:0]
	for i := range a.list {
		s := a.list[i]
		if s.absent < 0 {
			s.number("", nil)
		}
		v = a.put(v, int32(i), uint32(s.absent))
	}
	m.places = m.places[:0]
	for i := range cut.List {
		y := &cut.List[i]
		p := a.place(y.Identity)
		m.places = append(m.places, p)
		s := a.list[p]
		n := s.number(present(y.Content), func() content {
			if y.Run == exec.NoRun {
				return content{}
			}
			from := 0.0
			if x.relative {
				from = w.Behavior.Clock
			}
			f := m.engine.FactsOf(driven, y.Run, from)
			return content{acts: !f.Ended, facts: f}
		})
		if y.Run != exec.NoRun && !s.isRun {
			s.isRun = true
			a.runs = append(a.runs, p)
		}
		v = a.put(v, p, uint32(n))
	}
	if !a.begun {
		a.begun = true
		a.driven = a.places[string(cut.IdentityOf(nil, w, driven))]
		a.self = -1
		if self := w.Run(driven).Self; self >= 0 {
			a.self = a.place(exec.ObjectSection(nil, w, self))
		}
	}
	return trimmed(v), true
}

// sectionsOf is sectioned where Worlds are written by their sections.
func (x *Search) sectionsOf(m *mover, w *exec.World) (v []uint32, ok bool) {
	if !x.sections.begun {
		return m.vector, false
	}
	return x.sectioned(&x.sections.cut, m, w, m.vector)
}

// present tells a content apart from there being no section.
func present(content []byte) string { return string(content) + "." }

// alike appends what v has in the places of look.
func (a *sections) alike(key, v []uint32, look []int32) []uint32 {
	for _, p := range look {
		key = append(key, a.at(v, p))
	}
	return key
}

// localOf is what is known of the turn of the run in a place; nil where it is
// nothing.
func (x *Search) localOf(m *mover, v []uint32, place int32) *local {
	a := &x.sections
	n := a.at(v, place)
	for k, look := range a.list[place].known[n].looks {
		m.words = a.alike(append(m.words[:0], uint32(place), n, uint32(k)), v, look)
		if l := x.locals.find(m.words); l != nil {
			return l
		}
	}
	return nil
}

// lookOf is the number of a list of places among those of a content.
func (c *content) lookOf(look []int32) int {
	for k, other := range c.looks {
		if slices.Equal(look, other) {
			return k
		}
	}
	c.looks = append(c.looks, look)
	return len(c.looks) - 1
}

// instant is the time that a content of the section of the clock is.
func (a *sections) instant(n uint32) float64 {
	return math.Float64frombits(binary.BigEndian.Uint64([]byte(a.list[exec.ClockSection].contents.list[n])))
}
