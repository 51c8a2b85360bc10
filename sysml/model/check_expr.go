package model

import "github.com/orrery-sysml/orrery/sysml/syntax"

// This file walks expressions and reports names in them that lead to nothing.

// expression checks x, which stands in scope. It gives the feature that x
// names, where x is a name or a chain of names; nil for every other.
func (c *checker) expression(x syntax.Expr, scope *Element) *Element {
	switch x := x.(type) {
	case *syntax.FeatureReferenceExpression:
		return c.featureReference(x, scope)
	case *syntax.FeatureChainExpression:
		return c.featureChain(x, scope)
	case *syntax.OperatorExpression:
		if x.Operator == syntax.Meta || x.Operator == syntax.AtAt || x.Operator == syntax.At {
			c.elements(scope, x.Operands)
		} else {
			c.expressions(scope, x.Operands...)
		}
		c.reference(&x.Type, scope, nil, "type", (*Element).isType)
	case *syntax.InvocationExpression:
		c.invocation(x, scope)
	case *syntax.ConstructorExpression:
		links := c.reference(&x.Type, scope, nil, "type", (*Element).isType)
		c.arguments(x.Arguments, scope, links)
	case *syntax.SequenceExpression:
		c.expressions(scope, x.Elements...)
	case *syntax.IndexExpression:
		c.expressions(scope, x.Operand, x.Index)
	case *syntax.BracketExpression:
		c.expressions(scope, x.Operand, x.Bracket)
	case *syntax.CollectExpression:
		c.expression(x.Operand, scope)
		c.body(x.Body, scope)
	case *syntax.SelectExpression:
		c.expression(x.Operand, scope)
		c.body(x.Body, scope)
	case *syntax.BodyExpression:
		c.body(x, scope)
	case *syntax.MetadataAccessExpression:
		c.names(scope, []syntax.QualifiedName{x.Element})
	}
	return nil
}

// elements checks operands that stand for elements of the model, not for
// values.
func (c *checker) elements(scope *Element, operands []syntax.Expr) {
	for _, x := range operands {
		if ref, ok := x.(*syntax.FeatureReferenceExpression); ok {
			c.names(scope, []syntax.QualifiedName{ref.Name})
		} else {
			c.expression(x, scope)
		}
	}
}

func (c *checker) featureReference(x *syntax.FeatureReferenceExpression, scope *Element) *Element {
	found, why := c.model.member(x.Name, scope, nil, nil)
	e := found.aliased()
	c.named(x.Name, scope, e, nil)
	switch {
	case e == nil:
		c.report(c.model.unresolved(x.Name, scope, why, "element", nil))
	case c.link == nil && c.referent(e, x.Span()):
		c.accessibleAround(scope, e, x.Span())
	}
	return e
}

// featureChain checks each link in the feature before it; behind an operand
// that is no name, in the type of its result.
func (c *checker) featureChain(x *syntax.FeatureChainExpression, scope *Element) *Element {
	at := c.expression(x.Operand, scope)
	if at == nil {
		at = c.model.denoted(x.Operand, scope)
	}
	for _, q := range x.Links {
		if at == nil {
			return nil
		}
		found, why := c.model.memberOf(q, at, nil)
		e := found.aliased()
		if c.link != nil {
			c.link(Link{Name: q, Target: e, Scope: at, behindDot: true})
		}
		if e == nil {
			c.report(c.model.unresolved(q, scope, why, "feature", (*Element).isFeature))
			return nil
		}
		if c.link == nil {
			c.linkBehindDot(at, e, q.In(scope.doc.File))
		}
		at = e
	}
	return at
}

func (c *checker) invocation(x *syntax.InvocationExpression, scope *Element) {
	if x.Receiver != nil {
		c.expression(x.Receiver, scope)
	}
	links := c.reference(&x.Callee, scope, nil, "calculation", nil)
	c.arguments(x.Arguments, scope, links)
	c.body(x.BodyArgument, scope)
	c.reference(&x.Function, scope, nil, "calculation", nil)
}

// arguments checks the values, and the names of named ones among the features
// of what is invoked.
func (c *checker) arguments(list []syntax.Argument, scope *Element, callee []*Element) {
	for _, a := range list {
		c.expression(a.Value, scope)
		if len(a.Name.Segments) == 0 || len(callee) == 0 {
			continue
		}
		found, why := c.model.memberOf(a.Name, callee[len(callee)-1], nil)
		if found.aliased() == nil {
			c.report(c.model.unresolved(a.Name, scope, why, "parameter", nil))
		}
	}
}

func (c *checker) body(b *syntax.BodyExpression, scope *Element) {
	if b == nil {
		return
	}
	s := scope.bodyScope(b)
	for _, e := range s.members() {
		c.element(e)
	}
}
