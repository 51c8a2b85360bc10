package render

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares b with testdata/name.golden: its text, then its HTML broken
// before every tag that opens a block.
func golden(t *testing.T, name string, b Bundle) {
	t.Helper()
	html, _ := b.Data[HTML].(string)
	for _, tag := range []string{"<table", "<thead", "<tbody", "<tr", "<td", "<th ", "<div", "<pre", "<details"} {
		html = strings.ReplaceAll(html, tag, "\n"+tag)
	}
	got := b.PlainText() + "---- html" + html + "\n"
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update):\n%s", file, got)
	}
}

func TestTables(t *testing.T) {
	wide := Table{Title: "a title", Columns: []Column{{Title: "name", Tone: Code}, {Title: "n", Right: true}, {Title: "what it is"}}}
	wide.Row("x", "1", "short")
	wide.Row("long::qualified::name", "12345", "a text that is too long for what is left of eighty columns and has to be wrapped at a blank")
	wide.Rows = append(wide.Rows, []Cell{{Text: "<b>&\"'"}, {Text: "7"}, {Text: "violated", Tone: Bad}})
	wide.Row("two\nlines", "", "日本語 is wide, e\u0301 is narrow")
	wide.Note = "a note"
	for _, c := range []struct {
		name  string
		table Table
	}{
		{"table-wide", wide},
		{"table-empty", Table{Columns: []Column{{Title: "name"}}, Empty: "nothing is there"}},
		{"table-headless", Table{Columns: []Column{{}, {}}, Rows: [][]Cell{{{Text: "a"}, {Text: "b"}}, {{Text: "only one"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) { golden(t, c.name, c.table.Bundle()) })
	}
}

// TestTableKeepsItsWidth fits tables of many shapes into narrow pages.
func TestTableKeepsItsWidth(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, text := range []string{"word", strings.Repeat("word ", 40), strings.Repeat("x", 200), strings.Repeat("日本", 60)} {
			table := Table{Columns: make([]Column, n)}
			row := make([]Cell, n)
			for i := range row {
				row[i].Text = text
			}
			table.Rows = [][]Cell{row}
			for line := range strings.Lines(table.Text(PageWidth)) {
				if w := display.Width(strings.TrimRight(line, "\n")); w > PageWidth {
					t.Fatalf("%d columns of %.10s: a line of %d columns", n, text, w)
				}
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string // lines joined with "|"
	}{
		{"", 5, ""},
		{"abc def", 7, "abc def"},
		{"abc def", 6, "abc|def"},
		{"abc def", 3, "abc|def"},
		{"abcdef", 4, "abcd|ef"},
		{"a  b", 3, "a|b"},
		{"日本語", 4, "日本|語"},
		{"日", 1, "日"},
		{"a\nb", 9, "a|b"},
		{" abc", 3, " ab|c"},
	} {
		if got := strings.Join(wrap(c.text, c.n), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestTree(t *testing.T) {
	root := &Node{Label: "car : Vehicle", Note: "#1"}
	wheels := root.Add("wheels", "")
	wheels.Add("wheels[1] : Wheel<script>", "")
	last := wheels.Add("wheels[2] : Wheel", "")
	last.Add("pressure", "= 2.5 [bar]").Tone = Good
	root.Add("mass", "= 1200 [kg]").Tone = Bad
	golden(t, "tree", root.Bundle())
}

func TestDiagnostics(t *testing.T) {
	file := source.NewFile("cell 1", "package P {\n\tpart pump : Tnak;\n}")
	at := func(s string) source.Span {
		i := int32(strings.Index(file.Text, s))
		return source.Span{File: file, Start: i, End: i + int32(len(s))}
	}
	list := diagnostic.List{
		diagnostic.New(diagnostic.UnresolvedName, at("Tnak"), "no definition Tnak in P & <so on>").
			WithHint("nearest: Tank").WithRelated(at("P"), "the scope"),
		{Code: diagnostic.Syntax, Severity: diagnostic.Warning, Message: "several lines", Span: at("part pump : Tnak;\n}")},
		{Code: diagnostic.Internal, Severity: diagnostic.Information, Message: "nowhere"},
		{Code: diagnostic.Syntax, Message: "at the end", Span: source.Span{File: file, Start: int32(len(file.Text)), End: int32(len(file.Text))}},
	}
	golden(t, "diagnostics", Diagnostics(list))
	if !Diagnostics(nil).IsEmpty() {
		t.Error("no diagnostics are a Bundle that shows something")
	}
}

// TestHTMLIsHarmless looks for a script that came in with a text.
func TestHTMLIsHarmless(t *testing.T) {
	bad := `<script>alert("x")</script><img src=x onerror='y'>`
	table := Table{Title: bad, Columns: []Column{{Title: bad}}, Note: bad}
	table.Row(bad)
	file := source.NewFile(bad, bad)
	d := diagnostic.New("code", source.Span{File: file, Start: 2, End: 9}, bad).WithHint(bad)
	tree := &Node{Label: bad, Value: bad, Note: bad}
	tree.Add(bad, bad)
	for _, b := range []Bundle{table.Bundle(), Diagnostics(diagnostic.List{d}), tree.Bundle()} {
		html := b.Data[HTML].(string)
		if strings.Contains(html, "<script") || strings.Contains(html, "<img") {
			t.Errorf("HTML carries a foreign element: %s", html)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	t := Table{Columns: []Column{{Title: "name"}, {Title: "value", Right: true}}}
	for range 100 {
		t.Row("a::qualified::name", "1234.5")
	}
	b.ReportAllocs()
	for b.Loop() {
		t.Bundle()
	}
}
