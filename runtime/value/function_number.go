package value

import (
	"math"
	"math/big"
)

// pi is the constant that TrigFunctions leaves to its implementation.
const pi = math.Pi

// numeric makes a function of numbers, quantities included where they are
// allowed, that keeps kinds.
func numeric(allowQuantities bool, compute func(f *LibraryFunction, args []Value) (Value, error)) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		for i, a := range args {
			if !a.kind.IsNumber() && !(allowQuantities && a.kind == Quantity) {
				return Value{}, f.errParameter(i, "a numeric value")
			}
		}
		return compute(f, args)
	}
}

// only makes a function of the arguments that allowed accepts.
func only(requires string, allowed func(Value) bool, compute func(f *LibraryFunction, args []Value) (Value, error)) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		for i, a := range args {
			if !allowed(a) {
				return Value{}, f.errParameter(i, requires)
			}
		}
		return compute(f, args)
	}
}

func isInteger(v Value) bool { return v.kind == Integer }
func isNatural(v Value) bool { return v.kind == Integer && int64(v.bits) >= 0 }
func isExact(v Value) bool   { return v.kind == Integer || v.kind == Rational }

func absolute(f *LibraryFunction, args []Value) (Value, error) {
	v := args[0]
	number, unit, _ := v.AsQuantity()
	if less, _ := compare(Less, number, Int(0)); less.bits == 0 {
		if number.kind == Real && math.Signbit(math.Float64frombits(number.bits)) {
			number = Float(0)
		} else {
			return v, nil
		}
	} else {
		var err error
		if number, err = negate(number); err != nil {
			return f.wrapped(number, err)
		}
	}
	if v.kind == Quantity {
		return quantityOf(number, unit), nil
	}
	return number, nil
}

// extreme is max or min: the first argument where they are equal.
func extreme(op Operator) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		second, err := compare(op, args[1], args[0])
		if err != nil {
			return f.wrapped(second, err)
		}
		if second.bits != 0 {
			return args[1], nil
		}
		return args[0], nil
	}
}

func widening(compute func(*LibraryFunction, []Value) (Value, error)) func(*LibraryFunction, []Value) (Value, error) {
	return numeric(false, func(f *LibraryFunction, args []Value) (Value, error) {
		wide := make([]Value, len(args))
		for i, a := range args {
			wide[i] = widened(a)
		}
		return compute(f, wide)
	})
}

func isZero(_ *LibraryFunction, args []Value) (Value, error) {
	n, _, _ := args[0].AsQuantity()
	return Bool(n.isZero()), nil
}

func isUnit(_ *LibraryFunction, args []Value) (Value, error) {
	n, _, _ := args[0].AsQuantity()
	return Bool(compareNumbers(n, Int(1)) == 0), nil
}

func defineNumerical() {
	define("NumericalFunctions::abs", "x", numeric(true, absolute))
	define("NumericalFunctions::max", "x y", numeric(true, extreme(Greater)))
	define("NumericalFunctions::min", "x y", numeric(true, extreme(Less)))
	define("NumericalFunctions::isZero", "x", numeric(true, isZero))
	define("NumericalFunctions::isUnit", "x", numeric(true, isUnit))
	for _, p := range []string{"ScalarFunctions", "DataFunctions"} {
		define(p+"::max", "x y", extreme(Greater))
		define(p+"::min", "x y", extreme(Less))
	}
}

// real1 makes a function of one Real.
func real1(compute func(float64) float64) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		x, err := f.reals(args)
		if err != nil {
			return Value{}, err
		}
		return f.finite(compute(x[0]))
	}
}

// whole makes a function to Integers, exact for exact numbers.
func whole(round rounding) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		r, ok := args[0].finite()
		if !ok {
			x, _ := args[0].AsFloat()
			_, err := f.finite(x)
			return Value{}, err
		}
		n := wholeOf(r, round)
		if !n.IsInt64() {
			return Value{}, fail(IntegerOverflow, "function %s: %s exceeds the Integer range", f.Name, Trace(args[0]))
		}
		return Int(n.Int64()), nil
	}
}

// rounding is how a number becomes a whole one.
type rounding uint8

const (
	down    rounding = iota // toward minus infinity
	nearest                 // halves away from zero
	towardZero
)

func wholeOf(r *big.Rat, round rounding) *big.Int {
	num, den := new(big.Int).Set(r.Num()), r.Denom()
	sign := num.Sign()
	switch round {
	case nearest:
		num.Abs(num).Lsh(num, 1).Add(num, den)
		num.Div(num, new(big.Int).Lsh(den, 1))
		if sign < 0 {
			num.Neg(num)
		}
		return num
	case towardZero:
		return num.Quo(num, den)
	}
	return num.Div(num, den) // Euclidean: toward minus infinity, den being positive
}

