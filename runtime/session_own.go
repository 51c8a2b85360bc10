package runtime

import (
	"context"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file is about the behaviours that objects have of their own: the state
// machines that they exhibit and the actions that they perform.

// Behavior is what a name of a behaviour stands for: an element, or a
// behaviour of an object, named by a path ("plant.pumps[1].control") or by the
// object alone where it has just one. on is the object's path, "" for an
// element that nobody has to perform. Nothing is changed.
func (s *Session) Behavior(ctx context.Context, name string) (e *model.Element, on string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, err = s.find(name); err == nil && !denotesObject(e) {
		return e, "", nil
	}
	missing := err
	err = s.look(ctx, func(t *turn) error {
		id, err := t.own(name)
		if err != nil {
			if e, on = t.performable(name); e != nil {
				return nil
			}
			return err
		}
		run := t.world.Run(id)
		if e = t.ownElement(t.world, id); e == nil {
			return diagnostic.New(notABehaviour, source.Span{}, name+" cannot be run apart from its object")
		}
		on = name
		if self, err := t.lookup(name); err != nil || self != run.Self {
			parts := pathParts(name)
			on = strings.Join(parts[:len(parts)-1], ".")
		}
		return nil
	})
	if d := diagnostic.Of(err); missing != nil && len(d) > 0 && d[0].Code == noObject && len(pathParts(name)) == 1 {
		err = missing
	}
	return e, on, err
}

// performable is the behaviour that the last name of a path is in the type of
// the object before it, and that object's path: one that the object can perform
// and does not of itself. It is nil where there is none.
func (t *turn) performable(path string) (e *model.Element, on string) {
	parts := pathParts(path)
	on = strings.Join(parts[:len(parts)-1], ".")
	id, err := t.lookup(on)
	if err != nil {
		return nil, ""
	}
	owner := t.model.Find(t.world.Program.Types[t.world.Object(id).Type].Qualified)
	if owner == nil {
		return nil, ""
	}
	e, _ = owner.LookupInside(strings.Trim(parts[len(parts)-1], "'"))
	if e == nil {
		return nil, ""
	}
	switch e.Metaclass() {
	case syntax.StateUsage, syntax.ExhibitStateUsage, syntax.ActionUsage, syntax.PerformActionUsage:
		return e, on
	}
	return nil, ""
}

// denotesObject reports whether e is a usage that stands for an object.
func denotesObject(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.PartUsage, syntax.ItemUsage, syntax.OccurrenceUsage, syntax.PortUsage:
		return true
	}
	return false
}

// ownElement is the element of an object's own behaviour; nil where the model
// has none of its name.
func (s *Session) ownElement(w *exec.World, id exec.RunID) *model.Element {
	run := w.Run(id)
	if run.Occurrence == value.NoObject { // a run that was started on the object
		if s.run.on && s.run.id == id {
			return s.run.element
		}
		return nil
	}
	owner := s.model.Find(w.Program.Types[w.Object(run.Self).Type].Qualified)
	if owner == nil {
		return nil
	}
	e, _ := owner.LookupInside(w.Program.Name(run.Label))
	return e
}

// OwnBehavior is the path of the behaviour that an object has already and that
// a name means, in itself or as its type; "" where it has none.
func (s *Session) OwnBehavior(name, on string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := ""
	_ = s.look(context.Background(), func(t *turn) error {
		element, err := t.find(name)
		if err != nil {
			return err
		}
		id, err := t.lookup(on)
		if err != nil {
			return err
		}
		for _, r := range t.world.Behavior.Attached {
			run := t.world.Run(r)
			if run.Self != id || run.Occurrence == value.NoObject {
				continue
			}
			if own := s.ownElement(t.world, r); own != nil && own.Specializes(element) {
				path = on + "." + t.world.Program.Name(run.Label)
				break
			}
		}
		return nil
	})
	return path
}

// own is the run of an object's own behaviour that a path names.
func (t *turn) own(path string) (exec.RunID, error) {
	id, err := t.lookup(path)
	if err != nil {
		return exec.NoRun, err
	}
	var runs []exec.RunID
	var names []string
	for _, r := range t.world.Behavior.Attached {
		run := t.world.Run(r)
		switch {
		case run.Occurrence == value.NoObject:
		case run.Occurrence == id:
			return r, nil
		case run.Self == id:
			runs, names = append(runs, r), append(names, path+"."+t.world.Program.Name(run.Label))
		}
	}
	switch len(runs) {
	case 0:
		return exec.NoRun, diagnostic.New(notABehaviour, source.Span{}, path+" exhibits no state machine and performs no action")
	case 1:
		return runs[0], nil
	}
	return exec.NoRun, diagnostic.New(notABehaviour, source.Span{}, path+" has several behaviours").
		WithHint("name one: " + strings.Join(names, ", "))
}

// Attach makes a behaviour that an object already has the stepped run of the
// session, in place of the one there was: its machine stands where it stands,
// and what is stepped, sent and taken back is the object's own life. With
// given nil the settings of the session hold. Stop leaves the behaviour running.
func (s *Session) Attach(ctx context.Context, path string, given *schedule.Settings) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings := s.orOwn(given)
	chooses, _, err := resolver(settings)
	if err != nil {
		return nil, err
	}
	return s.stand(ctx, settings, func(t *turn, r *running) (err error) {
		if r.id, err = t.own(path); err != nil {
			return err
		}
		r.element, r.resolver = t.ownElement(t.world, r.id), chooses
		return nil
	})
}
