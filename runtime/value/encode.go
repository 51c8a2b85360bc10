package value

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"sort"
)

// EncodingVersion is the version of what [AppendEncoding] writes. A container
// of encoded values writes it once, in its head.
const EncodingVersion = 1

// AppendEncoding appends v in binary to dst. Values that are [Same] give the
// same bytes and others give different ones; no encoding is the beginning of
// another. [Decode] reads it.
func AppendEncoding(dst []byte, v Value) []byte { return AppendCanonical(dst, v, nil) }

// AppendCanonical is AppendEncoding with ids to write objects in place of
// their indices: a World gives the identity of the object there. What ids
// appends must not be the beginning of what it appends for another object.
//
// With ids, collections without an order are written in an order that does
// not depend on indices, so that equal Worlds give equal bytes.
func AppendCanonical(dst []byte, v Value, ids func([]byte, ObjectID) []byte) []byte {
	e := encoder{dst: dst, ids: ids}
	e.value(v)
	return e.dst
}

type encoder struct {
	dst []byte
	ids func([]byte, ObjectID) []byte
}

func (e *encoder) uint(n uint64)  { e.dst = binary.AppendUvarint(e.dst, n) }
func (e *encoder) int(n int64)    { e.dst = binary.AppendVarint(e.dst, n) }
func (e *encoder) real(x float64) { e.word(math.Float64bits(x)) }
func (e *encoder) word(n uint64)  { e.dst = binary.BigEndian.AppendUint64(e.dst, n) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.dst = append(e.dst, s...)
}

func (e *encoder) object(v Value) {
	id, ok := v.AsObject()
	switch {
	case !ok:
		e.dst = append(e.dst, 0)
	case e.ids != nil:
		e.dst = e.ids(append(e.dst, 1), id)
	default:
		e.dst = append(e.dst, 1)
		e.uint(uint64(uint32(id)))
	}
}

func (e *encoder) value(v Value) {
	e.dst = append(e.dst, byte(v.kind))
	switch v.kind {
	case Boolean:
		e.dst = append(e.dst, byte(v.bits))
	case Integer:
		e.int(int64(v.bits))
	case Rational:
		e.rational(v)
	case Real:
		e.word(v.bits)
	case String:
		s, _ := v.AsText()
		e.text(s)
	case Object:
		e.object(v)
	case Body:
		e.uint(uint64(v.aux))
		e.uint(v.bits)
	case Enumeration, Metaobject, Type:
		e.named(v)
	case Variant, Function:
		e.named(v)
		e.object(v)
	case Sequence, Vector:
		e.sequence(v.elements())
	case Set, Bag, OrderedSet, Array, Map:
		e.collection(v.heap.part.(*collection), v.kind)
	default:
		e.rest(v)
	}
}

// rest writes the kinds that models meet seldom.
func (e *encoder) rest(v Value) {
	switch v.kind {
	case Quantity:
		q := v.heap.part.(*quantity)
		e.value(q.number)
		e.unit(q.unit)
	case TensorQuantity:
		t := v.heap.part.(*tensor)
		e.ints(t.dims)
		e.sequence(t.numbers)
		e.unit(t.unit)
	case MeasurementRef:
		e.unit(v.heap.part.(*Unit))
	case CoordinateFrame:
		f := v.heap.part.(*frame)
		e.text(f.name)
		e.uint(uint64(len(f.axes)))
		for _, u := range f.axes {
			e.unit(u)
		}
	case Transformation:
		t := v.heap.part.(*transformation)
		e.text(t.name)
		e.value(t.source)
		e.value(t.target)
		for _, x := range t.placement.words() {
			e.real(x)
		}
	case Complex:
		c := v.heap.part.(*complexPart)
		e.real(c.re)
		e.real(c.im)
	}
}

func (e *encoder) rational(v Value) {
	if num, den, ok := v.small(); ok {
		e.dst = append(e.dst, 0)
		e.int(num)
		e.uint(uint64(den))
		return
	}
	r := &v.heap.part.(*rational).number
	e.dst = append(e.dst, 1, byte(r.Sign()+1))
	e.text(string(r.Num().Bytes()))
	e.text(string(r.Denom().Bytes()))
}

