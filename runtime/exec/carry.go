package exec

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file takes a World over to another Program. What is the same in both
// goes on where it is, under new numbers; the rest is begun anew in its place.

// A Carried is a World of another Program, and what became of its roots.
type Carried struct {
	World *World
	// Rebuilt are the roots that hold nothing yet: they have their type,
	// identity and display number, and what they held and performed is gone.
	// Gone are those that have no type any more. Both in order of number.
	Rebuilt, Gone []value.ObjectID
	// Ended are the runs that were taken out.
	Ended map[RunID]bool
}

// A Carrier says how a World is taken over.
type Carrier struct {
	*Correspondence
	// Type is the new type of a root that is built anew; NoType for none.
	Type func(TypeID) TypeID
	// Name is the number of a name in the new Program.
	Name func(string) NameID
	// Element is the element of the new Program that is what an old one was.
	Element func(value.Kind, *value.Named) *value.Named
	// All builds every root anew.
	All bool
}

// Carry takes w over. w stays as it is.
func (c *Carrier) Carry(w *World) *Carried {
	m := &carriage{Carrier: c, w: w.Copy(), changed: map[value.ObjectID]bool{}, dead: map[RunID]bool{}}
	m.root = make([]value.ObjectID, w.Objects.Len())
	m.find()
	m.end()
	out := m.clear()
	m.renumber()
	if len(out.Rebuilt) > 0 {
		m.forget()
	}
	return out
}

// A carriage is a World on its way to another Program.
type carriage struct {
	*Carrier
	w *World
	// root is the root of each object; changed are the roots that are built
	// anew or go, dead the runs that end.
	root    []value.ObjectID
	changed map[value.ObjectID]bool
	dead    map[RunID]bool
}

// used reports whether the row of an object is in use.
func (w *World) used(id value.ObjectID) bool { return w.Object(id).path != 0 }

// find finds what has changed, and what leans on that so that it cannot go on.
func (m *carriage) find() {
	w := m.w
	for i := range m.root {
		id := value.ObjectID(i)
		if !w.used(id) {
			m.root[i] = id
			continue
		}
		m.root[i] = w.rootOf(id)
		if _, same := m.Correspondence.Type(w.Object(id).Type); !same || m.All {
			m.changed[m.root[i]] = true
		}
	}
	for i := range w.Behavior.Runs.Len() {
		if w.Run(RunID(i)).Used && (m.All || !m.goesOn(RunID(i))) {
			m.dead[RunID(i)] = true
		}
	}
	for again := true; again; {
		before := len(m.changed) + len(m.dead)
		m.lean()
		again = len(m.changed)+len(m.dead) > before
	}
}

// goesOn reports whether the code of a run is the same.
func (m *carriage) goesOn(id RunID) bool {
	r := m.w.Run(id)
	_, graph := m.Graph(r.Graph)
	_, machine := m.Machine(r.Machine)
	return graph && machine && m.layout(r.Env)
}

func (m *carriage) layout(id EnvID) bool {
	if id == NoEnv {
		return true
	}
	_, same := m.Layout(m.w.Env(id).Layout)
	return same
}

// lean spreads what has changed once: a run ends with its performer and with
// what performs it or is performed by it, and an object is built anew with the
// runs of its own, or where it refers to something inside another that is.
func (m *carriage) lean() {
	w := m.w
	for i := range w.Behavior.Runs.Len() {
		id := RunID(i)
		r := w.Run(id)
		if !r.Used {
			continue
		}
		if m.dead[id] || r.Self != value.NoObject && m.changed[m.root[r.Self]] || r.HostRun != NoRun && m.dead[r.HostRun] ||
			r.Host != NoToken && m.dead[w.Token(r.Host).Run] {
			m.kill(id)
		}
	}
	for i := range w.Behavior.Flows.Len() {
		f := w.Flow(FlowID(i))
		if !f.Used {
			continue
		}
		_, same := m.Graph(f.Graph)
		for _, x := range f.Sweep.Writes {
			same = same && !m.loses(x.Value) && (x.Env != NoEnv || !m.inside(x.Object))
		}
		if !same || !m.layout(f.Env) || m.losesEnv(f.Env) {
			m.kill(f.Run)
		}
	}
	for i := range w.Behavior.Tokens.Len() {
		if t := w.Token(TokenID(i)); t.Used && (!m.layout(t.Env) || m.losesEnv(t.Env) || t.Stack != NoStack && m.losesStack(t.Stack)) {
			m.kill(t.Run)
		}
	}
	for i := range w.Behavior.Firings.Len() {
		if f := w.Firing(RunID(i)); f.Used && (m.losesAny(f.Values) || m.losesPool(f.Pool) || m.losesPool(f.Timed) || m.losesEnv(w.Run(RunID(i)).Env)) {
			m.kill(RunID(i))
		}
	}
	for _, t := range w.Behavior.Turn { // who acts on behalf of another ends with it
		if m.dead[m.turns(t)] {
			for _, t := range w.Behavior.Turn {
				m.kill(m.turns(t))
			}
			break
		}
	}
	for i := range m.root {
		if id := value.ObjectID(i); w.used(id) && !m.changed[m.root[i]] && m.losesAny(w.Object(id).slots) {
			m.changed[m.root[i]] = true
		}
	}
}

