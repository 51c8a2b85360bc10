package exec

import (
	"github.com/orrery-sysml/orrery/runtime/value"
)

// A World is everything that changes while models run. It is plain data:
// what refers to another row does so by number, and the only pointers out of
// it lead to its Program and to immutable parts of Values.
//
// A World is used by one goroutine at a time. [World.Copy] is a use of the
// World that is copied; the two are independent from then on.
type World struct {
	owner *owner
	// Program is what the numbers of the rows refer to. A Program that only
	// added to the one before may take its place.
	Program *Program

	// Objects are the instances, numbered from 0 in the order of creation.
	Objects Table[Object, *Object]
	// Envs are the data of performances and machines.
	Envs Table[Env, *Env]
	// Stacks are paused bodies.
	Stacks Table[Stack, *Stack]
	// Globals are the objects of package-level occurrences, by the number
	// that the Program gives an occurrence.
	Globals Table[Occurrence, *Occurrence]
	// Roots count the objects without an owner, by the number of their name.
	Roots Table[Root, *Root]
	// Numbers is how many display numbers (#n) were given out.
	Numbers int32

	// Behavior is what running actions and state machines add.
	Behavior Behavior

	// reads notes what is looked at; nil where nobody asks.
	reads *Reads
}

// NewWorld makes an empty World of p.
func NewWorld(p *Program) *World {
	w := &World{owner: &owner{}, Program: p}
	w.Behavior.start()
	return w
}

// tables lists every table of w in the order of the encoding.
func (w *World) tables() [11]table {
	b := &w.Behavior
	return [...]table{&w.Objects, &w.Envs, &w.Stacks, &w.Globals, &w.Roots,
		&b.Runs, &b.Firings, &b.Flows, &b.Tokens, &b.Messages, &b.Events}
}

// Copy makes an equal World that shares the pages of w until one of the two
// writes them.
func (w *World) Copy() *World {
	if !w.owner.branched && w.isDirty() {
		w.Hash()
	}
	return w.copy(w.owner.branched)
}

// isDirty reports whether a row was written since w was hashed.
func (w *World) isDirty() bool {
	b := &w.Behavior
	return w.Objects.dirty|w.Envs.dirty|w.Stacks.dirty|w.Globals.dirty|w.Roots.dirty|
		b.Runs.dirty|b.Firings.dirty|b.Flows.dirty|b.Tokens.dirty|b.Messages.dirty|b.Events.dirty != 0
}

// Branch is Copy for those who do not ask for the Hash of the copy, nor for
// that of w once it was written again: it costs less. Copies of a branch are
// branches.
func (w *World) Branch() *World { return w.copy(true) }

// BranchInto is Branch in the memory of old: a branch that nobody uses any
// more, and that was never copied or branched itself. With nil it is Branch.
func (w *World) BranchInto(old *World) *World {
	if old == nil {
		return w.Branch()
	}
	w.owner = &owner{branched: w.owner.branched}
	o := old.owner
	old.Program, old.Numbers, old.reads = w.Program, w.Numbers, w.reads
	old.Objects.reuse(&w.Objects, o)
	old.Envs.reuse(&w.Envs, o)
	old.Stacks.reuse(&w.Stacks, o)
	old.Globals.reuse(&w.Globals, o)
	old.Roots.reuse(&w.Roots, o)
	old.Behavior.reuse(&w.Behavior, o)
	return old
}

// Retire makes a branch that nobody uses any more, but that was branched
// itself, one for BranchInto: its pages stay with its branches.
func (w *World) Retire() {
	w.Objects.retire()
	w.Envs.retire()
	w.Stacks.retire()
	w.Globals.retire()
	w.Roots.retire()
	b := &w.Behavior
	b.Runs.retire()
	b.Firings.retire()
	b.Flows.retire()
	b.Tokens.retire()
	b.Messages.retire()
	b.Events.retire()
}

func (w *World) copy(branched bool) *World {
	w.owner = &owner{branched: w.owner.branched}
	return &World{
		owner: &owner{branched: branched}, Program: w.Program,
		Objects: w.Objects.share(), Envs: w.Envs.share(), Stacks: w.Stacks.share(),
		Globals: w.Globals.share(), Roots: w.Roots.share(), Numbers: w.Numbers,
		Behavior: w.Behavior.share(), reads: w.reads,
	}
}

// An Object is an instance.
type Object struct {
	Type TypeID
	// Number is #n, for display; from 1.
	Number int32
	// Owner holds the object in its feature Feature at position Ordinal,
	// from 0; NoObject for a root, whose name is Feature.
	Owner   value.ObjectID
	Feature NameID
	Ordinal int32
	// Gone says that the object was destroyed.
	Gone bool
	// Transient says that the object was made by the way, by `new` or for a
	// message: see Sweep.
	Transient bool
	// Bound says that a binding connector of an owner reaches a slot.
	Bound bool

	path  uint64 // hash of the identity
	slots []value.Value
	state []SlotState
}

