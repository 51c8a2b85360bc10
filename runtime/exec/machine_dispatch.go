package exec

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file is the run loop of a state machine: do behaviours, change
// conditions, events.

// settleMachine makes one turn of a machine: a round of its do behaviours,
// then a change or an event that is due. It says whether anything happened.
func (e *Engine) settleMachine(id RunID) (bool, error) {
	if e.World.Run(id).State != RunOpen {
		return false, nil
	}
	if e.Resolver.OneMove() {
		return e.moveMachine(id)
	}
	acted, err := e.doRound(id)
	if err != nil || e.World.Run(id).State != RunOpen {
		return acted, err
	}
	return e.react(id, acted)
}

// react answers a change or an event that is due. It says whether anything
// happened, acted where nothing was due.
func (e *Engine) react(id RunID, acted bool) (bool, error) {
	changed, err := e.poll(id)
	if err != nil || changed {
		return true, err
	}
	row, err := e.nextEvent(id)
	if err != nil {
		return acted, err
	}
	if row == NoRow {
		row = e.takeMessage(id)
	}
	if e.firing(id).Interrupted >= 0 {
		enters, err := e.entersFirst(id, row)
		if err != nil || enters {
			return true, err
		}
	}
	if row == NoRow {
		return acted, nil
	}
	if err := e.Meter.Count(budget.Events); err != nil {
		return acted, err
	}
	if err := e.dispatch(id, row); err != nil {
		return true, err
	}
	e.Meter.Release()
	e.recall(id)
	return true, nil
}

// machineCanAct reports whether a machine has something to do now.
func (e *Engine) machineCanAct(id RunID) bool {
	w := e.World
	f := e.firing(id)
	for _, d := range f.Dos {
		if !d.Ended && (d.Run == NoRun || e.canMove(d.Run)) {
			return true
		}
	}
	for row := f.Timed.First; row != NoRow; row = w.Event(row).Next {
		if ev := w.Event(row); ev.Time <= w.now() {
			return true
		}
	}
	for row := f.Pool.First; row != NoRow; row = w.Event(row).Next {
		if !w.Event(row).Deferred {
			return true
		}
	}
	if e.hasChange(id) {
		probe := e.probe()
		if changed, err := probe.poll(id); err == nil && changed {
			return true
		}
	}
	return e.reactsTo(id) != NoRow
}

func (e *Engine) hasChange(id RunID) bool {
	m := e.machineOf(id)
	if !m.Changes {
		return false
	}
	for i := range m.Transitions {
		if m.Transitions[i].Trigger == ChangeTrigger && e.isActive(id, m.Transitions[i].Source) {
			return true
		}
	}
	return false
}

// nextEvent is the event to dispatch now; NoRow where none is due. Time
// triggers of one instant, and the earliest event of the pool beside them,
// have no order.
func (e *Engine) nextEvent(id RunID) (int32, error) {
	w := e.World
	f := e.firing(id)
	var timed []int32
	for row := f.Timed.First; row != NoRow; row = w.Event(row).Next {
		ev := w.Event(row)
		if ev.Kind == CompletionEvent {
			return row, nil
		}
		if ev.Time <= w.now() {
			timed = append(timed, row)
		}
	}
	earliest := NoRow
	for row := f.Pool.First; row != NoRow; row = w.Event(row).Next {
		if !w.Event(row).Deferred {
			earliest = row
			break
		}
	}
	if len(timed) == 0 {
		return earliest, nil
	}
	rows := timed
	if earliest != NoRow {
		rows = append(rows, earliest)
	}
	m := e.machineOf(id)
	c := schedule.Choice{Kind: schedule.Dispatch, Where: "events at " + schedule.At(w.now())}
	for _, row := range rows {
		ev := w.Event(row)
		label := ev.cause()
		if ev.Kind == TimeEvent {
			label = "time " + m.States[m.Transitions[ev.Transition].Source].Name + " " + e.transitionBranch(id, ev.Transition)
		}
		c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: label})
	}
	k, err := e.choose(c)
	if err != nil {
		return NoRow, err
	}
	return rows[k], nil
}

// cause is how lines name what an event is.
func (ev *Event) cause() string {
	switch ev.Kind {
	case SignalEvent:
		return "accept " + ev.Signal
	case CallEvent:
		return "call " + ev.Signal
	case TimeEvent:
		return "time"
	}
	return ""
}

