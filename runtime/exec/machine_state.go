package exec

import (
	"sort"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file is what a state machine that runs has in the World.

// A Firing is what a Run of a state machine adds to the Run: where it is,
// what waits for it, and what is left of the move under way. The zero Firing
// belongs to no machine.
type Firing struct {
	Used bool
	// Key is that of the run.
	Key uint64
	// Active has a bit for each active state.
	Active []uint64
	// History is the child of each state that was active when the state was
	// left; -1 where it never was.
	History []int32
	// Latched has a bit for each change trigger that was seen true and not
	// false since.
	Latched []uint64
	// Arrived are the transitions into joins that have arrived.
	Arrived []int32
	// Pool are the signals and calls that wait, Timed completions and timers.
	// Held counts the events of the pool that active states hold back.
	Pool, Timed Chain
	Held        int32
	// Dos are the do behaviours in the order of their registration.
	Dos []Do
	// Tasks are what is left of the move under way, the next one first;
	// Fronts are the regions that move side by side, the innermost last.
	Tasks  []Task
	Fronts []Front
	// Goals are the states that the move is to reach below parallel states.
	Goals []int32
	// Fired are the transitions of the move.
	Fired []int32
	// Junctions are the branches of junctions that were chosen when the
	// transition of the move was selected.
	Junctions []int32
	// Entered are the states that the move has entered.
	Entered []int32
	// Child is the behaviour that runs; NoRun for none.
	Child RunID
	// Cause is the event that the move answers, as lines show it: "accept
	// Go", "time", "change"; "" for a completion.
	Cause string
	// Begun says that the first configuration was entered.
	Begun bool
	// Interrupted is the state whose entry a dispatch may come before; -1
	// for none.
	Interrupted int32
	// Round are the dos left in the round under way.
	Round []int32
	// Returned are the outputs of behaviours that the event under way
	// triggered, by name.
	Names  []string
	Values []value.Value
}

// A Do is a do behaviour that runs.
type Do struct {
	State int32
	Run   RunID
	// Seq is when it was registered.
	Seq   int64
	Ended bool
}

// TaskKind is what a Task does.
type TaskKind uint8

// The kinds of task.
const (
	EnterTask    TaskKind = iota // enter State; with N 1 its regions are entered by others
	DescendTask                  // enter what State begins with
	ExitTask                     // exit State
	LeaveTask                    // exit State and all that is active in it
	EntryTask                    // entry behaviour N of State
	ExitBehave                   // exit behaviour N of State
	EffectTask                   // effect N of Transition
	RegisterTask                 // register the do behaviours of State
	ChoiceTask                   // choose a branch of choice State; Transition came there
	ScheduleTask                 // schedule completions and timers of what was entered
	LineTask                     // tell of the transition from state N to State
	CompleteTask                 // see whether something is complete
	JoinTask                     // Transition arrived at a join
	EffectsTask                  // all effects of Transition
	StopTask                     // the machine was terminated at State
	ForkTask                     // enter the branches of fork State; N owns the regions
)

// A Task is one thing that is left of a move.
type Task struct {
	Kind       TaskKind
	State      int32
	Transition int32
	N          int32
}

// A Front is the regions that move side by side.
type Front struct {
	Kind   schedule.Kind
	Where  string
	Queues []Queue
	// Current is the queue whose unit is under way; -1 for none.
	Current int32
	// Performed says that the unit under way has performed something.
	Performed bool
}

// A Queue is what is left to do for one region of a Front.
type Queue struct {
	Tasks []Task
	// Begun says that something of it was done.
	Begun bool
}

func newFiring(m *Machine, key uint64) Firing {
	f := Firing{Used: true, Key: key, Pool: Chain{NoRow, NoRow}, Timed: Chain{NoRow, NoRow}, Child: NoRun, Interrupted: -1,
		Active: make([]uint64, (len(m.States)+63)/64), Latched: make([]uint64, (len(m.Transitions)+63)/64),
		History: make([]int32, len(m.States))}
	for i := range f.History {
		f.History[i] = -1
	}
	return f
}

func bit(set []uint64, i int32) bool { return set[i/64]&(1<<(uint(i)%64)) != 0 }

func setBit(set []uint64, i int32, on bool) {
	if on {
		set[i/64] |= 1 << (uint(i) % 64)
	} else {
		set[i/64] &^= 1 << (uint(i) % 64)
	}
}

func (f *Firing) detach() {
	f.Active = append([]uint64(nil), f.Active...)
	f.History = append([]int32(nil), f.History...)
	f.Latched = append([]uint64(nil), f.Latched...)
	f.Arrived = append([]int32(nil), f.Arrived...)
	f.Dos = append([]Do(nil), f.Dos...)
	f.Tasks = append([]Task(nil), f.Tasks...)
	f.Goals = append([]int32(nil), f.Goals...)
	f.Fired = append([]int32(nil), f.Fired...)
	f.Junctions = append([]int32(nil), f.Junctions...)
	f.Entered = append([]int32(nil), f.Entered...)
	f.Round = append([]int32(nil), f.Round...)
	f.Names = append([]string(nil), f.Names...)
	f.Values = append([]value.Value(nil), f.Values...)
	fronts := make([]Front, len(f.Fronts))
	for i, front := range f.Fronts {
		front.Queues = append([]Queue(nil), front.Queues...)
		for j := range front.Queues {
			front.Queues[j].Tasks = append([]Task(nil), front.Queues[j].Tasks...)
		}
		fronts[i] = front
	}
	f.Fronts = fronts
}

func (t *Task) visit(c *codec) {
	number(c, &t.Kind)
	number(c, &t.State)
	number(c, &t.Transition)
	number(c, &t.N)
}

func (f *Firing) visit(c *codec) {
	c.bool(&f.Used)
	c.word(&f.Key)
	list(c, &f.Active, c.word)
	numbers(c, &f.History)
	list(c, &f.Latched, c.word)
	numbers(c, &f.Arrived)
	number(c, &f.Held)
	number(c, &f.Pool.First)
	number(c, &f.Pool.Last)
	number(c, &f.Timed.First)
	number(c, &f.Timed.Last)
	list(c, &f.Dos, func(d *Do) {
		number(c, &d.State)
		number(c, &d.Run)
		number(c, &d.Seq)
		c.bool(&d.Ended)
	})
	tasks := func(s *[]Task) { list(c, s, func(t *Task) { t.visit(c) }) }
	tasks(&f.Tasks)
	list(c, &f.Fronts, func(front *Front) {
		number(c, &front.Kind)
		c.text(&front.Where)
		list(c, &front.Queues, func(q *Queue) {
			tasks(&q.Tasks)
			c.bool(&q.Begun)
		})
		number(c, &front.Current)
		c.bool(&front.Performed)
	})
	numbers(c, &f.Goals)
	numbers(c, &f.Fired)
	numbers(c, &f.Junctions)
	numbers(c, &f.Entered)
	number(c, &f.Child)
	c.text(&f.Cause)
	c.bool(&f.Begun)
	number(c, &f.Interrupted)
	numbers(c, &f.Round)
	list(c, &f.Names, c.text)
	list(c, &f.Values, c.value)
}

func (e *Engine) firing(id RunID) *Firing     { return e.World.Firing(id) }
func (e *Engine) editFiring(id RunID) *Firing { return e.World.editFiring(id) }

func (e *Engine) machineOf(id RunID) *Machine {
	return e.World.Program.Machines[e.World.Run(id).Machine]
}

// isActive reports whether a state is active.
func (e *Engine) isActive(id RunID, state int32) bool { return bit(e.firing(id).Active, state) }

// activeChild is the active substate of a state that is not parallel; -1 for
// none.
func (e *Engine) activeChild(id RunID, state int32) int32 {
	for _, c := range e.machineOf(id).States[state].Children {
		if e.isActive(id, c) {
			return c
		}
	}
	return -1
}

// leaves appends the active states that have no active substate, in the order
// of their places in the machine.
func (e *Engine) leaves(list []int32, id RunID) []int32 {
	return e.machineOf(id).leaves(list, e.firing(id), 0)
}

// leaves appends the leaves of f that are s or in it.
func (m *Machine) leaves(list []int32, f *Firing, s int32) []int32 {
	any := false
	for _, c := range m.States[s].Children {
		if bit(f.Active, c) {
			any = true
			list = m.leaves(list, f, c)
		}
	}
	if !any && s != 0 && m.States[s].Kind != RegionState {
		list = append(list, s)
	}
	return list
}

// FinalState is the state that a machine is in, as cases spell it: the active
// state, or one for each region that has one, in the order of the names of
// the regions; and whether a terminate ended the machine.
func (w *World) FinalState(id RunID) (state string, terminated bool) {
	r := w.Run(id)
	if r.State == RunTerminated {
		return "", true
	}
	m, f := w.Program.Machines[r.Machine], w.Firing(id)
	type named struct{ region, state string }
	var all []named
	var walk func(s int32, region string)
	walk = func(s int32, region string) {
		for {
			if m.States[s].Parallel {
				if s != 0 && region != "" {
					all = append(all, named{region, m.States[s].Name})
				}
				for _, c := range m.States[s].Children {
					if bit(f.Active, c) {
						walk(c, m.States[c].Name)
					}
				}
				return
			}
			next := int32(-1)
			for _, c := range m.States[s].Children {
				if bit(f.Active, c) {
					next = c
				}
			}
			if next < 0 {
				if s != 0 && m.States[s].Kind != RegionState {
					all = append(all, named{region, m.States[s].Name})
				}
				return
			}
			s = next
		}
	}
	walk(0, "")
	sort.SliceStable(all, func(i, j int) bool { return all[i].region < all[j].region })
	for i, n := range all {
		if i > 0 {
			state += "+"
		}
		state += n.state
	}
	return state, false
}

// ActiveStates are the names of the active states of a machine, outer before
// inner.
func (w *World) ActiveStates(id RunID) []string {
	r := w.Run(id)
	m, f := w.Program.Machines[r.Machine], w.Firing(id)
	var names []string
	for i := range m.States {
		if i > 0 && bit(f.Active, int32(i)) && m.States[i].Kind != RegionState {
			names = append(names, m.States[i].Name)
		}
	}
	return names
}

// chain is the list that an event of a kind waits in.
func (f *Firing) chain(k EventKind) *Chain {
	if k == CompletionEvent || k == TimeEvent {
		return &f.Timed
	}
	return &f.Pool
}

// addEvent puts an event behind all others of its list.
func (e *Engine) addEvent(id RunID, ev Event) {
	w := e.World
	b := &w.Behavior
	row := b.Events.add(w.owner)
	b.Sequence++
	chain := e.editFiring(id).chain(ev.Kind)
	ev.Used, ev.Seq, ev.Prev, ev.Next = true, b.Sequence, chain.Last, NoRow
	*b.Events.edit(w.owner, row) = ev
	if chain.Last == NoRow {
		chain.First = row
	} else {
		b.Events.edit(w.owner, chain.Last).Next = row
	}
	chain.Last = row
}

func (e *Engine) removeEvent(id RunID, row int32) {
	w := e.World
	b := &w.Behavior
	ev := *b.Events.At(row)
	f := e.editFiring(id)
	chain := f.chain(ev.Kind)
	if ev.Deferred {
		f.Held--
	}
	if ev.Prev == NoRow {
		chain.First = ev.Next
	} else {
		b.Events.edit(w.owner, ev.Prev).Next = ev.Next
	}
	if ev.Next == NoRow {
		chain.Last = ev.Prev
	} else {
		b.Events.edit(w.owner, ev.Next).Prev = ev.Prev
	}
	b.Events.release(w.owner, row)
}

// withdraw takes all events of a machine back.
func (e *Engine) withdraw(id RunID) {
	for e.firing(id).Pool.First != NoRow {
		e.removeEvent(id, e.firing(id).Pool.First)
	}
	for e.firing(id).Timed.First != NoRow {
		e.removeEvent(id, e.firing(id).Timed.First)
	}
}

// PostEvent puts a signal or a call into the pool of a machine, or, where the
// run is an action, on the way to whoever takes it.
func (e *Engine) PostEvent(id RunID, name, port string, call bool, names []string, values []value.Value) {
	if e.World.Run(id).Machine == NoMachine {
		e.World.Post(name, port, names, values)
		return
	}
	kind := SignalEvent
	if call {
		kind = CallEvent
	}
	e.addEvent(id, Event{Kind: kind, Signal: name, Port: port, Names: names, Values: values, Time: e.World.now(), Transition: -1, State: -1})
}
