package api

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime/trace"
)

// eventKinds are the kinds of event that monitors can ask for.
var eventKinds = map[trace.Kind]string{
	trace.EnterState: "enter", trace.ExitState: "exit", trace.EnterNode: "enter", trace.LeaveNode: "exit",
	trace.Transition: "transition", trace.Step: "step",
}

// An Event is one event of a trace, as monitors see it.
type Event struct {
	kind string
	e    trace.Event
}

// eventOf is e for monitors, and whether they see it.
func eventOf(e trace.Event) (Event, bool) {
	kind, ok := eventKinds[e.Kind]
	if ok {
		return Event{kind, e}, true
	}
	switch {
	case e.Kind == trace.Statement && (e.Word == "assign" || e.Word == "send" || e.Word == "accept"):
		return Event{e.Word, e}, true
	case e.Kind == trace.Choice:
		return Event{"draw", e}, true
	}
	return Event{}, false
}

func (x Event) String() string { return x.kind + " " + x.e.Label() }

// Type is "event".
func (x Event) Type() string { return "event" }

// Freeze does nothing: an event never changes.
func (x Event) Freeze() {}

// Truth is true.
func (x Event) Truth() starlark.Bool { return true }

// Hash is that of the text.
func (x Event) Hash() (uint32, error) { return starlark.String(x.String()).Hash() }

// AttrNames lists what an event tells.
func (x Event) AttrNames() []string { return []string{"kind", "name", "note", "time", "value"} }

// Attr is what the event tells.
func (x Event) Attr(name string) (starlark.Value, error) {
	switch name {
	case "kind":
		return starlark.String(x.kind), nil
	case "name":
		return starlark.String(x.e.Label()), nil
	case "note":
		return starlark.String(x.e.Note), nil
	case "value":
		return starlark.String(x.e.Value), nil
	case "time":
		return starlark.Float(x.e.Instant), nil
	}
	return nil, nil
}

// A matcher selects events of one kind, by name where names are given.
type matcher struct {
	kind  string
	names []string
}

func (m matcher) String() string {
	return "match." + m.kind + "(" + strings.Join(m.names, ", ") + ")"
}

// Type is "match".
func (m matcher) Type() string { return "match" }

// Freeze does nothing: a matcher never changes.
func (m matcher) Freeze() {}

// Truth is true.
func (m matcher) Truth() starlark.Bool { return true }

// Hash is that of the text.
func (m matcher) Hash() (uint32, error) { return starlark.String(m.String()).Hash() }

// Matches reports whether an event is selected. A state is named by its own
// name or by its path.
func (m matcher) Matches(v starlark.Value) bool {
	x, ok := v.(Event)
	if !ok || x.kind != m.kind {
		return false
	}
	if len(m.names) == 0 {
		return true
	}
	name := x.e.Label()
	for _, n := range m.names {
		if name == n || strings.HasSuffix(name, "."+n) || strings.HasSuffix(name, " "+n) {
			return true
		}
	}
	return false
}

// matchers is the value called match.
func matchers() starlark.Value {
	members := starlark.StringDict{}
	for _, kind := range []string{"enter", "exit", "transition", "send", "accept", "assign", "draw", "step"} {
		members[kind] = lang.Method(kind, lang.Pure, func(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(kwargs) > 0 {
				return nil, fmt.Errorf("match.%s takes names alone", kind)
			}
			m := matcher{kind: kind}
			for _, a := range args {
				n, ok := starlark.AsString(a)
				if !ok {
					return nil, fmt.Errorf("match.%s: a name is a text, not %s", kind, a.Type())
				}
				m.names = append(m.names, n)
			}
			return m, nil
		})
	}
	return module("match", members)
}
