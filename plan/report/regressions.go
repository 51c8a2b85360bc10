package report

import (
	"fmt"
	"html"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// This file shows the leaves that failed once and were run before the walk. The
// leaves of the walk do not count them, so each report has them apart.

// regressionsHeld is how many of list held.
func regressionsHeld(list []bundle.Regression) string {
	held := 0
	for _, r := range list {
		if r.Outcome == leaf.Pass {
			held++
		}
	}
	return fmt.Sprintf("regressions: %d of %d held", held, len(list))
}

// regressionName is the line of r in its file.
func regressionName(r bundle.Regression) string { return strings.TrimSpace(r.Test + " " + r.Leaf) }

// regressions lists those of list that do not hold, under a count of those that
// do.
func regressions(out *strings.Builder, list []bundle.Regression, color bool) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(out, regressionsHeld(list))
	for _, r := range list {
		if r.Outcome == leaf.Pass {
			continue
		}
		unheld(out, r.Outcome, regressionName(r), r.LeafID, r.Reason, color)
	}
}

// regressionSection is list for a page.
func regressionSection(out *strings.Builder, list []bundle.Regression) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "<section class=\"regressions\"><h2>Regressions</h2>\n<p>%s</p>\n", html.EscapeString(regressionsHeld(list)))
	out.WriteString("<table><thead><tr><th>outcome</th><th>leaf</th><th>reason</th><th>id</th></tr></thead><tbody>\n")
	for _, r := range list {
		fmt.Fprintf(out, "<tr><td>%s</td><td><code>%s</code></td><td>%s</td><td><code>%s</code></td></tr>\n",
			pill(r.Outcome, r.Reason), html.EscapeString(regressionName(r)), html.EscapeString(r.Reason), html.EscapeString(r.LeafID))
	}
	out.WriteString("</tbody></table>\n</section>\n")
}

// junitRegressions is list as a suite of its own.
func junitRegressions(list []bundle.Regression) junitSuite {
	s := junitSuite{Name: "regressions"}
	for _, r := range list {
		s.add(junitCase{Class: s.Name, Name: clean(regressionName(r))}, r.Outcome, r.Reason, "")
	}
	return s
}
