package exec

// This file says which move of an action may be made before all others
// without losing an end: what it reads and writes, nobody else will write or
// read, however long it is put off. It is a partial-order reduction with
// persistent sets of one token. What code touches is read off the code, and
// anything not understood touches everything.
//
// Putting the others off for ever is impossible: a node on a cycle of the flow
// and a body with a loop are never taken first.

// A footprint is what performing something reads and writes: the slots of the
// Env of the flow, behind them the channels of messages, and the clock, which
// no token writes.
type footprint struct {
	reads, writes []uint64
	all           bool // anything
	loops         bool
}

func newFootprint(slots int) footprint {
	n := (slots + 63) / 64
	return footprint{reads: make([]uint64, n), writes: make([]uint64, n)}
}

func (f *footprint) add(g *footprint) {
	for i := range g.reads {
		f.reads[i] |= g.reads[i]
		f.writes[i] |= g.writes[i]
	}
	f.all = f.all || g.all
}

// meets reports whether the order of f and g can matter.
func (f *footprint) meets(g *footprint) bool {
	if f.all || g.all {
		return true
	}
	for i := range f.reads {
		if f.writes[i]&(g.reads[i]|g.writes[i]) != 0 || f.reads[i]&g.writes[i] != 0 {
			return true
		}
	}
	return false
}

// An Independence knows what the nodes of an action touch. It never changes
// and may be shared.
type Independence struct {
	run      RunID
	graph    *Graph
	slots    int32 // how many the Env of the flow has
	channels *channels
	nodes    []footprint // what performing the node and leaving it touches
	later    []footprint // the node and all that a token can come to from it
	cycle    []bool
}

// Independence is what the nodes of an action touch, as far as the World in
// which the action has just begun tells; nil where nothing can be said.
func (w *World) Independence(id RunID) *Independence {
	r := w.Run(id)
	if r.Graph == NoGraph || r.Root == NoFlow {
		return nil
	}
	g := w.Program.Graphs[r.Graph]
	env := w.Env(r.Env)
	x := &Independence{run: id, graph: g, nodes: make([]footprint, len(g.Nodes)), later: make([]footprint, len(g.Nodes)), cycle: make([]bool, len(g.Nodes))}
	x.slots, x.channels = int32(env.Slots()), w.channelsOf(r)
	t := &toucher{World: w, env: env, places: x}
	for i := range g.Nodes {
		x.nodes[i] = t.node(g, int32(i))
	}
	for i := range g.Nodes {
		x.later[i] = newFootprint(t.size())
		seen := make([]bool, len(g.Nodes))
		var walk func(n int32)
		walk = func(n int32) {
			if seen[n] {
				x.cycle[i] = x.cycle[i] || n == int32(i)
				return
			}
			seen[n] = true
			x.later[i].add(&x.nodes[n])
			for _, e := range g.Nodes[n].Out {
				walk(g.Edges[e].To)
			}
		}
		walk(int32(i))
	}
	return x
}

// A toucher reads off what nodes touch.
type toucher struct {
	*World
	env    *Env
	places *Independence
}

func (t *toucher) size() int { return int(t.places.clock()) + 1 }

// clock is the place of the clock; what is before it are the slots and the
// channels.
func (x *Independence) clock() int32 { return x.slots + x.channels.count + 1 }

// node is what performing a node and leaving it reads and writes.
func (t *toucher) node(g *Graph, node int32) footprint {
	n := &g.Nodes[node]
	f := newFootprint(t.size())
	if n.Flow != NoGraph || n.Times > 1 || n.Weighted {
		f.all = true
		return f
	}
	own := int32(0)
	if n.Layout != NoLayout {
		own = 1
	}
	t.code(&f, n.Unit, own)
	for _, c := range n.Results {
		f.write(c.To)
	}
	for _, c := range n.Pending {
		f.write(c.From)
	}
	for i := range g.Pins {
		if p := &g.Pins[i]; p.From == node || p.To == node {
			f.write(p.Source)
			f.write(p.Target)
		}
	}
	for _, e := range n.Out {
		t.code(&f, g.Edges[e].Guard, 0)
		t.code(&f, g.Edges[e].Weight, 0)
	}
	return f
}

func (f *footprint) write(slot int32) { f.writes[slot/64] |= 1 << (uint(slot) % 64) }
func (f *footprint) read(slot int32)  { f.reads[slot/64] |= 1 << (uint(slot) % 64) }

