package lower

import (
	"cmp"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lists what of a model runs can execute.

// A Coverable is a site of the model with what it is.
type Coverable struct {
	exec.Site
	// Name is the qualified name or, of what has none, that of what it is
	// declared in with what tells it from others: "P::Lamp: off -> on on Go".
	Name string
	// Element is the declaration.
	Element *model.Element
	// Machine is that of a state, a transition or a guard of one, and Behaviour
	// the element that it is made of; State or Transition is the number of the
	// site in it. Of another site Machine is nil, and Behaviour too but for the
	// guard of a succession.
	Machine           *exec.Machine
	State, Transition int32
	Behaviour         *model.Element
}

// Coverables are the sites of all behaviours, constraints and requirements
// that the documents of m declare and that can be executed, by kind, then in
// the order of declaration. The library is left out, and so is what has neither
// a name nor ends.
func Coverables(m *model.Model) []Coverable {
	s := &surveyor{l: New(m), at: map[source.Span]*model.Element{}, files: map[*source.File]int{}, known: map[exec.Site]bool{}}
	for i, f := range Texts(m) {
		s.files[f] = i
	}
	for _, r := range m.Roots() {
		if !r.IsLibrary() {
			s.visit(r)
		}
	}
	p := s.l.Program()
	for _, x := range p.Machines {
		s.machine(x)
	}
	for _, g := range p.Graphs {
		s.graph(g)
	}
	for _, e := range s.conditions {
		s.add(Coverable{Site: conditionSite(e), Name: conditionName(e), Element: e})
	}
	slices.SortStableFunc(s.all, func(a, b Coverable) int {
		return cmp.Or(cmp.Compare(a.order(), b.order()), cmp.Compare(s.files[a.Span.File], s.files[b.Span.File]),
			cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Kind, b.Kind))
	})
	return s.all
}

// order puts the two sides of a guard together.
func (c *Coverable) order() exec.SiteKind {
	if c.Kind == exec.FailingSite {
		return exec.HoldingSite
	}
	return c.Kind
}

// A surveyor collects Coverables.
type surveyor struct {
	l          *Lowering
	at         map[source.Span]*model.Element // the elements with a declaration
	files      map[*source.File]int           // by their place among the texts
	known      map[exec.Site]bool
	conditions []*model.Element
	all        []Coverable
}

// visit asks for what e and its members make of the Program.
func (s *surveyor) visit(e *model.Element) {
	if d := e.Decl(); d != nil {
		s.at[e.Span()] = e
		s.ask(e, d)
		if t, ok := d.Detail.(*syntax.TransitionPart); ok && t.Effect != nil {
			if effect := e.Child(t.Effect); effect != nil {
				s.at[effect.Span()] = effect
			}
		}
	}
	for _, m := range e.Members() {
		s.visit(m)
	}
}

func (s *surveyor) ask(e *model.Element, d *syntax.Decl) {
	inBehaviour := e.Owner() != nil && (isState(e.Owner()) || isActionBody(e.Owner()))
	switch {
	case isCondition(e):
		if len(s.l.Judgement(e).Conditions) > 0 && !e.Is(syntax.Abstract) {
			s.conditions = append(s.conditions, e)
		}
	case isMachine(e):
		if s.l.stateBody(e) == e {
			s.l.Machine(e)
		}
	case e.Metaclass() == syntax.ActionDefinition,
		!inBehaviour && d.Member == syntax.OwnedMember && (e.Metaclass() == syntax.ActionUsage || e.Metaclass() == syntax.PerformActionUsage):
		if isFlowBody(e.Members(), true) || hasStatements(e) {
			s.l.Action(e)
		}
	}
}

// add keeps c where it is the first of its site and stands in the model itself.
func (s *surveyor) add(c Coverable) {
	if _, own := s.files[c.Span.File]; !own || c.Name == "" || s.known[c.Site] {
		return
	}
	s.known[c.Site] = true
	s.all = append(s.all, c)
}

// named adds a site that is an element of a kind with a name.
func (s *surveyor) named(c Coverable, is func(*model.Element) bool) {
	if e := s.at[c.Span]; e != nil && is(e) && label(e) != "" && !e.Is(syntax.Abstract) {
		c.Name, c.Element = e.QualifiedName(), e
		s.add(c)
	}
}

