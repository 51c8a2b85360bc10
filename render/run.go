package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file shows runs of behaviours and of cases.

// Run is what became of a behaviour: how it ended, its outputs, the choices
// that it took and, where it was traced, its trace.
func Run(r *runtime.Run) Bundle {
	head := RunLine(r)
	var text, html strings.Builder
	text.WriteString(head + "\n")
	tone := Good
	if r.Err != nil {
		tone = Bad
	}
	html.WriteString(element("div", "font-weight:600;"+tone.style(), escape(head)))
	writeOutputs(&text, &html, r.Outputs)
	if len(r.Visits) > 0 {
		line := "visited: " + visits(r.Visits)
		text.WriteString(indent(strings.Join(wrap(line, PageWidth-2), "\n")))
		html.WriteString(element("div", styleMuted, escape(line)))
	}
	if len(r.Choices) > 0 {
		text.WriteString("  choices:\n" + indent(indent(Choices(r.Choices))))
		html.WriteString(folded(plural(len(r.Choices), "choice", "choices"), Choices(r.Choices)))
	}
	if r.Trace != "" {
		shown := Clip(r.Trace, traceLines)
		text.WriteString("  trace:\n" + indent(indent(shown)))
		html.WriteString(folded("trace", shown))
	}
	return Text(text.String()).With(HTML, html.String())
}

// traceLines is how many lines of a trace are shown; the rest is counted.
const traceLines = 1000

// Clip is text with its middle left out, where it has more than most lines.
func Clip(text string, most int) string {
	n := strings.Count(text, "\n")
	if n <= most {
		return text
	}
	head, rest := 0, most/2
	for range rest {
		head += strings.IndexByte(text[head:], '\n') + 1
	}
	tail := len(strings.TrimSuffix(text, "\n"))
	for range rest {
		tail = strings.LastIndexByte(text[:tail], '\n')
	}
	return text[:head] + fmt.Sprintf("… %d lines are left out …", n-2*rest) + text[tail:]
}

// RunLine is a run in a line: "Demo::Race: done in 5 steps".
func RunLine(r *runtime.Run) string {
	var b strings.Builder
	b.WriteString(r.Behavior)
	if r.Object != nil {
		b.WriteString(" on " + objectName(r.Object))
	}
	switch {
	case r.Err != nil:
		b.WriteString(": failed")
	case r.Terminated:
		b.WriteString(": terminated")
	case r.Kind == "state" && !r.Ended:
		b.WriteString(": rests in " + r.FinalState)
	case r.Kind == "state" && r.FinalState != "":
		b.WriteString(": done in " + r.FinalState)
	default:
		b.WriteString(": done")
	}
	if r.Steps > 0 {
		b.WriteString(" after " + plural(int(r.Steps), "step", "steps"))
	}
	if r.Time != 0 {
		b.WriteString(" at t=" + strconv.FormatFloat(r.Time, 'g', -1, 64) + " s")
	}
	return b.String()
}

// Choices is choices as a trace has them, a line each.
func Choices(list []schedule.Taken) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].Text() + "\n")
	}
	return b.String()
}

// writeOutputs writes named values, their equals signs below each other.
func writeOutputs(text, html *strings.Builder, list []runtime.Output) {
	if len(list) == 0 {
		return
	}
	width := 0
	for _, o := range list {
		width = max(width, columns(o.Name))
	}
	t := &Table{Columns: []Column{{Tone: Code}, {Tone: Code}}}
	for _, o := range list {
		text.WriteString(indent(pad(o.Name, width, false) + " = " + o.Text))
		t.Row(o.Name, "= "+o.Text)
	}
	html.WriteString(t.HTML())
}

// folded is text that a reader opens.
func folded(title, text string) string {
	return "<details><summary>" + escape(title) + "</summary>" + pre(escape(text)) + "</details>"
}

// indent is text with two blanks before each of its lines.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// Case is what became of an analysis or verification case.
func Case(r *runtime.CaseRun) Bundle {
	head, tone := r.Name+": done", Good
	switch r.Verdict {
	case "":
	case "pass":
		head = r.Name + ": pass"
	case "fail":
		head, tone = r.Name+": fail", Bad
	default:
		head, tone = r.Name+": "+r.Verdict, Open
	}
	if r.Detail != "" {
		head += " – " + r.Detail
	}
	var text, html strings.Builder
	text.WriteString(head + "\n")
	html.WriteString(element("div", "font-weight:600;"+tone.style(), escape(head)))
	add := func(t *Table) {
		if len(t.Rows) > 0 {
			text.WriteString(indent(t.Text(PageWidth - 2)))
			html.WriteString(t.HTML())
		}
	}
	writeOutputs(&text, &html, r.Outputs)
	add(Verdicts(r.Verdicts))
	sub := &Table{Columns: []Column{{Title: "case", Tone: Code}, {Title: "verdict"}, {Title: "detail"}}}
	for _, s := range r.Subcases {
		sub.Row(s.Name, s.Verdict, s.Detail)
	}
	add(sub)
	calls := &Table{Columns: []Column{{Title: "evaluated", Tone: Code}, {Title: "result", Tone: Code}, {}}}
	for _, e := range r.Evaluations {
		chosen := ""
		if e.Selected {
			chosen = "selected"
		}
		calls.Row(fmt.Sprintf("%s, %s", e.Function, plural(len(e.Arguments), "argument", "arguments")), fmt.Sprint(e.Result.Kind()), chosen)
	}
	add(calls)
	return Text(text.String()).With(HTML, html.String())
}

// visits lists the states that a machine was in; of very many, the first and
// the last.
func visits(names []string) string {
	const most, ends = 200, 20
	if n := len(names); n > most {
		names = append(append(names[:ends:ends], "… "+strconv.Itoa(n-2*ends)+" more …"), names[n-ends:]...)
	}
	return strings.Join(names, " → ")
}
