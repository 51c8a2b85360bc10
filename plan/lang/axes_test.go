package lang

import (
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// TestBranches is T41, T44, T45, T46 and T48: which axes fan out and how many
// options each has, in the order met.
func TestBranches(t *testing.T) {
	tests := []struct {
		name, body string
		want       []int // options of the axes that fan out
		met        int   // axes in all
	}{
		{"T46 no axis", "pass", nil, 0},
		{"T41 anonymous", "choose([1, 2, 3])", nil, 1},
		{"T41 one option", "choose('x', [1])", nil, 1},
		{"T41 three options", "choose('x', [1, 2, 3])", []int{3}, 1},
		{"T44 T45 mixed", "choose('a', [1, 2]); choose([1, 2]); choose('b', [1, 2, 3]); choose('one', [1]); choose('c', range(4)); choose('d', orders([1, 2, 3]))", []int{2, 3, 4, 6}, 6},
	}
	for _, test := range tests {
		r := loadPlan(t, "def test_a(): "+test.body+"\n").Tests()[0].Run(context.Background(), leaf.Request{})
		var got []int
		for _, b := range r.Branches {
			got = append(got, len(b.Survivors))
		}
		if len(got) != len(test.want) || len(r.Path) != test.met {
			t.Errorf("%s: %v of %d", test.name, got, len(r.Path))
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: %v", test.name, got)
			}
		}
	}
}

// TestRecordings is T2 and T60: every call is recorded with its options and
// place, and one run's recordings are not the next one's.
func TestRecordings(t *testing.T) {
	p := loadPlan(t, "def test_a():\n    x = choose([1, 2, 3])\n    choose('named', [1, 2])\n    nondet()\n")
	for range 2 {
		r := p.Tests()[0].Run(context.Background(), leaf.Request{})
		if len(r.Path) != 3 {
			t.Fatalf("%d recorded", len(r.Path))
		}
		want := []struct {
			id   string
			n    int
			line int
		}{{"@test_a.x", 3, 2}, {"named", 2, 3}, {"@test_a.nondet", 2, 4}}
		for i, w := range want {
			a := r.Path[i].Axis
			if a.ID != w.id || len(a.Options) != w.n || a.Site.Line != w.line || a.Site.File != "p" || a.Site.Function != "test_a" {
				t.Errorf("%+v", a)
			}
		}
	}
}
