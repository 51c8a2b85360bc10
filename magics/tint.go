package magics

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says what the words of a cell are, for the colours of a front end
// that shows the cell while it is typed. It resolves no name: a cell that is
// half typed means nothing yet.

// A TintKind is what a tinted piece of a cell is.
type TintKind uint8

// The kinds. What has none of them is not tinted.
const (
	TintWord    TintKind = iota // a reserved word
	TintMagic                   // % or %% and the name of a magic
	TintFlag                    // --name
	TintString                  // text in quotes
	TintNumber                  // 12, 1.5
	TintComment                 // what is not executed
	TintWrong                   // a magic that does not exist, text that does not close
)

// A Tint is one piece of a cell, from byte Start up to byte End.
type Tint struct {
	Kind       TintKind
	Start, End int
}

// Tints are the pieces of a cell in the order of its text. It takes about a
// microsecond a line and may be called from any goroutine.
func (s *Shell) Tints(code string) []Tint {
	language, below := inner(code, s.options.Language)
	t := &tinting{registry: s.registry, code: code}
	t.magics(0, below)
	switch language {
	case SysML:
		t.sysml(below)
	case Starlark:
		program := below + programAt(code[below:])
		t.magics(below, program)
		t.starlark(program)
	}
	return t.list
}

// A tinting is the pieces of one cell in the making.
type tinting struct {
	registry *registry
	code     string
	list     []Tint
}

func (t *tinting) add(k TintKind, start, end int) { t.list = append(t.list, Tint{k, start, end}) }

// magics tints the lines of magics between two offsets.
func (t *tinting) magics(from, to int) {
	for from < to {
		end := min(lineEnd(t.code, from), to)
		if start := end - len(strings.TrimLeft(t.code[from:end], " \t")); start < end && t.code[start] == '%' {
			t.magic(start, end)
		}
		from = end + 1
	}
}

// magic tints the line of a magic: its name, its flags, numbers and quotes.
func (t *tinting) magic(start, end int) {
	sigil := 1
	if strings.HasPrefix(t.code[start:end], "%%") {
		sigil = 2
	}
	name := start + sigil
	for name < end && !unicode.IsSpace(rune(t.code[name])) {
		name++
	}
	kind := TintMagic
	if word := strings.TrimRight(t.code[start+sigil:name], "?"); word != "" && !t.known(word, sigil == 2, name < end) {
		kind = TintWrong
	}
	t.add(kind, start, name)
	scan := &lineScanner{file: source.NewFile("", t.code), pos: name, end: end}
	for {
		w, ok := scan.next()
		if !ok {
			return
		}
		at := int(w.span.Start)
		if flag, _, _, ok := flagName(w); ok {
			dashes := strings.Index(w.text, flag)
			t.add(TintFlag, at, at+dashes+len(flag))
			continue
		}
		t.words(at, int(w.span.End))
	}
}

// known reports whether word names a magic, or, while it is typed, begins one.
func (t *tinting) known(word string, body, whole bool) bool {
	if whole {
		return t.registry.find(word, body) != nil
	}
	for _, name := range t.registry.names(body) {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// sysml tints what stands behind from: notation, with magics between its
// parts.
func (t *tinting) sysml(from int) {
	open := 0 // brackets that are open
	for pos := from; pos < len(t.code); {
		end := lineEnd(t.code, pos)
		line := strings.TrimLeft(t.code[pos:end], " \t")
		if open == 0 && strings.HasPrefix(line, "%") {
			t.magic(end-len(line), end)
			pos = end + 1
			continue
		}
		to := pos
		for to < len(t.code) { // up to the next line that can be a magic
			if to = min(lineEnd(t.code, to)+1, len(t.code)); strings.HasPrefix(strings.TrimLeft(t.code[to:], " \t"), "%") {
				break
			}
		}
		open = max(open+t.words(pos, to), 0)
		pos = to
	}
}

// words tints the tokens of notation between two offsets and is how many more
// brackets they open than they close.
func (t *tinting) words(from, to int) (open int) {
	kinds := map[syntax.TokenKind]TintKind{syntax.WordToken: TintWord, syntax.NumberToken: TintNumber, syntax.StringToken: TintString,
		syntax.CommentToken: TintComment, syntax.NoteToken: TintComment, syntax.MalformedToken: TintWrong}
	for _, token := range syntax.Tokens(source.NewFile("", t.code[from:to])) {
		start, end := from+int(token.Start), from+int(token.End)
		if k, ok := kinds[token.Kind]; ok {
			t.add(k, start, end)
			continue
		}
		switch t.code[start:end] {
		case "{", "(", "[":
			open++
		case "}", ")", "]":
			open--
		}
	}
	return open
}

var starlarkWords = map[string]bool{"and": true, "break": true, "continue": true, "def": true, "elif": true, "else": true, "for": true,
	"if": true, "in": true, "lambda": true, "load": true, "not": true, "or": true, "pass": true, "return": true, "while": true,
	"True": true, "False": true, "None": true}

// starlark tints a program: its words, numbers, texts and comments.
func (t *tinting) starlark(pos int) {
	for pos < len(t.code) {
		start := pos
		r, n := utf8.DecodeRuneInString(t.code[pos:])
		switch {
		case r == '#':
			pos = lineEnd(t.code, pos)
			t.add(TintComment, start, pos)
		case r == '"' || r == '\'':
			pos = stringEnd(t.code, pos)
			t.add(TintString, start, pos)
		case unicode.IsDigit(r):
			pos = spanOf(t.code, pos, func(r rune) bool { return r == '.' || r == '_' || unicode.IsDigit(r) || unicode.IsLetter(r) })
			t.add(TintNumber, start, pos)
		case r == '_' || unicode.IsLetter(r):
			pos = spanOf(t.code, pos, func(r rune) bool { return r == '_' || unicode.IsDigit(r) || unicode.IsLetter(r) })
			if starlarkWords[t.code[start:pos]] {
				t.add(TintWord, start, pos)
			}
		default:
			pos += n
		}
	}
}

// spanOf is where the runes behind pos end that belong.
func spanOf(code string, pos int, belongs func(rune) bool) int {
	if n := strings.IndexFunc(code[pos:], func(r rune) bool { return !belongs(r) }); n >= 0 {
		return pos + n
	}
	return len(code)
}

// stringEnd is where the text that begins at pos ends, with one quote a line
// at most, with three anywhere.
func stringEnd(code string, pos int) int {
	quote, limit := code[pos:pos+1], lineEnd(code, pos)
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(code[pos:], triple) {
		quote, limit = triple, len(code)
	}
	for at := pos + len(quote); at < limit; at++ {
		switch {
		case code[at] == '\\':
			at++
		case strings.HasPrefix(code[at:limit], quote):
			return at + len(quote)
		}
	}
	return limit
}
