package exec

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is what the bodies of behaviours ask of the Engine: a Runner
// stops with a Request, and goes on when it is answered. Requests that are
// answered at once are in immediate; the others may leave the token waiting.

// The kinds of request. Ref is an index of the Program's list that is named.
const (
	// AcceptRequest (Accepts) takes a message, or waits: with the argument
	// of an after or at trigger until the instant, of a when trigger always,
	// to have its condition read again. The answer is the payload's value.
	AcceptRequest RequestKind = iota
	// SendRequest (Sends) sends a message; its arguments are the payload.
	SendRequest
	// PerformRequest (Performs) performs an action to its end; its arguments
	// are the inputs in order of the parameters.
	PerformRequest
	// SubflowRequest (Subflows) performs the flow of a block.
	SubflowRequest
	// TerminateRequest ends the performance of the action that is named, or
	// with an argument the occurrence that it denotes.
	TerminateRequest
	// ClockRequest answers with the time in seconds.
	ClockRequest
	// UnperformedRequest fails: a pin of node Name is read that has not been
	// performed.
	UnperformedRequest
	// DrawOrderRequest (Orders) answers with the number of the statement to
	// perform next; an argument that is true says that a statement was
	// performed.
	DrawOrderRequest
)

// AcceptKind is what an Accept waits for.
type AcceptKind uint8

// The kinds of accept.
const (
	MessageAccept AcceptKind = iota
	AfterAccept
	AtAccept
	WhenAccept
)

// An Accept is what an accept takes.
type Accept struct {
	Kind AcceptKind
	// Signal is the name of what is taken; "" takes anything.
	Signal string
	// Port is the path behind via; Node the name of the accepting node.
	Port, Node string
	// Payload is the name that the value is bound to; "" for none.
	Payload string
	// Text is the condition of a when trigger, where it is a name.
	Text string
	Span source.Span
}

// A Send is what a send sends.
type Send struct {
	// Signal is the name of what is sent; "" takes it from the value.
	Signal string
	// Names are the names of the payload, one for each argument; for a
	// payload that is a value, "value".
	Names []string
	// Construct is the type of `new T(...)`, which is made as well; NoType
	// for none.
	Construct TypeID
	// Via is the path of the port; "" for none.
	Via string
	// To is the address.
	To Address
	// Links are connections that the body of the behaviour has, before those
	// of the performer; PartLinks those of the part around the behaviour,
	// which count where nobody performs.
	Links, PartLinks []Link
	// Type is the qualified name of what is sent; "" where not known.
	Type string
	Span source.Span
}

// AddressKind is how an address is written.
type AddressKind uint8

// The kinds of address.
const (
	NoAddress   AddressKind = iota
	NodeAddress             // the receiving node of that name
	OwnPort                 // a port of the sending behaviour or its performer
	FeaturePath             // features that lead from an owner of the sender
	GlobalPath              // features that lead from a package-level occurrence
)

// An Address is where a message is sent to.
type Address struct {
	Kind AddressKind
	// Text is the address as written.
	Text string
	// Node is the receiving node of a NodeAddress, or what a path ends in
	// where that is an action or a state.
	Node string
	// Port is the path of the port that the address ends in; "" for none.
	Port string
	// Global is the occurrence that a GlobalPath starts at.
	Global GlobalID
	// First is the feature that a FeaturePath starts with; Object is the code
	// that reads the object, run on the owner of that feature or on the
	// occurrence. NoUnit stands for that object itself.
	First  NameID
	Object UnitID
	// GlobalUnit reads the occurrence Global; GlobalObject the object from
	// there, NoUnit where it is the occurrence.
	GlobalUnit, GlobalObject UnitID
}

// A Perform is an action performed by a body.
type Perform struct {
	Graph GraphID
	// Hops lead from the Env of the body to the one that encloses the
	// callee, -1 where none does.
	Hops int32
	// Depth is the level of the callee's lines below the body.
	Depth int32
	// Params are the numbers of the parameters that the arguments bind.
	Params []int32
	// Performer says that the first argument is the object that performs.
	Performer bool
	// Outs say where outputs go.
	Outs []Out
	Span source.Span
}

// An Out takes a slot of the callee's Env to a slot of the Env Hops out, or,
// with Hops -1, to feature Name of the performer.
type Out struct {
	Slot   int32
	Hops   int32
	Target int32
	Name   NameID
}

