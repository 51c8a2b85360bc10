package runtime

import (
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file refuses values that a user gives to a feature of another type,
// where they are given and not where something comes to read them. A run is not
// watched over: what a model assigns is the model's business.

// admits says why v is no value of the feature called name of owner; nil where
// it is one, and where the model does not tell.
func (t *turn) admits(owner *model.Element, name string, v value.Value) error {
	if owner == nil {
		return nil
	}
	f, found := owner.LookupInside(strings.Trim(name, "'"))
	if !found || !f.Metaclass().IsFeature() {
		return nil
	}
	if f.Direction() == syntax.In || f.Direction() == syntax.InOut {
		if d := tooFewOrMany(f, v); d != nil {
			return d
		}
	}
	return t.isValueOf(f, v)
}

// tooFewOrMany refuses an argument that has not as many values as its
// parameter, where that is of a data type and the model says how many. (What is
// assigned to a feature is counted where it is assigned.)
func tooFewOrMany(f *model.Element, v value.Value) *diagnostic.Diagnostic {
	m := f.Multiplicity()
	if !m.Constant || !slices.ContainsFunc(f.Types(), func(t *model.Element) bool { return t.DataKind() != model.AnyData }) {
		return nil
	}
	n := int64(v.Len())
	if n >= m.Lower && (m.Upper < 0 || n <= m.Upper) {
		return nil
	}
	bound := fmt.Sprintf("lower bound %d", m.Lower)
	if n > m.Lower {
		bound = fmt.Sprintf("upper bound %d", m.Upper)
	}
	return diagnostic.New(value.MultiplicityError, source.Span{},
		fmt.Sprintf("multiplicity violation: %d value(s) given to %s, which has %s", n, f.EffectiveName(), bound)).
		WithRelated(f.NameSpan(), "declared here")
}

// isValueOf is admits of a feature that is known.
func (t *turn) isValueOf(f *model.Element, v value.Value) error {
	for _, of := range f.Types() {
		for x := range v.All() {
			if t.isOf(of, x) {
				continue
			}
			d := diagnostic.New(value.TypeMismatch, source.Span{},
				"type mismatch: "+f.EffectiveName()+" is of type "+of.QualifiedName()+", and "+t.text(t.world, x)+" is "+t.nature(x))
			if of.DataKind() == model.QuantityData && x.Kind().IsNumber() {
				d.WithHint("write its unit behind it: " + t.text(t.world, x) + " [UNIT]")
			}
			return d.WithRelated(f.NameSpan(), "declared here")
		}
	}
	return nil
}

// nature is what x is, in words.
func (t *turn) nature(x value.Value) string {
	switch id, _ := x.AsObject(); x.Kind() {
	case value.Object:
		return "of type " + t.world.Program.Types[t.world.Object(id).Type].Declared
	case value.Quantity:
		return "of another dimension"
	case value.Enumeration:
		return "a literal of another enumeration"
	}
	return x.TypeName()
}

// isOf reports whether x, no collection, can be a value of type of.
func (t *turn) isOf(of *model.Element, x value.Value) bool {
	kind := of.DataKind()
	if kind == model.QuantityData && !t.hasDimension(of, x) {
		return false
	}
	if q, _, ok := x.AsQuantity(); ok && x.Kind() == value.Quantity {
		x = q
	}
	switch x.Kind() {
	case value.Boolean:
		return kind.Admits(syntax.LiteralBoolean) && !isThing(of)
	case value.String:
		return kind.Admits(syntax.LiteralString) && !isThing(of)
	case value.Integer:
		return kind.Admits(syntax.LiteralInteger) && !isThing(of)
	case value.Rational, value.Real:
		return kind.Admits(syntax.LiteralRational) && !isThing(of)
	case value.Enumeration:
		return t.isLiteralOf(of, kind, x)
	case value.Object:
		id, _ := x.AsObject()
		typ := t.world.Program.Types[t.world.Object(id).Type]
		return kind == model.AnyData && (typ.Conforms(plain(of)) || of.IsLibrary() && !isThing(of))
	}
	return true
}

// hasDimension reports whether a number or a quantity has the dimension of a
// quantity type. A number has dimension one.
func (t *turn) hasDimension(of *model.Element, x value.Value) bool {
	wanted, known := lower.DimensionOf(of)
	if !known {
		return true
	}
	has := lower.Dimension{}
	if _, unit, ok := x.AsQuantity(); ok && x.Kind() == value.Quantity {
		if has, known = lower.DimensionIn(t.model, unit); !known {
			return true
		}
	} else if !x.Kind().IsNumber() {
		return true
	}
	return wanted.Equal(has)
}

// isLiteralOf reports whether a literal is one of the enumeration of, or of one
// that specializes it.
func (t *turn) isLiteralOf(of *model.Element, kind model.DataKind, x value.Value) bool {
	if kind != model.EnumerationData {
		return kind == model.AnyData && !isThing(of)
	}
	n, _ := x.AsNamed()
	e := t.model.Find(n.Qualified())
	return e == nil || e.Owner() == nil || e.Owner() == of || e.Owner().Specializes(of)
}

// isThing reports whether what is of type e is an object, and no data.
func isThing(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.PartDefinition, syntax.ItemDefinition, syntax.PortDefinition, syntax.OccurrenceDefinition, syntax.ConnectionDefinition:
		return true
	}
	return false
}

