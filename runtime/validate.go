package runtime

import (
	"context"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Validate judges every assertion that an object and all that it holds carry:
// asserted constraints, requirements, and satisfaction assertions about them.
// It works on a copy of the World.
func (s *Session) Validate(ctx context.Context, ref string) (*Validation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v *Validation
	err := s.look(ctx, func(t *turn) error {
		id, err := t.lookup(ref)
		if err == nil {
			v = t.validate(id)
			err = t.runner.Meter.Cancelled()
		}
		return err
	})
	return v, err
}

// A Materialization is what reading everything of an object reports.
type Materialization struct {
	Errors  []*diagnostic.Diagnostic
	Bounded bool
}

// Materialize reads every feature value of an object and of the objects it
// holds, depth first, on a copy of the World.
func (s *Session) Materialize(ctx context.Context, ref string) (*Materialization, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &Materialization{}
	err := s.look(ctx, func(t *turn) error {
		id, err := t.lookup(ref)
		if err == nil {
			w := &walk{turn: t}
			w.object(id, 0)
			m.Errors, m.Bounded = w.unread, w.bounded
		}
		return err
	})
	return m, err
}

// A walk reads an object tree.
type walk struct {
	*turn
	open    []exec.TypeID
	reads   int64
	seen    map[value.ObjectID]bool
	unread  []*diagnostic.Diagnostic
	bounded bool
	// visit is called for each object before it is read; nil for nothing.
	visit func(id value.ObjectID)
	// named lets what is unread begin with the path of its feature.
	named bool
}

func (w *walk) object(id value.ObjectID, depth int64) {
	if w.seen == nil {
		w.seen = map[value.ObjectID]bool{}
	}
	if w.seen[id] {
		return
	}
	w.seen[id] = true
	if w.visit != nil {
		w.visit(id)
	}
	limits := w.runner.Meter.Budget
	typ := w.world.Program.Types[w.world.Object(id).Type]
	w.open = append(w.open, typ.ID)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	var held []value.ObjectID
	for i := range typ.Slots {
		slot := &typ.Slots[i]
		switch slot.Kind {
		case exec.ConditionFeature, exec.CalculationFeature, exec.BehaviourFeature:
			continue
		}
		if w.reads++; w.reads > limits.Limit(budget.Reads) {
			w.bounded = true
			return
		}
		v, err := w.feature(id, w.world.Program.Name(slot.Name))
		if err != nil {
			if d := diagnostic.Of(err)[0]; d.Code != exec.Uninitialized {
				if w.named {
					of := *d
					of.Message = w.turn.object(w.world, id).Name + "." + w.world.Program.Name(slot.Name) + ": " + d.Message
					d = &of
				}
				w.unread = append(w.unread, d)
			}
			continue
		}
		for e := range v.All() {
			if h, ok := e.AsObject(); ok && w.world.Object(h).Owner == id {
				held = append(held, h)
			}
		}
	}
	for _, h := range held {
		open := false
		for _, o := range w.open {
			open = open || o == w.world.Object(h).Type
		}
		if depth+1 > limits.Limit(budget.Nesting) || open {
			w.bounded = true
			continue
		}
		w.object(h, depth+1)
	}
}

func (t *turn) validate(root value.ObjectID) *Validation {
	v := &Validation{Object: *t.object(t.world, root)}
	satisfactions := t.satisfactions()
	w := &walk{turn: t, named: true}
	w.visit = func(id value.ObjectID) {
		path := ""
		if id != root {
			path = t.pathFrom(root, id)
		}
		add := func(x *Verdict) {
			x.Object = path
			v.Verdicts = append(v.Verdicts, *x)
		}
		t.conditions(id, add)
		e := t.elementOf(id)
		for _, a := range satisfactions {
			if a.by == e {
				text, _ := assertion(a.element)
				add(t.satisfiedBy(a.element, &Verdict{Kind: "satisfaction", Assertion: text, Span: a.element.Span()}, id))
			}
		}
	}
	t.unobserved(func() { w.object(root, 0) })
	v.Bounded, v.Unread = w.bounded, w.unread
	return v
}

// conditions judges the asserted constraints, then the requirements of id.
func (t *turn) conditions(id value.ObjectID, add func(*Verdict)) {
	typ := t.world.Object(id).Type
	list, known := t.asserted[typ]
	if !known {
		list = assertedBy(t.elementOf(id))
		if t.asserted == nil {
			t.asserted = map[exec.TypeID][]*model.Element{}
		}
		t.asserted[typ] = list
	}
	for _, e := range list {
		add(t.judge(e, id, nil))
	}
}

// assertedBy are the asserted constraints of e, then its requirements.
func assertedBy(e *model.Element) []*model.Element {
	var constraints, requirements []*model.Element
	for _, f := range e.AllFeatures() {
		if f.Redefiner != nil || f.IsLibrary() {
			continue
		}
		switch f.Metaclass() {
		case syntax.AssertConstraintUsage:
			constraints = append(constraints, f.Element)
		case syntax.RequirementUsage, syntax.ConcernUsage:
			requirements = append(requirements, f.Element)
		}
	}
	return append(constraints, requirements...)
}

type satisfaction struct{ element, by *model.Element }

// satisfactions are the satisfaction assertions of the model with what they
// are about.
func (t *turn) satisfactions() []satisfaction {
	var all []satisfaction
	for _, r := range t.model.Roots() {
		for _, a := range assertions(r) {
			part, ok := a.Decl().Detail.(*syntax.SatisfyPart)
			if !ok {
				continue
			}
			if links, _ := t.model.ResolveReference(&part.By, a); len(links) > 0 {
				all = append(all, satisfaction{a, links[len(links)-1]})
			}
		}
	}
	return all
}

// pathFrom is the path that leads from object root to id.
func (t *turn) pathFrom(root, id value.ObjectID) string {
	path := ""
	for id != root && id != value.NoObject {
		o := t.world.Object(id)
		if o.Owner == value.NoObject {
			break
		}
		s := step(t.world, o)
		if path != "" {
			s += "." + path
		}
		path = s
		id = o.Owner
	}
	return path
}
