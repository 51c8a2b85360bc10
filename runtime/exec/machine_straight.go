package exec

import (
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/trace"
)

// This file makes moves of state machines that nothing can come between as
// one piece: from one simple state to a sibling, with behaviours that are
// statements. What they do is what their tasks would do one by one; a search,
// which moves one unit at a time, takes the tasks.

// A shortcut says whether something of a Program can be made as one piece.
type shortcut uint8

const (
	unknown shortcut = iota
	manyPieces
	onePiece
	// quietPiece is onePiece where nothing waits for the state that is entered:
	// it has no completion, and no timer runs in it or around it.
	quietPiece
)

// shortcuts are what an Engine has found out about a Program: by graph, and by
// machine and transition.
type shortcuts struct {
	program     *Program
	graphs      []shortcut
	transitions [][]shortcut
}

// of makes s one about p.
func (s *shortcuts) of(p *Program) {
	if s.program == p {
		return
	}
	s.program = p
	s.graphs = make([]shortcut, len(p.Graphs))
	s.transitions = make([][]shortcut, len(p.Machines))
}

// isOnePiece reports whether graph g is a behaviour that starts, runs and ends
// without anybody else having the turn: the statements of its only node, which
// wait for nothing and perform no other action.
func (s *shortcuts) isOnePiece(g GraphID) bool {
	if s.graphs[g] == unknown {
		s.graphs[g] = manyPieces
		if s.program.isOnePiece(s.program.Graphs[g]) {
			s.graphs[g] = onePiece
		}
	}
	return s.graphs[g] == onePiece
}

func (p *Program) isOnePiece(g *Graph) bool {
	if !g.Leaf || g.Announced || g.Fault != nil || g.Init != NoUnit || len(g.Nodes) != 1 || len(g.Starts) != 1 || len(g.Pins) > 0 {
		return false
	}
	n := &g.Nodes[0]
	return n.Kind == ActionNode && n.Unit != NoUnit && n.Layout == NoLayout && n.Flow == NoGraph && n.Times <= 1 &&
		len(n.In) == 0 && len(n.Out) == 0 && n.Accept < 0 && p.waitsForNothing(n.Unit, 0)
}

// waitsForNothing reports whether all that a unit asks of the Engine is
// answered at once. Calculations and defaults ask nothing else.
func (p *Program) waitsForNothing(id UnitID, depth int) bool {
	u := p.Units[id]
	for i := range u.Requests {
		switch u.Requests[i].Kind {
		case SendRequest, ClockRequest, UnperformedRequest:
		default:
			return false
		}
	}
	for i := range u.Code {
		if op := u.Code[i].Op; (op == OpUnit || op == OpUnitOn) && (depth > 8 || !p.waitsForNothing(UnitID(u.Code[i].B), depth+1)) {
			return false
		}
	}
	return true
}

// straight is onePiece or quietPiece where transition t of m leads from a
// simple state to a sibling or to itself, and all behaviours on the way are one
// piece.
func (s *shortcuts) straight(m *Machine, t int32) shortcut {
	known := s.transitions[m.ID]
	if known == nil {
		known = make([]shortcut, len(m.Transitions))
		s.transitions[m.ID] = known
	}
	if known[t] == unknown {
		x := &m.Transitions[t]
		known[t] = manyPieces
		if m.joinsSiblings(x) && s.areOnePiece(m.States[x.Source].Exit) && s.areOnePiece(x.Effects) && s.areOnePiece(m.States[x.Target].Entry) {
			known[t] = onePiece
			if m.isQuiet(x.Target) {
				known[t] = quietPiece
			}
		}
	}
	return known[t]
}

// isQuiet reports whether entering a state schedules nothing.
func (m *Machine) isQuiet(state int32) bool {
	for at := state; at >= 0; at = m.States[at].Parent {
		for _, t := range m.States[at].Out {
			switch m.Transitions[t].Trigger {
			case AfterTrigger, AtTrigger:
				return false
			case CompletionTrigger:
				if at == state {
					return false
				}
			}
		}
	}
	return true
}

func (s *shortcuts) areOnePiece(list []Behaviour) bool {
	for _, b := range list {
		if !s.isOnePiece(b.Graph) {
			return false
		}
	}
	return true
}

// joinsSiblings reports whether both ends of x are simple states without
// substates in one that is not parallel.
func (m *Machine) joinsSiblings(x *StateTransition) bool {
	if x.Source <= 0 || x.Target <= 0 {
		return false
	}
	from, to := &m.States[x.Source], &m.States[x.Target]
	return from.Parent == to.Parent && from.Parent >= 0 && !m.States[from.Parent].Parallel && from.isPlain() && to.isPlain()
}

func (s *State) isPlain() bool { return s.Kind == SimpleState && !s.Parallel && len(s.Children) == 0 }

// straight reports whether the move that transition t of m is about to make in
// f can be made as one piece.
func (e *Engine) straight(f *Firing, m *Machine, t int32) bool {
	if e.Resolver.OneMove() || len(f.Tasks) > 0 || len(f.Fronts) > 0 || len(f.Goals) > 0 || len(f.Entered) > 0 {
		return false
	}
	e.known.of(e.World.Program)
	return e.known.straight(m, t) >= onePiece
}

// fireStraight makes the move of transition t as one piece: exit, effects,
// entry, then what the state that was entered waits for.
func (e *Engine) fireStraight(id RunID, t int32) error {
	m := e.machineOf(id)
	x := &m.Transitions[t]
	from, to := &m.States[x.Source], &m.States[x.Target]
	e.Covered.taken(m, t)
	e.pushTurn(MachineTurn, int32(id))
	e.deactivate(id, x.Source)
	if err := e.behaveStraight(id, from.Exit...); err != nil {
		return err
	}
	if err := e.behaveStraight(id, x.Effects...); err != nil {
		return err
	}
	e.activate(id, x.Target)
	if err := e.behaveStraight(id, to.Entry...); err != nil {
		return err
	}
	if len(to.Do) > 0 {
		if err := e.register(id, x.Target); err != nil {
			return err
		}
	}
	if e.known.straight(m, t) == quietPiece {
		f := e.editFiring(id)
		f.Entered = f.Entered[:0]
	} else if err := e.scheduleEntered(id); err != nil {
		return err
	}
	e.tellMove(id, x.Source, x.Target)
	e.popTurn()
	return nil
}

// behaveStraight performs behaviours that are one piece, without a run, a flow
// and a token for each.
func (e *Engine) behaveStraight(id RunID, list ...Behaviour) error {
	w := e.World
	for _, b := range list {
		g := w.Program.Graphs[b.Graph]
		e.Covered.begun(g)
		machine := w.Run(id)
		self, depth := machine.Self, machine.Depth
		env := w.NewEnv(g.Layout, machine.Env, len(w.Program.Layouts[g.Layout].Slots))
		if err := e.statements(g.Nodes[0].Unit, self, env, depth); err != nil {
			return err
		}
		w.FreeEnv(env)
		if err := e.Meter.Count(budget.ActionSteps); err != nil {
			return err
		}
		e.Meter.Release()
	}
	return nil
}

// tellMove tells of a transition from one state to another.
func (e *Engine) tellMove(id RunID, from, to int32) {
	if e.Observer == nil {
		return
	}
	m := e.machineOf(id)
	e.observe(trace.Event{Kind: trace.Transition, Name: m.States[from].Name, To: m.States[to].Name, Cause: e.firing(id).Cause})
}
