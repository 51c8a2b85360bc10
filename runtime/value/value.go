package value

import "math"

// An ObjectID is the index of an object in its World. Valid ids are not
// negative; what a trace prints as instance#n is the World's business.
type ObjectID int32

// NoObject stands where no object is meant.
const NoObject ObjectID = -1

// A Value is one value of the language. It is immutable and freely copied
// and shared between goroutines; the zero Value is Absent.
//
// Go's == on Values is not the language's equality: see [Equal], [Identical]
// and [Same].
type Value struct {
	kind Kind
	aux  uint32 // Rational: denominator; Body: program part of the reference
	bits uint64
	heap *Heap
}

// A Heap is the immutable part of a Value that does not fit into it. It is
// embedded in what it stands for, so that a part is one allocation. The
// types behind it are those that implement part, in this package alone.
type Heap struct {
	part   part   // what embeds this; nil for a String
	text   string // of a String
	digest uint64 // of the content
	size   int    // bytes held, those of elements included
	refs   bool   // an element, at any depth, refers to an object
}

// A part is a struct that embeds Heap: [Named], [Unit], *rational, *sequence,
// *collection, *quantity, *tensor, *frame, *transformation or *complexPart.
type part interface{ isPart() }

// Constants that are asked for often.
var (
	NullValue         = Value{kind: Null}
	True              = Value{kind: Boolean, bits: 1}
	False             = Value{kind: Boolean}
	UnboundedValue    = Value{kind: Unbounded}
	EmptySequence     = Value{kind: Sequence}
	UndeterminedValue = Value{kind: Undetermined}
)

// Kind says what v is.
func (v Value) Kind() Kind { return v.kind }

// IsAbsent reports whether v is the zero Value.
func (v Value) IsAbsent() bool { return v.kind == Absent }

// IsNull reports whether v is the language's null (the empty sequence is not).
func (v Value) IsNull() bool { return v.kind == Null }

// heapSize is the bytes of a Heap alone, and of a Value.
const heapSize, valueSize = 56, 24

// Bytes is about how many bytes v holds beside the Value itself, elements at
// all depths included; parts that belong to the model count nothing. What a
// budget of bytes is charged. It takes constant time.
func (v Value) Bytes() int {
	if v.heap == nil {
		return 0
	}
	return v.heap.size
}

// Bool makes a Boolean.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// AsBool is the truth of v and whether v is a Boolean.
func (v Value) AsBool() (truth, ok bool) { return v.bits != 0, v.kind == Boolean }

// Int makes an Integer.
func Int(n int64) Value { return Value{kind: Integer, bits: uint64(n)} }

// AsInt is the Integer v and whether v is one.
func (v Value) AsInt() (int64, bool) { return int64(v.bits), v.kind == Integer }

// Float makes a Real. A NaN is made the one canonical NaN; the two zeros
// stay apart.
func Float(x float64) Value {
	return Value{kind: Real, bits: math.Float64bits(canonicalNaN(x))}
}

func canonicalNaN(x float64) float64 {
	if x != x {
		return math.NaN()
	}
	return x
}

// AsFloat is v as a Real, rounded to the nearest where v is an Integer or a
// Rational, and whether v is a number at all.
func (v Value) AsFloat() (float64, bool) {
	switch v.kind {
	case Real:
		return math.Float64frombits(v.bits), true
	case Integer:
		return float64(int64(v.bits)), true
	case Rational:
		return v.rationalFloat(), true
	}
	return 0, false
}

// Text makes a String.
func Text(s string) Value {
	if s == "" {
		return Value{kind: String}
	}
	return Value{kind: String, heap: &Heap{text: s, digest: hashText(0, s), size: heapSize + len(s)}}
}

// AsText is the text of v and whether v is a String.
func (v Value) AsText() (string, bool) {
	if v.kind != String {
		return "", false
	}
	if v.heap == nil {
		return "", true
	}
	return v.heap.text, true
}

// ObjectRef makes a reference to the object id.
func ObjectRef(id ObjectID) Value { return Value{kind: Object, bits: uint64(uint32(id))} }

// AsObject is the object that v refers to: itself, or what a variant stands
// for; NoObject and false where there is none.
func (v Value) AsObject() (ObjectID, bool) {
	switch v.kind {
	case Object:
		return ObjectID(int32(uint32(v.bits))), true
	case Variant, Function:
		if v.bits != 0 {
			return ObjectID(int32(uint32(v.bits - 1))), true
		}
	}
	return NoObject, false
}

// BodyRef makes a body expression: the number of its program and the frame
// it closes over, both the caller's. It lives no longer than that frame.
func BodyRef(program uint32, frame uint64) Value {
	return Value{kind: Body, aux: program, bits: frame}
}

// AsBody is the program and the frame given to [BodyRef].
func (v Value) AsBody() (program uint32, frame uint64, ok bool) {
	return v.aux, v.bits, v.kind == Body
}

// ComplexNumber makes a Complex.
func ComplexNumber(re, im float64) Value {
	c := &complexPart{re: canonicalNaN(re), im: canonicalNaN(im)}
	c.part = c
	c.size = heapSize + 16
	c.digest = mix(mix(0, math.Float64bits(c.re)), math.Float64bits(c.im))
	return Value{kind: Complex, heap: &c.Heap}
}

// AsComplex is the parts of v, a number counting as a Complex without an
// imaginary one, and whether v is either.
func (v Value) AsComplex() (re, im float64, ok bool) {
	if v.kind == Complex {
		c := v.heap.part.(*complexPart)
		return c.re, c.im, true
	}
	re, ok = v.AsFloat()
	return re, 0, ok
}

type complexPart struct {
	Heap
	re, im float64
}

func (*complexPart) isPart() {}
