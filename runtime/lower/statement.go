package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers statements: of calculations, and, where a behaviour is the
// host of the body, of its nodes.

// stmt emits the boundary before a statement. What the statement does is one
// level deeper.
func (b *body) stmt(word, name string, m *model.Element) {
	b.span = m.Span()
	b.u.Statements = append(b.u.Statements, exec.Label{Word: word, Name: name})
	b.emit(exec.Instr{Op: exec.OpStatement, B: int32(len(b.u.Statements) - 1), C: b.mark, D: uint16(b.depth)})
}

// block lowers the members of e in order, as a block of its own.
func (b *body) block(e *model.Element) {
	b.enterBlock(e)
	b.leaveBlock()
}

// statement lowers one statement.
func (b *body) statement(m *model.Element) {
	if b.host != nil && b.host.statement(b, m) {
		return
	}
	d := m.Decl()
	switch m.Metaclass() {
	case syntax.AssignmentActionUsage:
		part := d.Detail.(*syntax.AssignPart)
		b.assign(m, part.Target, part.Value)
	case syntax.IfActionUsage:
		b.branch(m)
	case syntax.WhileLoopActionUsage:
		b.whileLoop(m)
	case syntax.ForLoopActionUsage:
		b.forLoop(m)
	case syntax.ActionUsage:
		b.action(m)
	case syntax.CalculationUsage:
		b.stmt("declare calc", label(m), m)
		if l := b.lookup(label(m)); l != nil && l.kind == usageLocal {
			b.emit(exec.Instr{Op: exec.OpMove, A: l.register, B: b.konst(value.Value{})})
		}
	case syntax.SendActionUsage, syntax.AcceptActionUsage, syntax.TerminateActionUsage, syntax.PerformActionUsage:
		b.fail(badCalculation, "side effect in a calculation body: "+m.Metaclass().Keyword()+" in calc "+plainName(b.owner()), "")
	default:
		if d.Value != nil && d.Value.Initial && d.Name.Text != "" && len(d.Relationships) == 0 && d.Keyword.IsZero() {
			q := syntax.QualifiedName{Segments: []syntax.Name{d.Name}, Range: d.Name.Range}
			target := &syntax.FeatureReferenceExpression{Node: syntax.Node{At: d.Name.In(d.Span.File)}, Name: q}
			b.assign(m, target, d.Value.Expr)
			return
		}
		b.declaration(m)
	}
}

func (b *body) owner() *model.Element {
	if b.calc != nil {
		return b.calc.element
	}
	return b.scope
}

// declaration lowers the declaration of a local.
func (b *body) declaration(m *model.Element) {
	name := label(m)
	b.stmt("declare", name, m)
	l := &local{kind: registerLocal, element: m, register: b.alloc()}
	b.u.Locals = max(b.u.Locals, b.top)
	if v, has := m.Value(); has {
		b.depth++
		b.move(l.register, b.in(v.Scope, v.Expr, l.register))
		b.depth--
	} else {
		b.emit(exec.Instr{Op: exec.OpMove, A: l.register, B: b.konst(value.NullValue)})
	}
	b.top = l.register + 1
	b.blocks[len(b.blocks)-1].locals[name] = l
}

// assignedText is the target of an assignment as its label shows it.
func assignedText(x syntax.Expr) string {
	return strings.Join(strings.Fields(x.Span().Text()), "")
}

func (b *body) assign(m *model.Element, target, x syntax.Expr) {
	b.stmt("assign", strings.Trim(assignedText(target), "'"), m)
	b.depth++
	top := b.top
	switch t := target.(type) {
	case *syntax.FeatureReferenceExpression:
		b.assignName(t.Name, x)
	case *syntax.FeatureChainExpression:
		if b.calc != nil && b.host == nil {
			b.fail(badCalculation, "assignment outside the calculation body: "+assignedText(target)+" is not declared by the calculation", "")
			break
		}
		v := b.expr(x, -1)
		base, links := flatten(t)
		if b.assignPin(base, links, v, assignedText(target)) {
			break
		}
		var object operand
		if ref, ok := base.(*syntax.FeatureReferenceExpression); ok && len(links) == 1 {
			object = b.assignedObject(ref)
		} else {
			object = b.chain(&syntax.FeatureChainExpression{Node: t.Node, Operand: base, Links: links[:len(links)-1]}, -1)
		}
		r := b.move(b.alloc(), object)
		b.emit(exec.Instr{Op: exec.OpSetFeature, A: r, B: int32(b.l.name(links[len(links)-1].Last().Text)), C: v})
	default:
		b.fail(exec.NotAssignable, "assignment to "+assignedText(target)+" is not executable", "")
	}
	b.top = top
	b.depth--
}

