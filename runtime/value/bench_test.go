package value_test

import (
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

var sink value.Value

// Operators on scalars allocate nothing.
func TestScalarsAllocateNothing(t *testing.T) {
	for _, c := range []struct{ a, op, b string }{
		{"1", "+", "2"}, {"1", "*", "2"}, {"7", "/", "2"}, {"7", "%", "2"}, {"1", "<", "2"}, {"1", "==", "2"},
		{"2", "**", "10"}, {"0.5", "+", "0.25"}, {"0.5", "*", "3"}, {"0.5", "<", "1"}, {"0.5", "==", "1"},
		{"r:0.5", "+", "r:1.5"}, {"r:0.5", "/", "3"}, {"r:0.5", "<", "0.5"}, {"r:2", "**", "0.5"},
		{"true", "and", "false"}, {"true", "==", "false"}, {"#1", "==", "#2"}, {"Color::red", "==", "Color::red"},
		{`"a"`, "<", `"b"`}, {"1", "??", "2"},
	} {
		a, b, op := parse(t, c.a), parse(t, c.b), operators[c.op]
		if n := testing.AllocsPerRun(100, func() { sink, _ = value.Binary(op, a, b) }); n != 0 {
			t.Errorf("%s %s %s makes %v allocations, want 0", c.a, c.op, c.b, n)
		}
	}
	literal := value.NewNamed("P::Color::red", "red", "Color", 0)
	if n := testing.AllocsPerRun(100, func() { sink = value.Literal(literal); sink = value.ObjectRef(7); sink = value.Float(1) }); n != 0 {
		t.Errorf("making scalars takes %v allocations, want 0", n)
	}
}

func benchmarkBinary(b *testing.B, op value.Operator, x, y value.Value) {
	b.ReportAllocs()
	for b.Loop() {
		sink, _ = value.Binary(op, x, y)
	}
}

func BenchmarkIntegerAdd(b *testing.B) { benchmarkBinary(b, value.Add, value.Int(1), value.Int(2)) }
func BenchmarkRealAdd(b *testing.B)    { benchmarkBinary(b, value.Add, value.Float(1), value.Float(2)) }
func BenchmarkIntegerLess(b *testing.B) {
	benchmarkBinary(b, value.Less, value.Int(1), value.Int(2))
}
func BenchmarkRationalAdd(b *testing.B) {
	benchmarkBinary(b, value.Add, number(b, "0.1"), number(b, "0.25"))
}
func BenchmarkQuantityAdd(b *testing.B) {
	benchmarkBinary(b, value.Add, parse(b, "1.5 [m]"), parse(b, "2.5 [m]"))
}
func BenchmarkHashScalar(b *testing.B) {
	b.ReportAllocs()
	v := value.Int(7)
	for b.Loop() {
		v.Hash(3)
	}
}

// An append to, and a hash of, a shared sequence of a million elements.
func BenchmarkAppendToMillion(b *testing.B) {
	elements := make([]value.Value, 1_000_000)
	for i := range elements {
		elements[i] = value.Int(int64(i))
	}
	long := value.SequenceOf(elements...)
	b.ReportAllocs()
	for b.Loop() {
		sink = long.Append(value.True)
		sink.Hash(1)
	}
}
