package exec

import (
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// An Engine moves what performs in a World. It holds nothing of a run: what
// is under way is in the World, so that another Engine can go on with it. One
// goroutine at a time. After an error the World is in no use; callers work on
// a copy.
type Engine struct {
	World *World
	Meter *budget.Meter
	// Observer is told what happens; nil for nobody.
	Observer trace.Observer
	// Resolver resolves every choice.
	Resolver schedule.Resolver
	Draws    schedule.Draws
	// ClockStep is the tick of the clock in seconds; 0 for none.
	ClockStep float64
	// Chose is told of every choice; nil for nobody.
	Chose func(schedule.Taken)
	// Visited is told of every state that is entered, by the run, and the
	// machine that has the state; nil for nobody.
	Visited func(run RunID, machine MachineID, state int32)
	// Covered notes what is executed; nil for nobody.
	Covered *Coverage
	// Calls hears the calls of function values; nil for nobody.
	Calls interface{ Called(FunctionCall) }
	// Others says that somebody looks at more than the driven run: the clock
	// then goes on for what cannot reach it as well.
	Others bool

	runner Runner
	// starting says that an object is being made whose behaviours run when
	// all are attached.
	starting bool
	idle     []*Runner
	// order and parkedAt are the memory of beginSweep; isParked reads parkedAt.
	order, parkedAt []int32
	isParked        func(place int32) bool
	// drawing is draw, open the choice under way, looking what reads guards:
	// kept so that they cost no memory each time.
	drawing func(*value.LibraryFunction, []value.Value) (value.Value, error)
	open    schedule.Choice
	looking *Engine
	// reached remembers which behaviours can reach other runs.
	reached map[reachKey]bool
	// known is what moves can be made as one piece, lists the memory of
	// dispatches.
	known shortcuts
	lists [][]int32
}

// Codes of what behaviours report.
var (
	ActionDeadlock = diagnostic.Register("action-deadlock",
		"Tokens of an action are left and none of them can move: each waits for what nobody will do. The message says what they wait for.")
	BadFlow = diagnostic.Register("bad-flow",
		"The flow of an action cannot go on as it is written: no branch of a decision holds, several successions hold where one is allowed, or a pin has no value.")
	BadPerform = diagnostic.Register("bad-perform",
		"An action is performed in a way that it does not admit: with arguments that it has no parameters for, or nested too deeply.")
	BadMessage = diagnostic.Register("bad-message",
		"A message cannot be sent or taken as written: nobody can receive it, or it carries no value to bind.")
	BadTime = diagnostic.Register("bad-time",
		"Something waits for a time that is none, where nobody can wait, or the clock is set.")
)

func failAt(code diagnostic.Code, span source.Span, message string) error {
	return diagnostic.New(code, span, message)
}

// body is the Runner for a body at depth that performs on behalf of id.
func (e *Engine) body(depth int32) *Runner {
	r := &e.runner
	r.World, r.Meter, r.Observer, r.Depth = e.World, e.Meter, e.Observer, int(depth)
	r.Pause, r.Starts = false, true
	r.Draws, r.Calls, r.Covered = e.draws(), e.Calls, e.Covered
	return r
}

// draws is draw, bound once.
func (e *Engine) draws() func(*value.LibraryFunction, []value.Value) (value.Value, error) {
	if e.drawing == nil {
		e.drawing = e.draw
	}
	return e.drawing
}

func (e *Engine) observe(event trace.Event) {
	if e.Observer != nil {
		event.Instant = e.World.now()
		e.Observer.Observe(event)
	}
}

// choose resolves a choice and tells of it. A choice between fewer than two
// alternatives is none.
func (e *Engine) choose(c schedule.Choice) (int, error) {
	return e.chooseThen(c, nil)
}

// chooseThen is choose with between done before it tells; nil for nothing. No
// other function asks the Resolver, so that every open order is its.
func (e *Engine) chooseThen(c schedule.Choice, between func(k int) error) (int, error) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	e.open = c
	k, d := e.Resolver.Choose(&e.open, &e.World.Behavior.Schedule)
	if d != nil {
		return 0, d
	}
	if between != nil {
		if err := between(k); err != nil {
			return 0, err
		}
	}
	e.took(schedule.Taken{Choice: c, Index: k})
	return k, nil
}

