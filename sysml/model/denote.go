package model

import "github.com/orrery-sysml/orrery/sysml/syntax"

// This file says which element an expression denotes, as far as that follows
// from names alone: what stands behind a dot is looked for in it.

// denoted is the feature or type that x, standing in scope, denotes the values
// of; nil where names do not tell.
func (m *Model) denoted(x syntax.Expr, scope *Element) *Element {
	switch x := x.(type) {
	case *syntax.FeatureReferenceExpression:
		found, _ := m.member(x.Name, scope, nil, nil)
		return found.aliased()
	case *syntax.FeatureChainExpression:
		at := m.denoted(x.Operand, scope)
		for _, q := range x.Links {
			if at == nil {
				return nil
			}
			found, _ := m.memberOf(q, at, nil)
			at = found.aliased()
		}
		return at
	case *syntax.OperatorExpression:
		return m.denotedByOperator(x, scope)
	case *syntax.InvocationExpression:
		return m.denotedByCall(x, scope)
	case *syntax.ConstructorExpression:
		return m.typeNamed(&x.Type, scope)
	case *syntax.IndexExpression:
		return m.denoted(x.Operand, scope)
	case *syntax.SelectExpression:
		return m.denoted(x.Operand, scope)
	case *syntax.BracketExpression:
		return m.denoted(x.Operand, scope)
	case *syntax.CollectExpression:
		return m.denotedByBody(x.Body, scope)
	case *syntax.BodyExpression:
		return m.denotedByBody(x, scope)
	case *syntax.MetadataAccessExpression:
		found, _ := m.member(x.Element, scope, nil, nil)
		return m.metaclassOf(found.aliased())
	}
	return nil
}

func (m *Model) denotedByOperator(x *syntax.OperatorExpression, scope *Element) *Element {
	switch x.Operator {
	case syntax.As, syntax.Meta, syntax.All:
		return m.typeNamed(&x.Type, scope)
	case syntax.Coalesce:
		if len(x.Operands) > 0 {
			return m.denoted(x.Operands[0], scope)
		}
	case syntax.Conditional:
		if len(x.Operands) == 3 {
			return m.denoted(x.Operands[1], scope)
		}
	}
	return nil
}

// denotedByCall is the result of what is called, or the type itself where a
// type is called.
func (m *Model) denotedByCall(x *syntax.InvocationExpression, scope *Element) *Element {
	e := m.typeNamed(&x.Callee, scope)
	if e == nil {
		return nil
	}
	if f := e.positionedAt(resultPosition, 0, false); len(f) > 0 {
		return f[0]
	}
	if e.metaclass.IsClassifier() && !e.isBehavior() {
		return e
	}
	return nil
}

func (m *Model) denotedByBody(b *syntax.BodyExpression, scope *Element) *Element {
	if b == nil {
		return nil
	}
	s := scope.bodyScope(b)
	for _, k := range s.members() {
		if part, ok := k.decl.Detail.(*syntax.ExpressionPart); ok && k.decl.Member == syntax.ResultMember {
			return m.denoted(part.Expr, s)
		}
	}
	return nil
}

func (m *Model) typeNamed(ref *syntax.Reference, scope *Element) *Element {
	links, why := m.reference(ref, scope, nil, nil)
	if why != nil {
		return nil
	}
	return links[len(links)-1]
}

// metaclassOf is the element of the library that stands for the metaclass of
// e; nil where the library has none.
func (m *Model) metaclassOf(e *Element) *Element {
	if e == nil {
		return nil
	}
	n := e.metaclass.String()
	for _, p := range [...]string{"SysML", "KerML"} {
		file, ok := m.libraryFile(p)
		if !ok {
			continue
		}
		root := firstNamed(m.read(file).root, p)
		if root == nil {
			continue
		}
		s := search{name: n}
		if found := s.find(root, outside).aliased(); found != nil {
			return found
		}
	}
	return nil
}
