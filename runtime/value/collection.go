package value

import "sort"

// A collection is the heap part of Set, Bag, OrderedSet, Array and Map.
type collection struct {
	Heap
	order  *sequence // OrderedSet, Array: as given
	sorted *sequence // Set, Bag, OrderedSet, Map (its keys): by Order
	values *sequence // Map: the value of each key
	dims   []int     // Array
}

func (*collection) isPart() {}

func (c *collection) seal() *collection {
	c.part = c
	c.size = heapSize + 48 + 8*len(c.dims)
	for _, s := range []*sequence{c.order, c.sorted, c.values} {
		if s != nil {
			c.digest = mix(c.digest, s.digest)
			c.refs = c.refs || s.refs
			c.size += s.size
		}
	}
	for _, d := range c.dims {
		c.digest = mix(c.digest, uint64(d))
	}
	return c
}

// digestWith tells what an order by index would hide: where the elements are
// sorted, their digests are summed, since ids need not keep that order.
func (c *collection) digestWith(ids func(ObjectID) uint64) uint64 {
	var h uint64
	switch {
	case c.order != nil:
		h = c.order.digestWith(ids)
	default:
		for i := range c.sorted.len() {
			e := mix(0, c.sorted.at(i).digestWith(ids))
			if c.values != nil {
				e = mix(e, c.values.at(i).digestWith(ids))
			}
			h += e
		}
	}
	for _, d := range c.dims {
		h = mix(h, uint64(d))
	}
	return h
}

// view is the elements in the order a walk meets them.
func (c *collection) view(k Kind) *sequence {
	switch k {
	case OrderedSet, Array:
		return c.order
	case Map:
		pairs := make([]Value, 0, c.sorted.len())
		for i := range c.sorted.len() {
			pairs = append(pairs, SequenceOf(c.sorted.at(i), c.values.at(i)))
		}
		return treeOf(pairs)
	}
	return c.sorted
}

func (s *sequence) len() int {
	if s == nil {
		return 0
	}
	return s.length
}

// SetOf makes the Set of elements; of several that are equal the first one
// stays. A Set is walked in the canonical order, see [Order].
func SetOf(elements ...Value) Value {
	c := &collection{sorted: distinct(elements)}
	return Value{kind: Set, heap: &c.seal().Heap}
}

// distinct sorts elements and keeps the first of equals.
func distinct(elements []Value) *sequence {
	sorted := append([]Value(nil), elements...)
	sort.SliceStable(sorted, func(i, j int) bool { return Order(sorted[i], sorted[j]) < 0 })
	kept := sorted[:0]
	for _, e := range sorted {
		if len(kept) > 0 && sameElement(kept[len(kept)-1], e) {
			continue
		}
		kept = append(kept, e)
	}
	return treeOf(kept)
}

func sameElement(a, b Value) bool {
	if Order(a, b) == 0 {
		return true
	}
	equal, err := Equal(a, b)
	return err == nil && equal
}

// BagOf makes the Bag of elements.
func BagOf(elements ...Value) Value {
	sorted := append([]Value(nil), elements...)
	sort.SliceStable(sorted, func(i, j int) bool { return Order(sorted[i], sorted[j]) < 0 })
	c := &collection{sorted: treeOf(sorted)}
	return Value{kind: Bag, heap: &c.seal().Heap}
}

// OrderedSetOf makes the OrderedSet of elements in order, without those that
// equal an earlier one.
func OrderedSetOf(elements ...Value) Value {
	c := &collection{}
	var order []Value
	for _, e := range elements {
		if i, found := find(c.sorted, e); !found {
			c.sorted = concat(concat(c.sorted.slice(0, i), newLeaf([]Value{e})), c.sorted.slice(i, c.sorted.len()))
			order = append(order, e)
		}
	}
	c.order = treeOf(order)
	return Value{kind: OrderedSet, heap: &c.seal().Heap}
}

// find is where e is, or belongs, among sorted elements.
func find(s *sequence, e Value) (int, bool) {
	i := sort.Search(s.len(), func(i int) bool { return Order(s.at(i), e) >= 0 })
	if i < s.len() && sameElement(s.at(i), e) || i > 0 && sameElement(s.at(i-1), e) {
		return i, true
	}
	return i, false
}

// ArrayOf makes the Array of elements, of which there must be as many as the
// product of dims says; false otherwise.
func ArrayOf(dims []int, elements ...Value) (Value, bool) {
	n := 1
	for _, d := range dims {
		if d < 0 || d > len(elements) && len(elements) > 0 {
			return Value{}, false
		}
		n *= d
		if n > len(elements) {
			return Value{}, false
		}
	}
	if n != len(elements) {
		return Value{}, false
	}
	c := &collection{order: treeOf(elements), dims: append([]int(nil), dims...)}
	return Value{kind: Array, heap: &c.seal().Heap}, true
}

// Dimensions is what an Array, or a quantity of several numbers, was made
// with; nil for any other value. It must not be changed.
func (v Value) Dimensions() []int {
	if v.heap == nil {
		return nil
	}
	switch p := v.heap.part.(type) {
	case *collection:
		return p.dims
	case *tensor:
		return p.dims
	}
	return nil
}

// MapOf makes the Map of keys and their values, of which there are as many;
// of equal keys the last one's value stays.
func MapOf(keys, values []Value) Value {
	c := &collection{}
	for i, k := range keys {
		at, found := find(c.sorted, k)
		if found && at > 0 && (at == c.sorted.len() || !sameElement(c.sorted.at(at), k)) {
			at--
		}
		rest := at
		if found {
			rest++
		}
		c.sorted = concat(concat(c.sorted.slice(0, at), newLeaf([]Value{k})), c.sorted.slice(rest, c.sorted.len()))
		c.values = concat(concat(c.values.slice(0, at), newLeaf([]Value{values[i]})), c.values.slice(rest, c.values.len()))
	}
	return Value{kind: Map, heap: &c.seal().Heap}
}

// Lookup is the value of key in the Map v, and whether it has that key.
func (v Value) Lookup(key Value) (Value, bool) {
	if v.kind != Map {
		return Value{}, false
	}
	c := v.heap.part.(*collection)
	i, found := find(c.sorted, key)
	if !found {
		return Value{}, false
	}
	if i == c.sorted.len() || !sameElement(c.sorted.at(i), key) {
		i--
	}
	return c.values.at(i), true
}

// Contains reports whether an element of v, seen as a sequence, equals e. In
// the collections that are sorted it searches by halves.
func (v Value) Contains(e Value) bool {
	switch v.kind {
	case Set, Bag, OrderedSet:
		if e.kind == Quantity || e.kind == Variant {
			break // may equal elements of another rank
		}
		c := v.heap.part.(*collection)
		if _, found := find(c.sorted, e); found || !e.kind.IsNumber() {
			return found
		}
		// A number equals a quantity of dimension one.
		from := sort.Search(c.sorted.len(), func(i int) bool { return rank(c.sorted.at(i).kind) >= rank(Quantity) })
		for i := from; i < c.sorted.len() && c.sorted.at(i).kind == Quantity; i++ {
			if sameElement(c.sorted.at(i), e) {
				return true
			}
		}
		return false
	}
	for x := range v.All() {
		if sameElement(x, e) {
			return true
		}
	}
	return false
}
