package exec

import (
	"slices"
	"sort"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
)

// This file makes a step of a flow: one sweep over its tokens. Where a sweep
// is, and what it has done, is in the Flow; each call of sweep does one part
// of it and returns, so that others can have the turn in between.

// sweep does the next part of the step of flow id.
func (e *Engine) sweep(id FlowID) error {
	w := e.World
	s := &w.Flow(id).Sweep
	switch {
	case s.Phase == Idle:
		return e.beginSweep(id)
	case s.Acting != NoToken:
		return e.goOn(id, s.Acting)
	case s.Phase == Sweeping && int(s.Pos) < len(s.Order):
		token := s.Order[s.Pos]
		w.editFlow(id).Sweep.Pos++
		if e.stillThere(id, token) {
			return e.try(id, token)
		}
		return nil
	case s.Phase == Sweeping:
		f := w.editFlow(id)
		f.Sweep.Phase, f.Sweep.Pos = Resuming, 0
		return nil
	case int(s.Pos) < len(s.Paused):
		token := s.Paused[s.Pos]
		w.editFlow(id).Sweep.Pos++
		if e.stillThere(id, token) {
			return e.resume(id, token)
		}
		return nil
	}
	return e.endSweep(id)
}

// stillThere reports whether a token that was in the flow when the sweep
// began still is: its row may have been given to a younger one.
func (e *Engine) stillThere(id FlowID, token TokenID) bool {
	t := e.World.Token(token)
	if !t.Used || t.Owner != id {
		return false
	}
	if t.State == Arrived && t.Came == e.World.Flow(id).Sweeps {
		return false // moved on by another token in this sweep
	}
	return place(e.World.Flow(id).Sweep.Places, t.ID) >= 0
}

// place is the index of the token with an id among places; -1 for none.
func place(places []Place, id int64) int {
	i := sort.Search(len(places), func(i int) bool { return places[i].ID >= id })
	if i < len(places) && places[i].ID == id {
		return i
	}
	return -1
}

// beginSweep lists the tokens and puts them into the order of the policy.
func (e *Engine) beginSweep(id FlowID) error {
	if e.Resolver.OneMove() {
		return e.beginMove(id)
	}
	w := e.World
	f := w.editFlow(id)
	f.Sweeps++
	s := &f.Sweep
	s.restart()
	order, parked := e.order[:0], e.parkedAt[:0]
	for i, token := range f.Tokens {
		t := w.Token(token)
		s.Places = append(s.Places, Place{ID: t.ID, Graph: w.Flow(t.Flow).Graph, Node: t.Node, Acts: e.offered(token)})
		if t.State == BodyPause || t.State == ChildWait {
			s.Paused = append(s.Paused, token)
			continue
		}
		order = append(order, int32(i))
		if e.parked(token) {
			parked = append(parked, int32(i))
		}
	}
	if len(s.Paused) > 1 {
		sort.SliceStable(s.Paused, func(i, j int) bool { return w.Token(s.Paused[i]).Seq < w.Token(s.Paused[j]).Seq })
	}
	e.order, e.parkedAt = order, parked
	if e.isParked == nil {
		e.isParked = func(place int32) bool { return slices.Contains(e.parkedAt, place) }
	}
	e.Resolver.Sweep(order, e.isParked, &w.Behavior.Schedule)
	for _, i := range order {
		s.Order = append(s.Order, f.Tokens[i])
	}
	return nil
}

// restart makes s one that has tried nothing, in its memory.
func (s *Sweep) restart() {
	s.Order, s.Paused, s.Places, s.Writes = emptied(s.Order), emptied(s.Paused), s.Places[:0], s.Writes[:0]
	s.Phase, s.Pos, s.First, s.Acting, s.Moved = Sweeping, 0, -1, NoToken, false
}

// emptied is list without its tokens, in its memory where that has room for
// more than one: what has not may be of singles.
func emptied(list []TokenID) []TokenID {
	if cap(list) == 1 {
		return nil
	}
	return list[:0]
}

