package exec

import (
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is what a token does at a node when its turn comes.

// try is the turn of a token in the sweep of flow id.
func (e *Engine) try(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	switch t.State {
	case Arrived, Held:
		if e.holds(token) {
			if !e.complete(token) {
				if t.State != Held {
					w.editToken(token).State = Held
				}
				return nil
			}
			token = e.fuse(token)
			w.editFlow(id).Sweep.Moved = true
			w.editFlow(id).Sweep.Acting = token
			return e.perform(id, token)
		}
		w.editFlow(id).Sweep.Acting = token
		return e.perform(id, token)
	case MessageWait, ChangeWait:
		w.editFlow(id).Sweep.Acting = token
		return e.goOn(id, token)
	case ClockWait:
		if t.Due <= w.now() {
			w.editFlow(id).Sweep.Acting = token
			return e.goOn(id, token)
		}
	case SubWait:
		// The host counts as acting in every step, whether or not what is in
		// it moves.
		moved := w.Flow(id).Sweep.Moved
		e.acted(id, t.ID)
		f := w.editFlow(id)
		f.Sweep.Moved, f.Sweep.Acting = moved, token
		e.pushTurn(FlowTurn, int32(t.Sub))
	}
	return nil
}

// resume goes on with a body that was paused before the step.
func (e *Engine) resume(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	if t.State == ChildWait {
		if !e.canMove(t.Child) {
			return nil
		}
		w.editFlow(id).Sweep.Acting = token
		e.pushRun(t.Child)
		return nil
	}
	w.editFlow(id).Sweep.Acting = token
	return e.goOn(id, token)
}

// pushRun gives the turn to a run that a body performs.
func (e *Engine) pushRun(id RunID) {
	w := e.World
	if r := w.Run(id); r.Machine == NoMachine {
		e.pushTurn(FlowTurn, int32(r.Root))
	} else {
		e.pushTurn(MachineTurn, int32(id))
	}
}

// holds reports whether the node of a token waits for a token on each of
// several of its successions.
func (e *Engine) holds(id TokenID) bool {
	w := e.World
	t := w.Token(id)
	n := e.nodeOf(t)
	if n.Kind == JoinNode && t.Edge >= 0 {
		return true
	}
	if n.Awaits == nil || t.Edge < 0 || n.Kind == MergeNode || n.Kind == FinalNode {
		return false
	}
	awaited := 0
	for i := range n.In {
		if e.delivered(t, n.In[i]) != nobody || e.reachable(t, n.Awaits[i]) {
			awaited++
		}
	}
	return awaited > 1
}

// arrival says whether a token stands at a node along one of its edges.
type arrival uint8

const (
	nobody  arrival = iota
	justNow         // it came in the sweep under way and waits for the next
	before
)

// delivered says whether a token stands at the node of t along edge.
func (e *Engine) delivered(t *Token, edge int32) arrival {
	w := e.World
	owner := w.Flow(t.Owner)
	best := nobody
	for _, other := range owner.Tokens {
		o := w.Token(other)
		if o.Flow != t.Flow || o.Node != t.Node || o.Edge != edge || o.State != Held && o.State != Arrived {
			continue
		}
		if o.Came < owner.Sweeps || owner.Sweep.Phase == Idle {
			return before
		}
		best = justNow
	}
	return best
}

// reachable reports whether a token other than those at the node of t is on a
// node in the set.
func (e *Engine) reachable(t *Token, set []uint64) bool {
	w := e.World
	for _, other := range w.Flow(t.Owner).Tokens {
		o := w.Token(other)
		flow, node := o.Flow, o.Node
		for flow != t.Flow && w.Flow(flow).Kind == NestedFlow {
			flow, node = w.Flow(flow).Parent, w.Flow(flow).Node
		}
		if flow != t.Flow || node == t.Node && (o.State == Held || o.State == Arrived) && o.Flow == t.Flow {
			continue
		}
		if set[node/64]&(1<<(uint(node)%64)) != 0 {
			return true
		}
	}
	return false
}

// complete reports whether every succession that the node of a token awaits
// has delivered one; a join awaits them all.
func (e *Engine) complete(id TokenID) bool {
	t := e.World.Token(id)
	n := e.nodeOf(t)
	if n.Awaits == nil {
		return true
	}
	for i, edge := range n.In {
		switch e.delivered(t, edge) {
		case justNow:
			return false
		case nobody:
			if n.Kind == JoinNode || e.reachable(t, n.Awaits[i]) {
				return false
			}
		}
	}
	return true
}

// fuse takes the earliest token of each succession into the node of id and
// makes one new token of them.
func (e *Engine) fuse(id TokenID) TokenID {
	w := e.World
	t := *w.Token(id)
	n := e.nodeOf(&t)
	var taken []TokenID
	for _, edge := range n.In {
		for _, other := range w.Flow(t.Owner).Tokens {
			o := w.Token(other)
			if o.Flow == t.Flow && o.Node == t.Node && o.Edge == edge && (o.State == Held || o.State == Arrived) {
				taken = append(taken, other)
				break
			}
		}
	}
	fused := e.newToken(t.Flow, t.Node, -1)
	for _, other := range taken {
		e.drop(other)
	}
	return fused
}

// perform begins the performance of the node where a token stands.
func (e *Engine) perform(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	n := e.nodeOf(t)
	if n.Times > 1 && t.Bundle == 0 {
		e.multiply(token, n.Times)
		e.acted(id, w.Token(token).ID)
		return e.rest(id)
	}
	e.Covered.performed(w.Program.Graphs[w.Flow(t.Flow).Graph], t.Node)
	if n.Kind == FinalNode {
		e.acted(id, t.ID)
		e.setActing(id, NoToken)
		return e.retire(id, token)
	}
	if n.Layout != NoLayout {
		if err := e.frame(token, n); err != nil {
			return err
		}
	}
	if n.Flow != NoGraph {
		return e.enterFlow(id, token)
	}
	if n.Unit == NoUnit {
		return e.performed(id, token)
	}
	w.editToken(token).State = Acting
	r := e.body(w.Flow(id).Depth)
	r.Start(n.Unit, e.self(token), e.envOf(token))
	return e.run(id, token, r)
}

// rest ends the turn of the acting token.
func (e *Engine) rest(id FlowID) error {
	e.setActing(id, NoToken)
	return nil
}

func (e *Engine) setActing(id FlowID, token TokenID) { e.World.editFlow(id).Sweep.Acting = token }

func (e *Engine) self(token TokenID) value.ObjectID {
	return e.World.Run(e.World.Token(token).Run).Self
}

// envOf is what the body of a token works on.
func (e *Engine) envOf(token TokenID) EnvID { return e.World.envOf(token) }

func (w *World) envOf(token TokenID) EnvID {
	t := w.Token(token)
	if t.Env != NoEnv {
		return t.Env
	}
	return w.Flow(t.Flow).Env
}

// frame makes the frame of a performance, with the values that flows have
// brought for its pins.
func (e *Engine) frame(token TokenID, n *GraphNode) error {
	w := e.World
	t := w.Token(token)
	outer := w.Flow(t.Flow).Env
	env := w.NewEnv(n.Layout, outer, len(w.Program.Layouts[n.Layout].Slots))
	for _, c := range n.Pending {
		if v := w.Env(outer).Slot(int(c.From)); !v.IsAbsent() {
			w.SetEnv(env, int(c.To), v)
			w.SetEnv(outer, int(c.From), value.Value{})
		}
	}
	w.editToken(token).Env = env
	return nil
}

// multiply makes n tokens of one that arrived at a node with a multiplicity.
func (e *Engine) multiply(token TokenID, n int32) {
	w := e.World
	t := w.editToken(token)
	t.Bundle, t.State, t.Edge = t.ID, Arrived, -1
	flow, node, bundle := t.Flow, t.Node, t.ID
	for range n - 1 {
		w.editToken(e.newToken(flow, node, -1)).Bundle = bundle
	}
}

// enterFlow takes a token into the flow that its node owns.
func (e *Engine) enterFlow(id FlowID, token TokenID) error {
	w := e.World
	t := *w.Token(token)
	n := e.nodeOf(&t)
	graph := w.Program.Graphs[n.Flow]
	env := t.Env
	if env == NoEnv {
		env = w.NewEnv(graph.Layout, w.Flow(t.Flow).Env, len(w.Program.Layouts[graph.Layout].Slots))
	}
	depth := w.Flow(t.Flow).Depth
	flow := w.newFlow(Flow{Kind: NestedFlow, Run: t.Run, Graph: n.Flow, Env: env, Parent: t.Flow, Node: t.Node,
		Host: NoToken, Depth: depth, Key: mix(w.Flow(t.Flow).Key, uint64(t.Node)+2)})
	if graph.Init != NoUnit {
		if err := e.evaluateInit(graph.Init, e.self(token), env, depth); err != nil {
			return err
		}
	}
	e.acted(id, t.ID)
	e.observe(trace.Event{Kind: trace.EnterNode, Name: graph.Owner})
	e.startTokens(flow, graph.Starts, token)
	return e.rest(id)
}

// leaveFlow ends a flow that a node owns, whose last token is token, and
// performs what follows the node.
func (e *Engine) leaveFlow(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	flow := *w.Flow(t.Flow)
	graph := w.Program.Graphs[flow.Graph]
	e.observe(trace.Event{Kind: trace.LeaveNode, Name: graph.Owner})
	nested := t.Flow
	e.clearFrame(token)
	tok := w.editToken(token)
	tok.Flow, tok.Node, tok.Env, tok.Edge = flow.Parent, flow.Node, flow.Env, -1
	w.editFlow(nested).Live = 0
	w.freeFlow(nested)
	return e.performed(id, token)
}

// clearFrame ends the frame and the body of a performance.
func (e *Engine) clearFrame(token TokenID) {
	w := e.World
	t := w.editToken(token)
	if t.Stack != NoStack {
		w.FreeStack(t.Stack)
	}
	if t.Env != NoEnv {
		w.FreeEnv(t.Env)
	}
	t.Stack, t.Env, t.Boundary, t.Since = NoStack, NoEnv, 0, 0
}

// performed ends the performance of a node: what it leaves in its pins is
// kept, flows bring it on, and the token follows a succession.
func (e *Engine) performed(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	n := e.nodeOf(t)
	e.acted(id, t.ID)
	if t.Env != NoEnv {
		outer := w.Flow(t.Flow).Env
		for _, c := range n.Results {
			w.SetEnv(outer, int(c.To), w.Env(t.Env).Slot(int(c.From)))
		}
	}
	if err := e.bring(token, n); err != nil {
		return err
	}
	e.clearFrame(token)
	if t = w.Token(token); t.Bundle != 0 {
		if e.bundled(t) > 1 {
			e.setActing(id, NoToken)
			e.drop(token)
			return nil
		}
		w.editToken(token).Bundle = 0
	}
	e.setActing(id, NoToken)
	if n.Kind == DecideNode {
		return e.decide(id, token, n)
	}
	return e.follow(id, token, n)
}

// bundled counts the tokens that one arrival became and that perform still.
func (e *Engine) bundled(t *Token) int {
	count := 0
	for _, other := range e.World.Flow(t.Owner).Tokens {
		if o := e.World.Token(other); o.Bundle == t.Bundle && o.Flow == t.Flow && o.Node == t.Node {
			count++
		}
	}
	return count
}

// bring takes what a node produced along the flows out of it.
func (e *Engine) bring(token TokenID, n *GraphNode) error {
	w := e.World
	t := w.Token(token)
	graph := w.Program.Graphs[w.Flow(t.Flow).Graph]
	outer := w.Flow(t.Flow).Env
	for i := range graph.Pins {
		p := &graph.Pins[i]
		if p.From != t.Node {
			continue
		}
		v := w.Env(outer).Slot(int(p.Source))
		if v.IsAbsent() {
			return failAt(BadFlow, p.Span, "flow "+p.Name+": node "+n.Name+" produced no value at "+p.SourceName)
		}
		w.SetEnv(outer, int(p.Target), v)
	}
	return nil
}

// follow moves a token along the successions whose guards hold.
func (e *Engine) follow(id FlowID, token TokenID, n *GraphNode) error {
	w := e.World
	t := w.Token(token)
	graph := w.Program.Graphs[w.Flow(t.Flow).Graph]
	var enabled []int32
	guarded := false
	for _, edge := range n.Out {
		if graph.Edges[edge].Guard != NoUnit {
			holds, err := e.guard(token, n, edge)
			if err != nil {
				return err
			}
			if !holds {
				continue
			}
			guarded = true
		}
		enabled = append(enabled, edge)
	}
	switch {
	case len(enabled) == 0:
		return e.retire(id, token)
	case len(enabled) == 1 && n.Kind != ForkNode:
		e.move(token, enabled[0])
		return nil
	case n.Kind != ForkNode && (guarded || n.Kind == JoinNode || n.Kind == MergeNode):
		return failAt(BadFlow, n.Span, "more than one succession is enabled: "+n.title()+" has multiple successors")
	}
	flow := w.Token(token).Flow
	for _, edge := range enabled {
		e.newToken(flow, graph.Edges[edge].To, edge)
	}
	e.drop(token)
	return nil
}

// title is how errors call a node.
func (n *GraphNode) title() string {
	return [...]string{"initial node ", "final node ", "fork node ", "join node ", "merge node ", "decision node ", "action node "}[n.Kind] + n.Name
}

func (e *Engine) move(token TokenID, edge int32) {
	w := e.World
	t := w.editToken(token)
	graph := w.Program.Graphs[w.Flow(t.Flow).Graph]
	t.Node, t.Edge, t.State, t.Came = graph.Edges[edge].To, edge, Arrived, w.Flow(t.Owner).Sweeps
}

// guard reads a guard, traced.
func (e *Engine) guard(token TokenID, n *GraphNode, edge int32) (bool, error) {
	t := e.World.Token(token)
	flow := e.World.Flow(t.Flow)
	graph := e.World.Program.Graphs[flow.Graph]
	u := graph.Edges[edge].Guard
	v, err := e.evaluate(u, e.self(token), flow.Env, flow.Depth)
	if err != nil {
		return false, err
	}
	holds, ok := v.AsBool()
	if !ok {
		return false, failAt(value.TypeMismatch, e.World.Program.Units[u].place(),
			"type mismatch: node "+n.Name+": guard must evaluate to boolean, got "+v.TypeName())
	}
	e.Covered.branched(graph, edge, holds)
	return holds, nil
}

// decide takes one of the branches of a decision that hold.
func (e *Engine) decide(id FlowID, token TokenID, n *GraphNode) error {
	w := e.World
	t := w.Token(token)
	graph := w.Program.Graphs[w.Flow(t.Flow).Graph]
	var c schedule.Choice
	if !e.unseen() {
		c.Step, c.Where = e.stepOf(t.Run), "decision "+n.Name
	}
	if n.Weighted {
		return e.decideWeighted(token, n, c)
	}
	var holding []int32
	otherwise := int32(-1)
	for _, i := range n.Out {
		if graph.Edges[i].Guard == NoUnit {
			if otherwise < 0 {
				otherwise = i
			}
			continue
		}
		holds, err := e.branchHolds(token, n, graph, i, len(holding) == 0, &c)
		if err != nil {
			return err
		}
		if holds {
			holding = append(holding, i)
		}
	}
	if len(holding) == 0 {
		if otherwise < 0 {
			return failAt(BadFlow, n.Span, "no enabled succession: decision node "+n.Name+" has no true guard")
		}
		e.move(token, otherwise)
		return nil
	}
	c.Kind = schedule.Decision
	if e.blind(&c, len(holding)); c.Alternatives == nil {
		for _, i := range holding {
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: graph.branch(i)})
		}
	}
	k, err := e.chooseThen(c, func(k int) error {
		if k == 0 {
			return nil
		}
		_, err := e.guard(token, n, holding[k])
		return err
	})
	if err != nil {
		return err
	}
	e.move(token, holding[k])
	return nil
}