// A SubflowBody is a block that is a flow.
type SubflowBody struct {
	Graph GraphID
	Depth int32
}

// A StatementOrder is the statements of a body that nothing orders.
type StatementOrder struct {
	Where  string // "statements in action node s"
	Labels []string
	// After has, for each statement, a bit for each that comes before it.
	After []uint64
}

// immediate answers a request that nobody has to wait for; done is false for
// the others.
func (e *Engine) immediate(stop Stop, depth int32) (v value.Value, done bool, err error) {
	w := e.World
	q := stop.Request
	switch q.Kind {
	case SendRequest:
		return value.NullValue, true, e.send(w.Program.Sends[q.Ref], stop, depth)
	case ClockRequest:
		return value.Float(w.now()), true, nil
	case UnperformedRequest:
		return v, true, failAt(NoValue, q.Span, "action node "+q.Name+" has not been performed yet")
	}
	return v, false, nil
}

// run runs the body of a token until it ends, waits, is paused, or has given
// the turn to something else.
func (e *Engine) run(id FlowID, token TokenID, r *Runner) error {
	w := e.World
	depth := w.Flow(w.Token(token).Flow).Depth
	r.Pause = e.pauses(id, token)
	for {
		stop, err := r.Continue()
		if err != nil {
			return e.inNode(token, err)
		}
		switch stop.Kind {
		case Done:
			return e.performed(id, token)
		case Paused:
			if !r.atBoundary() || !e.pausesHere(id, token) {
				continue
			}
			w.editToken(token).Stack = r.Store(w.Token(token).Stack)
			e.pause(id, token)
			return nil
		case Made:
			stack := r.Store(w.Token(token).Stack)
			w.editToken(token).Stack = stack
			if err := e.startObject(stop.Object, int32(r.depthHere())); err != nil {
				return err
			}
			r = e.body(depth)
			r.Pause = e.pauses(id, token)
			r.Restore(stack)
		case Requested:
			v, done, err := e.immediate(stop, depth)
			if err != nil {
				return e.inNode(token, err)
			}
			if done {
				r.Answer(v)
				continue
			}
			again, err := e.request(id, token, r, stop)
			if err != nil {
				return e.inNode(token, err)
			}
			if !again {
				return nil
			}
		}
	}
}

// goOn takes up the body of the acting token: what it waited for may have
// happened.
func (e *Engine) goOn(id FlowID, token TokenID) error {
	w := e.World
	t := w.Token(token)
	if t.Stack == NoStack {
		return e.performed(id, token)
	}
	if t.State == BodyPause && (t.Sub != NoFlow || t.Child != NoRun) {
		w.editToken(token).State = Acting
		if t = w.Token(token); t.Sub != NoFlow {
			e.pushTurn(FlowTurn, int32(t.Sub))
		} else {
			e.pushRun(t.Child)
		}
		return nil
	}
	r := e.body(w.Flow(t.Flow).Depth)
	r.Restore(t.Stack)
	switch t.State {
	case BodyPause:
	case MessageWait:
		a := e.waitsAt(token)
		row := e.fitting(a, token)
		if row == NoRow {
			return e.rest(id)
		}
		v, err := e.take(a, row)
		if err != nil {
			return e.inNode(token, err)
		}
		r.Answer(v)
	case ChangeWait, ClockWait:
		r.Answer(value.NullValue)
	default:
		if ready, err := e.returned(id, token, r); err != nil || !ready {
			return err
		}
	}
	w.editToken(token).State = Acting
	return e.run(id, token, r)
}

// returned answers the request of a body from what it performed, which has
// given the turn back; ready is false where that waits.
func (e *Engine) returned(id FlowID, token TokenID, r *Runner) (ready bool, err error) {
	w := e.World
	t := w.Token(token)
	switch {
	case t.Sub != NoFlow:
		if w.Flow(t.Sub).Live > 0 {
			moved := w.Flow(id).Sweep.Moved
			e.acted(id, t.ID)
			w.editFlow(id).Sweep.Moved = moved
			return false, e.wait(id, token, SubWait)
		}
		sub := t.Sub
		w.editToken(token).Sub = NoFlow
		e.observe(trace.Event{Kind: trace.LeaveNode, Name: w.Program.Graphs[w.Flow(sub).Graph].Owner})
		e.endFlow(sub)
		r.Answer(value.NullValue)
	case t.Child != NoRun:
		if !w.Ended(t.Child) {
			return false, e.wait(id, token, ChildWait)
		}
		child := t.Child
		w.editToken(token).Child = NoRun
		if err := e.giveBack(child, r); err != nil {
			return false, err
		}
		e.endRun(child)
		r.Answer(value.NullValue)
	}
	return true, nil
}

