package lower

import (
	"sort"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes state machines: their vertices and transitions.
// state_behaviour.go makes what entries, dos, exits and effects do.

var badMachine = diagnostic.Register("bad-machine",
	"A state machine cannot be run as written: a transition leads to a state that is not there, or a state has no way to begin.")

// A machine is a state machine in the making.
type machine struct {
	l       *Lowering
	m       *exec.Machine
	element *model.Element
	frames  []*frame
	// flow stands for the machine where behaviours ask what is around them.
	flow *flow

	states []*vertex
	of     map[*model.Element]*vertex
}

// A vertex is a state in the making.
type vertex struct {
	index   int32
	element *model.Element // nil for an implied done
	parent  *vertex
	byName  map[string]*vertex
	members []*model.Element
	// entry is the name of the entry action, which transitions may leave.
	entry string
}

func isState(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.StateDefinition, syntax.StateUsage, syntax.ExhibitStateUsage:
		return true
	}
	return false
}

// isMachine reports whether e is a state machine: a state in no other state.
func isMachine(e *model.Element) bool { return isState(e) && (e.Owner() == nil || !isState(e.Owner())) }

// ownBody is the number of the machine or the graph that an exhibited state or
// a performed action of an object runs; -1 where it names no body.
func (l *Lowering) ownBody(e *model.Element, isMachine bool) int32 {
	if isMachine {
		if body := l.stateBody(e); body != nil {
			return int32(l.Machine(body))
		}
		return -1
	}
	if isFlowBody(e.Members(), true) || hasStatements(e) {
		return int32(l.Action(e))
	}
	if callee := l.calleeOf(e); callee != nil {
		return int32(l.Action(callee))
	}
	return -1
}

func hasStatements(e *model.Element) bool {
	for _, m := range e.Members() {
		if d := m.Decl(); d != nil && isStatementKind(d) {
			return true
		}
	}
	return false
}

// stateBody is the state whose body e runs: itself, or what it references or
// is typed by; nil where none has a body.
func (l *Lowering) stateBody(e *model.Element) *model.Element {
	for _, m := range e.Members() {
		if d := m.Decl(); d != nil && !isDataMember(m) {
			return e
		}
	}
	if d := e.Decl(); d != nil {
		for i := range d.Relationships {
			chain := e.Target(i)
			if len(chain) == 0 {
				chain = l.resolveBeside(&d.Relationships[i].Target, e)
			}
			if len(chain) == 0 {
				continue
			}
			if t := chain[len(chain)-1]; isState(t) && t != e {
				if body := l.stateBody(t); body != nil {
					return body
				}
			}
		}
	}
	return nil
}

// Machine is the number of the machine of state e.
func (l *Lowering) Machine(e *model.Element) exec.MachineID {
	defer l.asked("machine", e, "")()
	if body := l.stateBody(e); body != nil && len(e.Members()) == 0 {
		e = body
	}
	return l.machine(e).m.ID
}

func (l *Lowering) machine(e *model.Element) *machine {
	if x := l.machines[e]; x != nil {
		return x
	}
	own := l.frame()
	x := &machine{l: l, element: e, frames: []*frame{own}, of: map[*model.Element]*vertex{},
		m: &exec.Machine{ID: exec.MachineID(len(l.program.Machines)), Name: label(e), Qualified: plainName(e), Layout: own.id, Init: exec.NoUnit, Span: e.Span()}}
	l.program.Machines = append(l.program.Machines, x.m)
	l.machines[e] = x
	l.sealed = nil
	x.flow = &flow{l: l, graph: &exec.Graph{Layout: own.id, Init: exec.NoUnit}, element: e, frames: x.frames, byName: map[string]*node{},
		members: bodyMembers(e), owner: label(e)}
	x.flow.root = x.flow
	x.flow.graph.Name = label(e)
	x.flow.declareData()
	x.declareAssigned(x.flow.members)
	x.m.Params = x.flow.graph.Params
	l.later(x.lower)
	return x
}

// declareAssigned gives slots to what triggers bind and behaviours assign, at
// any depth of the machine.
func (x *machine) declareAssigned(members []*model.Element) {
	x.flow.declareAssigned(members)
}