// branchHolds reads the guard of an edge out of a decision. Behind the first
// that holds, guards are probed: one that cannot be evaluated does not hold.
func (e *Engine) branchHolds(token TokenID, n *GraphNode, graph *Graph, edge int32, first bool, c *schedule.Choice) (bool, error) {
	if first {
		return e.guard(token, n, edge)
	}
	holds, err := e.probeGuard(token, n, edge)
	if err != nil {
		e.unevaluable(c.Place(), graph.branch(edge), err)
	}
	return holds && err == nil, nil
}

// branch is how choices call an edge out of a decision.
func (g *Graph) branch(edge int32) string {
	x := &g.Edges[edge]
	return strconv.Itoa(int(x.Number)) + "->" + g.Nodes[x.To].Name
}

func (e *Engine) unevaluable(where, branch string, err error) {
	e.observe(trace.Event{Kind: trace.Unevaluable, Name: where + " branch " + branch + ": " + err.Error(), Note: "not selected"})
}

// probeGuard reads a guard without a trace or a draw, and without touching
// the World.
func (e *Engine) probeGuard(token TokenID, n *GraphNode, edge int32) (bool, error) {
	graph := e.World.Program.Graphs[e.World.Flow(e.World.Token(token).Flow).Graph]
	if e.World.Program.Units[graph.Edges[edge].Guard].onlyReads() {
		if e.looking == nil {
			e.looking = e.looker(nil)
		}
		e.looking.World, e.looking.Covered = e.World, e.Covered
		return e.looking.guard(token, n, edge)
	}
	return e.aside().guard(token, n, edge)
}

