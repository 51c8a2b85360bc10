package lang

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// TestVerifyPredicates is SB-8: a predicate that depends on more than its
// choices is an error of the leaf where it is asked twice.
func TestVerifyPredicates(t *testing.T) {
	for _, test := range []struct {
		name, predicate string
		outcome         leaf.Outcome
		reason          string
	}{
		{"pure", "lambda c: c.x > 0", leaf.Pass, ""},
		{"pure and false", "lambda c: len(c) == 0", leaf.Halted, "assume(a.assume[0]) is false"},
		{"raises each time", "lambda c: c['x'] + 'a'", leaf.Error, "unknown binary op"},
		{"another answer", "lambda c: len(c) > 0 and turn() % 2 == 1", leaf.Error, "asked twice about the same choices, a.assume[0] said true and then false"},
		{"an answer, then an error", "lambda c: len(c) > 0 and 1 // (turn() % 2) == 1", leaf.Error, "said true and then an error"},
		{"looks elsewhere", "lambda c: (c.x if turn() % 2 == 1 else c.y) > 0", leaf.Error, "looked at x and then at y"},
	} {
		plan := "test('a', body = lambda: [choose('x', [1]), choose('y', [2])], assume = [" + test.predicate + "])\n"
		p := loadPlanWith(t, plan, Options{VerifyPredicates: true})
		r := p.Tests()[0].Run(context.Background(), leaf.Request{})
		if r.Outcome != test.outcome || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("%s: %s, %s", test.name, r.Outcome, r.Reason)
		}
	}
}

// TestMaxDepth bounds the axes of a leaf that fan out, and those alone.
func TestMaxDepth(t *testing.T) {
	const plan = `
def test_a():
    for i in range(3):
        choose("x%d" % i, [1, 2])
    for i in range(100):
        choose([1, 2])
`
	for _, test := range []struct {
		depth   int
		outcome leaf.Outcome
		reason  string
	}{
		{0, leaf.Pass, ""}, {3, leaf.Pass, ""},
		{2, leaf.Inconclusive, "the leaf met more than 2 axes; --max-depth raises the limit"},
	} {
		r := loadPlanWith(t, plan, Options{MaxDepth: test.depth}).Tests()[0].Run(context.Background(), leaf.Request{})
		if r.Outcome != test.outcome || r.Reason != test.reason {
			t.Errorf("depth %d: %s, %s", test.depth, r.Outcome, r.Reason)
		}
	}
}
