package explore

import (
	"context"
	"slices"
	"sort"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file tells whether a run can go round in a part of the graph and be fair.
// An alternative is a performer, a token of an action by the node that it stands
// at, or a token by how it stands there. It is open in a World where it can act,
// and a move takes it. A part of the graph is fair exactly if each alternative
// that is open in all of its Worlds is taken by some move within it: going along
// all of its edges again and again is then a fair run, since tokens that stand
// the same way can take turns; and where one is never taken, whatever has it
// waits for ever.
//
// The graph does not keep what is open, so the moves of the Worlds of a part are
// made again, until it is known.

// An opening is what can act in a World.
type opening struct {
	// alternatives are those that are open, in ascending order; none where the
	// clock is all that moves.
	alternatives []string
	turns        []turn
}

// A turn is a way that a move can go.
type turn struct {
	to    int32    // -1 for an end in an error, and for a way that was not followed
	takes []string // alternatives
	plan  []int32
}

// A fairness judges the parts of the late Worlds of a property.
type fairness struct {
	*liveness
	ctx context.Context
	m   *mover
	cut exec.Sections
	// openings are those of Worlds that were looked at.
	openings map[int32]*opening
}

func newFairness(ctx context.Context, l *liveness) *fairness {
	return &fairness{liveness: l, ctx: ctx, openings: map[int32]*opening{},
		m: newMover(&l.start, l.options.Granularity == Node, budget.NewMeter(ctx, l.start.Budget))}
}

// opening is what can act in the World of a node.
func (f *fairness) opening(id int32) (*opening, error) {
	if o := f.openings[id]; o != nil {
		return o, nil
	}
	f.m.keys = f.m.keys[:0]
	w, failed := f.world(f.m, id)
	if failed != nil {
		return nil, failed.err
	}
	o := f.open(f.m, &f.cut, w)
	if err := f.ctx.Err(); err != nil { // a move may have been interrupted
		return nil, err
	}
	for i := range o.turns { // under a bound, some ways are not followed
		if t := &o.turns[i]; t.to >= 0 && f.edgeTo(id, t.to) < 0 {
			t.to = -1
		}
	}
	f.openings[id] = o
	return o, nil
}

// open makes the moves of a World by what takes them.
func (x *Search) open(m *mover, cut *exec.Sections, w *exec.World) *opening {
	o := &opening{}
	m.engine.World, m.meter = w, m.fresh
	runs := m.engine.AbleRuns(nil)
	for i, run := range runs {
		performer := string(cut.IdentityOf(nil, w, run))
		m.engine.World, m.meter = w, m.fresh
		tokens := m.engine.AbleTokens(run)
		for k := range max(len(tokens), 1) {
			takes := []string{performer}
			if len(tokens) > 0 {
				takes = append(takes, performer+"\x00"+tokens[k].Node, performer+"\x01"+tokens[k].Standing)
			}
			var lead []int32
			if len(tokens) > 1 {
				lead = []int32{int32(k)}
			}
			o.alternatives = append(o.alternatives, takes...)
			x.openTurns(m, w, run, lead, func(plan []int32, to int32) {
				if len(runs) > 1 {
					plan = append([]int32{int32(i)}, plan...)
				}
				o.turns = append(o.turns, turn{to, takes, plan})
			})
		}
	}
	sort.Strings(o.alternatives)
	o.alternatives = slices.Compact(o.alternatives)
	return o
}

// openTurns makes the turns of a run that begin with lead.
func (x *Search) openTurns(m *mover, w *exec.World, run exec.RunID, lead []int32, found func(plan []int32, to int32)) {
	m.turn = run
	m.expand(w, [][]int32{lead}, false, false, func(s *step) (drop bool) {
		to := int32(-1)
		if s.err == nil {
			s.world.Sweep()
			key := x.key(m, s.world)
			to = x.find(x.hash(key), key)
		}
		found(s.plan, to)
		return true
	})
	m.turn = exec.NoRun
}

// fair reports whether a run can stay in a part and be fair.
func (f *fairness) fair(part int32) (bool, error) {
	var starved []string // open in all Worlds so far, and taken in none
	first := true
	for _, id := range f.late {
		if f.part[id] != part {
			continue
		}
		o, err := f.opening(id)
		if err != nil {
			return false, err
		}
		if first {
			starved, first = slices.Clone(o.alternatives), false
		}
		starved = slices.DeleteFunc(starved, func(a string) bool {
			_, open := slices.BinarySearch(o.alternatives, a)
			return !open || slices.ContainsFunc(o.turns, func(t turn) bool { return f.within(t.to, part) && slices.Contains(t.takes, a) })
		})
		if len(starved) == 0 {
			return true, nil
		}
	}
	return false, nil
}

func (f *fairness) within(id, part int32) bool { return id >= 0 && f.part[id] == part }

// A leg is a move of a run that goes round.
type leg struct {
	from, edge int32
	takes      string
}

// round is a fair way round from a World of a fair part: the shortest one, and,
// for each alternative that it would starve, another from there and back by a
// move that takes it, or by a World in which it is not open.
func (f *fairness) round(root int32) (edges []int32, takes []string, err error) {
	back := func(id int32) bool { return id == root }
	legs := f.shortest(root, back)
	for {
		starved, err := f.starved(legs)
		if err != nil {
			return nil, nil, err
		}
		if len(starved) == 0 {
			break
		}
		more, err := f.serving(root, starved[0])
		if err != nil {
			return nil, nil, err
		}
		legs = append(legs, more...)
		if at := f.edges[legs[len(legs)-1].edge].to; at != root {
			legs = append(legs, f.shortest(at, back)...)
		}
	}
	for _, g := range legs {
		edges, takes = append(edges, g.edge), append(takes, g.takes)
	}
	return edges, takes, nil
}

// starved are the alternatives that are open in all Worlds that legs leave, and
// that none of them takes.
func (f *fairness) starved(legs []leg) ([]string, error) {
	var starved []string
	for i := range legs {
		g := &legs[i]
		o, err := f.opening(g.from)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			starved = slices.Clone(o.alternatives)
		}
		to := f.edges[g.edge].to
		k := slices.IndexFunc(o.turns, func(t turn) bool {
			return t.to == to && (g.takes == "" || slices.Contains(t.takes, g.takes))
		})
		starved = slices.DeleteFunc(starved, func(a string) bool {
			_, open := slices.BinarySearch(o.alternatives, a)
			return !open || k >= 0 && slices.Contains(o.turns[k].takes, a)
		})
		if k >= 0 && g.takes == "" {
			g.takes = o.turns[k].takes[len(o.turns[k].takes)-1]
		}
	}
	return starved, nil
}

