package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file forgets objects that were made by the way and that nothing leads
// to any more, such as what a message carried: no future can tell whether
// they were there, and a search would never meet the same World again.

// Sweep ends the life of the objects that `new` or a message made and that
// neither an object, nor the data of a performance, a paused body, a message
// or an event refers to. Their numbers are given out again, their display
// numbers are not.
func (w *World) Sweep() {
	transient := false
	for i := range w.Objects.Len() {
		transient = transient || w.Objects.At(int32(i)).Transient
	}
	if !transient {
		return
	}
	m := &marker{w: w, live: make([]bool, w.Objects.Len())}
	for i := range w.Objects.Len() {
		if o := w.Objects.At(int32(i)); o.path != 0 && !w.Objects.At(int32(w.rootOf(value.ObjectID(i)))).Transient {
			m.object(value.ObjectID(i))
		}
	}
	for i := range w.Globals.Len() {
		if o := w.Globals.At(int32(i)); o.made {
			m.object(o.object)
		}
	}
	for i := range w.Envs.Len() {
		m.values(w.Envs.At(int32(i)).slots)
	}
	for i := range w.Stacks.Len() {
		s := w.Stacks.At(int32(i))
		m.values(s.values)
		for _, f := range s.frames {
			m.object(f.Self)
		}
	}
	w.Behavior.mark(m)
	for i, live := range m.live {
		if o := w.Objects.At(int32(i)); !live && o.path != 0 {
			if o.Transient {
				w.Roots.edit(w.owner, int32(o.Feature)).Swept++
			}
			*w.Objects.edit(w.owner, int32(i)) = Object{Gone: true, Owner: value.NoObject, Feature: NoName}
			w.Objects.giveBack(int32(i))
		}
	}
}

// rootOf is the object without an owner that holds id.
func (w *World) rootOf(id value.ObjectID) value.ObjectID {
	for w.Object(id).Owner != value.NoObject {
		id = w.Object(id).Owner
	}
	return id
}

// A marker finds what is referred to.
type marker struct {
	w    *World
	live []bool
}

func (m *marker) object(id value.ObjectID) {
	if id < 0 || m.live[id] {
		return
	}
	m.live[id] = true
	o := m.w.Object(id)
	m.object(o.Owner)
	m.values(o.slots)
}

func (m *marker) values(list []value.Value) {
	for _, v := range list {
		m.value(v)
	}
}

func (m *marker) value(v value.Value) {
	if id, ok := v.AsObject(); ok {
		m.object(id)
		return
	}
	if v.HoldsObjects() {
		for e := range v.All() {
			m.value(e)
		}
	}
}

// mark finds what running behaviours refer to.
func (b *Behavior) mark(m *marker) {
	m.object(b.ClockObject)
	for i := range b.Runs.Len() {
		if r := b.Runs.At(int32(i)); r.Used {
			m.object(r.Self)
			m.object(r.Occurrence)
		}
	}
	for i := range b.Firings.Len() {
		m.values(b.Firings.At(int32(i)).Values)
	}
	for i := range b.Flows.Len() {
		for _, x := range b.Flows.At(int32(i)).Sweep.Writes {
			m.object(x.Object)
			m.value(x.Value)
		}
	}
	for i := range b.Messages.Len() {
		if x := b.Messages.At(int32(i)); x.Used {
			m.object(x.Object)
			m.values(x.Values)
		}
	}
	for i := range b.Events.Len() {
		if x := b.Events.At(int32(i)); x.Used {
			m.values(x.Values)
		}
	}
}
