package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
)

// This file lowers calculations and cases that are steps of an action or of
// another case: they are run once, and their outputs are pins of the node.

// outputsOf are the names of what usage e gives when it is run: its outputs,
// and an implicit result.
func (l *Lowering) outputsOf(e *model.Element) []string {
	c := l.describe(l.calcOf(e))
	var names []string
	result := true
	for _, o := range c.outputs {
		names = append(names, o.name)
		result = result && o.name != "result"
	}
	if result {
		names = append(names, "result")
	}
	return names
}

// performCase runs calculation or case e as a step.
func (p *performer) performCase(e, callee *model.Element, prefix string) {
	b, l := p.b, p.flow.l
	if !isCalc(e) || isFlowBody(bodyMembers(e), false) {
		b.fail(badAction, label(callee)+" is not an action", "")
		return
	}
	c := l.usageOf(e)
	top := b.top
	run, v := b.alloc(), b.alloc()
	b.u.Locals = max(b.u.Locals, b.top)
	b.startRun(c, run, absent)
	for i, o := range c.outputs {
		b.u.Reads = append(b.u.Reads, exec.OutputRead{Unit: c.run, Output: int32(i)})
		b.emit(exec.Instr{Op: exec.OpOutput, A: v, B: run, C: int32(len(b.u.Reads) - 1)})
		b.note(exec.OutputNote, c.name+"."+o.name, v)
		p.leaves(prefix+o.name, v)
		if o.result {
			p.leaves(prefix+"result", v)
		}
	}
	if i, o := l.implicitResult(c, "result"); o != nil && len(c.outputs) == i+1 && i == 0 {
		b.u.Reads = append(b.u.Reads, exec.OutputRead{Unit: c.run, Output: int32(i)})
		b.emit(exec.Instr{Op: exec.OpOutput, A: v, B: run, C: int32(len(b.u.Reads) - 1)})
		p.leaves(prefix+"result", v)
	}
	b.top = top
}

// leaves puts register v into the pin called name of the node.
func (p *performer) leaves(name string, v int32) {
	if slot := p.frames[0].slotOf(name); slot >= 0 {
		p.b.emit(exec.Instr{Op: exec.OpSetEnv, A: v, B: 0, C: slot})
	}
}
