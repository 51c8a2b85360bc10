package lang

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// loadPlan loads a plan whose builtins are turn(), which counts its calls,
// and thread(), which gives the name of its thread.
func loadPlan(t *testing.T, text string) *Plan {
	t.Helper()
	return loadPlanWith(t, text, Options{})
}

func loadPlanWith(t *testing.T, text string, o Options) *Plan {
	t.Helper()
	turns := 0
	o.Values, o.Builtins = Values(), []Builtin{
		{Name: "turn", Call: func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			turns++
			return starlark.MakeInt(turns), nil
		}},
		{Name: "thread", Call: func(th *starlark.Thread, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.String(th.Name), nil
		}},
	}
	p, err := Load(context.Background(), source.NewFile("p", text), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pinned is a Guide that takes listed options.
type pinned map[string]int

func (p pinned) Pick(a *axis.Axis, survivors []int, _ axis.Path) int {
	if k, ok := p[a.ID]; ok {
		return k
	}
	return survivors[0]
}

// TestPinned is T9, T10 and T11: a leaf sees the option that is pinned, another axis
// and an anonymous choice the first one.
func TestPinned(t *testing.T) {
	p := loadPlan(t, "def test_a():\n    print(choose('x', ['a', 'b', 'c']), choose('y', [1, 2]), choose([7, 8]))\n")
	for _, test := range []struct {
		guide leaf.Guide
		want  string
	}{{pinned{"x": 2}, "c 1 7\n"}, {nil, "a 1 7\n"}, {pinned{"other": 1}, "a 1 7\n"}} {
		r := p.Tests()[0].Run(context.Background(), leaf.Request{Guide: test.guide})
		if r.Output != test.want || r.Outcome != leaf.Pass {
			t.Errorf("%v: %q, %s", test.guide, r.Output, r.Outcome)
		}
		if id := r.Path.ID("test_a"); len(id) != 52 {
			t.Errorf("id %q", id)
		}
	}
	if r := loadPlan(t, "def test_a(): choose([1, 2])\n").Tests()[0].Run(context.Background(), leaf.Request{}); r.Path.ID("test_a") != "" {
		t.Error("a leaf without axes has an id")
	}
}

// TestNondeterministic is T51 and DI-9: a prefix that is met otherwise.
func TestNondeterministic(t *testing.T) {
	p := loadPlan(t, "def test_a():\n    choose('a', [1, 2])\n    choose('b%d' % turn(), [1, 2])\n")
	test := p.Tests()[0]
	first := test.Run(context.Background(), leaf.Request{})
	again := test.Run(context.Background(), leaf.Request{Prefix: first.Path.Fanned()})
	if again.Outcome != leaf.Error || again.Diagnostic.Code != Nondeterministic ||
		again.Reason != "choice 2 met the axis b2 where an earlier run met the axis b1" {
		t.Errorf("%s %q", again.Outcome, again.Reason)
	}
}

// TestThreadNames is T110: predicates run on a thread of their own name.
func TestThreadNames(t *testing.T) {
	p := loadPlan(t, "def named(c):\n    return thread() == 'assume:named'\ntest('a', body = lambda: print(thread()), assume = [named, lambda c: thread() == 'assume:a.assume[1]'])\n")
	if r := p.Tests()[0].Run(context.Background(), leaf.Request{}); r.Outcome != leaf.Pass || r.Output != "test_a\n" {
		t.Errorf("%s %q %q", r.Outcome, r.Reason, r.Output)
	}
}

// TestLoad executes loaded files once for each assignment of module axes, and
// refuses a file that loads itself.
func TestLoad(t *testing.T) {
	files := map[string]string{"lib.star": "size = choose('size', [1, 2, 3])\ndef double(n): return 2 * n\n", "loop.star": "load('loop.star', 'x')\nx = 1\n"}
	open := func(name string) (*source.File, error) {
		if text, ok := files[name]; ok {
			return source.NewFile(name, text), nil
		}
		return nil, fmt.Errorf("there is no %s", name)
	}
	p, err := Load(context.Background(), source.NewFile("p", "load('lib.star', 'size', 'double')\ndef test_a(): print(double(size))\n"), Options{Open: open})
	if err != nil {
		t.Fatal(err)
	}
	r := p.Tests()[0].Run(context.Background(), leaf.Request{Guide: pinned{"size": 2}})
	if r.Outcome != leaf.Pass || r.Path.String() != "size=3" || r.Output != "6\n" {
		t.Errorf("%s %q %q %q", r.Outcome, r.Reason, r.Path, r.Output)
	}
	for text, want := range map[string]string{"load('loop.star', 'x')": "loads itself", "load('none.star', 'x')": "there is no none.star"} {
		if _, err := Load(context.Background(), source.NewFile("p", text), Options{Open: open}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
