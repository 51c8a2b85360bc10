package lang

import (
	"fmt"
	"strings"
	"sync"

	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// dialect is Starlark with everything on: while, sets, control flow at the
// top level and recursion, which the limit on depth bounds.
func dialect() *syntax.FileOptions {
	return &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
}

// The bounds of a text, which keep the parser's own recursion small.
const (
	maxText    = 1 << 20 // bytes
	maxNesting = 500     // open brackets
)

// A Text is one Starlark file or cell that was parsed.
type Text struct {
	File *source.File
	// Path is the name that Starlark positions carry. It is unique, so that
	// two cells of one name stay apart.
	Path string
	Tree *syntax.File // resolved in place by whoever compiles it
	// places finds what a position belongs to; made at the first error.
	places func() map[place]source.Span
	// calls names the calls of the text, functions finds its functions and
	// dependencies what its globals depend on.
	calls        func() map[place]callSite
	functions    func() map[place]syntax.Node
	dependencies func() *dependencies
}

// A place is a syntax.Position within one text. (Positions of two parses of
// one text differ as Go values.)
type place struct{ line, col int32 }

func at(pos syntax.Position) place { return place{pos.Line, pos.Col} }

// Texts are the Starlark texts of one session or plan, by their path. They
// may be used by many goroutines.
type Texts struct {
	mu   sync.Mutex
	all  map[string]*Text
	next int
}

// NewTexts makes an empty collection.
func NewTexts() *Texts { return &Texts{all: map[string]*Text{}} }

// Parse parses file. The error is a diagnostic with its place in file.
func (t *Texts) Parse(file *source.File) (*Text, error) {
	t.mu.Lock()
	t.next++
	text := &Text{File: file, Path: fmt.Sprintf("%s\x00%d", file.Name, t.next)}
	t.mu.Unlock()
	if d := admissible(file); d != nil {
		return nil, d
	}
	tree, err := dialect().Parse(text.Path, file.Text, 0)
	if err != nil {
		return nil, syntaxError(text, err)
	}
	text.Tree = tree
	text.places = sync.OnceValue(func() map[place]source.Span { return places(text) })
	text.calls = sync.OnceValue(func() map[place]callSite { return callSites(tree) })
	text.functions = sync.OnceValue(func() map[place]syntax.Node { return functionsOf(tree) })
	text.dependencies = sync.OnceValue(func() *dependencies { return dependenciesOf(tree) })
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all[text.Path] = text
	return text, nil
}

// find is the text that positions of path belong to; nil for none.
func (t *Texts) find(path string) *Text {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all[path]
}

// Span is where pos stands in its text: the expression it belongs to, or the
// one character; zero where pos is in none of the texts.
func (t *Texts) Span(pos syntax.Position) source.Span {
	text := t.find(pos.Filename())
	if text == nil {
		return source.Span{}
	}
	if s, ok := text.places()[at(pos)]; ok {
		return s
	}
	return text.point(pos)
}

// admissible refuses what would take the parser too deep.
func admissible(file *source.File) *diagnostic.Diagnostic {
	if len(file.Text) > maxText {
		return diagnostic.New(StarlarkSyntax, source.Span{File: file},
			fmt.Sprintf("the text is longer than %d bytes", maxText)).WithHint("put data into files that the model reads, or compute it in a loop")
	}
	if i := strings.IndexByte(file.Text, 0); i >= 0 { // the scanner would take it for the end
		return diagnostic.New(StarlarkSyntax, source.Span{File: file, Start: int32(i), End: int32(i + 1)}, "the text has a NUL character")
	}
	depth := 0
	for i := 0; i < len(file.Text); i++ {
		switch c := file.Text[i]; c {
		case '(', '[', '{':
			if depth++; depth > maxNesting {
				return diagnostic.New(StarlarkSyntax, source.Span{File: file, Start: int32(i), End: int32(i + 1)},
					fmt.Sprintf("brackets are nested deeper than %d", maxNesting))
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '#':
			for i+1 < len(file.Text) && file.Text[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			i = skipString(file.Text, i)
		}
	}
	return nil
}

// skipString is the offset of the end of the string literal that starts at i.
func skipString(s string, i int) int {
	quote := s[i : i+1]
	if len(s) >= i+3 && s[i+1:i+2] == quote && s[i+2:i+3] == quote {
		quote = s[i : i+3]
	}
	for j := i + len(quote); j < len(s); j++ {
		switch {
		case s[j] == '\\':
			j++
		case len(quote) == 1 && s[j] == '\n':
			return j
		case j+len(quote) <= len(s) && s[j:j+len(quote)] == quote:
			return j + len(quote) - 1
		}
	}
	return len(s)
}

// offset is the byte offset of pos, whose column counts code points.
func (t *Text) offset(pos syntax.Position) int {
	off := 0
	for line := int32(1); line < pos.Line && off < len(t.File.Text); off++ {
		if t.File.Text[off] == '\n' {
			line++
		}
	}
	return off + source.Offset(t.File.Line(int(pos.Line)), int(pos.Col)-1)
}

func (t *Text) point(pos syntax.Position) source.Span {
	start := t.offset(pos)
	return source.Span{File: t.File, Start: int32(start), End: int32(min(start+1, len(t.File.Text)))}
}

// word is the word at pos, or its one character.
func (t *Text) word(pos syntax.Position) source.Span {
	s := t.point(pos)
	for int(s.End) < len(t.File.Text) && isWord(t.File.Text[s.Start]) && isWord(t.File.Text[s.End]) {
		s.End++
	}
	return s
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func (t *Text) span(n syntax.Node) source.Span {
	start, end := n.Span()
	s := source.Span{File: t.File, Start: int32(t.offset(start)), End: int32(t.offset(end))}
	if endsInBracket(n) {
		s.End++
	}
	return s
}

// endsInBracket reports whether n ends in the bracket of an index, which
// Starlark's own spans leave out.
func endsInBracket(n syntax.Node) bool {
	for {
		switch e := n.(type) {
		case *syntax.IndexExpr, *syntax.SliceExpr:
			return true
		case *syntax.BinaryExpr:
			n = e.Y
		case *syntax.UnaryExpr:
			n = e.X
		case *syntax.CondExpr:
			n = e.False
		case *syntax.LambdaExpr:
			n = e.Body
		case *syntax.AssignStmt:
			n = e.RHS
		default:
			return false
		}
	}
}

// places maps the positions that Starlark's errors carry to the expressions
// they speak of.
func places(t *Text) map[place]source.Span {
	m := map[place]source.Span{}
	syntax.Walk(t.Tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			m[at(n.Lparen)] = t.span(n)
		case *syntax.BinaryExpr:
			m[at(n.OpPos)] = t.span(n)
		case *syntax.UnaryExpr:
			m[at(n.OpPos)] = t.span(n)
		case *syntax.IndexExpr:
			m[at(n.Lbrack)] = t.span(n)
		case *syntax.SliceExpr:
			m[at(n.Lbrack)] = t.span(n)
		case *syntax.DotExpr:
			m[at(n.Dot)] = t.span(n)
		case *syntax.Ident:
			m[at(n.NamePos)] = t.span(n)
		case *syntax.AssignStmt:
			m[at(n.OpPos)] = t.span(n)
		}
		return true
	})
	return m
}
