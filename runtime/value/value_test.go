package value_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// number reads a literal as the notation writes it.
func number(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.ParseNumber(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestValueIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(value.Value{}); n != 24 {
		t.Errorf("a Value takes %d bytes, want 24", n)
	}
}

func TestTrace(t *testing.T) {
	unit := func(text string) *value.Unit {
		return value.NewUnit(text, 1, 1, 0, []value.BaseUnit{{"SI::metre", value.Exponent{1, 1}}})
	}
	quantity := func(n value.Value, text string) value.Value {
		q, err := value.QuantityOf(n, unit(text))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	third, _ := value.Fraction(25, 12)
	long, _ := value.Fraction(1234567890123456789, 3333333333333333331)
	whole, _ := value.Fraction(8, 2)
	quarter, _ := value.Fraction(-1, 4)
	grid, ok := value.ArrayOf([]int{2, 2}, value.Int(1), value.Int(2), value.Int(3), value.Int(4))
	if !ok {
		t.Fatal("no array")
	}
	red := value.NewNamed("P::Color::red", "red", "Color", 0)
	for _, c := range []struct {
		v    value.Value
		want string
	}{
		{value.Value{}, "unset"},
		{value.NullValue, "null"},
		{value.Int(-3), "-3"},
		{value.Float(3), "3.0"},
		{value.Float(0.1), "0.1"},
		{value.Float(1e21), "1e+21"},
		{value.Float(math.NaN()), "NaN"},
		{value.Float(math.Inf(1)), "+Inf"},
		{number(t, "2.50"), "2.5"},
		{number(t, "0.1"), "0.1"},
		{number(t, "10.0"), "10.0"},
		{number(t, "1e21"), "1e+21"},
		{number(t, "1e-300"), "1e-300"},
		{number(t, "0.12345678901234567890123"), "0.12345678901234567890123"},
		{number(t, "12345678901234567890.5"), "12345678901234567890.5"},
		{number(t, "9007199254740993.0"), "9007199254740993.0"},
		{third, "25/12"},
		{long, "≈0.370370367037037"},
		{whole, "4.0"},
		{quarter, "-0.25"},
		{value.True, "true"},
		{value.UnboundedValue, "*"},
		{value.Text("go"), `"go"`},
		{value.Text(""), `""`},
		{value.Text("a\"b\n"), `"a\"b\n"`},
		{value.ObjectRef(2), "instance#3"},
		{value.SequenceOf(value.Int(1), value.Int(2), value.Int(3)), "(1, 2, 3)"},
		{value.EmptySequence, "()"},
		{value.SetOf(value.Int(9), value.Int(10), value.Int(9)), "{10, 9}"},
		{value.OrderedSetOf(value.Int(9), value.Int(10), value.Int(9)), "{9, 10}"},
		{value.BagOf(value.Int(9), value.Int(10), value.Int(9)), "{10, 9, 9}"},
		{grid, "[[1, 2], [3, 4]]"},
		{quantity(number(t, "5.0"), "m/s"), "5.0 [m/s]"},
		{quantity(value.Int(1), "min"), "1 [min]"},
		{value.Literal(red), "Color::red"},
		{value.VariantOf(value.NewNamed("P::cut::cutIdeal", "cutIdeal", "cut", 0), 4), "cutIdeal"},
		{value.ComplexNumber(0, 1), "0.0 + 1.0i"},
		{value.ComplexNumber(-1, 0), "-1.0 + 0.0i"},
		{value.ComplexNumber(1, -2), "1.0 - 2.0i"},
		{value.VectorOf(number(t, "1.0"), number(t, "2.0")), "⟨1.0, 2.0⟩"},
		{quantity(value.VectorOf(number(t, "1.0")), "m"), "⟨1.0⟩ [m]"},
		{value.FunctionOf(value.NewNamed("P::Sq", "Sq", "P", 0), value.NoObject), "calc(P::Sq)"},
		{value.MetaobjectOf(value.NewNamed("P::x", "x", "SysML::Systems::PartUsage", 0)), "meta(P::x : SysML::Systems::PartUsage)"},
		{value.BodyRef(1, 2), "expr(body)"},
		{value.FrameOf("spatialCF", unit("m"), unit("m"), unit("m")), "spatialCF [m, m, m]"},
		{value.TransformationOf("trs", value.FrameOf("datum", unit("m")), value.FrameOf("lbcf", unit("m")), value.Unplaced), "trs (datum → lbcf)"},
	} {
		if got := value.Trace(c.v); got != c.want {
			t.Errorf("a trace prints %s, want %s", got, c.want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"42", "Integer 42"},
		{"9223372036854775807", "Integer 9223372036854775807"},
		{"9223372036854775808", "error: integer overflow: the literal 9223372036854775808 exceeds the Integer range"},
		{"2.50", "Rational 2.5"},
		{".5", "Rational 0.5"},
		{"1e3", "Rational 1000.0"},
		{"1E-3", "Rational 0.001"},
		{"1e300", "Real 1e+300"},
		{"1e-4000", "Real 0.0"},
		{"0e99999999999999999999", "Real 0.0"},
		{"1e999", "error: 1e999 is no finite number"},
		{"1/3", "error: not a number: 1/3"},
		{"0x1.8p1", "error: not a number: 0x1.8p1"},
		{"", "error: not a number: "},
		{"1_000.5", "error: not a number: 1_000.5"},
	} {
		v, err := value.ParseNumber(c.text)
		got := outcome(v, err)
		if err == nil {
			got = v.Kind().String() + " " + got
		}
		if got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}

func TestUser(t *testing.T) {
	name := func(id value.ObjectID) string { return "car" }
	for _, c := range []struct{ text, want string }{
		{"2.5", "2.50"}, {"25", "25"}, {"r:0.126", "0.13"}, {"0.001", "0.001"}, {"r:NaN", "NaN"},
		{`"go"`, "go"}, {`("go"; 1.5)`, `("go", 1.50)`}, {"#1", "car"}, {"{#1}", "{car}"}, {"1.5 [m]", "1.50 [m]"},
	} {
		if got := value.User(parse(t, c.text), name); got != c.want {
			t.Errorf("a user sees %s as %s, want %s", c.text, got, c.want)
		}
	}
}

func TestTypeName(t *testing.T) {
	for text, want := range map[string]string{"1": "an Integer", "1.5": "a Real", "r:1.5": "a Real", "true": "a Boolean",
		`"a"`: "a string", "null": "null", "#1": "an instance", "(1; 2)": "a sequence", "{1}": "a set", "1 [m]": "a quantity",
		"cut=1": "a variant", "Color::red": "the enumeration literal Color::red", "calc": "a function"} {
		if got := parse(t, text).TypeName(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if got := value.BodyRef(0, 0).TypeName(); got != "an expression" {
		t.Errorf("a body is %s", got)
	}
	_, err := value.QuantityOf(value.Text("3"), metre)
	if err == nil || err.Error() != "not a quantity expression: magnitude of a quantity is string, want a number" {
		t.Errorf("a text as magnitude: %v", err)
	}
}

// What a value holds is what its elements hold and a little more.
func TestBytes(t *testing.T) {
	if n := value.Int(7).Bytes(); n != 0 {
		t.Errorf("an Integer holds %d bytes", n)
	}
	text := value.Text("0123456789")
	if n := text.Bytes(); n < 10 || n > 100 {
		t.Errorf("a text of ten holds %d bytes", n)
	}
	elements := make([]value.Value, 1000)
	for i := range elements {
		elements[i] = text
	}
	for _, v := range []value.Value{value.SequenceOf(elements...), value.BagOf(elements...)} {
		if n, least := v.Bytes(), 1000*(24+text.Bytes()); n < least || n > least*5/4 {
			t.Errorf("a thousand texts hold %d bytes, want %d or a little more", n, least)
		}
	}
}
