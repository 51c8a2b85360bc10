package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file refuses Worlds whose data and paused bodies do not fit the code
// that would go on with them.

// aValue says that a value refers to objects that there are.
func (c *checker) aValue(v value.Value) {
	if id, ok := v.AsObject(); ok {
		if within(c, id, c.w.Objects.Len(), true) && id != value.NoObject {
			c.that(c.w.Object(id).path != 0 || c.w.Object(id).Gone)
		}
		return
	}
	if v.HoldsObjects() {
		for e := range v.All() {
			c.aValue(e)
		}
	}
}

func (c *checker) values(list []value.Value) {
	for _, v := range list {
		c.aValue(v)
	}
}

// data says that an Env is in use and has the layout.
func (c *checker) data(id EnvID, layout LayoutID) {
	if within(c, id, c.w.Envs.Len(), false) {
		e := c.w.Env(id)
		c.that(e.Used && e.Layout == layout && len(e.slots) == len(c.w.Program.Layouts[layout].Slots))
	}
}

// around says that what is around an Env, if anything is, has the layout outer;
// that nothing is, where it is NoLayout.
func (c *checker) around(id EnvID, outer LayoutID) {
	if !c.ok {
		return
	}
	if at := c.w.Env(id).Parent; at != NoEnv && c.that(outer != NoLayout) {
		c.data(at, outer)
	}
}

// paused says that a Stack is in use and that each frame of it stands at code,
// and returns to a frame that takes what it returns.
func (c *checker) paused(id StackID) {
	if !within(c, id, c.w.Stacks.Len(), false) {
		return
	}
	p := c.w.Program
	s := c.w.Stacks.At(int32(id))
	if !c.that(len(s.frames) > 0) {
		return
	}
	for i, f := range s.frames {
		u := p.Units[f.Unit]
		c.that(int(f.PC) < len(u.Code) && f.Return <= ToJoin && (f.Return == ToHost) == (i == 0))
		if i > 0 {
			caller := p.Units[s.frames[i-1].Unit]
			switch f.Return {
			case ToRegister, ToMemo:
				within(c, f.A, int(caller.Registers), f.Return == ToMemo)
			case ToSlot, ToJoin:
				if object := value.ObjectID(f.A); within(c, object, c.w.Objects.Len(), false) {
					within(c, f.B, len(c.w.Object(object).slots), false)
				}
			}
		}
	}
}

// begun reports whether a run of a machine has entered its first configuration.
func (c *checker) begun(id RunID) bool {
	return int(id) < c.w.Behavior.Firings.Len() && c.w.Firing(id).Begun
}

// request is what the body of a token has asked for; nil where it has not.
func (c *checker) request(id StackID) *Request {
	s := c.w.Stacks.At(int32(id))
	f := s.frames[len(s.frames)-1]
	u := c.w.Program.Units[f.Unit]
	if in := u.Code[f.PC]; in.Op == OpRequest && int(in.B) < len(u.Requests) {
		return &u.Requests[in.B]
	}
	return nil
}

// waits says that the body of a token has asked for what the token waits for.
func (c *checker) waits(t *Token) {
	if t.Stack == NoStack || !c.ok {
		return
	}
	asked := c.request(t.Stack)
	is := func(kind RequestKind) bool { return c.that(asked != nil && asked.Kind == kind) }
	accepts := func(kinds ...AcceptKind) {
		if is(AcceptRequest) {
			fits := false
			for _, k := range kinds {
				fits = fits || c.w.Program.Accepts[asked.Ref].Kind == k
			}
			c.that(fits)
		}
	}
	switch t.State {
	case MessageWait:
		accepts(MessageAccept)
	case ChangeWait:
		accepts(WhenAccept)
	case ClockWait:
		accepts(AfterAccept, AtAccept)
	case ChildWait:
		if is(PerformRequest) && c.run(t.Child, false) {
			graph := c.w.Run(t.Child).Graph
			c.that(graph != NoGraph && graph == c.w.Program.Performs[asked.Ref].Graph)
		}
	case SubWait:
		if is(SubflowRequest) && c.flow(t.Sub, false) {
			c.that(c.w.Flow(t.Sub).Graph == c.w.Program.Subflows[asked.Ref].Graph)
		}
	}
}

// task says that a task is about parts of machine m.
func (c *checker) task(t Task, m *Machine) {
	state := func() bool { return within(c, t.State, len(m.States), false) }
	transition := func() bool { return within(c, t.Transition, len(m.Transitions), false) }
	switch t.Kind {
	case EnterTask, DescendTask, ExitTask, LeaveTask, RegisterTask, StopTask:
		state()
	case EntryTask:
		if state() {
			within(c, t.N, len(m.States[t.State].Entry), false)
		}
	case ExitBehave:
		if state() {
			within(c, t.N, len(m.States[t.State].Exit), false)
		}
	case EffectTask:
		if transition() {
			within(c, t.N, len(m.Transitions[t.Transition].Effects), false)
		}
	case EffectsTask:
		transition()
	case LineTask:
		if state() {
			within(c, t.N, len(m.States), false)
		}
	case ChoiceTask, JoinTask:
		if state() && transition() {
			within(c, t.N, len(m.States), false)
			c.that(m.States[t.State].Kind == ChoiceState && t.Kind == ChoiceTask || m.States[t.State].Kind == JoinState && t.Kind == JoinTask)
		}
	case ForkTask:
		if state() && transition() && within(c, t.N, len(m.States), false) {
			c.that(m.States[t.State].Kind == ForkState && m.States[t.N].Parallel)
		}
	case ScheduleTask, CompleteTask:
	default:
		c.that(false)
	}
}
