package api

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Builtins are the builtins of this package.
func Builtins() []lang.Builtin {
	return []lang.Builtin{
		handleOf("calc", "calc([model,] name)", "a calculation; call it with its arguments"),
		handleOf("constraint", "constraint([model,] name)", "a constraint; call or evaluate(bindings={}, on=obj) gives its verdict"),
		handleOf("requirement", "requirement([model,] name)", "a requirement; evaluate(bindings={}, on=obj) gives its verdict"),
		handleOf("verification", "verification([model,] name)", "a verification case; run(...) gives its verdict"),
		handleOf("analysis", "analysis([model,] name)", "an analysis case; run(...) gives its outputs"),
		{Name: "satisfaction", Class: lang.Pure, Signature: "satisfaction([model,] name=None)", Summary: "satisfaction assertions; evaluate() judges them", Call: satisfaction},
		{Name: "action", Class: lang.Pure, Signature: "action([model,] name, performer=None)", Summary: "an action; run(...) runs it to its end", Call: behaviour("action")},
		{Name: "state", Class: lang.Pure, Signature: "state([model,] name, performer=None)", Summary: "a state machine; run(...) runs it until it rests, start(...) gives a machine to move", Call: behaviour("state")},
		{Name: "explore", Class: lang.Run, Signature: "explore(behaviour, runs=1024, depth=64, granularity=\"statement\", send=[])", Summary: "every order of a behaviour, with its outcomes", Call: explore},
		{Name: "check", Class: lang.Run, Signature: "check(behaviour, invariant=, never=, reachable=, eventually=, send=[], bounds={}, reduce=\"auto\")", Summary: "a verdict over every order of a behaviour; a property is a function of its features, or an expression as text", Call: check},
		{Name: "instantiate", Class: lang.Run, Signature: "instantiate([model,] name, features={}, select={})", Summary: "an object of a definition or usage", Call: instantiate},
		{Name: "cases", Class: lang.Declare, Signature: "cases(path, ...)", Summary: "conformance cases, as options; judge(schedule=) judges one", Call: cases},
		{Name: "variation", Class: lang.Pure, Signature: "variation([model,] name)", Summary: "a variation point; its variants are options", Call: variation},
		{Name: "use", Class: lang.Run, Signature: "use(schedule=, seed=, draws=, clock_step=, max_steps=)", Summary: "settings for the rest of the leaf or session cell", Call: use},
		{Name: "quantity", Class: lang.Pure, Signature: "quantity(number, unit)", Summary: "a number with a unit", Call: quantityOf},
		{Name: "enum", Class: lang.Pure, Signature: "enum([model,] name)", Summary: "an enumeration literal", Call: enumOf},
	}
}

// Values are the names of this package that are no functions.
func Values() starlark.StringDict {
	method := func(b lang.Builtin) starlark.Value { return b.Value() }
	return starlark.StringDict{
		"model": module("model", starlark.StringDict{
			"open":    method(lang.Builtin{Name: "open", Class: lang.Declare, Call: openModel}),
			"text":    method(lang.Builtin{Name: "text", Class: lang.Declare, Call: textModel}),
			"session": method(lang.Builtin{Name: "session", Class: lang.Declare, Call: sessionModel}),
		}),
		"match":     matchers(),
		"unset":     Quantity{value.Value{}, "unset"},
		"unbounded": Quantity{value.UnboundedValue, "*"},
	}
}

func module(name string, members starlark.StringDict) starlark.Value {
	m := &starlarkstruct.Module{Name: name, Members: members}
	m.Freeze()
	return m
}

func handleOf(kind, signature, summary string) lang.Builtin {
	return lang.Builtin{Name: kind, Class: lang.Pure, Signature: signature, Summary: summary,
		Call: func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			m, e, err := elementOf(thread, kind, args, kwargs)
			if err != nil {
				return nil, err
			}
			return &Handle{model: m, kind: kind, name: e.QualifiedName()}, nil
		}}
}

