package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
)

// This file shows where a stepped run stands.

// Position is where a stepped run stands, with what the operation that led
// there traced and chose.
func Position(p *runtime.Position) Bundle {
	tone := Plainly
	switch {
	case p.Ended:
		tone = Good
	case p.Waits != "":
		tone = Open
	}
	var d document
	d.head(PositionLine(p), tone)
	line := func(s string) { d.wrapped(s, 2, element("div", "padding-left:1em", escape(s))) }
	if len(p.Tokens) > 0 {
		line("tokens: " + tokenList(p.Tokens))
	}
	if len(p.States) > 0 {
		line("states: " + strings.Join(p.States, ", "))
	}
	if len(p.Events)+len(p.Messages) > 0 {
		line("pending: " + EventList(append(append([]runtime.EventPosition(nil), p.Events...), p.Messages...)))
	}
	if p.Waits != "" {
		line("nothing moves: " + p.Waits)
	}
	if p.Stopped != "" {
		line("stopped at " + p.Stopped)
	}
	if len(p.Choices) > 0 {
		for l := range strings.Lines(choices(p.Choices)) {
			line(strings.TrimRight(l, "\n"))
		}
	}
	if p.Trace != "" {
		shown := Clip(p.Trace, traceLines)
		d.fixed(indentBy(4, shown), folded("trace", shown))
	}
	return d.bundle()
}

// PositionLine is a position in a line: "Demo::race after 3 steps".
func PositionLine(p *runtime.Position) string {
	if p.Behavior == "" {
		return "t=" + seconds(p.Time)
	}
	var b strings.Builder
	b.WriteString(p.Behavior)
	if p.Object != nil {
		b.WriteString(" on " + objectName(p.Object))
	}
	switch {
	case p.Terminated:
		b.WriteString(": terminated")
	case p.Ended && p.FinalState != "":
		b.WriteString(": done in " + p.FinalState)
	case p.Ended:
		b.WriteString(": done")
	case p.Moves == 0:
		b.WriteString(": at its start")
	}
	if p.Steps > 0 {
		b.WriteString(" after " + plural(int(p.Steps), "step", "steps"))
	}
	if p.Time != 0 {
		b.WriteString(" at t=" + seconds(p.Time))
	}
	if p.Ahead > 0 {
		b.WriteString(", " + plural(p.Ahead, "move", "moves") + " taken back")
	}
	return b.String()
}

func seconds(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) + " s" }

func tokenList(tokens []runtime.TokenPosition) string {
	var list []string
	for _, t := range tokens {
		text := fmt.Sprintf("%d@%s", t.ID, t.Node)
		if t.Path != "" {
			text = fmt.Sprintf("%d@%s.%s", t.ID, t.Path, t.Node)
		}
		if t.Waits != "" {
			text += " (waits: " + t.Waits + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// Tokens is the tokens of a stepped run as a table.
func Tokens(tokens []runtime.TokenPosition) *Table {
	t := &Table{Columns: []Column{{Title: "token", Right: true}, {Title: "at", Tone: Code}, {Title: "in", Tone: Code}, {Title: "waits for"}}, Empty: "there are no tokens"}
	for _, p := range tokens {
		t.Row(strconv.FormatInt(p.ID, 10), strings.Repeat("  ", p.Depth)+p.Node, p.Path, p.Waits)
	}
	return t.DropEmpty()
}

func eventText(e *runtime.EventPosition) string {
	text := e.Name
	if len(e.Args) > 0 {
		var args []string
		for _, a := range e.Args {
			args = append(args, a.Name+" = "+a.Text)
		}
		text += "(" + strings.Join(args, ", ") + ")"
	}
	if e.To != "" {
		text += " to " + e.To
	}
	return text
}

// EventList is events and messages that wait, in a line.
func EventList(list []runtime.EventPosition) string {
	var texts []string
	for i := range list {
		text := eventText(&list[i])
		if list[i].Timer {
			text += " at t=" + seconds(list[i].Time)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// Events is the events and messages that wait, as a table.
func Events(events, messages []runtime.EventPosition) *Table {
	t := &Table{Columns: []Column{{Title: "what"}, {Title: "event", Tone: Code}, {Title: "due", Right: true}}, Empty: "nothing waits"}
	for i := range events {
		e := &events[i]
		what, due := "event", ""
		switch {
		case e.Deferred:
			what = "deferred"
		case e.Timer:
			what, due = "timer", "t="+seconds(e.Time)
		}
		t.Row(what, eventText(e), due)
	}
	for i := range messages {
		t.Row("message", eventText(&messages[i]), "")
	}
	return t.DropEmpty()
}

// Differences is what two Worlds do not share, as a table.
func Differences(list []runtime.Difference, a, b string) *Table {
	t := &Table{Columns: []Column{{Title: "what", Tone: Code}, {Title: a, Tone: Code}, {Title: b, Tone: Code}}, Empty: "nothing differs"}
	for _, d := range list {
		t.Row(d.What, d.A, d.B)
	}
	return t
}
