package value

import (
	"math"
	"math/big"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// maxRationalBits bounds numerator and denominator of an exact number. A
// result beyond it becomes the nearest Real, so that an iteration whose
// digits double at each pass stays as fast as one in Reals.
const maxRationalBits = 512

// rational is the heap part of a Rational whose numerator needs more than 64
// bits or whose denominator needs more than 32.
type rational struct {
	Heap
	number big.Rat
}

func (*rational) isPart() {}

// Fraction makes the exact num/den, reduced. A zero den is an error. The
// kind is Rational even where den divides num: 8 / 2 is 4.0.
func Fraction(num, den int64) (Value, error) {
	if den == 0 {
		return Value{}, errDivisionByZero()
	}
	return fraction(num, den), nil
}

// fraction is Fraction for a den that is known not to be zero.
func fraction(num, den int64) Value {
	if den == math.MinInt64 || num == math.MinInt64 {
		return bigRational(new(big.Rat).SetFrac64(num, den))
	}
	if den < 0 {
		num, den = -num, -den
	}
	if g := gcd(magnitude(num), uint64(den)); g > 1 {
		num, den = num/int64(g), den/int64(g)
	}
	if den > math.MaxUint32 {
		return bigRational(new(big.Rat).SetFrac64(num, den))
	}
	return Value{kind: Rational, aux: uint32(den), bits: uint64(num)}
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// BigRational makes the exact number r, which it does not keep. The result
// is a Real where r is beyond the bound of exact numbers.
func BigRational(r *big.Rat) Value { return bigRational(new(big.Rat).Set(r)) }

// bigRational keeps r.
func bigRational(r *big.Rat) Value {
	num, den := r.Num(), r.Denom()
	if num.IsInt64() && den.IsUint64() && den.Uint64() <= math.MaxUint32 {
		return Value{kind: Rational, aux: uint32(den.Uint64()), bits: uint64(num.Int64())}
	}
	if num.BitLen() > maxRationalBits || den.BitLen() > maxRationalBits {
		f, _ := r.Float64()
		return Float(f)
	}
	p := &rational{}
	p.number.Set(r)
	p.part = p
	p.size = heapSize + 64 + (num.BitLen()+den.BitLen())/8
	p.digest = hashBytes(hashBytes(uint64(r.Sign()), num.Bytes()), den.Bytes())
	return Value{kind: Rational, heap: &p.Heap}
}

// AsRational is v as an exact number of its own, and whether v is an Integer
// or a Rational.
func (v Value) AsRational() (*big.Rat, bool) {
	switch v.kind {
	case Integer:
		return new(big.Rat).SetInt64(int64(v.bits)), true
	case Rational:
		if v.heap != nil {
			return new(big.Rat).Set(&v.heap.part.(*rational).number), true
		}
		return new(big.Rat).SetFrac64(int64(v.bits), int64(v.aux)), true
	}
	return nil, false
}

func (v Value) rationalFloat() float64 {
	if v.heap != nil {
		f, _ := v.heap.part.(*rational).number.Float64()
		return f
	}
	num := int64(v.bits)
	if m := magnitude(num); m < 1<<53 {
		return float64(num) / float64(v.aux) // both exact, so rounded once
	}
	f, _ := new(big.Rat).SetFrac64(num, int64(v.aux)).Float64()
	return f
}

// small is the parts of an Integer or an inline Rational.
func (v Value) small() (num int64, den uint32, ok bool) {
	switch {
	case v.kind == Integer:
		return int64(v.bits), 1, true
	case v.kind == Rational && v.heap == nil:
		return int64(v.bits), v.aux, true
	}
	return 0, 0, false
}

// exact computes a op b for two exact numbers, at least one of them a
// Rational; op is one of + - * /, and b is not zero for /.
func exact(op Operator, a, b Value) Value {
	if an, ad, ok := a.small(); ok {
		if bn, bd, ok := b.small(); ok {
			if v, ok := smallExact(op, an, ad, bn, bd); ok {
				return v
			}
		}
	}
	x, _ := a.AsRational()
	y, _ := b.AsRational()
	switch op {
	case Add:
		x.Add(x, y)
	case Subtract:
		x.Sub(x, y)
	case Multiply:
		x.Mul(x, y)
	default:
		x.Quo(x, y)
	}
	return bigRational(x)
}

// smallExact is exact without allocation; false where a part overflows.
func smallExact(op Operator, an int64, ad uint32, bn int64, bd uint32) (Value, bool) {
	switch op {
	case Add, Subtract:
		if op == Subtract {
			if bn == math.MinInt64 {
				return Value{}, false
			}
			bn = -bn
		}
		if ad == bd {
			n, ok := addInt(an, bn)
			if !ok {
				return Value{}, false
			}
			return fraction(n, int64(ad)), true
		}
		l, ok1 := mulInt(an, int64(bd))
		r, ok2 := mulInt(bn, int64(ad))
		n, ok3 := addInt(l, r)
		d, ok4 := mulInt(int64(ad), int64(bd))
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return Value{}, false
		}
		return fraction(n, d), true
	case Divide:
		if bn == math.MinInt64 {
			return Value{}, false
		}
		n, ok1 := mulInt(an, int64(bd))
		d, ok2 := mulInt(bn, int64(ad))
		if !ok1 || !ok2 {
			return Value{}, false
		}
		return fraction(n, d), true
	}
	n, ok1 := mulInt(an, bn)
	d, ok2 := mulInt(int64(ad), int64(bd))
	if !ok1 || !ok2 {
		return Value{}, false
	}
	return fraction(n, d), true
}

func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return int64(-lo), lo <= 1<<63
	}
	return int64(lo), lo < 1<<63
}

var decimalNumber = regexp.MustCompile(`^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// ParseNumber reads a number as the notation writes it: 42 is an Integer;
// 0.1 and 1e-9 are Rationals, exact. An Integer that does not fit is an
// overflow error.
func ParseNumber(text string) (Value, error) {
	if !decimalNumber.MatchString(text) {
		return Value{}, fail(NotANumber, "not a number: %s", text)
	}
	if !strings.ContainsAny(text, ".eE") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			return Int(n), nil
		}
		return Value{}, errOverflow("the literal " + text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Value{}, fail(NotANumber, "%s is no finite number", text)
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, err = strconv.Atoi(text[i+1:])
	}
	if err != nil || len(mantissa) > maxRationalBits || exponent > maxRationalBits || exponent < -maxRationalBits {
		return Float(f), nil // beyond what is kept exact
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return Float(f), nil
	}
	return bigRational(r), nil
}

// NotANumber is the code of a text that should be a number and is none.
var NotANumber = diagnostic.Register("not-a-number",
	"A text that must be a number is none, or is no finite one.")
