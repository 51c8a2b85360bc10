package exec

import "github.com/orrery-sysml/orrery/sysml/source"

// This file is what lowering makes of a state machine. It is part of a
// Program and never changes.

// A Machine is a state machine. States are numbered in order of declaration,
// outer before inner; state 0 is the machine itself.
type Machine struct {
	ID              MachineID
	Name, Qualified string
	Layout          LayoutID
	Params          []GraphParam
	// Init evaluates the values of attributes; NoUnit where there are none.
	Init        UnitID
	States      []State
	Transitions []StateTransition
	// Changes says that a transition has a change trigger, Defers that a state
	// holds signals back.
	Changes, Defers bool
	Links           []Link
	// Fault is why the machine cannot run; nil where it can.
	Fault *Failure
	Span  source.Span
}

// StateKind is what a vertex of a machine is.
type StateKind uint8

// The kinds of state.
const (
	SimpleState    StateKind = iota // a state, composite where it has Children
	RegionState                     // a substate of a parallel state, which is a region of it
	FinalState                      // done
	ChoiceState                     // choice
	JunctionState                   // junction
	ForkState                       // fork
	JoinState                       // join
	HistoryState                    // history
	DeepHistory                     // deep history
	TerminateState                  // action t terminate;
)

// A State is one vertex of a Machine.
type State struct {
	Name   string
	Kind   StateKind
	Parent int32 // -1 for the machine
	// Children are the substates in order.
	Children []int32
	// Parallel says that the Children are regions.
	Parallel bool
	// Entries are the ways to begin, in order; the first whose guard holds
	// is taken. They are transitions without a source.
	Entries []int32
	// Entry, Do and Exit are behaviours in order.
	Entry, Do, Exit []Behaviour
	// Out are the transitions that leave the state, in order.
	Out []int32
	// Defers are the signals that the state holds back.
	Defers []string
	// Slots are the data of the machine that belong to the state: each time it
	// is entered they have no value yet.
	Slots []int32
	// Interruptible says that isRunToCompletion is false for the state.
	Interruptible bool
	// Path is the place in the machine: indices among siblings, outermost first.
	Path []int32
	Span source.Span
}

// A Behaviour is one entry, do, exit or effect behaviour.
type Behaviour struct {
	Graph GraphID
}

// TriggerKind is what a transition waits for.
type TriggerKind uint8

// The kinds of trigger.
const (
	CompletionTrigger TriggerKind = iota
	SignalTrigger
	CallTrigger
	AfterTrigger
	AtTrigger
	ChangeTrigger
)

// A StateTransition is a transition of a Machine.
type StateTransition struct {
	Name           string
	Source, Target int32
	Trigger        TriggerKind
	// Signal is the name of the signal or the operation; "" for any.
	Signal string
	// Port is the path behind via; "" for none.
	Port string
	// Cause is how lines name an event of Signal: "accept Go", "call stop"; ""
	// where Signal is.
	Cause string
	// Payload is the slot that a signal's value is bound to; -1 for none.
	Payload     int32
	PayloadName string
	// Params are the parameters of a call and the slots that they bind to.
	Params     []string
	ParamSlots []int32
	// When evaluates the instant, the duration or the condition.
	When UnitID
	// Guard is NoUnit where there is none.
	Guard   UnitID
	Effects []Behaviour
	// Label is "T(effect)" without what stands in parentheses: the name, or
	// "src->tgt".
	Label string
	Span  source.Span
}

// Derive fills in what follows from the rest of m: Changes, Defers, and the
// Causes of its transitions.
func (m *Machine) Derive() {
	for i := range m.States {
		m.Defers = m.Defers || len(m.States[i].Defers) > 0
	}
	for i := range m.Transitions {
		x := &m.Transitions[i]
		m.Changes = m.Changes || x.Trigger == ChangeTrigger
		switch {
		case x.Signal == "":
		case x.Trigger == SignalTrigger:
			x.Cause = (&Event{Kind: SignalEvent, Signal: x.Signal}).cause()
		case x.Trigger == CallTrigger:
			x.Cause = (&Event{Kind: CallEvent, Signal: x.Signal}).cause()
		}
	}
}
