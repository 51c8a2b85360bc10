package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes graphs of the entry, do and exit behaviours of states and
// of the effects of transitions.

// behaviour is what an entry, do, exit or effect member does; nothing for an
// empty `entry;`.
func (x *machine) behaviour(m *model.Element) []exec.Behaviour {
	d := m.Decl()
	if d.Body == nil && d.Metaclass == syntax.ActionUsage && x.l.calleeOf(m) == nil && len(d.Relationships) == 0 {
		return nil
	}
	return []exec.Behaviour{{Graph: x.graph(m)}}
}

// stateBehaviour adds what an entry, do or exit member of v does.
func (x *machine) stateBehaviour(v *vertex, m *model.Element) {
	made := x.behaviour(m) // may add states
	s := &x.m.States[v.index]
	switch m.Decl().Member {
	case syntax.EntryMember:
		s.Entry = append(s.Entry, made...)
	case syntax.DoMember:
		s.Do = append(s.Do, made...)
	default:
		s.Exit = append(s.Exit, made...)
	}
}

// effect adds what member m of transition i does.
func (x *machine) effect(i int, m *model.Element) {
	made := x.behaviour(m)
	t := &x.m.Transitions[i]
	t.Effects = append(t.Effects, made...)
}

// graph is the graph of one behaviour: the flow of its body where it has one,
// else a single node that performs it.
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
	way := performance{typed: x.l.calleeOf(m) != nil && !d.Is(syntax.ByReference), braces: d.Body != nil && !isStatementDecl(d)}
	if way.braces && !way.typed && isFlowBody(f.members, true) && !isBlockFlow(f.members) {
		f.graph.Announced = true
		f.around = f // nested: it is no action of its own
		f.declareFeatures()
		f.lowerFlow()
		return f.graph.ID
	}
	x.single(f, m, name, way)
	return f.graph.ID
}

// A performance says how a behaviour is written, from which follows how a
// single node performs it.
type performance struct {
	typed  bool // it performs the action that types it
	braces bool // it has a body of its own
}

// single makes f a graph of one node, which performs m.
func (x *machine) single(f *flow, m *model.Element, name string, way performance) {
	f.lowered = true
	f.graph.Leaf = true
	n := f.addNode(m, exec.ActionNode, name)
	f.graph.Starts = []int32{n.index}
	f.declareFeatures()
	x.declarePins(f, m, way.typed)
	u := x.l.unit("", exec.PlainUnit)
	f.compile(u, scopeOf(m), f.frames, func(b *body) {
		p := &performer{flow: f, b: b, frames: f.frames, host: f.owner, name: name}
		b.host = p
		switch d := m.Decl(); {
		case way.typed:
			b.stmt("action body", "", m)
			b.depth++
			p.step(m, d)
			b.depth--
		case way.braces:
			b.stmt("action body", "", m)
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
}

// declarePins gives slots to what performing m leaves, behind its name where
// an action types it.
func (x *machine) declarePins(f *flow, m *model.Element, typed bool) {
	own := f.frame()
	for _, pin := range x.l.pinsOf(m, 0) {
		if typed && label(m) != "" {
			pin = label(m) + "." + pin
		}
		if _, ok := own.slots[pin]; !ok {
			slot := own.hidden(pin, exec.PinData)
			if strings.Contains(pin, ".") {
				own.slots[pin] = slot
			}
		}
	}
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
