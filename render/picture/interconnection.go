package picture

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file reads an interconnection view: parts in parts, ports on their
// borders, and what joins them.

// isPart reports whether m is a box of an interconnection view.
func isPart(m *model.Element) bool {
	switch m.Metaclass() {
	case syntax.PartUsage, syntax.ItemUsage, syntax.OccurrenceUsage, syntax.Usage:
		return m.Role() == model.Member && m.Decl() != nil && m.Decl().Member != syntax.VariantMember
	}
	return false
}

func isConnector(m syntax.Metaclass) bool {
	switch m {
	case syntax.ConnectionUsage, syntax.InterfaceUsage, syntax.AllocationUsage, syntax.BindingConnectorAsUsage,
		syntax.FlowUsage, syntax.SuccessionFlowUsage, syntax.Connector, syntax.BindingConnector, syntax.Flow:
		return true
	}
	return false
}

// hasConnections reports whether e shows something that is joined, or parts
// with ports.
func hasConnections(e *model.Element) bool {
	for _, m := range bodyMembers(e) {
		if isConnector(m.Metaclass()) {
			return true
		}
	}
	return false
}

func (g *graph) drawInterconnection(e *model.Element) {
	members := bodyMembers(e)
	shown := false
	for _, m := range members {
		shown = shown || isPart(m) || m.Metaclass() == syntax.PortUsage
	}
	if !shown {
		return
	}
	kind := usageNode
	if e.Metaclass().IsDefinition() {
		kind = definitionNode
	} else if !e.Metaclass().IsType() {
		kind = packageNode
	}
	frame := g.add(node{kind: kind, parent: -1, frame: g.single, element: e, name: name(e), keyword: e.Metaclass().Keyword(), title: titled(e)})
	g.insides(e, frame, 1, map[*model.Element]bool{e: true})
}

// typeLevels is how many levels of parts that only a type declares are drawn
// where Options.Depth says nothing.
const typeLevels = 3

// insides adds the parts, ports and connectors of e to node at, those of its
// types included. open holds the types on the way.
func (g *graph) insides(e *model.Element, at, depth int, open map[*model.Element]bool) {
	if g.options.Depth > 0 && depth > g.options.Depth {
		return
	}
	members := bodyMembers(e)
	for _, m := range members {
		if g.options.Without[m] {
			continue
		}
		switch {
		case m.Decl() == nil || label(m) != "" && g.child(at, m) >= 0:
		case m.Metaclass() == syntax.PortUsage && m.Role() == model.Member:
			g.add(node{kind: portNode, parent: at, element: m, name: label(m), title: label(m)})
		case isPart(m) && (g.options.Depth > 0 || depth <= typeLevels || m.Owner() == e):
			n := node{kind: usageNode, parent: at, element: m, name: label(m), title: titled(m)}
			if m.Metaclass() != syntax.PartUsage {
				n.keyword = m.Metaclass().Keyword()
			}
			if m.Is(syntax.Ref) {
				n.keyword = strings.TrimSpace("ref " + n.keyword)
			}
			g.below(m, g.add(n), depth, open)
		}
	}
	for _, m := range members {
		if isConnector(m.Metaclass()) && m.Role() == model.Member {
			g.connector(m, at)
		}
	}
}

// below adds what lies in part m, unless that is a type again that it lies in.
func (g *graph) below(m *model.Element, inner, depth int, open map[*model.Element]bool) {
	var entered []*model.Element
	recursive := false
	for _, t := range m.Supertypes() {
		if t.IsLibrary() {
			continue
		}
		if open[t] {
			recursive = true
		} else {
			open[t] = true
			entered = append(entered, t)
		}
	}
	if !recursive {
		g.insides(m, inner, depth+1, open)
	}
	for _, t := range entered {
		delete(open, t)
	}
}

// child is the child of node at that stands for m: by identity or, where m is
// redefined, by its name; -1 where there is none.
func (g *graph) child(at int, m *model.Element) int {
	byName := -1
	for i := range g.nodes {
		n := &g.nodes[i]
		switch {
		case n.parent != at || n.element == nil:
		case n.element == m:
			return i
		case n.name == label(m) && n.name != "" && byName < 0:
			byName = i
		}
	}
	return byName
}

// walk is the node that the links of a chain lead to from node at or one
// around it, as far as nodes go; -1 where the first link has none.
func (g *graph) walk(chain []*model.Element, at int) int {
	for ; at >= 0; at = g.nodes[at].parent {
		n := g.child(at, chain[0])
		if n < 0 && g.nodes[at].element == chain[0] {
			n = at
		}
		if n < 0 {
			continue
		}
		for _, link := range chain[1:] {
			next := g.child(n, link)
			if next < 0 {
				break
			}
			n = next
		}
		return n
	}
	return -1
}

// end is the node that an end of connector m means, made where only the
// connector speaks of it: an attribute that is bound, an action that data flows
// to, an element elsewhere.
func (g *graph) end(ref syntax.Reference, m *model.Element, at int) int {
	chain, problem := m.Model().ResolveEnd(&ref, m)
	if problem != nil || len(chain) == 0 {
		return -1
	}
	if n := g.walk(chain, at); n >= 0 {
		return n
	}
	first := chain[0]
	if first.IsLibrary() || first.Decl() == nil {
		return -1
	}
	container := -1
	for n := at; n >= 0; n = g.nodes[n].parent {
		if e := g.nodes[n].element; first.Owner() == e || e.Metaclass().IsType() && e.Specializes(first.Owner()) {
			container = n
			break
		}
	}
	return g.add(node{kind: usageNode, parent: container, element: first, name: label(first), keyword: first.Metaclass().Keyword(), title: titled(first)})
}

// connector adds the edges of connector m, which node at owns: one for two
// ends, one from the first to each other end for more.
func (g *graph) connector(m *model.Element, at int) {
	p, ok := m.Decl().Detail.(*syntax.ConnectorPart)
	if !ok || len(p.Ends) < 2 {
		return
	}
	kind, text := connection, titled(m)
	switch m.Metaclass() {
	case syntax.FlowUsage, syntax.SuccessionFlowUsage, syntax.Flow:
		kind = flowEdge
		if p.Payload != nil {
			text = payload(p.Payload)
		}
	case syntax.BindingConnectorAsUsage, syntax.BindingConnector:
		kind, text = bindingEdge, "="
	case syntax.AllocationUsage:
		kind = dependency
		text = strings.TrimSpace("«allocate» " + text)
	}
	from := g.end(p.Ends[0].Target, m, at)
	for _, end := range p.Ends[1:] {
		g.connect(kind, from, g.end(end.Target, m, at), text)
		text = ""
	}
}

// direction is that of all that can pass port n: its own, or that of what its
// type declares, if all of it goes one way.
func (n *node) direction() syntax.Direction {
	if n.element == nil {
		return syntax.NoDirection
	}
	if d := n.element.Direction(); d != syntax.NoDirection {
		return d
	}
	one := syntax.NoDirection
	for _, f := range n.element.Features() {
		if f.IsLibrary() {
			continue
		}
		switch d := f.Direction(); {
		case d == syntax.NoDirection:
		case one == syntax.NoDirection:
			one = d
		case one != d:
			one = syntax.InOut
		}
	}
	if turned(n.element) {
		switch one {
		case syntax.In:
			return syntax.Out
		case syntax.Out:
			return syntax.In
		}
	}
	return one
}

// turned reports whether the type of port e is conjugated.
func turned(e *model.Element) bool {
	for _, general := range e.Generals() {
		if general.Conjugated {
			return true
		}
	}
	return false
}
