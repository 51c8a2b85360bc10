package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file resolves what an element relates to: the targets that its
// declaration names, and the generals that these make. What lies beyond them is
// in closure.go.

// A General is one thing that an element specializes.
type General struct {
	// Kind is TypedBy, Specializes, Subsets, Redefines, References, Crosses or
	// Conjugates.
	Kind   syntax.RelationshipKind
	Target *Element
	// Chain is all links of a feature chain a.b.c, the last of which is
	// Target; nil where no chain was written.
	Chain []*Element
	// Conjugated says that the type of a port is written ~T.
	Conjugated bool
	// Implied says that the standard implies the relationship and no text
	// states it.
	Implied bool
}

// memos holds what was worked out about one element.
type memos struct {
	targets   []memo[[]*Element] // of each relationship, all links
	generals  memo[[]General]    // written ones
	supers    memo[[]*Element]   // closure over what is written
	allSupers memo[[]*Element]   // and over what is implied
	rarer     *rarerMemos
}

// rarerMemos holds what is not worked out about most elements.
type rarerMemos struct {
	target         memo[*Element]   // of an import or alias
	end            memo[[]*Element] // of the end of a connector
	keywords       []memo[*Element] // types of the prefix annotations
	types          memo[[]*Element]
	features       memo[[]Feature]
	implied        memo[[]*Element] // implied redefinitions
	impliedLibrary memo[[]*Element] // and those in the library
	redefinitions  memo[[]*Element] // closure over all redefinitions
	redefinedAll   memo[[]*Element] // and those in the library too
	redefiners     memo[[]*Element] // own features that redefine others
	collision      memo[collision]
}

func (e *Element) memos() *memos {
	if e.m == nil {
		e.m = &memos{}
		if n := len(e.relationships()); n > 0 {
			e.m.targets = make([]memo[[]*Element], n)
		}
	}
	return e.m
}

func (e *Element) rarerMemos() *rarerMemos {
	x := e.memos()
	if x.rarer == nil {
		x.rarer = &rarerMemos{}
	}
	return x.rarer
}

// Generals are what e specializes: first what is written, in that order, then
// the redefinitions and library types that are implied. What a name does not
// lead to is left out.
func (e *Element) Generals() []General {
	e.model.lock()
	defer e.model.mu.Unlock()
	all := append([]General(nil), e.generals()...)
	for _, f := range e.impliedRedefinitions() {
		all = append(all, General{Kind: syntax.Redefines, Target: f, Implied: true})
	}
	kind := syntax.Specializes
	for _, b := range e.impliedBases() {
		if e.isFeature() {
			kind = syntax.Subsets
			if b.metaclass.IsClassifier() {
				kind = syntax.TypedBy
			}
		}
		all = append(all, General{Kind: kind, Target: b, Implied: true})
	}
	return all
}

// Target is what relationship i of the declaration of e leads to, all links
// of a chain; nil where a name leads to nothing.
func (e *Element) Target(i int) []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.target(i)
}

// Redefines are the features that e redefines directly, implied redefinitions
// behind those written.
func (e *Element) Redefines() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.redefined()
}

// RedefinitionClosure is every feature that e redefines, directly or through
// others, nearest first, without e.
func (e *Element) RedefinitionClosure() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.redefinitionClosure()
}

// Specializes reports whether e is general, or specializes it in any number of
// steps, those through implied library types included.
func (e *Element) Specializes(general *Element) bool {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.specializes(general)
}

// Supertypes are all that e specializes in any number of steps, the nearest
// first, what is written before what is implied.
func (e *Element) Supertypes() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.allSupertypes()
}

func (e *Element) specializes(general *Element) bool {
	if e == general {
		return true
	}
	if slices.Contains(e.supertypes(), general) {
		return true
	}
	if !general.doc.library {
		return false // what is implied beyond these is in the library
	}
	return slices.Contains(e.allSupertypes(), general)
}

// target is all links of what relationship i leads to; nil where one of them
// leads to nothing.
func (e *Element) target(i int) []*Element {
	x := e.memos()
	return recall(e.model, e.doc, &x.targets[i], func() []*Element {
		r := &e.decl.Relationships[i]
		links, _ := e.resolveRelationship(r)
		return links
	})
}

// resolveRelationship finds what r, a relationship of e, leads to. The name of
// what a feature of a type redefines is looked for in what the type inherits
// and then around it; its own members do not count (KerML 8.2.3.5.2).
func (e *Element) resolveRelationship(r *syntax.Relationship) ([]*Element, *missed) {
	return e.model.lookUp(&r.Target, e.place(r), e.excepted(r), fitsOf(e, r.Kind))
}

