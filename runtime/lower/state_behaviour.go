package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes graphs of the entry, do and exit behaviours of states and
// of the effects of transitions.

// behaviour adds what an entry, do or exit member of v does; nothing for an
// empty `entry;`.
func (x *machine) behaviour(v *vertex, m *model.Element, to *[]exec.Behaviour) {
	d := m.Decl()
	if d.Body == nil && d.Metaclass == syntax.ActionUsage && x.l.calleeOf(m) == nil && len(d.Relationships) == 0 {
		return
	}
	index := v.index
	g := x.graph(m)
	s := &x.m.States[index]
	switch d.Member {
	case syntax.EntryMember:
		s.Entry = append(s.Entry, exec.Behaviour{Graph: g})
	case syntax.DoMember:
		s.Do = append(s.Do, exec.Behaviour{Graph: g})
	default:
		s.Exit = append(s.Exit, exec.Behaviour{Graph: g})
	}
	_ = to
}

func (x *machine) effect(m *model.Element, to *[]exec.Behaviour) {
	d := m.Decl()
	if d.Body == nil && d.Metaclass == syntax.ActionUsage && x.l.calleeOf(m) == nil && len(d.Relationships) == 0 {
		return
	}
	*to = append(*to, exec.Behaviour{Graph: x.graph(m)})
}

// graph is the graph of one behaviour.
func (x *machine) graph(m *model.Element) exec.GraphID {
	d := m.Decl()
	own := x.l.frame()
	f := x.l.newFlow(m, own, exec.StateGraph)
	f.root = x.flow
	f.frames = append([]*frame{own}, x.flow.frames...)
	f.graph.Outer = x.frames[0].id
	name := label(m)
	f.graph.Name = name
	if name == "" {
		name = "<anonymous>"
	}
	f.owner = "state behavior " + name
	f.graph.Owner = f.owner
	f.members = m.Members()
	callee := x.l.calleeOf(m)
	braces := d.Body != nil && !isStatementDecl(d)
	typed := callee != nil && !d.Is(syntax.ByReference)
	if braces && !typed && isFlowBody(f.members, true) && !isBlockFlow(f.members) {
		f.graph.Announced = true
		f.around = f // nested: it is no action of its own
		f.declareFeatures()
		f.lowerFlow()
		return f.graph.ID
	}
	f.lowered = true
	f.graph.Leaf = true
	n := f.addNode(m, exec.ActionNode, name)
	f.graph.Starts = []int32{n.index}
	f.declareFeatures()
	for _, pin := range x.l.pinsOf(m, 0) {
		if typed && label(m) != "" {
			pin = label(m) + "." + pin
		}
		if _, ok := own.slots[pin]; !ok {
			own.hidden(pin, exec.PinData)
			if strings.Contains(pin, ".") {
				own.slots[pin] = int32(len(own.layout.Slots) - 1)
			}
		}
	}
	u := x.l.unit("", exec.PlainUnit)
	f.compile(u, scopeOf(m), f.frames, func(b *body) {
		p := &performer{flow: f, b: b, frames: f.frames, host: f.owner, name: name}
		b.host = p
		switch {
		case typed:
			b.stmt("action body", m)
			b.depth++
			p.step(m, d)
			b.depth--
		case braces:
			b.stmt("action body", m)
			b.depth++
			p.inBehaviour = true
			for _, inner := range f.members {
				if isPerformed(inner) {
					b.statement(inner)
				}
			}
			b.depth--
		case isStatementKind(d):
			b.statement(m)
		default:
			p.perform(m, "")
		}
		b.emit(exec.Instr{Op: exec.OpReturnNone})
	})
	f.graph.Nodes[n.index].Unit = u.ID
	return f.graph.ID
}

// isBlockFlow reports whether a body of a behaviour is performed in written
// order: it has steps, but nothing that orders or waits.
func isBlockFlow(members []*model.Element) bool { return !isFlowBody(members, false) }

// declareFeatures gives slots to the features that the behaviour declares.
func (f *flow) declareFeatures() {
	params := f.graph.Params
	f.declareData()
	f.graph.Params = params
}
