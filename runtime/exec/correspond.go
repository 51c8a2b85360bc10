package exec

import (
	"reflect"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file finds what two Programs have in common. A text that was declared
// again is lowered to a Program of its own; what does the same in both, under
// whatever numbers, needs no restart.

// A Correspondence pairs parts of an old Program with parts of a new one. Two
// parts are the same where they do the same: equal in all but places in the
// text and numbers, and what their numbers lead to is the same in turn. What
// was never paired is not the same as anything.
//
// Pair what objects and runs stand on with Types, Graphs, Machines and
// Globals, then call Settle, then ask with Type, Unit and the others.
type Correspondence struct {
	old, new *Program
	pairs    map[part]*pair
	open     []*pair
}

// A part is a numbered part of the old Program.
type part struct {
	kind reflect.Type
	id   int32
}

type pair struct {
	part
	to      int32
	differs bool
	// users are the pairs that are the same only where this one is.
	users []*pair
}

// Correspond makes a Correspondence in which nothing is paired.
func Correspond(old, new *Program) *Correspondence {
	return &Correspondence{old: old, new: new, pairs: map[part]*pair{}}
}

// The kinds of numbers that lead to parts.
var (
	unitNumber    = reflect.TypeFor[UnitID]()
	typeNumber    = reflect.TypeFor[TypeID]()
	nameNumber    = reflect.TypeFor[NameID]()
	globalNumber  = reflect.TypeFor[GlobalID]()
	graphNumber   = reflect.TypeFor[GraphID]()
	machineNumber = reflect.TypeFor[MachineID]()
	layoutNumber  = reflect.TypeFor[LayoutID]()
	elementNumber = reflect.TypeFor[*value.Named]() // an index of Program.Elements
	spanType      = reflect.TypeFor[source.Span]()
	valueType     = reflect.TypeFor[value.Value]()
)

// Types says that the type from, if anything, became to.
func (c *Correspondence) Types(from, to TypeID) { c.pair(nil, typeNumber, int32(from), int32(to)) }

// Graphs says that the graph from, if anything, became to.
func (c *Correspondence) Graphs(from, to GraphID) { c.pair(nil, graphNumber, int32(from), int32(to)) }

// Machines says that the machine from, if anything, became to.
func (c *Correspondence) Machines(from, to MachineID) {
	c.pair(nil, machineNumber, int32(from), int32(to))
}

// Globals says that the package-level occurrence from, if anything, became to.
func (c *Correspondence) Globals(from, to GlobalID) {
	c.pair(nil, globalNumber, int32(from), int32(to))
}

// Settle compares what was paired, and all that it leads to.
func (c *Correspondence) Settle() {
	for len(c.open) > 0 {
		p := c.open[len(c.open)-1]
		c.open = c.open[:len(c.open)-1]
		if !c.compare(p) {
			p.differs = true
		}
	}
	var changed []*pair
	for _, p := range c.pairs {
		if p.differs {
			changed = append(changed, p)
		}
	}
	for len(changed) > 0 { // the order does not matter: all that can be reached is marked
		p := changed[len(changed)-1]
		changed = changed[:len(changed)-1]
		for _, user := range p.users {
			if !user.differs {
				user.differs = true
				changed = append(changed, user)
			}
		}
	}
}

// same is what a part became, and whether it does the same.
func (c *Correspondence) same(kind reflect.Type, id int32) (int32, bool) {
	if id < 0 {
		return id, true
	}
	p := c.pairs[part{kind, id}]
	if p == nil || p.differs {
		return -1, false
	}
	return p.to, true
}

// Type is the number that a type has in the new Program, and whether objects
// of it need not notice. Unit, Graph, Machine, Layout and Global are that for
// the others; what stands for none stays.
func (c *Correspondence) Type(id TypeID) (TypeID, bool) {
	n, ok := c.same(typeNumber, int32(id))
	return TypeID(n), ok
}

// Unit is described at Type.
func (c *Correspondence) Unit(id UnitID) (UnitID, bool) {
	n, ok := c.same(unitNumber, int32(id))
	return UnitID(n), ok
}

// Graph is described at Type.
func (c *Correspondence) Graph(id GraphID) (GraphID, bool) {
	n, ok := c.same(graphNumber, int32(id))
	return GraphID(n), ok
}

// Machine is described at Type.
func (c *Correspondence) Machine(id MachineID) (MachineID, bool) {
	n, ok := c.same(machineNumber, int32(id))
	return MachineID(n), ok
}

// Layout is described at Type.
func (c *Correspondence) Layout(id LayoutID) (LayoutID, bool) {
	n, ok := c.same(layoutNumber, int32(id))
	return LayoutID(n), ok
}

// Global is described at Type.
func (c *Correspondence) Global(id GlobalID) (GlobalID, bool) {
	n, ok := c.same(globalNumber, int32(id))
	return GlobalID(n), ok
}

// pair notes that user is the same only where from and to are. It reports
// false where they cannot be.
func (c *Correspondence) pair(user *pair, kind reflect.Type, from, to int32) bool {
	if from < 0 || to < 0 {
		return from == to
	}
	key := part{kind, from}
	p := c.pairs[key]
	if p == nil {
		p = &pair{part: key, to: to}
		c.pairs[key] = p
		c.open = append(c.open, p)
	}
	if p.to != to { // one part cannot have become two
		p.differs = true
	}
	if user != nil {
		p.users = append(p.users, user)
	}
	return !p.differs
}

// compare compares what the numbers of a pair lead to.
func (c *Correspondence) compare(p *pair) bool {
	switch p.kind {
	case unitNumber:
		return c.units(p, c.old.Units[p.id], c.new.Units[p.to])
	case typeNumber:
		return c.alike(p, c.old.Types[p.id], c.new.Types[p.to]) && c.alike(p, links(c.old, p.id), links(c.new, p.to))
	case nameNumber:
		return c.old.Names[p.id] == c.new.Names[p.to]
	case globalNumber:
		return c.alike(p, c.old.Globals[p.id], c.new.Globals[p.to])
	case graphNumber:
		return c.alike(p, c.old.Graphs[p.id], c.new.Graphs[p.to])
	case machineNumber:
		return c.alike(p, c.old.Machines[p.id], c.new.Machines[p.to])
	case layoutNumber:
		return c.alike(p, c.old.Layouts[p.id], c.new.Layouts[p.to])
	}
	return c.element(p)
}

func links(p *Program, t int32) []Link {
	if int(t) < len(p.TypeLinks) {
		return p.TypeLinks[t]
	}
	return nil
}

// element compares two declarations, what they denote, and what they do where
// they are called.
func (c *Correspondence) element(p *pair) bool {
	old, new := c.old.Elements[p.id], c.new.Elements[p.to]
	if old.Qualified() != new.Qualified() || old.Owner() != new.Owner() {
		return false
	}
	called, was := c.old.Callables[old.Qualified()]
	calls, is := c.new.Callables[new.Qualified()]
	return c.pair(p, globalNumber, int32(c.old.Denotes[p.id]), int32(c.new.Denotes[p.to])) &&
		was == is && (!was || c.pair(p, unitNumber, int32(called), int32(calls)))
}

// alike compares what two pointers or slices lead to.
func (c *Correspondence) alike(p *pair, old, new any) bool {
	return c.deeply(p, reflect.ValueOf(old), reflect.ValueOf(new))
}

// deeply compares two values of one type. Fields without an exported name
// follow from the others.
func (c *Correspondence) deeply(p *pair, a, b reflect.Value) bool {
	switch a.Type() {
	case spanType:
		return true
	case valueType:
		return c.values(p, a.Interface().(value.Value), b.Interface().(value.Value))
	case elementNumber:
		return c.named(p, a.Interface().(*value.Named), b.Interface().(*value.Named))
	case unitNumber, typeNumber, nameNumber, globalNumber, graphNumber, machineNumber, layoutNumber:
		return c.pair(p, a.Type(), int32(a.Int()), int32(b.Int()))
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return c.deeply(p, a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !c.deeply(p, a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map: // Type.Reach, the only one: a set of names
		return c.reach(a.Interface().(map[NameID]bool), b.Interface().(map[NameID]bool))
	case reflect.Struct:
		return c.fields(p, a, b)
	}
	return a.Equal(b)
}

// fields compares two structs; some of their fields are numbers whose type
// does not say of what.
func (c *Correspondence) fields(p *pair, a, b reflect.Value) bool {
	x, y := a.Interface(), b.Interface()
	untold := ""
	switch old := x.(type) {
	case Slot:
		if untold = "Element"; !c.pair(p, elementNumber, old.Element, y.(Slot).Element) {
			return false
		}
	case Choosing:
		untold = "Variants"
		for i, v := range old.Variants {
			if new := y.(Choosing).Variants; len(new) != len(old.Variants) || !c.pair(p, elementNumber, v, new[i]) {
				return false
			}
		}
	case GraphNode:
		if untold = "Accept"; !c.listed(p, c.old.Accepts, c.new.Accepts, old.Accept, y.(GraphNode).Accept) {
			return false
		}
	case OwnBehaviour:
		kind := graphNumber
		if old.Machine {
			kind = machineNumber
		}
		if untold = "Entry"; old.Entry >= 0 && !c.pair(p, kind, old.Entry, y.(OwnBehaviour).Entry) {
			return false
		}
		if (old.Entry < 0) != (y.(OwnBehaviour).Entry < 0) {
			return false
		}
	case Request:
		if untold = "Ref"; old.Kind != y.(Request).Kind || !c.requests(p, old, y.(Request)) {
			return false
		}
	}
	t := a.Type()
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Name != untold && !c.deeply(p, a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

// requests compares what two requests of a kind refer to.
func (c *Correspondence) requests(p *pair, a, b Request) bool {
	switch a.Kind {
	case AcceptRequest:
		return c.listed(p, c.old.Accepts, c.new.Accepts, a.Ref, b.Ref)
	case SendRequest:
		return c.listed(p, c.old.Sends, c.new.Sends, a.Ref, b.Ref)
	case PerformRequest:
		return c.listed(p, c.old.Performs, c.new.Performs, a.Ref, b.Ref)
	case SubflowRequest:
		return c.listed(p, c.old.Subflows, c.new.Subflows, a.Ref, b.Ref)
	case DrawOrderRequest:
		return c.listed(p, c.old.Orders, c.new.Orders, a.Ref, b.Ref)
	}
	return a.Ref == b.Ref
}

// listed compares two elements of lists, -1 for none.
func (c *Correspondence) listed(p *pair, old, new any, from, to int32) bool {
	if from < 0 || to < 0 {
		return from == to
	}
	return c.deeply(p, reflect.ValueOf(old).Index(int(from)), reflect.ValueOf(new).Index(int(to)))
}

func (c *Correspondence) reach(a, b map[NameID]bool) bool {
	names := map[string]bool{}
	for n := range a {
		names[c.old.Name(n)] = true
	}
	for n := range b {
		if !names[c.new.Name(n)] {
			return false
		}
	}
	return len(a) == len(b)
}

// named compares two elements, numbered ones with what they stand for.
func (c *Correspondence) named(p *pair, a, b *value.Named) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Index() >= 0 && b.Index() >= 0 {
		return c.pair(p, elementNumber, a.Index(), b.Index())
	}
	return a.Qualified() == b.Qualified() && a.Index() == b.Index()
}

// values compares two constants.
func (c *Correspondence) values(p *pair, a, b value.Value) bool {
	if !value.Same(a, b) {
		return false
	}
	if x, ok := a.AsNamed(); ok {
		y, _ := b.AsNamed()
		return c.named(p, x, y)
	}
	if a.Kind().IsCollection() {
		for i := range a.Len() {
			if _, ok := a.At(i).AsNamed(); ok && !c.values(p, a.At(i), b.At(i)) {
				return false
			}
		}
	}
	return true
}

// units compares the code of two units.
func (c *Correspondence) units(p *pair, a, b *Unit) bool {
	if len(a.Code) != len(b.Code) {
		return false
	}
	for i := range a.Code {
		if !c.instructions(p, a.Code[i], b.Code[i]) {
			return false
		}
	}
	x, y := *a, *b
	x.ID, x.Code, x.Spans, y.ID, y.Code, y.Spans = NoUnit, nil, nil, NoUnit, nil, nil
	return c.deeply(p, reflect.ValueOf(x), reflect.ValueOf(y))
}

// numbered says what the operands B and C of an operation are numbers of,
// where they are of the Program and not of the unit or the frame.
var numbered = [ops][2]reflect.Type{
	OpCall: {unitNumber}, OpCallOn: {unitNumber}, OpUnit: {unitNumber}, OpUnitOn: {unitNumber}, OpStart: {unitNumber},
	OpSelfFeature: {nameNumber}, OpIntrinsic: {nil, nameNumber}, OpSetFeature: {nameNumber}, OpSetSelf: {nameNumber},
	OpGlobal: {globalNumber}, OpMake: {typeNumber, nameNumber}, OpMakeRoot: {typeNumber, nameNumber},
}

func (c *Correspondence) instructions(p *pair, a, b Instr) bool {
	if a.Op != b.Op || a.Cost != b.Cost || a.D != b.D || a.A != b.A {
		return false
	}
	if a.Op == OpLibrary {
		return a.B == b.B && c.old.Functions[a.C].Name == c.new.Functions[b.C].Name
	}
	kinds := numbered[a.Op]
	if kinds[0] == nil && a.B != b.B || kinds[1] == nil && a.C != b.C {
		return false
	}
	return (kinds[0] == nil || c.pair(p, kinds[0], a.B, b.B)) && (kinds[1] == nil || c.pair(p, kinds[1], a.C, b.C))
}
