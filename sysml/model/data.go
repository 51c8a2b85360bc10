package model

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says which values a data type has, as far as their kind goes.

// DataKind is what the values of a data type have in common.
type DataKind uint8

// The kinds of data type. AnyData stands where the type does not tell.
const (
	AnyData DataKind = iota
	BooleanData
	StringData
	IntegerData     // Natural and Positive too
	NumberData      // Real, Rational, Complex
	QuantityData    // a number with a unit
	EnumerationData // the literals of an enumeration that are no other values
)

// String is how a message names one value of the kind.
func (k DataKind) String() string {
	return [...]string{"a value", "a Boolean", "a String", "an Integer", "a number", "a quantity", "a literal of an enumeration"}[k]
}

// kindsOfData are the library types that decide, the narrower ones first.
var kindsOfData = []struct {
	name string
	kind DataKind
}{
	{"ScalarValues::Boolean", BooleanData},
	{"ScalarValues::String", StringData},
	{"ScalarValues::Integer", IntegerData},
	{"Quantities::TensorQuantityValue", QuantityData},
	{"ScalarValues::NumericalValue", NumberData},
}

// DataKind is the kind of the values of type e.
func (e *Element) DataKind() DataKind {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.dataKind()
}

func (e *Element) dataKind() DataKind {
	names := map[string]bool{e.qualifiedName(false): e.IsLibrary()}
	for _, s := range e.allSupertypes() {
		if s.IsLibrary() {
			names[s.qualifiedName(false)] = true
		}
	}
	for _, k := range kindsOfData {
		if names[k.name] {
			return k.kind
		}
	}
	if e.metaclass == syntax.EnumerationDefinition && !e.hasValuedLiterals() {
		return EnumerationData
	}
	return AnyData
}

// hasValuedLiterals reports whether a literal of an enumeration stands for
// another value: `low = 1`.
func (e *Element) hasValuedLiterals() bool {
	for _, m := range e.members() {
		if m.decl != nil && m.decl.Value != nil {
			return true
		}
	}
	return false
}

// Admits reports whether literals of kind k are values of a type of kind d. An
// integer is a number; a decimal number is no Integer.
func (d DataKind) Admits(k syntax.LiteralKind) bool {
	switch k {
	case syntax.LiteralBoolean:
		return d == AnyData || d == BooleanData
	case syntax.LiteralString:
		return d == AnyData || d == StringData
	case syntax.LiteralRational:
		return d != BooleanData && d != StringData && d != IntegerData && d != EnumerationData
	}
	return d != BooleanData && d != StringData && d != EnumerationData
}

// literalOf is the kind of the literal that x is, a sign before it or not.
func literalOf(x syntax.Expr) (syntax.LiteralKind, bool) {
	if o, ok := x.(*syntax.OperatorExpression); ok && len(o.Operands) == 1 && (o.Operator == syntax.Minus || o.Operator == syntax.Plus) {
		x = o.Operands[0]
	}
	if l, ok := x.(*syntax.LiteralExpression); ok && l.Kind != syntax.LiteralInfinity {
		return l.Kind, true
	}
	return 0, false
}

var literalWords = map[syntax.LiteralKind]string{
	syntax.LiteralBoolean: "a Boolean", syntax.LiteralInteger: "an Integer", syntax.LiteralRational: "a decimal number", syntax.LiteralString: "a String",
}

// literalValue checks that a literal is a value of the types of the feature
// whose value it is.
func (c *checker) literalValue(e *Element) {
	if e.decl.Value == nil || e.isMetadata() || e.owner.isMetadata() {
		return
	}
	kind, ok := literalOf(e.decl.Value.Expr)
	if !ok {
		return
	}
	for _, t := range e.types() {
		if t.dataKind().Admits(kind) {
			continue
		}
		d := diagnostic.New(bindingTypes, e.decl.Value.Expr.Span(), e.described()+" is "+t.dataKind().of(t)+", and "+e.decl.Value.Expr.Span().Text()+" is "+literalWords[kind])
		d.Severity = diagnostic.Warning
		if l := t.firstLiteral(); l != "" {
			d.WithHint("write a literal: " + l)
		}
		c.report(d)
		return
	}
}

// of names a value of type t, which is of kind d.
func (d DataKind) of(t *Element) string {
	if t.IsLibrary() && (d == BooleanData || d == StringData || d == IntegerData) {
		return d.String()
	}
	return "of type " + t.inWords()
}

// firstLiteral is how the first literal of an enumeration is written; "" where
// e has none.
func (e *Element) firstLiteral() string {
	if e.metaclass != syntax.EnumerationDefinition {
		return ""
	}
	for _, m := range e.members() {
		if m.metaclass == syntax.EnumerationUsage && m.effectiveName() != "" {
			return Quote(e.effectiveName()) + "::" + Quote(m.effectiveName())
		}
	}
	return ""
}
