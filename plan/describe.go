package plan

import (
	_ "embed"
	"strings"

	"go.starlark.net/starlark"
)

//go:embed starlark.txt
var starlarkText string

// A description is what a line of starlark.txt says of one name.
type description struct{ signature, summary string }

// starlarkWords describes what the language has of its own, by name: builtins,
// keywords, modules and their members, and with a dot before them the methods
// of texts, lists, dictionaries and sets.
var starlarkWords = func() map[string]description {
	words := map[string]description{}
	for line := range strings.Lines(starlarkText) {
		signature, summary, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		name, _, _ := strings.Cut(signature, "(")
		words[name] = description{strings.TrimPrefix(signature, "."), summary}
	}
	return words
}()

// Describe is the signature and summary of the name that ends at byte offset
// end of code: a builtin, a word of the language, or, behind a dot, a member
// of a module or a method. It is false where the name is none of these.
func (c *Cells) Describe(code string, end int) (signature, summary string, ok bool) {
	start := wordStart(code, end)
	name := code[start:end]
	if start > 0 && code[start-1] == '.' {
		return c.describeMember(pathBefore(code, start-1), name)
	}
	if c.globals.Get(name) != nil && !c.builtins().Has(name) {
		return "", "", false // a variable of the cells hides what the language has
	}
	for _, b := range c.list() {
		if b.Name == name {
			return b.Signature, b.Summary, true
		}
	}
	d, ok := starlarkWords[name]
	return d.signature, d.summary, ok
}

func (c *Cells) describeMember(path []string, name string) (signature, summary string, ok bool) {
	whole := strings.Join(append(path, name), ".")
	if d, ok := starlarkWords[whole]; ok {
		return d.signature, d.summary, true
	}
	if v := c.lookup(path); v != nil && v.Type() == "module" {
		if member, err := v.(starlark.HasAttrs).Attr(name); err == nil && member != nil {
			return whole, "a " + kindOf(member) + " of the module " + path[len(path)-1], true
		}
		return "", "", false
	}
	d, ok := starlarkWords["."+name]
	return d.signature, d.summary, ok
}
