package lower

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers sends, the addresses they name and the connections they go
// along, and what reads the pins of nodes.

// A payload is what a send carries, its values in registers one after another.
type payload struct {
	b            *body
	first, count int
}

// add evaluates e as the next value.
func (p *payload) add(e syntax.Expr) {
	p.b.top = int32(p.first + p.count)
	p.count++
	p.b.into(e, p.b.alloc())
}

// send lowers what a send does.
func (p *performer) send(m *model.Element, d *syntax.SendPart) {
	b, l := p.b, p.flow.l
	x := &exec.Send{Construct: exec.NoType, Span: m.Span()}
	x.To = exec.Address{Global: exec.NoGlobal, First: exec.NoName, Object: exec.NoUnit, GlobalUnit: exec.NoUnit, GlobalObject: exec.NoUnit}
	top := b.top
	b.top = max(b.top, b.u.Locals)
	carried := &payload{b: b, first: int(b.top)}
	p.signal(x, payloadOf(m, d), carried)
	if d.To != nil {
		p.address(&x.To, d.To)
	}
	if d.Via != nil {
		x.Via = assignedText(d.Via)
		x.Links = l.linksOf(p.flow.root.members, p.flow.root.element)
		if part := partAround(p.flow.root.element); part != nil {
			x.PartLinks = l.linksOf(bodyOf(part), part)
		}
	}
	l.program.Sends = append(l.program.Sends, x)
	p.request(exec.Request{Kind: exec.SendRequest, Ref: int32(len(l.program.Sends) - 1), Span: m.Span()}, int32(carried.first), carried.count)
	b.top = top
}

// payloadOf is what a send carries: written behind `send`, or the first value
// of its body.
func payloadOf(m *model.Element, d *syntax.SendPart) syntax.Expr {
	if d.Payload != nil {
		return d.Payload
	}
	for _, in := range m.Members() {
		if v, has := in.Value(); has && v.Expr != nil {
			return v.Expr
		}
	}
	return nil
}

// signal lowers what a send carries: a signal that e names, with its
// arguments, or else the value of e.
func (p *performer) signal(x *exec.Send, e syntax.Expr, carried *payload) {
	b, l := p.b, p.flow.l
	switch e := e.(type) {
	case nil:
		return
	case *syntax.InvocationExpression:
		callee, _ := l.model.ResolveReference(&e.Callee, b.scope)
		if e.Receiver != nil || len(callee) > 0 && isCalc(callee[len(callee)-1]) || len(callee) == 0 && isFunctionName(e) {
			break
		}
		x.Signal = e.Callee.Links[len(e.Callee.Links)-1].Last().Text
		if len(callee) > 0 {
			x.Type = plainName(callee[len(callee)-1])
		}
		carried.arguments(x, e.Arguments)
		return
	case *syntax.ConstructorExpression:
		x.Signal = e.Type.Links[len(e.Type.Links)-1].Last().Text
		if found, _ := l.model.ResolveReference(&e.Type, b.scope); len(found) > 0 {
			t := found[len(found)-1]
			x.Type, x.Construct = plainName(t), l.Type(t)
			l.name(label(t))
		}
		carried.arguments(x, e.Arguments)
		return
	case *syntax.FeatureReferenceExpression:
		found, _ := l.model.Resolve(&e.Name, b.scope)
		if found != nil && found.Metaclass().IsDefinition() || found == nil && b.lookup(e.Name.Last().Text) == nil && !b.inData(e.Name) {
			x.Signal = e.Name.Last().Text
			if found != nil {
				x.Type = plainName(found)
			}
			return
		}
	}
	x.Names = []string{"value"}
	carried.add(e)
}

// isFunctionName reports whether an unresolved callee is a library function.
func isFunctionName(e *syntax.InvocationExpression) bool {
	_, ok := value.UnqualifiedFunction(e.Callee.Links[len(e.Callee.Links)-1].Last().Text)
	return ok
}

