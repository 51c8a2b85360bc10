package lang

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// TestLoadErrors is what a plan is refused for before any leaf runs.
func TestLoadErrors(t *testing.T) {
	for _, test := range []struct{ name, plan, want string }{
		{"no name", `test("", body = print)`, "the name is empty"},
		{"setup that is no function", `test("a", body = print, setup = 3)`, `test("a")`},
		{"registered twice", "test('a', body = print)\ntest('test_a', body = print)", "registered already"},
		{"registered and defined", "def test_a(): pass\ntest('a', body = print)", "two tests are called test_a"},
		{"defined twice", "def test_a(): pass\nx = 1\ndef test_a(): pass", "two tests are called test_a"},
		{"one of two is defined", "if 1 > 2:\n  def test_a(): pass\nelse:\n  def test_a(): pass\ndef f(): pass\ndef f(): pass", ""},
		{"arguments", "def test_a(x): pass", "takes arguments"},
	} {
		p, err := Load(context.Background(), source.NewFile("p.plan.star", test.plan), Options{})
		switch {
		case test.want == "" && (err != nil || len(p.Tests()) != 1):
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(diagnostic.Of(err)[0].Message, test.want)):
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}
