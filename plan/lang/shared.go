package lang

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// A value can hold another one a million times without taking memory for it:
// x = [x, x], thirty times. What walks over such a value walks for ever, and
// comparing, hashing and freezing are walks that nothing can interrupt. So what
// cannot change, tuples and structs, is bounded when it is made, and the other
// walks when they begin.

const (
	// maxNested is how many values a tuple or a struct may have in it, those in
	// the tuples and structs that it holds among them, as often as they are held.
	maxNested = maxElements
	// maxLevels is how deep they may be nested.
	maxLevels = 200
	// maxWalked is how many values one comparison or freeze may visit.
	maxWalked = 5_000_000
	// maxFrozen is how deep a value that is frozen may be nested: it goes down on
	// the stack.
	maxFrozen = 100_000
	// compareLevels is how deep Starlark's comparison goes.
	compareLevels = 10
)

// scalar reports whether v holds no other value.
func scalar(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, starlark.Tuple, *starlark.Set, *starlark.Dict, *starlarkstruct.Struct, *starlark.Function:
		return false
	}
	return true
}

// basic reports whether v is a number, a text, a truth value or None.
func basic(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.String, starlark.Float, starlark.Bool, starlark.NoneType:
		return true
	}
	return false
}

// nesting is the check of tuples or structs that have just been made of parts.
func nesting(kind string, parts []starlark.Value, limit int) error {
	flat := true
	for _, v := range parts {
		switch v.(type) {
		case starlark.Tuple, *starlarkstruct.Struct:
			flat = false
		}
	}
	if flat {
		return nil
	}
	w := &walker{left: limit, immutable: true}
	for _, v := range parts {
		if w.visit(v, maxLevels-1); w.left < 0 {
			break
		}
	}
	switch {
	case w.deep:
		return fmt.Errorf("the %s is nested deeper than %d", kind, maxLevels)
	case w.left < 0:
		return fmt.Errorf("the %s has more than %d values in it, one that is held twice counted twice", kind, limit)
	}
	return nil
}

// tupled is the check of a value that may be a tuple which has just been made.
func tupled(v starlark.Value, err error) (starlark.Value, error) {
	if t, ok := v.(starlark.Tuple); ok && err == nil {
		err = nesting("tuple", t, maxNested)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// paired is the check of a list of tuples that have just been made.
func paired(v starlark.Value, err error) (starlark.Value, error) {
	list, ok := v.(*starlark.List)
	if !ok || err != nil {
		return v, err
	}
	nested := false
	parts := make([]starlark.Value, 0, list.Len())
	for i := range list.Len() {
		t, ok := list.Index(i).(starlark.Tuple)
		for _, x := range t {
			nested = nested || !scalar(x)
		}
		if ok {
			parts = append(parts, t)
		}
	}
	if nested {
		err = nesting("list of tuples", parts, maxWalked)
	}
	return v, err
}

// A walker counts the values that a walk visits.
type walker struct {
	left      int
	deep      bool                    // there are values below the last level
	immutable bool                    // only tuples and structs are entered
	once      map[starlark.Value]bool // what a freeze enters once; nil for a comparison
}

// visit counts v and what it holds, down to so many levels.
func (w *walker) visit(v starlark.Value, levels int) {
	if w.left--; w.left < 0 || scalar(v) {
		return
	}
	if levels == 0 {
		w.deep = true
		return
	}
	switch v := v.(type) {
	case starlark.Tuple:
		for _, x := range v {
			if scalar(x) {
				w.left--
			} else {
				w.visit(x, levels-1)
			}
		}
	case *starlarkstruct.Struct:
		for _, n := range v.AttrNames() {
			if x, err := v.Attr(n); err == nil {
				w.visit(x, levels-1)
			}
		}
	default:
		if !w.immutable && w.enter(v) {
			w.mutable(v, levels)
		}
	}
}

// enter reports whether v is to be entered.
func (w *walker) enter(v starlark.Value) bool {
	if w.once == nil {
		return true
	}
	if w.once[v] {
		return false
	}
	w.once[v] = true
	return true
}

func (w *walker) mutable(v starlark.Value, levels int) {
	switch v := v.(type) {
	case *starlark.List: // without an iterator, which takes as long as comparing does
		for i := range v.Len() {
			if x := v.Index(i); scalar(x) {
				w.left--
			} else {
				w.visit(x, levels-1)
			}
		}
	case *starlark.Set:
		it := v.Iterate()
		defer it.Done()
		for x := starlark.Value(nil); w.left >= 0 && it.Next(&x); {
			w.visit(x, levels-1)
		}
	case *starlark.Dict:
		for _, item := range v.Items() {
			if w.left < 0 {
				return
			}
			w.visit(item[0], levels-1)
			w.visit(item[1], levels-1)
		}
	case *starlark.Function:
		if w.once == nil { // functions are compared by identity
			return
		}
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil {
				w.visit(d, levels-1)
			}
		}
		for i := range v.NumFreeVars() {
			if _, x := v.FreeVar(i); x != nil {
				w.visit(x, levels-1)
			}
		}
	}
}

// Finite refuses a value that a walk would visit too long: one with more than
// maxNested values in it, one that is held twice counted twice, or nested deeper
// than maxLevels.
func Finite(v starlark.Value) error {
	if scalar(v) {
		return nil
	}
	w := &walker{left: maxNested}
	if w.visit(v, maxLevels); w.left < 0 || w.deep {
		return fmt.Errorf("the %s has more than %d values in it, or is nested deeper than %d", v.Type(), maxNested, maxLevels)
	}
	return nil
}

// freeze freezes values, unless that would take too long or go too deep.
func freeze(values ...starlark.Value) error {
	w := &walker{left: maxWalked, once: map[starlark.Value]bool{}}
	for _, v := range values {
		if v != nil && !scalar(v) {
			w.visit(v, maxFrozen)
		}
	}
	switch {
	case w.deep:
		return fmt.Errorf("a value nested deeper than %d cannot be kept", maxFrozen)
	case w.left < 0:
		return fmt.Errorf("values with more than %d values in them cannot be kept", maxWalked)
	}
	for _, v := range values {
		if v != nil {
			v.Freeze()
		}
	}
	return nil
}

// comparable refuses to compare x and y where that would take too long. It
// takes no longer than it takes to walk over the smaller of the two.
func comparable(x, y starlark.Value) error {
	for _, v := range []starlark.Value{x, y} {
		if scalar(v) {
			return nil
		}
		w := &walker{left: maxWalked}
		if w.visit(v, compareLevels+1); w.left >= 0 {
			return nil
		}
	}
	return fmt.Errorf("two values with more than %d values in them cannot be compared", maxWalked)
}

// sortable refuses keys whose comparison with each other would take too long.
func sortable(keys []starlark.Value) error {
	w := &walker{left: maxWalked}
	for _, k := range keys {
		if !scalar(k) {
			w.visit(k, compareLevels+1)
		}
	}
	if w.left < 0 {
		return fmt.Errorf("values with more than %d values in them cannot be compared", maxWalked)
	}
	return nil
}

// equal is x == y.
func equal(x, y starlark.Value) (bool, error) {
	if err := comparable(x, y); err != nil {
		return false, err
	}
	return starlark.Equal(x, y)
}

// comparison is the builtin that stands in for an operator that compares.
func comparison(name string, op syntax.Token) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		x, y := args[0], args[1]
		if basic(x) && basic(y) && op != syntax.IN && op != syntax.NOT_IN { // most are
			holds, err := starlark.Compare(op, x, y)
			return starlark.Bool(holds), err
		}
		if list, ok := y.(starlark.Indexable); ok && !scalar(x) && !scalar(y) && (op == syntax.IN || op == syntax.NOT_IN) {
			at, err := find(thread, x, list, 0, list.Len())
			return starlark.Bool(at >= 0 == (op == syntax.IN)), err
		}
		if err := comparable(x, y); err != nil {
			return nil, err
		}
		if op != syntax.IN && op != syntax.NOT_IN {
			holds, err := starlark.Compare(op, x, y)
			return starlark.Bool(holds), err
		}
		v, err := starlark.Binary(syntax.IN, x, y)
		if err != nil || op == syntax.IN {
			return v, err
		}
		return !v.Truth(), nil
	})
}

