package exec

import (
	"math"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// Behavior is the part of a World that running actions and state machines
// add. Rows refer to each other by number.
type Behavior struct {
	// Runs are performances of actions and of state machines, each with its
	// own steps: those that were started, those that objects have, and those
	// that a body performs.
	Runs Table[Run, *Run]
	// Firings are what runs of state machines add, by the number of the run;
	// the table reaches as far as the last run of a machine.
	Firings Table[Firing, *Firing]
	// Flows are graphs through which tokens of a run move.
	Flows Table[Flow, *Flow]
	// Tokens stand in flows.
	Tokens Table[Token, *Token]
	// Messages are on the way to who takes them.
	Messages Table[Message, *Message]
	// Events wait in the pools of machines.
	Events Table[Event, *Event]

	Rest
}

// Rest is the part of Behavior that is in no table.
type Rest struct {
	// Bus is the first and last message on the way.
	Bus Chain
	// Attached are the runs that share the clock, in the order they started.
	Attached []RunID
	// Turn is who has the turn: each entry acts on behalf of the one before
	// it and gives the turn back when it is done or can do no more.
	Turn []Turn
	// Clock is the time in seconds.
	Clock float64
	// Schedule is what the schedule remembers between choices; Model is the
	// model's own random stream, which is there where Seeded is set.
	Schedule schedule.Cursor
	Model    value.Stream
	Seeded   bool
	// Sequence numbers what is ordered by when it happened: arrivals of
	// events and pauses of bodies.
	Sequence int64
	// ClockObject is the object that reads as the clock; NoObject until it
	// was read.
	ClockObject value.ObjectID
}

// Chain is the first and the last row of a list; NoRow for an empty one.
type Chain struct{ First, Last int32 }

// NoRow stands where no row is meant.
const NoRow int32 = -1

// Numbers of rows.
type (
	RunID   int32
	FlowID  int32
	TokenID int32
)

// NoRun, NoFlow and NoToken stand where there is none.
const (
	NoRun   RunID   = -1
	NoFlow  FlowID  = -1
	NoToken TokenID = -1
)

// A Turn is an entry of Behavior.Turn.
type Turn struct {
	Kind TurnKind
	Row  int32
}

// TurnKind is whose turn it is.
type TurnKind uint8

// The kinds of turn.
const (
	FlowTurn    TurnKind = iota // the sweep of Flow Row
	MachineTurn                 // the firing of Run Row
)

// A Run is one performance of an action or of a state machine.
type Run struct {
	Used    bool
	Graph   GraphID   // NoGraph for a machine
	Machine MachineID // NoMachine for an action
	// Self is the performing object; NoObject for none.
	Self value.ObjectID
	// Occurrence is the object that stands for the performance itself, for
	// behaviours that objects have; NoObject for none.
	Occurrence value.ObjectID
	// Label is what traces call a behaviour of an object: an index of the
	// Program's Names; NoName for none.
	Label NameID
	Env   EnvID
	Root  FlowID
	// Host is the token whose body performs the action; NoToken where none
	// does. HostRun is the machine, where one does.
	Host    TokenID
	HostRun RunID
	// Steps counts the steps, LastToken is the highest id given to a token.
	Steps, LastToken int64
	// Depth is the level of the trace at which the statements stand.
	Depth int32
	State RunState
	// Ran says that a behaviour of an object has run before.
	Ran bool
	// Unit says that the run is a do behaviour, which moves a unit at a time.
	Unit bool
	// Number is the #n of a behaviour of an object.
	Number int32
	// Nesting counts the performances around this one.
	Nesting int32
	Key     uint64
}

// RunState is how far a Run is.
type RunState uint8

// The states of a Run.
const (
	RunOpen RunState = iota
	RunEnded
	RunTerminated
)

// A Flow is a graph that is performed: the body of a run, the flow that a
// node owns, or the body of a loop or a branch.
type Flow struct {
	Used  bool
	Kind  FlowKind
	Run   RunID
	Graph GraphID
	Env   EnvID
	// Parent is the flow around a nested flow and Node the node in it.
	Parent FlowID
	Node   int32
	// Host is the token whose body a subflow is part of.
	Host TokenID
	// Live counts the tokens in the flow and in flows that its nodes own.
	Live int32
	// Tokens are the tokens that a sweep over the flow tries, in order of
	// their ids: its own and those of the flows that its nodes own.
	Tokens []TokenID
	Depth  int32
	Sweep  Sweep
	// Sweeps counts the sweeps, for telling who came in which.
	Sweeps int64
	Key    uint64
}

// FlowKind is what a Flow is.
type FlowKind uint8

// The kinds of flow.
const (
	RootFlow FlowKind = iota
	NestedFlow
	Subflow
)

// Phase is how far a sweep is.
type Phase uint8

// The phases of a sweep.
const (
	Idle     Phase = iota // between two sweeps
	Sweeping              // trying the tokens in Order
	Resuming              // going on with the bodies that were paused before
)

// A Sweep is a step under way: the tokens it tries and what they did.
type Sweep struct {
	Phase Phase
	Order []TokenID
	Pos   int32
	// Paused are the bodies that were paused before the step, longest first.
	Paused []TokenID
	// Places are the tokens there were at the beginning, in order of ids.
	Places []Place
	// First is the place whose token acted first; -1 while none has.
	First  int32
	Writes []Write
	// Moved says that a token moved or ended.
	Moved bool
	// Acting is the token whose body runs now.
	Acting TokenID
}

// A Place is a token as it stood when a step began.
type Place struct {
	ID    int64
	Graph GraphID
	Node  int32
	// Acts says that the token acted, or had a fitting message on the bus.
	Acts bool
}

// A Write is the last value that a token wrote to one destination in a step.
type Write struct {
	Token int64
	// Env and Slot are the destination; or, where Env is NoEnv, Object and
	// Slot.
	Env    EnvID
	Object value.ObjectID
	Slot   int32
	Value  value.Value
	// Seq orders the writes.
	Seq int64
}

// A Token stands at a node.
type Token struct {
	Used bool
	ID   int64
	Run  RunID
	// Flow is the flow that the token is in; Owner is the one whose sweeps
	// try it.
	Flow, Owner FlowID
	Node        int32
	// Edge is the edge that the token came along; -1 for none.
	Edge  int32
	State TokenState
	// Stack is the paused body; Env the frame of the performance.
	Stack StackID
	Env   EnvID
	// Boundary counts the boundaries of the body that were passed.
	Boundary int64
	// Came is the sweep in which the token came to the node.
	Came int64
	// Since is the step in which the token began to wait, Due the instant
	// that it waits for, Seq when its body was paused.
	Since int64
	Due   float64
	Seq   int64
	// Child is the run that the body performs, Sub the subflow.
	Child RunID
	Sub   FlowID
	// Bundle is the id of the first of the tokens that one arrival at a node
	// with a multiplicity became; 0 for none.
	Bundle int64
}

// TokenState is what a token is about.
type TokenState uint8

// The states of a token.
const (
	Arrived   TokenState = iota // at the node, nothing done yet
	Held                        // at a node that waits for more tokens
	Acting                      // its body is under way
	BodyPause                   // its body is paused between two statements
	MessageWait
	ChangeWait
	ClockWait
	ChildWait // what its body performs is waiting
	SubWait   // the subflow that is part of its body is waiting
)

// A Message is on the way.
type Message struct {
	Used bool
	// Signal is the name of what is sent; Values are its payload by Names.
	Signal string
	Names  []string
	Values []value.Value
	Kind   Delivery
	// Node and Port address the receiver, Object the object that has it.
	Node, Port string
	Object     value.ObjectID
	Next, Prev int32
}

// Delivery says who may take a message.
type Delivery uint8

// The kinds of delivery.
const (
	ToAnyone   Delivery = iota
	ToPort              // port and object equal
	ToPortNode          // port, node and object equal
	ToNode              // node equal, no port
	ToObject            // no port, object equal
)

// An Event waits in the pool of a machine.
type Event struct {
	Used bool
	Kind EventKind
	// Signal is the signal or the operation, with its arguments.
	Signal string
	Port   string
	Names  []string
	Values []value.Value
	// Transition is that of a time event; State that of a completion.
	Transition int32
	State      int32
	Time       float64
	// Seq is the number of arrival.
	Seq int64
	// Deferred says that an active state holds the event back.
	Deferred   bool
	Next, Prev int32
}

// EventKind is what an Event is.
type EventKind uint8

// The kinds of event.
const (
	CompletionEvent EventKind = iota
	SignalEvent
	CallEvent
	TimeEvent
)

// start is the state of a new World.
func (b *Behavior) start() {
	b.Bus = Chain{NoRow, NoRow}
	b.ClockObject = value.NoObject
}

// share is b for a copy of its World.
func (b *Behavior) share() Behavior {
	s := *b
	s.Runs, s.Firings, s.Flows, s.Tokens = b.Runs.share(), b.Firings.share(), b.Flows.share(), b.Tokens.share()
	s.Messages, s.Events = b.Messages.share(), b.Events.share()
	b.Attached = b.Attached[:len(b.Attached):len(b.Attached)]
	s.Attached = b.Attached // whoever adds to it gets another array
	s.Turn = append([]Turn(nil), b.Turn...)
	return s
}

// reuse makes b, of a World with owner o that was dropped, what from is.
func (b *Behavior) reuse(from *Behavior, o *owner) {
	b.Runs.reuse(&from.Runs, o)
	b.Firings.reuse(&from.Firings, o)
	b.Flows.reuse(&from.Flows, o)
	b.Tokens.reuse(&from.Tokens, o)
	b.Messages.reuse(&from.Messages, o)
	b.Events.reuse(&from.Events, o)
	from.Attached = from.Attached[:len(from.Attached):len(from.Attached)]
	turn := b.Turn
	b.Rest = from.Rest
	b.Turn = append(turn[:0], from.Turn...)
}

// canonical hashes what a future can observe of b beyond its tables.
func (b *Behavior) canonical(*World) uint64 {
	h := mix(math.Float64bits(b.Clock), uint64(len(b.Turn)))
	if b.Seeded {
		h = mix(mix(h, b.Model.Hi), b.Model.Lo)
	}
	return h
}

func (r *Run) detach() {}

func (f *Flow) detach() {
	f.Tokens = append([]TokenID(nil), f.Tokens...)
	s := &f.Sweep
	s.Order = append([]TokenID(nil), s.Order...)
	s.Paused = append([]TokenID(nil), s.Paused...)
	s.Places = append([]Place(nil), s.Places...)
	s.Writes = append([]Write(nil), s.Writes...)
}

func (t *Token) detach() {}

func (m *Message) detach() {}

func (e *Event) detach() {}

func (r *Run) canonical(*World) uint64 {
	if !r.Used {
		return 0
	}
	return mix(r.Key, uint64(r.State)<<32|uint64(uint32(r.Graph))) | 1
}

func (f *Firing) canonical(*World) uint64 {
	if !f.Used {
		return 0
	}
	h := f.Key
	for _, a := range f.Active {
		h = mix(h, a)
	}
	for _, a := range f.Latched {
		h = mix(h, a)
	}
	for _, c := range f.History {
		h = mix(h, uint64(uint32(c)))
	}
	return mix(h, uint64(len(f.Tasks))<<32|uint64(len(f.Fronts))) | 1
}

func (f *Flow) canonical(*World) uint64 {
	if !f.Used {
		return 0
	}
	h := mix(f.Key, uint64(uint32(f.Graph))<<8|uint64(f.Sweep.Phase))
	return mix(h, uint64(uint32(f.Live))) | 1
}

func (t *Token) canonical(w *World) uint64 {
	if !t.Used {
		return 0
	}
	h := mix(w.Flow(t.Flow).Key, uint64(uint32(t.Node))<<32|uint64(uint32(t.Edge)))
	h = mix(h, uint64(t.State))
	if t.State == ClockWait {
		h = mix(h, math.Float64bits(t.Due))
	}
	if t.Env != NoEnv && t.Env != w.Flow(t.Flow).Env {
		h = mix(h, uint64(w.Env(t.Env).Layout))
	}
	if t.Stack != NoStack {
		h = mix(h, w.HashStack(t.Stack))
	}
	return h | 1
}

func (m *Message) canonical(w *World) uint64 {
	if !m.Used {
		return 0
	}
	h := mix(hashText(m.Signal), uint64(m.Kind))
	h = mix(mix(h, hashText(m.Node)), hashText(m.Port))
	h = mix(h, w.path(m.Object))
	for _, v := range m.Values {
		h = w.hashValue(h, v)
	}
	return h | 1
}

func (e *Event) canonical(w *World) uint64 {
	if !e.Used {
		return 0
	}
	h := mix(hashText(e.Signal), uint64(e.Kind)<<32|uint64(uint32(e.Transition)))
	h = mix(mix(h, uint64(uint32(e.State))), math.Float64bits(e.Time))
	for _, v := range e.Values {
		h = w.hashValue(h, v)
	}
	return h | 1
}

// appendCanonical writes what a future can observe of b.
func (b *Behavior) appendCanonical(dst []byte, w *World) []byte {
	c := canons.Get().(*canon)
	c.w, c.b, c.relative = w, dst, false
	c.behavior()
	dst = c.b
	c.w, c.b = nil, nil
	canons.Put(c)
	return dst
}

func appendText(b []byte, s string) []byte { return append(appendUint(b, uint64(len(s))), s...) }

// Run is the row of a run, for reading until the next write.
func (w *World) Run(id RunID) *Run { return w.Behavior.Runs.At(int32(id)) }

// Firing is the row of what a machine adds to its Run, for reading until the
// next write.
func (w *World) Firing(id RunID) *Firing { return w.Behavior.Firings.At(int32(id)) }

// Flow is the row of a flow, for reading until the next write.
func (w *World) Flow(id FlowID) *Flow { return w.Behavior.Flows.At(int32(id)) }

// Token is the row of a token, for reading until the next write.
func (w *World) Token(id TokenID) *Token { return w.Behavior.Tokens.At(int32(id)) }

// Message is a row of the bus, for reading until the next write.
func (w *World) Message(row int32) *Message { return w.Behavior.Messages.At(row) }

// Event is a row of the pools of machines, for reading until the next write.
func (w *World) Event(row int32) *Event { return w.Behavior.Events.At(row) }

func (w *World) editRun(id RunID) *Run { return w.Behavior.Runs.edit(w.owner, int32(id)) }
func (w *World) editFiring(id RunID) *Firing {
	return w.Behavior.Firings.edit(w.owner, int32(id))
}
func (w *World) editFlow(id FlowID) *Flow    { return w.Behavior.Flows.edit(w.owner, int32(id)) }
func (w *World) editToken(id TokenID) *Token { return w.Behavior.Tokens.edit(w.owner, int32(id)) }

// newFlow puts f into the World, in the memory that a flow before it had.
func (w *World) newFlow(f Flow) FlowID {
	id := FlowID(w.Behavior.Flows.add(w.owner))
	row := w.editFlow(id)
	f.Used, f.Tokens, f.Sweep = true, row.Tokens, row.Sweep
	f.Sweep.First, f.Sweep.Acting = -1, NoToken
	*row = f
	return id
}

// freeFlow releases a flow; the memory of its lists stays with the row.
func (w *World) freeFlow(id FlowID) {
	f := w.editFlow(id)
	s := &f.Sweep
	clear(s.Writes)
	*f = Flow{Tokens: f.Tokens[:0], Sweep: Sweep{Order: emptied(s.Order), Paused: emptied(s.Paused), Places: s.Places[:0], Writes: s.Writes[:0]}}
	w.Behavior.Flows.giveBack(int32(id))
}
