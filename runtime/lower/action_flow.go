package lower

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes the nodes and edges of a flow.

var badAction = diagnostic.Register("bad-action",
	"The body of an action is no flow that can be performed: a succession leads to a node that is not there, or a node has no place in the flow.")

// A node is a node of a flow in the making.
type node struct {
	element *model.Element // nil for start and an implied done
	index   int32
	// fused are unnamed statements that `then` chains to the node: they run
	// in its step.
	fused []*model.Element
	// frame is that of a performance of the node; nil where it has none.
	frame *frame
}

func (f *flow) lower() {
	if f.lowered {
		return
	}
	f.lowered = true
	if f.graph.Kind != exec.SubflowGraph && !isFlowBody(f.members, f.around == nil) {
		f.lowerLeaf()
		return
	}
	f.lowerFlow()
}

// lowerFlow makes the nodes and edges of a body that is a flow.
func (f *flow) lowerFlow() {
	f.lowered = true
	f.lowerInit()
	f.collectNodes()
	f.collectEdges()
	f.collectPins()
	f.collectFlows()
	f.findStarts()
	f.findAwaits()
	f.findUnplaced()
	for _, n := range f.nodes {
		f.lowerNode(n)
	}
}

// lowerLeaf makes the graph of a body that has statements alone.
func (f *flow) lowerLeaf() {
	f.lowerInit()
	f.graph.Leaf = true
	n := f.addNode(f.element, exec.ActionNode, f.graph.Name)
	f.graph.Starts = []int32{n.index}
	var statements []*model.Element
	for _, m := range f.members {
		if d := m.Decl(); d != nil && !isDataMember(m) {
			statements = append(statements, m)
		}
	}
	u := f.l.unit("", exec.PlainUnit)
	f.compile(u, f.element, f.frames, func(b *body) {
		p := &performer{flow: f, b: b, frames: f.frames, host: f.owner, name: f.graph.Name, started: f.graph.Init != exec.NoUnit}
		b.host = p
		p.perform(f.element, "")
		for _, m := range statements {
			if isPerformed(m) {
				b.statement(m)
			}
		}
		b.emit(exec.Instr{Op: exec.OpReturnNone})
	})
	f.graph.Nodes[n.index].Unit = u.ID
}

// lowerInit evaluates the values of attributes in order, each where nobody
// gave one.
func (f *flow) lowerInit() {
	if !f.valued() && f.graph.Kind != exec.SubflowGraph {
		return
	}
	u := f.l.unit("", exec.PlainUnit)
	f.compile(u, f.element, f.frames, func(b *body) {
		if f.graph.Kind == exec.SubflowGraph {
			f.clear(b)
		}
		f.values(b, f.members)
		b.emit(exec.Instr{Op: exec.OpReturnNone})
	})
	f.graph.Init = u.ID
}

func (f *flow) valued() bool {
	for _, m := range f.members {
		if _, has := m.Value(); has && isDataMember(m) {
			return true
		}
	}
	return false
}

// values evaluates the values of data members into slots of the innermost
// frame that have none.
func (f *flow) values(b *body, members []*model.Element) {
	for _, m := range members {
		if !isDataMember(m) || label(m) == "" {
			continue
		}
		slot, ok := b.datas[0].slots[label(m)]
		v, has := m.Value()
		if !ok || !has {
			continue
		}
		b.ifAbsent(slot, func() {
			b.computing = append(b.computing, m)
			r := b.in(v.Scope, v.Expr, -1)
			b.computing = b.computing[:len(b.computing)-1]
			b.emit(exec.Instr{Op: exec.OpSetEnv, A: r, B: 0, C: slot})
		})
	}
}

// ifAbsent does something where a slot of the innermost frame has no value.
func (b *body) ifAbsent(slot int32, do func()) {
	top := b.top
	b.emit(exec.Instr{Op: exec.OpEnv, A: b.alloc(), B: 0, C: slot})
	absent := b.jump()
	over := b.jump()
	b.land(absent)
	do()
	b.land(over)
	b.top = top
}

// clear empties the slots of what a block declares, for a new pass.
func (f *flow) clear(b *body) {
	for _, m := range f.members {
		if isDataMember(m) && label(m) != "" {
			b.emit(exec.Instr{Op: exec.OpSetEnv, A: b.konst(value.Value{}), B: 0, C: f.frame().slots[label(m)]})
		}
	}
}

