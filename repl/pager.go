package repl

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/repl/edit"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file shows an output that is longer than the terminal, in the user's
// own pager or in one of ours. What ours has shown stays above the prompt,
// where scrolling finds it.

// pages reports whether text should be shown in pages: a person is at a
// terminal that has fewer rows.
func (s *session) pages(text string) bool {
	if !s.o.Interactive || s.o.Dumb || s.o.Raw == nil || s.keys == nil {
		return false
	}
	columns, rows := s.o.Size()
	return rows > 2 && height(text, columns) > rows-1
}

// height is how many rows text takes in a terminal of so many columns.
func height(text string, columns int) int {
	n := 0
	for line := range strings.Lines(text) {
		n += max((display.Width(plain(strings.TrimSuffix(line, "\n")))+columns-1)/max(columns, 1), 1)
	}
	return n
}

// page shows text until the user has seen enough.
func (s *session) page(ctx context.Context, text string) {
	if s.o.Pager != "" {
		if s.lend(ctx, s.o.Pager, text, nil) == nil {
			return
		}
		s.o.Pager = "" // it cannot be started; ours can
	}
	restore, err := s.raw()
	if err != nil {
		_, _ = io.WriteString(s.o.Out, text)
		return
	}
	p := &pager{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	_, _ = io.WriteString(s.o.Out, "\x1b[?1049h\x1b[?25l")
	s.turnPages(ctx, p)
	_, _ = io.WriteString(s.o.Out, "\x1b[?25h\x1b[?1049l")
	restore()
	_, _ = io.WriteString(s.o.Out, p.left())
}

func (s *session) turnPages(ctx context.Context, p *pager) {
	for {
		p.fit(s.o.Size())
		_, _ = io.WriteString(s.o.Out, "\x1b[H"+strings.Join(p.screen(), "\x1b[K\r\n")+"\x1b[K\x1b[J")
		for {
			key, ok, err := s.keys.Next(ctx, edit.ResizeTime)
			if err != nil || ok && p.press(key) {
				return
			}
			if columns, rows := s.o.Size(); ok || columns != p.columns || rows != p.height {
				break
			}
		}
	}
}

// A pager is a text and the part of it that is on the screen.
type pager struct {
	lines           []string
	columns, height int      // of the terminal
	rows            []string // the lines as they are broken there
	top             int      // the first row on the screen
	seen            int      // rows that were on the screen, from the first one
	query           string
	back            bool   // the search goes up
	asking          string // what is typed at the foot, behind its / or ?
	note            string // shown at the foot until the next key
}

// fit breaks the lines for a terminal of that size.
func (p *pager) fit(columns, rows int) {
	if columns != p.columns {
		p.rows = nil
		for _, line := range p.lines {
			p.rows = append(p.rows, brokenRows(line, columns)...)
		}
	}
	p.columns, p.height = columns, rows
	p.move(p.top)
}

// room is how many rows of the text are on the screen.
func (p *pager) room() int { return max(p.height-1, 1) }

func (p *pager) last() int { return max(len(p.rows)-p.room(), 0) }

func (p *pager) move(top int) {
	p.top = min(max(top, 0), p.last())
	p.seen = max(p.seen, min(p.top+p.room(), len(p.rows)))
}

// press is what a key does; true where it leaves.
func (p *pager) press(k edit.Key) (leave bool) {
	p.note = ""
	if p.asking != "" {
		p.ask(k)
		return false
	}
	switch name := k.Name + k.Text; name {
	case "q", "Q", "Escape", "C-c", "C-d":
		return true
	case " ", "f", "PageDown", "C-f", "C-v":
		p.move(p.top + p.room())
	case "b", "PageUp", "C-b", "M-v":
		p.move(p.top - p.room())
	case "Enter", "C-j", "j", "e", "Down", "C-n":
		p.move(p.top + 1)
	case "k", "y", "Up", "C-p":
		p.move(p.top - 1)
	case "d":
		p.move(p.top + p.room()/2)
	case "u", "C-u":
		p.move(p.top - p.room()/2)
	case "g", "<", "Home", "M-<":
		p.move(0)
	case "G", ">", "End", "M->":
		p.move(p.last())
	case "/", "?":
		p.asking = name
	case "n":
		p.find(p.back)
	case "N":
		p.find(!p.back)
	case "a":
		p.seen = len(p.rows)
		return true
	default:
		p.note = "space, b: page · j, k: line · g, G: start, end · /, ?, n, N: search · a: all of it · q: leave"
	}
	return false
}

// ask takes a key of what is searched for.
func (p *pager) ask(k edit.Key) {
	switch k.Name {
	case "":
		p.asking += k.Text
	case "Backspace", "C-h":
		letters := []rune(p.asking)
		p.asking = string(letters[:len(letters)-1])
	case "Enter", "C-j":
		p.back = p.asking[0] == '?'
		if p.asking[1:] != "" {
			p.query = p.asking[1:]
		}
		p.asking = ""
		p.find(p.back)
	default:
		p.asking = ""
	}
}

// find goes to the nearest row below or above the first one that holds the
// query, whatever the case.
func (p *pager) find(back bool) {
	if p.query == "" {
		p.note = "nothing is searched for yet; / asks"
		return
	}
	step := 1
	if back {
		step = -1
	}
	for i := p.top + step; i >= 0 && i < len(p.rows); i += step {
		if p.holds(i) {
			if before := p.top; i > p.last() && before == p.last() && step > 0 {
				break
			}
			p.move(i)
			return
		}
	}
	p.note = "nothing more of " + p.query
	if !slices.ContainsFunc(p.rows, p.has) {
		p.note = p.query + " is nowhere"
	}
}

func (p *pager) holds(i int) bool { return p.has(p.rows[i]) }

func (p *pager) has(row string) bool {
	return strings.Contains(strings.ToLower(plain(row)), strings.ToLower(p.query))
}

// screen is the rows of the terminal.
func (p *pager) screen() []string {
	end := min(p.top+p.room(), len(p.rows))
	var list []string
	for _, row := range p.rows[p.top:end] {
		if p.query != "" && p.has(row) {
			row = marking(plain(row), p.query)
		}
		list = append(list, row)
	}
	foot := fmt.Sprintf("-- %d to %d of %d · space: on · b: back · /: search · a: all · q: leave --", p.top+1, end, len(p.rows))
	switch {
	case p.asking != "":
		foot = p.asking
	case p.note != "":
		foot = p.note
	}
	return append(list, display.Cut(foot, p.columns-1))
}

// marking is a row with what is searched for in reverse video.
func marking(row, query string) string {
	var out strings.Builder
	lower, query := strings.ToLower(row), strings.ToLower(query)
	if len(lower) != len(row) { // letters whose cases differ in length
		return row
	}
	for {
		at := strings.Index(lower, query)
		if at < 0 {
			return out.String() + row
		}
		end := at + len(query)
		out.WriteString(row[:at] + "\x1b[7m" + row[at:end] + "\x1b[0m")
		row, lower = row[end:], lower[end:]
	}
}

// scrollback is the most rows that a pager leaves above the prompt; of more,
// the last page.
const scrollback = 1000

// left is what stays on the terminal: what was seen.
func (p *pager) left() string {
	rows := p.rows[:p.seen]
	if p.seen > scrollback && p.seen < len(p.rows) {
		rows = p.rows[p.top:min(p.top+p.room(), len(p.rows))]
	}
	return strings.Join(rows, "\n") + "\n"
}
