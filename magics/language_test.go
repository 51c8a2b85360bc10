package magics

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestStarlarkShell executes cells of a Shell whose cells are Starlark.
func TestStarlarkShell(t *testing.T) {
	s := New(Options{Dir: t.TempDir(), Language: Starlark})
	for _, c := range []struct{ code, want, fails string }{
		{code: "x = 3\nx * 2", want: "6"},
		{code: "%%sysml\npackage P { attribute def A; }\n1 + 1", want: "2"},
		{code: "%%kerml\nclassifier Thing;", want: "Thing"},
		{code: "%echo before\nx + 1", want: "before\n4"},
		{code: "\n%echo one\n\n  %echo two\n", want: "one\ntwo\n"},
		{code: "%%time\nx + 2", want: "5"},
		{code: "%%time\n%%sysml\n2 ** 3", want: "8"},
		{code: "%%sysml\n%%time\n2 ** 4", want: "16"},
		{code: "%%starlark\nx", want: "3"},
		{code: "# a comment?\nx", want: "3"},
		{code: "7 \\\n% 4", want: "3"},
		{code: "x?", want: "x = 3"},
		{code: "", want: ""},
		{code: "x +", fails: "starlark-syntax"},
		{code: "part def Wheel;", fails: "starlark-syntax"},
		{code: "nowhere", fails: "starlark-name"},
	} {
		r := &recording{Sink: dropped{}}
		outcome := s.Execute(context.Background(), Cell{Code: c.code}, r)
		var got strings.Builder
		for _, b := range r.outputs {
			got.WriteString(b.PlainText())
		}
		switch {
		case (outcome.Err != nil) != (c.fails != ""), outcome.Err != nil && outcome.Err.Name != c.fails:
			t.Errorf("%q fails with %+v, want %q", c.code, outcome.Err, c.fails)
		case !strings.Contains(got.String(), c.want):
			t.Errorf("%q shows %q, want %q", c.code, got.String(), c.want)
		}
		if hint := strings.HasPrefix(c.code, "part def"); hint && !strings.Contains(outcome.Err.Diagnostics[0].Hint, "%%sysml") {
			t.Errorf("%q is not told how to be SysML: %q", c.code, outcome.Err.Diagnostics[0].Hint)
		}
	}
	for _, c := range []struct{ code, want string }{
		{"ech", ""}, {"%ech", "%echo"}, {"%echo a\npri", "print"}, {"x = 1\n%ech", ""},
		{"%%sysml\npackage Q { par", "part"}, {"%%time\npri", "print"}, {"%%html\npri", ""},
	} {
		got := s.Complete(context.Background(), c.code, len(c.code))
		found := slices.ContainsFunc(got.Matches, func(m Match) bool { return m.Text == c.want })
		if found != (c.want != "") || c.want == "" && len(got.Matches) > 0 {
			t.Errorf("%q is completed by %v, want %q", c.code, got.Matches, c.want)
		}
	}
	for code, want := range map[string]string{
		"x": "complete", "for i in x:": "incomplete", "x = = 1": "invalid", "%echo a": "complete",
		"%echo a\nif x:": "incomplete", "%%sysml\npart def A;": "incomplete", "%%sysml\npart def A;\n": "complete",
	} {
		if got := s.IsComplete(code); got.Status != want {
			t.Errorf("%q is %s, want %s", code, got.Status, want)
		}
	}
	if b, ok := s.Inspect(context.Background(), "%echo a\nexplore", 10, 0); !ok || !strings.Contains(b.PlainText(), "explore(") {
		t.Errorf("explore is explained by %q", b.PlainText())
	}
}
