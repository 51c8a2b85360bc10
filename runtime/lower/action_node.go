package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes what performing a node runs.

// lowerNode makes the unit, the frame or the flow of a node.
func (f *flow) lowerNode(n *node) {
	if n.element == nil {
		return
	}
	d := n.element.Decl()
	if f.needsFrame(n) {
		n.frame = f.l.frame()
		f.graph.Nodes[n.index].Layout = n.frame.id
		f.declarePins(n)
	}
	if isStep(d) && !isStatementDecl(d) && d.Metaclass != syntax.PerformActionUsage && isFlowBody(n.element.Members(), false) {
		f.lowerOwnedFlow(n)
	} else if !isControl(d) || len(n.element.Members()) > 0 {
		f.lowerUnit(n)
	}
	if n.frame != nil {
		f.keepResults(n)
	}
}

func isStatementDecl(d *syntax.Decl) bool {
	return d.Metaclass != syntax.AcceptActionUsage && isStatementKind(d)
}

// needsFrame reports whether performances of a node have data of their own.
func (f *flow) needsFrame(n *node) bool {
	d := n.element.Decl()
	if isControl(d) {
		return false
	}
	if f.graph.Nodes[n.index].Times > 1 || len(n.element.Members()) > 0 || f.l.calleeOf(n.element) != nil || len(n.fused) > 0 {
		return true
	}
	switch d.Detail.(type) {
	case *syntax.IfPart, *syntax.WhileLoopPart, *syntax.ForLoopPart:
		return true
	}
	return false
}

// declarePins gives slots to the pins of a node and those below it.
func (f *flow) declarePins(n *node) {
	for _, m := range n.element.Members() {
		if isDataMember(m) && label(m) != "" {
			kind := exec.AttributeData
			if m.Direction() != syntax.NoDirection {
				kind = exec.ParameterData
			}
			slot := n.frame.declare(label(m), kind)
			if short := m.ShortName(); short != "" {
				n.frame.slots[short] = slot
			}
		}
	}
	for _, pin := range f.l.pinsOf(n.element, 0) {
		if _, ok := n.frame.slots[pin]; !ok {
			n.frame.hidden(pin, exec.PinData)
			if strings.Contains(pin, ".") {
				n.frame.slots[pin] = int32(len(n.frame.layout.Slots) - 1)
			}
		}
	}
}

// slotOf is the slot with a name among all of a layout; -1 for none.
func (fr *frame) slotOf(name string) int32 {
	for i, s := range fr.layout.Slots {
		if s.Name == name && s.Kind != exec.LocalData {
			return int32(i)
		}
	}
	return -1
}

// keepResults says which slots of the frame of a node the flow keeps, and
// which flows bring.
func (f *flow) keepResults(n *node) {
	g := &f.graph.Nodes[n.index]
	name := nodeLabel(n)
	for i, s := range n.frame.layout.Slots {
		if s.Kind == exec.LocalData {
			continue
		}
		g.Results = append(g.Results, exec.Copy{From: int32(i), To: f.frame().slot(name+"."+s.Name, exec.PinData)})
		if pending, ok := f.frame().slots[name+"."+s.Name+"<"]; ok {
			g.Pending = append(g.Pending, exec.Copy{From: pending, To: int32(i)})
		}
	}
}

// lowerOwnedFlow makes the flow that a node owns.
func (f *flow) lowerOwnedFlow(n *node) {
	nested := f.l.newFlow(n.element, n.frame, exec.ActionGraph)
	nested.root, nested.around = f.root, f
	nested.frames = append([]*frame{n.frame}, f.frames...)
	nested.members = bodyMembers(n.element)
	nested.graph.Name, nested.graph.Qualified = nodeLabel(n), plainName(n.element)
	nested.graph.Owner = nodeLabel(n)
	nested.owner = "action node " + nodeLabel(n)
	nested.lower()
	f.graph.Nodes[n.index].Flow = nested.graph.ID
}

