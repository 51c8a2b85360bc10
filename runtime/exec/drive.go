package exec

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file drives runs to their end: steps, what else can act at the same
// instant, and the clock when nothing can.

// Complete runs a run to its end. What objects do and what the clock brings
// happens as it would; an action that nothing can wake any more is an error.
func (e *Engine) Complete(id RunID) error {
	for !e.World.Ended(id) {
		moved, err := e.advanceRun(id)
		if err != nil {
			return err
		}
		if moved {
			continue
		}
		if e.World.Run(id).Machine != NoMachine {
			return nil
		}
		return e.deadlock(id)
	}
	return nil
}

// advanceRun makes a run move: by a step, by what others do now, or by the
// clock; moved is false where none of these helps. With a Resolver that moves
// one token a step, it makes one move of a search.
func (e *Engine) advanceRun(id RunID) (moved bool, err error) {
	if e.Resolver.OneMove() {
		p, err := e.moveOne(id)
		return p != Resting, err
	}
	if moved, err = e.turnOf(id); moved || err != nil || e.World.Ended(id) {
		return moved || e.World.Ended(id), err
	}
	if moved, err = e.SettleOthers(id); moved || err != nil {
		return moved, err
	}
	return e.jump(id)
}

// turnOf lets a run act once: a step of an action, all of a machine until it
// is quiet.
func (e *Engine) turnOf(id RunID) (bool, error) {
	if e.World.Run(id).Machine != NoMachine {
		return e.settleMachine(id)
	}
	return e.Step(id)
}

// SettleOthers lets all runs but one act until each is quiet at the present
// instant, and says whether any did.
func (e *Engine) SettleOthers(but RunID) (bool, error) {
	any := false
	for {
		acted := false
		for _, id := range append([]RunID(nil), e.World.Behavior.Attached...) {
			if id == but || !e.World.Run(id).Used || !e.canAct(id) {
				continue
			}
			if err := e.settle(id); err != nil {
				return any, err
			}
			acted, any = true, true
			break
		}
		if !acted {
			return any, nil
		}
		if err := e.Meter.Count(budget.Events); err != nil {
			return any, err
		}
	}
}

// settle runs a run until it is quiet.
func (e *Engine) settle(id RunID) error {
	e.announce(id)
	for !e.World.Ended(id) {
		moved, err := e.turnOf(id)
		if err != nil || !moved {
			return e.ofObject(id, err)
		}
	}
	return nil
}

// canAct reports whether a run has something to do at the present instant.
func (e *Engine) canAct(id RunID) bool {
	w := e.World
	if w.Ended(id) {
		return false
	}
	if w.Run(id).Machine != NoMachine {
		return e.machineCanAct(id)
	}
	return e.flowCanMove(w.Run(id).Root)
}

// jump moves the clock to the next instant that anything waits for, where that
// can bring the run anything, and lets what is due there act in the order that a
// choice gives.
func (e *Engine) jump(id RunID) (bool, error) {
	next, ok := e.nextDue()
	if !ok || !e.outlook(id) {
		return false, nil
	}
	if err := e.Meter.Cancelled(); err != nil {
		return false, err
	}
	e.setClock(next)
	return true, e.actDue(id)
}

// actDue lets the runs that are due act one after the other. The driven run
// stops at its end.
func (e *Engine) actDue(driven RunID) error {
	w := e.World
	for {
		var due []RunID
		c := schedule.Choice{Kind: schedule.Due, Where: "at " + schedule.At(w.now())}
		for _, id := range w.Behavior.Attached {
			if e.canAct(id) {
				due = append(due, id)
				c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: e.title(id)})
			}
		}
		if len(due) == 0 {
			return nil
		}
		k, err := e.choose(c)
		if err != nil {
			return err
		}
		if due[k] != driven {
			if err := e.settle(due[k]); err != nil {
				return err
			}
			continue
		}
		for !w.Ended(driven) {
			moved, err := e.turnOf(driven)
			if err != nil || w.Ended(driven) {
				return err
			}
			if !moved {
				break
			}
		}
	}
}

// Turn lets a run act once at the present instant, and others with it; the
// clock moves when nobody can. It says whether anything happened.
func (e *Engine) Turn(id RunID) (bool, error) { return e.advanceRun(id) }

