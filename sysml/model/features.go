package model

import (
	"strconv"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file answers what an object of a type has: its effective features,
// their types, multiplicities and values.

// A Feature is one effective feature of a type.
type Feature struct {
	*Element
	// Label is what it is called, by name or else by short name; "" for a
	// feature without a name.
	Label string
	// Redefiner is the nearest other effective feature that redefines this
	// one; nil where none does. Both denote the same values.
	Redefiner *Element
	// Inherited says that a general of the type declares it.
	Inherited bool
}

// Features are the effective features of e: its own in the order declared,
// then inherited ones, nearest first, one for each name. Redefined features
// stay in the list where their name is another. Features of library types
// that are only implied are left out, and so are variants, which no object
// has, and what is private above.
func (e *Element) Features() []Feature {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.effective(true)
}

// AllFeatures is Features with every feature kept, those too whose name a
// nearer one has.
func (e *Element) AllFeatures() []Feature {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.effective(false)
}

func (e *Element) effective(unique bool) []Feature {
	if unique {
		x := e.rarerMemos()
		return recall(e.model, e.doc, &x.features, func() []Feature { return e.collectFeatures(true) })
	}
	return e.collectFeatures(false)
}

func (e *Element) collectFeatures(unique bool) []Feature {
	var all []Feature
	byName := map[string]bool{}
	place := map[*Element]int{}
	take := func(c *Element, inherited bool) {
		if !c.isFeature() || c.isChoice() {
			return
		}
		label := c.effectiveName()
		if label == "" {
			label = c.shortName()
		}
		if _, ok := place[c]; ok || unique && label != "" && byName[label] {
			return
		}
		byName[label] = true
		place[c] = len(all)
		all = append(all, Feature{Element: c, Label: label, Inherited: inherited})
	}
	children := func(t *Element, inherited bool) {
		for _, list := range t.children() {
			for _, c := range list {
				if !inherited || c.visibility() != syntax.Private && c.decl != nil {
					take(c, inherited)
				}
			}
		}
	}
	children(e, false)
	for _, g := range e.supertypes() {
		children(g, true)
	}
	for i := range all {
		for _, f := range all[i].Element.redefinitionClosure() {
			if at, ok := place[f]; ok && all[at].Redefiner == nil && at != i {
				all[at].Redefiner = all[i].Element
			}
		}
	}
	return all
}

// isChoice reports whether e is a variant of a variation: a choice, which no
// object has as a feature.
func (e *Element) isChoice() bool {
	return e.decl != nil && e.decl.Member == syntax.VariantMember && e.owner != nil && e.owner.isVariation()
}

func (e *Element) shortName() string {
	if e.decl != nil {
		return e.decl.ShortName.Text
	}
	return ""
}

// Types are the types of a feature: those written, or else those of what it
// redefines, subsets or refers to, or else the implied library type. They are
// classifiers, or features that stand for a type.
func (e *Element) Types() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.types()
}

func (e *Element) types() []*Element {
	if e.metaclass.IsClassifier() {
		return nil
	}
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.types, e.workOutTypes)
}

func (e *Element) workOutTypes() []*Element {
	var own []*Element
	for _, g := range e.generals() {
		if g.Kind == syntax.TypedBy {
			own = addFeatures(own, e, []*Element{g.Target})
		}
	}
	if len(own) > 0 {
		return own
	}
	for _, g := range e.generals() {
		own = addFeatures(own, e, g.Target.types())
	}
	if len(own) > 0 {
		return own
	}
	for _, f := range e.impliedRedefinitions() {
		own = addFeatures(own, e, f.types())
	}
	if len(own) > 0 {
		return own
	}
	for _, b := range e.impliedBases() {
		if b.isFeature() {
			own = addFeatures(own, e, b.types())
		} else {
			own = addFeatures(own, e, []*Element{b})
		}
	}
	return mostSpecific(own)
}

// mostSpecific are those of types that no other of them specializes.
func mostSpecific(types []*Element) []*Element {
	if len(types) < 2 {
		return types
	}
	var all []*Element
next:
	for _, t := range types {
		for _, o := range types {
			if o != t && o.specializes(t) && !t.specializes(o) {
				continue next
			}
		}
		all = append(all, t)
	}
	return all
}

// A Multiplicity says how many values a feature has.
type Multiplicity struct {
	// Lower and Upper are the bounds; Upper is -1 where there is none (*).
	Lower, Upper int64
	// Declared says that e or what it redefines writes a multiplicity.
	Declared bool
	// Constant says that the bounds are written as numbers. Otherwise Lower
	// and Upper are 0 and -1.
	Constant bool
	// Part is what is written; nil where nothing is. Scope is the element
	// that writes it.
	Part  *syntax.MultiplicityPart
	Scope *Element
}

// Multiplicity is what e declares, or else what it redefines declares, or else
// exactly one.
func (e *Element) Multiplicity() Multiplicity {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.multiplicity()
}

func (e *Element) multiplicity() Multiplicity {
	if m, ok := e.ownMultiplicity(); ok {
		return m
	}
	for _, f := range e.redefinitionClosure() {
		if m, ok := f.ownMultiplicity(); ok {
			return m
		}
	}
	return Multiplicity{Lower: 1, Upper: 1, Constant: true}
}

func (e *Element) ownMultiplicity() (Multiplicity, bool) {
	var part *syntax.MultiplicityPart
	switch {
	case e.decl != nil:
		part = e.decl.Multiplicity
	case e.end != nil:
		part = e.end.Multiplicity
	}
	if part == nil {
		return Multiplicity{}, false
	}
	m := Multiplicity{Upper: -1, Declared: true, Part: part, Scope: e}
	upper, ok := bound(part.Upper)
	if !ok {
		return m, true
	}
	lower := max(upper, 0)
	if upper < 0 {
		lower = 0
	}
	if part.Lower != nil {
		if lower, ok = bound(part.Lower); !ok {
			return m, true
		}
	}
	m.Lower, m.Upper, m.Constant = lower, upper, true
	return m, true
}

// bound is the number that x is a literal of; -1 for *.
func bound(x syntax.Expr) (int64, bool) {
	lit, ok := x.(*syntax.LiteralExpression)
	if !ok {
		return 0, false
	}
	switch lit.Kind {
	case syntax.LiteralInfinity:
		return -1, true
	case syntax.LiteralInteger:
		n, err := strconv.ParseInt(lit.Text, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// A Value is the value that a feature is declared with.
type Value struct {
	*syntax.ValuePart
	// Scope is the feature that writes it: names in it are resolved there.
	Scope *Element
}

// Value is what e declares as its value, or else what the nearest feature that
// it redefines does. It is false where none does.
func (e *Element) Value() (Value, bool) {
	e.model.lock()
	defer e.model.mu.Unlock()
	if e.decl != nil && e.decl.Value != nil {
		return Value{e.decl.Value, e}, true
	}
	for _, f := range e.redefinitionClosure() {
		if f.decl != nil && f.decl.Value != nil {
			return Value{f.decl.Value, f}, true
		}
	}
	return Value{}, false
}

// direction is e's own, or that of the nearest feature it redefines.
func (e *Element) direction() syntax.Direction {
	if e.decl == nil {
		return syntax.NoDirection
	}
	if e.decl.Direction != syntax.NoDirection {
		return e.decl.Direction
	}
	if e.decl.Member == syntax.ReturnMember {
		return syntax.Out
	}
	for _, f := range e.redefinitionClosure() {
		if f.decl != nil && f.decl.Direction != syntax.NoDirection {
			return f.decl.Direction
		}
	}
	return syntax.NoDirection
}
