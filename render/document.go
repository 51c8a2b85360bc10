package render

import "strings"

// A document is an output of several pieces below each other, each of which a
// terminal can have for its own width.
type document struct {
	pieces []func(width int) string
	html   strings.Builder
}

// head adds a heading of one line.
func (d *document) head(text string, tone Tone) {
	d.fixed(text+"\n", element("div", "font-weight:600;"+tone.style(), escape(text)))
}

// add adds a piece as text for any width and as HTML.
func (d *document) add(text func(width int) string, html string) {
	d.pieces = append(d.pieces, text)
	d.html.WriteString(html)
}

// fixed adds a piece whose lines are as long as they are.
func (d *document) fixed(text, html string) { d.add(func(int) string { return text }, html) }

// wrapped adds running text that is n columns further in.
func (d *document) wrapped(text string, n int, html string) {
	d.add(func(width int) string { return indentBy(n, strings.Join(wrap(text, max(width-n, 20)), "\n")) }, html)
}

// table adds t two columns further in, if it has rows.
func (d *document) table(t *Table) {
	if len(t.Rows) > 0 {
		d.add(func(width int) string { return indentBy(2, t.Text(width-2)) }, t.HTML())
	}
}

// indentBy is text with n blanks before each of its lines, and a line feed.
func indentBy(n int, text string) string {
	before := strings.Repeat(" ", n)
	return before + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+before) + "\n"
}

// bundle is d as an output.
func (d *document) bundle() Bundle {
	pieces := d.pieces
	return Fitted(func(width int) string {
		var b strings.Builder
		for _, text := range pieces {
			b.WriteString(text(width))
		}
		return b.String()
	}).With(HTML, d.html.String())
}
