package lower

import (
	"slices"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
)

// This file lowers the elements that values are: what is read of them, and what
// happens where they are called, comes with them.

// Element is e as a value of the kind. Values that were made by another
// Program keep their meaning in this one by it.
func (l *Lowering) Element(kind value.Kind, e *model.Element) *value.Named {
	defer l.asked("element", e, strconv.Itoa(int(kind)))()
	switch {
	case kind == value.Enumeration:
		return l.literal(e)
	case kind == value.Function && isCalc(e):
		return l.callable(l.describe(l.calcOf(e)))
	}
	return l.named(kind, e)
}

// literal is the value part of an enumeration literal, with the object that
// has its features where it declares some.
func (l *Lowering) literal(e *model.Element) *value.Named {
	n := l.named(value.Enumeration, e)
	if n.Index() >= 0 && l.program.Denotes[n.Index()] == exec.NoGlobal && hasFeatures(e) {
		g := l.global(e)
		l.program.Denotes = slices.Clone(l.program.Denotes) // a sealed Program keeps its own
		l.program.Denotes[n.Index()] = g
		l.sealed = nil
	}
	return n
}

// callable is the value part of a calculation, with the unit that calls it.
func (l *Lowering) callable(c *calc) *value.Named {
	l.program.Callables[plainName(c.element)] = l.callUnit(c)
	return l.named(value.Function, c.element)
}
