package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// oneOfEach has a leaf of every outcome that a leaf can come to.
const oneOfEach = `
def test_a():
    x = choose("x", ["pass", "fail", "error", "inconclusive", "halted"])
    expect(x != "fail", "fails")
    if x == "error":
        fail("errs")
    if x == "inconclusive":
        inconclusive("open")
    if x == "halted":
        halt("no use")
`

// TestRecordedRows holds what rows record beside their outcome: the choices
// with their indices, the ids, and the counts.
func TestRecordedRows(t *testing.T) {
	choices := func(r *bundle.Row) string {
		var parts []string
		for _, c := range r.Choices {
			parts = append(parts, fmt.Sprintf("%s=%d", c.Axis, c.Index))
		}
		return strings.Join(parts, " ")
	}
	tests := []struct {
		row, plan string
		say       func(r *bundle.Row) string
		want      []string
	}{
		{"T13", "def test_a(): choose('x', [7, 8, 9])\n", choices, []string{"x=0", "x=1", "x=2"}},
		{"T15", "def test_a(): choose('x', [7, 8, 9])\ndef test_b(): pass\n", choices, []string{"x=0", "x=1", "x=2", ""}},
		{"T50", "def test_a(): choose('x', [7, 8])\n", func(r *bundle.Row) string { return r.Test }, []string{"test_a", "test_a"}},
		{"T57", "def test_a():\n  for call in choose('order', orders(['p', 'q'])): print(call)\n", choices, []string{"order=0", "order=1"}},
		{"T58", "def test_a(): choose(orders(['p', 'q']))\n", choices, []string{""}},
		{"T96", oneOfEach, func(r *bundle.Row) string { return r.Outcome.String() }, []string{"pass", "fail", "error", "inconclusive", "halted"}},
	}
	for _, test := range tests {
		m, _ := manifest(t, test.plan, Options{})
		var got []string
		ids := map[string]bool{}
		for i := range m.Rows {
			r := &m.Rows[i]
			got = append(got, test.say(r))
			if (r.LeafID == "") != (r.LeafPath == "") || ids[r.LeafID] {
				t.Errorf("%s: leaf %q has the id %q", test.row, r.LeafPath, r.LeafID)
			}
			ids[r.LeafID] = true
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.row, got, test.want)
		}
	}
}

// TestSummaryCounts is T96: a summary counts each outcome once, and T94: what
// was not run is neither inconclusive nor any other verdict.
func TestSummaryCounts(t *testing.T) {
	m, _ := manifest(t, oneOfEach, Options{})
	for _, o := range leaf.Outcomes() {
		want := 1
		if o == leaf.NotRun {
			want = 0
		}
		if got := m.Summary.Count(o); got != want {
			t.Errorf("T96: %d leaves are %s", got, o)
		}
	}
	p, err := load(oneOfEach)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m, err = Walk(ctx, p, Options{Row: func(*bundle.Row) { cancel() }})
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Summary; s.Inconclusive != 0 || s.NotRun == 0 || s.Passed != 1 || !m.Partial {
		t.Errorf("T94: %+v", s)
	}
}

// TestCoverage is T91 for axes: which options and pairs of options a leaf with
// a verdict had. A halted leaf masks what it took.
func TestCoverage(t *testing.T) {
	tests := []struct {
		row, plan string
		axes      string
		pairs     string
	}{
		{"T91 all covered", "def test_a():\n  choose('x', [1, 2])\n  choose('y', [1, 2])\n", "x 2/2 [], y 2/2 []", "4/4"},
		{"T91 an option only in halted leaves", "def test_a():\n  if choose('x', [1, 2]) == 2:\n    halt()\n  choose('y', ['p', 'q'])\n", "x 1/2 [2], y 2/2 []", "2/4"},
		{"T91 one pair halted", "def test_a():\n  x = choose('x', [1, 2])\n  y = choose('y', [1, 2])\n  if x == y and x == 2:\n    halt()\n", "x 2/2 [], y 2/2 []", "3/4"},
		{"T91 removed by a predicate", "test('a', body = lambda: choose('x', [1, 2, 3]), assume = [lambda c: c['x'] != 3])\n", "x 2/3 [3]", "0/0"},
		{"a pair removed by a predicate", "test('a', body = lambda: (choose('x', [1, 2]), choose('y', ['p', 'q'])), assume = [lambda c: not (c['x'] == 1 and c['y'] == 'q')])\n",
			"x 2/2 [], y 2/2 []", "3/3 x=1 y=\"q\""},
		{"pairs of an axis that one option does not meet", "def test_a():\n  if choose('x', [1, 2]) == 1:\n    choose('y', ['p', 'q'])\n", "x 2/2 [], y 2/2 []", `2/2 x=2 y="p", x=2 y="q"`},
		{"a failure hides what comes behind it", "def test_a():\n  expect(choose('x', [1, 2]) == 1)\n  choose('y', ['p', 'q'])\n", "x 2/2 [], y 2/2 []", "2/4"},
		{"T91 one axis", "def test_a(): choose('x', [1, 2])\n", "x 2/2 []", "0/0"},
	}
	for _, test := range tests {
		m, _ := manifest(t, test.plan, Options{})
		c := m.Tests[0].Coverage
		var axes []string
		for _, a := range c.Axes {
			axes = append(axes, fmt.Sprintf("%s %d/%d %v", a.Axis, a.Covered, a.Options, a.Missing))
		}
		if got := strings.Join(axes, ", "); got != test.axes {
			t.Errorf("%s: %s, want %s", test.row, got, test.axes)
		}
		if got := strings.TrimSpace(fmt.Sprintf("%d/%d %s", c.PairsCovered, c.Pairs, strings.Join(c.Infeasible, ", "))); got != test.pairs {
			t.Errorf("%s: pairs %s, want %s", test.row, got, test.pairs)
		}
	}
}
