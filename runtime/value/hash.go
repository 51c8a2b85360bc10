package value

import (
	"encoding/binary"
	"math/bits"
)

// Hash is a hash of what v is, seeded: kind, payload and unit, so that 1 and
// 1.0 differ and NaN agrees with itself. Values that are [Same] hash the
// same. It is the same in every process.
func (v Value) Hash(seed uint64) uint64 { return mix(seed, v.digest()) }

// HashWith is Hash with each object replaced by what ids says of it: a World
// gives the identity of the object there, so that equal Worlds agree
// whatever their indices are. A nil ids is Hash.
func (v Value) HashWith(seed uint64, ids func(ObjectID) uint64) uint64 {
	if ids == nil {
		return v.Hash(seed)
	}
	return mix(seed, v.digestWith(ids))
}

func (v Value) digest() uint64 {
	h := mix(uint64(v.kind)<<32|uint64(v.aux), v.bits)
	if v.heap != nil {
		h = mix(h, v.heap.digest)
	}
	return h
}

func (v Value) digestWith(ids func(ObjectID) uint64) uint64 {
	if id, ok := v.AsObject(); ok {
		h := mix(uint64(v.kind), ids(id))
		if v.heap != nil {
			h = mix(h, v.heap.digest)
		}
		return h
	}
	if !v.HoldsObjects() {
		return v.digest()
	}
	h := mix(uint64(v.kind)<<32|uint64(v.aux), v.bits)
	switch p := v.heap.part.(type) {
	case *sequence:
		return mix(h, p.digestWith(ids))
	case *collection:
		return mix(h, p.digestWith(ids))
	}
	return mix(h, v.heap.digest)
}

// HoldsObjects reports whether v is, stands for or has among its elements a
// reference to an object.
func (v Value) HoldsObjects() bool {
	if _, ok := v.AsObject(); ok {
		return true
	}
	return v.heap != nil && v.heap.refs
}

// mix joins b to the hash a.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9E3779B97F4A7C15, b^0xD6E8FEB86659FD93)
	h := hi ^ lo ^ a<<1
	h ^= h >> 32
	return h * 0xBF58476D1CE4E5B9
}

func hashText(h uint64, s string) uint64 {
	n := len(s)
	for len(s) >= 8 {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
		s = s[8:]
	}
	var last uint64
	for i := range len(s) {
		last |= uint64(s[i]) << (8 * i)
	}
	return mix(mix(h, last), uint64(n))
}

func hashBytes(h uint64, b []byte) uint64 {
	n := len(b)
	for len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var last [8]byte
	copy(last[:], b)
	return mix(mix(h, binary.LittleEndian.Uint64(last[:])), uint64(n))
}
