package api

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
	runtimeexplore "github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// explore runs a behaviour over every order of its choices.
func explore(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var h *Handle
	if len(args) != 1 {
		return nil, fmt.Errorf("explore takes a behaviour, then bounds and inputs by name")
	}
	h, ok := args[0].(*Handle)
	if !ok || h.kind != "action" && h.kind != "state" {
		return nil, fmt.Errorf("explore takes an action or a state machine, not %s", args[0].Type())
	}
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, err
	}
	inputs, given, err := e.arguments(ctx, s, h.name, kwargs, map[string]bool{"runs": true, "depth": true, "worlds": true,
		"reduce": true, "granularity": true, "on": true, "draws": true, "seed": true, "clock_step": true})
	if err != nil {
		return nil, err
	}
	settings, err := e.settings(thread, s, spelled(given))
	if err != nil {
		return nil, err
	}
	q := runtime.ExploreRequest{Behavior: h.name, Inputs: inputs, Settings: settings, Runs: schedule.DefaultRuns, Depth: schedule.DefaultDepth, Workers: 1}
	for name, bound := range map[string]*int{"runs": &q.Runs, "depth": &q.Depth, "worlds": &q.Worlds} {
		if v, ok := given[name]; ok {
			if *bound, err = starlark.AsInt32(v); err != nil || *bound < 0 {
				return nil, fmt.Errorf("explore: %s is a number that is not negative, not %s", name, v)
			}
		}
	}
	if v, ok := given["granularity"]; ok {
		switch text, _ := starlark.AsString(v); text {
		case "node":
			q.Granularity = runtimeexplore.Node
		case "statement":
		default:
			return nil, fmt.Errorf("explore: granularity is \"statement\" or \"node\", not %s", v)
		}
	}
	if q.On, err = reference(given["on"]); err != nil {
		return nil, err
	}
	if q.On == "" && h.performer != nil {
		q.On = h.performer.ref()
	}
	x, err := s.Explore(ctx, q)
	e.touch(h.name)
	e.note(h, "explore "+callText(nil, kwargs), nil)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	if x.Interrupted {
		return nil, ctx.Err()
	}
	return e.newExploration(h, s, x), nil
}

func (e *Environment) newExploration(h *Handle, s *runtime.Session, x *runtime.Exploration) *Result {
	var outcomes []starlark.Value
	for _, o := range x.Outcomes {
		outcomes = append(outcomes, e.newOutcome(h.model, s, x, o))
	}
	var limits []string
	for _, b := range x.Bounds {
		limits = append(limits, fmt.Sprint(b))
	}
	text := fmt.Sprintf("%s: %d outcomes", h.name, len(outcomes))
	if !x.Complete {
		text += ", incomplete"
	}
	r := newResult("exploration", text, x.Complete)
	r.set("outcomes", frozen(outcomes))
	r.set("complete", starlark.Bool(x.Complete))
	r.set("limit", starlark.String(strings.Join(limits, ", ")))
	r.set("worlds", starlark.MakeInt(x.Worlds))
	r.set("granularity", starlark.String(x.Granularity.String()))
	var count starlark.Value = starlark.None
	if x.Linearizations != nil {
		count = starlark.MakeBigInt(x.Linearizations)
	}
	r.set("linearizations", count)
	list := r.fields["outcomes"].(*starlark.List)
	r.set("find", lang.Method("find", lang.Pure, func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var f starlark.Callable
		if err := starlark.UnpackArgs("find", args, kwargs, "f", &f); err != nil {
			return nil, err
		}
		for i := range list.Len() {
			ok, err := starlark.Call(thread, f, starlark.Tuple{list.Index(i)}, nil)
			if err != nil {
				return nil, err
			}
			if ok.Truth() {
				return list.Index(i), nil
			}
		}
		return starlark.None, nil
	}))
	return r
}

func (e *Environment) newOutcome(m *Model, s *runtime.Session, x *runtime.Exploration, o *runtime.ExploredOutcome) *Result {
	y := newResult("outcome", o.Text(), o.Err == nil)
	y.set("outputs", e.outputs(m, s, o.Outputs))
	y.set("current", starlark.String(o.FinalState))
	y.set("visits", texts(o.Visits))
	y.set("error", starlark.String(""))
	if o.Err != nil {
		y.fields["error"] = starlark.String(o.Err.Message)
	}
	var count, share starlark.Value = starlark.None, starlark.None
	if o.Linearizations != nil {
		count = starlark.MakeBigInt(o.Linearizations)
	}
	if o.Share != nil {
		f, _ := o.Share.Float64()
		share = starlark.Float(f)
	}
	y.set("linearizations", count)
	y.set("probability", share)
	var choices []string
	if w, err := x.Witness(o); err == nil {
		choices = w.Choices
	}
	y.set("witness", texts(choices))
	return y
}