// modelOf is the model that a call names first, else the one of the session.
func modelOf(thread *starlark.Thread, builtin string, args starlark.Tuple) (*Model, starlark.Tuple, error) {
	if len(args) > 0 {
		if m, ok := args[0].(*Model); ok {
			return m, args[1:], nil
		}
	}
	e, err := of(thread)
	if err != nil {
		return nil, nil, err
	}
	if e.models.Session == nil {
		if only := e.opened(); len(only) == 1 {
			return only[0], args, nil
		}
		return nil, nil, fmt.Errorf("%s: the first argument is a model, from model.open or model.text", builtin)
	}
	return e.models.sessionModel(), args, nil
}

// elementOf reads the arguments of a builtin whose first are [model,] name; more
// are pairs as UnpackArgs takes them.
func elementOf(thread *starlark.Thread, builtin string, args starlark.Tuple, kwargs []starlark.Tuple, more ...any) (*Model, *model.Element, error) {
	m, rest, err := modelOf(thread, builtin, args)
	if err != nil {
		return nil, nil, err
	}
	var name string
	if err := starlark.UnpackArgs(builtin, rest, kwargs, append([]any{"name", &name}, more...)...); err != nil {
		return nil, nil, err
	}
	e, err := m.resolve(name)
	return m, e, err
}

// sessionModel is the model of the session.
func (m *Models) sessionModel() *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all, m.bySource = map[string]*Model{}, map[leaf.Source]*Model{}
	}
	if m.all[""] == nil {
		m.all[""] = &Model{Name: "session", live: m.Session}
	}
	return m.all[""]
}

func openModel(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	how, err := e.models.howToRead("open", nil, kwargs)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("open takes the path of a model")
	}
	var files []*source.File
	var paths []string
	for _, a := range args {
		path, ok := starlark.AsString(a)
		if !ok {
			return nil, fmt.Errorf("open: a path is a text, not %s", a.Type())
		}
		found, err := e.models.files(path)
		if err != nil {
			return nil, err
		}
		files, paths = append(files, found...), append(paths, path)
		how.sources = append(how.sources, leaf.Source{Kind: filesSource, Path: path, Digest: digestOf(found)})
	}
	return e.declare(thread, "", paths, files, how)
}

func textModel(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	var text string
	name := "model.text"
	how, err := e.models.howToRead("text", args, kwargs, "source", &text, "name?", &name)
	if err != nil {
		return nil, err
	}
	return e.declare(thread, name, nil, []*source.File{source.NewFile(name, text)}, how)
}

// declare is Models.declare, and notes what the model was read from.
func (e *Environment) declare(thread *starlark.Thread, name string, paths []string, files []*source.File, how reading) (*Model, error) {
	for _, s := range how.sources {
		e.read(thread, s)
	}
	m, err := e.models.declare(lang.Of(thread).Ctx, name, paths, files, how)
	if err != nil {
		return nil, err
	}
	if lang.Of(thread).Phase == lang.AtModule {
		m.top.Store(true)
		return m, nil
	}
	if !slices.Contains(e.own, m) {
		e.own = append(e.own, m)
	}
	e.depends(m.source)
	return m, nil
}

// opened are the models that the plan opens at its top level, or the leaf has;
// what other leaves open is none of them.
func (e *Environment) opened() []*Model {
	var list []*Model
	for _, m := range e.models.opened() {
		if m.top.Load() || slices.Contains(e.own, m) {
			list = append(list, m)
		}
	}
	return list
}

// howToRead takes the arguments lenient= and libraries= of builtin beside its
// own, which pairs name as starlark.UnpackArgs does.
func (m *Models) howToRead(builtin string, args starlark.Tuple, kwargs []starlark.Tuple, pairs ...any) (reading, error) {
	var r reading
	var given starlark.Value
	if err := starlark.UnpackArgs(builtin, args, kwargs, append(pairs, "lenient?", &r.lenient, "libraries?", &given)...); err != nil {
		return r, err
	}
	l, err := m.readLibraries(given)
	if err != nil {
		if _, ok := err.(*diagnostic.Diagnostic); !ok {
			err = fmt.Errorf("%s: %v", builtin, err)
		}
		return r, err
	}
	if r.libraries = l; l != nil {
		r.sources = l.sources
	}
	return r, nil
}

func sessionModel(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("session", args, kwargs); err != nil {
		return nil, err
	}
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	if e.models.Session == nil {
		return nil, fmt.Errorf("session: there is no session here; open a model file")
	}
	return e.models.sessionModel(), nil
}

