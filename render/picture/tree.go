package picture

import (
	"fmt"

	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file reads a tree view: definitions and usages as boxes with their
// features in compartments, packages around them, and the relationships of
// membership, specialization and typing between those that are drawn.

// treeLines bounds the lines of a compartment.
const treeLines = 14

func (g *graph) drawTree(e *model.Element) {
	if !e.Metaclass().IsNamespace() && !e.IsRoot() {
		return
	}
	if e.Metaclass().IsType() {
		g.treeNode(e, -1, 1)
		if !g.single {
			return
		}
		for _, general := range e.Supertypes() {
			if _, drawn := g.byElement[general]; !drawn && !general.IsLibrary() && isBox(general) {
				n := g.treeBox(general, -1)
				g.nodes[n].lines = nil
			}
		}
	} else {
		frame := g.add(node{kind: packageNode, parent: -1, frame: g.single, element: e, name: name(e), keyword: e.Metaclass().Keyword(), title: name(e)})
		g.packageMembers(e, frame, 1)
	}
}

// isBox reports whether m gets a box of its own in a tree view. Other features
// are lines in the box of their owner.
func isBox(m *model.Element) bool {
	k := m.Metaclass()
	switch k {
	case syntax.PartUsage, syntax.ItemUsage, syntax.OccurrenceUsage, syntax.Usage, syntax.RequirementUsage, syntax.ConcernUsage,
		syntax.CaseUsage, syntax.AnalysisCaseUsage, syntax.VerificationCaseUsage, syntax.UseCaseUsage, syntax.ViewUsage,
		syntax.ViewpointUsage:
		return m.Role() == model.Member && m.Decl().Direction == syntax.NoDirection
	}
	if k.IsFeature() {
		return m.Role() == model.Member && m.Owner() != nil && !m.Owner().Metaclass().IsType() && !k.IsAnnotation() && label(m) != ""
	}
	return k.IsClassifier() || k == syntax.Type
}

func isPackage(m *model.Element) bool {
	return m.Metaclass() == syntax.Package || m.Metaclass() == syntax.LibraryPackage || m.Metaclass() == syntax.Namespace
}

func (g *graph) packageMembers(e *model.Element, container, depth int) {
	if g.options.Depth > 0 && depth > g.options.Depth {
		return
	}
	for _, m := range e.Members() {
		switch {
		case m.Decl() == nil:
		case isPackage(m):
			n := g.add(node{kind: packageNode, parent: container, element: m, name: name(m), keyword: m.Metaclass().Keyword(), title: name(m)})
			g.packageMembers(m, n, depth+1)
		case isBox(m):
			g.treeNode(m, container, depth)
		}
	}
}

// treeBox adds the box of e.
func (g *graph) treeBox(e *model.Element, container int) int {
	n := node{kind: usageNode, parent: container, element: e, name: label(e), keyword: e.Metaclass().Keyword(), title: titled(e)}
	if e.Metaclass().IsClassifier() {
		n.kind = definitionNode
	}
	for _, f := range []struct {
		flag syntax.Flags
		word string
	}{{syntax.Ref, "ref "}, {syntax.Variation, "variation "}, {syntax.Abstract, "abstract "}, {syntax.Individual, "individual "}} {
		if e.Is(f.flag) {
			n.keyword = f.word + n.keyword
		}
	}
	if e.Decl().Member == syntax.VariantMember {
		n.keyword = "variant " + n.keyword
	}
	if n.title == "" {
		if n.title = e.Decl().Member.String(); n.title == "" {
			n.title = name(e)
		}
	}
	for i, m := range compartment(e) {
		if i == treeLines {
			n.lines = append(n.lines, fmt.Sprintf("… and %d more", len(compartment(e))-treeLines))
			break
		}
		n.lines = append(n.lines, wrap(m, lineColumns)...)
	}
	return g.add(n)
}

// compartment is a line for each feature of e that has no box.
func compartment(e *model.Element) []string {
	var lines []string
	for _, m := range e.Members() {
		d := m.Decl()
		k := m.Metaclass()
		if d == nil || m.Role() != model.Member || isBox(m) || !k.IsFeature() || k.IsAnnotation() {
			continue
		}
		switch {
		case d.Member == syntax.EntryMember, d.Member == syntax.DoMember, d.Member == syntax.ExitMember:
			if line := behaviourLine(m); line != "" {
				lines = append(lines, line)
			}
		case isConnector(k), k == syntax.SuccessionAsUsage, k == syntax.TransitionUsage, isControl(stepKinds[k]):
			continue
		case d.Member == syntax.VariantMember && e.Metaclass() == syntax.EnumerationDefinition:
			lines = append(lines, label(m))
		case label(m) == "" && d.Detail == nil && d.Body != nil:
			lines = append(lines, clip(flat(d.Span.Text()), 2*lineColumns))
		default:
			if p, ok := d.Detail.(*syntax.ExpressionPart); ok {
				lines = append(lines, clip(written(p.Expr), 2*lineColumns))
				continue
			}
			if line := featureLine(m); line != "" {
				if word := k.Keyword(); word != "attribute" && word != "ref" && word != "" && d.Direction == syntax.NoDirection {
					line = word + " " + line
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// treeNode adds e and the boxes of its members, with the edges to them.
func (g *graph) treeNode(e *model.Element, container, depth int) int {
	at := g.treeBox(e, container)
	if g.options.Depth > 0 && depth >= g.options.Depth {
		return at
	}
	for _, m := range e.Members() {
		if m.Decl() == nil || !isBox(m) || g.options.Without[m] {
			continue
		}
		kind := composition
		switch {
		case m.Metaclass().IsClassifier():
			kind = containment
		case m.Is(syntax.Ref), m.Decl().Member == syntax.SubjectMember, m.Decl().Member == syntax.ActorMember,
			m.Decl().Member == syntax.StakeholderMember:
			kind = reference
		}
		word := ""
		if d := m.Decl(); d.Member != syntax.OwnedMember && d.Member != syntax.VariantMember {
			word = d.Member.String()
		}
		g.connect(kind, at, g.treeNode(m, container, depth+1), word)
	}
	return at
}

// generals adds an edge for each thing that node i specializes and that is
// drawn, and a line for every other one that is not told by the title.
func (g *graph) generals(i int) {
	e := g.nodes[i].element
	if e == nil || !e.Metaclass().IsType() {
		return
	}
	var lines []string
	for _, general := range e.Generals() {
		if general.Implied {
			continue
		}
		kind, sign := specialization, ":> "
		switch general.Kind {
		case syntax.TypedBy:
			kind, sign = typing, ""
		case syntax.Redefines:
			kind, sign = redefinition, ":>> "
		case syntax.References:
			sign = "::> "
		}
		if n, drawn := g.byElement[general.Target]; drawn && g.nodes[n].element == general.Target && n != i {
			g.connect(kind, n, i, "")
		} else if sign != "" {
			lines = append(lines, sign+name(general.Target))
		}
	}
	g.nodes[i].lines = append(lines, g.nodes[i].lines...)
}