func (s *surveyor) machine(m *exec.Machine) {
	m.Sites(func(site exec.Site) {
		switch e := s.at[site.Span]; {
		case site.Kind == exec.StateSite:
			state := int32(slices.IndexFunc(m.States, func(x exec.State) bool { return x.Span == site.Span }))
			s.named(Coverable{Site: site, Machine: m, State: max(state, 0), Behaviour: s.at[m.Span]}, isState)
		case e != nil:
			t := int32(slices.IndexFunc(m.Transitions, func(x exec.StateTransition) bool { return x.Span == site.Span }))
			name := transitionName(m, &m.Transitions[t], e)
			s.add(Coverable{Site: site, Name: name + sideText(site.Kind, e), Element: e, Machine: m, Transition: t, Behaviour: s.at[m.Span]})
		}
	})
}

func (s *surveyor) graph(g *exec.Graph) {
	g.Sites(func(site exec.Site) {
		switch e := s.at[site.Span]; {
		case site.Kind == exec.ActionSite:
			s.named(Coverable{Site: site}, isPerformable)
		case e != nil:
			i := int32(slices.IndexFunc(g.Edges, func(x exec.Edge) bool { return x.Span == site.Span }))
			name := endsName(e, g.Nodes[g.Edges[i].From].Name, g.Nodes[g.Edges[i].To].Name)
			s.add(Coverable{Site: site, Name: name + sideText(site.Kind, e), Element: e, Behaviour: s.at[g.Span]})
		}
	})
}

// isPerformable reports whether e is an action.
func isPerformable(e *model.Element) bool {
	d := e.Decl()
	return isActionBody(e) || d != nil && (isStep(d) || isStatementKind(d))
}

// endsName is what e, which leads from one element to another, is called: by
// its own name with the ends behind, else by the ends.
func endsName(e *model.Element, from, to string) string {
	ends := from + " -> " + to
	if label(e) != "" && !isState(e) && !isPerformable(e) {
		return e.QualifiedName() + " (" + ends + ")"
	}
	owner := e.Owner()
	for owner != nil && owner.Owner() != nil && label(owner) == "" {
		owner = owner.Owner()
	}
	if owner == nil || owner.Owner() == nil {
		return ends
	}
	return owner.QualifiedName() + ": " + ends
}

// transitionName is endsName with the trigger.
func transitionName(m *exec.Machine, x *exec.StateTransition, e *model.Element) string {
	from := m.States[x.Source].Name
	if x.Guard != exec.NoUnit && slices.ContainsFunc(m.States[x.Source].Entries, func(t int32) bool { return &m.Transitions[t] == x }) {
		from = "entry"
	}
	return endsName(e, from, m.States[x.Target].Name) + triggerText(e)
}

// triggerText is what a transition waits for: " on Go", " after 5 [s]".
func triggerText(e *model.Element) string {
	p, ok := e.Decl().Detail.(*syntax.TransitionPart)
	if !ok || p.Trigger == nil {
		return ""
	}
	text := ""
	switch a := p.Trigger; a.Trigger {
	case syntax.AfterTrigger, syntax.AtTrigger, syntax.WhenTrigger:
		word := map[syntax.TriggerKind]string{syntax.AfterTrigger: "after", syntax.AtTrigger: "at", syntax.WhenTrigger: "when"}[a.Trigger]
		text = word + " " + a.Expr.Span().Text()
	default:
		text = "on " + a.Range.In(e.Span().File).Text()
		text = strings.Replace(text, "on accept ", "on ", 1)
	}
	return " " + strings.Join(strings.Fields(text), " ")
}

// sideText is which side of the guard of e a site is; "" for no guard.
func sideText(k exec.SiteKind, e *model.Element) string {
	if k != exec.HoldingSite && k != exec.FailingSite {
		return ""
	}
	text := ""
	if p, ok := e.Decl().Detail.(*syntax.TransitionPart); ok && p.Guard != nil {
		text = " [" + strings.Join(strings.Fields(p.Guard.Span().Text()), " ") + "]"
	}
	if k == exec.HoldingSite {
		return text + " true"
	}
	return text + " false"
}

// conditionName is the qualified name of a constraint or requirement; one that
// is asserted without a name is called by what it says. "" for another without
// a name, which what states it stands for, and for a satisfaction or a
// verification, which their requirement stands for.
func conditionName(e *model.Element) string {
	if e.Metaclass() == syntax.SatisfyRequirementUsage || e.Decl().Member == syntax.VerifyMember {
		return ""
	}
	if label(e) != "" {
		return e.QualifiedName()
	}
	if e.Metaclass() != syntax.AssertConstraintUsage || e.Owner() == nil || isCondition(e.Owner()) {
		return ""
	}
	return e.Owner().QualifiedName() + ": " + strings.Join(strings.Fields(e.Span().Text()), " ")
}
