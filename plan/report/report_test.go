package report

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	d := &bundle.PlanDoc{SchemaVersion: 1, Plan: bundle.FileDoc{Name: hostile}, Tests: []bundle.TestDoc{{Name: hostile, Kind: "def",
		Axes: []bundle.AxisDoc{{ID: hostile, FansOut: true, Options: []bundle.OptionDoc{{Key: hostile}, {Key: "b"}}, When: []string{hostile}}}}}}
	return m, d
}

// TestPage is T101: it holds the page to its shape: one file without network, every text
// as text, a pill for each outcome.
func TestPage(t *testing.T) {
	m, d := sample()
	page := string(HTML(m, d))
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
	for _, want := range []string{"class=\"matrix\"", "class=\"removed\"", "class=\"leaves\"", "prefers-color-scheme: dark", "@media print", "Plan</h2>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(HTML(m, nil)), "Plan</h2>") {
		t.Error("a page without a plan shows one")
	}
	if strings.Contains(Fragment(m), "<script") || strings.Contains(Fragment(m), "<img") {
		t.Error("the fragment has a script or markup of the plan")
	}
}

// TestPageInBrowser opens the page in the browser that ORRERY_CHROMIUM names
// and uses it as a reader would. Without the variable it has nothing to do.
func TestPageInBrowser(t *testing.T) {
	browser := os.Getenv("ORRERY_CHROMIUM")
	if browser == "" {
		return
	}
	m, d := sample()
	page := strings.Replace(string(HTML(m, d)), "</body>", `<script>
const said = [];
const visible = () => document.querySelectorAll('tr[data-row]:not([hidden])').length;
said.push('rows ' + visible());
document.querySelector('#filter input[value=halted]').click();
said.push('without halted ' + visible());
document.querySelector('#filter input[value=halted]').click();
const search = document.querySelector('#filter [type=search]');
search.value = 'leafb'; search.dispatchEvent(new Event('input', {bubbles: true}));
said.push('found ' + visible());
document.querySelector('tr[data-row]:not([hidden])').click();
const side = document.getElementById("panel");
said.push('panel ' + !side.hidden + " " + side.textContent.includes('<img') + ' ' + side.querySelectorAll('img').length);
said.push('link ' + location.hash);
document.querySelector('.matrix td[data-row]').click();
said.push('matrix ' + side.querySelectorAll('.pill').length);
side.querySelector('button').click();
said.push('closed ' + side.hidden);
const grey = getComputedStyle(document.querySelector('td .outcome-halted'));
said.push('halted ' + grey.borderTopStyle);
said.push('images ' + document.images.length);
const out = document.createElement('pre'); out.id = 'said'; out.textContent = said.join('; '); document.body.append(out);
</script></body>`, 1)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, said, ok := strings.Cut(string(out), `<pre id="said">`)
	said, _, _ = strings.Cut(said, "</pre>")
	want := "rows 6; without halted 5; found 1; panel true true 0; link #leaf=leafb; matrix 1; closed true; halted dashed; images 0"
	if !ok || said != want {
		t.Errorf("got  %s\nwant %s", said, want)
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
	page := string(HTML(m, nil))
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

// TestJUnit reads the XML back.
func TestJUnit(t *testing.T) {
	m, _ := sample()
	var back junitSuites
	if err := xml.Unmarshal(JUnit(m), &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != 6 || back.Failures != 1 || back.Errors != 1 || back.Skipped != 3 || len(back.Suites) != 1 || len(back.Suites[0].Cases) != 6 {
		t.Errorf("%+v", back)
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
