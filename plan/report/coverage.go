package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// maxUncovered is how many parts of models a summary names that no leaf with a
// verdict executed.
const maxUncovered = 5

// kindWords are what sites of a kind are called, one and several.
var kindWords = map[string][2]string{"action": {"action", "actions"}, "state": {"state", "states"}, "transition": {"transition", "transitions"},
	"guard": {"side of a guard", "sides of guards"}, "constraint": {"constraint", "constraints"}, "requirement": {"requirement", "requirements"}}

// Covered is what the leaves of m executed of the models: counts, and the first
// names of what they did not; "" where they did nothing.
func Covered(m *bundle.Manifest) string {
	models := m.Models
	kinds := bundle.Kinds(models)
	if !slices.ContainsFunc(kinds, func(k bundle.KindCoverage) bool { return k.Covered > 0 }) {
		return ""
	}
	var parts []string
	for _, k := range kinds {
		w := kindWords[k.Kind]
		parts = append(parts, fmt.Sprintf("%d of %d %s", k.Covered, k.Of, plural(k.Of, w[0], w[1])))
	}
	text := "covered: " + strings.Join(parts, ", ") + "\n"
	missing := gaps(models)
	slices.SortStableFunc(missing, func(a, b *bundle.SiteCoverage) int {
		return cmp.Compare(untouched(kinds, a.Kind), untouched(kinds, b.Kind))
	})
	for _, s := range missing[:min(len(missing), maxUncovered)] {
		text += "  not " + s.Kind + " " + oneLine(s.Name) + "\n"
	}
	if more := len(missing) - maxUncovered; more > 0 {
		text += fmt.Sprintf("  and %d more: --coverage lists them\n", more)
	}
	return text
}

// untouched is 1 for a kind of which nothing was executed, else 0: that the plan
// is about others is less of a gap.
func untouched(kinds []bundle.KindCoverage, kind string) int {
	if slices.ContainsFunc(kinds, func(k bundle.KindCoverage) bool { return k.Kind == kind && k.Covered > 0 }) {
		return 0
	}
	return 1
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

// coverageTable is every part of the models of m that runs can execute, with
// the number of leaves that did and the tests whose they are.
func coverageTable(m *bundle.Manifest) string {
	var out strings.Builder
	for i := range m.Models {
		x := &m.Models[i]
		fmt.Fprintf(&out, "%s\n", oneLine(x.Name))
		for _, k := range bundle.Kinds(m.Models[i : i+1]) {
			w := kindWords[k.Kind]
			fmt.Fprintf(&out, "  %d of %d %s\n", k.Covered, k.Of, plural(k.Of, w[0], w[1]))
			for j := range x.Sites {
				s := &x.Sites[j]
				switch {
				case s.Kind != k.Kind:
				case s.Leaves == 0:
					fmt.Fprintf(&out, "    ✗ %s\n", oneLine(s.Name))
				default:
					fmt.Fprintf(&out, "    ✓ %s  (%d %s of %s)\n", oneLine(s.Name), s.Leaves, plural(s.Leaves, "leaf", "leaves"), oneLine(strings.Join(s.Tests, ", ")))
				}
			}
		}
	}
	return out.String()
}

// impossible says which combinations of options no leaf of t can have; "" where
// there are none.
func impossible(t *bundle.TestSummary) string {
	n, names := 0, []string(nil)
	if c := t.Coverage; c != nil {
		n, names = c.PairsInfeasible, c.Infeasible
	}
	if c := t.Covered; c != nil && c.Infeasible > 0 {
		n, names = c.Infeasible, c.Impossible
	}
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("%d %s of options cannot occur", n, plural(n, "combination", "combinations"))
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	if more := n - len(names); more > 0 && len(names) > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Coverage is the table of m, what cannot be covered, and the stubs, for a
// reader.
func Coverage(m *bundle.Manifest) string {
	text := coverageTable(m)
	if text == "" {
		text = "there is nothing to cover: no model that the plan opens at its top level has a behaviour, a constraint or a requirement\n"
	}
	for i := range m.Tests {
		if line := impossible(&m.Tests[i]); line != "" {
			text += oneLine(m.Tests[i].Name+": "+line) + "\n"
		}
	}
	if stubs := Stubs(m); stubs != "" {
		text += "tests for what is not covered:\n" + stubs
	}
	return text
}

// Stubs is a plan of tests that would execute what no leaf with a verdict of m
// has, as far as the models tell; "" where that is nothing.
func Stubs(m *bundle.Manifest) string {
	var head, out strings.Builder
	var all []*proposal
	same := map[string]*proposal{} // by what they do
	heads := map[string]bool{}
	for i := range m.Models {
		x := &m.Models[i]
		some := false
		for j := range x.Sites {
			text := x.Sites[j].Stub
			name, rest, ok := strings.Cut(text, "\n")
			if !ok {
				continue
			}
			of, body, _ := strings.Cut(rest, "\n")
			if s := same[body]; s != nil {
				s.of = append(s.of, of)
				continue
			}
			if heads[name] { // another model has an element of that name
				name = strings.TrimSuffix(name, "():") + "_of_" + x.Variable + "():"
			}
			heads[name] = true
			same[body] = &proposal{name, []string{of}, body}
			all = append(all, same[body])
			some = true
		}
		switch {
		case !some:
		case x.Open == "":
			fmt.Fprintf(&head, "%s = None  # in place of None: the model that the plan makes of its text\n", x.Variable)
		default:
			fmt.Fprintf(&head, "%s = %s\n", x.Variable, x.Open)
		}
	}
	for _, p := range all {
		fmt.Fprintf(&out, "\n%s\n%s\n%s", p.head, strings.Join(p.of, "\n"), p.body)
	}
	return head.String() + out.String()
}

// A proposal is a test for several sites: the line of its def, a comment for
// each site, and what it does.
type proposal struct {
	head string
	of   []string
	body string
}