func defineReal() {
	define("RealFunctions::sqrt", "x", real1(math.Sqrt))
	define("RealFunctions::floor", "x", numeric(false, whole(down)))
	define("RealFunctions::round", "x", numeric(false, whole(nearest)))
	define("RealFunctions::abs", "x", widening(absolute))
	define("RealFunctions::max", "x y", widening(extreme(Greater)))
	define("RealFunctions::min", "x y", widening(extreme(Less)))
	define("RealFunctions::re", "x", widening(func(_ *LibraryFunction, a []Value) (Value, error) { return a[0], nil }))
	define("RealFunctions::im", "x", numeric(false, func(*LibraryFunction, []Value) (Value, error) { return Float(0), nil }))
	define("RealFunctions::arg", "x", numeric(false, func(*LibraryFunction, []Value) (Value, error) { return Float(0), nil }))
	define("RealFunctions::ToInteger", "x", numeric(false, whole(towardZero)))
	define("RealFunctions::ToRational", "x", numeric(false, exactly))
}

// exactly is the number that its argument stands for, exact.
func exactly(f *LibraryFunction, args []Value) (Value, error) {
	r, ok := args[0].finite()
	if !ok {
		return Value{}, f.errDomain()
	}
	return bigRational(r), nil
}

// inUnit is n [u] with the unit as a value.
func inUnit(f *LibraryFunction, args []Value) (Value, error) {
	unit, ok := args[1].AsReference()
	if !ok {
		return Value{}, f.errParameter(1, "a measurement unit")
	}
	return QuantityOf(args[0], unit)
}

func defineRational() {
	define("RationalFunctions::abs", "x", numeric(false, absolute))
	define("RationalFunctions::max", "x y", numeric(false, extreme(Greater)))
	define("RationalFunctions::min", "x y", numeric(false, extreme(Less)))
	define("RationalFunctions::isZero", "x", numeric(false, isZero))
	define("RationalFunctions::isUnit", "x", numeric(false, isUnit))
	define("RationalFunctions::floor", "x", numeric(false, whole(down)))
	define("RationalFunctions::round", "x", numeric(false, whole(nearest)))
	define("RationalFunctions::ToInteger", "x", numeric(false, whole(towardZero)))
	define("RationalFunctions::rat", "numer denum", only("an Integer value", isInteger, func(f *LibraryFunction, a []Value) (Value, error) {
		return f.wrapped(Fraction(int64(a[0].bits), int64(a[1].bits)))
	}))
	part := func(of func(*big.Rat) *big.Int) func(*LibraryFunction, []Value) (Value, error) {
		return only("an exact number", isExact, func(f *LibraryFunction, a []Value) (Value, error) {
			r, _ := a[0].AsRational()
			n := of(r)
			if !n.IsInt64() {
				return Value{}, fail(IntegerOverflow, "function %s: %s exceeds the Integer range", f.Name, n)
			}
			return Int(n.Int64()), nil
		})
	}
	define("RationalFunctions::numer", "rat", part((*big.Rat).Num))
	define("RationalFunctions::denom", "rat", part((*big.Rat).Denom))
	define("RationalFunctions::gcd", "x y", only("an Integer value", isInteger, func(f *LibraryFunction, a []Value) (Value, error) {
		g := gcd(magnitude(int64(a[0].bits)), magnitude(int64(a[1].bits)))
		if g > math.MaxInt64 {
			return Value{}, fail(IntegerOverflow, "function %s: the result exceeds the Integer range", f.Name)
		}
		return Int(int64(g)), nil
	}))
}

func defineInteger() {
	define("IntegerFunctions::abs", "x", only("an Integer value", isInteger, absolute))
	define("IntegerFunctions::max", "x y", only("an Integer value", isInteger, extreme(Greater)))
	define("IntegerFunctions::min", "x y", only("an Integer value", isInteger, extreme(Less)))
	define("IntegerFunctions::..", "lower upper", func(_ *LibraryFunction, a []Value) (Value, error) { return rangeOf(a[0], a[1]) })
	define("IntegerFunctions::ToNatural", "x", only("a Natural value", isNatural, func(_ *LibraryFunction, a []Value) (Value, error) { return a[0], nil }))
	define("NaturalFunctions::abs", "x", only("a Natural value", isNatural, absolute))
	define("NaturalFunctions::max", "x y", only("a Natural value", isNatural, extreme(Greater)))
	define("NaturalFunctions::min", "x y", only("a Natural value", isNatural, extreme(Less)))
}

