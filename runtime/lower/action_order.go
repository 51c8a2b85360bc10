package lower

import (
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers the direct statements of a node's body that nothing
// orders. They are subactions without a succession between them: where one
// reads what another writes, or two send, which comes first is open. Two that
// write one feature keep their order.

// touches is what a statement reads and writes.
type touches struct {
	reads, writes map[string]bool
	sends         bool
	unknown       bool // something that could touch anything
}

func newTouches() *touches { return &touches{reads: map[string]bool{}, writes: map[string]bool{}} }

func meets(a, b map[string]bool) bool {
	for n := range a {
		if b[n] {
			return true
		}
	}
	return false
}

// conflicts reports whether the order of two statements can be seen.
func (a *touches) conflicts(b *touches) bool {
	return meets(a.reads, b.writes) || meets(a.writes, b.reads) || a.sends && b.sends
}

// ordered reports whether two statements keep the order they are written in.
func (a *touches) ordered(b *touches) bool {
	return a.unknown || b.unknown || meets(a.writes, b.writes)
}

func (t *touches) statement(d *syntax.Decl) {
	if d == nil {
		return
	}
	switch p := d.Detail.(type) {
	case *syntax.AssignPart:
		t.writes[headName(p.Target)] = true
		t.expr(p.Value)
	case *syntax.SendPart:
		t.sends = true
		t.expr(p.Payload)
	case *syntax.IfPart:
		t.expr(p.Condition)
		t.block(p.Then)
		t.block(p.Else)
	case *syntax.WhileLoopPart:
		t.expr(p.While)
		t.block(p.Loop)
		t.expr(p.Until)
	case *syntax.ForLoopPart:
		t.expr(p.Sequence)
		t.block(p.Loop)
	default:
		t.unknown = true
	}
}

func (t *touches) block(d *syntax.Decl) {
	if d == nil {
		return
	}
	if d.Metaclass == syntax.IfActionUsage {
		t.statement(d)
		return
	}
	for _, m := range d.Members() {
		switch {
		case isStatementKind(m):
			t.statement(m)
		case isStep(m):
			t.unknown = true
		case m.Value != nil:
			t.expr(m.Value.Expr)
		}
	}
}

// headName is the first name of a target or an operand.
func headName(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.FeatureReferenceExpression:
		return written(x.Name, "")
	case *syntax.FeatureChainExpression:
		return headName(x.Operand)
	}
	return ""
}

func (t *touches) expr(x syntax.Expr) {
	switch x := x.(type) {
	case nil:
	case *syntax.FeatureReferenceExpression:
		t.reads[written(x.Name, "")] = true
	case *syntax.FeatureChainExpression:
		t.expr(x.Operand)
	case *syntax.OperatorExpression:
		for _, o := range x.Operands {
			t.expr(o)
		}
	case *syntax.InvocationExpression:
		t.expr(x.Receiver)
		for _, a := range x.Arguments {
			t.expr(a.Value)
		}
		if x.BodyArgument != nil {
			t.members(x.BodyArgument)
		}
	case *syntax.ConstructorExpression:
		for _, a := range x.Arguments {
			t.expr(a.Value)
		}
	case *syntax.SequenceExpression:
		for _, e := range x.Elements {
			t.expr(e)
		}
	case *syntax.IndexExpression:
		t.expr(x.Operand)
		t.expr(x.Index)
	case *syntax.BracketExpression:
		t.expr(x.Operand)
	case *syntax.CollectExpression:
		t.expr(x.Operand)
		t.members(x.Body)
	case *syntax.SelectExpression:
		t.expr(x.Operand)
		t.members(x.Body)
	}
}

func (t *touches) members(b *syntax.BodyExpression) {
	if b == nil || b.Body == nil {
		return
	}
	for _, m := range b.Body.Members {
		if p, ok := m.Detail.(*syntax.ExpressionPart); ok {
			t.expr(p.Expr)
		} else if m.Value != nil {
			t.expr(m.Value.Expr)
		}
	}
}

// unordered lowers statements whose order is open and can be seen, and
// reports whether they are such.
func (p *performer) unordered(statements []*model.Element) bool {
	if len(statements) < 2 || len(statements) > 64 {
		return false
	}
	var all []*touches
	for _, m := range statements {
		d := m.Decl()
		if !isStatementKind(d) || d.Then != nil || d.Metaclass == syntax.AcceptActionUsage || d.Metaclass == syntax.TerminateActionUsage {
			return false
		}
		t := newTouches()
		t.statement(d)
		all = append(all, t)
	}
	seen := false
	order := &exec.StatementOrder{Where: "statements in " + p.host, After: make([]uint64, len(all))}
	for j := range all {
		for i := range j {
			if all[i].ordered(all[j]) {
				order.After[j] |= 1 << i
			} else if all[i].conflicts(all[j]) {
				seen = true
			}
		}
	}
	if !seen {
		return false
	}
	for i, m := range statements {
		order.Labels = append(order.Labels, strconv.Itoa(i+1)+" "+statementLabel(m))
	}
	p.drawn(statements, order)
	return true
}

// statementLabel is how a choice names a statement.
func statementLabel(m *model.Element) string {
	d := m.Decl()
	switch part := d.Detail.(type) {
	case *syntax.AssignPart:
		return "assign " + assignedText(part.Target)
	case *syntax.ForLoopPart:
		return "for " + part.Variable.Name.Text
	}
	return nodeName(m)
}

// drawn lowers statements of which the engine says which comes next.
func (p *performer) drawn(statements []*model.Element, order *exec.StatementOrder) {
	b, l := p.b, p.flow.l
	l.program.Orders = append(l.program.Orders, order)
	b.top = max(b.top, b.u.Locals)
	first := b.top
	for range statements {
		r := b.alloc()
		b.emit(exec.Instr{Op: exec.OpMove, A: r, B: b.konst(value.False)})
	}
	b.u.Locals = max(b.u.Locals, b.top)
	began := p.started
	again := b.here()
	if began {
		b.emit(exec.Instr{Op: exec.OpStatement, B: exec.NoStatement, C: exec.BoundaryMark})
	}
	next := p.request(exec.Request{Kind: exec.DrawOrderRequest, Ref: int32(len(l.program.Orders) - 1), Span: statements[0].Span()}, first, len(statements))
	b.u.Locals = max(b.u.Locals, b.top)
	var jumps []int
	for i := range statements {
		c := b.alloc()
		b.emit(exec.Instr{Op: exec.OpEqual, A: c, B: next, C: b.konst(value.Int(int64(i)))})
		jumps = append(jumps, b.emit(exec.Instr{Op: exec.OpJumpIf, B: c}))
		b.top = c
	}
	var ends []int
	for i, m := range statements {
		b.land(jumps[i])
		p.first = m
		b.statement(m)
		p.first = nil
		b.emit(exec.Instr{Op: exec.OpMove, A: first + int32(i), B: b.konst(value.True)})
		var more []int
		for j := range statements {
			if j != i {
				more = append(more, b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: first + int32(j)}))
			}
		}
		ends = append(ends, b.jump())
		b.land(more...)
		if !began {
			b.emit(exec.Instr{Op: exec.OpStatement, B: exec.NoStatement, C: exec.BoundaryMark})
		}
		b.emit(exec.Instr{Op: exec.OpJump, A: again})
	}
	b.land(ends...)
}