// SlotState says how a slot came to what it holds.
type SlotState uint8

// The states of a slot.
const (
	Unread    SlotState = iota // never read nor written
	Computing                  // its default is being evaluated
	Derived                    // from the model: a default, a made object
	Written                    // assigned by a behaviour or by hand
	Joined                     // by a binding connector, and computed anew at the next read
)

func (o *Object) detach() {
	o.slots = append([]value.Value(nil), o.slots...)
	o.state = append([]SlotState(nil), o.state...)
}

// Slots is the number of slots of o.
func (o *Object) Slots() int { return len(o.slots) }

// Slot is what slot i holds, Absent where it holds nothing, and how it came
// to that.
func (o *Object) Slot(i int) (value.Value, SlotState) { return o.slots[i], o.state[i] }

// Object is the row of id, for reading until the next write.
func (w *World) Object(id value.ObjectID) *Object { return w.Objects.At(int32(id)) }

// SetSlot writes slot i of object id.
func (w *World) SetSlot(id value.ObjectID, i int, v value.Value, s SlotState) {
	o := w.Objects.edit(w.owner, int32(id))
	o.slots[i], o.state[i] = v, s
}

// NewObject makes an object of type t held by owner (or, with NoObject, a
// root) under feature at position ordinal, and gives it a display number.
// Its slots hold the constant defaults of the type.
func (w *World) NewObject(t TypeID, owner value.ObjectID, feature NameID, ordinal int32) value.ObjectID {
	typ := w.Program.Types[t]
	id := w.Objects.add(w.owner)
	o := w.Objects.edit(w.owner, id)
	w.Numbers++
	*o = Object{Type: t, Number: w.Numbers, Owner: owner, Feature: feature, Ordinal: ordinal,
		slots: append([]value.Value(nil), typ.Constants...), state: make([]SlotState, len(typ.Constants))}
	for i := range o.slots {
		if !o.slots[i].IsAbsent() {
			o.state[i] = Derived
		}
	}
	var above uint64
	if owner != value.NoObject {
		above = w.Object(owner).path
	}
	o.path = mix(mix(above+1, hashText(w.Program.Name(feature))), uint64(uint32(ordinal)))
	return value.ObjectID(id)
}

// NewRoot makes an object without an owner under the next ordinal of name.
func (w *World) NewRoot(t TypeID, name NameID) value.ObjectID {
	for w.Roots.Len() <= int(name) {
		w.Roots.add(w.owner)
	}
	r := w.Roots.edit(w.owner, int32(name))
	r.Name = name
	r.Count++
	return w.NewObject(t, value.NoObject, name, r.Count-1)
}

// NewTransient makes an object without an owner that lives as long as
// something refers to it. Its ordinal is the first that no other transient
// object of the name has.
func (w *World) NewTransient(t TypeID, name NameID) value.ObjectID {
	for w.Roots.Len() <= int(name) {
		w.Roots.add(w.owner)
	}
	r := w.Roots.edit(w.owner, int32(name))
	r.Name = name
	ordinal := -r.Transient - 1 // apart from those of lasting roots
	if r.Swept > 0 {
		ordinal = w.freeOrdinal(name)
		r.Swept--
	}
	r.Transient = max(r.Transient, -ordinal)
	id := w.NewObject(t, value.NoObject, name, ordinal)
	w.Objects.edit(w.owner, int32(id)).Transient = true
	return id
}

// freeOrdinal is the first ordinal that no transient object of a name has.
func (w *World) freeOrdinal(name NameID) int32 {
	taken := map[int32]bool{}
	for i := range w.Objects.Len() {
		if o := w.Objects.At(int32(i)); o.Transient && o.Feature == name {
			taken[o.Ordinal] = true
		}
	}
	ordinal := int32(-1)
	for taken[ordinal] {
		ordinal--
	}
	return ordinal
}

// Adopt makes a root with a display number that it had in another World.
func (w *World) Adopt(t TypeID, name NameID, number int32) value.ObjectID {
	next := w.Numbers
	w.Numbers = number - 1
	id := w.NewRoot(t, name)
	w.Numbers = max(next, number)
	return id
}

// Renumber gives object id the display number that it had in another World;
// no other object may have it, and Numbers counts at least as far.
func (w *World) Renumber(id value.ObjectID, number int32) {
	w.Objects.edit(w.owner, int32(id)).Number = number
}

