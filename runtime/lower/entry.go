package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers what a session asks for by itself.

// NameID is the number of a simple name.
func (l *Lowering) NameID(text string) exec.NameID {
	defer l.asked("name", nil, text)()
	return l.name(text)
}

// QualifiedName is the qualified name of e as Programs have it: without quotes.
func (l *Lowering) QualifiedName(e *model.Element) string { return plainName(e) }

// IsCondition reports whether e is a constraint or a requirement.
func IsCondition(e *model.Element) bool { return isCondition(e) }

// Expression is the unit that evaluates x as it is written in scope, on an
// object or none; its parameters are names that x may use beside those.
func (l *Lowering) Expression(x syntax.Expr, scope *model.Element, names ...string) exec.UnitID {
	at := x.Span()
	key := expressionKey{scope: scope, text: at.Text() + "\x00" + strings.Join(names, "\x00")}
	if at.File != nil {
		key.file = at.File.Name
	}
	if u, ok := l.expressions[key]; ok {
		return u
	}
	defer l.askedFor("expression", x, scope, names)()
	open := l.open
	l.open = false
	u := l.unit("", exec.PlainUnit)
	for _, n := range names {
		u.Params = append(u.Params, exec.Param{Name: n})
	}
	l.compile(u, scope, func(b *body) {
		b.self = true
		for i, n := range names {
			b.blocks[0].locals[n] = &local{kind: registerLocal, register: int32(i)}
		}
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.expr(x, -1)})
	})
	if !l.open { // what names nothing today may name something tomorrow
		l.expressions[key] = u.ID
	}
	l.open = open
	return u.ID
}

// expressionKey is what makes two expressions the same code. The file is part
// of it since errors show their place.
type expressionKey struct {
	scope      *model.Element
	file, text string
}

// Calculation is the unit that a call of e runs.
func (l *Lowering) Calculation(e *model.Element) (exec.UnitID, error) {
	if !isCalc(e) && !isCondition(e) {
		return exec.NoUnit, diagnostic.New(exec.NotCallable, e.NameSpan(), e.QualifiedName()+" is no calculation")
	}
	defer l.asked("calculation", e, "")()
	return l.callUnit(l.calcOf(e)), nil
}

// Instance is a unit that makes a new object of e under a name, "" for that
// of e, and returns it.
func (l *Lowering) Instance(e *model.Element, as string) exec.UnitID {
	if as == "" {
		as = label(e)
	}
	key := expressionKey{scope: e, text: "new " + as}
	if u, ok := l.expressions[key]; ok {
		return u
	}
	defer l.asked("instance", e, as)()
	u := l.unit("", exec.PlainUnit)
	l.expressions[key] = u.ID
	l.compile(u, e, func(b *body) {
		r := b.alloc()
		b.emit(exec.Instr{Op: exec.OpMakeRoot, A: r, B: int32(l.Type(e)), C: int32(l.name(as))})
		b.emit(exec.Instr{Op: exec.OpReturn, B: r})
	})
	return u.ID
}

// Denotation is a unit that returns what naming e means.
func (l *Lowering) Denotation(e *model.Element) exec.UnitID {
	key := expressionKey{scope: e, text: "denotation"}
	if u, ok := l.expressions[key]; ok {
		return u
	}
	defer l.asked("denotation", e, "")()
	u := l.unit("", exec.PlainUnit)
	l.expressions[key] = u.ID
	l.compile(u, e, func(b *body) {
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.denote(e, label(e), -1)})
	})
	return u.ID
}

// Reading is a unit that returns the feature called name of its argument.
func (l *Lowering) Reading(name string) exec.UnitID {
	if u, ok := l.readings[name]; ok {
		return u
	}
	defer l.asked("reading", nil, name)()
	u := l.unit("", exec.PlainUnit)
	u.Params = []exec.Param{{Name: "object"}}
	l.readings[name] = u.ID
	u.Consts = append(u.Consts, value.NullValue)
	u.Names = []exec.NameID{l.name(name)}
	u.Code = []exec.Instr{{Op: exec.OpFeature, Cost: 1, A: 1, B: 0, C: 2}, {Op: exec.OpReturn, B: 1}}
	u.Locals, u.Registers = 1, 4
	return u.ID
}

// UsageRun is a unit that runs calculation usage e and returns its outputs in
// the order of names, the second result.
func (l *Lowering) UsageRun(e *model.Element) (exec.UnitID, []string) {
	defer l.asked("usage", e, "")()
	c := l.usageOf(e)
	var names []string
	for _, o := range c.outputs {
		names = append(names, o.name)
	}
	u := l.unit("", exec.PlainUnit)
	l.compile(u, e, func(b *body) {
		b.atLeft()
		first := b.top
		for range names {
			b.alloc()
		}
		run := b.alloc()
		b.u.Locals = b.top
		b.startRun(c, run, absent)
		for i, n := range names {
			b.u.Reads = append(b.u.Reads, exec.OutputRead{Unit: c.run, Output: int32(i)})
			b.emit(exec.Instr{Op: exec.OpOutput, A: first + int32(i), B: run, C: int32(len(b.u.Reads) - 1)})
			b.note(exec.OutputNote, c.name+"."+n, first+int32(i))
		}
		b.emit(exec.Instr{Op: exec.OpRun, A: first, B: first, D: uint16(len(names))})
		b.emit(exec.Instr{Op: exec.OpReturn, B: first})
	})
	return u.ID, names
}
