package exec

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/value"
)

func (r *Runner) typeOf(id value.ObjectID) *Type {
	return r.World.Program.Types[r.World.Object(id).Type]
}

// outcome of looking at a slot.
type outcome uint8

const (
	found  outcome = iota
	pushed         // code that makes the value was pushed
	empty          // the slot has no value and nothing makes one
)

// load reads slot i of object id. Where code has to run first it is pushed,
// and the instruction runs again when it is done: resumed is then set.
func (r *Runner) load(id value.ObjectID, i int, resumed bool) (value.Value, outcome, error) {
	o := r.World.Object(id)
	v, state := o.slots[i], o.state[i]
	t := r.World.Program.Types[o.Type]
	if t.Slots[i].Clock {
		return value.Float(r.World.now()), found, nil
	}
	if o.Bound && state != Written && !(resumed && state != Unread) {
		if owner, net, ok := r.netOf(id, i); ok {
			return r.loadJoined(id, i, owner, net)
		}
	}
	switch state {
	case Derived, Written:
		if r.Watch != nil && !resumed {
			r.Watch.Read(id, i, state, v, r.level(&r.frames[len(r.frames)-1])+1)
		}
		return v, found, nil
	case Joined:
		if resumed {
			return v, found, nil
		}
	case Computing:
		return v, empty, fail(Cyclic, "cyclic feature value dependency: %s", t.Slots[i].Label)
	}
	return r.fill(id, i, t)
}

// fill pushes the code that makes the value of an unread slot.
func (r *Runner) fill(id value.ObjectID, i int, t *Type) (value.Value, outcome, error) {
	slot := &t.Slots[i]
	if slot.Fill == NoUnit {
		return value.Value{}, empty, nil
	}
	callee := r.World.Program.Units[slot.Fill]
	if err := r.deeper(callee); err != nil {
		return value.Value{}, empty, err
	}
	r.World.SetSlot(id, i, value.Value{}, Computing)
	f := &r.frames[len(r.frames)-1]
	f.Resumed = true
	u := r.World.Program.Units[f.Unit]
	r.push(callee, Frame{Unit: slot.Fill, Base: f.Base + u.Registers, Env: NoEnv, Self: id, Return: ToSlot, A: int32(id), B: int32(i)}, 0)
	return value.Value{}, pushed, nil
}

// uninitialized is the error of an empty slot.
func (r *Runner) uninitialized(id value.ObjectID, i int) error {
	t := r.typeOf(id)
	name := r.World.Program.Name(t.Slots[i].Name)
	return fail(Uninitialized, "uninitialized feature value: %s", name).WithHint(t.Name + " gives " + name + " no value: write `= …` in the model, or set it on the object with %set")
}

// selfFeature: see OpSelfFeature.
func (r *Runner) selfFeature(in *Instr, f *Frame, regs []value.Value, resumed bool) (int32, bool, error) {
	if f.Self == value.NoObject {
		return f.PC + 1, false, nil
	}
	i, has := r.typeOf(f.Self).SlotOf(NameID(in.B))
	if !has {
		return f.PC + 1, false, nil
	}
	v, o, err := r.load(f.Self, i, resumed)
	switch {
	case err != nil:
		return f.PC, false, err
	case o == pushed:
		return 0, false, nil
	case o == empty:
		return f.PC, false, r.uninitialized(f.Self, i)
	}
	regs[in.A] = v
	return f.PC + 2, false, nil
}

// feature reads feature D of what B holds: of an object, or of every element
// of a collection, counting in registers C and C+1.
func (r *Runner) feature(in *Instr, u *Unit, f *Frame, regs []value.Value, resumed bool) (int32, bool, error) {
	base := *get(regs, u.Consts, in.B)
	name := u.Names[in.D]
	if !base.Kind().IsCollection() {
		v, o, err := r.member(base, name, resumed)
		if err != nil || o == pushed {
			return f.PC, false, err
		}
		regs[in.A] = v
		return f.PC + 1, false, nil
	}
	if r.World.Program.Name(name) == "elements" {
		regs[in.A] = base
		return f.PC + 1, false, nil
	}
	if !resumed {
		regs[in.C], regs[in.C+1] = value.Int(0), value.EmptySequence
	}
	r.read = r.read[:0] // what was read since the instruction began or went on
	for n, _ := regs[in.C].AsInt(); n < int64(base.Len()); n++ {
		depth := len(r.frames)
		v, o, err := r.member(base.At(int(n)), name, resumed)
		if err != nil {
			return f.PC, false, err
		}
		if o == pushed {
			// push may have moved the frames and the registers
			at := r.values[r.frames[depth-1].Base+in.C:]
			at[0], at[1] = value.Int(n), at[1].Concat(value.SequenceOf(r.read...))
			return 0, false, nil
		}
		resumed = false
		if v.Kind().IsCollection() {
			r.read = slices.AppendSeq(r.read, v.All())
		} else if !v.IsNull() {
			r.read = append(r.read, v)
		}
	}
	v := value.SequenceOf(r.read...)
	if regs[in.C+1].Len() > 0 {
		v = regs[in.C+1].Concat(v)
	}
	if err := r.Meter.Hold(v.Len()); err != nil {
		return f.PC, false, err
	}
	regs[in.A] = v
	regs[in.C+1] = value.Value{}
	return f.PC + 1, false, nil
}

