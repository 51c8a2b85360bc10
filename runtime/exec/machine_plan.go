package exec

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file says which states a transition leaves and enters, and schedules
// what entering brings.

// BadMachine is the code of a machine that cannot go on as it is written.
var BadMachine = diagnostic.Register("bad-state-machine",
	"A state machine cannot go on: no entry transition holds, no branch of a choice holds, or a transition leads where it cannot.")

// commonAncestor is the innermost state that contains two states and is
// neither, or, where one contains the other, the parent of the outer one.
func (m *Machine) commonAncestor(a, b int32) int32 {
	if m.contains(a, b) {
		return m.States[a].Parent
	}
	if m.contains(b, a) {
		return m.States[b].Parent
	}
	for at := m.States[a].Parent; at >= 0; at = m.States[at].Parent {
		if m.contains(at, b) {
			return at
		}
	}
	return 0
}

// contains reports whether inner is outer or at any depth in it.
func (m *Machine) contains(outer, inner int32) bool {
	for at := inner; at >= 0; at = m.States[at].Parent {
		if at == outer {
			return true
		}
	}
	return false
}

// standing is the active state that a transition out of source leaves from:
// the leaf below it, or the innermost parallel state around the first leaf.
func (e *Engine) standing(id RunID, source int32) int32 {
	m := e.machineOf(id)
	for !m.States[source].Parallel {
		c := e.activeChild(id, source)
		if c < 0 {
			break
		}
		source = c
	}
	if m.States[source].Parallel {
		var few [8]int32
		for _, leaf := range e.leaves(few[:0], id) {
			if !m.contains(source, leaf) {
				continue
			}
			for at := m.States[leaf].Parent; at >= 0; at = m.States[at].Parent {
				if m.States[at].Parallel {
					return at
				}
			}
		}
	}
	return source
}

// plan appends the tasks of firing transition t out of its source.
func (e *Engine) plan(tasks []Task, id RunID, t int32) []Task {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	from := e.standing(id, x.Source)
	switch target := &m.States[x.Target]; target.Kind {
	case ChoiceState:
		boundary := e.choiceBoundary(id, x.Source, x.Target)
		return append(e.leaving(tasks, id, x.Source, boundary, x.Target), Task{Kind: EffectsTask, Transition: t},
			Task{Kind: ChoiceTask, State: x.Target, Transition: t, N: from})
	case JunctionState:
		return e.planJunction(tasks, id, t, from)
	case ForkState:
		return e.planFork(tasks, id, t, from)
	case JoinState:
		return append(e.leaving(tasks, id, x.Source, m.States[x.Source].Parent, x.Source), Task{Kind: EffectsTask, Transition: t},
			Task{Kind: JoinTask, State: x.Target, Transition: t, N: from})
	case HistoryState, DeepHistory:
		return e.planHistory(tasks, id, t, from)
	case TerminateState:
		tasks = append(e.leaving(tasks, id, x.Source, m.States[x.Source].Parent, x.Source), Task{Kind: EffectsTask, Transition: t})
		return append(tasks, Task{Kind: LineTask, State: x.Target, N: from}, Task{Kind: StopTask, State: x.Target})
	}
	tasks = append(e.leaving(tasks, id, x.Source, m.commonAncestor(x.Source, x.Target), x.Target), Task{Kind: EffectsTask, Transition: t})
	return e.arriving(tasks, id, x.Source, x.Target, from)
}

// leaving appends the tasks that exit what is active below boundary on the side
// of source, and what of it is in the way of target in a sibling region.
func (e *Engine) leaving(tasks []Task, id RunID, source, boundary, target int32) []Task {
	m := e.machineOf(id)
	side := e.childTowards(id, boundary, source)
	if side >= 0 && e.isActive(id, side) {
		tasks = append(tasks, Task{Kind: LeaveTask, State: side})
	}
	if boundary >= 0 && m.States[boundary].Parallel {
		other := e.childTowards(id, boundary, target)
		if other >= 0 && other != side {
			at := other
			for {
				next := e.childTowards(id, at, target)
				if next < 0 || !e.isActive(id, next) || next == target {
					break
				}
				at = next
			}
			if c := e.activeChild(id, at); c >= 0 {
				tasks = append(tasks, Task{Kind: LeaveTask, State: c})
			}
		}
	}
	return tasks
}

