package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks associations, connectors and their ends, flows, bindings,
// and cross features.

// connections checks e where it relates others.
func (c *checker) connections(e *Element) {
	switch {
	case isAssociationKind(e.metaclass):
		c.association(e)
	case e.isConnector():
		c.connector(e)
	}
	if e.is(syntax.End) && e.decl != nil {
		c.crossing(e)
	}
}

func (c *checker) association(e *Element) {
	ends := e.positioned(endPosition)
	for _, end := range ends {
		if types := end.allTypes(); len(types) > 1 {
			c.report(diagnostic.New(associationEndTypes, end.Span(), "an end has exactly one type, and "+end.described()+" has "+count(len(types), "type")))
		}
	}
	c.endKinds(e, ends)
	if e.metaclass == syntax.FlowDefinition && len(ends) > 2 {
		c.report(diagnostic.New(flowDefinitionEnds, ends[2].Span(), "a flow definition has two ends at most"))
		return
	}
	if len(ends) > 2 && e.isBinary() {
		c.report(diagnostic.New(tooManyEnds, ends[2].Span(), "what specializes a binary link has two ends, and this is the third"))
	}
	if len(ends) == 1 && e.endCount() == 1 && !e.is(syntax.Abstract) {
		c.report(tooFewRelated(e))
	}
}

// isBinary reports whether e is, or specializes, what relates exactly two.
func (e *Element) isBinary() bool {
	if e.metaclass == syntax.InterfaceDefinition || e.metaclass == syntax.InterfaceUsage {
		return true
	}
	for _, t := range e.supertypes() {
		if t.doc.library && (t.name() == "BinaryLink" || t.name() == "BinaryConnection" || t.name() == "BinaryInterface") {
			return true
		}
	}
	return false
}

func (c *checker) connector(e *Element) {
	ends := e.positioned(endPosition)
	c.endKinds(e, ends)
	if e.metaclass == syntax.FlowUsage || e.metaclass == syntax.SuccessionFlowUsage || e.metaclass == syntax.Flow || e.metaclass == syntax.SuccessionFlow {
		c.flow(e, ends)
		return
	}
	if e.metaclass == syntax.BindingConnectorAsUsage || e.metaclass == syntax.BindingConnector {
		c.binding(e, ends)
	}
	if len(ends) == 1 && e.endCount() == 1 && !e.is(syntax.Abstract) && !e.hasImpliedSource() {
		c.report(tooFewRelated(e))
	}
	if len(ends) > 2 && e.isBinary() {
		c.report(diagnostic.New(tooManyEnds, ends[2].Span(), "what specializes a binary link has two ends, and this is the third"))
	}
}

// hasImpliedSource reports whether the source of e is the member before it.
func (e *Element) hasImpliedSource() bool {
	part, ok := e.connectorPart()
	return ok && part.ImpliedSource
}

func (e *Element) connectorPart() (*syntax.ConnectorPart, bool) {
	if e.decl == nil {
		return nil, false
	}
	part, ok := e.decl.Detail.(*syntax.ConnectorPart)
	return part, ok
}

func tooFewRelated(e *Element) *diagnostic.Diagnostic {
	return diagnostic.New(tooFewRelatedElements, e.Span(), e.described()+" relates one thing, and needs two at least").
		WithHint("add an end, or declare it abstract")
}

// endKinds checks that the ends of an interface are ports.
func (c *checker) endKinds(e *Element, ends []*Element) {
	if e.metaclass != syntax.InterfaceDefinition && e.metaclass != syntax.InterfaceUsage {
		return
	}
	for _, end := range ends {
		if end.decl != nil && isOccurrenceUsage(end.metaclass) && end.metaclass != syntax.PortUsage {
			c.report(diagnostic.New(interfaceEndNotPort, end.Span(), "the ends of an interface are ports, and "+end.described()+" is none"))
		}
	}
}

// flow checks that each end of a flow names what flows by a dot path, so that
// it is known whose it is.
func (c *checker) flow(e *Element, ends []*Element) {
	part, ok := e.connectorPart()
	if !ok || part.Message {
		return
	}
	lost := 0
	for _, end := range ends {
		if end.end == nil || end.end.Target.IsChain() {
			continue
		}
		links := end.endTarget()
		if len(links) == 0 || links[0].owner == nil || !links[0].owner.isType() || hasFeature(e.owner, links[0]) {
			continue
		}
		lost++
		c.report(diagnostic.New(flowEndUnidentified, end.Span(), "a flow end names a feature by a dot path, so that it is known whose value flows").
			WithHint("write a feature of type " + links[0].owner.inWords() + ", then a dot, then " + Quote(links[0].effectiveName())))
	}
	if lost > 0 && lost == len(ends) {
		c.report(diagnostic.New(tooFewRelatedElements, e.Span(), "nothing is known of what "+e.described()+" relates"))
	}
}

