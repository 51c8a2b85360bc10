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
	other  = iota
	space  // blank, tab, form feed, line ends
	letter // A-Z a-z _
	digit
	high // part of a code point beyond ASCII
)

var classes = makeClasses()

func makeClasses() (c [256]uint8) {
	for i := range c {
		switch b := byte(i); {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f':
			c[i] = space
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_':
			c[i] = letter
		case b >= '0' && b <= '9':
			c[i] = digit
		case b >= utf8.RuneSelf:
			c[i] = high
		}
	}
	return c
}

// skip is the offset of the first byte at or behind pos that is neither white
// space nor in a note. An open note is reported as a token by scan.
func skip(s string, pos int) int {
	for pos < len(s) {
		switch {
		case classes[s[pos]] == space:
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
	case letter:
		for pos++; pos < len(s) && (classes[s[pos]] == letter || classes[s[pos]] == digit); pos++ {
		}
		if pos < len(s) && classes[s[pos]] == high {
			return scanForeignName(s, start, pos)
		}
		return token{wordKind(s[start:pos], in), start, int32(pos)}, noFault
	case digit:
		return scanNumber(s, pos)
	case high:
		r, size := utf8.DecodeRuneInString(s[pos:])
		if isLetter(r) {
			return scanForeignName(s, start, pos)
		}
		return token{invalid, start, int32(pos + size)}, badCharacter
	}
	switch s[pos] {
	case '"':
		return scanQuoted(s, pos, text, openText)
	case '\'':
		return scanQuoted(s, pos, name, openName)
	case '/':
		switch {
		case strings.HasPrefix(s[pos:], "/*"):
			n := strings.Index(s[pos+2:], "*/")
			if n < 0 {
				return token{comment, start, int32(len(s))}, openComment
			}
			return token{comment, start, int32(pos + 2 + n + 2)}, noFault
		case strings.HasPrefix(s[pos:], "//"): // skip has left an open note
			return token{invalid, start, int32(len(s))}, openNote
		}
	}
	return scanSymbol(s, pos)
}
