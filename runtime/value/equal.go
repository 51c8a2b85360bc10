package value

import (
	"cmp"
	"math"
	"math/big"
	"strings"
)

// Same reports whether a and b are one value to any observer: the same kind,
// payload, text and unit, element by element. NaN is the Same as itself, 1 is
// not the Same as 1.0. It is the equality of Worlds.
func Same(a, b Value) bool {
	if a.kind != b.kind || a.aux != b.aux || a.bits != b.bits {
		return false
	}
	if a.heap == b.heap {
		return true
	}
	if a.heap == nil || b.heap == nil || a.heap.digest != b.heap.digest {
		return false
	}
	return samePart(a.heap, b.heap)
}

func samePart(a, b *Heap) bool {
	switch p := a.part.(type) {
	case nil:
		return a.text == b.text
	case *Named:
		return p.qualified == b.part.(*Named).qualified
	case *Unit:
		return p.Same(b.part.(*Unit))
	case *rational:
		return p.number.Cmp(&b.part.(*rational).number) == 0
	case *complexPart:
		q := b.part.(*complexPart)
		return Same(Float(p.re), Float(q.re)) && Same(Float(p.im), Float(q.im))
	case *sequence:
		return p.same(b.part.(*sequence))
	case *collection:
		q := b.part.(*collection)
		return p.order.same(q.order) && p.sorted.same(q.sorted) && p.values.same(q.values) && sameInts(p.dims, q.dims)
	case *quantity:
		q := b.part.(*quantity)
		return Same(p.number, q.number) && p.unit.Same(q.unit)
	case *tensor:
		q := b.part.(*tensor)
		return sameInts(p.dims, q.dims) && p.unit.Same(q.unit) && p.numbers.same(q.numbers)
	case *frame:
		q := b.part.(*frame)
		return p.name == q.name && sameUnits(p.axes, q.axes)
	case *transformation:
		q := b.part.(*transformation)
		return p.name == q.name && Same(p.source, q.source) && Same(p.target, q.target) && sameReals(p.placement.words(), q.placement.words())
	}
	return false
}

func (s *sequence) same(t *sequence) bool {
	if s == t {
		return true
	}
	if s == nil || t == nil || s.length != t.length || s.digest != t.digest {
		return false
	}
	return s.pairs(t, func(a, b Value) bool { return Same(a, b) })
}

// pairs calls f with the elements of s and t, equally long, index by index
// until it says false.
func (s *sequence) pairs(t *sequence, f func(a, b Value) bool) bool {
	var cursor cursor
	cursor.down(t)
	return s.walk(func(a Value) bool { return f(a, cursor.next()) })
}

// A cursor meets the elements of a tree one at a time.
type cursor struct {
	later []*sequence
	leaf  []Value
}

func (c *cursor) down(s *sequence) {
	if s == nil {
		return
	}
	for s.height > 0 {
		c.later = append(c.later, s.right)
		s = s.left
	}
	c.leaf = s.leaf
}

func (c *cursor) next() Value {
	if len(c.leaf) == 0 {
		last := len(c.later) - 1
		s := c.later[last]
		c.later = c.later[:last]
		c.down(s)
	}
	e := c.leaf[0]
	c.leaf = c.leaf[1:]
	return e
}

func sameReals(a, b [12]float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

func sameInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func sameUnits(a, b []*Unit) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Same(b[i]) {
			return false
		}
	}
	return true
}

// Equal is the language's ==. Numbers compare across kinds, quantities are
// converted to a's unit, everything else needs the same kind: strings and
// collections by content, objects by identity, literals and variants by
// declaration. A variant equals the object that it stands for. Only
// incommensurable quantities are an error.
func Equal(a, b Value) (bool, error) {
	if a.kind == Integer && b.kind == Integer {
		return a.bits == b.bits, nil
	}
	if a.kind.IsNumber() && b.kind.IsNumber() {
		return compareNumbers(a, b) == 0, nil
	}
	if a.kind == Quantity || b.kind == Quantity {
		if !(a.kind == Quantity || a.kind.IsNumber()) || !(b.kind == Quantity || b.kind.IsNumber()) {
			return false, nil
		}
		c, err := comparedQuantities(a, b)
		return c == 0, err
	}
	if a.kind == Complex || b.kind == Complex {
		ar, ai, ok1 := a.AsComplex()
		br, bi, ok2 := b.AsComplex()
		return ok1 && ok2 && ar == br && ai == bi, nil
	}
	if (a.kind == Variant) != (b.kind == Variant) {
		x, ok1 := a.AsObject()
		y, ok2 := b.AsObject()
		return ok1 && ok2 && x == y && (a.kind == Object || b.kind == Object), nil
	}
	if a.kind == Vector && b.kind == Sequence || a.kind == Sequence && b.kind == Vector {
		return equalElements(a.elements(), b.elements())
	}
	if a.kind != b.kind {
		return false, nil
	}
	return equalOfKind(a, b)
}

