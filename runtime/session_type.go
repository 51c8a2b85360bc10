package runtime

import (
	"fmt"
	"strings"

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
	f := t.typings.feature(owner, name)
	if f == nil {
		return nil
	}
	if d := f.tooFewOrMany(v); d != nil {
		return d
	}
	return t.isValueOf(f, v)
}

// tooFewOrMany refuses an argument that has not as many values as its
// parameter.
func (f *typedFeature) tooFewOrMany(v value.Value) *diagnostic.Diagnostic {
	n := int64(v.Len())
	if !f.counted || n >= f.lower && (f.upper < 0 || n <= f.upper) {
		return nil
	}
	bound := fmt.Sprintf("lower bound %d", f.lower)
	if n > f.lower {
		bound = fmt.Sprintf("upper bound %d", f.upper)
	}
	return diagnostic.New(value.MultiplicityError, source.Span{},
		fmt.Sprintf("multiplicity violation: %d value(s) given to %s, which has %s", n, f.EffectiveName(), bound)).
		WithRelated(f.NameSpan(), "declared here")
}

// isValueOf is admits of a feature that is known, for each of v's values.
func (t *turn) isValueOf(f *typedFeature, v value.Value) error {
	for _, of := range f.types {
		for x := range v.All() {
			if t.isOf(of, x) {
				continue
			}
			d := diagnostic.New(value.TypeMismatch, source.Span{},
				"type mismatch: "+f.EffectiveName()+" is of type "+of.QualifiedName()+", and "+t.text(t.world, x)+" is "+t.nature(x))
			if of.kind == model.QuantityData && x.Kind().IsNumber() {
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

// isOf reports whether x, no collection, can be a value of a type.
func (t *turn) isOf(of *typing, x value.Value) bool {
	if of.kind == model.QuantityData && !t.hasDimension(of, x) {
		return false
	}
	if x.Kind() == value.Quantity {
		x, _, _ = x.AsQuantity()
	}
	switch x.Kind() {
	case value.Boolean:
		return of.kind.Admits(syntax.LiteralBoolean) && !of.thing
	case value.String:
		return of.kind.Admits(syntax.LiteralString) && !of.thing
	case value.Integer:
		return of.kind.Admits(syntax.LiteralInteger) && !of.thing
	case value.Rational, value.Real:
		return of.kind.Admits(syntax.LiteralRational) && !of.thing
	case value.Enumeration:
		if of.kind != model.EnumerationData {
			return of.kind == model.AnyData && !of.thing
		}
		n, _ := x.AsNamed()
		return t.typings.isLiteral(t.model, of.Element, n.Qualified())
	case value.Object:
		id, _ := x.AsObject()
		typ := t.world.Program.Types[t.world.Object(id).Type]
		return of.kind == model.AnyData && (typ.Conforms(of.name) || of.IsLibrary() && !of.thing)
	}
	return true
}

// hasDimension reports whether a number or a quantity has the dimension of a
// quantity type. A number has dimension one.
func (t *turn) hasDimension(of *typing, x value.Value) bool {
	_, unit, ok := x.AsQuantity()
	return !ok || !of.measured || of.measures(t.model, unit)
}

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
		return nil
	}
	return t.admitsAll(t.typings.signal(t.model, ev.Name), ev.Args)
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
	if e := s.typings.signal(s.model, model.QuoteQualified(x.Callee.First())); e != nil {
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
