package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes graphs of actions: their data, and which bodies are flows.
// action_flow.go makes nodes and edges, action_node.go the units of nodes,
// action_statement.go statements.

// behaviours is what a Lowering remembers of actions and state machines.
type behaviours struct {
	actions  map[*model.Element]*flow
	machines map[*model.Element]*machine
}

func (l *Lowering) start() {
	l.behaviours = behaviours{actions: map[*model.Element]*flow{}, machines: map[*model.Element]*machine{}}
}

// Action is the number of the graph of action e, a definition or a usage.
func (l *Lowering) Action(e *model.Element) exec.GraphID {
	defer l.asked("action", e, "")()
	return l.action(e).graph.ID
}

// A frame is the layout of an Env and what names mean in it.
type frame struct {
	data
	id     exec.LayoutID
	layout *exec.Layout
}

func (l *Lowering) frame() *frame {
	f := &frame{data: data{slots: map[string]int32{}, declared: map[string]bool{}}, id: exec.LayoutID(len(l.program.Layouts)), layout: &exec.Layout{}}
	l.program.Layouts = append(l.program.Layouts, f.layout)
	l.sealed = nil
	return f
}

// slot gives the slot called name, made where there is none.
func (f *frame) slot(name string, kind exec.DataKind) int32 {
	if i, ok := f.slots[name]; ok {
		return i
	}
	i := f.hidden(name, kind)
	f.slots[name] = i
	return i
}

// hidden makes a slot that no name leads to.
func (f *frame) hidden(name string, kind exec.DataKind) int32 {
	f.layout.Slots = append(f.layout.Slots, exec.DataSlot{Name: name, Kind: kind})
	return int32(len(f.layout.Slots) - 1)
}

func (f *frame) declare(name string, kind exec.DataKind) int32 {
	f.declared[name] = true
	return f.slot(name, kind)
}

// A flow is a graph in the making: that of an action, of a node that owns a
// flow, or of a block.
type flow struct {
	l       *Lowering
	graph   *exec.Graph
	element *model.Element
	// root is the action that the flow is in, itself for an action: accepted
	// payloads and undeclared names are its data.
	root *flow
	// frames are the Envs around a statement of the flow, its own first.
	frames []*frame
	// owner is how lines name what is performed: "action node x".
	owner string
	// around is the flow whose node or block this one is; nil for an action.
	around *flow

	members []*model.Element
	nodes   []*node
	byName  map[string]*node
	lowered bool
}

func (f *flow) frame() *frame { return f.frames[0] }

// action gives the graph of e its number and its data; its nodes are lowered
// later.
func (l *Lowering) action(e *model.Element) *flow {
	if f := l.actions[e]; f != nil {
		return f
	}
	f := l.newFlow(e, l.frame(), exec.ActionGraph)
	l.actions[e] = f
	f.root = f
	f.owner = label(e)
	f.graph.Name, f.graph.Qualified = label(e), plainName(e)
	if outer := l.enclosing(e); outer != nil {
		f.frames = append(f.frames, outer...)
		f.graph.Outer = outer[0].id
	}
	f.members = bodyMembers(e)
	f.declareData()
	f.declareAssigned(f.members)
	l.later(f.lower)
	return f
}

// newFlow makes an empty graph of e whose own Env is frame.
func (l *Lowering) newFlow(e *model.Element, own *frame, kind exec.GraphKind) *flow {
	g := &exec.Graph{ID: exec.GraphID(len(l.program.Graphs)), Kind: kind, Layout: own.id, Outer: exec.NoLayout, Init: exec.NoUnit, Span: e.Span()}
	l.program.Graphs = append(l.program.Graphs, g)
	l.sealed = nil
	return &flow{l: l, graph: g, element: e, frames: []*frame{own}, byName: map[string]*node{}}
}