// Advance moves the clock on by seconds, and lets what comes due on the way
// act at its instant.
func (e *Engine) Advance(seconds float64) error {
	if seconds < 0 || seconds != seconds {
		return failAt(BadTime, source.Span{}, "the clock cannot be moved by "+schedule.Decimal(seconds)+" seconds: it only moves on")
	}
	end := e.World.now() + seconds
	if _, err := e.SettleOthers(NoRun); err != nil {
		return err
	}
	for {
		next, ok := e.nextDue()
		if !ok || next > end {
			break
		}
		if err := e.Meter.Cancelled(); err != nil {
			return err
		}
		e.setClock(next)
		if err := e.actDue(NoRun); err != nil {
			return err
		}
	}
	if end > e.World.now() {
		e.setClock(end)
	}
	return nil
}

// Rest lets a run act, then others and it, until all are quiet at the present
// instant.
func (e *Engine) Rest(id RunID) error {
	for !e.World.Ended(id) {
		moved, err := e.turnOf(id)
		if err != nil {
			return err
		}
		if !moved {
			break
		}
	}
	return e.Settle()
}

// Settle lets all runs act until each is quiet at the present instant.
func (e *Engine) Settle() error {
	_, err := e.SettleOthers(NoRun)
	return err
}

// title is how a choice names a run.
func (e *Engine) title(id RunID) string {
	w := e.World
	r := w.Run(id)
	name := ""
	if r.Machine != NoMachine {
		name = "state machine " + w.Program.Machines[r.Machine].Name
	} else {
		name = "action " + w.Program.Graphs[r.Graph].Name
	}
	if r.Label != NoName {
		kind := "action "
		if r.Machine != NoMachine {
			kind = "state machine "
		}
		name = kind + w.Program.Name(r.Label)
	}
	if r.Self != value.NoObject && r.Label != NoName {
		name += fmt.Sprintf(" of object #%d", w.numberOf(r.Self))
	}
	return name
}

// deadlock is the error of an action that nothing can wake: who waits for
// what.
func (e *Engine) deadlock(id RunID) error {
	w := e.World
	graph := w.Program.Graphs[w.Run(id).Graph]
	var waits []string
	stuck, others := 0, 0
	var list func(flow FlowID)
	list = func(flow FlowID) {
		for _, token := range w.Flow(flow).Tokens {
			t := w.Token(token)
			switch {
			case t.State == MessageWait || t.State == ChangeWait || e.firstAccept(token) != nil && !e.holds(token):
				waits = append(waits, e.waitText(token))
			case t.State == ChildWait && w.Run(t.Child).Root != NoFlow:
				list(w.Run(t.Child).Root)
			case t.State == SubWait:
				list(t.Sub)
			default:
				others++
			}
			stuck++
		}
	}
	list(w.Run(id).Root)
	if len(waits) == 0 {
		return failAt(ActionDeadlock, graph.Span, fmt.Sprintf("action deadlock: %d token(s) stuck, no progress made", stuck))
	}
	text := strings.Join(waits, ", ")
	if others > 0 {
		text += fmt.Sprintf("; %d token(s) blocked for another reason", others)
	}
	return failAt(ActionDeadlock, graph.Span, "accept deadlock in action "+graph.Name+": nothing can post the awaited message ("+text+")")
}

// waitText is what a token waits for, for a message.
func (e *Engine) waitText(token TokenID) string {
	t := *e.World.Token(token)
	a := e.firstAccept(token)
	if a == nil {
		a = e.waitsAt(token)
	}
	if t.Since == 0 { // a move that got it nowhere was never made
		t.Since = max(0, e.stepOf(t.Run)-(e.World.Flow(t.Owner).Sweeps-t.Came))
	}
	since := fmt.Sprintf(" waiting since step %d for ", t.Since)
	switch a.Kind {
	case WhenAccept:
		text := "accept when"
		if a.Text != "" {
			text += " " + a.Text
		}
		return text + since + "its event"
	case AfterAccept, AtAccept:
		return "accept " + [...]string{AfterAccept: "after", AtAccept: "at"}[a.Kind] + since + "the clock to reach " + schedule.At(t.Due)
	}
	name := a.Payload
	if name == "" {
		name = a.Node
	}
	signal := a.Signal
	if signal == "" {
		signal = "any"
	}
	return "accept " + name + since + "a message of type " + signal + Via(a.Port)
}
