package exec

// This file takes a World in which one action is under way apart: into what
// each slot of its data holds, what is in each channel of messages, the clock,
// the tokens, and the rest. Two such Worlds are equal in canonical form where
// their parts are, and what the move of a token does is told by the token and
// by the parts that its node touches.

// Parts are the parts of a World. The zero value is ready for use; it keeps its
// memory from one World to the next.
type Parts struct {
	bytes  []byte
	ends   []int32
	Tokens []Standing
	// Relative asks for instants as seconds from now; Inexact then says that
	// this cannot be done exactly.
	Relative, Inexact bool
}

// Places is the number of parts beside the tokens: the slots, the channels, the
// clock and the rest.
func (p *Parts) Places() int { return len(p.ends) - 1 }

// Place is the canonical form of a part. It holds until the parts of another
// World are taken.
func (p *Parts) Place(i int) []byte { return p.bytes[p.ends[i]:p.ends[i+1]] }

// A Standing is a token as it stands at a node.
type Standing struct {
	Token      TokenID
	Node, Edge int32
	State      TokenState
	// Label is the canonical form of the token, its frame and its body.
	Label []byte
	// Able says that a move would get it anywhere.
	Able bool
	// Kind says of how much its moves can be told from.
	Kind StandingKind
}

// StandingKind says what the moves of a token depend on.
type StandingKind uint8

// The kinds of standing.
const (
	// Single: on the token and the places that its node touches.
	Single StandingKind = iota
	// Joining: on all tokens at its node, and those places.
	Joining
	// Anything: on more than is known.
	Anything
)

// Split takes the World of e apart; false where it is not of this kind, since
// other runs are under way, or tokens stand in flows that nodes own.
func (x *Independence) Split(e *Engine, p *Parts) bool {
	w := e.World
	if x == nil || len(w.Behavior.Attached) != 1 || w.Behavior.Attached[0] != x.run || len(w.Behavior.Turn) > 0 || w.Ended(x.run) {
		return false
	}
	flow := w.Run(x.run).Root
	for _, token := range w.Flow(flow).Tokens {
		if t := w.Token(token); t.Flow != flow || t.Bundle != 0 {
			return false
		}
	}
	for i := range w.Behavior.Runs.Len() {
		if r := w.Run(RunID(i)); r.Used && r.Host == NoToken && r.HostRun == NoRun && RunID(i) != x.run {
			return false
		}
	}
	c := canons.Get().(*canon)
	c.w, c.b, c.relative, c.inexact = w, p.bytes[:0], p.Relative, false
	p.ends = append(p.ends[:0], 0)
	end := func() { p.ends = append(p.ends, int32(len(c.b))) }
	env := w.Env(w.Run(x.run).Env)
	for i := range env.slots {
		c.value(&env.slots[i])
		end()
	}
	x.splitBus(c, end)
	c.instant(w.Behavior.Clock)
	end()
	x.splitRest(c)
	end()
	p.Tokens = p.Tokens[:0]
	for _, token := range w.Flow(flow).Tokens {
		t := w.Token(token)
		from := len(c.b)
		c.token(token)
		p.Tokens = append(p.Tokens, Standing{Token: token, Node: t.Node, Edge: t.Edge, State: t.State,
			Label: c.b[from:len(c.b):len(c.b)], Able: e.able(token), Kind: x.kind(t)})
	}
	p.bytes, p.Inexact = c.b, c.inexact
	c.w, c.b = nil, nil
	canons.Put(c)
	return true
}

// splitBus writes the messages of each channel, one channel behind another.
func (x *Independence) splitBus(c *canon, end func()) {
	var few [32]int32
	rows := c.messages(few[:0])
	for k := range x.channels.count + 1 {
		for _, row := range rows {
			if m := c.w.Message(row); x.channels.message(m) == k {
				c.b = append(c.b, 1)
				c.message(m)
			}
		}
		end()
	}
}

// splitRest writes what no token of a kind other than Anything touches.
func (x *Independence) splitRest(c *canon) {
	w := c.w
	r := w.Run(x.run)
	c.b = w.appendObjects(c.b)
	c.seed()
	c.int(int32(r.Graph))
	c.b = w.appendIdentity(c.b, r.Self)
	c.uint(uint64(w.Env(r.Env).Layout))
	c.b = append(c.b, byte(r.State), byte(w.Flow(r.Root).Sweep.Phase))
}

// kind is what the moves of a token depend on.
func (x *Independence) kind(t *Token) StandingKind {
	n := &x.graph.Nodes[t.Node]
	switch {
	case t.Child != NoRun || t.Sub != NoFlow || x.nodes[t.Node].all:
		return Anything
	case t.State == ChangeWait || t.State == Acting || t.State == ChildWait || t.State == SubWait:
		return Anything
	case n.Kind == JoinNode && t.Edge >= 0:
		return Joining
	case n.Awaits != nil && n.Kind != MergeNode && n.Kind != FinalNode && t.Edge >= 0:
		return Anything // it asks who could still come
	}
	return Single
}

// Touched lists the places that performing a node and leaving it touches.
func (x *Independence) Touched(node int32) []int32 {
	f := &x.nodes[node]
	var places []int32
	for i := range x.clock() + 1 {
		if (f.reads[i/64]|f.writes[i/64])&(1<<(uint(i)%64)) != 0 {
			places = append(places, i)
		}
	}
	return places
}

// Channels are the places of the channels of messages, from one to before the
// other.
func (x *Independence) Channels() (from, to int32) { return x.slots, x.clock() }
