package stub

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// TestGuess is about the values that make a condition true, then false; "-" is
// where none can be told.
func TestGuess(t *testing.T) {
	for _, c := range []struct{ condition, yes, no string }{
		{"level > 5.0", "level=6.0", "level=5.0"},
		{"level >= 5", "level=5", "level=4"},
		{"5 < level", "level=6", "level=5"},
		{"level == -3", "level=-3", "level=-2"},
		{"level < -3", "level=-4", "level=-3"},
		{"level != 2", "level=3", "level=2"},
		{"open", "open=True", "open=False"},
		{"not open", "open=False", "open=True"},
		{"open == false", "open=False", "open=True"},
		{`mode == "on"`, `mode="on"`, `mode="other than on"`},
		{"mass > 5.0 [kg]", `mass=quantity(6.0, "kg")`, `mass=quantity(5.0, "kg")`},
		{"a > 1 and b < 2", "a=2 b=1", "a=1"},
		{"a > 1 or b < 2", "a=2", "a=1 b=2"},
		{"a > 1 and a < 2", "-", "a=1"},
		{"a.b > 1", "-", "-"},
		{"a > b", "-", "-"},
		{"f(a)", "-", "-"},
		{"true", "", "-"},
	} {
		x, list := syntax.ParseExpression(source.NewFile("condition", c.condition), 0, syntax.Options{})
		if list.HasErrors() {
			t.Fatal(list)
		}
		for want, told := range map[bool]string{true: c.yes, false: c.no} {
			v := values{}
			got := "-"
			if v.guess(x, want) {
				got = text(v)
			}
			if got != told {
				t.Errorf("%s %v: got %s, want %s", c.condition, want, got, told)
			}
		}
	}
}

// text is v in the order of the names.
func text(v values) string {
	var parts []string
	for _, n := range slices.Sorted(maps.Keys(v)) {
		parts = append(parts, n+"="+v[n])
	}
	return strings.Join(parts, " ")
}

// TestSeconds is about constant times; "" is where a text is none.
func TestSeconds(t *testing.T) {
	for text, want := range map[string]string{"5": "5", "5 [s]": "5", "2.5 [SI::min]": "150", "10 [ms]": "0.01", "3 [kg]": "", "delay": "", "2 * 3 [s]": ""} {
		x, list := syntax.ParseExpression(source.NewFile("time", text), 0, syntax.Options{})
		if list.HasErrors() {
			t.Fatal(list)
		}
		if got, _ := seconds(x); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