// member reads one feature of a value that is no collection.
func (r *Runner) member(base value.Value, name NameID, resumed bool) (value.Value, outcome, error) {
	id, ok := base.AsObject()
	if !ok {
		switch base.Kind() {
		case value.Null:
			return value.NullValue, found, nil
		case value.Enumeration, value.Variant:
			return r.literalMember(base, name, resumed)
		case value.Quantity:
			if r.World.Program.Name(name) == "num" {
				n, _, _ := base.AsQuantity()
				return n, found, nil
			}
		case value.Metaobject:
		}
		return value.Value{}, empty, fail(NotAnInstance, "cannot chain through non-instance member: %s is %s",
			r.World.Program.Name(name), base.TypeName())
	}
	t := r.typeOf(id)
	if t.Performance {
		if v, ok := r.World.performed(id, name); ok {
			return v, found, nil
		}
	}
	i, has := t.SlotOf(name)
	if !has {
		return value.Value{}, empty, fail(NoMember, "member %s not found in instance", r.World.Program.Name(name)).WithHint(r.features(t))
	}
	v, o, err := r.load(id, i, resumed)
	if err == nil && o == empty {
		err = r.uninitialized(id, i)
	}
	return v, o, err
}

// features says which features objects of t have, as far as one line goes.
func (r *Runner) features(t *Type) string {
	var names []string
	for _, f := range t.Features {
		names = append(names, r.World.Program.Name(f.Name))
	}
	switch {
	case len(names) == 0:
		return t.Name + " has no features"
	case len(names) > 8:
		names = append(names[:8], "…")
	}
	return t.Name + " has " + strings.Join(names, ", ")
}

// literalMember reads a feature of the object that stands for a literal.
func (r *Runner) literalMember(base value.Value, name NameID, resumed bool) (value.Value, outcome, error) {
	named, _ := base.AsNamed()
	p := r.World.Program
	if i := named.Index(); i >= 0 && int(i) < len(p.Denotes) && p.Denotes[i] != NoGlobal {
		id, err := r.denoted(p.Denotes[i])
		if err != nil {
			return value.Value{}, empty, err
		}
		return r.member(value.ObjectRef(id), name, resumed)
	}
	return value.Value{}, empty, fail(NoMember, "member %s not found in %s", p.Name(name), named.Name())
}

// room charges an object that is about to be made.
func (r *Runner) room() error {
	if err := r.Meter.Within(budget.Objects, r.World.Objects.Live()+1); err != nil {
		return err
	}
	return r.Meter.Step(1)
}

// denoted is the object of an occurrence, made at the first use.
func (r *Runner) denoted(g GlobalID) (value.ObjectID, error) {
	if id, ok := r.World.Global(g); ok {
		return id, nil
	}
	if err := r.room(); err != nil {
		return value.NoObject, err
	}
	what := r.World.Program.Globals[g]
	id := r.World.NewRoot(what.Type, what.Name)
	r.World.SetGlobal(g, id)
	r.reach(id)
	r.materialized(id)
	return id, nil
}

func (r *Runner) global(in *Instr, regs []value.Value, pc int32) (int32, bool, error) {
	_, known := r.World.Global(GlobalID(in.B))
	id, err := r.denoted(GlobalID(in.B))
	if err != nil {
		return pc, false, err
	}
	regs[in.A] = value.ObjectRef(id)
	if !known {
		return r.started(id, pc)
	}
	return pc + 1, false, nil
}

func (r *Runner) make(in *Instr, f *Frame, regs []value.Value) (int32, bool, error) {
	if err := r.Meter.Step(1); err != nil {
		return f.PC, false, err
	}
	var n int64
	if in.D != NoRegister {
		n, _ = regs[in.D].AsInt()
	}
	if n >= r.Meter.Budget.Limit(budget.Multiple) {
		return f.PC, false, fail(value.MultiplicityError,
			"multiplicity violation: lower bound too large or infinite for feature %q", r.World.Program.Name(NameID(in.C)))
	}
	if err := r.Meter.Within(budget.Objects, r.World.Objects.Live()+1); err != nil {
		return f.PC, false, err
	}
	id := r.World.NewObject(TypeID(in.B), f.Self, NameID(in.C), int32(n))
	if f.Return == ToSlot && in.D == NoRegister {
		// what the object starts may read the slot it is in
		r.World.SetSlot(value.ObjectID(f.A), int(f.B), value.ObjectRef(id), Derived)
	}
	return r.made(in, regs, f.PC, id)
}