// reactsTo is the oldest message that a machine can take now.
func (e *Engine) reactsTo(id RunID) int32 {
	w := e.World
	self := w.Run(id).Self
	w.asksBus(self)
	if w.Behavior.Bus.First == NoRow {
		return NoRow
	}
	m := e.machineOf(id)
	for row := w.Behavior.Bus.First; row != NoRow; row = w.Message(row).Next {
		msg := w.Message(row)
		for i := range m.States {
			if !e.isActive(id, int32(i)) {
				continue
			}
			for _, t := range m.States[i].Out {
				x := &m.Transitions[t]
				if x.Trigger == SignalTrigger && (x.Signal == "" || x.Signal == msg.Signal) && msg.reaches(consumer{x.Port, m.Name, self}) {
					return row
				}
			}
			if slices.Contains(m.States[i].Defers, msg.Signal) && msg.reaches(consumer{msg.Port, m.Name, self}) {
				return row
			}
		}
	}
	return NoRow
}

// takeMessage takes a message off the bus into the pool.
func (e *Engine) takeMessage(id RunID) int32 {
	w := e.World
	row := e.reactsTo(id)
	if row == NoRow {
		return NoRow
	}
	m := *w.Message(row)
	w.unlinkMessage(row)
	e.observe(trace.Event{Kind: trace.Accepted, Name: m.Signal, Object: w.numberOf(w.Run(id).Self)})
	e.addEvent(id, Event{Kind: SignalEvent, Signal: m.Signal, Port: m.Port, Names: m.Names, Values: m.Values,
		Time: w.now(), Transition: -1, State: -1})
	return e.firing(id).Pool.Last
}

// dispatch delivers an event.
func (e *Engine) dispatch(id RunID, row int32) error {
	ev := *e.World.Event(row)
	m := e.machineOf(id)
	switch ev.Kind {
	case CompletionEvent:
		e.removeEvent(id, row)
		return e.completed(id, ev.State)
	case TimeEvent:
		e.removeEvent(id, row)
		x := &m.Transitions[ev.Transition]
		if !e.isActive(id, x.Source) {
			return nil
		}
		if x.Guard != NoUnit {
			holds, err := e.stateGuard(id, ev.Transition)
			if err != nil || !holds {
				return err
			}
		}
		return e.fireAll(id, []int32{ev.Transition}, ev.cause(), nil, false)
	}
	list := e.lendList()
	taken, err := e.candidates(list, id, func(t int32) bool { return ev.triggers(&m.Transitions[t]) }, &ev)
	if err != nil {
		return err
	}
	if e.defers(id, &ev, taken) {
		if !ev.Deferred {
			e.World.Behavior.Events.edit(e.World.owner, row).Deferred = true
			e.editFiring(id).Held++
		}
	} else if e.removeEvent(id, row); len(taken) > 0 {
		err = e.fireAll(id, taken, m.Transitions[taken[0]].cause(&ev), &ev, true)
	}
	e.lists = append(e.lists, list)
	return err
}

// lendList gives an empty list for a dispatch, within which there may be
// others; what is put back into lists is lent again.
func (e *Engine) lendList() []int32 {
	if n := len(e.lists); n > 0 {
		list := e.lists[n-1]
		e.lists = e.lists[:n-1]
		return list
	}
	return make([]int32, 0, 8)
}

// cause is ev.cause for an event that triggers x.
func (x *StateTransition) cause(ev *Event) string {
	if x.Cause != "" && x.Signal == ev.Signal {
		return x.Cause
	}
	return ev.cause()
}

// triggers reports whether an event is what a transition waits for.
func (ev *Event) triggers(t *StateTransition) bool {
	switch {
	case ev.Kind == SignalEvent && t.Trigger == SignalTrigger:
		return (t.Signal == "" || t.Signal == ev.Signal) && t.Port == ev.Port
	case ev.Kind == CallEvent && t.Trigger == CallTrigger:
		if t.Signal != "" && t.Signal != ev.Signal {
			return false
		}
		for _, p := range t.Params {
			if !slices.Contains(ev.Names, p) {
				return false
			}
		}
		return true
	}
	return false
}