// assignPin assigns what a behaviour around has under the name of a chain: a
// feature of a node that it performs, or of a state that it is in. A chain that
// starts at another behaviour leads to no object that could be assigned.
func (b *body) assignPin(base syntax.Expr, links []syntax.QualifiedName, v operand, text string) bool {
	ref, ok := base.(*syntax.FeatureReferenceExpression)
	if !ok || !ref.Name.IsSimple() || b.lookup(ref.Name.Last().Text) != nil {
		return false
	}
	path := ref.Name.Last().Text + "." + joinNames(links)
	for hops, d := range b.datas {
		if slot, ok := d.slots[path]; ok {
			b.emit(exec.Instr{Op: exec.OpSetEnv, A: v, B: int32(hops), C: slot})
			return true
		}
	}
	e, _ := b.l.model.Resolve(&ref.Name, b.scope)
	if e == nil || e.Owner() == nil || b.inData(ref.Name) || !isBehaviour(e) || !isBehaviour(e.Owner()) {
		return false
	}
	b.fail(exec.NotAssignable, "assignment to "+text+" is not executable: "+label(e)+" is performed by "+label(e.Owner())+", which has no "+joinNames(links)+" of it", "")
	return true
}

// assignedObject is the object whose feature is assigned. A part that is named
// by itself leaves no line.
func (b *body) assignedObject(ref *syntax.FeatureReferenceExpression) operand {
	if e, _ := b.l.model.Resolve(&ref.Name, b.scope); e != nil && denotesObject(e) && !isVariation(e) &&
		b.lookup(ref.Name.Last().Text) == nil && !b.inData(ref.Name) && b.isStatic(ref.Name, e) {
		if _, valued := e.Value(); !valued {
			r := b.alloc()
			b.emit(exec.Instr{Op: exec.OpGlobal, A: r, B: int32(b.l.global(e))})
			return r
		}
	}
	return b.expr(ref, -1)
}

// assignName lowers `name := x`: to a local, an output, the data of a
// behaviour, a feature of the object the body runs on.
func (b *body) assignName(q syntax.QualifiedName, x syntax.Expr) {
	name := q.Last().Text
	if l := b.lookup(name); l != nil && q.IsSimple() {
		switch {
		case l.kind == registerLocal && !(b.calc != nil && b.isInput(name, l)):
			b.move(l.register, b.expr(x, l.register))
			return
		case l.kind == outputLocal:
			b.move(l.register, b.expr(x, -1))
			return
		}
	}
	if b.calc != nil && b.host == nil {
		b.expr(x, -1)
		b.fail(badCalculation, "assignment outside the calculation body: "+name+" is not declared by the calculation", "")
		return
	}
	b.assignValue(name, b.expr(x, -1))
}

// assignValue writes v to what a behaviour calls name.
func (b *body) assignValue(name string, v operand) {
	var done []int
	for hops, d := range b.datas {
		slot, ok := d.slots[name]
		if !ok {
			continue
		}
		if d.declared[name] || !b.self {
			b.emit(exec.Instr{Op: exec.OpSetEnv, A: v, B: int32(hops), C: slot})
			b.land(done...)
			return
		}
		// a name that nothing declares is the object's feature, where it has one
		b.emit(exec.Instr{Op: exec.OpSetSelf, B: int32(b.l.name(name)), C: v})
		mine := b.jump()
		done = append(done, b.jump())
		b.land(mine)
		b.emit(exec.Instr{Op: exec.OpSetEnv, A: v, B: int32(hops), C: slot})
		b.land(done...)
		return
	}
	b.emit(exec.Instr{Op: exec.OpSetSelf, B: int32(b.l.name(name)), C: v})
	none := b.jump()
	over := b.jump()
	b.land(none)
	b.fail(exec.NotAssignable, "nothing called "+name+" can be assigned here", "")
	b.land(over)
}

// isInput reports whether local l is a parameter of the calculation that is
// no output.
func (b *body) isInput(name string, l *local) bool {
	i := b.calc.param(name)
	return i >= 0 && l.register == int32(i) && !b.calc.params[i].inout
}