// excepted is e where a relationship of e does not find e itself: what it
// redefines, and what gives it the name that it has none of.
func (e *Element) excepted(r *syntax.Relationship) *Element {
	if r.Kind == syntax.Redefines || e.decl.Name.Text == "" {
		return e
	}
	return nil
}

// place is where the target of r is looked for. What an end of a connector
// refers to stands around the connector.
func (e *Element) place(r *syntax.Relationship) place {
	if r.Kind == syntax.References && e.is(syntax.End) && e.owner != nil && e.owner.isConnector() && e.owner.owner != nil {
		return place{scope: e.owner.owner}
	}
	return place{e.owner, r.Kind == syntax.Redefines}
}

// isConnector reports whether e is a usage or feature that connects others.
func (e *Element) isConnector() bool {
	switch e.metaclass {
	case syntax.Connector, syntax.BindingConnector, syntax.Succession, syntax.Flow, syntax.SuccessionFlow,
		syntax.ConnectionUsage, syntax.BindingConnectorAsUsage, syntax.SuccessionAsUsage, syntax.InterfaceUsage,
		syntax.AllocationUsage, syntax.FlowUsage, syntax.SuccessionFlowUsage:
		return true
	}
	return false
}

// A place is where a name stands.
type place struct {
	scope     *Element
	redefines bool // it is the name of what a feature of scope redefines
}

// first is what q means at p, an alias as itself.
func (m *Model) first(q syntax.QualifiedName, p place, except *Element, fits func(*Element) bool) (*Element, miss) {
	if !p.redefines || q.Global || p.scope == nil || !p.scope.isType() || len(q.Segments) == 0 {
		return m.member(q, p.scope, except, fits)
	}
	s := m.firstSearch(q, except, fits)
	s.except = except
	found := s.settled(func(s *search) *Element { return s.inheritable(p.scope, heir, false) })
	if found == nil && p.scope.owner != nil {
		return m.member(q, p.scope.owner, except, fits)
	}
	if found == nil {
		return nil, miss{wrong: s.cut}
	}
	return m.rest(q, found, except, fits, outside)
}

// A missed reference says which link leads to nothing, and why.
type missed struct {
	link int
	miss
}

// reference is what ref means in scope.
func (m *Model) reference(ref *syntax.Reference, scope, except *Element, fits func(*Element) bool) ([]*Element, *missed) {
	return m.lookUp(ref, place{scope: scope}, except, fits)
}

// lookUp is what ref means at p, each link of a chain in the feature before it.
func (m *Model) lookUp(ref *syntax.Reference, p place, except *Element, fits func(*Element) bool) ([]*Element, *missed) {
	if len(ref.Links) == 0 {
		return nil, &missed{}
	}
	kind := fits
	if len(ref.Links) > 1 {
		kind, except = (*Element).isFeature, nil
	}
	found, why := m.first(ref.Links[0], p, except, kind)
	e := found.aliased()
	if e == nil {
		return nil, &missed{0, why}
	}
	links := []*Element{e}
	for i := 1; i < len(ref.Links); i++ {
		next, why := m.memberOf(ref.Links[i], e, fitsLink(i, len(ref.Links), fits))
		e = next.aliased()
		if e == nil {
			return nil, &missed{i, why}
		}
		links = append(links, e)
	}
	return links, nil
}

func fitsLink(i, n int, fits func(*Element) bool) func(*Element) bool {
	if i == n-1 {
		return fits
	}
	return (*Element).isFeature
}

// memberOf is what the qualified name q behind a dot means in the feature ns.
func (m *Model) memberOf(q syntax.QualifiedName, ns *Element, fits func(*Element) bool) (*Element, miss) {
	found := ns
	for i := range q.Segments {
		at := found.aliased()
		if at == nil {
			return nil, miss{segment: i}
		}
		s := search{name: q.Segments[i].Text, lenient: m.options.Lenient}
		if i == len(q.Segments)-1 {
			s.fits = fits
		}
		found = s.find(at, outside)
		if found == nil {
			return nil, miss{segment: i, in: at, wrong: s.cut}
		}
	}
	return found, miss{}
}

