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
		{value.TransformationOf("trs", value.FrameOf("datum", unit("m")), value.FrameOf("lbcf", unit("m"))), "trs (datum → lbcf)"},
	} {
		if got := value.Trace(c.v); got != c.want {
			t.Errorf("a trace prints %s, want %s", got, c.want)
		}
	}
}