// probe is an Engine on a copy of the World that nobody looks at and that
// refuses draws.
func (e *Engine) probe() *Engine { return e.looker(e.World.Copy()) }

// aside is a probe for what belongs to the move under way, which is noted as
// executed: the guards behind the first that holds.
func (e *Engine) aside() *Engine {
	probe := e.probe()
	probe.Covered = e.Covered
	return probe
}

// looker is an Engine that nobody looks at and that refuses draws.
func (e *Engine) looker(w *World) *Engine {
	return &Engine{World: w, Meter: e.Meter, Resolver: schedule.Policy{}.Resolver(), Draws: refused, ClockStep: e.ClockStep}
}

// onlyReads reports whether evaluating a unit leaves every World as it is,
// since it computes with slots of an Env and constants alone. Where such a slot
// is absent, reading it is more, which is why nothing that could stand in for it
// may be in the code.
func (u *Unit) onlyReads() bool {
	for i := range u.Code {
		switch u.Code[i].Op {
		case OpNop, OpEvaluated, OpMove, OpJump, OpJumpIf, OpJumpIfNot, OpJumpPresent, OpJumpAbsent, OpJumpNull, OpJumpSome, OpCheckBool,
			OpAdd, OpSub, OpMul, OpLess, OpLessEqual, OpGreater, OpGreaterEqual, OpEqual, OpNotEqual,
			OpLessJump, OpLessEqualJump, OpGreaterJump, OpGreaterEqualJump, OpEqualJump, OpNotEqualJump,
			OpBinary, OpUnary, OpReturn, OpReturnNone, OpEnv, OpFail:
		default:
			return false
		}
	}
	return true
}

