package report

import (
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

//go:embed page.css
var style string

// coverageStyle is what a page alone needs.
//
//go:embed coverage.css
var coverageStyle string

//go:embed page.js
var script string

// A Detail says what a page keeps of the traces of leaves.
type Detail uint8

// The details. The zero Detail keeps the ends of long traces.
const (
	Thinned Detail = iota
	Full           // every line
	Brief          // no traces
)

// maxTrace is how many lines of a leaf's trace a thinned page holds: as many
// from its beginning as from its end.
const maxTrace = 2_000

// HTML is m, with the plan where d is not nil, as one page that needs no
// network. Filters, sorting and the panel of a leaf are its script's; without
// it the page still shows every row.
func HTML(m *bundle.Manifest, d *bundle.PlanDoc, detail Detail) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n", html.EscapeString(m.Plan))
	out.WriteString("<meta name=\"viewport\" content=\"width=device-width\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n")
	fmt.Fprintf(&out, "<style>\n%s%s</style>\n</head>\n<body>\n<h1>%s</h1>\n<p class=\"headline\">%s</p>\n", style, coverageStyle, html.EscapeString(m.Plan), html.EscapeString(Headline(m)))
	coveredLines(&out, m, false)
	regressionSection(&out, m.Regressions)
	out.WriteString(filters(len(m.Models) > 0))
	for i := range m.Tests {
		testSection(&out, m, &m.Tests[i])
	}
	coverageSections(&out, m)
	if d != nil {
		planSection(&out, d)
	}
	out.WriteString("<aside id=\"panel\" hidden></aside>\n")
	fmt.Fprintf(&out, "<script type=\"application/gzip;base64\" id=\"rows\">%s</script>\n<script>\n%s</script>\n</body>\n</html>\n", payload(m, detail), script)
	return []byte(out.String())
}

// inCell is what a table needs in a notebook, whose own style is made for
// numbers and for headings of a text.
const inCell = `table { border: none; font-size: inherit; }
th, td { text-align: left !important; vertical-align: top; }
h2 { font-size: 1.05em !important; font-weight: 600; margin: .6em 0 .2em !important; }
p { margin: .2em 0; }
.headline { font-size: 1em; font-weight: 600; }
code:empty { display: none; }
`

// Fragment is the tables of m for a notebook, without script. Its style is
// nested, so that it does not reach the page around it.
func Fragment(m *bundle.Manifest) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<div class=\"orrery-plan\"><style>.orrery-plan {\n%s%s}</style><p class=\"headline\">%s</p>\n", style, inCell, html.EscapeString(Headline(m)))
	coveredLines(&out, m, true)
	regressionSection(&out, m.Regressions)
	for i := range m.Tests {
		testSection(&out, m, &m.Tests[i])
	}
	out.WriteString("</div>")
	return out.String()
}

// payload is the rows for the script: JSON, packed.
func payload(m *bundle.Manifest, detail Detail) string {
	rows := make([]bundle.Row, len(m.Rows))
	copy(rows, m.Rows)
	for i := range rows {
		rows[i].Trace = detail.trace(rows[i].Trace)
	}
	var out strings.Builder
	text := base64.NewEncoder(base64.StdEncoding, &out)
	zip, _ := gzip.NewWriterLevel(text, gzip.BestCompression) // a level there is
	if json.NewEncoder(zip).Encode(rows) != nil {
		return "" // every field has a JSON form
	}
	zip.Close()
	text.Close()
	return out.String()
}

// trace is what d keeps of a trace.
func (d Detail) trace(lines []string) []string {
	n := len(lines)
	switch {
	case d == Brief:
		return nil
	case d == Full || n <= maxTrace:
		return lines
	}
	cut := append([]string(nil), lines[:maxTrace/2]...)
	cut = append(cut, fmt.Sprintf("... %d lines are left out; the bundle has them, and a full report", n-maxTrace))
	return append(cut, lines[n-maxTrace/2:]...)
}

