package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers calculation usages: evaluations that are run once in an
// activation and whose outputs are read by name.

// usageOf is the calculation whose runs usage e makes.
func (l *Lowering) usageOf(e *model.Element) *calc {
	c := l.calcOf(e)
	if c.run == exec.NoUnit {
		l.describe(c)
		u := l.unit(c.name, exec.RunUnit)
		if isCase(e) {
			u.Word = caseWord(e)
		}
		c.run = u.ID
		l.parameters(u, c)
		for _, o := range c.outputs {
			u.Outputs = append(u.Outputs, exec.OutputSpec{Name: o.name, Unit: exec.NoUnit, Result: o.result})
		}
		l.later(func() { l.runUnit(u, c) })
	}
	return c
}

// inBehaviour reports whether usage e is declared inside a behaviour, so that
// the values it gives parameters are read in the environment of the reader.
func inBehaviour(e *model.Element) bool {
	for o := e.Owner(); o != nil; o = o.Owner() {
		if isCalc(o) || isBehaviour(o) || isBlock(o) {
			return true
		}
		if o.Metaclass() == syntax.Package || o.Role() == model.Member && (isObject(o) || o.Metaclass() == syntax.PartDefinition) {
			return false
		}
	}
	return false
}

// given are the parameters whose values the usage itself declares, where its
// reader evaluates them.
func (c *calc) given() map[*model.Element]bool {
	if !inBehaviour(c.element) {
		return nil
	}
	given := map[*model.Element]bool{}
	for _, p := range c.params {
		if v, has := p.element.Value(); has && v.Scope.Owner() == c.element {
			given[p.element] = true
		}
	}
	return given
}

// runUnit lowers the run of a usage, and a unit for each of its outputs over
// the registers that a run leaves.
func (l *Lowering) runUnit(u *exec.Unit, c *calc) {
	var layout *block
	l.compile(u, c.element, func(b *body) {
		b.calc, b.self = c, true
		b.prologue(c, c.given())
		layout = b.blocks[len(b.blocks)-1]
		for i, o := range c.outputs {
			if o.inout >= 0 {
				u.Outputs[i].Register, u.Outputs[i].Cache = int32(o.inout), b.alloc()
				b.u.Locals = max(b.u.Locals, b.top)
				continue
			}
			own := layout.locals[o.name]
			u.Outputs[i].Register, u.Outputs[i].Cache = own.register, own.register+1
		}
		b.members(c)
		b.runResult(c)
	})
	u.Locals = u.Registers
	l.layouts[c] = layout
	for i, o := range c.outputs {
		l.outputUnit(u, c, i, o, layout)
	}
}

// runResult ends a run: with a value where the body returns one on its own.
func (b *body) runResult(c *calc) {
	if c.host != nil {
		for _, m := range c.host.Members() {
			d := m.Decl()
			if d == nil || d.Member != syntax.ResultMember && d.Member != syntax.ReturnMember {
				continue
			}
			if d.Member == syntax.ReturnMember && d.Detail == nil && !isBareReturn(m) && !isCase(c.element) {
				continue // a return feature with a value is read as an output
			}
			if b.returned(m) {
				return
			}
		}
	}
	b.emit(exec.Instr{Op: exec.OpReturnNone})
}

// outputUnit makes the unit that evaluates an output, where an expression
// gives it.
func (l *Lowering) outputUnit(run *exec.Unit, c *calc, i int, o *output, layout *block) {
	v, has := o.element.Value()
	designated := !has && o.result && c.designated != nil
	if !has && !designated || o.result && isCase(c.element) && c.host != nil && returns(c.host) {
		return
	}
	u := l.unit("", exec.PlainUnit)
	run.Outputs[i].Unit = u.ID
	l.compile(u, c.element, func(b *body) {
		b.calc, b.self = c, true
		b.top = max(b.top, run.Registers)
		b.u.Registers = max(b.u.Registers, b.top)
		b.u.Locals = max(b.u.Locals, b.top)
		b.blocks = append(b.blocks, layout)
		b.computing = append(b.computing, o.element)
		if designated {
			b.emit(exec.Instr{Op: exec.OpReturn, B: b.bound(c.designated)})
			return
		}
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.in(v.Scope, v.Expr, -1)})
	})
}

// ownOutput reads an output of the calculation that is computed by its name.
func (b *body) ownOutput(l *local, name string) operand {
	v, has := l.element.Value()
	if !has {
		to := b.alloc()
		b.move(to, l.register)
		have := b.emit(exec.Instr{Op: exec.OpJumpPresent, B: to})
		b.fail(exec.NoValue, "no value: output never assigned: output "+name+" of calc "+b.calc.name, "")
		b.land(have)
		return to
	}
	if slices.Contains(b.computing, l.element) {
		return b.failed(exec.Cyclic, "cyclic output dependency: output "+name+" of calc "+b.calc.name+" depends on itself", "")
	}
	cache := l.register + 1
	have := b.emit(exec.Instr{Op: exec.OpJumpPresent, B: cache})
	b.computing = append(b.computing, l.element)
	b.move(cache, b.in(v.Scope, v.Expr, -1))
	b.computing = b.computing[:len(b.computing)-1]
	b.note(exec.OutputNote, b.calc.name+"."+name, cache)
	b.land(have)
	return cache
}

