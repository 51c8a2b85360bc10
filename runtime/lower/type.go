package lower

import (
	"fmt"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lays out objects: which features a type has, which of them are
// one slot, and the code that fills a slot at its first read.

// Type is the layout of the objects of e: of a definition, or of a usage.
func (l *Lowering) Type(e *model.Element) exec.TypeID {
	if t, ok := l.types[e]; ok {
		return t
	}
	defer l.asked("type", e, "")()
	t := &exec.Type{ID: exec.TypeID(len(l.program.Types)), Name: label(e), Qualified: plainName(e)}
	l.program.Types = append(l.program.Types, t)
	l.types[e] = t.ID
	t.Element = l.named(value.Type, e)
	t.Declared = t.Qualified
	if e.Metaclass().IsFeature() {
		for _, d := range e.Types() {
			if !d.IsLibrary() {
				t.Declared = plainName(d)
				break
			}
		}
	}
	t.Supers = append(t.Supers, t.Qualified)
	for _, s := range e.Supertypes() {
		t.Supers = append(t.Supers, plainName(s))
	}
	sort.Strings(t.Supers)
	switch e.Metaclass() {
	case syntax.AttributeDefinition, syntax.AttributeUsage, syntax.DataType, syntax.EnumerationUsage, syntax.EnumerationDefinition:
		t.ValueType = true
	}
	l.layout(t, e)
	return t.ID
}

// restates reports whether the body of e, or of what it redefines, names or
// declares features.
func restates(e *model.Element) bool {
	for _, m := range append([]*model.Element{e}, e.RedefinitionClosure()...) {
		for _, k := range m.Members() {
			if k.Metaclass().IsFeature() && !k.Metaclass().IsAnnotation() {
				return true
			}
		}
	}
	return false
}

// objectType is the type of the objects that feature f holds.
func (l *Lowering) objectType(f *model.Element) (*model.Element, bool) {
	if restates(f) {
		return f, true
	}
	for _, t := range f.Types() {
		if t.Metaclass().IsType() && !(t.IsLibrary() && isLibraryBase(t)) {
			return t, true
		}
	}
	return f, false
}

// isLibraryBase reports whether t is the type that an untyped usage has.
func isLibraryBase(t *model.Element) bool {
	switch t.Owner().Name() {
	case "Base", "Occurrences", "Objects", "Items", "Parts", "Ports", "Attributes", "Connections", "Interfaces", "Actions", "States", "Performances", "Links", "Flows", "Allocations":
		return true
	}
	return false
}

// isFeatureOf reports whether e is one of the kinds of feature that objects
// have.
func isFeatureOf(e *model.Element) bool {
	if e.Decl() == nil || isVariant(e) || isLiteral(e) {
		return false
	}
	switch e.Role() {
	case model.Member:
	default:
		return false
	}
	return isAttribute(e) || isObject(e) || isBehaviour(e) || isCondition(e) || isCalc(e)
}

// layout makes the slots of t.
func (l *Lowering) layout(t *exec.Type, e *model.Element) {
	var features []model.Feature
	for _, f := range e.AllFeatures() {
		if isFeatureOf(f.Element) && !(f.IsLibrary() && isLibraryFeature(f.Element)) {
			features = append(features, f)
		}
	}
	groups := alike(features)
	seen := map[string]bool{}
	slotOf := map[int]int32{}
	for i, f := range features {
		g := groups[i]
		slot, known := slotOf[g]
		if !known {
			slot = int32(len(t.Slots))
			slotOf[g] = slot
			var members []model.Feature
			for k := range features {
				if groups[k] == g {
					members = append(members, features[k])
				}
			}
			t.Slots = append(t.Slots, exec.Slot{})
			t.Constants = append(t.Constants, value.Value{})
			l.slot(t, int(slot), e, members)
		}
		if f.Label == "" || seen[f.Label] {
			continue
		}
		seen[f.Label] = true
		t.Features = append(t.Features, exec.Feature{Name: l.name(f.Label), Slot: slot, Kind: kindOf(f.Element), Redefined: f.Redefiner != nil})
	}
	l.ends(t, e)
	t.Index()
	l.nets(t, e)
	l.ownBehaviours(t, e, features)
}

// isLibraryFeature reports whether a feature of a library base is none that
// objects of a model show.
func isLibraryFeature(e *model.Element) bool {
	return e.Owner() != nil && isLibraryBase(e)
}

// alike groups features that redefinition makes one: the group of each.
func alike(features []model.Feature) []int {
	group := make([]int, len(features))
	place := map[*model.Element]int{}
	byName := map[string]int{}
	for i, f := range features {
		group[i] = i
		place[f.Element] = i
	}
	root := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	join := func(a, b int) {
		if a, b = root(a), root(b); a < b {
			group[b] = a
		} else {
			group[a] = b
		}
	}
	for i, f := range features {
		for _, r := range f.RedefinitionClosure() {
			if k, ok := place[r]; ok {
				join(i, k)
			}
		}
		if f.Label == "" {
			continue
		}
		if k, ok := byName[f.Label]; ok {
			join(i, k)
		} else {
			byName[f.Label] = i
		}
	}
	for i := range group {
		group[i] = root(i)
	}
	return group
}

// kindOf is how a feature is read.
func kindOf(e *model.Element) exec.FeatureKind {
	n := nature(e)
	switch {
	case isCondition(n):
		return exec.ConditionFeature
	case isCalc(n):
		return exec.CalculationFeature
	case isBehaviour(n):
		return exec.BehaviourFeature
	case isConnector(n):
		return exec.ConnectorFeature
	case isObject(n):
		if e.Is(syntax.Ref) && !isVariation(e) {
			return exec.ReferenceFeature
		}
		return exec.ObjectFeature
	}
	return exec.AttributeFeature
}

// nature is e, or, for a bare redefinition, the nearest feature that it
// redefines and that says what it is.
func nature(e *model.Element) *model.Element {
	if e.Metaclass() != syntax.ReferenceUsage {
		return e
	}
	for _, f := range e.RedefinitionClosure() {
		if f.Metaclass() != syntax.ReferenceUsage {
			return f
		}
	}
	return e
}

// slot describes slot i of t: the one place of the features in group, the
// most specific first.
func (l *Lowering) slot(t *exec.Type, i int, owner *model.Element, group []model.Feature) {
	governing := group[0].Element
	name := group[0].Label
	two := ""
	for _, f := range group {
		if d := f.Decl(); d.Value != nil {
			governing = f.Element
			for _, g := range group {
				if g.Element != f.Element && g.Owner() == f.Owner() && g.Decl().Value != nil && g.Label != f.Label && g.Label != "" && f.Label != "" {
					two = "one feature valued under two names: " + t.Name + " values " + f.Label + " and " + g.Label + ", which redefinition makes one feature"
				}
			}
			break
		}
	}
	for _, f := range group {
		if name == "" {
			name = f.Label
		}
	}
	if name == "" {
		name = l.unnamed(t, group[0].Element)
	}
	s := &t.Slots[i]
	m := governing.Multiplicity()
	for _, f := range group {
		if k := f.Multiplicity(); k.Declared {
			m = k
			break
		}
	}
	*s = exec.Slot{Name: l.name(name), Kind: kindOf(group[0].Element), Fill: exec.NoUnit, Type: exec.NoType, Lower: m.Lower, Upper: m.Upper,
		Many: m.Upper != 1, Label: t.Name + "." + name, Element: l.named(value.Type, group[0].Element).Index(), Condition: -1}
	s.Redefined = len(group) > 1
	s.Clock = name == "currentTime" && t.Conforms("Clocks::Clock")
	if !m.Constant {
		s.Lower, s.Upper, s.Many = 0, -1, true
	}
	if s.Kind == exec.ReferenceFeature && len(group) > 1 {
		for _, f := range group[1:] {
			if k := kindOf(f.Element); k != exec.ReferenceFeature && k != exec.AttributeFeature {
				s.Kind = k
				break
			}
		}
	}
	switch s.Kind {
	case exec.ConditionFeature, exec.CalculationFeature, exec.BehaviourFeature:
		for _, f := range group {
			s.Asserted = s.Asserted || f.Metaclass() == syntax.AssertConstraintUsage
		}
		return
	}
	if two != "" {
		s.Fill = l.failing(owner, exec.Cyclic, two)
		return
	}
	l.filling(t, i, owner, group, governing)
}

// unnamed is what tells a feature of t without a name from the others: its
// kind and its place among those like it.
func (l *Lowering) unnamed(t *exec.Type, e *model.Element) string {
	kind, n := "("+e.Metaclass().Keyword()+" ", 1
	for _, s := range t.Slots[:len(t.Slots)-1] {
		if s.Name >= 0 && strings.HasPrefix(l.program.Names[s.Name], kind) {
			n++
		}
	}
	return fmt.Sprintf("%s%d)", kind, n)
}

// failing is a unit that only fails.
func (l *Lowering) failing(scope *model.Element, code diagnostic.Code, message string) exec.UnitID {
	u := l.unit("", exec.FillUnit)
	l.compile(u, scope, func(b *body) { b.fail(code, message, "") })
	return u.ID
}

// filling decides what fills slot i of t.
func (l *Lowering) filling(t *exec.Type, i int, owner *model.Element, group []model.Feature, governing *model.Element) {
	s := &t.Slots[i]
	specific := group[0].Element
	v, has := governing.Value()
	own := specific.Decl().Value
	if own != nil && revalues(specific) {
		s.Fill = l.failing(owner, exec.Cyclic, "feature both valued and restated in a body: "+s.Label)
		return
	}
	if has && v.Scope != specific && own == nil && revalues(specific) {
		has = false // the body governs over an inherited value
	}
	var variation *model.Element
	for _, f := range group {
		if variation = variationOf(f.Element); variation != nil {
			break
		}
	}
	u := func(lower func(*body)) {
		unit := l.unit("", exec.FillUnit)
		s.Fill = unit.ID
		l.later(func() { l.compile(unit, specific, lower) })
	}
	switch {
	case variation != nil:
		if !has {
			s.Fill = l.failing(owner, exec.NoVariant, "variation has no variant selected: "+s.Label)
			return
		}
		u(func(b *body) { b.selection(t, i, v, variation, specific) })
	case has:
		if c, ok := fold(v.Expr); ok && !s.Many {
			if _, err := s.Check(c); err == nil {
				t.Constants[i] = c
				return
			}
		}
		u(func(b *body) {
			b.self = true
			b.computing = append(b.computing, v.Scope)
			r := b.alloc()
			b.move(r, b.in(v.Scope, v.Expr, r))
			b.emit(exec.Instr{Op: exec.OpCount, A: r, B: r, C: int32(i)})
			b.emit(exec.Instr{Op: exec.OpReturn, B: r})
		})
	case s.Kind == exec.ConnectorFeature:
		s.Composite = true
		u(func(b *body) { b.connector(t, i, specific) })
	case s.Kind == exec.ReferenceFeature:
		if s.Many {
			s.Gathered = true
			u(func(b *body) { b.collected(t, i, owner, group, nil) })
		}
	default:
		l.composite(t, i, owner, group, u)
	}
}

// composite fills a slot without a value: with objects, where its type has
// them.
func (l *Lowering) composite(t *exec.Type, i int, owner *model.Element, group []model.Feature, u func(func(*body))) {
	s := &t.Slots[i]
	var of *model.Element
	if s.Kind == exec.ObjectFeature {
		of = group[0].Element
		if !restates(of) {
			for _, f := range group {
				if typed, ok := l.objectType(f.Element); ok {
					of = typed
					break
				}
			}
		}
	} else {
		for _, f := range group {
			if isStructured(f.Element) {
				of = group[0].Element
				if typed, ok := l.objectType(of); ok {
					of = typed
				}
				break
			}
		}
	}
	if of == nil {
		s.Value = true
		if s.Many {
			s.Gathered = true
			u(func(b *body) { b.collected(t, i, owner, group, nil) })
		}
		return
	}
	s.Composite = true
	if s.Many {
		u(func(b *body) { b.collected(t, i, owner, group, of) })
		return
	}
	if s.Lower == 0 && s.Upper == 1 {
		u(func(b *body) { b.collected(t, i, owner, group, nil) })
		return
	}
	l.later(func() { t.Slots[i].Type = l.Type(of) })
	u(func(b *body) {
		b.self = true
		r := b.alloc()
		b.emit(exec.Instr{Op: exec.OpMake, A: r, B: int32(l.Type(of)), C: int32(s.Name), D: exec.NoRegister})
		b.emit(exec.Instr{Op: exec.OpReturn, B: r})
	})
}

// revalues reports whether the body of e gives inherited features values.
func revalues(e *model.Element) bool {
	for _, m := range e.Members() {
		d := m.Decl()
		if d == nil || !m.Metaclass().IsFeature() {
			continue
		}
		if len(m.Redefines()) > 0 && (d.Value != nil || revalues(m)) {
			return true
		}
	}
	return false
}

// collected lowers a multi-valued slot: what subsetting features hold, in the
// order declared, then new objects of type of up to the lower bound.
func (b *body) collected(t *exec.Type, i int, owner *model.Element, group []model.Feature, of *model.Element) {
	s := &t.Slots[i]
	b.self = true
	acc, v := b.alloc(), b.alloc()
	b.emit(exec.Instr{Op: exec.OpMove, A: acc, B: b.konst(value.EmptySequence)})
	for _, f := range owner.Features() {
		if f.Redefiner != nil || f.Label == "" || !b.subsets(f.Element, group) {
			continue
		}
		b.emit(exec.Instr{Op: exec.OpSelfFeature, A: v, B: int32(b.l.name(f.Label))})
		none := b.jump()
		b.emit(exec.Instr{Op: exec.OpAppend, A: acc, B: v})
		b.land(none)
	}
	if of != nil && s.Lower > 0 {
		count := b.alloc()
		enough, limit := b.alloc(), b.konst(value.Int(s.Lower))
		b.emit(exec.Instr{Op: exec.OpLibrary, A: count, B: b.move(b.alloc(), acc), C: b.l.function(sizeFunction()), D: 1})
		again := b.here()
		b.emit(exec.Instr{Op: exec.OpLess, A: enough, B: count, C: limit})
		end := b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: enough, D: exec.IfCondition})
		b.emit(exec.Instr{Op: exec.OpMake, A: v, B: int32(b.l.Type(of)), C: int32(s.Name), D: uint16(count)})
		b.emit(exec.Instr{Op: exec.OpAppend, A: acc, B: v})
		b.emit(exec.Instr{Op: exec.OpAdd, A: count, B: count, C: b.konst(value.Int(1))})
		b.emit(exec.Instr{Op: exec.OpJump, A: again})
		b.land(end)
	}
	if !s.Many {
		b.emit(exec.Instr{Op: exec.OpCount, A: acc, B: acc, C: int32(i)})
	}
	b.emit(exec.Instr{Op: exec.OpReturn, B: acc})
}

