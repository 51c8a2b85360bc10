package runtime

import (
	"context"
	"runtime"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Explore runs a behaviour over every resolution of its choices. The session
// stays as it was. When ctx ends, what was found until then is returned with
// Interrupted set. The error is for what could not be started.
func (s *Session) Explore(ctx context.Context, q ExploreRequest) (*Exploration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	search, name, kind, err := s.searchFor(ctx, q)
	if err != nil {
		return nil, err
	}
	search.Run(ctx)
	r := search.ResultWithin(ctx)
	x := &Exploration{Behavior: name, Kind: kind, Granularity: r.Granularity, Complete: r.Complete, Interrupted: r.Interrupted, Bounds: r.Bounds,
		Linearizations: r.Linearizations, Runs: r.Runs, Worlds: r.Worlds, Moves: r.Moves, Depth: r.Depth, Cyclic: r.Cyclic, Uncounted: r.Uncounted, Apart: r.Apart, Bytes: r.Bytes,
		result: r, search: search}
	for _, o := range r.Outcomes {
		e := &ExploredOutcome{FinalState: o.FinalState, Terminated: o.Terminated, Visits: o.Visits, Err: o.Err, Linearizations: o.Linearizations, Share: o.Share, outcome: o}
		for _, out := range o.Outputs {
			e.Outputs = append(e.Outputs, Output{Name: out.Name, Value: out.Value, Text: out.Text})
		}
		x.Outcomes = append(x.Outcomes, e)
	}
	return x, nil
}

// CheckBehavior runs a behaviour over every resolution of its choices and says what
// can go wrong and what differs. The session stays as it was. When ctx ends,
// the verdict is about what was found until then. Ways to violations are the
// shortest as far as an unreduced search of 100,000 Worlds goes.
func (s *Session) CheckBehavior(ctx context.Context, q CheckRequest) (*Checking, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	search, name, kind, err := s.searchFor(ctx, q.ExploreRequest)
	if err != nil {
		return nil, err
	}
	if q.Resume == nil && len(q.Properties) > 0 {
		properties, err := s.properties(ctx, q)
		if err != nil {
			return nil, err
		}
		search.Watch(properties...)
	}
	reduced := q.Resume == nil && len(q.Properties) == 0 && !q.Unreduced
	if reduced {
		search.Reduce()
	}
	search.Run(ctx)
	c := &Checking{Behavior: name, Kind: kind, Verdict: search.VerdictWithin(ctx), search: search}
	if d := c.unanswerable(); d != nil {
		return nil, d
	}
	if reduced && len(c.Violations) > 0 && c.Complete {
		s.shorten(ctx, q.ExploreRequest, c)
	}
	return c, nil
}

// unanswerable is the error of a property in which a name leads nowhere: no
// World could answer it, so that it is no finding about the behaviour.
func (c *Checking) unanswerable() error {
	for _, v := range c.Violations {
		if v.Property != "" && v.Err != nil && v.Err.Code == diagnostic.UnresolvedName {
			return v.Err
		}
	}
	return nil
}

// shortestWithin is how many Worlds are looked through for ways to violations
// that are shorter than those which a reduction leaves.
const shortestWithin = 100_000

// shorten puts the verdict of an unreduced search in place of a reduced one,
// whose ways to violations need not be the shortest, where it takes few Worlds.
func (s *Session) shorten(ctx context.Context, q ExploreRequest, c *Checking) {
	q.Worlds = shortestWithin
	search, _, _, err := s.searchFor(ctx, q)
	if err != nil || !search.Run(ctx) {
		return
	}
	if v := search.Verdict(); v.Complete {
		c.Verdict, c.search = v, search
	}
}

// properties lowers the conditions of a request for the run that it makes.
func (s *Session) properties(ctx context.Context, q CheckRequest) ([]explore.Property, error) {
	var list []explore.Property
	err := s.look(ctx, func(t *turn) error {
		element, err := t.exploredElement(q.ExploreRequest)
		if err != nil {
			return err
		}
		start, _, _, err := t.exploreFrom(q.ExploreRequest)
		if err != nil {
			return err
		}
		for _, p := range q.Properties {
			list = append(list, t.property(p, start.Run, element))
		}
		return nil
	})
	return list, err
}

// exploredElement is the element that a request is about.
func (t *turn) exploredElement(q ExploreRequest) (*model.Element, error) {
	if q.Element != nil {
		return q.Element, nil
	}
	return t.find(q.Behavior)
}

// property lowers a condition. It reads the features of the run as arguments.
func (t *turn) property(p Property, run exec.RunID, element *model.Element) explore.Property {
	if p.Judge != nil {
		return t.judged(p, run, element)
	}
	machine := isMachine(element)
	names, slots := t.claimed(element)
	if machine {
		names = append(names, "finalState")
	}
	unit := t.lowering.Expression(p.Condition, element, names...)
	program := t.lowering.Program()
	budgets := t.budget
	holds := func(w *exec.World) (holds, decided bool, err error) {
		r := w.Run(run)
		if r.Env == exec.NoEnv {
			return false, false, nil
		}
		args := make([]value.Value, 0, len(names))
		for _, slot := range slots {
			args = append(args, w.Env(r.Env).Slot(slot))
		}
		if machine {
			state, _ := w.FinalState(run)
			args = append(args, value.Text(state))
		}
		look := w.Branch()
		look.Program = program
		e := exec.Engine{World: look, Meter: budget.NewMeter(context.Background(), budgets), Resolver: schedule.Policy{}.Resolver()}
		v, err := e.Evaluate(unit, r.Self, args...)
		if err != nil {
			if d := diagnostic.Of(err); d[0].Code == exec.NoValue {
				return false, false, nil
			}
			return false, false, err
		}
		b, ok := v.AsBool()
		if !ok {
			return false, false, diagnostic.New(value.TypeMismatch, p.Condition.Span(), "a property is a condition, not "+v.TypeName())
		}
		return b, true, nil
	}
	span := p.Condition.Span()
	return explore.Property{Kind: p.Kind, Text: span.Text(), Holds: holds, Far: program.ReadsOthers(unit), Timed: program.TellsTime()}
}

// claimed are the features of a behaviour that properties speak of, and where
// they are in its environment.
func (t *turn) claimed(element *model.Element) (names []string, slots []int) {
	layout := exec.NoLayout
	if isMachine(element) {
		layout = t.world.Program.Machines[t.lowering.Machine(element)].Layout
	} else {
		layout = t.world.Program.Graphs[t.lowering.Action(element)].Layout
	}
	for i, slot := range t.world.Program.Layouts[layout].Slots {
		if slot.Kind != exec.LocalData && slot.Kind != exec.PinData {
			names, slots = append(names, slot.Name), append(slots, i)
		}
	}
	return names, slots
}

// judged is a property that a function of the features decides.
func (t *turn) judged(p Property, run exec.RunID, element *model.Element) explore.Property {
	machine := isMachine(element)
	names, slots := t.claimed(element)
	return explore.Property{Kind: p.Kind, Text: p.Text, Holds: func(w *exec.World) (holds, decided bool, err error) {
		r := w.Run(run)
		if r.Env == exec.NoEnv {
			return false, false, nil
		}
		features := make([]Output, 0, len(names)+1)
		for i, slot := range slots {
			features = append(features, Output{Name: names[i], Value: w.Env(r.Env).Slot(slot)})
		}
		if machine {
			state, _ := w.FinalState(run)
			features = append(features, Output{Name: "finalState", Value: value.Text(state)})
		}
		return p.Judge(features)
	}}
}

func isMachine(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.StateDefinition, syntax.StateUsage, syntax.ExhibitStateUsage:
		return true
	}
	return false
}

