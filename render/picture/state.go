package picture

import (
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file reads a state machine: states in states, pseudostates, then
// transitions, which may cross the borders of states.

func isStateKind(m syntax.Metaclass) bool {
	return m == syntax.StateDefinition || m == syntax.StateUsage || m == syntax.ExhibitStateUsage
}

func (g *graph) drawState(e *model.Element) {
	if !isStateKind(e.Metaclass()) {
		return
	}
	frame := g.add(node{kind: stateNode, parent: -1, frame: g.single, element: e, name: name(e), keyword: stateKeyword(e), title: titled(e)})
	members := bodyMembers(e)
	g.nodes[frame].lines = parameters(members)
	g.states(members, frame, 1)
}

func stateKeyword(e *model.Element) string {
	k := e.Metaclass().Keyword()
	if isParallel(e) {
		k += " parallel"
	}
	return k
}

func isParallel(e *model.Element) bool {
	if e.Is(syntax.Parallel) {
		return true
	}
	for _, general := range e.Supertypes() {
		if !general.IsLibrary() && general.Is(syntax.Parallel) {
			return true
		}
	}
	return false
}

// states adds the members of a state to node container.
func (g *graph) states(members []*model.Element, container, depth int) {
	if g.options.Depth > 0 && depth > g.options.Depth {
		return
	}
	for _, m := range members {
		g.stateMember(m, container, depth)
	}
	g.later = append(g.later, func() { g.transitions(members, container) })
}

// split says which parallel states are drawn with regions: those that have
// nothing but states, which no edge joins.
func (g *graph) split() {
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.kind != stateNode || n.element == nil || !isParallel(n.element) {
			continue
		}
		kids := g.children(i)
		n.split = len(kids) > 1 && !g.joined(i)
		for _, k := range kids {
			n.split = n.split && g.nodes[k].kind == stateNode
		}
	}
}

// joined reports whether an edge so far joins two children of container.
func (g *graph) joined(container int) bool {
	for _, x := range g.edges {
		if !g.within(x.from, container) || !g.within(x.to, container) {
			continue
		}
		if x.from != container && x.to != container && g.childOf(container, x.from) != g.childOf(container, x.to) {
			return true
		}
	}
	return false
}

// childOf is the child of container that n lies in, or is.
func (g *graph) childOf(container, n int) int {
	for g.nodes[n].parent != container {
		n = g.nodes[n].parent
	}
	return n
}

var pseudostates = map[syntax.PseudostateKind]nodeKind{syntax.ChoicePseudostate: choiceNode,
	syntax.JunctionPseudostate: junctionNode, syntax.ShallowHistoryPseudostate: historyNode, syntax.DeepHistoryPseudostate: deepHistoryNode}

// stateMember adds a state, a pseudostate, or a line of the compartment.
func (g *graph) stateMember(m *model.Element, container, depth int) {
	d := m.Decl()
	if d == nil || m.Role() != model.Member {
		return
	}
	switch d.Member {
	case syntax.EntryMember, syntax.DoMember, syntax.ExitMember:
		g.nodes[container].lines = append(g.nodes[container].lines, wrap(behaviourLine(m), lineColumns)...)
		return
	}
	switch m.Metaclass() {
	case syntax.StateUsage, syntax.ExhibitStateUsage:
		if d.Direction != syntax.NoDirection {
			return
		}
		n := node{kind: stateNode, parent: container, element: m, name: label(m), title: titled(m)}
		if isParallel(m) {
			n.keyword = "parallel"
		}
		at := g.add(n)
		g.nodes[at].lines = parameters(m.Members())
		members := m.Members()
		for _, r := range m.RedefinitionClosure() {
			if len(members) == 0 {
				members = r.Members()
			}
		}
		g.states(members, at, depth+1)
	case syntax.PseudostateUsage:
		if p, ok := d.Detail.(*syntax.PseudostatePart); ok {
			g.add(node{kind: pseudostates[p.Kind], parent: container, element: m, name: label(m)})
		}
	case syntax.ForkNode, syntax.JoinNode, syntax.MergeNode, syntax.DecisionNode, syntax.TerminateActionUsage:
		g.add(node{kind: stepKinds[m.Metaclass()], parent: container, element: m, name: label(m)})
	case syntax.DeferUsage:
		if p, ok := d.Detail.(*syntax.DeferPart); ok {
			g.nodes[container].lines = append(g.nodes[container].lines, "defer "+p.Event.Last().Text)
		}
	case syntax.ActionUsage, syntax.PerformActionUsage, syntax.AcceptActionUsage, syntax.SendActionUsage:
		if d.Direction == syntax.NoDirection {
			g.step(m, container, depth)
		}
	}
}

// behaviourLine is "entry / what is done"; "" for an entry that does nothing.
func behaviourLine(m *model.Element) string {
	d := m.Decl()
	what := statement(d)
	if what == "" || what == d.Member.String()+";" {
		return ""
	}
	return d.Member.String() + " / " + clip(what, 3*lineColumns)
}

// transitions adds the edges of a state body. A transition without a source
// leaves the state before it.
func (g *graph) transitions(members []*model.Element, container int) {
	last, entered := -1, false
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		switch p := d.Detail.(type) {
		case *syntax.TransitionPart:
			from := last
			if from < 0 && !entered {
				from = container // a trigger with no state before it leaves the state whose body it is in
			}
			g.transition(p, m, container, from)
			continue
		case *syntax.ConnectorPart:
			if m.Metaclass() == syntax.SuccessionAsUsage {
				from := last
				if p.ImpliedSource && from < 0 {
					from = g.entry(container)
				}
				g.succession(p, m, container, from)
			}
			continue
		case *syntax.InitialPart:
			last = g.initial(p, m, container)
			continue
		}
		if d.Member == syntax.EntryMember {
			last, entered = -1, true // what follows leaves the start of the machine
		} else if n, ok := g.byElement[m]; ok && m.Role() == model.Member {
			if d.Then != nil {
				from := last
				if from < 0 && entered {
					from = g.entry(container)
				}
				g.connect(succession, from, n, "")
			}
			last, entered = n, false
		}
	}
}

// entry is the start of the machine or region that container is.
func (g *graph) entry(container int) int {
	for _, k := range g.children(container) {
		if g.nodes[k].kind == startNode && g.nodes[k].element == nil && g.nodes[k].name == "entry" {
			return k
		}
	}
	return g.add(node{kind: startNode, parent: container, name: "entry"})
}

func (g *graph) transition(p *syntax.TransitionPart, m *model.Element, container, last int) {
	if p.Target == nil {
		return
	}
	from := last
	if len(p.Source.Links) > 0 {
		from = g.source(p.Source, m, container)
	} else if from < 0 {
		from = g.entry(container)
	}
	g.connect(succession, from, g.target(p.Target.Target, m, container), transition(p))
}

// source is the node that a transition names as its source: the start of the
// machine where that is its entry action.
func (g *graph) source(ref syntax.Reference, m *model.Element, container int) int {
	if chain, problem := m.Model().ResolveEnd(&ref, m); problem == nil && len(chain) == 1 {
		if d := chain[0].Decl(); d != nil && d.Member == syntax.EntryMember {
			return g.entry(container)
		}
	}
	return g.target(ref, m, container)
}
