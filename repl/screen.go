package repl

import (
	"context"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/repl/edit"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// OpenScreen implements magics.ScreenSink: the terminal's second page, or, on
// one that cannot move its cursor, frames below each other.
func (k *sink) OpenScreen() (magics.Screen, bool) {
	s := k.s
	if !s.o.Interactive {
		return nil, false
	}
	k.EndLine()
	if s.o.Dumb {
		return &dumbScreen{s}, true
	}
	restore, err := s.raw()
	if err != nil {
		return nil, false
	}
	s.keys.onInterrupt(k.stop)
	w := &screen{s: s, restore: restore}
	w.write("\x1b[?1049h\x1b[?25l")
	return w, true
}

// A screen is the second page of the terminal.
type screen struct {
	s             *session
	restore       func()
	last          magics.Frame
	columns, rows int // that last was drawn for
}

func (w *screen) write(text string) { _, _ = io.WriteString(w.s.o.Out, text) }

// Show implements magics.Screen.
func (w *screen) Show(f magics.Frame) {
	w.last = f
	w.columns, w.rows = w.s.o.Size()
	lines := frameLines(f, w.columns, w.rows, w.s.o.Color)
	w.write("\x1b[?25l\x1b[H" + strings.Join(lines, "\x1b[K\r\n") + "\x1b[K\x1b[J")
}

// Key implements magics.Screen. While it waits, it follows the size of the
// terminal.
func (w *screen) Key(ctx context.Context) (rune, error) {
	for {
		key, ok, err := w.s.keys.key(ctx, edit.ResizeTime)
		if err != nil || ok && key != 0 {
			return key, err
		}
		if columns, rows := w.s.o.Size(); columns != w.columns || rows != w.rows {
			w.Show(w.last)
		}
	}
}

// Ask implements magics.Screen: a line at the bottom, with backspace alone.
func (w *screen) Ask(ctx context.Context, prompt string) (string, error) {
	var typed []rune
	defer w.write("\x1b[?25l")
	for {
		_, rows := w.s.o.Size()
		w.write("\x1b[" + strconv.Itoa(rows) + ";1H\x1b[K" + prompt + string(typed) + "\x1b[?25h")
		key, err := w.Key(ctx)
		switch {
		case err != nil || key == magics.KeyEscape:
			return "", err
		case key == '\r' || key == '\n':
			return string(typed), nil
		case key == 0x7f || key == '\b':
			typed = typed[:max(len(typed)-1, 0)]
		case key >= ' ':
			typed = append(typed, key)
		}
	}
}

// Close implements magics.Screen.
func (w *screen) Close() {
	w.write("\x1b[?25h\x1b[?1049l")
	w.s.keys.onInterrupt(nil)
	w.restore()
}

var marked = lazily(`●[0-9]+|┏━*┓|┗[━┯┷]*┛|┃|◀`)

// frameLines lays a frame out for a terminal: every line fits, and there are
// no more of them than rows.
func frameLines(f magics.Frame, columns, rows int, color bool) []string {
	paint := func(code, text string) string {
		if !color {
			return text
		}
		return shaded(code, text)
	}
	fit := func(text string) string { return display.Cut(diagnostic.Visible(text), columns) }
	var foot []string
	for i, choice := range f.Choices {
		if i == 9 {
			foot = append(foot, fit("  … and more; %choices lists them all"))
			break
		}
		foot = append(foot, paint(shadeStrong, " "+strconv.Itoa(i+1))+"  "+display.Cut(diagnostic.Visible(choice), columns-4))
	}
	for line := range strings.SplitSeq(render.Wrapped(diagnostic.Visible(f.Note), columns), "\n") {
		if line != "" {
			foot = append(foot, paint(shadeNote, line))
		}
	}
	for line := range strings.SplitSeq(render.Wrapped(f.Keys, columns), "\n") {
		foot = append(foot, paint(shadeFaint, line))
	}
	foot = foot[min(max(len(foot)-rows+3, 0), len(foot)):]
	lines := []string{paint(shadeStrong, fit(f.Title))}
	if room := rows - len(foot) - 1; room > 0 && f.Body != nil {
		for _, line := range window(strings.Split(strings.TrimRight(f.Body(columns), "\n"), "\n"), room) {
			line = fit(line)
			if color {
				line = marked().ReplaceAllStringFunc(line, func(text string) string { return paint(shadeCurrent, text) })
			}
			lines = append(lines, line)
		}
	}
	for len(lines)+len(foot) < rows {
		lines = append(lines, "")
	}
	return append(lines, foot...)[:max(rows, 1)]
}

// window is at most room of the lines, those around the first marked one.
func window(lines []string, room int) []string {
	if len(lines) <= room {
		return lines
	}
	first, last := len(lines), 0
	for i, line := range lines {
		if strings.Contains(line, "┏") || strings.Contains(line, "◀") || tokenMark().MatchString(line) {
			first, last = min(first, i), i
		}
	}
	from := max((first+last-room)/2, 0)
	if first < len(lines) {
		from = min(from, first)
	} else {
		from = 0
	}
	from = min(from, len(lines)-room)
	return lines[from : from+room]
}

var tokenMark = lazily(`●[0-9]`)

// A dumbScreen prints frames below each other and reads a line for each key.
type dumbScreen struct{ s *session }

// Show implements magics.Screen.
func (d *dumbScreen) Show(f magics.Frame) {
	columns, _ := d.s.o.Size()
	var lines []string
	if f.Body != nil {
		lines = append(lines, strings.TrimRight(f.Body(columns), "\n"))
	}
	lines = append(lines, f.Title) // below the picture, which may push it off the top
	for i, choice := range f.Choices {
		lines = append(lines, " "+strconv.Itoa(i+1)+"  "+choice)
	}
	if f.Note != "" {
		lines = append(lines, render.Wrapped(f.Note, columns))
	}
	lines = append(lines, render.Wrapped(f.Keys, columns))
	_, _ = io.WriteString(d.s.o.Out, diagnostic.Visible(strings.Join(lines, "\n")+"\n"))
}

// Key implements magics.Screen: the first letter of a line; an empty line
// makes a step.
func (d *dumbScreen) Key(ctx context.Context) (rune, error) {
	line, err := d.s.plainLine(ctx, "key> ")
	if err != nil {
		return 0, err
	}
	if line = strings.TrimSpace(line); line == "" {
		return '\n', nil
	}
	r, _ := utf8.DecodeRuneInString(line)
	return r, nil
}

// Ask implements magics.Screen.
func (d *dumbScreen) Ask(ctx context.Context, prompt string) (string, error) {
	return d.s.plainLine(ctx, prompt)
}

// Close implements magics.Screen.
func (d *dumbScreen) Close() {}
