package model

import (
	"strconv"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file works out what an expression is worth or what type it has, as far
// as the model alone tells. It serves the rules for bounds, filters and
// guards; running models is the work of runtime.

// constant is the value of x, standing in scope: int64, float64, bool or
// string; nil where the model alone does not tell.
func (m *Model) constant(x syntax.Expr, scope *Element, steps int) any {
	if steps == 0 {
		return nil
	}
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		switch x.Kind {
		case syntax.LiteralBoolean:
			return x.Text == "true"
		case syntax.LiteralString:
			return x.Text
		case syntax.LiteralInteger:
			if n, err := strconv.ParseInt(x.Text, 10, 64); err == nil {
				return n
			}
		case syntax.LiteralRational:
			if f, err := strconv.ParseFloat(x.Text, 64); err == nil {
				return f
			}
		}
	case *syntax.FeatureReferenceExpression:
		found, _ := m.member(x.Name, scope, nil, nil)
		if f := found.aliased(); f != nil && f.decl != nil && f.decl.Value != nil && !f.decl.Value.Default && !f.decl.Value.Initial {
			return m.constant(f.decl.Value.Expr, f, steps-1)
		}
	case *syntax.OperatorExpression:
		return m.constantOperator(x, scope, steps)
	}
	return nil
}

func (m *Model) constantOperator(x *syntax.OperatorExpression, scope *Element, steps int) any {
	if len(x.Operands) == 1 {
		n, ok := m.constant(x.Operands[0], scope, steps-1).(int64)
		if ok && x.Operator == syntax.Minus {
			return -n
		}
		return nil
	}
	if len(x.Operands) != 2 {
		return nil
	}
	a, ok := m.constant(x.Operands[0], scope, steps-1).(int64)
	b, also := m.constant(x.Operands[1], scope, steps-1).(int64)
	if !ok || !also {
		return nil
	}
	switch x.Operator {
	case syntax.Add:
		return a + b
	case syntax.Subtract:
		return a - b
	case syntax.Multiply:
		return a * b
	case syntax.Less:
		return a < b
	case syntax.LessEqual:
		return a <= b
	case syntax.Greater:
		return a > b
	case syntax.GreaterEqual:
		return a >= b
	case syntax.Equal:
		return a == b
	}
	return nil
}

// A scalar is what is known of the type of an expression.
type scalar uint8

const (
	unknownScalar scalar = iota
	booleanScalar
	integerScalar
	realScalar
	stringScalar
	otherValue // certainly none of these
)

func (s scalar) String() string {
	return [...]string{"of an unknown type", "a Boolean", "an Integer", "a Real", "a String", "no scalar"}[s]
}

// scalarOf is the type of x, standing in scope.
func (m *Model) scalarOf(x syntax.Expr, scope *Element) scalar {
	return m.scalarIn(x, scope, 10)
}

func (m *Model) scalarIn(x syntax.Expr, scope *Element, steps int) scalar {
	if steps == 0 {
		return unknownScalar
	}
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		return [...]scalar{booleanScalar, integerScalar, realScalar, stringScalar, integerScalar}[x.Kind]
	case *syntax.OperatorExpression:
		return operatorScalar(x.Operator)
	case *syntax.ConstructorExpression:
		return scalarOfType(m.typeNamed(&x.Type, scope), otherValue)
	case *syntax.FeatureReferenceExpression, *syntax.FeatureChainExpression, *syntax.InvocationExpression:
		return m.scalarOfFeature(m.denoted(x, scope), steps)
	}
	return unknownScalar
}

func (m *Model) scalarOfFeature(f *Element, steps int) scalar {
	if f == nil || !f.isFeature() {
		return unknownScalar
	}
	if types := f.types(); len(types) == 1 {
		if s := scalarOfType(types[0], unknownScalar); s != unknownScalar {
			return s
		}
	}
	if f.decl != nil && f.decl.Value != nil {
		return m.scalarIn(f.decl.Value.Expr, f, steps-1)
	}
	return unknownScalar
}

// operatorScalar is the type of what an operator gives, whatever its operands.
func operatorScalar(op syntax.OperatorKind) scalar {
	switch op {
	case syntax.Not, syntax.Less, syntax.LessEqual, syntax.Greater, syntax.GreaterEqual, syntax.IsType, syntax.HasType,
		syntax.At, syntax.AtAt, syntax.Equal, syntax.NotEqual, syntax.Same, syntax.NotSame, syntax.And, syntax.Xor, syntax.Or,
		syntax.ConditionalAnd, syntax.ConditionalOr, syntax.Implies:
		return booleanScalar
	}
	return unknownScalar
}

// scalarOfType tells the scalar types of the library; none is what every other
// type is taken for.
func scalarOfType(t *Element, none scalar) scalar {
	if t == nil {
		return unknownScalar
	}
	for _, k := range append([]*Element{t}, t.supertypes()...) {
		if !k.doc.library || k.owner == nil || k.owner.name() != "ScalarValues" {
			continue
		}
		switch k.name() {
		case "Boolean":
			return booleanScalar
		case "Integer", "Natural", "Positive":
			return integerScalar
		case "Real", "Rational", "Complex", "Number", "NumericalValue":
			return realScalar
		case "String":
			return stringScalar
		}
	}
	return none
}

// unnatural says why x cannot bound a multiplicity; "" where it can, or where
// nothing is known.
func (m *Model) unnatural(x syntax.Expr, scope *Element) string {
	if lit, ok := x.(*syntax.LiteralExpression); ok && lit.Kind == syntax.LiteralInfinity {
		return ""
	}
	switch v := m.constant(x, scope, 10).(type) {
	case int64:
		if v < 0 {
			return "this is " + strconv.FormatInt(v, 10)
		}
		return ""
	case bool:
		return "this is a Boolean"
	case string:
		return "this is a String"
	case float64:
		return "this is a Real"
	}
	switch s := m.scalarOf(x, scope); s {
	case booleanScalar, realScalar, stringScalar, otherValue:
		return "this is " + s.String()
	}
	return ""
}
