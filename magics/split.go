package magics

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file finds what in a cell is not SysML: the first line of a %% cell,
// magics, shell lines and questions (NAME?). Each can begin only where a new
// part of the cell can, at the start of a line.

// cellMagicAt is the offset of the %% that makes text a cell of one magic;
// only blank lines may stand before it.
func cellMagicAt(text string) (int, bool) {
	for i, r := range text {
		if !unicode.IsSpace(r) {
			return i, strings.HasPrefix(text[i:], "%%")
		}
	}
	return 0, false
}

// lineEnd is the offset of the end of the line that pos is in.
func lineEnd(text string, pos int) int {
	if n := strings.IndexByte(text[pos:], '\n'); n >= 0 {
		return pos + n
	}
	return len(text)
}

// commandAt is the part at or behind pos where a new part can begin, if it is
// a line of ours: %..., !... or NAME?. The piece of the text that runs begins
// at start, be it in the middle of a line.
func commandAt(file *source.File, pos, start int) (syntax.Part, bool) {
	first := pos == start
	text := file.Text
	for pos < len(text) {
		r, n := utf8.DecodeRuneInString(text[pos:])
		if !unicode.IsSpace(r) {
			break
		}
		pos += n
	}
	if pos >= len(text) || !first && !startsLine(text, pos) {
		return syntax.Part{}, false
	}
	end := lineEnd(text, pos)
	line := strings.TrimRight(text[pos:end], " \t\r")
	if line[0] != '%' && line[0] != '!' && question(line) == "" {
		return syntax.Part{}, false
	}
	span := source.Span{File: file, Start: int32(pos), End: int32(pos + len(line))}
	return syntax.Part{Kind: syntax.PartMagic, Span: span, End: end}, true
}

// startsLine reports whether only blanks stand before pos in its line.
func startsLine(text string, pos int) bool {
	return strings.TrimLeft(text[strings.LastIndexByte(text[:pos], '\n')+1:pos], " \t\r") == ""
}

// question is the name that line asks about: NAME of "NAME?", "NAME??" and
// "%NAME?"; "" where line is no question.
func question(line string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(line, "?"), "?")
	if name == line || name == "" {
		return ""
	}
	quoted := false
	for i, r := range name {
		switch {
		case r == '\'':
			quoted = !quoted
		case quoted, r == '_', r == ':', r == '.', r == '#', r == '$', r == '[', r == ']', unicode.IsLetter(r), unicode.IsDigit(r):
		case r == '%' && i < 2:
		default:
			return ""
		}
	}
	if quoted {
		return ""
	}
	return name
}

// command executes one line of ours.
func (e *execution) command(span source.Span, last bool) error {
	line := span.Text()
	if name := question(line); name != "" {
		return e.shell.ask(e, name, strings.HasSuffix(line, "??"), span)
	}
	if line[0] == '!' {
		return e.shellLine(span)
	}
	if strings.HasPrefix(line, "%%") {
		return diagnostic.New(codeMagicUsage, span, "a %% magic takes a whole cell and stands on its first line").
			WithHint("put it into a cell of its own")
	}
	m, name, d := e.magicOf(span, 1)
	if d != nil {
		return d
	}
	return e.call(m, name, int(span.End), source.Span{}, last)
}

// call reads the line of m up to end and carries m out.
func (e *execution) call(m *magic, name source.Span, end int, body source.Span, last bool) error {
	if rest := strings.TrimSpace(name.File.Text[name.End:end]); rest == "-h" || rest == "--help" {
		e.sink.Display(manual(m), "")
		return nil
	}
	p, d := parseLine(m, name, int(name.End), end)
	if d != nil {
		return d
	}
	err := placed(m.run(&call{ctx: e.ctx, shell: e.shell, cell: e, line: p, body: body, last: last}), name)
	return whole(err, e.file)
}

// whole moves places in pieces of file, which were cut from it, into file, so
// that a reader sees the whole line.
func whole(err error, file *source.File) error {
	piece := func(s source.Span) bool {
		return s.File != nil && s.File != file && s.File.Name == file.Name && strings.HasPrefix(file.Text, s.File.Text)
	}
	list := diagnostic.Of(err)
	for i, d := range list {
		if !piece(d.Span) {
			continue
		}
		moved := *d
		moved.Span.File = file
		list[i] = &moved
		if len(list) == 1 {
			return &moved
		}
	}
	if len(list) > 1 {
		return list
	}
	return err
}

// placed gives a diagnostic without a place the place of the magic that
// reported it.
func placed(err error, at source.Span) error {
	var d *diagnostic.Diagnostic
	if errors.As(err, &d) && d.Span.IsZero() {
		located := *d
		located.Span = at
		return &located
	}
	return err
}

// cellMagic executes a cell whose first line, at offset start, begins with %%.
func (e *execution) cellMagic(start int) error {
	text := e.file.Text
	end := lineEnd(text, start)
	span := source.Span{File: e.file, Start: int32(start), End: int32(end)}
	if name := question(strings.TrimRight(span.Text(), " \t\r")); name != "" {
		return e.shell.ask(e, name, false, span)
	}
	m, name, d := e.magicOf(span, 2)
	if d != nil {
		return d
	}
	body := source.Span{File: e.file, Start: int32(min(end+1, len(text))), End: int32(len(text))}
	return e.guard(span, func() error { return e.call(m, name, end, body, true) })
}

// magicOf is the magic that the line of span names behind a sigil of n bytes,
// and where it does so.
func (e *execution) magicOf(span source.Span, n int32) (*magic, source.Span, *diagnostic.Diagnostic) {
	text := span.Text()[n:]
	size := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if size < 0 {
		size = len(text)
	}
	at := source.Span{File: span.File, Start: span.Start, End: span.Start + n + int32(size)}
	if size == 0 {
		return nil, at, diagnostic.New(codeUnknownMagic, at, "expected the name of a magic after "+span.Text()[:n]).
			WithHint("%lsmagic lists every magic")
	}
	m := e.shell.registry.find(text[:size], n == 2)
	if m == nil {
		return nil, at, unknownMagic(e.shell.registry, at, text[:size], n == 2)
	}
	return m, at, nil
}