// arguments evaluates those of a signal, named or by position.
func (p *payload) arguments(x *exec.Send, arguments []syntax.Argument) {
	for i, a := range arguments {
		name := "arg" + strconv.Itoa(i+1)
		if len(a.Name.Segments) > 0 {
			name = a.Name.Last().Text
		}
		x.Names = append(x.Names, name)
		p.add(a.Value)
	}
}

// address lowers where a send goes.
func (p *performer) address(a *exec.Address, to syntax.Expr) {
	b, l := p.b, p.flow.l
	a.Text = assignedText(to)
	var links []syntax.QualifiedName
	switch x := to.(type) {
	case *syntax.FeatureReferenceExpression:
		links = []syntax.QualifiedName{x.Name}
	case *syntax.FeatureChainExpression:
		base, rest := flatten(x)
		if ref, ok := base.(*syntax.FeatureReferenceExpression); ok {
			links = append([]syntax.QualifiedName{ref.Name}, rest...)
		}
	}
	if len(links) == 0 {
		a.Kind = exec.FeaturePath
		return
	}
	var found []*model.Element
	for n := len(links); n > 0 && len(found) == 0; n-- {
		ref := syntax.Reference{Links: links[:n]}
		found, _ = l.model.ResolveReference(&ref, b.scope)
	}
	last := links[len(links)-1].Last().Text
	if len(found) == 0 {
		a.Kind, a.Node = exec.NodeAddress, last
		if len(links) == 1 { // an object that only the owners of the sender know
			a.First, a.Object = l.name(last), l.featurePath([]string{last})
		}
		return
	}
	head := found[0]
	switch {
	case len(found) == 1 && len(links) == 1 && (isReceiver(head) || !isObject(head)):
		a.Kind, a.Node = exec.NodeAddress, last
		return
	case head.Metaclass() == syntax.PortUsage:
		a.Kind, a.Port = exec.OwnPort, joinNames(links)
		return
	}
	p.pathAddress(a, links, found)
}

// isReceiver reports whether e is an action or a state, which receives under
// its name.
func isReceiver(e *model.Element) bool {
	return isActionBody(e) || isState(e) || e.Metaclass() == syntax.SendActionUsage || e.Metaclass() == syntax.AssignmentActionUsage
}

func joinNames(links []syntax.QualifiedName) string {
	var names []string
	for _, q := range links {
		names = append(names, q.Last().Text)
	}
	return strings.Join(names, ".")
}

// pathAddress lowers an address that leads through objects: to one of them,
// to a port, or to a behaviour of one.
func (p *performer) pathAddress(a *exec.Address, links []syntax.QualifiedName, found []*model.Element) {
	l := p.flow.l
	a.Kind = exec.FeaturePath
	a.First = l.name(links[0].Last().Text)
	var objects []string
	for i := 1; i < len(links); i++ {
		name := links[i].Last().Text
		var e *model.Element
		if i < len(found) {
			e = found[i]
		}
		switch {
		case e != nil && e.Metaclass() == syntax.PortUsage:
			a.Port = joinNames(links[i:])
			i = len(links)
		case e != nil && isReceiver(e):
			a.Node = name
		case e == nil || !isObject(e):
			a.First = exec.NoName // leads to no object
			a.Global = exec.NoGlobal
			return
		default:
			objects = append(objects, name)
		}
	}
	a.Object = l.featurePath(append([]string{links[0].Last().Text}, objects...))
	if head := found[0]; head.Owner() != nil && !isFeatureOfType(head) {
		a.Global = l.global(head)
		u := l.unit("", exec.PlainUnit)
		l.compile(u, head, func(b *body) {
			to := b.alloc()
			b.emit(exec.Instr{Op: exec.OpGlobal, A: to, B: int32(a.Global)})
			b.emit(exec.Instr{Op: exec.OpReturn, B: to})
		})
		a.GlobalUnit = u.ID
		if len(objects) > 0 {
			a.GlobalObject = l.featurePath(objects)
		}
	}
}

