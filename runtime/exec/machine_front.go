package exec

import "github.com/orrery-sysml/orrery/runtime/schedule"

// This file moves regions side by side: a front has a queue for each, and
// while two or more have something left to perform a choice says whose next
// unit runs. What performs nothing rides along with the next unit of its
// queue that does.

// moveFront does the next part of the innermost front.
func (e *Engine) moveFront(id RunID) error {
	f := e.firing(id)
	front := &f.Fronts[len(f.Fronts)-1]
	if front.Current < 0 {
		return e.drawFront(id)
	}
	tasks := front.Queues[front.Current].Tasks
	if len(tasks) == 0 {
		e.restFront(id)
		return nil
	}
	head := tasks[0]
	if head.continues() || !front.Performed || head.Kind == DescendTask && e.performsNothing(id, tasks) {
		return e.popFront(id, front.Current)
	}
	if e.performsNothing(id, tasks) {
		return e.popFront(id, front.Current)
	}
	e.restFront(id)
	return nil
}

// restFront ends a unit.
func (e *Engine) restFront(id RunID) {
	f := e.editFiring(id)
	front := &f.Fronts[len(f.Fronts)-1]
	front.Current, front.Performed = -1, false
}

// popFront does the first task of a queue.
func (e *Engine) popFront(id RunID, queue int32) error {
	f := e.editFiring(id)
	front := &f.Fronts[len(f.Fronts)-1]
	q := &front.Queues[queue]
	t := q.Tasks[0]
	q.Tasks, q.Begun = q.Tasks[1:], true
	if e.performs(id, t) {
		front.Performed = true
	}
	return e.do(id, t)
}

// continues reports whether a task belongs to the unit before it.
func (t Task) continues() bool {
	switch t.Kind {
	case EntryTask, ExitBehave, EffectTask, RegisterTask:
		return true
	}
	return false
}

// performs reports whether a task performs something, so that its place among
// those of other regions matters.
func (e *Engine) performs(id RunID, t Task) bool {
	m := e.machineOf(id)
	switch t.Kind {
	case EnterTask:
		s := &m.States[t.State]
		if len(s.Entry) > 0 || len(s.Do) > 0 {
			return true
		}
		if s.Kind == RegionState {
			return false
		}
		return s.Parallel && t.N == 0 || len(s.Children) == 0 && (len(s.Exit) > 0 || e.completes(m, t.State))
	case ExitTask:
		s := &m.States[t.State]
		return len(s.Exit) > 0 || len(s.Do) > 0
	case EffectsTask:
		return len(m.Transitions[t.Transition].Effects) > 0
	case ChoiceTask, LeaveTask, StopTask, JoinTask:
		return true
	}
	return false
}

// completes reports whether a state that is entered will have a completion to
// dispatch.
func (e *Engine) completes(m *Machine, state int32) bool {
	for _, t := range m.States[state].Out {
		if m.Transitions[t].Trigger == CompletionTrigger {
			return true
		}
	}
	return false
}

// performsNothing reports whether no task of a queue performs anything.
func (e *Engine) performsNothing(id RunID, tasks []Task) bool {
	for _, t := range tasks {
		if e.performs(id, t) || t.Kind == DescendTask && e.performsBelow(id, t.State) {
			return false
		}
	}
	return true
}

// silent reports whether nothing is left of a queue that could be drawn. A
// firing among several is drawn as a whole even where it performs nothing.
func (e *Engine) silent(id RunID, front *Front, queue int) bool {
	q := &front.Queues[queue]
	return e.performsNothing(id, q.Tasks) && (q.Begun || front.Kind != schedule.RegionOrder)
}

// performsBelow reports whether descending from a state performs something.
func (e *Engine) performsBelow(id RunID, state int32) bool {
	m := e.machineOf(id)
	s := &m.States[state]
	if s.Parallel {
		return true
	}
	below := e.goalBelow(id, state)
	if below < 0 {
		if len(s.Entries) == 0 {
			return false
		}
		below = m.Transitions[s.Entries[0]].Target
	}
	return e.performs(id, Task{Kind: EnterTask, State: below}) || e.performsBelow(id, below)
}