func (b *body) branch(m *model.Element) {
	part := m.Decl().Detail.(*syntax.IfPart)
	b.stmt("if", "", m)
	b.depth++
	top := b.top
	c := b.expr(part.Condition, -1)
	otherwise := b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: c, D: exec.BranchCondition})
	b.top = top
	if then := m.Child(part.Then); then != nil {
		b.block(then)
	}
	var over []int
	if part.Else != nil {
		over = append(over, b.jump())
	}
	b.land(otherwise)
	if part.Else != nil {
		if e := m.Child(part.Else); e != nil && e.Metaclass() == syntax.IfActionUsage {
			b.statement(e)
		} else if e != nil {
			b.block(e)
		}
		b.land(over...)
	}
	b.depth--
}

func (b *body) whileLoop(m *model.Element) {
	part := m.Decl().Detail.(*syntax.WhileLoopPart)
	word := "while"
	if part.While == nil {
		word = "loop"
		if part.Until != nil {
			word = "loop until"
		}
	}
	b.stmt(word, "", m)
	b.enter()
	count := b.counter()
	b.depth++
	again := b.here()
	b.emit(exec.Instr{Op: exec.OpIterate, B: count, D: uint16(b.depth)})
	b.cost++
	b.depth++
	var ends []int
	top := b.top
	if part.While != nil {
		c := b.expr(part.While, -1)
		ends = append(ends, b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: c, D: exec.WhileCondition}))
		b.top = top
	}
	loop := m.Child(part.Loop)
	if loop != nil {
		b.enterBlock(loop)
	}
	if part.Until != nil {
		c := b.expr(part.Until, -1)
		ends = append(ends, b.emit(exec.Instr{Op: exec.OpJumpIf, B: c, D: exec.UntilCondition}))
	}
	if loop != nil {
		b.leaveBlock()
	}
	b.emit(exec.Instr{Op: exec.OpJump, A: again})
	b.land(ends...)
	b.depth -= 2
	b.leave()
}

// enterBlock is block without its end, for what is evaluated among its names.
func (b *body) enterBlock(e *model.Element) {
	b.enter()
	b.outers = append(b.outers, b.scope)
	b.scope = e
	if b.host != nil && b.host.block(b, e) {
		return
	}
	for _, m := range e.Members() {
		if m.Metaclass() == syntax.CalculationUsage && isBodyStatement(m) {
			b.declare(label(m), &local{kind: usageLocal, element: m})
		}
	}
	for _, m := range e.Members() {
		d := m.Decl()
		switch {
		case d == nil:
		case d.Member == syntax.ReturnMember || d.Member == syntax.ResultMember:
			b.returned(m)
		case isBodyStatement(m) || b.host != nil && m.Metaclass().IsFeature():
			b.statement(m)
		}
	}
}

func (b *body) leaveBlock() {
	last := len(b.outers) - 1
	b.scope = b.outers[last]
	b.outers = b.outers[:last]
	b.leave()
}

// counter is a register that counts passes from 0.
func (b *body) counter() int32 {
	r := b.alloc()
	b.u.Locals = max(b.u.Locals, b.top)
	b.emit(exec.Instr{Op: exec.OpMove, A: r, B: b.konst(value.Int(0))})
	return r
}

func (b *body) forLoop(m *model.Element) {
	part := m.Decl().Detail.(*syntax.ForLoopPart)
	b.stmt("for", part.Variable.Name.Text, m)
	b.enter()
	b.depth++
	seq := b.alloc()
	b.u.Locals = max(b.u.Locals, b.top)
	b.into(part.Sequence, seq)
	b.top = seq + 1
	b.emit(exec.Instr{Op: exec.OpLoopable, B: seq})
	index, count, element := b.counter(), b.counter(), b.alloc()
	b.u.Locals = max(b.u.Locals, b.top)
	b.blocks[len(b.blocks)-1].locals[part.Variable.Name.Text] = &local{kind: registerLocal, register: element}
	again := b.here()
	b.emit(exec.Instr{Op: exec.OpNext, A: element, B: seq, C: index})
	end := b.jump()
	b.emit(exec.Instr{Op: exec.OpIterate, B: count, D: uint16(b.depth)})
	b.cost++
	b.depth++
	if loop := m.Child(part.Loop); loop != nil {
		b.block(loop)
	}
	b.emit(exec.Instr{Op: exec.OpJump, A: again})
	b.land(end)
	b.depth -= 2
	b.leave()
}

// action lowers an action node of a block that has statements alone.
func (b *body) action(m *model.Element) {
	if name := label(m); name == "" {
		b.stmt("action body", "", m)
	} else {
		b.stmt("node", name, m)
	}
	b.depth++
	b.block(m)
	b.depth--
}
