package exec

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file is what happens of itself in a state machine: completions, joins
// and change conditions.

// completed dispatches the completion of a state.
func (e *Engine) completed(id RunID, state int32) error {
	m := e.machineOf(id)
	if !e.isActive(id, state) || e.runningDo(id, state) {
		return nil
	}
	var list []int32
	for _, t := range m.States[state].Out {
		if m.Transitions[t].Trigger == CompletionTrigger {
			list = append(list, t)
		}
	}
	t, err := e.pickCompletion(id, state, list)
	if err != nil || t < 0 {
		return err
	}
	if m.States[m.Transitions[t].Target].Kind == JoinState && len(m.Transitions[t].Effects) == 0 {
		return e.completeJoin(id, state, t)
	}
	return e.fireAll(id, []int32{t}, "", nil, len(list) > 1)
}

// pickCompletion is the completion transition that a state takes; -1 for
// none.
func (e *Engine) pickCompletion(id RunID, state int32, list []int32) (int32, error) {
	m := e.machineOf(id)
	var holding []int32
	where := "state " + m.States[state].Name
	for _, t := range list {
		holds := true
		var err error
		if m.Transitions[t].Guard != NoUnit {
			if len(holding) == 0 {
				holds, err = e.stateGuard(id, t)
			} else if holds, err = e.aside().stateGuard(id, t); err != nil {
				e.unevaluable(where, e.transitionBranch(id, t), err)
				continue
			}
		}
		if err == nil && holds && m.States[m.Transitions[t].Target].Kind == JunctionState {
			holds, err = e.passJunctions(id, t)
		}
		if err != nil {
			return -1, err
		}
		if holds {
			holding = append(holding, t)
		}
	}
	if len(holding) == 0 {
		return -1, nil
	}
	c := schedule.Choice{Kind: schedule.Transition, Where: where + " on completion"}
	for _, t := range holding {
		c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: e.transitionBranch(id, t)})
	}
	k, err := e.choose(c)
	if err != nil {
		return -1, err
	}
	return holding[k], nil
}

// completeJoin fires the segments into a join that are complete, in the order
// that a choice gives.
func (e *Engine) completeJoin(id RunID, state, t int32) error {
	w := e.World
	m := e.machineOf(id)
	join := m.Transitions[t].Target
	states, segments, rows := []int32{state}, []int32{t}, []int32{NoRow}
	for row := e.firing(id).Timed.First; row != NoRow; row = w.Event(row).Next {
		ev := w.Event(row)
		if ev.Kind != CompletionEvent || ev.State == state {
			continue
		}
		for _, other := range m.States[ev.State].Out {
			x := &m.Transitions[other]
			if x.Trigger == CompletionTrigger && x.Target == join && x.Guard == NoUnit && len(x.Effects) == 0 {
				states, segments, rows = append(states, ev.State), append(segments, other), append(rows, row)
				break
			}
		}
	}
	first := 0
	if len(states) > 1 {
		c := schedule.Choice{Kind: schedule.JoinOrder, Where: "join " + m.States[join].Name}
		for _, s := range states {
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: m.States[s].Name})
		}
		var err error
		if first, err = e.choose(c); err != nil {
			return err
		}
	}
	order := append([]int32{int32(first)}, without(len(states), first)...)
	for _, k := range order {
		if rows[k] != NoRow {
			e.removeEvent(id, rows[k])
		}
	}
	for _, k := range order {
		if err := e.fireAll(id, []int32{segments[k]}, "", nil, false); err != nil {
			return err
		}
		if e.World.Run(id).State != RunOpen {
			return nil
		}
	}
	return nil
}

// without are the numbers below n but for k.
func without(n, k int) []int32 {
	var list []int32
	for i := range n {
		if i != k {
			list = append(list, int32(i))
		}
	}
	return list
}

// poll reads the change conditions of what is active and fires what has
// risen.
func (e *Engine) poll(id RunID) (bool, error) {
	if !e.hasChange(id) {
		return false, nil
	}
	risen, err := e.risen(id)
	if err != nil || len(risen) == 0 {
		return false, err
	}
	taken, err := e.candidates(nil, id, func(t int32) bool { return slices.Contains(risen, t) }, &Event{Kind: TimeEvent})
	if err != nil || len(taken) == 0 {
		return false, err
	}
	f := e.editFiring(id)
	for _, t := range risen {
		setBit(f.Latched, t, true)
	}
	if err := e.Meter.Count(budget.Events); err != nil {
		return false, err
	}
	if err := e.fireAll(id, taken, "change", nil, true); err != nil {
		return false, err
	}
	e.recall(id)
	return true, nil
}

// risen are the transitions out of active states whose change conditions are
// true and were not latched. Each condition is read once.
func (e *Engine) risen(id RunID) ([]int32, error) {
	m := e.machineOf(id)
	var risen, read []int32
	var few [8]int32
	for _, leaf := range e.leaves(few[:0], id) {
		for at := leaf; at >= 0; at = m.States[at].Parent {
			for _, t := range m.States[at].Out {
				if m.Transitions[t].Trigger != ChangeTrigger || slices.Contains(read, t) {
					continue
				}
				read = append(read, t)
				up, err := e.rises(id, t)
				if err != nil {
					return nil, err
				}
				if up {
					risen = append(risen, t)
				}
			}
		}
	}
	return risen, nil
}

// rises reads the condition of a change trigger and reports whether it is
// true and was not latched.
func (e *Engine) rises(id RunID, t int32) (bool, error) {
	x := &e.machineOf(id).Transitions[t]
	r := e.World.Run(id)
	v, err := e.evaluate(x.When, r.Self, r.Env, r.Depth)
	if err != nil {
		return false, err
	}
	up, ok := v.AsBool()
	if !ok {
		return false, failAt(value.TypeMismatch, x.Span, "change condition must be boolean, got "+v.TypeName())
	}
	if !up {
		if bit(e.firing(id).Latched, t) {
			setBit(e.editFiring(id).Latched, t, false)
		}
		return false, nil
	}
	return !bit(e.firing(id).Latched, t), nil
}

// entersFirst goes on with the entries below a state whose entry a dispatch
// may come before, unless a choice takes the dispatch first.
func (e *Engine) entersFirst(id RunID, row int32) (bool, error) {
	m := e.machineOf(id)
	state := e.firing(id).Interrupted
	if e.isActive(id, state) && row != NoRow {
		ev := e.World.Event(row)
		c := schedule.Choice{Kind: schedule.EntryAgainst, Where: "entry at " + schedule.At(e.World.now()), Alternatives: []schedule.Alternative{
			{Label: "dispatch " + ev.cause()}, {Label: m.States[state].Name + "(entry)"}}}
		k, err := e.choose(c)
		if err != nil {
			return false, err
		}
		if k == 0 {
			e.editFiring(id).Interrupted = -1
			return false, nil
		}
	}
	if !e.isActive(id, state) {
		e.editFiring(id).Interrupted = -1
		return false, nil
	}
	f := e.editFiring(id)
	f.Tasks = append(f.Tasks, Task{Kind: DescendTask, State: state}, Task{Kind: ScheduleTask})
	err := e.carryOut(id)
	e.editFiring(id).Interrupted = -1
	return true, err
}