// enclosing are the frames of the behaviour that e is written in; nil where
// it is written in none.
func (l *Lowering) enclosing(e *model.Element) []*frame {
	for o := e.Owner(); o != nil && o.Owner() != nil; o = o.Owner() {
		switch {
		case isMachine(o):
			return l.machine(o).frames
		case isActionBody(o) && !isActionBody(o.Owner()) && !isMachine(o.Owner()) && o.Owner().Metaclass() != syntax.StateUsage:
			return l.action(o).frames
		}
	}
	return nil
}

// isActionBody reports whether e is an action that could have a flow.
func isActionBody(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.ActionDefinition, syntax.ActionUsage, syntax.PerformActionUsage, syntax.AcceptActionUsage,
		syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage, syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage,
		syntax.CaseDefinition, syntax.CaseUsage, syntax.UseCaseDefinition, syntax.UseCaseUsage:
		return true
	}
	return false
}

// bodyMembers are the members of e's body behind those that it inherits from
// actions or states of the model, the most general first. What a nearer one
// redefines is left out.
func bodyMembers(e *model.Element) []*model.Element {
	chain := []*model.Element{e}
	for _, s := range e.Supertypes() {
		if !s.IsLibrary() && (isActionBody(s) || isState(s)) && e.Metaclass() != syntax.PerformActionUsage {
			chain = append(chain, s)
		}
	}
	var levels [][]*model.Element
	taken := map[*model.Element]*model.Element{}
	named := map[string]bool{}
	moved, hidden := map[*model.Element]bool{}, map[*model.Element]bool{}
	for _, owner := range chain {
		var level []*model.Element
		var names []string
		for _, m := range owner.Members() {
			if by := taken[m]; by != nil {
				// What redefines a step takes its place among the others.
				if m.Decl() != nil && isPlaced(m.Decl()) && by != m && by.Owner() != owner && !hasPositions(by.Owner().Members()) && !moved[by] {
					moved[by] = true
					if len(by.Members()) == 0 && len(by.Decl().Relationships) == 1 {
						hidden[by], by = true, m // it adds nothing
					}
					level = append(level, by)
				}
				continue
			}
			if owner != e && label(m) != "" && named[label(m)] {
				continue
			}
			level = append(level, m)
			for _, r := range m.RedefinitionClosure() {
				taken[r] = m
			}
			if n := label(m); n != "" {
				names = append(names, n)
			}
		}
		for _, n := range names {
			named[n] = true
		}
		levels = append(levels, level)
	}
	var all []*model.Element
	placed := map[*model.Element]bool{}
	for i := len(levels) - 1; i >= 0; i-- {
		for _, m := range levels[i] {
			if !placed[m] && !hidden[m] {
				placed[m] = true
				all = append(all, m)
			}
		}
	}
	return all
}

// isPlaced reports whether what stands before and behind d matters.
func isPlaced(d *syntax.Decl) bool { return isStep(d) || isControl(d) || isStatementKind(d) }

// hasPositions reports whether a member follows on the one before it.
func hasPositions(members []*model.Element) bool {
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		if d.Then != nil {
			return true
		}
		switch p := d.Detail.(type) {
		case *syntax.InitialPart:
			return true
		case *syntax.ConnectorPart:
			if d.Metaclass == syntax.SuccessionAsUsage && p.ImpliedSource {
				return true
			}
		case *syntax.TransitionPart:
			if len(p.Source.Links) == 0 {
				return true
			}
		}
	}
	return false
}

// follows reports whether a member follows on the one before it, as written
// or because what it redefines does.
func follows(m *model.Element) bool {
	if m.Decl().Then != nil {
		return true
	}
	for _, r := range m.RedefinitionClosure() {
		if d := r.Decl(); d != nil && d.Then != nil && r.Owner() != m.Owner() && !hasPositions(m.Owner().Members()) {
			return true
		}
	}
	return false
}