// lowerUnit makes the code of a performance of a node.
func (f *flow) lowerUnit(n *node) {
	u := f.l.unit("", exec.PlainUnit)
	frames := f.frames
	if n.frame != nil {
		frames = append([]*frame{n.frame}, f.frames...)
	}
	host := "action node " + nodeLabel(n)
	if label(n.element) == "" && f.graph.Kind == exec.SubflowGraph && isStatementDecl(n.element.Decl()) {
		host = f.owner
	}
	f.compile(u, scopeOf(n.element), frames, func(b *body) {
		p := &performer{flow: f, b: b, frames: frames, host: host, name: nodeLabel(n)}
		b.host = p
		p.node(n)
		b.emit(exec.Instr{Op: exec.OpReturnNone})
	})
	f.graph.Nodes[n.index].Unit = u.ID
	if a, ok := n.element.Decl().Detail.(*syntax.AcceptPart); ok && a.Trigger == syntax.MessageTrigger && len(u.Requests) > 0 {
		f.graph.Nodes[n.index].Accept = u.Requests[0].Ref
	}
}

// scopeOf is where the names of a statement are resolved: outside of it, where
// it has no body, since a send and the like inherit features from the library
// that would hide what is meant.
func scopeOf(e *model.Element) *model.Element {
	if isStatementKind(e.Decl()) && len(e.Members()) == 0 && e.Owner() != nil {
		return e.Owner()
	}
	return e
}

// A performer lowers what the body of a node does: it is the host of the
// statements that only behaviours have.
type performer struct {
	flow   *flow
	b      *body
	frames []*frame
	// host is how lines name what is performed; name is how the node is
	// called.
	host, name string
	// prefix is the path of the node of a block that is being lowered.
	prefix string
	// started says that a boundary may stand before the next statement.
	started bool
	// own is the statement that the node itself is, first one whose boundary
	// is marked already; inBehaviour says that the
	// statements of a behaviour of a state are lowered, whose first one may
	// not be paused before.
	own, first  *model.Element
	inBehaviour bool
}

// node lowers all of what a node performs.
func (p *performer) node(n *node) {
	b, d := p.b, n.element.Decl()
	p.own = n.element
	if a, ok := d.Detail.(*syntax.AcceptPart); ok {
		p.accept(a, n.element)
	}
	if isStatementDecl(d) && !isStep(d) || isStatementDecl(d) && len(n.element.Members()) == 0 {
		b.statement(n.element)
	} else {
		if isStatementDecl(d) {
			b.statement(n.element)
		}
		if isCalc(n.element) {
			p.performCase(n.element, "")
		} else {
			if n.frame != nil {
				p.bound(n)
				p.pins(n.element.Members())
			}
			p.perform(n.element, "")
			p.statements(n.element.Members())
		}
	}
	for _, m := range n.fused {
		p.started = true
		b.statement(m)
	}
}

// bound gives pins of a node the values that binding connectors of the flow
// make them equal to.
func (p *performer) bound(n *node) {
	b := p.b
	for _, m := range p.flow.members {
		d := m.Decl()
		if d == nil || d.Metaclass != syntax.BindingConnectorAsUsage {
			continue
		}
		part, ok := d.Detail.(*syntax.ConnectorPart)
		if !ok || len(part.Ends) != 2 {
			continue
		}
		for i, end := range part.Ends {
			links, other := end.Target.Links, part.Ends[1-i].Target.Links
			if len(links) != 2 || links[0].Last().Text != nodeLabel(n) || len(other) != 1 {
				continue
			}
			slot := n.frame.slotOf(links[1].Last().Text)
			if slot < 0 {
				continue
			}
			b.ifAbsent(slot, func() {
				x := &syntax.FeatureReferenceExpression{Node: syntax.Node{At: other[0].In(d.Span.File)}, Name: other[0]}
				b.emit(exec.Instr{Op: exec.OpSetEnv, A: b.in(p.flow.element, x, -1), B: 0, C: slot})
			})
		}
	}
}

// pins evaluates the values of the pins that a node declares.
func (p *performer) pins(members []*model.Element) {
	for _, m := range members {
		if _, has := m.Value(); has && isDataMember(m) {
			p.started = true
		}
	}
	p.flow.values(p.b, members)
}