// parked reports whether a token is held where it is: by a synchronisation
// that waits for more, or by an accept that nothing is offered to.
func (e *Engine) parked(id TokenID) bool {
	t := e.World.Token(id)
	switch t.State {
	case Held:
		return !e.complete(id)
	case Arrived:
		if e.holds(id) {
			return !e.complete(id)
		}
		a := e.firstAccept(id)
		return a != nil && a.Kind == MessageAccept && e.fitting(a, id) == NoRow
	case MessageWait:
		return !e.offered(id)
	case ClockWait:
		return t.Due > e.World.now()
	}
	return false
}

// offered reports whether a message that fits is there for a token at an
// accept.
func (e *Engine) offered(id TokenID) bool {
	t := e.World.Token(id)
	if t.State != MessageWait && t.State != Arrived {
		return false
	}
	a := e.firstAccept(id)
	return a != nil && a.Kind == MessageAccept && e.fitting(a, id) != NoRow
}

// acted notes that a token of the sweep acted.
func (e *Engine) acted(id FlowID, token int64) {
	s := &e.World.editFlow(id).Sweep
	s.Moved = true
	if i := place(s.Places, token); i >= 0 {
		s.Places[i].Acts = true
		if s.First < 0 {
			s.First = int32(i)
		}
	}
}

// endSweep tells of the choices of the step and of the step itself, and gives
// the turn back, or begins the next step where the flow runs to its end.
func (e *Engine) endSweep(id FlowID) error {
	w := e.World
	f := w.editFlow(id)
	f.Sweep.Phase = Idle
	moved := f.Sweep.Moved
	if e.Resolver.OneMove() {
		f.Sweep = Sweep{First: -1, Acting: NoToken, Moved: moved}
	}
	if f.Kind == Subflow && moved {
		w.editFlow(w.Token(f.Host).Owner).Sweep.Moved = true
	}
	run := w.Run(f.Run)
	if moved || f.Kind == RootFlow && !e.waitsForClock(id) && len(f.Tokens) > 0 {
		number := run.Steps + 1
		if f.Kind == Subflow {
			number = e.stepOf(f.Run)
		}
		e.writeChoices(id, number)
		e.orderChoice(id, number)
		if f.Kind == RootFlow {
			if err := e.endStep(id); err != nil {
				return err
			}
		}
	}
	f = w.Flow(id)
	whole := f.Kind == Subflow || run.Host != NoToken || run.HostRun != NoRun && !run.Unit
	if whole && moved && f.Live > 0 && (!e.yields() || e.alone(run)) {
		return nil
	}
	e.popTurn()
	return nil
}

// stepOf is the number of the step that a run is making.
func (e *Engine) stepOf(id RunID) int64 { return e.World.Run(id).Steps + 1 }

// endStep counts a step and prints where the tokens are.
func (e *Engine) endStep(id FlowID) error {
	w := e.World
	run := w.Run(w.Flow(id).Run)
	if !e.unseen() {
		run = w.editRun(w.Flow(id).Run)
		run.Steps++
	}
	if err := e.Meter.Count(budget.ActionSteps); err != nil {
		return err
	}
	if err := e.Meter.Within(budget.Tokens, w.Behavior.Tokens.Live()); err != nil {
		return err
	}
	if e.Observer != nil && w.Program.Graphs[run.Graph].Kind != StateGraph {
		e.observe(trace.Event{Kind: trace.Step, Number: run.Steps, Places: e.places(id)})
	}
	e.Meter.Release()
	return nil
}

// places is where the tokens of a flow are, those of subflows included, by id.
func (e *Engine) places(id FlowID) []trace.Place {
	w := e.World
	var all []trace.Place
	var list func(id FlowID)
	list = func(id FlowID) {
		for _, token := range w.Flow(id).Tokens {
			t := w.Token(token)
			all = append(all, trace.Place{Token: t.ID, Node: e.nodeOf(t).Name})
			if t.Sub != NoFlow {
				list(t.Sub)
			}
		}
	}
	list(id)
	sort.Slice(all, func(i, j int) bool { return all[i].Token < all[j].Token })
	return all
}

func (e *Engine) nodeOf(t *Token) *GraphNode {
	return &e.World.Program.Graphs[e.World.Flow(t.Flow).Graph].Nodes[t.Node]
}