// find is the first place of list, from start to end, that holds x; -1 for none.
// It ends when thread is stopped.
func find(thread *starlark.Thread, x starlark.Value, list starlark.Indexable, start, end int) (int, error) {
	for i := start; i < end; i++ {
		if d := Of(thread).Stopped(); d != nil {
			return -1, d
		}
		if same, err := equal(x, list.Index(i)); err != nil || same {
			return i, err
		}
	}
	return -1, nil
}

// comparisons are the hidden names of the operators that compare.
var comparisons = map[syntax.Token]string{syntax.EQL: "$==", syntax.NEQ: "$!=", syntax.LT: "$<", syntax.GT: "$>",
	syntax.LE: "$<=", syntax.GE: "$>=", syntax.IN: "$in", syntax.NOT_IN: "$not in"}

// sharing are the builtins that stand in for what makes, or walks over, values
// that can share their parts.
func sharing() starlark.StringDict {
	env := starlark.StringDict{
		hiddenTuple: starlark.NewBuiltin("tuple", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return tupled(args[0], nil)
		}),
		hiddenLast: starlark.NewBuiltin("lambda", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return args[len(args)-1], nil
		}),
		"max": starlark.NewBuiltin("max", extreme(syntax.GT)), "min": starlark.NewBuiltin("min", extreme(syntax.LT)),
	}
	for op, name := range comparisons {
		env[name] = comparison(op.String(), op)
	}
	return env
}

// extreme is max or min: the first of the values that is before all others.
func extreme(before syntax.Token) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var key starlark.Callable
		if err := starlark.UnpackArgs(b.Name(), nil, kwargs, "key?", &key); err != nil {
			return nil, err
		}
		if len(args) == 0 {
			return nil, fmt.Errorf("%s requires at least one positional argument", b.Name())
		}
		var list starlark.Iterable = args
		if len(args) == 1 {
			var ok bool
			if list, ok = args[0].(starlark.Iterable); !ok {
				return nil, fmt.Errorf("%s: %s value is not iterable", b.Name(), args[0].Type())
			}
		}
		var best, bestKey starlark.Value
		it := list.Iterate()
		defer it.Done()
		for x := starlark.Value(nil); it.Next(&x); {
			k, err := keyOf(thread, key, x)
			if err != nil {
				return nil, err
			}
			if best != nil {
				if d := Of(thread).Stopped(); d != nil {
					return nil, d
				}
				if err := comparable(k, bestKey); err != nil {
					return nil, err
				}
				if first, err := starlark.Compare(before, k, bestKey); err != nil {
					return nil, fmt.Errorf("%s: %v", b.Name(), err)
				} else if !first {
					continue
				}
			}
			best, bestKey = x, k
		}
		if best == nil {
			return nil, fmt.Errorf("%s: the argument is empty", b.Name())
		}
		return best, nil
	}
}

// makeStruct is struct(...), bounded.
func makeStruct(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	parts := make([]starlark.Value, len(kwargs))
	for i, kw := range kwargs {
		parts[i] = kw[1]
	}
	if err := nesting("struct", parts, maxNested); err != nil {
		return nil, err
	}
	return starlarkstruct.Make(thread, b, args, kwargs)
}