func defineTrigonometric() {
	constants["TrigFunctions::pi"] = Float(pi)
	define("TrigFunctions::sin", "theta", real1(math.Sin))
	define("TrigFunctions::cos", "theta", real1(math.Cos))
	define("TrigFunctions::tan", "theta", real1(func(x float64) float64 { return math.Sin(x) / math.Cos(x) }))
	define("TrigFunctions::cot", "theta", real1(func(x float64) float64 { return math.Cos(x) / math.Sin(x) }))
	define("TrigFunctions::arcsin", "x", real1(math.Asin))
	define("TrigFunctions::arccos", "x", real1(math.Acos))
	define("TrigFunctions::arctan", "x", real1(math.Atan))
	define("TrigFunctions::deg", "theta_rad", real1(func(x float64) float64 { return x * 180 / pi }))
	define("TrigFunctions::rad", "theta_deg", real1(func(x float64) float64 { return x * pi / 180 }))
}

// defineExtensions adds the package of ours that no library of the standard
// declares; its functions need their import.
func defineExtensions() {
	define("OpenSysMLMathFunctions::exp", "x", real1(math.Exp))
	define("OpenSysMLMathFunctions::ln", "x", func(f *LibraryFunction, args []Value) (Value, error) {
		x, err := f.reals(args)
		if err != nil {
			return Value{}, err
		}
		if x[0] <= 0 {
			return Value{}, f.errDomain()
		}
		return f.finite(math.Log(x[0]))
	})
	define("OpenSysMLMathFunctions::log", "x base", func(f *LibraryFunction, args []Value) (Value, error) {
		x, err := f.reals(args)
		if err != nil {
			return Value{}, err
		}
		if x[0] <= 0 || x[1] <= 0 || x[1] == 1 {
			return Value{}, f.errDomain()
		}
		switch x[1] {
		case 10:
			return f.finite(math.Log10(x[0]))
		case 2:
			return f.finite(math.Log2(x[0]))
		}
		return f.finite(math.Log(x[0]) / math.Log(x[1]))
	})
	define("OpenSysMLMathFunctions::atan2", "y x", func(f *LibraryFunction, args []Value) (Value, error) {
		x, err := f.reals(args)
		if err != nil {
			return Value{}, err
		}
		if x[0] == 0 && x[1] == 0 {
			return Value{}, f.errDomain()
		}
		return f.finite(math.Atan2(x[0], x[1]))
	})
	define("RandomFunctions::uniform", "lo hi", nil).Random = true
	define("RandomFunctions::uniformInteger", "lo hi", nil).Random = true
	define("RandomFunctions::triangular", "lo mode hi", nil).Random = true
	define("RandomFunctions::normal", "mean sd", nil).Random = true
}

// operatorFunctions are the operators that each package of the function
// libraries declares as functions, with what its arguments must be.
var operatorFunctions = []struct {
	pkg, requires string
	allowed       func(Value) bool
	binary, signs []Operator // signs may leave out their second argument
}{
	{"DataFunctions", "", nil, dataOperators, signOperators},
	{"ScalarFunctions", "", nil, dataOperators, signOperators},
	{"NumericalFunctions", "a numeric value", isNumeric, numericalOperators, signOperators},
	{"RealFunctions", "a numeric value", isNumber, numericalOperators, signOperators},
	{"RationalFunctions", "a numeric value", isNumber, numericalOperators, signOperators},
	{"IntegerFunctions", "an Integer value", isInteger, numericalOperators, signOperators},
	{"NaturalFunctions", "a Natural value", isNatural, numericalOperators, signOperators[:1]},
	{"StringFunctions", "a String value", isText, []Operator{Add, Less, LessEqual, Greater, GreaterEqual}, nil},
	{"BooleanFunctions", "a Boolean value", isBoolean, []Operator{Xor, BitAnd, BitOr}, nil},
	{"QuantityCalculations", "a quantity", isNumeric, numericalOperators, signOperators},
}

var (
	signOperators      = []Operator{Add, Subtract}
	numericalOperators = []Operator{Multiply, Divide, Remainder, Power, Caret, Less, LessEqual, Greater, GreaterEqual}
	dataOperators      = append([]Operator{Xor, BitAnd, BitOr, Range}, numericalOperators...)
)

func isNumber(v Value) bool  { return v.kind.IsNumber() }
func isNumeric(v Value) bool { return v.kind.IsNumber() || v.kind == Quantity }
func isText(v Value) bool    { return v.kind == String }
func isBoolean(v Value) bool { return v.kind == Boolean }

