package exec

import (
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file makes one move of a state machine: a unit of a do behaviour, or
// what comes next of changes and events. Which of them is a choice.

// moveMachine makes one move of a machine and says whether there was one.
func (e *Engine) moveMachine(id RunID) (bool, error) {
	dos := e.ableDos(id)
	other, reacts := e.nextReaction(id)
	if len(dos) == 0 {
		if !reacts {
			return false, nil
		}
		return e.react(id, false)
	}
	c := schedule.Choice{Kind: schedule.StepOrder, Where: "at " + schedule.At(e.World.now())}
	c.Alternatives = e.doAlternatives(id, c.Alternatives, dos)
	if reacts {
		c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: "dispatch " + other})
	}
	k, err := e.choose(c)
	if err != nil {
		return true, err
	}
	if k == len(dos) {
		return e.react(id, false)
	}
	return true, e.moveDo(id, dos[k])
}

// ableDos are the do behaviours that a move would get on, by their numbers.
func (e *Engine) ableDos(id RunID) []int64 {
	var able []int64
	for _, d := range e.firing(id).Dos {
		if !d.Ended && (d.Run == NoRun || e.World.Ended(d.Run) || e.ableFlow(e.World.Run(d.Run).Root)) {
			able = append(able, d.Seq)
		}
	}
	return able
}

func (e *Engine) doAlternatives(id RunID, list []schedule.Alternative, dos []int64) []schedule.Alternative {
	for _, seq := range dos {
		list = append(list, schedule.Alternative{Label: "do " + e.machineOf(id).States[e.doOf(id, seq).State].Name})
	}
	return list
}

// moveDo runs the next unit of a do behaviour.
func (e *Engine) moveDo(id RunID, seq int64) error {
	if err := e.Meter.Count(budget.DoSteps); err != nil {
		return err
	}
	if err := e.doUnit(id, seq); err != nil {
		return err
	}
	e.endDos(id)
	return nil
}

// nextReaction is what a machine would react to next, and whether there is
// anything.
func (e *Engine) nextReaction(id RunID) (string, bool) {
	w := e.World
	f := e.firing(id)
	if e.hasChange(id) {
		if changed, err := e.probe().poll(id); err != nil || changed {
			return "change", true
		}
	}
	for row := f.Timed.First; row != NoRow; row = w.Event(row).Next {
		switch ev := w.Event(row); {
		case ev.Kind == CompletionEvent:
			return "completion of " + e.machineOf(id).States[ev.State].Name, true
		case ev.Time <= w.now():
			return ev.cause(), true
		}
	}
	for row := f.Pool.First; row != NoRow; row = w.Event(row).Next {
		if ev := w.Event(row); !ev.Deferred {
			return ev.cause(), true
		}
	}
	if row := e.reactsTo(id); row != NoRow {
		return "accept " + w.Message(row).Signal, true
	}
	return "entry", f.Interrupted >= 0
}

// unitMove moves the tokens of a do behaviour until one has performed
// something, drawn among those that can, and those that perform nothing on.
func (e *Engine) unitMove(run RunID) error {
	w := e.World
	performed := false
	for !w.Ended(run) {
		var able []TokenID
		silent := NoToken
		flow := w.Run(run).Root
		for _, token := range w.Flow(flow).Tokens {
			if !e.able(token) {
				continue
			}
			if n := e.nodeOf(w.Token(token)); n.Unit == NoUnit && n.Flow == NoGraph {
				silent = token
				break
			}
			able = append(able, token)
		}
		switch {
		case silent != NoToken:
			able = append(able[:0], silent)
		case performed || len(able) == 0:
			return nil
		default:
			performed = true
		}
		k, err := e.choose(e.tokenOrder(run, able))
		if err != nil {
			return err
		}
		if err := e.moveToken(flow, able[k]); err != nil {
			return err
		}
	}
	return nil
}

// againstDos lets do behaviours that can move go before the entries that are
// left of a move, if a choice says so, any number of times. It is asked where
// an entry comes next; ready are the labels of the entries. The index of the
// one that goes first is k, or, with again, a do behaviour went first.
func (e *Engine) againstDos(id RunID, c schedule.Choice) (k int, again bool, err error) {
	entries := len(c.Alternatives)
	var dos []int64
	if e.Resolver.OneMove() {
		dos = e.ableDos(id)
		c.Alternatives = e.doAlternatives(id, c.Alternatives, dos)
	}
	if k, err = e.choose(c); err != nil || k < entries {
		return k, false, err
	}
	return 0, true, e.moveDo(id, dos[k-entries])
}
