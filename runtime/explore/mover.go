package explore

import (
	"errors"
	"math/big"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A planner is the Resolver of one move: it takes the planned alternatives,
// the first possible ones behind the end of the plan, and remembers what was
// open.
type planner struct {
	plan  []int32
	taken []int32
	met   []open
	nodes bool
}

// open is a choice that a move met.
type open struct {
	n int
	// weights are the shares of a weighted choice; nil where they are equal.
	weights []*big.Rat
}

func (p *planner) OneMove() bool                                     { return true }
func (p *planner) Enumerates() bool                                  { return true }
func (p *planner) Pauses(int64, int64) bool                          { return !p.nodes }
func (p *planner) Sweep([]int32, func(int32) bool, *schedule.Cursor) {}

// Blind says that nobody reads the labels of alternatives.
func (p *planner) Blind() {}

func (p *planner) Choose(c *schedule.Choice, _ *schedule.Cursor) (int, *diagnostic.Diagnostic) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	o := open{n: len(c.Alternatives)}
	if c.Kind == schedule.Weighted {
		o.weights = weights(c)
	}
	k := int32(0)
	if i := len(p.taken); i < len(p.plan) {
		k = p.plan[i]
	} else {
		for o.weights != nil && o.weights[k].Sign() == 0 {
			k++
		}
	}
	p.taken, p.met = append(p.taken, k), append(p.met, o)
	return int(k), nil
}

// weights are the shares of the alternatives of a weighted choice: each
// stated weight as the decimal it is written as, over their sum.
func weights(c *schedule.Choice) []*big.Rat {
	total := new(big.Rat)
	list := make([]*big.Rat, len(c.Alternatives))
	for i, a := range c.Alternatives {
		list[i], _ = new(big.Rat).SetString(strconv.FormatFloat(a.Weight, 'g', -1, 64))
		total.Add(total, list[i])
	}
	for i := range list {
		list[i].Quo(list[i], total)
	}
	return list
}

// A step is one way in which a move can go.
type step struct {
	plan   []int32
	world  *exec.World
	visits []string
	// equal is the product of the numbers of alternatives that were open;
	// share is set instead where some were weighted.
	equal    uint64
	share    *big.Rat
	choices  int32
	progress exec.Progress
	err      error
	// hash and key are the World's canonical form.
	hash uint32
	key  []byte
	// known is the node of the World, where it was known before; -1 elsewhere.
	known int32
	test  test // of the properties, where the run is over
}

// spent is a bound of the budget that a move ran into.
func (s *step) spent() bool {
	if s.err == nil {
		return false
	}
	var d *diagnostic.Diagnostic
	return errors.As(s.err, &d) && d.Code == diagnostic.BudgetSpent
}

func (s *step) interrupted() bool {
	if s.err == nil {
		return false
	}
	var d *diagnostic.Diagnostic
	return errors.As(s.err, &d) && d.Code == diagnostic.Interrupted
}

// A mover makes moves; each worker has its own.
type mover struct {
	start   *Start
	engine  exec.Engine
	meter   budget.Meter
	fresh   budget.Meter
	planner planner
	visits  []string
	steps   []step
	plans   [][]int32
	// keys is memory for canonical forms; spares are Worlds to be used again.
	keys   []byte
	spares []*exec.World
	// tokens are those of the World taken apart last; the others are memory
	// for vectors and actors.
	tokens               []standing
	vector, before, next []uint32
	words                []uint32
	read                 []byte
	actors               []actor
	// places are those of the sections of the World that was cut last.
	places []int32
	writes []write
	// inexact says that a World was met in which instants cannot be relative.
	inexact bool
	// turn is the run whose turn is made in the place of a move of all; NoRun for
	// none. reads notes what it looks at.
	turn  exec.RunID
	reads *exec.Reads
}