// isFeatureOfType reports whether e is a feature of a definition or a usage,
// rather than a member of a package.
func isFeatureOfType(e *model.Element) bool {
	m := e.Owner().Metaclass()
	return m != syntax.Package && m != syntax.LibraryPackage && m != syntax.Namespace && e.Owner().Owner() != nil
}

// featurePath is the unit that reads names one after the other from the
// object that it runs on.
func (l *Lowering) featurePath(names []string) exec.UnitID {
	u := l.unit("", exec.PlainUnit)
	l.compile(u, l.model.Root(l.model.Documents()[0].File), func(b *body) {
		r := b.alloc()
		b.emit(exec.Instr{Op: exec.OpSelfFeature, A: r, B: int32(l.name(names[0]))})
		none := b.jump()
		for _, n := range names[1:] {
			to, count := b.alloc(), b.alloc()
			b.alloc()
			b.u.Names = append(b.u.Names, l.name(n))
			b.emit(exec.Instr{Op: exec.OpFeature, A: to, B: r, C: count, D: uint16(len(b.u.Names) - 1)})
			r = to
		}
		b.emit(exec.Instr{Op: exec.OpReturn, B: r})
		b.land(none)
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.NullValue)})
	})
	return u.ID
}

// partAround is the nearest part that e is written in; nil for none.
func partAround(e *model.Element) *model.Element {
	for o := e.Owner(); o != nil; o = o.Owner() {
		switch o.Metaclass() {
		case syntax.PartDefinition, syntax.PartUsage, syntax.ItemDefinition, syntax.ItemUsage, syntax.OccurrenceDefinition, syntax.OccurrenceUsage:
			return o
		}
	}
	return nil
}

// bodyOf are the members of e behind those it inherits from the model.
func bodyOf(e *model.Element) []*model.Element {
	var all []*model.Element
	supers := e.Supertypes()
	for i := len(supers) - 1; i >= 0; i-- {
		if !supers[i].IsLibrary() {
			all = append(all, supers[i].Members()...)
		}
	}
	return append(all, e.Members()...)
}

// linksOf are the connections among members.
func (l *Lowering) linksOf(members []*model.Element, owner *model.Element) []exec.Link {
	var links []exec.Link
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		if (isConnector(m) || m.Metaclass() == syntax.InterfaceUsage) && isVariation(m) && !isVariantMember(m) {
			for _, v := range variantsOf(m) {
				if link, ok := l.link(v); ok {
					link.Variation, link.Variant = l.name(label(m)), label(v)
					link.Selection = l.featurePath([]string{label(m)})
					links = append(links, link)
				}
			}
			continue
		}
		if isConnector(m) && d.Metaclass != syntax.FlowUsage && !isVariantMember(m) {
			if link, ok := l.link(m); ok {
				links = append(links, link)
			}
		}
	}
	return links
}

func (l *Lowering) link(m *model.Element) (exec.Link, bool) {
	link := exec.Link{Variation: exec.NoName, Selection: exec.NoUnit}
	part, ok := m.Decl().Detail.(*syntax.ConnectorPart)
	if !ok || len(part.Ends) < 2 {
		return link, false
	}
	for _, end := range part.Ends {
		target := end.Target
		x := exec.LinkEnd{Path: joinNames(target.Links), Object: exec.NoUnit, Receives: true}
		found, _ := l.model.ResolveEnd(&target, m)
		var objects []string
		ports := target.Links
		for i, e := range found {
			if e.Metaclass() == syntax.PortUsage || i == len(target.Links)-1 {
				break
			}
			objects = append(objects, target.Links[i].Last().Text)
			ports = target.Links[i+1:]
		}
		x.Port = joinNames(ports)
		if len(objects) > 0 {
			x.Object = l.featurePath(objects)
		}
		if len(found) > 0 {
			l.receives(&x, found[len(found)-1])
		}
		link.Ends = append(link.Ends, x)
	}
	return link, true
}

