package runtime

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
)

// This file takes the World of a session over to the model as it is now. What
// was lowered is compared, not texts: a declaration whose words are the same
// but whose names lead elsewhere has changed, one with another comment has not.

// refresh makes the lowering and the World those of the model as it is.
func (s *Session) refresh() { s.refreshed(&Declaration{}) }

// refreshed is refresh, and says in d what became of the objects.
func (s *Session) refreshed(d *Declaration) {
	if s.run.past || s.lowering.Current() || !s.replaced && s.lowering.Renew() {
		return
	}
	s.replaced = false
	old := s.world
	next := lower.New(s.model)
	c := s.carrier(next)
	carried := c.Carry(old)
	for _, id := range carried.Gone {
		d.Dropped = append(d.Dropped, s.object(old, id))
	}
	rebuilt := map[value.ObjectID]bool{}
	for _, id := range carried.Rebuilt {
		d.Rebuilt, rebuilt[id] = append(d.Rebuilt, s.object(old, id)), true
	}
	s.world, s.lowering = carried.World, next
	s.carryNames(old, next, rebuilt)
	held := s.carryHeld(c, rebuilt)
	s.carryRun(c, carried, d)
	s.world.Program = next.Program()
	if len(rebuilt) == 0 {
		return
	}
	left := s.renumber(old, s.heldBy(old, rebuilt))
	s.restore(held)
	for _, id := range carried.Rebuilt {
		err := s.commit(context.Background(), func(t *turn) error { return t.engine(s.settings).StartAdopted(id) })
		if err != nil {
			d.Unstarted = append(d.Unstarted, diagnostic.Of(err)...)
		}
	}
	s.renumber(old, left) // what stands for the behaviours is there now
	s.world.Numbers = old.Numbers
	for i := range s.world.Objects.Len() {
		s.world.Numbers = max(s.world.Numbers, s.world.Object(value.ObjectID(i)).Number)
	}
}

// carrier compares the Program of the World with what next makes of all that
// the World stands on.
func (s *Session) carrier(next *lower.Lowering) *exec.Carrier {
	w := s.world
	old := w.Program
	types := map[exec.TypeID]exec.TypeID{}
	for i := range w.Objects.Len() {
		o := w.Object(value.ObjectID(i))
		if _, known := types[o.Type]; known || o.Owner != value.NoObject || o.Gone {
			continue
		}
		types[o.Type] = exec.NoType
		if e := s.model.Find(old.Types[o.Type].Qualified); e != nil {
			types[o.Type] = next.Type(e)
		}
	}
	globals := map[exec.GlobalID]exec.GlobalID{}
	for g := range old.Globals {
		if _, made := w.Global(exec.GlobalID(g)); !made {
			continue
		}
		if e := s.model.Find(old.Globals[g].Qualified); e != nil {
			globals[exec.GlobalID(g)] = next.Global(e)
		}
	}
	graph, machine := s.again(next)
	same := exec.Correspond(old, next.Program())
	// What differs leaves the rest of its parts unpaired, so the order counts.
	for _, from := range slices.Sorted(maps.Keys(types)) {
		same.Types(from, types[from])
	}
	for _, from := range slices.Sorted(maps.Keys(globals)) {
		same.Globals(from, globals[from])
	}
	if r := &s.run; r.on && int(r.id) < w.Behavior.Runs.Len() && w.Run(r.id).Used {
		same.Graphs(w.Run(r.id).Graph, graph)
		same.Machines(w.Run(r.id).Machine, machine)
	}
	same.Settle()
	return &exec.Carrier{Correspondence: same, Name: next.NameID,
		Type: func(t exec.TypeID) exec.TypeID {
			if to, ok := types[t]; ok {
				return to
			}
			return exec.NoType
		},
		Element: s.elements(next)}
}

// elements finds the elements that values are in the model as it is.
func (s *Session) elements(next *lower.Lowering) func(value.Kind, *value.Named) *value.Named {
	type key struct {
		kind value.Kind
		was  *value.Named
	}
	known := map[key]*value.Named{}
	return func(kind value.Kind, was *value.Named) *value.Named {
		k := key{kind, was}
		if n := known[k]; n != nil {
			return n
		}
		if e := s.model.Find(was.Qualified()); e != nil {
			known[k] = next.Element(kind, e)
		} else {
			known[k] = value.NewNamed(was.Qualified(), was.Name(), was.Owner(), -1)
			for _, n := range next.Program().Elements { // a body expression has a name that only Programs know
				if n.Qualified() == was.Qualified() {
					known[k] = n
				}
			}
		}
		return known[k]
	}
}

// again lowers what is stepped once more, where it is no object's own.
func (s *Session) again(next *lower.Lowering) (exec.GraphID, exec.MachineID) {
	e := s.successor()
	switch {
	case e == nil:
	case s.world.Run(s.run.id).Machine != exec.NoMachine:
		return exec.NoGraph, next.Machine(e)
	default:
		return next.Action(e), exec.NoMachine
	}
	return exec.NoGraph, exec.NoMachine
}

// successor is what has taken the place of the behaviour that is stepped; nil
// where nothing has, and for an object's own behaviour.
func (s *Session) successor() *model.Element {
	r := &s.run
	if !r.on || r.element == nil || int(r.id) >= s.world.Behavior.Runs.Len() || s.world.Run(r.id).Occurrence != value.NoObject {
		return nil
	}
	e := s.model.Find(r.element.QualifiedName())
	if e == nil || e.Metaclass() != r.element.Metaclass() {
		return nil
	}
	return e
}

