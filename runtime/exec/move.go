package exec

import (
	"slices"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file makes moves: the steps of the policies that move one token or
// unit at a time, among all that can move. A World between two moves is in the
// middle of nothing but bodies that are paused.

// Progress is what came of a Move.
type Progress uint8

// The kinds of progress.
const (
	Moved   Progress = iota // something moved, or the clock
	Over                    // the run has ended
	Resting                 // nothing will move any more
)

// Move makes one move of what can act at the present instant, drawn among all
// that can, or moves the clock where nothing can. A driven action that nothing
// can wake is an error; a machine rests. The Resolver is one that moves one
// token a step.
func (e *Engine) Move(driven RunID) (Progress, error) {
	p, err := e.moveOne(driven)
	if err == nil && p == Resting && e.World.Run(driven).Machine == NoMachine {
		return Resting, e.deadlock(driven)
	}
	return p, err
}

// moveOne is Move, but for the error: an action that nothing can wake rests.
func (e *Engine) moveOne(driven RunID) (Progress, error) {
	w := e.World
	if w.Ended(driven) {
		return Over, nil
	}
	var few [8]RunID
	able := e.AbleRuns(few[:0])
	if len(able) == 0 {
		return e.idleMove(driven)
	}
	k := 0
	if len(able) > 1 {
		c := schedule.Choice{Kind: schedule.StepOrder}
		if e.blind(&c, len(able)); c.Alternatives == nil {
			c.Where = "at " + schedule.At(w.now())
			for _, id := range able {
				c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: e.title(id)})
			}
		}
		var err error
		if k, err = e.choose(c); err != nil {
			return Moved, err
		}
	}
	return Moved, e.MoveRun(driven, able[k])
}

// idleMove is the move of a World in which nothing can act: the clock goes on,
// where that can bring the driven run anything.
func (e *Engine) idleMove(driven RunID) (Progress, error) {
	next, ok := e.nextDue()
	if !ok || !e.outlook(driven) {
		return Resting, nil
	}
	if err := e.Meter.Cancelled(); err != nil {
		return Moved, err
	}
	e.setClock(next)
	return Moved, nil
}

// blank are alternatives whose labels nobody reads.
var blank [64]schedule.Alternative

// blind gives a choice n alternatives without labels, where nobody reads them.
func (e *Engine) blind(c *schedule.Choice, n int) {
	if n <= len(blank) && e.unseen() {
		c.Alternatives = blank[:n]
	}
}

// unseen reports whether nobody reads labels, nor the numbers of steps that
// are in them: a Resolver says so of itself by a method Blind.
func (e *Engine) unseen() bool {
	if e.Chose != nil || e.Observer != nil {
		return false
	}
	_, ok := e.Resolver.(interface{ Blind() })
	return ok
}

// ableRun reports whether a run can act at the present instant.
func (e *Engine) ableRun(id RunID) bool {
	w := e.World
	if w.Ended(id) {
		return false
	}
	if w.Run(id).Machine == NoMachine {
		return e.ableFlow(w.Run(id).Root)
	}
	_, reacts := e.nextReaction(id)
	return reacts || len(e.ableDos(id)) > 0
}

func (e *Engine) ableFlow(id FlowID) bool {
	return slices.ContainsFunc(e.World.Flow(id).Tokens, e.able)
}

// able reports whether a move of a token would get it anywhere. Of the tokens
// that one synchronisation takes together, the first is able.
func (e *Engine) able(id TokenID) bool {
	w := e.World
	t := w.Token(id)
	switch t.State {
	case Arrived, Held:
		if e.holds(id) {
			return e.complete(id) && e.leads(id)
		}
		a := e.firstAccept(id)
		return a == nil || a.Kind != MessageAccept || e.fitting(a, id) != NoRow
	case MessageWait:
		return e.offered(id)
	case ChangeWait:
		return e.wouldWake(id)
	case ClockWait:
		return t.Due <= w.now()
	case ChildWait:
		return w.Ended(t.Child) || w.Run(t.Child).Root != NoFlow && e.ableFlow(w.Run(t.Child).Root)
	case SubWait:
		return e.ableFlow(t.Sub)
	}
	return true
}