// defers reports whether an event is held back: a state that is active defers
// it, and no transition of that state or below it takes it.
func (e *Engine) defers(id RunID, ev *Event, taken []int32) bool {
	m := e.machineOf(id)
	if !m.Defers {
		return false
	}
	for i := range m.States {
		if !e.isActive(id, int32(i)) || !slices.Contains(m.States[i].Defers, ev.Signal) {
			continue
		}
		overridden := false
		for _, t := range taken {
			overridden = overridden || m.contains(int32(i), m.Transitions[t].Source)
		}
		if !overridden {
			return true
		}
	}
	return false
}

// recall gives deferred events back to the pool that nothing defers any more.
func (e *Engine) recall(id RunID) {
	if e.firing(id).Held == 0 {
		return
	}
	w := e.World
	m := e.machineOf(id)
	for row := e.firing(id).Pool.First; row != NoRow; row = w.Event(row).Next {
		ev := w.Event(row)
		if !ev.Deferred {
			continue
		}
		held := false
		for i := range m.States {
			held = held || e.isActive(id, int32(i)) && slices.Contains(m.States[i].Defers, ev.Signal)
		}
		if !held {
			edit := w.Behavior.Events.edit(w.owner, row)
			edit.Deferred, edit.Time = false, w.now()
			e.editFiring(id).Held--
		}
	}
}

// candidates appends to taken, which is empty, the transitions that an event
// fires: for each leaf the innermost state that has an enabled one, without
// those whose source contains that of another.
func (e *Engine) candidates(taken []int32, id RunID, matches func(t int32) bool, ev *Event) ([]int32, error) {
	m := e.machineOf(id)
	var few [8]int32
	leaves := m.leaves(few[:0], e.firing(id), 0)
	var looked map[int32]int32
	if len(leaves) > 1 {
		looked = map[int32]int32{}
	}
	for _, leaf := range leaves {
		for at := leaf; at >= 0; at = m.States[at].Parent {
			t, known := looked[at]
			if !known {
				var err error
				if t, err = e.enabled(id, m, at, matches, ev); err != nil {
					return nil, err
				}
				if looked != nil {
					looked[at] = t
				}
			}
			if t >= 0 {
				if !slices.Contains(taken, t) {
					taken = append(taken, t)
				}
				break
			}
		}
	}
	if len(taken) < 2 {
		return taken, nil
	}
	var kept []int32
	for _, t := range taken {
		loses := false
		for _, other := range taken {
			a, b := m.Transitions[t].Source, m.Transitions[other].Source
			loses = loses || a != b && m.contains(a, b)
		}
		if !loses {
			kept = append(kept, t)
		}
	}
	return kept, nil
}

// enabled is the transition out of a state that an event enables; -1 for
// none.
func (e *Engine) enabled(id RunID, m *Machine, state int32, matches func(t int32) bool, ev *Event) (int32, error) {
	var few [8]int32
	holding := few[:0]
	for _, t := range m.States[state].Out {
		if !matches(t) {
			continue
		}
		holds := true
		if m.Transitions[t].Guard != NoUnit {
			var err error
			undo := e.bindEvent(id, t, ev)
			if len(holding) == 0 {
				holds, err = e.stateGuard(id, t)
			} else if holds, err = e.aside().stateGuard(id, t); err != nil {
				e.unevaluable("state "+m.States[state].Name+" on "+ev.cause(), e.transitionBranch(id, t), err)
				holds, err = false, nil
			}
			undo()
			if err != nil {
				return -1, err
			}
		}
		if holds && m.States[m.Transitions[t].Target].Kind == JunctionState {
			var err error
			if holds, err = e.passJunctions(id, t); err != nil {
				return -1, err
			}
		}
		if holds {
			holding = append(holding, t)
		}
	}
	if len(holding) == 0 {
		return -1, nil
	}
	if len(holding) == 1 {
		return holding[0], nil
	}
	c := schedule.Choice{Kind: schedule.Transition, Where: "state " + m.States[state].Name + " on " + ev.cause()}
	for _, t := range holding {
		c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: e.transitionBranch(id, t)})
	}
	k, err := e.choose(c)
	if err != nil {
		return -1, err
	}
	return holding[k], nil
}

