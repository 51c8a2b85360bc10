package report

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// hostile is text that means something to HTML, scripts, terminals, XML, DOT
// and Mermaid.
const hostile = "<img src=x onerror=alert(1)></script>\"'&{}|\\ \x1b[31m\x00\u0085`\n$(id)"

// sample is a walk with a leaf of each outcome and hostile texts everywhere.
func sample() (*bundle.Manifest, *bundle.PlanDoc) {
	m := &bundle.Manifest{SchemaVersion: 1, Plan: "p" + hostile}
	t := bundle.TestSummary{Name: "test_" + hostile, Removed: []bundle.Removed{{Name: hostile, Reads: []string{hostile}, Leaves: 2}},
		Halts: []bundle.Removed{{Name: hostile, Leaves: 1}}, Warnings: []bundle.Warning{{Code: "ALL_HALTED", Message: hostile}},
		Fails:   []bundle.FailsWhen{{Choices: []string{hostile}, Failing: 1, Of: 1}},
		Minimal: []bundle.Minimal{{Fingerprint: hostile, LeafPath: hostile, LeafID: "abcd", Free: []string{hostile}}}}
	for i, o := range leaf.Outcomes() {
		r := bundle.Row{Test: t.Name, Outcome: o, LeafID: fmt.Sprintf("leaf%c", 'a'+i), LeafPath: "x=" + hostile, Reason: hostile, Detail: hostile,
			Output: hostile, Trace: []string{hostile}, Witness: []string{hostile}, Replay: "orrery walk " + hostile,
			Choices: []bundle.ChoiceValue{{Axis: "x" + hostile, Index: i % 3, Of: 3, Key: hostile, Fans: true}, {Axis: "y", Index: i / 3, Of: 2, Key: fmt.Sprint(i / 3), Fans: true}}}
		m.Rows = append(m.Rows, r)
		t.Summary.Add(o, 1)
	}
	m.Tests, m.Summary = []bundle.TestSummary{t}, t.Summary
	for _, o := range leaf.Outcomes() {
		m.Regressions = append(m.Regressions, bundle.Regression{Test: t.Name, Leaf: "x=" + hostile, Outcome: o, Reason: hostile, LeafID: "abcd"})
	}
	m.Models = []bundle.ModelCoverage{{Name: hostile, Variable: "m", Open: "model.open(\"m\")", Sites: []bundle.SiteCoverage{
		{Kind: "action", Name: hostile, File: hostile, Line: 3, Leaves: 2, Tests: []string{hostile}},
		{Kind: "action", Name: "b" + hostile, File: hostile, Line: 4, Stub: "def f():\n    # b\n    pass # " + hostile + "\n"}}}}
	d := &bundle.PlanDoc{SchemaVersion: 1, Plan: bundle.FileDoc{Name: hostile}, Tests: []bundle.TestDoc{{Name: hostile, Kind: "def",
		Axes: []bundle.AxisDoc{{ID: hostile, FansOut: true, Options: []bundle.OptionDoc{{Key: hostile}, {Key: "b"}}, When: []string{hostile}}}}}}
	d.Models, d.Engine = []bundle.FileDoc{{Name: hostile, Digest: "1"}}, bundle.EngineDoc{Name: hostile}
	d.Coverage = []bundle.ModelDoc{{Name: hostile, Digest: "1", Kinds: map[string]int{"guard": 1, "state": 2}}}
	return m, d
}

// TestPage is T101: it holds the page to its shape: one file without network, every text
// as text, a pill for each outcome.
func TestPage(t *testing.T) {
	m, d := sample()
	page := string(HTML(m, d, Thinned))
	for _, bad := range []string{"<img", "onerror=alert(1)></script>", "http:", "https:", "src=\"", "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, o := range leaf.Outcomes() {
		if !strings.Contains(page, "pill outcome-"+o.String()) || !strings.Contains(style, ".outcome-"+o.String()) {
			t.Errorf("no pill for %s", o)
		}
	}
	for _, want := range []string{"class=\"matrix\"", "class=\"removed\"", "class=\"leaves\"", "color-scheme: light dark", "@media print", "Plan</h2>", "class=\"sites\"", "1 of 2 actions", "data-covered=\"no\"", "id=\"missing\"", ": 2 states, 1 side of a guard", "Regressions</h2>", "regressions: 1 of 6 held"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(HTML(m, nil, Thinned)), "Plan</h2>") {
		t.Error("a page without a plan shows one")
	}
	if strings.Contains(Fragment(m), "<script") || strings.Contains(Fragment(m), "<img") {
		t.Error("the fragment has a script or markup of the plan")
	}
}

