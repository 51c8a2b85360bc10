package api

import (
	"context"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	token "go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
)

// A Handle is a calculation, a condition, a case or a behaviour of a model.
// It never changes and can be an option or a key.
type Handle struct {
	model     *Model
	kind      string // calc, constraint, requirement, satisfaction, verification, analysis, action, state
	name      string // qualified; "" for all satisfactions
	performer *Object
}

var _ starlark.Callable = (*Handle)(nil)

func (h *Handle) String() string { return h.OptionKey() }

// Type is the kind of the handle.
func (h *Handle) Type() string { return h.kind }

// Freeze does nothing: a handle never changes.
func (h *Handle) Freeze() {}

// Truth is true.
func (h *Handle) Truth() starlark.Bool { return true }

// Hash is that of the name.
func (h *Handle) Hash() (uint32, error) { return starlark.String(h.OptionKey()).Hash() }

// CompareSameType tells whether two handles are of one element.
func (h *Handle) CompareSameType(op token.Token, y starlark.Value, _ int) (bool, error) {
	o := y.(*Handle)
	same := h.model == o.model && h.kind == o.kind && h.name == o.name && (h.performer == o.performer ||
		h.performer != nil && o.performer != nil && h.performer.number == o.performer.number)
	switch op {
	case token.EQL:
		return same, nil
	case token.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s has no order", h.kind)
}

// Name is what a stack of calls shows.
func (h *Handle) Name() string { return h.name }

// OptionKey is calc(Power::Endurance).
func (h *Handle) OptionKey() string { return h.kind + "(" + h.name + ")" }

// Exempt takes the behaviour out of exploration for the rest of the leaf.
func (h *Handle) Exempt(thread *starlark.Thread) {
	if e, err := of(thread); err == nil {
		if e.exempt == nil {
			e.exempt = map[string]bool{}
		}
		e.exempt[h.name] = true
	}
}

// Effect is what calling the handle does.
func (h *Handle) Effect() lang.Class {
	switch h.kind {
	case "calc", "constraint", "requirement":
		return lang.Run
	}
	return lang.Pure
}

var methods = map[string][]string{
	"calc": {"invoke"}, "constraint": {"evaluate"}, "requirement": {"evaluate"}, "satisfaction": {"evaluate"},
	"verification": {"run"}, "analysis": {"run"}, "action": {"run", "start"}, "state": {"run", "start"},
}

// AttrNames lists the methods and the name.
func (h *Handle) AttrNames() []string { return append([]string{"name"}, methods[h.kind]...) }

// Attr is a method or the name.
func (h *Handle) Attr(name string) (starlark.Value, error) {
	switch {
	case name == "name":
		return starlark.String(h.name), nil
	case name == "invoke" && h.kind == "calc":
		return lang.Method(name, lang.Run, h.call), nil
	case name == "evaluate" && (h.kind == "constraint" || h.kind == "requirement"):
		return lang.Method(name, lang.Run, h.evaluate), nil
	case name == "evaluate" && h.kind == "satisfaction":
		return lang.Method(name, lang.Run, h.satisfied), nil
	case name == "run" && (h.kind == "verification" || h.kind == "analysis"):
		return lang.Method(name, lang.Run, h.runCase), nil
	case name == "run" && (h.kind == "action" || h.kind == "state"):
		return lang.Method(name, lang.Run, h.run), nil
	case name == "start" && (h.kind == "action" || h.kind == "state"):
		return lang.Method(name, lang.Run, h.start), nil
	}
	return nil, lacks(h, name, "")
}

// CallInternal is the call of a calculation or a condition. The guard of its
// class stands in the method that it goes through.
func (h *Handle) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var call lang.Func
	switch h.kind {
	case "calc":
		call = h.call
	case "constraint", "requirement":
		call = h.judge
	default:
		return nil, fmt.Errorf("%s is not called; it has %s", h, strings.Join(methods[h.kind], ", "))
	}
	return starlark.Call(thread, lang.Method(h.name, lang.Run, call), args, kwargs)
}

// at is the environment, context and session of a call.
func (h *Handle) at(thread *starlark.Thread) (*Environment, context.Context, *runtime.Session, error) {
	e, err := of(thread)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := e.began(); err != nil {
		return nil, nil, nil, err
	}
	ctx := lang.Of(thread).Ctx
	s, err := e.sessionOf(ctx, h.model)
	return e, ctx, s, err
}

// call is a calculation's.
func (h *Handle) call(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, err
	}
	named, _, err := e.arguments(ctx, s, h.name, kwargs, nil)
	if err != nil {
		return nil, err
	}
	if err := lang.Finite(args); err != nil {
		return nil, err
	}
	positional, err := e.list(ctx, s, args, 0)
	if err != nil {
		return nil, err
	}
	var result starlark.Value = starlark.None
	err = e.watched(thread, s, func() error {
		v, err := s.Call(ctx, h.name, positional, named)
		if err == nil {
			result = e.toStarlark(h.model, s, v)
		}
		return err
	})
	e.touch(h.name)
	e.note(h, callText(args, kwargs), nil)
	return result, modelError(h.name, err)
}

