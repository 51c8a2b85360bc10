package value

import "iter"

// A sequence is a persistent tree of elements: leaves of up to leafSize
// Values under nodes whose sides differ in height by one at most. Appending
// and joining share what is already there. The empty sequence has no tree.
//
// The digest does not depend on the shape of the tree: it is the sum of the
// elements' digests, each times digestBase to the power of its index.
type sequence struct {
	Heap
	length      int
	power       uint64 // digestBase to the power of length
	height      int    // 0: a leaf
	left, right *sequence
	leaf        []Value
}

func (*sequence) isPart() {}

const (
	leafSize   = 32
	nodeSize   = heapSize + 72
	digestBase = 0x9FB21C651E98DF25
)

// newLeaf keeps elements, of which there are 1 to leafSize.
func newLeaf(elements []Value) *sequence {
	s := &sequence{leaf: elements, length: len(elements), power: 1}
	s.part = s
	s.size = nodeSize
	for _, e := range elements {
		s.size += valueSize + e.Bytes()
		s.digest += s.power * e.digest()
		s.power *= digestBase
		s.refs = s.refs || e.HoldsObjects()
	}
	return s
}

func newNode(l, r *sequence) *sequence {
	s := &sequence{left: l, right: r, length: l.length + r.length, power: l.power * r.power,
		height: max(l.height, r.height) + 1}
	s.part = s
	s.digest = l.digest + l.power*r.digest
	s.size = nodeSize + l.size + r.size
	s.refs = l.refs || r.refs
	return s
}

// balance joins two trees whose heights differ by two at most.
func balance(l, r *sequence) *sequence {
	switch {
	case l.height > r.height+1:
		if l.left.height >= l.right.height {
			return newNode(l.left, newNode(l.right, r))
		}
		return newNode(newNode(l.left, l.right.left), newNode(l.right.right, r))
	case r.height > l.height+1:
		if r.right.height >= r.left.height {
			return newNode(newNode(l, r.left), r.right)
		}
		return newNode(newNode(l, r.left.left), newNode(r.left.right, r.right))
	}
	return newNode(l, r)
}

// concat joins any two trees; either may be nil.
func concat(l, r *sequence) *sequence {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.height == 0 && r.height == 0:
		if l.length+r.length <= leafSize {
			all := make([]Value, 0, l.length+r.length)
			return newLeaf(append(append(all, l.leaf...), r.leaf...))
		}
		return newNode(l, r)
	case l.height > r.height+1 || l.height == 1 && r.height == 0 && l.right.length+r.length <= leafSize:
		return balance(l.left, concat(l.right, r))
	case r.height > l.height+1 || r.height == 1 && l.height == 0 && r.left.length+l.length <= leafSize:
		return balance(concat(l, r.left), r.right)
	}
	return newNode(l, r)
}

// treeOf builds a tree over a copy of elements; nil for none.
func treeOf(elements []Value) *sequence {
	switch n := len(elements); {
	case n == 0:
		return nil
	case n <= leafSize:
		return newLeaf(append([]Value(nil), elements...))
	default:
		cut := halfOf(n)
		return newNode(treeOf(elements[:cut]), treeOf(elements[cut:]))
	}
}

// halfOf is how many of n elements go to the left of a node: whole leaves,
// which keeps the heights of the sides within one of each other.
func halfOf(n int) int {
	leaves := (n + leafSize - 1) / leafSize
	return (leaves + 1) / 2 * leafSize
}

func (s *sequence) at(i int) Value {
	leaf, from := s.leafAt(i)
	return leaf[i-from]
}

// leafAt is the leaf that element i lies in, and the index of its first.
func (s *sequence) leafAt(i int) (leaf []Value, from int) {
	for s.height > 0 {
		if i-from < s.left.length {
			s = s.left
		} else {
			from += s.left.length
			s = s.right
		}
	}
	return s.leaf, from
}

// A Cursor reads elements that lie beside each other sooner than [Value.At].
// The zero Cursor is ready; it may go from one collection to another, and
// keeps a part of the last one alive. It is not safe for several goroutines.
type Cursor struct {
	of   *Heap
	leaf []Value
	from int
}

// At is element i of v seen as a sequence, 0 <= i < v.Len().
func (c *Cursor) At(v Value, i int) Value {
	if !v.kind.IsCollection() {
		return v
	}
	if c.of != v.heap || uint(i-c.from) >= uint(len(c.leaf)) {
		c.of = v.heap
		c.leaf, c.from = v.elements().leafAt(i)
	}
	return c.leaf[i-c.from]
}