func newMover(s *Start, nodes bool, fresh *budget.Meter) *mover {
	m := &mover{start: s, fresh: *fresh, turn: exec.NoRun}
	m.planner.nodes = nodes
	m.engine = exec.Engine{Meter: &m.meter, Resolver: &m.planner, Draws: s.Draws, ClockStep: s.ClockStep, Others: s.others}
	if s.Covered != nil {
		m.engine.Covered = &exec.Coverage{} // of this worker alone
	}
	m.engine.Visited = func(id exec.RunID, machine exec.MachineID, state int32) {
		if id == s.Run {
			m.visits = append(m.visits, m.engine.World.Program.Machines[machine].States[state].Name)
		}
	}
	return m
}

// retire takes a World whose moves are all made for use again.
func (m *mover) retire(w *exec.World) {
	if len(m.spares) < chunk {
		w.Retire()
		m.spares = append(m.spares, w)
	}
}

// expand makes the move of w in every way and leaves w as it is. With first
// only the first way is made, and more says whether there were others. With
// root the behaviour is started instead.
//
// Each step is given to see before the next is made; what it returns says
// whether the World of the step is used no more.
//
// Every plan begins with one of leads, the last of which comes first.
func (m *mover) expand(w *exec.World, leads [][]int32, root, first bool, see func(*step) (drop bool)) (steps []step, more bool) {
	m.steps, m.plans = m.steps[:0], append(m.plans[:0], leads...)
	for len(m.plans) > 0 {
		plan := m.plans[len(m.plans)-1]
		m.plans = m.plans[:len(m.plans)-1]
		m.make(w, plan, root)
		if s := &m.steps[len(m.steps)-1]; see != nil && see(s) {
			m.spares, s.world = append(m.spares, s.world), nil
		}
		p := &m.planner
		for i := len(p.met) - 1; i >= len(plan); i-- {
			for k := int32(p.met[i].n) - 1; k > p.taken[i]; k-- {
				if p.met[i].weights != nil && p.met[i].weights[k].Sign() == 0 {
					continue
				}
				if first {
					more = true
					break
				}
				m.plans = append(m.plans, append(append(make([]int32, 0, i+1), p.taken[:i]...), k))
			}
		}
	}
	return m.steps, more
}

// make makes the move of w as planned, on a copy.
func (m *mover) make(w *exec.World, plan []int32, root bool) {
	p := &m.planner
	p.plan, p.taken, p.met = plan, p.taken[:0], p.met[:0]
	m.meter, m.visits = m.fresh, nil
	var old *exec.World
	if n := len(m.spares); n > 0 {
		old, m.spares = m.spares[n-1], m.spares[:n-1]
	}
	m.engine.World = w.BranchInto(old)
	s := step{world: m.engine.World, known: -1}
	switch {
	case root:
		s.progress, s.err = exec.Moved, m.start.Begin(&m.engine)
	case m.turn != exec.NoRun:
		s.world.Watch(m.reads)
		s.progress, s.err = exec.Moved, m.engine.MoveRun(m.start.Run, m.turn)
		s.world.Watch(nil)
	default:
		s.progress, s.err = m.engine.Move(m.start.Run)
	}
	if s.err == nil && s.progress == exec.Moved && s.world.Ended(m.start.Run) {
		s.progress = exec.Over
	}
	s.visits, s.choices = m.visits, int32(len(p.taken))
	if len(p.taken) > 0 {
		s.plan = append(make([]int32, 0, len(p.taken)), p.taken...)
	}
	s.equal = 1
	for i, o := range p.met {
		switch {
		case o.weights == nil && s.share == nil:
			s.equal *= uint64(o.n)
		case s.share == nil:
			s.share = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).SetUint64(s.equal))
			s.share.Mul(s.share, o.weights[p.taken[i]])
		case o.weights == nil:
			s.share.Mul(s.share, big.NewRat(1, int64(o.n)))
		default:
			s.share.Mul(s.share, o.weights[p.taken[i]])
		}
	}
	m.steps = append(m.steps, s)
}
