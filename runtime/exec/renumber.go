package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file gives the rows of a World the numbers that another Program has for
// what they refer to.

// renumber makes the World that of the new Program.
func (m *carriage) renumber() {
	w, old := m.w, m.w.Program
	for i := range m.root {
		if w.used(value.ObjectID(i)) {
			m.renumberObject(value.ObjectID(i), old)
		}
	}
	for i := range w.Envs.Len() {
		e := w.Envs.At(int32(i))
		if !e.Used {
			continue
		}
		layout, _ := m.Layout(e.Layout)
		if layout != e.Layout {
			w.Envs.edit(w.owner, int32(i)).Layout = layout
		}
		m.renames(e.slots, func(k int, v value.Value) { w.SetEnv(EnvID(i), k, v) })
	}
	for i := range w.Stacks.Len() {
		if len(w.Stacks.At(int32(i)).frames) == 0 {
			continue
		}
		s := w.Stacks.edit(w.owner, int32(i))
		for k := range s.frames {
			s.frames[k].Unit, _ = m.Unit(s.frames[k].Unit)
		}
		m.renames(s.values, func(k int, v value.Value) { s.values[k] = v })
	}
	m.renumberOccurrences()
	m.renumberRoots(old)
	m.renumberBehavior(old)
	w.Program = m.new
}

func (m *carriage) renumberObject(id value.ObjectID, old *Program) {
	w := m.w
	o := w.Object(id)
	typ, feature := o.Type, m.name(old, o.Feature)
	if !m.changed[m.root[id]] {
		typ, _ = m.Correspondence.Type(typ)
	}
	if typ != o.Type || feature != o.Feature {
		row := w.Objects.edit(w.owner, int32(id))
		row.Type, row.Feature = typ, feature
		o = row
	}
	for k, v := range o.slots {
		if to := m.renamed(v); to != v {
			_, state := w.Object(id).Slot(k)
			w.SetSlot(id, k, to, state)
		}
	}
}

func (m *carriage) name(old *Program, n NameID) NameID {
	if n < 0 {
		return n
	}
	return m.Carrier.Name(old.Name(n))
}

// renumberOccurrences sorts the objects that package-level occurrences denote
// under their new numbers. What built anew denotes is the caller's to say.
func (m *carriage) renumberOccurrences() {
	w, before := m.w, m.w.Globals
	w.Globals = Table[Occurrence, *Occurrence]{}
	for i := range before.Len() {
		o := before.At(int32(i))
		if to, same := m.Global(GlobalID(i)); same && o.made && w.used(o.object) && !m.changed[m.root[o.object]] {
			w.SetGlobal(to, o.object)
		}
	}
}

func (m *carriage) renumberRoots(old *Program) {
	w, before := m.w, m.w.Roots
	w.Roots = Table[Root, *Root]{}
	for i := range before.Len() {
		r := *before.At(int32(i))
		if r.Count == 0 && r.Transient == 0 {
			continue
		}
		r.Name = m.name(old, r.Name)
		for w.Roots.Len() <= int(r.Name) {
			w.Roots.add(w.owner)
		}
		*w.Roots.edit(w.owner, int32(r.Name)) = r
	}
}

func (m *carriage) renumberBehavior(old *Program) {
	w := m.w
	b := &w.Behavior
	for i := range b.Runs.Len() {
		if !w.Run(RunID(i)).Used {
			continue
		}
		r := w.editRun(RunID(i))
		r.Graph, _ = m.Graph(r.Graph)
		r.Machine, _ = m.Machine(r.Machine)
		r.Label = m.name(old, r.Label)
	}
	for i := range b.Firings.Len() {
		if f := w.Firing(RunID(i)); f.Used {
			m.renames(f.Values, func(k int, v value.Value) { w.editFiring(RunID(i)).Values[k] = v })
		}
	}
	for i := range b.Flows.Len() {
		if !w.Flow(FlowID(i)).Used {
			continue
		}
		f := w.editFlow(FlowID(i))
		f.Graph, _ = m.Graph(f.Graph)
		for k := range f.Sweep.Places {
			f.Sweep.Places[k].Graph, _ = m.Graph(f.Sweep.Places[k].Graph)
		}
		for k := range f.Sweep.Writes {
			f.Sweep.Writes[k].Value = m.renamed(f.Sweep.Writes[k].Value)
		}
	}
	for i := range b.Messages.Len() {
		if x := w.Message(int32(i)); x.Used {
			m.renames(x.Values, func(k int, v value.Value) {
				row := b.Messages.edit(w.owner, int32(i))
				row.Values = replaced(row.Values, k, v)
			})
		}
	}
	for i := range b.Events.Len() {
		if x := w.Event(int32(i)); x.Used {
			m.renames(x.Values, func(k int, v value.Value) {
				row := b.Events.edit(w.owner, int32(i))
				row.Values = replaced(row.Values, k, v)
			})
		}
	}
}

// replaced is list with another value at k; copies of the World may have list.
func replaced(list []value.Value, k int, v value.Value) []value.Value {
	list = append([]value.Value(nil), list...)
	list[k] = v
	return list
}

// renames renames the elements in a list of values.
func (m *carriage) renames(list []value.Value, set func(int, value.Value)) {
	for k, v := range list {
		if to := m.renamed(v); to != v {
			set(k, to)
		}
	}
}

// renamed is v with the elements of the new Program.
func (m *carriage) renamed(v value.Value) value.Value { return value.Renamed(v, m.Element) }
