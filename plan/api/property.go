package api

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
	runtimeexplore "github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// propertyKinds are the arguments of check that claim something.
var propertyKinds = []struct {
	name string
	kind runtimeexplore.PropertyKind
}{{"invariant", runtimeexplore.Always}, {"always", runtimeexplore.Always}, {"never", runtimeexplore.Never}, {"reachable", runtimeexplore.Reachable},
	{"eventually", runtimeexplore.Eventually}}

// properties reads the claims among the arguments of check. Each is an
// expression of the model as text, a function of the features of the
// behaviour, or a list of these. failed is the first error of such a function,
// for when the check is over.
func properties(thread *starlark.Thread, given map[string]starlark.Value) (out []runtime.Property, failed *error, err error) {
	failed = new(error)
	for _, p := range propertyKinds {
		v, ok := given[p.name]
		if !ok || v == starlark.None {
			continue
		}
		each := starlark.Tuple{v}
		if list, ok := v.(*starlark.List); ok {
			each = nil
			for i := range list.Len() {
				each = append(each, list.Index(i))
			}
		}
		for _, claim := range each {
			c, err := property(thread, p.name, p.kind, claim, failed)
			if err != nil {
				return nil, nil, err
			}
			out = append(out, c)
		}
	}
	return out, failed, nil
}

func property(thread *starlark.Thread, name string, kind runtimeexplore.PropertyKind, v starlark.Value, failed *error) (runtime.Property, error) {
	if f, ok := v.(starlark.Callable); ok {
		return runtime.Property{Kind: kind, Text: f.Name(), Judge: func(features []runtime.Output) (holds, decided bool, err error) {
			answer, err := lang.Ask(thread, "check:"+f.Name(), f, starlark.Tuple{behaviourState(features)})
			if errors.Is(err, lang.ErrUndecided) {
				return false, false, nil
			}
			if err == nil && answer == starlark.None {
				err = fmt.Errorf("%s returned None; is a return missing?", f.Name())
			}
			if err != nil {
				if *failed == nil {
					*failed = err
				}
				return false, false, err
			}
			return bool(answer.Truth()), true, nil
		}}, nil
	}
	text, ok := starlark.AsString(v)
	if !ok {
		return runtime.Property{}, fmt.Errorf("check: %s is a function of the features, or an expression of the model as text such as \"x < 3\", not %s", name, v.Type())
	}
	x, list := syntax.ParseExpression(source.NewFile(name, text), 0, syntax.Options{Extensions: true})
	if list.HasErrors() {
		return runtime.Property{}, list
	}
	return runtime.Property{Kind: kind, Condition: x}, nil
}

// behaviourState is the features of a behaviour in one World, as a function of
// check sees them: s["x"] or s.x, and finalState for a machine.
type behaviourState []runtime.Output

var (
	_ starlark.Mapping  = behaviourState(nil)
	_ starlark.HasAttrs = behaviourState(nil)
)

func (s behaviourState) String() string        { return "state(" + strings.Join(s.AttrNames(), ", ") + ")" }
func (s behaviourState) Type() string          { return "state" }
func (s behaviourState) Freeze()               {}
func (s behaviourState) Truth() starlark.Bool  { return true }
func (s behaviourState) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: state") }

// AttrNames lists the features.
func (s behaviourState) AttrNames() []string {
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.Name
	}
	return names
}

// Attr is the value of a feature.
func (s behaviourState) Attr(name string) (starlark.Value, error) {
	for _, f := range s {
		if f.Name == name {
			if f.Value.IsAbsent() {
				return nil, lang.ErrUndecided
			}
			return stateValue(f.Value), nil
		}
	}
	return nil, nil
}

// Get is the value of a feature.
func (s behaviourState) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("a feature is named by text, not by %s", key.Type())
	}
	v, err := s.Attr(name)
	if err == nil && v == nil {
		names := s.AttrNames()
		if n := spell.First(name, names); n != "" {
			return nil, false, fmt.Errorf("there is no feature %s (did you mean %s?)", name, n)
		}
		return nil, false, fmt.Errorf("there is no feature %s; the features are %s", name, strings.Join(names, ", "))
	}
	return v, v != nil, err
}

// stateValue is v in Starlark while the session is at work: an object, which
// only the session could tell more of, is its text.
func stateValue(v value.Value) starlark.Value {
	switch v.Kind() {
	case value.Sequence, value.Bag, value.OrderedSet, value.Array, value.Vector, value.Set:
		list := make([]starlark.Value, v.Len())
		for i := range list {
			list[i] = stateValue(v.At(i))
		}
		return frozen(list)
	}
	return plain(v)
}
