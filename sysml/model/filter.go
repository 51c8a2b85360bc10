package model

import (
	"strconv"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file evaluates the conditions of filters, which look at the metaclass
// of an element and at the metadata on it (KerML 8.2.3.5, SysML 8.3.4).

// passesFilters reports whether the filters of import e, and those of its
// namespace, let found through. A condition that cannot be worked out from the
// model alone lets everything through; that it cannot is reported where it
// stands. The names in a condition may be reached through the import itself:
// for them it has no filter, or the question would never end.
func (e *Element) passesFilters(found *Element, part *syntax.ImportPart, filters []*Element) bool {
	if e.passing {
		return true
	}
	e.passing = true
	defer func() { e.passing = false }()
	for _, x := range part.Filters {
		if !found.meets(x, e.owner) {
			return false
		}
	}
	for _, f := range filters {
		if x, ok := f.decl.Detail.(*syntax.ExpressionPart); ok && !found.meets(x.Expr, f.owner) {
			return false
		}
	}
	return true
}

// LetsThrough reports whether import or expose e lets found through: whether
// that meets its conditions and those of its namespace, among them the filters
// that a view has from the views and definitions that it specializes
// (SysML 8.3.26). It does not ask whether the import leads to found.
func (e *Element) LetsThrough(found *Element) bool {
	e.model.lock()
	defer e.model.mu.Unlock()
	part, ok := e.decl.Detail.(*syntax.ImportPart)
	if !ok || e.owner == nil {
		return false
	}
	filters := append([]*Element(nil), e.owner.nameIndex().filters...)
	if e.isExpose() {
		for _, general := range e.owner.allSupertypes() {
			filters = append(filters, general.nameIndex().filters...)
		}
	}
	return e.passesFilters(found, part, filters)
}

// meets reports whether e meets condition x, which stands in scope.
func (e *Element) meets(x syntax.Expr, scope *Element) bool {
	v := condition{e, scope}.value(x)
	b, ok := v.(bool)
	return b || !ok && v != none
}

// A condition is a filter at work on one element.
type condition struct{ subject, scope *Element }

type unknownValue struct{}
type noneValue struct{}

// unknown is the value of what cannot be worked out, none that of what has no
// value. Other values are bool, float64, string and *Element.
var (
	unknown any = unknownValue{}
	none    any = noneValue{}
)

func (c condition) value(x syntax.Expr) any {
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		return literalValue(x)
	case *syntax.NullExpression:
		return none
	case *syntax.FeatureReferenceExpression:
		return c.featureValue(c.subject.model.denoted(x, c.scope))
	case *syntax.FeatureChainExpression:
		return c.featureValue(c.subject.model.denoted(x, c.scope))
	case *syntax.OperatorExpression:
		return c.operator(x)
	}
	return unknown
}

func literalValue(x *syntax.LiteralExpression) any {
	switch x.Kind {
	case syntax.LiteralBoolean:
		return x.Text == "true"
	case syntax.LiteralString:
		return x.Text
	case syntax.LiteralInteger, syntax.LiteralRational:
		if f, err := strconv.ParseFloat(x.Text, 64); err == nil {
			return f
		}
	}
	return unknown
}

func (c condition) operator(x *syntax.OperatorExpression) any {
	switch x.Operator {
	case syntax.At, syntax.AtAt, syntax.IsType, syntax.HasType:
		if len(x.Operands) > 0 && !c.isSubject(x.Operands[0]) {
			return unknown
		}
		t := c.subject.model.typeNamed(&x.Type, c.scope)
		if t == nil {
			return false
		}
		return c.subject.isClassified(t)
	case syntax.Not:
		if b, ok := c.value(x.Operands[0]).(bool); ok {
			return !b
		}
		return unknown
	case syntax.Conditional:
		if b, ok := c.value(x.Operands[0]).(bool); ok && len(x.Operands) == 3 {
			if b {
				return c.value(x.Operands[1])
			}
			return c.value(x.Operands[2])
		}
		return unknown
	}
	if len(x.Operands) != 2 {
		return unknown
	}
	a := c.value(x.Operands[0])
	if x.Operator == syntax.Coalesce && a != none {
		return a
	}
	return combine(x.Operator, a, c.value(x.Operands[1]))
}

