package lang

import (
	"fmt"

	"go.starlark.net/starlark"
)

// A monitorDef is a monitor as a module registered it.
type monitorDef struct {
	name   string
	on     Matcher
	state  starlark.Value
	update starlark.Callable // nil for none
	check  starlark.Callable
}

// A Matcher selects events of a trace. Values of match.* implement it.
type Matcher interface {
	Matches(event starlark.Value) bool
}

// watching is a monitor in one leaf. Its state is frozen between events.
type watching struct {
	def   *monitorDef
	state starlark.Value
}

// monitorError ends a leaf that violates a monitor.
type monitorError struct{ monitor, reason string }

func (e *monitorError) Error() string {
	if e.reason == "" {
		return fmt.Sprintf("monitor %s is violated", e.monitor)
	}
	return "monitor violation: " + e.reason
}

// monitor is monitor(name, on=, state=, update=, check=).
func monitor(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	var on, update, check starlark.Value
	var state starlark.Value = starlark.None
	if err := starlark.UnpackArgs("monitor", args, kwargs, "name", &name, "on?", &on, "state?", &state, "update?", &update, "check?", &check); err != nil {
		return nil, err
	}
	m := Of(thread).module
	if m == nil {
		return nil, fmt.Errorf("monitor: a monitor is registered at the top level of a plan")
	}
	def := &monitorDef{name: name, state: state}
	for _, d := range m.monitor {
		if d.name == name {
			return nil, fmt.Errorf("monitor(%q): a monitor of this name is registered already", name)
		}
	}
	var ok bool
	if on != nil && on != starlark.None {
		if def.on, ok = on.(Matcher); !ok {
			return nil, fmt.Errorf("monitor(%q): on takes what match.* makes, not %s", name, on.Type())
		}
	}
	if update != nil && update != starlark.None {
		if def.update, ok = update.(starlark.Callable); !ok {
			return nil, fmt.Errorf("monitor(%q): update must be a function of event and state, not %s", name, update.Type())
		}
	}
	if def.check, ok = check.(starlark.Callable); !ok {
		return nil, fmt.Errorf("monitor(%q): check must be a function of event and state, not %s", name, typeOf(check))
	}
	if err := freeze(state); err != nil {
		return nil, fmt.Errorf("monitor(%q): state: %v", name, err)
	}
	m.monitor = append(m.monitor, def)
	return starlark.None, nil
}

// Observe tells the monitors and temporal properties of the leaf of thread that
// event happened. The error ends the leaf; the builtin that ran the model
// passes it on.
func Observe(thread *starlark.Thread, event starlark.Value) error {
	c := Of(thread)
	l := c.leaf
	if l == nil {
		return nil
	}
	l.now = max(l.now, instant(event))
	for _, w := range l.monitors {
		if w.def.on != nil && !w.def.on.Matches(event) {
			continue
		}
		if err := w.see(c, event); err != nil {
			return err
		}
	}
	for _, p := range l.claims {
		if err := p.see(thread, event, l.now); err != nil {
			return err
		}
	}
	if l.def.until == nil {
		return nil
	}
	done, err := l.def.until.met(thread, event)
	if err == nil && done {
		err = doneError{}
	}
	return err
}

// Watched reports whether somebody hears what Observe tells.
func Watched(thread *starlark.Thread) bool {
	c := Of(thread)
	return c.leaf != nil && (len(c.leaf.monitors)+len(c.leaf.claims) > 0 || c.leaf.def.until != nil)
}

// see takes in one event.
func (w *watching) see(c *Context, event starlark.Value) error {
	at := &Context{Ctx: c.Ctx, Phase: AtMonitor, texts: c.texts}
	thread, release := NewThread("monitor:"+w.def.name, at, Limits{Steps: predicateSteps})
	defer release()
	args := starlark.Tuple{event, w.state}
	if w.def.update != nil {
		state, err := starlark.Call(thread, w.def.update, args, nil)
		if err != nil {
			return &monitorError{w.def.name, reasonOf(c, thread, err)}
		}
		if err := freeze(state); err != nil {
			return &monitorError{w.def.name, err.Error()}
		}
		w.state, args[1] = state, state
	}
	ok, err := starlark.Call(thread, w.def.check, args, nil)
	if err != nil {
		return &monitorError{w.def.name, reasonOf(c, thread, err)}
	}
	if !ok.Truth() {
		return &monitorError{monitor: w.def.name}
	}
	return nil
}

// reasonOf is what a monitor's own error says; a halt says so as it was given.
func reasonOf(c *Context, thread *starlark.Thread, err error) string {
	if ends(err) {
		return rootCause(err)
	}
	return c.fault(thread, err).Error()
}

func rootCause(err error) string {
	if e, ok := err.(*starlark.EvalError); ok {
		return e.Msg
	}
	return err.Error()
}