// NoRegister stands for a register that an instruction has not.
const NoRegister = uint16(0xffff)

func (r *Runner) made(in *Instr, regs []value.Value, pc int32, id value.ObjectID) (int32, bool, error) {
	r.reach(id)
	r.materialized(id)
	regs[in.A] = value.ObjectRef(id)
	return r.started(id, pc)
}

// started stops for an object whose behaviours are to be started.
func (r *Runner) started(id value.ObjectID, pc int32) (int32, bool, error) {
	if r.Starts && r.typeOf(id).Active {
		r.frames[len(r.frames)-1].PC = pc + 1
		r.halt(Stop{Kind: Made, Object: id})
		return pc, true, nil
	}
	return pc + 1, false, nil
}

// Assign writes the feature called name of object id, as an assignment does:
// the count is checked and a single value of a multi-valued feature becomes a
// sequence. It says whether the object has such a feature.
func (w *World) Assign(id value.ObjectID, name NameID, v value.Value) (bool, error) {
	t := w.Program.Types[w.Object(id).Type]
	i, has := t.SlotOf(name)
	if !has {
		return false, fail(NoMember, "member %s not found in instance", w.Program.Name(name))
	}
	if t.Slots[i].Clock {
		return true, fail(NotAssignable, "a clock's currentTime advances with the run and is not assigned")
	}
	checked, err := t.Slots[i].Check(v)
	if err != nil {
		return true, err
	}
	w.SetSlot(id, i, checked, Written)
	w.wrote(Write{Env: NoEnv, Object: id, Slot: int32(i), Value: checked})
	return true, nil
}

// Check is v as the slot holds it, or the error of its count.
func (s *Slot) Check(v value.Value) (value.Value, error) {
	n := int64(v.Len())
	switch {
	case s.Upper >= 0 && n > s.Upper:
		return v, fail(value.MultiplicityError, "feature value %s: multiplicity violation: %d value(s) bound to a feature with multiplicity upper bound %d", s.Label, n, s.Upper)
	case n < s.Lower:
		return v, fail(value.MultiplicityError, "feature value %s: multiplicity violation: %d value(s) bound to a feature with multiplicity lower bound %d", s.Label, n, s.Lower)
	}
	isCollection := v.Kind().IsCollection()
	switch {
	case s.Many && v.IsNull():
		return value.EmptySequence, nil
	case s.Many && !isCollection:
		return value.SequenceOf(v), nil
	case !s.Many && v.Kind() == value.Sequence && n == 1:
		return v.At(0), nil
	}
	return v, nil
}

// reach marks object id as bound where a binding connector of it or of an
// owner may end at a slot of it. Owners that are too far up are not looked at:
// parts of parts of their own type are nested by the thousand.
func (r *Runner) reach(id value.ObjectID) {
	w := r.World
	o := w.Object(id)
	if len(w.Program.Types[o.Type].Nets) > 0 {
		w.Objects.edit(w.owner, int32(id)).Bound = true
		return
	}
	first := o.Feature
	for at, up := o.Owner, 1; at != value.NoObject && up <= w.Program.Far; up++ {
		owner := w.Object(at)
		if w.Program.Types[owner.Type].Reach[first] {
			w.Objects.edit(w.owner, int32(id)).Bound = true
			return
		}
		first, at = owner.Feature, owner.Owner
	}
}

// netOf finds the binding connectors that end at slot i of id: the object
// that owns them, and their number in its type.
func (r *Runner) netOf(id value.ObjectID, i int) (value.ObjectID, int, bool) {
	w := r.World
	path := []NameID{w.Program.Types[w.Object(id).Type].Slots[i].Name}
	for at := id; at != value.NoObject && len(path) <= w.Program.Far+1; {
		o := w.Object(at)
		t := w.Program.Types[o.Type]
		for n := range t.Nets {
			for _, end := range t.Nets[n].Ends {
				if r.ends(at, end.Path, path) {
					return at, n, true
				}
			}
		}
		path = append([]NameID{o.Feature}, path...)
		at = o.Owner
	}
	return value.NoObject, 0, false
}

// ends reports whether the two paths from object at lead to one slot.
func (r *Runner) ends(at value.ObjectID, end, path []NameID) bool {
	if len(end) != len(path) || len(end) == 0 {
		return false
	}
	for k := range len(end) - 1 {
		if end[k] != path[k] {
			return false
		}
	}
	last := len(end) - 1
	if end[last] == path[last] {
		return true
	}
	if last > 0 {
		return false
	}
	t := r.typeOf(at)
	a, ok1 := t.SlotOf(end[0])
	b, ok2 := t.SlotOf(path[0])
	return ok1 && ok2 && a == b
}

