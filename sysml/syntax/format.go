package syntax

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// Format is the text of tree in canonical layout: four blanks a level, one
// member a line, one blank between tokens where they do not belong together,
// at most one empty line between members. Comments and notes are kept, and so
// are the choices of the writer that mean nothing: keyword or symbol, a body
// on one line, a line break inside a member, an empty line. Formatting twice
// equals formatting once, and the result parses to the same tree. Where the
// text has errors, no token of it is lost.
func Format(tree *Tree) string {
	f := newFormatter(tree.File, 0, len(tree.File.Text))
	Inspect(tree, f.mark)
	for _, d := range tree.Members {
		f.roles[d.Span.Start] |= roleMember
	}
	return f.run()
}

// Print is the text of d alone, in canonical layout, with the comments and
// notes inside it. It ends without a line end.
func Print(d *Decl) string {
	if d.Span.IsZero() {
		return ""
	}
	f := newFormatter(d.Span.File, int(d.Span.Start), int(d.Span.End))
	Inspect(d, f.mark)
	return strings.TrimRight(f.run(), "\n")
}

// PrintExpr is the text of e on one line, without notes.
func PrintExpr(e Expr) string {
	span := e.Span()
	if span.IsZero() {
		return ""
	}
	f := newFormatter(span.File, int(span.Start), int(span.End))
	f.oneLine = true
	Inspect(e, f.mark)
	return strings.TrimRight(f.run(), "\n")
}

// The layout is made token by token: what stands between two tokens depends
// on the two and on their roles in the tree. Hence no token can get lost.

// A role is what a token is in the tree, where its kind does not tell.
type role uint8

const (
	roleMember       role = 1 << iota // the first token of a member
	roleBody                          // the brace of a body
	roleMultiplicity                  // the bracket of a multiplicity
	roleShortName                     // the name between < and >
	roleMetadata                      // the @ of metadata
	roleImport                        // the first token of an import
)

const indentation = "    "

type formatter struct {
	file    *source.File
	text    string
	in      reservedIn
	from    int
	roles   map[int32]role
	bodies  map[int32]*Body
	oneLine bool

	out    strings.Builder
	indent int     // of the members of the body
	line   int     // indentation of the current line
	levels []level // the bodies that are open

	prev     token // the last token written
	prevOpen bool  // it opened a body
	unary    bool  // it is a unary operator
	infinity bool  // it is the literal *
	inName   bool  // between < and >
	inImport bool
	parens   int // open parentheses and brackets
}

// A level is a body that is open.
type level struct {
	inline bool
	line   int // indentation of the line of its opening brace
	indent int
	parens int
	body   *Body // nil for braces that the tree does not know
}

func newFormatter(file *source.File, from, to int) *formatter {
	in := inSysML
	if file.Language == source.KerML {
		in = inKerML
	}
	return &formatter{file: file, text: file.Text[:to], in: in, from: from, roles: map[int32]role{}, bodies: map[int32]*Body{}}
}

// mark notes the roles of the tokens of a node.
func (f *formatter) mark(node any) bool {
	switch node := node.(type) {
	case *Decl:
		f.markDecl(node)
	case *BodyExpression:
		f.markBody(node.Body)
	}
	return true
}

func (f *formatter) markBody(b *Body) {
	if b == nil {
		return
	}
	f.bodies[b.Start] = b
	f.roles[b.Start] |= roleBody
	for _, d := range b.Members {
		f.roles[d.Span.Start] |= roleMember
	}
}

func (f *formatter) markDecl(d *Decl) {
	f.markBody(d.Body)
	f.markMultiplicity(d.Multiplicity)
	if d.Then != nil {
		f.markMultiplicity(d.Then.Multiplicity)
	}
	if !d.ShortName.IsZero() {
		f.roles[d.ShortName.Start] |= roleShortName
	}
	switch {
	case d.Metaclass == MetadataUsage || d.Metaclass == MetadataFeature:
		f.roles[d.Keyword.Start] |= roleMetadata
	case d.Metaclass.IsImport():
		f.roles[d.Keyword.Start] |= roleImport
	}
	switch part := d.Detail.(type) {
	case *ConnectorPart:
		f.markMultiplicity(part.SourceMultiplicity)
		for _, e := range part.Ends {
			f.markMultiplicity(e.Multiplicity)
		}
	case *TransitionPart:
		if part.Target != nil {
			f.markMultiplicity(part.Target.Multiplicity)
		}
	}
}

func (f *formatter) markMultiplicity(m *MultiplicityPart) {
	if m != nil {
		f.roles[m.Start] |= roleMultiplicity
	}
}

// run writes all tokens and notes.
func (f *formatter) run() string {
	for pos := f.from; ; {
		t, _ := scan(f.text, pos, f.in)
		f.writeNotes(pos, int(t.start))
		if t.kind == endOfText {
			break
		}
		f.writeToken(t)
		pos = int(t.end)
	}
	s := strings.TrimRight(f.out.String(), " \n")
	if s == "" {
		return ""
	}
	return s + "\n"
}

// writeToken writes what stands before t, and t.
func (f *formatter) writeToken(t token) {
	r := f.roles[t.start]
	closing := t.kind == rbrace && len(f.levels) > 0
	var closed level
	if closing {
		closed = f.levels[len(f.levels)-1]
		f.levels = f.levels[:len(f.levels)-1]
		f.indent, f.parens = closed.indent, closed.parens
	}
	f.separate(t, r, closing, closed)
	f.track(t, r)
	if t.kind == regularComment {
		f.writeComment(t)
	} else {
		f.out.WriteString(f.text[t.start:t.end])
	}
	f.prev, f.prevOpen = t, false
	if t.kind == lbrace {
		f.open(t)
	}
}