// wait leaves the acting token waiting.
func (e *Engine) wait(id FlowID, token TokenID, state TokenState) error {
	w := e.World
	t := w.editToken(token)
	t.State = state
	if t.Since == 0 {
		t.Since = e.stepOf(t.Run)
		if f := w.Flow(t.Owner); e.Resolver.OneMove() && t.Boundary == 0 && e.nodeOf(t).Accept >= 0 {
			t.Since = max(1, t.Since-(f.Sweeps-t.Came-1)) // nothing was offered since it came
		}
	}
	if state == ChildWait {
		w.Behavior.Sequence++
		t.Seq = w.Behavior.Sequence
	}
	return e.rest(id)
}

// pause leaves the acting token paused between two statements, and with it
// every body that performs the one it is in: the turn goes back to the
// outermost flow.
func (e *Engine) pause(id FlowID, token TokenID) {
	w := e.World
	for {
		w.Behavior.Sequence++
		t := w.editToken(token)
		t.State, t.Seq = BodyPause, w.Behavior.Sequence
		e.acted(id, t.ID)
		host := e.hostOf(id)
		if host == NoToken {
			e.setActing(id, NoToken)
			return
		}
		if e.Resolver.OneMove() {
			w.editFlow(id).Sweep = Sweep{First: -1, Acting: NoToken}
		}
		e.popTurn()
		id, token = w.Token(host).Owner, host
	}
}

// hostOf is the token whose body the flow is performed by; NoToken for none.
func (e *Engine) hostOf(id FlowID) TokenID {
	f := e.World.Flow(id)
	if f.Kind == Subflow {
		return f.Host
	}
	return e.World.Run(f.Run).Host
}

// machineAround is the machine whose behaviour performs a flow, at any depth;
// NoRun where none does.
func (e *Engine) machineAround(id FlowID) RunID {
	for host := e.hostOf(id); host != NoToken; host = e.hostOf(id) {
		id = e.World.Token(host).Owner
	}
	return e.World.Run(e.World.Flow(id).Run).HostRun
}

// pauses reports whether the body of a token could pause at a boundary.
func (e *Engine) pauses(id FlowID, token TokenID) bool {
	return e.Resolver.Pauses(0, 0) || e.World.Run(e.World.Token(token).Run).Unit || e.Resolver.Pauses(-1, 0) || e.Resolver.Pauses(-1, 1) || e.Resolver.Pauses(-1, 2)
}

// pausesHere counts a boundary of the body of a token and reports whether
// the body pauses there.
func (e *Engine) pausesHere(id FlowID, token TokenID) bool {
	w := e.World
	t := w.editToken(token)
	t.Boundary++
	boundary := t.Boundary
	if w.Run(t.Run).Unit {
		return true
	}
	if e.machineAround(id) != NoRun {
		return false // a behaviour of a state is one unit of its machine
	}
	if e.Resolver.OneMove() {
		return e.accompanied(id)
	}
	for host := e.hostOf(id); host != NoToken; host = e.hostOf(id) {
		id, token = w.Token(host).Owner, host
	}
	return len(w.Flow(id).Tokens) > 1 && e.Resolver.Pauses(w.Token(token).ID, boundary)
}

// atBoundary reports whether a body that was stopped before a statement
// stands where it may pause: not before its first statement.
func (r *Runner) atBoundary() bool {
	f := &r.frames[len(r.frames)-1]
	in := r.World.Program.Units[f.Unit].Code[f.PC]
	return in.Op == OpStatement && in.C == boundaryMark
}

// boundaryMark is the C of an OpStatement that is a boundary of a body.
const boundaryMark = 1

// BoundaryMark is what lowering gives an OpStatement as C where a body may
// pause before the statement.
const BoundaryMark int32 = boundaryMark

