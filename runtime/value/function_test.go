package value_test

import (
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"RealFunctions::sqrt", "25.0", "5.0"},
		{"RealFunctions::sqrt", "2", "1.4142135623730951"},
		{"RealFunctions::sqrt", "-1", "error: function RealFunctions::sqrt: argument outside the function's domain"},
		{"RealFunctions::sqrt", `"a"`, `error: type mismatch: function RealFunctions::sqrt parameter "x" requires a numeric value`},
		{"RealFunctions::sqrt", "1 | 2", "error: calc argument count mismatch: function RealFunctions::sqrt takes 1 argument(s), got 2"},
		{"RealFunctions::floor", "-2.5", "-3"},
		{"RealFunctions::floor", "r:2.99", "2"},
		{"RealFunctions::floor", "1e30", "error: function RealFunctions::floor: 1e+30 exceeds the Integer range"},
		{"RealFunctions::round", "2.5", "3"},
		{"RealFunctions::round", "-2.5", "-3"},
		{"RealFunctions::round", "r:0.49999999999999994", "0"},
		{"RealFunctions::round", "-0.4", "0"},
		{"RealFunctions::ToInteger", "-2.7", "-2"},
		{"RealFunctions::abs", "-3", "3.0"},
		{"RealFunctions::abs", "r:-0.0", "0.0"},
		{"RealFunctions::max", "1 | 2", "2.0"},
		{"RealFunctions::min", "1 | 2.5", "1.0"},
		{"NumericalFunctions::abs", "-3", "3"},
		{"NumericalFunctions::abs", "-3 [m]", "3 [m]"},
		{"NumericalFunctions::abs", "-9223372036854775808", "error: function NumericalFunctions::abs: integer overflow: -(-9223372036854775808) exceeds the Integer range"},
		{"NumericalFunctions::max", "1 | 2.5", "2.5"},
		{"NumericalFunctions::max", "1 [km] | 2 [m]", "1 [km]"},
		{"NumericalFunctions::max", "1 [km] | 2 [s]", "error: function NumericalFunctions::max: incommensurable units: cannot express km (SI::metre) in s (SI::second)"},
		{"NumericalFunctions::isZero", "0.0", "true"},
		{"NumericalFunctions::isUnit", "1", "true"},
		{"RationalFunctions::rat", "1 | -3", "-1/3"},
		{"RationalFunctions::rat", "1 | 0", "error: function RationalFunctions::rat: division by zero"},
		{"RationalFunctions::numer", "0.75", "3"},
		{"RationalFunctions::denom", "0.75", "4"},
		{"RationalFunctions::gcd", "12 | -18", "6"},
		{"IntegerFunctions::max", "1 | 2", "2"},
		{"IntegerFunctions::max", "1 | 2.0", `error: type mismatch: function IntegerFunctions::max parameter "y" requires an Integer value`},
		{"IntegerFunctions::+", "1 | 2", "3"},
		{"IntegerFunctions::-", "1", "-1"},
		{"IntegerFunctions::/", "7 | 2", "3.5"},
		{"IntegerFunctions::..", "1 | 3", "(1, 2, 3)"},
		{"NaturalFunctions::max", "1 | -2", `error: type mismatch: function NaturalFunctions::max parameter "y" requires a Natural value`},
		{"RealFunctions::+", "1 | 2", "3.0"},
		{"RealFunctions::/", "1 | 0", "error: function RealFunctions::/: division by zero"},
		{"DataFunctions::+", `"a" | "b"`, `"ab"`},
		{"BaseFunctions::==", "1 | 1.0", "true"},
		{"DataFunctions::===", "1 | 1.0", "false"},
		{"BooleanFunctions::not", "true", "false"},

		{"TrigFunctions::sin", "0.0", "0.0"},
		{"TrigFunctions::cos", "0.0", "1.0"},
		{"TrigFunctions::deg", "r:3.141592653589793", "180.0"},
		{"TrigFunctions::rad", "180.0", "3.141592653589793"},
		{"TrigFunctions::arcsin", "2", "error: function TrigFunctions::arcsin: argument outside the function's domain"},
		{"TrigFunctions::cot", "0", "error: function TrigFunctions::cot: result is not a finite Real"},

		{"VectorFunctions::VectorOf", "(1; 2)", "⟨1, 2⟩"},
		{"VectorFunctions::VectorOf", "()", "error: multiplicity violation: function VectorFunctions::VectorOf got 0 component(s)"},
		{"VectorFunctions::CartesianVectorOf", "(1; 2.5)", "⟨1.0, 2.5⟩"},
		{"VectorFunctions::CartesianVectorOf", "0.0", "⟨0.0⟩"},
		{"VectorFunctions::CartesianThreeVectorOf", "(1; 2)", "error: multiplicity violation: function VectorFunctions::CartesianThreeVectorOf got 2 component(s)"},
		{"VectorFunctions::cartesian+", "(1.0; 2.0) | (3.0; 4.0)", "⟨4.0, 6.0⟩"},
		{"VectorFunctions::cartesianVectorScalarMult", "<4.0; 6.0> | 2.0", "⟨8.0, 12.0⟩"},
		{"VectorFunctions::scalarVectorMult", "2 | (1; 2)", "⟨2, 4⟩"},
		{"VectorFunctions::vectorScalarDiv", "(1; 2) | 2", "⟨0.5, 1.0⟩"},
		{"VectorFunctions::-", "(1; 2)", "⟨-1, -2⟩"},
		{"VectorFunctions::-", "(1; 2) | (1; 2; 3)", "error: type mismatch: function VectorFunctions::- needs vectors of one size, got 2 and 3 elements"},
		{"VectorFunctions::inner", "(1; 2) | (3; 4)", "11"},
		{"VectorFunctions::norm", "(3; 4)", "5.0"},
		{"VectorFunctions::angle", "(1; 0) | (0; 2)", "1.5707963267948966"},
		{"VectorFunctions::angle", "(1; 1) | (2; 2)", "0.0"},
		{"VectorFunctions::angle", "(0; 0) | (0; 2)", "error: function VectorFunctions::angle: argument outside the function's domain"},
		{"VectorFunctions::isZeroVector", "(0; 0.0)", "true"},
		{"VectorFunctions::sum", "()", "error: library function is not evaluable: VectorFunctions::sum: a collection of vectors is one flat sequence of numbers"},
		{"VectorFunctions::norm", "(true; 4)", `error: type mismatch: function VectorFunctions::norm parameter "v" requires a vector of numbers`},

		{"ComplexFunctions::rect", "0.0 | 1.0", "0.0 + 1.0i"},
		{"ComplexFunctions::*", "0+1i | 0+1i", "-1.0 + 0.0i"},
		{"ComplexFunctions::re", "3+4i", "3.0"},
		{"ComplexFunctions::abs", "3+4i", "5.0"},
		{"ComplexFunctions::arg", "0+0i", "error: function ComplexFunctions::arg: argument outside the function's domain"},
		{"ComplexFunctions::-", "3+4i", "-3.0 - 4.0i"},
		{"ComplexFunctions::isZero", "0+0i", "true"},
		{"ComplexFunctions::ToString", "0+0i", "error: library function is not evaluable: ComplexFunctions::ToString: the library fixes no text of a Complex"},

		{"StringFunctions::Length", `"häß"`, "3"},
		{"StringFunctions::Substring", `"abc" | 2 | 3`, `"bc"`},
		{"StringFunctions::Substring", `"häß" | 2 | 2`, `"ä"`},
		{"StringFunctions::Substring", `"" | 1 | 0`, `""`},
		{"StringFunctions::Substring", `"abc" | 2 | 9`, "error: index out of range: function StringFunctions::Substring upper character 9 is outside 1..3"},
		{"StringFunctions::Substring", `"abc" | 0 | 2`, "error: index out of range: function StringFunctions::Substring lower character 0 is outside 1..3"},
		{"StringFunctions::<", `"a" | "b"`, "true"},
		{"StringFunctions::ToString", `"a"`, `"a"`},
		{"RealFunctions::ToString", "1.50", `"1.5"`},
		{"IntegerFunctions::ToInteger", `"42"`, "42"},
		{"IntegerFunctions::ToInteger", `"4.2"`, `error: function IntegerFunctions::ToInteger: "4.2" is not an Integer`},
		{"RealFunctions::ToReal", `"42"`, "42.0"},

		{"OpenSysMLMathFunctions::exp", "0", "1.0"},
		{"OpenSysMLMathFunctions::log", "1000 | 10", "3.0"},
		{"OpenSysMLMathFunctions::log", "8 | 2", "3.0"},
		{"OpenSysMLMathFunctions::ln", "0", "error: function OpenSysMLMathFunctions::ln: argument outside the function's domain"},
		{"OpenSysMLMathFunctions::atan2", "0 | 0", "error: function OpenSysMLMathFunctions::atan2: argument outside the function's domain"},

		{"SequenceFunctions::size", "null", "0"},
		{"SequenceFunctions::size", "7", "1"},
		{"SequenceFunctions::size", "(1; 2; 1)", "3"},
		{"SequenceFunctions::isEmpty", "()", "true"},
		{"SequenceFunctions::head", "()", "null"},
		{"SequenceFunctions::last", "(1; 2)", "2"},
		{"SequenceFunctions::tail", "(1; 2; 3)", "(2, 3)"},
		{"SequenceFunctions::tail", "()", "()"},
		{"SequenceFunctions::#", "(1; 2; 3) | 4", "error: index out of range: sequence index 4 is outside 1..3"},
		{"SequenceFunctions::#", "(1; 2; 3) | 1.0", "error: type mismatch: sequence index requires an Integer index, got a Real"},
		{"SequenceFunctions::includes", "(1; 2; 3) | (3; 1.0)", "true"},
		{"SequenceFunctions::includes", "(1; 2; 3) | 4", "false"},
		{"SequenceFunctions::includes", "{1 [m]; 2 [m]} | 2000 [mm]", "true"},
		{"SequenceFunctions::excludes", "(1; 2) | (3; 4)", "true"},
		{"SequenceFunctions::includesOnly", "(1; 2; 1) | (2; 1)", "true"},
		{"SequenceFunctions::equals", "(1; 2) | (1.0; 2)", "true"},
		{"SequenceFunctions::same", "(1; 2) | (1.0; 2)", "false"},
		{"SequenceFunctions::union", "(1; 2) | 3", "(1, 2, 3)"},
		{"SequenceFunctions::including", "null | 3", "(3)"},
		{"SequenceFunctions::intersection", "(1; 2; 3; 2) | (2; 3; 4)", "(2, 3, 2)"},
		{"SequenceFunctions::excluding", "(1; 2; 3; 2) | 2", "(1, 3)"},
		{"SequenceFunctions::includingAt", "(1; 2; 3) | 9 | 4", "(1, 2, 3, 9)"},
		{"SequenceFunctions::includingAt", "(1; 2; 3) | (8; 9) | 1", "(8, 9, 1, 2, 3)"},
		{"SequenceFunctions::includingAt", "(1; 2; 3) | 9 | 5", "error: index out of range: SequenceFunctions::includingAt insertion index 5 is outside 1..4"},
		{"SequenceFunctions::subsequence", "(1; 2; 3) | 2", "(2, 3)"},
		{"SequenceFunctions::subsequence", "(1; 2; 3) | 3 | 2", "()"},
		{"SequenceFunctions::subsequence", "(1; 2; 3) | 0", "error: index out of range: SequenceFunctions::subsequence start index 0 is outside 1..3"},
		{"SequenceFunctions::excludingAt", "(1; 2; 3) | 2", "(1, 3)"},
		{"SequenceFunctions::excludingAt", "(1; 2; 3) | 1 | 2", "(3)"},
		{"SequenceFunctions::excludingAt", "(1; 2; 3) | 4", "error: index out of range: SequenceFunctions::excludingAt start index 4 is outside 1..3"},
		{"NumericalFunctions::sum", "()", "0"},
		{"NumericalFunctions::product", "null", "1"},
		{"NumericalFunctions::sum", "(1; 2; 3)", "6"},
		{"NumericalFunctions::sum", "(1; 2.5)", "3.5"},
		{"NumericalFunctions::sum", "(9223372036854775807; 1)", "error: NumericalFunctions::sum: integer overflow: 9223372036854775807 + 1 exceeds the Integer range"},
		{"NumericalFunctions::sum", `(1; "a")`, "error: type mismatch: NumericalFunctions::sum: elements must be numeric, got a string"},
		{"NumericalFunctions::product", "(2; 3.0)", "6.0"},
		{"NumericalFunctions::sum0", "() | 0.0", "0.0"},
		{"RealFunctions::sum", "(2.0; 3.5)", "5.5"},
		{"VectorCalculations::norm", "<3.0; 4.0> [m]", "5.0 [m]"},
		{"VectorCalculations::inner", "<3.0; 4.0> [m] | <1.0; 2.0> [s]", "11.0 [m*s]"},
		{"VectorCalculations::outer", "<1.0; 2.0> [m] | <3.0; 4.0> [s]", "[[3.0, 4.0], [6.0, 8.0]] [m*s]"},
		{"VectorCalculations::inner", "<3.0; 4.0> [m] | <1.0; 2.0; 3.0> [s]", "error: function VectorCalculations::inner: the last dimension of the first operand is 2, the first one of the second 3"},
		{"VectorCalculations::angle", "<3.0; 0.0> [m] | <0.0; 1.0> [m]", "1.5707963267948966"},
		{"VectorCalculations::[", "<3.0; 0.0> | @m", "⟨3.0, 0.0⟩ [m]"},
		{"QuantityCalculations::[", "3 | @m", "3 [m]"},
		{"QuantityCalculations::ToRational", "r:0.5 [m]", "0.5"},
		{"MeasurementRefCalculations::*", "@m | @s", "m*s"},
		{"MeasurementRefCalculations::**", "@m | 2", "m**2"},
		{"MeasurementRefCalculations::ToString", "@m/s", `"m/s"`},
		{"MeasurementRefCalculations::/", "@m | 2", `error: type mismatch: function MeasurementRefCalculations::/ parameter "y" requires a measurement unit`},
		{"BaseFunctions::,", "(1; 2) | 3", "(1, 2, 3)"},
		{"DataFunctions::..", "1 | 2", "(1, 2)"},
		{"VectorCalculations::scalarVectorMult", "2 | <3.0; 4.0> [m]", "⟨6.0, 8.0⟩ [m]"},
		{"VectorCalculations::+", "<3.0; 4.0> [m] | <1.0; 2.0> [km]", "⟨1003.0, 2004.0⟩ [m]"},
		{"VectorCalculations::norm", "1", `error: type mismatch: function VectorCalculations::norm parameter "x" requires a vector quantity`},
		{"QuantityCalculations::sqrt", "9 [m]", "3.0 [(m)**0.5]"},
		{"QuantityCalculations::floor", "2.5 [m]", "2 [m]"},
		{"QuantityCalculations::ConvertQuantity", "2 [km] | @m", "2000.0 [m]"},
		{"QuantityCalculations::ConvertQuantity", "2 [km] | @s", "error: function QuantityCalculations::ConvertQuantity: incommensurable units: cannot express km (SI::metre) in s (SI::second)"},
		{"ControlFunctions::allTrue", "()", "true"},
		{"ControlFunctions::anyTrue", "(false; true)", "true"},
		{"ControlFunctions::allTrue", "(1; true)", "error: type mismatch: ControlFunctions::allTrue: elements must be Boolean, got an Integer"},
		{"ControlFunctions::collect", "(1; 2) | 1", "error: library function is not evaluable: ControlFunctions::collect: it needs the run that calls it"},
	} {
		f, ok := value.LookupFunction(c.name)
		if !ok {
			t.Errorf("no function %s", c.name)
			continue
		}
		var args []value.Value
		for a := range strings.SplitSeq(c.args, " | ") {
			args = append(args, parse(t, a))
		}
		if got := outcome(f.Call(args)); got != c.want {
			t.Errorf("%s(%s) is %s, want %s", c.name, c.args, got, c.want)
		}
	}
}