// use sets settings for the rest of the leaf, or for the cells to come.
func use(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		return nil, fmt.Errorf("use takes settings by name")
	}
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	for _, kw := range kwargs {
		name := strings.ReplaceAll(string(kw[0].(starlark.String)), "_", "-")
		if name == "max-steps" {
			if e.maxSteps = 0; kw[1] != starlark.None {
				if e.maxSteps, err = stepsOf(kw[1]); err != nil {
					return nil, fmt.Errorf("use: %w", err)
				}
			}
			continue
		}
		if !isSetting(name) {
			return nil, fmt.Errorf("use: there is no setting %s; the settings are %s and max_steps", kw[0], strings.ReplaceAll(strings.Join(settingNames, ", "), "-", "_"))
		}
		if e.used == nil {
			e.used = map[string]string{}
		}
		if kw[1] == starlark.None {
			delete(e.used, name)
			continue
		}
		e.used[name] = settingText(kw[1])
	}
	return starlark.None, nil
}

func isSetting(name string) bool {
	for _, n := range settingNames {
		if n == name {
			return true
		}
	}
	return false
}

// quantityOf is quantity(5, "m/s"): the value of 5 [m/s] in a model.
func quantityOf(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var number starlark.Value
	var unit string
	if err := starlark.UnpackArgs("quantity", args, kwargs, "number", &number, "unit", &unit); err != nil {
		return nil, err
	}
	n, err := simple(number)
	if err != nil {
		return nil, err
	}
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	u, err := e.unit(lang.Of(thread).Ctx, unit)
	if err != nil {
		return nil, err
	}
	q, err := value.QuantityOf(n, u)
	if err != nil {
		return nil, err
	}
	return plain(q), nil
}

func enumOf(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m, element, err := elementOf(thread, "enum", args, kwargs)
	if err != nil {
		return nil, err
	}
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	ctx := lang.Of(thread).Ctx
	s, err := e.sessionOf(ctx, m)
	if err != nil {
		return nil, err
	}
	v, err := s.EvaluateText(ctx, element.QualifiedName(), "")
	if err != nil {
		return nil, err
	}
	if v.Kind() != value.Enumeration {
		return e.toStarlark(m, s, v), nil
	}
	return Quantity{v, s.Text(v)}, nil
}

func variation(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m, e, err := elementOf(thread, "variation", args, kwargs)
	if err != nil {
		return nil, err
	}
	var list []starlark.Value
	for _, v := range e.Members() {
		if d := v.Decl(); d != nil && d.Member == variantMember {
			list = append(list, variant{m, v.QualifiedName(), v.EffectiveName()})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("variation: %s has no variants", e.QualifiedName())
	}
	return starlarkstruct.FromStringDict(starlark.String("variation"), starlark.StringDict{
		"name": starlark.String(e.QualifiedName()), "variants": frozen(list)}), nil
}

// A variant is one variant of a variation.
type variant struct {
	model           *Model
	qualified, name string
}

func (v variant) String() string        { return v.OptionKey() }
func (v variant) Type() string          { return "variant" }
func (v variant) Freeze()               {}
func (v variant) Truth() starlark.Bool  { return true }
func (v variant) Hash() (uint32, error) { return starlark.String(v.qualified).Hash() }
func (v variant) OptionKey() string     { return "variant(" + v.qualified + ")" }
func (v variant) AttrNames() []string   { return []string{"name", "qualified_name"} }

// Attr is the name, simple or qualified.
func (v variant) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(v.name), nil
	case "qualified_name":
		return starlark.String(v.qualified), nil
	}
	return nil, nil
}

// value is the variant as a value of s, with an object of its own where it is
// the variant of a part or an item.
func (v variant) value(ctx context.Context, s *runtime.Session) (value.Value, error) {
	x, err := s.EvaluateText(ctx, v.qualified, "")
	if err != nil {
		return x, err
	}
	named, ok := x.AsNamed()
	if !ok || x.Kind() != value.Variant {
		return x, nil
	}
	o, err := s.Instantiate(ctx, v.qualified, "")
	if err != nil {
		return x, nil // a variant of a value has no object
	}
	return value.VariantOf(named, o.ID), nil
}