// unpacked are the rows that a page holds.
func unpacked(t *testing.T, page []byte) []bundle.Row {
	t.Helper()
	_, rest, _ := strings.Cut(string(page), "id=\"rows\">")
	packed, _, _ := strings.Cut(rest, "</script>")
	zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var rows []bundle.Row
	if err := json.NewDecoder(zip).Decode(&rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestPageDetail is T102: a long trace is thinned to its ends with a note, a
// brief page has none, a full one all of it, and what a page holds is packed.
func TestPageDetail(t *testing.T) {
	var trace []string
	for i := range 10_000 {
		trace = append(trace, fmt.Sprintf("step %d: token 2@reader", i))
	}
	m := &bundle.Manifest{Rows: []bundle.Row{{Test: "test_a", Trace: trace}, {Test: "test_b", Trace: trace[:10]}}, Tests: []bundle.TestSummary{{Name: "test_a"}}}
	for _, test := range []struct {
		detail     Detail
		long, some int
	}{{Thinned, maxTrace + 1, 10}, {Full, len(trace), 10}, {Brief, 0, 0}} {
		page := HTML(m, nil, test.detail)
		rows := unpacked(t, page)
		if len(rows) != 2 || len(rows[0].Trace) != test.long || len(rows[1].Trace) != test.some {
			t.Errorf("detail %d: traces of %d and %d lines", test.detail, len(rows[0].Trace), len(rows[1].Trace))
			continue
		}
		if got := rows[0].Trace; test.detail != Brief && (got[0] != trace[0] || got[len(got)-1] != trace[len(trace)-1]) {
			t.Errorf("detail %d: an end of the trace is missing", test.detail)
		}
		plain, err := json.Marshal(rows)
		if err != nil || test.detail == Full && len(page) > len(plain)/3 {
			t.Errorf("the page has %d bytes for %d of rows, %v", len(page), len(plain), err)
		}
	}
}

// TestMatrix is T78: a test with exactly two axes is shown as a grid.
func TestMatrix(t *testing.T) {
	m := &bundle.Manifest{Tests: []bundle.TestSummary{{Name: "test_two"}, {Name: "test_one"}}}
	row := func(test string, picks ...string) {
		r := bundle.Row{Test: test, Outcome: leaf.Pass}
		for i, p := range picks {
			r.Choices = append(r.Choices, bundle.ChoiceValue{Axis: string(rune('a' + i)), Key: p, Fans: true})
		}
		m.Rows = append(m.Rows, r)
	}
	for _, a := range []string{"1", "2"} {
		for _, b := range []string{"p", "q"} {
			row("test_two", a, b)
		}
		row("test_one", a)
	}
	page := string(HTML(m, nil, Thinned))
	_, grid, _ := strings.Cut(page, "<table class=\"matrix\">")
	grid, _, _ = strings.Cut(grid, "</table>")
	if strings.Count(page, "class=\"matrix\"") != 1 || strings.Count(grid, "<tr>") != 3 || strings.Count(grid, "<td") != 4 || !strings.Contains(grid, "a \\ b") {
		t.Error(grid)
	}
}

// TestNotRunIsNoVerdict is T94: the words for leaves that were not run have no
// verdict among them.
func TestNotRunIsNoVerdict(t *testing.T) {
	m := &bundle.Manifest{Partial: true, Summary: bundle.Summary{Leaves: 2, NotRun: 2}, Tests: []bundle.TestSummary{{Name: "test_a", Summary: bundle.Summary{Leaves: 2, NotRun: 2}}}}
	text := strings.ReplaceAll(Summary(m, false), "no verdict", "")
	for _, word := range []string{"pass", "fail", "held", "inconclusive", "error"} {
		if strings.Contains(text, word) {
			t.Errorf("%q is in %s", word, text)
		}
	}
}

// TestJUnit reads the XML back: the regressions, the rows, and what a stopped
// walk left.
func TestJUnit(t *testing.T) {
	m, _ := sample()
	m.Tests = append(m.Tests, bundle.TestSummary{Name: "test_left", Summary: bundle.Summary{Leaves: 3, NotRun: 3}})
	var back junitSuites
	if err := xml.Unmarshal(JUnit(m), &back); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range append(back.Suites, junitSuite{Name: "all", Tests: back.Tests, Failures: back.Failures, Errors: back.Errors, Skipped: back.Skipped}) {
		got = append(got, fmt.Sprint(strings.Split(s.Name, "_")[0], " ", s.Tests, s.Failures, s.Errors, s.Skipped, len(s.Cases)))
	}
	want := "regressions 6 1 1 3 6, test 6 1 1 3 6, test 1 0 0 1 1, all 13 2 2 7 0"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if left := back.Suites[2].Cases[0].Skipped; left == nil || left.Message != "not_run: 3 at least; the walk was stopped" {
		t.Errorf("%+v", back.Suites[2])
	}
	m.Regressions = nil
	if page := string(HTML(m, nil, Thinned)); strings.Contains(page, "Regressions") {
		t.Error("a page without regressions speaks of them")
	}
}

// TestTerminal keeps what a terminal would obey out of the summary.
func TestTerminal(t *testing.T) {
	m, d := sample()
	texts := map[string]string{"summary": Summary(m, false), "leaf": Leaf(&m.Rows[0])}
	for _, format := range []string{"text", "dot", "mermaid"} {
		out, err := Plan(d, format)
		if err != nil {
			t.Fatal(err)
		}
		texts[format] = string(out)
	}
	for name, text := range texts {
		if strings.ContainsAny(text, "\x1b\x00\u0085") {
			t.Errorf("%s has control characters", name)
		}
	}
	if !strings.Contains(texts["summary"], "HALT") && !strings.Contains(texts["summary"], "halted") {
		t.Error("the summary does not speak of halted leaves")
	}
	if !strings.Contains(Summary(m, true), "\x1b[31mFAIL") {
		t.Error("no colours")
	}
}

// TestSummaryHasALineForEachLeaf, whatever the labels of its options are.
func TestSummaryHasALineForEachLeaf(t *testing.T) {
	m := &bundle.Manifest{Tests: []bundle.TestSummary{{Name: "test_a"}},
		Rows:        []bundle.Row{{Test: "test_a", Outcome: leaf.Fail, LeafID: "abc", LeafPath: "x=one\nPASS two", Reason: "first\nsecond"}},
		Regressions: []bundle.Regression{{Test: "test_a", Leaf: "x=one\nPASS two", Outcome: leaf.Fail, Reason: "first\nsecond"}}}
	got := Summary(m, false)
	for _, want := range []string{"  FAIL x=one␊PASS two [abc]\n    first\n    second\n", "  FAIL test_a x=one␊PASS two\n    first\n    second\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestPlacesOfErrors: the first error of a kind has its place and hint in a
// terminal and on a page, and a failure has none.
func TestPlacesOfErrors(t *testing.T) {
	const detail = "error[starlark-error]: no\n  --> p.star:7:9\n  hint: yes\n"
	m := &bundle.Manifest{Tests: []bundle.TestSummary{{Name: "test_a"}}}
	for _, o := range []leaf.Outcome{leaf.Fail, leaf.Error, leaf.Error} {
		m.Rows = append(m.Rows, bundle.Row{Test: "test_a", Outcome: o, Reason: "no", Detail: detail, Fingerprint: o.String()})
	}
	for name, text := range map[string]string{"terminal": Summary(m, false), "page": Fragment(m)} {
		if strings.Count(text, "p.star:7:9") != 1 || strings.Count(text, "hint: yes") != 1 || strings.Contains(text, "starlark-error") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestGraphs is T85 and T86: it escapes every character that Graphviz and Mermaid give a meaning.
func TestGraphs(t *testing.T) {
	_, d := sample()
	dot, _ := Plan(d, "dot")
	for _, line := range strings.Split(string(dot), "\n") {
		_, label, ok := strings.Cut(line, "label=\"")
		if !ok {
			continue
		}
		label = label[:strings.LastIndex(label, "\"")]
		plain := strings.NewReplacer(`\\`, "", `\"`, "", `\{`, "", `\}`, "", `\|`, "", `\<`, "", `\>`, "", `\n`, "").Replace(label)
		if strings.ContainsAny(plain, `\"{}|<>`) {
			t.Errorf("bare character in %s", plain)
		}
	}
	if !strings.HasPrefix(string(dot), "digraph plan {") || !strings.HasSuffix(string(dot), "}\n") {
		t.Error("no digraph")
	}
	mermaid, _ := Plan(d, "mermaid")
	if strings.Contains(string(mermaid), "<img") || strings.Count(string(mermaid), "\n") != 4 {
		t.Errorf("%s", mermaid)
	}
	if _, err := Plan(d, "yaml"); err == nil || !strings.Contains(err.Error(), "text, json, dot and mermaid") {
		t.Error(err)
	}
}

func TestHeadline(t *testing.T) {
	tests := []struct {
		s    bundle.Summary
		want string
	}{
		{bundle.Summary{Leaves: 3, Passed: 2, Halted: 1}, "2 of 2 leaves held, 1 halted"},
		{bundle.Summary{Leaves: 2, Halted: 2}, "no verdict, 2 halted"},
		{bundle.Summary{Leaves: 3, Passed: 1, Failed: 1, Errored: 1}, "1 of 3 leaves held, 1 failed, 1 error"},
		{bundle.Summary{Leaves: 2, Passed: 1, NotRun: 1}, "1 of 1 leaf held, at least 1 not run"},
	}
	for _, test := range tests {
		if got := Headline(&bundle.Manifest{Summary: test.s}); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestReplayScript is T103: it replays the leaves that failed alone, and quotes what it passes to a shell.
func TestReplayScript(t *testing.T) {
	m := &bundle.Manifest{Plan: "a'b.plan.star", Rows: []bundle.Row{{Test: "test_a", Fingerprint: "x"}, {Test: "test_b"}}}
	if got := ReplayScript(m); !strings.Contains(got, `orrery walk 'a'\''b.plan.star' --test 'test_a'`) || strings.Contains(got, "test_b") {
		t.Error(got)
	}
}
