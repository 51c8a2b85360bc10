package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file says whether it is worth moving the clock for a run. The clock goes
// on where nothing can act at the present instant, since what others do later
// may reach the run: a message, a value that a condition is about, an end that
// is put to it. Where the run waits for no time itself, and nothing of that can
// come, an object with a timer that begins again and again would move it for
// ever.

// outlook says whether time can bring a run anything: a wait of its own, or
// something that another run does.
func (e *Engine) outlook(driven RunID) bool {
	w := e.World
	if e.Others || driven == NoRun {
		return true
	}
	if e.waitsWithin(driven) {
		return true
	}
	self := w.Run(driven).Self
	for _, id := range w.Behavior.Attached {
		r := w.Run(id)
		if id == driven || !r.Used || w.Ended(id) {
			continue
		}
		if w.related(self, r.Self) || e.reaches(r) {
			return true
		}
	}
	return false
}

// waitsWithin reports whether a run, or one that it performs, waits for an
// instant or for a condition.
func (e *Engine) waitsWithin(driven RunID) bool {
	w := e.World
	for i := range w.Behavior.Runs.Len() {
		if id := RunID(i); w.Run(id).Used && w.top(id) == driven && e.waitsForMore(id) {
			return true
		}
	}
	return false
}

// waitsForMore reports whether something in a run waits for an instant, or for
// a condition, which anything may make true.
func (e *Engine) waitsForMore(id RunID) bool {
	w := e.World
	r := w.Run(id)
	if r.Machine != NoMachine {
		for row := w.Firing(id).Timed.First; row != NoRow; row = w.Event(row).Next {
			if w.Event(row).Kind == TimeEvent {
				return true
			}
		}
		return w.Program.Machines[r.Machine].Changes
	}
	for i := range w.Behavior.Tokens.Len() {
		if t := w.Token(TokenID(i)); t.Used && t.Run == id && (t.State == ClockWait || t.State == ChangeWait) {
			return true
		}
	}
	return false
}

// top is the run that nobody performs, of which a run is a part; NoRun where
// runs perform each other in a circle, as in a file of a World that was spoilt.
func (w *World) top(id RunID) RunID {
	for range w.Behavior.Runs.Len() + 1 {
		switch r := w.Run(id); {
		case r.Host != NoToken:
			id = w.Token(r.Host).Run
		case r.HostRun != NoRun:
			id = r.HostRun
		default:
			return id
		}
	}
	return NoRun
}

// related reports whether two objects belong to one.
func (w *World) related(a, b value.ObjectID) bool {
	return a != value.NoObject && b != value.NoObject && w.rootOf(a) == w.rootOf(b)
}

// A reacher walks the code of behaviours for what can reach another run: a
// message that is sent, an end that is put to an occurrence.
type reacher struct {
	p        *Program
	graphs   map[GraphID]bool
	units    map[UnitID]bool
	machines map[MachineID]bool
	// far says that something is found; made that the code may make objects,
	// or does what is not looked into.
	far, made bool
}

func newReacher(p *Program) *reacher {
	return &reacher{p: p, graphs: map[GraphID]bool{}, units: map[UnitID]bool{}, machines: map[MachineID]bool{}}
}

// reaches reports whether what a run may still perform can reach another run.
// Where it may make objects, what any object does counts.
func (e *Engine) reaches(r *Run) bool {
	key := reachKey{e.World.Program, r.Graph, r.Machine}
	if far, ok := e.reached[key]; ok {
		return far
	}
	x := newReacher(e.World.Program)
	if r.Machine != NoMachine {
		x.machine(r.Machine)
	} else {
		x.graph(r.Graph)
	}
	if x.made {
		x.objects()
	}
	if e.reached == nil {
		e.reached = map[reachKey]bool{}
	}
	e.reached[key] = x.far
	return x.far
}

// reachKey is a behaviour of a Program.
type reachKey struct {
	program *Program
	graph   GraphID
	machine MachineID
}

// ReadsOthers reports whether evaluating a unit may read more than its
// arguments and constants: an object, say.
func (p *Program) ReadsOthers(id UnitID) bool {
	x := newReacher(p)
	x.unit(id)
	return x.far || x.made || x.selves(id)
}

