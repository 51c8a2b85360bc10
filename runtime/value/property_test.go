package value_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// someValue makes a value of any kind, nested up to depth; small choices make
// equal ones likely.
func someValue(r *rand.Rand, depth int) value.Value {
	n := 26
	if depth == 0 {
		n = 17
	}
	list := func() []value.Value {
		elements := make([]value.Value, r.IntN(4))
		for i := range elements {
			elements[i] = someValue(r, depth-1)
		}
		return elements
	}
	name := fmt.Sprintf("n%d", r.IntN(2))
	named := value.NewNamed("P::"+name, name, "P", int32(r.IntN(9)))
	unit := []*value.Unit{value.One, metre, second, km, celsius, metre.Per(second)}[r.IntN(6)]
	small := func() value.Value { return value.Int(int64(r.IntN(4) - 1)) }
	switch r.IntN(n) {
	case 0:
		return value.Value{}
	case 1:
		return value.NullValue
	case 2:
		return value.Bool(r.IntN(2) == 0)
	case 3:
		return value.Int([]int64{0, 1, -1, math.MaxInt64, math.MinInt64}[r.IntN(5)])
	case 4, 5:
		v, _ := value.Fraction(int64(r.IntN(9)-4), int64(r.IntN(4)+1))
		return v
	case 6:
		v, _ := value.Fraction(math.MaxInt64-int64(r.IntN(2)), math.MaxInt64-int64(r.IntN(2))-9)
		return v
	case 7:
		return value.Float([]float64{0, math.Copysign(0, -1), 1, 0.5, math.NaN(), math.Inf(1)}[r.IntN(6)])
	case 8:
		return value.UnboundedValue
	case 9:
		return value.Text([]string{"", "a", "ab", "abcdefghi", "\x00"}[r.IntN(5)])
	case 10:
		return value.Literal(named)
	case 11:
		return value.VariantOf(named, value.ObjectID(r.IntN(3)-1))
	case 12:
		return value.ObjectRef(value.ObjectID(r.IntN(3)))
	case 13:
		return value.FunctionOf(named, value.ObjectID(r.IntN(3)-1))
	case 14:
		return []value.Value{value.MetaobjectOf(named), value.TypeOf(named), value.BodyRef(uint32(r.IntN(2)), uint64(r.IntN(2))), value.UndeterminedValue}[r.IntN(4)]
	case 15:
		q, _ := value.QuantityOf(someNumber(r), unit)
		return q
	case 16:
		return []value.Value{value.Reference(unit), value.FrameOf("f", unit, metre), value.ComplexNumber(float64(r.IntN(2)), 0),
			value.TransformationOf("t", value.FrameOf("f", unit), value.NullValue, value.InPlace.Translated([3]float64{float64(r.IntN(2)), math.NaN()}))}[r.IntN(4)]
	case 17, 18, 19:
		return value.SequenceOf(list()...)
	case 20:
		return value.SetOf(list()...)
	case 21:
		return value.BagOf(list()...)
	case 22:
		return value.OrderedSetOf(list()...)
	case 23:
		elements := list()
		v, _ := value.ArrayOf([]int{1, len(elements)}, elements...)
		return v
	case 24:
		keys := list()
		return value.MapOf(keys, keys)
	}
	if r.IntN(2) == 0 {
		v, _ := value.TensorQuantityOf([]int{2}, unit, small(), small())
		return v
	}
	return value.VectorOf(small(), small())
}

func someNumber(r *rand.Rand) value.Value {
	switch r.IntN(3) {
	case 0:
		return value.Int(int64(r.IntN(5)))
	case 1:
		return value.Float(float64(r.IntN(5)))
	}
	v, _ := value.Fraction(int64(r.IntN(9)), int64(r.IntN(3)+1))
	return v
}

