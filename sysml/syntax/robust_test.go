package syntax_test

import (
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// TestDeepNestingIsRefused feeds nesting far beyond what a stack could bear.
func TestDeepNestingIsRefused(t *testing.T) {
	const deep = 100_000
	for _, c := range []struct{ name, before, open, inside, end string }{
		{"bodies", "", "part p {", "", "}"},
		{"bodies not closed", "", "part p {", "", ""},
		{"parentheses", "attribute x = ", "(", "1", ")"},
		{"parentheses not closed", "attribute x = ", "(", "", ""},
		{"unary", "attribute x = ", "-", "1", ""},
		{"not", "attribute x = ", "not ", "1", ""},
		{"power", "attribute x = ", "2 ** ", "1", ""},
		{"conditionals", "attribute x = ", "if a ? ", "1", " else 2"},
		{"conditionals on the right", "attribute x = ", "if a ? 1 else ", "2", ""},
		{"bodies of expressions", "attribute x = ", "{", "1", "}"},
		{"invocations", "attribute x = ", "f(", "1", ")"},
		{"brackets", "attribute x = ", "1 [", "1", "]"},
		{"else if", "action a { ", "if a { } else ", "{ }", ""},
		{"if bodies", "action a { ", "if a { ", "", "}"},
		{"conditions with bodies", "action a { ", "if s->f{ if a ? ", "1", " else 2} {}"},
		{"long sums", "attribute x = ", "1 + ", "1", ""},
		{"long tests", "attribute x = a ", "as T ", "", ""},
		{"long selections", "attribute x = a ", ".?{true}", "", ""},
		{"cross features", "", "end a ", "part b;", ""},
		{"metadata", "@M {", "x {", "", "}"},
		{"open brackets", "", "interface [ ", "", ""},
		{"open arguments", "attribute x = ", "f(a::b::", "c", ")"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.before + strings.Repeat(c.open, deep) + c.inside + strings.Repeat(c.end, deep) + ";"
			start := time.Now()
			_, diagnostics := syntax.Parse(source.NewFile("deep", text), syntax.Options{})
			if !diagnostics.HasErrors() {
				t.Errorf("accepted")
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestLongListsAreRead feeds what is long but not deep.
func TestLongListsAreRead(t *testing.T) {
	const long = 100_000
	for _, c := range []struct{ name, before, each, after string }{
		{"members", "package p { ", "part x;\n", "}"},
		{"names", "part x : ", "a::", "b;"},
		{"chain", "attribute x = ", "a.", "b;"},
		{"elements", "attribute x = (", "1, ", "2);"},
		{"types", "part x : ", "T, ", "T;"},
		{"comments", "", "/* text */ ", ""},
		{"annotations", "", "#m ", "part x;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.before + strings.Repeat(c.each, long) + c.after
			_, diagnostics := syntax.Parse(source.NewFile("long", text), syntax.Options{})
			wantNone(t, diagnostics)
		})
	}
}

// TestErrorsAreLinear feeds megabytes in which every line is wrong.
func TestErrorsAreLinear(t *testing.T) {
	for _, line := range []string{"part def 7;\n", "} } {\n", "part x : ;\n", "'open\n", "\"open\n", "interface [\n", "end a [\n",
		"\x00\x01", "first a.b::\n", "calc { x [\n", "@a::", "if ", "then ", "accept a[", "- ", "#", "<"} {
		text := strings.Repeat(line, 2<<20/len(line))
		start := time.Now()
		_, diagnostics := syntax.Parse(source.NewFile("wrong", text), syntax.Options{})
		if !diagnostics.HasErrors() {
			t.Errorf("%q accepted", line)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %v", line, took)
		}
	}
}

// TestTenMegabytes reads a text as long as a generated model may be.
func TestTenMegabytes(t *testing.T) {
	const models = 10_000_000/len(benchmarkModel) + 1
	tree, diagnostics := syntax.Parse(source.NewFile("large", strings.Repeat(benchmarkModel, models)), syntax.Options{})
	wantNone(t, diagnostics)
	if len(tree.Members) != models {
		t.Errorf("%d members, want %d", len(tree.Members), models)
	}
}

func TestSizeIsBounded(t *testing.T) {
	tree, diagnostics := syntax.Parse(source.NewFile("large", "part x; part y;"), syntax.Options{MaxSize: 10})
	if len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Message, "more than the 10") || len(tree.Members) != 0 {
		t.Errorf("got %v, %d members", diagnostics, len(tree.Members))
	}
}

// TestWhatIsNoText: a file that is no text, or not in UTF-8, gets one answer,
// whatever it holds beside.
func TestWhatIsNoText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\x7fELF\x02\x01\x01\x00\x00!!", "this is no text: a zero byte stands at offset 7"},
		{"part x;\x00", "this is no text: a zero byte stands at offset 7"},
		{"\xff\xfep\x00a\x00", "the text is in UTF-16"},
		{"\xfe\xff\x00p\x00a", "the text is in UTF-16"},
		{"part x;\xe9\xe9 part y; \xe8", "the text is not UTF-8: byte 0xe9 stands at offset 7"},
		{"/* caf\xe9 */ part x;", ""},
	} {
		file := source.NewFile("wrong", c.text)
		_, diagnostics := syntax.Parse(file, syntax.Options{})
		var got []string
		for _, d := range diagnostics {
			got = append(got, d.Message)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if part := syntax.ParsePart(file, 0, syntax.Options{}); part.End <= 0 || part.Kind == syntax.PartEnd {
			t.Errorf("%q: a cell of it ends unread at %d", c.text, part.End)
		} else if c.want != "" && part.End == len(c.text) && syntax.ParsePart(file, part.End, syntax.Options{}).Kind != syntax.PartEnd {
			t.Errorf("%q: a cell of it does not end", c.text)
		}
	}
}

func TestErrorsAreBounded(t *testing.T) {
	_, diagnostics := syntax.Parse(source.NewFile("wrong", strings.Repeat("part def 7;\n", 1000)), syntax.Options{})
	if len(diagnostics) != 101 {
		t.Errorf("%d diagnostics", len(diagnostics))
	}
}
