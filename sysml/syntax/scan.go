package syntax

import (
	"strings"
	"unicode/utf8"
)

// This file turns text into tokens. A scanner has no state but its place, so
// that the parser can go back to a mark at no cost, and tokens are made only
// when they are asked for. White space and notes are skipped; Format and
// Tokens ask for them by trivia.

// A token is one token of a text, [start, end) in bytes.
type token struct {
	kind       tokenKind
	start, end int32
}

// A fault is what the scanner has against a token.
type fault uint8

const (
	noFault      fault = iota
	badCharacter       // a character that starts no token
	notUTF8            // a byte that is no part of a character
	openComment        // /* without */
	openNote           // //* without */
	openText           // a string that does not end on its line
	openName           // a quoted name that does not end on its line
	badEscape          // an escape sequence that does not exist
	digitFirst         // 5abc
	openFraction       // 5. with no digit
	notASCIIName       // letters that only a quoted name may have
)

// classes of bytes
const (
	otherClass  = iota
	spaceClass  // blank, tab, form feed, line ends
	letterClass // A-Z a-z _
	digitClass
	highClass // part of a code point beyond ASCII
)

var classes = makeClasses()

func makeClasses() (c [256]uint8) {
	for i := range c {
		switch b := byte(i); {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f':
			c[i] = spaceClass
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_':
			c[i] = letterClass
		case b >= '0' && b <= '9':
			c[i] = digitClass
		case b >= utf8.RuneSelf:
			c[i] = highClass
		}
	}
	return c
}

// skip is the offset of the first byte at or behind pos that is neither white
// space nor in a note. An open note is reported as a token by scan.
func skip(s string, pos int) int {
	for pos < len(s) {
		switch {
		case classes[s[pos]] == spaceClass:
			pos++
		case s[pos] == '/' && strings.HasPrefix(s[pos:], "//"):
			end := noteEnd(s, pos)
			if end < 0 {
				return pos
			}
			pos = end
		case s[pos] == '\xef' && pos == 0 && strings.HasPrefix(s, "\ufeff"): // byte order mark
			pos += len("\ufeff")
		default:
			return pos
		}
	}
	return pos
}

// noteEnd is the end of the note that starts at pos, the line end not
// included; negative for one that is open.
func noteEnd(s string, pos int) int {
	if strings.HasPrefix(s[pos:], "//*") {
		n := strings.Index(s[pos+3:], "*/")
		if n < 0 {
			return -1
		}
		return pos + 3 + n + 2
	}
	if n := strings.IndexByte(s[pos:], '\n'); n >= 0 {
		if n > 0 && s[pos+n-1] == '\r' {
			n--
		}
		return pos + n
	}
	return len(s)
}

// scan is the first token at or behind pos, and what is wrong with it.
func scan(s string, pos int, in reservedIn) (token, fault) {
	pos = skip(s, pos)
	start := int32(pos)
	if pos >= len(s) {
		return token{endOfText, start, start}, noFault
	}
	switch classes[s[pos]] {
	case letterClass:
		for pos++; pos < len(s) && (classes[s[pos]] == letterClass || classes[s[pos]] == digitClass); pos++ {
		}
		if pos < len(s) && classes[s[pos]] == highClass {
			return scanForeignName(s, start, pos)
		}
		return token{wordKind(s[start:pos], in), start, int32(pos)}, noFault
	case digitClass:
		return scanNumber(s, pos)
	case highClass:
		r, size := utf8.DecodeRuneInString(s[pos:])
		if isLetter(r) {
			return scanForeignName(s, start, pos)
		}
		if r == utf8.RuneError && size == 1 {
			return token{noToken, start, int32(pos + 1)}, notUTF8
		}
		return token{noToken, start, int32(pos + size)}, badCharacter
	}
	switch s[pos] {
	case '"':
		return scanQuoted(s, pos, stringValue, openText)
	case '\'':
		return scanQuoted(s, pos, ident, openName)
	case '/':
		switch {
		case strings.HasPrefix(s[pos:], "/*"):
			n := strings.Index(s[pos+2:], "*/")
			if n < 0 {
				return token{regularComment, start, int32(len(s))}, openComment
			}
			return token{regularComment, start, int32(pos + 2 + n + 2)}, noFault
		case strings.HasPrefix(s[pos:], "//"): // skip has left an open note
			return token{noToken, start, int32(len(s))}, openNote
		}
	}
	return scanSymbol(s, pos)
}
