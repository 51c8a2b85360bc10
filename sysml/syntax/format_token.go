package syntax

import "strings"

// This file says which tokens stand apart, and writes comments and notes.

// needsBlank reports whether a blank stands between the last token and t.
func (f *formatter) needsBlank(t token, r role) bool {
	if f.prevOpen || t.kind == rbrace {
		return true
	}
	switch t.kind {
	case semicolon, comma, rparen, rbracket, dot, dotDot, dotQuery, colonColon, arrow:
		return t.kind == dot && !f.afterOperand() && f.prev.kind != rbrace && !tight[f.prev.kind]
	case lparen:
		return f.prev.kind != ident && !tight[f.prev.kind] && !f.unary
	case lbracket:
		return f.bracketStandsApart(r)
	case hash:
		return f.nextKind(t) != lparen
	case star, starStar:
		if f.prev.kind == colonColon || f.prev.kind == dotDot {
			return false
		}
	case greater:
		if f.inName {
			return false
		}
	}
	switch {
	case tight[f.prev.kind], f.unary:
		return false
	case f.prev.kind == less && f.inName:
		return false
	}
	return true
}

// tight are the tokens that no blank follows.
var tight = [tokenKinds]bool{lparen: true, lbracket: true, dot: true, dotDot: true, dotQuery: true, colonColon: true,
	arrow: true, dollar: true, hash: true}

// bracketStandsApart: a quantity `5 [kg]` stands apart, a multiplicity behind
// a name does not, nor does the filter of an import.
func (f *formatter) bracketStandsApart(r role) bool {
	switch {
	case f.inImport:
		return false
	case r&roleMultiplicity != 0:
		return f.prev.kind != ident && f.prev.kind != greater && !tight[f.prev.kind]
	}
	return !tight[f.prev.kind]
}

// nextKind is the kind of the token behind t.
func (f *formatter) nextKind(t token) tokenKind {
	next, _ := scan(f.text, int(t.end), f.in)
	return next.kind
}

// writeNotes writes the notes between two offsets.
func (f *formatter) writeNotes(from, to int) {
	for pos := from; pos < to; {
		if f.text[pos] != '/' {
			pos++
			continue
		}
		end := noteEnd(f.text, pos)
		if !f.oneLine {
			f.writeNote(f.text[from:pos], strings.TrimRight(f.text[pos:end], " \t\r"), end, to)
		}
		pos, from = end, end
	}
}

// writeNote writes one note behind the layout before it: at the end of the
// line where it stood there, else on a line of its own.
func (f *formatter) writeNote(before, note string, end, to int) {
	lines := strings.Count(before, "\n")
	switch {
	case f.out.Len() == 0:
	case lines == 0 && !f.atLineStart():
		f.out.WriteByte(' ')
	default:
		f.newLine(f.noteIndent(), lines > 1 && !f.prevOpen)
	}
	f.prevOpen = f.prevOpen && lines == 0
	f.out.WriteString(note)
	between := strings.HasPrefix(note, "//*") && to < len(f.text) && strings.Trim(f.text[end:to], " \t") == ""
	if !between {
		f.out.WriteByte('\n')
	}
}

// noteIndent is the indentation of a note on a line of its own.
func (f *formatter) noteIndent() int {
	switch f.prev.kind {
	case semicolon, lbrace, rbrace, regularComment, endOfText:
		return f.indent
	}
	if f.inline() {
		return f.line
	}
	return f.indent + 1
}

// writeComment writes a comment. Where each of its lines starts with a star,
// the stars are put below each other.
func (f *formatter) writeComment(t token) {
	s := f.text[t.start:t.end]
	lines := strings.Split(s, "\n")
	starred := true
	for _, line := range lines[1:] {
		starred = starred && strings.HasPrefix(strings.TrimLeft(line, " \t"), "*")
	}
	if !starred || f.oneLine {
		f.out.WriteString(s)
		return
	}
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if i > 0 {
			f.out.WriteByte('\n')
			for range f.line {
				f.out.WriteString(indentation)
			}
			f.out.WriteString(" " + strings.TrimLeft(line, " \t"))
			continue
		}
		f.out.WriteString(line)
	}
}