// compile lowers a unit that works on the Envs of frames. What it calls may
// be called twice.
func (f *flow) compile(u *exec.Unit, scope *model.Element, frames []*frame, do func(b *body)) {
	f.l.compile(u, scope, func(b *body) {
		b.self = true
		for _, fr := range frames {
			b.datas = append(b.datas, &fr.data)
		}
		do(b)
	})
}

// expression is the unit that evaluates x over the frames of the flow.
func (f *flow) expression(x syntax.Expr, scope *model.Element) exec.UnitID {
	u := f.l.unit("", exec.PlainUnit)
	f.compile(u, scope, f.frames, func(b *body) { b.emit(exec.Instr{Op: exec.OpReturn, B: b.expr(x, -1)}) })
	return u.ID
}

func (f *flow) addNode(e *model.Element, kind exec.NodeKind, name string) *node {
	n := &node{element: e, index: int32(len(f.nodes))}
	f.nodes = append(f.nodes, n)
	g := exec.GraphNode{Kind: kind, Name: name, Unit: exec.NoUnit, Layout: exec.NoLayout, Flow: exec.NoGraph, Times: 1, Accept: -1}
	if e != nil {
		g.Span = e.Span()
		if m := e.Multiplicity(); m.Declared && m.Constant && m.Upper > 1 && m.Lower == m.Upper {
			g.Times = int32(m.Upper)
		}
	}
	f.graph.Nodes = append(f.graph.Nodes, g)
	return n
}

var unnamedNodes = map[syntax.Metaclass]string{
	syntax.ForkNode: "fork", syntax.JoinNode: "join", syntax.MergeNode: "merge", syntax.DecisionNode: "decision",
	syntax.IfActionUsage: "if", syntax.WhileLoopActionUsage: "while", syntax.ForLoopActionUsage: "for",
	syntax.AssignmentActionUsage: "assign", syntax.SendActionUsage: "send", syntax.TerminateActionUsage: "terminate",
}

// nodeName is how traces call the node of an element.
func nodeName(e *model.Element) string {
	if n := label(e); n != "" {
		return n
	}
	if d := e.Decl(); d != nil {
		if p, ok := d.Detail.(*syntax.WhileLoopPart); ok && p.While == nil {
			return "loop"
		}
		if n := unnamedNodes[d.Metaclass]; n != "" {
			return n
		}
	}
	return "usage_action"
}

// collectNodes makes a node of every member that is one, in order.
func (f *flow) collectNodes() {
	var last *node
	for _, m := range f.members {
		d := m.Decl()
		if d == nil {
			continue
		}
		if part, ok := d.Detail.(*syntax.InitialPart); ok {
			f.declareInitial(part.Target.Last().Text)
			continue
		}
		if isFinal(m) {
			f.done()
			continue
		}
		kind := exec.ActionNode
		switch d.Metaclass {
		case syntax.ForkNode:
			kind = exec.ForkNode
		case syntax.JoinNode:
			kind = exec.JoinNode
		case syntax.MergeNode:
			kind = exec.MergeNode
		case syntax.DecisionNode:
			kind = exec.DecideNode
		default:
			if !isStep(d) && !isStatementKind(d) {
				continue
			}
			if isStatementKind(d) && d.Name.Text == "" && d.Metaclass != syntax.AcceptActionUsage && d.Then != nil && last != nil && isStep(last.element.Decl()) {
				last.fused = append(last.fused, m)
				continue
			}
		}
		n := f.addNode(m, kind, nodeName(m))
		f.name(n, label(m), m.ShortName())
		if d.Name.Text != "" {
			f.name(n, d.Name.Text)
		}
		for _, r := range m.RedefinitionClosure() {
			f.name(n, label(r))
		}
		last = n
		if kind != exec.ActionNode {
			last = nil
		}
	}
}

func (f *flow) name(n *node, names ...string) {
	for _, s := range names {
		if s != "" && f.byName[s] == nil {
			f.byName[s] = n
		}
	}
}

// declareInitial notes that the flow begins at the node called name; unless
// a member has that name it is a node of its own.
func (f *flow) declareInitial(name string) {
	for _, m := range f.members {
		if d := m.Decl(); d != nil && (isStep(d) || isControl(d)) && (label(m) == name || d.Name.Text == name) {
			return
		}
	}
	if f.byName[name] == nil {
		f.name(f.addNode(nil, exec.InitialNode, name), name)
	}
}