// childTowards is the substate of outer that is or contains inner; -1 where
// none does.
func (e *Engine) childTowards(id RunID, outer, inner int32) int32 {
	m := e.machineOf(id)
	for at := inner; at > 0; at = m.States[at].Parent {
		if m.States[at].Parent == outer {
			return at
		}
	}
	return -1
}

// arriving appends the tasks that enter what leads from what is active to
// target, and tell of it.
func (e *Engine) arriving(tasks []Task, id RunID, source, target, from int32) []Task {
	tasks = e.entering(tasks, id, source, target)
	return append(tasks, Task{Kind: ScheduleTask}, Task{Kind: LineTask, State: target, N: from})
}

// entering appends the tasks that enter the states down to target that the move
// does not find active; parallel ones on the way enter their other regions as
// well.
func (e *Engine) entering(tasks []Task, id RunID, source, target int32) []Task {
	m := e.machineOf(id)
	boundary := m.commonAncestor(source, target)
	var few [8]int32
	path := m.pathBelow(few[:0], boundary, target)
	for i, s := range path {
		if e.isActive(id, s) && s != target && !e.leftByMove(id, source, boundary, s) {
			continue
		}
		tasks = append(tasks, Task{Kind: EnterTask, State: s})
		if m.States[s].Parallel && i+1 < len(path) {
			f := e.editFiring(id)
			f.Goals = append(f.Goals, target)
			return append(tasks, Task{Kind: DescendTask, State: s})
		}
	}
	return append(tasks, Task{Kind: DescendTask, State: target})
}

// leftByMove reports whether a state that is active is exited by the move
// before it is entered again.
func (e *Engine) leftByMove(id RunID, source, boundary, state int32) bool {
	side := e.childTowards(id, boundary, source)
	return side >= 0 && e.machineOf(id).contains(side, state)
}

// choiceBoundary is the innermost state that no branch out of a choice
// leaves, as far as the branches agree.
func (e *Engine) choiceBoundary(id RunID, source, choice int32) int32 {
	m := e.machineOf(id)
	deepest, depth := m.commonAncestor(source, choice), -1
	for _, t := range m.States[choice].Out {
		target := m.Transitions[t].Target
		c := m.commonAncestor(source, target)
		if m.States[target].Kind > FinalState && m.States[target].Kind != TerminateState {
			c = m.commonAncestor(source, m.States[target].Parent)
		}
		if d := len(m.States[c].Path); d > depth {
			deepest, depth = c, d
		}
	}
	return deepest
}

// branch takes a branch of a choice that was reached.
func (e *Engine) branch(id RunID, t Task) error {
	m := e.machineOf(id)
	s := &m.States[t.State]
	k, err := e.pick(id, s.Out, "choice "+s.Name)
	if err != nil {
		return err
	}
	if k < 0 {
		return failAt(BadMachine, s.Span, "choice "+s.Name+": no branch holds")
	}
	source := m.Transitions[t.Transition].Source
	for m.States[source].Kind > FinalState { // a choice behind a choice
		source = m.States[source].Parent
	}
	x := &m.Transitions[k]
	var tasks []Task
	boundary := m.commonAncestor(source, x.Target)
	if m.States[x.Target].Kind == ChoiceState {
		tasks = append(tasks, Task{Kind: EffectsTask, Transition: k}, Task{Kind: ChoiceTask, State: x.Target, Transition: t.Transition, N: t.N})
		e.prepend(id, tasks...)
		return nil
	}
	tasks = e.leaving(tasks, id, source, boundary, x.Target)
	tasks = append(tasks, Task{Kind: EffectsTask, Transition: k})
	if kind := m.States[x.Target].Kind; kind == TerminateState {
		tasks = append(tasks, Task{Kind: LineTask, State: x.Target, N: t.N}, Task{Kind: StopTask, State: x.Target})
	} else {
		tasks = e.arriving(tasks, id, source, x.Target, t.N)
	}
	e.prepend(id, tasks...)
	return nil
}