// Sameness, bytes, hashes, the canonical order and decoding agree.
func TestRepresentationsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]value.Value, 1500)
	encodings := make([][]byte, len(values))
	for i := range values {
		values[i] = someValue(r, 2)
		encodings[i] = value.AppendEncoding(nil, values[i])
		back, rest, err := value.Decode(encodings[i], nil)
		if err != nil || len(rest) != 0 || !value.Same(back, values[i]) || value.Trace(back) != value.Trace(values[i]) {
			t.Fatalf("%s decodes to %s: %v", value.Trace(values[i]), value.Trace(back), err)
		}
	}
	for i, a := range values {
		for j, b := range values[:i+1] {
			same, sameBytes := value.Same(a, b), bytes.Equal(encodings[i], encodings[j])
			sameHash := a.Hash(5) == b.Hash(5)
			if same != sameBytes || same != sameHash {
				t.Fatalf("%s and %s: same %t, bytes %t, hash %t", value.Trace(a), value.Trace(b), same, sameBytes, sameHash)
			}
			if c := value.Order(a, b); c != -value.Order(b, a) || same && c != 0 {
				t.Fatalf("%s and %s: order %d and %d", value.Trace(a), value.Trace(b), c, value.Order(b, a))
			}
		}
	}
	for range 100000 {
		a, b, c := values[r.IntN(len(values))], values[r.IntN(len(values))], values[r.IntN(len(values))]
		if value.Order(a, b) <= 0 && value.Order(b, c) <= 0 && value.Order(a, c) > 0 {
			t.Fatalf("the order is not transitive: %s, %s, %s", value.Trace(a), value.Trace(b), value.Trace(c))
		}
	}
}