// plain is the qualified name of e without quotes.
func plain(e *model.Element) string { return strings.ReplaceAll(e.QualifiedName(), "'", "") }

// admitsAll is admits of arguments.
func (t *turn) admitsAll(owner *model.Element, args []Argument) error {
	for _, a := range args {
		if err := t.admits(owner, a.Name, a.Value); err != nil {
			return err
		}
	}
	return nil
}

// takes says why the arguments of an event cannot be what its signal or
// operation carries; nil where they can, and where the model does not tell.
func (t *turn) takes(ev Event) error {
	if len(ev.Args) == 0 {
		return nil // without a walk through the model
	}
	e := t.signalled(ev.Name)
	if e == nil {
		return nil
	}
	return t.admitsAll(e, ev.Args)
}

// signalled is the declaration of a signal or an operation: that of a qualified
// name, or the only one in the model of a simple name; nil where there is none.
func (s *Session) signalled(name string) *model.Element {
	if e := s.model.Find(name); e != nil {
		return e
	}
	last := Event{Name: name}.signal()
	var found *model.Element
	many := false
	var walk func(e *model.Element)
	walk = func(e *model.Element) {
		for _, m := range e.Members() {
			if m.EffectiveName() == last && (m.Metaclass().IsDefinition() || m.Metaclass() == syntax.ActionUsage) {
				many = many || found != nil
				found = m
			}
			walk(m)
		}
	}
	for _, root := range s.model.Roots() {
		walk(root)
		if root.EffectiveName() == last {
			many = many || found != nil
			found = root
		}
	}
	if many {
		return nil
	}
	return found
}

// nameless refuses several values without a name behind a signal: what they
// are for could not be told. One is the value that is sent.
func (s *Session) nameless(x *syntax.InvocationExpression) *diagnostic.Diagnostic {
	var extra *syntax.Argument
	n := 0
	for i := range x.Arguments {
		if x.Arguments[i].Name.Last().Text == "" {
			if n++; n == 2 {
				extra = &x.Arguments[i]
			}
		}
	}
	if extra == nil {
		return nil
	}
	signal := x.Callee.First().Last().Text
	d := diagnostic.New(notAnEvent, extra.Value.Span(), signal+" is sent with one value or with features by name, not with several values")
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	if e := s.signalled(model.QuoteQualified(x.Callee.First())); e != nil {
		for _, f := range e.Features() {
			if !f.Element.IsLibrary() {
				names = append(names, f.Label+" = …")
			}
		}
	}
	if len(names) > 0 {
		d.WithHint("write " + signal + "(" + strings.Join(names, ", ") + ")")
	}
	return d
}
