package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file judges cases of actions and of state machines.

func init() {
	judges["action"] = (*bench).action
	judges["state"] = (*bench).state
	judgeObjects = objects
}

func isAction(m syntax.Metaclass) bool {
	return m == syntax.ActionDefinition || m == syntax.ActionUsage || m == syntax.PerformActionUsage
}

func isState(m syntax.Metaclass) bool {
	return m == syntax.StateDefinition || m == syntax.StateUsage || m == syntax.ExhibitStateUsage
}

func (b *bench) action() []string {
	e, problem := b.entry(isAction)
	if problem != nil {
		return problem
	}
	run, err := b.session.Run(b.ctx, "", runtime.RunOptions{Element: e, Settings: &b.settings, Trace: true})
	return b.outcome(run, err, nil)
}

func (b *bench) state() []string {
	e, problem := b.entry(isState)
	if problem != nil {
		return problem
	}
	if len(b.expect.Performers) > 0 {
		return b.performers(e)
	}
	events, oneByOne := posted(b.expect.Events)
	run, err := b.session.Run(b.ctx, "", runtime.RunOptions{Element: e, Settings: &b.settings, Trace: true, Events: events, OneByOne: oneByOne})
	return b.outcome(run, err, b.expect.Events)
}

// performers runs the machine once for each object, one behind the other in
// one World.
func (b *bench) performers(e *model.Element) []string {
	var reasons []string
	for i := range b.expect.Performers {
		p := &b.expect.Performers[i]
		events, oneByOne := posted(p.Events)
		mark := &strings.Builder{}
		run, err := b.session.Run(b.ctx, "", runtime.RunOptions{Element: e, On: p.Object, Settings: &b.settings, Trace: true, FromStart: true,
			Events: events, OneByOne: oneByOne, Keep: true})
		if err != nil {
			reasons = append(reasons, p.Object+": "+err.Error())
			continue
		}
		mark.WriteString(run.Trace)
		b.trace += mark.String()
		if run.Err != nil {
			reasons = append(reasons, p.Object+": "+run.Err.Error())
			continue
		}
		for _, r := range b.compare(p.FinalState, p.StateVisits, p.Outputs, false, run) {
			reasons = append(reasons, p.Object+": "+r)
		}
	}
	return reasons
}

// posted are events as the session takes them; oneByOne is set where a call
// states results.
func posted(events []Event) (list []runtime.Event, oneByOne bool) {
	for _, e := range events {
		x := runtime.Event{Name: e.Signal + e.Call, Call: e.Call != ""}
		if e.Value != nil {
			if v, ok := e.Value.Given(); ok {
				x.Args = append(x.Args, runtime.Argument{Name: "value", Value: v})
			}
		}
		for i := range e.Args {
			if v, ok := e.Args[i].Given(); ok {
				x.Args = append(x.Args, runtime.Argument{Name: e.Args[i].Name, Value: v})
			}
		}
		oneByOne = oneByOne || e.HasResults
		list = append(list, x)
	}
	return list, oneByOne
}

// outcome compares a run with what the case states.
func (b *bench) outcome(run *runtime.Run, err error, events []Event) []string {
	if run != nil {
		b.trace = run.Trace
		if run.Err != nil {
			err = run.Err
		}
	}
	if b.expect.Error != "" {
		if err == nil || !strings.Contains(message(err), b.expect.Error) {
			return []string{fmt.Sprintf("got %v, want the error %q", err, b.expect.Error)}
		}
		return nil
	}
	if err != nil {
		return []string{"error: " + message(err)}
	}
	reasons := b.results(run, events)
	if len(b.expect.Outcomes) == 0 {
		return append(reasons, b.compare(b.expect.FinalState, b.expect.StateVisits, b.expect.Outputs, false, run)...)
	}
	var matched []int
	var misses []string
	for i := range b.expect.Outcomes {
		o := &b.expect.Outcomes[i]
		miss := b.compare(o.FinalState, o.StateVisits, o.Outputs, o.Terminated, run)
		if len(miss) == 0 {
			matched = append(matched, i+1)
		} else {
			misses = append(misses, fmt.Sprintf("outcome %d: %s", i+1, miss[0]))
		}
	}
	switch len(matched) {
	case 0:
		return append(append(reasons, "the result is inadmissible"), misses...)
	case 1:
		return reasons
	}
	return append(reasons, fmt.Sprintf("the result matches the outcomes %v: the set is not distinct", matched))
}

func message(err error) string {
	var d *diagnostic.Diagnostic
	if errors.As(err, &d) {
		return d.Message
	}
	return err.Error()
}

func (b *bench) compare(final *string, visits []string, outputs Values, terminated bool, run *runtime.Run) []string {
	var reasons []string
	if final != nil && run.FinalState != *final {
		reasons = append(reasons, fmt.Sprintf("final state %q, want %q", run.FinalState, *final))
	}
	if terminated && !run.Terminated {
		reasons = append(reasons, fmt.Sprintf("in state %q, want it terminated", run.FinalState))
	}
	if visits != nil && !slices.Equal(visits, run.Visits) {
		reasons = append(reasons, fmt.Sprintf("visits %v, want %v", run.Visits, visits))
	}
	return append(reasons, b.values("output", outputs, func(name string) (runtime.Output, error) {
		if o, ok := run.Output(name); ok {
			return o, nil
		}
		return runtime.Output{}, errors.New("the run has no such output")
	})...)
}

// results compares what calls returned.
func (b *bench) results(run *runtime.Run, events []Event) []string {
	var reasons []string
	call := 0
	for i := range events {
		if events[i].Call == "" {
			continue
		}
		call++
		if !events[i].HasResults || call > len(run.Returned) {
			continue
		}
		returned := run.Returned[call-1]
		reasons = append(reasons, b.values("result of "+events[i].Call, events[i].Results, func(name string) (runtime.Output, error) {
			for _, o := range returned {
				if o.Name == name {
					return o, nil
				}
			}
			return runtime.Output{}, errors.New("the call returned no such output")
		})...)
		if len(returned) > len(events[i].Results) {
			reasons = append(reasons, fmt.Sprintf("the call %s returned %d outputs, want %d", events[i].Call, len(returned), len(events[i].Results)))
		}
	}
	return reasons
}

// objects runs the machines of the objects of an instance case, one behind
// the other, and compares what became of them.
func objects(ctx context.Context, s *runtime.Session, c *Case, root string) []string {
	var reasons []string
	for i := range c.Expect.Objects {
		o := &c.Expect.Objects[i]
		ref := root
		if o.Path != "" {
			ref += "." + o.Path
		}
		b := &bench{ctx: ctx, c: c, expect: c.Expect, session: s}
		if o.FinalState != nil || o.StateVisits != nil || len(o.Events) > 0 {
			events, oneByOne := posted(o.Events)
			run, err := s.RunObject(ctx, ref, runtime.RunOptions{Events: events, OneByOne: oneByOne})
			if err != nil {
				reasons = append(reasons, ref+": "+err.Error())
				continue
			}
			for _, r := range b.compare(o.FinalState, o.StateVisits, nil, false, run) {
				reasons = append(reasons, ref+": "+r)
			}
		}
		reasons = append(reasons, slots(ctx, s, ref, o.Slots)...)
	}
	return reasons
}