// statements lowers the members of the body of a node that are performed.
func (p *performer) statements(members []*model.Element) {
	if members := p.performedOf(members); len(p.b.blocks) == 1 && p.prefix == "" && p.unordered(members) {
		return
	}
	for _, m := range members {
		if d := m.Decl(); d == nil || isDataMember(m) && m.Owner() == p.b.scope {
			continue
		}
		if isPerformed(m) {
			p.b.statement(m)
		}
	}
}

// performedOf are the members of a body that are performed.
func (p *performer) performedOf(members []*model.Element) []*model.Element {
	var list []*model.Element
	for _, m := range members {
		if d := m.Decl(); d != nil && !(isDataMember(m) && m.Owner() == p.b.scope) && isPerformed(m) {
			list = append(list, m)
		}
	}
	return list
}

// isPerformed reports whether a member of a body is performed.
func isPerformed(m *model.Element) bool {
	d := m.Decl()
	if d == nil || isEdge(d) && !isStep(d) && !isStatementKind(d) {
		return false
	}
	return isStep(d) || isStatementKind(d) || m.Metaclass() == syntax.CalculationUsage && !isDirected(m) ||
		isDataMember(m) && d.Direction == syntax.NoDirection
}

// statement is the host's part in lowering a statement; see statements.
func (p *performer) statement(b *body, m *model.Element) bool {
	d := m.Decl()
	b.mark = 0
	if p.boundaryBefore(m) {
		b.mark = exec.BoundaryMark
	}
	p.started = true
	switch {
	case d.Metaclass == syntax.SendActionUsage:
		b.stmt("send", "", m)
		b.depth++
		p.send(m, d.Detail.(*syntax.SendPart))
		b.depth--
	case d.Metaclass == syntax.AcceptActionUsage:
		b.stmt("accept", "", m)
		b.depth++
		p.accept(d.Detail.(*syntax.AcceptPart), m)
		b.depth--
	case d.Metaclass == syntax.TerminateActionUsage:
		b.stmt("terminate", "", m)
		p.terminate(m, d)
	case isStatementDecl(d) || isDataMember(m) || m.Metaclass() == syntax.CalculationUsage:
		return false
	case isStep(d):
		p.step(m, d)
	default:
		return !m.Metaclass().IsFeature() || isConnector(m)
	}
	return true
}

// boundaryBefore reports whether the body may pause before statement m:
// between two statements of a block, and between a guard and its branch.
func (p *performer) boundaryBefore(m *model.Element) bool {
	owner := m.Owner()
	if m == p.own || m == p.first {
		return false
	}
	if owner == nil {
		return p.started
	}
	for _, sibling := range owner.Members() {
		if sibling == m {
			break
		}
		if isPerformed(sibling) && !isDataMember(sibling) {
			return true
		}
	}
	if owner.Owner() != nil && owner.Owner().Metaclass() == syntax.IfActionUsage {
		return true
	}
	switch owner.Metaclass() {
	case syntax.IfActionUsage:
		return true
	case syntax.WhileLoopActionUsage, syntax.ForLoopActionUsage:
		return false
	}
	return p.started && owner == p.b.scope && len(p.b.blocks) == 1
}

// step lowers an action of a block: a node of its flow.
func (p *performer) step(m *model.Element, d *syntax.Decl) {
	b := p.b
	name := label(m)
	outerPrefix, outerSlots := p.prefix, p.frames[0].slots
	if name == "" {
		b.stmt("action body", "", m)
	} else {
		b.stmt("node", name, m)
		p.prefix += name + "."
	}
	b.depth++
	p.alias(outerSlots)
	outer := b.scope
	b.scope = m
	b.enter()
	p.pins(m.Members())
	p.perform(m, p.prefix)
	if name != "" && holdsSteps(m) {
		b.stmt("action body", "", m)
		b.depth++
		p.statements(m.Members())
		b.depth--
	} else {
		p.statements(m.Members())
	}
	b.leave()
	b.scope = outer
	b.depth--
	p.prefix, p.frames[0].slots = outerPrefix, outerSlots
	b.datas[0] = &p.frames[0].data
}