// pick is the transition that is taken of several: guards are read in order
// up to the first that holds, the rest silently; without a guard one holds
// where none with a guard does. -1 where none holds.
func (e *Engine) pick(id RunID, list []int32, where string) (int32, error) {
	m := e.machineOf(id)
	var holding []int32
	otherwise := int32(-1)
	guarded := false
	for _, t := range list {
		guarded = guarded || m.Transitions[t].Guard != NoUnit
	}
	for _, t := range list {
		if m.Transitions[t].Guard == NoUnit && guarded {
			if otherwise < 0 {
				otherwise = t
			}
			continue
		}
		holds := true
		var err error
		if m.Transitions[t].Guard != NoUnit {
			if len(holding) == 0 {
				holds, err = e.stateGuard(id, t)
			} else {
				holds, err = e.aside().stateGuard(id, t)
				if err != nil {
					e.unevaluable(where, e.transitionBranch(id, t), err)
					continue
				}
			}
		}
		if err != nil {
			return -1, err
		}
		if holds {
			holding = append(holding, t)
		}
	}
	if len(holding) == 0 {
		return otherwise, nil
	}
	c := schedule.Choice{Kind: schedule.Transition, Where: where}
	for _, t := range holding {
		c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: e.transitionBranch(id, t)})
	}
	if len(holding) < 2 {
		return holding[0], nil
	}
	k, err := e.choose(c)
	if err != nil {
		return -1, err
	}
	if k > 0 && m.Transitions[holding[k]].Guard != NoUnit {
		if _, err := e.stateGuard(id, holding[k]); err != nil {
			return -1, err
		}
	}
	return holding[k], nil
}

// transitionBranch is how a choice names a transition: its place among those
// out of its source, and where it leads.
func (e *Engine) transitionBranch(id RunID, t int32) string {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	for i, o := range m.States[x.Source].Out {
		if o == t {
			return itoa(int64(i+1)) + "->" + m.States[x.Target].Name
		}
	}
	return m.States[x.Target].Name
}

// planJunction goes on behind a junction along the branch that was chosen
// when the transition was selected.
func (e *Engine) planJunction(tasks []Task, id RunID, t, from int32) []Task {
	m := e.machineOf(id)
	path := e.junctionPath(id, t)
	if path == nil {
		return nil
	}
	source := m.Transitions[t].Source
	last := path[len(path)-1]
	target := m.Transitions[last].Target
	tasks = e.leaving(tasks, id, source, m.commonAncestor(source, target), target)
	for _, x := range path {
		tasks = append(tasks, Task{Kind: EffectsTask, Transition: x})
	}
	switch m.States[target].Kind {
	case ChoiceState:
		return append(tasks, Task{Kind: ChoiceTask, State: target, Transition: t, N: from})
	case TerminateState:
		return append(tasks, Task{Kind: LineTask, State: target, N: from}, Task{Kind: StopTask, State: target})
	}
	return e.arriving(tasks, id, source, target, from)
}

// junctionPath is the segments from t through junctions; nil where none
// holds. It is kept from when the transition was selected.
func (e *Engine) junctionPath(id RunID, t int32) []int32 {
	m := e.machineOf(id)
	path := []int32{t}
	for m.States[m.Transitions[t].Target].Kind == JunctionState && len(path) < 100 {
		next := int32(-1)
		for _, chosen := range e.firing(id).Junctions {
			if m.Transitions[chosen].Source == m.Transitions[t].Target {
				next = chosen
			}
		}
		if next < 0 {
			return nil
		}
		path = append(path, next)
		t = next
	}
	return path
}