// An encoding is not the beginning of another one.
func TestEncodingsAreSelfDelimiting(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		v := someValue(r, 2)
		data := value.AppendEncoding(nil, v)
		for n := range data {
			if got, _, err := value.Decode(data[:n], nil); err == nil {
				t.Fatalf("%d of %d bytes of %s decode to %s", n, len(data), value.Trace(v), value.Trace(got))
			}
		}
		if _, rest, err := value.Decode(append(data, 1, 2, 3), nil); err != nil || len(rest) != 3 {
			t.Fatalf("%s with three bytes more leaves %d: %v", value.Trace(v), len(rest), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		f.Add(value.AppendEncoding(nil, someValue(r, 2)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, rest, err := value.Decode(data, nil)
		if err != nil {
			return
		}
		if used := data[:len(data)-len(rest)]; !bytes.Equal(value.AppendEncoding(nil, v), used) {
			t.Errorf("%x decodes to %s, which encodes to %x", used, value.Trace(v), value.AppendEncoding(nil, v))
		}
		v.Hash(1)
		value.Trace(v)
		value.Order(v, v)
	})
}

// Names given to Decode are shared, and renumbering the objects of a World
// changes neither canonical bytes nor hashes.
func TestObjectsByIdentity(t *testing.T) {
	permuted := []value.ObjectID{2, 0, 1}
	name := func(id value.ObjectID) string { return "object " + string(rune('A'+id)) }
	direct := func(dst []byte, id value.ObjectID) []byte { return append(dst, name(id)...) }
	renamed := func(dst []byte, id value.ObjectID) []byte { return append(dst, name(permuted[id])...) }
	hash := func(id value.ObjectID) uint64 { return uint64(id) * 77 }
	hashRenamed := func(id value.ObjectID) uint64 { return uint64(permuted[id]) * 77 }
	n := value.NewNamed("P::n", "n", "P", 3)
	build := func(o func(int) value.ObjectID) []value.Value {
		ref := func(i int) value.Value { return value.ObjectRef(o(i)) }
		return []value.Value{
			ref(0), value.VariantOf(n, o(1)), value.FunctionOf(n, value.NoObject),
			value.SequenceOf(ref(0), value.Int(1), ref(2)),
			value.SetOf(ref(0), ref(1), ref(2)), value.BagOf(ref(2), ref(1), ref(1)),
			value.MapOf([]value.Value{ref(0), ref(1), ref(2)}, []value.Value{value.Int(1), ref(0), value.Int(3)}),
			value.OrderedSetOf(ref(2), ref(0)),
			value.SequenceOf(value.SetOf(value.SequenceOf(ref(1)), value.SequenceOf(ref(2)))),
		}
	}
	one := build(func(i int) value.ObjectID { return permuted[i] })
	other := build(func(i int) value.ObjectID { return value.ObjectID(i) })
	for i := range one {
		a, b := value.AppendCanonical(nil, one[i], direct), value.AppendCanonical(nil, other[i], renamed)
		if !bytes.Equal(a, b) {
			t.Errorf("%s and %s: bytes %q and %q", value.Trace(one[i]), value.Trace(other[i]), a, b)
		}
		if x, y := one[i].HashWith(9, hash), other[i].HashWith(9, hashRenamed); x != y {
			t.Errorf("%s and %s: hashes %x and %x", value.Trace(one[i]), value.Trace(other[i]), x, y)
		}
	}
	if x, y := one[3].HashWith(9, hash), other[3].HashWith(9, hash); x == y {
		t.Error("different objects hash the same")
	}
	shared := func(k value.Kind, qualified string) *value.Named { return n }
	back, _, err := value.Decode(value.AppendEncoding(nil, value.Literal(n)), shared)
	if got, _ := back.AsNamed(); err != nil || got != n || got.Index() != 3 {
		t.Errorf("the decoded literal has a part of its own: %v", err)
	}
}

// Operators on exact numbers agree with math/big, and an Integer result that
// does not fit is an error.
func TestExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	edges := []int64{0, 1, -1, 2, 3, 10, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MaxUint32, 1 << 32, -1 << 32, math.MaxInt64 - 1}
	pick := func() int64 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return int64(r.Uint64() >> r.IntN(64))
	}
	exact := func() value.Value {
		if r.IntN(3) == 0 {
			return value.Int(pick())
		}
		den := pick()
		if den == 0 {
			den = 7
		}
		v, _ := value.Fraction(pick(), den)
		return v
	}
	for range 40000 {
		a, b := exact(), exact()
		x, _ := a.AsRational()
		y, _ := b.AsRational()
		for _, op := range []value.Operator{value.Add, value.Subtract, value.Multiply, value.Divide} {
			want := new(big.Rat)
			switch op {
			case value.Add:
				want.Add(x, y)
			case value.Subtract:
				want.Sub(x, y)
			case value.Multiply:
				want.Mul(x, y)
			case value.Divide:
				if y.Sign() == 0 {
					continue
				}
				want.Quo(x, y)
			}
			got, err := value.Binary(op, a, b)
			integers := a.Kind() == value.Integer && b.Kind() == value.Integer && op != value.Divide
			if integers && !want.Num().IsInt64() {
				if err == nil {
					t.Fatalf("%s %s %s is %s, want an overflow", value.Trace(a), op, value.Trace(b), value.Trace(got))
				}
				continue
			}
			g, ok := got.AsRational()
			if err != nil || !ok || g.Cmp(want) != 0 || (got.Kind() == value.Integer) != integers {
				t.Fatalf("%s %s %s is %s, want %s: %v", value.Trace(a), op, value.Trace(b), value.Trace(got), want, err)
			}
			if !value.Same(got, value.BigRational(want)) && !integers {
				t.Fatalf("%s has two representations", want)
			}
		}
		less, _ := value.Binary(value.Less, a, b)
		if truth, _ := less.AsBool(); truth != (x.Cmp(y) < 0) {
			t.Fatalf("%s < %s is %t", value.Trace(a), value.Trace(b), truth)
		}
		f, _ := a.AsFloat()
		if w, _ := x.Float64(); f != w {
			t.Fatalf("%s rounds to %v, want %v", value.Trace(a), f, w)
		}
	}
}
