package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file takes blocks from the history: one by one, and by searching.

// A past is a walk through the history.
type past struct {
	entries []string
	at      int            // the entry in the buffer, len(entries) for what is new
	edited  map[int]string // entries as they were left on the walk
	like    string         // how entries begin that the walk stops at
}

// has reports whether text is the entry where the walk stands.
func (p *past) has(text string) bool { return p.at < len(p.entries) && p.entries[p.at] == text }

// walk goes to the next entry in a direction that begins with what stood
// before the cursor when the walk began.
func (e *Editor) walk(direction int, before act) {
	b := &e.buffer
	if before != actHistory && e.past.at == len(e.past.entries) {
		e.past.like = ""
		if b.lines() == 1 {
			e.past.like = strings.Join(b.text[:b.at], "")
		}
	}
	if before == actHistory {
		e.last = before
	}
	p := &e.past
	text := b.String()
	for i := p.at + direction; i >= 0 && i <= len(p.entries); i += direction {
		if i < len(p.entries) && (!strings.HasPrefix(p.entries[i], p.like) || p.entries[i] == text) {
			continue
		}
		e.take(i)
		e.last = actHistory
		if direction > 0 { // reads on from the top
			b.at = b.lineEnd(0)
		}
		return
	}
	if len(p.entries) == 0 {
		return
	}
	e.message = "no earlier cell"
	if direction > 0 {
		e.message = ""
	} else if p.like != "" {
		e.message += " begins so"
	}
}

// take puts entry i into the buffer and keeps what was there for the way back.
func (e *Editor) take(i int) {
	p := &e.past
	if p.edited == nil {
		p.edited = map[int]string{}
	}
	p.edited[p.at] = e.buffer.String()
	p.at = i
	text, ok := p.edited[i]
	if !ok {
		text = p.entries[i]
	}
	e.buffer.set(text)
}

// A search looks through the history for text, letter by letter.
type search struct {
	query   string
	at      int // the entry that is shown; len(entries) for what was there before
	missing bool
	back    bool
	before  buffer // as it was when the search began
	old     past
	from    int // where the search goes on
}

func searchBack(e *Editor, _ act) Signal  { return e.beginSearch(true) }
func searchForth(e *Editor, _ act) Signal { return e.beginSearch(false) }

func (e *Editor) beginSearch(back bool) Signal {
	e.menu = nil
	e.search = &search{at: e.past.at, from: e.past.at, back: back, before: e.buffer, old: e.past}
	e.search.old.edited = maps.Clone(e.past.edited)
	e.search.before.text = slices.Clone(e.buffer.text)
	return Editing
}

// searchKey is what a key does during a search; false where it ends the search
// and then does what it always does.
func (e *Editor) searchKey(k Key) bool {
	s := e.search
	switch k.Name {
	case "", "Paste":
		s.query += strings.ReplaceAll(clean(k.Text), "\n", " ")
		e.find(false)
	case "Backspace", "C-h":
		_, n := utf8.DecodeLastRuneInString(s.query)
		s.query = s.query[:len(s.query)-n]
		s.from = len(e.past.entries)
		e.find(false)
	case "C-r", "C-s", "Up", "Down":
		s.back = k.Name == "C-r" || k.Name == "Up"
		if s.query == "" {
			s.query = e.past.like
		}
		e.find(true)
	case "C-g", "C-c":
		e.buffer, e.past, e.search = s.before, s.old, nil
	case "Escape", "Tab":
		e.search = nil
	default:
		e.search = nil
		if k.Name == "Enter" {
			e.buffer.at = len(e.buffer.text)
		}
		return false
	}
	return true
}

// find shows the nearest entry that holds the query, whatever the case; where
// next is set, another one than what is shown.
func (e *Editor) find(next bool) {
	s := e.search
	if s.query == "" {
		return
	}
	direction := 1
	if s.back {
		direction = -1
	}
	i := s.from
	if next {
		i += direction
	}
	shown := e.buffer.String()
	for ; i >= 0 && i <= len(e.past.entries); i += direction {
		if i == len(e.past.entries) {
			continue
		}
		at := indexFold(e.past.entries[i], s.query)
		if at < 0 || next && e.past.entries[i] == shown {
			continue
		}
		s.from, s.missing = i, false
		if i != e.past.at {
			e.take(i)
		}
		e.buffer.at = e.buffer.index(max(indexFold(e.buffer.String(), s.query), 0))
		return
	}
	s.missing = true
}

// indexFold is where text holds part, whatever the case of ASCII letters, as a
// byte offset; -1 for nowhere.
func indexFold(text, part string) int { return strings.Index(lowerASCII(text), lowerASCII(part)) }

func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// line is what a search shows below the block.
func (s *search) line() string {
	direction := "back"
	if !s.back {
		direction = "forward"
	}
	if s.missing {
		return fmt.Sprintf("search %s: %s (nowhere)", direction, s.query)
	}
	return fmt.Sprintf("search %s: %s", direction, s.query)
}