// planFork enters the targets of the branches of a fork side by side.
func (e *Engine) planFork(tasks []Task, id RunID, t, from int32) []Task {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	fork := &m.States[x.Target]
	if len(fork.Out) == 0 {
		return nil
	}
	f := e.editFiring(id)
	owner := int32(-1)
	for _, branch := range fork.Out {
		target := m.Transitions[branch].Target
		f.Goals = append(f.Goals, target)
		for at := m.States[target].Parent; at >= 0; at = m.States[at].Parent {
			if m.States[at].Parallel && e.containsAll(m, at, fork.Out) {
				owner = at
				break
			}
		}
	}
	boundary := m.commonAncestor(x.Source, m.Transitions[fork.Out[0]].Target)
	tasks = append(e.leaving(tasks, id, x.Source, boundary, m.Transitions[fork.Out[0]].Target), Task{Kind: EffectsTask, Transition: t})
	return append(tasks, Task{Kind: ForkTask, State: x.Target, Transition: t, N: owner}, Task{Kind: ScheduleTask},
		Task{Kind: LineTask, State: x.Target, N: from})
}

func (e *Engine) containsAll(m *Machine, outer int32, branches []int32) bool {
	for _, b := range branches {
		if !m.contains(outer, m.Transitions[b].Target) {
			return false
		}
	}
	return true
}

// fork makes the front of the branches of a fork: the state that owns the
// regions is entered by the first of them.
func (e *Engine) fork(id RunID, t Task) {
	m := e.machineOf(id)
	fork := &m.States[t.State]
	owner := t.N
	var above []Task
	boundary := m.commonAncestor(m.Transitions[t.Transition].Source, owner)
	for _, s := range m.pathBelow(nil, boundary, owner) {
		above = append(above, Task{Kind: EnterTask, State: s, N: 1})
	}
	var queues []Queue
	for _, region := range m.States[owner].Children {
		if m.States[region].Kind != RegionState {
			continue
		}
		var tasks []Task
		for _, b := range fork.Out {
			if m.contains(region, m.Transitions[b].Target) {
				tasks = append(tasks, Task{Kind: EffectsTask, Transition: b})
			}
		}
		tasks = append(tasks, above...)
		queues = append(queues, Queue{Tasks: append(tasks, Task{Kind: EnterTask, State: region}, Task{Kind: DescendTask, State: region})})
	}
	f := e.editFiring(id)
	f.Fronts = append(f.Fronts, Front{Kind: schedule.ForkOrder, Where: "fork " + fork.Name, Queues: queues, Current: -1})
}

// planHistory restores what was active in the state that owns a history.
func (e *Engine) planHistory(tasks []Task, id RunID, t, from int32) []Task {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	h := &m.States[x.Target]
	owner := h.Parent
	f := e.firing(id)
	var goals []int32
	if h.Kind == DeepHistory {
		goals = e.deepHistory(id, owner)
	} else if m.States[owner].Parallel {
		for _, region := range m.States[owner].Children {
			if c := f.History[region]; m.States[region].Kind == RegionState && c >= 0 {
				goals = append(goals, c)
			}
		}
	} else if c := f.History[owner]; c >= 0 {
		goals = append(goals, c)
	}
	if len(goals) == 0 {
		return e.planDefaultHistory(tasks, id, t, from)
	}
	target := goals[0]
	edit := e.editFiring(id)
	edit.Goals = append(edit.Goals, goals...)
	tasks = append(e.leaving(tasks, id, x.Source, m.commonAncestor(x.Source, owner), owner), Task{Kind: EffectsTask, Transition: t})
	for _, s := range m.pathBelow(nil, m.commonAncestor(x.Source, owner), owner) {
		tasks = append(tasks, Task{Kind: EnterTask, State: s})
	}
	if len(goals) > 1 {
		target = owner
	}
	return append(tasks, Task{Kind: DescendTask, State: owner}, Task{Kind: ScheduleTask}, Task{Kind: LineTask, State: target, N: from})
}

// planDefaultHistory follows the transition out of a history whose owner was
// never left.
func (e *Engine) planDefaultHistory(tasks []Task, id RunID, t, from int32) []Task {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	h := &m.States[x.Target]
	target, effects := h.Parent, []Task{{Kind: EffectsTask, Transition: t}}
	if len(h.Out) > 0 {
		target = m.Transitions[h.Out[0]].Target
		effects = append(effects, Task{Kind: EffectsTask, Transition: h.Out[0]})
	}
	tasks = append(e.leaving(tasks, id, x.Source, m.commonAncestor(x.Source, target), target), effects...)
	return e.arriving(tasks, id, x.Source, target, from)
}

// deepHistory are the innermost states that were active when a state was left.
func (e *Engine) deepHistory(id RunID, state int32) []int32 {
	m := e.machineOf(id)
	s := &m.States[state]
	f := e.firing(id)
	if s.Parallel {
		var all []int32
		for _, region := range s.Children {
			if m.States[region].Kind == RegionState {
				all = append(all, e.deepHistory(id, region)...)
			}
		}
		return all
	}
	c := f.History[state]
	if c < 0 {
		return nil
	}
	if below := e.deepHistory(id, c); len(below) > 0 {
		return below
	}
	return []int32{c}
}

// joined notes that a segment into a join has arrived, and goes on behind the
// join when all have.
func (e *Engine) joined(id RunID, t Task) error {
	m := e.machineOf(id)
	f := e.editFiring(id)
	f.Arrived = append(f.Arrived, t.Transition)
	var incoming []int32
	for i := range m.Transitions {
		if m.Transitions[i].Target == t.State {
			incoming = append(incoming, int32(i))
		}
	}
	for _, in := range incoming {
		if !slices.Contains(f.Arrived, in) {
			return nil
		}
	}
	var left []int32
	for _, a := range f.Arrived {
		if !slices.Contains(incoming, a) {
			left = append(left, a)
		}
	}
	f.Arrived = left
	out := m.States[t.State].Out
	if len(out) == 0 {
		return nil
	}
	owner := m.States[m.Transitions[incoming[0]].Source].Parent
	for owner > 0 {
		all := true
		for _, in := range incoming {
			all = all && m.contains(owner, m.Transitions[in].Source)
		}
		if all {
			break
		}
		owner = m.States[owner].Parent
	}
	for owner > 0 && m.States[owner].Kind == RegionState {
		owner = m.States[owner].Parent
	}
	x := &m.Transitions[out[0]]
	boundary := m.commonAncestor(owner, x.Target)
	tasks := e.leaving(nil, id, owner, boundary, x.Target)
	tasks = append(tasks, Task{Kind: EffectsTask, Transition: out[0]})
	if m.States[x.Target].Kind == TerminateState {
		tasks = append(tasks, Task{Kind: LineTask, State: x.Target, N: owner}, Task{Kind: StopTask, State: x.Target})
	} else {
		tasks = e.arriving(tasks, id, owner, x.Target, owner)
	}
	e.prepend(id, tasks...)
	return nil
}

// scheduleEntered queues completions and timers of what was entered.
func (e *Engine) scheduleEntered(id RunID) error {
	m := e.machineOf(id)
	var few, fewer [8]int32
	f := e.editFiring(id)
	entered := append(few[:0], f.Entered...)
	f.Entered, f.Goals = f.Entered[:0], nil
	for _, s := range entered {
		if !e.isActive(id, s) || m.States[s].Kind == RegionState || s == 0 && len(m.States[s].Children) > 0 {
			continue
		}
		if e.activeChild(id, s) >= 0 {
			continue
		}
		if m.States[s].Kind == FinalState {
			e.completeAround(id, s)
			if e.World.Run(id).State != RunOpen {
				return nil
			}
			continue
		}
		e.queueCompletion(id, s)
	}
	leaves := append(fewer[:0], entered...)
	if len(leaves) > 1 {
		slices.SortStableFunc(leaves, func(a, b int32) int { return slices.Compare(m.States[a].Path, m.States[b].Path) })
	}
	return e.armAround(id, leaves)
}

// armAround starts the timers of leaves that were entered, and of the states
// around them.
func (e *Engine) armAround(id RunID, entered []int32) error {
	m := e.machineOf(id)
	for _, s := range entered {
		if !e.isActive(id, s) || e.activeChild(id, s) >= 0 || m.States[s].Kind == RegionState {
			continue
		}
		for at := s; at >= 0; at = m.States[at].Parent {
			if err := e.armTimers(id, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// queueCompletion queues the completion of a state that has no do running and
// something to do on it.
func (e *Engine) queueCompletion(id RunID, state int32) {
	if e.runningDo(id, state) || !e.completes(e.machineOf(id), state) {
		return
	}
	for row := e.firing(id).Timed.First; row != NoRow; row = e.World.Event(row).Next {
		if ev := e.World.Event(row); ev.Kind == CompletionEvent && ev.State == state {
			return
		}
	}
	e.addEvent(id, Event{Kind: CompletionEvent, State: state, Transition: -1, Time: e.World.now()})
}

func (e *Engine) runningDo(id RunID, state int32) bool {
	for _, d := range e.firing(id).Dos {
		if d.State == state && !d.Ended {
			return true
		}
	}
	return false
}

// completeAround sees what a final state completes: the state around it, of
// whose regions all are final, or the machine.
func (e *Engine) completeAround(id RunID, final int32) {
	m := e.machineOf(id)
	around := m.States[final].Parent
	if m.States[around].Kind == RegionState {
		around = m.States[around].Parent
		for _, region := range m.States[around].Children {
			if m.States[region].Kind != RegionState {
				continue
			}
			c := e.activeChild(id, region)
			if c < 0 || m.States[c].Kind != FinalState {
				return
			}
		}
	}
	if around == 0 {
		e.finishQuietly(id)
		return
	}
	e.queueCompletion(id, around)
}

// finishQuietly ends a machine that has reached its end.
func (e *Engine) finishQuietly(id RunID) {
	e.World.editRun(id).State = RunEnded
	e.withdraw(id)
}

// armTimers starts the timers of a state that do not run.
func (e *Engine) armTimers(id RunID, state int32) error {
	m := e.machineOf(id)
	w := e.World
	for _, t := range m.States[state].Out {
		x := &m.Transitions[t]
		if x.Trigger != AfterTrigger && x.Trigger != AtTrigger {
			continue
		}
		running := false
		for row := e.firing(id).Timed.First; row != NoRow; row = w.Event(row).Next {
			if ev := w.Event(row); ev.Kind == TimeEvent && ev.Transition == t {
				running = true
			}
		}
		if running {
			continue
		}
		r := w.Run(id)
		v, err := e.evaluate(x.When, r.Self, r.Env, r.Depth)
		if err != nil {
			return err
		}
		due, err := e.due(x.Trigger == AtTrigger, v, x.Span)
		if err != nil {
			return err
		}
		e.addEvent(id, Event{Kind: TimeEvent, Transition: t, State: -1, Time: due})
	}
	return nil
}

// stateGuard reads the guard of a transition.
func (e *Engine) stateGuard(id RunID, t int32) (bool, error) {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	r := e.World.Run(id)
	v, err := e.evaluate(x.Guard, r.Self, r.Env, r.Depth)
	if err != nil {
		return false, err
	}
	holds, ok := v.AsBool()
	if !ok {
		return false, failAt(value.TypeMismatch, x.Span, "guard of transition "+m.States[x.Source].Name+" -> "+m.States[x.Target].Name+
			" must be boolean, got "+v.TypeName())
	}
	e.Covered.guarded(m, t, holds)
	return holds, nil
}
