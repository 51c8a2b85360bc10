package model

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file holds what is said about names that lead to nothing.

// unresolved says how far q leads in scope; nil where that is said already: a name
// is missing in the text, or one before it leads nowhere.
func (m *Model) unresolved(q syntax.QualifiedName, scope *Element, why miss, kind string, fits func(*Element) bool) *diagnostic.Diagnostic {
	if why.segment >= len(q.Segments) || q.Segments[why.segment].Text == "" {
		return nil
	}
	if why.wrong == nil && why.in.isIncomplete() {
		return nil // it may well be there: what why.in specializes is not known
	}
	name := q.Segments[why.segment].Text
	span := nameSpan(scope, q, why.segment)
	if len(q.Segments) > 1 && why.segment < len(q.Segments)-1 {
		kind = "namespace"
	}
	if why.wrong != nil {
		d := diagnostic.New(diagnostic.UnresolvedName, span,
			"no "+kind+" "+Quote(name)+": it is "+article(why.wrong.kindName())+" "+why.wrong.kindName())
		return d.WithRelated(why.wrong.NameSpan(), "declared here")
	}
	where := ""
	c := collector{seen: map[string]bool{}}
	suggest := m.suggestions > 0
	m.suggestions--
	if why.in != nil {
		where = " in " + why.in.qualifiedName(true)
		if suggest {
			c.namespace(why.in, outside, false)
		}
		if hidden := m.hiddenMember(why.in, name); hidden != nil {
			return diagnostic.New(diagnostic.UnresolvedName, span, hidden.Visibility().String()+" member "+Quote(name)+
				" of "+why.in.qualifiedName(true)+" cannot be named from here").WithRelated(hidden.NameSpan(), "declared here")
		}
	} else if suggest {
		m.collectScope(&c, scope, false)
	}
	if kind == "definition" {
		fits = func(e *Element) bool { return e.metaclass.IsClassifier() }
	}
	d := diagnostic.New(diagnostic.UnresolvedName, span, "no "+kind+" "+Quote(name)+where)
	if near := spell.Nearest(name, c.fitting(fits, why.segment == len(q.Segments)-1)); len(near) > 0 {
		d.Message += ", nearest: " + strings.Join(quoteAll(near), ", ")
	}
	return d.WithHint(m.importHint(name, why, fits))
}

// orPlain is d, or else that the name at span leads nowhere.
func orPlain(d *diagnostic.Diagnostic, span source.Span) *diagnostic.Diagnostic {
	if d == nil {
		return diagnostic.New(diagnostic.UnresolvedName, span, "this name leads nowhere")
	}
	return d
}

// aliasRing reports the alias e, which leads through other aliases to itself.
func aliasRing(e *Element) *diagnostic.Diagnostic {
	return diagnostic.New(diagnostic.UnresolvedName, e.NameSpan(), "the alias "+Quote(e.effectiveName())+" stands for itself in the end")
}

// isIncomplete reports whether e, or something that it specializes, names a
// general that is not there.
func (e *Element) isIncomplete() bool {
	if e == nil || !e.isType() {
		return false
	}
	for _, t := range append([]*Element{e}, e.supertypes()...) {
		for i := range t.relationships() {
			if t.decl.Relationships[i].Kind <= syntax.Conjugates && t.target(i) == nil {
				return true
			}
		}
	}
	return false
}

// hiddenMember is the member of ns called name that visibility hides.
func (m *Model) hiddenMember(ns *Element, name string) *Element {
	for _, e := range ns.named(name) {
		if e.visibility() != syntax.Public {
			return e
		}
	}
	return nil
}

// oftenImported are the library packages whose members models name most, in
// the order in which a missing name is looked for in them.
var oftenImported = [...]string{"ScalarValues", "NumericalFunctions", "SequenceFunctions", "ControlFunctions", "CollectionFunctions",
	"RealFunctions", "IntegerFunctions", "StringFunctions", "TrigFunctions", "VectorFunctions", "ISQ", "SI", "USCustomaryUnits"}

// importHint names a member of the library that was not imported, where it fits.
func (m *Model) importHint(name string, why miss, fits func(*Element) bool) string {
	if why.in != nil || m.library == nil {
		return ""
	}
	for _, p := range oftenImported {
		ns := m.libraryElement(p)
		if ns == nil {
			continue
		}
		s := search{name: name, fits: fits}
		if s.find(ns, outside) != nil {
			path := p + "::" + Quote(name)
			return "add `private import " + path + ";`, or write " + path
		}
	}
	return ""
}

func (m *Model) unresolvedLink(ref *syntax.Reference, scope *Element, why *missed, kind string, fits func(*Element) bool) *diagnostic.Diagnostic {
	if why.link >= len(ref.Links) {
		return nil
	}
	if why.link < len(ref.Links)-1 || why.link > 0 {
		kind = "feature"
	}
	return m.unresolved(ref.Links[why.link], scope, why.miss, kind, fits)
}

// fitting are the names gathered, those that fit where last is set.
func (c *collector) fitting(fits func(*Element) bool, last bool) []string {
	if fits == nil || !last {
		return c.names
	}
	var names []string
	for i, n := range c.names {
		if fits(c.found[i]) {
			names = append(names, n)
		}
	}
	return names
}

func quoteAll(names []string) []string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Quote(n)
	}
	return quoted
}

// kindName is what a reader calls the kind of e: "part def", "attribute".
func (e *Element) kindName() string {
	if e.owner == nil {
		return "document"
	}
	if k := e.metaclass.Keyword(); k != "" {
		return k
	}
	if e.isFeature() {
		return "feature"
	}
	return strings.ToLower(e.metaclass.String())
}

func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) && !strings.HasPrefix(noun, "use") {
		return "an"
	}
	return "a"
}

// count is "1 end" or "3 ends".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
