package lang

import (
	"fmt"
	"sort"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// A Keyed value has a text of its own that stands for it in ids and plans:
// calc(Power::Endurance).
type Keyed interface{ OptionKey() string }

// maxKeyDepth bounds the nesting of a value that can have a key.
const maxKeyDepth = 16

// optionKey is the canonical text of v, and whether there is one: a lambda,
// an object without a name or what is too large has none. Equal values have equal keys.
func optionKey(v starlark.Value) (string, bool) {
	if _, err := textSize(v); err != nil {
		return "", false
	}
	var b strings.Builder
	ok := appendKey(&b, v, 0)
	return b.String(), ok
}

func appendKey(b *strings.Builder, v starlark.Value, depth int) bool {
	if depth > maxKeyDepth {
		return false
	}
	switch v := v.(type) {
	case Keyed:
		b.WriteString(v.OptionKey())
		return true
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String, starlark.Bytes:
		b.WriteString(v.String())
		return true
	case *starlark.List:
		return keyOfList(b, "[", "]", v, depth)
	case starlark.Tuple:
		return keyOfList(b, "(", ")", v, depth)
	case *starlark.Set:
		return keyOfList(b, "set(", ")", v, depth)
	case *starlark.Dict:
		return keyOfPairs(b, "{", "}", v.Items(), depth)
	case *starlarkstruct.Struct:
		var items []starlark.Tuple
		for _, n := range v.AttrNames() {
			x, err := v.Attr(n)
			if err != nil {
				return false
			}
			items = append(items, starlark.Tuple{starlark.String(n), x})
		}
		return keyOfPairs(b, "struct(", ")", items, depth)
	case *starlark.Function:
		b.WriteString("fn:" + v.Name())
		return v.Name() != "lambda"
	case starlark.Callable:
		b.WriteString("fn:" + v.Name())
		return true
	}
	if s, ok := v.(starlark.Sequence); ok { // range
		return keyOfList(b, "[", "]", s, depth)
	}
	return false
}

func keyOfList(b *strings.Builder, open, close string, v starlark.Iterable, depth int) bool {
	b.WriteString(open)
	it := v.Iterate()
	defer it.Done()
	var x starlark.Value
	for i := 0; it.Next(&x); i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		if !appendKey(b, x, depth+1) {
			return false
		}
	}
	b.WriteString(close)
	return true
}

// keyOfPairs writes items in the order of their keys' texts.
func keyOfPairs(b *strings.Builder, open, close string, items []starlark.Tuple, depth int) bool {
	lines := make([]string, len(items))
	for i, pair := range items {
		var line strings.Builder
		if !appendKey(&line, pair[0], depth+1) {
			return false
		}
		line.WriteString(": ")
		if !appendKey(&line, pair[1], depth+1) {
			return false
		}
		lines[i] = line.String()
	}
	sort.Strings(lines)
	b.WriteString(open + strings.Join(lines, ", ") + close)
	return true
}

// optionKeys are the keys of values: labels where they are given, #i for a
// value without a key, and ~2, ~3 behind one that came before.
func optionKeys(values []starlark.Value, labels []string) (keys []string, unstable, duplicate bool) {
	keys = make([]string, len(values))
	seen := make(map[string]int, len(values))
	for i, v := range values {
		key, ok := "", false
		if labels != nil {
			key, ok = labels[i], true
		} else {
			key, ok = optionKey(v)
		}
		if !ok {
			key, unstable = fmt.Sprintf("#%d", i), true
		}
		seen[key]++
		if n := seen[key]; n > 1 {
			duplicate = true
			key = fmt.Sprintf("%s~%d", key, n)
		}
		keys[i] = key
	}
	return keys, unstable, duplicate
}
