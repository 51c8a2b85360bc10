package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file finds what a name means (KerML 8.2.3.5): in one namespace by its
// own members, then what it inherits, then what it imports; from a place in a
// text by the namespaces around it, from the inside out, and then by the root.

// access says how much of a namespace a search may see.
type access uint8

const (
	inside  access = iota // all of it
	heir                  // what is not private: what a specialization inherits
	outside               // what is public
)

func (a access) sees(v syntax.Visibility) bool {
	switch a {
	case inside:
		return true
	case heir:
		return v != syntax.Private
	}
	return v == syntax.Public
}

// A search looks for one name. It remembers where it has been, since imports
// may form rings, and fits says what it may find; nil admits everything.
type search struct {
	name    string
	fits    func(*Element) bool
	been    visits
	cut     *Element // found, but does not fit: for a better message
	lenient bool     // a redefined feature may be found by its old name
	asker   *Element // what asks: it hides nothing that it redefines
	except  *Element // not found: what asks, where it is no way to somewhere else

	filtered  bool       // the way led through an import with filters, which were left open
	candidate *Element   // where set, nothing else is found, and filters are asked about it
	rejected  []*Element // candidates that no way through filters leads to
}

func (s *search) visited(ns *Element, a access, how reason) bool { return s.been.add(ns, a, how) }

// admits passes over what does not fit, and keeps the first such thing.
func (s *search) admits(member *Element) bool {
	if member == s.except || s.candidate != nil && member != s.candidate {
		return false
	}
	if slices.Contains(s.rejected, member) {
		return false
	}
	if s.fits == nil {
		return true
	}
	e := member.aliased()
	if e == nil {
		return false
	}
	if s.fits(e) {
		return true
	}
	if s.cut == nil {
		s.cut = e
	}
	return false
}

// find is the member of ns that s looks for, an alias as itself; nil where
// there is none.
func (s *search) find(ns *Element, a access) *Element {
	return s.settled(func(s *search) *Element { return s.walk(ns, a) })
}

// settled is what look finds that filters let through. Whether a filter does
// depends on what is found behind it, so filters stay open at first; what was
// found through one is looked for again with filters in force. That asks each
// namespace once for each candidate, where trying every way through filters
// would be a matter of luck in a ring of imports.
func (s *search) settled(look func(*search) *Element) *Element {
	s.rejected = nil
	for {
		s.been.reset()
		s.filtered = false
		e := look(s)
		if e == nil || !s.filtered || s.candidate != nil {
			return e
		}
		again := search{name: s.name, lenient: s.lenient, asker: s.asker, except: s.except, candidate: e}
		if look(&again) != nil {
			return e
		}
		s.rejected = append(s.rejected, e)
	}
}

// walk looks in ns and wherever its generals and imports lead.
func (s *search) walk(ns *Element, a access) *Element {
	if s.visited(ns, a, forMembers) {
		return nil
	}
	if e := s.own(ns, a); e != nil {
		return e
	}
	if ns.isType() {
		if e := s.inherited(ns, a); e != nil {
			return e
		}
	}
	return s.imported(ns, a)
}

func (s *search) own(ns *Element, a access) *Element {
	for _, e := range ns.named(s.name) {
		if a.sees(e.visibility()) && s.admits(e) {
			return e
		}
	}
	return nil
}

// inherited is the nearest member of the types that t specializes that no
// feature of t or of another of them redefines.
func (s *search) inherited(t *Element, a access) *Element {
	return s.inheritable(t, max(a, heir), true)
}

// inheritable is inherited, but where own is not set what features of t itself
// redefine counts too.
func (s *search) inheritable(t *Element, a access, own bool) *Element {
	if e := s.inheritedFrom(t, t.supertypes(), a, own); e != nil {
		return e
	}
	if !t.doc.library && !t.model.mayBeImplied(s.name) {
		return nil
	}
	return s.inheritedFrom(t, t.allSupertypes(), a, own)
}

func (s *search) inheritedFrom(t *Element, supers []*Element, a access, own bool) *Element {
	var found, hidden *Element
	var low *Element // the last of those that found redefines, one by one
	for _, g := range supers {
		if !g.mayHold(s.name) {
			continue
		}
		e := s.own(g, a)
		if found != nil {
			// Of two that are inherited on ways of their own, the one that
			// redefines the other counts.
			switch {
			case e == nil || e == found || !e.isFeature():
			case low.redefinesDirectly(e):
				low = e
			case e.redefinesByText(found):
				found, low = e, e
			}
			continue
		}
		if e == nil && len(g.nameIndex().imports) > 0 && !s.visited(g, a, forImports) {
			e = s.imported(g, a)
		}
		if e == nil {
			continue
		}
		if s.hides(t, e, g, supers, own) {
			if hidden == nil {
				hidden = e
			}
			continue
		}
		if found, low = e, e; !e.isFeature() {
			return e
		}
	}
	if found == nil && s.lenient {
		return hidden
	}
	return found
}

// mayHold says whether a search in g is worth while.
func (e *Element) mayHold(name string) bool {
	x := e.nameIndex()
	return len(x.names.find(name)) > 0 || len(x.imports) > 0
}

// hides reports whether t does not inherit e, found in g, since on each way
// from t to g a type, t too where own is set, has a feature that redefines it.
// What asks does not count.
func (s *search) hides(t, e, g *Element, supers []*Element, own bool) bool {
	if !e.isFeature() {
		return false
	}
	if own && s.redefinedIn(t, e) {
		return true
	}
	var closed map[*Element]bool
	for _, k := range supers {
		if k != g && s.redefinedIn(k, e) {
			if closed == nil {
				closed = map[*Element]bool{}
			}
			closed[k] = true
		}
	}
	if closed == nil {
		return false
	}
	open := closure(t, func(k *Element, visit func(*Element)) {
		switch {
		case closed[k]:
		case g.doc.library:
			k.eachGeneral(visit)
		default:
			k.eachWrittenGeneral(visit)
		}
	})
	for _, k := range open {
		if k == g && !closed[k] {
			return false
		}
	}
	return true
}