// took tells of a choice that was resolved.
func (e *Engine) took(t schedule.Taken) {
	if e.Chose != nil {
		e.Chose(t)
	}
	if e.Observer != nil {
		e.observe(trace.Event{Kind: trace.Choice, Name: t.Text()})
	}
}

// An Input is an argument of a performance that is started.
type Input struct {
	Name  string
	Value value.Value
}

// StartAction makes a run of graph g performed by self, with inputs, and
// puts its first tokens on their nodes. It does not make a step.
func (e *Engine) StartAction(g GraphID, self value.ObjectID, inputs ...Input) (RunID, error) {
	w := e.World
	graph := w.Program.Graphs[g]
	run := noRun(self)
	run.Graph = g
	id := e.newRun(run)
	args := make([]value.Value, len(graph.Params))
	if err := graph.Takes(inputs); err != nil {
		return id, err
	}
	for _, in := range inputs {
		args[graph.param(in.Name)] = in.Value
	}
	if err := e.begin(id, NoEnv, args); err != nil {
		return id, err
	}
	w.Behavior.Attached = append(w.Behavior.Attached, id)
	return id, nil
}

// Takes reports, as an error, the first of inputs that is for no parameter.
func (g *Graph) Takes(inputs []Input) error {
	for _, in := range inputs {
		if i := g.param(in.Name); i < 0 || !g.Params[i].In {
			return failAt(BadPerform, g.Span, "action "+g.Name+" has no input parameter "+quote(in.Name))
		}
	}
	return nil
}

