package edit

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// A Picture is what a terminal shows of a block.
type Picture struct {
	rows []row
	// row and column are the cursor's.
	row, column int
	// whole is false where only a window of the block is shown.
	whole bool
}

// A row is a line of the terminal: its text with SGR sequences, and the
// columns it takes.
type row struct {
	text  string
	width int
}

// A piece is text in one colour, "" for the terminal's own.
type piece struct{ text, shade string }

// shadedRow is pieces side by side, cut to columns.
func shadedRow(columns int, color bool, pieces ...piece) row {
	var r row
	for _, p := range pieces {
		text := clip(p.text, columns-r.width)
		r.width += display.Width(text)
		if color && p.shade != "" && text != "" {
			text = "\x1b[" + p.shade + "m" + text + "\x1b[0m"
		}
		r.text += text
	}
	return r
}

// clip is as much of text as fits into columns.
func clip(text string, columns int) string {
	if display.Width(text) <= columns {
		return text
	}
	used := 0
	for i, r := range text {
		if used += display.RuneWidth(r); used >= columns {
			if columns <= 0 {
				return ""
			}
			return text[:i] + "…"
		}
	}
	return text
}

// clusterWidth is how many columns a cluster takes that begins at a column of
// its line.
func clusterWidth(cluster string, column int) int {
	if cluster == "\t" {
		return len(step) - column%len(step)
	}
	return min(max(display.Width(cluster), 1), 2)
}

// shown is a cluster as the terminal is given it: what would move its cursor
// is shown as a sign.
func shown(cluster string, width int) string {
	if cluster == "\t" {
		return strings.Repeat(" ", width)
	}
	if len(cluster) == 1 && cluster[0] >= ' ' && cluster[0] < 0x7f {
		return cluster
	}
	if text := diagnostic.Visible(cluster); display.Width(text) > 0 {
		return text
	}
	return "\u25cc" + cluster // marks that combine with nothing
}

// A span is the clusters of the block that one row shows.
type span struct {
	from, to int
	first    bool // the row begins a line
	column   int  // of the line, where the row begins
}

// A layout is how a block falls into rows.
type layout struct {
	columns     int
	prompt      string // without more than fits
	promptWidth int
	indent      int // columns before the text of every row but the first
	spans       []span
	row, column int // of the cursor
	below       []row
	from, to    int // the rows that are shown
}

// Picture lays the block out for a terminal of that many columns and rows. The
// same block and size give the same picture, save for a block that is longer
// than the terminal: top is the first row of it that was shown before, and is
// kept if it can be.
func (e *Editor) Picture(columns, rows int, top *int) Picture {
	columns, rows = max(columns, leastColumns), max(rows, 1)
	l := e.layout(columns)
	l.below = e.below(columns, max(rows/2, min(rows-1, 1)))
	if len(l.below) > rows-1 {
		l.below = l.below[:rows-1]
	}
	room := rows - len(l.below)
	l.from = min(max(*top, l.row-room+1), l.row, max(len(l.spans)-room, 0))
	l.from = max(l.from, 0)
	l.to = min(l.from+room, len(l.spans))
	*top = l.from
	return l.paint(e, false)
}

// Whole is the picture of all of the block, however long, and of nothing else:
// what stays on the terminal.
func (e *Editor) Whole(columns int) Picture {
	columns = max(columns, leastColumns)
	l := e.layout(columns)
	l.to = len(l.spans)
	p := l.paint(e, true)
	p.row, p.column = len(p.rows)-1, min(p.rows[len(p.rows)-1].width, columns-1)
	if e.dropped {
		last := &p.rows[len(p.rows)-1]
		if last.width+2 <= columns {
			last.text, last.width = last.text+"^C", last.width+2
		}
	}
	return p
}

// leastColumns is the width of the narrowest terminal that has a picture; a
// narrower one breaks it.
const leastColumns = 4

func (e *Editor) layout(columns int) *layout {
	l := &layout{columns: columns}
	l.prompt, l.promptWidth = cutStyled(e.Prompt, columns-leastColumns)
	l.indent = l.promptWidth
	if l.promptWidth > columns/2 {
		l.indent = 2
	}
	l.cut(&e.buffer, e.Secret)
	return l
}

// cut lets the block fall into rows.
func (l *layout) cut(b *buffer, secret bool) {
	at := span{first: true}
	x := l.promptWidth
	column := 0 // of the line
	wrap := func(i int, first bool) {
		at.to = i
		l.spans = append(l.spans, at)
		if first {
			column = 0
		}
		at = span{from: i, first: first, column: column}
		x = l.indent
	}
	place := func(i int) {
		if i == b.at {
			l.row, l.column = len(l.spans), x
		}
	}
	for i, cluster := range b.text {
		if secret {
			place(i)
			continue
		}
		if cluster == "\n" {
			if x >= l.columns && i == b.at {
				wrap(i, false)
			}
			place(i)
			wrap(i, true)
			at.from = i + 1
			continue
		}
		w := clusterWidth(cluster, column)
		if x+w > l.columns {
			wrap(i, false)
		}
		place(i)
		x += w
		column += w
	}
	if x >= l.columns && b.at == len(b.text) {
		wrap(len(b.text), false)
	}
	place(len(b.text))
	at.to = len(b.text)
	if secret {
		at.from = at.to
		l.column = x
	}
	l.spans = append(l.spans, at)
}

