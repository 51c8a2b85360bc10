package explore

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file makes the turns of runs on Worlds, and learns from them what they do
// in all Worlds that are alike where they looked.

// begin finds out, by a World in which the behaviour has just begun, how Worlds
// can be written as numbers.
func (x *Search) begin(m *mover, w *exec.World) {
	if x.alphabet.Independence == nil {
		x.alphabet.Independence = w.Independence(x.start.Run)
	}
	w.Sweep()
	if _, ok := x.alphabet.vector(m, w, m.vector[:0]); !ok && !x.sections.begun {
		m.vector, _ = x.sectioned(&x.sections.cut, m, w, m.vector)
	}
}

// learnSections is learn for a node whose key is a vector of sections.
func (x *Search) learnSections(m *mover, id int32, w *exec.World, e *expansion) {
	a := &x.sections
	v, _ := x.sectioned(&a.before, m, w, nil)
	runs := map[uint32]exec.RunID{}
	for i := range a.before.List {
		runs[uint32(m.places[i])] = a.before.List[i].Run
	}
	e.here = x.examineIn(&a.before, m, w, v)
	x.turns(m, v)
	actors := slices.Clone(m.actors)
	made := make([][]step, len(actors))
	able := int32(0)
	for k := range actors {
		y := &actors[k]
		if y.local == nil || y.local.opaque {
			made[k] = x.studyTurn(m, w, v, y, runs[y.label])
			if e.steps = append(e.steps, made[k]...); e.interrupted() {
				return
			}
		}
		if len(y.local.effects) > 0 || y.local.opaque && len(made[k]) > 0 {
			able++
		}
	}
	if able == 0 {
		x.learnIdle(m, id, w, v, e)
		return
	}
	e.steps = nil
	for k := range actors {
		y := &actors[k]
		if y.local.opaque {
			for i := range made[k] {
				e.found = append(e.found, opaqueTurn(&made[k][i], y.label, able, x.visited(made[k][i].visits)))
			}
			e.steps = append(e.steps, made[k]...)
			continue
		}
		from := len(e.found)
		found, ok := x.applyTurn(m, v, y.local, able, e.found)
		if !ok { // it ends in a way that is not known yet
			made[k] = x.turn(m, w, runs[y.label], nil)
			x.keepEnds(m, made[k])
			if found, ok = x.applyTurn(m, v, y.local, able, e.found[:from]); !ok {
				found = e.found[:from]
				for i := range made[k] {
					found = append(found, opaqueTurn(&made[k][i], y.label, able, x.visited(made[k][i].visits)))
				}
				e.steps = append(e.steps, made[k]...)
			}
		}
		e.found = found
		for i := range made[k] { // the Worlds that were made are at hand
			e.found[from+i].world = made[k][i].world
		}
	}
}

// opaqueTurn is where a turn leads that has to be made each time.
func opaqueTurn(s *step, label uint32, able, visits int32) reached {
	f := reachedBy(s)
	f.effect, f.able = &effect{label: label, end: -1, plan: s.plan, equal: s.equal, share: s.share, visits: visits}, able
	return f
}

// turn makes the turn of a run in every way. Where reads is given, it notes what
// is looked at.
func (x *Search) turn(m *mover, w *exec.World, id exec.RunID, reads *exec.Reads) []step {
	m.turn, m.reads = id, reads
	steps, _ := m.expand(w, [][]int32{nil}, false, false, func(s *step) (drop bool) {
		return s.err == nil && x.look(m, s)
	})
	m.turn, m.reads = exec.NoRun, nil
	return slices.Clone(steps)
}

// studyTurn makes the turn of a run, and remembers what it does.
func (x *Search) studyTurn(m *mover, w *exec.World, v []uint32, y *actor, id exec.RunID) []step {
	a := &x.sections
	l := &local{}
	reads := &a.reads
	reads.Reset()
	m.engine.World, m.meter = w, m.fresh
	w.Watch(reads)
	able := m.engine.AbleRun(id)
	w.Watch(nil)
	var steps []step
	if able {
		steps = x.turn(m, w, id, reads)
	}
	look, ok := x.looked(&a.before, m, w, int32(y.label), reads)
	l.opaque = !ok
	for i := range steps {
		s := &steps[i]
		if s.interrupted() {
			return steps
		}
		e := &effect{label: y.label, plan: s.plan, equal: s.equal, share: s.share, end: -1}
		e.visits = x.visited(s.visits)
		if s.err != nil {
			l.opaque = l.opaque || s.spent()
			if !l.opaque {
				e.end = x.end(nil, s.err)
			}
		} else {
			l.opaque = !a.turns(e, v, s.key) || l.opaque
			for _, w := range e.writes {
				look = append(look, w.place)
			}
		}
		l.effects = append(l.effects, e)
	}
	if !l.opaque {
		x.keepEnds(m, steps)
	} else {
		l.effects = nil
	}
	slices.Sort(look)
	look = slices.Compact(look)
	n := a.at(v, int32(y.label))
	k := a.list[y.label].known[n].lookOf(look)
	l.key = a.alike([]uint32{y.label, n, uint32(k)}, v, look)
	if x.locals.find(l.key) == nil {
		x.locals.add(l)
	}
	y.local = l
	return steps
}

