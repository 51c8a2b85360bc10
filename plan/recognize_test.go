package plan_test

import (
	"testing"

	"github.com/orrery-sysml/orrery/plan"
)

func TestIsStarlark(t *testing.T) {
	for text, want := range map[string]bool{
		"x = 3":                       true,
		"def f(n):\n    return n\n":   true,
		"for i in range(3): print(i)": true,
		"print(1)":                    true,
		"part":                        false,
		"a.b":                         false,
		"1 + 1":                       false,
		"":                            false,
		"part def A;":                 false,
		"package P {":                 false,
		"if True\n    pass":           false,
		"attribute x : Integer = 3;":  false,
		"[n * n for n in range(3)]":   true,
	} {
		if got := plan.IsStarlark(text); got != want {
			t.Errorf("IsStarlark(%q) = %v, want %v", text, got, want)
		}
	}
}
