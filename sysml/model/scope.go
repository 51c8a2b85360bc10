package model

import (
	"iter"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file is what others ask about names: what one means, what a namespace
// has, and which names can be said at a place.

// Resolve is what q means in scope; an alias gives what it stands for. A nil
// Element comes with a Diagnostic that says how far the name leads and what is
// spelled like it.
func (m *Model) Resolve(q *syntax.QualifiedName, scope *Element) (*Element, *diagnostic.Diagnostic) {
	m.lock()
	defer m.mu.Unlock()
	m.suggestions = 1
	found, why := m.member(*q, scope, nil, nil)
	if e := found.aliased(); e != nil {
		return e, nil
	}
	return nil, orPlain(m.unresolved(*q, scope, why, "element", nil), q.In(scope.doc.File))
}

// ResolveReference is what all links of ref mean in scope, each in the feature
// before it.
func (m *Model) ResolveReference(ref *syntax.Reference, scope *Element) ([]*Element, *diagnostic.Diagnostic) {
	m.lock()
	defer m.mu.Unlock()
	m.suggestions = 1
	links, why := m.reference(ref, scope, nil, nil)
	if why == nil {
		return links, nil
	}
	return nil, orPlain(m.unresolvedLink(ref, scope, why, "element", nil), ref.In(scope.doc.File))
}

// ResolveLinks is what the links of ref mean in scope, as many of them, from
// the first on, as lead anywhere.
func (m *Model) ResolveLinks(ref *syntax.Reference, scope *Element) []*Element {
	m.lock()
	defer m.mu.Unlock()
	links, why := m.reference(ref, scope, nil, nil)
	if why == nil {
		return links
	}
	for n := min(why.link+1, len(ref.Links)-1); n > 0; n-- { // the last link of a reference may be what links before it may not
		part := syntax.Reference{Links: ref.Links[:n]}
		if links, why = m.reference(&part, scope, nil, nil); why == nil {
			return links
		}
	}
	return nil
}

// ResolveEnd is what ref, at an end of connector, means: `first a`, `to b.c`,
// the source or target of a transition.
func (m *Model) ResolveEnd(ref *syntax.Reference, connector *Element) ([]*Element, *diagnostic.Diagnostic) {
	m.lock()
	defer m.mu.Unlock()
	m.suggestions = 1
	links, why := m.connected(ref, connector, nil)
	if why == nil {
		return links, nil
	}
	return nil, orPlain(m.unresolvedLink(ref, connector, why, "feature", (*Element).isFeature), ref.In(connector.doc.File))
}

// LookupMember is the member of e called name that can be seen from outside:
// its own, inherited or imported. An alias gives what it stands for.
func (e *Element) LookupMember(name string) (*Element, bool) {
	e.model.lock()
	defer e.model.mu.Unlock()
	s := search{name: name, lenient: e.model.options.Lenient}
	found := s.find(e, outside).aliased()
	return found, found != nil
}

// LookupInside is LookupMember for whoever stands inside e, private members
// and private imports included.
func (e *Element) LookupInside(name string) (*Element, bool) {
	e.model.lock()
	defer e.model.mu.Unlock()
	s := search{name: name, lenient: e.model.options.Lenient}
	found := s.find(e, inside).aliased()
	return found, found != nil
}

// Imports are the imports of e, exposes included, in order.
func (e *Element) Imports() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return append([]*Element(nil), e.nameIndex().imports...)
}

// ImportTarget is what an import names, or what an alias stands for; nil where
// the name leads to nothing or e is neither.
func (e *Element) ImportTarget() *Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	switch {
	case e.metaclass.IsImport():
		return e.importTarget().aliased()
	case e.metaclass == syntax.Membership:
		return e.aliased()
	}
	return nil
}

// InScope gives each name that can be said in scope, and what it means there:
// from the inside out, in each namespace its own names first, then inherited
// and imported ones, at last the root. A name that a nearer one hides is left
// out. The sequence may be walked more than once; it is a snapshot.
func (m *Model) InScope(scope *Element) iter.Seq2[string, *Element] {
	m.lock()
	defer m.mu.Unlock()
	c := collector{seen: map[string]bool{}}
	m.collectScope(&c, scope, true)
	return c.all()
}

