package report

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// labels are what a terminal shows before a row.
var labels = map[leaf.Outcome]string{leaf.Pass: "PASS", leaf.Fail: "FAIL", leaf.Error: "ERROR", leaf.Inconclusive: "INCONCLUSIVE",
	leaf.Halted: "HALT", leaf.NotRun: "NOT RUN"}

var colors = map[leaf.Outcome]string{leaf.Pass: "32", leaf.Fail: "31", leaf.Error: "35", leaf.Inconclusive: "33", leaf.Halted: "90", leaf.NotRun: "90"}

// maxListed is how many rows of one kind a summary lists.
const maxListed = 20

// Summary is m for a terminal: what failed, what was removed, and the counts.
func Summary(m *bundle.Manifest, color bool) string {
	var out strings.Builder
	regressions(&out, m.Regressions, color)
	for i := range m.Tests {
		testSummary(&out, m, &m.Tests[i], color)
	}
	out.WriteString(Covered(m))
	fmt.Fprintln(&out, Headline(m))
	return out.String()
}

// Headline is one line: how many leaves held, and what else there is.
func Headline(m *bundle.Manifest) string {
	s := m.Summary
	judged := s.Leaves - s.Halted - s.NotRun
	text := fmt.Sprintf("%d of %d %s held", s.Passed, judged, plural(judged, "leaf", "leaves"))
	if judged == 0 {
		text = "no verdict"
	}
	for _, o := range []leaf.Outcome{leaf.Fail, leaf.Error, leaf.Inconclusive, leaf.Halted} {
		if n := s.Count(o); n > 0 {
			text += fmt.Sprintf(", %d %s", n, map[leaf.Outcome]string{leaf.Fail: "failed", leaf.Error: plural(n, "error", "errors"),
				leaf.Inconclusive: "inconclusive", leaf.Halted: "halted"}[o])
		}
	}
	if s.NotRun > 0 {
		text += fmt.Sprintf(", at least %d not run", s.NotRun)
	}
	if m.Partial {
		text += " (stopped before the end)"
	}
	return text
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func testSummary(out *strings.Builder, m *bundle.Manifest, t *bundle.TestSummary, color bool) {
	fmt.Fprintf(out, "%s: %s\n", oneLine(t.Name), counts(t.Summary))
	listUnheld(out, m, t.Name, color)
	for _, f := range t.Fails {
		fmt.Fprintf(out, "  fails when %s (%d of %d)\n", oneLine(strings.Join(f.Choices, " and ")), f.Failing, f.Of)
	}
	for _, x := range t.Minimal {
		free := ""
		if len(x.Free) > 0 {
			free = ", whatever " + strings.Join(x.Free, ", ")
		}
		fmt.Fprintf(out, "  least failing leaf: %s [%s]%s\n", oneLine(x.LeafPath), x.LeafID, oneLine(free))
	}
	for _, r := range t.Removed {
		fmt.Fprintf(out, "  assume(%s) removed %d %s\n", oneLine(r.Name), r.Leaves, plural(r.Leaves, "leaf", "leaves"))
	}
	for _, r := range t.Halts {
		fmt.Fprintf(out, "  %s ended %d %s\n", oneLine(r.Name), r.Leaves, plural(r.Leaves, "leaf", "leaves"))
	}
	if c := t.Covered; c != nil {
		fmt.Fprintf(out, "  %d of %d combinations of %d covered, %d cannot occur\n", c.Covered, c.Tuples, c.Strength, c.Infeasible)
	}
	if s := t.Sampled; s != nil {
		all := ""
		if s.Exhausted {
			all = ": there are no more"
		}
		fmt.Fprintf(out, "  %d different leaves drawn of %d asked for%s\n", s.Drawn, s.Asked, all)
	}
	for _, line := range uncovered(t.Coverage) {
		fmt.Fprintf(out, "  %s\n", oneLine(line))
	}
	for _, w := range t.Warnings {
		fmt.Fprintf(out, "  warning %s: %s\n", w.Code, oneLine(w.Message))
	}
}

// listUnheld lists the leaves of a test that failed, ended in an error or were
// not run, and the reasons of those that are inconclusive.
func listUnheld(out *strings.Builder, m *bundle.Manifest, test string, color bool) {
	listed := map[leaf.Outcome]int{}
	places := told{}
	reasons := map[string]int{}
	var order []string
	m.Each(func(_ int, r *bundle.Row) error { // an error ends the list early
		if r.Test != test {
			return nil
		}
		switch r.Outcome {
		case leaf.Fail, leaf.Error, leaf.NotRun:
			if listed[r.Outcome]++; listed[r.Outcome] <= maxListed {
				unheld(out, r.Outcome, r.LeafPath, r.LeafID, r.Reason, color)
				if where := places.of(r); where != "" {
					fmt.Fprintf(out, "    %s\n", strings.ReplaceAll(visible(where), "\n", "\n    "))
				}
			}
		case leaf.Inconclusive:
			if reasons[r.Reason]++; reasons[r.Reason] == 1 {
				order = append(order, r.Reason)
			}
		}
		return nil
	})
	for _, o := range []leaf.Outcome{leaf.Fail, leaf.Error, leaf.NotRun} {
		if n := listed[o] - maxListed; n > 0 {
			fmt.Fprintf(out, "  and %d more that end in %s\n", n, o)
		}
	}
	for _, reason := range order {
		fmt.Fprintf(out, "  %s %s (%d)\n", label(leaf.Inconclusive, color), visible(reason), reasons[reason])
	}
}

// unheld writes the lines of a leaf that does not hold.
func unheld(out *strings.Builder, o leaf.Outcome, name, id, reason string, color bool) {
	fmt.Fprintf(out, "  %s %s%s\n", label(o, color), oneLine(name), idText(id))
	if reason != "" {
		fmt.Fprintf(out, "    %s\n", strings.ReplaceAll(visible(reason), "\n", "\n    "))
	}
}

// told are the fingerprints of errors whose place has been told.
type told map[string]bool

// of is where the error of r is and what helps, at the first of its kind; ""
// for anything else.
func (t told) of(r *bundle.Row) string {
	if r.Outcome != leaf.Error || t[r.Fingerprint] {
		return ""
	}
	t[r.Fingerprint] = true
	_, where, _ := strings.Cut(r.Detail, "\n")
	return strings.TrimRight(where, "\n")
}

// uncovered says which options no leaf with a verdict had.
func uncovered(c *bundle.Coverage) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, a := range c.Axes {
		if a.Covered == a.Options {
			continue
		}
		line := fmt.Sprintf("%s: %d of %d options have a verdict", a.Axis, a.Covered, a.Options)
		if len(a.Missing) > 0 {
			line += ", not " + strings.Join(a.Missing, ", ")
		}
		out = append(out, line)
	}
	if c.PairsCovered < c.Pairs {
		line := fmt.Sprintf("%d of %d pairs of options have a verdict", c.PairsCovered, c.Pairs)
		if c.PairsInfeasible > 0 {
			line += fmt.Sprintf(", %d cannot occur", c.PairsInfeasible)
		}
		out = append(out, line)
	}
	return out
}