func (g *Graph) param(name string) int {
	for i, p := range g.Params {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// noRun is a run that stands for nothing yet: what it does not say is none.
func noRun(self value.ObjectID) Run {
	return Run{Graph: NoGraph, Machine: NoMachine, Self: self, Occurrence: value.NoObject, Label: NoName,
		Env: NoEnv, Root: NoFlow, Host: NoToken, HostRun: NoRun}
}

// newRun puts a run into the World.
func (e *Engine) newRun(r Run) RunID {
	w := e.World
	id := RunID(w.Behavior.Runs.add(w.owner))
	r.Used = true
	r.Key = mix(mix(uint64(uint32(r.Graph)), uint64(uint32(r.Machine))), w.path(r.Self))
	*w.editRun(id) = r
	if r.Machine != NoMachine {
		for w.Behavior.Firings.Len() <= int(id) {
			w.Behavior.Firings.add(w.owner)
		}
		*w.editFiring(id) = newFiring(w.Program.Machines[r.Machine], r.Key)
	}
	return id
}

// begin gives a run its Env around outer, its arguments and attribute values,
// and puts tokens on the nodes where it starts.
func (e *Engine) begin(id RunID, outer EnvID, args []value.Value) error {
	w := e.World
	run := w.Run(id)
	graph := w.Program.Graphs[run.Graph]
	if graph.Fault != nil {
		return failure(graph.Fault)
	}
	e.Covered.begun(graph)
	env := w.NewEnv(graph.Layout, outer, len(w.Program.Layouts[graph.Layout].Slots))
	for i, p := range graph.Params {
		if i < len(args) && !args[i].IsAbsent() {
			w.SetEnv(env, int(p.Slot), args[i])
		}
	}
	flow := w.newFlow(Flow{Kind: RootFlow, Run: id, Graph: run.Graph, Env: env, Parent: NoFlow, Node: -1,
		Host: NoToken, Depth: run.Depth, Key: mix(run.Key, 1)})
	r := w.editRun(id)
	r.Env, r.Root = env, flow
	if graph.Init != NoUnit {
		if err := e.evaluateInit(graph.Init, r.Self, env, r.Depth); err != nil {
			return err
		}
	}
	e.startTokens(flow, graph.Starts, NoToken)
	return nil
}

// evaluateInit runs the attribute values of a performance as one piece.
func (e *Engine) evaluateInit(u UnitID, self value.ObjectID, env EnvID, depth int32) error {
	_, err := e.evaluate(u, self, env, depth)
	return err
}

// lend gives a Runner for an evaluation, which may need others within it; back
// takes it for the next.
func (e *Engine) lend() *Runner {
	if n := len(e.idle); n > 0 {
		r := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return r
	}
	return &Runner{}
}

func (e *Engine) back(r *Runner) { e.idle = append(e.idle, r) }

// evaluate runs an expression unit to its end: a guard, a value. What objects
// it makes are started at once.
func (e *Engine) evaluate(u UnitID, self value.ObjectID, env EnvID, depth int32, args ...value.Value) (value.Value, error) {
	r := e.lend()
	defer e.back(r)
	r.Init = true
	r.World, r.Meter, r.Observer, r.Depth = e.World, e.Meter, e.Observer, int(depth)
	r.Starts, r.Draws, r.Calls, r.Covered = true, e.draws(), e.Calls, e.Covered
	r.Start(u, self, env, args...)
	return e.toEnd(r, depth)
}

// statements runs a unit of statements that wait for nothing to its end.
func (e *Engine) statements(u UnitID, self value.ObjectID, env EnvID, depth int32) error {
	r := e.lend()
	r.Init = false
	r.World, r.Meter, r.Observer, r.Depth = e.World, e.Meter, e.Observer, int(depth)
	r.Starts, r.Draws, r.Calls, r.Covered = true, e.draws(), e.Calls, e.Covered
	r.Start(u, self, env)
	_, err := e.toEnd(r, depth)
	e.back(r)
	return err
}

// toEnd runs what r has begun to its end.
func (e *Engine) toEnd(r *Runner, depth int32) (value.Value, error) {
	for {
		stop, err := r.Continue()
		if err != nil {
			return value.Value{}, err
		}
		switch stop.Kind {
		case Done:
			return stop.Value, nil
		case Made:
			if err := e.startObject(stop.Object, int32(r.depthHere())); err != nil {
				return value.Value{}, err
			}
		case Requested:
			v, done, err := e.immediate(stop, depth)
			if err != nil {
				return value.Value{}, err
			}
			if !done {
				return value.Value{}, failAt(NotHere, stop.Request.Span, "this happens only in the body of an action")
			}
			r.Answer(v)
		}
	}
}

// Evaluate runs a unit to its end on the object self, and starts the
// behaviours of the objects that it makes.
func (e *Engine) Evaluate(u UnitID, self value.ObjectID, args ...value.Value) (value.Value, error) {
	return e.evaluate(u, self, NoEnv, 0, args...)
}

// depthHere is the level below the expression that made an object, whether
// anybody looks or not.
func (r *Runner) depthHere() int {
	if r.Observer == nil {
		r.depths = r.depths[:0]
		r.levels()
	}
	f := &r.frames[len(r.frames)-1]
	level := r.level(f)
	if u := r.World.Program.Units[f.Unit]; f.PC > 0 && int(f.PC) <= len(u.Open) && u.Open[f.PC-1] >= 0 {
		level = r.depths[len(r.depths)-1] + int(u.Nodes[u.Open[f.PC-1]].Depth) + 1
	}
	return level
}

// startTokens puts a token on each of nodes: the token first on the first
// one, where it is given, and new ones on the others.
func (e *Engine) startTokens(flow FlowID, nodes []int32, first TokenID) {
	w := e.World
	for i, node := range nodes {
		if i == 0 && first != NoToken {
			t := w.editToken(first)
			t.Flow, t.Node, t.Edge, t.State = flow, node, -1, Arrived
			t.Env, t.Stack, t.Boundary, t.Bundle = NoEnv, NoStack, 0, 0
			w.editFlow(flow).Live++
			continue
		}
		e.newToken(flow, node, -1)
	}
}

// owner is the flow whose sweeps try the tokens in flow.
func (e *Engine) owner(flow FlowID) FlowID {
	for e.World.Flow(flow).Kind == NestedFlow {
		flow = e.World.Flow(flow).Parent
	}
	return flow
}

func (e *Engine) newToken(flow FlowID, node, edge int32) TokenID {
	w := e.World
	id := TokenID(w.Behavior.Tokens.add(w.owner))
	run := w.editRun(w.Flow(flow).Run)
	run.LastToken++
	owner := e.owner(flow)
	*w.editToken(id) = Token{Used: true, ID: run.LastToken, Run: w.Flow(flow).Run, Flow: flow, Owner: owner, Node: node, Edge: edge,
		Stack: NoStack, Env: NoEnv, Child: NoRun, Sub: NoFlow, Came: w.Flow(owner).Sweeps}
	o := w.editFlow(owner)
	o.Tokens = append(o.Tokens, id)
	w.editFlow(flow).Live++
	return id
}

// drop ends a token without effects: what its body performs ends with it.
func (e *Engine) drop(id TokenID) {
	w := e.World
	t := w.Token(id)
	if t.Child != NoRun {
		e.endRun(t.Child)
	}
	if t.Sub != NoFlow {
		e.endFlow(t.Sub)
	}
	t = w.Token(id)
	if t.Stack != NoStack {
		w.FreeStack(t.Stack)
	}
	if t.Env != NoEnv {
		w.FreeEnv(t.Env)
	}
	owner := w.editFlow(t.Owner)
	for i, other := range owner.Tokens {
		if other == id {
			owner.Tokens = append(owner.Tokens[:i], owner.Tokens[i+1:]...)
			break
		}
	}
	w.editFlow(t.Flow).Live--
	w.Behavior.Tokens.release(w.owner, int32(id))
}

// endFlow drops all tokens of an owning flow and the flow itself.
func (e *Engine) endFlow(id FlowID) {
	w := e.World
	for len(w.Flow(id).Tokens) > 0 {
		e.drop(w.Flow(id).Tokens[len(w.Flow(id).Tokens)-1])
	}
	for i := range w.Behavior.Flows.Len() {
		if f := w.Behavior.Flows.unseen(int32(i)); f.Used && f.Kind == NestedFlow && e.owner(FlowID(i)) == id {
			w.FreeEnv(f.Env)
			w.editFlow(FlowID(i)).Kind = RootFlow
			w.freeFlow(FlowID(i))
		}
	}
	w.freeFlow(id)
}

// endRun takes a run out of the World.
func (e *Engine) endRun(id RunID) {
	w := e.World
	r := w.Run(id)
	if r.Machine != NoMachine {
		e.endMachine(id)
		*w.editFiring(id) = Firing{}
	}
	if r.Root != NoFlow {
		e.endFlow(r.Root)
	}
	if env := w.Run(id).Env; env != NoEnv {
		w.FreeEnv(env)
	}
	for i, other := range w.Behavior.Attached {
		if other == id {
			w.Behavior.Attached = append(w.Behavior.Attached[:i:i], w.Behavior.Attached[i+1:]...)
			break
		}
	}
	w.Behavior.Runs.release(w.owner, int32(id))
}

// EndRun takes a run that a user started out of the World.
func (e *Engine) EndRun(id RunID) { e.endRun(id) }

// act makes turns until as many are left as there were when it began to
// have more than base.
func (e *Engine) act(base int) error {
	for len(e.World.Behavior.Turn) > base {
		turn := e.World.Behavior.Turn[len(e.World.Behavior.Turn)-1]
		var err error
		if turn.Kind == FlowTurn {
			err = e.sweep(FlowID(turn.Row))
		} else {
			err = e.fire(RunID(turn.Row))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) pushTurn(kind TurnKind, row int32) {
	w := e.World
	w.Behavior.Turn = append(w.Behavior.Turn, Turn{kind, row})
}

func (e *Engine) popTurn() {
	w := e.World
	w.Behavior.Turn = w.Behavior.Turn[:len(w.Behavior.Turn)-1]
}

// Step makes one step of a run and says whether anything moved.
func (e *Engine) Step(id RunID) (moved bool, err error) {
	w := e.World
	base := len(w.Behavior.Turn)
	root := w.Run(id).Root
	w.editFlow(root).Sweep.Moved = false
	e.pushTurn(FlowTurn, int32(root))
	if err := e.act(base); err != nil {
		return false, err
	}
	return w.Flow(root).Sweep.Moved, nil
}

// Ended reports whether a run has nothing left to do.
func (w *World) Ended(id RunID) bool {
	r := w.Run(id)
	if r.Machine != NoMachine {
		return r.State != RunOpen
	}
	return r.State != RunOpen || w.Flow(r.Root).Live == 0
}

func quote(s string) string { return `"` + s + `"` }