// alias makes the pins of the node of a block whose path is prefix readable
// by their own names, and empties them for a new performance.
func (p *performer) alias(outer map[string]int32) {
	own := p.frames[0]
	slots := maps.Clone(outer)
	for i, s := range own.layout.Slots {
		if p.prefix == "" || s.Kind == exec.LocalData || !strings.HasPrefix(s.Name, p.prefix) {
			continue
		}
		pin := strings.TrimPrefix(s.Name, p.prefix)
		slots[pin] = int32(i)
		own.declared[pin] = true
		p.b.emit(exec.Instr{Op: exec.OpSetEnv, A: p.b.konst(value.Value{}), B: 0, C: int32(i)})
	}
	own.slots = slots
	p.b.datas[0] = &own.data
}

func holdsSteps(m *model.Element) bool {
	for _, inner := range m.Members() {
		if d := inner.Decl(); d != nil && isStep(d) {
			return true
		}
	}
	return false
}

// block is the host's part in lowering a block: one that is a flow is asked
// of the engine. Locals around it are lent to it in the Env.
func (p *performer) block(b *body, e *model.Element) bool {
	if !isFlowBody(e.Members(), false) {
		return false
	}
	own := p.frames[0]
	lent := own.lend()
	loans := lendLocals(b, own, lent)
	sub := p.subflow(e, lent)
	declareHidden(sub.members, own, lent)
	sub.lower()
	l := p.flow.l
	l.program.Subflows = append(l.program.Subflows, &exec.SubflowBody{Graph: sub.graph.ID, Depth: int32(b.depth)})
	p.request(exec.Request{Kind: exec.SubflowRequest, Ref: int32(len(l.program.Subflows) - 1), Span: e.Span()}, 0, 0)
	for _, x := range loans {
		b.emit(exec.Instr{Op: exec.OpEnv, A: x.register, B: 0, C: x.slot})
		b.emit(exec.Instr{Op: exec.OpNop})
	}
	for n, s := range lent.slots {
		isLoan := slices.ContainsFunc(loans, func(x loan) bool { return x.name == n })
		if _, ok := own.slots[n]; !ok && !isLoan {
			own.slots[n] = s
		}
	}
	return true
}

// lend is f for a block inside: the same slots, under names of its own.
func (f *frame) lend() *frame {
	lent := &frame{id: f.id, layout: f.layout, data: data{slots: maps.Clone(f.slots), declared: map[string]bool{}}}
	for n := range f.slots {
		lent.declared[n] = f.declared[n]
	}
	return lent
}

// A loan is a local of a body that stands in a slot of the Env while a block
// that is a flow runs.
type loan struct {
	name           string
	register, slot int32
}

// lendLocals puts the locals that b sees into slots, which lent calls by their
// names; of several with one name, the innermost.
func lendLocals(b *body, own, lent *frame) []loan {
	var loans []loan
	taken := map[string]bool{}
	for _, block := range slices.Backward(b.blocks) {
		for _, n := range slices.Sorted(maps.Keys(block.locals)) {
			x := block.locals[n]
			if x.kind != registerLocal || taken[n] {
				continue
			}
			taken[n] = true
			slot := own.hidden(n, exec.LocalData)
			lent.slots[n], lent.declared[n] = slot, true
			loans = append(loans, loan{n, x.register, slot})
			b.emit(exec.Instr{Op: exec.OpSetEnv, A: x.register, B: 0, C: slot})
		}
	}
	return loans
}

// subflow is the flow of a block, to be lowered yet.
func (p *performer) subflow(e *model.Element, lent *frame) *flow {
	sub := p.flow.l.newFlow(e, lent, exec.SubflowGraph)
	sub.root, sub.around = p.flow.root, p.flow
	sub.frames = append([]*frame{lent}, p.frames[1:]...)
	sub.members = e.Members()
	what := "loop body of "
	if e.Owner() != nil && e.Owner().Metaclass() == syntax.IfActionUsage {
		what = "branch body of "
	}
	sub.owner = what + p.host
	sub.graph.Owner = sub.owner
	return sub
}