// open begins a body.
func (f *formatter) open(t token) {
	body := f.bodies[t.start]
	f.levels = append(f.levels, level{f.isInline(t, body), f.line, f.indent, f.parens, body})
	f.indent, f.parens = f.line+1, 0
	f.prevOpen = true
}

// isInline reports whether a body stays on its line: it does where it was
// written so.
func (f *formatter) isInline(t token, body *Body) bool {
	if f.oneLine {
		return true
	}
	if body == nil {
		return false
	}
	inside := f.text[t.start:body.End]
	if len(body.Members) == 0 && skip(f.text, int(t.end)) == int(body.End)-1 && !strings.Contains(inside, "//") {
		return true // nothing in it
	}
	return !strings.Contains(inside, "\n")
}

// inline reports whether the innermost body stays on its line.
func (f *formatter) inline() bool { return len(f.levels) > 0 && f.levels[len(f.levels)-1].inline }

// track follows the roles that the tokens behind t depend on.
func (f *formatter) track(t token, r role) {
	f.unary = false
	switch t.kind {
	case plus, minus, tilde:
		f.unary = !f.afterOperand()
	case atSign:
		f.unary = !f.afterOperand() || r&roleMetadata != 0
	case star:
		f.infinity = !f.afterOperand()
	case less:
		f.inName = f.roles[f.nextStart(t)]&roleShortName != 0
	case greater:
		f.inName = false
	case lparen, lbracket:
		f.parens++
	case rparen, rbracket:
		f.parens = max(f.parens-1, 0)
	case semicolon, lbrace:
		f.inImport = false
	}
	if r&roleImport != 0 {
		f.inImport = true
	}
}

// nextStart is where the token behind t starts.
func (f *formatter) nextStart(t token) int32 {
	next, _ := scan(f.text, int(t.end), f.in)
	return next.start
}

// afterOperand reports whether the last token ends an operand, so that an
// operator behind it is binary.
func (f *formatter) afterOperand() bool {
	switch f.prev.kind {
	case ident, decimalValue, realValue, stringValue, rparen, rbracket, kwTrue, kwFalse, kwNull:
		return true
	case star:
		return f.infinity
	case rbrace:
		return f.parens > 0
	}
	return false
}

// separate writes the layout before t.
func (f *formatter) separate(t token, r role, closing bool, closed level) {
	if f.out.Len() == 0 {
		return
	}
	broken := strings.IndexByte(f.text[f.prev.end:t.start], '\n') >= 0
	switch {
	case f.oneLine:
		f.blank(f.needsBlank(t, r) || f.wouldMerge(t))
	case closing:
		switch {
		case !closed.inline:
			f.newLine(closed.line, false)
		default:
			f.blank(true)
		}
	case r&roleMember != 0 && f.prevOpen:
		if f.inline() {
			f.blank(true)
		} else {
			f.newLine(f.indent, false)
		}
	case r&roleMember != 0 && (f.inline() || t.kind == regularComment && !broken):
		f.blank(true)
	case r&roleMember != 0:
		f.newLine(f.indent, f.emptyLine(t))
	case f.atLineStart():
		f.newLine(f.continuation(t), false)
	case broken && f.mayBreak(t):
		f.newLine(f.continuation(t), false)
	default:
		f.blank(f.needsBlank(t, r) || f.wouldMerge(t))
	}
}

// wouldMerge reports whether t without a blank before it would be read as one
// token with the last, which happens in texts with errors only.
func (f *formatter) wouldMerge(t token) bool {
	joined := f.text[f.prev.start:f.prev.end] + f.text[t.start:t.end]
	first, _ := scan(joined, 0, f.in)
	return first.end != f.prev.end-f.prev.start
}

// continuation is the indentation of a line inside a member.
func (f *formatter) continuation(t token) int {
	if t.kind == regularComment || t.kind == lbrace {
		return f.indent
	}
	return f.indent + 1
}

// mayBreak reports whether a line break of the writer before t is kept.
func (f *formatter) mayBreak(t token) bool {
	switch t.kind {
	case semicolon, comma, lbrace, rbrace, rparen, rbracket, colonColon, dot, kwElse, kwUntil, lparen, lbracket:
		return t.kind == kwElse && f.prev.kind != rbrace || t.kind == dot && f.prev.kind != ident || t.kind == rparen
	}
	return true
}

// emptyLine reports whether the text has an empty line before t.
func (f *formatter) emptyLine(t token) bool {
	return strings.Count(f.text[f.lastEnd(t):t.start], "\n") > 1
}

// lastEnd is where the token or note before t ends.
func (f *formatter) lastEnd(t token) int32 {
	end := int(f.prev.end)
	for pos := end; pos < int(t.start); {
		if f.text[pos] != '/' {
			pos++
			continue
		}
		pos = noteEnd(f.text, pos)
		end = pos
	}
	return int32(end)
}

// atLineStart reports whether a note has ended the line.
func (f *formatter) atLineStart() bool { return strings.HasSuffix(f.out.String(), "\n") }

func (f *formatter) blank(needed bool) {
	if needed && !f.atLineStart() {
		f.out.WriteByte(' ')
	}
}

// newLine begins a line, behind an empty one where empty is set.
func (f *formatter) newLine(indent int, empty bool) {
	if !f.atLineStart() {
		f.out.WriteByte('\n')
	}
	if empty {
		f.out.WriteByte('\n')
	}
	for range indent {
		f.out.WriteString(indentation)
	}
	f.line = indent
}