// NamesOf gives the names of the members of e that can be seen from outside.
func (m *Model) NamesOf(e *Element) iter.Seq2[string, *Element] {
	m.lock()
	defer m.mu.Unlock()
	c := collector{seen: map[string]bool{}}
	c.namespace(e, outside, true)
	return c.all()
}

// A collector gathers names for completion and for nearest names.
type collector struct {
	seen  map[string]bool
	names []string
	found []*Element
	been  visits

	filtering map[*Element]bool // imports with filters that were followed
}

func (c *collector) all() iter.Seq2[string, *Element] {
	names, found := c.names, c.found
	return func(yield func(string, *Element) bool) {
		for i, n := range names {
			if !yield(n, found[i]) {
				return
			}
		}
	}
}

func (c *collector) take(name string, member *Element) {
	if name == "" || c.seen[name] {
		return
	}
	if e := member.aliased(); e != nil {
		c.seen[name] = true
		c.names = append(c.names, name)
		c.found = append(c.found, e)
	}
}

func (c *collector) own(ns *Element, a access) {
	for _, list := range ns.children() {
		for _, e := range list {
			if e.metaclass.IsImport() || !a.sees(e.visibility()) {
				continue
			}
			labels := e.labels()
			if n := e.writtenName(); n != "" {
				labels = append(labels, n)
			}
			for _, n := range labels {
				c.take(n, e)
			}
		}
	}
}

func (c *collector) namespace(ns *Element, a access, implied bool) {
	if c.been.add(ns, a, forMembers) {
		return
	}
	c.own(ns, a)
	if ns.isType() {
		supers := ns.supertypes()
		if implied {
			supers = ns.allSupertypes()
		}
		for _, g := range supers {
			c.own(g, max(a, heir))
			c.imports(g, max(a, heir))
		}
	}
	c.imports(ns, a)
}

func (c *collector) imports(ns *Element, a access) {
	x := ns.nameIndex()
	for _, imp := range x.imports {
		if a.sees(imp.visibility()) {
			c.throughImport(imp, x.filters)
		}
	}
}

func (c *collector) throughImport(imp *Element, filters []*Element) {
	part, ok := imp.decl.Detail.(*syntax.ImportPart)
	if !ok {
		return
	}
	target := imp.importTarget()
	ns := target.aliased()
	if ns == nil {
		return
	}
	before := len(c.names)
	filtered := len(part.Filters)+len(filters) > 0
	if filtered {
		if c.filtering[imp] {
			return
		}
		if c.filtering == nil {
			c.filtering = map[*Element]bool{}
		}
		c.filtering[imp] = true
		defer func(been visits) { c.been = been }(c.been)
		c.been = visits{} // what the filters stop, another import may bring
	}
	if !part.Members {
		for _, n := range target.labels() {
			c.take(n, target)
		}
	}
	if part.Members || part.Recursive {
		a := outside
		if part.All || imp.isExpose() {
			a = inside
		}
		c.recursive(ns, a, part.Recursive)
	}
	if filtered {
		c.drop(before, func(e *Element) bool { return !imp.passesFilters(e, part, filters) })
	}
}

// drop takes out what was gathered from place before on and is unwanted.
func (c *collector) drop(before int, unwanted func(*Element) bool) {
	at := before
	for i := before; i < len(c.names); i++ {
		if unwanted(c.found[i]) {
			delete(c.seen, c.names[i])
			continue
		}
		c.names[at], c.found[at] = c.names[i], c.found[i]
		at++
	}
	c.names, c.found = c.names[:at], c.found[:at]
}

func (c *collector) recursive(ns *Element, a access, recursive bool) {
	c.namespace(ns, a, false)
	if !recursive {
		return
	}
	for _, k := range ns.members() {
		if k.metaclass.IsNamespace() && a.sees(k.visibility()) {
			c.recursive(k, a, true)
		}
	}
}

func (m *Model) collectScope(c *collector, scope *Element, implied bool) {
	for ns := scope; ns != nil; ns = ns.owner {
		c.namespace(ns, inside, implied)
	}
	for i := len(m.docs) - 1; i >= 0; i-- {
		d := m.docs[i]
		for _, e := range d.root.members() {
			if e.metaclass.IsImport() || e.visibility() == syntax.Private || m.replaced(e) {
				continue
			}
			for _, n := range e.labels() {
				c.take(n, e)
			}
		}
		if m.options.Cells && (scope == nil || d != scope.doc) {
			c.imports(d.root, inside)
		}
	}
}
