package value_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// Sequences behave as slices do, and one content has one digest and one
// encoding however it was built.
func TestSequencesAgreeWithSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	type pair struct {
		v    value.Value
		list []value.Value
	}
	pool := []pair{{value.EmptySequence, nil}}
	for step := range 6000 {
		a, b := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
		var p pair
		switch r.IntN(4) {
		case 0:
			e := value.Int(int64(step % 7))
			p = pair{a.v.Append(e), append(append([]value.Value(nil), a.list...), e)}
		case 1, 2:
			p = pair{a.v.Concat(b.v), append(append([]value.Value(nil), a.list...), b.list...)}
		case 3:
			lo := r.IntN(len(a.list) + 1)
			hi := lo + r.IntN(len(a.list)-lo+1)
			p = pair{a.v.Slice(lo, hi), a.list[lo:hi]}
		}
		if len(p.list) > 3000 {
			continue
		}
		if p.v.Len() != len(p.list) {
			t.Fatalf("%d elements, want %d", p.v.Len(), len(p.list))
		}
		if flat := value.SequenceOf(p.list...); !value.Same(flat, p.v) || flat.Hash(0) != p.v.Hash(0) {
			t.Fatalf("two builds of %d elements differ", len(p.list))
		}
		i := 0
		for e := range p.v.All() {
			if !value.Same(e, p.list[i]) || !value.Same(e, p.v.At(i)) {
				t.Fatalf("element %d differs", i)
			}
			i++
		}
		if depth := value.Depth(p.v); len(p.list) > 0 && float64(depth) > 1.45*math.Log2(float64(len(p.list)))+2 {
			t.Fatalf("a tree of %d elements is %d deep", len(p.list), depth)
		}
		if len(pool) < 60 {
			pool = append(pool, p)
		} else {
			pool[r.IntN(len(pool))] = p
		}
	}
}

// Appending to a long sequence that is shared copies one leaf of it.
func TestAppendShares(t *testing.T) {
	long := value.EmptySequence
	for i := range 100000 {
		long = long.Append(value.Int(int64(i)))
	}
	longer := long.Append(value.Int(-1))
	if long.Len() != 100000 || longer.Len() != 100001 || !value.Same(longer.At(100000), value.Int(-1)) {
		t.Error("the shared sequence changed")
	}
	if n := testing.AllocsPerRun(100, func() { long.Append(value.Int(-1)) }); n > 40 {
		t.Errorf("an append makes %v allocations", n)
	}
}

func TestSequenceExpressionIsFlat(t *testing.T) {
	got := value.SequenceExpression([]value.Value{value.Int(1), value.NullValue, parse(t, "(2; 3)"), value.EmptySequence, parse(t, "{5; 4}"), value.Int(6)})
	if text := value.Trace(got); text != "(1, 2, 3, 4, 5, 6)" {
		t.Errorf("the expression is %s", text)
	}
}

func TestCollections(t *testing.T) {
	one, two, three := value.Int(1), value.Int(2), value.Int(3)
	set := value.SetOf(value.Text("b"), three, value.True, number(t, "1.0"), one, parse(t, "Color::red"), value.ObjectRef(0), parse(t, "1 [m]"))
	if got := value.Trace(value.SequenceExpression([]value.Value{set})); got != `(true, 1.0, 3, "b", 1 [m], Color::red, instance#1)` {
		t.Errorf("a set is walked as %s", got)
	}
	entries := value.MapOf([]value.Value{two, one, number(t, "2.0")}, []value.Value{value.Text("x"), value.Text("y"), value.Text("z")})
	if got := value.Trace(entries); got != `{1 → "y", 2.0 → "z"}` {
		t.Errorf("the map is %s", got)
	}
	if v, ok := entries.Lookup(two); !ok || value.Trace(v) != `"z"` {
		t.Errorf("key 2 has %s", value.Trace(v))
	}
	if _, ok := entries.Lookup(three); ok {
		t.Error("key 3 is in the map")
	}
	grid, _ := value.ArrayOf([]int{2, 3}, one, two, three, value.Int(4), value.Int(5), value.Int(6))
	if got := outcome(value.Index(grid, value.SequenceOf(two, one))); got != "4" {
		t.Errorf("row 2, column 1 is %s", got)
	}
	if got := outcome(value.Index(grid, value.SequenceOf(three, one))); got != "error: index out of range: array index 3 is outside 1..2" {
		t.Errorf("row 3 is %s", got)
	}
	if _, ok := value.ArrayOf([]int{2, 2}, one, two, three); ok {
		t.Error("three elements make an array of two by two")
	}
	for _, c := range []struct {
		collection value.Value
		element    value.Value
		want       bool
	}{
		{set, number(t, "3.0"), true},
		{set, parse(t, "1000 [mm]"), true},
		{set, value.Text("c"), false},
		{value.SetOf(parse(t, "2 [rad]")), two, true},
		{value.SetOf(value.ObjectRef(1)), parse(t, "cut=2"), true},
		{value.OrderedSetOf(three, one), one, true},
		{value.BagOf(three, one), two, false},
	} {
		if got := c.collection.Contains(c.element); got != c.want {
			t.Errorf("%s contains %s: %t", value.Trace(c.collection), value.Trace(c.element), got)
		}
	}
}

// A Cursor reads what At does, in any order and over several collections in
// turn; a range is the sequence of its Integers.
func TestCursor(t *testing.T) {
	var c value.Cursor
	for _, n := range []int{1, 31, 32, 33, 64, 65, 1000, 4097} {
		counted, err := value.Binary(value.Range, value.Int(1), value.Int(int64(n)))
		if err != nil {
			t.Fatal(err)
		}
		var elements []value.Value
		for i := range n {
			elements = append(elements, value.Int(int64(i)+1))
		}
		listed := value.SequenceOf(elements...)
		if equal, err := value.Equal(counted, listed); !equal || err != nil || counted.Hash(1) != listed.Hash(1) || counted.Len() != n {
			t.Fatalf("1..%d is %s", n, value.Trace(counted))
		}
		for _, at := range []int{0, n - 1, n / 2, n / 3, n - 1} {
			for _, v := range []value.Value{counted, listed, value.Int(int64(at) + 1)} {
				if got := c.At(v, min(at, v.Len()-1)); got != value.Int(int64(at)+1) {
					t.Errorf("element %d of %d is %s", at, n, value.Trace(got))
				}
			}
		}
	}
}