// redefinedIn reports whether a feature of k redefines e.
func (s *search) redefinedIn(k, e *Element) bool {
	if k == e.owner {
		return false
	}
	x := k.nameIndex()
	if len(x.redefs.names) == 0 {
		return false
	}
	names := [...]string{e.name(), e.shortName(), ""}
	if names[0] == "" {
		names[2] = e.writtenName()
	}
	for _, n := range names {
		if n == "" {
			continue
		}
		for _, f := range x.redefs.find(n) {
			if f != e && f != s.asker && f.redefinesDirectly(e) {
				return true
			}
		}
	}
	return false
}

// isCalled reports whether name is a name of e.
func (e *Element) isCalled(name string) bool {
	if n := e.name(); n == name {
		return true
	}
	if e.decl == nil {
		return false
	}
	return e.decl.ShortName.Text == name || e.decl.Name.Text == "" && e.writtenName() == name
}

// aliased is what the alias e stands for, through any number of aliases, or e
// itself.
func (e *Element) aliased() *Element {
	for steps := 0; e != nil && e.metaclass == syntax.Membership && steps < 64; steps++ {
		e = e.aliasTarget()
	}
	if e != nil && e.metaclass == syntax.Membership {
		return nil // a ring of aliases
	}
	return e
}

func (e *Element) aliasTarget() *Element {
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.target, func() *Element {
		part, ok := e.decl.Detail.(*syntax.AliasPart)
		if !ok {
			return nil
		}
		found, _ := e.model.member(part.Target, e.owner, e, nil)
		return found
	})
}

// A miss says where a qualified name leads no further.
type miss struct {
	segment int
	in      *Element // the namespace that has no such member; nil for the scope
	wrong   *Element // what the name would have led to, were its kind another
}

// member is what q means in scope, an alias as itself. What asks is except: it
// does not find itself, unless as a namespace that the name leads through.
func (m *Model) member(q syntax.QualifiedName, scope, except *Element, fits func(*Element) bool) (*Element, miss) {
	if len(q.Segments) == 0 || scope == nil {
		return nil, miss{}
	}
	s := m.firstSearch(q, except, fits)
	var found *Element
	switch {
	case q.Global:
		found = s.atRoot(m, scope.doc)
	case len(q.Segments) > 1 || except != nil && except.metaclass.IsImport():
		if found = m.soleRoot(q.Segments[0].Text, scope); found != nil && !s.admits(found) {
			found = nil
		}
	}
	if found == nil && !q.Global {
		found = s.around(m, scope)
	}
	if found == nil {
		return nil, miss{wrong: s.cut}
	}
	e, why := m.rest(q, found, except, fits, outside)
	if e != nil || len(q.Segments) == 1 || found.owner == nil {
		return e, why
	}
	for _, other := range found.owner.named(q.Segments[0].Text) {
		if other != found && isNamespace(other) { // of two with one name, the one that has the rest
			if e, _ := m.rest(q, other, except, fits, outside); e != nil {
				return e, miss{}
			}
		}
	}
	return nil, why
}

// firstSearch looks for the first segment of q.
func (m *Model) firstSearch(q syntax.QualifiedName, except *Element, fits func(*Element) bool) *search {
	s := &search{name: q.Segments[0].Text, fits: fits, lenient: m.options.Lenient, asker: except, except: except}
	if len(q.Segments) > 1 {
		s.fits, s.except = isNamespace, nil
	}
	return s
}

func isNamespace(e *Element) bool { return e.metaclass.IsNamespace() }

// rest follows q from its second segment on; found is what the first one
// means. The last one may see as much as last says.
func (m *Model) rest(q syntax.QualifiedName, found, except *Element, fits func(*Element) bool, last access) (*Element, miss) {
	for i := 1; i < len(q.Segments); i++ {
		ns := found.aliased()
		if ns == nil {
			return nil, miss{segment: i}
		}
		s := search{name: q.Segments[i].Text, fits: isNamespace, lenient: m.options.Lenient, asker: except}
		a := outside
		if i == len(q.Segments)-1 {
			s.fits, s.except, a = fits, except, last
		}
		found = s.find(ns, a)
		if found == nil {
			return nil, miss{segment: i, in: ns, wrong: s.cut}
		}
	}
	return found, miss{}
}

// around looks in scope and in each namespace around it, then at the root.
func (s *search) around(m *Model, scope *Element) *Element {
	for ns := scope; ns != nil; ns = ns.owner {
		if e := s.find(ns, inside); e != nil {
			return e
		}
	}
	if m.options.Cells && !scope.doc.library {
		for i := len(m.docs) - 1; i >= 0; i-- {
			if d := m.docs[i]; d != scope.doc {
				if e := s.settled(func(s *search) *Element { return s.imported(d.root, inside) }); e != nil {
					return e
				}
			}
		}
	}
	return s.atRoot(m, scope.doc)
}

func (s *search) atRoot(m *Model, d *Document) *Element {
	e := m.global(s.name, d)
	if e == nil || !s.admits(e) {
		return nil
	}
	return e
}

// nameSpan is where segment i of q stands in the text of e.
func nameSpan(e *Element, q syntax.QualifiedName, i int) source.Span {
	if i < len(q.Segments) && !q.Segments[i].IsZero() {
		return q.Segments[i].In(e.doc.File)
	}
	return q.In(e.doc.File)
}
