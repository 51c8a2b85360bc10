package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks metadata and the conditions of filters.

// metadata checks the metadata usage e.
func (c *checker) metadata(e *Element) {
	t := e.metadataType()
	if t == nil {
		return
	}
	if t.is(syntax.Abstract) {
		c.report(abstractMetadata(t, e.Span()))
	}
	if len(e.about()) == 0 && e.owner != nil && e.owner.owner != nil {
		c.annotated(e.owner, t, e)
	}
	c.metadataBody(e)
}

// prefixAnnotations checks the annotations `#x` of e.
func (c *checker) prefixAnnotations(e *Element) {
	for i, k := range e.decl.Keywords {
		if t := e.keywordType(i); t != nil && t.is(syntax.Abstract) {
			c.report(abstractMetadata(t, k.In(e.doc.File)))
		}
	}
}

// annotated checks that the kind of e is one that metadata of type t may
// annotate.
func (c *checker) annotated(e, t, usage *Element) {
	kinds := annotatableKinds(t)
	if len(kinds) == 0 {
		return
	}
	own := c.model.metaclassOf(e)
	if own == nil {
		return
	}
	if slices.ContainsFunc(kinds, own.specializes) {
		return
	}
	c.report(diagnostic.New(metadataAnnotatedElement, usage.Span(), t.qualifiedName(true)+" cannot annotate "+article(e.metaclass.String())+" "+e.metaclass.String()).
		WithRelated(t.NameSpan(), "declared here"))
}

// annotatableKinds are the types of the nearest feature annotatedElement of t.
func annotatableKinds(t *Element) []*Element {
	for _, h := range append([]*Element{t}, t.supertypes()...) {
		var kinds []*Element
		for _, k := range h.members() {
			if !k.isFeature() || k.name() != "annotatedElement" && k.writtenName() != "annotatedElement" && !k.redefinesNamed("annotatedElement") {
				continue
			}
			for _, g := range k.generals() {
				if g.Kind == syntax.TypedBy {
					kinds = append(kinds, g.Target)
				}
			}
		}
		if len(kinds) > 0 {
			return kinds
		}
	}
	return nil
}

// redefinesNamed reports whether e redefines or subsets a feature so called.
func (e *Element) redefinesNamed(name string) bool {
	for _, r := range e.relationships() {
		if (r.Kind == syntax.Redefines || r.Kind == syntax.Subsets) && len(r.Target.Links) > 0 && r.Target.Links[len(r.Target.Links)-1].Last().Text == name {
			return true
		}
	}
	return false
}

// metadataBody checks that the features in the body of metadata redefine those
// of its type, and that their values follow from the model alone.
func (c *checker) metadataBody(e *Element) {
	for _, k := range e.members() {
		if !k.isFeature() || k.isMetadata() {
			continue
		}
		redefines := false
		for _, f := range k.redefined() {
			redefines = redefines || f.owner != nil && e.specializes(f.owner)
		}
		if !redefines && c.resolvesAll(k) {
			c.report(diagnostic.New(metadataBodyRedefinition, k.Span(), "a feature in the body of metadata redefines one of the type of the metadata, and "+k.described()+" does not"))
		}
		if k.decl.Value != nil && !c.model.isEvaluable(k.decl.Value.Expr, k) {
			c.report(notEvaluable(k.decl.Value.In(e.doc.File), "the value of "+k.described()))
		}
		c.metadataBody(k)
	}
}

// resolvesAll reports whether all relationships of e lead somewhere.
func (c *checker) resolvesAll(e *Element) bool {
	for i := range e.relationships() {
		if e.target(i) == nil {
			return false
		}
	}
	return true
}

// filter checks the condition of a filter.
func (c *checker) filter(x syntax.Expr, scope, at *Element) {
	span := x.Span()
	if at != nil {
		span = at.Span()
	}
	if !c.model.isEvaluable(x, scope) {
		c.report(notEvaluable(span, "the condition of a filter"))
		return
	}
	switch s := c.model.scalarOf(x, scope); s {
	case unknownScalar, booleanScalar:
	default:
		c.report(diagnostic.New(filterNotBoolean, span, "the condition of a filter is a Boolean, and this is "+s.String()))
	}
}

// isEvaluable reports whether x can be worked out from the model alone (KerML
// 7.4.9): names, literals and operators that look at no occurrence.
func (m *Model) isEvaluable(x syntax.Expr, scope *Element) bool {
	switch x := x.(type) {
	case nil, *syntax.LiteralExpression, *syntax.NullExpression, *syntax.MetadataAccessExpression, *syntax.BadExpression,
		*syntax.FeatureReferenceExpression:
		return true
	case *syntax.FeatureChainExpression:
		return m.isEvaluable(x.Operand, scope)
	case *syntax.OperatorExpression:
		return x.Operator != syntax.Tilde && x.Operator != syntax.All && m.areEvaluable(x.Operands, scope)
	case *syntax.SequenceExpression:
		return m.areEvaluable(x.Elements, scope)
	case *syntax.IndexExpression:
		return m.isEvaluable(x.Operand, scope) && m.isEvaluable(x.Index, scope)
	case *syntax.ConstructorExpression:
		for _, a := range x.Arguments {
			if !m.isEvaluable(a.Value, scope) {
				return false
			}
		}
		return true
	case *syntax.InvocationExpression:
		return m.isEvaluableCall(x, scope)
	}
	return false
}

func (m *Model) areEvaluable(list []syntax.Expr, scope *Element) bool {
	for _, x := range list {
		if !m.isEvaluable(x, scope) {
			return false
		}
	}
	return true
}

// isEvaluableCall holds for calls of library functions without a body.
func (m *Model) isEvaluableCall(x *syntax.InvocationExpression, scope *Element) bool {
	f := m.typeNamed(&x.Callee, scope)
	if f == nil {
		return true // the name is reported
	}
	if !f.doc.library || x.BodyArgument != nil || len(x.Function.Links) > 0 || x.Receiver != nil && !m.isEvaluable(x.Receiver, scope) {
		return false
	}
	for _, a := range x.Arguments {
		if !m.isEvaluable(a.Value, scope) {
			return false
		}
	}
	return true
}
