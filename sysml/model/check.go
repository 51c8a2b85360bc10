package model

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file walks what a document declares and reports names that lead to
// nothing; the rules of the standard are in the other check files.

// A checker goes over one document, until done is closed. Where link is set, it
// tells of every name that it resolves.
type checker struct {
	model *Model
	list  diagnostic.List
	link  func(Link)
	done  <-chan struct{}
}

// A Link is one name in a text and what it means there.
type Link struct {
	// Name is the name as written; where a feature chain was written, one of
	// its links.
	Name syntax.QualifiedName
	// Target is what it leads to, an alias as what it stands for; nil where it
	// leads to nothing.
	Target *Element
	// Scope is where it was looked for: a namespace whose inside it stands in,
	// or, behind a dot, the feature before it.
	Scope *Element

	behindDot bool
	fits      func(*Element) bool
	redefines bool     // it is the name of what a feature redefines
	except    *Element // what asks, which does not find itself
}

// Links are all names in the text of d, in the order they are checked.
func (m *Model) Links(d *Document) []Link {
	m.lock()
	defer m.mu.Unlock()
	var all []Link
	c := &checker{model: m, link: func(l Link) { all = append(all, l) }}
	for _, e := range d.root.members() {
		c.element(e)
	}
	return all
}

// CanSay reports whether q, written in place of the name of l, would lead
// somewhere.
func (m *Model) CanSay(l Link, q syntax.QualifiedName) bool {
	m.lock()
	defer m.mu.Unlock()
	if l.behindDot {
		found, _ := m.memberOf(q, l.Scope, nil)
		return found.aliased() != nil
	}
	for _, fits := range []func(*Element) bool{l.fits, nil} {
		if found, _ := m.first(q, place{l.Scope, l.redefines}, l.except, fits); found.aliased() != nil {
			return true
		}
	}
	return false
}

// linked tells of the links of ref, which lead to found as far as they do. What
// is known of the first is in like.
func (c *checker) linked(ref *syntax.Reference, like Link, found []*Element) {
	if c.link == nil {
		return
	}
	for i, q := range ref.Links {
		l := like
		l.Name = q
		if i > 0 {
			if i-1 >= len(found) {
				return
			}
			l = Link{Name: q, Scope: found[i-1], behindDot: true, fits: like.fits}
		}
		if i < len(ref.Links)-1 {
			l.fits = (*Element).isFeature
		}
		if i < len(found) {
			l.Target = found[i]
		}
		c.link(l)
	}
}

func (c *checker) named(q syntax.QualifiedName, scope, target *Element, fits func(*Element) bool) {
	if c.link != nil {
		c.link(Link{Name: q, Target: target, Scope: scope, fits: fits})
	}
}

func (m *Model) check(d *Document, done <-chan struct{}) diagnostic.List {
	c := &checker{model: m, done: done}
	c.ownNames(d.root)
	for _, e := range d.root.members() {
		if !m.replaced(e) {
			c.element(e)
		}
	}
	c.list.Sort()
	return c.list
}

func (c *checker) report(d *diagnostic.Diagnostic) {
	if d == nil || c.model.options.Lenient && (d.Severity != diagnostic.Error || strictOnly[d.Code]) {
		return
	}
	c.list = append(c.list, d)
}

// strictOnly are the errors that Options.Lenient leaves out: a model that has
// them can still be run, and what cannot be evaluated says so then.
var strictOnly = map[diagnostic.Code]bool{
	diagnostic.UnresolvedName: true, inaccessibleFeature: true, invalidFeatureReference: true,
	multipleStateSubactions: true, parallelSuccession: true,
}

// element checks e and all below it.
func (c *checker) element(e *Element) {
	select {
	case <-c.done:
		return
	default:
	}
	if e.end != nil {
		links, why := e.resolveEnd()
		c.linked(&e.end.Target, Link{Scope: e.owner, fits: (*Element).isFeature}, links)
		if why != nil {
			c.report(c.model.unresolvedLink(&e.end.Target, e.owner, why, "feature", (*Element).isFeature))
		}
		c.multiplicity(e.end.Multiplicity, e)
		if len(links) > 0 && c.link == nil {
			c.connectable(e.owner.owner, links[0], e.end.Target.In(e.doc.File))
		}
	}
	if d := e.decl; d != nil {
		c.declaration(e, d)
	}
	for _, list := range e.children() {
		for _, k := range list {
			c.element(k)
		}
	}
}

