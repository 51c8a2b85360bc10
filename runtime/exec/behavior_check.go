package exec

import (
	"math"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file refuses Worlds whose behaviours lead nowhere.

// A checker finds whether the numbers of a World lead to rows and to parts of
// the Program.
type checker struct {
	w  *World
	ok bool
}

// within says that n is one of count, or, where none is allowed, -1.
func within[T ~int32](c *checker, n T, count int, none bool) bool {
	if int(n) < -1 || int(n) >= count || n == -1 && !none {
		c.ok = false
		return false
	}
	return true
}

func all[T ~int32](c *checker, list []T, count int) {
	for _, n := range list {
		within(c, n, count, false)
	}
}

func (c *checker) run(n RunID, none bool) bool {
	return within(c, n, c.w.Behavior.Runs.Len(), none) && (n == NoRun || c.that(c.w.Run(n).Used))
}

func (c *checker) flow(n FlowID, none bool) bool {
	return within(c, n, c.w.Behavior.Flows.Len(), none) && (n == NoFlow || c.that(c.w.Flow(n).Used))
}

func (c *checker) token(n TokenID, none bool) bool {
	return within(c, n, c.w.Behavior.Tokens.Len(), none) && (n == NoToken || c.that(c.w.Token(n).Used))
}

func (c *checker) object(n value.ObjectID) { within(c, n, c.w.Objects.Len(), true) }
func (c *checker) env(n EnvID)             { within(c, n, c.w.Envs.Len(), true) }

func (c *checker) that(ok bool) bool {
	c.ok = c.ok && ok
	return ok
}

// behaviors reports whether all that behaviours have leads somewhere.
func (c *checker) behaviors() bool {
	c.ok = true
	c.that(c.w.Behavior.Clock >= 0 && !math.IsInf(c.w.Behavior.Clock, 0))
	c.object(c.w.Behavior.ClockObject)
	c.tables()
	c.performances()
	c.free()
	if !c.ok { // what follows goes along the rows
		return false
	}
	c.standing()
	return c.ok && c.ends()
}

// tables checks the values that rows hold.
func (c *checker) tables() {
	w := c.w
	for i := range w.Objects.Len() {
		c.values(w.Objects.At(int32(i)).slots)
	}
	for i := range w.Envs.Len() {
		c.values(w.Envs.At(int32(i)).slots)
	}
	for i := range w.Stacks.Len() {
		c.values(w.Stacks.At(int32(i)).values)
	}
	for i := range w.Globals.Len() {
		if o := w.Globals.At(int32(i)); o.made {
			within(c, o.object, w.Objects.Len(), false)
		}
	}
	c.that(w.Globals.Len() <= len(w.Program.Globals) && w.Roots.Len() <= len(w.Program.Names))
}

// performances checks runs and flows.
func (c *checker) performances() {
	for i := range c.w.Behavior.Runs.Len() {
		if r := c.w.Run(RunID(i)); r.Used {
			c.aRun(RunID(i), r)
		}
	}
	for i := range c.w.Behavior.Flows.Len() {
		if f := c.w.Flow(FlowID(i)); f.Used {
			c.aFlow(FlowID(i), f)
		}
	}
}

// free checks the numbers that may be given again.
func (c *checker) free() {
	b := &c.w.Behavior
	c.released(b.Runs.free, func(i int32) bool { return b.Runs.At(i).Used })
	c.released(b.Flows.free, func(i int32) bool { return b.Flows.At(i).Used })
	c.released(b.Tokens.free, func(i int32) bool { return b.Tokens.At(i).Used })
	c.released(b.Messages.free, func(i int32) bool { return b.Messages.At(i).Used })
	c.released(b.Events.free, func(i int32) bool { return b.Events.At(i).Used })
	c.released(c.w.Envs.free, func(i int32) bool { return c.w.Envs.At(i).Used })
}

// standing checks where tokens stand, what is attached, whose turn it is and
// what is on the bus.
func (c *checker) standing() {
	w, b := c.w, &c.w.Behavior
	for i := range b.Tokens.Len() {
		if t := w.Token(TokenID(i)); t.Used {
			c.aToken(TokenID(i), t)
		}
	}
	for _, id := range b.Attached {
		c.run(id, false)
	}
	for _, t := range b.Turn {
		if t.Kind == FlowTurn {
			c.flow(FlowID(t.Row), false)
		} else {
			c.that(t.Kind == MachineTurn && c.run(RunID(t.Row), false) && w.Run(RunID(t.Row)).Machine != NoMachine)
		}
	}
	c.chain(b.Bus, b.Messages.Len(), func(i int32) (int32, int32, bool) {
		m := b.Messages.At(i)
		c.object(m.Object)
		c.that(len(m.Names) == len(m.Values))
		c.values(m.Values)
		return m.Next, m.Prev, m.Used
	})
}

// released says that rows whose numbers are free are in no use.
func (c *checker) released(free []int32, used func(int32) bool) {
	seen := map[int32]bool{}
	for _, i := range free {
		c.that(!used(i) && !seen[i])
		seen[i] = true
	}
}

// chain walks a list of rows both ways.
func (c *checker) chain(list Chain, count int, row func(int32) (next, prev int32, used bool)) {
	before := NoRow
	for i, n := list.First, 0; i != NoRow; n++ {
		if !within(c, i, count, false) || !c.that(n < count) {
			return
		}
		next, prev, used := row(i)
		c.that(used && prev == before)
		before, i = i, next
	}
	c.that(list.Last == before)
}

func (c *checker) aRun(id RunID, r *Run) {
	p := c.w.Program
	within(c, r.Graph, len(p.Graphs), true)
	within(c, r.Machine, len(p.Machines), true)
	c.that((r.Graph == NoGraph) != (r.Machine == NoMachine))
	c.object(r.Self)
	c.object(r.Occurrence)
	within(c, r.Label, len(p.Names), true)
	c.that(r.Label == NoName || r.Self != value.NoObject)
	c.env(r.Env)
	c.that(r.Machine != NoMachine || r.Root != NoFlow || r.State != RunOpen)
	if c.flow(r.Root, true) && r.Root != NoFlow {
		c.that(c.w.Flow(r.Root).Run == id && c.w.Flow(r.Root).Kind == RootFlow)
	}
	c.token(r.Host, true)
	c.run(r.HostRun, true)
	switch {
	case !c.ok || r.Env == NoEnv:
		c.that(r.Root == NoFlow && (r.Machine == NoMachine || r.State != RunOpen || !c.begun(id)))
	case r.Machine != NoMachine:
		c.data(r.Env, p.Machines[r.Machine].Layout)
		c.around(r.Env, NoLayout)
	default:
		c.data(r.Env, p.Graphs[r.Graph].Layout)
		c.around(r.Env, p.Graphs[r.Graph].Outer)
		c.that(r.Root == NoFlow || c.w.Flow(r.Root).Env == r.Env)
	}
	if c.ok && r.Machine != NoMachine {
		if within(c, id, c.w.Behavior.Firings.Len(), false) && c.that(c.w.Firing(id).Used) {
			c.aFiring(id, c.w.Firing(id), p.Machines[r.Machine])
		}
	}
}

func (c *checker) aFiring(id RunID, f *Firing, m *Machine) {
	b := &c.w.Behavior
	states, transitions := len(m.States), len(m.Transitions)
	c.that(len(f.Active) == (states+63)/64 && len(f.History) == states && len(f.Latched) == (transitions+63)/64)
	for _, s := range f.History {
		within(c, s, states, true)
	}
	all(c, f.Arrived, transitions)
	all(c, f.Goals, states)
	all(c, f.Fired, transitions)
	all(c, f.Junctions, transitions)
	all(c, f.Entered, states)
	all(c, f.Round, len(f.Dos))
	within(c, f.Interrupted, states, true)
	c.performs(id, f.Child)
	c.that(len(f.Names) == len(f.Values))
	c.values(f.Values)
	for _, d := range f.Dos {
		if within(c, d.State, states, false) {
			c.that(len(m.States[d.State].Do) > 0)
		}
		c.performs(id, d.Run)
	}
	event := func(i int32) (int32, int32, bool) {
		e := b.Events.At(i)
		within(c, e.Transition, transitions, true)
		within(c, e.State, states, true)
		c.that(len(e.Names) == len(e.Values))
		c.that((e.Kind != TimeEvent || e.Transition >= 0) && (e.Kind != CompletionEvent || e.State >= 0))
		c.values(e.Values)
		return e.Next, e.Prev, e.Used
	}
	c.chain(f.Pool, b.Events.Len(), event)
	c.chain(f.Timed, b.Events.Len(), event)
	tasks := func(list []Task) {
		for _, t := range list {
			c.task(t, m)
		}
	}
	tasks(f.Tasks)
	for _, front := range f.Fronts {
		for _, q := range front.Queues {
			tasks(q.Tasks)
		}
		within(c, front.Current, len(front.Queues), true)
	}
}

// performs says that a run, if it is one, is performed by the machine id.
func (c *checker) performs(id, child RunID) {
	if c.run(child, true) && child != NoRun {
		c.that(c.w.Run(child).HostRun == id)
	}
}

func (c *checker) aFlow(id FlowID, f *Flow) {
	p := c.w.Program
	c.that(f.Kind <= Subflow)
	c.run(f.Run, false)
	if !within(c, f.Graph, len(p.Graphs), false) {
		return
	}
	c.env(f.Env)
	if c.flow(f.Parent, f.Kind == RootFlow) && f.Parent != NoFlow {
		if g := c.w.Flow(f.Parent).Graph; within(c, g, len(p.Graphs), false) {
			within(c, f.Node, len(p.Graphs[g].Nodes), false)
		}
	}
	c.token(f.Host, true)
	s := &f.Sweep
	c.that(s.Phase <= Resuming && s.Pos >= 0)
	c.that(s.Phase != Sweeping || int(s.Pos) <= len(s.Order))
	c.that(s.Phase != Resuming || int(s.Pos) <= len(s.Paused))
	for _, list := range [...][]TokenID{s.Order, s.Paused} {
		for _, t := range list { // one that ended in the step is passed over
			if within(c, t, c.w.Behavior.Tokens.Len(), false) && c.w.Token(t).Used {
				c.that(c.w.Token(t).Owner == id)
			}
		}
	}
	seen := map[TokenID]bool{}
	for _, t := range f.Tokens {
		if c.token(t, false) {
			c.that(c.w.Token(t).Owner == id && !seen[t])
			seen[t] = true
		}
	}
	within(c, s.First, len(s.Places), true)
	within(c, s.Acting, c.w.Behavior.Tokens.Len(), true)
	for _, x := range s.Places {
		if within(c, x.Graph, len(p.Graphs), false) {
			within(c, x.Node, len(p.Graphs[x.Graph].Nodes), false)
		}
	}
	for _, x := range s.Writes {
		c.aValue(x.Value)
		if c.env(x.Env); x.Env == NoEnv {
			c.object(x.Object)
		}
		c.that(x.Slot >= 0)
	}
	switch {
	case !c.ok:
	case f.Kind == RootFlow:
		c.that(f.Env != NoEnv && c.w.Run(f.Run).Env == f.Env && c.w.Run(f.Run).Root == id && c.w.Run(f.Run).Graph == f.Graph)
	case f.Kind == NestedFlow:
		c.that(f.Env != NoEnv && c.w.Env(f.Env).Used && c.w.Env(f.Env).Parent == c.w.Flow(f.Parent).Env)
		c.that(p.Graphs[c.w.Flow(f.Parent).Graph].Nodes[f.Node].Flow == f.Graph)
		if c.ok {
			c.data(f.Env, p.Graphs[f.Graph].Layout)
		}
	default:
		c.that(f.Host != NoToken && f.Env == c.w.envOf(f.Host))
	}
}

func (c *checker) aToken(id TokenID, t *Token) {
	c.run(t.Run, false)
	if !c.flow(t.Flow, false) || !c.flow(t.Owner, false) {
		return
	}
	g := c.w.Program.Graphs[c.w.Flow(t.Flow).Graph]
	within(c, t.Node, len(g.Nodes), false)
	within(c, t.Edge, len(g.Edges), true)
	c.that(t.State <= SubWait && !math.IsNaN(t.Due))
	c.that(t.State < BodyPause || t.State > MessageWait || t.Stack != NoStack)
	c.that((t.State != ChildWait || t.Child != NoRun) && (t.State != SubWait || t.Sub != NoFlow))
	within(c, t.Stack, c.w.Stacks.Len(), true)
	c.env(t.Env)
	if !c.ok {
		return
	}
	n := &g.Nodes[t.Node]
	flow := c.w.Flow(t.Flow)
	if t.Env != NoEnv && n.Layout == NoLayout {
		c.that(false)
	} else if t.Env != NoEnv {
		c.data(t.Env, n.Layout)
		c.that(c.w.Env(t.Env).Parent == flow.Env)
	}
	if t.Stack != NoStack {
		if c.paused(t.Stack); c.ok {
			for i, f := range c.w.Stacks.At(int32(t.Stack)).frames {
				c.that((i > 0 || f.Unit == n.Unit) && (f.Env == c.w.envOf(id) || i > 0 && f.Env == NoEnv))
			}
		}
	}
	c.waits(t)
	c.that(c.w.Flow(t.Owner).Run == t.Run)
	if c.run(t.Child, true) && t.Child != NoRun {
		c.that(c.w.Run(t.Child).Host == id)
	}
	if c.flow(t.Sub, true) && t.Sub != NoFlow {
		f := c.w.Flow(t.Sub)
		c.that(f.Kind == Subflow && f.Host == id && f.Parent == t.Flow)
	}
}

// ends reports whether what is around flows, runs and Envs ends somewhere.
func (c *checker) ends() bool {
	w := c.w
	for i := range w.Behavior.Flows.Len() {
		n := 0
		for at := FlowID(i); at != NoFlow && w.Flow(at).Used; at = w.Flow(at).Parent {
			if n++; n > w.Behavior.Flows.Len() {
				return c.that(false)
			}
		}
	}
	for i := range w.Envs.Len() {
		n := 0
		for at := EnvID(i); at != NoEnv && w.Env(at).Used; at = w.Env(at).Parent {
			if n++; n > w.Envs.Len() {
				return c.that(false)
			}
		}
	}
	n, rows := 0, w.Behavior.Runs.Len()
	for i := range rows {
		n = 0
		for at := RunID(i); at != NoRun && w.Run(at).Used; n++ {
			if n > rows {
				return c.that(false)
			}
			r := w.Run(at)
			switch {
			case r.HostRun != NoRun:
				at = r.HostRun
			case r.Host != NoToken:
				at = w.Token(r.Host).Run
			default:
				at = NoRun
			}
		}
	}
	return c.ok
}