// code adds what a unit touches whose Env is own hops inside that of the flow.
// Where a slot has a value now, it always will, and what stands in for it is
// not reached.
func (t *toucher) code(f *footprint, id UnitID, own int32) {
	if id == NoUnit {
		return
	}
	u := t.Program.Units[id]
	seen := make([]bool, len(u.Code))
	todo := []int32{0}
	for len(todo) > 0 && !f.all {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if pc < 0 || int(pc) >= len(u.Code) || seen[pc] {
			continue
		}
		seen[pc] = true
		in := u.Code[pc]
		jump := func(to int32) {
			f.loops = f.loops || to <= pc
			todo = append(todo, to)
		}
		switch in.Op {
		case OpReturn, OpReturnNone, OpFail:
		case OpJump:
			jump(in.A)
		case OpJumpIf, OpJumpIfNot, OpJumpPresent, OpJumpAbsent, OpJumpNull, OpJumpSome:
			jump(in.A)
			todo = append(todo, pc+1)
		case OpLessJump, OpLessEqualJump, OpGreaterJump, OpGreaterEqualJump, OpEqualJump, OpNotEqualJump:
			jump(u.Code[pc+1].A)
			todo = append(todo, pc+2)
		case OpNext:
			todo = append(todo, pc+1, pc+2)
		case OpEnv:
			present := false
			switch {
			case in.B == own:
				f.read(in.C)
				present = t.stays(in.C)
			case in.B > own:
				f.all = true
			}
			if todo = append(todo, pc+2); !present {
				todo = append(todo, pc+1)
			}
		case OpSetEnv:
			switch {
			case in.B == own:
				f.write(in.C)
			case in.B > own:
				f.all = true
			}
			todo = append(todo, pc+1)
		case OpSelf, OpOwner, OpSelfFeature, OpSetSelf: // skip where somebody performs
			f.all = f.all || t.places.channels.performed
			todo = append(todo, pc+1)
		case OpRequest:
			t.asks(f, &u.Requests[in.B])
			todo = append(todo, pc+1)
		case OpNop, OpEvaluated, OpMove, OpStatement, OpIterate, OpCheckBool, OpAdd, OpSub, OpMul, OpLess, OpLessEqual, OpGreater, OpGreaterEqual,
			OpEqual, OpNotEqual, OpBinary, OpUnary, OpSequence, OpCollection, OpIndex, OpAppend, OpLoopable, OpQuantity, OpClassify, OpCast:
			todo = append(todo, pc+1)
		default:
			f.all = true
		}
	}
}

// stays reports whether a slot has a value that nothing takes away again.
func (t *toucher) stays(slot int32) bool {
	switch t.Program.Layouts[t.env.Layout].Slots[slot].Kind {
	case AttributeData, ParameterData, ImplicitData:
		return !t.env.Slot(int(slot)).IsAbsent()
	}
	return false
}

// asks adds what a request touches.
func (t *toucher) asks(f *footprint, q *Request) {
	switch q.Kind {
	case DrawOrderRequest:
	case SendRequest:
		s := t.Program.Sends[q.Ref]
		f.write(t.places.slots + t.places.channels.sent(s))
		f.all = f.all || s.To.Kind > NodeAddress || s.Via != "" || s.Construct != NoType && len(t.Program.Types[s.Construct].Slots) > 0
	case AcceptRequest:
		switch a := t.Program.Accepts[q.Ref]; a.Kind {
		case MessageAccept:
			f.write(t.places.slots + t.places.channels.of[q.Ref])
		case WhenAccept:
			f.all = true
		default:
			f.read(t.places.clock())
		}
	default:
		f.all = true
	}
}

// Leads reports whether the moves of a token that stands at a node may be made
// before those of all others, which stand at the nodes of others: what it
// touches, they will not touch, however far they go.
func (x *Independence) Leads(s *Standing, others func(yield func(node int32) bool)) bool {
	f := &x.nodes[s.Node]
	n := &x.graph.Nodes[s.Node]
	switch s.State {
	case Arrived, BodyPause, MessageWait, ClockWait:
	default:
		return false
	}
	if n.Awaits != nil && n.Kind != MergeNode || n.Kind == JoinNode || x.cycle[s.Node] || f.loops || f.all {
		return false
	}
	for other := range others {
		if f.meets(&x.later[other]) {
			return false
		}
	}
	return true
}
