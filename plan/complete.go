package plan

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// IsStarlark reports whether text is Starlark and hardly anything else: it
// parses, and assigns, defines, branches or calls a builtin. A front end asks
// it about a cell that is no SysML.
func IsStarlark(text string) bool {
	parsed, err := lang.NewTexts().Parse(source.NewFile("", text))
	if err != nil || len(parsed.Tree.Stmts) == 0 {
		return false
	}
	ours := (&Cells{}).builtins()
	for _, s := range parsed.Tree.Stmts {
		e, ok := s.(*syntax.ExprStmt)
		if !ok {
			if b, branch := s.(*syntax.BranchStmt); branch && b.Token == syntax.PASS {
				continue
			}
			return true
		}
		found := false
		syntax.Walk(e, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CallExpr:
				if id, ok := n.Fn.(*syntax.Ident); ok && (starlark.Universe.Has(id.Name) || ours.Has(id.Name)) {
					found = true
				}
			case *syntax.Comprehension, *syntax.LambdaExpr, *syntax.DictExpr:
				found = true
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// A Completeness says whether a text can be run as it stands.
type Completeness struct {
	// Status is "complete", "incomplete" or "invalid".
	Status string
	// Indent is the white space that the next line should begin with; given
	// with "incomplete".
	Indent string
}

// IsComplete judges code for a prompt that reads line by line: an open
// bracket, string or block asks for more; a block ends with an empty line.
func IsComplete(code string) Completeness {
	_, err := lang.NewTexts().Parse(source.NewFile("", code))
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	last := lines[len(lines)-1]
	trimmed := strings.TrimRight(last, " \t")
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	opens := strings.HasSuffix(trimmed, ":")
	if opens {
		indent += "    "
	}
	if err != nil {
		if diagnostic.Of(err).Incomplete() || opens {
			return Completeness{"incomplete", indent}
		}
		return Completeness{Status: "invalid"}
	}
	if indent != "" && !strings.HasSuffix(code, "\n\n") && !strings.HasSuffix(code, "\n"+indent+"\n") {
		return Completeness{"incomplete", indent}
	}
	return Completeness{Status: "complete"}
}

// A Match is one completion.
type Match struct {
	Text      string // the full replacement of the range
	Kind      string // "function", "module", "value", "attribute", "keyword"
	Signature string // what it is, in a few words; "" for nothing
}

// keywords are what a statement or an operator can begin with.
var keywords = []string{"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not", "or", "pass", "return", "while"}

// Complete is what could stand at byte offset at of code: names, or after a
// dot the attributes of the value before it, as far as it is known without
// running anything. start is where the word to replace begins.
func (c *Cells) Complete(code string, at int) (start int, matches []Match) {
	start = wordStart(code, at)
	prefix := code[start:at]
	if start > 0 && code[start-1] == '.' {
		if v := c.lookup(pathBefore(code, start-1)); v != nil {
			return start, attributes(v, prefix)
		}
		return start, nil
	}
	seen := map[string]bool{}
	add := func(name, kind, signature string) {
		if strings.HasPrefix(name, prefix) && !seen[name] {
			seen[name] = true
			matches = append(matches, Match{name, kind, signature})
		}
	}
	for _, n := range c.globals.Names() {
		add(n, kindOf(c.globals.Get(n)), "")
	}
	for _, b := range c.list() {
		add(b.Name, "function", b.Signature)
	}
	for n, v := range c.builtins() {
		add(n, kindOf(v), "")
	}
	for n, v := range starlark.Universe {
		add(n, kindOf(v), starlarkWords[n].signature)
	}
	for _, k := range keywords {
		add(k, "keyword", starlarkWords[k].summary)
	}
	sort.Slice(matches, func(i, j int) bool { return matches[i].Text < matches[j].Text })
	return start, matches
}

func kindOf(v starlark.Value) string {
	if _, ok := v.(starlark.Callable); ok {
		return "function"
	}
	if v.Type() == "module" {
		return "module"
	}
	return "value"
}

// attributes are those of v that begin with prefix.
func attributes(v starlark.Value, prefix string) []Match {
	x, ok := v.(starlark.HasAttrs)
	if !ok {
		return nil
	}
	var out []Match
	for _, n := range x.AttrNames() {
		if strings.HasPrefix(n, prefix) {
			out = append(out, Match{Text: n, Kind: "attribute"})
		}
	}
	return out
}

// lookup is the value of a chain of names, without running anything: an
// attribute is read where the value holds it.
func (c *Cells) lookup(path []string) starlark.Value {
	if len(path) == 0 {
		return nil
	}
	v := c.globals.Get(path[0])
	if v == nil {
		v = c.builtins()[path[0]]
	}
	for _, n := range path[1:] {
		x, ok := v.(starlark.HasAttrs)
		if !ok {
			return nil
		}
		next, err := x.Attr(n)
		if err != nil {
			return nil
		}
		v = next
	}
	return v
}

func wordStart(code string, at int) int {
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(code[:at])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		at -= n
	}
	return at
}

// pathBefore is the chain of names that ends before the dot at offset dot.
func pathBefore(code string, dot int) []string {
	var path []string
	for {
		start := wordStart(code, dot)
		if start == dot {
			return nil
		}
		path = append([]string{code[start:dot]}, path...)
		if start == 0 || code[start-1] != '.' {
			return path
		}
		dot = start - 1
	}
}