func TestQuantitySequence(t *testing.T) {
	sum, _ := value.UnqualifiedFunction("sum")
	metres := value.SequenceOf(parse(t, "3.0 [km]"), parse(t, "500.0 [m]"))
	if got := outcome(sum.Call([]value.Value{metres})); got != "3.5 [km]" {
		t.Errorf("the sum is %s", got)
	}
	got := outcome(sum.Call([]value.Value{value.SequenceOf(parse(t, "3.0 [km]"), value.Int(1))}))
	if !strings.Contains(got, "incommensurable units: cannot express a plain number in km (SI::metre)") {
		t.Errorf("the sum with a plain number is %s", got)
	}
}

func TestUnqualifiedFunctions(t *testing.T) {
	for name, want := range map[string]string{"abs": "NumericalFunctions::abs", "max": "NumericalFunctions::max",
		"size": "SequenceFunctions::size", "sum": "NumericalFunctions::sum", "sqrt": "RealFunctions::sqrt",
		"contains": "CollectionFunctions::contains", "collect": "ControlFunctions::collect",
		"re": "ComplexFunctions::re", "deg": "TrigFunctions::deg", "Length": "StringFunctions::Length"} {
		f, ok := value.UnqualifiedFunction(name)
		if !ok || f.Name != want {
			t.Errorf("%s means %v, want %s", name, f, want)
		}
	}
	if _, ok := value.UnqualifiedFunction("+"); ok {
		t.Error("a bare + means a function")
	}
}