// leads reports whether a token is the first of those that wait at its node.
func (e *Engine) leads(id TokenID) bool {
	w := e.World
	t := w.Token(id)
	for _, other := range w.Flow(t.Owner).Tokens {
		if other == id {
			return true
		}
		o := w.Token(other)
		if o.Flow == t.Flow && o.Node == t.Node && (o.State == Held || o.State == Arrived) && o.Edge >= 0 {
			return false
		}
	}
	return true
}

// wouldWake reports whether the condition that a token waits for holds now,
// by letting it go on in a copy of the World that is dropped.
func (e *Engine) wouldWake(id TokenID) bool {
	probe := e.probe()
	w := probe.World
	flow := w.Token(id).Owner
	w.editFlow(flow).Sweep = Sweep{Phase: Sweeping, First: -1, Acting: id}
	before := w.Token(id).ID
	if err := probe.goOn(flow, id); err != nil {
		return true
	}
	t := w.Token(id)
	return !t.Used || t.ID != before || t.State != ChangeWait
}

// beginMove begins the step of a flow in which one token moves, drawn among
// those that are able.
func (e *Engine) beginMove(id FlowID) error {
	w := e.World
	f := w.editFlow(id)
	f.Sweeps++
	var few [16]TokenID
	able := few[:0]
	for _, token := range f.Tokens {
		if e.able(token) {
			able = append(able, token)
		}
	}
	s := &w.editFlow(id).Sweep
	*s = Sweep{Phase: Sweeping, First: -1, Acting: NoToken, Places: s.Places[:0]}
	if len(able) == 0 {
		return nil
	}
	k, err := e.choose(e.tokenOrder(f.Run, able))
	if err != nil {
		return err
	}
	t := w.Token(able[k])
	s = &w.editFlow(id).Sweep
	s.Places = append(s.Places, Place{ID: t.ID, Graph: w.Flow(t.Flow).Graph, Node: t.Node, Acts: true})
	if t.State == BodyPause || t.State == ChildWait {
		s.Paused = single(able[k])
	} else {
		s.Order = single(able[k])
	}
	return nil
}

// singles are lists of one token, which nobody writes.
var singles = func() (list [64]TokenID) {
	for i := range list {
		list[i] = TokenID(i)
	}
	return list
}()

func single(token TokenID) []TokenID {
	if int(token) < len(singles) {
		return singles[token : token+1 : token+1]
	}
	return []TokenID{token}
}

// tokenOrder is the choice which of several tokens moves.
func (e *Engine) tokenOrder(run RunID, able []TokenID) schedule.Choice {
	c := schedule.Choice{Kind: schedule.TokenOrder}
	if len(able) < 2 {
		return c
	}
	if e.blind(&c, len(able)); c.Alternatives == nil {
		c.Step = e.stepOf(run)
		for _, token := range able {
			t := e.World.Token(token)
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: strconv.FormatInt(t.ID, 10) + "@" + e.nodeOf(t).Name})
		}
	}
	return c
}

// yields reports whether others may move in the middle of what the body of a
// token performs: between its statements, and between the moves of an action
// or a flow that it performs.
func (e *Engine) yields() bool { return e.Resolver.OneMove() && e.Resolver.Pauses(0, 0) }

// accompanied reports whether anything beside the body of a token could move
// while it is paused.
func (e *Engine) accompanied(id FlowID) bool {
	w := e.World
	several := false
	for {
		several = several || len(w.Flow(id).Tokens) > 1
		host := e.hostOf(id)
		if host == NoToken {
			break
		}
		id = w.Token(host).Owner
	}
	r := w.Run(w.Flow(id).Run)
	if r.HostRun != NoRun {
		return several || r.Unit
	}
	return several || len(w.Behavior.Attached) > 1
}

// alone reports whether what a run does is done before anybody else moves: it
// is an entry, an exit or an effect, or performed by one.
func (e *Engine) alone(r *Run) bool {
	for r.Host != NoToken {
		r = e.World.Run(e.World.Token(r.Host).Run)
	}
	return r.HostRun != NoRun && !r.Unit
}

// NextRun is the number that the next run made in w gets.
func (w *World) NextRun() RunID { return RunID(w.Behavior.Runs.next()) }
