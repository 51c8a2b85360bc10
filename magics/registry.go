package magics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file is how a magic is declared. Everything that is said of a magic is
// said once, in its declaration: the parser of lines, completion, %help, the
// reference page and the test of the examples all read it there.

// A kind says what an argument or the value of a flag is. It decides how far
// the word reaches, how it is checked, and what completion offers.
type kind uint8

const (
	kindWord       kind = iota // one word, as written
	kindSwitch                 // flags only: present or absent, takes no value
	kindText                   // the rest of the line
	kindInteger                // a whole number, maybe negative
	kindCount                  // a whole number of at least 1
	kindSeconds                // a number of seconds, at least 0, or of another unit: 2 [min]
	kindName                   // a qualified name of an element
	kindObject                 // an object: a name, #n or a path from one
	kindBehavior               // the qualified name of an action, state, calculation or case
	kindExpression             // a SysML expression: the rest of the line, or up to the next flag
	kindAssignment             // NAME=EXPR
	kindCall                   // NAME or NAME(p=EXPR, ...)
	kindPath                   // a path of a file or folder, quoted where it has spaces
	kindOneOf                  // one of the declared values
	kindMagic                  // the name of a magic
	kindBudget                 // NAME=N, where NAME is a bound of the session
)

// placeholder is the word that stands for a value of kind k in a usage line.
func (k kind) placeholder() string {
	return [...]string{"WORD", "", "TEXT", "N", "N", "SECONDS", "NAME", "OBJ", "BEHAVIOUR", "EXPR",
		"p=EXPR", "NAME(p=EXPR)", "PATH", "WORD", "MAGIC", "NAME=N"}[k]
}

// whole reports whether a positional argument of kind k takes the rest of the
// line as one text.
func (k kind) whole() bool { return k == kindText || k == kindExpression || k == kindSeconds }

// An argument is one positional argument of a magic. Only the last one may be
// repeated or take the rest of the line.
type argument struct {
	name     string // as usage shows it, upper case
	kind     kind
	optional bool
	repeated bool
	values   []string // of kindOneOf: every value; of other kinds: words that completion offers too
}

// A flag is written --name VALUE or --name=VALUE, with one dash or two.
type flag struct {
	name     string
	short    string // another spelling, "" for none
	kind     kind
	values   []string // of kindOneOf
	fallback string   // what holds where the flag is absent, as text for help; "" for nothing
	summary  string
}

// A magic is one command of the user. Its zero value declares nothing.
type magic struct {
	name      string   // without %
	aliases   []string // other spellings that mean the same
	cell      bool     // %%name: the text below the first line belongs to it
	family    string   // the heading that %lsmagic and the reference list it under
	arguments []argument
	flags     []flag
	summary   string // one line, lower case, no full stop
	help      string // a few sentences more; "" where the summary says it all
	example   string // a cell that shows it; a test runs it after exampleModel
	// run carries the magic out. The error is a diagnostic, a list of them or
	// a context's error.
	run func(c *call) error
}

// sigil is what a cell writes before the name of m.
func (m *magic) sigil() string {
	if m.cell {
		return "%%"
	}
	return "%"
}

// usage is the shape of a line that calls m: "%run BEHAVIOUR [p=EXPR...] [--keep]".
func (m *magic) usage() string {
	var b strings.Builder
	b.WriteString(m.sigil() + m.name)
	for _, a := range m.arguments {
		word := a.name
		if a.kind == kindOneOf {
			word = strings.Join(a.values, "|")
		}
		if a.repeated {
			word += "..."
		}
		if a.optional {
			word = "[" + word + "]"
		}
		b.WriteString(" " + word)
	}
	for i := range m.flags {
		b.WriteString(" [" + m.flags[i].usage() + "]")
	}
	return b.String()
}

// usage is the flag with the shape of its value: "--schedule POLICY".
func (f *flag) usage() string {
	dashes := "--"
	if len(f.name) == 1 {
		dashes = "-"
	}
	switch f.kind {
	case kindSwitch:
		return dashes + f.name
	case kindOneOf:
		return dashes + f.name + " " + strings.Join(f.values, "|")
	}
	return dashes + f.name + " " + f.kind.placeholder()
}

// flag is the declared flag of that spelling, nil where there is none.
func (m *magic) flag(name string) *flag {
	for i := range m.flags {
		if f := &m.flags[i]; f.name == name || f.short != "" && f.short == name {
			return f
		}
	}
	return nil
}

// A registry holds the magics of a Shell. It does not change once made and
// may be read by many goroutines.
type registry struct {
	line, body map[string]*magic // by name and alias: % and %%
	all        []*magic          // by family in declared order, then as declared
	families   []string
}

// newRegistry checks the declarations and indexes them. A bad declaration is
// a fault of this package and panics.
func newRegistry(families ...[]*magic) *registry {
	r := &registry{line: map[string]*magic{}, body: map[string]*magic{}}
	for _, family := range families {
		for _, m := range family {
			if err := r.add(m); err != nil {
				panic("magics: " + err.Error())
			}
		}
	}
	slices.SortStableFunc(r.all, func(a, b *magic) int {
		return cmp.Compare(slices.Index(r.families, a.family), slices.Index(r.families, b.family))
	})
	return r
}

func (r *registry) add(m *magic) error {
	if m.name == "" || m.summary == "" || m.example == "" || m.family == "" || m.run == nil {
		return fmt.Errorf("magic %q is declared incompletely", m.name)
	}
	for i, a := range m.arguments {
		if i < len(m.arguments)-1 && (a.repeated || a.kind.whole() || a.optional && !m.arguments[i+1].optional) {
			return fmt.Errorf("argument %s of %s must be the last", a.name, m.name)
		}
	}
	index := r.line
	if m.cell {
		index = r.body
	}
	for _, name := range append([]string{m.name}, m.aliases...) {
		if index[name] != nil {
			return fmt.Errorf("magic %s is declared twice", name)
		}
		index[name] = m
	}
	if !slices.Contains(r.families, m.family) {
		r.families = append(r.families, m.family)
	}
	r.all = append(r.all, m)
	return nil
}

// find is the magic of that name, where body says whether it was written %%.
func (r *registry) find(name string, body bool) *magic {
	if body {
		return r.body[name]
	}
	return r.line[name]
}

// either is the magic of that name in either spelling, % first; for %help.
func (r *registry) either(name string) *magic {
	if strings.HasPrefix(name, "%%") {
		return r.body[name[2:]]
	}
	name = strings.TrimPrefix(name, "%")
	if m := r.line[name]; m != nil {
		return m
	}
	return r.body[name]
}

// names are all spellings of % magics, or of %% magics, in alphabetical order.
func (r *registry) names(body bool) []string {
	index := r.line
	if body {
		index = r.body
	}
	names := make([]string, 0, len(index))
	for name := range index {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
