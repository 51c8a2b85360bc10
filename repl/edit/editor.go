package edit

import (
	"strings"
)

// A Guide is what an Editor asks about its text. Functions that are nil have
// no answer; all are called from the goroutine of the editor.
type Guide struct {
	// Enter says what the Enter key does to text at the end of a block: run
	// it, or begin another line with indent. again says that the text is one
	// of the history, as it was entered.
	Enter func(text string, again bool) (run bool, indent string)
	// Complete lists what could stand at the cursor, a byte offset, in the
	// place of text[start:cursor].
	Complete func(text string, cursor int) (start int, items []Item)
	// Tints are the colours of text, in its order.
	Tints func(text string) []Tint
	// Hint is a line to show below text, "" for none; inside says that there
	// are lines below the cursor, again what it says to Enter.
	Hint func(text string, inside, again bool) string
	// Outside edits text elsewhere, such as in the user's own editor; ok is
	// false where it could not.
	Outside func(text string) (changed string, ok bool)
}

// An Item is one completion.
type Item struct {
	Text string // what it puts in the place of what is typed
	What string // what it is, in a few words
}

// A Tint is the colour of a piece of text, from byte Start up to byte End, as
// the parameters of an SGR sequence: "1;36".
type Tint struct {
	Start, End int
	Shade      string
}

// An Editor holds one block of text and changes it key by key. What was cut
// outlives the block. Make one with [New].
type Editor struct {
	// Prompt stands before the first line, and may hold SGR sequences, which
	// take no room; Gutter stands before the others.
	Prompt, Gutter string
	// Secret hides the text.
	Secret bool
	// Color allows colours.
	Color bool
	Guide Guide

	buffer  buffer
	cut     ring
	past    past
	search  *search
	menu    *menu
	prefix  string // a key that waits for another
	last    act    // what the key before did
	goal    int    // the column that Up and Down keep to
	message string // shown until the next key
	dropped bool   // it was given up by Ctrl-C
}

// An act is what a key did, as far as the next key has to know.
type act uint8

const (
	actOther    act = iota
	actType         // typed a letter
	actCut          // cut text, to which the next cut is added
	actPaste        // pasted what was cut, which can be exchanged
	actVertical     // moved up or down
	actHistory      // took an entry of the history
)

// A Signal is what a key asks of whoever runs the editor.
type Signal uint8

// The signals.
const (
	Editing    Signal = iota // nothing: the next key, please
	Accepted                 // the block is to run
	Dropped                  // the block is given up
	Ended                    // there is nothing more to come
	Clear                    // clear the screen and go on
	Suspend                  // stop the process and go on later
	TakeItAway               // edit the block elsewhere, by Guide.Outside
)

// New makes an editor.
func New(g Guide) *Editor { return &Editor{Guide: g} }

// Begin starts another block: text to begin with, and the history that it can
// be replaced from, oldest entry first.
func (e *Editor) Begin(text string, history []string) {
	e.buffer = buffer{}
	e.buffer.set(text)
	e.past = past{entries: history, at: len(history)}
	e.search, e.menu, e.prefix, e.last, e.message, e.dropped = nil, nil, "", actOther, "", false
}

// Text is the block as it is now.
func (e *Editor) Text() string { return e.buffer.String() }

// Replace puts text in the place of the block, which undo brings back.
func (e *Editor) Replace(text string) {
	e.buffer.typing = false
	e.buffer.replace(0, len(e.buffer.text), clean(text))
}

// Press lets the editor have a key.
func (e *Editor) Press(k Key) Signal {
	e.message = ""
	if e.prefix != "" {
		k, e.prefix = Key{Name: e.prefix + " " + k.Name + k.Text}, ""
	} else if k.Name == "C-x" {
		e.prefix = k.Name
		return Editing
	}
	if e.search != nil {
		if e.searchKey(k) {
			return Editing
		}
	}
	if e.menu != nil && e.menuKey(k) {
		return Editing
	}
	before := e.last
	e.last = actOther
	if k.Name == "" || k.Name == "Paste" {
		e.typeText(k, before)
		return Editing
	}
	e.buffer.typing = false
	command := keymap[k.Name]
	if command == nil {
		return Editing
	}
	return command(e, before)
}

// typeText inserts what a key types, or a whole paste, whose line ends never
// run it.
func (e *Editor) typeText(k Key, before act) {
	b := &e.buffer
	text := clean(k.Text)
	if k.Name == "Paste" {
		if b.at == len(b.text) {
			text = strings.TrimRight(text, "\n")
		}
		b.typing = false
		b.insert(text)
		return
	}
	b.typing = before == actType && text != " "
	if (text == "}" || text == ")" || text == "]") && b.blankBefore(b.at) {
		e.align(text)
	}
	b.insert(text)
	b.typing = true
	e.last = actType
}

// align indents a line that begins with a closing bracket like the one that
// opens it.
func (e *Editor) align(closing string) {
	b := &e.buffer
	open := b.opener(b.at, closing)
	start := b.lineStart(b.at)
	if open < 0 || b.lineStart(open) == start || start == b.at {
		return
	}
	first := b.lineStart(open)
	end := first
	for b.text[end] == " " || b.text[end] == "\t" {
		end++
	}
	if indent := strings.Join(b.text[first:end], ""); len(indent) < b.at-start {
		b.typing = false
		b.replace(start, b.at, indent)
	}
}

// enter runs the block, or begins another line where it lacks something or the
// cursor stands inside it.
func (e *Editor) enter() Signal {
	b := &e.buffer
	run, indent := true, ""
	if e.Guide.Enter != nil {
		text := b.String()
		run, indent = e.Guide.Enter(text, e.past.has(text))
	}
	if b.at > 0 && b.at < len(b.text) && b.text[b.at-1] == "{" && b.text[b.at] == "}" {
		indent := e.indentHere()
		e.newLine(indent)
		b.insert("\n" + indent[:len(indent)-len(step)])
		b.at = b.lineStart(b.at) - 1
		return Editing
	}
	behind := strings.TrimSpace(strings.Join(b.text[b.lineEnd(b.at):], ""))
	if run && behind == "" {
		b.at = len(b.text)
		for last := b.lineStart(b.at); last > 0 && b.blankBefore(b.at); last = b.lineStart(b.at) {
			b.replace(last-1, b.at, "") // empty lines only said that it shall run
		}
		return Accepted
	}
	if behind != "" || b.at < b.lineEnd(b.at) {
		indent = e.indentHere()
	}
	if start := b.lineStart(b.at); start > 0 && b.blankBefore(b.at) {
		b.replace(start, b.at, "") // the indentation of a line that stays empty
	}
	e.newLine(indent)
	return Editing
}

// newLine breaks the line at the cursor; what moves to the next one begins with
// indent.
func (e *Editor) newLine(indent string) {
	b := &e.buffer
	to := b.at
	for to < len(b.text) && (b.text[to] == " " || b.text[to] == "\t") {
		to++
	}
	b.replace(b.at, to, "\n"+indent)
}

// step is one step of indentation.
const step = "    "

// indentHere is the indentation for a line broken at the cursor: that of the
// line, deeper behind an opening bracket.
func (e *Editor) indentHere() string {
	b := &e.buffer
	start, end := b.lineStart(b.at), b.lineStart(b.at)
	for end < b.at && (b.text[end] == " " || b.text[end] == "\t") {
		end++
	}
	indent := strings.Join(b.text[start:end], "")
	last := b.at
	for last > end && isSpace(b.text[last-1]) {
		last--
	}
	if last > end && strings.Contains("{([", b.text[last-1]) {
		indent += step
	}
	return indent
}