// binding checks that the types of two bound features conform one way or the
// other.
func (c *checker) binding(e *Element, ends []*Element) {
	if len(ends) != 2 {
		return
	}
	a, b := ends[0].connectedFeature(), ends[1].connectedFeature()
	if a == nil || b == nil || conform(a, b) {
		return
	}
	d := diagnostic.New(bindingTypes, e.Span(), a.described()+" and "+b.described()+" are bound to each other, and their types have nothing in common")
	d.Severity = diagnostic.Warning
	c.report(d.WithRelated(a.NameSpan(), "the one").WithRelated(b.NameSpan(), "the other"))
}

// boundValue checks that the type of the feature that gives e its value
// conforms to that of e one way or the other.
func (c *checker) boundValue(e *Element) {
	v := e.decl.Value
	if v == nil || v.Initial || len(e.decl.Relationships) == 0 || e.isMetadata() || e.owner.isMetadata() {
		return
	}
	switch v.Expr.(type) {
	case *syntax.FeatureReferenceExpression, *syntax.FeatureChainExpression:
	default:
		return
	}
	f := c.model.denoted(v.Expr, e)
	if f == nil || f == e || !f.isFeature() || conform(e, f) {
		return
	}
	d := diagnostic.New(bindingTypes, v.Expr.Span(), e.described()+" has the value of "+f.described()+", and their types have nothing in common")
	d.Severity = diagnostic.Warning
	c.report(d.WithRelated(f.NameSpan(), "declared here"))
}

// connectedFeature is what the end e is connected to.
func (e *Element) connectedFeature() *Element {
	if e.end != nil {
		if links := e.endTarget(); len(links) > 0 {
			return links[len(links)-1]
		}
		return nil
	}
	for _, g := range e.generals() {
		if g.Kind == syntax.References {
			return g.Target
		}
	}
	return nil
}

// conform reports whether a type of a specializes one of b or the other way.
func conform(a, b *Element) bool {
	s, t := a.boundTypes(), b.boundTypes()
	if len(s) == 0 || len(t) == 0 {
		return true
	}
	for _, x := range s {
		for _, y := range t {
			if x.specializes(y) || y.specializes(x) {
				return true
			}
		}
	}
	return false
}

// boundTypes are the written types of e, and the implied one where none of
// these specializes it.
func (e *Element) boundTypes() []*Element {
	all := e.writtenTypes()
	for _, b := range e.impliedBases() {
	next:
		for _, t := range b.types() {
			for _, o := range all {
				if o.specializes(t) {
					continue next
				}
			}
			all = append(all, t)
		}
	}
	return all
}

// crossing checks the cross feature of the end e (KerML 8.3.4.5.4).
func (c *checker) crossing(e *Element) {
	for i := range e.relationships() {
		r := &e.decl.Relationships[i]
		if r.Kind != syntax.Crosses {
			continue
		}
		links := e.target(i)
		if len(links) == 0 {
			continue
		}
		at := r.Target.In(e.doc.File)
		cross := links[len(links)-1]
		if len(links) != 2 || !e.isOpposite(links[0]) {
			c.report(diagnostic.New(crossedFeature, at, "a crossing is a dot path of two links that starts at the other end"))
		}
		if !sameTypes(cross, e) {
			c.report(diagnostic.New(crossFeatureType, at, cross.described()+" and the end "+Quote(e.effectiveName())+" have different types").
				WithRelated(cross.NameSpan(), "the cross feature"))
		}
		for _, f := range e.redefined() {
			if other := f.crossFeature(); other != nil && !cross.specializes(other) {
				c.report(diagnostic.New(crossFeatureSpecialization, at, cross.described()+" does not specialize "+other.described()+", the cross feature of the end that this one redefines").
					WithRelated(other.NameSpan(), "the other cross feature"))
			}
		}
		if e.decl.Cross != nil {
			if own := e.childAt(e.decl.Cross); own != nil && cross != own {
				c.report(diagnostic.New(crossFeatureNotOwned, own.NameSpan(), e.described()+" owns a cross feature and crosses to another one"))
			}
		}
	}
}

// crossFeature is the last link of what the end e crosses; nil where it
// crosses nothing.
func (e *Element) crossFeature() *Element {
	for _, g := range e.generals() {
		if g.Kind == syntax.Crosses {
			return g.Target
		}
	}
	return nil
}

// isOpposite reports whether f is another end of the owner of e.
func (e *Element) isOpposite(f *Element) bool {
	if f == e {
		return false
	}
	if slices.Contains(e.owner.positioned(endPosition), f) {
		return true
	}
	return f.is(syntax.End) && hasFeature(e.owner, f)
}

// sameTypes reports whether the cross feature a has the types of the end b,
// one without a type of its own having them by implication.
func sameTypes(a, b *Element) bool {
	s, t := a.allTypes(), b.allTypes()
	if len(s) == 0 {
		return true
	}
	if len(s) != len(t) {
		return false
	}
	for _, x := range s {
		found := false
		for _, y := range t {
			found = found || x == y
		}
		if !found {
			return false
		}
	}
	return true
}
