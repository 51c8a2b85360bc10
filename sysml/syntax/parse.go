package syntax

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file holds the doors of the parser. It is recursive descent with one
// function a production, in files named for families of productions; errors
// and recovery are in recover.go.

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

const (
	defaultMaxDepth = 1000
	defaultMaxSize  = 256 << 20
	// maxChain is how many operators may follow each other in one expression
	// without parentheses, since the tree of a + b + c leans to the left.
	maxChain = 10000
	// maxErrors is how many errors are reported of one text.
	maxErrors = 100
)

// Parse reads file in the notation that its Language names. It always returns
// a tree, and reports what is wrong in the order of the text. An error that
// more input could mend is marked Incomplete.
func Parse(file *source.File, opts Options) (*Tree, diagnostic.List) {
	p := newParser(file, 0, opts)
	tree := &Tree{File: file}
	root := bodyOf(inPackage, inNamespace, p.kerml)
	tree.Members = p.parseMembers(root, true)
	tree.Extensions = p.extensions
	p.diagnostics.Sort()
	return tree, p.diagnostics
}

// ParseExpression reads one expression from offset start of file to the end
// of the text. What stands behind it is an error.
func ParseExpression(file *source.File, start int, opts Options) (Expr, diagnostic.List) {
	p := newParser(file, start, opts)
	e := p.parseExpr()
	if !p.failing && p.tok.kind != endOfText {
		p.expected("the end of the expression")
	}
	p.diagnostics.Sort()
	return e, p.diagnostics
}

// A parser reads one text once.
type parser struct {
	file  *source.File
	text  string
	kerml bool
	words reservedIn // the notation whose words are reserved
	opts  Options

	tok  token // the token to be read; endOfText while failing
	prev token // the token before it

	failing  bool  // an error was reported and reading has not gone on yet
	failedAt token // the token that tok hides while failing
	stopped  bool  // nothing more is read and nothing more is said; tok is endOfText
	faultEnd int32 // faults of tokens before this offset have been reported
	foreign  bool  // that the text is not UTF-8 has been reported

	depth int  // of bodies and expressions
	lines bool // in a cell: the end of a line may end an expression

	diagnostics diagnostic.List
	extensions  []Extension
	slabs
}

func newParser(file *source.File, start int, opts Options) *parser {
	p := &parser{file: file, text: file.Text, kerml: file.Language == source.KerML, words: inSysML, opts: opts}
	if p.kerml {
		p.words = inKerML
	}
	if p.opts.MaxDepth == 0 {
		p.opts.MaxDepth = defaultMaxDepth
	}
	if p.opts.MaxSize == 0 {
		p.opts.MaxSize = defaultMaxSize
	}
	if !p.isText(start) {
		p.text, start, p.stopped = "", 0, true
	}
	p.tok.end = int32(start)
	p.advance()
	return p
}

// advance reads the next token. Tokens that are none are reported and passed.
func (p *parser) advance() {
	if p.failing {
		return
	}
	p.prev = p.tok
	if p.stopped {
		p.tok = token{endOfText, p.tok.end, p.tok.end}
		return
	}
	for {
		t, f := scan(p.text, int(p.tok.end), p.words)
		if f != noFault {
			p.reportFault(t, f)
			if p.stopped {
				p.tok = token{endOfText, t.start, t.start}
				return
			}
		}
		p.tok = t
		if t.kind != noToken {
			return
		}
	}
}

// at reports whether the token is of kind k.
func (p *parser) at(k tokenKind) bool { return p.tok.kind == k }

// accept reads a token of kind k where there is one.
func (p *parser) accept(k tokenKind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// want reads a token of kind k or fails.
func (p *parser) want(k tokenKind) bool {
	if p.accept(k) {
		return true
	}
	p.expected("'" + k.spelling() + "'")
	return false
}

// mark is a place to go back to.
type mark struct{ tok, prev token }

func (p *parser) mark() mark { return mark{p.tok, p.prev} }

// reset goes back to m, which must have been made since the last error.
func (p *parser) reset(m mark) { p.tok, p.prev = m.tok, m.prev }

// peek is the kind of the token behind the current one.
func (p *parser) peek() tokenKind {
	t, _ := scan(p.text, int(p.tok.end), p.words)
	return t.kind
}

// since is the range from start to the end of the last token read.
func (p *parser) since(start int32) Range { return Range{start, max(start, p.prev.end)} }

// span is r as a span.
func (p *parser) span(r Range) source.Span {
	return source.Span{File: p.file, Start: r.Start, End: r.End}
}

// node is the Node of an expression from start to the last token read.
func (p *parser) node(start int32) Node { return Node{p.span(p.since(start))} }

// word is the text of the current token.
func (p *parser) word() string { return p.text[p.tok.start:p.tok.end] }

// enter counts one level of nesting; false where there are too many. Each
// enter is followed by a leave.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > p.opts.MaxDepth {
		p.tooDeep()
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }
