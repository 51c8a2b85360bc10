package exec

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file carries out the moves of state machines: a move is a list of
// tasks in the World, of which fire does the next one each time it is called,
// so that behaviours can have the turn in between.

// StartMachine makes a run of machine m performed by self and enters its
// first configuration.
func (e *Engine) StartMachine(m MachineID, self value.ObjectID, inputs ...Input) (RunID, error) {
	run := noRun(self)
	run.Machine = m
	id := e.newRun(run)
	e.World.Behavior.Attached = append(e.World.Behavior.Attached, id)
	if err := e.beginMachine(id, inputs); err != nil {
		return id, err
	}
	return id, e.enterFirst(id)
}

// Takes reports, as an error, the first of inputs that is for no parameter.
func (m *Machine) Takes(inputs []Input) error {
	for _, in := range inputs {
		if !slices.ContainsFunc(m.Params, func(p GraphParam) bool { return p.Name == in.Name && p.In }) {
			return failAt(BadPerform, m.Span, "state machine "+m.Name+" has no input parameter "+quote(in.Name))
		}
	}
	return nil
}

// beginMachine gives a machine its data.
func (e *Engine) beginMachine(id RunID, inputs []Input) error {
	w := e.World
	machine := e.machineOf(id)
	if machine.Fault != nil {
		return failure(machine.Fault)
	}
	env := w.NewEnv(machine.Layout, NoEnv, len(w.Program.Layouts[machine.Layout].Slots))
	r := w.editRun(id)
	r.Env = env
	if err := machine.Takes(inputs); err != nil {
		return err
	}
	for _, in := range inputs {
		for _, p := range machine.Params {
			if p.Name == in.Name && p.In {
				w.SetEnv(env, int(p.Slot), in.Value)
			}
		}
	}
	if machine.Init != NoUnit {
		return e.evaluateInit(machine.Init, r.Self, env, w.Run(id).Depth)
	}
	return nil
}

// enterFirst enters the first configuration of a machine.
func (e *Engine) enterFirst(id RunID) error {
	f := e.editFiring(id)
	f.Begun = true
	f.Tasks = append(f.Tasks, Task{Kind: EnterTask, State: 0}, Task{Kind: DescendTask, State: 0}, Task{Kind: ScheduleTask})
	return e.carryOut(id)
}

// carryOut does all that is left of a move.
func (e *Engine) carryOut(id RunID) error {
	base := len(e.World.Behavior.Turn)
	e.pushTurn(MachineTurn, int32(id))
	return e.act(base)
}

// fire does the next part of the move of a machine, and gives the turn back
// when there is none.
func (e *Engine) fire(id RunID) error {
	f := e.firing(id)
	switch {
	case f.Child != NoRun:
		return e.behaved(id)
	case len(f.Fronts) > 0:
		return e.moveFront(id)
	case len(f.Tasks) > 0:
		if f.Tasks[0].Kind == EnterTask && e.Resolver.OneMove() && len(f.Dos) > 0 {
			where := schedule.Choice{Kind: schedule.StepOrder, Where: "at " + schedule.At(e.World.now()),
				Alternatives: []schedule.Alternative{{Label: e.unitLabel(id, f.Tasks[0], false)}}}
			if _, again, err := e.againstDos(id, where); err != nil || again {
				return err
			}
		}
		edit := e.editFiring(id)
		t := edit.Tasks[0]
		edit.Tasks = append(edit.Tasks[:0], edit.Tasks[1:]...)
		return e.do(id, t)
	}
	e.popTurn()
	return nil
}

// prepend puts tasks before all others of what is under way: of the region
// that moves, or of the move.
func (e *Engine) prepend(id RunID, tasks ...Task) {
	if len(tasks) == 0 {
		return
	}
	f := e.editFiring(id)
	if n := len(f.Fronts); n > 0 && f.Fronts[n-1].Current >= 0 {
		q := &f.Fronts[n-1].Queues[f.Fronts[n-1].Current]
		q.Tasks = ahead(q.Tasks, tasks)
		return
	}
	f.Tasks = ahead(f.Tasks, tasks)
}

// ahead is rest with tasks before it, in the memory of rest where they fit.
func ahead(rest, tasks []Task) []Task {
	n := len(rest)
	rest = append(rest, tasks...)
	copy(rest[len(tasks):], rest[:n])
	copy(rest, tasks)
	return rest
}

// do does one task.
func (e *Engine) do(id RunID, t Task) error {
	m := e.machineOf(id)
	switch t.Kind {
	case EnterTask:
		e.enter(id, t.State)
	case DescendTask:
		return e.descend(id, t.State)
	case ExitTask:
		e.exit(id, t.State)
	case LeaveTask:
		e.leaveState(id, t.State)
	case EntryTask:
		return e.behave(id, m.States[t.State].Entry[t.N])
	case ExitBehave:
		return e.behave(id, m.States[t.State].Exit[t.N])
	case EffectsTask:
		e.Covered.taken(m, t.Transition)
		if len(m.Transitions[t.Transition].Effects) == 0 {
			return nil
		}
		var few [4]Task
		tasks := few[:0]
		for i := range m.Transitions[t.Transition].Effects {
			tasks = append(tasks, Task{Kind: EffectTask, Transition: t.Transition, N: int32(i)})
		}
		e.prepend(id, tasks...)
	case EffectTask:
		return e.behave(id, m.Transitions[t.Transition].Effects[t.N])
	case RegisterTask:
		return e.register(id, t.State)
	case ChoiceTask:
		return e.branch(id, t)
	case ScheduleTask:
		return e.scheduleEntered(id)
	case LineTask:
		e.tellMove(id, t.N, t.State)
	case ForkTask:
		e.fork(id, t)
	case JoinTask:
		return e.joined(id, t)
	case StopTask:
		e.stop(id, t.State)
	}
	return nil
}

// enter makes a state active and puts what its entry does before all else.
func (e *Engine) enter(id RunID, state int32) {
	if e.isActive(id, state) {
		return
	}
	e.activate(id, state)
	s := &e.machineOf(id).States[state]
	var few [4]Task
	tasks := few[:0]
	for i := range s.Entry {
		tasks = append(tasks, Task{Kind: EntryTask, State: state, N: int32(i)})
	}
	if len(s.Do) > 0 {
		tasks = append(tasks, Task{Kind: RegisterTask, State: state})
	}
	e.prepend(id, tasks...)
}

// activate makes a state active that was not.
func (e *Engine) activate(id RunID, state int32) {
	m := e.machineOf(id)
	s := &m.States[state]
	f := e.editFiring(id)
	setBit(f.Active, state, true)
	e.Covered.entered(m, state)
	if m.Changes {
		for _, t := range s.Out {
			if !slices.Contains(f.Fired, t) {
				setBit(f.Latched, t, false)
			}
		}
	}
	f.Entered = append(f.Entered, state)
	env := e.World.Run(id).Env
	for _, slot := range s.Slots {
		if !e.World.Env(env).Slot(int(slot)).IsAbsent() {
			e.World.SetEnv(env, int(slot), value.Value{})
		}
	}
	if s.Kind != RegionState && state != 0 {
		note := ""
		if len(s.Entry) > 0 {
			note = "entry action"
		}
		e.observe(trace.Event{Kind: trace.EnterState, Name: s.Name, Note: note, Number: 0})
		if e.Visited != nil {
			e.Visited(id, m.ID, state)
		}
	}
}

// descend enters what a state that was entered begins with: what the move
// leads to below it, or else its first substate; of a parallel state, all
// regions.
func (e *Engine) descend(id RunID, state int32) error {
	m := e.machineOf(id)
	s := &m.States[state]
	if s.Parallel {
		e.enterRegions(id, state)
		return nil
	}
	if goal := e.goalBelow(id, state); goal >= 0 {
		e.prepend(id, Task{Kind: EnterTask, State: goal}, Task{Kind: DescendTask, State: goal})
		return nil
	}
	if len(s.Entries) == 0 {
		return nil
	}
	for _, t := range s.Entries {
		holds := true
		if g := m.Transitions[t].Guard; g != NoUnit {
			var err error
			if holds, err = e.stateGuard(id, t); err != nil {
				return err
			}
		}
		if holds {
			e.Covered.taken(m, t)
			tasks := []Task{}
			if len(m.Transitions[t].Effects) > 0 {
				tasks = append(tasks, Task{Kind: EffectsTask, Transition: t})
			}
			target := m.Transitions[t].Target
			for _, between := range m.pathBelow(nil, state, target) {
				tasks = append(tasks, Task{Kind: EnterTask, State: between})
			}
			tasks = append(tasks, Task{Kind: DescendTask, State: target})
			if s.Interruptible && e.firing(id).Interrupted != state {
				e.editFiring(id).Interrupted = state
				return nil
			}
			e.prepend(id, tasks...)
			return nil
		}
	}
	return failAt(BadMachine, s.Span, "state "+s.Name+": no entry transition holds")
}

// goalBelow is the substate of a state that leads to a goal of the move; -1
// where none does.
func (e *Engine) goalBelow(id RunID, state int32) int32 {
	m := e.machineOf(id)
	for _, g := range e.firing(id).Goals {
		for at := g; at > 0; at = m.States[at].Parent {
			if m.States[at].Parent == state {
				return at
			}
		}
	}
	return -1
}

// pathBelow appends the states from below outer down to state to path, which
// is empty.
func (m *Machine) pathBelow(path []int32, outer, state int32) []int32 {
	n := 0
	for at := state; at != outer && at >= 0; at = m.States[at].Parent {
		n++
	}
	path = append(path, make([]int32, n)...)
	for at := state; at != outer && at >= 0; at = m.States[at].Parent {
		n--
		path[n] = at
	}
	return path
}

// enterRegions lets all regions of a parallel state be entered side by side.
func (e *Engine) enterRegions(id RunID, state int32) {
	m := e.machineOf(id)
	var queues []Queue
	for _, region := range m.States[state].Children {
		if m.States[region].Kind != RegionState || e.isActive(id, region) {
			continue
		}
		queues = append(queues, Queue{Tasks: []Task{{Kind: EnterTask, State: region}, {Kind: DescendTask, State: region}}})
	}
	f := e.editFiring(id)
	if n := len(f.Fronts); n > 0 {
		front := &f.Fronts[n-1]
		at := max(front.Current, 0)
		front.Queues = append(front.Queues[:at:at], append(queues, front.Queues[at:]...)...)
		front.Current, front.Performed = -1, false
		return
	}
	f.Fronts = append(f.Fronts, Front{Kind: schedule.EntryOrder, Where: "entering " + m.States[state].Name, Queues: queues, Current: -1})
}

// exitList are the tasks that exit a state and all that is active in it, from
// the leaves up.
func (e *Engine) exitList(id RunID, state int32) []Task {
	m := e.machineOf(id)
	var tasks []Task
	for _, c := range m.States[state].Children {
		if e.isActive(id, c) {
			tasks = append(tasks, e.exitList(id, c)...)
		}
	}
	return append(tasks, Task{Kind: ExitTask, State: state})
}

// leaveState exits a state: regions side by side, then the state itself.
func (e *Engine) leaveState(id RunID, state int32) {
	m := e.machineOf(id)
	s := &m.States[state]
	if !e.isActive(id, state) {
		return
	}
	f := e.firing(id)
	inFront := len(f.Fronts) > 0
	if !s.Parallel || inFront {
		if inFront {
			e.prepend(id, e.exitList(id, state)...)
			return
		}
		if c := e.activeChild(id, state); c >= 0 {
			e.prepend(id, Task{Kind: LeaveTask, State: c}, Task{Kind: ExitTask, State: state})
		} else {
			e.exit(id, state)
		}
		return
	}
	e.prepend(id, Task{Kind: ExitTask, State: state})
	var queues []Queue
	for _, region := range s.Children {
		if e.isActive(id, region) {
			queues = append(queues, Queue{Tasks: e.exitList(id, region)})
		}
	}
	edit := e.editFiring(id)
	edit.Fronts = append(edit.Fronts, Front{Kind: schedule.ExitOrder, Where: "exiting " + s.Name, Queues: queues, Current: -1})
}

// exit makes a state inactive: what waited in it is withdrawn.
func (e *Engine) exit(id RunID, state int32) {
	if !e.isActive(id, state) {
		return
	}
	e.deactivate(id, state)
	var few [4]Task
	tasks := few[:0]
	for i := range e.machineOf(id).States[state].Exit {
		tasks = append(tasks, Task{Kind: ExitBehave, State: state, N: int32(i)})
	}
	e.prepend(id, tasks...)
}

// deactivate makes a state inactive that was active.
func (e *Engine) deactivate(id RunID, state int32) {
	w := e.World
	m := e.machineOf(id)
	s := &m.States[state]
	for row := e.firing(id).Timed.First; row != NoRow; {
		ev := w.Event(row)
		next := ev.Next
		if ev.Kind == TimeEvent && m.Transitions[ev.Transition].Source == state || ev.Kind == CompletionEvent && ev.State == state {
			e.removeEvent(id, row)
		}
		row = next
	}
	f := e.editFiring(id)
	if s.Parent >= 0 && s.Kind != FinalState {
		f.History[s.Parent] = state
	}
	for i := 0; i < len(f.Dos); i++ {
		if f.Dos[i].State == state {
			run := f.Dos[i].Run
			f.Dos = append(f.Dos[:i], f.Dos[i+1:]...)
			if run != NoRun {
				e.endRun(run)
			}
			f = e.editFiring(id)
			i--
		}
	}
	setBit(f.Active, state, false)
	for i, entered := range f.Entered {
		if entered == state {
			f.Entered = append(f.Entered[:i], f.Entered[i+1:]...)
			break
		}
	}
	if s.Kind != RegionState && state != 0 {
		note := ""
		if len(s.Exit) > 0 {
			note = "exit action"
		}
		e.observe(trace.Event{Kind: trace.ExitState, Name: s.Name, Note: note})
	}
}

// behave begins a behaviour of a state or a transition; the move goes on when
// it has ended. One that is one piece is done at once.
func (e *Engine) behave(id RunID, b Behaviour) error {
	if !e.Resolver.OneMove() {
		if e.known.of(e.World.Program); e.known.isOnePiece(b.Graph) {
			return e.behaveStraight(id, b)
		}
	}
	child, err := e.beginBehaviour(id, b)
	if err != nil {
		return err
	}
	e.editFiring(id).Child = child
	e.pushTurn(FlowTurn, int32(e.World.Run(child).Root))
	return nil
}

// beginBehaviour makes the run of a behaviour.
func (e *Engine) beginBehaviour(id RunID, b Behaviour) (RunID, error) {
	w := e.World
	r := w.Run(id)
	run := noRun(r.Self)
	run.Graph, run.HostRun, run.Nesting, run.Depth = b.Graph, id, r.Nesting+1, r.Depth
	graph := w.Program.Graphs[b.Graph]
	if graph.Announced {
		run.Depth++
	}
	child := e.newRun(run)
	if graph.Announced {
		e.observe(trace.Event{Kind: trace.Statement, Depth: int(r.Depth), Word: "action body"})
		e.observe(trace.Event{Kind: trace.EnterNode, Name: graph.Owner})
	}
	return child, e.begin(child, r.Env, nil)
}

// behaved ends the behaviour that had the turn.
func (e *Engine) behaved(id RunID) error {
	w := e.World
	child := e.firing(id).Child
	if !w.Ended(child) {
		r := w.Run(child)
		if e.waitsForClock(r.Root) {
			return failAt(BadTime, w.Program.Graphs[r.Graph].Span, "state behavior waits for the clock")
		}
		return e.deadlock(child)
	}
	e.leaveAnnounced(child)
	e.editFiring(id).Child = NoRun
	e.endRun(child)
	return nil
}

func (e *Engine) leaveAnnounced(child RunID) {
	if g := e.World.Program.Graphs[e.World.Run(child).Graph]; g.Announced {
		e.observe(trace.Event{Kind: trace.LeaveNode, Name: g.Owner})
	}
}

// stop ends a machine at a terminate vertex.
func (e *Engine) stop(id RunID, state int32) {
	m := e.machineOf(id)
	f := e.firing(id)
	var abandoned []string
	for _, d := range f.Dos {
		if !d.Ended {
			abandoned = append(abandoned, m.States[d.State].Name)
		}
	}
	note := ""
	if len(abandoned) > 0 {
		note = "do behavior abandoned: " + strings.Join(abandoned, ", ")
	}
	e.observe(trace.Event{Kind: trace.Terminate, Name: ": " + m.States[state].Name, Note: note})
	e.finish(id, RunTerminated)
}

// finish ends a machine.
func (e *Engine) finish(id RunID, state RunState) {
	e.endMachine(id)
	e.World.editRun(id).State = state
}

// endMachine takes back all that a machine has beside its data.
func (e *Engine) endMachine(id RunID) {
	f := e.editFiring(id)
	f.Tasks, f.Fronts, f.Goals, f.Round = nil, nil, nil, nil
	for len(e.firing(id).Dos) > 0 {
		f := e.editFiring(id)
		run := f.Dos[0].Run
		f.Dos = f.Dos[1:]
		if run != NoRun {
			e.endRun(run)
		}
	}
	e.withdraw(id)
}
