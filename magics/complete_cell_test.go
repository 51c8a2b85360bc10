package magics

import "testing"

// TestMissing says what an incomplete cell lacks first.
func TestMissing(t *testing.T) {
	s := New(Options{})
	for code, want := range map[string]string{
		"x = 3":                        "; or {",
		"part def A {":                 "}",
		"part def A {\n  attribute x;": "}",
		"part x :":                     "a type",
		"attribute y = (1 +":           "an expression",
		"/* a":                         "*/",
		"part def A":                   "; or {",
		"part def A {\n  part b":       "; or {",
		"f(":                           "an expression",
		"if x":                         "?",
		"%%starlark\ndef f():":         "",
	} {
		got := s.IsComplete(code)
		if got.Status != "incomplete" || got.Missing != want {
			t.Errorf("%q is %s and lacks %q, want %q", code, got.Status, got.Missing, want)
		}
	}
}
