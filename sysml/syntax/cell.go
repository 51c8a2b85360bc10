package syntax

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file reads a cell part by part.

// PartKind says what ParsePart found.
type PartKind uint8

// The kinds of part of a cell.
const (
	PartEnd         PartKind = iota // nothing is left but layout and notes
	PartDeclaration                 // Decl
	PartExpression                  // Expr
	PartMagic                       // a line that starts with %; the caller reads it
)

// A Part is one part of a cell.
type Part struct {
	Kind PartKind
	// Span is the part without the layout before it; of a PartMagic it is the
	// line without its ending.
	Span source.Span
	// End is where the next part may be looked for.
	End  int
	Decl *Decl // nil where an error left nothing of it
	Expr Expr
	// Diagnostics are those of this part alone. A part with errors runs to
	// where reading can go on.
	Diagnostics diagnostic.List
	Extensions  []Extension
}

// ParsePart reads the part of a cell that begins at or behind offset start:
// a declaration, which runs to its balanced end, or, where no declaration can
// start, an expression, which runs to a semicolon or to where a line ends and
// the expression can. `x;` is an expression here. A line that starts with % is
// a magic where a part can begin, and ends an expression before it.
func ParsePart(file *source.File, start int, opts Options) Part {
	from := skip(file.Text, start)
	if from < len(file.Text) && file.Text[from] == '%' {
		end := len(file.Text)
		if n := strings.IndexByte(file.Text[from:], '\n'); n >= 0 {
			end = from + n
		}
		line := strings.TrimRight(file.Text[from:end], "\r")
		return Part{Kind: PartMagic, Span: source.Span{File: file, Start: int32(from), End: int32(from + len(line))}, End: end}
	}
	p := newParser(file, start, opts)
	p.lines = true
	part := Part{Kind: PartEnd, Span: p.span(p.here()), End: len(file.Text)}
	begin := p.tok.start
	switch {
	case p.at(endOfText) && len(p.diagnostics) == 0:
		return part
	case p.at(rbrace):
		part.Kind = PartDeclaration
		p.report(p.here(), "a closing brace without an opening one")
		p.advance()
	case p.startsCellExpression():
		part.Kind = PartExpression
		part.Expr = p.parseExpr()
		p.endCellExpression()
	default:
		part.Kind = PartDeclaration
		part.Decl = p.parseMember(bodyOf(inPackage, inNamespace, p.kerml), prior{})
		p.endCellDeclaration(begin)
	}
	part.Span = p.span(p.since(begin))
	if part.Decl != nil {
		part.Decl.Span = part.Span
	}
	if !p.stopped {
		part.End = int(p.prev.end)
	}
	p.diagnostics.Sort()
	part.Diagnostics, part.Extensions = p.diagnostics, p.extensions
	return part
}

// startsCellExpression reports whether an expression follows.
func (p *parser) startsCellExpression() bool {
	switch p.tok.kind {
	case ident:
		return !p.nameStartsDeclaration(true)
	case atSign:
		return false
	}
	return p.startsResult()
}

// endCellExpression reads the semicolon behind an expression, or sees that
// the line ends. Behind an error it passes the rest of the line.
func (p *parser) endCellExpression() {
	if !p.failing && !p.accept(semicolon) && !p.at(endOfText) && !p.newLine() {
		p.expected("the end of the expression")
	}
	if !p.failing {
		return
	}
	p.resume()
	for !p.at(endOfText) && !p.newLine() {
		if p.accept(semicolon) {
			return
		}
		p.advance()
	}
}

// endCellDeclaration finds, behind an error, where the next part can begin.
func (p *parser) endCellDeclaration(begin int32) {
	if !p.failing {
		return
	}
	p.recover()
	if p.prev.end <= begin && !p.at(endOfText) {
		p.advance()
	}
}
