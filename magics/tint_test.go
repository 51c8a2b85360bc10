package magics

import (
	"strings"
	"testing"
)

// TestTints shows tinted pieces between brackets, with a letter for the kind.
func TestTints(t *testing.T) {
	s := New(Options{})
	letters := map[TintKind]string{TintWord: "w", TintMagic: "m", TintFlag: "f", TintString: "s", TintNumber: "n", TintComment: "c", TintWrong: "x"}
	for _, c := range []struct{ code, want string }{
		{"part def A { attribute x = 1.5; } // done", "[w part] [w def] A { [w attribute] x = [n 1.5]; } [c // done]"},
		{"%run Demo::Race x = 2 --seed 3", "[m %run] Demo::Race x = [n 2] [f --seed] [n 3]"},
		{"%runn x", "[x %runn] x"},
		{"%ru", "[m %ru]"},
		{"%run?", "[m %run?]"},
		{"x = \"a\nb", "x = [x \"a]\nb"},
		{"part a {\n%run\n}", "[w part] a {\n%run\n}"},
		{"1 + 1\n%run A::b --on '#1'", "[n 1] + [n 1]\n[m %run] A::b [f --on] '#1'"},
		{"%%starlark\nfor x in [1, 'a']: # go\n  print(\"\"\"b\n\"\"\")", "[m %%starlark]\n[w for] x [w in] [[n 1], [s 'a']]: [c # go]\n  print([s \"\"\"b\n\"\"\"])"},
		{"%%time\n1 + 1", "[m %%time]\n[n 1] + [n 1]"},
		{"%%html\n<b>1</b>", "[m %%html]\n<b>1</b>"},
		{"'open", "[x 'open]"},
		{"", ""},
	} {
		var b strings.Builder
		at := 0
		for _, tint := range s.Tints(c.code) {
			b.WriteString(c.code[at:tint.Start] + "[" + letters[tint.Kind] + " " + c.code[tint.Start:tint.End] + "]")
			at = tint.End
		}
		if got := b.String() + c.code[at:]; got != c.want {
			t.Errorf("%q is tinted\n%s\nwant\n%s", c.code, got, c.want)
		}
	}
}

// FuzzTints holds every piece inside the cell, behind the one before it.
func FuzzTints(f *testing.F) {
	for _, seed := range []string{"%run A --x 1", "%%starlark\n'''", "part a { /* ", "%%plan\n%x", "\"\\", "%%sysml\n%%starlark\n\\\"", "é%run"} {
		f.Add(seed)
	}
	s := New(Options{})
	f.Fuzz(func(t *testing.T, code string) {
		at := 0
		for _, tint := range s.Tints(code) {
			if tint.Start < at || tint.End <= tint.Start || tint.End > len(code) {
				t.Fatalf("piece %d to %d behind %d of %q", tint.Start, tint.End, at, code)
			}
			at = tint.End
		}
	})
}
