package repl

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file shows an output that is longer than the terminal a page at a time.
// What was shown stays above the prompt, where scrolling finds it.

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
		n += rowsOf(strings.TrimSuffix(line, "\n"), columns)
	}
	return n
}

func rowsOf(line string, columns int) int {
	return max((display.Width(line)+columns-1)/max(columns, 1), 1)
}

// page writes text and waits whenever the terminal is full; false where the
// user has seen enough.
func (s *session) page(ctx context.Context, text string) bool {
	lines := slices.Collect(strings.Lines(text))
	columns, rows := s.o.Size()
	room := rows - 1
	for i, line := range lines {
		if rowsOf(strings.TrimSuffix(line, "\n"), columns) > room {
			next, ok := s.more(ctx, i, len(lines))
			if !ok {
				return false
			}
			if room = next; room == 0 {
				_, _ = io.WriteString(s.o.Out, strings.Join(lines[i:], ""))
				return true
			}
			columns, rows = s.o.Size()
			room = min(room, rows-1)
		}
		room -= rowsOf(strings.TrimSuffix(line, "\n"), columns)
		_, _ = io.WriteString(s.o.Out, line)
	}
	return true
}

// more asks how to go on behind line shown of all and is how many rows to show
// next, 0 for all that is left; false for none.
func (s *session) more(ctx context.Context, shown, all int) (rows int, ok bool) {
	restore, err := s.raw()
	if err != nil {
		return 0, true
	}
	defer restore()
	bar := fmt.Sprintf("-- %d of %d lines · space: page · enter: line · a: all · q: stop --", shown, all)
	columns, height := s.o.Size()
	_, _ = io.WriteString(s.o.Out, cutColumns(bar, columns-1))
	defer io.WriteString(s.o.Out, "\r\x1b[K")
	for {
		key, ok, err := s.keys.key(ctx, time.Hour)
		switch {
		case err != nil || ok && (key == 'q' || key == magics.KeyEscape || key == ctrlC):
			return 0, false
		case key == ' ' || key == 'f':
			return height - 1, true
		case key == '\r' || key == '\n' || key == magics.KeyDown:
			return 1, true
		case key == 'a' || key == 'G':
			return 0, true
		}
	}
}
