package render

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// A Tone says what a cell of a table or a line of a tree means, for its
// colour. The zero value is plain.
type Tone uint8

// The tones.
const (
	Plainly Tone = iota
	Good         // holds, passed
	Bad          // violated, failed
	Open         // undecided, waiting
	Muted        // beside the point
	Code         // notation, in a fixed width
)

func (t Tone) style() string {
	return [...]string{"", styleGreen, styleRed, styleAmber, styleMuted, styleMono}[t]
}

// A Column is the head of one column of a Table.
type Column struct {
	Title string
	Right bool // numbers stand to the right
	Tone  Tone // of cells that have none of their own
}

// A Cell is one field of a Table. Its text may have several lines.
type Cell struct {
	Text string
	Tone Tone
}

// A Table is rows under columns. A row shorter than the columns ends in blank
// cells. The zero Table shows nothing.
type Table struct {
	Title   string // above it; "" for none
	Columns []Column
	Rows    [][]Cell
	Empty   string // what stands in place of a table without rows
	Note    string // below it; "" for none
}

// Row adds a row of plain cells to t.
func (t *Table) Row(texts ...string) {
	row := make([]Cell, len(texts))
	for i, s := range texts {
		row[i].Text = s
	}
	t.Rows = append(t.Rows, row)
}

// DropEmpty removes the columns that no row has a text in, and returns t.
func (t *Table) DropEmpty() *Table {
	for i := len(t.Columns) - 1; i >= 0 && len(t.Rows) > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []Cell) bool { return i < len(row) && row[i].Text != "" }) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for r, row := range t.Rows {
			if i < len(row) {
				t.Rows[r] = slices.Delete(row, i, i+1)
			}
		}
	}
	return t
}

// Bundle is t as text, for any width, and as HTML.
func (t *Table) Bundle() Bundle {
	as := *t
	return Fitted(as.Text).With(HTML, t.HTML())
}

const gap = 2 // blanks between two columns of text

// Text is t in at most width columns, as far as words allow: the widest
// columns are wrapped first. Every line ends in "\n".
func (t *Table) Text(width int) string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n")
	}
	if len(t.Rows) == 0 {
		if t.Empty != "" {
			b.WriteString(t.Empty + "\n")
		}
	} else {
		t.writeRows(&b, t.widths(width))
	}
	if t.Note != "" {
		b.WriteString(strings.Join(wrap(t.Note, width), "\n") + "\n")
	}
	return b.String()
}

func (t *Table) headed() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Title != "" })
}

func (t *Table) writeRows(b *strings.Builder, widths []int) {
	if t.headed() {
		head, rule := make([]Cell, len(t.Columns)), make([]Cell, len(t.Columns))
		for i, c := range t.Columns {
			head[i].Text, rule[i].Text = c.Title, strings.Repeat("─", widths[i])
		}
		t.writeRow(b, widths, head)
		t.writeRow(b, widths, rule)
	}
	for _, row := range t.Rows {
		t.writeRow(b, widths, row)
	}
}

func (t *Table) writeRow(b *strings.Builder, widths []int, row []Cell) {
	lines, height := make([][]string, len(widths)), 1
	for i := range widths {
		if i < len(row) {
			lines[i] = wrap(row[i].Text, widths[i])
			height = max(height, len(lines[i]))
		}
	}
	for h := range height {
		var line strings.Builder
		for i, w := range widths {
			text := ""
			if h < len(lines[i]) {
				text = lines[i][h]
			}
			if i > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			line.WriteString(pad(text, w, t.Columns[i].Right))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// widths are the columns' widths: what their cells need, less what must be
// taken from the widest to fit into width.
func (t *Table) widths(width int) []int {
	const least = 8
	widths := make([]int, len(t.Columns))
	total := gap * (len(widths) - 1)
	for i, c := range t.Columns {
		widths[i] = display.Width(c.Title)
		for _, row := range t.Rows {
			if i < len(row) {
				for line := range strings.SplitSeq(row[i].Text, "\n") {
					widths[i] = max(widths[i], display.Width(line))
				}
			}
		}
		total += widths[i]
	}
	for total > width {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= least {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

// HTML is t as a table element with inline styles.
func (t *Table) HTML() string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(element("div", "font-weight:600;margin:.3em 0", escape(t.Title)))
	}
	if len(t.Rows) == 0 {
		b.WriteString(element("div", styleMuted, escape(t.Empty)))
	} else {
		b.WriteString(`<table style="border-collapse:collapse;margin:.2em 0">`)
		if t.headed() {
			b.WriteString("<thead><tr>")
			for _, c := range t.Columns {
				b.WriteString(element("th", t.cellStyle(c, "font-weight:600;border-bottom:"+styleBorder), escape(c.Title)))
			}
			b.WriteString("</tr></thead>")
		}
		b.WriteString("<tbody>")
		for _, row := range t.Rows {
			t.htmlRow(&b, row)
		}
		b.WriteString("</tbody></table>")
	}
	if t.Note != "" {
		b.WriteString(element("div", styleMuted, lines(t.Note)))
	}
	return b.String()
}

func (t *Table) htmlRow(b *strings.Builder, row []Cell) {
	b.WriteString("<tr>")
	for i, c := range t.Columns {
		var cell Cell
		if i < len(row) {
			cell = row[i]
		}
		if cell.Tone == Plainly {
			cell.Tone = c.Tone
		}
		b.WriteString(element("td", t.cellStyle(c, cell.Tone.style()), lines(cell.Text)))
	}
	b.WriteString("</tr>")
}

func (t *Table) cellStyle(c Column, more string) string {
	style := "padding:.15em .9em .15em 0;vertical-align:top;text-align:left"
	if c.Right {
		style = "padding:.15em .9em .15em 0;vertical-align:top;text-align:right"
	}
	if more != "" {
		style += ";" + more
	}
	return style
}

// lines is s escaped, with its line ends as breaks.
func lines(s string) string { return strings.ReplaceAll(escape(s), "\n", "<br>") }
