package lang

import (
	"errors"
	"fmt"
	"sort"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// ErrUndecided ends a predicate that asked for what is not chosen yet.
var ErrUndecided = errors.New("not every choice that the predicate reads is made")

// choices is what a predicate sees: the picks of a leaf by the name of their
// axis. While picks are still to come (partial), asking for one of those, or
// for what only the whole assignment tells, ends the evaluation.
type choices struct {
	names   []string // in the order met
	values  map[string]starlark.Value
	partial bool
	// reads are the axes that were looked at, for the report of what a
	// predicate removed.
	reads map[string]bool
}

var (
	_ starlark.IterableMapping = (*choices)(nil)
	_ starlark.Sequence        = (*choices)(nil)
	_ starlark.HasAttrs        = (*choices)(nil)
	_ starlark.HasBinary       = (*choices)(nil)
)

func (c *choices) String() string        { return "choices" }
func (c *choices) Type() string          { return "choices" }
func (c *choices) Freeze()               {}
func (c *choices) Truth() starlark.Bool  { return c.Len() > 0 }
func (c *choices) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: choices") }

// Len cannot fail, so a predicate that asks for the size of a partial
// assignment meets the end at the next use of it; see Predicate.
func (c *choices) Len() int {
	c.readAll()
	return len(c.names)
}

func (c *choices) readAll() {
	for _, n := range c.names {
		c.reads[n] = true
	}
	if c.partial {
		c.reads[wholeRead] = true
	}
}

// undecided notes that the evaluation says nothing, even where Starlark drops
// the error, as its `in` does.
func (c *choices) undecided() error {
	c.reads[wholeRead] = true
	return ErrUndecided
}

// wholeRead marks in reads that what is not chosen yet was asked for.
const wholeRead = "\x00"

// Get is the choice of the axis called key.
func (c *choices) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("choices are named by text, not by %s", key.Type())
	}
	v, ok := c.values[name]
	if ok {
		c.reads[name] = true
		return v, true, nil
	}
	if c.partial {
		return nil, false, c.undecided()
	}
	return nil, false, nil
}

// Items are the choices in the order met.
func (c *choices) Items() []starlark.Tuple {
	c.readAll()
	out := make([]starlark.Tuple, len(c.names))
	for i, n := range c.names {
		out[i] = starlark.Tuple{starlark.String(n), c.values[n]}
	}
	return out
}

// Iterate walks over the names.
func (c *choices) Iterate() starlark.Iterator {
	c.readAll()
	return c.list(func(n string) starlark.Value { return starlark.String(n) }).Iterate()
}

func (c *choices) list(f func(name string) starlark.Value) *starlark.List {
	out := make([]starlark.Value, len(c.names))
	for i, n := range c.names {
		out[i] = f(n)
	}
	return starlark.NewList(out)
}

// Binary is the membership test.
func (c *choices) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op != syntax.IN || side != starlark.Right {
		return nil, nil
	}
	_, found, err := c.Get(y)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(found), nil
}

// Attr is a method, or the choice of an axis.
func (c *choices) Attr(name string) (starlark.Value, error) {
	if v, ok := c.values[name]; ok {
		c.reads[name] = true
		return v, nil
	}
	switch name {
	case "get":
		return Method(name, Pure, c.get), nil
	case "keys":
		return c.whole(name, func(n string) starlark.Value { return starlark.String(n) }), nil
	case "values":
		return c.whole(name, func(n string) starlark.Value { return c.values[n] }), nil
	case "items":
		return c.whole(name, func(n string) starlark.Value { return starlark.Tuple{starlark.String(n), c.values[n]} }), nil
	}
	if c.partial {
		return nil, c.undecided()
	}
	return nil, nil
}

// AttrNames lists methods and axes.
func (c *choices) AttrNames() []string {
	names := append([]string{"get", "items", "keys", "values"}, c.names...)
	sort.Strings(names)
	return names
}

func (c *choices) get(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var key starlark.Value
	var other starlark.Value = starlark.None
	if err := starlark.UnpackPositionalArgs("get", args, kwargs, 1, &key, &other); err != nil {
		return nil, err
	}
	v, found, err := c.Get(key)
	if err != nil || found {
		return v, err
	}
	return other, nil
}

// whole is a method that needs every choice.
func (c *choices) whole(name string, f func(n string) starlark.Value) starlark.Value {
	return Method(name, Pure, func(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := starlark.UnpackPositionalArgs(name, args, kwargs, 0); err != nil {
			return nil, err
		}
		if c.partial {
			return nil, c.undecided()
		}
		c.readAll()
		return c.list(f), nil
	})
}
