package library

import "strings"

// This file looks through texts without parsing them: it reads words, and
// knows comments, strings, quoted names and braces. Of a text that is no model
// it finds what looks like one, never fails, and takes time in proportion to
// the text.

// A topPackage is a package that a text declares outside of all others.
type topPackage struct {
	name, short string // without quotes; "" where it has none
}

// topPackages finds the packages at the top of text.
func topPackages(text string) []topPackage {
	s := topScanner{text: text}
	var found []topPackage
	for {
		switch word := s.next(); word {
		case "":
			return found
		case "{":
			s.skipBody()
		case "package", "namespace":
			if p, ok := s.head(); ok {
				found = append(found, p)
			}
		}
	}
}

// members is what the packages at the top of one text can hold, taken
// together: a few names too many, never one too few.
type members struct {
	names map[string]bool
	open  bool // a public import lets in any name
}

func (m members) mayHold(name string) bool { return m.open || m.names[name] }

// membersOf finds the names that members of the packages at the top of text
// can have.
func membersOf(text string) members {
	s := topScanner{text: text}
	m := members{names: map[string]bool{}}
	for {
		switch s.next() {
		case "":
			return m
		case "package", "namespace":
			s.head()
			if s.next() == "{" {
				s.members(&m)
			}
		case "{":
			s.skipBody()
		}
	}
}

// members adds the names of the members of the package whose body starts
// here. The name of a member stands in front of its first relation or value,
// or, where it is the name of what it redefines or refers to, behind :>> or
// ::>; what stands elsewhere are the names of others.
func (s *topScanner) members(m *members) {
	private, naming := false, true
	last, before := "", "" // the words in front
	for {
		word := s.next()
		switch word {
		case "", "}":
			return
		case "{":
			s.skipBody()
			private, naming = false, true
		case ";":
			private, naming = false, true
		case "private":
			private = true
		case "import":
			m.open = m.open || !private
			naming = false
		case ":", "=":
			naming = false
		case ">":
			naming = naming || last == ">" && before == ":" || last == ":" && before == ":"
		default:
			if naming && isName(word) {
				m.names[unquote(word)] = true
			}
		}
		last, before = word, last
	}
}

// A topScanner walks over a text. The zero position is its start.
type topScanner struct {
	text string
	pos  int
}

// head reads the names behind "package".
func (s *topScanner) head() (topPackage, bool) {
	var p topPackage
	word := s.next()
	if word == "<" {
		p.short = unquote(s.next())
		if s.next() != ">" {
			return p, false
		}
		word = s.next()
	}
	if isName(word) {
		p.name = unquote(word)
	} else {
		s.pos -= len(word) // a body or an end: it belongs to the caller
	}
	return p, p.name != "" || p.short != ""
}

// skipBody skips to the brace that closes the one just read.
func (s *topScanner) skipBody() {
	for depth := 1; depth > 0; {
		switch s.next() {
		case "":
			return
		case "{":
			depth++
		case "}":
			depth--
		}
	}
}

// next is the next word, quoted name, string or single other character; "" at
// the end of the text.
func (s *topScanner) next() string {
	for s.pos < len(s.text) {
		rest := s.text[s.pos:]
		c := rest[0]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			s.pos++
			continue
		case strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "//*"):
			s.skipPast("*/", strings.IndexByte(rest, '*')+1)
			continue
		case strings.HasPrefix(rest, "//"):
			s.skipPast("\n", 2)
			continue
		}
		start := s.pos
		switch {
		case c == '\'' || c == '"':
			s.skipQuoted(c)
		case isWordByte(c):
			for s.pos < len(s.text) && isWordByte(s.text[s.pos]) {
				s.pos++
			}
		default:
			s.pos++
		}
		return s.text[start:s.pos]
	}
	return ""
}

// skipPast moves behind the next end that stands at least skip bytes ahead.
func (s *topScanner) skipPast(end string, skip int) {
	s.pos += skip
	if i := strings.Index(s.text[s.pos:], end); i >= 0 {
		s.pos += i + len(end)
	} else {
		s.pos = len(s.text)
	}
}

// skipQuoted moves behind the text in quotes that starts here.
func (s *topScanner) skipQuoted(quote byte) {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case '\\':
			s.pos++
		case quote:
			s.pos++
			return
		}
	}
	s.pos = len(s.text)
}

// isWordByte takes every byte beyond ASCII for a letter: only quoted names
// have them, so none is cut.
func isWordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func isName(word string) bool {
	return word != "" && (word[0] == '\'' || isWordByte(word[0]))
}

// unquote is the name that word writes, which may be in quotes.
func unquote(word string) string {
	inner, quoted := strings.CutPrefix(word, "'")
	if !quoted {
		return word
	}
	return unescape.Replace(strings.TrimSuffix(inner, "'"))
}

// Source: KerML, 8.2.2.3, escape sequences.
var unescape = strings.NewReplacer(`\'`, "'", `\"`, `"`, `\b`, "\b", `\f`, "\f", `\t`, "\t", `\n`, "\n", `\\`, `\`)