// drawFront says whose next unit runs.
func (e *Engine) drawFront(id RunID) error {
	f := e.editFiring(id)
	front := &f.Fronts[len(f.Fronts)-1]
	for i := 0; i < len(front.Queues); i++ {
		if len(front.Queues[i].Tasks) == 0 {
			front.Queues = append(front.Queues[:i:i], front.Queues[i+1:]...)
			i--
		}
	}
	if len(front.Queues) == 0 {
		f.Fronts = f.Fronts[:len(f.Fronts)-1]
		return nil
	}
	for i := range front.Queues {
		if front.Queues[i].Tasks[0].Kind == DescendTask || e.rides(id, front.Queues[i].Tasks) {
			return e.popAhead(id, int32(i))
		}
	}
	if e.silent(id, front, 0) {
		front.Current, front.Performed = 0, true
		return nil
	}
	var ready []int32
	for i := range front.Queues {
		if !e.silent(id, front, i) {
			ready = append(ready, int32(i))
		}
	}
	c := schedule.Choice{Kind: front.Kind, Where: front.Where, Alternatives: e.unitAlternatives(id, front, ready)}
	k, again := 0, false
	var err error
	if e.entersNext(front, ready) {
		k, again, err = e.againstDos(id, c)
	} else {
		k, err = e.choose(c)
	}
	if err != nil || again {
		return err
	}
	f = e.editFiring(id)
	front = &f.Fronts[len(f.Fronts)-1]
	front.Current, front.Performed = ready[k], false
	return nil
}

// popAhead runs the next task of queue i, which is no unit of its own, so that
// nothing is chosen.
func (e *Engine) popAhead(id RunID, i int32) error {
	f := e.editFiring(id)
	f.Fronts[len(f.Fronts)-1].Current = i
	err := e.popFront(id, i)
	if f := e.editFiring(id); len(f.Fronts) > 0 {
		front := &f.Fronts[len(f.Fronts)-1]
		if front.Current == i {
			front.Current = -1
		}
		front.Performed = false
	}
	return err
}

// unitAlternatives are the next units of the queues that are ready, told apart
// at length where they would be called the same.
func (e *Engine) unitAlternatives(id RunID, front *Front, ready []int32) []schedule.Alternative {
	labels := make([]string, len(ready))
	for i, q := range ready {
		labels[i] = e.unitLabel(id, front.Queues[q].Tasks[0], false)
	}
	list := make([]schedule.Alternative, len(ready))
	for i, q := range ready {
		for j := range labels {
			if i != j && labels[i] == labels[j] {
				labels[i] = e.unitLabel(id, front.Queues[q].Tasks[0], true)
				break
			}
		}
		list[i].Label = labels[i]
	}
	return list
}

// entersNext reports whether one of the queues that are ready begins with an
// entry.
func (e *Engine) entersNext(front *Front, ready []int32) bool {
	for _, q := range ready {
		if front.Queues[q].Tasks[0].Kind == EnterTask {
			return true
		}
	}
	return false
}

// rides reports whether the first task of a queue is no unit at all: the
// entry or the exit of a region that has no behaviour.
func (e *Engine) rides(id RunID, tasks []Task) bool {
	t := tasks[0]
	if t.Kind != EnterTask && t.Kind != ExitTask {
		return false
	}
	return e.machineOf(id).States[t.State].Kind == RegionState && !e.performs(id, t)
}

// unitLabel is how a choice names a unit.
func (e *Engine) unitLabel(id RunID, t Task, qualified bool) string {
	m := e.machineOf(id)
	name := func(state int32) string {
		n := m.States[state].Name
		if qualified {
			for at := m.States[state].Parent; at > 0; at = m.States[at].Parent {
				if m.States[at].Kind == RegionState {
					return m.States[at].Name + "." + n
				}
			}
		}
		return n
	}
	switch t.Kind {
	case EnterTask, DescendTask:
		return name(t.State) + "(entry)"
	case ExitTask, LeaveTask:
		return name(t.State) + "(exit)"
	case EffectsTask, JoinTask, ChoiceTask:
		return m.Transitions[t.Transition].Label + "(effect)"
	}
	return name(t.State)
}