// slice is elements lo to hi-1, nil where there are none.
func (s *sequence) slice(lo, hi int) *sequence {
	switch {
	case s == nil || lo >= hi:
		return nil
	case lo == 0 && hi == s.length:
		return s
	case s.height == 0:
		return newLeaf(s.leaf[lo:hi:hi])
	}
	n := s.left.length
	return concat(s.left.slice(min(lo, n), min(hi, n)), s.right.slice(max(lo-n, 0), max(hi-n, 0)))
}

func (s *sequence) walk(yield func(Value) bool) bool {
	if s == nil {
		return true
	}
	if s.height > 0 {
		return s.left.walk(yield) && s.right.walk(yield)
	}
	for _, e := range s.leaf {
		if !yield(e) {
			return false
		}
	}
	return true
}

func (s *sequence) digestWith(ids func(ObjectID) uint64) uint64 {
	h, _ := s.digestAndPower(ids)
	return h
}

func (s *sequence) digestAndPower(ids func(ObjectID) uint64) (digest, power uint64) {
	switch {
	case s == nil:
		return 0, 1
	case !s.refs:
		return s.digest, s.power
	case s.height > 0:
		l, lp := s.left.digestAndPower(ids)
		r, rp := s.right.digestAndPower(ids)
		return l + lp*r, lp * rp
	}
	power = 1
	for _, e := range s.leaf {
		digest += power * e.digestWith(ids)
		power *= digestBase
	}
	return digest, power
}

// SequenceOf makes the sequence of elements as they are, which it copies. It
// does not flatten: see [SequenceExpression].
func SequenceOf(elements ...Value) Value { return sequenceValue(Sequence, treeOf(elements)) }

// VectorOf makes the Vector of components, which must be numbers.
func VectorOf(components ...Value) Value { return sequenceValue(Vector, treeOf(components)) }

func sequenceValue(k Kind, s *sequence) Value {
	if s == nil {
		return Value{kind: k}
	}
	return Value{kind: k, heap: &s.Heap}
}

// elements is the tree of v seen as a sequence: of null and Absent the empty
// one, of a single value that value alone.
func (v Value) elements() *sequence {
	switch v.kind {
	case Absent, Null:
		return nil
	case Sequence, Vector:
		if v.heap == nil {
			return nil
		}
		return v.heap.part.(*sequence)
	case Set, Bag, OrderedSet, Array, Map:
		return v.heap.part.(*collection).view(v.kind)
	}
	return newLeaf([]Value{v})
}

// Len is how many elements v has, seen as a sequence: null has none and a
// single value one.
func (v Value) Len() int {
	switch v.kind {
	case Absent, Null:
		return 0
	case Sequence, Vector, Set, Bag, OrderedSet, Array, Map:
		if s := v.elements(); s != nil {
			return s.length
		}
		return 0
	}
	return 1
}

// At is element i of v seen as a sequence, 0 <= i < v.Len().
func (v Value) At(i int) Value {
	if !v.kind.IsCollection() {
		return v
	}
	return v.elements().at(i)
}

// All walks the elements of v seen as a sequence.
func (v Value) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.kind.IsCollection() {
			if v.kind != Null && v.kind != Absent {
				yield(v)
			}
			return
		}
		v.elements().walk(yield)
	}
}

// Append is the sequence of v's elements and then e, which stays one element
// even where it is a collection. Of a large v it copies one leaf.
func (v Value) Append(e Value) Value {
	return sequenceValue(Sequence, concat(v.elements(), newLeaf([]Value{e})))
}

// Concat is the sequence of v's elements and then those of w.
func (v Value) Concat(w Value) Value {
	return sequenceValue(Sequence, concat(v.elements(), w.elements()))
}

// Slice is the sequence of v's elements lo to hi-1, 0 <= lo <= hi <= v.Len().
func (v Value) Slice(lo, hi int) Value {
	return sequenceValue(Sequence, v.elements().slice(lo, hi))
}

// SequenceExpression is (a, b, c): the elements of every operand in one flat
// sequence; null contributes none.
func SequenceExpression(operands []Value) Value {
	var s *sequence
	single := make([]Value, 0, len(operands))
	for _, o := range operands {
		if o.kind.IsCollection() || o.kind == Null || o.kind == Absent {
			s = concat(concat(s, treeOf(single)), o.elements())
			single = single[:0]
			continue
		}
		single = append(single, o)
	}
	return sequenceValue(Sequence, concat(s, treeOf(single)))
}