func equalOfKind(a, b Value) (bool, error) {
	switch a.kind {
	case Variant:
		x, _ := a.AsNamed()
		y, _ := b.AsNamed()
		return x == y || x.qualified == y.qualified, nil
	case Sequence, Vector:
		return equalElements(a.elements(), b.elements())
	case Set, Bag, OrderedSet, Array, Map:
		p, q := a.heap.part.(*collection), b.heap.part.(*collection)
		if !sameInts(p.dims, q.dims) {
			return false, nil
		}
		if p.order == nil && q.order == nil {
			equal, err := equalElements(p.sorted, q.sorted)
			if !equal || err != nil {
				return false, err
			}
			return equalElements(p.values, q.values)
		}
		return equalElements(p.order, q.order)
	case TensorQuantity:
		return equalTensors(a.heap.part.(*tensor), b.heap.part.(*tensor))
	case MeasurementRef:
		p, q := a.heap.part.(*Unit), b.heap.part.(*Unit)
		return p.Commensurable(q) && p.num*q.den == q.num*p.den && p.offset == q.offset, nil
	}
	return Same(a, b), nil
}

func equalElements(s, t *sequence) (equal bool, err error) {
	if s == t {
		return true, nil
	}
	if s.len() != t.len() {
		return false, nil
	}
	equal = s.pairs(t, func(a, b Value) bool {
		var same bool
		same, err = Equal(a, b)
		return same && err == nil
	})
	return equal && err == nil, err
}

func equalTensors(p, q *tensor) (bool, error) {
	if !p.unit.Commensurable(q.unit) {
		return false, errIncommensurable(q.unit, p.unit)
	}
	if !sameInts(p.dims, q.dims) {
		return false, nil
	}
	return p.numbers.pairs(q.numbers, func(a, b Value) bool {
		c, _ := compareQuantities(a, p.unit, b, q.unit)
		return c == 0
	}), nil
}

// identical is the language's ===: equal, and numbers of the same kind,
// where a Rational counts as a Real.
func identical(a, b Value) (bool, error) {
	if a.kind.IsNumber() && b.kind.IsNumber() && (a.kind == Integer) != (b.kind == Integer) {
		return false, nil
	}
	if a.kind == b.kind && (a.kind == Sequence || a.kind == Vector) {
		if a.Len() != b.Len() {
			return false, nil
		}
		var err error
		all := a.elements().pairs(b.elements(), func(x, y Value) bool {
			var same bool
			same, err = identical(x, y)
			return same && err == nil
		})
		return all && err == nil, err
	}
	return Equal(a, b)
}

// unordered is what comparing with NaN gives.
const unordered = 2

// compareNumbers is -1, 0 or 1 as a is less than, equal to or greater than b,
// unordered where one is NaN. Exact kinds compare exactly, a Real with any
// other number as Reals.
func compareNumbers(a, b Value) int {
	if a.kind == Integer && b.kind == Integer {
		return cmp.Compare(int64(a.bits), int64(b.bits))
	}
	if a.kind == Real || b.kind == Real {
		x, _ := a.AsFloat()
		y, _ := b.AsFloat()
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		case x == y:
			return 0
		}
		return unordered
	}
	return compareExact(a, b)
}

func compareExact(a, b Value) int {
	if an, ad, ok := a.small(); ok {
		if bn, bd, ok := b.small(); ok {
			l, ok1 := mulInt(an, int64(bd))
			r, ok2 := mulInt(bn, int64(ad))
			if ok1 && ok2 {
				return cmp.Compare(l, r)
			}
		}
	}
	x, _ := a.AsRational()
	y, _ := b.AsRational()
	return x.Cmp(y)
}

