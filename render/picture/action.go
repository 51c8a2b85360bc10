package picture

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file reads the flow of an action: its nodes in the order declared,
// nested flows inside their nodes, then successions and flows.

// isStep reports whether m is a node of a flow.
func isStep(m *model.Element) bool {
	if m.Role() != model.Member {
		return false
	}
	switch m.Metaclass() {
	case syntax.ActionUsage, syntax.PerformActionUsage, syntax.AcceptActionUsage, syntax.SendActionUsage,
		syntax.AssignmentActionUsage, syntax.TerminateActionUsage, syntax.IfActionUsage, syntax.WhileLoopActionUsage,
		syntax.ForLoopActionUsage, syntax.MergeNode, syntax.DecisionNode, syntax.JoinNode, syntax.ForkNode,
		syntax.StateUsage, syntax.ExhibitStateUsage, syntax.CaseUsage, syntax.AnalysisCaseUsage,
		syntax.VerificationCaseUsage, syntax.UseCaseUsage, syntax.IncludeUseCaseUsage:
		return m.Decl() == nil || m.Decl().Direction == syntax.NoDirection
	case syntax.CalculationUsage:
		return m.Decl() == nil || m.Decl().Direction == syntax.NoDirection && m.Decl().Then != nil
	}
	return false
}

// hasSteps reports whether e, or what it specializes, declares a step.
func hasSteps(e *model.Element) bool {
	for _, m := range bodyMembers(e) {
		if isStep(m) || m.Metaclass() == syntax.SuccessionAsUsage {
			return true
		}
	}
	return false
}

// bodyMembers are the members of e and, behind them, what it inherits from
// its generals that are not of the library and does not redefine.
func bodyMembers(e *model.Element) []*model.Element {
	members := e.Members()
	redefined := map[*model.Element]bool{}
	note := func(list []*model.Element) {
		for _, m := range list {
			if m.Metaclass().IsFeature() {
				for _, r := range m.Redefines() {
					redefined[r] = true
				}
			}
		}
	}
	note(members)
	all := members
	for _, general := range e.Supertypes() {
		if general.IsLibrary() {
			continue
		}
		inherited := general.Members()
		for _, m := range inherited {
			if !redefined[m] {
				all = append(all[:len(all):len(all)], m)
			}
		}
		note(inherited)
	}
	return all
}

func (g *graph) drawAction(e *model.Element) {
	switch e.Metaclass() {
	case syntax.ActionDefinition, syntax.ActionUsage, syntax.PerformActionUsage, syntax.CaseDefinition, syntax.CaseUsage,
		syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage, syntax.VerificationCaseDefinition,
		syntax.VerificationCaseUsage, syntax.UseCaseDefinition, syntax.UseCaseUsage, syntax.IncludeUseCaseUsage,
		syntax.CalculationDefinition, syntax.CalculationUsage, syntax.IfActionUsage, syntax.WhileLoopActionUsage,
		syntax.ForLoopActionUsage:
	default:
		return
	}
	frame := g.add(node{kind: actionNode, parent: -1, frame: g.single, element: e, name: name(e), keyword: e.Metaclass().Keyword(), title: titled(e)})
	members := bodyMembers(e)
	g.nodes[frame].lines = parameters(members)
	g.flow(members, frame, 1)
}

// parameters are lines for the parameters and attributes among members.
func parameters(members []*model.Element) []string {
	var lines []string
	for _, m := range members {
		d := m.Decl()
		if d == nil || m.Role() != model.Member || !m.Metaclass().IsFeature() {
			continue
		}
		switch {
		case d.Direction != syntax.NoDirection, d.Member == syntax.ReturnMember, d.Member == syntax.SubjectMember,
			d.Member == syntax.ActorMember,
			m.Metaclass() == syntax.AttributeUsage, m.Metaclass() == syntax.ItemUsage, m.Metaclass() == syntax.ReferenceUsage && d.Value != nil:
			lines = append(lines, wrap(featureLine(m), lineColumns)...)
		}
	}
	return lines
}

// flow adds the nodes and edges of a body to node container.
func (g *graph) flow(members []*model.Element, container, depth int) {
	if g.options.Depth > 0 && depth > g.options.Depth {
		return
	}
	if !isFlow(members) {
		for _, m := range members {
			if isStep(m) {
				g.nodes[container].lines = append(g.nodes[container].lines, wrap(statement(m.Decl()), lineColumns)...)
			}
		}
		return
	}
	for _, m := range members {
		if isStep(m) {
			g.step(m, container, depth)
		}
	}
	g.later = append(g.later, func() {
		g.successions(members, container)
		g.flows(members, container)
	})
}