func (e *encoder) named(v Value) {
	n := v.heap.part.(*Named)
	e.text(n.qualified)
	e.text(n.name)
	e.text(n.owner)
}

func (e *encoder) ints(list []int) {
	e.uint(uint64(len(list)))
	for _, n := range list {
		e.uint(uint64(n))
	}
}

func (e *encoder) sequence(s *sequence) {
	e.uint(uint64(s.len()))
	s.walk(func(v Value) bool { e.value(v); return true })
}

func (e *encoder) collection(c *collection, k Kind) {
	switch {
	case k == OrderedSet:
		e.sequence(c.order)
	case k == Array:
		e.ints(c.dims)
		e.sequence(c.order)
	case e.ids != nil && c.refs:
		e.unordered(c)
	default:
		e.sequence(c.sorted)
		if k == Map {
			e.sequence(c.values)
		}
	}
}

// unordered writes elements, or keys with their values, sorted by their bytes.
func (e *encoder) unordered(c *collection) {
	entries := make([]string, c.sorted.len())
	for i := range entries {
		b := AppendCanonical(nil, c.sorted.at(i), e.ids)
		if c.values != nil {
			b = AppendCanonical(b, c.values.at(i), e.ids)
		}
		entries[i] = string(b)
	}
	sort.Strings(entries)
	e.uint(uint64(len(entries)))
	for _, s := range entries {
		e.dst = append(e.dst, s...)
	}
}

func (e *encoder) unit(u *Unit) {
	e.text(u.written)
	e.real(u.num)
	e.real(u.den)
	e.real(u.offset)
	e.uint(uint64(len(u.bases)))
	for _, b := range u.bases {
		e.text(b.Name)
		e.int(int64(b.Power.Num))
		e.uint(uint64(b.Power.Den))
	}
}

// ErrEncoding is the error of [Decode] on bytes that encode no value.
var ErrEncoding = errors.New("not the encoding of a value")

// Decode reads one value that [AppendEncoding] wrote from the front of data
// and returns what follows it. names gives the element of a qualified name,
// so that the values of a World share its parts; where it is nil or gives nil
// a new part is made, with index -1.
//
// Decode accepts only what AppendEncoding writes, bit for bit.
func Decode(data []byte, names func(k Kind, qualified string) *Named) (v Value, rest []byte, err error) {
	d := decoder{data: data, names: names}
	v = d.value(0)
	if d.bad {
		return Value{}, nil, ErrEncoding
	}
	if used := data[:len(data)-len(d.data)]; string(AppendEncoding(nil, v)) != string(used) {
		return Value{}, nil, ErrEncoding
	}
	return v, d.data, nil
}

// maxNesting bounds how deep Decode follows values within values.
const maxNesting = 1000

type decoder struct {
	data  []byte
	names func(Kind, string) *Named
	bad   bool
}

func (d *decoder) fail() { d.bad, d.data = true, nil }

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		d.fail()
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.data)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) word() uint64 {
	if len(d.data) < 8 {
		d.fail()
		return 0
	}
	n := binary.BigEndian.Uint64(d.data)
	d.data = d.data[8:]
	return n
}

func (d *decoder) real() float64 { return math.Float64frombits(d.word()) }

// count reads how many entries of at least a byte follow.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.count()
	s := string(d.data[:n])
	d.data = d.data[n:]
	return s
}

func (d *decoder) object() ObjectID {
	if d.byte() == 0 {
		return NoObject
	}
	n := d.uint()
	if n > math.MaxInt32 {
		d.fail()
		return NoObject
	}
	return ObjectID(n)
}

func (d *decoder) value(depth int) Value {
	k := Kind(d.byte())
	if d.bad || k >= kinds || depth > maxNesting {
		d.fail()
		return Value{}
	}
	switch k {
	case Boolean:
		return Bool(d.byte() == 1)
	case Integer:
		return Int(d.int())
	case Rational:
		return d.rational()
	case Real:
		return Value{kind: Real, bits: math.Float64bits(canonicalNaN(d.real()))}
	case String:
		return Text(d.text())
	case Object:
		return ObjectRef(d.object())
	case Body:
		program := d.uint()
		return BodyRef(uint32(program), d.uint())
	case Enumeration, Metaobject, Type:
		return Value{kind: k, heap: &d.named(k).Heap}
	case Variant, Function:
		n := d.named(k)
		return Value{kind: k, bits: uint64(uint32(d.object() + 1)), heap: &n.Heap}
	case Sequence, Vector:
		return sequenceValue(k, treeOf(d.elements(depth)))
	case Set, Bag, OrderedSet, Array, Map:
		return d.collection(k, depth)
	}
	return d.rest(k, depth)
}