// compareQuantities converts y into xu first.
func compareQuantities(x Value, xu *Unit, y Value, yu *Unit) (int, error) {
	if xu == yu || xu.Same(yu) {
		return compareNumbers(x, y), nil
	}
	if !xu.Commensurable(yu) {
		return unordered, errIncommensurable(yu, xu)
	}
	m, _ := y.AsFloat()
	return compareNumbers(asReal(x), Float(yu.Convert(m, xu))), nil
}

func asReal(v Value) Value {
	f, _ := v.AsFloat()
	return Float(f)
}

// Order is the canonical order of all values, in which a Set is walked:
// null, Booleans, numbers, strings, quantities, literals, objects, then the
// other kinds; each class in its own order. It is total: -1, 0 or 1, and 0
// for numbers that are exactly equal, whatever their kinds. NaN comes last
// among the numbers.
func Order(a, b Value) int {
	if ra, rb := rank(a.kind), rank(b.kind); ra != rb {
		return cmp.Compare(ra, rb)
	}
	if a.kind.IsNumber() {
		return orderNumbers(a, b)
	}
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case String:
		x, _ := a.AsText()
		y, _ := b.AsText()
		return strings.Compare(x, y)
	case Quantity:
		return orderQuantities(a, b)
	case Object:
		x, _ := a.AsObject()
		y, _ := b.AsObject()
		return cmp.Compare(int64(x), int64(y))
	case Enumeration, Variant, Function, Metaobject, Type:
		x, _ := a.AsNamed()
		y, _ := b.AsNamed()
		if c := strings.Compare(x.qualified, y.qualified); c != 0 {
			return c
		}
		return cmp.Compare(int64(a.bits), int64(b.bits))
	case Sequence, Vector, Set, Bag, OrderedSet, Array:
		return orderElements(a.elements(), b.elements())
	}
	if Same(a, b) {
		return 0
	}
	if c := strings.Compare(Trace(a), Trace(b)); c != 0 {
		return c
	}
	return strings.Compare(string(AppendEncoding(nil, a)), string(AppendEncoding(nil, b)))
}

var ranks = [kinds]int8{Absent: 0, Null: 1, Boolean: 2, Integer: 3, Rational: 3, Real: 3, String: 4,
	Quantity: 5, Enumeration: 6, Variant: 7, Object: 8}

// rank is the class of k in the canonical order.
func rank(k Kind) int8 {
	if r := ranks[k]; r > 0 || k == Absent {
		return r
	}
	return 9 + int8(k)
}

func orderNumbers(a, b Value) int {
	if a.kind != Real && b.kind != Real || a.kind == Real && b.kind == Real {
		if c := compareNumbers(a, b); c != unordered {
			return c
		}
	}
	x, xok := a.finite()
	y, yok := b.finite()
	if xok && yok {
		return x.Cmp(y)
	}
	// An infinity or NaN is there: -inf, the finite ones, +inf, NaN.
	return cmp.Compare(a.extremity(), b.extremity())
}

func (v Value) finite() (*big.Rat, bool) {
	if r, ok := v.AsRational(); ok {
		return r, true
	}
	f, _ := v.AsFloat()
	r := new(big.Rat).SetFloat64(f)
	return r, r != nil
}

func (v Value) extremity() int {
	f, _ := v.AsFloat()
	switch {
	case v.kind != Real || f-f == 0:
		return 0
	case f != f:
		return 2
	case f > 0:
		return 1
	}
	return -1
}

func orderQuantities(a, b Value) int {
	p, q := a.heap.part.(*quantity), b.heap.part.(*quantity)
	if c := strings.Compare(p.unit.Reduction(), q.unit.Reduction()); c != 0 {
		return c
	}
	if p.unit.num == q.unit.num && p.unit.den == q.unit.den && p.unit.offset == q.unit.offset {
		if c := orderNumbers(p.number, q.number); c != 0 {
			return c
		}
		return strings.Compare(p.unit.written, q.unit.written)
	}
	base := NewUnit("", 1, 1, 0, p.unit.bases)
	x, _ := p.number.AsFloat()
	y, _ := q.number.AsFloat()
	if c := orderNumbers(Float(p.unit.Convert(x, base)), Float(q.unit.Convert(y, base))); c != 0 {
		return c
	}
	return strings.Compare(p.unit.written, q.unit.written)
}

func orderElements(s, t *sequence) int {
	if s.len() != t.len() {
		return cmp.Compare(s.len(), t.len())
	}
	c := 0
	s.pairs(t, func(a, b Value) bool { c = Order(a, b); return c == 0 })
	return c
}