func (x *machine) lower() {
	x.flow.lowerInit()
	x.m.Init = x.flow.graph.Init
	root := x.vertex(x.element, nil, exec.SimpleState)
	x.declare(root, x.flow.members)
	x.declareStates()
	for i := 0; i < len(x.states); i++ {
		x.flow.frames = x.within(x.states[i])
		x.collect(x.states[i])
	}
	x.flow.frames = x.frames
	for i := range x.m.States {
		s := &x.m.States[i]
		if s.Kind == exec.RegionState && len(s.Children) > 0 && len(s.Entries) == 0 && x.m.Fault == nil {
			x.m.Fault = &exec.Failure{Code: badMachine, Message: "region " + s.Name + " has no initial state"}
		}
	}
	x.m.Links = nil
	x.m.Derive()
}

func (x *machine) vertex(e *model.Element, parent *vertex, kind exec.StateKind) *vertex {
	v := &vertex{index: int32(len(x.states)), element: e, parent: parent, byName: map[string]*vertex{}}
	x.states = append(x.states, v)
	s := exec.State{Kind: kind, Parent: -1}
	if e != nil {
		x.of[e] = v
		s.Name, s.Span = label(e), e.Span()
		s.Parallel = e.Is(syntax.Parallel)
		for _, t := range e.Supertypes() {
			s.Parallel = s.Parallel || isState(t) && !t.IsLibrary() && t.Is(syntax.Parallel)
		}
	}
	if parent != nil {
		s.Parent = parent.index
		p := &x.m.States[parent.index]
		s.Path = append(append([]int32(nil), p.Path...), int32(len(p.Children)))
		p.Children = append(p.Children, v.index)
	}
	x.m.States = append(x.m.States, s)
	return v
}

var pseudostates = map[syntax.PseudostateKind]exec.StateKind{
	syntax.ChoicePseudostate: exec.ChoiceState, syntax.JunctionPseudostate: exec.JunctionState,
	syntax.ShallowHistoryPseudostate: exec.HistoryState, syntax.DeepHistoryPseudostate: exec.DeepHistory,
}

// declare makes the vertices below v of its members.
func (x *machine) declare(v *vertex, members []*model.Element) {
	v.members = members
	parallel := x.m.States[v.index].Parallel
	for _, m := range members {
		d := m.Decl()
		if d == nil {
			continue
		}
		kind := exec.SimpleState
		switch d.Metaclass {
		case syntax.StateUsage:
			if d.Member != syntax.OwnedMember && d.Member != syntax.VariantMember {
				continue
			}
			if parallel {
				kind = exec.RegionState
			}
			if label(m) == "done" {
				kind = exec.FinalState
			}
		case syntax.ForkNode:
			kind = exec.ForkState
		case syntax.JoinNode:
			kind = exec.JoinState
		case syntax.TerminateActionUsage:
			if d.Name.Text == "" {
				continue
			}
			kind = exec.TerminateState
		case syntax.PseudostateUsage:
			kind = pseudostates[d.Detail.(*syntax.PseudostatePart).Kind]
		default:
			continue
		}
		child := x.vertex(m, v, kind)
		for _, n := range []string{label(m), d.Name.Text, m.ShortName()} {
			if n != "" && v.byName[n] == nil {
				v.byName[n] = child
			}
		}
		if isState(m) {
			x.declare(child, bodyMembers(m))
		}
	}
}

// collect makes the behaviours and transitions that the body of v declares.
func (x *machine) collect(v *vertex) {
	var last *vertex
	entered := false
	for _, m := range v.members {
		d := m.Decl()
		if d == nil {
			continue
		}
		switch {
		case d.Member == syntax.EntryMember:
			v.entry = d.Name.Text
			x.stateBehaviour(v, m)
			last, entered = nil, true
			continue
		case d.Member == syntax.DoMember || d.Member == syntax.ExitMember:
			x.stateBehaviour(v, m)
			continue
		}
		switch p := d.Detail.(type) {
		case *syntax.ConnectorPart:
			if d.Metaclass == syntax.SuccessionAsUsage {
				x.succession(v, m, p, last, entered)
			}
			continue
		case *syntax.TransitionPart:
			x.transition(v, m, p, last, entered)
			continue
		case *syntax.DeferPart:
			if v.index == 0 && x.m.Fault == nil {
				x.m.Fault = &exec.Failure{Code: badMachine, Message: "defer " + p.Event.Last().Text + " is written in the body of the machine: it belongs to a state"}
			}
			s := &x.m.States[v.index]
			s.Defers = append(s.Defers, p.Event.Last().Text)
			continue
		}
		if child := x.of[m]; child != nil {
			if follows(m) && last != nil {
				x.add(m, exec.StateTransition{Source: last.index, Target: child.index})
			} else if follows(m) && entered {
				x.begin(v, m, child, exec.NoUnit)
			}
			last, entered = child, false
		}
		if d.Metaclass == syntax.AttributeUsage && label(m) == "isRunToCompletion" {
			if value, has := m.Value(); has {
				if lit, ok := value.Expr.(*syntax.LiteralExpression); ok && lit.Text == "false" {
					x.m.States[v.index].Interruptible = true
				}
			}
		}
	}
}

