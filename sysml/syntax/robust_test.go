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

func TestErrorsAreBounded(t *testing.T) {
	_, diagnostics := syntax.Parse(source.NewFile("wrong", strings.Repeat("part def 7;\n", 1000)), syntax.Options{})
	if len(diagnostics) != 101 {
		t.Errorf("%d diagnostics", len(diagnostics))
	}
}
