package api

import (
	"context"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
)

// An Exhibited is a state machine or an action that an object has: what it is
// sent moves the object in the World of the leaf, where a [Machine] has a World
// of its own.
type Exhibited struct {
	object *Object
	name   string // of the behaviour in the object
	at     *runtime.Run
	visits []string
}

func (m *Exhibited) String() string {
	text := m.object.name + "." + m.name
	if m.at.FinalState != "" {
		text += " in " + m.at.FinalState
	}
	return text
}

// Type is "machine".
func (m *Exhibited) Type() string { return "machine" }

// Freeze does nothing: what changes is the World, not the handle.
func (m *Exhibited) Freeze() {}

// Truth is whether it has not ended.
func (m *Exhibited) Truth() starlark.Bool { return starlark.Bool(!m.at.Ended) }

// Hash is refused.
func (m *Exhibited) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: machine") }

// machine is obj.machine(name): the behaviour of the object that has the name,
// after it has acted until it rests.
func (o *Object) machine(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs("machine", args, kwargs, "name", &name); err != nil {
		return nil, err
	}
	m := &Exhibited{object: o, name: name}
	if err := m.move(thread, "machine", nil, nil); err != nil {
		return nil, o.nearMachine(lang.Of(thread).Ctx, name, err)
	}
	return m, nil
}

// nearMachine is err with the nearest feature of the object as a hint.
func (o *Object) nearMachine(ctx context.Context, name string, err error) error {
	s, failed := o.session(ctx)
	if failed != nil {
		return err
	}
	return o.near(ctx, s, name, err)
}

// move lets the object act until it rests, after posting events to it. Only run
// lets the clock go on for it.
func (m *Exhibited) move(thread *starlark.Thread, what string, events []runtime.Event, kwargs []starlark.Tuple) error {
	o := m.object
	ctx := lang.Of(thread).Ctx
	s, err := o.session(ctx)
	if err != nil {
		return err
	}
	if err := o.env.began(); err != nil {
		return err
	}
	settings, err := o.env.settings(thread, s, nil)
	if err != nil {
		return err
	}
	options := runtime.RunOptions{Settings: settings, Exhibited: m.name, Events: events, Accepted: true, Now: what != "run", Trace: o.env.trace}
	var r *runtime.Run
	err = o.env.watched(thread, s, func() (err error) {
		r, err = s.RunObject(ctx, o.ref(), options)
		return err
	})
	if err == nil && r.Err != nil {
		err = r.Err
	}
	if err != nil {
		return modelError(o.typ, err)
	}
	m.at = r
	m.visits = r.Visits // since it began
	h := &Handle{model: o.model, kind: r.Kind, name: r.Behavior, performer: o}
	o.env.touch(r.Behavior)
	o.env.done(h, r, settings, nil)
	if len(events) > 0 {
		o.env.note(h, what+" "+callText(starlark.Tuple{starlark.String(events[0].Name)}, kwargs), nil)
	}
	return nil
}

// AttrNames lists the methods and what the machine tells.
func (m *Exhibited) AttrNames() []string {
	return []string{"accepts", "advance", "call", "current", "done", "outputs", "run", "send", "time", "visits"}
}

// Attr is one of AttrNames.
func (m *Exhibited) Attr(name string) (starlark.Value, error) {
	o := m.object
	switch name {
	case "current":
		return starlark.String(m.at.FinalState), nil
	case "done":
		return starlark.Bool(m.at.Ended), nil
	case "time":
		return starlark.Float(m.at.Time), nil
	case "visits":
		return texts(m.visits), nil
	case "outputs":
		s, err := o.session(o.env.ctx)
		if err != nil {
			return nil, err
		}
		d := o.env.outputs(o.model, s, m.at.Outputs)
		d.Freeze()
		return d, nil
	case "send":
		return lang.Method(name, lang.Run, m.post(false)), nil
	case "call":
		return lang.Method(name, lang.Run, m.post(true)), nil
	case "accepts":
		return lang.Method(name, lang.Run, m.accepts), nil
	case "advance":
		return lang.Method(name, lang.Run, m.advance), nil
	case "run":
		return lang.Method(name, lang.Run, func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := starlark.UnpackArgs("run", args, kwargs); err != nil {
				return nil, err
			}
			return starlark.None, m.move(thread, "run", nil, nil)
		}), nil
	}
	return nil, lacks(m, name, "")
}

// post is send and call: the object acts until it rests.
func (m *Exhibited) post(call bool) lang.Func {
	what := "send"
	if call {
		what = "call"
	}
	return func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		s, err := m.object.session(lang.Of(thread).Ctx)
		if err != nil {
			return nil, err
		}
		e, err := m.object.env.event(thread, s, what, call, args, kwargs)
		if err != nil {
			return nil, err
		}
		return starlark.None, m.move(thread, what, []runtime.Event{e}, kwargs)
	}
}

// accepts reports whether the object would react to a signal or a call now. A
// copy of the World finds out.
func (m *Exhibited) accepts(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	ctx := lang.Of(thread).Ctx
	s, err := m.object.session(ctx)
	if err != nil {
		return nil, err
	}
	for _, call := range []bool{false, true} {
		e, err := m.object.env.event(thread, s, "accepts", call, args, kwargs)
		if err != nil {
			return nil, err
		}
		e.To = m.object.ref()
		if _, err := s.Fork().Send(ctx, e); err == nil {
			return starlark.True, nil
		}
	}
	return starlark.False, nil
}

// advance moves the clock of the World on; what comes due acts.
func (m *Exhibited) advance(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n, text, err := secondsOf(args, kwargs)
	if err != nil {
		return nil, err
	}
	o := m.object
	ctx := lang.Of(thread).Ctx
	s, err := o.session(ctx)
	if err != nil {
		return nil, err
	}
	err = o.env.watched(thread, s, func() error {
		_, err := s.Advance(ctx, n)
		return err
	})
	if err != nil {
		return nil, modelError(o.typ, err)
	}
	o.env.account.Witness = append(o.env.account.Witness, o.OptionKey()+" advance "+text)
	return starlark.None, m.move(thread, "advance", nil, nil)
}