// selves reports whether a unit reads the object that it runs on.
func (x *reacher) selves(id UnitID) bool {
	for _, in := range x.p.Units[id].Code {
		switch in.Op {
		case OpSelf, OpOwner, OpSelfFeature:
			return true
		}
	}
	return false
}

// objects walks what the objects of all types do by themselves.
func (x *reacher) objects() {
	for _, t := range x.p.Types {
		for _, b := range t.Behaviours {
			switch {
			case b.Entry < 0:
			case b.Machine:
				x.machine(MachineID(b.Entry))
			default:
				x.graph(GraphID(b.Entry))
			}
		}
	}
}

func (x *reacher) machine(id MachineID) {
	if x.machines[id] {
		return
	}
	x.machines[id] = true
	m := x.p.Machines[id]
	x.unit(m.Init)
	for i := range m.States {
		s := &m.States[i]
		x.far = x.far || s.Kind == TerminateState
		for _, list := range [][]Behaviour{s.Entry, s.Do, s.Exit} {
			x.behaviours(list)
		}
	}
	for i := range m.Transitions {
		t := &m.Transitions[i]
		x.unit(t.When)
		x.unit(t.Guard)
		x.behaviours(t.Effects)
	}
}

func (x *reacher) behaviours(list []Behaviour) {
	for _, b := range list {
		x.graph(b.Graph)
	}
}

func (x *reacher) graph(id GraphID) {
	if id == NoGraph || x.graphs[id] {
		return
	}
	x.graphs[id] = true
	g := x.p.Graphs[id]
	x.unit(g.Init)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		x.unit(n.Unit)
		x.graph(n.Flow)
		for _, o := range n.Orders {
			x.unit(o.Unit)
		}
	}
	for i := range g.Edges {
		x.unit(g.Edges[i].Guard)
		x.unit(g.Edges[i].Weight)
	}
}

func (x *reacher) unit(id UnitID) {
	if id == NoUnit || x.units[id] {
		return
	}
	x.units[id] = true
	u := x.p.Units[id]
	for i := range u.Requests {
		x.request(&u.Requests[i])
	}
	for _, in := range u.Code {
		switch in.Op {
		case OpCall, OpCallOn, OpUnit, OpUnitOn:
			x.unit(UnitID(in.B))
		case OpSelfFeature:
			x.filled(NameID(in.B))
		case OpNop, OpEvaluated, OpMove, OpStatement, OpIterate, OpJump, OpJumpIf, OpJumpIfNot, OpJumpPresent, OpJumpAbsent, OpJumpNull, OpJumpSome, OpCheckBool,
			OpAdd, OpSub, OpMul, OpLess, OpLessEqual, OpGreater, OpGreaterEqual, OpEqual, OpNotEqual,
			OpLessJump, OpLessEqualJump, OpGreaterJump, OpGreaterEqualJump, OpEqualJump, OpNotEqualJump,
			OpBinary, OpUnary, OpSequence, OpCollection, OpIndex, OpAppend, OpNext, OpLoopable, OpLibrary, OpQuantity,
			OpReturn, OpReturnNone, OpBind, OpUnbound, OpSelf, OpOwner, OpSetSelf, OpClassify, OpCast, OpEnv, OpSetEnv, OpFail, OpRequest:
		default:
			x.made = true
		}
	}
}

// filled walks what makes the value of a feature at its first read.
func (x *reacher) filled(name NameID) {
	for _, t := range x.p.Types {
		for i := range t.Slots {
			if s := &t.Slots[i]; s.Name == name {
				x.made = x.made || s.Type != NoType && x.p.Types[s.Type].Active
				x.unit(s.Fill)
			}
		}
	}
}

func (x *reacher) request(q *Request) {
	switch q.Kind {
	case AcceptRequest, ClockRequest, UnperformedRequest, DrawOrderRequest:
	case PerformRequest:
		x.graph(x.p.Performs[q.Ref].Graph)
	case SubflowRequest:
		x.graph(x.p.Subflows[q.Ref].Graph)
	default:
		x.far = true
	}
}
