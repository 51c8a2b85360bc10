package magics

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

func TestEveryKeywordIsDescribed(t *testing.T) {
	known := map[string]bool{}
	for _, k := range syntax.Keywords() {
		known[k.Word] = true
		if keywords[k.Word] == "" {
			t.Errorf("keywords.txt lacks %s", k.Word)
		}
	}
	for word := range keywords {
		if !known[word] {
			t.Errorf("keywords.txt describes %s, which no notation reserves", word)
		}
	}
}

// What a front end shows of the name before the cursor.
func TestInspectExplainsTheLanguage(t *testing.T) {
	s := New(Options{})
	for _, x := range []struct {
		code, want string // want is within the text; "" for nothing known
	}{
		{"part", "systems"},
		{"1 istype", "specialization"},
		{"sum", "NumericalFunctions::sum"},
		{"size", "SequenceFunctions::size"},
		{"nowhere", ""},
		{"%run --schedule", "%run BEHAVIOUR"},
		{"%run nowhere", "%run BEHAVIOUR"},
		{"%%starlark\nlen", "len(x)"},
		{"%%starlark\nfor", "loop"},
		{"%%starlark\nx = [].append", "end of a list"},
		{"%%starlark\nmodel.open", "model.open(path)"},
		{"%%starlark\nmath.sqrt", "of the module math"},
		{"%%starlark\nmath.nowhere", ""},
		{"%%starlark\nexplore", "explore(behaviour"},
		{"%%starlark\npart", ""},
	} {
		b, ok := s.Inspect(context.Background(), x.code, utf8.RuneCountInString(x.code), 0)
		if ok != (x.want != "") || ok && !strings.Contains(b.PlainText(), x.want) {
			t.Errorf("%q: %v, %q; want %q", x.code, ok, b.PlainText(), x.want)
		}
	}
}
