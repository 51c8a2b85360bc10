package edit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A buffer is a block of text with a cursor. Its unit is the grapheme cluster,
// what a reader calls a letter; the end of a line is a cluster of its own. The
// cursor stands before cluster at, 0 <= at <= len(text).
type buffer struct {
	text         []string
	at           int
	done, undone []change
	typing       bool // the newest change may grow by what is typed next
}

// A change replaced old by new at cluster from; the cursor was at before.
type change struct {
	from     int
	old, new []string
	before   int
}

const maxChanges = 1000 // that can be taken back

// clusters cuts text into grapheme clusters.
func clusters(text string) []string {
	list := make([]string, 0, len(text))
	state := -1
	for text != "" {
		if ascii(text[0]) && (len(text) == 1 || ascii(text[1])) {
			list, text, state = append(list, text[:1]), text[1:], -1
			continue
		}
		var cluster string
		cluster, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		list = append(list, cluster)
	}
	return list
}

func ascii(b byte) bool { return b < utf8.RuneSelf }

// clean is text as a buffer keeps it: valid, its lines ended by \n alone.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}

func (b *buffer) String() string { return strings.Join(b.text, "") }

// offset is where cluster at begins, in bytes.
func (b *buffer) offset(at int) int {
	n := 0
	for _, cluster := range b.text[:at] {
		n += len(cluster)
	}
	return n
}

// index is the first cluster that begins at or behind a byte.
func (b *buffer) index(offset int) int {
	n := 0
	for i, cluster := range b.text {
		if n >= offset {
			return i
		}
		n += len(cluster)
	}
	return len(b.text)
}

// set makes text the whole block, without a way back.
func (b *buffer) set(text string) {
	b.text = clusters(clean(text))
	b.at = len(b.text)
	b.done, b.undone, b.typing = nil, nil, false
}

// replace puts text in the place of the clusters from up to to, and the cursor
// behind it. Letters beside it may join it to clusters.
func (b *buffer) replace(from, to int, text string) {
	first, last := from, to
	if !b.plain(from-1) || !b.plain(to) || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		first, last = b.lineStart(from), b.lineEnd(to)
	}
	left := strings.Join(b.text[first:from], "") + text
	fresh := clusters(left + strings.Join(b.text[to:last], ""))
	c := change{from: first, old: slices.Clone(b.text[first:last]), new: fresh, before: b.at}
	b.text = slices.Replace(b.text, first, last, fresh...)
	b.at = first
	for n := 0; n < len(left); b.at++ {
		n += len(b.text[b.at])
	}
	b.keep(c)
}

// plain reports whether cluster i joins nothing, as the ends of the text do.
func (b *buffer) plain(i int) bool {
	return i < 0 || i >= len(b.text) || len(b.text[i]) == 1
}

// keep remembers a change, what is typed in one go as one.
func (b *buffer) keep(c change) {
	b.undone = nil
	if n := len(b.done); n > 0 && b.typing && len(c.old) == 0 {
		if top := &b.done[n-1]; top.from+len(top.new) == c.from {
			top.new = append(top.new, c.new...)
			return
		}
	}
	c.new = slices.Clone(c.new)
	b.done = append(b.done, c)
	if len(b.done) > maxChanges {
		b.done = slices.Delete(b.done, 0, len(b.done)-maxChanges)
	}
}

func (b *buffer) insert(text string) { b.replace(b.at, b.at, text) }

// undo takes the newest change back; redo makes it again.
func (b *buffer) undo() bool {
	c, ok := shift(&b.done, &b.undone)
	if ok {
		b.text = slices.Replace(b.text, c.from, c.from+len(c.new), c.old...)
		b.at = c.before
	}
	return ok
}

func (b *buffer) redo() bool {
	c, ok := shift(&b.undone, &b.done)
	if ok {
		b.text = slices.Replace(b.text, c.from, c.from+len(c.old), c.new...)
		b.at = c.from + len(c.new)
	}
	return ok
}

// shift moves the newest change of from to the end of to.
func shift(from, to *[]change) (c change, ok bool) {
	n := len(*from)
	if n == 0 {
		return c, false
	}
	c = (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, c)
	return c, true
}

// lineStart and lineEnd are the ends of the line that at stands in.
func (b *buffer) lineStart(at int) int {
	for at > 0 && b.text[at-1] != "\n" {
		at--
	}
	return at
}

func (b *buffer) lineEnd(at int) int {
	for at < len(b.text) && b.text[at] != "\n" {
		at++
	}
	return at
}

// lines is how many lines there are.
func (b *buffer) lines() int {
	n := 1
	for _, cluster := range b.text {
		if cluster == "\n" {
			n++
		}
	}
	return n
}

// blankBefore reports whether nothing but white space stands between the start
// of its line and at.
func (b *buffer) blankBefore(at int) bool {
	for i := b.lineStart(at); i < at; i++ {
		if b.text[i] != " " && b.text[i] != "\t" {
			return false
		}
	}
	return true
}

// columnsTo is the width of the line of at up to at.
func (b *buffer) columnsTo(at int) int {
	column := 0
	for i := b.lineStart(at); i < at; i++ {
		column += clusterWidth(b.text[i], column)
	}
	return column
}

// atColumn is the cluster of the line that starts at start which stands at a
// column, or the end of the line.
func (b *buffer) atColumn(start, column int) int {
	used := 0
	for i := start; i < len(b.text) && b.text[i] != "\n"; i++ {
		if used += clusterWidth(b.text[i], used); used > column {
			return i
		}
	}
	return b.lineEnd(start)
}

func inWord(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func isSpace(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsSpace(r)
}

// wordLeft is the start of the word before at; wordRight the end of the one
// behind.
func (b *buffer) wordLeft(at int) int {
	for at > 0 && !inWord(b.text[at-1]) {
		at--
	}
	for at > 0 && inWord(b.text[at-1]) {
		at--
	}
	return at
}

func (b *buffer) wordRight(at int) int {
	for at < len(b.text) && !inWord(b.text[at]) {
		at++
	}
	for at < len(b.text) && inWord(b.text[at]) {
		at++
	}
	return at
}

// spaceLeft is where the text before at begins that has no white space.
func (b *buffer) spaceLeft(at int) int {
	for at > 0 && isSpace(b.text[at-1]) {
		at--
	}
	for at > 0 && !isSpace(b.text[at-1]) {
		at--
	}
	return at
}

// opener is the bracket that one at i would close, -1 for none. It sees no
// strings or comments, for which it is right more often than not.
func (b *buffer) opener(i int, closing string) int {
	opening := map[string]string{"}": "{", ")": "(", "]": "["}[closing]
	for depth := 0; i > 0; {
		i--
		switch b.text[i] {
		case closing:
			depth++
		case opening:
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}
