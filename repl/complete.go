package repl

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// completer is a session as readline asks it for completions.
type completer session

// Do implements readline.AutoCompleter. It continues what is typed as far as
// all matches agree; where they part, it lists them with what they are above
// the line, and continues nothing.
func (c *completer) Do(line []rune, pos int) ([][]rune, int) {
	code := c.pending + strings.ReplaceAll(string(line), string(lineEnd), "\n")
	before := len([]rune(c.pending))
	found := c.shell.Complete(context.Background(), code, before+pos)
	if found.Start < before || found.Start > before+pos {
		return nil, 0
	}
	typed := string(line[found.Start-before : pos])
	var fitting []magics.Match
	for _, m := range found.Matches {
		if strings.HasPrefix(m.Text, typed) {
			fitting = append(fitting, m)
		}
	}
	if len(fitting) == 0 {
		return nil, 0
	}
	rest := []rune(fitting[0].Text)[len([]rune(typed)):]
	for _, m := range fitting[1:] {
		rest = agreed(rest, []rune(m.Text)[len([]rune(typed)):])
	}
	if len(rest) > 0 {
		return [][]rune{rest}, len([]rune(typed))
	}
	if len(fitting) > 1 && c.line != nil {
		columns, rows := c.o.Size()
		_, _ = io.WriteString(c.line.Stdout(), matchList(fitting, columns, max(rows-4, 5), c.o.Color))
	}
	return nil, 0
}

// agreed is what a and b begin with alike.
func agreed(a, b []rune) []rune {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return a[:i]
		}
	}
	return a
}

// matchList is a line for each match with what it is; of very many, the first.
func matchList(list []magics.Match, columns, rows int, color bool) string {
	more := 0
	if len(list) > rows {
		more = len(list) - rows + 1
		list = list[:rows-1]
	}
	width := 0
	for _, m := range list {
		width = max(width, min(display.Width(m.Text), columns/2))
	}
	var b strings.Builder
	for _, m := range list {
		what := m.Type
		if m.Signature != "" {
			what = m.Signature
			if m.Type != "magic" && m.Type != "flag" && !strings.Contains(what, m.Type) {
				what = m.Type + ": " + what
			}
		}
		text := cutColumns(diagnostic.Visible(m.Text), columns/2)
		text += strings.Repeat(" ", max(width-display.Width(text), 0))
		what = cutColumns(diagnostic.Visible(strings.Join(strings.Fields(what), " ")), max(columns-width-3, 8))
		if color {
			what = "\x1b[2m" + what + "\x1b[0m"
		}
		b.WriteString(strings.TrimRight(text+"  "+what, " ") + "\n")
	}
	if more > 0 {
		fmt.Fprintf(&b, "… %d more; another letter makes them fewer\n", more)
	}
	return b.String()
}
