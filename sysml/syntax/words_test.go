package syntax_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

func TestQuoteReadsBack(t *testing.T) {
	for _, name := range []string{"x", "x_1", "_", "a b", "it's", `back\slash`, "part", "feature", "größe", "7up", "", "tab\tnew\nline", "a.b"} {
		quoted := syntax.Quote(name)
		tree, diagnostics := syntax.Parse(source.NewFile("quote", "part "+quoted+" { }"), syntax.Options{})
		wantNone(t, diagnostics)
		if got := tree.Members[0].Name.Text; got != name {
			t.Errorf("Quote(%q) = %s, reads as %q", name, quoted, got)
		}
		if plain := strings.Trim(quoted, "'") == name && quoted == name; plain != (name == "x" || name == "x_1" || name == "_") {
			t.Errorf("Quote(%q) = %s", name, quoted)
		}
	}
}

func TestKeywords(t *testing.T) {
	byWord := map[string]syntax.Keyword{}
	words := syntax.Keywords()
	for _, k := range words {
		byWord[k.Word] = k
		if k.Use == 0 {
			t.Errorf("%s stands nowhere", k.Word)
		}
		if k.SysML != syntax.IsReserved(k.Word, source.SysML) || k.KerML != syntax.IsReserved(k.Word, source.KerML) {
			t.Errorf("%s: SysML %v, KerML %v", k.Word, k.SysML, k.KerML)
		}
	}
	if !slices.IsSortedFunc(words, func(a, b syntax.Keyword) int { return strings.Compare(a.Word, b.Word) }) {
		t.Error("not in alphabetical order")
	}
	for word, want := range map[string]syntax.Keyword{
		"part":      {Word: "part", SysML: true, Use: syntax.StartsMember},
		"feature":   {Word: "feature", KerML: true, Use: syntax.StartsMember},
		"redefines": {Word: "redefines", SysML: true, KerML: true, Use: syntax.InMember},
		"implies":   {Word: "implies", SysML: true, KerML: true, Use: syntax.InExpression},
		"if":        {Word: "if", SysML: true, KerML: true, Use: syntax.StartsMember | syntax.InExpression},
	} {
		if byWord[word] != want {
			t.Errorf("%s: got %+v, want %+v", word, byWord[word], want)
		}
	}
	if syntax.IsReserved("pump", source.SysML) {
		t.Error("pump is reserved")
	}
}

func TestTokens(t *testing.T) {
	text := "part 'a b' /* c */ = 1.5 + \"s\"; // n\n//* m */ ! \"open"
	kinds := []string{"name", "word", "number", "string", "comment", "note", "symbol", "malformed"}
	var got []string
	for _, token := range syntax.Tokens(source.NewFile("tokens", text)) {
		got = append(got, fmt.Sprintf("%s %s", kinds[token.Kind], text[token.Start:token.End]))
	}
	want := []string{"word part", "name 'a b'", "comment /* c */", "symbol =", "number 1.5", "symbol +", "string \"s\"",
		"symbol ;", "note // n", "note //* m */", "malformed !", "malformed \"open"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCommentText(t *testing.T) {
	for _, c := range []struct{ comment, want string }{
		{"/* text */", "text"},
		{"/**/", ""},
		{"/* */", ""},
		{"/*\n * one\n * two\n */", "one\ntwo"},
		{"/* one\n     two\n*/", "one\ntwo"},
		{"/*\n *one\n *\n *  two */", "one\n\n two"},
		{"/*\r\n * one\r\n */", "one"},
		{"/** one */", "* one"},
	} {
		tree, diagnostics := syntax.Parse(source.NewFile("comment", "doc "+c.comment), syntax.Options{})
		wantNone(t, diagnostics)
		if got := tree.Members[0].Detail.(*syntax.CommentPart).Text(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.comment, got, c.want)
		}
	}
}

func TestPrint(t *testing.T) {
	text := "package p{part   a:A{attribute x=1+2 ;\n// note\n}\n}\nattribute b=s->f{in v;\n v>0}/*c*/;"
	tree, _ := syntax.Parse(source.NewFile("print", text), syntax.Options{})
	if got, want := syntax.Print(tree.Members[0].Members()[0]), "part a : A {\n    attribute x = 1 + 2;\n    // note\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e, diagnostics := syntax.ParseExpression(source.NewFile("print", "x +  s->f{in v;\n// note\n v>0}"), 0, syntax.Options{})
	wantNone(t, diagnostics)
	if got, want := syntax.PrintExpr(e), "x + s->f { in v; v > 0 }"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func ExampleParse() {
	file := source.NewFile("pump.sysml", "part def Pump { attribute level : Real = 3.5; }")
	tree, diagnostics := syntax.Parse(file, syntax.Options{})
	for _, d := range tree.Members {
		fmt.Println(d.Metaclass, d.Name.Text)
		for _, member := range d.Members() {
			fmt.Println(" ", member.Metaclass, member.Name.Text, "=", syntax.PrintExpr(member.Value.Expr))
		}
	}
	fmt.Println(len(diagnostics), "diagnostics")
	// Output:
	// PartDefinition Pump
	//   AttributeUsage level = 3.5
	// 0 diagnostics
}
