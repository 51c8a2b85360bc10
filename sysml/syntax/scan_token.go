package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file scans the tokens that are not words or comments.

func scanSymbol(s string, pos int) (token, fault) {
	start := int32(pos)
	var next, after byte
	if pos+1 < len(s) {
		next = s[pos+1]
		if pos+2 < len(s) {
			after = s[pos+2]
		}
	}
	kind, size := noToken, int32(1)
	switch s[pos] {
	case '{':
		kind = lbrace
	case '}':
		kind = rbrace
	case '(':
		kind = lparen
	case ')':
		kind = rparen
	case '[':
		kind = lbracket
	case ']':
		kind = rbracket
	case ';':
		kind = semicolon
	case ',':
		kind = comma
	case '.':
		kind, size = choose(next, dot, '.', dotDot, '?', dotQuery)
	case ':':
		switch {
		case next == ':' && after == '>':
			kind, size = refersSign, 3
		case next == '>' && after == '>':
			kind, size = redefineSign, 3
		case next == '=':
			kind, size = becomes, 2
		default:
			kind, size = choose(next, colon, ':', colonColon, '>', subsetsSign)
		}
	case '=':
		if next == '=' && after == '=' {
			kind, size = sameSign, 3
		} else {
			kind, size = choose(next, equalsSign, '=', equal, '>', crossesSign)
		}
	case '!':
		if next == '=' {
			kind, size = choose(after, notEqual, '=', notSameSign, '=', notSameSign)
			size++
		}
	case '<':
		kind, size = choose(next, less, '=', lessEqual, '=', lessEqual)
	case '>':
		kind, size = choose(next, greater, '=', greaterEqual, '=', greaterEqual)
	case '*':
		kind, size = choose(next, star, '*', starStar, '*', starStar)
	case '-':
		kind, size = choose(next, minus, '>', arrow, '>', arrow)
	case '?':
		kind, size = choose(next, query, '?', queryQuery, '?', queryQuery)
	case '@':
		kind, size = choose(next, atSign, '@', atAt, '@', atAt)
	case '+':
		kind = plus
	case '/':
		kind = slash
	case '%':
		kind = percent
	case '^':
		kind = caret
	case '~':
		kind = tilde
	case '&':
		kind = ampersand
	case '|':
		kind = bar
	case '#':
		kind = hash
	case '$':
		kind = dollar
	}
	if kind == noToken {
		return token{noToken, start, start + 1}, badCharacter
	}
	return token{kind, start, start + size}, noFault
}

// choose is kind a or b with size 2 where next says so, else kind one.
func choose(next byte, one tokenKind, isA byte, a tokenKind, isB byte, b tokenKind) (tokenKind, int32) {
	switch next {
	case isA:
		return a, 2
	case isB:
		return b, 2
	}
	return one, 1
}

// scanNumber scans digits with an optional fraction and exponent. A point
// belongs to the number only before a digit: 1..2 is a range.
func scanNumber(s string, pos int) (token, fault) {
	start, kind := int32(pos), decimalValue
	digits := func() {
		for pos < len(s) && classes[s[pos]] == digitClass {
			pos++
		}
	}
	digits()
	if pos+1 < len(s) && s[pos] == '.' && classes[s[pos+1]] == digitClass {
		kind = realValue
		pos++
		digits()
	}
	if pos+1 < len(s) && (s[pos] == 'e' || s[pos] == 'E') {
		exponent := pos + 1
		if s[exponent] == '+' || s[exponent] == '-' {
			exponent++
		}
		if exponent < len(s) && classes[s[exponent]] == digitClass {
			kind, pos = realValue, exponent
			digits()
		}
	}
	if pos < len(s) && (classes[s[pos]] == letterClass || classes[s[pos]] == highClass) {
		for pos < len(s) && (classes[s[pos]] == letterClass || classes[s[pos]] == digitClass || classes[s[pos]] == highClass) {
			pos++
		}
		return token{ident, start, int32(pos)}, digitFirst
	}
	if pos < len(s) && s[pos] == '.' && kind == decimalValue &&
		(pos+1 == len(s) || s[pos+1] == ';' || classes[s[pos+1]] == spaceClass) {
		return token{realValue, start, int32(pos + 1)}, openFraction
	}
	return token{kind, start, int32(pos)}, noFault
}

// scanQuoted scans a string or a quoted name, which ends on its line.
func scanQuoted(s string, pos int, kind tokenKind, open fault) (token, fault) {
	start, quote, found := int32(pos), s[pos], noFault
	for pos++; pos < len(s); pos++ {
		switch b := s[pos]; {
		case b == quote:
			return token{kind, start, int32(pos + 1)}, found
		case b == '\n' || b == '\r':
			return token{kind, start, openEnd(s, start, pos)}, open
		case b == '\\' && pos+1 < len(s) && s[pos+1] != '\n':
			if !strings.ContainsRune(escapes, rune(s[pos+1])) {
				found = badEscape
			}
			pos++
		}
	}
	return token{kind, start, openEnd(s, start, len(s))}, open
}

// openEnd is where a string or name that is not closed on its line is taken to
// end: before the last semicolon, so that the rest of the line is read.
func openEnd(s string, start int32, lineEnd int) int32 {
	if n := strings.LastIndexByte(s[start:lineEnd], ';'); n > 0 {
		return start + int32(n)
	}
	return int32(lineEnd)
}

const escapes = `bfnrtv"'\`

// unquote is what stands between the quotes of the token text s, its escape
// sequences resolved; a missing closing quote is overlooked.
func unquote(s string) string {
	quote := s[0]
	s = s[1:]
	if n := len(s); n > 0 && s[n-1] == quote {
		s = s[:n-1]
	}
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if n := strings.IndexByte(escapes[:6], s[i]); n >= 0 {
			b.WriteByte("\b\f\n\r\t\v"[n])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func isLetter(r rune) bool { return r != utf8.RuneError && unicode.IsLetter(r) }

// scanForeignName scans a name with letters beyond ASCII, which is read as if
// it were quoted, and reported.
func scanForeignName(s string, start int32, pos int) (token, fault) {
	for pos < len(s) {
		r, size := utf8.DecodeRuneInString(s[pos:])
		if !isLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		pos += size
	}
	return token{ident, start, int32(pos)}, notASCIIName
}
