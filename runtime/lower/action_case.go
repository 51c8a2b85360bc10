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
func (p *performer) performCase(e *model.Element, prefix string) {
	b, l := p.b, p.flow.l
	switch {
	case !isCalc(e):
		b.fail(badAction, label(e)+" is not an action", "")
		return
	case isFlowBody(bodyMembers(e), false):
		p.caseFlow(e, prefix)
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

// caseFlow runs a case whose body is a flow: the flow is one of the node's
// own, among the parameters of the case.
func (p *performer) caseFlow(e *model.Element, prefix string) {
	b, l := p.b, p.flow.l
	c := l.describe(l.calcOf(e))
	own := p.frames[0]
	b.note(exec.EnterNote, c.name, 0)
	b.wordNote(caseWord(e))
	b.depth++
	for _, param := range c.params {
		v, has := param.element.Value()
		if !has {
			continue
		}
		top := b.top
		r := b.alloc()
		if v.Scope.Owner() == e {
			b.move(r, b.reading(v))
		} else {
			b.move(r, b.in(v.Scope, v.Expr, r))
		}
		b.note(exec.DefaultNote, param.name, r)
		slot, ok := own.slots[prefix+param.name]
		if !ok {
			slot = own.declare(prefix+param.name, exec.ParameterData)
		}
		b.emit(exec.Instr{Op: exec.OpSetEnv, A: r, B: 0, C: slot})
		b.top = top
	}
	b.note(exec.StmtNote, "", 0)
	b.wordNote("action body")
	sub := l.newFlow(e, own, exec.SubflowGraph)
	sub.root, sub.around = p.flow.root, p.flow
	sub.frames = p.frames
	for _, m := range bodyMembers(e) {
		if !isDataMember(m) && m.Decl() != nil {
			sub.members = append(sub.members, m)
		}
	}
	sub.owner = caseWord(e) + " " + c.name
	sub.graph.Owner = sub.owner
	sub.lower()
	l.program.Subflows = append(l.program.Subflows, &exec.SubflowBody{Graph: sub.graph.ID, Depth: int32(b.depth) + 1})
	p.request(exec.Request{Kind: exec.SubflowRequest, Ref: int32(len(l.program.Subflows) - 1), Span: e.Span()}, 0, 0)
	p.caseResult(e, c, prefix)
}

// caseResult ends a case whose body was a flow with what it returns.
func (p *performer) caseResult(e *model.Element, c *calc, prefix string) {
	b := p.b
	for _, o := range c.outputs {
		v, has := o.element.Value()
		if !has {
			continue
		}
		if o.result {
			b.stmt("return", "", o.element)
		}
		top := b.top
		b.depth++
		r := b.move(b.alloc(), b.in(v.Scope, v.Expr, -1))
		b.depth--
		p.leaves(prefix+o.name, r)
		if o.result {
			p.leaves(prefix+"result", r)
			b.depth--
			b.note(exec.ExitValueNote, c.name, r)
			b.wordNote(caseWord(e))
			b.emit(exec.Instr{Op: exec.OpNop})
			b.top = top
			return
		}
		b.top = top
	}
	b.depth--
	b.note(exec.ExitNote, c.name, 0)
	b.wordNote(caseWord(e))
	b.emit(exec.Instr{Op: exec.OpNop})
}
