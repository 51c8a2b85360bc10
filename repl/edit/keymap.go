package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A command is what a key does; before is what the key before did.
type command func(e *Editor, before act) Signal

// keymap is what each key does, by the habits of Emacs and readline.
var keymap map[string]command

func init() { // the commands refer to the keymap
	keymap = map[string]command{
		"Enter": func(e *Editor, _ act) Signal { return e.enter() },
		"C-c":   func(e *Editor, _ act) Signal { e.dropped = true; return Dropped },
		"C-d":   deleteOrEnd,
		"C-l":   func(*Editor, act) Signal { return Clear },
		"C-z":   func(*Editor, act) Signal { return Suspend },

		"C-b": motion(left), "C-f": motion(right), "M-b": motion(wordLeft), "M-f": motion(wordRight),
		"C-a": motion(lineStart), "C-e": motion(lineEnd), "Home": motion(textStart), "M-m": motion(textStart),
		"M-<": motion(blockStart), "M->": motion(blockEnd),
		"C-p": up, "C-n": down, "M-p": earlier, "M-n": later,
		"C-r": searchBack, "C-s": searchForth,

		"Backspace": erase, "Delete": deleteRight, "C-Delete": cutTo(wordRight, true),
		"C-k": cutTo(toLineEnd, true), "C-u": cutTo(toLineStart, false), "C-w": cutTo(spaceLeft, false),
		"M-d": cutTo(wordRight, true), "M-Backspace": cutTo(wordLeft, false),
		"C-y": yank, "M-y": yankOlder, "C-t": transpose,
		"M-u": recase(strings.ToUpper), "M-l": recase(strings.ToLower), "M-c": recase(capital),
		"C-_": undo, "M-_": redo,
		"M-Enter": openLine, "Tab": complete,
		"C-x C-e": func(*Editor, act) Signal { return TakeItAway },
	}
	for name, same := range map[string]string{
		"C-h": "Backspace", "C-m": "Enter", "C-i": "Tab", "S-Backspace": "Backspace", "C-Backspace": "M-Backspace", "M-C-h": "M-Backspace",
		"Left": "C-b", "Right": "C-f", "C-Left": "M-b", "C-Right": "M-f", "M-Left": "M-b", "M-Right": "M-f", "M-Delete": "M-d",
		"End": "C-e", "C-Home": "M-<", "C-End": "M->", "Up": "C-p", "Down": "C-n", "PageUp": "M-p", "PageDown": "M-n",
		"M-Up": "M-p", "M-Down": "M-n", "C-Up": "M-p", "C-Down": "M-n",
		"C-j": "M-Enter", "S-Enter": "M-Enter", "C-Enter": "M-Enter", "C-o": "M-Enter",
		"C-x C-u": "C-_", "C-x u": "C-_", "C-/": "C-_", "S-Tab": "Tab",
	} {
		keymap[name] = keymap[same]
	}
}

// A place is somewhere else in the text than the cursor.
type place func(b *buffer) int

func left(b *buffer) int      { return max(b.at-1, 0) }
func right(b *buffer) int     { return min(b.at+1, len(b.text)) }
func wordLeft(b *buffer) int  { return b.wordLeft(b.at) }
func wordRight(b *buffer) int { return b.wordRight(b.at) }
func spaceLeft(b *buffer) int { return b.spaceLeft(b.at) }
func lineStart(b *buffer) int { return b.lineStart(b.at) }
func lineEnd(b *buffer) int   { return b.lineEnd(b.at) }
func blockStart(*buffer) int  { return 0 }
func blockEnd(b *buffer) int  { return len(b.text) }

// textStart is the first letter of the line, or, from there, its first column.
func textStart(b *buffer) int {
	start := b.lineStart(b.at)
	at := start
	for at < len(b.text) && (b.text[at] == " " || b.text[at] == "\t") {
		at++
	}
	if at == b.at {
		return start
	}
	return at
}

// toLineEnd and toLineStart reach over the end of a line from there.
func toLineEnd(b *buffer) int {
	if end := b.lineEnd(b.at); end > b.at {
		return end
	}
	return right(b)
}

func toLineStart(b *buffer) int {
	if start := b.lineStart(b.at); start < b.at {
		return start
	}
	return left(b)
}

func motion(to place) command {
	return func(e *Editor, _ act) Signal {
		e.buffer.at = to(&e.buffer)
		return Editing
	}
}

// cutTo cuts up to a place.
func cutTo(to place, forward bool) command {
	return func(e *Editor, before act) Signal {
		b := &e.buffer
		from, end := b.at, to(b)
		if !forward {
			from, end = end, from
		}
		if from < end {
			e.cut.add(strings.Join(b.text[from:end], ""), before == actCut, forward)
			b.replace(from, end, "")
		}
		e.last = actCut
		return Editing
	}
}