// filters are the controls of the page, with those of coverage where there is
// some.
func filters(coverage bool) string {
	var out strings.Builder
	out.WriteString("<form id=\"filter\"><input type=\"search\" placeholder=\"axis=option, test or reason\" aria-label=\"filter\">")
	for _, o := range leaf.Outcomes() {
		fmt.Fprintf(&out, "<label><input type=\"checkbox\" value=\"%s\" checked>%s</label>", o, pill(o, ""))
	}
	if coverage {
		out.WriteString("<label><input type=\"checkbox\" id=\"missing\">uncovered only</label>")
	}
	out.WriteString("</form>\n")
	return out.String()
}

var signs = map[leaf.Outcome]string{leaf.Pass: "✓", leaf.Fail: "✗", leaf.Error: "!", leaf.Inconclusive: "?", leaf.Halted: "⊘", leaf.NotRun: "…"}

// pill is an outcome with a sign, so that colour is not the only signal.
func pill(o leaf.Outcome, reason string) string {
	return fmt.Sprintf("<span class=\"pill outcome-%s\" title=\"%s\">%s %s</span>", o, html.EscapeString(reason), signs[o],
		strings.ReplaceAll(o.String(), "_", " "))
}

func testSection(out *strings.Builder, m *bundle.Manifest, t *bundle.TestSummary) {
	fmt.Fprintf(out, "<section><h2>%s</h2>\n<p>%s</p>\n", html.EscapeString(t.Name), html.EscapeString(counts(t.Summary)))
	for _, f := range t.Fails {
		fmt.Fprintf(out, "<p class=\"fails\">fails when %s (%d of %d)</p>\n", html.EscapeString(strings.Join(f.Choices, " and ")), f.Failing, f.Of)
	}
	for _, x := range t.Minimal {
		fmt.Fprintf(out, "<p class=\"fails\">least failing leaf: %s</p>\n", html.EscapeString(x.LeafPath))
	}
	for _, line := range uncovered(t.Coverage) {
		fmt.Fprintf(out, "<p class=\"uncovered\">%s</p>\n", html.EscapeString(line))
	}
	if line := impossible(t); line != "" {
		fmt.Fprintf(out, "<p>%s</p>\n", html.EscapeString(line))
	}
	for _, w := range t.Warnings {
		fmt.Fprintf(out, "<p class=\"warning\">%s: %s</p>\n", html.EscapeString(w.Code), html.EscapeString(w.Message))
	}
	matrix(out, m, t)
	removedTable(out, t)
	leafTable(out, m, t)
	out.WriteString("</section>\n")
}

// removedTable lists what each predicate and halt took away.
func removedTable(out *strings.Builder, t *bundle.TestSummary) {
	if len(t.Removed)+len(t.Halts) == 0 {
		return
	}
	out.WriteString("<table class=\"removed\"><thead><tr><th>removed by</th><th>reads</th><th>leaves</th></tr></thead><tbody>\n")
	for _, list := range [][]bundle.Removed{t.Removed, t.Halts} {
		for _, r := range list {
			fmt.Fprintf(out, "<tr><td>%s</td><td>%s</td><td>%d</td></tr>\n", html.EscapeString(r.Name), html.EscapeString(strings.Join(r.Reads, ", ")), r.Leaves)
		}
	}
	out.WriteString("</tbody></table>\n")
}