// callText is the arguments of a call as a witness has them.
func callText(args starlark.Tuple, kwargs []starlark.Tuple) string {
	var parts []string
	for _, a := range args {
		parts = append(parts, lang.Printed(a))
	}
	for _, kw := range kwargs {
		parts = append(parts, string(kw[0].(starlark.String))+"="+lang.Printed(kw[1]))
	}
	return strings.Join(parts, " ")
}

// note adds what was run to the witness of the leaf.
func (e *Environment) note(h *Handle, inputs string, choices []string) {
	line := h.OptionKey()
	if inputs != "" {
		line += " " + inputs
	}
	e.account.Witness = append(append(e.account.Witness, line), choices...)
}

// evaluate is a condition's evaluate(bindings={}, on=obj).
func (h *Handle) evaluate(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	bindings := &starlark.Dict{}
	var on starlark.Value
	if err := starlark.UnpackArgs("evaluate", args, kwargs, "bindings?", &bindings, "on?", &on); err != nil {
		return nil, err
	}
	return h.verdict(thread, []starlark.Tuple{{starlark.String("args"), bindings}}, on)
}

// judge is the call of a condition: its parameters by name.
func (h *Handle) judge(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		return nil, fmt.Errorf("%s takes its parameters by name", h.name)
	}
	var on starlark.Value
	var rest []starlark.Tuple
	for _, kw := range kwargs {
		if kw[0] == starlark.Value(starlark.String("on")) {
			on = kw[1]
			continue
		}
		rest = append(rest, kw)
	}
	return h.verdict(thread, rest, on)
}

func (h *Handle) verdict(thread *starlark.Thread, kwargs []starlark.Tuple, on starlark.Value) (starlark.Value, error) {
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, err
	}
	bindings, _, err := e.arguments(ctx, s, h.name, kwargs, nil)
	if err != nil {
		return nil, err
	}
	ref, err := reference(on)
	if err != nil {
		return nil, err
	}
	var v *runtime.Verdict
	err = e.watched(thread, s, func() (err error) {
		v, err = s.Judge(ctx, h.name, ref, bindings)
		return err
	})
	e.touch(h.name)
	e.note(h, callText(nil, kwargs), nil)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	return newVerdict(v), nil
}

// reference is an object as the session names it; "" for none.
func reference(v starlark.Value) (string, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return "", nil
	case *Object:
		return v.ref(), nil
	case starlark.String:
		return string(v), nil
	}
	return "", fmt.Errorf("an object is expected, not %s", v.Type())
}

func satisfaction(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m, rest, err := modelOf(thread, "satisfaction", args)
	if err != nil {
		return nil, err
	}
	var scope starlark.Value = starlark.None
	if err := starlark.UnpackArgs("satisfaction", rest, kwargs, "name?", &scope); err != nil {
		return nil, err
	}
	h := &Handle{model: m, kind: "satisfaction"}
	if name, ok := starlark.AsString(scope); ok {
		e, err := m.resolve(name)
		if err != nil {
			return nil, err
		}
		h.name = e.QualifiedName()
	}
	return h, nil
}

// satisfied judges satisfaction assertions.
func (h *Handle) satisfied(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("evaluate", args, kwargs); err != nil {
		return nil, err
	}
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, err
	}
	list, err := s.Satisfactions(ctx, h.name)
	e.touch(h.name)
	e.note(h, "", nil)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	return newVerdicts(list, len(list) > 0), nil
}

// runCase runs a verification or an analysis.
func (h *Handle) runCase(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		return nil, fmt.Errorf("run takes its arguments by name")
	}
	e, ctx, s, err := h.at(thread)
	if err != nil {
		return nil, err
	}
	bindings, given, err := e.arguments(ctx, s, h.name, kwargs, map[string]bool{"on": true, "must": true})
	if err != nil {
		return nil, err
	}
	ref, err := reference(given["on"])
	if err != nil {
		return nil, err
	}
	var r *runtime.CaseRun
	err = e.watched(thread, s, func() (err error) {
		r, err = s.Case(ctx, h.name, ref, bindings)
		return err
	})
	e.touch(h.name)
	e.note(h, callText(nil, kwargs), nil)
	if err != nil {
		return nil, modelError(h.name, err)
	}
	if r.Err != nil && must(given) {
		return nil, modelError(h.name, r.Err)
	}
	return e.newCaseResult(h.model, s, r), nil
}

// must reports whether a run that fails raises: it does unless must=False.
func must(given map[string]starlark.Value) bool {
	v, ok := given["must"]
	return !ok || bool(v.Truth())
}