// waitsForClock reports whether a token of a flow, or of what its tokens
// perform, waits for an instant to come.
func (e *Engine) waitsForClock(id FlowID) bool {
	w := e.World
	for _, token := range w.Flow(id).Tokens {
		t := w.Token(token)
		if t.State == ClockWait && t.Due > w.now() ||
			t.Child != NoRun && w.Run(t.Child).Root != NoFlow && e.waitsForClock(w.Run(t.Child).Root) ||
			t.Sub != NoFlow && e.waitsForClock(t.Sub) {
			return true
		}
	}
	return false
}

// orderChoice tells of the order in which tokens acted.
func (e *Engine) orderChoice(id FlowID, step int64) {
	s := &e.World.Flow(id).Sweep
	if e.Chose == nil && e.Observer == nil || e.Resolver.OneMove() {
		return
	}
	acts := 0
	for i := range s.Places {
		acts += int(flag(s.Places[i].Acts))
	}
	if acts < 2 {
		return
	}
	c := schedule.Choice{Kind: schedule.TokenOrder, Step: step}
	first := 0
	for i, p := range s.Places {
		if p.Acts {
			if int32(i) == s.First {
				first = len(c.Alternatives)
			}
			node := e.World.Program.Graphs[p.Graph].Nodes[p.Node].Name
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: strconv.FormatInt(p.ID, 10) + "@" + node})
		}
	}
	e.took(schedule.Taken{Choice: c, Index: first})
}

// writeChoices tells of destinations that several tokens wrote in the step.
func (e *Engine) writeChoices(id FlowID, step int64) {
	w := e.World
	writes := w.Flow(id).Sweep.Writes
	if e.Chose == nil && e.Observer == nil || len(writes) < 2 {
		return
	}
	done := map[int]bool{}
	for i := range writes {
		if done[i] {
			continue
		}
		var same []int
		for j := i; j < len(writes); j++ {
			if writes[j].sameDestination(writes[i]) {
				same = append(same, j)
				done[j] = true
			}
		}
		if len(same) < 2 {
			continue
		}
		sort.Slice(same, func(a, b int) bool { return writes[same[a]].Token < writes[same[b]].Token })
		c := schedule.Choice{Kind: schedule.Write, Step: step}
		last := 0
		for k, j := range same {
			if writes[j].Seq > writes[same[last]].Seq {
				last = k
			}
			c.Alternatives = append(c.Alternatives, schedule.Alternative{Label: w.destination(writes[j]) + " := " +
				w.Text(writes[j].Value) + " by token " + strconv.FormatInt(writes[j].Token, 10)})
		}
		e.took(schedule.Taken{Choice: c, Index: last})
	}
}

func (a Write) sameDestination(b Write) bool {
	return a.Env == b.Env && a.Slot == b.Slot && (a.Env != NoEnv || a.Object == b.Object)
}

// destination is how a choice calls what was written.
func (w *World) destination(write Write) string {
	if write.Env != NoEnv {
		return w.Program.Layouts[w.Env(write.Env).Layout].Slots[write.Slot].Name
	}
	o := w.Object(write.Object)
	return w.Program.Name(w.Program.Types[o.Type].Slots[write.Slot].Name) + " of object #" + strconv.FormatInt(int64(o.Number), 10)
}

// wrote notes a write for the sweep that is under way, where several tokens
// could write: the last one of each token to each destination.
func (w *World) wrote(write Write) {
	b := &w.Behavior
	if len(b.Turn) == 0 || b.Turn[len(b.Turn)-1].Kind != FlowTurn {
		return
	}
	id := FlowID(b.Turn[len(b.Turn)-1].Row)
	s := &w.Flow(id).Sweep
	if s.Acting == NoToken || len(s.Places) < 2 {
		return
	}
	t := w.Token(s.Acting)
	if write.Env != NoEnv && write.Env == t.Env {
		return // its own frame, which nobody else writes
	}
	write.Token = t.ID
	s = &w.editFlow(id).Sweep
	b.Sequence++
	write.Seq = b.Sequence
	for i := range s.Writes {
		if s.Writes[i].Token == write.Token && s.Writes[i].sameDestination(write) {
			s.Writes[i] = write
			return
		}
	}
	s.Writes = append(s.Writes, write)
}