func counts(s bundle.Summary) string {
	var parts []string
	for _, o := range leaf.Outcomes() {
		if n := s.Count(o); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(o.String(), "_", " ")))
		}
	}
	if parts == nil {
		return "no leaves"
	}
	return strings.Join(parts, ", ")
}

func label(o leaf.Outcome, color bool) string {
	if color {
		return "\x1b[" + colors[o] + "m" + labels[o] + "\x1b[0m"
	}
	return labels[o]
}

func idText(id string) string {
	if id == "" {
		return ""
	}
	return " [" + id + "]"
}

// visible is s with signs in place of what would steer a terminal or turn the
// letters behind it round.
func visible(s string) string { return diagnostic.Visible(s) }

// oneLine is what is visible of s, with a sign in place of each line break.
func oneLine(s string) string { return strings.ReplaceAll(visible(s), "\n", "\u240a") }

// Bundle is the result of a walk for a notebook: the summary, and the page's
// table of leaves without its script.
func Bundle(m *bundle.Manifest) render.Bundle {
	return render.Text(Summary(m, false)).With(render.HTML, Fragment(m))
}

// ReplayScript is a shell script that replays the leaves that failed.
func ReplayScript(m *bundle.Manifest) string {
	var out strings.Builder
	out.WriteString("#!/bin/sh\n# Replays the leaves that failed, with the plan of today.\nset -u\n")
	m.Each(func(_ int, r *bundle.Row) error { // an error ends the list early
		if r.Fingerprint == "" {
			return nil
		}
		command := r.Replay
		if command == "" {
			command = "orrery walk " + quote(m.Plan) + " --test " + quote(r.Test)
		}
		out.WriteString(command + "\n")
		return nil
	})
	return out.String()
}

// quote is s as one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Leaf is one row in full.
func Leaf(r *bundle.Row) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s%s\n", labels[r.Outcome], oneLine(r.Test), idText(r.LeafID))
	for _, c := range r.Choices {
		fmt.Fprintf(&out, "  %s = %s\n", oneLine(c.Axis), oneLine(labelOf(c)))
	}
	for _, part := range []struct{ title, text string }{{"reason", r.Reason}, {"runs", strings.Join(r.Witness, "\n")}, {"detail", r.Detail},
		{"output", r.Output}, {"trace", strings.Join(r.Trace, "\n")}, {"replay", r.Replay}} {
		if part.text != "" {
			fmt.Fprintf(&out, "  %s:\n    %s\n", part.title, strings.ReplaceAll(strings.TrimRight(visible(part.text), "\n"), "\n", "\n    "))
		}
	}
	return out.String()
}