func deleteOrEnd(e *Editor, before act) Signal {
	if len(e.buffer.text) == 0 {
		return Ended
	}
	return deleteRight(e, before)
}

func deleteRight(e *Editor, _ act) Signal {
	b := &e.buffer
	b.replace(b.at, right(b), "")
	return Editing
}

// erase deletes the letter before the cursor, or a step of indentation.
func erase(e *Editor, _ act) Signal {
	b := &e.buffer
	from := left(b)
	if start := b.lineStart(b.at); b.at > start && b.text[b.at-1] == " " && b.blankBefore(b.at) {
		from = start + (b.at-start-1)/len(step)*len(step)
	}
	b.replace(from, b.at, "")
	return Editing
}

func up(e *Editor, before act) Signal {
	b := &e.buffer
	if start := b.lineStart(b.at); start > 0 {
		e.vertical(before, b.lineStart(start-1))
		return Editing
	}
	e.walk(-1, before)
	return Editing
}

func down(e *Editor, before act) Signal {
	b := &e.buffer
	if end := b.lineEnd(b.at); end < len(b.text) {
		e.vertical(before, end+1)
		return Editing
	}
	e.walk(+1, before)
	return Editing
}

// vertical moves to the line that starts at start, as near to the column where
// such moves began as it can.
func (e *Editor) vertical(before act, start int) {
	b := &e.buffer
	if before != actVertical {
		e.goal = b.columnsTo(b.at)
	}
	b.at = b.atColumn(start, e.goal)
	e.last = actVertical
}

func earlier(e *Editor, before act) Signal { e.walk(-1, before); return Editing }
func later(e *Editor, before act) Signal   { e.walk(+1, before); return Editing }

func yank(e *Editor, _ act) Signal {
	if text := e.cut.newest(); text != "" {
		e.buffer.insert(text)
		e.last = actPaste
	}
	return Editing
}

// yankOlder exchanges what was just pasted for what was cut before it.
func yankOlder(e *Editor, before act) Signal {
	if before != actPaste || !e.buffer.undo() {
		return Editing
	}
	e.buffer.insert(e.cut.older())
	e.last = actPaste
	return Editing
}

// transpose exchanges the letters on both sides of the cursor, at the end of a
// line the two before it.
func transpose(e *Editor, _ act) Signal {
	b := &e.buffer
	at := b.at
	if at == b.lineEnd(at) {
		at--
	}
	if at-1 >= b.lineStart(b.at) && at < len(b.text) {
		b.replace(at-1, at+1, b.text[at]+b.text[at-1])
	}
	return Editing
}

func capital(word string) string {
	r, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToTitle(r)) + strings.ToLower(word[n:])
}

// recase changes the letters of the word behind the cursor.
func recase(change func(string) string) command {
	return func(e *Editor, _ act) Signal {
		b := &e.buffer
		for b.at < len(b.text) && !inWord(b.text[b.at]) {
			b.at++
		}
		if end := b.wordRight(b.at); end > b.at {
			b.replace(b.at, end, change(strings.Join(b.text[b.at:end], "")))
		}
		return Editing
	}
}

func undo(e *Editor, _ act) Signal {
	if !e.buffer.undo() {
		e.message = "nothing to undo"
	}
	return Editing
}

func redo(e *Editor, _ act) Signal {
	if !e.buffer.redo() {
		e.message = "nothing to redo"
	}
	return Editing
}

// openLine begins a line whatever the block lacks.
func openLine(e *Editor, _ act) Signal {
	e.newLine(e.indentHere())
	return Editing
}

// A ring is what was cut, newest last.
type ring struct {
	texts []string
	shown int // the one that was pasted last
}

const ringSize = 60

// add keeps text; where grow is set, as part of the newest entry.
func (r *ring) add(text string, grow, behind bool) {
	n := len(r.texts)
	switch {
	case grow && n > 0 && behind:
		r.texts[n-1] += text
	case grow && n > 0:
		r.texts[n-1] = text + r.texts[n-1]
	default:
		r.texts = append(r.texts[max(n-ringSize+1, 0):], text)
	}
}

func (r *ring) newest() string {
	r.shown = len(r.texts) - 1
	return r.at()
}

func (r *ring) older() string {
	if r.shown--; r.shown < 0 {
		r.shown = len(r.texts) - 1
	}
	return r.at()
}

func (r *ring) at() string {
	if r.shown < 0 || r.shown >= len(r.texts) {
		return ""
	}
	return r.texts[r.shown]
}
