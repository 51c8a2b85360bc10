package lang

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A limit on steps does not bound one step. The operations here, of which one
// call could take all memory or run for minutes, are bounded by what they
// would make. What is left is found by looking at the heap, see memory.go.

// The most that one operation may make.
const (
	maxElements = 4_000_000
	maxTextSize = 16 << 20 // bytes
	maxBits     = 1 << 20  // of an integer
	maxDigits   = maxBits * 3 / 10
)

// bounded are the builtins that stand in for Starlark's own.
func bounded() starlark.StringDict {
	env := sharing()
	for name, b := range map[string]*starlark.Builtin{
		hiddenTimes: starlark.NewBuiltin("*", times), hiddenPlus: starlark.NewBuiltin("+", plus), hiddenMod: starlark.NewBuiltin("%", modulo),
		hiddenPart: starlark.NewBuiltin("+=", part), hiddenGrow: starlark.NewBuiltin(".", grow), "sorted": starlark.NewBuiltin("sorted", sorted),
	} {
		env[name] = b
	}
	for name, check := range map[string]func(starlark.Tuple) error{
		"range": checkRange, "str": checkShown, "repr": checkShown, "print": checkShown, "fail": checkShown, "zip": checkZip,
		"list": checkLength, "tuple": checkLength, "set": checkHashed, "dict": checkHashed, "reversed": checkLength, "enumerate": checkLength,
		"int": checkDigits,
	} {
		inner := starlark.Universe[name].(*starlark.Builtin)
		env[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			given := slices.Clip(args)
			for _, kw := range kwargs {
				given = append(given, kw[1])
			}
			if err := check(given); err != nil {
				return nil, err
			}
			v, err := charged(thread)(inner.CallInternal(thread, args, kwargs))
			switch name {
			case "tuple":
				return tupled(v, err)
			case "zip", "enumerate":
				return paired(v, err)
			}
			return v, err
		})
	}
	inner := starlark.Universe["getattr"].(*starlark.Builtin)
	env["getattr"] = starlark.NewBuiltin("getattr", func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := inner.CallInternal(thread, args, kwargs)
		if err != nil {
			return nil, err
		}
		return bound(v), nil
	})
	return env
}

// checkDigits refuses a number whose digits would be read for minutes: the
// time grows with their square.
func checkDigits(args starlark.Tuple) error {
	for _, a := range args {
		if text, ok := starlark.AsString(a); ok && len(text) > maxDigits {
			return fmt.Errorf("int: the number has more than %d digits", maxDigits)
		}
	}
	return nil
}

// checkRange refuses a range that as a list would be too large.
func checkRange(args starlark.Tuple) error {
	bounds := make([]float64, len(args))
	for i, a := range args {
		f, ok := starlark.AsFloat(a)
		if !ok {
			return nil // range itself says what is wrong
		}
		bounds[i] = f
	}
	n := 0.0
	switch len(bounds) {
	case 1:
		n = bounds[0]
	case 2:
		n = bounds[1] - bounds[0]
	case 3:
		if bounds[2] != 0 {
			n = (bounds[1] - bounds[0]) / bounds[2]
		}
	}
	if n > maxElements {
		return fmt.Errorf("range: %.0f elements are more than %d", n, maxElements)
	}
	return nil
}

// checkLength refuses to take in an argument of too many elements.
func checkLength(args starlark.Tuple) error {
	for _, a := range args {
		if n := starlark.Len(a); n > maxElements {
			return fmt.Errorf("%d elements are more than %d", n, maxElements)
		}
	}
	return nil
}

// checkHashed refuses to hash the elements of an argument where that would take
// too long.
func checkHashed(args starlark.Tuple) error {
	if err := checkLength(args); err != nil {
		return err
	}
	for _, a := range args {
		var elements []starlark.Value
		switch a := a.(type) {
		case starlark.Tuple:
			elements = a
		case *starlark.List:
			for i := range a.Len() {
				elements = append(elements, a.Index(i))
			}
		}
		if err := nesting("list of elements", elements, maxWalked); err != nil {
			return err
		}
	}
	return nil
}

// checkZip refuses to make too many elements of tuples.
func checkZip(args starlark.Tuple) error {
	rows := maxElements
	for _, a := range args {
		if n := starlark.Len(a); n >= 0 {
			rows = min(rows, n)
		}
	}
	if len(args) > 0 && rows > maxElements/len(args) {
		return fmt.Errorf("zip: %d tuples of %d are more than %d elements", rows, len(args), maxElements)
	}
	return nil
}

// checkShown refuses to make a text of what is nested too deep or too large.
func checkShown(args starlark.Tuple) error {
	for _, a := range args {
		if _, err := textSize(a); err != nil {
			return err
		}
	}
	return nil
}

// times is x * y, unless the result would be too large.
func times(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, y := args[0], args[1]
	if _, ok := y.(starlark.Int); !ok {
		x, y = y, x
	}
	if n, ok := y.(starlark.Int); ok {
		if err := checkTimes(x, n); err != nil {
			return nil, err
		}
	}
	return tupled(charged(thread)(starlark.Binary(syntax.STAR, args[0], args[1])))
}