func newTransition() exec.StateTransition {
	return exec.StateTransition{Payload: -1, When: exec.NoUnit, Guard: exec.NoUnit}
}

// add makes a transition of m.
func (x *machine) add(m *model.Element, t exec.StateTransition) *exec.StateTransition {
	full := newTransition()
	full.Source, full.Target = t.Source, t.Target
	i := int32(len(x.m.Transitions))
	full.Name, full.Span = label(m), m.Span()
	x.m.Transitions = append(x.m.Transitions, full)
	s := &x.m.States[full.Source]
	s.Out = append(s.Out, i)
	return &x.m.Transitions[i]
}

// begin makes a way to begin in v.
func (x *machine) begin(v *vertex, m *model.Element, to *vertex, guard exec.UnitID) {
	t := newTransition()
	t.Source, t.Target, t.Guard, t.Span = v.index, to.index, guard, m.Span()
	x.m.States[v.index].Entries = append(x.m.States[v.index].Entries, int32(len(x.m.Transitions)))
	x.m.Transitions = append(x.m.Transitions, t)
}

// find is the vertex that a reference written in the body of v names.
func (x *machine) find(v *vertex, r syntax.Reference) *vertex {
	var names []string
	for _, q := range r.Links {
		for _, s := range q.Segments {
			names = append(names, s.Text)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for at := v; at != nil; at = at.parent {
		if found := at.path(names); found != nil {
			return found
		}
	}
	if len(names) == 1 {
		if found := x.states[0].below(names[0]); found != nil {
			return found
		}
		if names[0] == "done" {
			return x.done(v)
		}
	} else if names[0] == x.m.Name || x.states[0].byName[names[0]] == nil {
		for n := 1; n < len(names); n++ {
			if found := x.states[0].path(names[n:]); found != nil {
				return found
			}
		}
	}
	if x.m.Fault == nil {
		x.m.Fault = &exec.Failure{Code: badMachine, Message: "transition references undefined state \"" + names[len(names)-1] + "\""}
	}
	return nil
}

// path follows names down from v.
func (v *vertex) path(names []string) *vertex {
	for _, n := range names {
		if v = v.byName[n]; v == nil {
			return nil
		}
	}
	return v
}

// below is the first vertex called name at any depth below v.
func (v *vertex) below(name string) *vertex {
	if found := v.byName[name]; found != nil {
		return found
	}
	for _, m := range v.members {
		for n, child := range v.byName {
			if child.element == m && n == label(m) {
				if found := child.below(name); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// done is the final state of the body of v; of the machine where v is
// parallel.
func (x *machine) done(v *vertex) *vertex {
	if found := v.byName["done"]; found != nil {
		return found
	}
	final := x.vertex(nil, v, exec.FinalState)
	x.m.States[final.index].Name = "done"
	v.byName["done"] = final
	return final
}

// target is the vertex that a transition written in v leads to: done is that
// of the body in which its source stands.
func (x *machine) target(v, source *vertex, r syntax.Reference) *vertex {
	if len(r.Links) == 1 && r.Links[0].IsSimple() && r.Links[0].Last().Text == "done" {
		for at := v; at != nil; at = at.parent {
			if found := at.byName["done"]; found != nil {
				return found
			}
		}
		return x.done(v)
	}
	return x.find(v, r)
}

func (x *machine) succession(v *vertex, m *model.Element, p *syntax.ConnectorPart, last *vertex, entered bool) {
	switch {
	case p.ImpliedSource && len(p.Ends) == 1:
		if last == nil && entered {
			if to := x.target(v, v, p.Ends[0].Target); to != nil {
				x.begin(v, m, to, exec.NoUnit)
			}
			return
		}
		if last != nil {
			if to := x.target(v, last, p.Ends[0].Target); to != nil {
				x.labelled(x.add(m, exec.StateTransition{Source: last.index, Target: to.index}))
			}
		}
	case len(p.Ends) == 2:
		x.between(v, m, p.Ends[0].Target, p.Ends[1].Target, nil)
	}
}

// between makes a transition, or a way to begin where the source is the entry
// action of v.
func (x *machine) between(v *vertex, m *model.Element, source, target syntax.Reference, guard syntax.Expr) *exec.StateTransition {
	if len(source.Links) == 1 && source.Links[0].IsSimple() && v.entry != "" && source.Links[0].Last().Text == v.entry && v.byName[v.entry] == nil {
		g := exec.NoUnit
		if guard != nil {
			g = x.flow.expression(guard, m)
		}
		if to := x.target(v, v, target); to != nil {
			x.begin(v, m, to, g)
		}
		return nil
	}
	from := x.find(v, source)
	if from == nil {
		return nil
	}
	to := x.target(v, from, target)
	if to == nil {
		return nil
	}
	t := x.add(m, exec.StateTransition{Source: from.index, Target: to.index})
	x.labelled(t)
	return t
}

// labelled gives a transition the label that choices of its effect show.
func (x *machine) labelled(t *exec.StateTransition) {
	t.Label = t.Name
	if t.Label == "" {
		t.Label = x.m.States[t.Source].Name + "->" + x.m.States[t.Target].Name
	}
}

func (x *machine) transition(v *vertex, m *model.Element, p *syntax.TransitionPart, last *vertex, entered bool) {
	if p.Target == nil {
		return
	}
	var t *exec.StateTransition
	var i int
	switch {
	case len(p.Source.Links) > 0:
		if t = x.between(v, m, p.Source, p.Target.Target, p.Guard); t == nil {
			return
		}
	case last == nil && entered:
		g := exec.NoUnit
		if p.Guard != nil {
			g = x.flow.expression(p.Guard, m)
		}
		if to := x.target(v, v, p.Target.Target); to != nil {
			x.begin(v, m, to, g)
		}
		return
	default:
		from := last
		if from == nil {
			from = v // a trigger with no state before it leaves the state whose body it is in
		}
		scope := v
		if from == v && v.parent != nil {
			scope = v.parent
		}
		to := x.target(scope, from, p.Target.Target)
		if to == nil {
			return
		}
		x.labelled(x.add(m, exec.StateTransition{Source: from.index, Target: to.index}))
	}
	i = len(x.m.Transitions) - 1
	if p.Trigger != nil {
		x.trigger(m, p.Trigger, i)
	}
	if p.Guard != nil {
		g := x.flow.expression(p.Guard, m)
		x.m.Transitions[i].Guard = g
	}
	if p.Effect != nil {
		if e := m.Child(p.Effect); e != nil {
			x.effect(i, e)
		}
	}
	for _, inner := range m.Members() {
		if d := inner.Decl(); d != nil && (isStatementKind(d) || isStep(d)) {
			x.effect(i, inner)
		}
	}
}

// trigger says what transition i waits for.
func (x *machine) trigger(m *model.Element, a *syntax.AcceptPart, i int) {
	t := &x.m.Transitions[i]
	switch a.Trigger {
	case syntax.AfterTrigger, syntax.AtTrigger, syntax.WhenTrigger:
		kind := map[syntax.TriggerKind]exec.TriggerKind{syntax.AfterTrigger: exec.AfterTrigger, syntax.AtTrigger: exec.AtTrigger,
			syntax.WhenTrigger: exec.ChangeTrigger}[a.Trigger]
		when := x.flow.expression(a.Expr, m)
		t = &x.m.Transitions[i]
		t.Trigger, t.When = kind, when
	case syntax.CallTrigger:
		t.Trigger = exec.CallTrigger
		if len(a.Operation.Links) > 0 {
			t.Signal = a.Operation.Links[len(a.Operation.Links)-1].Last().Text
		}
		for _, p := range a.Parameters {
			t.Params = append(t.Params, p.Name.Text)
			t.ParamSlots = append(t.ParamSlots, x.frames[0].slot(p.Name.Text, exec.PayloadData))
		}
	default:
		t.Trigger = exec.SignalTrigger
		t.Signal, t.PayloadName = signalOf(a.Payload)
		if t.PayloadName != "" {
			t.Payload = x.frames[0].slot(t.PayloadName, exec.PayloadData)
		}
		if a.Via != nil {
			t.Port = assignedText(a.Via)
		}
	}
}

// performance is the type of the objects that stand for performances of e.
func (l *Lowering) performance(e *model.Element) exec.TypeID {
	t := &exec.Type{ID: exec.TypeID(len(l.program.Types)), Name: label(e), Qualified: plainName(e), Declared: plainName(e), Performance: true}
	t.Supers = []string{plainName(e)}
	for _, s := range e.Supertypes() {
		t.Supers = append(t.Supers, plainName(s))
	}
	sort.Strings(t.Supers)
	t.Index()
	l.program.Types = append(l.program.Types, t)
	l.sealed = nil
	return t.ID
}