func (c *checker) declaration(e *Element, d *syntax.Decl) {
	for i := range d.Keywords {
		c.reference(&d.Keywords[i].Type, e.owner, e, "metadata definition", func(t *Element) bool { return t.metaclass.IsClassifier() })
	}
	for i := range d.Relationships {
		if d.Is(syntax.Broken) {
			break // what stands there may not be what was meant
		}
		r := &d.Relationships[i]
		if len(r.Target.Links) == 0 {
			continue
		}
		links := e.target(i)
		at := e.place(r)
		c.linked(&r.Target, Link{Scope: at.scope, fits: fitsOf(e, r.Kind), redefines: at.redefines, except: e.excepted(r)}, links)
		if links != nil {
			continue
		}
		if r.Kind == syntax.Redefines && e.owner.isIncomplete() {
			continue // what is redefined may be there once the owner's generals are
		}
		if _, why := e.resolveRelationship(r); why != nil {
			c.report(c.model.unresolvedLink(&r.Target, e.owner, why, wanted(e, r.Kind), fitsOf(e, r.Kind)))
		}
	}
	c.multiplicity(d.Multiplicity, e)
	if d.Value != nil {
		c.expression(d.Value.Expr, e)
	}
	if d.Then != nil {
		c.multiplicity(d.Then.Multiplicity, e.owner)
	}
	c.detail(e, d)
	if c.link == nil {
		c.rules(e, d)
	}
}

// rules checks e against the rules of the standard.
func (c *checker) rules(e *Element, d *syntax.Decl) {
	if d.Is(syntax.Broken) {
		return
	}
	switch {
	case e.metaclass.IsImport():
		c.rootImport(e)
		return
	case e.metaclass == syntax.LibraryPackage:
		c.libraryPackage(e)
	case e.metaclass.IsRelationship():
		if part, ok := d.Detail.(*syntax.RelationshipPart); ok {
			c.apartSpecialization(e, part)
		}
		return
	}
	if e.metaclass.IsNamespace() {
		c.namespace(e)
	}
	if e.isType() {
		c.specialization(e)
		c.usageTypes(e)
		c.withoutLibrary(e)
		c.variationGenerals(e)
		c.setOperands(e)
		c.multiplicities(e)
	}
	if e.isFeature() {
		c.feature(e)
		c.boundValue(e)
		c.literalValue(e)
	}
	c.connections(e)
	c.systems(e)
	c.prefixAnnotations(e)
	if e.isMetadata() {
		c.metadata(e)
	}
	switch part := d.Detail.(type) {
	case *syntax.TransitionPart:
		c.transitionRules(e, part)
	case *syntax.AssignPart:
		c.assignment(e, part)
	case *syntax.ExpressionPart:
		if e.metaclass == syntax.ElementFilterMembership {
			c.filter(part.Expr, e.owner, e)
		}
	}
}

// wanted says what kind of element a relationship of e asks for.
func wanted(e *Element, kind syntax.RelationshipKind) string {
	switch kind {
	case syntax.TypedBy, syntax.Specializes:
		if e.metaclass.IsUsage() || e.metaclass.IsDefinition() {
			return "definition"
		}
		return "type"
	case syntax.Subsets, syntax.Redefines, syntax.References, syntax.Crosses, syntax.Chains, syntax.InverseOf:
		return "feature"
	}
	return "type"
}

