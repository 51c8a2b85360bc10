package report

import (
	"fmt"
	"html"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// coveredLines is what leaves executed of models, as paragraphs; with named,
// names of what they did not as well.
func coveredLines(out *strings.Builder, m *bundle.Manifest, named bool) {
	for i, line := range strings.Split(strings.TrimSuffix(Covered(m), "\n"), "\n") {
		class := "uncovered"
		if i == 0 {
			class = "covered"
		}
		if line != "" && (named || i == 0) {
			fmt.Fprintf(out, "<p class=\"%s\">%s</p>\n", class, html.EscapeString(strings.TrimSpace(line)))
		}
	}
}

// coverageSections shows each model with a table for each kind of what can be
// executed.
func coverageSections(out *strings.Builder, m *bundle.Manifest) {
	for i := range m.Models {
		x := &m.Models[i]
		fmt.Fprintf(out, "<section class=\"coverage\"><h2>Coverage of %s</h2>\n", html.EscapeString(x.Name))
		for _, k := range bundle.Kinds(m.Models[i : i+1]) {
			kindTable(out, x, k)
		}
		out.WriteString("</section>\n")
	}
}

// kindTable lists the sites of one kind.
func kindTable(out *strings.Builder, x *bundle.ModelCoverage, k bundle.KindCoverage) {
	w := kindWords[k.Kind]
	fmt.Fprintf(out, "<table class=\"sites\"><caption>%d of %d %s</caption><thead><tr><th></th><th>%s</th><th>place</th><th>leaves</th><th>tests</th></tr></thead><tbody>\n",
		k.Covered, k.Of, plural(k.Of, w[0], w[1]), w[0])
	shown := 0
	for i := range x.Sites {
		s := &x.Sites[i]
		if s.Kind != k.Kind {
			continue
		}
		if shown++; shown > maxRowsShown {
			continue
		}
		is, sign := "yes", "✓"
		if s.Leaves == 0 {
			is, sign = "no", "✗"
		}
		fmt.Fprintf(out, "<tr data-covered=\"%s\"><td>%s</td><td><code>%s</code></td><td>%s:%d</td><td>%d</td><td>%s</td></tr>\n", is, sign, html.EscapeString(s.Name),
			html.EscapeString(s.File), s.Line, s.Leaves, testsOrStub(s))
	}
	out.WriteString("</tbody></table>\n")
	if shown > maxRowsShown {
		fmt.Fprintf(out, "<p>and %d more, which are in the bundle</p>\n", shown-maxRowsShown)
	}
}

// testsOrStub is whose leaves executed a site, or a test that would.
func testsOrStub(s *bundle.SiteCoverage) string {
	if s.Stub == "" {
		return html.EscapeString(strings.Join(s.Tests, ", "))
	}
	return "<details><summary>a test to begin with</summary><pre>" + html.EscapeString(visible(s.Stub)) + "</pre></details>"
}