// matrix shows a test with exactly two axes as a grid.
func matrix(out *strings.Builder, m *bundle.Manifest, t *bundle.TestSummary) {
	var axes [2]string
	var options [2][]string
	cells := map[[2]string]int{}
	for i := range m.Rows {
		r := &m.Rows[i]
		if r.Test != t.Name {
			continue
		}
		var fanned []bundle.ChoiceValue
		for _, c := range r.Choices {
			if c.Fans {
				fanned = append(fanned, c)
			}
		}
		if len(fanned) != 2 || axes[0] != "" && (axes[0] != fanned[0].Axis || axes[1] != fanned[1].Axis) {
			return
		}
		var key [2]string
		for k, c := range fanned {
			axes[k] = c.Axis
			key[k] = labelOf(c)
			if !contains(options[k], key[k]) {
				options[k] = append(options[k], key[k])
			}
		}
		cells[key] = i
	}
	if axes[0] == "" || len(options[1]) > 40 || len(options[0]) > 200 {
		return
	}
	fmt.Fprintf(out, "<table class=\"matrix\"><thead><tr><th>%s \\ %s</th>", html.EscapeString(axes[0]), html.EscapeString(axes[1]))
	for _, o := range options[1] {
		fmt.Fprintf(out, "<th>%s</th>", html.EscapeString(o))
	}
	out.WriteString("</tr></thead><tbody>\n")
	for _, a := range options[0] {
		fmt.Fprintf(out, "<tr><th>%s</th>", html.EscapeString(a))
		for _, b := range options[1] {
			if i, ok := cells[[2]string{a, b}]; ok {
				fmt.Fprintf(out, "<td data-row=\"%d\">%s</td>", i, pill(m.Rows[i].Outcome, m.Rows[i].Reason))
			} else {
				out.WriteString("<td></td>")
			}
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</tbody></table>\n")
}

func labelOf(c bundle.ChoiceValue) string {
	if c.Label != "" {
		return c.Label
	}
	return c.Key
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// maxRowsShown is how many rows of a test a page shows.
const maxRowsShown = 5_000

func leafTable(out *strings.Builder, m *bundle.Manifest, t *bundle.TestSummary) {
	out.WriteString("<table class=\"leaves\"><thead><tr><th>outcome</th><th>leaf</th><th>reason</th><th>id</th></tr></thead><tbody>\n")
	shown, more := 0, 0
	places := told{}
	for i := range m.Rows {
		r := &m.Rows[i]
		if r.Test != t.Name {
			continue
		}
		if shown++; shown > maxRowsShown {
			more++
			continue
		}
		reason := html.EscapeString(r.Reason)
		if where := places.of(r); where != "" {
			reason += "<pre>" + html.EscapeString(where) + "</pre>"
		}
		fmt.Fprintf(out, "<tr data-row=\"%d\" data-outcome=\"%s\" data-leaf=\"%s\" tabindex=\"0\"><td>%s</td><td><code>%s</code></td><td>%s</td><td><code>%s</code></td></tr>\n",
			i, r.Outcome, html.EscapeString(r.LeafID), pill(r.Outcome, r.Reason), html.EscapeString(r.LeafPath), reason, html.EscapeString(r.LeafID))
	}
	out.WriteString("</tbody></table>\n")
	if more > 0 {
		fmt.Fprintf(out, "<p>and %d more leaves, which are in the bundle</p>\n", more)
	}
}

// kindCounts is what of a model leaves can execute: ": 2 actions, 1 state".
func kindCounts(d *bundle.PlanDoc, digest string) string {
	i := slices.IndexFunc(d.Coverage, func(m bundle.ModelDoc) bool { return m.Digest == digest })
	if i < 0 {
		return ""
	}
	var parts []string
	for _, kind := range bundle.SiteKinds() {
		if n := d.Coverage[i].Kinds[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, plural(n, kindWords[kind][0], kindWords[kind][1])))
		}
	}
	if parts == nil {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// planSection shows the tests of the plan with their axes.
func planSection(out *strings.Builder, d *bundle.PlanDoc) {
	fmt.Fprintf(out, "<section class=\"plan\"><h2>Plan</h2>\n<p>%s, seed %d, by %s</p>\n", html.EscapeString(d.Plan.Name), d.Seed,
		html.EscapeString(strings.TrimSpace(d.Engine.Name+" "+d.Engine.Version)))
	for _, m := range d.Models {
		fmt.Fprintf(out, "<p>model %s%s</p>\n", html.EscapeString(m.Name), html.EscapeString(kindCounts(d, m.Digest)))
	}
	for _, t := range tests(d) {
		fmt.Fprintf(out, "<div class=\"box\"><h3>%s</h3><p>%s</p><ul>\n", html.EscapeString(t.Name), html.EscapeString(countText(t.Counts)))
		for _, a := range t.Axes {
			fmt.Fprintf(out, "<li><code>%s</code></li>\n", html.EscapeString(axisText(a)))
		}
		out.WriteString("</ul></div>\n")
	}
	out.WriteString("</section>\n")
}
