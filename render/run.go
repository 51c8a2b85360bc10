package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file shows runs of behaviours and of cases.

// Run is what became of a behaviour: how it ended, its outputs, the choices
// that it took and, where it was traced, its trace.
func Run(r *runtime.Run) Bundle {
	tone := Good
	if r.Err != nil {
		tone = Bad
	}
	var d document
	d.head(runLine(r), tone)
	d.outputs(r.Outputs)
	if len(r.Visits) > 0 {
		line := "visited: " + visits(r.Visits)
		d.wrapped(line, 2, element("div", styleMuted, escape(line)))
	}
	if len(r.Choices) > 0 {
		d.fixed("  choices:\n"+indentBy(4, choices(r.Choices)), folded(plural(len(r.Choices), "choice", "choices"), choices(r.Choices)))
	}
	if r.Trace != "" {
		shown := Clip(r.Trace, traceLines)
		d.fixed("  trace:\n"+indentBy(4, shown), folded("trace", shown))
	}
	return d.bundle()
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

// runLine is a run in a line: "Demo::Race: done in 5 steps".
func runLine(r *runtime.Run) string {
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

// choices is choices as a trace has them, a line each.
func choices(list []schedule.Taken) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].Text() + "\n")
	}
	return b.String()
}

// outputs adds named values, their equals signs below each other.
func (d *document) outputs(list []runtime.Output) {
	if len(list) == 0 {
		return
	}
	width := 0
	for _, o := range list {
		width = max(width, display.Width(o.Name))
	}
	var text strings.Builder
	t := &Table{Columns: []Column{{Tone: Code}, {Tone: Code}}}
	for _, o := range list {
		text.WriteString(indentBy(2, pad(o.Name, width, false)+" = "+o.Text))
		t.Row(o.Name, "= "+o.Text)
	}
	d.fixed(text.String(), t.HTML())
}

// folded is text that a reader opens.
func folded(title, text string) string {
	return "<details><summary>" + escape(title) + "</summary>" + pre(escape(text)) + "</details>"
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
	var d document
	d.head(head, tone)
	d.outputs(r.Outputs)
	d.table(Verdicts(r.Verdicts))
	sub := &Table{Columns: []Column{{Title: "case", Tone: Code}, {Title: "verdict"}, {Title: "detail"}}}
	for _, s := range r.Subcases {
		sub.Row(s.Name, s.Verdict, s.Detail)
	}
	d.table(sub)
	calls := &Table{Columns: []Column{{Title: "evaluated", Tone: Code}, {Title: "result", Tone: Code}, {}}}
	for _, e := range r.Evaluations {
		chosen := ""
		if e.Selected {
			chosen = "selected"
		}
		calls.Row(fmt.Sprintf("%s, %s", e.Function, plural(len(e.Arguments), "argument", "arguments")), fmt.Sprint(e.Result.Kind()), chosen)
	}
	d.table(calls)
	return d.bundle()
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