func sizeFunction() *value.LibraryFunction {
	f, _ := value.LookupFunction("SequenceFunctions::size")
	return f
}

// subsets reports whether feature f subsets one of group.
func (b *body) subsets(f *model.Element, group []model.Feature) bool {
	for _, g := range group {
		if g.Element == f {
			return false
		}
	}
	for _, gen := range f.Generals() {
		if gen.Kind != syntax.Subsets || gen.Implied || gen.Chain != nil {
			continue
		}
		for _, g := range group {
			if gen.Target == g.Element {
				return true
			}
		}
	}
	return false
}

// selection lowers a variation: its value must be one of the variants, and
// the slot holds it with an object of its own.
func (b *body) selection(t *exec.Type, i int, v model.Value, variation, specific *model.Element) {
	b.self = true
	b.computing = append(b.computing, specific)
	r := b.alloc()
	b.move(r, b.in(v.Scope, v.Expr, r))
	b.l.variants(b.u, t, i, variation)
	b.emit(exec.Instr{Op: exec.OpChoose, A: r, B: int32(len(b.u.Choosing) - 1)})
	b.emit(exec.Instr{Op: exec.OpReturn, B: r})
}

// variants adds what may be selected for slot i of t to u.
func (l *Lowering) variants(u *exec.Unit, t *exec.Type, i int, variation *model.Element) {
	c := exec.Choosing{Name: t.Slots[i].Name, Label: label(variation)}
	for _, x := range variantsOf(variation) {
		n := l.named(value.Variant, x)
		c.Variants = append(c.Variants, n.Index())
		c.Names = append(c.Names, label(x))
		typed := exec.NoType
		if denotesObject(x) || hasFeatures(x) || isConnector(nature(x)) {
			typed = l.Type(x)
		}
		c.Types = append(c.Types, typed)
	}
	u.Choosing = append(u.Choosing, c)
}

