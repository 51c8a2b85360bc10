package suite

import (
	"context"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// TestLeavesByID asks for single leaves of a walk by their ids: the rows are
// those of the whole walk, and few leaves are run for them.
func TestLeavesByID(t *testing.T) {
	p, err := load(`
def test_dependent():
    a = choose("a", range(10))
    if a > 7:
        choose("b", range(30))
    else:
        choose("c", range(30))
def test_product():
    choose("a", range(20))
    choose("b", range(20))
test("removed", body = lambda: [choose("a", range(4)), choose("b", range(4))], assume = [lambda c: c.a != 2])
def test_plain(): pass
`)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Walk(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]*bundle.Row{}
	for i := range whole.Rows {
		byPath[whole.Rows[i].Test+" "+whole.Rows[i].LeafPath] = &whole.Rows[i]
	}
	for _, test := range []struct {
		leaves []string
		runs   int32 // at most, beside those that look for the leaf
	}{
		{[]string{"test_dependent a=0 c=0"}, 1},
		{[]string{"test_dependent a=9 b=29"}, 1},
		{[]string{"test_product a=19 b=3"}, 1},
		{[]string{"test_product a=19 b=3", "test_dependent a=8 b=1", "test_product a=0 b=0"}, 50},
		{[]string{"test_removed a=1 b=1"}, 1},
		{[]string{"test_removed a=2 b=1"}, 1000}, // its row is completed by what lies beside it
	} {
		var o Options
		var want []*bundle.Row
		for _, name := range test.leaves {
			row := byPath[name]
			if row == nil {
				t.Fatal("no row ", name)
			}
			want = append(want, row)
			o.Leaves = append(o.Leaves, axis.Selector{ID: row.LeafID})
		}
		runs := atomic.Int32{}
		o.Took = func(string, time.Duration) { runs.Add(1) }
		m, err := Walk(context.Background(), p, o)
		if err != nil {
			t.Errorf("%v: %v", test.leaves, err)
			continue
		}
		for _, row := range want {
			found := false
			for i := range m.Rows {
				found = found || m.Rows[i].LeafID == row.LeafID && reflect.DeepEqual(&m.Rows[i], row)
			}
			if !found {
				t.Errorf("%v: no row %s in %+v", test.leaves, row.LeafPath, m.Rows)
			}
		}
		if len(m.Rows) != len(want) || runs.Load() > test.runs {
			t.Errorf("%v: %d rows, %d runs", test.leaves, len(m.Rows), runs.Load())
		}
	}
}

// BenchmarkLeafByID walks one of 100,000 leaves.
func BenchmarkLeafByID(b *testing.B) {
	p, err := load("def test_a():\n    choose('a', range(100))\n    choose('b', range(100))\n    choose('c', range(10))\n")
	if err != nil {
		b.Fatal(err)
	}
	r := p.Tests()[0].Run(context.Background(), leaf.Request{})
	var last axis.Path
	for _, x := range r.Path {
		last = last.With(x.Axis, len(x.Axis.Options)-1)
	}
	o := Options{Leaves: []axis.Selector{{ID: last.ID("test_a")}}}
	for b.Loop() {
		if m, err := Walk(context.Background(), p, o); err != nil || len(m.Rows) != 1 {
			b.Fatal(m, err)
		}
	}
}