// declareHidden gives slots, which lent alone calls by name, to what the
// members of a block declare and to what their accepts receive.
func declareHidden(members []*model.Element, own, lent *frame) {
	declare := func(name string) {
		if name != "" {
			lent.slots[name], lent.declared[name] = own.hidden(name, exec.LocalData), true
		}
	}
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		if a, ok := d.Detail.(*syntax.AcceptPart); ok && a.Trigger == syntax.MessageTrigger {
			_, name := signalOf(a.Payload)
			declare(name)
		}
		if isDataMember(m) {
			declare(label(m))
		}
	}
}

// request asks the engine; the answer is in the register that is returned.
func (p *performer) request(q exec.Request, first int32, count int) int32 {
	b := p.b
	b.u.Requests = append(b.u.Requests, q)
	to := b.alloc()
	b.emit(exec.Instr{Op: exec.OpRequest, A: to, B: int32(len(b.u.Requests) - 1), C: first, D: uint16(count)})
	return to
}

// terminate ends the action around, or the occurrence that is named.
func (p *performer) terminate(m *model.Element, d *syntax.Decl) {
	q := exec.Request{Kind: exec.TerminateRequest, Name: p.flow.root.graph.Name, Span: m.Span()}
	part, _ := d.Detail.(*syntax.TerminatePart)
	if part == nil || part.Target == nil {
		p.request(q, 0, 0)
		return
	}
	q.Name = assignedText(part.Target)
	if ref, ok := part.Target.(*syntax.FeatureReferenceExpression); ok {
		if n := p.flow.root.byName[ref.Name.Last().Text]; n != nil {
			q.Names = []string{q.Name}
			p.request(q, 0, 0)
			return
		}
	}
	b := p.b
	b.depth++
	r := b.into(part.Target, b.alloc())
	b.depth--
	p.request(q, r, 1)
}

// accept waits for what an accept names and binds its payload.
func (p *performer) accept(a *syntax.AcceptPart, m *model.Element) {
	b, l := p.b, p.flow.l
	x := &exec.Accept{Node: label(m), Span: m.Span()}
	if x.Node == "" {
		x.Node = p.name
	}
	l.program.Accepts = append(l.program.Accepts, x)
	q := exec.Request{Kind: exec.AcceptRequest, Ref: int32(len(l.program.Accepts) - 1), Span: m.Span()}
	top := b.top
	switch a.Trigger {
	case syntax.AfterTrigger, syntax.AtTrigger:
		x.Kind = exec.AfterAccept
		if a.Trigger == syntax.AtTrigger {
			x.Kind = exec.AtAccept
		}
		r := b.into(a.Expr, b.alloc())
		p.request(q, r, 1)
	case syntax.WhenTrigger:
		x.Kind = exec.WhenAccept
		if ref, ok := a.Expr.(*syntax.FeatureReferenceExpression); ok {
			x.Text = written(ref.Name, "")
		}
		again := b.here()
		c := b.expr(a.Expr, -1)
		over := b.emit(exec.Instr{Op: exec.OpJumpIf, B: c, D: exec.WhenCondition})
		p.request(q, 0, 0)
		b.emit(exec.Instr{Op: exec.OpJump, A: again})
		b.land(over)
	default:
		x.Signal, x.Payload = signalOf(a.Payload)
		if a.Via != nil {
			x.Port = assignedText(a.Via)
		}
		v := p.request(q, 0, 0)
		if x.Payload != "" {
			for hops, d := range b.datas {
				if slot, ok := d.slots[x.Payload]; ok {
					b.emit(exec.Instr{Op: exec.OpSetEnv, A: v, B: int32(hops), C: slot})
					break
				}
			}
		}
	}
	b.top = top
}

// signalOf is the signal that the payload of an accept names, and the name
// that it binds.
func signalOf(payload *syntax.Decl) (signal, name string) {
	if payload == nil {
		return "", ""
	}
	for _, kind := range []syntax.RelationshipKind{syntax.TypedBy, syntax.Subsets, syntax.References, syntax.Redefines} {
		if t := payload.Related(kind); len(t) > 0 && len(t[0].Links) > 0 {
			return t[0].Links[len(t[0].Links)-1].Last().Text, payload.Name.Text
		}
	}
	return "", payload.Name.Text
}
