package lang

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// This file bounds methods whose result can be much larger than what they are
// given, or that go deep down for it.

// grow is x.name for a name in growing.
func grow(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return bound(args[0]), nil
}

// bound is v with a check before its calls, where it is a method that grows.
func bound(v starlark.Value) starlark.Value {
	m, ok := v.(*starlark.Builtin)
	if !ok {
		return v
	}
	if list, ok := m.Receiver().(*starlark.List); ok && m.Name() == "index" {
		return starlark.NewBuiltin("index", indexIn(list))
	}
	check := methodCheck(m)
	if check == nil {
		return v
	}
	return starlark.NewBuiltin(m.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := check(args, kwargs); err != nil {
			return nil, err
		}
		v, err := charged(thread)(m.CallInternal(thread, args, kwargs))
		if m.Name() == "items" {
			return paired(v, err)
		}
		return v, err
	})
}

// indexIn is list.index(x, start, end), which ends when its thread is stopped.
func indexIn(list *starlark.List) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var x starlark.Value
		start, end := 0, list.Len()
		if err := starlark.UnpackPositionalArgs("index", args, kwargs, 1, &x, &start, &end); err != nil {
			return nil, err
		}
		within := func(i int) int {
			if i < 0 {
				i += list.Len()
			}
			return min(max(i, 0), list.Len())
		}
		at, err := find(thread, x, list, within(start), within(end))
		if err == nil && at < 0 {
			err = fmt.Errorf("value not in list")
		}
		if err != nil {
			return nil, fmt.Errorf("index: %w", err)
		}
		return starlark.MakeInt(at), nil
	}
}

type methodArguments func(args starlark.Tuple, kwargs []starlark.Tuple) error

// methodCheck is what stands before calls of m; nil for nothing.
func methodCheck(m *starlark.Builtin) methodArguments {
	switch receiver := m.Receiver().(type) {
	case nil:
		switch m.Name() {
		case "json.encode":
			return func(args starlark.Tuple, _ []starlark.Tuple) error { return checkShown(args) }
		case "json.decode":
			return checkDecode
		case "json.indent":
			return checkIndent
		}
	case starlark.String:
		text := string(receiver)
		switch m.Name() {
		case "join":
			return func(args starlark.Tuple, _ []starlark.Tuple) error { return checkJoin(text, args) }
		case "replace":
			return func(args starlark.Tuple, _ []starlark.Tuple) error { return checkReplace(text, args) }
		case "format":
			return func(args starlark.Tuple, kwargs []starlark.Tuple) error {
				values := append(starlark.Tuple(nil), args...)
				for _, kw := range kwargs {
					values = append(values, kw[1])
				}
				return checkFilled(text, "{", values...)
			}
		case "split", "rsplit", "splitlines":
			return func(args starlark.Tuple, _ []starlark.Tuple) error { return checkSplit(text, args) }
		}
	case *starlark.Dict:
		if m.Name() == "items" {
			return func(starlark.Tuple, []starlark.Tuple) error { return nil }
		}
	case *starlark.List:
		switch m.Name() {
		case "remove":
			return func(args starlark.Tuple, _ []starlark.Tuple) error {
				if len(args) == 0 {
					return nil // the method itself says what is wrong
				}
				return comparable(args[0], receiver)
			}
		case "extend":
			return func(args starlark.Tuple, _ []starlark.Tuple) error {
				if len(args) == 1 && receiver.Len()+max(starlark.Len(args[0]), 0) > maxElements {
					return fmt.Errorf("extend: the list would have more than %d elements", maxElements)
				}
				return nil
			}
		}
	}
	return nil
}

func tooLong(method string) error {
	return fmt.Errorf("%s: the text would have more than %d bytes", method, maxTextSize)
}

func checkJoin(sep string, args starlark.Tuple) error {
	if len(args) != 1 {
		return nil // join itself says what is wrong
	}
	list, ok := args[0].(starlark.Iterable)
	if !ok {
		return nil
	}
	it := list.Iterate()
	defer it.Done()
	size := 0
	for x := starlark.Value(nil); it.Next(&x); {
		s, _ := starlark.AsString(x)
		if size += len(s) + len(sep); size-len(sep) > maxTextSize {
			return tooLong("join")
		}
	}
	return nil
}

func checkReplace(text string, args starlark.Tuple) error {
	if len(args) < 2 {
		return nil
	}
	was, _ := starlark.AsString(args[0])
	is, _ := starlark.AsString(args[1])
	if more := len(is) - len(was); more > 0 && strings.Count(text, was) > (maxTextSize-len(text))/more {
		return tooLong("replace")
	}
	return nil
}

func checkSplit(text string, args starlark.Tuple) error {
	n := len(text) / 2
	if len(args) > 0 {
		if sep, ok := starlark.AsString(args[0]); ok && sep != "" {
			n = strings.Count(text, sep)
		}
	}
	if n > maxElements {
		return fmt.Errorf("split: the list could have more than %d elements", maxElements)
	}
	return nil
}

// checkIndent bounds the text that json.indent makes by its lines, each with
// the deepest indent.
func checkIndent(args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) == 0 {
		return nil
	}
	text, _ := starlark.AsString(args[0])
	unit := 1
	for _, kw := range kwargs {
		s, _ := starlark.AsString(kw[1])
		unit += len(s)
	}
	lines, depth, deepest := 1, 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			depth, lines = depth+1, lines+1
			deepest = max(deepest, depth)
		case ']', '}':
			depth, lines = depth-1, lines+1
		case ',':
			lines++
		}
	}
	if deepest > 0 && lines > (maxTextSize-min(len(text), maxTextSize))/deepest/unit {
		return tooLong("json.indent")
	}
	return nil
}

// maxDecoded is how deep lists and dicts may be nested in what json.decode
// reads: it goes down on the stack.
const maxDecoded = 10_000

// checkDecode bounds how deep json.decode goes down, and how long its numbers
// are.
func checkDecode(args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, kw := range kwargs {
		args = append(args[:len(args):len(args)], kw[1])
	}
	for _, a := range args {
		text, _ := starlark.AsString(a)
		depth, digits, quoted := 0, 0, false
		for i := 0; i < len(text); i++ {
			c := text[i]
			if digits++; c < '0' || c > '9' || quoted {
				digits = 0
			}
			switch {
			case digits > maxDigits:
				return fmt.Errorf("json.decode: a number has more than %d digits", maxDigits)
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '[' || c == '{':
				if depth++; depth > maxDecoded {
					return fmt.Errorf("json.decode: the text is nested deeper than %d", maxDecoded)
				}
			case c == ']' || c == '}':
				depth--
			}
		}
	}
	return nil
}