// done is the final node.
func (f *flow) done() *node {
	if n := f.byName["done"]; n != nil {
		return n
	}
	n := f.addNode(nil, exec.FinalNode, "done")
	f.name(n, "done")
	return n
}

// end is the node that an end of a succession names; nil and an error of the
// graph where there is none.
func (f *flow) end(r syntax.Reference) *node {
	name := ""
	if len(r.Links) > 0 {
		name = r.Links[len(r.Links)-1].Last().Text
	}
	if n := f.byName[name]; n != nil {
		return n
	}
	switch name {
	case "done":
		return f.done()
	case "start":
		n := f.addNode(nil, exec.InitialNode, "start")
		f.name(n, "start")
		return n
	}
	if f.graph.Fault == nil {
		f.graph.Fault = &exec.Failure{Code: badAction, Message: "succession edge references undefined target node \"" + name + "\""}
	}
	return nil
}

// collectEdges makes the edges, in the order of declaration.
func (f *flow) collectEdges() {
	var last, decide *node
	for _, m := range f.members {
		d := m.Decl()
		if d == nil {
			continue
		}
		switch p := d.Detail.(type) {
		case *syntax.InitialPart:
			last = f.byName[p.Target.Last().Text]
			continue
		case *syntax.ConnectorPart:
			if d.Metaclass == syntax.SuccessionAsUsage {
				f.succession(m, p, last)
			}
			continue
		case *syntax.TransitionPart:
			f.guarded(m, p, last, decide)
			continue
		}
		n := f.nodeOf(m)
		if n == nil {
			continue
		}
		if follows(m) && n.element == m && last != nil {
			f.edge(last, n, m)
		}
		last = n
		if d.Metaclass == syntax.DecisionNode {
			decide = n
		}
	}
	if f.graph.Kind == exec.SubflowGraph && len(f.graph.Edges) == 0 {
		for i := 1; i < len(f.nodes); i++ {
			f.edge(f.nodes[i-1], f.nodes[i], f.nodes[i].element)
		}
	}
}

// nodeOf is the node that a member is, or is performed by.
func (f *flow) nodeOf(m *model.Element) *node {
	if isFinal(m) {
		return f.byName["done"]
	}
	for _, n := range f.nodes {
		if n.element == m {
			return n
		}
		if slices.Contains(n.fused, m) {
			return n
		}
	}
	return nil
}

func (f *flow) edge(from, to *node, m *model.Element) *exec.Edge {
	if from == nil || to == nil {
		return nil
	}
	i := int32(len(f.graph.Edges))
	out := &f.graph.Nodes[from.index].Out
	*out = append(*out, i)
	in := &f.graph.Nodes[to.index].In
	*in = append(*in, i)
	f.graph.Edges = append(f.graph.Edges, exec.Edge{From: from.index, To: to.index, Guard: exec.NoUnit, Weight: exec.NoUnit,
		Number: int32(len(*out)), Span: m.Span()})
	return &f.graph.Edges[i]
}

// leads reports whether a succession without a guard leads from one node to
// another.
func (f *flow) leads(from, to *node) bool {
	if to == nil {
		return true
	}
	for _, x := range f.graph.Edges {
		if x.From == from.index && x.To == to.index && x.Guard == exec.NoUnit && !x.Else {
			return true
		}
	}
	return false
}

// findUnplaced notes an initial node that leads nowhere, and a statement that
// no succession gives a place among the nodes.
func (f *flow) findUnplaced() {
	if f.graph.Kind == exec.SubflowGraph || f.graph.Fault != nil {
		return
	}
	for _, i := range f.graph.Starts {
		if n := &f.graph.Nodes[i]; n.Kind == exec.InitialNode && len(n.Out) == 0 {
			f.graph.Fault = &exec.Failure{Code: badAction, Message: "invalid action flow: initial node has no successors"}
			return
		}
	}
	for _, n := range f.nodes {
		if n.element == nil || label(n.element) != "" || len(f.nodes) == 1 {
			continue
		}
		d, g := n.element.Decl(), &f.graph.Nodes[n.index]
		if isStatementKind(d) && d.Metaclass != syntax.AcceptActionUsage && len(g.In)+len(g.Out) == 0 {
			f.graph.Fault = &exec.Failure{Code: badAction, Message: "'" + unnamedNodes[d.Metaclass] +
				"' written directly in an action body has no position in the token flow: declare it inside an action node"}
			return
		}
	}
}

