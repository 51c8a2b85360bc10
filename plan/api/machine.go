package api

import (
	"context"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// A Machine is a state machine, or an action, that was started and is moved
// by hand. It belongs to one leaf. Each has a World of its own: a copy of the
// leaf's when it started.
type Machine struct {
	env     *Environment
	handle  *Handle
	session *runtime.Session
	at      *runtime.Position
	visits  []string
}

func (m *Machine) String() string {
	if m.at.FinalState != "" {
		return m.handle.name + " in " + m.at.FinalState
	}
	return m.handle.name + " at " + fmt.Sprint(m.at.Time)
}

// Type is "machine".
func (m *Machine) Type() string { return "machine" }

// Freeze does nothing: what changes is the World, not the handle.
func (m *Machine) Freeze() {}

// Truth is whether it has not ended.
func (m *Machine) Truth() starlark.Bool { return starlark.Bool(!m.at.Ended) }

// Hash is refused.
func (m *Machine) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: machine") }

// start starts a behaviour and lets it act until the clock must move.
func (h *Handle) start(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	e, s, o, given, err := h.begin(thread, "start", args, kwargs)
	if err != nil {
		return nil, err
	}
	m := &Machine{env: e, handle: h, session: s.Fork()}
	if err := e.limitSteps(m.session, given); err != nil {
		return nil, err
	}
	e.touch(h.name)
	e.note(h, "start "+callText(nil, kwargs), nil)
	return m, m.move(thread, func(ctx context.Context) (*runtime.Position, error) {
		if _, err := m.session.Start(ctx, h.name, o); err != nil {
			return nil, err
		}
		return m.settle(ctx)
	})
}

// settle lets the machine act until it is quiet at the present instant.
func (m *Machine) settle(ctx context.Context) (*runtime.Position, error) {
	return m.session.Advance(ctx, 0)
}

// move carries one operation out, keeps where the machine stands then, and
// tells the monitors what happened.
func (m *Machine) move(thread *starlark.Thread, do func(context.Context) (*runtime.Position, error)) error {
	l := &listener{}
	m.session.SetObserver(l)
	p, err := do(lang.Of(thread).Ctx)
	m.session.SetObserver(nil)
	for _, event := range l.events {
		if event.Kind == trace.EnterState {
			m.visits = append(m.visits, event.Name)
			m.env.touch(m.handle.name + "::" + event.Name)
		}
		if v, ok := eventOf(event); ok {
			if err := lang.Observe(thread, v); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return modelError(m.handle.name, err)
	}
	m.at = p
	for _, c := range p.Choices {
		m.env.account.Witness = append(m.env.account.Witness, c.Witness())
	}
	if m.env.trace {
		for _, event := range l.events {
			if line := event.Line(); line != "" {
				m.env.account.Trace = append(m.env.account.Trace, line)
			}
		}
	}
	return nil
}

// AttrNames lists the methods and what the machine tells.
func (m *Machine) AttrNames() []string {
	return []string{"accepts", "advance", "call", "current", "done", "outputs", "pending", "run", "send", "step", "time", "visits"}
}

// Attr is one of AttrNames.
func (m *Machine) Attr(name string) (starlark.Value, error) {
	switch name {
	case "current":
		return starlark.String(m.at.FinalState), nil
	case "done":
		return starlark.Bool(m.at.Ended), nil
	case "time":
		return starlark.Float(m.at.Time), nil
	case "visits":
		return texts(m.visits), nil
	case "pending":
		var names []string
		for _, e := range m.at.Events {
			names = append(names, e.Name)
		}
		return texts(names), nil
	case "outputs":
		return machineOutputs{m}, nil
	case "send":
		return lang.Method(name, lang.Run, m.post(false)), nil
	case "call":
		return lang.Method(name, lang.Run, m.post(true)), nil
	case "accepts":
		return lang.Method(name, lang.Run, m.accepts), nil
	case "advance":
		return lang.Method(name, lang.Run, m.advance), nil
	case "step":
		return lang.Method(name, lang.Run, m.steps(1)), nil
	case "run":
		return lang.Method(name, lang.Run, m.steps(0)), nil
	}
	return nil, lacks(m, name, "")
}

// event is the signal or the call that the arguments of send, call and accepts
// name.
func (e *Environment) event(thread *starlark.Thread, s *runtime.Session, what string, call bool, args starlark.Tuple, kwargs []starlark.Tuple) (runtime.Event, error) {
	if len(args) != 1 {
		return runtime.Event{}, fmt.Errorf("%s takes the name of what is sent, then its arguments by name", what)
	}
	signal, ok := starlark.AsString(args[0])
	if !ok {
		return runtime.Event{}, fmt.Errorf("%s: what is sent is named by text, not by %s", what, args[0].Type())
	}
	arguments, _, err := e.arguments(lang.Of(thread).Ctx, s, what, kwargs, nil)
	return arriving(signal, call, arguments), err
}

// arriving is the signal or the call that a text names, with the port that it
// arrives at: "Go via left".
func arriving(text string, call bool, arguments []runtime.Argument) runtime.Event {
	name, port, _ := strings.Cut(text, " via ")
	return runtime.Event{Name: strings.TrimSpace(name), Via: strings.TrimSpace(port), Call: call, Args: arguments}
}

// post is send and call: the machine reacts until the clock must move.
func (m *Machine) post(call bool) lang.Func {
	name := "send"
	if call {
		name = "call"
	}
	return func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		e, err := m.env.event(thread, m.session, name, call, args, kwargs)
		if err != nil {
			return nil, err
		}
		m.env.note(m.handle, name+" "+callText(args, kwargs), nil)
		return starlark.None, m.move(thread, func(ctx context.Context) (*runtime.Position, error) {
			if _, err := m.session.Send(ctx, e); err != nil {
				return nil, err
			}
			return m.settle(ctx)
		})
	}
}

// accepts reports whether the machine would react to a signal or a call now.
// What is sent to find out is taken back.
func (m *Machine) accepts(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	ctx := lang.Of(thread).Ctx
	for _, call := range []bool{false, true} {
		e, err := m.env.event(thread, m.session, "accepts", call, args, kwargs)
		if err != nil {
			return nil, err
		}
		if _, err := m.session.Send(ctx, e); err != nil {
			continue
		}
		if _, err := m.session.Back(ctx, 1); err != nil {
			return nil, modelError(m.handle.name, err)
		}
		return starlark.True, nil
	}
	return starlark.False, nil
}

// advance moves the clock on; what comes due acts.
func (m *Machine) advance(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, text, err := secondsOf(args, kwargs)
	if err != nil {
		return nil, err
	}
	m.env.note(m.handle, "advance "+text, nil)
	return starlark.None, m.move(thread, func(ctx context.Context) (*runtime.Position, error) {
		return m.session.Advance(ctx, s)
	})
}

// secondsOf is the argument of advance, and how it was written.
func secondsOf(args starlark.Tuple, kwargs []starlark.Tuple) (s float64, text string, err error) {
	var seconds starlark.Value
	if err := starlark.UnpackArgs("advance", args, kwargs, "seconds", &seconds); err != nil {
		return 0, "", err
	}
	s, ok := starlark.AsFloat(seconds)
	if !ok || !(s >= 0) {
		return 0, "", fmt.Errorf("advance: a number of seconds that is not negative, not %s", lang.Printed(seconds))
	}
	return s, seconds.String(), nil
}

// steps is step(n=1) and run().
func (m *Machine) steps(n int) lang.Func {
	return func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		count := n
		if n == 0 {
			if err := starlark.UnpackArgs("run", args, kwargs); err != nil {
				return nil, err
			}
		} else if err := starlark.UnpackArgs("step", args, kwargs, "n?", &count); err != nil {
			return nil, err
		}
		return starlark.None, m.move(thread, func(ctx context.Context) (*runtime.Position, error) {
			if n == 0 {
				return m.session.Continue(ctx)
			}
			return m.session.Step(ctx, count)
		})
	}
}

// machineOutputs reads the attributes and parameters of the machine by name.
type machineOutputs struct{ m *Machine }

var _ starlark.Mapping = machineOutputs{}

func (o machineOutputs) String() string        { return "outputs of " + o.m.handle.name }
func (o machineOutputs) Type() string          { return "outputs" }
func (o machineOutputs) Freeze()               {}
func (o machineOutputs) Truth() starlark.Bool  { return true }
func (o machineOutputs) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: outputs") }

// Get is the value of an attribute.
func (o machineOutputs) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("an attribute is named by text, not by %s", key.Type())
	}
	v, err := o.m.session.Watch(o.m.env.ctx, name)
	if err != nil {
		return nil, false, modelError(o.m.handle.name, err)
	}
	if v.Kind() == value.Object {
		return starlark.String(o.m.session.Text(v)), true, nil
	}
	return o.m.env.toStarlark(o.m.handle.model, o.m.session, v), true, nil
}
