package exec

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file ends performances before they have come to their end.

// terminate does what a terminate statement says: without a name it ends the
// action around it, whose other tokens are dropped without effects; with the
// name of a node it ends what is performed there; with an object, the object
// and all that it performs.
func (e *Engine) terminate(id FlowID, token TokenID, r *Runner, stop Stop) (again bool, err error) {
	q := stop.Request
	switch {
	case len(stop.Args) > 0:
		object, ok := stop.Args[0].AsObject()
		if !ok {
			return false, failAt(BadFlow, q.Span, "terminate "+q.Name+": "+stop.Args[0].TypeName()+" is no occurrence that could end")
		}
		e.terminateObject(object)
	case len(q.Names) > 0:
		if err := e.terminateNode(token, q.Name); err != nil {
			return false, err
		}
	default:
		return false, e.terminateAround(id, token, q.Name)
	}
	if !e.World.Token(token).Used {
		return false, nil
	}
	r.Answer(value.NullValue)
	return true, nil
}

// terminateAround ends the action that performs the body of a token.
func (e *Engine) terminateAround(id FlowID, token TokenID, name string) error {
	w := e.World
	flow := w.Token(token).Flow
	for w.Flow(flow).Kind == Subflow {
		token = w.Flow(flow).Host
		flow = w.Token(token).Flow
	}
	owner := w.Token(token).Owner
	var dropped []string
	var others []TokenID
	for _, other := range w.Flow(owner).Tokens {
		if other != token && e.within(other, flow) {
			others = append(others, other)
			t := w.Token(other)
			dropped = append(dropped, "token "+strconv.FormatInt(t.ID, 10)+"@"+e.nodeOf(t).Name)
		}
	}
	what := "no token dropped"
	if len(dropped) > 0 {
		what = "dropped " + strings.Join(dropped, ", ")
	}
	if w.Flow(flow).Kind == NestedFlow {
		name = w.Program.Graphs[w.Flow(flow).Graph].Name
	}
	e.observe(trace.Event{Kind: trace.Terminate, Name: " " + name + ": " + what})
	for _, other := range others {
		e.drop(other)
	}
	for top := w.Behavior.Turn[len(w.Behavior.Turn)-1]; top.Kind != FlowTurn || FlowID(top.Row) != owner; top = w.Behavior.Turn[len(w.Behavior.Turn)-1] {
		e.popTurn()
	}
	e.acted(owner, w.Token(token).ID)
	e.setActing(owner, NoToken)
	if w.Flow(flow).Kind == NestedFlow {
		return e.leaveFlow(owner, token)
	}
	e.drop(token)
	return nil
}

// within reports whether a token is in a flow or in one that a node of it
// owns.
func (e *Engine) within(token TokenID, flow FlowID) bool {
	w := e.World
	for at := w.Token(token).Flow; at != NoFlow; at = w.Flow(at).Parent {
		if at == flow {
			return true
		}
		if w.Flow(at).Kind != NestedFlow {
			return false
		}
	}
	return false
}

// terminateNode ends what is performed at the node called name of the action
// that a token is in: what waits there goes on behind it.
func (e *Engine) terminateNode(token TokenID, name string) error {
	w := e.World
	owner := w.Run(w.Token(token).Run).Root
	var there []TokenID
	for _, other := range w.Flow(owner).Tokens {
		if t := w.Token(other); other != token && e.nodeOf(t).Name == name {
			there = append(there, other)
		}
	}
	if len(there) == 0 {
		e.observe(trace.Event{Kind: trace.Terminate, Name: " " + name + ": ended before it began"})
		return nil
	}
	e.observe(trace.Event{Kind: trace.Terminate, Name: " " + name + ": ended waiting"})
	for _, other := range there {
		t := w.Token(other)
		if t.Child != NoRun {
			e.endRun(t.Child)
		}
		if t.Sub != NoFlow {
			e.endFlow(t.Sub)
		}
		edit := w.editToken(other)
		edit.Child, edit.Sub = NoRun, NoFlow
		acting := w.Flow(owner).Sweep.Acting
		if err := e.performed(owner, other); err != nil {
			return err
		}
		e.setActing(owner, acting)
	}
	return nil
}

// terminateObject ends an object and what it performs.
func (e *Engine) terminateObject(id value.ObjectID) {
	w := e.World
	o := w.Object(id)
	e.observe(trace.Event{Kind: trace.Terminate, Name: ": " + w.Program.Types[o.Type].Name, Number: int64(o.Number)})
	w.Objects.edit(w.owner, int32(id)).Gone = true
	for i := range w.Behavior.Runs.Len() {
		r := w.Run(RunID(i))
		if !r.Used || r.Self != id || r.Host != NoToken || r.HostRun != NoRun || e.driven(RunID(i)) {
			continue
		}
		if r.Machine != NoMachine {
			e.finish(RunID(i), RunTerminated)
			continue
		}
		for len(w.Flow(w.Run(RunID(i)).Root).Tokens) > 0 {
			e.drop(w.Flow(w.Run(RunID(i)).Root).Tokens[0])
		}
		w.editRun(RunID(i)).State = RunTerminated
	}
}

// returns notes what an action that a behaviour of a machine performed gives
// back, for who called the machine.
func (e *Engine) returns(child RunID) {
	w := e.World
	run := w.Run(child)
	if run.Host == NoToken {
		return
	}
	machine := e.machineAround(w.Token(run.Host).Owner)
	if machine == NoRun || w.Run(machine).Machine == NoMachine {
		return
	}
	graph := w.Program.Graphs[run.Graph]
	for _, p := range graph.Params {
		if v := w.Env(run.Env).Slot(int(p.Slot)); p.Out && !v.IsAbsent() {
			f := e.editFiring(machine)
			f.Names, f.Values = append(f.Names, p.Name), append(f.Values, v)
		}
	}
}

// Returned are the outputs that the behaviours of a machine have given back
// since they were taken last; the later of one name stands. An action gives
// none back this way.
func (e *Engine) Returned(id RunID) (names []string, values []value.Value) {
	if e.World.Run(id).Machine == NoMachine {
		return nil, nil
	}
	f := e.editFiring(id)
	for i, n := range f.Names {
		found := false
		for k := range names {
			if names[k] == n {
				values[k], found = f.Values[i], true
			}
		}
		if !found {
			names, values = append(names, n), append(values, f.Values[i])
		}
	}
	f.Names, f.Values = nil, nil
	return names, values
}
