package syntax

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Options say how a text is read. The zero Options read the standard notation.
type Options struct {
	// Extensions admits the notation beyond the standard that Orrery knows;
	// each use is listed in Tree.Extensions. Off, each is an error.
	Extensions bool
	// MaxDepth is how deep bodies and expressions may nest; 0 means 1,000.
	MaxDepth int
	// MaxSize is how many bytes a text may have; 0 means 256 MiB.
	MaxSize int
}

// Parse reads file in the notation that its Language names. It always returns
// a tree, and reports what is wrong in the order of the text. An error that
// more input could mend is marked Incomplete.
func Parse(file *source.File, opts Options) (*Tree, diagnostic.List) {
	return &Tree{File: file}, nil
}

// ParseExpression reads one expression from offset start of file to the end
// of the text. What stands behind it is an error.
func ParseExpression(file *source.File, start int, opts Options) (Expr, diagnostic.List) {
	return &BadExpression{Node{source.Span{File: file, Start: int32(start), End: int32(start)}}}, nil
}

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
	Decl *Decl
	Expr Expr
	// Diagnostics are those of this part alone. A part with errors runs to
	// where reading can go on.
	Diagnostics diagnostic.List
	Extensions  []Extension
}

// ParsePart reads the part of a cell that begins at or behind offset start:
// a declaration, which runs to its balanced end, or, where no declaration can
// start, an expression, which runs to a semicolon or to where a line ends and
// the expression can. It stops before a line that starts with %.
func ParsePart(file *source.File, start int, opts Options) Part {
	return Part{Kind: PartEnd, End: len(file.Text)}
}
