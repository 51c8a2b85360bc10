package api

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	runtimeexplore "github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// exploreNames are the arguments of explore that are no inputs.
var exploreNames = map[string]bool{"runs": true, "depth": true, "worlds": true, "reduce": true, "granularity": true, "on": true, "send": true,
	"draws": true, "seed": true, "clock_step": true}

// An exploring is what explore and check have both been given.
type exploring struct {
	handle  *Handle
	env     *Environment
	session *runtime.Session
	request runtime.ExploreRequest
	given   map[string]starlark.Value // by the names that are no inputs
}

// exploringOf reads the arguments of explore and check. reserved are those that
// are no inputs.
func exploringOf(builtin string, thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple, reserved map[string]bool) (*exploring, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s takes a behaviour, then bounds and inputs by name", builtin)
	}
	h, ok := args[0].(*Handle)
	if !ok || h.kind != "action" && h.kind != "state" {
		return nil, fmt.Errorf("%s takes an action or a state machine, not %s", builtin, args[0].Type())
	}
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, err
	}
	inputs, given, err := e.arguments(ctx, s, h.name, kwargs, reserved)
	if err != nil {
		return nil, err
	}
	settings, err := e.settings(thread, s, spelled(given))
	if err != nil {
		return nil, err
	}
	x := &exploring{handle: h, env: e, session: s, given: given, request: runtime.ExploreRequest{Behavior: h.name, Inputs: inputs, Settings: settings,
		Runs: schedule.DefaultRuns, Depth: schedule.DefaultDepth, Workers: 1}}
	q := &x.request
	if err := exploreBounds(builtin, given, q); err != nil {
		return nil, err
	}
	if v, ok := given["granularity"]; ok {
		switch text, _ := starlark.AsString(v); text {
		case "node":
			q.Granularity = runtimeexplore.Node
		case "statement":
		default:
			return nil, fmt.Errorf("%s: granularity is \"statement\" or \"node\", not %s", builtin, v)
		}
	}
	if q.On, err = reference(given["on"]); err != nil {
		return nil, err
	}
	if q.On == "" && h.performer != nil {
		q.On = h.performer.ref()
	}
	if q.Events, err = signals(builtin, given["send"]); err != nil {
		return nil, err
	}
	return x, nil
}

// signals are what send= names: one signal, or several in a list or tuple.
func signals(builtin string, v starlark.Value) ([]runtime.Event, error) {
	if v == nil {
		return nil, nil
	}
	if name, ok := starlark.AsString(v); ok {
		return []runtime.Event{arriving(name, false, nil)}, nil
	}
	list, ok := v.(starlark.Indexable)
	if !ok {
		return nil, fmt.Errorf("%s: send is the name of a signal or a list of names, not %s", builtin, v.Type())
	}
	var events []runtime.Event
	for i := range list.Len() {
		name, ok := starlark.AsString(list.Index(i))
		if !ok {
			return nil, fmt.Errorf("%s: send is the name of a signal or a list of names, not a list with %s", builtin, list.Index(i).Type())
		}
		events = append(events, arriving(name, false, nil))
	}
	return events, nil
}