// loadJoined reads a slot through the binding connectors that end there.
func (r *Runner) loadJoined(id value.ObjectID, i int, owner value.ObjectID, net int) (value.Value, outcome, error) {
	t := r.typeOf(owner)
	if r.World.Object(id).state[i] == Computing {
		return value.Value{}, empty, fail(BindingCycle, "binding cycle: %s", t.Nets[net].Label)
	}
	callee := r.World.Program.Units[t.Nets[net].Read]
	if err := r.deeper(callee); err != nil {
		return value.Value{}, empty, err
	}
	f := &r.frames[len(r.frames)-1]
	f.Resumed = true
	u := r.World.Program.Units[f.Unit]
	r.push(callee, Frame{Unit: callee.ID, Base: f.Base + u.Registers, Env: NoEnv, Self: owner, Return: ToJoin, A: int32(id), B: int32(i)}, 0)
	return value.Value{}, pushed, nil
}

// intrinsic reads feature C of the object in B as it is without connectors:
// see OpIntrinsic.
func (r *Runner) intrinsic(in *Instr, u *Unit, f *Frame, regs []value.Value) (int32, bool, error) {
	regs[in.A] = value.Value{}
	id, ok := get(regs, u.Consts, in.B).AsObject()
	if !ok {
		return f.PC + 1, false, nil
	}
	t := r.typeOf(id)
	i, has := t.SlotOf(NameID(in.C))
	if !has {
		return f.PC, false, fail(NoMember, "binding end cannot be resolved: member %s not found in instance", r.World.Program.Name(NameID(in.C)))
	}
	v, state := r.World.Object(id).Slot(i)
	slot := &t.Slots[i]
	switch {
	case slot.Gathered && state == Derived && v.Len() == 0:
	case state == Derived || state == Written:
		regs[in.A] = v
	case state == Unread && slot.Fill != NoUnit && !slot.Composite && slot.Kind != ConnectorFeature:
		_, o, err := r.fill(id, i, t)
		if o == pushed {
			r.frames[len(r.frames)-1].Failing = false
		}
		return f.PC, false, err
	}
	return f.PC + 1, false, nil
}

// join is the value on which the registers from B agree.
func (r *Runner) join(u *Unit, in *Instr, regs []value.Value) (value.Value, error) {
	var v value.Value
	first := 0
	for k := range int(in.D) {
		w := regs[int(in.B)+k]
		if w.IsAbsent() {
			continue
		}
		if v.IsAbsent() {
			v, first = w, k
			continue
		}
		same, err := value.Equal(v, w)
		if err != nil {
			return v, err
		}
		if !same {
			label := func(k int) string { s, _ := u.Consts[int(in.C)+k].AsText(); return s }
			return v, fail(BindingConflict, "binding conflict: %s = %s, %s = %s", label(first), value.User(v, r.World.objectText),
				label(k), value.User(w, r.World.objectText))
		}
	}
	return v, nil
}

// choose gives the selected variant in register A an object of its own in
// self: see OpChoose.
func (r *Runner) choose(in *Instr, u *Unit, f *Frame, regs []value.Value) (int32, bool, error) {
	c := &u.Choosing[in.B]
	v := regs[in.A]
	if n := v.Len(); v.Kind() == value.Sequence && n != 1 {
		var names []string
		for e := range v.All() {
			names = append(names, r.World.Text(e))
		}
		return f.PC, false, fail(NoVariant, "more than one variant selected: variation %s selects %d variants (%s)", c.Label, n, strings.Join(names, ", "))
	} else if v.Kind() == value.Sequence {
		v = v.At(0)
	}
	named, ok := v.AsNamed()
	if !ok || v.Kind() != value.Variant {
		what := "a constant"
		if _, isObject := v.AsObject(); isObject {
			what = "an instance"
		}
		return f.PC, false, fail(NoVariant, "not a variant of the variation: variation %s is bound to %s", c.Label, what)
	}
	for i, x := range c.Variants {
		if x != named.Index() {
			continue
		}
		object := value.NoObject
		if t := c.Types[i]; t != NoType {
			if err := r.room(); err != nil {
				return f.PC, false, err
			}
			object = r.World.NewObject(t, f.Self, c.Name, int32(i))
			r.reach(object)
			r.materialized(object)
		}
		regs[in.A] = value.VariantOf(named, object)
		return f.PC + 1, false, nil
	}
	return f.PC, false, fail(NoVariant, "not a variant of the variation: %s is not a variant of %s (variants: %s)",
		named.Name(), c.Label, strings.Join(c.Names, ", "))
}