// isSubject reports whether x names the annotated element.
func (c condition) isSubject(x syntax.Expr) bool {
	ref, ok := x.(*syntax.FeatureReferenceExpression)
	return ok && ref.Name.Last().Text == "annotatedElement"
}

// chosen is the branch of x that the condition of x chooses; x itself where it
// has none.
func (c condition) chosen(x syntax.Expr) syntax.Expr {
	op, ok := x.(*syntax.OperatorExpression)
	if !ok || op.Operator != syntax.Conditional || len(op.Operands) != 3 {
		return x
	}
	if b, ok := c.value(op.Operands[0]).(bool); ok && !b {
		return c.chosen(op.Operands[2])
	}
	return c.chosen(op.Operands[1])
}

func combine(op syntax.OperatorKind, a, b any) any {
	if op == syntax.Coalesce {
		return b
	}
	if a == none || b == none {
		switch op {
		case syntax.Equal, syntax.Same:
			return a == b
		case syntax.NotEqual, syntax.NotSame:
			return a != b
		}
		a, b = falseFor(a), falseFor(b)
	}
	if a == unknown || b == unknown {
		return unknown
	}
	switch op {
	case syntax.Equal, syntax.Same:
		return a == b
	case syntax.NotEqual, syntax.NotSame:
		return a != b
	}
	if p, ok := a.(bool); ok {
		if q, ok := b.(bool); ok {
			return combineBooleans(op, p, q)
		}
	}
	if p, ok := a.(float64); ok {
		if q, ok := b.(float64); ok {
			return compare(op, p, q)
		}
	}
	return unknown
}

func falseFor(v any) any {
	if v == none {
		return false
	}
	return v
}

func combineBooleans(op syntax.OperatorKind, p, q bool) any {
	switch op {
	case syntax.And, syntax.ConditionalAnd:
		return p && q
	case syntax.Or, syntax.ConditionalOr:
		return p || q
	case syntax.Xor:
		return p != q
	case syntax.Implies:
		return !p || q
	}
	return unknown
}

func compare(op syntax.OperatorKind, p, q float64) any {
	switch op {
	case syntax.Less:
		return p < q
	case syntax.LessEqual:
		return p <= q
	case syntax.Greater:
		return p > q
	case syntax.GreaterEqual:
		return p >= q
	}
	return unknown
}

// featureValue is the value that f has in the metadata on the subject; f
// itself where it is no feature of metadata, such as a literal of an
// enumeration.
func (c condition) featureValue(f *Element) any {
	if f == nil {
		return unknown
	}
	if f.owner == nil || !isMetadataType(f.owner) {
		return f
	}
	for _, a := range c.subject.annotations() {
		if a.Type == nil || !a.Type.specializes(f.owner) {
			continue
		}
		if v, scope := a.valueOf(f); v != nil {
			return condition{c.subject, scope}.value(v)
		}
		return none
	}
	return none
}

// valueOf is the expression that gives f its value in a, and where it stands.
func (a Annotation) valueOf(f *Element) (syntax.Expr, *Element) {
	holders := []*Element{a.Usage, a.Type}
	holders = append(holders, a.Type.supertypes()...)
	for _, h := range holders {
		if h == nil {
			continue
		}
		for _, k := range h.named(f.effectiveName()) {
			if k.decl != nil && k.decl.Value != nil {
				return k.decl.Value.Expr, k
			}
		}
	}
	return nil, nil
}

// isClassified reports whether e has metadata of type t, or a metaclass that t
// is or that specializes t.
func (e *Element) isClassified(t *Element) bool {
	for _, a := range e.annotations() {
		if a.Type != nil && a.Type.specializes(t) {
			return true
		}
	}
	if !t.doc.library {
		return false
	}
	own := e.model.metaclassOf(e)
	return own != nil && own.specializes(t)
}