// exploreBounds takes the bounds that are given by name, or in bounds={}, and
// refuses another reduction than there is.
func exploreBounds(builtin string, given map[string]starlark.Value, q *runtime.ExploreRequest) error {
	if v, ok := given["bounds"]; ok {
		d, ok := v.(*starlark.Dict)
		if !ok {
			return fmt.Errorf("%s: bounds is a dict of runs, depth and worlds, not %s", builtin, v.Type())
		}
		for _, item := range d.Items() {
			name, _ := starlark.AsString(item[0])
			if name != "runs" && name != "depth" && name != "worlds" {
				return fmt.Errorf("%s: bounds has runs, depth and worlds, not %s", builtin, lang.Printed(item[0]))
			}
			if _, twice := given[name]; twice {
				return fmt.Errorf("%s: %s is given twice", builtin, name)
			}
			given[name] = item[1]
		}
	}
	for _, b := range []struct {
		name  string
		bound *int
	}{{"runs", &q.Runs}, {"depth", &q.Depth}, {"worlds", &q.Worlds}} {
		if v, ok := given[b.name]; ok {
			var err error
			if *b.bound, err = starlark.AsInt32(v); err != nil || *b.bound < 0 {
				return fmt.Errorf("%s: %s is a number that is not negative, not %s", builtin, b.name, lang.Printed(v))
			}
		}
	}
	if v, ok := given["reduce"]; ok {
		if text, _ := starlark.AsString(v); text != "auto" && text != "none" {
			return fmt.Errorf("%s: reduce is \"auto\" or \"none\", not %s", builtin, v)
		}
	}
	return nil
}

// explore runs a behaviour over every order of its choices.
func explore(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	q, err := exploringOf("explore", thread, args, kwargs, exploreNames)
	if err != nil {
		return nil, err
	}
	h, e := q.handle, q.env
	ctx := lang.Of(thread).Ctx
	x, err := q.session.Explore(ctx, q.request)
	e.touch(h.name)
	e.note(h, "explore "+callText(nil, kwargs), nil)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	if x.Interrupted {
		return nil, ctx.Err()
	}
	return e.newExploration(h, q.session, x), nil
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
	r.set("graph", graphMethod(s, x, func(g *runtimeexplore.Graph) *picture.Picture { return render.Worlds(x, g) }))
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

// check judges a behaviour over every order: deadlocks, failures, properties,
// and the features whose last value the order decides.
func check(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	reserved := map[string]bool{"bounds": true}
	for _, p := range propertyKinds {
		reserved[p.name] = true
	}
	for n := range exploreNames {
		reserved[n] = true
	}
	q, err := exploringOf("check", thread, args, kwargs, reserved)
	if err != nil {
		return nil, err
	}
	h, e := q.handle, q.env
	c := runtime.CheckRequest{ExploreRequest: q.request}
	if text, ok := starlark.AsString(q.given["reduce"]); ok {
		c.Unreduced = text == "none"
	}
	var failed *error
	if c.Properties, failed, err = properties(thread, q.given); err != nil {
		return nil, err
	}
	ctx := lang.Of(thread).Ctx
	v, err := q.session.CheckBehavior(ctx, c)
	e.touch(h.name)
	e.note(h, "check "+callText(nil, kwargs), nil)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if *failed != nil {
		return nil, *failed
	}
	return newChecking(h, q.session, v), nil
}

func newChecking(h *Handle, s *runtime.Session, v *runtime.Checking) *Result {
	r := newResult("checking", h.name+": "+v.Text, len(v.Violations) == 0)
	r.set("verdict", starlark.String(v.Text))
	r.set("complete", starlark.Bool(v.Complete))
	r.set("worlds", starlark.MakeInt(v.Worlds))
	for _, part := range []struct {
		name string
		list []*runtimeexplore.Feature
	}{{"divergent", v.Divergent}, {"agreed", v.Agreed}} {
		d := starlark.NewDict(len(part.list))
		for _, f := range part.list {
			d.SetKey(starlark.String(f.Name), texts(f.Values)) // texts are hashable
		}
		r.set(part.name, d)
	}
	var violations []starlark.Value
	for _, x := range v.Violations {
		violations = append(violations, starlark.String(x.Kind+": "+x.Text))
	}
	r.set("violations", frozen(violations))
	var witness []string
	if len(v.Violations) > 0 && !v.Violations[0].NoWitness {
		if w, err := v.ViolationWitness(v.Violations[0]); err == nil {
			witness = w.Choices
		}
	}
	r.set("witness", texts(witness))
	r.set("graph", graphMethod(s, v, func(g *runtimeexplore.Graph) *picture.Picture { return render.CheckedWorlds(v, g) }))
	return r
}
