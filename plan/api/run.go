package api

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

func behaviour(kind string) lang.Func {
	return func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var performer starlark.Value
		m, e, err := elementOf(thread, kind, args, kwargs, "performer?", &performer)
		if err != nil {
			return nil, err
		}
		h := &Handle{model: m, kind: kind, name: e.QualifiedName()}
		switch p := performer.(type) {
		case nil, starlark.NoneType:
		case *Object:
			h.performer = p
		default:
			return nil, fmt.Errorf("%s: the performer is an object, not %s", kind, p.Type())
		}
		return h, nil
	}
}

// runNames are the arguments of run that are no inputs of the behaviour. An
// input of such a name is passed in args={}.
var runNames = map[string]bool{"schedule": true, "seed": true, "draws": true, "clock_step": true, "max_steps": true,
	"must": true, "commit": true, "trace": true, "on": true}

// begin reads the arguments of run and start: inputs, settings, the performer.
// given are those that are none of these.
func (h *Handle) begin(thread *starlark.Thread, method string, args starlark.Tuple, kwargs []starlark.Tuple) (
	e *Environment, s *runtime.Session, o runtime.RunOptions, given map[string]starlark.Value, err error) {
	if len(args) > 0 {
		return nil, nil, o, nil, fmt.Errorf("%s takes its arguments by name", method)
	}
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, nil, o, nil, err
	}
	if o.Inputs, given, err = e.arguments(ctx, s, h.name, kwargs, runNames); err != nil {
		return nil, nil, o, nil, err
	}
	if o.Settings, err = e.settings(thread, s, spelled(given)); err != nil {
		return nil, nil, o, nil, err
	}
	if o.On, err = reference(given["on"]); err != nil {
		return nil, nil, o, nil, err
	}
	if o.On == "" && h.performer != nil {
		o.On = h.performer.ref()
	}
	return e, s, o, given, nil
}

// run runs a behaviour to its end on a copy of the World, or with commit=True
// on the World itself.
func (h *Handle) run(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	e, s, o, given, err := h.begin(thread, "run", args, kwargs)
	if err != nil {
		return nil, err
	}
	ctx, settings := lang.Of(thread).Ctx, o.Settings
	o.Trace, o.Keep = e.trace || truth(given["trace"]), truth(given["commit"])
	if e.exempt[h.name] {
		o.Settings.Schedule = schedule.Policy{}
	}
	before := s.Budget()
	if err := e.limitSteps(s, given); err != nil {
		return nil, err
	}
	defer s.SetBudget(before)
	var r *runtime.Run
	err = e.watched(thread, s, func() (err error) {
		r, err = s.Run(ctx, h.name, o)
		return err
	})
	e.touch(h.name)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	e.done(h, r, settings, kwargs)
	if r.Err != nil && must(given) {
		return nil, modelError(h.name, r.Err)
	}
	return e.newRunResult(h.model, s, r, *settings), nil
}

// limitSteps bounds the steps of the runs of s by the argument max_steps, or
// else by what use() says.
func (e *Environment) limitSteps(s *runtime.Session, given map[string]starlark.Value) error {
	n := e.maxSteps
	if v, ok := given["max_steps"]; ok {
		var err error
		if n, err = stepsOf(v); err != nil {
			return err
		}
	}
	if n > 0 {
		s.SetBudget(s.Budget().With(budget.Steps, n).With(budget.ActionSteps, n))
	}
	return nil
}

func stepsOf(v starlark.Value) (int64, error) {
	n, err := starlark.AsInt32(v)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("max_steps is a positive number, not %s", lang.Printed(v))
	}
	return int64(n), nil
}

// done adds a run to the account of the leaf.
func (e *Environment) done(h *Handle, r *runtime.Run, settings *schedule.Settings, kwargs []starlark.Tuple) {
	e.account.Steps += r.Steps
	if e.trace && r.Trace != "" {
		e.account.Trace = append(append(e.account.Trace, "run "+h.OptionKey()), strings.Split(strings.TrimSuffix(r.Trace, "\n"), "\n")...)
	}
	var inputs []starlark.Tuple
	for _, kw := range kwargs {
		if !runNames[string(kw[0].(starlark.String))] {
			inputs = append(inputs, kw)
		}
	}
	text := callText(nil, inputs)
	for _, name := range settingNames {
		if v := settings.Get(name); v != (schedule.Settings{}).Get(name) {
			text = strings.TrimSpace(text + " " + name + "=" + v)
		}
	}
	e.note(h, text, schedule.WitnessOf(r.Choices))
	for _, v := range r.Visits {
		e.touch(h.name + "::" + v)
	}
}

func truth(v starlark.Value) bool { return v != nil && bool(v.Truth()) }

// spelled are the settings among reserved arguments.
func spelled(given map[string]starlark.Value) map[string]string {
	out := map[string]string{}
	for _, name := range settingNames {
		if v, ok := given[strings.ReplaceAll(name, "-", "_")]; ok {
			out[name] = settingText(v)
		}
	}
	return out
}