// passJunctions chooses the branches of the junctions that a transition leads
// through; it is not enabled where none holds.
func (e *Engine) passJunctions(id RunID, t int32) (bool, error) {
	m := e.machineOf(id)
	for range 100 {
		s := &m.States[m.Transitions[t].Target]
		if s.Kind != JunctionState {
			return true, nil
		}
		next, err := e.pick(id, s.Out, "junction "+s.Name)
		if err != nil || next < 0 {
			return false, err
		}
		f := e.editFiring(id)
		f.Junctions = append(f.Junctions, next)
		t = next
	}
	return false, failAt(BadMachine, m.Transitions[t].Span, "junctions lead round in a circle")
}

// bindEvent binds the payload or the parameters of an event for the guard or
// the effect of a transition; undo takes the bindings back.
func (e *Engine) bindEvent(id RunID, t int32, ev *Event) (undo func()) {
	if ev == nil {
		return func() {}
	}
	w := e.World
	x := &e.machineOf(id).Transitions[t]
	if x.Trigger == SignalTrigger && x.Payload < 0 {
		return func() {}
	}
	env := w.Run(id).Env
	type old struct {
		slot int32
		v    value.Value
	}
	var olds []old
	set := func(slot int32, v value.Value) {
		olds = append(olds, old{slot, w.Env(env).Slot(int(slot))})
		w.SetEnv(env, int(slot), v)
	}
	if x.Trigger == SignalTrigger && x.Payload >= 0 {
		for i, n := range ev.Names {
			if n == "value" {
				set(x.Payload, ev.Values[i])
			}
		}
	}
	if x.Trigger == CallTrigger {
		for k, p := range x.Params {
			for i, n := range ev.Names {
				if n == p {
					set(x.ParamSlots[k], ev.Values[i])
				}
			}
		}
	}
	return func() {
		for i := len(olds) - 1; i >= 0; i-- {
			w.SetEnv(env, int(olds[i].slot), olds[i].v)
		}
	}
}

// fireAll fires transitions: one as a move of its own, several side by side.
func (e *Engine) fireAll(id RunID, taken []int32, cause string, ev *Event, reread bool) error {
	m := e.machineOf(id)
	var few [8]int32
	fired := few[:0]
	for _, t := range taken {
		x := &m.Transitions[t]
		if ev != nil {
			e.bindEvent(id, t, ev)
		}
		if ev != nil && x.Trigger == SignalTrigger && x.Payload >= 0 && !hasSingle(ev) {
			return failAt(NoValue, x.Span, "no value: accept "+x.PayloadName+": the accepted "+ev.Signal+" carries no single value to bind")
		}
		if reread && x.Guard != NoUnit {
			holds, err := e.stateGuard(id, t)
			if err != nil {
				return err
			}
			if !holds {
				continue
			}
		}
		fired = append(fired, t)
	}
	f := e.editFiring(id)
	f.Cause, f.Fired = cause, append(f.Fired[:0], fired...)
	switch {
	case len(fired) == 0:
		return nil
	case len(fired) == 1 && e.straight(f, m, fired[0]):
		err := e.fireStraight(id, fired[0])
		f := e.editFiring(id)
		f.Junctions, f.Fired = nil, f.Fired[:0]
		return err
	case len(fired) == 1:
		var few [16]Task
		tasks := e.plan(few[:0], id, fired[0])
		f := e.editFiring(id)
		f.Tasks = append(f.Tasks, tasks...)
	default:
		var queues []Queue
		for _, t := range fired {
			queues = append(queues, Queue{Tasks: e.flatten(id, e.plan(nil, id, t))})
		}
		f := e.editFiring(id)
		f.Fronts = append(f.Fronts, Front{Kind: schedule.RegionOrder, Where: "on " + cause, Queues: queues, Current: -1})
	}
	err := e.carryOut(id)
	f = e.editFiring(id)
	f.Junctions, f.Fired = nil, f.Fired[:0]
	return err
}

// flatten spells out what leaving a state exits, so that each exit is a unit
// of its front.
func (e *Engine) flatten(id RunID, tasks []Task) []Task {
	var all []Task
	for _, t := range tasks {
		if t.Kind == LeaveTask {
			all = append(all, e.exitList(id, t.State)...)
		} else {
			all = append(all, t)
		}
	}
	return all
}

func hasSingle(ev *Event) bool { return slices.Contains(ev.Names, "value") }