func TestBind(t *testing.T) {
	for _, c := range []struct {
		name       string
		positional int
		names      string
		want       string
	}{
		{"StringFunctions::Substring", 0, "upper x lower", ""},
		{"StringFunctions::Substring", 0, "x z", `unknown parameter: function StringFunctions::Substring has no input parameter "z" (expected "x", "lower", "upper")`},
		{"StringFunctions::Substring", 0, "x lower", `unbound parameter: function StringFunctions::Substring parameter "upper" has no argument and no default`},
		{"SequenceFunctions::size", 0, "seq", "unknown parameter: builtin SequenceFunctions::size takes positional arguments only"},
		{"SequenceFunctions::subsequence", 1, "", "calc argument count mismatch: builtin SequenceFunctions::subsequence takes 2..3 argument(s), got 1"},
		{"RealFunctions::+", 1, "", ""},
	} {
		f, _ := value.LookupFunction(c.name)
		bound, err := f.Bind(c.positional, strings.Fields(c.names))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want || err == nil && c.names == "upper x lower" && (bound[0] != 2 || bound[1] != 0 || bound[2] != 1) {
			t.Errorf("%s with %d and (%s) is %v, %q, want %q", c.name, c.positional, c.names, bound, got, c.want)
		}
	}
}

func TestBodies(t *testing.T) {
	f, _ := value.LookupFunction("ControlFunctions::select")
	if err := f.CheckBody(2); err == nil || err.Error() != "body parameter count mismatch: ControlFunctions::select calls its body with 1 argument(s), but it declares 2 parameter(s)" {
		t.Errorf("two parameters: %v", err)
	}
	if _, err := f.Predicate(value.Int(1)); err == nil || err.Error() != "type mismatch: ControlFunctions::select: predicate must return boolean, got an Integer" {
		t.Errorf("an Integer predicate: %v", err)
	}
	most, _ := value.LookupFunction("ControlFunctions::maximize")
	if better, err := most.Extreme(value.Int(1), parse(t, "1.5")); !better || err != nil {
		t.Errorf("1.5 does not exceed 1: %v", err)
	}
}

func TestConstants(t *testing.T) {
	for name, want := range map[string]string{"TrigFunctions::pi": "3.141592653589793", "ComplexFunctions::i": "0.0 + 1.0i",
		"VectorFunctions::cartesian3DZeroVector": "⟨0.0, 0.0, 0.0⟩",
		"VectorFunctions::cartesianZeroVector":   "error: library function is not evaluable: VectorFunctions::cartesianZeroVector: it has no one dimension"} {
		v, found, err := value.LibraryConstant(name)
		if got := outcome(v, err); !found || got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if _, found, _ := value.LibraryConstant("P::pi"); found {
		t.Error("P::pi is a constant of the library")
	}
}
