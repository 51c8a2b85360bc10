package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// Plan is a plan in one of the formats text, json, dot and mermaid; "" is
// text. The error names the formats.
func Plan(d *bundle.PlanDoc, format string) ([]byte, error) {
	switch format {
	case "", "text":
		return []byte(planText(d)), nil
	case "json":
		return bundle.Encode(d)
	case "dot":
		return []byte(planDot(d)), nil
	case "mermaid":
		return []byte(planMermaid(d)), nil
	}
	return nil, fmt.Errorf("there is no format %s; the formats are text, json, dot and mermaid", format)
}

// tests are the tests by name.
func tests(d *bundle.PlanDoc) []bundle.TestDoc {
	out := append([]bundle.TestDoc(nil), d.Tests...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func planText(d *bundle.PlanDoc) string {
	var out strings.Builder
	fmt.Fprintf(&out, "plan %s (seed %d)", oneLine(d.Plan.Name), d.Seed)
	if d.Discovered {
		out.WriteString(", bodies were run to find axes")
	}
	out.WriteByte('\n')
	for _, m := range d.Models {
		fmt.Fprintf(&out, "model %s\n", oneLine(m.Name))
	}
	for _, t := range tests(d) {
		fmt.Fprintf(&out, "%s (%s): %s", oneLine(t.Name), t.Kind, countText(t.Counts))
		if t.Timeout != "" {
			fmt.Fprintf(&out, ", timeout %s", t.Timeout)
		}
		out.WriteByte('\n')
		for _, a := range t.Axes {
			fmt.Fprintf(&out, "  %s\n", oneLine(axisText(a)))
		}
		for _, p := range t.Assumes {
			line := "assume " + p.Name
			if d.Discovered {
				line += fmt.Sprintf(": removes %d %s", p.LeavesRemoved, plural(p.LeavesRemoved, "leaf", "leaves"))
			}
			fmt.Fprintf(&out, "  %s\n", oneLine(line))
		}
		for _, h := range t.Halts {
			fmt.Fprintf(&out, "  %s: ends %d %s\n", oneLine(h.Name), h.Leaves, plural(h.Leaves, "leaf", "leaves"))
		}
	}
	for _, w := range d.Diagnostics {
		fmt.Fprintf(&out, "warning %s: %s\n", w.Code, oneLine(w.Message))
	}
	fmt.Fprintf(&out, "total: %s in %d %s\n", countText(d.Totals), len(d.Tests), plural(len(d.Tests), "test", "tests"))
	return out.String()
}

func countText(c bundle.CountsDoc) string {
	text := fmt.Sprintf("%d %s", c.Planned, plural(c.Planned, "leaf", "leaves"))
	if c.Estimated {
		text = "at least " + text + " (options that only running tells)"
	}
	if c.Pruned > 0 {
		text += fmt.Sprintf(", %d removed", c.Pruned)
	}
	return text
}

func axisText(a bundle.AxisDoc) string {
	text := a.ID + ": "
	if a.Estimated {
		text += "size unknown"
	} else {
		var labels []string
		for _, o := range a.Options {
			if o.Label != "" {
				labels = append(labels, o.Label)
			} else {
				labels = append(labels, o.Key)
			}
		}
		text += strings.Join(labels, ", ")
	}
	if !a.FansOut && len(a.Options) != 1 {
		text += " (first option only)"
	}
	if len(a.When) > 0 {
		text += " (when " + strings.Join(a.When, " and ") + ")"
	}
	return text
}

// dotText is s inside a quoted label of Graphviz.
func dotText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "{", `\{`, "}", `\}`, "|", `\|`, "<", `\<`, ">", `\>`).Replace(visible(s))
}

func planDot(d *bundle.PlanDoc) string {
	var out strings.Builder
	out.WriteString("digraph plan {\n  rankdir=LR;\n  node [shape=box];\n")
	fmt.Fprintf(&out, "  plan [label=\"%s\"];\n", dotText(d.Plan.Name))
	for i, t := range tests(d) {
		fmt.Fprintf(&out, "  t%d [label=\"%s\\n%s\"];\n  plan -> t%d;\n", i, dotText(t.Name), dotText(countText(t.Counts)), i)
		for k, a := range t.Axes {
			fmt.Fprintf(&out, "  t%da%d [shape=note, label=\"%s\"];\n  t%d -> t%da%d;\n", i, k, dotText(axisText(a)), i, i, k)
		}
	}
	out.WriteString("}\n")
	return out.String()
}

// mermaidText is s inside a quoted label of Mermaid.
func mermaidText(s string) string {
	return strings.NewReplacer("&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ", "`", "#96;").Replace(visible(s))
}

func planMermaid(d *bundle.PlanDoc) string {
	var out strings.Builder
	fmt.Fprintf(&out, "flowchart LR\n  plan[\"%s\"]\n", mermaidText(d.Plan.Name))
	for i, t := range tests(d) {
		fmt.Fprintf(&out, "  plan --> t%d[\"%s: %s\"]\n", i, mermaidText(t.Name), mermaidText(countText(t.Counts)))
		for k, a := range t.Axes {
			fmt.Fprintf(&out, "  t%d --> t%da%d([\"%s\"])\n", i, i, k, mermaidText(axisText(a)))
		}
	}
	return out.String()
}
