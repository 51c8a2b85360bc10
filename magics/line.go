package magics

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file reads the line of a magic by its declaration.
//
// A line is words between white space. A word does not end inside brackets
// or quotes, so that p=(1 + 2), Go(speed = 3) and 'my part'::x are one word
// each. A word is a flag where it begins with a dash and a letter and names
// one; the value of a flag of an expression reaches to the next flag. The last
// argument may take the rest of the line as it stands: then flags stand
// before it.

// A word is a piece of a magic's line.
type word struct {
	text string // as written, quotes kept
	span source.Span
}

// plain is the text of w without the quotes around it.
func (w word) plain() string {
	if n := len(w.text); n >= 2 && (w.text[0] == '"' || w.text[0] == '\'') && w.text[n-1] == w.text[0] {
		return w.text[1 : n-1]
	}
	return w.text
}

// parsed is a line read by the declaration of its magic.
type parsed struct {
	magic *magic
	name  source.Span // the sigil and the name
	args  map[string][]word
	flags map[string]word
}

// A lineScanner walks over one line of a file.
type lineScanner struct {
	file     *source.File
	pos, end int
}

func (s *lineScanner) skip() {
	for s.pos < s.end {
		r, n := utf8.DecodeRuneInString(s.file.Text[s.pos:s.end])
		if !unicode.IsSpace(r) {
			return
		}
		s.pos += n
	}
}

func (s *lineScanner) word(from, to int) word {
	return word{s.file.Text[from:to], source.Span{File: s.file, Start: int32(from), End: int32(to)}}
}

// next is the next word; ok is false at the end of the line. An unclosed
// quote or bracket reaches to the end of the line.
func (s *lineScanner) next() (w word, ok bool) {
	s.skip()
	if s.pos >= s.end {
		return word{}, false
	}
	start, depth, quote := s.pos, 0, byte(0)
	text := s.file.Text
scan:
	for s.pos < s.end {
		switch c := text[s.pos]; {
		case quote != 0:
			if c == '\\' && s.pos+1 < s.end {
				s.pos++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']' || c == '}') && depth > 0:
			depth--
		case depth == 0 && (c == ' ' || c == '\t' || c == '\r'):
			break scan
		}
		s.pos++
	}
	return s.word(start, s.pos), true
}

// rest is everything from the next word to the end of the line.
func (s *lineScanner) rest() (word, bool) {
	s.skip()
	if s.pos >= s.end {
		return word{}, false
	}
	from, to := s.pos, s.end
	for to > from && strings.ContainsRune(" \t\r\n", rune(s.file.Text[to-1])) {
		to--
	}
	s.pos = s.end
	return s.word(from, to), true
}

// flagName is the name that w names a flag by, and its value where it is
// written with "="; ok is false where w is no flag: "-5", "-", "x".
func flagName(w word) (name, value string, assigned, ok bool) {
	name, ok = strings.CutPrefix(w.text, "-")
	if !ok {
		return "", "", false, false
	}
	name = strings.TrimPrefix(name, "-")
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsLetter(r) {
		return "", "", false, false
	}
	name, value, assigned = strings.Cut(name, "=")
	return name, value, assigned, true
}

// parseLine reads the words of [pos, end) by the declaration of m.
func parseLine(m *magic, name source.Span, pos, end int) (*parsed, *diagnostic.Diagnostic) {
	p := &parsed{magic: m, name: name, args: map[string][]word{}, flags: map[string]word{}}
	s := &lineScanner{file: name.File, pos: pos, end: end}
	for next := 0; ; {
		s.skip()
		before := s.pos
		w, ok := s.next()
		if !ok {
			if d := p.missing(next); d != nil {
				return nil, d
			}
			return p, nil
		}
		if flag, value, assigned, isFlag := flagName(w); isFlag {
			f := m.flag(flag)
			if f == nil && !looseDash(m, next, w) {
				return nil, unknownFlag(m, flag, w)
			}
			if f != nil {
				if d := p.takeFlag(s, f, w, value, assigned); d != nil {
					return nil, d
				}
				continue
			}
		}
		if next >= len(m.arguments) {
			return nil, tooMany(m, w)
		}
		a := &m.arguments[next]
		if a.kind.whole() {
			s.pos = before
			w, _ = s.rest()
		}
		if a.kind == kindAssignment || a.kind == kindBudget {
			s.joinAssignment(&w)
		}
		if d := checkWord(m, a.kind, a.values, a.name, w); d != nil {
			return nil, d
		}
		p.args[a.name] = append(p.args[a.name], w)
		if !a.repeated {
			next++
		}
	}
}

