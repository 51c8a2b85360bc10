package plan

import (
	"context"
	"strings"
	"testing"
)

// TestBreak stops in a leaf: its World is the one at its end, or at the call
// that failed.
func TestBreak(t *testing.T) {
	name := written(t, `
m = model.text("package P { private import ScalarValues::*; part def Tank { attribute level : Integer = 1; } }")
def test_a():
    t = instantiate(m, "P::Tank", as_name = "tank")
    t.set("level", choose("n", [4, 7]))
    expect(t["level"] < 5, "too full")
    t.set("level", 2)
def test_b():
    pass
`)
	tests := []struct {
		leaf, test string
		want       string // the level and part of the text, or of an error
	}{
		{"n=4", "", "2 PASS test_a"},
		{"n=7", "", "7 FAIL test_a"},
		{"", "test_a", "--break needs one leaf, and 2 are asked for"},
		{"", "test_b", "the leaf ran no model"},
		{"n=9", "", "no leaf is n=9"},
	}
	for _, test := range tests {
		o := WalkOptions{}
		if test.leaf != "" {
			o.Leaves = []string{test.leaf}
		}
		if test.test != "" {
			o.Tests = []string{test.test}
		}
		s, text, err := Break(context.Background(), name, o)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			v, err := s.Read(context.Background(), "tank", "level")
			if err != nil {
				t.Fatal(err)
			}
			got = s.Text(v) + " " + text
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %s", test.leaf, test.test, got)
		}
	}
}
