package lower

import (
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers the performing of one action by another.

// calleeOf is the action that performing e performs beside e's own body: what
// it references, is typed by or is valued by an invocation of; nil for none.
func (l *Lowering) calleeOf(e *model.Element) *model.Element {
	callee, _ := l.performed(e)
	return callee
}

// performed is the callee of e and the links that lead to it.
func (l *Lowering) performed(e *model.Element) (*model.Element, []*model.Element) {
	d := e.Decl()
	if d == nil || !e.Metaclass().IsUsage() {
		return nil, nil
	}
	if d.Value != nil {
		if call, ok := d.Value.Expr.(*syntax.InvocationExpression); ok && call.Receiver == nil {
			if found, _ := l.model.ResolveReference(&call.Callee, e); len(found) > 0 && isActionBody(found[len(found)-1]) {
				return found[len(found)-1], found
			}
		}
	}
	own := e.Metaclass() != syntax.PerformActionUsage && anyPerformed(e.Members())
	for i := range d.Relationships {
		if own && d.Relationships[i].Kind == syntax.Redefines {
			continue // its body stands for the other's
		}
		chain := e.Target(i)
		if len(chain) == 0 { // a definition, which a reference does not admit
			chain = l.resolveBeside(&d.Relationships[i].Target, e)
		}
		if len(chain) == 0 {
			continue
		}
		target := chain[len(chain)-1]
		if target.IsLibrary() || !isActionBody(target) || target == e || len(target.Members()) == 0 && l.calleeOf(target) == nil {
			continue
		}
		return target, chain
	}
	return nil, nil
}

func anyPerformed(members []*model.Element) bool {
	for _, m := range members {
		if isPerformed(m) && !isDataMember(m) {
			return true
		}
	}
	return false
}

// resolveBeside is what a reference in the declaration of e leads to that is
// not e, which may be called as what it references is.
func (l *Lowering) resolveBeside(r *syntax.Reference, e *model.Element) []*model.Element {
	for scope := e.Owner(); scope != nil; scope = scope.Owner() {
		if found, _ := l.model.ResolveReference(r, scope); len(found) > 0 && found[len(found)-1] != e {
			return found
		}
	}
	return nil
}

// perform lowers the performing of what e performs beside its own body.
// prefix is the path of e where it is a node of a block.
func (p *performer) perform(e *model.Element, prefix string) {
	b, l := p.b, p.flow.l
	callee, chain := l.performed(e)
	if callee == nil {
		p.unresolved(e)
		return
	}
	if isCalc(callee) {
		p.performCase(e, prefix)
		return
	}
	f := l.action(callee)
	x := &exec.Perform{Graph: f.graph.ID, Hops: p.hopsTo(f), Depth: int32(b.depth), Span: e.Span()}
	top := b.top
	b.top = max(b.top, b.u.Locals)
	first := b.top
	count := 0
	argument := func() int32 { // arguments stand one behind the other
		b.top = first + int32(count)
		count++
		return b.alloc()
	}
	if len(chain) > 1 {
		x.Performer = true
		if base := performerOf(e); base != nil {
			b.into(base, argument())
		} else {
			b.move(argument(), b.konst(value.NullValue))
		}
	}
	p.arguments(e, f, prefix, x, argument)
	p.outputs(e, f, prefix, x)
	l.program.Performs = append(l.program.Performs, x)
	p.request(exec.Request{Kind: exec.PerformRequest, Ref: int32(len(l.program.Performs) - 1), Span: e.Span()}, first, count)
	p.returnBound(e, f, prefix)
	b.top = top
}

// performerOf is the expression of what stands before the last link of the
// chain that e references.
func performerOf(e *model.Element) syntax.Expr {
	for _, r := range e.Decl().Relationships {
		if len(r.Target.Links) < 2 {
			continue
		}
		links := r.Target.Links
		at := r.Range.In(e.Decl().Span.File)
		base := &syntax.FeatureReferenceExpression{Node: syntax.Node{At: at}, Name: links[0]}
		if len(links) == 2 {
			return base
		}
		return &syntax.FeatureChainExpression{Node: syntax.Node{At: at}, Operand: base, Links: links[1 : len(links)-1]}
	}
	return nil
}

// unresolved fails where e names an action that is not there.
func (p *performer) unresolved(e *model.Element) {
	d := e.Decl()
	if d.Metaclass != syntax.PerformActionUsage || !d.Is(syntax.ByReference) {
		return
	}
	r := d.Relationships[0]
	found := p.flow.l.resolveBeside(&r.Target, e)
	name := r.Target.Links[len(r.Target.Links)-1].Last().Text
	switch {
	case len(found) == 0:
		p.b.fail(badAction, "unresolved action reference: "+name, "")
	case !isActionBody(found[len(found)-1]):
		p.b.fail(badAction, name+" is not an action", "")
	}
}

// hopsTo is how far out the Env is that encloses performances of f; -1 where
// none around the body does.
func (p *performer) hopsTo(f *flow) int32 {
	if f.graph.Outer == exec.NoLayout {
		return -1
	}
	for i, fr := range p.frames {
		if fr.id == f.graph.Outer {
			return int32(i)
		}
	}
	return -1
}

// arguments evaluates the inputs of a performance: what the call gives, what
// a pin holds, or what the caller calls by the same name.
func (p *performer) arguments(e *model.Element, f *flow, prefix string, x *exec.Perform, argument func() int32) {
	b := p.b
	given := p.givenArguments(e, f, x, argument)
	for i, param := range f.graph.Params {
		if !param.In || given[int32(i)] {
			continue
		}
		r := argument()
		x.Params = append(x.Params, int32(i))
		b.move(r, b.konst(value.Value{}))
		var done []int
		try := func(hops, slot int32) {
			b.emit(exec.Instr{Op: exec.OpEnv, A: r, B: hops, C: slot})
			next := b.jump()
			done = append(done, b.jump())
			b.land(next)
		}
		if len(p.frames) > 0 {
			if slot := p.frames[0].slotOf(prefix + param.Name); slot >= 0 && (prefix != "" || p.frames[0] != p.flow.frame()) {
				try(0, slot)
			}
		}
		if len(given) == 0 {
			p.sameName(param.Name, r, prefix, try)
		}
		b.land(done...)
	}
}

// sameName reads what the caller calls name.
func (p *performer) sameName(name string, r int32, prefix string, try func(hops, slot int32)) {
	if l := p.b.lookup(name); l != nil && l.kind == registerLocal {
		p.b.move(r, l.register)
		return
	}
	for hops, d := range p.b.datas {
		slot, ok := d.slots[name]
		if !ok || hops == 0 && p.frames[0].slotOf(prefix+name) == slot && prefix != "" {
			continue
		}
		try(int32(hops), slot)
	}
}

// givenArguments evaluates the arguments of `action x = F(1, b = 2)`.
func (p *performer) givenArguments(e *model.Element, f *flow, x *exec.Perform, argument func() int32) map[int32]bool {
	d := e.Decl()
	if d.Value == nil {
		return nil
	}
	call, ok := d.Value.Expr.(*syntax.InvocationExpression)
	if !ok {
		return nil
	}
	b := p.b
	given := map[int32]bool{}
	var inputs []int32
	for i, param := range f.graph.Params {
		if param.In {
			inputs = append(inputs, int32(i))
		}
	}
	if len(call.Arguments) > len(inputs) {
		b.fail(exec.BadPerform, "action "+f.graph.Name+" takes "+plural(len(inputs), "input parameter")+", got "+plural(len(call.Arguments), "argument"), "")
		return map[int32]bool{-1: true}
	}
	for i, a := range call.Arguments {
		at := int32(-1)
		if len(a.Name.Segments) == 0 {
			at = inputs[i]
		} else {
			for _, in := range inputs {
				if f.graph.Params[in].Name == a.Name.Last().Text {
					at = in
				}
			}
		}
		if at < 0 {
			b.fail(exec.BadPerform, "action "+f.graph.Name+" has no input parameter \""+a.Name.Last().Text+"\"", "")
			continue
		}
		given[at] = true
		x.Params = append(x.Params, at)
		r := argument()
		b.move(r, b.expr(a.Value, -1))
	}
	given[-1] = true
	return given
}

func plural(n int, what string) string { return strconv.Itoa(n) + " " + what + "(s)" }

// outputs says where what the callee leaves goes: into the pins of the
// performing node, and outputs to what the caller calls by the same name.
func (p *performer) outputs(e *model.Element, f *flow, prefix string, x *exec.Perform) {
	for i, s := range f.frame().layout.Slots {
		if s.Kind == exec.LocalData || s.Kind == exec.PinData {
			continue
		}
		if len(p.frames) > 0 && (prefix != "" || p.frames[0] != p.flow.frame()) {
			if slot := p.frames[0].slotOf(prefix + s.Name); slot >= 0 {
				x.Outs = append(x.Outs, exec.Out{Slot: int32(i), Target: slot, Name: exec.NoName})
			}
		}
		if !s.Out || p.bindsOut(e, s.Name) {
			continue
		}
		for hops, d := range p.b.datas {
			slot, ok := d.slots[s.Name]
			if !ok || hops == 0 && slot == p.frames[0].slotOf(prefix+s.Name) && (prefix != "" || p.frames[0] != p.flow.frame()) {
				continue
			}
			x.Outs = append(x.Outs, exec.Out{Slot: int32(i), Hops: int32(hops), Target: slot, Name: exec.NoName})
			break
		}
	}
}

// bindsOut reports whether e binds its parameter name both ways.
func (p *performer) bindsOut(e *model.Element, name string) bool {
	for _, m := range e.Members() {
		if label(m) == name && m.Decl() != nil && m.Decl().Value != nil && m.Direction() == syntax.InOut {
			return true
		}
	}
	return false
}

// returnBound writes what an `inout p = f` of the performing node ended with
// to f.
func (p *performer) returnBound(e *model.Element, f *flow, prefix string) {
	b := p.b
	for _, m := range e.Members() {
		d := m.Decl()
		if d == nil || d.Value == nil || m.Direction() != syntax.InOut && m.Direction() != syntax.Out {
			continue
		}
		ref, ok := d.Value.Expr.(*syntax.FeatureReferenceExpression)
		slot := p.frames[0].slotOf(prefix + label(m))
		if !ok || slot < 0 {
			continue
		}
		r := b.alloc()
		b.emit(exec.Instr{Op: exec.OpEnv, A: r, B: 0, C: slot})
		none := b.jump()
		b.assignValue(ref.Name.Last().Text, r)
		b.land(none)
	}
}
