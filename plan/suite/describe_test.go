package suite

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// described is the text of a plan that is read, not run.
func described(t *testing.T, text string) (string, *bundle.PlanDoc) {
	t.Helper()
	p, err := load(text)
	if err != nil {
		t.Fatal(err)
	}
	d := Describe(p, DescribeOptions{})
	out, err := report.Plan(d, "text")
	if err != nil {
		t.Fatal(err)
	}
	return string(out), d
}

// TestDescribe reads axes off the text of plans.
func TestDescribe(t *testing.T) {
	tests := []struct{ name, plan, want string }{
		{"T69 three literal lists", "def test_a():\n  choose('x', [1, 2, 3])\n  choose('y', ['a', 'b', 'c'])\n  choose('z', [True, None])\n",
			"test_a (def): 18 leaves\n  x: 1, 2, 3\n  y: \"a\", \"b\", \"c\"\n  z: True, None\n"},
		{"T70 one list is a variable", "def test_a():\n  l = [1, 2]\n  choose('x', l)\n  choose('y', [1, 2])\n",
			"test_a (def): at least 2 leaves (options that only running tells)\n  x: size unknown\n  y: 1, 2\n"},
		{"T71 anonymous", "def test_a():\n  x = choose([1, 2, 3])\n  y = choose([1, 2])\n  nondet()\n",
			"test_a (def): 1 leaf\n  @test_a.x: 1, 2, 3 (first option only)\n  @test_a.y: 1, 2 (first option only)\n  @test_a.nondet: True, False (first option only)\n"},
		{"T72 no choose", "def test_a():\n  pass\n", "test_a (def): 1 leaf\n"},
		{"T73 choose in a helper", "def pick():\n  return choose('x', [1, 2])\ndef test_a():\n  pick()\n", "test_a (def): 2 leaves\n  x: 1, 2\n"},
		{"T77 two tests, sorted", "def test_b():\n  pass\ndef test_a():\n  pass\n", "test_a (def): 1 leaf\ntest_b (def): 1 leaf\ntotal: 2 leaves in 2 tests\n"},
		{"T79 a registered test", "test('a', body = lambda: None, timeout = '10s', assume = [lambda c: True])\n",
			"test_a (test): 1 leaf, timeout 10s\n  assume a.assume[0]\n"},
		{"T75 two tests, one with an axis", "def test_b():\n  pass\ndef test_a():\n  choose('x', [1, 2])\n", "test_a (def): 2 leaves\n  x: 1, 2\ntest_b (def): 1 leaf\ntotal: 3 leaves in 2 tests\n"},
		{"T82 three tests", "def test_a():\n  choose('x', [1, 2, 3])\n  choose('y', [1, 2, 3])\n  choose('z', [1, 2])\ndef test_b():\n  choose('x', [1, 2, 3, 4, 5, 6])\ndef test_c():\n  pass\n",
			"test_a (def): 18 leaves\n  x: 1, 2, 3\n  y: 1, 2, 3\n  z: 1, 2\ntest_b (def): 6 leaves\n  x: 1, 2, 3, 4, 5, 6\ntest_c (def): 1 leaf\ntotal: 25 leaves in 3 tests\n"},
		{"T83 a computed list beside a literal", "def test_a():\n  choose('x', [n for n in [1, 2, 3]])\n  choose('y', [1, 2])\n",
			"test_a (def): at least 2 leaves (options that only running tells)\n  x: size unknown\n  y: 1, 2\ntotal: at least 2 leaves"},
		{"module axes", "x = choose('x', [1, 2])\ny = choose('y', [1, 2])\ndef test_a():\n  print(x)\n", "test_a (def): 2 leaves\n  x: 1, 2\n"},
		{"nested literals", "def test_a():\n  choose('x', [[1, -2], (3,), 'a'])\n", "x: [1, -2], (3), \"a\"\n"},
		{"computed name", "def test_a():\n  for i in range(2):\n    choose('x%d' % i, [1, 2])\n", "at least 1 leaf (options that only running tells)"},
	}
	for _, test := range tests {
		if got, _ := described(t, test.plan); !strings.Contains(got, test.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestDescribeJSON is T80, T81 and T84: plan.json names the program and its
// settings, is the same each time, ends with its line and reads back.
func TestDescribeJSON(t *testing.T) {
	text := "def test_b():\n  choose('x', [1, 2])\ntest('a', body = lambda: choose(['<&>']))\n"
	describe := func() *bundle.PlanDoc {
		p, err := load(text)
		if err != nil {
			t.Fatal(err)
		}
		return Describe(p, DescribeOptions{Engine: bundle.EngineDoc{Name: "orrery", Version: "1"}, Options: map[string]string{"cover": "2"}, Seed: 3})
	}
	one, two := describe(), describe()
	if one.Engine.Name != "orrery" || one.Options["cover"] != "2" || one.Seed != 3 {
		t.Errorf("T80: %+v", one)
	}
	first, err := bundle.Encode(one)
	if err != nil {
		t.Fatal(err)
	}
	second, err := bundle.Encode(two)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) || !strings.HasSuffix(string(first), "}\n") {
		t.Error("two descriptions of one plan differ, or do not end with their line")
	}
	var back bundle.PlanDoc
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	again, err := bundle.Encode(&back)
	if err != nil || string(again) != string(first) {
		t.Error("JSON does not read back", err)
	}
	if back.SchemaVersion != 1 || back.Totals.Planned != 3 || len(back.Tests) != 2 || back.Tests[0].Axes[0].FansOut {
		t.Errorf("%+v", back)
	}
}

// TestDiscover runs bodies to find what only they tell.
func TestDiscover(t *testing.T) {
	p, err := load(`
def body():
    if choose("a", [1, 2]) == 2:
        choose("b", [n for n in range(3)], weights = [1, 1, 2])
    elif nondet():
        halt("no")
test("a", body = body, assume = [lambda c: c.get("b", 0) != 1])
`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Discover(context.Background(), p, DescribeOptions{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	out, err := report.Plan(d, "text")
	if err != nil {
		t.Fatal(err)
	}
	want := `plan t.plan.star (seed 0), bodies were run to find axes
test_a (test): 3 leaves, 1 removed, timeout 30s
  a: 1, 2
  @body.nondet: True, False (first option only) (when a=1)
  b: 0, 1, 2 (when a=2)
  assume a.assume[0]: removes 1 leaf
  body.halt#1 halt: no: ends 1 leaf
total: 3 leaves, 1 removed in 1 test
`
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	if l := d.Tests[0].Leaves; len(l) != 4 || l[3].Probability != 0.25 || l[2].Status != "pruned" {
		t.Errorf("%+v", l)
	}
}

// TestEmptyPlans are plans without tests, which are warned of, and texts that
// are no plans.
func TestEmptyPlans(t *testing.T) {
	tests := []struct{ row, plan, want string }{
		{"T76 nothing", "", "total: 0 leaves in 0 tests"},
		{"T109 no monitors", "def test_a(): pass\n", "total: 1 leaf in 1 test"},
		{"T92 no tests", "x = choose('x', [1, 2])\n", "warning NO_TESTS: the plan registers no test"},
		{"T74 broken", "def (", "error: not an identifier"},
		{"T109 garbage", ")]}", "error: unexpected"},
		{"T109 a NUL character", "def test_a(): pass\n\x00)]}", "error: the text has a NUL character"},
		{"T92 an unknown name", "def test_a(): chose('x', [1, 2])\n", "error: nothing is called chose"},
		{"T92 two tests of one name", "test('a', body = lambda: None)\ntest('a', body = lambda: None)\n", "registered already"},
	}
	for _, test := range tests {
		got := ""
		p, err := load(test.plan)
		if err != nil {
			got = "error: " + diagnostic.Of(err)[0].Message
		} else {
			d := Describe(p, DescribeOptions{})
			text, err := report.Plan(d, "text")
			if err != nil || d.SchemaVersion != bundle.SchemaVersion {
				t.Error(test.row, err)
			}
			got = string(text)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s", test.row, got)
		}
	}
}