// fitsOf is what kind of element a relationship of e may lead to.
func fitsOf(e *Element, kind syntax.RelationshipKind) func(*Element) bool {
	switch kind {
	case syntax.TypedBy:
		if e.metaclass == syntax.MetadataUsage || e.metaclass == syntax.MetadataFeature {
			return func(t *Element) bool { return t.metaclass.IsClassifier() }
		}
		return (*Element).isType
	case syntax.Specializes:
		if e.metaclass.IsClassifier() {
			return func(t *Element) bool { return t.metaclass.IsClassifier() }
		}
		return (*Element).isType
	case syntax.Subsets, syntax.Redefines, syntax.References, syntax.Crosses, syntax.Chains, syntax.InverseOf:
		return (*Element).isFeature
	}
	return (*Element).isType
}

// endTarget is what the end e of a connector is connected to, all links.
func (e *Element) endTarget() []*Element {
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.end, func() []*Element {
		links, _ := e.resolveEnd()
		return links
	})
}

func (e *Element) resolveEnd() ([]*Element, *missed) {
	return e.model.connected(&e.end.Target, e.owner, e)
}

// connected is what an end of connector names: looked for around the connector
// first, and in what it inherits only then, since what a connector inherits
// from the library is no place to connect.
func (m *Model) connected(ref *syntax.Reference, connector, except *Element) ([]*Element, *missed) {
	links, why := m.reference(ref, connector.owner, except, (*Element).isFeature)
	if why == nil {
		return links, nil
	}
	if inner, none := m.reference(ref, connector, except, (*Element).isFeature); none == nil {
		return inner, nil
	}
	return nil, why
}

// generals are those that are written on e.
func (e *Element) generals() []General {
	if len(e.relationships()) == 0 && e.end == nil && !e.maySpecializeApart() {
		return nil
	}
	x := e.memos()
	return recall(e.model, e.doc, &x.generals, func() []General {
		all := e.writtenGenerals(&x.generals)
		if e.end != nil {
			if links := e.endTarget(); len(links) > 0 {
				g := General{Kind: syntax.References, Target: links[len(links)-1]}
				if len(links) > 1 {
					g.Chain = links
				}
				all = append(all, g)
			}
		}
		all = append(all, e.semanticGenerals()...)
		all = append(all, e.statedApart()...)
		all = append(all, e.variantGenerals()...)
		if len(all) > 0 {
			return all
		}
		return e.valueGenerals()
	})
}

// writtenGenerals are those that the relationships of e lead to, in the order
// written. Chains are followed last: `end a : A crosses a.b` leads through the
// generals of a itself, so what is known of these is kept in known meanwhile.
func (e *Element) writtenGenerals(known *memo[[]General]) []General {
	all := make([]General, 0, len(e.relationships()))
	chains := false
	for i := range e.relationships() {
		if chain := e.decl.Relationships[i].Target.IsChain(); chain {
			chains = true
		} else if g, ok := e.written(i); ok {
			all = append(all, g)
		}
	}
	if !chains {
		return all
	}
	known.value = all
	all = nil
	for i := range e.relationships() {
		if g, ok := e.written(i); ok {
			all = append(all, g)
		}
	}
	return all
}

// written is the general that relationship i leads to.
func (e *Element) written(i int) (General, bool) {
	r := &e.decl.Relationships[i]
	if r.Kind > syntax.Conjugates && r.Kind != syntax.Chains {
		return General{}, false
	}
	links := e.target(i)
	if len(links) == 0 {
		return General{}, false
	}
	g := General{Kind: r.Kind, Target: links[len(links)-1], Conjugated: r.Conjugated}
	if r.Kind == syntax.Chains {
		g.Kind = syntax.Subsets
	}
	if len(links) > 1 {
		g.Chain = links
	}
	return g, true
}

// maySpecializeApart reports whether generals of e can come from elsewhere
// than its relationships.
func (e *Element) maySpecializeApart() bool {
	return e.decl != nil && (len(e.decl.Keywords) > 0 || e.decl.Value != nil ||
		e.decl.Member == syntax.VariantMember || e.decl.Body != nil && e.annotatesItself()) ||
		len(e.doc.scattered().relationships) > 0
}

// valueGenerals is what the value of a feature denotes, where nothing else
// says what the feature is (KerML 8.4.4.11, checkFeatureValuationSpecialization).
func (e *Element) valueGenerals() []General {
	if e.decl == nil || e.decl.Value == nil || len(e.decl.Relationships) > 0 || e.decl.Direction != syntax.NoDirection {
		return nil
	}
	t := e.model.denoted(e.decl.Value.Expr, e)
	switch {
	case t == nil || t == e || !t.isType():
		return nil
	case t.isFeature():
		return []General{{Kind: syntax.Subsets, Target: t, Implied: true}}
	}
	return []General{{Kind: syntax.TypedBy, Target: t, Implied: true}}
}
