package edit

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file completes what is typed, from a menu where there is a choice.

// A menu is the completions of the text before the cursor.
type menu struct {
	items  []Item
	start  int    // the first byte of what they replace
	typed  string // what they replace
	chosen int    // the item in the block; -1 for none
	top    int    // the first item that is shown
}

// complete continues what is typed as far as all completions agree. Where they
// part, it opens a menu, through which the next keys go. In the indentation of
// a line it indents.
func complete(e *Editor, _ act) Signal {
	b := &e.buffer
	if b.at > 0 && b.lineStart(b.at) > 0 && b.blankBefore(b.at) {
		b.insert(step[b.columnsTo(b.at)%len(step):])
		return Editing
	}
	if e.Guide.Complete == nil {
		return Editing
	}
	text, cursor := b.String(), b.offset(b.at)
	start, items := e.Guide.Complete(text, cursor)
	if start < 0 || start > cursor || len(items) == 0 {
		e.message = "nothing completes this"
		return Editing
	}
	typed := text[start:cursor]
	var fitting []Item
	for _, item := range items {
		if strings.HasPrefix(item.Text, typed) {
			fitting = append(fitting, item)
		}
	}
	if len(fitting) == 0 {
		e.message = "nothing completes this"
		return Editing
	}
	agreed := fitting[0].Text
	for _, item := range fitting[1:] {
		agreed = sharedPrefix(agreed, item.Text)
	}
	if len(agreed) > len(typed) {
		b.replace(b.index(start), b.at, agreed)
		typed = agreed
	} else if len(fitting) == 1 {
		e.message = typed + ": " + diagnostic.Visible(strings.Join(strings.Fields(fitting[0].What), " "))
	}
	if len(fitting) > 1 {
		e.menu = &menu{items: fitting, start: start, typed: typed, chosen: -1}
	}
	return Editing
}

// sharedPrefix is what a and b begin with alike, in whole code points.
func sharedPrefix(a, b string) string {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return a[:i]
		}
	}
	return a
}

// menuKey is what a key does while a menu is open; false where it closes the
// menu and then does what it always does.
func (e *Editor) menuKey(k Key) bool {
	m := e.menu
	switch k.Name {
	case "Tab", "Down", "C-n", "C-i":
		e.choose(m.chosen + 1)
	case "S-Tab", "Up", "C-p":
		e.choose(m.chosen - 1)
	case "PageDown":
		e.choose(min(m.chosen+10, len(m.items)-1))
	case "PageUp":
		e.choose(max(m.chosen-10, 0))
	case "Escape", "C-g":
		e.choose(-1)
		e.menu = nil
	case "Enter":
		e.menu = nil
		return m.chosen >= 0
	case "":
		e.menu = nil
		if m.chosen >= 0 {
			return false
		}
		e.narrow(k)
		return true
	default:
		e.menu = nil
		return false
	}
	return true
}

// choose puts item i into the block, round and round; -1 puts back what was
// typed.
func (e *Editor) choose(i int) {
	m, b := e.menu, &e.buffer
	switch {
	case i < -1:
		i = len(m.items) - 1
	case i >= len(m.items):
		i = 0
	}
	m.chosen = i
	text := m.typed
	if i >= 0 {
		text = m.items[i].Text
	}
	b.typing = false
	b.replace(b.index(m.start), b.at, text)
}

// narrow types a letter and keeps the menu open for what still fits.
func (e *Editor) narrow(k Key) {
	m := e.menu
	before := e.buffer.offset(e.buffer.at)
	e.typeText(k, actType)
	text := e.buffer.String()
	cursor := e.buffer.offset(e.buffer.at)
	if m == nil || cursor <= before {
		return
	}
	var fitting []Item
	for _, item := range m.items {
		if strings.HasPrefix(item.Text, text[m.start:cursor]) {
			fitting = append(fitting, item)
		}
	}
	if len(fitting) > 1 {
		e.menu = &menu{items: fitting, start: m.start, typed: text[m.start:cursor], chosen: -1}
	}
}

// rows lays the menu out in at most so many rows, the chosen item among them.
func (m *menu) rows(columns, rows int, color bool) []row {
	if rows <= 0 {
		return nil
	}
	shown := len(m.items)
	if shown > rows {
		shown = max(rows-1, 1)
	}
	m.top = min(max(m.top, m.chosen-shown+1), max(m.chosen, 0), len(m.items)-shown)
	m.top = max(m.top, 0)
	width := 0
	for _, item := range m.items[m.top : m.top+shown] {
		width = max(width, min(display.Width(item.Text), columns/2))
	}
	var list []row
	for i, item := range m.items[m.top : m.top+shown] {
		mark := "  "
		if i+m.top == m.chosen {
			mark = "> "
		}
		text := clip(diagnostic.Visible(item.Text), max(columns/2, 1))
		what := diagnostic.Visible(strings.Join(strings.Fields(item.What), " "))
		line := mark + text + strings.Repeat(" ", max(width-display.Width(text), 0)) + "  "
		what = clip(what, max(columns-display.Width(line), 0))
		list = append(list, shadedRow(columns, color, piece{line, chosenShade(mark)}, piece{what, "2"}))
	}
	if shown < len(m.items) && rows > 1 {
		text := "  … " + strconv.Itoa(len(m.items)-shown) + " more; Tab walks through them, another letter makes them fewer"
		list = append(list, shadedRow(columns, color, piece{text, "2"}))
	}
	return list
}

func chosenShade(mark string) string {
	if mark == "> " {
		return "1;36"
	}
	return ""
}