// below are the lines under the block: a menu, a search, what a key had to
// say, or the hint.
func (e *Editor) below(columns, rows int) []row {
	switch {
	case e.search != nil:
		return []row{shadedRow(columns, e.Color, piece{e.search.line(), "2"})}
	case e.menu != nil:
		return e.menu.rows(columns, rows, e.Color)
	case e.message != "":
		return []row{shadedRow(columns, e.Color, piece{e.message, "2"})}
	case e.Guide.Hint != nil && !e.Secret:
		b, text := &e.buffer, e.buffer.String()
		if hint := e.Guide.Hint(text, b.lineEnd(b.at) < len(b.text), e.past.has(text)); hint != "" {
			return []row{shadedRow(columns, e.Color, piece{hint, "2"})}
		}
	}
	return nil
}

// paint makes the rows that are shown; those that stay when all is typed have
// no marks of what the cursor stands at.
func (l *layout) paint(e *Editor, stay bool) Picture {
	p := Picture{row: l.row - l.from, column: min(l.column, l.columns-1), whole: l.from == 0 && l.to == len(l.spans)}
	shades := e.shades(l.spans[l.from].from, l.spans[l.to-1].to, stay)
	base := l.spans[l.from].from
	for i := l.from; i < l.to; i++ {
		s := l.spans[i]
		var out strings.Builder
		width := l.indent
		switch {
		case i == 0:
			out.WriteString(l.prompt)
			width = l.promptWidth
		default:
			out.WriteString(l.margin(e, i))
		}
		column, now := s.column, ""
		for j := s.from; j < s.to; j++ {
			w := clusterWidth(e.buffer.text[j], column)
			if to := shades.at(j - base); to != now {
				out.WriteString(turn(now, to))
				now = to
			}
			out.WriteString(shown(e.buffer.text[j], w))
			column, width = column+w, width+w
		}
		out.WriteString(turn(now, ""))
		p.rows = append(p.rows, row{out.String(), width})
	}
	p.rows = append(p.rows, l.below...)
	return p
}

func turn(from, to string) string {
	switch {
	case from == to:
		return ""
	case to == "":
		return "\x1b[0m"
	case from == "":
		return "\x1b[" + to + "m"
	}
	return "\x1b[0;" + to + "m"
}

// margin is what stands before row i: the gutter before a line, arrows where
// there is more than is shown.
func (l *layout) margin(e *Editor, i int) string {
	text := ""
	switch {
	case i == l.from && i > 0:
		text = "↑ "
	case i == l.to-1 && l.to < len(l.spans):
		text = "↓ "
	case l.spans[i].first && display.Width(e.Gutter) <= l.indent:
		text = e.Gutter
	case l.spans[i].first:
		text = "> "
	}
	text, width := cutStyled(text, l.indent)
	if e.Color && text != "" {
		text = "\x1b[2m" + text + "\x1b[0m"
	}
	return strings.Repeat(" ", l.indent-width) + text
}

// shades are the colours of the clusters from up to to; none where there are
// no colours.
type shades []string

func (s shades) at(i int) string {
	if i < 0 || i >= len(s) {
		return ""
	}
	return s[i]
}

func (e *Editor) shades(from, to int, stay bool) shades {
	if !e.Color || e.Secret || from >= to {
		return nil
	}
	list := make(shades, to-from)
	if e.Guide.Tints != nil {
		text := e.buffer.String()
		offset, i := e.buffer.offset(from), from
		for _, tint := range e.Guide.Tints(text) {
			for ; i < to && offset < tint.End; i++ {
				if offset >= tint.Start {
					list[i-from] = tint.Shade
				}
				offset += len(e.buffer.text[i])
			}
		}
	}
	if stay {
		return list
	}
	if s := e.search; s != nil && s.query != "" && !s.missing {
		for i, n := e.buffer.at, 0; i < to && n < len(s.query); i++ {
			n += len(e.buffer.text[i])
			if i >= from {
				list[i-from] = "7"
			}
		}
	} else if here, there := e.pair(); here >= 0 {
		for _, i := range []int{here, there} {
			if i >= from && i < to {
				list[i-from] = strings.TrimPrefix(list[i-from]+";1;4", ";")
			}
		}
	}
	return list
}

// pair is the bracket before the cursor, if it closes, and the one it closes;
// -1 for none.
func (e *Editor) pair() (closing, opening int) {
	i := e.buffer.at - 1
	if i < 0 || !strings.Contains("})]", e.buffer.text[i]) {
		return -1, -1
	}
	if open := e.buffer.opener(i, e.buffer.text[i]); open >= 0 {
		return i, open
	}
	return -1, -1
}

// cutStyled is as much of a text with SGR sequences as fits into columns, and
// its width.
func cutStyled(text string, columns int) (string, int) {
	var out strings.Builder
	used, full := 0, false
	for i := 0; i < len(text); {
		if text[i] == 0x1b {
			end := i + 1
			for end < len(text) && text[end] != 'm' {
				end++
			}
			end = min(end+1, len(text))
			out.WriteString(text[i:end])
			i = end
			continue
		}
		r := []rune(text[i:min(i+4, len(text))])[0]
		w := display.RuneWidth(r)
		if full = full || used+w > columns; !full {
			out.WriteRune(r)
			used += w
		}
		i += max(len(string(r)), 1)
	}
	return out.String(), used
}
