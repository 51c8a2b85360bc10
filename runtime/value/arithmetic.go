package value

import (
	"math"
	"math/big"
	"strings"
)

// Binary computes a op b for the operators that look at both operands:
// arithmetic, comparison, equality, Boolean operators (without the short
// circuit, which is the executor's), .. and ??.
//
// Integer with Integer stays Integer except under /, which is exact; exact
// numbers stay exact; a Real makes the result a Real. Scalars allocate
// nothing.
func Binary(op Operator, a, b Value) (Value, error) {
	if a.kind == Integer && b.kind == Integer {
		return integers(op, int64(a.bits), int64(b.bits))
	}
	switch op {
	case Add, Subtract, Multiply, Divide, Remainder:
		return arithmetic(op, a, b)
	case Power, Caret:
		return power(op, a, b)
	case Less, LessEqual, Greater, GreaterEqual:
		return compare(op, a, b)
	case EqualTo, NotEqualTo:
		equal, err := Equal(a, b)
		if err != nil {
			return Value{}, err
		}
		return Bool(equal == (op == EqualTo)), nil
	case IdenticalTo, NotIdenticalTo:
		same, err := identical(a, b)
		if err != nil {
			return Value{}, err
		}
		return Bool(same == (op == IdenticalTo)), nil
	case And, Or, Xor, Implies, BitAnd, BitOr:
		return logic(op, a, b)
	case Range:
		return rangeOf(a, b)
	case Coalesce:
		if a.kind == Null {
			return b, nil
		}
		return a, nil
	}
	return Value{}, errOperands(op, a, b)
}

func errOperands(op Operator, a, b Value) error {
	return fail(TypeMismatch, "type mismatch: operator '%s' is not defined for %s and %s", op, a.TypeName(), b.TypeName())
}

func integers(op Operator, a, b int64) (Value, error) {
	switch op {
	case Add:
		if s, ok := addInt(a, b); ok {
			return Int(s), nil
		}
	case Subtract:
		if s := a - b; (s < a) == (b > 0) {
			return Int(s), nil
		}
	case Multiply:
		if p, ok := mulInt(a, b); ok {
			return Int(p), nil
		}
	case Divide:
		return Fraction(a, b)
	case Remainder:
		if b == 0 {
			return Value{}, errDivisionByZero()
		}
		if b == -1 {
			return Int(0), nil // the quotient of the least Integer would trap
		}
		return Int(a % b), nil
	case Less:
		return Bool(a < b), nil
	case LessEqual:
		return Bool(a <= b), nil
	case Greater:
		return Bool(a > b), nil
	case GreaterEqual:
		return Bool(a >= b), nil
	case EqualTo, IdenticalTo:
		return Bool(a == b), nil
	case NotEqualTo, NotIdenticalTo:
		return Bool(a != b), nil
	case Power, Caret:
		return power(op, Int(a), Int(b))
	case Range:
		return rangeOf(Int(a), Int(b))
	case Coalesce:
		return Int(a), nil
	case And, Or, Xor, Implies, BitAnd, BitOr:
		return logic(op, Int(a), Int(b))
	}
	return Value{}, errOverflow(Trace(Int(a)) + " " + op.String() + " " + Trace(Int(b)))
}

// arithmetic is + - * / % where not both operands are Integers.
func arithmetic(op Operator, a, b Value) (Value, error) {
	switch {
	case a.kind.IsNumber() && b.kind.IsNumber():
		return numbers(op, a, b)
	case a.kind == String && b.kind == String && op == Add:
		x, _ := a.AsText()
		y, _ := b.AsText()
		return Text(x + y), nil
	case a.kind == Quantity && (b.kind == Quantity || b.kind.IsNumber()), a.kind.IsNumber() && b.kind == Quantity:
		return quantities(op, a, b)
	case a.kind == TensorQuantity || b.kind == TensorQuantity:
		return tensors(op, a, b)
	case a.kind == MeasurementRef || b.kind == MeasurementRef:
		return references(op, a, b)
	case a.kind == Vector || b.kind == Vector:
		return vectors(op, a, b)
	case a.kind == Complex || b.kind == Complex:
		return complexes(op, a, b)
	}
	return Value{}, errOperands(op, a, b)
}

// numbers is arithmetic of two numbers of any kinds. No product is fused with
// a sum, so that all machines compute the same.
func numbers(op Operator, a, b Value) (Value, error) {
	if (op == Divide || op == Remainder) && b.isZero() {
		return Value{}, errDivisionByZero()
	}
	if a.kind != Real && b.kind != Real {
		if a.kind == Integer && b.kind == Integer {
			return integers(op, int64(a.bits), int64(b.bits))
		}
		if op == Remainder {
			return exactRemainder(a, b), nil
		}
		v := exact(op, a, b)
		if v.kind == Real {
			x, _ := v.AsFloat()
			return finite(op, a, b, x)
		}
		return v, nil
	}
	x, _ := a.AsFloat()
	y, _ := b.AsFloat()
	var z float64
	switch op {
	case Add:
		z = x + y
	case Subtract:
		z = x - y
	case Multiply:
		z = x * y
	case Divide:
		z = x / y
	default:
		z = math.Mod(x, y)
	}
	if !isFinite(z) && isFinite(x) && isFinite(y) {
		return finite(op, a, b, z)
	}
	return Float(z), nil
}