// request begins what a body asks for and may have to wait for; again says
// that it was answered.
func (e *Engine) request(id FlowID, token TokenID, r *Runner, stop Stop) (again bool, err error) {
	w := e.World
	q := stop.Request
	store := func() { w.editToken(token).Stack = r.Store(w.Token(token).Stack) }
	switch q.Kind {
	case AcceptRequest:
		return e.accept(id, token, r, stop, store)
	case PerformRequest:
		child, err := e.call(w.Program.Performs[q.Ref], token, r, stop)
		if err != nil {
			return false, err
		}
		store()
		w.editToken(token).Child = child
		e.pushRun(child)
		return false, nil
	case SubflowRequest:
		sub := w.Program.Subflows[q.Ref]
		store()
		return false, e.beginSubflow(token, sub)
	case TerminateRequest:
		return e.terminate(id, token, r, stop)
	case DrawOrderRequest:
		return e.drawOrder(token, r, stop)
	}
	return false, failAt(Broken, q.Span, "a request that nobody knows")
}

// accept takes a message or begins to wait.
func (e *Engine) accept(id FlowID, token TokenID, r *Runner, stop Stop, store func()) (again bool, err error) {
	w := e.World
	a := w.Program.Accepts[stop.Request.Ref]
	switch a.Kind {
	case MessageAccept:
		if row := e.fitting(a, token); row != NoRow {
			v, err := e.take(a, row)
			if err != nil {
				return false, err
			}
			r.Answer(v)
			return true, nil
		}
		store()
		return false, e.wait(id, token, MessageWait)
	case WhenAccept:
		store()
		return false, e.wait(id, token, ChangeWait)
	}
	due, err := e.due(a.Kind == AtAccept, stop.Args[0], a.Span)
	if err != nil {
		return false, err
	}
	if due <= w.now() {
		r.Answer(value.NullValue)
		return true, nil
	}
	store()
	w.editToken(token).Due = due
	return false, e.wait(id, token, ClockWait)
}

// waitsAt is what a token that waits for a message waits for.
func (e *Engine) waitsAt(token TokenID) *Accept {
	w := e.World
	s := w.Behavior.Tokens.At(int32(token)).Stack
	stack := w.Stacks.At(int32(s))
	f := stack.frames[len(stack.frames)-1]
	u := w.Program.Units[f.Unit]
	return w.Program.Accepts[u.Requests[u.Code[f.PC].B].Ref]
}

// firstAccept is what a token waits for, or what the node where it has
// arrived accepts before all else; nil for nothing.
func (e *Engine) firstAccept(token TokenID) *Accept {
	w := e.World
	t := w.Token(token)
	switch t.State {
	case MessageWait:
		return e.waitsAt(token)
	case Arrived:
		if n := e.nodeOf(t); n.Unit != NoUnit && n.Accept >= 0 {
			return w.Program.Accepts[n.Accept]
		}
	}
	return nil
}

// beginSubflow performs the flow of a block as part of the body of a token.
func (e *Engine) beginSubflow(token TokenID, sub *SubflowBody) error {
	w := e.World
	t := w.Token(token)
	graph := w.Program.Graphs[sub.Graph]
	flow := w.newFlow(Flow{Kind: Subflow, Run: t.Run, Graph: sub.Graph, Env: e.envOf(token), Parent: t.Flow, Node: t.Node,
		Host: token, Depth: w.Flow(t.Flow).Depth + sub.Depth, Key: mix(w.Flow(t.Flow).Key, uint64(t.Node)+uint64(sub.Graph)<<20+3)})
	w.editToken(token).Sub = flow
	e.observe(trace.Event{Kind: trace.EnterNode, Name: graph.Owner})
	if graph.Fault != nil {
		return failure(graph.Fault)
	}
	if graph.Init != NoUnit {
		if err := e.evaluateInit(graph.Init, e.self(token), w.Flow(flow).Env, w.Flow(flow).Depth); err != nil {
			return err
		}
	}
	e.startTokens(flow, graph.Starts, NoToken)
	e.pushTurn(FlowTurn, int32(flow))
	return nil
}

