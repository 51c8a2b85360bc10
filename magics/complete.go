package magics

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file says what could stand at a cursor: here lines of magics, by their
// declarations; names of the model in complete_model.go.

// maxMatches bounds a completion; nobody reads more.
const maxMatches = 500

// Complete says what could stand at cursor, in code points, of the cell code.
// It takes milliseconds and so needs no interruption.
func (s *Shell) Complete(_ context.Context, code string, cursor int) Completion {
	at := source.Offset(code, cursor)
	start, matches := s.completeAt(code, at)
	if len(matches) == 0 {
		return Completion{Start: source.CodePoints(code, at), End: source.CodePoints(code, at)}
	}
	return Completion{
		Start:   source.CodePoints(code, start),
		End:     source.CodePoints(code, at),
		Matches: matches[:min(len(matches), maxMatches)],
	}
}

// completeAt is where the replaced text begins, in bytes, and what replaces
// it.
func (s *Shell) completeAt(code string, at int) (int, []Match) {
	first, body := cellMagicAt(code)
	language, below := inner(code, s.options.Language)
	line := strings.LastIndexByte(code[:at], '\n') + 1
	text := strings.TrimLeft(code[line:at], " \t")
	begin := at - len(text)
	switch {
	case strings.HasPrefix(text, "%%") && begin == first:
		return s.completeMagic(code, begin, at, true)
	case body && at >= below && language == verbatim:
		return at, nil
	case strings.HasPrefix(text, "%") && (language != Starlark || line < below+programAt(code[below:])):
		start, matches := s.completeMagic(code, begin, at, false)
		if text == "%" && begin == first {
			_, more := s.completeMagic(code, begin, at, true)
			matches = append(matches, more...)
		}
		return start, matches
	case language == Starlark:
		return s.completeStarlark(code, min(below+programAt(code[below:]), at), at)
	}
	return s.completeModel(code, at)
}

// completeStarlark completes in the program that begins at start.
func (s *Shell) completeStarlark(code string, start, at int) (int, []Match) {
	word, found := s.starlark().Complete(code[start:], at-start)
	var matches []Match
	for _, m := range found {
		matches = append(matches, Match{Text: m.Text, Type: m.Kind, Signature: m.Signature})
	}
	return start + word, matches
}

// completeMagic completes a line that begins at begin with % or, where body is
// set, %%.
func (s *Shell) completeMagic(code string, begin, at int, body bool) (int, []Match) {
	sigil := "%"
	if body {
		sigil = "%%"
	}
	name := strings.TrimPrefix(code[begin:at], sigil)
	if code[begin:at] == "%" {
		name = ""
	}
	if i := strings.IndexFunc(name, unicode.IsSpace); i < 0 {
		return begin, s.magicNames(sigil, name, body)
	} else if m := s.registry.find(name[:i], body); m != nil {
		return s.completeLine(m, code, begin+len(sigil)+i, at)
	}
	return at, nil
}

func (s *Shell) magicNames(sigil, prefix string, body bool) []Match {
	var matches []Match
	for _, name := range s.registry.names(body) {
		if strings.HasPrefix(name, prefix) {
			matches = append(matches, Match{Text: sigil + name, Type: "magic", Signature: s.registry.find(name, body).summary})
		}
	}
	return matches
}

// A slot is what the cursor in a magic's line stands in.
type slot struct {
	kind   kind
	values []string // that it can have, where they are declared
	start  int      // where its text begins
	flag   bool     // it is the name of a flag, with its dashes
}

// slotAt is the slot at offset at of the line of m, whose words begin at pos.
func (m *magic) slotAt(file *source.File, pos, at int) slot {
	scan := &lineScanner{file: file, pos: pos, end: at}
	k, values, next := m.argumentKind(0)
	for {
		scan.skip()
		if scan.pos >= at {
			return slot{kind: k, values: values, start: at}
		}
		w, _ := scan.next()
		last, start := scan.pos >= at, int(w.span.Start)
		name, value, assigned, isFlag := flagName(w)
		isFlag = isFlag || last && (w.text == "-" || w.text == "--")
		f := m.flag(name)
		switch {
		case isFlag && last && !assigned:
			return slot{start: start, flag: true}
		case isFlag && last && f != nil:
			return slot{kind: f.kind, values: f.values, start: at - len(value)}
		case isFlag && f != nil && (assigned || f.kind == kindSwitch):
		case isFlag && f != nil:
			scan.skip()
			start = scan.pos
			if _, ok := scan.next(); !ok || scan.pos >= at {
				return slot{kind: f.kind, values: f.values, start: start}
			}
		case last || k.whole():
			return slot{kind: k, values: values, start: start}
		default:
			k, values, next = m.argumentKind(next)
		}
	}
}

