package lang

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// The most levels, and values in all, that one value has to be made text.
const (
	maxShown  = 200
	maxValues = 1_000_000
)

// Printed is v as Starlark prints it, or a note where that would take too long.
func Printed(v starlark.Value) string {
	if _, err := textSize(v); err != nil {
		return fmt.Sprintf("<%s: %s>", v.Type(), err)
	}
	return v.String()
}

// textSize is about how many bytes v has as text. The error is for a value
// that is nested too deep or too large to be made one; finding out takes
// bounded time, though a value may hold another one a million times.
func textSize(v starlark.Value) (int, error) {
	m := measure{}
	err := m.add(v, maxShown)
	return m.bytes, err
}

// A measure adds up what a value is as text.
type measure struct{ bytes, values int }

func (m *measure) add(v starlark.Value, levels int) error {
	if levels < 0 {
		return fmt.Errorf("a value nested deeper than %d cannot be made text", maxShown)
	}
	switch v := v.(type) {
	case starlark.String:
		m.bytes += len(v)
	case starlark.Bytes:
		m.bytes += 2 * len(v)
	case starlark.Int:
		m.bytes += 1 + v.BigInt().BitLen()/3
	case *starlark.List, starlark.Tuple, *starlark.Set:
		if err := m.elements(v.(starlark.Iterable), levels); err != nil {
			return err
		}
	case *starlark.Dict:
		for _, item := range v.Items() {
			if err := m.elements(item, levels); err != nil {
				return err
			}
		}
	case *starlarkstruct.Struct:
		for _, n := range v.AttrNames() {
			x, err := v.Attr(n)
			if err != nil {
				return err
			}
			m.bytes += len(n)
			if err := m.add(x, levels-1); err != nil {
				return err
			}
		}
	}
	if m.values++; m.values > maxValues {
		return fmt.Errorf("a value with more than %d values in it cannot be made text", maxValues)
	}
	if m.bytes += 2; m.bytes > maxTextSize {
		return fmt.Errorf("a value of more than %d bytes cannot be made text", maxTextSize)
	}
	return nil
}

func (m *measure) elements(list starlark.Iterable, levels int) error {
	it := list.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		if err := m.add(x, levels-1); err != nil {
			return err
		}
	}
	return nil
}