// isFlow reports whether a body has nodes rather than statements alone.
func isFlow(members []*model.Element) bool {
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		switch m.Metaclass() {
		case syntax.AssignmentActionUsage, syntax.SendActionUsage, syntax.TerminateActionUsage:
			if d.Then != nil || d.Name.Text != "" {
				return true
			}
			continue
		case syntax.SuccessionAsUsage, syntax.TransitionUsage, syntax.FeatureMembership:
			return true
		}
		if isStep(m) {
			return true
		}
	}
	return false
}

var stepKinds = map[syntax.Metaclass]nodeKind{syntax.MergeNode: mergeNode, syntax.DecisionNode: decideNode,
	syntax.JoinNode: joinNode, syntax.ForkNode: forkNode, syntax.AcceptActionUsage: acceptNode,
	syntax.SendActionUsage: sendNode, syntax.TerminateActionUsage: terminateNode, syntax.StateUsage: stateNode,
	syntax.ExhibitStateUsage: stateNode}

// step adds the node of step m, with what is nested in it.
func (g *graph) step(m *model.Element, container, depth int) {
	d := m.Decl()
	n := node{kind: stepKinds[m.Metaclass()], parent: container, element: m, name: label(m), title: titled(m)}
	does := ""
	switch p := d.Detail.(type) {
	case *syntax.AssignPart, *syntax.SendPart, *syntax.AcceptPart, *syntax.TerminatePart:
		does = statement(d)
	case *syntax.IfPart, *syntax.ForLoopPart:
		does = statement(d)
		if n.name == "" {
			n.name = m.Metaclass().Keyword()
		}
	case *syntax.WhileLoopPart:
		does = loop(p)
		if n.name == "" {
			n.name = "while"
			if p.While == nil {
				n.name = "loop"
			}
		}
	default:
		switch m.Metaclass() {
		case syntax.PerformActionUsage, syntax.IncludeUseCaseUsage, syntax.StateUsage, syntax.ExhibitStateUsage,
			syntax.CalculationUsage, syntax.CaseUsage, syntax.AnalysisCaseUsage, syntax.VerificationCaseUsage, syntax.UseCaseUsage:
			n.keyword = m.Metaclass().Keyword()
		}
	}
	if does != "" {
		if n.title != "" {
			n.lines = wrap(does, lineColumns)
		} else {
			n.title = does
		}
	}
	if n.name == "" && m.Metaclass() == syntax.AssignmentActionUsage {
		n.name = "assign"
	}
	if n.name == "" && n.kind == actionNode {
		n.name = "usage_action"
	}
	at := g.add(n)
	if n.kind == actionNode || n.kind == stateNode {
		g.nodes[at].lines = append(g.nodes[at].lines, parameters(m.Members())...)
	}
	if n.kind == stateNode {
		g.states(m.Members(), at, depth+1)
	} else {
		g.nested(m, at, depth+1)
	}
}

// nested adds what lies in a step: its body, or the bodies of a branch or
// loop.
func (g *graph) nested(m *model.Element, at, depth int) {
	for _, h := range m.Header() {
		switch h.Role() {
		case model.Then, model.Loop:
			if p, ok := m.Decl().Detail.(*syntax.IfPart); ok && p.Else != nil {
				g.branch(h, "then", at, depth)
			} else {
				g.block(h, at, depth)
			}
		case model.Else:
			g.branch(h, "else", at, depth)
		}
	}
	g.flow(m.Members(), at, depth)
}

// branch adds a box for a branch of an if action.
func (g *graph) branch(h *model.Element, title string, at, depth int) {
	n := node{kind: actionNode, parent: at, element: h, name: title, title: title}
	if p, ok := h.Decl().Detail.(*syntax.IfPart); ok {
		n.title = title + " if " + written(p.Condition)
	}
	inner := g.add(n)
	if p, ok := h.Decl().Detail.(*syntax.IfPart); ok && p != nil {
		g.nested(h, inner, depth+1)
	} else {
		g.block(h, inner, depth+1)
	}
}

// block adds the flow of a branch or loop body to node at. Where it declares
// no succession its steps follow each other as they are written.
func (g *graph) block(h *model.Element, at, depth int) {
	g.flow(h.Members(), at, depth)
	for _, m := range h.Members() {
		if d := m.Decl(); d != nil && d.Then != nil {
			return
		}
		switch m.Metaclass() {
		case syntax.SuccessionAsUsage, syntax.TransitionUsage, syntax.FeatureMembership:
			return
		}
	}
	steps := g.children(at)
	for i := 1; i < len(steps); i++ {
		g.connect(succession, steps[i-1], steps[i], "")
	}
}