// serving is the shortest way from a World, in its part, after which an
// alternative is not starved.
func (f *fairness) serving(root int32, alternative string) ([]leg, error) {
	last, served, err := f.serves(root, alternative)
	if err != nil || served {
		return []leg{last}, err
	}
	legs := f.shortest(root, func(id int32) bool {
		last, served, err = f.serves(id, alternative)
		return served || err != nil
	})
	if err == nil && last.edge >= 0 {
		legs = append(legs, last)
	}
	return legs, err
}

// serves reports whether an alternative is not open in a World, or taken by a
// move from there within its part, which is given then; its edge is -1 where
// there is none.
func (f *fairness) serves(id int32, alternative string) (_ leg, served bool, err error) {
	o, err := f.opening(id)
	if err != nil {
		return leg{}, false, err
	}
	if _, open := slices.BinarySearch(o.alternatives, alternative); !open {
		return leg{edge: -1}, true, nil
	}
	for _, t := range o.turns {
		if f.within(t.to, f.part[id]) && slices.Contains(t.takes, alternative) {
			return leg{from: id, edge: f.edgeTo(id, t.to), takes: alternative}, true, nil
		}
	}
	return leg{}, false, nil
}

// shortest is the shortest way of at least one move from a World to one that is
// sought in its part.
func (f *fairness) shortest(from int32, sought func(id int32) bool) []leg {
	by := map[int32]leg{}
	queue := []int32{from}
	for i := 0; i < len(queue); i++ {
		at, found := queue[i], int32(-1)
		f.eachEdge(at, func(k, to int32) {
			if _, known := by[to]; known || found >= 0 || !f.within(to, f.part[from]) {
				return
			}
			by[to] = leg{from: at, edge: k}
			if queue = append(queue, to); sought(to) {
				found = to
			}
		})
		if found < 0 {
			continue
		}
		var legs []leg
		for at := found; ; {
			g := by[at]
			legs = append(legs, g)
			if at = g.from; at == from {
				slices.Reverse(legs)
				return legs
			}
		}
	}
	return nil
}

// edgeTo is the first edge between two nodes.
func (f *fairness) edgeTo(id, to int32) int32 {
	found := int32(-1)
	f.eachEdge(id, func(k, other int32) {
		if other == to && found < 0 {
			found = k
		}
	})
	return found
}
