package explore

import (
	"bytes"
	"encoding/binary"
)

// A place is where an arena keeps a string.
type place struct{ piece, at uint32 }

// An arena keeps many byte strings in few pieces of memory, each behind its
// length.
type arena struct {
	pieces [][]byte
	bytes  int64 // of all strings
}

const pieceSize = 1 << 20

func (a *arena) add(b []byte) place {
	n := len(a.pieces)
	need := len(b) + binary.MaxVarintLen32
	if n == 0 || len(a.pieces[n-1])+need > cap(a.pieces[n-1]) {
		a.pieces = append(a.pieces, make([]byte, 0, max(pieceSize, need)))
		n++
	}
	p := &a.pieces[n-1]
	s := place{uint32(n - 1), uint32(len(*p))}
	*p = append(binary.AppendUvarint(*p, uint64(len(b))), b...)
	a.bytes += int64(len(*p)) - int64(s.at)
	return s
}

func (a *arena) at(s place) []byte {
	b := a.pieces[s.piece][s.at:]
	length, n := binary.Uvarint(b)
	return b[n : n+int(length) : n+int(length)]
}

// A table finds nodes by their keys. It is open addressed.
type table struct {
	slots []slot
	used  int
}

// A slot has the number of a node, from 1, and the hash of its key, so that few
// nodes are looked at that are not the one.
type slot struct {
	hash uint32
	node int32
}

// find is the node with a key; -1 for none.
func (x *Search) find(hash uint32, key []byte) int32 {
	t := &x.known
	if len(t.slots) == 0 {
		return -1
	}
	mask := uint32(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s.node == 0 {
			return -1
		}
		if s.hash == hash && bytes.Equal(x.keys.at(x.nodes[s.node-1].key), key) {
			return s.node - 1
		}
	}
}

// remember makes find find a node, whose key has a hash.
func (x *Search) remember(id int32, hash uint32) {
	t := &x.known
	if 4*(t.used+1) > 3*len(t.slots) {
		old := t.slots
		t.slots = make([]slot, max(1024, 2*len(old)))
		for _, s := range old {
			if s.node != 0 {
				t.put(s)
			}
		}
	}
	t.used++
	t.put(slot{hash, id + 1})
}

func (t *table) put(s slot) {
	mask := uint32(len(t.slots) - 1)
	i := s.hash & mask
	for t.slots[i].node != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}