func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// finite is x, the result of a op b, or an error where x is none.
func finite(op Operator, a, b Value, x float64) (Value, error) {
	if !isFinite(x) {
		return Value{}, fail(DomainError, "%s %s %s is not a finite Real", Trace(a), op, Trace(b))
	}
	return Float(x), nil
}

// isZero reports whether v is a number and zero.
func (v Value) isZero() bool {
	switch {
	case v.kind == Real:
		f, _ := v.AsFloat()
		return f == 0
	case v.kind == Integer || v.kind == Rational:
		return v.bits == 0 && v.heap == nil
	}
	return false
}

// exactRemainder has the sign of the dividend.
func exactRemainder(a, b Value) Value {
	x, _ := a.AsRational()
	y, _ := b.AsRational()
	q := new(big.Rat).Quo(x, y)
	whole := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
	return bigRational(x.Sub(x, whole.Mul(whole, y)))
}

// Unary computes op v for -, + and not.
func Unary(op Operator, v Value) (Value, error) {
	switch {
	case op == Not && v.kind == Boolean:
		return Bool(v.bits == 0), nil
	case op == Not:
		return Value{}, fail(TypeMismatch, "type mismatch: operand of 'not' must be Boolean, got %s", v.TypeName())
	case op == Identity && (v.kind.IsNumber() || v.kind == Quantity || v.kind == Complex || v.kind == Vector || v.kind == TensorQuantity):
		return v, nil
	case op == Negate:
		return negate(v)
	}
	return Value{}, errOperand(op, v)
}

func errOperand(op Operator, v Value) error {
	return fail(TypeMismatch, "type mismatch: operator '%s' is not defined for %s", op, v.TypeName())
}

func negate(v Value) (Value, error) {
	switch v.kind {
	case Integer:
		n := int64(v.bits)
		if n == math.MinInt64 {
			return Value{}, errOverflow("-(" + Trace(v) + ")")
		}
		return Int(-n), nil
	case Rational:
		return exact(Multiply, v, Int(-1)), nil
	case Real:
		x, _ := v.AsFloat()
		return Float(-x), nil
	case Quantity:
		q := v.heap.part.(*quantity)
		n, err := negate(widened(q.number))
		return quantityOf(n, q.unit), err
	case Complex, Vector:
		return Binary(Multiply, v, fraction(-1, 1))
	case TensorQuantity:
		return tensors(Multiply, v, fraction(-1, 1))
	}
	return Value{}, errOperand(Negate, v)
}

// widened makes an Integer the exact number of the same size that prints with
// a point; other values stay.
func widened(v Value) Value {
	if v.kind == Integer {
		return fraction(int64(v.bits), 1)
	}
	return v
}

// power is ** and ^. An exact base with an integral exponent gives an exact
// result, an Integer where base and exponent are Integers and the exponent is
// not negative; otherwise the result is a Real.
func power(op Operator, a, b Value) (Value, error) {
	if a.kind == Quantity && b.kind.IsNumber() {
		return quantityPower(op, a, b)
	}
	if a.kind == MeasurementRef {
		return references(op, a, b)
	}
	if a.kind == Complex || b.kind == Complex {
		return complexPower(op, a, b)
	}
	if !a.kind.IsNumber() || !b.kind.IsNumber() {
		return Value{}, errOperands(op, a, b)
	}
	if a.isZero() {
		if y, _ := b.AsFloat(); y < 0 {
			return Value{}, fail(DomainError, "%s %s %s is not defined: zero has no negative power", Trace(a), op, Trace(b))
		}
	}
	if n, ok := integral(b); ok && a.kind != Real && b.kind != Real {
		return exactPower(op, a, n, b)
	}
	x, _ := a.AsFloat()
	y, _ := b.AsFloat()
	if x < 0 && y != math.Trunc(y) {
		return Value{}, fail(DomainError, "%s %s %s is not defined: a negative base needs an integral exponent", Trace(a), op, Trace(b))
	}
	return finite(op, a, b, math.Pow(x, y))
}

// integral is the whole number that an exact v is.
func integral(v Value) (int64, bool) {
	num, den, ok := v.small()
	return num, ok && den == 1
}

func exactPower(op Operator, a Value, n int64, b Value) (Value, error) {
	if a.kind == Integer && b.kind == Integer && n >= 0 {
		r, ok := intPower(int64(a.bits), n)
		if !ok {
			return Value{}, errOverflow(Trace(a) + " " + op.String() + " " + Trace(b))
		}
		return Int(r), nil
	}
	x, _ := a.AsRational()
	size := int64(max(x.Num().BitLen(), x.Denom().BitLen()))
	if m := magnitude(n); size > 1 && m > uint64(2*maxRationalBits/size) {
		f, _ := a.AsFloat()
		g, _ := b.AsFloat()
		return finite(op, a, b, math.Pow(f, g))
	}
	return bigRational(ratPower(x, n)), nil
}