func (f *flow) succession(m *model.Element, p *syntax.ConnectorPart, last *node) {
	var from, to *node
	switch {
	case p.ImpliedSource && len(p.Ends) == 1:
		from, to = last, f.end(p.Ends[0].Target)
	case len(p.Ends) == 2:
		from, to = f.end(p.Ends[0].Target), f.end(p.Ends[1].Target)
	}
	x := f.edge(from, to, m)
	if x == nil {
		return
	}
	f.weigh(len(f.graph.Edges)-1, m)
}

// weigh gives edge i the probability of the succession that it was made of.
func (f *flow) weigh(i int, m *model.Element) {
	if w := probability(m); w != nil {
		u := f.expression(w, m)
		x := &f.graph.Edges[i]
		x.Weight = u
		f.graph.Nodes[x.From].Weighted = true
	}
}

// probability is the p of the metadata Probability of a succession; nil where
// it has none.
func probability(m *model.Element) syntax.Expr {
	for _, inner := range m.Members() {
		d := inner.Decl()
		if d == nil || d.Metaclass != syntax.MetadataUsage {
			continue
		}
		typed := d.Related(syntax.TypedBy)
		if len(typed) == 0 || typed[0].First().Last().Text != "Probability" {
			continue
		}
		for _, x := range d.Members() {
			if x.Value != nil {
				return x.Value.Expr
			}
		}
	}
	return nil
}

func (f *flow) guarded(m *model.Element, p *syntax.TransitionPart, last, decide *node) {
	from := last
	if len(p.Source.Links) > 0 {
		from = f.end(p.Source)
	} else if last == nil || f.graph.Nodes[last.index].Kind != exec.DecideNode {
		if decide != nil {
			from = decide
		}
	}
	if p.Target == nil {
		return
	}
	x := f.edge(from, f.end(p.Target.Target), m)
	if x == nil {
		return
	}
	i := len(f.graph.Edges) - 1
	if p.Guard != nil {
		g := f.expression(p.Guard, m)
		f.graph.Edges[i].Guard = g
	}
	f.graph.Edges[i].Else = p.Form == syntax.DefaultTargetSuccession
	f.weigh(i, m)
}

// findStarts lists the nodes that get a token at first: the initial one, or
// all that no succession leads to.
func (f *flow) findStarts() {
	g := f.graph
	first := map[*model.Element]string{}
	for _, m := range f.members {
		if d := m.Decl(); d != nil {
			if p, ok := d.Detail.(*syntax.InitialPart); ok && g.Fault == nil {
				if before, twice := first[m.Owner()]; twice {
					g.Fault = &exec.Failure{Code: badAction, Message: "invalid action flow: " + "\"" + before + "\" and \"" + p.Target.Last().Text + "\"" +
						" are both the initial node"}
				}
				first[m.Owner()] = p.Target.Last().Text
			}
		}
	}
	for _, m := range f.members {
		if d := m.Decl(); d != nil {
			if p, ok := d.Detail.(*syntax.InitialPart); ok {
				if n := f.byName[p.Target.Last().Text]; n != nil {
					g.Starts = []int32{n.index}
					return
				}
			}
		}
	}
	for i := range g.Nodes {
		if g.Nodes[i].Kind == exec.InitialNode {
			g.Starts = []int32{int32(i)}
			return
		}
	}
	for i := range g.Nodes {
		if len(g.Nodes[i].In) == 0 && g.Nodes[i].Kind != exec.FinalNode {
			g.Starts = append(g.Starts, int32(i))
		}
	}
}

// findAwaits works out, for every node that several successions lead to, from
// which nodes a token could still come along each.
func (f *flow) findAwaits() {
	g := f.graph
	words := (len(g.Nodes) + 63) / 64
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if len(n.In) < 2 || n.Kind == exec.MergeNode || n.Kind == exec.FinalNode {
			continue
		}
		for _, in := range n.In {
			set := make([]uint64, words)
			var mark func(at int32)
			mark = func(at int32) {
				if at == int32(i) || set[at/64]&(1<<(uint(at)%64)) != 0 {
					return
				}
				set[at/64] |= 1 << (uint(at) % 64)
				for _, before := range g.Nodes[at].In {
					mark(g.Edges[before].From)
				}
			}
			mark(g.Edges[in].From)
			n.Awaits = append(n.Awaits, set)
		}
	}
}