// successions adds the edges of a body, as they are declared.
func (g *graph) successions(members []*model.Element, container int) {
	last, decide := -1, -1
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		switch p := d.Detail.(type) {
		case *syntax.InitialPart:
			last = g.initial(p, m, container)
			continue
		case *syntax.ConnectorPart:
			if m.Metaclass() == syntax.SuccessionAsUsage {
				g.succession(p, m, container, last)
			}
			continue
		case *syntax.TransitionPart:
			from := last
			if len(p.Source.Links) > 0 {
				from = g.target(p.Source, m, container)
			} else if decide >= 0 && (last < 0 || g.nodes[last].kind != decideNode) {
				from = decide
			}
			if p.Target != nil {
				g.connect(succession, from, g.target(p.Target.Target, m, container), transition(p))
			}
			continue
		}
		n, ok := g.byElement[m]
		if !ok || !isStep(m) {
			if isDone(m) {
				n = g.target(syntax.Reference{Links: []syntax.QualifiedName{{Segments: []syntax.Name{{Text: "done"}}}}}, m, container)
				if d.Then != nil {
					g.connect(succession, last, n, "")
				}
				last = n
			}
			continue
		}
		if d.Then != nil {
			g.connect(succession, last, n, multiplicity(d.Then.Multiplicity, m))
		}
		last = n
		if m.Metaclass() == syntax.DecisionNode {
			decide = n
		}
	}
}

// isDone reports whether m is `done;` as a member.
func isDone(m *model.Element) bool {
	return m.Name() == "done" && m.Metaclass() == syntax.ReferenceUsage
}

func multiplicity(p *syntax.MultiplicityPart, e *model.Element) string {
	if p == nil {
		return ""
	}
	return rangeText(e, p.Range)
}

// initial is the node that `first x;` names. A node that is an action gets an
// arrow from a start of its own.
func (g *graph) initial(p *syntax.InitialPart, m *model.Element, container int) int {
	ref := syntax.Reference{Links: []syntax.QualifiedName{p.Target}, Range: p.Target.Range}
	name := p.Target.Last().Text
	n := g.target(ref, m, container)
	if n < 0 {
		return g.add(node{kind: startNode, parent: container, name: name})
	}
	if g.nodes[n].kind != startNode {
		g.connect(succession, g.add(node{kind: startNode, parent: container, name: "first " + name}), n, "")
	}
	return n
}

func (g *graph) succession(p *syntax.ConnectorPart, m *model.Element, container, last int) {
	label := probability(m)
	switch {
	case p.ImpliedSource && len(p.Ends) == 1:
		g.connect(succession, last, g.target(p.Ends[0].Target, m, container), label)
	case len(p.Ends) == 2:
		from := g.target(p.Ends[0].Target, m, container)
		g.connect(succession, from, g.target(p.Ends[1].Target, m, container), label)
	}
}

// probability is "p = 0.3" for a succession with a probability.
func probability(m *model.Element) string {
	for _, a := range m.Annotations() {
		if a.Usage == nil || a.Type == nil || a.Type.Name() != "Probability" {
			continue
		}
		for _, x := range a.Usage.Members() {
			if v, ok := x.Value(); ok {
				return "p = " + written(v.Expr)
			}
		}
	}
	return ""
}

// flows adds the flows between nodes of a body.
func (g *graph) flows(members []*model.Element, container int) {
	for _, m := range members {
		d := m.Decl()
		if d == nil || m.Metaclass() != syntax.FlowUsage && m.Metaclass() != syntax.SuccessionFlowUsage {
			continue
		}
		p, ok := d.Detail.(*syntax.ConnectorPart)
		if !ok || len(p.Ends) != 2 {
			continue
		}
		g.connect(flowEdge, g.target(p.Ends[0].Target, m, container), g.target(p.Ends[1].Target, m, container), flowLabel(p))
	}
}

// flowLabel is what flows, and from which feature to which where that is more.
func flowLabel(p *syntax.ConnectorPart) string {
	from, to := lastName(p.Ends[0].Target), lastName(p.Ends[1].Target)
	text := from
	if from != to {
		text = from + " → " + to
	}
	if len(p.Ends[0].Target.Links) == 1 && len(p.Ends[1].Target.Links) == 1 {
		text = ""
	}
	if p.Payload != nil {
		if what := payload(p.Payload); text == "" {
			text = what
		} else {
			text = what + " (" + text + ")"
		}
	}
	return strings.TrimSpace(text)
}