func (c *checker) detail(e *Element, d *syntax.Decl) {
	switch part := d.Detail.(type) {
	case *syntax.TransitionPart:
		c.transition(e, part)
	case *syntax.AcceptPart:
		c.accept(e, part)
	case *syntax.SendPart:
		c.expressions(e, part.Payload, part.Via, part.To)
	case *syntax.AssignPart:
		c.expressions(e, part.Target, part.Value)
	case *syntax.TerminatePart:
		c.expressions(e, part.Target)
	case *syntax.IfPart:
		c.expressions(e, part.Condition)
	case *syntax.WhileLoopPart:
		c.expressions(e, part.While, part.Until)
	case *syntax.ForLoopPart:
		c.expressions(e, part.Sequence)
	case *syntax.InitialPart:
		ref := syntax.Reference{Links: []syntax.QualifiedName{part.Target}, Range: part.Target.Range}
		c.connected(&ref, e)
	case *syntax.ExpressionPart:
		c.expressions(e, part.Expr)
	case *syntax.SatisfyPart:
		c.connected(&part.By, e)
	case *syntax.ImportPart:
		c.imports(e, part)
	case *syntax.AliasPart:
		if c.named(part.Target, e.owner, e.aliased(), nil); e.aliased() == nil {
			if e.aliasTarget() != nil {
				c.report(aliasRing(e))
			} else {
				c.unresolvedName(part.Target, e.owner, e, "element")
			}
		}
	case *syntax.DependencyPart:
		c.names(e.owner, part.Clients)
		c.names(e.owner, part.Suppliers)
	case *syntax.CommentPart:
		c.names(e.owner, part.About)
	case *syntax.MetadataPart:
		c.names(e.owner, part.About)
	case *syntax.RelationshipPart:
		c.reference(&part.Specific, e.owner, nil, "type", (*Element).isType)
		c.reference(&part.General, e.owner, nil, "type", (*Element).isType)
	case *syntax.DeferPart:
		c.names(e.owner, []syntax.QualifiedName{part.Event})
	}
}

func (c *checker) imports(e *Element, part *syntax.ImportPart) {
	target := e.importTarget().aliased()
	if c.named(part.Target, e.owner, target, nil); target == nil {
		_, why := e.resolveImport(part)
		c.report(c.model.unresolved(part.Target, e.owner, why, "element", nil))
	}
	c.expressions(e.owner, part.Filters...)
	if c.link == nil {
		for _, x := range part.Filters {
			c.filter(x, e.owner, nil)
		}
	}
}

func (c *checker) unresolvedName(q syntax.QualifiedName, scope, except *Element, kind string) {
	_, why := c.model.member(q, scope, except, nil)
	c.report(c.model.unresolved(q, scope, why, kind, nil))
}

func (c *checker) names(scope *Element, names []syntax.QualifiedName) {
	for _, q := range names {
		found, why := c.model.member(q, scope, nil, nil)
		if c.named(q, scope, found.aliased(), nil); found.aliased() == nil {
			c.report(c.model.unresolved(q, scope, why, "element", nil))
		}
	}
}

func (c *checker) reference(ref *syntax.Reference, scope, except *Element, kind string, fits func(*Element) bool) []*Element {
	if len(ref.Links) == 0 {
		return nil
	}
	links, why := c.model.reference(ref, scope, except, fits)
	c.linked(ref, Link{Scope: scope, fits: fits}, links)
	if why != nil {
		c.report(c.model.unresolvedLink(ref, scope, why, kind, fits))
	}
	return links
}

func (c *checker) connected(ref *syntax.Reference, connector *Element) []*Element {
	if len(ref.Links) == 0 {
		return nil
	}
	links, why := c.model.connected(ref, connector, nil)
	c.linked(ref, Link{Scope: connector, fits: (*Element).isFeature}, links)
	if why != nil {
		c.report(c.model.unresolvedLink(ref, connector, why, "feature", (*Element).isFeature))
	}
	return links
}

func (c *checker) transition(e *Element, part *syntax.TransitionPart) {
	c.connected(&part.Source, e)
	if part.Trigger != nil {
		c.accept(e, part.Trigger)
	}
	c.expressions(e, part.Guard)
	if part.Target != nil {
		c.connected(&part.Target.Target, e)
		c.multiplicity(part.Target.Multiplicity, e)
	}
}

func (c *checker) accept(e *Element, part *syntax.AcceptPart) {
	c.expressions(e, part.Expr, part.Via)
	if part.Trigger == syntax.CallTrigger {
		c.reference(&part.Operation, e, nil, "feature", nil)
	}
}

func (c *checker) multiplicity(part *syntax.MultiplicityPart, scope *Element) {
	if part != nil {
		c.expressions(scope, part.Lower, part.Upper)
		if c.link == nil {
			c.bounds(part, scope)
		}
	}
}

func (c *checker) expressions(scope *Element, list ...syntax.Expr) {
	for _, x := range list {
		c.expression(x, scope)
	}
}