// decideWeighted takes a branch of a decision whose branches carry
// probabilities.
func (e *Engine) decideWeighted(token TokenID, n *GraphNode, c schedule.Choice) error {
	w := e.World
	t := w.Token(token)
	flow := w.Flow(t.Flow)
	graph := w.Program.Graphs[flow.Graph]
	c.Kind = schedule.Weighted
	var holding []int32
	sum := 0.0
	for _, i := range n.Out {
		edge := &graph.Edges[i]
		v, err := e.evaluate(edge.Weight, e.self(token), flow.Env, flow.Depth)
		if err != nil {
			return err
		}
		p, ok := v.AsFloat()
		if !ok {
			return failAt(BadFlow, edge.Span, "weight of "+graph.branch(i)+" is "+w.Text(v)+", not a number")
		}
		if p < 0 || p > 1 || p != p {
			return failAt(BadFlow, edge.Span, "branch "+strconv.Itoa(int(edge.Number))+" weighs "+w.Text(v)+", not a probability in [0, 1]")
		}
		sum += p
		holds := true
		if edge.Guard != NoUnit {
			if holds, err = e.guard(token, n, i); err != nil {
				return err
			}
		}
		if holds {
			holding = append(holding, i)
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: graph.branch(i), Weight: p})
		}
	}
	if sum < 1-1e-6 || sum > 1+1e-6 {
		return failAt(BadFlow, n.Span, "invalid branch weights: decision "+n.Name+": the weights of its branches sum to "+
			schedule.Decimal(sum)+", not 1.0")
	}
	k, err := e.chooseWeighted(c, n)
	if err != nil {
		return err
	}
	e.move(token, holding[k])
	return nil
}

