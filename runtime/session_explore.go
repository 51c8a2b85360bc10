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
	r := search.Result()
	x := &Exploration{Behavior: name, Kind: kind, Granularity: r.Granularity, Complete: r.Complete, Interrupted: r.Interrupted, Bounds: r.Bounds,
		Linearizations: r.Linearizations, Runs: r.Runs, Worlds: r.Worlds, Moves: r.Moves, Depth: r.Depth, Cyclic: r.Cyclic, Bytes: r.KeyBytes,
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

// searchFor is the search that a request asks for, not begun or interrupted.
func (s *Session) searchFor(ctx context.Context, q ExploreRequest) (search *explore.Search, name, kind string, err error) {
	if q.Resume != nil {
		q.Resume.search.SetProgress(q.Progress)
		return q.Resume.search, q.Resume.Behavior, q.Resume.Kind, nil
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
	settings := t.settings
	if q.Settings != nil {
		settings = *q.Settings
	}
	settings.Schedule = schedule.Policy{}
	element := q.Element
	if element == nil {
		if element, err = t.find(q.Behavior); err != nil {
			return start, "", "", err
		}
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
		kind = "state"
		begin = func(e *exec.Engine) (exec.RunID, error) { return e.StartMachine(m, self, inputs...) }
	case syntax.ActionDefinition, syntax.ActionUsage, syntax.PerformActionUsage:
		g := t.lowering.Action(element)
		kind = "action"
		begin = func(e *exec.Engine) (exec.RunID, error) { return e.StartAction(g, self, inputs...) }
	default:
		return start, "", "", diagnostic.New(notABehaviour, element.Span(), element.QualifiedName()+" is no action and no state machine")
	}
	t.world.Program = t.lowering.Program()
	(&behaviour{turn: t}).seed(settings)
	start = explore.Start{World: t.world, Draws: settings.Draws, ClockStep: settings.ClockStep, Budget: t.budget, Run: t.world.NextRun()}
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
			e.PostEvent(id, ev.Name, ev.Call, names, values)
		}
		return nil
	}
	return start, element.QualifiedName(), kind, nil
}
