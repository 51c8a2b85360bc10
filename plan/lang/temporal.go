package lang

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// This file is temporal properties: claims about the events of a whole leaf.
//
// A property watches from the moment it is taken up (when the leaf begins for
// those of test(expect=), at the call for expect in a body) until the leaf
// ends. Without after= its window is open all that time; with it, every event
// that matches opens the window, which until= closes.

// A property is a temporal property as eventually or always made it. It never
// changes.
type property struct {
	always bool
	text   string
	on     Matcher           // which events count; nil for all
	holds  starlark.Callable // of one event; nil where on says it all
	after  Matcher           // what opens the window; nil for the start
	until  Matcher           // what closes it; nil for the end
	within float64           // seconds of model time from the opening; +Inf without
}

func (p *property) String() string        { return p.text }
func (p *property) Type() string          { return "temporal property" }
func (p *property) Freeze()               {}
func (p *property) Truth() starlark.Bool  { return true }
func (p *property) Hash() (uint32, error) { return starlark.String(p.text).Hash() }

func temporals() []Builtin {
	return []Builtin{
		{"eventually", Declare, "eventually(what, on=, after=, until=, within=)", "a property: an event that matches, or for which a function holds, comes", temporal(false)},
		{"always", Declare, "always(what, on=, after=, until=)", "a property: a function holds for every event", temporal(true)},
	}
}

// temporal makes a property. what is a matcher or a function of an event.
func temporal(always bool) Func {
	name := "eventually"
	if always {
		name = "always"
	}
	return func(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var what, within starlark.Value
		var on, after, until starlark.Value
		if err := starlark.UnpackArgs(name, args, kwargs, "what", &what, "on?", &on, "after?", &after, "until?", &until, "within?", &within); err != nil {
			return nil, err
		}
		p := &property{always: always, text: name + "(" + describe(what) + ")", within: math.Inf(1)}
		for _, m := range []struct {
			name  string
			value starlark.Value
			to    *Matcher
		}{{"on", on, &p.on}, {"after", after, &p.after}, {"until", until, &p.until}} {
			if m.value == nil || m.value == starlark.None {
				continue
			}
			var ok bool
			if *m.to, ok = m.value.(Matcher); !ok {
				return nil, fmt.Errorf("%s: %s takes what match.* makes, not %s", name, m.name, m.value.Type())
			}
		}
		switch w := what.(type) {
		case Matcher:
			if always || p.on != nil {
				return nil, fmt.Errorf("%s: expected a function of an event, not a match", name)
			}
			p.on = w
		case starlark.Callable:
			p.holds = w
		default:
			return nil, fmt.Errorf("%s: expected a function of an event or what match.* makes, not %s", name, what.Type())
		}
		if within != nil && within != starlark.None {
			seconds, ok := number(within)
			if !ok || !(seconds >= 0) || always {
				return nil, fmt.Errorf("%s: within is a number of seconds of an eventually, not %s", name, within)
			}
			p.within = seconds
		}
		return p, nil
	}
}

// describe is how a property's text spells what it watches for.
func describe(v starlark.Value) string {
	if f, ok := v.(*starlark.Function); ok {
		return f.Name()
	}
	return brief(v)
}

// properties reads expect= of a test: a property or a list of them.
func properties(v starlark.Value) ([]*property, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *property:
		return []*property{v}, nil
	case *starlark.List, starlark.Tuple:
		var out []*property
		it := v.(starlark.Iterable).Iterate()
		defer it.Done()
		for x := starlark.Value(nil); it.Next(&x); {
			p, ok := x.(*property)
			if !ok {
				return nil, fmt.Errorf("expect takes temporal properties, not %s", x.Type())
			}
			out = append(out, p)
		}
		return out, nil
	}
	return nil, fmt.Errorf("expect takes a temporal property, not %s", v.Type())
}

// claimed is a property in one leaf.
type claimed struct {
	*property
	open   bool
	opened bool    // the window was open at some time
	since  float64 // when it opened
	owed   bool    // an eventually waits for its event
	late   bool    // and has waited longer than within
}

func (p *property) claim(now float64) *claimed {
	c := &claimed{property: p}
	if p.after == nil {
		c.openAt(now)
	}
	return c
}

func (c *claimed) openAt(now float64) {
	if !c.owed {
		c.since = now
	}
	c.open, c.opened, c.owed = true, true, !c.always
}

// unmetError ends a leaf that violates an always.
type unmetError struct{ reason string }

func (e *unmetError) Error() string { return e.reason }

// see takes in one event. The error is an unmetError, or the function's own.
func (c *claimed) see(thread *starlark.Thread, event starlark.Value, now float64) error {
	if c.owed && now > c.since+c.within {
		c.late = true
	}
	if c.open && c.until != nil && c.until.Matches(event) {
		c.open = false
	}
	if c.open && (c.on == nil || c.on.Matches(event)) {
		ok := true
		if c.holds != nil {
			v, err := Ask(thread, c.text, c.holds, starlark.Tuple{event})
			if err != nil {
				return err
			}
			ok = bool(v.Truth())
		}
		switch {
		case c.always && !ok:
			return &unmetError{fmt.Sprintf("%s is violated by %s", c.text, brief(event))}
		case !c.always && ok && !c.late:
			c.owed = false
			c.open = c.after == nil // without after=, once is enough
		}
	}
	if c.after != nil && c.after.Matches(event) {
		c.openAt(now)
	}
	return nil
}

// instant is the model time of an event; 0 for one without.
func instant(event starlark.Value) float64 {
	if e, ok := event.(starlark.HasAttrs); ok {
		if v, err := e.Attr("time"); err == nil && v != nil {
			t, _ := number(v)
			return t
		}
	}
	return 0
}

// settle judges the properties of a leaf whose body came to its end.
func (l *running) settle() {
	for _, c := range l.claims {
		switch {
		case c.owed && c.late:
			l.end(leaf.Fail, fmt.Sprintf("%s did not hold within %v s", c.text, c.within), nil)
			return
		case c.owed:
			l.end(leaf.Fail, c.text+" did not hold until the end", nil)
			return
		case c.always && !c.opened:
			l.result.Warnings = append(l.result.Warnings, leaf.Warning{Code: "NEVER_OPENED", Message: "the window of " + c.text + " never opened in some leaf"})
		}
	}
}

// uphold has the leaf claim p from now on.
func (l *running) uphold(p *property) {
	l.expected++
	l.claims = append(l.claims, p.claim(l.now))
}

// doneError ends a leaf for terminate_when: its body counts as run to its end.
type doneError struct{}

func (doneError) Error() string { return "what terminate_when waits for has come" }

// ending is terminate_when of a test: a matcher, or a function of an event.
type ending struct {
	on    Matcher
	holds starlark.Callable
}

func endingOf(v starlark.Value) (*ending, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case Matcher:
		return &ending{on: v}, nil
	case starlark.Callable:
		return &ending{holds: v}, nil
	}
	return nil, fmt.Errorf("terminate_when takes what match.* makes or a function of an event, not %s", v.Type())
}

func (e *ending) met(thread *starlark.Thread, event starlark.Value) (bool, error) {
	if e.on != nil {
		return e.on.Matches(event), nil
	}
	v, err := Ask(thread, "terminate_when", e.holds, starlark.Tuple{event})
	return err == nil && bool(v.Truth()), err
}