// receives says whether a port takes messages: it has no directed features,
// or one that, seen from outside, is not an output.
func (l *Lowering) receives(x *exec.LinkEnd, port *model.Element) {
	conjugated := false
	for _, g := range port.Generals() {
		conjugated = conjugated || g.Conjugated
	}
	directed, inward := false, false
	for _, f := range port.Features() {
		direction := f.Element.Direction()
		if f.IsLibrary() || direction == syntax.NoDirection {
			continue
		}
		directed = true
		own := f.Element.Owner() == port
		isOut := direction == syntax.Out
		if conjugated && !own {
			isOut = direction == syntax.In
		}
		if !isOut {
			inward = true
			for _, t := range f.Element.Types() {
				x.Accepts = append(x.Accepts, plainName(t))
				for _, s := range t.Supertypes() {
					if !s.IsLibrary() {
						x.Accepts = append(x.Accepts, plainName(s))
					}
				}
			}
		}
	}
	x.Receives = !directed || inward
}

// pin reads a pin of a node that a behaviour performs, node.pin; ok is false
// where the chain is none.
func (b *body) pin(x *syntax.FeatureChainExpression, base syntax.QualifiedName, links []syntax.QualifiedName, want int32) (operand, bool) {
	if !base.IsSimple() || b.lookup(base.Last().Text) != nil {
		return 0, false
	}
	path := base.Last().Text + "." + joinNames(links)
	payload := b.payload(base, links)
	for hops, d := range b.datas {
		slot, ok := d.slots[path]
		if !ok && payload != "" {
			slot, ok = d.slots[payload]
		}
		if !ok {
			continue
		}
		outer := b.open("chain", links[len(links)-1].Last().Text, x.Span())
		to := b.alloc()
		b.emit(exec.Instr{Op: exec.OpEnv, A: to, B: int32(hops), C: slot})
		none := b.jump()
		over := b.jump()
		b.land(none)
		if e := b.ofState(base, links); e != nil { // as it is declared, until it is assigned
			b.move(to, b.denote(e, label(e), to))
			b.land(over)
			return b.shut(outer, to), true
		}
		b.u.Requests = append(b.u.Requests, exec.Request{Kind: exec.UnperformedRequest, Name: base.Last().Text, Span: x.Span()})
		b.emit(exec.Instr{Op: exec.OpRequest, A: to, B: int32(len(b.u.Requests) - 1), C: 0})
		b.land(over)
		return b.shut(outer, to), true
	}
	return 0, false
}

// payload is the payload that a chain reads of an accept by its name, which is
// among the data of the action that accepts; "" for another chain.
func (b *body) payload(base syntax.QualifiedName, links []syntax.QualifiedName) string {
	e, _ := b.l.model.Resolve(&base, b.scope)
	if e == nil || e.Decl() == nil || len(links) != 1 {
		return ""
	}
	if p, ok := e.Decl().Detail.(*syntax.AcceptPart); ok && p.Payload != nil && p.Payload.Name.Text == links[0].Last().Text {
		return p.Payload.Name.Text
	}
	return ""
}

// connect lists the connections of the types that were lowered, where a
// behaviour sends along some.
func (l *Lowering) connect() {
	via := false
	for _, s := range l.program.Sends {
		via = via || s.Via != ""
	}
	if !via || len(l.program.TypeLinks) == len(l.program.Types) {
		return
	}
	of := make([]*model.Element, len(l.program.Types))
	for e, t := range l.types {
		of[t] = e
	}
	for t := len(l.program.TypeLinks); t < len(of); t++ {
		var links []exec.Link
		if e := of[t]; e != nil {
			links = l.linksOf(bodyOf(e), e)
		}
		l.program.TypeLinks = append(l.program.TypeLinks, links)
	}
}