func defineOperators() {
	for _, p := range operatorFunctions {
		for _, op := range p.binary {
			parameters := "x y"
			if op == Range {
				parameters = "lower upper"
			}
			define(p.pkg+"::"+op.String(), parameters, operatorFunction(op, p.requires, p.allowed, p.pkg == "RealFunctions"))
		}
		for _, op := range p.signs {
			define(p.pkg+"::"+op.String(), "x y?", operatorFunction(op, p.requires, p.allowed, p.pkg == "RealFunctions"))
		}
		if p.pkg != "ScalarFunctions" && p.pkg != "NumericalFunctions" {
			define(p.pkg+"::==", "x y", operatorFunction(EqualTo, "", nil, false))
		}
	}
	for _, op := range []Operator{EqualTo, NotEqualTo, IdenticalTo, NotIdenticalTo} {
		define("BaseFunctions::"+op.String(), "x y", operatorFunction(op, "", nil, false))
	}
	define("DataFunctions::===", "x y", operatorFunction(IdenticalTo, "", nil, false))
	for _, p := range []string{"BooleanFunctions", "ScalarFunctions", "DataFunctions"} {
		define(p+"::not", "x", func(_ *LibraryFunction, a []Value) (Value, error) { return Unary(Not, a[0]) })
	}
}

func operatorFunction(op Operator, requires string, allowed func(Value) bool, widen bool) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		var operands [2]Value
		for i, a := range args {
			if allowed != nil && !(a.kind == Absent && i > 0) && !allowed(a) {
				return Value{}, f.errParameter(i, requires)
			}
			if operands[i] = a; widen {
				operands[i] = widened(a)
			}
		}
		if operands[1].kind != Absent {
			return f.wrapped(Binary(op, operands[0], operands[1]))
		}
		if op == Subtract {
			return f.wrapped(negate(operands[0]))
		}
		return operands[0], nil
	}
}

func defineQuantities() {
	const pkg = "QuantityCalculations::"
	define(pkg+"abs", "x", numeric(true, absolute))
	define(pkg+"max", "x y", numeric(true, extreme(Greater)))
	define(pkg+"min", "x y", numeric(true, extreme(Less)))
	define(pkg+"isZero", "x", numeric(true, isZero))
	define(pkg+"isUnit", "x", numeric(true, isUnit))
	define(pkg+"sqrt", "x", numeric(true, func(f *LibraryFunction, a []Value) (Value, error) {
		if n, _, _ := a[0].AsQuantity(); compareNumbers(n, Int(0)) < 0 {
			return Value{}, f.errDomain()
		}
		return f.wrapped(Binary(Power, a[0], fraction(1, 2)))
	}))
	magnitude := func(compute func(*LibraryFunction, []Value) (Value, error)) func(*LibraryFunction, []Value) (Value, error) {
		return numeric(true, func(f *LibraryFunction, a []Value) (Value, error) {
			n, unit, _ := a[0].AsQuantity()
			v, err := compute(f, []Value{n})
			if err != nil || a[0].kind != Quantity {
				return v, err
			}
			return quantityOf(v, unit), nil
		})
	}
	define(pkg+"floor", "x", magnitude(whole(down)))
	define(pkg+"round", "x", magnitude(whole(nearest)))
	define(pkg+"ToInteger", "x", numeric(true, func(f *LibraryFunction, a []Value) (Value, error) {
		n, _, _ := a[0].AsQuantity()
		return whole(towardZero)(f, []Value{n})
	}))
	define(pkg+"ToReal", "x", numeric(true, func(_ *LibraryFunction, a []Value) (Value, error) {
		n, _, _ := a[0].AsQuantity()
		return widened(n), nil
	}))
	define(pkg+"ToRational", "x", numeric(true, func(f *LibraryFunction, a []Value) (Value, error) {
		n, _, _ := a[0].AsQuantity()
		return exactly(f, []Value{n})
	}))
	define(pkg+"ToDimensionOneValue", "x", numeric(false, func(_ *LibraryFunction, a []Value) (Value, error) { return widened(a[0]), nil }))
	define(pkg+"[", "num mRef", inUnit)
	define("BaseFunctions::[", "x y", inUnit)
	define(pkg+"ConvertQuantity", "x targetMRef", func(f *LibraryFunction, a []Value) (Value, error) {
		unit, ok := a[1].AsReference()
		if !ok {
			return Value{}, f.errParameter(1, "a measurement unit")
		}
		n, own, ok := a[0].AsQuantity()
		if !ok {
			return Value{}, f.errParameter(0, "a quantity")
		}
		if !own.Commensurable(unit) {
			return f.wrapped(Value{}, errIncommensurable(own, unit))
		}
		return quantityOf(converted(n, own, unit), unit), nil
	})
}
