package runtime

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file keeps what the model says of features that values are given to: a
// loop that posts a signal a million times asks the model once.

// maxTypings bounds what typings keeps of each kind: names come from users, who
// can make up any number of them.
const maxTypings = 10_000

// typings are what the model says of signals and of features, as far as it was
// asked. They hold for the declarations that there are: what declares or
// forgets begins them anew. The forks of a session share them, as the model.
type typings struct {
	elements map[string]*model.Element
	signals  map[string]*model.Element
	features map[member]*typedFeature
	literals map[literalOf]bool
}

// A member is a feature by its name.
type member struct {
	owner *model.Element
	name  string
}

// literalOf asks whether the literal with a qualified name is one of an
// enumeration.
type literalOf struct {
	enumeration *model.Element
	literal     string
}

// A typedFeature is what values given to a feature have to be.
type typedFeature struct {
	*model.Element
	types []*typing
	// counted says that the number of values is bounded: that of arguments is,
	// where their parameter is of a data type and the model has numbers for it.
	// (What is assigned to a feature is counted where it is assigned.)
	counted      bool
	lower, upper int64 // upper is -1 where there is none
}

// A typing is one type of a feature.
type typing struct {
	*model.Element
	name  string // the qualified name, without quotes
	kind  model.DataKind
	thing bool // what is of this type is an object, and no data
	// dimension is that of a quantity type, where it is known; fits is whether
	// unit, the last one that was asked for, has it.
	dimension lower.Dimension
	measured  bool
	unit      *value.Unit
	fits      bool
}

func newTypings() *typings {
	return &typings{map[string]*model.Element{}, map[string]*model.Element{}, map[member]*typedFeature{}, map[literalOf]bool{}}
}

// recalled is what known has for k, worked out where it has nothing.
func recalled[K comparable, V any](known map[K]V, k K, workOut func() V) V {
	v, ok := known[k]
	if !ok {
		if len(known) >= maxTypings {
			clear(known)
		}
		v = workOut()
		known[k] = v
	}
	return v
}

// named is the element of m with a qualified name; nil where there is none.
func (k *typings) named(m *model.Model, qualified string) *model.Element {
	return recalled(k.elements, qualified, func() *model.Element { return m.Find(qualified) })
}

// feature is the feature of owner called name; nil where there is none.
func (k *typings) feature(owner *model.Element, name string) *typedFeature {
	return recalled(k.features, member{owner, name}, func() *typedFeature {
		e, found := owner.LookupInside(strings.Trim(name, "'"))
		if !found || !e.Metaclass().IsFeature() {
			return nil
		}
		f := &typedFeature{Element: e}
		for _, t := range e.Types() {
			f.types = append(f.types, newTyping(t))
		}
		if d := e.Direction(); d != syntax.In && d != syntax.InOut {
			return f
		}
		m := e.Multiplicity()
		f.counted = m.Constant && slices.ContainsFunc(f.types, func(t *typing) bool { return t.kind != model.AnyData })
		f.lower, f.upper = m.Lower, m.Upper
		return f
	})
}

func newTyping(e *model.Element) *typing {
	t := &typing{Element: e, name: strings.ReplaceAll(e.QualifiedName(), "'", ""), kind: e.DataKind()}
	switch e.Metaclass() {
	case syntax.PartDefinition, syntax.ItemDefinition, syntax.PortDefinition, syntax.OccurrenceDefinition, syntax.ConnectionDefinition:
		t.thing = true
	}
	if t.kind == model.QuantityData {
		t.dimension, t.measured = lower.DimensionOf(e)
	}
	return t
}

// signal is the declaration of a signal or an operation: that of a qualified
// name, or the only one in m of a simple name; nil where there is none.
func (k *typings) signal(m *model.Model, name string) *model.Element {
	return recalled(k.signals, name, func() *model.Element {
		if e := m.Find(name); e != nil {
			return e
		}
		return onlySignal(m, Event{Name: name}.signal())
	})
}

// onlySignal is the only declaration in m, at any depth, of a signal or an
// operation called name; nil where there is none or several.
func onlySignal(m *model.Model, name string) *model.Element {
	var found []*model.Element
	var walk func(e *model.Element)
	walk = func(e *model.Element) {
		for _, m := range e.Members() {
			if m.EffectiveName() == name && (m.Metaclass().IsDefinition() || m.Metaclass() == syntax.ActionUsage) {
				found = append(found, m)
			}
			walk(m)
		}
	}
	for _, root := range m.Roots() {
		walk(root)
		if root.EffectiveName() == name {
			found = append(found, root)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// isLiteral reports whether the literal with a qualified name is one of the
// enumeration of, or of one that specializes it, or is unknown to m.
func (k *typings) isLiteral(m *model.Model, of *model.Element, literal string) bool {
	return recalled(k.literals, literalOf{of, literal}, func() bool {
		e := m.Find(literal)
		return e == nil || e.Owner() == nil || e.Owner() == of || e.Owner().Specializes(of)
	})
}

// measures reports whether unit has the dimension of t, as far as m tells.
func (t *typing) measures(m *model.Model, unit *value.Unit) bool {
	if t.unit != unit {
		has, known := lower.DimensionIn(m, unit)
		t.unit, t.fits = unit, !known || t.dimension.Equal(has)
	}
	return t.fits
}