// completeLine completes behind the name of m: a flag, the value of a flag, or
// an argument, each by its kind.
func (s *Shell) completeLine(m *magic, code string, pos, at int) (int, []Match) {
	p := m.slotAt(source.NewFile("", code), pos, at)
	if !p.flag {
		return s.completeKind(p, code, at)
	}
	name := strings.TrimLeft(code[p.start:at], "-")
	dashes := code[p.start : at-len(name)]
	var matches []Match
	for i := range m.flags {
		if strings.HasPrefix(m.flags[i].name, name) {
			matches = append(matches, Match{Text: dashes + m.flags[i].name, Type: "flag", Signature: m.flags[i].summary})
		}
	}
	return p.start, matches
}

// argumentKind is the kind of positional argument i of m and the index of the
// one behind it.
func (m *magic) argumentKind(i int) (kind, []string, int) {
	if i >= len(m.arguments) {
		return kindSwitch, nil, i
	}
	a := m.arguments[i]
	if a.repeated {
		return a.kind, a.values, i
	}
	return a.kind, a.values, i + 1
}

// completeKind completes the text of p up to at as a value of its kind.
func (s *Shell) completeKind(p slot, code string, at int) (int, []Match) {
	start, prefix := p.start, code[p.start:at]
	var matches []Match
	for _, v := range p.values {
		if strings.HasPrefix(v, prefix) {
			matches = append(matches, Match{Text: v, Type: "value"})
		}
	}
	switch p.kind {
	case kindPath:
		return start, append(matches, s.paths(prefix)...)
	case kindMagic:
		for _, sigil := range []string{"", "%", "%%"} {
			if strings.HasPrefix(prefix, sigil) && (sigil != "" || !strings.HasPrefix(prefix, "%")) {
				matches = append(matches, s.magicNames(sigil, prefix[len(sigil):], sigil == "%%")...)
			}
		}
		return start, matches
	case kindName, kindObject, kindBehavior, kindExpression, kindAssignment, kindCall:
		from, names := s.completeNames(p.kind, code, start, at)
		if len(matches) == 0 || len(names) > 0 {
			return from, append(names, matches...)
		}
	}
	return start, matches
}

// paths lists what a path that begins with prefix could name: folders with a
// slash behind them, hidden ones only where asked for.
func (s *Shell) paths(prefix string) []Match {
	quote := ""
	if prefix != "" && (prefix[0] == '"' || prefix[0] == '\'') {
		quote, prefix = prefix[:1], prefix[1:]
	}
	folder, base := filepath.Split(prefix)
	entries, err := os.ReadDir(s.path(folder))
	if err != nil {
		return nil
	}
	var matches []Match
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || name[0] == '.' && base == "" {
			continue
		}
		m := Match{Text: quote + folder + name, Type: "path"}
		if quote == "" && strings.ContainsAny(m.Text, " \t'\"()") {
			m.Text = `"` + m.Text
		}
		if e.IsDir() {
			m.Text += "/"
		} else if strings.ContainsAny(m.Text[:1], `"'`) {
			m.Text += m.Text[:1]
		}
		matches = append(matches, m)
	}
	slices.SortFunc(matches, func(a, b Match) int { return cmp.Compare(a.Text, b.Text) })
	return matches
}

// identifierStart is where the identifier that ends at at begins; a quoted
// name counts from its quote.
func identifierStart(code string, at int) int {
	line := strings.LastIndexByte(code[:at], '\n') + 1
	if open := strings.LastIndexByte(code[line:at], '\''); open >= 0 && strings.Count(code[line:at], "'")%2 == 1 {
		return line + open
	}
	for at > line {
		r, n := utf8.DecodeLastRuneInString(code[line:at])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		at -= n
	}
	return at
}
