package exec

import (
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file starts the behaviours that objects have.

// startObject attaches the behaviours of an object that was made, and of the
// parts that it holds and that have some. The outermost creation lets all of
// them run until they rest.
func (e *Engine) startObject(id value.ObjectID, depth int32) error {
	return e.start(id, depth, false)
}

// StartAdopted starts the behaviours of a root that was built anew, and of the
// parts that it holds, those included that it was given already; it lets them
// run until they rest.
func (e *Engine) StartAdopted(id value.ObjectID) error { return e.start(id, 0, true) }

func (e *Engine) start(id value.ObjectID, depth int32, adopted bool) error {
	outermost := !e.starting
	e.starting = true
	err := e.attach(id, depth, adopted)
	if !outermost {
		return err
	}
	e.starting = false
	if err != nil {
		return err
	}
	return e.settleNew()
}

// attach attaches the behaviours of an object and of the parts that it holds.
// Of an adopted one, parts that it was given already have not begun.
func (e *Engine) attach(id value.ObjectID, depth int32, adopted bool) error {
	w := e.World
	t := w.Program.Types[w.Object(id).Type]
	for _, b := range t.Behaviours {
		kind := "performed action "
		if b.Machine {
			kind = "exhibited state machine "
		}
		e.observe(trace.Event{Kind: trace.Start, Name: kind + b.Name + " of #" + strconv.Itoa(int(w.Object(id).Number))})
		if b.Entry < 0 {
			continue
		}
		run := noRun(id)
		run.Depth = depth
		run.Occurrence = w.NewObject(b.Type, id, w.Program.nameOf(b.Name), 0)
		number := w.Object(run.Occurrence).Number
		if b.Slot >= 0 {
			w.SetSlot(id, int(b.Slot), value.ObjectRef(run.Occurrence), Derived)
		}
		if b.Machine {
			run.Machine = MachineID(b.Entry)
		} else {
			run.Graph = GraphID(b.Entry)
		}
		r := e.newRun(run)
		w.editRun(r).Label = w.Program.nameOf(b.Name)
		w.editRun(r).Number = number
		w.Behavior.Attached = append(w.Behavior.Attached, r)
		if b.Machine {
			e.observe(trace.Event{Kind: trace.Materialize, Name: e.machineOf(r).Name, Number: int64(number)})
			if err := e.beginMachine(r, nil); err != nil {
				return e.ofObject(r, err)
			}
			if err := e.enterFirst(r); err != nil {
				return e.ofObject(r, err)
			}
			continue
		}
		e.observe(trace.Event{Kind: trace.Materialize, Name: w.Program.Graphs[b.Entry].Name, Number: int64(number)})
		observer := e.Observer
		e.Observer = nil
		err := e.begin(r, NoEnv, nil)
		e.Observer = observer
		if err != nil {
			return e.ofObject(r, err)
		}
	}
	for _, slot := range t.Parts {
		if err := e.fillPart(id, slot, depth, adopted); err != nil {
			return err
		}
	}
	return nil
}

// fillPart makes the part that a slot holds, where it is of a type that has
// behaviours. A part of the type that its owner has, or an owner of that, is made
// when it is read: it would hold a part of its own type again, without end.
func (e *Engine) fillPart(id value.ObjectID, slot int32, depth int32, adopted bool) error {
	w := e.World
	t := w.Program.Types[w.Object(id).Type]
	s := &t.Slots[slot]
	held, state := w.Object(id).Slot(int(slot))
	if adopted && state != Unread {
		for v := range held.All() {
			if part, ok := v.AsObject(); ok && w.Object(part).Owner == id && !w.performs(part) {
				if err := e.attach(part, depth, true); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if state != Unread || s.Fill == NoUnit || s.Type == NoType || !w.Program.Types[s.Type].Active || w.within(id, s.Type) {
		return nil
	}
	w.SetSlot(id, int(slot), value.Value{}, Computing)
	v, err := e.evaluate(s.Fill, id, NoEnv, depth)
	if err != nil {
		w.SetSlot(id, int(slot), value.Value{}, Unread)
		return nil // read again, and told of, when somebody needs it
	}
	w.SetSlot(id, int(slot), v, Derived)
	return nil
}

// within reports whether an object, or one that it belongs to, is of a type.
func (w *World) within(id value.ObjectID, t TypeID) bool {
	for ; id != value.NoObject; id = w.Object(id).Owner {
		if w.Object(id).Type == t {
			return true
		}
	}
	return false
}

// performs reports whether an object has behaviours that were attached.
func (w *World) performs(id value.ObjectID) bool {
	for _, r := range w.Behavior.Attached {
		if run := w.Run(r); run.Self == id && run.Occurrence != value.NoObject {
			return true
		}
	}
	return false
}

// settleNew lets behaviours run that were attached and have not run, then
// those that have something to do.
func (e *Engine) settleNew() error {
	for {
		next := NoRun
		for _, id := range e.World.Behavior.Attached {
			if r := e.World.Run(id); r.Label != NoName && !r.Ran && r.Used {
				next = id
				break
			}
		}
		if next == NoRun {
			for _, id := range e.World.Behavior.Attached {
				if r := e.World.Run(id); r.Used && r.Label != NoName && !e.driven(id) && e.canAct(id) {
					next = id
					break
				}
			}
		}
		if next == NoRun {
			return nil
		}
		if err := e.settle(next); err != nil {
			return err
		}
	}
}

// performed reads what a performance that object id stands for calls name.
func (w *World) performed(id value.ObjectID, name NameID) (value.Value, bool) {
	for i := range w.Behavior.Runs.Len() {
		r := w.Behavior.Runs.unseen(int32(i))
		if !r.Used || r.Occurrence != id || r.Env == NoEnv {
			continue
		}
		r = w.Run(RunID(i))
		env := w.Env(r.Env)
		for k, s := range w.Program.Layouts[env.Layout].Slots {
			if s.Name == w.Program.Name(name) && !env.Slot(k).IsAbsent() {
				return env.Slot(k), true
			}
		}
	}
	w.asksRest()
	return value.Value{}, false
}

// driven reports whether a run has the turn already.
func (e *Engine) driven(id RunID) bool {
	w := e.World
	for _, t := range w.Behavior.Turn {
		if t.Kind == MachineTurn && RunID(t.Row) == id {
			return true
		}
		if t.Kind == FlowTurn && w.Flow(FlowID(t.Row)).Run == id {
			return true
		}
	}
	return false
}

// announce tells that a behaviour of an object runs.
func (e *Engine) announce(id RunID) {
	w := e.World
	r := w.Run(id)
	if r.Label == NoName {
		return
	}
	kind := "performed action "
	if r.Machine != NoMachine {
		kind = "exhibited state machine "
	}
	e.observe(trace.Event{Kind: trace.Run, Name: kind + w.Program.Name(r.Label) + " of #" + strconv.Itoa(int(w.Object(r.Self).Number))})
	w.editRun(id).Ran = true
}

// ofObject says of an error which behaviour of which object failed.
func (e *Engine) ofObject(id RunID, err error) error {
	r := e.World.Run(id)
	if err == nil || r.Label == NoName || !r.Used {
		return err
	}
	kind := "performed action "
	if r.Machine != NoMachine {
		kind = "exhibited state machine "
	}
	d := *diagnostic.Of(err)[0]
	d.Message = kind + e.World.Program.Name(r.Label) + " of object #" + strconv.Itoa(int(e.World.Object(r.Self).Number)) + ": " + d.Message
	return &d
}
