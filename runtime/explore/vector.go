package explore

import (
	"encoding/binary"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file writes Worlds as vectors: what each of their parts is, as a number,
// and then the tokens, as numbers in ascending order. A vector takes a byte or
// two for each part, and most moves can be made on it alone.

// An alphabet numbers parts and tokens in the order in which they are met.
type alphabet struct {
	*exec.Independence
	parts    exec.Parts
	contents interned[string]
	labels   interned[string]
	// standing are the tokens by the number of their label.
	standing []exec.Standing
	// touched are the places that nodes touch, by node.
	touched map[int32][]int32
	places  int
}

// touches are the places that a token touches at its node.
func (a *alphabet) touches(s *exec.Standing) []int32 {
	list, ok := a.touched[s.Node]
	if !ok {
		list = a.Touched(s.Node)
		if a.touched == nil {
			a.touched = map[int32][]int32{}
		}
		a.touched[s.Node] = list
	}
	return list
}

// A standing is a token of a World that was taken apart.
type standing struct {
	label uint32
	able  bool
}

// vector is a World as a vector, with its tokens in the order of the World;
// ok is false where it is none that has one.
func (a *alphabet) vector(m *mover, w *exec.World, v []uint32) (_ []uint32, ok bool) {
	m.engine.World = w
	m.meter = m.fresh
	if a.Independence == nil || !a.Split(&m.engine, &a.parts) {
		return v, false
	}
	m.inexact = m.inexact || a.parts.Inexact
	a.places = a.parts.Places()
	for i := range a.places {
		v = append(v, a.content(a.parts.Place(i)))
	}
	m.tokens = m.tokens[:0]
	from := len(v)
	for i := range a.parts.Tokens {
		t := &a.parts.Tokens[i]
		id := a.label(t)
		m.tokens = append(m.tokens, standing{id, t.Able})
		v = append(v, id)
	}
	slices.Sort(v[from:])
	return v, true
}

func (a *alphabet) content(b []byte) uint32 {
	if id, ok := a.contents.ids[string(b)]; ok {
		return uint32(id)
	}
	return uint32(a.contents.id(string(b)))
}

func (a *alphabet) label(t *exec.Standing) uint32 {
	if id, ok := a.labels.ids[string(t.Label)]; ok {
		return uint32(id)
	}
	id := a.labels.id(string(t.Label))
	s := *t
	s.Label = nil
	a.standing = append(a.standing, s)
	a.touches(t)
	return uint32(id)
}

// The first byte of a key says how a World is written.
const (
	asVector    = 1
	asSections  = 2
	asCanonical = 0
)

// pack appends the key of a vector, written as asVector or asSections says.
func pack(b []byte, as byte, v []uint32) []byte {
	b = append(b, as)
	for _, n := range v {
		if n < 0x80 {
			b = append(b, byte(n))
		} else {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

// unpack appends the vector that a key is of; ok is false where it is of none
// that is written so.
func unpack(v []uint32, as byte, key []byte) (_ []uint32, ok bool) {
	if len(key) == 0 || key[0] != as {
		return v, false
	}
	for key = key[1:]; len(key) > 0; {
		if key[0] < 0x80 {
			v, key = append(v, uint32(key[0])), key[1:]
			continue
		}
		n, size := binary.Uvarint(key)
		v, key = append(v, uint32(n)), key[size:]
	}
	return v, true
}

// key is the key of a World. It stays until the keys of m are reset.
func (x *Search) key(m *mover, w *exec.World) []byte {
	from := len(m.keys)
	v, ok := x.alphabet.vector(m, w, m.vector[:0])
	if m.vector = v; ok {
		m.keys = pack(m.keys, asVector, v)
	} else if m.vector, ok = x.sectionsOf(m, w); ok {
		m.keys = pack(m.keys, asSections, m.vector)
	} else if m.keys = append(m.keys, asCanonical); x.relative {
		m.keys, ok = w.Relative(m.keys)
		m.inexact = m.inexact || !ok
	} else {
		m.keys = w.Canonical(m.keys)
	}
	return m.keys[from:len(m.keys):len(m.keys)]
}