func (d *decoder) rest(k Kind, depth int) Value {
	switch k {
	case Quantity:
		number := d.value(depth + 1)
		unit := d.unit()
		if !number.kind.IsNumber() {
			d.fail()
			return Value{}
		}
		return quantityOf(number, unit)
	case TensorQuantity:
		dims := d.ints()
		numbers := d.elements(depth)
		v, ok := TensorQuantityOf(dims, d.unit(), numbers...)
		if !ok {
			d.fail()
		}
		return v
	case MeasurementRef:
		return Reference(d.unit())
	case CoordinateFrame:
		name := d.text()
		axes := make([]*Unit, d.count())
		for i := range axes {
			axes[i] = d.unit()
		}
		return FrameOf(name, axes...)
	case Transformation:
		name := d.text()
		source, target := d.value(depth+1), d.value(depth+1)
		var p Placement
		for i := range 9 {
			p.Basis[i/3][i%3] = d.real()
		}
		for i := range p.Origin {
			p.Origin[i] = d.real()
		}
		return TransformationOf(name, source, target, p)
	case Complex:
		re := d.real()
		return ComplexNumber(re, d.real())
	}
	return Value{kind: k} // Absent, Null, Unbounded, Undetermined
}

func (d *decoder) rational() Value {
	if d.byte() == 0 {
		num, den := d.int(), d.uint()
		if den == 0 || den > math.MaxUint32 {
			d.fail()
			return Value{}
		}
		return fraction(num, int64(den))
	}
	sign := int(d.byte()) - 1
	num, den := new(big.Int).SetBytes([]byte(d.text())), new(big.Int).SetBytes([]byte(d.text()))
	if den.Sign() == 0 {
		d.fail()
		return Value{}
	}
	if sign < 0 {
		num.Neg(num)
	}
	return bigRational(new(big.Rat).SetFrac(num, den))
}

func (d *decoder) named(k Kind) *Named {
	qualified, name, owner := d.text(), d.text(), d.text()
	if d.names != nil {
		if n := d.names(k, qualified); n != nil {
			return n
		}
	}
	return NewNamed(qualified, name, owner, -1)
}

func (d *decoder) elements(depth int) []Value {
	n := d.count()
	elements := make([]Value, 0, min(n, 4096))
	for range n {
		elements = append(elements, d.value(depth+1))
		if d.bad {
			return nil
		}
	}
	return elements
}

func (d *decoder) ints() []int {
	list := make([]int, d.count())
	for i := range list {
		n := d.uint()
		if n > math.MaxInt32 {
			d.fail()
			return nil
		}
		list[i] = int(n)
	}
	return list
}

func (d *decoder) collection(k Kind, depth int) Value {
	var dims []int
	if k == Array {
		dims = d.ints()
	}
	elements := d.elements(depth)
	switch k {
	case Set:
		return SetOf(elements...)
	case Bag:
		return BagOf(elements...)
	case OrderedSet:
		return OrderedSetOf(elements...)
	case Array:
		v, ok := ArrayOf(dims, elements...)
		if !ok {
			d.fail()
		}
		return v
	}
	values := d.elements(depth)
	if len(values) != len(elements) {
		d.fail()
		return Value{}
	}
	return MapOf(elements, values)
}

func (d *decoder) unit() *Unit {
	written := d.text()
	num, den, offset := d.real(), d.real(), d.real()
	bases := make([]BaseUnit, d.count())
	for i := range bases {
		name := d.text()
		power, root := d.int(), d.uint()
		if power < math.MinInt32 || power > math.MaxInt32 || root == 0 || root > math.MaxInt32 {
			d.fail()
			return One
		}
		bases[i] = BaseUnit{name, Exponent{int32(power), int32(root)}}
	}
	return NewUnit(written, num, den, offset, bases)
}
