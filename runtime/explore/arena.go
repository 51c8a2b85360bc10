package explore

// A slice is a place in an arena.
type slice struct{ piece, at, length uint32 }

// An arena keeps many byte strings in few pieces of memory.
type arena struct {
	pieces [][]byte
	bytes  int64 // of all strings
}

const pieceSize = 1 << 20

func (a *arena) add(b []byte) slice {
	n := len(a.pieces)
	if n == 0 || len(a.pieces[n-1])+len(b) > cap(a.pieces[n-1]) {
		a.pieces = append(a.pieces, make([]byte, 0, max(pieceSize, len(b))))
		n++
	}
	p := &a.pieces[n-1]
	s := slice{uint32(n - 1), uint32(len(*p)), uint32(len(b))}
	*p = append(*p, b...)
	a.bytes += int64(len(b))
	return s
}

func (a *arena) at(s slice) []byte {
	return a.pieces[s.piece][s.at : s.at+s.length]
}
