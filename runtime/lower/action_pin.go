package lower

import (
	"slices"

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
	if isCalc(e) && depth == 0 {
		pins = append(pins, l.outputsOf(e)...)
	}
	pins = append(pins, dataNames(e.Members())...)
	if callee := l.calleeOf(e); callee != nil {
		pins = append(pins, dataNames(bodyMembers(callee))...)
	}
	if e.Decl().Detail != nil {
		pins = append(pins, l.stepPins([]*model.Element{e}, depth)...)
	}
	pins = append(pins, l.stepPins(e.Members(), depth)...)
	return distinctNames(pins)
}

// dataNames are the names of the parameters and attributes among members.
func dataNames(members []*model.Element) []string {
	var names []string
	for _, m := range members {
		if isDataMember(m) {
			names = append(names, label(m))
		}
	}
	return names
}

// stepPins are the pins of the actions among members, in blocks too, behind
// their names.
func (l *Lowering) stepPins(members []*model.Element, depth int) []string {
	var pins []string
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		var blocks []*syntax.Decl
		switch p := d.Detail.(type) {
		case *syntax.IfPart:
			blocks = []*syntax.Decl{p.Then, p.Else}
		case *syntax.WhileLoopPart:
			blocks = []*syntax.Decl{p.Loop}
		case *syntax.ForLoopPart:
			blocks = []*syntax.Decl{p.Loop}
		default:
			if isStep(d) && label(m) != "" {
				for _, pin := range l.pinsOf(m, depth+1) {
					pins = append(pins, label(m)+"."+pin)
				}
			}
		}
		for _, block := range blocks {
			if block != nil {
				pins = append(pins, l.stepPins(l.blockMembers(block), depth)...)
			}
		}
	}
	return pins
}

// distinctNames are the names in the order of their first place, without
// those that are empty.
func distinctNames(names []string) []string {
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(names, func(n string) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
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