func checkTimes(x starlark.Value, n starlark.Int) error {
	size, limit, what := 0, maxElements, "elements"
	switch x := x.(type) {
	case starlark.Int:
		if bits := x.BigInt().BitLen() + n.BigInt().BitLen(); bits > 128 && bits > maxBits {
			return fmt.Errorf("the product has more than %d bits", maxBits)
		}
		return nil
	case starlark.String, starlark.Bytes:
		size, limit, what = starlark.Len(x), maxTextSize, "bytes"
	case *starlark.List, starlark.Tuple:
		size = starlark.Len(x)
	default:
		return nil
	}
	if count, ok := n.Int64(); size > 0 && (!ok && n.Sign() > 0 || count > int64(limit/size)) {
		return fmt.Errorf("the repetition makes more than %d %s", limit, what)
	}
	return nil
}

// extent is how large v is and how large its kind may be; ok is false for
// values that do not grow.
func extent(v starlark.Value) (size, limit int, what string, ok bool) {
	switch v := v.(type) {
	case starlark.String:
		return len(v), maxTextSize, "bytes", true
	case starlark.Bytes:
		return len(v), maxTextSize, "bytes", true
	case *starlark.List:
		return v.Len(), maxElements, "elements", true
	case starlark.Tuple:
		return len(v), maxElements, "elements", true
	}
	return 0, 0, "", false
}

// plus is x + y, unless the result would be too large.
func plus(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	n, limit, what, ok := extent(args[0])
	if !ok {
		return starlark.Binary(syntax.PLUS, args[0], args[1])
	}
	if m, _, _, _ := extent(args[1]); n+m > limit {
		return nil, fmt.Errorf("the sum has more than %d %s", limit, what)
	}
	return tupled(charged(thread)(starlark.Binary(syntax.PLUS, args[0], args[1])))
}

// part is y of x += y, unless it is so large that a few of it are too much.
func part(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	n, limit, what, ok := extent(args[0])
	if !ok {
		return args[0], nil
	}
	if n > limit/2 {
		return nil, fmt.Errorf("%d %s are too many to add: half of %d", n, what, limit)
	}
	return charged(thread)(args[0], nil)
}

// modulo is x % y, unless x is a text and the result would be too large.
func modulo(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	s, ok := args[0].(starlark.String)
	if !ok {
		return starlark.Binary(syntax.PERCENT, args[0], args[1])
	}
	if err := checkFilled(string(s), "%", args[1]); err != nil {
		return nil, err
	}
	return charged(thread)(starlark.Binary(syntax.PERCENT, args[0], args[1]))
}

// checkFilled refuses to put values into every mark of a text where that could
// be too long.
func checkFilled(text, mark string, values ...starlark.Value) error {
	largest := 0
	for _, v := range values {
		n, err := textSize(v)
		if err != nil {
			return err
		}
		largest = max(largest, n)
	}
	if len(text)+strings.Count(text, mark)*largest > maxTextSize {
		return fmt.Errorf("the text could have more than %d bytes", maxTextSize)
	}
	return nil
}

// sorted is Starlark's, and ends when its thread is stopped.
func sorted(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var iterable starlark.Iterable
	var key starlark.Callable
	var reverse bool
	if err := starlark.UnpackArgs("sorted", args, kwargs, "iterable", &iterable, "key?", &key, "reverse?", &reverse); err != nil {
		return nil, err
	}
	if err := checkLength(starlark.Tuple{iterable}); err != nil {
		return nil, err
	}
	s := &sorting{context: Of(thread)}
	if n := starlark.Len(iterable); n > 0 {
		s.values, s.keys = make([]starlark.Value, 0, n), make([]starlark.Value, 0, n)
	}
	it := iterable.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		k, err := keyOf(thread, key, x)
		if err != nil {
			return nil, err
		}
		s.values, s.keys = append(s.values, x), append(s.keys, k)
	}
	if err := sortable(s.keys); err != nil {
		return nil, err
	}
	if err := s.sort(reverse); err != nil {
		return nil, err
	}
	return charged(thread)(starlark.NewList(s.values), nil)
}

// keyOf is what x is ordered by: x itself where there is no function key.
func keyOf(thread *starlark.Thread, key starlark.Callable, x starlark.Value) (starlark.Value, error) {
	if key == nil {
		return x, nil
	}
	return starlark.Call(thread, key, starlark.Tuple{x}, nil)
}

// sorting is values in the order of their keys.
type sorting struct {
	context      *Context
	keys, values []starlark.Value
}

// A sortEnd is what Less panics with: there is no other way out of a sort.
type sortEnd struct{ err error }

func (s *sorting) sort(reverse bool) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case sortEnd:
			err = r.err
		default:
			panic(r)
		}
	}()
	if reverse {
		sort.Stable(sort.Reverse(s))
	} else {
		sort.Stable(s)
	}
	return nil
}

func (s *sorting) Len() int { return len(s.values) }

func (s *sorting) Swap(i, j int) {
	s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	s.values[i], s.values[j] = s.values[j], s.values[i]
}

// Less compares two keys. It ends the sort where they cannot be compared or the
// thread is stopped.
func (s *sorting) Less(i, j int) bool {
	if d := s.context.Stopped(); d != nil {
		panic(sortEnd{d})
	}
	less, err := starlark.Compare(syntax.LT, s.keys[i], s.keys[j])
	if err != nil {
		panic(sortEnd{err})
	}
	return less
}