// outputs reads names from usage e: an output of its run on self, or on the
// object in a register, and then features of that.
func (b *body) outputs(e *model.Element, object operand, names []syntax.Name, want int32) operand {
	if bad := notACalc(e); bad != "" {
		return b.failed(badCalculation, bad, "")
	}
	c := b.l.usageOf(e)
	i, o := c.output(names[0].Text)
	if o == nil {
		var all []string
		for _, x := range c.outputs {
			all = append(all, x.name)
		}
		if len(c.outputs) == 0 {
			if i, o = b.l.implicitResult(c, names[0].Text); o == nil {
				return b.failed(badCalculation, fmt.Sprintf("unknown output: calc %s declares no output %s (it declares no output)", c.name, names[0].Text), "")
			}
		} else {
			return b.failed(badCalculation, fmt.Sprintf("unknown output: calc %s declares no output %s (it declares: %s)", c.name, names[0].Text, strings.Join(all, ", ")), "")
		}
	}
	var run int32
	if l := b.lookup(label(e)); l != nil && l.kind == usageLocal && l.element == e && object == absent {
		run = l.register
	} else {
		run = b.memo(e, object != absent)
	}
	top := b.top
	to := b.alloc()
	if object != absent {
		b.emit(exec.Instr{Op: exec.OpFresh, A: run, B: object})
	}
	have := b.emit(exec.Instr{Op: exec.OpJumpPresent, B: run})
	b.startRun(c, run, object)
	over := b.jump()
	b.land(have)
	b.note(exec.ReuseNote, c.name, 0)
	b.land(over)
	b.u.Reads = append(b.u.Reads, exec.OutputRead{Unit: c.run, Output: int32(i)})
	read := int32(len(b.u.Reads) - 1)
	b.emit(exec.Instr{Op: exec.OpKept, A: to, B: run, C: read})
	missing := b.jump()
	done := b.jump()
	b.land(missing)
	b.emit(exec.Instr{Op: exec.OpOutput, A: to, B: run, C: read})
	b.note(exec.OutputNote, c.name+"."+o.name, to)
	b.land(done)
	b.top = max(top, to+1)
	if len(names) > 1 {
		var links []syntax.QualifiedName
		for _, n := range names[1:] {
			links = append(links, syntax.QualifiedName{Segments: []syntax.Name{n}, Range: n.Range})
		}
		return b.walk(to, links, nil, want)
	}
	return to
}

// implicitResult gives a calculation that ends with a result expression and
// declares no output the output `result`.
func (l *Lowering) implicitResult(c *calc, name string) (int, *output) {
	if name != "result" || c.host == nil {
		return -1, nil
	}
	o := &output{name: "result", element: c.element, result: true, inout: -1}
	c.outputs = append(c.outputs, o)
	u := l.program.Units[c.run]
	u.Outputs = append(u.Outputs, exec.OutputSpec{Name: "result", Unit: exec.NoUnit, Result: true})
	return len(c.outputs) - 1, o
}

// startRun emits the run of usage c into register run.
func (b *body) startRun(c *calc, run int32, object operand) {
	given := c.given()
	b.note(exec.EnterNote, c.name, 0)
	if isCase(c.element) {
		b.wordNote(caseWord(c.element))
	}
	top := b.top
	flags := uint16(0)
	if object != absent {
		b.move(b.alloc(), object)
		flags = 0x8000
	}
	first := b.top
	n := 0
	for i, p := range c.params {
		if given[p.element] {
			n = i + 1
		}
	}
	for range n {
		b.emit(exec.Instr{Op: exec.OpMove, A: b.alloc(), B: b.konst(value.Value{})})
	}
	b.depth++
	for i, p := range c.params {
		if given[p.element] {
			v, _ := p.element.Value()
			b.move(first+int32(i), b.reading(v))
			b.note(exec.DefaultNote, p.name, first+int32(i))
			b.top = first + int32(n)
		}
	}
	b.depth--
	b.emit(exec.Instr{Op: exec.OpStart, A: run, B: int32(c.run), C: first, D: uint16(n) | flags})
	b.top = top
}

// reading evaluates a value that a usage declares, in the environment of its
// reader: names of the reader's body win over those of the usage.
func (b *body) reading(v model.Value) operand {
	scope := v.Scope
	if o := scope.Owner(); o != nil && o.Owner() != nil {
		scope = o.Owner() // outside the usage: `in n = n` reads the outer n
	}
	return b.in(scope, v.Expr, -1)
}

// notACalc is what is wrong with a usage that is read as a calculation; ""
// where nothing is.
func notACalc(e *model.Element) string {
	for _, t := range e.Types() {
		if !isCalc(t) && !t.IsLibrary() {
			return "not a calc: calc usage " + plainName(e) + " specializes " + plainName(t) + ", which is not a calc"
		}
	}
	return ""
}
