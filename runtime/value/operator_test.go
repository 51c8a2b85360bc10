package value_test

import (
	"math"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

var (
	metre   = value.NewUnit("m", 1, 1, 0, []value.BaseUnit{{Name: "SI::metre", Power: value.Exponent{Num: 1, Den: 1}}})
	second  = value.NewUnit("s", 1, 1, 0, []value.BaseUnit{{Name: "SI::second", Power: value.Exponent{Num: 1, Den: 1}}})
	kelvin  = value.NewUnit("K", 1, 1, 0, []value.BaseUnit{{Name: "SI::kelvin", Power: value.Exponent{Num: 1, Den: 1}}})
	km      = metre.Scaled("km", 1000, 1, 0)
	mm      = metre.Scaled("mm", 1, 1000, 0)
	hour    = second.Scaled("h", 3600, 1, 0)
	celsius = kelvin.Scaled("°C", 1, 1, 273.15)
	rad     = value.One.Renamed("rad")
	units   = map[string]*value.Unit{"m": metre, "s": second, "km": km, "mm": mm, "h": hour, "K": kelvin, "°C": celsius,
		"rad": rad, "m/s": metre.Per(second), "km/h": km.Per(hour), "m/s**2": metre.Per(second.Raise(2, 1)),
		"kg/m": value.NewUnit("kg/m", 1, 1, 0, []value.BaseUnit{{Name: "SI::kilogram", Power: value.Exponent{Num: 1, Den: 1}}, {Name: "SI::metre", Power: value.Exponent{Num: -1, Den: 1}}})}
	operators = map[string]value.Operator{"+": value.Add, "-": value.Subtract, "*": value.Multiply, "/": value.Divide,
		"%": value.Remainder, "**": value.Power, "^": value.Caret, "<": value.Less, "<=": value.LessEqual,
		">": value.Greater, ">=": value.GreaterEqual, "==": value.EqualTo, "!=": value.NotEqualTo,
		"===": value.IdenticalTo, "!==": value.NotIdenticalTo, "and": value.And, "or": value.Or, "xor": value.Xor,
		"implies": value.Implies, "&": value.BitAnd, "|": value.BitOr, "..": value.Range, "??": value.Coalesce}
)

// parse reads the operands of the tables: numbers, r:0.1 for a Real, texts,
// #n for an object, Color::red for a literal, cut=n for a variant that stands
// for object n, (a; b) for a sequence, <a; b> for a Vector, {a; b} for a Set,
// 0+1i for a Complex, calc for a function, @unit for a measurement reference; and all of them with [unit].
func parse(t testing.TB, text string) value.Value {
	t.Helper()
	if i := strings.LastIndex(text, " ["); i >= 0 && text[0] != '(' && text[0] != '{' {
		unit, ok := units[text[i+2:len(text)-1]]
		if !ok {
			t.Fatalf("no unit %s", text)
		}
		q, err := value.QuantityOf(parse(t, text[:i]), unit)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	list := func() []value.Value {
		var elements []value.Value
		for e := range strings.SplitSeq(strings.Trim(text, "()<>{}"), "; ") {
			if e != "" {
				elements = append(elements, parse(t, e))
			}
		}
		return elements
	}
	switch {
	case text == "true", text == "false":
		return value.Bool(text == "true")
	case text == "null":
		return value.NullValue
	case text == "*":
		return value.UnboundedValue
	case text[0] == '@':
		return value.Reference(units[text[1:]])
	case text == "calc":
		return value.FunctionOf(value.NewNamed("P::Sq", "Sq", "P", 0), value.NoObject)
	case text[0] == '"':
		return value.Text(text[1 : len(text)-1])
	case text[0] == '#':
		return value.ObjectRef(value.ObjectID(text[1] - '1'))
	case strings.Contains(text, "::"):
		owner, name, _ := strings.Cut(text, "::")
		return value.Literal(value.NewNamed("P::"+text, name, owner, 0))
	case strings.Contains(text, "=") && text[0] != '<':
		name, object, _ := strings.Cut(text, "=")
		return value.VariantOf(value.NewNamed("P::v::"+name, name, "v", 0), value.ObjectID(object[0]-'1'))
	case text[0] == '(':
		return value.SequenceOf(list()...)
	case text[0] == '<':
		return value.VectorOf(list()...)
	case text[0] == '{':
		return value.SetOf(list()...)
	case strings.HasSuffix(text, "i"):
		re, im, _ := strings.Cut(strings.TrimSuffix(text, "i"), "+")
		x, _ := parse(t, re).AsFloat()
		y, _ := parse(t, im).AsFloat()
		return value.ComplexNumber(x, y)
	case strings.HasPrefix(text, "r:"):
		if text == "r:NaN" {
			return value.Float(math.NaN())
		}
		x, _ := number(t, text[2:]).AsFloat()
		return value.Float(x)
	}
	return number(t, text)
}

func outcome(v value.Value, err error) string {
	if err != nil {
		d, ok := err.(*diagnostic.Diagnostic)
		if !ok {
			return "no diagnostic: " + err.Error()
		}
		if _, ok := diagnostic.Explain(d.Code); !ok {
			return "no code: " + err.Error()
		}
		return "error: " + err.Error()
	}
	return value.Trace(v)
}

func TestBinary(t *testing.T) {
	for _, c := range []struct{ a, op, b, want string }{
		{"2", "+", "3", "5"},
		{"9223372036854775807", "+", "1", "error: integer overflow: 9223372036854775807 + 1 exceeds the Integer range"},
		{"-9223372036854775808", "-", "1", "error: integer overflow: -9223372036854775808 - 1 exceeds the Integer range"},
		{"0", "-", "-9223372036854775808", "error: integer overflow: 0 - -9223372036854775808 exceeds the Integer range"},
		{"-1", "-", "-9223372036854775808", "9223372036854775807"},
		{"-9223372036854775808", "*", "-1", "error: integer overflow: -9223372036854775808 * -1 exceeds the Integer range"},
		{"4611686018427387904", "*", "-2", "-9223372036854775808"},
		{"8", "/", "2", "4.0"},
		{"9", "/", "2", "4.5"},
		{"1", "/", "3", "1/3"},
		{"-9223372036854775808", "/", "-1", "9223372036854775808.0"},
		{"1", "/", "-9223372036854775808", "-1/9223372036854775808"},
		{"7", "%", "-3", "1"},
		{"-7", "%", "3", "-1"},
		{"-9223372036854775808", "%", "-1", "0"},
		{"7.5", "%", "2", "1.5"},
		{"-7.5", "%", "2", "-1.5"},
		{"r:-7.5", "%", "2", "-1.5"},
		{"1", "/", "0", "error: division by zero"},
		{"1", "%", "0", "error: division by zero"},
		{"1.5", "/", "0.0", "error: division by zero"},
		{"r:1.5", "/", "0", "error: division by zero"},
		{"r:1.5", "%", "r:0.0", "error: division by zero"},
		{"10", "+", "3.5", "13.5"},
		{"10", "+", "r:3.5", "13.5"},
		{"r:0.1", "+", "r:0.2", "0.30000000000000004"},
		{"0.1", "+", "0.2", "0.3"},
		{"0.1", "+", "r:0.2", "0.30000000000000004"},
		{"3.0", "*", "2", "6.0"},
		{"2", "**", "10", "1024"},
		{"2", "^", "63", "error: integer overflow: 2 ^ 63 exceeds the Integer range"},
		{"-2", "**", "63", "-9223372036854775808"},
		{"1", "**", "9223372036854775807", "1"},
		{"-1", "**", "9223372036854775807", "-1"},
		{"2", "**", "-2", "0.25"},
		{"2.0", "**", "3", "8.0"},
		{"2", "**", "3.0", "8.0"},
		{"1.5", "**", "2", "2.25"},
		{"2.0", "**", "9223372036854775807", "error: 2.0 ** 9223372036854775807 is not a finite Real"},
		{"2.0", "**", "-9223372036854775808", "0.0"},
		{"1.5e308", "+", "1.5e308", "error: 1.5e+308 + 1.5e+308 is not a finite Real"},
		{"-1.5e308", "-", "1.5e308", "error: -1.5e+308 - 1.5e+308 is not a finite Real"},
		{"1e200", "*", "1e200", "error: 1e+200 * 1e+200 is not a finite Real"},
		{"1e200", "/", "1e-200", "error: 1e+200 / 1e-200 is not a finite Real"},
		{"2.0", "**", "1000", "1.0715086071862673e+301"},
		{"9", "**", "0.5", "3.0"},
		{"-8", "**", "0.5", "error: -8 ** 0.5 is not defined: a negative base needs an integral exponent"},
		{"0", "**", "-1", "error: 0 ** -1 is not defined: zero has no negative power"},
		{"0", "**", "0", "1"},
		{"r:2.0", "**", "3", "8.0"},
		{`"a"`, "+", `"b"`, `"ab"`},
		{`"a"`, "+", "1", "error: type mismatch: operator '+' is not defined for a string and an Integer"},
		{"true", "+", "1", "error: type mismatch: operator '+' is not defined for a Boolean and an Integer"},
		{"null", "*", "r:1.0", "error: type mismatch: operator '*' is not defined for null and a Real"},
		{"#1", "-", "(1; 2)", "error: type mismatch: operator '-' is not defined for an instance and a sequence"},
		{"{1}", "/", "Color::red", "error: type mismatch: operator '/' is not defined for a set and the enumeration literal Color::red"},
		{"cut=2", "+", "1 [m]", "error: type mismatch: operator '+' is not defined for a variant and a quantity"},

		{"1", "<", "2", "true"},
		{"9007199254740993", ">", "9007199254740992", "true"},
		{"1", "<=", "1.0", "true"},
		{"0.1", "<", "r:0.1", "false"},
		{"1.0", ">=", "0.999", "true"},
		{"r:NaN", "<", "1", "false"},
		{"r:NaN", ">=", "1", "false"},
		{`"apple"`, "<", `"banana"`, "true"},
		{`""`, "<", `"a"`, "true"},
		{`"a"`, "<", "3", "error: type mismatch: operator '<' is not defined for a string and an Integer"},
		{"#1", ">", "1", "error: comparison operands must be constants, got instance and constant"},
		{"1", "<", "null", "error: comparison operands must be constants, got constant and null"},

		{"1", "==", "1.0", "true"},
		{"1", "==", "r:1.0", "true"},
		{"1", "===", "1.0", "false"},
		{"1", "!==", "1.0", "true"},
		{"1.0", "===", "r:1.0", "true"},
		{"1", "===", "1", "true"},
		{"1", "==", "true", "false"},
		{"1", "==", `"1"`, "false"},
		{"true", "==", "true", "true"},
		{"true", "!=", "false", "true"},
		{`"a"`, "==", `"a"`, "true"},
		{"null", "==", "null", "true"},
		{"null", "==", "()", "false"},
		{"#1", "==", "#1", "true"},
		{"#1", "!=", "#2", "true"},
		{"Color::red", "==", "Color::red", "true"},
		{"Color::red", "==", "Other::red", "false"},
		{"cut=2", "==", "cut=3", "true"},
		{"cut=2", "==", "deep=2", "false"},
		{"cut=2", "==", "#2", "true"},
		{"#2", "==", "cut=2", "true"},
		{"#1", "==", "cut=2", "false"},
		{"(1; 2)", "==", "(1; 2.0)", "true"},
		{"(1; 2)", "===", "(1; 2.0)", "false"},
		{"(1; 2)", "==", "(2; 1)", "false"},
		{"(1; 2)", "==", "(1; 2; 3)", "false"},
		{"{1; 2}", "==", "{2; 1}", "true"},
		{"<1.0; 2.0>", "==", "(1; 2)", "true"},

		{"3", "..", "5", "(3, 4, 5)"},
		{"3", "..", "2", "()"},
		{"9223372036854775806", "..", "9223372036854775807", "(9223372036854775806, 9223372036854775807)"},
		{"-9223372036854775808", "..", "9223372036854775807", "error: the range -9223372036854775808..9223372036854775807 has too many elements"},
		{"1.5", "..", "3", "error: type mismatch: '..' requires Integer bounds (IntegerFunctions::'..' declares in lower: Integer[1]), got a Real"},
		{"1", "..", "null", "error: type mismatch: '..' requires Integer bounds (IntegerFunctions::'..' declares in upper: Integer[1]), got null"},
		{"null", "??", "2", "2"},
		{"()", "??", "2", "()"},
		{"1", "??", "2", "1"},

		{"true", "and", "false", "false"},
		{"true", "&", "true", "true"},
		{"false", "or", "true", "true"},
		{"true", "xor", "true", "false"},
		{"false", "implies", "false", "true"},
		{"true", "implies", "false", "false"},
		{"1", "and", "2", "error: type mismatch: left operand of 'and' must be Boolean, got an Integer"},
		{"true", "or", "null", "error: type mismatch: right operand of 'or' must be Boolean, got null"},

		{"0+1i", "*", "0+1i", "-1.0 + 0.0i"},
		{"1+2i", "+", "1", "2.0 + 2.0i"},
		{"4+2i", "/", "1+1i", "3.0 - 1.0i"},
		{"1+1i", "/", "0+0i", "error: division by zero"},
		{"0+1i", "**", "2", "-1.0 + 0.0i"},
		{"1+0i", "==", "1", "true"},
		{"<1.0; 2.0>", "+", "<3.0; 4.0>", "⟨4.0, 6.0⟩"},
		{"<1.0; 2.0>", "*", "2", "⟨2.0, 4.0⟩"},
		{"<1.0; 2.0>", "-", "<3.0>", "error: type mismatch: operator '-' needs vectors of one size, got 2 and 1 elements"},
		{"(1; 2)", "+", "(3; 4)", "error: type mismatch: operator '+' is not defined for a sequence and a sequence"},
	} {
		got := outcome(value.Binary(operators[c.op], parse(t, c.a), parse(t, c.b)))
		if got != c.want {
			t.Errorf("%s %s %s is %s, want %s", c.a, c.op, c.b, got, c.want)
		}
	}
}

func TestQuantities(t *testing.T) {
	for _, c := range []struct{ a, op, b, want string }{
		{"3.0 [km]", "+", "500.0 [m]", "3.5 [km]"},
		{"3 [km]", "-", "500 [m]", "2.5 [km]"},
		{"0.1 [m]", "+", "0.2 [m]", "0.3 [m]"},
		{"1 [m]", "+", "1 [m]", "2.0 [m]"},
		{"10.0 [m]", "/", "2.0 [s]", "5.0 [m/s]"},
		{"3 [m]", "*", "2", "6.0 [m]"},
		{"2", "*", "3 [m]", "6.0 [m]"},
		{"6 [m]", "/", "4", "1.5 [m]"},
		{"6", "/", "4 [m]", "1.5 [1/m]"},
		{"2 [m/s]", "*", "3 [s]", "6.0 [(m/s)*s]"},
		{"6 [m]", "/", "2 [m/s]", "3.0 [m/(m/s)]"},
		{"4.0 [m]", "/", "2.0 [m]", "2.0"},
		{"1.0 [km]", "/", "1.0 [m]", "1000.0"},
		{"2 [rad]", "*", "3", "6.0"},
		{"3 [m]", "**", "2", "9 [(m)**2]"},
		{"2.0 [m/s]", "**", "2", "4.0 [(m/s)**2]"},
		{"4 [m]", "**", "0.5", "2.0 [(m)**0.5]"},
		{"3 [m]", "**", "0", "1.0"},
		{"3 [m]", "%", "2", "error: type mismatch: operator '%' is not defined for a quantity and an Integer"},
		{"3 [m]", "/", "0 [s]", "error: division by zero"},
		{"5.4 [km/h]", "==", "1.5 [m/s]", "true"},
		{"1.5 [m/s]", "==", "5.4 [km/h]", "true"},
		{"5.0 [m/s]", ">=", "18.0 [km/h]", "true"},
		{"10.0 [m/s]", ">", "4.0 [km/h]", "true"},
		{"3.0 [m]", ">", "0", "true"},
		{"0", "<", "3.0 [m]", "true"},
		{"0 [mm]", "==", "0", "true"},
		{"2 [rad]", "==", "2", "true"},
		{"3 [m]", "==", `"x"`, "false"},
		{"3 [m]", "<", `"x"`, "error: type mismatch: operator '<' is not defined for a quantity and a string"},
		{"3 [m]", "+", "2 [s]", "error: incommensurable units: cannot express s (SI::second) in m (SI::metre)"},
		{"3 [m]", "==", "2 [s]", "error: incommensurable units: cannot express s (SI::second) in m (SI::metre)"},
		{"3 [m]", "<", "2 [m/s]", "error: incommensurable units: cannot express m/s (SI::metre*SI::second**-1) in m (SI::metre)"},
		{"3 [m]", ">", "1", "error: incommensurable units: cannot express a plain number in m (SI::metre)"},
		{"20 [°C]", "==", "293.15 [K]", "true"},
		{"20 [°C]", "<", "300 [K]", "true"},
		{"20 [°C]", "+", "5 [K]", "25.0 [°C]"},
		{"20 [°C]", "-", "5 [K]", "15.0 [°C]"},
		{"<1.0; 2.0> [m]", "+", "<500.0; 1.0> [mm]", "⟨1.5, 2.001⟩ [m]"},
		{"<1.0; 2.0> [m]", "*", "2", "⟨2.0, 4.0⟩ [m]"},
		{"<1.0; 2.0> [m]", "/", "2 [s]", "⟨0.5, 1.0⟩ [m/s]"},
		{"<1.0; 2.0>", "*", "2 [m]", "⟨2.0, 4.0⟩ [m]"},
		{"@m", "*", "@s", "m*s"},
		{"@m/s", "/", "@s", "(m/s)/s"},
		{"@m", "**", "2", "m**2"},
		{"@m/s", "^", "2", "(m/s)**2"},
		{"@m", "+", "@m", "error: type mismatch: operator '+' is not defined for a measurement unit and a measurement unit"},
		{"@m", "==", "@km", "false"},
		{"<1.0; 2.0> [m]", "==", "<1000.0; 2000.0> [mm]", "true"},
	} {
		got := outcome(value.Binary(operators[c.op], parse(t, c.a), parse(t, c.b)))
		if got != c.want {
			t.Errorf("%s %s %s is %s, want %s", c.a, c.op, c.b, got, c.want)
		}
	}
}

func TestUnary(t *testing.T) {
	for _, c := range []struct {
		op         value.Operator
		text, want string
	}{
		{value.Negate, "5", "-5"},
		{value.Negate, "0.25", "-0.25"},
		{value.Negate, "r:0.0", "-0.0"},
		{value.Negate, "-9223372036854775808", "error: integer overflow: -(-9223372036854775808) exceeds the Integer range"},
		{value.Negate, "15 [m/s]", "-15.0 [m/s]"},
		{value.Negate, "<1.0>", "⟨-1.0⟩"},
		{value.Negate, "true", "error: type mismatch: operator '-' is not defined for a Boolean"},
		{value.Identity, "5", "5"},
		{value.Identity, `"a"`, "error: type mismatch: operator '+' is not defined for a string"},
		{value.Not, "true", "false"},
		{value.Not, "1", "error: type mismatch: operand of 'not' must be Boolean, got an Integer"},
	} {
		if got := outcome(value.Unary(c.op, parse(t, c.text))); got != c.want {
			t.Errorf("%s %s is %s, want %s", c.op, c.text, got, c.want)
		}
	}
}

// Decimals are exact: ten steps of 0.1 reach 1.0, and 1.0 + 1/2 + 1/3 is 11/6.
func TestDecimalsAreExact(t *testing.T) {
	sum := number(t, "0.0")
	for range 10 {
		sum, _ = value.Binary(value.Add, sum, number(t, "0.1"))
	}
	if equal, _ := value.Equal(sum, value.Int(1)); !equal || value.Trace(sum) != "1.0" {
		t.Errorf("ten steps of 0.1 reach %s", value.Trace(sum))
	}
	sum = number(t, "1.0")
	for d := int64(2); d <= 3; d++ {
		part, _ := value.Binary(value.Divide, value.Int(1), value.Int(d))
		sum, _ = value.Binary(value.Add, sum, part)
	}
	if got := value.Trace(sum); got != "11/6" {
		t.Errorf("1.0 + 1 / 2 + 1 / 3 is %s, want 11/6", got)
	}
}

// A number whose digits double at each step becomes a Real once they are
// beyond the bound, and not before.
func TestExactNumbersAreBounded(t *testing.T) {
	x := number(t, "0.3")
	kinds := ""
	for range 12 {
		rest, _ := value.Binary(value.Subtract, value.Int(1), x)
		x, _ = value.Binary(value.Multiply, x, rest)
		x, _ = value.Binary(value.Multiply, x, number(t, "3.9"))
		kinds += x.Kind().String()[:2] + " "
	}
	if want := "Ra Ra Ra Ra Ra Ra Re Re Re Re Re Re "; kinds != want {
		t.Errorf("the logistic map is %s, want %s", kinds, want)
	}
}