// looseDash reports whether w, which names no flag of m, may begin an
// expression or a text instead: "%eval -x".
func looseDash(m *magic, next int, w word) bool {
	return next < len(m.arguments) && m.arguments[next].kind.whole() && !strings.HasPrefix(w.text, "--")
}

// joinAssignment lets "p = 1" be written with spaces around the sign.
func (s *lineScanner) joinAssignment(w *word) {
	save := s.pos
	join := func(want func(next string) bool) {
		save = s.pos
		if n, ok := s.next(); ok && want(n.text) {
			*w = s.word(int(w.span.Start), s.pos)
		} else {
			s.pos = save
		}
	}
	if !strings.Contains(w.text, "=") {
		join(func(next string) bool { return strings.HasPrefix(next, "=") })
	}
	if strings.HasSuffix(w.text, "=") {
		join(func(string) bool { return true })
	}
}

func (p *parsed) takeFlag(s *lineScanner, f *flag, w word, value string, assigned bool) *diagnostic.Diagnostic {
	if _, twice := p.flags[f.name]; twice {
		return usageError(p.magic, w.span, "--"+f.name+" is given twice")
	}
	switch {
	case f.kind == kindSwitch && assigned:
		return usageError(p.magic, w.span, "--"+f.name+" takes no value")
	case f.kind == kindSwitch:
		p.flags[f.name] = w
		return nil
	case assigned:
		w = s.word(int(w.span.End)-len(value), int(w.span.End))
	default:
		var ok bool
		if w, ok = s.next(); !ok {
			return usageError(p.magic, w.span.To(p.name), "--"+f.name+" needs a value: --"+f.name+" "+f.kind.placeholder())
		}
	}
	if f.kind == kindExpression {
		w = p.untilFlag(s, w)
	}
	if d := checkWord(p.magic, f.kind, f.values, "--"+f.name, w); d != nil {
		return d
	}
	p.flags[f.name] = w
	return nil
}

// untilFlag extends the word w of an expression to the next flag of the magic.
// Double quotes around all of it are the shell's habit and are dropped.
func (p *parsed) untilFlag(s *lineScanner, w word) word {
	for {
		save := s.pos
		next, ok := s.next()
		if ok {
			if name, _, _, isFlag := flagName(next); isFlag && p.magic.flag(name) != nil {
				ok = false
			}
		}
		if !ok {
			s.pos = save
			break
		}
		w = s.word(int(w.span.Start), s.pos)
	}
	if n := len(w.text); n > 2 && w.text[0] == '"' && strings.IndexByte(w.text[1:], '"') == n-2 {
		w = s.word(int(w.span.Start)+1, int(w.span.End)-1)
	}
	return w
}

// missing is what to say of an argument that the line lacks, nil for none.
func (p *parsed) missing(next int) *diagnostic.Diagnostic {
	if next >= len(p.magic.arguments) {
		return nil
	}
	a := p.magic.arguments[next]
	if a.optional || len(p.args[a.name]) > 0 {
		return nil
	}
	return usageError(p.magic, p.name, p.magic.sigil()+p.magic.name+" needs "+a.name)
}

// checkWord tells what is wrong with w as a value of kind k, nil for nothing.
func checkWord(m *magic, k kind, values []string, what string, w word) *diagnostic.Diagnostic {
	text := w.plain()
	switch k {
	case kindInteger, kindCount:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return usageError(m, w.span, what+" is a whole number, not "+w.text)
		}
		if k == kindCount && n < 1 {
			return usageError(m, w.span, what+" is at least 1")
		}
	case kindSeconds:
		number, unit := cutUnit(text)
		if n, err := strconv.ParseFloat(number, 64); err != nil || !(n >= 0 && n <= 1e15) || unit == "[]" {
			return usageError(m, w.span, what+" is a number of seconds, at least 0, or one with a unit, such as 2 [min], not "+w.text)
		}
	case kindOneOf:
		for _, v := range values {
			if strings.EqualFold(v, text) {
				return nil
			}
		}
		d := usageError(m, w.span, what+" is "+orList(values)+", not "+w.text)
		if near := nearest(text, values); near != "" {
			d.Hint = "did you mean " + near + "? " + d.Hint
		}
		return d
	case kindAssignment, kindBudget:
		if name, value, ok := strings.Cut(w.text, "="); !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(value) == "" {
			return usageError(m, w.span, "expected "+k.placeholder()+", not "+w.text)
		}
	}
	return nil
}

// cutUnit is a number and the unit in brackets behind it, "" for none.
func cutUnit(text string) (number, unit string) {
	if open := strings.IndexByte(text, '['); open >= 0 && strings.HasSuffix(text, "]") {
		return strings.TrimSpace(text[:open]), "[" + strings.TrimSpace(text[open+1:len(text)-1]) + "]"
	}
	return text, ""
}

// orList is "a, b or c".
func orList(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
