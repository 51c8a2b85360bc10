package suite

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/walk"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

const sixLeaves = `
def test_a():
    x = choose("x", [1, 2, 3])
    y = choose("y", ["p", "q"])
    if x == 3 and y == "q":
        halt("no")
    expect(x != 2 or y != "q", "two q")
def test_b():
    pass
`

// walked walks sixLeaves.
func walked(t *testing.T, o Options) (*bundle.Manifest, error) {
	t.Helper()
	p, err := load(sixLeaves)
	if err != nil {
		t.Fatal(err)
	}
	return Walk(context.Background(), p, o)
}

// told is the paths of the rows of m with a bar between them, or the error of
// the walk.
func told(m *bundle.Manifest, err error) string {
	if err != nil {
		return "error: " + diagnostic.Of(err)[0].Message
	}
	var paths []string
	for _, r := range m.Rows {
		paths = append(paths, r.LeafPath)
	}
	return strings.Join(paths, "|")
}

// TestSelection asks for parts of a walk.
func TestSelection(t *testing.T) {
	whole, err := walked(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := whole.Rows[3].LeafID
	selector := func(text string) axis.Selector {
		s, err := axis.ParseSelector(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tests := []struct {
		name string
		o    Options
		want string // paths, or part of an error
	}{
		{"T130 all", Options{}, `x=1 y="p"|x=1 y="q"|x=2 y="p"|x=2 y="q"|x=3 y="p"|x=3 y="q"|`},
		{"by name", Options{Tests: []string{"test_b"}}, ""},
		{"by short name", Options{Tests: []string{"b"}}, ""},
		{"by glob", Options{Tests: []string{"*_b"}}, ""},
		{"by expression", Options{Tests: []string{"~^test_b$"}}, ""},
		{"T129 no test", Options{Tests: []string{"c"}}, "error: no test matches c"},
		{"broken expression", Options{Tests: []string{"~("}}, "error: the pattern ~( is no regular expression"},
		{"a leaf", Options{Leaves: []axis.Selector{selector(id)}}, `x=2 y="q"`},
		{"the beginning of a leaf", Options{Leaves: []axis.Selector{selector(id[:5])}}, `x=2 y="q"`},
		{"a selector", Options{Leaves: []axis.Selector{selector("y=p")}}, `x=1 y="p"|x=2 y="p"|x=3 y="p"`},
		{"two selectors", Options{Leaves: []axis.Selector{selector("x=1,y=p"), selector("x=3")}}, `x=1 y="p"|x=3 y="p"|x=3 y="q"`},
		{"no leaf", Options{Leaves: []axis.Selector{selector("zzzzzzz")}}, "error: no leaf is zzzzzzz"},
		{"a pin", Options{Tests: []string{"a"}, Pins: []axis.Pin{{Axis: "x", Key: "2"}}}, `x=2 y="p"|x=2 y="q"`},
		{"an unknown axis", Options{Pins: []axis.Pin{{Axis: "w", Key: "2"}}}, "error: no leaf has w=2"},
		{"an unknown option", Options{Pins: []axis.Pin{{Axis: "x", Key: "9"}}}, "error: no leaf has x=9"},
		{"a bound", Options{Tests: []string{"a"}, MaxLeaves: 2}, `x=1 y="p"|x=1 y="q"`},
		{"failures", Options{Tests: []string{"a"}, MaxFailures: 1}, `x=1 y="p"|x=1 y="q"|x=2 y="p"|x=2 y="q"`},
	}
	for _, test := range tests {
		for _, jobs := range []int{1, 4} {
			test.o.Jobs = jobs
			if got := told(walked(t, test.o)); got != test.want {
				t.Errorf("%s, %d jobs: got %s, want %s", test.name, jobs, got, test.want)
			}
		}
	}
}

// TestNoSuchLeaf says what could stand in place of a selector that is no leaf.
func TestNoSuchLeaf(t *testing.T) {
	for text, want := range map[string]string{"x=9": "the options of x are 1, 2, 3;", "w=1": "the axes of the plan are x, y;", "zzzzzz": "the axes of the plan are x, y;"} {
		sel, err := axis.ParseSelector(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = walked(t, Options{Leaves: []axis.Selector{sel}})
		if err == nil || !strings.HasPrefix(diagnostic.Of(err)[0].Hint, want) {
			t.Errorf("%s: %v, want the hint %q", text, err, want)
		}
	}
}

// TestStatus holds walks to the table of exit statuses.
func TestStatus(t *testing.T) {
	tests := []struct {
		name, plan string
		o          Options
		require    bool
		want       int
	}{
		{"all pass", "def test_a():\n  expect(True)\n", Options{}, true, 0},
		{"T130 one fails", sixLeaves, Options{}, false, 1},
		{"T128 all halted", "def test_a():\n  halt()\n", Options{}, false, 0},
		{"T128 all halted and a verdict required", "def test_a():\n  halt()\n", Options{}, true, 5},
		{"inconclusive", "def test_a():\n  inconclusive('x')\n", Options{}, false, 3},
		{"stopped", "def test_a():\n  choose('x', [1, 2])\n", Options{MaxLeaves: 1}, false, 4},
		{"stopped and failed", "def test_a():\n  expect(choose('x', [0, 2]))\n", Options{MaxLeaves: 1}, false, 1},
		{"stopped by the clock", "test('a', timeout = '20ms', body = lambda: [i for _ in range(1000) for i in range(1000000)])\n", Options{MaxSteps: 1 << 40}, false, 4},
	}
	for _, test := range tests {
		p, err := load(test.plan)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Walk(context.Background(), p, test.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := Status(m, test.require); got != test.want {
			t.Errorf("%s: %d, want %d (%+v)", test.name, got, test.want, m.Summary)
		}
	}
}

// TestCancelledBeforeStart is T93: nothing is run, and nothing is judged.
func TestCancelledBeforeStart(t *testing.T) {
	p, err := load("def test_a():\n  pass\ndef test_b():\n  pass\ndef test_c():\n  pass\n")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := Walk(ctx, p, Options{})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if s := m.Summary; s.MatchedTests != 3 || s.NotRun != 3 || s.Decided() != 0 || len(m.Rows) != 0 || Status(m, false) != 4 {
		t.Errorf("%+v, %d rows, status %d", s, len(m.Rows), Status(m, false))
	}
}

// TestFindings are the minimal failing leaf and the choices that fail.
func TestFindings(t *testing.T) {
	p, err := load(`
def test_a():
    x = choose("x", [1, 2, 3, 4])
    y = choose("y", [1, 2])
    z = choose("z", [1, 2, 3])
    expect(not (x >= 3 and z == 2), "no %d" % x)
    expect(x != 2 or y != 2, "two")
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {Cover: 2}} {
		m, err := Walk(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Tests[0]
		var minimal []string
		for _, x := range s.Minimal {
			minimal = append(minimal, x.LeafPath+" free "+strings.Join(x.Free, ","))
		}
		got := strings.Join(minimal, "|")
		if !strings.Contains(got, "x=3 y=1 z=2 free y") || !strings.Contains(got, "x=2 y=2 z=1 free z") {
			t.Errorf("cover %d: %s", o.Cover, got)
		}
		if o.Cover > 0 {
			continue
		}
		var fails []string
		for _, f := range s.Fails {
			fails = append(fails, strings.Join(f.Choices, " "))
		}
		if got := strings.Join(fails, "|"); got != "z=2 x=3|z=2 x=4|x=2 y=2" && got != "x=2 y=2|x=3 z=2|x=4 z=2" && len(fails) != 3 {
			t.Errorf("fails when %s", got)
		}
	}
}

// TestSample draws leaves: the same ones whatever the order of axes' options
// is asked, without repetition, and all where there are few.
func TestSample(t *testing.T) {
	p, err := load("def test_a():\n  choose('x', range(20))\n  choose('y', range(20))\n")
	if err != nil {
		t.Fatal(err)
	}
	draw := func(o Options) string {
		m, err := Walk(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, r := range m.Rows {
			ids = append(ids, r.LeafPath)
		}
		if s := m.Tests[0].Sampled; s.Drawn != len(ids) {
			t.Errorf("%+v of %d rows", s, len(ids))
		}
		return strings.Join(ids, "|")
	}
	one, two := draw(Options{Sample: 30, Seed: 1}), draw(Options{Sample: 30, Seed: 1})
	if one != two || strings.Count(one, "|") != 29 {
		t.Errorf("%s\n%s", one, two)
	}
	if one == draw(Options{Sample: 30, Seed: 2}) {
		t.Error("another seed draws the same leaves")
	}
	more := draw(Options{Sample: 40, Seed: 1})
	for _, leaf := range strings.Split(one, "|") {
		if !strings.Contains(more+"|", leaf+"|") {
			t.Errorf("a larger sample lacks %s", leaf)
		}
	}
	few, err := load("def test_a():\n  choose('x', [1, 2])\n  choose('y', [1, 2])\n")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Walk(context.Background(), few, Options{Sample: 100})
	if err != nil || len(m.Rows) != 4 || !m.Tests[0].Sampled.Exhausted {
		t.Error(err, len(m.Rows), m.Tests[0].Sampled)
	}
}

// TestCover holds covering arrays to the sizes of the greedy construction.
func TestCover(t *testing.T) {
	const six = `
def body():
    c = [choose("a", range(4)), choose("b", range(3)), choose("c", range(3)), choose("d", range(3)), choose("e", range(2)), choose("f", range(2))]
`
	tests := []struct {
		name, plan                        string
		strength                          int
		most, tuples, covered, infeasible int
	}{
		{"pairs", six + `test("a", body = body)`, 2, 16, 119, 119, 0},
		{"triples", six + `test("a", body = body)`, 3, 48, 439, 439, 0},
		{"pairs, two excluded", six + `test("a", body = body, assume = [lambda c: not (c["f"] == 1 and c["d"] == 2), lambda c: not (c["a"] == 3 and c["c"] == 2)])`, 2, 16, 117, 117, 2},
		{"every option", six + `test("a", body = body)`, 1, 4, 17, 17, 0},
		{"a group", six + `test("a", body = body, cover = {"default": 1, ("b", "c", "d"): 3})`, 0, 27, 17 + 27, 17 + 27, 0},
		{"a halt hides pairs", `
def body():
    if choose("a", [1, 2, 3]) == 1:
        halt()
    choose("b", [1, 2])
test("a", body = body)`, 2, 5, 6, 6, 3},
	}
	for _, test := range tests {
		p, err := load(test.plan)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Walk(context.Background(), p, Options{Cover: test.strength})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Tests[0].Covered
		if len(m.Rows) > test.most || c.Covered != test.covered || c.Infeasible != test.infeasible {
			t.Errorf("%s: %d rows, %+v", test.name, len(m.Rows), c)
		}
	}
}

// TestManyLeaves walks more leaves than a manifest holds in memory.
func TestManyLeaves(t *testing.T) {
	const text = "def test_a():\n  x = choose('x', range(150))\n  y = choose('y', range(150))\n  expect(x != 149 or y != 149)\n"
	m, one := manifest(t, text, Options{Jobs: 2})
	defer m.Close()
	if len(m.Rows) >= 22_500 {
		t.Fatal("all rows are in memory")
	}
	n, last := 0, ""
	err := m.Each(func(i int, r *bundle.Row) error {
		if i != n {
			t.Fatalf("row %d is called %d", n, i)
		}
		n++
		last = r.LeafPath
		return nil
	})
	if err != nil || n != 22_500 || last != "x=149 y=149" || m.Summary.Failed != 1 {
		t.Error(err, n, last, m.Summary)
	}
	other, two := manifest(t, text, Options{})
	defer other.Close()
	if one != two {
		t.Error("two walks differ")
	}
	var packed bytes.Buffer
	if err := (&bundle.Bundle{Manifest: m}).Write(&packed); err != nil {
		t.Fatal(err)
	}
	read, err := bundle.Read(&packed, "b")
	if err != nil || len(read.Manifest.Rows) != 22_500 {
		t.Error(err)
	}
}

// TestLikelyFirst bounds a walk in the order of weights.
func TestLikelyFirst(t *testing.T) {
	p, err := load(`
def test_a():
    choose("x", ["rare", "often"], weights = [1, 9])
    choose("y", ["left", "right"], weights = [4, 6])
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		o    Options
		want string // paths, or part of an error
	}{
		{Options{Likely: true, MaxLeaves: 2}, `x="often" y="left"|x="often" y="right"`},
		{Options{Likely: true, MaxLeaves: 1}, `x="often" y="right"`},
		{Options{Likely: true}, `x="rare" y="left"|x="rare" y="right"|x="often" y="left"|x="often" y="right"`},
		{Options{Likely: true, Sample: 2}, "error: test_a: a sample or a covering array has an order of its own"},
		{Options{Likely: true, Cover: 2}, "error: test_a: a sample or a covering array has an order of its own"},
		{Options{Likely: true, Shard: walk.Shard{Index: 1, Count: 2}}, "error: a shard has an order of its own"},
	} {
		if got := told(Walk(context.Background(), p, test.o)); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.o, got, test.want)
		}
	}
}

// TestOneClaimIsOneFailure finds that leaves fail in one way, whatever values
// the message of each tells.
func TestOneClaimIsOneFailure(t *testing.T) {
	p, err := load("def test_a():\n    xs = [1] * choose('n', [1, 2, 3])\n    expect(len(xs) > 3)\n    expect(False)\n")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Walk(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	prints := map[string]bool{}
	for _, r := range m.Rows {
		prints[r.Fingerprint] = true
	}
	if len(m.Rows) != 3 || len(prints) != 1 || m.Rows[0].Reason == m.Rows[1].Reason {
		t.Errorf("%d rows, fingerprints %v, reasons %s and %s", len(m.Rows), prints, m.Rows[0].Reason, m.Rows[1].Reason)
	}
}

// TestPinsThatFitNothing says what a pin could have been.
func TestPinsThatFitNothing(t *testing.T) {
	for _, test := range []struct{ axis, key, hint string }{
		{"x", "9", "the options of x are 1, 2, 3"},
		{"y", "r", `the options of y are "p", "q"`},
		{"w", "1", "the axes of the plan are x, y"},
	} {
		_, err := walked(t, Options{Pins: []axis.Pin{{Axis: test.axis, Key: test.key}}})
		if err == nil || diagnostic.Of(err)[0].Hint != test.hint {
			t.Errorf("%s=%s: %v", test.axis, test.key, err)
		}
	}
}