// Denoted is the occurrence that denotes object id, if one does.
func (w *World) Denoted(id value.ObjectID) (GlobalID, bool) {
	for i := range w.Globals.Len() {
		if o := w.Globals.At(int32(i)); o.made && o.object == id {
			return GlobalID(i), true
		}
	}
	return NoGlobal, false
}

// Forget makes what the model alone gave the slots of all objects unread
// again, so that it is computed anew: not what was written, not constants,
// and no objects.
func (w *World) Forget() {
	for i := range w.Objects.Len() {
		o := w.Object(value.ObjectID(i))
		t := w.Program.Types[o.Type]
		for k := range o.slots {
			if o.state[k] != Derived && o.state[k] != Joined || !t.Constants[k].IsAbsent() || t.Slots[k].Fill == NoUnit ||
				t.Slots[k].Composite || o.slots[k].HoldsObjects() {
				continue
			}
			w.SetSlot(value.ObjectID(i), k, value.Value{}, Unread)
			o = w.Object(value.ObjectID(i))
		}
	}
}

// Held reports whether id is owner or, at any depth, held by it.
func (w *World) Held(id, owner value.ObjectID) bool {
	for ; id != value.NoObject; id = w.Object(id).Owner {
		if id == owner {
			return true
		}
	}
	return false
}

// objectText is what traces and errors call object id: instance#n.
func (w *World) objectText(id value.ObjectID) string {
	return "instance#" + itoa(int64(w.Object(id).Number))
}

// Text is v in the spelling of traces.
func (w *World) Text(v value.Value) string { return string(value.AppendTrace(nil, v, w.objectText)) }

// An Env is the data of one performance or machine: one slot per feature,
// and the Env of what encloses it.
type Env struct {
	// Layout is the number of the layout of slots in the Program; what it
	// numbers is lowering's business, and the same layout means the same
	// features.
	Layout LayoutID
	// Parent is the enclosing Env; NoEnv for none.
	Parent EnvID
	// Used says that the row is not a released one.
	Used  bool
	slots []value.Value
}

// EnvID is the number of an Env. NoEnv stands where there is none.
type EnvID int32

// NoEnv stands where there is no Env.
const NoEnv EnvID = -1

func (e *Env) detach() { e.slots = append([]value.Value(nil), e.slots...) }

// Slots is the number of slots of e.
func (e *Env) Slots() int { return len(e.slots) }

// Slot is what slot i holds; Absent where nothing.
func (e *Env) Slot(i int) value.Value { return e.slots[i] }

// NewEnv makes an Env of n empty slots.
func (w *World) NewEnv(layout LayoutID, parent EnvID, n int) EnvID {
	id := w.Envs.add(w.owner)
	e := w.Envs.edit(w.owner, id)
	if cap(e.slots) < n {
		e.slots = make([]value.Value, n)
	}
	*e = Env{Layout: layout, Parent: parent, Used: true, slots: e.slots[:n]}
	return EnvID(id)
}

// FreeEnv ends the life of an Env; its number is given out again, and the
// memory of its slots stays with the row.
func (w *World) FreeEnv(id EnvID) {
	e := w.Envs.edit(w.owner, int32(id))
	clear(e.slots)
	*e = Env{slots: e.slots[:0]}
	w.Envs.giveBack(int32(id))
}

// Env is the row of id, for reading until the next write.
func (w *World) Env(id EnvID) *Env { return w.Envs.At(int32(id)) }

// SetEnv writes slot i of id.
func (w *World) SetEnv(id EnvID, i int, v value.Value) { w.Envs.edit(w.owner, int32(id)).slots[i] = v }

// EnvAt is the Env that encloses id hops levels out.
func (w *World) EnvAt(id EnvID, hops int32) EnvID {
	for ; hops > 0 && id != NoEnv; hops-- {
		id = w.Env(id).Parent
	}
	return id
}

// An Occurrence is the object that a package-level occurrence denotes.
type Occurrence struct {
	made   bool
	object value.ObjectID
}

func (o *Occurrence) detach() {}

// Global is the object of occurrence g, and whether it was made.
func (w *World) Global(g GlobalID) (value.ObjectID, bool) {
	if int(g) >= w.Globals.Len() {
		return value.NoObject, false
	}
	o := w.Globals.At(int32(g))
	return o.object, o.made
}

// SetGlobal says that occurrence g denotes id.
func (w *World) SetGlobal(g GlobalID, id value.ObjectID) {
	for w.Globals.Len() <= int(g) {
		w.Globals.add(w.owner)
	}
	*w.Globals.edit(w.owner, int32(g)) = Occurrence{made: true, object: id}
}

// A Root counts the objects made without an owner under one name.
type Root struct {
	Name  NameID
	Count int32
	// Transient is how many ordinals transient objects of the name were given,
	// and Swept how many of them are free again.
	Transient, Swept int32
}

func (r *Root) detach() {}