// connector lowers the object of a connector: its ends are the values of the
// features that it connects, read on its owner when it is made.
func (b *body) connector(t *exec.Type, i int, e *model.Element) {
	b.self = true
	r := b.alloc()
	b.emit(exec.Instr{Op: exec.OpMake, A: r, B: int32(b.l.Type(e)), C: int32(t.Slots[i].Name), D: exec.NoRegister})
	b.emit(exec.Instr{Op: exec.OpReturn, B: r})
}

// ownBehaviours lists what objects of t perform.
func (l *Lowering) ownBehaviours(t *exec.Type, e *model.Element, features []model.Feature) {
	for _, f := range features {
		if f.Redefiner != nil {
			continue
		}
		machine := f.Metaclass() == syntax.ExhibitStateUsage
		if !machine && f.Metaclass() != syntax.PerformActionUsage {
			continue
		}
		slot, _ := t.SlotOf(l.name(f.Label))
		entry := l.ownBody(f.Element, machine)
		t.Behaviours = append(t.Behaviours, exec.OwnBehaviour{Name: f.Label, Machine: machine, Slot: int32(slot), Entry: entry,
			Type: l.performance(f.Element)})
		t.Active = true
	}
	for i := range t.Slots {
		if t.Slots[i].Composite {
			t.Parts = append(t.Parts, int32(i))
		}
	}
}
