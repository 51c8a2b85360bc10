package lang

import (
	"sync"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/axis"
)

// A memo remembers the axes of calls, so that a leaf which asks the same
// question as the one before does not spell its options out again.
type memo struct {
	mu  sync.RWMutex
	all map[memoKey]memoEntry
}

type memoKey struct {
	path       string // of the text
	at         place
	name       string
	occurrence int
	scope      axis.Scope
	fans       bool
}

type memoEntry struct {
	values []starlark.Value
	axis   *axis.Axis
}

// get is the axis of an earlier question with the same values.
func (m *memo) get(k memoKey, values []starlark.Value) *axis.Axis {
	m.mu.RLock()
	e, ok := m.all[k]
	m.mu.RUnlock()
	if !ok || len(e.values) != len(values) {
		return nil
	}
	for i, v := range values {
		if !identical(v, e.values[i]) {
			return nil
		}
	}
	return e.axis
}

func (m *memo) put(k memoKey, values []starlark.Value, a *axis.Axis) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[memoKey]memoEntry{}
	}
	m.all[k] = memoEntry{values, a}
}

// identical reports that two scalars are one; of other values it says nothing.
func identical(a, b starlark.Value) bool {
	switch a := a.(type) {
	case starlark.NoneType, starlark.Bool, starlark.String, starlark.Int:
		return a == b
	case starlark.Float:
		f, ok := b.(starlark.Float)
		return ok && a == f && (a != 0)
	}
	return false
}