// intPower is a to the n by squaring, false where it does not fit.
func intPower(a, n int64) (int64, bool) {
	r := int64(1)
	for {
		var ok bool
		if n&1 == 1 {
			if r, ok = mulInt(r, a); !ok {
				return 0, false
			}
		}
		if n >>= 1; n == 0 {
			return r, true
		}
		if a, ok = mulInt(a, a); !ok {
			return 0, false
		}
	}
}

// ratPower changes x. Only 0, 1 and -1 meet large n here.
func ratPower(x *big.Rat, n int64) *big.Rat {
	r := big.NewRat(1, 1)
	m := magnitude(n)
	for ; m > 0; m >>= 1 {
		if m&1 == 1 {
			r.Mul(r, x)
		}
		x.Mul(x, x)
	}
	if n < 0 {
		r.Inv(r)
	}
	return r
}

// compare is < <= > >=.
func compare(op Operator, a, b Value) (Value, error) {
	var c int
	switch {
	case a.kind.IsNumber() && b.kind.IsNumber():
		c = compareNumbers(a, b)
	case a.kind == Quantity && (b.kind == Quantity || b.kind.IsNumber()), a.kind.IsNumber() && b.kind == Quantity:
		var err error
		if c, err = comparedQuantities(a, b); err != nil {
			return Value{}, err
		}
	case a.kind == String && b.kind == String:
		x, _ := a.AsText()
		y, _ := b.AsText()
		c = strings.Compare(x, y)
	case a.kind == String || b.kind == String:
		return Value{}, errOperands(op, a, b)
	default:
		return Value{}, fail(TypeMismatch, "comparison operands must be constants, got %s and %s", a.comparedAs(), b.comparedAs())
	}
	if c == unordered {
		return False, nil
	}
	switch op {
	case Less:
		return Bool(c < 0), nil
	case LessEqual:
		return Bool(c <= 0), nil
	case Greater:
		return Bool(c > 0), nil
	}
	return Bool(c >= 0), nil
}

// comparedAs is the word for v in the error of a comparison.
func (v Value) comparedAs() string {
	switch v.kind {
	case Null:
		return "null"
	case Boolean, Integer, Rational, Real, Unbounded, String:
		return "constant"
	}
	return v.kindWord()
}

// logic is the Boolean operators on two values that are both there.
func logic(op Operator, a, b Value) (Value, error) {
	if a.kind != Boolean {
		return Value{}, errLogicOperand(op, "left", a)
	}
	if b.kind != Boolean {
		return Value{}, errLogicOperand(op, "right", b)
	}
	x, y := a.bits != 0, b.bits != 0
	switch op {
	case And, BitAnd:
		return Bool(x && y), nil
	case Or, BitOr:
		return Bool(x || y), nil
	case Xor:
		return Bool(x != y), nil
	}
	return Bool(!x || y), nil
}

// errLogicOperand says that v, the left or right operand of op, is no Boolean.
func errLogicOperand(op Operator, side string, v Value) error {
	return fail(TypeMismatch, "type mismatch: %s operand of '%s' must be Boolean, got %s", side, op, v.TypeName())
}

// maxRange is how many elements a range may have before it is refused; the
// executor's budgets are lower.
const maxRange = 1 << 26

func rangeOf(a, b Value) (Value, error) {
	lo, hi, err := RangeBounds(a, b)
	if err != nil || lo > hi {
		return EmptySequence, err
	}
	if uint64(hi)-uint64(lo) >= maxRange {
		return Value{}, fail(MultiplicityError, "the range %d..%d has too many elements", lo, hi)
	}
	return sequenceValue(Sequence, rangeTree(lo, int(hi-lo)+1)), nil
}

// rangeTree is the tree of n Integers, at least one, from lo on.
func rangeTree(lo int64, n int) *sequence {
	if n > leafSize {
		cut := halfOf(n)
		return newNode(rangeTree(lo, cut), rangeTree(lo+int64(cut), n-cut))
	}
	elements := make([]Value, n)
	for i := range elements {
		elements[i] = Int(lo + int64(i))
	}
	return newLeaf(elements)
}

// RangeBounds is the bounds of a..b, for an executor that charges each
// element before it is made. lo > hi is the empty range.
func RangeBounds(a, b Value) (lo, hi int64, err error) {
	for _, bound := range []struct {
		name string
		v    Value
	}{{"lower", a}, {"upper", b}} {
		if bound.v.kind != Integer {
			return 0, 0, fail(TypeMismatch, "type mismatch: '..' requires Integer bounds (IntegerFunctions::'..' declares in %s: Integer[1]), got %s",
				bound.name, bound.v.TypeName())
		}
	}
	return int64(a.bits), int64(b.bits), nil
}