// chooseWeighted resolves a weighted choice by the model's own stream; where
// the resolver enumerates, by it; without either the most probable is taken.
func (e *Engine) chooseWeighted(c schedule.Choice, n *GraphNode) (int, error) {
	total, most := 0.0, 0
	for i, a := range c.Alternatives {
		total += a.Weight
		if a.Weight > c.Alternatives[most].Weight {
			most = i
		}
	}
	b := &e.World.Behavior
	switch {
	case total == 0:
		return 0, failAt(BadFlow, n.Span, "decision "+n.Name+": no holding branch has a positive weight")
	case len(c.Alternatives) == 1:
		return 0, nil
	case e.Resolver.Enumerates():
		return e.choose(c)
	case !b.Seeded:
		e.took(schedule.Taken{Choice: c, Index: most})
		return most, nil
	}
	u := b.Model.Rand().Float64()
	taken, reached := len(c.Alternatives)-1, 0.0
	for i, a := range c.Alternatives {
		if reached += a.Weight; reached > u*total {
			taken = i
			break
		}
	}
	e.took(schedule.Taken{Choice: c, Index: taken, Drew: u, HasDrawn: true})
	return taken, nil
}

// retire ends a token. The last one of a flow that a node owns goes on behind
// the node.
func (e *Engine) retire(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	flow := w.Flow(t.Flow)
	if flow.Kind == NestedFlow && flow.Live == 1 {
		return e.leaveFlow(id, token)
	}
	e.drop(token)
	return nil
}

// place is where the unit stands in the text.
func (u *Unit) place() source.Span {
	for _, s := range u.Spans {
		if !s.IsZero() {
			return s
		}
	}
	return source.Span{}
}