// turns sets what e writes to what makes the vector of a key of before; false
// where the key is that of none.
func (a *sections) turns(e *effect, before []uint32, key []byte) bool {
	after, ok := unpack(nil, asSections, key)
	if !ok {
		return false
	}
	for p := range int32(len(a.list)) {
		if n := a.at(after, p); n != a.at(before, p) {
			e.writes = append(e.writes, write{p, n})
		}
	}
	return true
}

// looked are the places that were looked at in a World that cut was made of, the
// rest included and own left out.
func (x *Search) looked(cut *exec.Sections, m *mover, w *exec.World, own int32, reads *exec.Reads) (look []int32, ok bool) {
	a := &x.sections
	places := make([]int32, len(cut.List))
	for i := range cut.List {
		places[i] = a.place(cut.List[i].Identity)
	}
	look = append(look, exec.RestSection)
	add := func(p int32) {
		if p != own && !slices.Contains(look, p) {
			look = append(look, p)
		}
	}
	ok = cut.Looked(reads, func(i int) { add(places[i]) }, func(receiver []byte) { add(a.place(receiver)) })
	slices.Sort(look)
	return look, ok
}

// keepEnds remembers what the driven run ends in after steps.
func (x *Search) keepEnds(m *mover, steps []step) {
	for i := range steps {
		s := &steps[i]
		if s.err != nil || s.progress != exec.Over || s.world == nil {
			continue
		}
		if v, ok := unpack(nil, asSections, s.key); ok {
			x.sections.keepEnd(v, x.end(s.world, nil))
		}
	}
}

// learnIdle makes the move of a World in which no run can act.
func (x *Search) learnIdle(m *mover, id int32, w *exec.World, v []uint32, e *expansion) {
	a := &x.sections
	steps, _ := m.expand(w, [][]int32{nil}, false, false, func(s *step) (drop bool) {
		if s.err != nil || s.progress == exec.Resting {
			return s.err == nil
		}
		return x.look(m, s)
	})
	e.steps = slices.Clone(steps)
	s := &e.steps[0]
	switch {
	case len(e.steps) > 1 || s.interrupted() || s.spent():
	case s.err != nil:
		a.keepEnd(v, x.end(nil, s.err))
	case s.progress == exec.Resting:
		a.keepEnd(v, x.end(w, nil))
	default:
		if after, ok := unpack(nil, asSections, s.key); ok {
			if next, passes := x.nextDue(v); passes {
				x.learnPassing(v, after, next)
			}
		}
	}
	if found, ok := x.idle(m, v, nil); ok && !e.interrupted() {
		e.found, e.steps = append(e.found, found...), nil
		return
	}
	for i := range e.steps {
		e.found = append(e.found, reachedBy(&e.steps[i]))
	}
}

// examineIn evaluates the properties in a World that cut was made of, and
// remembers what they looked at.
func (x *Search) examineIn(cut *exec.Sections, m *mover, w *exec.World, v []uint32) test {
	if len(x.properties) == 0 {
		return test{}
	}
	a := &x.sections
	var reads exec.Reads
	w.Watch(&reads)
	t := x.examine(w)
	w.Watch(nil)
	look, ok := x.looked(cut, m, w, -1, &reads)
	if !ok {
		return t
	}
	k := slices.IndexFunc(a.looks, func(other []int32) bool { return slices.Equal(look, other) })
	if k < 0 {
		k = len(a.looks)
		a.looks = append(a.looks, look)
	}
	if a.tests == nil {
		a.tests = map[string]test{}
	}
	a.tests[a.testKey(k, v, look)] = t
	return t
}

// runIn is the run of a World that has a place.
func (x *Search) runIn(m *mover, w *exec.World, place uint32) exec.RunID {
	a := &x.sections
	for i := range w.Behavior.Runs.Len() {
		id := exec.RunID(i)
		if r := w.Run(id); !r.Used || r.Host != exec.NoToken || r.HostRun != exec.NoRun {
			continue
		}
		m.read = a.cut.IdentityOf(m.read[:0], w, id)
		if string(m.read) == a.list[place].identity {
			return id
		}
	}
	return exec.NoRun
}
