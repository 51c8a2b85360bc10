package explore

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
)

// This file makes the moves of a World once more, to say in words what each
// takes and does.

// An onward is one way that the move of a World can go.
type onward struct {
	to    int32 // unknownNode where the search has not come there
	world *exec.World
	// open names the first choice of the move, label the alternatives taken,
	// step what the move does.
	open, label, step string
	// hits are the properties that the World before decides.
	hits uint64
}

// ways are the ways on from a node with its World, in the order of plans.
func (b *graphing) ways(id int32, w *exec.World) ([]onward, error) {
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	m := b.mover
	m.keys = m.keys[:0]
	steps, _ := m.expand(w, [][]int32{nil}, id == 0, false, nil)
	plans := make([][]int32, 0, len(steps))
	for i := range steps {
		if err := b.interruptedBy(steps[i].err); err != nil {
			return nil, err
		}
		if steps[i].err != nil || steps[i].progress != exec.Resting {
			plans = append(plans, steps[i].plan)
		}
	}
	var hits uint64
	if len(b.properties) > 0 && id != 0 {
		hits = b.examine(w).hits
	}
	list := make([]onward, len(plans))
	for i, plan := range plans {
		y, err := b.onward(id, w, plan)
		if err := b.interruptedBy(err); err != nil {
			return nil, err
		}
		y.hits = hits
		list[i] = y
	}
	return list, nil
}

// onward makes the move of w as planned; the error is what the run fails with.
func (b *graphing) onward(id int32, w *exec.World, plan []int32) (y onward, err error) {
	var taken []schedule.Taken
	var seen doings
	meter := b.mover.fresh
	follow := planner{plan: plan, nodes: b.mover.planner.nodes}
	engine := exec.Engine{World: w.Branch(), Meter: &meter, Resolver: labelled{&follow}, Draws: b.start.Draws, ClockStep: b.start.ClockStep,
		Others: b.start.others, Observer: &seen, Chose: func(t schedule.Taken) { taken = append(taken, t) }}
	if id == 0 {
		err = b.start.Begin(&engine)
	} else {
		_, err = engine.Move(b.start.Run)
	}
	y.world, y.to = engine.World, unknownNode
	var labels []string
	for _, t := range taken {
		if t.Kind == schedule.Write {
			continue
		}
		if labels = append(labels, t.Label()); len(labels) == 1 {
			y.open = opened(t)
		}
	}
	y.label = strings.Join(labels, ", ")
	if err != nil {
		y.world = nil
		if end, ok := b.endOf[failure(err)]; ok {
			y.to = b.endNode[end]
		}
		return y, err
	}
	y.world.Sweep()
	key := b.key(b.mover, y.world)
	y.to = b.find(b.hash(key), key)
	if id != 0 {
		y.step = seen.text(w, y.world, b.start.Run)
	}
	return y, nil
}

// opened names a choice without the number of its step, which differs between
// the ways that lead to one World: "token order", "decision pick".
func opened(t schedule.Taken) string {
	switch {
	case t.Where == "":
		return t.Kind.String()
	case t.Kind == schedule.Decision:
		return t.Where
	case t.Kind == schedule.Weighted:
		return "weighted " + t.Where
	}
	return t.Kind.String() + " " + t.Where
}

// doings are what a move was seen to do.
type doings struct{ transitions, statements []string }

func (d *doings) Observe(e trace.Event) {
	switch e.Kind {
	case trace.Transition:
		d.transitions = append(d.transitions, e.Label())
	case trace.Statement:
		d.statements = append(d.statements, e.Label())
	}
}

// text says what a move did: the transitions that fired, or the nodes that
// tokens left, or the statements that were performed.
func (d *doings) text(before, after *exec.World, run exec.RunID) string {
	if len(d.transitions) > 0 {
		return strings.Join(d.transitions, ", ")
	}
	if before.Run(run).Machine == exec.NoMachine {
		at := map[int64]string{}
		for _, t := range after.Tokens(run) {
			at[t.ID] = t.Node
		}
		var left []string
		for _, t := range before.Tokens(run) {
			if at[t.ID] != t.Node {
				left = append(left, t.Node)
			}
		}
		if len(left) > 0 {
			return strings.Join(left, ", ")
		}
	}
	return strings.Join(d.statements, ", ")
}
