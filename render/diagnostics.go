package render

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Diagnostics is list as text and as HTML, in its own order. An empty list is
// an empty Bundle.
func Diagnostics(list diagnostic.List) Bundle {
	if len(list) == 0 {
		return Bundle{}
	}
	var text, html strings.Builder
	for _, d := range list {
		text.WriteString(diagnostic.Text(d, diagnostic.Style{}))
		html.WriteString(diagnosticHTML(d))
	}
	return Text(text.String()).With(HTML, html.String())
}

// diagnosticHTML says what diagnostic.Text says of d; the place is marked in
// its line and not by carets below it.
func diagnosticHTML(d *diagnostic.Diagnostic) string {
	color := severityStyle(d.Severity)
	var b strings.Builder
	b.WriteString(element("div", "", element("b", color, d.Severity.String()+"["+escape(string(d.Code))+"]")+": "+
		element("b", "", lines(d.Message))))
	b.WriteString(excerptHTML(d.Span, color))
	for _, r := range d.Related {
		b.WriteString(element("div", "", "note: "+lines(r.Message)))
		b.WriteString(excerptHTML(r.Span, styleBlue))
	}
	if d.Hint != "" {
		b.WriteString(element("div", "", element("span", styleBlue, "hint:")+" "+lines(d.Hint)))
	}
	return element("div", "border-left:3px solid;padding-left:.6em;margin:.3em 0;"+borderColor(d.Severity), b.String())
}

func borderColor(s diagnostic.Severity) string { return "border-" + severityStyle(s) }

// excerptHTML is the place of s and its first line, with s itself underlined.
func excerptHTML(s source.Span, color string) string {
	if s.IsZero() {
		return ""
	}
	start, end := s.StartPosition(), s.EndPosition()
	line := []rune(s.File.Line(start.Line))
	from := min(start.Column-1, len(line))
	to := len(line)
	if end.Line == start.Line {
		to = min(max(end.Column-1, from), len(line))
	}
	marked := string(line[from:to])
	if marked == "" {
		marked = " "
	}
	place := s.File.Name + ":" + strconv.Itoa(start.Line) + ":" + strconv.Itoa(start.Column)
	return element("div", styleMuted, escape(place)) +
		pre(element("span", styleMuted, strconv.Itoa(start.Line)+" | ")+escape(string(line[:from]))+
			element("span", color+";text-decoration:underline wavy", escape(marked))+escape(string(line[to:])))
}
