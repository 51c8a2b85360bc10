package exec

import (
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
)

// This file runs do behaviours, a unit at a time: a statement, or a node of
// a flow.

// register adds the do behaviours of a state that was entered.
func (e *Engine) register(id RunID, state int32) error {
	m := e.machineOf(id)
	for range m.States[state].Do {
		e.World.Behavior.Sequence++
		f := e.editFiring(id)
		f.Dos = append(f.Dos, Do{State: state, Run: NoRun, Seq: e.World.Behavior.Sequence})
	}
	return nil
}

// doRound runs one unit of every do behaviour that can move, in the order
// that choices give, and says whether there was one.
func (e *Engine) doRound(id RunID) (bool, error) {
	m := e.machineOf(id)
	var due []int64
	for _, d := range e.firing(id).Dos {
		if !d.Ended && (d.Run == NoRun || e.canMove(d.Run)) {
			due = append(due, d.Seq)
		}
	}
	acted := len(due) > 0
	for len(due) > 0 {
		c := schedule.Choice{Kind: schedule.DoRound, Where: "do round at " + schedule.At(e.World.now())}
		for _, seq := range due {
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: m.States[e.doOf(id, seq).State].Name})
		}
		k, err := e.choose(c)
		if err != nil {
			return true, err
		}
		if err := e.Meter.Count(budget.DoSteps); err != nil {
			return true, err
		}
		if err := e.doUnit(id, due[k]); err != nil {
			return true, err
		}
		due = append(due[:k:k], due[k+1:]...)
	}
	if acted {
		e.endDos(id)
	}
	return acted, nil
}

func (e *Engine) doOf(id RunID, seq int64) *Do {
	f := e.firing(id)
	for i := range f.Dos {
		if f.Dos[i].Seq == seq {
			return &f.Dos[i]
		}
	}
	return nil
}

// doUnit runs the next unit of a do behaviour.
func (e *Engine) doUnit(id RunID, seq int64) error {
	w := e.World
	d := *e.doOf(id, seq)
	m := e.machineOf(id)
	e.observe(trace.Event{Kind: trace.Do, Name: m.States[d.State].Name})
	run := d.Run
	if run == NoRun {
		nth := 0
		for _, other := range e.firing(id).Dos {
			if other.State == d.State && other.Seq < seq {
				nth++
			}
		}
		var err error
		if run, err = e.beginBehaviour(id, m.States[d.State].Do[min(nth, len(m.States[d.State].Do)-1)]); err != nil {
			return err
		}
		w.editRun(run).Unit = true
		e.editDo(id, seq).Run = run
	}
	if err := e.unit(run); err != nil {
		return err
	}
	if w.Ended(run) {
		e.leaveAnnounced(run)
		e.endRun(run)
		edit := e.editDo(id, seq)
		edit.Run, edit.Ended = NoRun, true
	}
	return nil
}

func (e *Engine) editDo(id RunID, seq int64) *Do {
	f := e.editFiring(id)
	for i := range f.Dos {
		if f.Dos[i].Seq == seq {
			return &f.Dos[i]
		}
	}
	return nil
}

// unit moves the tokens of a do behaviour until one has performed something,
// and those that perform nothing on.
func (e *Engine) unit(run RunID) error {
	if e.Resolver.OneMove() {
		return e.unitMove(run)
	}
	performed := false
	for !e.World.Ended(run) {
		token, performs := e.nextOf(run)
		if token == NoToken || performed && performs {
			return nil
		}
		if err := e.moveToken(e.World.Run(run).Root, token); err != nil {
			return err
		}
		performed = performed || performs
	}
	return nil
}

// nextOf is the token of a do behaviour that moves next: one that performs
// nothing before the others.
func (e *Engine) nextOf(run RunID) (token TokenID, performs bool) {
	token = NoToken
	flow := e.World.Flow(e.World.Run(run).Root)
	for _, t := range flow.Tokens {
		if !e.tokenCanMove(t) {
			continue
		}
		tok := e.World.Token(t)
		n := e.nodeOf(tok)
		if tok.State == Arrived && n.Unit == NoUnit && n.Flow == NoGraph || tok.State == Held && n.Unit == NoUnit {
			return t, false
		}
		if token == NoToken {
			token, performs = t, true
		}
	}
	return token, performs
}

// moveToken gives one token of a flow a turn.
func (e *Engine) moveToken(id FlowID, token TokenID) error {
	w := e.World
	f := w.editFlow(id)
	f.Sweeps++
	s := &f.Sweep
	s.restart()
	for _, t := range f.Tokens {
		tok := w.Token(t)
		s.Places = append(s.Places, Place{ID: tok.ID, Graph: w.Flow(tok.Flow).Graph, Node: tok.Node})
	}
	if t := w.Token(token); t.State == BodyPause || t.State == ChildWait {
		s.Paused = append(s.Paused, token)
	} else {
		s.Order = append(s.Order, token)
	}
	base := len(w.Behavior.Turn)
	e.pushTurn(FlowTurn, int32(id))
	return e.act(base)
}

// endDos queues the completions of states whose do behaviours have ended.
func (e *Engine) endDos(id RunID) {
	m := e.machineOf(id)
	var states []int32
	f := e.editFiring(id)
	for i := 0; i < len(f.Dos); i++ {
		if f.Dos[i].Ended {
			states = append(states, f.Dos[i].State)
			f.Dos = append(f.Dos[:i:i], f.Dos[i+1:]...)
			i--
		}
	}
	for _, s := range states {
		if !e.isActive(id, s) {
			continue
		}
		whole := true
		for _, c := range m.States[s].Children {
			if !e.isActive(id, c) {
				continue
			}
			final := c
			if m.States[c].Kind == RegionState {
				final = e.activeChild(id, c)
			}
			whole = whole && final >= 0 && m.States[final].Kind == FinalState
		}
		if whole {
			e.queueCompletion(id, s)
		}
	}
}