// call makes the run of an action that a body performs.
func (e *Engine) call(p *Perform, token TokenID, r *Runner, stop Stop) (RunID, error) {
	w := e.World
	t := w.Token(token)
	run := w.Run(t.Run)
	graph := w.Program.Graphs[p.Graph]
	if limit := e.Meter.Budget.Limit(budget.Performs); int64(run.Nesting) >= limit-1 {
		return NoRun, diagnostic.New(diagnostic.BudgetSpent, p.Span, "action invocation nested more than "+itoa(limit)+" deep at "+graph.Name+" (recursive action?)").
			WithHint(e.Meter.Budget.Spent(budget.Performs).Hint)
	}
	made := noRun(stop.Self)
	made.Graph, made.Host, made.HostRun, made.Nesting = p.Graph, token, NoRun, run.Nesting+1
	made.Depth = w.Flow(t.Flow).Depth + p.Depth
	args := stop.Args
	if p.Performer {
		object, ok := args[0].AsObject()
		if !ok {
			return NoRun, failAt(BadPerform, p.Span, "action "+graph.Name+" is to be performed by "+args[0].TypeName())
		}
		made.Self, args = object, args[1:]
	}
	values := make([]value.Value, len(graph.Params))
	for i, param := range p.Params {
		values[param] = args[i]
	}
	outer := NoEnv
	if p.Hops >= 0 {
		outer = w.EnvAt(stop.Env, p.Hops)
	}
	id := e.newRun(made)
	return id, e.begin(id, outer, values)
}

// giveBack takes the outputs of a run to where its caller wants them.
func (e *Engine) giveBack(child RunID, r *Runner) error {
	w := e.World
	f := r.frames[len(r.frames)-1]
	u := w.Program.Units[f.Unit]
	p := w.Program.Performs[u.Requests[u.Code[f.PC].B].Ref]
	env := w.Run(child).Env
	e.returns(child)
	for _, out := range p.Outs {
		v := w.Env(env).Slot(int(out.Slot))
		if v.IsAbsent() {
			continue
		}
		if out.Hops < 0 {
			if f.Self != value.NoObject {
				if _, err := w.Assign(f.Self, out.Name, v); err != nil {
					return err
				}
			}
			continue
		}
		w.SetEnv(w.EnvAt(f.Env, out.Hops), int(out.Target), v)
	}
	return nil
}

// inNode says in which node an error happened, where that is not said yet.
func (e *Engine) inNode(token TokenID, err error) error { return err }

// canMove reports whether a run that a body performs could move now.
func (e *Engine) canMove(id RunID) bool {
	w := e.World
	r := w.Run(id)
	if w.Ended(id) {
		return true
	}
	return r.Root != NoFlow && e.flowCanMove(r.Root)
}

func (e *Engine) flowCanMove(id FlowID) bool {
	return slices.ContainsFunc(e.World.Flow(id).Tokens, e.tokenCanMove)
}

// tokenCanMove reports whether the turn of a token would get it anywhere.
func (e *Engine) tokenCanMove(token TokenID) bool {
	w := e.World
	t := w.Token(token)
	switch t.State {
	case Arrived, Held:
		return !e.holds(token) || e.complete(token)
	case MessageWait:
		return e.offered(token)
	case ChangeWait:
		return e.wouldWake(token)
	case ClockWait:
		return t.Due <= w.now()
	case ChildWait:
		return e.canMove(t.Child)
	case SubWait:
		return e.flowCanMove(t.Sub)
	}
	return true
}

// drawOrder says which statement of several that nothing orders comes next:
// the first under the policies that sweep in a fixed order.
func (e *Engine) drawOrder(token TokenID, r *Runner, stop Stop) (bool, error) {
	order := e.World.Program.Orders[stop.Request.Ref]
	done := uint64(0)
	for i, v := range stop.Args {
		if b, _ := v.AsBool(); b {
			done |= 1 << i
		}
	}
	c := schedule.Choice{Kind: schedule.Statements, Where: order.Where}
	var able []int
	for i := range order.Labels {
		if done&(1<<i) == 0 && order.After[i]&^done == 0 {
			able = append(able, i)
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: order.Labels[i]})
		}
	}
	k := 0
	if schedule.DrawsStatements(e.Resolver) {
		var err error
		if k, err = e.choose(c); err != nil {
			return false, err
		}
	}
	r.Answer(value.Int(int64(able[k])))
	return true, nil
}