// isDataMember reports whether a member of a behaviour is a feature that its
// performances hold a value of.
func isDataMember(m *model.Element) bool {
	d := m.Decl()
	if d == nil || isFinal(m) {
		return false
	}
	switch m.Metaclass() {
	case syntax.AttributeUsage, syntax.EnumerationUsage, syntax.ReferenceUsage, syntax.Feature:
		return d.Member != syntax.ReturnMember || true
	case syntax.ItemUsage, syntax.PartUsage, syntax.OccurrenceUsage:
		return d.Direction != syntax.NoDirection || d.Value != nil
	}
	return false
}

// isFinal reports whether m is `done;` in the body of an action.
func isFinal(m *model.Element) bool {
	d := m.Decl()
	return d != nil && d.Metaclass == syntax.ReferenceUsage && d.Name.Text == "done" && d.Value == nil &&
		len(d.Relationships) == 0 && d.Direction == syntax.NoDirection && d.Body == nil
}

// declareData gives slots to the features of the action.
func (f *flow) declareData() {
	own := f.frame()
	for _, m := range f.members {
		if !isDataMember(m) {
			continue
		}
		kind, direction := exec.AttributeData, m.Direction()
		if direction != syntax.NoDirection {
			kind = exec.ParameterData
		}
		name := label(m)
		if name == "" {
			continue
		}
		slot := own.declare(name, kind)
		if short := m.ShortName(); short != "" {
			own.slots[short] = slot
		}
		if direction != syntax.NoDirection {
			in, out := direction == syntax.In || direction == syntax.InOut, direction == syntax.Out || direction == syntax.InOut
			own.layout.Slots[slot].In, own.layout.Slots[slot].Out = in, out
			f.graph.Params = append(f.graph.Params, exec.GraphParam{Name: name, Slot: slot, In: in, Out: out})
		}
	}
}

// declareAssigned gives slots to accepted payloads and to undeclared names
// that statements below members assign.
func (f *flow) declareAssigned(members []*model.Element) {
	var decls []*syntax.Decl
	for _, m := range members {
		if m.Decl() != nil {
			decls = append(decls, m.Decl())
		}
	}
	s := assignedNames{known: []map[string]bool{{}}}
	for _, fr := range f.frames {
		for n := range fr.slots {
			s.known[0][n] = true
		}
	}
	s.members(decls)
	own := f.frame()
	for _, n := range s.payloads {
		own.slot(n, exec.PayloadData)
	}
	for _, n := range s.assigned {
		own.slot(n, exec.ImplicitData)
	}
}

// assignedNames finds what the statements of a body assign.
type assignedNames struct {
	known              []map[string]bool
	payloads, assigned []string
	blocks             int // loops and branches around
}

func (s *assignedNames) isKnown(n string) bool {
	for _, k := range s.known {
		if k[n] {
			return true
		}
	}
	return false
}

func (s *assignedNames) members(decls []*syntax.Decl) {
	s.known = append(s.known, map[string]bool{})
	top := s.known[len(s.known)-1]
	for _, d := range decls {
		switch d.Metaclass {
		case syntax.AttributeUsage, syntax.EnumerationUsage, syntax.ReferenceUsage, syntax.ItemUsage, syntax.PartUsage:
			if d.Name.Text != "" {
				top[d.Name.Text] = true
			}
			for _, r := range d.Related(syntax.Redefines) {
				top[r.First().Last().Text] = true
			}
		}
	}
	for _, d := range decls {
		s.decl(d)
	}
	s.known = s.known[:len(s.known)-1]
}

func (s *assignedNames) decl(d *syntax.Decl) {
	if d == nil {
		return
	}
	switch p := d.Detail.(type) {
	case *syntax.AssignPart:
		if t, ok := p.Target.(*syntax.FeatureReferenceExpression); ok && t.Name.IsSimple() {
			s.note(&s.assigned, t.Name.Segments[0].Text)
		}
	case *syntax.AcceptPart:
		s.accept(p)
	case *syntax.IfPart:
		s.blocks++
		s.decl(p.Then)
		s.decl(p.Else)
		s.blocks--
	case *syntax.WhileLoopPart:
		s.blocks++
		s.decl(p.Loop)
		s.blocks--
	case *syntax.ForLoopPart:
		s.blocks++
		s.known = append(s.known, map[string]bool{p.Variable.Name.Text: true})
		s.decl(p.Loop)
		s.known = s.known[:len(s.known)-1]
		s.blocks--
	case *syntax.TransitionPart:
		if p.Trigger != nil {
			s.accept(p.Trigger)
		}
		s.decl(p.Effect)
	}
	if isDefinitionOfItsOwn(d) {
		return
	}
	s.members(d.Members())
}

