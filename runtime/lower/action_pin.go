package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes the pins and flows of a flow.

// collectPins gives slots to what the latest performance of each node leaves.
func (f *flow) collectPins() {
	for _, n := range f.nodes {
		if n.element == nil {
			continue
		}
		name := label(n.element)
		if name == "" {
			name = nodeName(n.element)
		}
		for _, pin := range f.l.pinsOf(n.element, 0) {
			f.frame().slot(name+"."+pin, exec.PinData)
		}
	}
}

// pinsOf are the names of what a performance of e leaves: its parameters and
// attributes, those of the action that it performs, and those of the actions
// in its body behind their names.
func (l *Lowering) pinsOf(e *model.Element, depth int) []string {
	if depth > 8 || e.Decl() == nil {
		return nil
	}
	var pins []string
	seen := map[string]bool{}
	add := func(n string) {
		if n != "" && !seen[n] {
			seen[n] = true
			pins = append(pins, n)
		}
	}
	if isCalc(e) && depth == 0 {
		for _, n := range l.outputsOf(e) {
			add(n)
		}
	}
	var below func(members []*model.Element)
	below = func(members []*model.Element) {
		for _, m := range members {
			d := m.Decl()
			if d == nil {
				continue
			}
			switch p := d.Detail.(type) {
			case *syntax.IfPart:
				for _, branch := range []*syntax.Decl{p.Then, p.Else} {
					if branch != nil {
						below(l.blockMembers(branch))
					}
				}
				continue
			case *syntax.WhileLoopPart:
				below(l.blockMembers(p.Loop))
				continue
			case *syntax.ForLoopPart:
				below(l.blockMembers(p.Loop))
				continue
			}
			if isStep(d) && label(m) != "" {
				for _, pin := range l.pinsOf(m, depth+1) {
					add(label(m) + "." + pin)
				}
			}
		}
	}
	for _, m := range e.Members() {
		if isDataMember(m) {
			add(label(m))
		}
	}
	if callee := l.calleeOf(e); callee != nil {
		for _, m := range bodyMembers(callee) {
			if isDataMember(m) {
				add(label(m))
			}
		}
	}
	if d := e.Decl(); d.Detail != nil {
		below([]*model.Element{e})
	}
	below(e.Members())
	return pins
}

// blockMembers are the elements of the body of a block.
func (l *Lowering) blockMembers(block *syntax.Decl) []*model.Element {
	if block.Metaclass == syntax.IfActionUsage {
		if e := l.model.Of(block); e != nil {
			return []*model.Element{e}
		}
		return nil
	}
	e := l.model.Of(block)
	if e == nil {
		return nil
	}
	return e.Members()
}

// collectFlows makes the flows between pins.
func (f *flow) collectFlows() {
	for _, m := range f.members {
		d := m.Decl()
		if d == nil || d.Metaclass != syntax.FlowUsage && d.Metaclass != syntax.SuccessionFlowUsage {
			continue
		}
		p, ok := d.Detail.(*syntax.ConnectorPart)
		if !ok || len(p.Ends) != 2 {
			continue
		}
		from, source := f.pinEnd(p.Ends[0].Target, p.Payload)
		to, target := f.pinEnd(p.Ends[1].Target, p.Payload)
		if from == nil || source == "" || target == "" {
			continue
		}
		pin := exec.PinFlow{Name: label(m), From: from.index, To: -1, SourceName: source, Succession: d.Metaclass == syntax.SuccessionFlowUsage, Span: m.Span()}
		pin.Source = f.frame().slot(nodeLabel(from)+"."+source, exec.PinData)
		if to == nil {
			pin.Target = f.frame().slot(target, exec.ImplicitData)
		} else {
			pin.To = to.index
			f.frame().slot(nodeLabel(to)+"."+target, exec.PinData)
			pin.Target = f.frame().slot(nodeLabel(to)+"."+target+"<", exec.LocalData)
		}
		f.graph.Pins = append(f.graph.Pins, pin)
		if pin.Succession && !f.leads(from, to) {
			f.edge(from, to, m)
		}
	}
}

func nodeLabel(n *node) string {
	if s := label(n.element); s != "" {
		return s
	}
	return nodeName(n.element)
}

// pinEnd is the node and the pin that an end of a flow names.
func (f *flow) pinEnd(r syntax.Reference, payload *syntax.Decl) (*node, string) {
	var names []string
	for _, q := range r.Links {
		names = append(names, q.Last().Text)
	}
	switch {
	case len(names) == 0:
		return nil, ""
	case len(names) == 1 && f.byName[names[0]] != nil:
		if payload != nil {
			return f.byName[names[0]], payload.Name.Text
		}
		return nil, ""
	case len(names) == 1:
		return nil, names[0]
	}
	n := f.byName[names[0]]
	if n == nil || n.element == nil {
		return nil, ""
	}
	pin := names[1]
	for _, more := range names[2:] {
		pin += "." + more
	}
	return n, pin
}
