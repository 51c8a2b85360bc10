package report

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// maxUncovered is how many parts of models a summary names that no leaf with a
// verdict executed.
const maxUncovered = 5

// kindWords are what sites of a kind are called, one and several.
var kindWords = map[string][2]string{"action": {"action", "actions"}, "state": {"state", "states"}, "transition": {"transition", "transitions"},
	"guard": {"side of a guard", "sides of guards"}, "constraint": {"constraint", "constraints"}, "requirement": {"requirement", "requirements"}}

// covered is what leaves executed of models, in a line or two; "" without
// models.
func covered(models []bundle.ModelCoverage) string {
	kinds := bundle.Kinds(models)
	if kinds == nil {
		return ""
	}
	var parts []string
	for _, k := range kinds {
		w := kindWords[k.Kind]
		parts = append(parts, fmt.Sprintf("%d of %d %s", k.Covered, k.Of, plural(k.Of, w[0], w[1])))
	}
	text := "covered: " + strings.Join(parts, ", ") + "\n"
	var missing []string
	for _, s := range gaps(models) {
		missing = append(missing, s.Kind+" "+s.Name)
	}
	if n := len(missing); n > maxUncovered {
		missing = append(missing[:maxUncovered], fmt.Sprintf("and %d more", n-maxUncovered))
	}
	for _, line := range missing {
		text += "  not " + line + "\n"
	}
	return strings.Replace(text, "  not and ", "  and ", 1)
}

// gaps are the sites that no leaf with a verdict executed.
func gaps(models []bundle.ModelCoverage) []*bundle.SiteCoverage {
	var all []*bundle.SiteCoverage
	for _, m := range models {
		for i := range m.Sites {
			if m.Sites[i].Leaves == 0 {
				all = append(all, &m.Sites[i])
			}
		}
	}
	return all
}

// CoverageTable is every part of the models of m that runs can execute, with
// the number of leaves that did and the tests whose they are.
func CoverageTable(m *bundle.Manifest) string {
	var out strings.Builder
	for i := range m.Models {
		x := &m.Models[i]
		fmt.Fprintf(&out, "%s\n", visible(x.Name))
		for _, k := range bundle.Kinds(m.Models[i : i+1]) {
			w := kindWords[k.Kind]
			fmt.Fprintf(&out, "  %d of %d %s\n", k.Covered, k.Of, plural(k.Of, w[0], w[1]))
			for j := range x.Sites {
				s := &x.Sites[j]
				switch {
				case s.Kind != k.Kind:
				case s.Leaves == 0:
					fmt.Fprintf(&out, "    ✗ %s\n", visible(s.Name))
				default:
					fmt.Fprintf(&out, "    ✓ %s  (%d %s of %s)\n", visible(s.Name), s.Leaves, plural(s.Leaves, "leaf", "leaves"), visible(strings.Join(s.Tests, ", ")))
				}
			}
		}
	}
	return out.String()
}