// isDefinitionOfItsOwn reports whether what d's body assigns is data of d.
func isDefinitionOfItsOwn(d *syntax.Decl) bool {
	return d.Metaclass.IsDefinition() || d.Metaclass == syntax.CalculationUsage
}

func (s *assignedNames) accept(p *syntax.AcceptPart) {
	if s.blocks > 0 {
		return // what an accept in a block binds is local to the block
	}
	if p.Payload != nil && p.Trigger == syntax.MessageTrigger && p.Payload.Name.Text != "" {
		s.note(&s.payloads, p.Payload.Name.Text)
	}
	for _, n := range p.Parameters {
		s.note(&s.payloads, n.Name.Text)
	}
}

func (s *assignedNames) note(list *[]string, n string) {
	if !s.isKnown(n) {
		*list = append(*list, n)
		s.known[0][n] = true
	}
}

// isEdge reports whether d orders other members.
func isEdge(d *syntax.Decl) bool {
	switch d.Metaclass {
	case syntax.SuccessionAsUsage:
		return true
	case syntax.TransitionUsage:
		return true
	case syntax.FeatureMembership:
		_, ok := d.Detail.(*syntax.InitialPart)
		return ok
	}
	return d.Then != nil
}

func isControl(d *syntax.Decl) bool {
	switch d.Metaclass {
	case syntax.ForkNode, syntax.JoinNode, syntax.MergeNode, syntax.DecisionNode:
		return true
	}
	return false
}

// isStep reports whether d is an action that another performs by a name or a
// body of its own, no statement.
func isStep(d *syntax.Decl) bool {
	switch d.Metaclass {
	case syntax.ActionUsage, syntax.PerformActionUsage, syntax.IncludeUseCaseUsage,
		syntax.VerificationCaseUsage, syntax.AnalysisCaseUsage, syntax.CaseUsage, syntax.UseCaseUsage, syntax.StateUsage:
		return d.Direction == syntax.NoDirection
	case syntax.AcceptActionUsage:
		return true
	case syntax.SendActionUsage, syntax.AssignmentActionUsage, syntax.TerminateActionUsage, syntax.IfActionUsage,
		syntax.WhileLoopActionUsage, syntax.ForLoopActionUsage:
		return d.Name.Text != ""
	}
	return false
}

// isStatementKind reports whether d is performed where it stands.
func isStatementKind(d *syntax.Decl) bool {
	switch d.Metaclass {
	case syntax.SendActionUsage, syntax.AssignmentActionUsage, syntax.TerminateActionUsage, syntax.IfActionUsage,
		syntax.WhileLoopActionUsage, syntax.ForLoopActionUsage, syntax.AcceptActionUsage:
		return true
	}
	return false
}

// isFlowBody reports whether a body is a flow: it orders its members, has
// control nodes, or waits. At the top of an action, steps make one too.
func isFlowBody(members []*model.Element, top bool) bool {
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		if isEdge(d) || isControl(d) || isFinal(m) || d.Metaclass == syntax.AcceptActionUsage || top && isStep(d) {
			return true
		}
	}
	return false
}

// Watched is the unit that evaluates x over the data of a performance of the
// action or the machine e.
func (l *Lowering) Watched(x syntax.Expr, e *model.Element) exec.UnitID {
	defer l.askedFor("watched", x, e, nil)()
	if isState(e) {
		if body := l.stateBody(e); body != nil && len(e.Members()) == 0 {
			e = body
		}
		return l.machine(e).flow.expression(x, e)
	}
	return l.action(e).expression(x, e)
}