func (m *carriage) turns(t Turn) RunID {
	if t.Kind == FlowTurn {
		return m.w.Flow(FlowID(t.Row)).Run
	}
	return RunID(t.Row)
}

// kill ends a run, and with it what performs it; a behaviour that an object
// has of its own begins anew with the object.
func (m *carriage) kill(id RunID) {
	r := m.w.Run(id)
	m.dead[id] = true
	if r.Occurrence != value.NoObject {
		m.changed[m.root[r.Self]] = true
	}
	if r.HostRun != NoRun {
		m.dead[r.HostRun] = true
	}
	if r.Host != NoToken {
		m.dead[m.w.Token(r.Host).Run] = true
	}
}

// inside reports whether an object goes: it is held by a root that is built
// anew, or is a root that has no type any more.
func (m *carriage) inside(id value.ObjectID) bool {
	if id == value.NoObject || !m.w.used(id) || !m.changed[m.root[id]] {
		return false
	}
	return m.root[id] != id || m.Carrier.Type(m.w.Object(id).Type) == NoType
}

// loses reports whether a value refers to an object that goes.
func (m *carriage) loses(v value.Value) bool {
	if id, ok := v.AsObject(); ok {
		return m.inside(id)
	}
	if v.HoldsObjects() {
		for e := range v.All() {
			if m.loses(e) {
				return true
			}
		}
	}
	return false
}

func (m *carriage) losesAny(list []value.Value) bool { return slices.ContainsFunc(list, m.loses) }

func (m *carriage) losesEnv(id EnvID) bool { return id != NoEnv && m.losesAny(m.w.Env(id).slots) }

func (m *carriage) losesStack(id StackID) bool {
	s := m.w.Stacks.At(int32(id))
	for _, f := range s.frames {
		if _, same := m.Unit(f.Unit); !same || m.inside(f.Self) {
			return true
		}
		if (f.Return == ToSlot || f.Return == ToJoin) && m.changed[m.root[f.A]] {
			return true
		}
	}
	return m.losesAny(s.values)
}

func (m *carriage) losesPool(list Chain) bool {
	for row := list.First; row != NoRow; row = m.w.Event(row).Next {
		if m.losesAny(m.w.Event(row).Values) {
			return true
		}
	}
	return false
}

// end takes the runs that end out of the World, and the messages that nobody
// can take any more.
func (m *carriage) end() {
	w := m.w
	if len(w.Behavior.Turn) > 0 && m.dead[m.turns(w.Behavior.Turn[0])] {
		w.Behavior.Turn = nil
	}
	var attached []RunID
	for _, id := range w.Behavior.Attached {
		if !m.dead[id] {
			attached = append(attached, id)
		}
	}
	w.Behavior.Attached = attached
	e := &Engine{World: w}
	for i := range w.Behavior.Runs.Len() { // those that others perform end with them
		if r := w.Run(RunID(i)); r.Used && m.dead[RunID(i)] && r.Host == NoToken && r.HostRun == NoRun {
			e.endRun(RunID(i))
		}
	}
	for row := w.Behavior.Bus.First; row != NoRow; {
		x := w.Message(row)
		next := x.Next
		if x.Object != value.NoObject && m.changed[m.root[x.Object]] || m.losesAny(x.Values) {
			w.unlinkMessage(row)
		}
		row = next
	}
}

// clear empties the roots that are built anew, and forgets those that go.
func (m *carriage) clear() *Carried {
	w := m.w
	out := &Carried{World: w, Ended: m.dead}
	for i := range m.root {
		id := value.ObjectID(i)
		if !w.used(id) || !m.changed[m.root[i]] {
			continue
		}
		o := w.Object(id)
		if to := m.Carrier.Type(o.Type); m.root[i] == id && to != NoType && !o.Gone {
			typ := m.new.Types[to]
			row := w.Objects.edit(w.owner, int32(i))
			row.Type, row.Bound = to, false
			row.slots, row.state = slices.Clone(typ.Constants), make([]SlotState, len(typ.Constants))
			for k := range row.slots {
				if !row.slots[k].IsAbsent() {
					row.state[k] = Derived
				}
			}
			out.Rebuilt = append(out.Rebuilt, id)
			continue
		}
		if m.root[i] == id && !o.Gone {
			out.Gone = append(out.Gone, id)
		}
		*w.Objects.edit(w.owner, int32(i)) = Object{Gone: true, Owner: value.NoObject, Feature: NoName}
		w.Objects.giveBack(int32(i))
	}
	return out
}

// forget makes values that others computed from what is built anew unread
// again.
func (m *carriage) forget() {
	for i := range m.root {
		if id := value.ObjectID(i); m.w.used(id) && !m.changed[m.root[i]] && slices.ContainsFunc(m.w.Object(id).slots, m.leads) {
			m.w.Forget()
			return
		}
	}
}

// leads reports whether a value refers to a root that is built anew.
func (m *carriage) leads(v value.Value) bool {
	if id, ok := v.AsObject(); ok {
		return m.changed[m.root[id]]
	}
	if v.HoldsObjects() {
		for e := range v.All() {
			if m.leads(e) {
				return true
			}
		}
	}
	return false
}
