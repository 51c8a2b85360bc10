package value

import "unicode/utf8"

func defineTexts() {
	const pkg = "StringFunctions::"
	define(pkg+"Length", "x", only("a String value", isText, func(_ *LibraryFunction, a []Value) (Value, error) {
		s, _ := a[0].AsText()
		return Int(int64(utf8.RuneCountInString(s))), nil
	}))
	define(pkg+"Substring", "x lower upper", substring)
	define(pkg+"ToString", "x", only("a String value", isText, func(_ *LibraryFunction, a []Value) (Value, error) { return a[0], nil }))
	toString := func(requires string, allowed func(Value) bool) func(*LibraryFunction, []Value) (Value, error) {
		return only(requires, allowed, func(_ *LibraryFunction, a []Value) (Value, error) { return Text(spelling(a[0])), nil })
	}
	every := func(Value) bool { return true }
	define("BaseFunctions::ToString", "x", toString("a value", every))
	define("BooleanFunctions::ToString", "x", toString("a Boolean value", isBoolean))
	define("IntegerFunctions::ToString", "x", toString("an Integer value", isInteger))
	define("NaturalFunctions::ToString", "x", toString("a Natural value", isNatural))
	define("RationalFunctions::ToString", "x", toString("a numeric value", isNumber))
	define("RealFunctions::ToString", "x", toString("a numeric value", isNumber))
	define("QuantityCalculations::ToString", "x", toString("a quantity", isNumeric))

	define("BooleanFunctions::ToBoolean", "x", reading("a Boolean", func(s string) (Value, bool) { return Bool(s == "true"), s == "true" || s == "false" }))
	integer := func(least int64) func(string) (Value, bool) {
		return func(s string) (Value, bool) {
			v, err := ParseNumber(s)
			return v, err == nil && v.kind == Integer && int64(v.bits) >= least
		}
	}
	define("IntegerFunctions::ToInteger", "x", reading("an Integer", integer(-1<<63)))
	define("NaturalFunctions::ToNatural", "x", reading("a Natural", integer(0)))
	decimal := func(s string) (Value, bool) {
		v, err := ParseNumber(s)
		return widened(v), err == nil
	}
	define("RationalFunctions::ToRational", "x", reading("a Rational", decimal))
	define("RealFunctions::ToReal", "x", reading("a Real", decimal))
}

// spelling is v as a text that names it to other systems: a String without
// quotes, anything else as in a trace.
func spelling(v Value) string {
	if s, ok := v.AsText(); ok {
		return s
	}
	return Trace(v)
}

// reading makes a function from String.
func reading(what string, read func(string) (Value, bool)) func(*LibraryFunction, []Value) (Value, error) {
	return only("a String value", isText, func(f *LibraryFunction, a []Value) (Value, error) {
		s, _ := a[0].AsText()
		v, ok := read(s)
		if !ok {
			return Value{}, fail(DomainError, "function %s: %q is not %s", f.Name, s, what)
		}
		return v, nil
	})
}

// substring counts code points from one, both bounds included.
func substring(f *LibraryFunction, args []Value) (Value, error) {
	s, ok := args[0].AsText()
	if !ok {
		return Value{}, f.errParameter(0, "a String value")
	}
	lower, ok1 := args[1].AsInt()
	upper, ok2 := args[2].AsInt()
	if !ok1 {
		return Value{}, f.errParameter(1, "an Integer value")
	}
	if !ok2 {
		return Value{}, f.errParameter(2, "an Integer value")
	}
	if lower > upper {
		return Text(""), nil
	}
	n := int64(utf8.RuneCountInString(s))
	if lower < 1 || lower > n {
		return Value{}, errIndex("function "+f.Name+" lower character", lower, n)
	}
	if upper > n {
		return Value{}, errIndex("function "+f.Name+" upper character", upper, n)
	}
	return Text(s[offset(s, lower-1):offset(s, upper)]), nil
}

// offset is where code point i of s begins.
func offset(s string, i int64) int {
	at := 0
	for ; i > 0; i-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// errIndex is the error of a one-based index outside 1..n.
func errIndex(what string, i, n int64) error {
	return fail(IndexOutOfRange, "index out of range: %s %d is outside 1..%d", what, i, n)
}