// carryNames keeps the names of the objects that there are, and says which of
// those that are built anew package-level occurrences denote.
func (s *Session) carryNames(old *exec.World, next *lower.Lowering, rebuilt map[value.ObjectID]bool) {
	for name, id := range s.names {
		if s.world.Object(id).Gone && !old.Object(id).Gone {
			delete(s.names, name)
		}
	}
	for g := range old.Program.Globals {
		id, made := old.Global(exec.GlobalID(g))
		if !made || !rebuilt[id] || old.Program.Globals[g].Qualified != old.Program.Types[old.Object(id).Type].Qualified {
			continue
		}
		if e := s.model.Find(old.Program.Globals[g].Qualified); e != nil {
			s.world.SetGlobal(next.Global(e), id)
		}
	}
}

// carryHeld keeps the values that were set by hand in what has not changed,
// and gives those that are to be set again.
func (s *Session) carryHeld(c *exec.Carrier, rebuilt map[value.ObjectID]bool) (again []heldValue) {
	var kept []heldValue
	for _, h := range s.held {
		h.to = value.Renamed(h.to, c.Element)
		switch {
		case s.world.Object(h.root).Gone || s.lost(h.to):
		case rebuilt[h.root]:
			again = append(again, h)
		default:
			kept = append(kept, h)
		}
	}
	s.held = kept
	return again
}

// lost reports whether a value refers to an object or is an element that is not
// there any more.
func (s *Session) lost(v value.Value) bool {
	if id, ok := v.AsObject(); ok && s.world.Object(id).Gone {
		return true
	}
	if n, ok := v.AsNamed(); ok {
		return n.Index() < 0
	}
	if v.Kind().IsCollection() {
		for e := range v.All() {
			if s.lost(e) {
				return true
			}
		}
	}
	return false
}

// carryRun lets the stepped run go on, or ends it. The way back stays where
// nothing on it has changed.
func (s *Session) carryRun(c *exec.Carrier, carried *exec.Carried, d *Declaration) {
	r := &s.run
	for id := range carried.Ended {
		delete(r.visits, id)
	}
	if !r.on {
		return
	}
	r.stood = nil
	if carried.Ended[r.id] {
		d.Ended = true
		visits := r.visits
		r.end()
		r.visits = visits
		return
	}
	if e := s.successor(); e != nil {
		r.element = e
	} else if r.element != nil {
		r.element = s.ownElement(carried.World, r.id)
	}
	whole := len(carried.Rebuilt)+len(carried.Gone)+len(carried.Ended) == 0
	checkpoints := make([]checkpoint, 0, len(r.checkpoints))
	for _, p := range r.checkpoints {
		if !whole {
			break
		}
		way := c.Carry(p.world)
		whole = len(way.Rebuilt)+len(way.Gone)+len(way.Ended) == 0
		p.world, p.held = way.World, slices.Clone(p.held)
		for i := range p.held {
			p.held[i].to = value.Renamed(p.held[i].to, c.Element)
		}
		checkpoints = append(checkpoints, p)
	}
	if !whole {
		d.Cut = r.here > 0
		r.moves, r.here, r.checkpoints = nil, 0, nil
		return
	}
	r.checkpoints = checkpoints
	r.moves = slices.Clone(r.moves) // a fork may have them too, of the Program before
	for i := range r.moves {
		args := append([]Argument(nil), r.moves[i].event.Args...)
		for k := range args {
			args[k].Value = value.Renamed(args[k].Value, c.Element)
		}
		r.moves[i].event.Args = args
	}
}

// maxRenumbered is how many held objects are made again for their numbers.
const maxRenumbered = 10_000

// heldBy are the objects that the rebuilt roots held in old, in order.
func (s *Session) heldBy(old *exec.World, rebuilt map[value.ObjectID]bool) []value.ObjectID {
	var held []value.ObjectID
	before := turn{Session: s, world: old}
	for i := range old.Objects.Len() {
		id := value.ObjectID(i)
		if o := old.Object(id); o.Owner == value.NoObject || o.Gone {
			continue
		}
		if root, _ := before.rootPath(id); rebuilt[root] && len(held) < maxRenumbered {
			held = append(held, id)
		}
	}
	return held
}

// renumber makes objects that were held in old once more, and gives each the
// display number that it had. It gives those that are not there.
func (s *Session) renumber(old *exec.World, held []value.ObjectID) (left []value.ObjectID) {
	before := turn{Session: s, world: old}
	for _, was := range held {
		root, path := before.rootPath(was)
		err := s.commit(context.Background(), func(t *turn) error {
			t.quiet = true
			id, err := t.lookup(t.path(root, path))
			if err == nil {
				t.world.Renumber(id, old.Object(was).Number)
			}
			return err
		})
		if err != nil { // it fails again where it is asked for
			left = append(left, was)
		}
	}
	return left
}

// path is a path from a root, for lookup.
func (t *turn) path(root value.ObjectID, path []string) string {
	return strings.Join(append([]string{"#" + strconv.Itoa(int(t.world.Object(root).Number))}, path...), ".")
}

// restore sets values that were set by hand in objects that were rebuilt; what
// has no place any more is dropped.
func (s *Session) restore(held []heldValue) {
	for _, h := range held {
		err := s.commit(context.Background(), func(t *turn) error {
			t.quiet = true
			last := len(h.path) - 1
			id, err := t.lookup(t.path(h.root, h.path[:last]))
			if err != nil {
				return err
			}
			if err := t.admits(t.elementOf(id), h.path[last], h.to); err != nil {
				return err
			}
			_, err = t.world.Assign(id, t.lowering.NameID(h.path[last]), h.to)
			return err
		})
		if err == nil {
			s.held = append(s.held, h)
		}
	}
}