// searchFor is the search that a request asks for, not begun or interrupted.
func (s *Session) searchFor(ctx context.Context, q ExploreRequest) (search *explore.Search, name, kind string, err error) {
	if q.Resume != nil {
		search, name, kind = q.Resume.resumed()
		search.SetProgress(q.Progress)
		return search, name, kind, nil
	}
	var start explore.Start
	err = s.look(ctx, func(t *turn) (err error) {
		start, name, kind, err = t.exploreFrom(q)
		return err
	})
	if err != nil {
		return nil, "", "", err
	}
	o := explore.Options{Granularity: q.Granularity, Runs: q.Runs, Depth: q.Depth, Worlds: q.Worlds, Workers: q.Workers, Progress: q.Progress}
	if o.Runs == 0 && o.Depth == 0 && o.Worlds == 0 {
		o.Worlds = int(s.budget.Limit(budget.Worlds))
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return explore.NewSearch(start, o), name, kind, nil
}

// exploreFrom finds the behaviour and says how it begins.
func (t *turn) exploreFrom(q ExploreRequest) (start explore.Start, name, kind string, err error) {
	t.setAside()
	settings := t.orOwn(q.Settings)
	settings.Schedule = schedule.Policy{}
	element, err := t.exploredElement(q)
	if err != nil {
		return start, "", "", err
	}
	self := value.NoObject
	if q.On != "" {
		if self, err = t.performer(q.On); err != nil {
			return start, "", "", err
		}
	}
	inputs := make([]exec.Input, len(q.Inputs))
	for i, a := range q.Inputs {
		inputs[i] = exec.Input{Name: a.Name, Value: a.Value}
	}
	var begin func(e *exec.Engine) (exec.RunID, error)
	switch element.Metaclass() {
	case syntax.StateDefinition, syntax.StateUsage, syntax.ExhibitStateUsage:
		m := t.lowering.Machine(element)
		kind, err = "state", t.lowering.Program().Machines[m].Takes(inputs)
		begin = func(e *exec.Engine) (exec.RunID, error) { return e.StartMachine(m, self, inputs...) }
	case syntax.ActionDefinition, syntax.ActionUsage, syntax.PerformActionUsage:
		g := t.lowering.Action(element)
		kind, err = "action", t.lowering.Program().Graphs[g].Takes(inputs)
		begin = func(e *exec.Engine) (exec.RunID, error) { return e.StartAction(g, self, inputs...) }
	default:
		err = diagnostic.New(notABehaviour, element.Span(), element.QualifiedName()+" is no action and no state machine")
	}
	if err != nil {
		return start, "", "", err
	}
	t.world.Program = t.lowering.Program()
	(&behaviour{turn: t}).seed(settings)
	start = explore.Start{World: t.world, Draws: settings.Draws, ClockStep: settings.ClockStep, Budget: t.budget, Run: t.world.NextRun(), Covered: t.runner.Covered}
	start.Begin = func(e *exec.Engine) error {
		id, err := begin(e)
		if err != nil {
			return err
		}
		for _, ev := range q.Events {
			names, values := make([]string, len(ev.Args)), make([]value.Value, len(ev.Args))
			for i, a := range ev.Args {
				names[i], values[i] = a.Name, a.Value
			}
			e.PostEvent(id, ev.signal(), ev.Via, ev.Call, names, values)
		}
		return nil
	}
	return start, element.QualifiedName(), kind, nil
}

var notAnEvent = diagnostic.Register("not-a-signal",
	"A signal or a call is written as its name, or as its name with arguments in parentheses.")

// Event is the signal or the call that an expression names, NAME or
// NAME(p=EXPR, ...), with its arguments evaluated. An argument without a name
// is the value that an accept binds.
func (s *Session) Event(ctx context.Context, x syntax.Expr) (Event, error) {
	switch x := x.(type) {
	case *syntax.FeatureReferenceExpression:
		return Event{Name: model.QuoteQualified(x.Name)}, s.isSignal(x.Name)
	case *syntax.InvocationExpression:
		if x.Receiver != nil || x.BodyArgument != nil || x.Callee.IsChain() {
			break
		}
		e := Event{Name: model.QuoteQualified(x.Callee.First())}
		if err := s.isSignal(x.Callee.First()); err != nil {
			return e, err
		}
		if d := s.nameless(x); d != nil {
			return e, d
		}
		for i := range x.Arguments {
			a := &x.Arguments[i]
			v, err := s.Evaluate(ctx, a.Value, "")
			if err != nil {
				return e, err
			}
			name := a.Name.Last().Text
			if name == "" {
				name = "value"
			}
			e.Args = append(e.Args, Argument{Name: name, Value: v})
		}
		return e, nil
	}
	span := x.Span()
	return Event{}, diagnostic.New(notAnEvent, span, "expected a signal, NAME or NAME(p=EXPR), not "+span.Text())
}

// isSignal refuses a simple name that nothing in the model and no scalar type
// has: no accept could wait for it.
func (s *Session) isSignal(name syntax.QualifiedName) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := name.Last().Text
	if !name.IsSimple() || s.model.Declares(last) || s.model.Find("ScalarValues::"+model.Quote(last)) != nil {
		return nil
	}
	_, err := s.find(model.Quote(last))
	return err
}
