package diagnostic

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/display"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Style says how Text writes. The zero Style is plain text.
type Style struct {
	Color bool // ANSI colours, as terminals show them
	// Weight is bold and faint type alone. Jupyter shows a traceback on red
	// paper, on which no colour can be read in every theme.
	Weight bool
	// Columns is the width that source lines are cut down to; 0 is 120 of
	// them and whatever stands before.
	Columns int
}

const (
	red, yellow, cyan, bold, dim, reset = "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[1m", "\x1b[2m", "\x1b[0m"
)

// Text prints d for a reader: what and where, the source line with carets
// under the place, related places and the hint; every line ends in "\n".
func Text(d *Diagnostic, style Style) string {
	var b strings.Builder
	paint := func(code, s string) string {
		switch {
		case style.Color:
			return code + s + reset
		case style.Weight && code == dim:
			return dim + s + reset
		case style.Weight:
			return bold + s + reset
		}
		return s
	}
	color := [...]string{red, yellow, cyan}[d.Severity]
	b.WriteString(paint(bold+color, d.Severity.String()+"["+string(d.Code)+"]"))
	b.WriteString(": " + paint(bold, Visible(d.Message)) + "\n")
	excerpt(&b, d.Span, color, style, paint)
	for _, r := range d.Related {
		b.WriteString("  note: " + Visible(r.Message) + "\n")
		excerpt(&b, r.Span, cyan, style, paint)
	}
	if d.Hint != "" {
		b.WriteString("  " + paint(cyan, "hint:") + " " + Visible(d.Hint) + "\n")
	}
	return b.String()
}

func excerpt(b *strings.Builder, s source.Span, color string, style Style, paint func(code, s string) string) {
	if s.IsZero() {
		return
	}
	start, end := s.StartPosition(), s.EndPosition()
	b.WriteString("  --> " + Visible(s.File.Name) + ":" + strconv.Itoa(start.Line) + ":" + strconv.Itoa(start.Column) + "\n")
	line := s.File.Line(start.Line)
	number := strconv.Itoa(start.Line)
	width := end.Column - start.Column
	if end.Line != start.Line {
		width = utf8.RuneCountInString(line) - start.Column + 1
	}
	most := 120
	if style.Columns > 0 {
		most = max(style.Columns-len(number)-len(" | "), 10)
	}
	line, column, width := window(Visible(line), start.Column, max(width, 1), most)
	before, at := split(line, column-1, width)
	b.WriteString(paint(dim, number+" |") + " " + line + "\n")
	b.WriteString(strings.Repeat(" ", len(number)) + paint(dim, " |") + " " + blank(before) +
		paint(color, strings.Repeat("^", max(display.Width(at), 1))) + "\n")
}

// window cuts a line too long to read down to most code points around its
// one-based column, and a width to what is left of the line.
func window(line string, column, width, most int) (string, int, int) {
	before := most / 3
	runes := []rune(line)
	if len(runes) > most {
		from := max(min(column-1-before, len(runes)-most), 0)
		runes = runes[from:min(from+most, len(runes))]
		column -= from
	}
	return string(runes), column, max(min(width, len(runes)-column+1), 1)
}

// split is the first n code points of line, and the width code points behind
// them, or as many as there are.
func split(line string, n, width int) (before, at string) {
	runes := []rune(line)
	n = min(n, len(runes))
	return string(runes[:n]), string(runes[n:min(n+width, len(runes))])
}

// blank is as wide as text, its tabs kept, so that what follows stands under
// what follows text.
func blank(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteString("  "[:display.RuneWidth(r)])
		}
	}
	return b.String()
}

// Visible is s with signs in the place of characters that would steer a
// terminal, each as wide as one letter; blanks, tabs and ends of lines stay.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return '\u2400' + r
		case r == 0x7f:
			return '\u2421'
		case r > 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return utf8.RuneError
		}
		return r
	}, s)
}
