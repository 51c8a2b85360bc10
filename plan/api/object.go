package api

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	token "go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

const variantMember = syntax.VariantMember

// An Object is an object of the World of one leaf, or of the session. It is
// compared by identity and belongs to the leaf that made it.
type Object struct {
	env    *Environment
	model  *Model
	number int
	name   string
	typ    string
}

var (
	_ starlark.Mapping  = (*Object)(nil)
	_ starlark.HasAttrs = (*Object)(nil)
)

func (o *Object) String() string { return fmt.Sprintf("%s #%d : %s", o.name, o.number, o.typ) }

// Type is "object".
func (o *Object) Type() string { return "object" }

// Freeze does nothing: what changes is the World, not the handle.
func (o *Object) Freeze() {}

// Truth is true.
func (o *Object) Truth() starlark.Bool { return true }

// Hash is that of the number.
func (o *Object) Hash() (uint32, error) { return starlark.MakeInt(o.number).Hash() }

// OptionKey is the object's name.
func (o *Object) OptionKey() string { return "object(" + o.name + ")" }

// Exempt takes the object's behaviours out of exploration.
func (o *Object) Exempt(thread *starlark.Thread) {
	if e, err := of(thread); err == nil {
		if e.exempt == nil {
			e.exempt = map[string]bool{}
		}
		e.exempt[o.ref()] = true
	}
}

// ref is the object as the session names it.
func (o *Object) ref() string { return fmt.Sprintf("#%d", o.number) }

// CompareSameType compares identities.
func (o *Object) CompareSameType(op token.Token, y starlark.Value, _ int) (bool, error) {
	p := y.(*Object)
	same := o.env == p.env && o.model == p.model && o.number == p.number
	switch op {
	case token.EQL:
		return same, nil
	case token.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("objects have no order")
}

func (o *Object) session(ctx context.Context) (*runtime.Session, error) {
	if o.env.forks == nil && o.env.session == nil {
		return nil, fmt.Errorf("%s belonged to another leaf", o)
	}
	return o.env.sessionOf(ctx, o.model)
}

// value is the object as a value of s.
func (o *Object) value(ctx context.Context, s *runtime.Session) (value.Value, error) {
	own, err := o.session(ctx)
	if err != nil {
		return value.Value{}, err
	}
	if own != s {
		return value.Value{}, fmt.Errorf("%s is an object of another model", o)
	}
	x, err := s.Object(ctx, o.ref())
	if err != nil {
		return value.Value{}, err
	}
	return value.ObjectRef(x.ID), nil
}

// Get is obj["a.b[2].c"]: what the path leads to.
func (o *Object) Get(key starlark.Value) (starlark.Value, bool, error) {
	path, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("a feature is named by text, not by %s", key.Type())
	}
	ctx := o.env.ctx
	s, err := o.session(ctx)
	if err != nil {
		return nil, false, err
	}
	v, err := o.read(ctx, s, path)
	if err != nil {
		return nil, false, modelError(o.typ, o.near(ctx, s, path, err))
	}
	return o.env.toStarlark(o.model, s, v), true, nil
}

// SetKey refuses obj["a.b"] = v: what writes is a call, which a predicate of a
// plan cannot make.
func (o *Object) SetKey(key, _ starlark.Value) error {
	return diagnostic.New(lang.StarlarkError, source.Span{}, "the features of an object are not assigned").
		WithHint(fmt.Sprintf("write x.set(%s, value)", key))
}

// read is what path leads to. Steps with an index name objects, which the
// session finds; what is behind the last of them it reads.
func (o *Object) read(ctx context.Context, s *runtime.Session, path string) (value.Value, error) {
	cut := strings.LastIndexByte(path, ']')
	if cut < 0 {
		return s.Read(ctx, o.ref(), path)
	}
	ref, rest := o.ref()+"."+path[:cut+1], strings.TrimPrefix(path[cut+1:], ".")
	if rest != "" {
		return s.Read(ctx, ref, rest)
	}
	x, err := s.Object(ctx, ref)
	if err != nil {
		return value.Value{}, err
	}
	return value.ObjectRef(x.ID), nil
}

// near is err with the nearest feature as a hint, where it speaks of one that
// the object has not.
func (o *Object) near(ctx context.Context, s *runtime.Session, path string, err error) error {
	d := diagnostic.Of(err)[0]
	tree, failed := s.Features(ctx, o.ref(), 0)
	if failed != nil || d.Hint != "" || strings.ContainsAny(path, ".[") {
		return err
	}
	var names []string
	for _, f := range tree.Features {
		if f.Name == path {
			return err
		}
		names = append(names, f.Name)
	}
	hinted := *d
	if n := spell.First(path, names); n != "" {
		hinted.Hint = "did you mean " + n + "?"
	} else {
		hinted.Hint = "its features are " + strings.Join(names, ", ")
	}
	return &hinted
}

// AttrNames lists the methods.
func (o *Object) AttrNames() []string {
	return []string{"invoke", "machine", "name", "number", "send", "set", "type", "validate"}
}

// Attr is a method or what the object is called.
func (o *Object) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(o.name), nil
	case "number":
		return starlark.MakeInt(o.number), nil
	case "type":
		return starlark.String(o.typ), nil
	case "set":
		return lang.Method(name, lang.Run, o.set), nil
	case "validate":
		return lang.Method(name, lang.Run, o.validate), nil
	case "machine":
		return lang.Method(name, lang.Run, o.machine), nil
	case "invoke":
		return lang.Method(name, lang.Run, o.post(true)), nil
	case "send":
		return lang.Method(name, lang.Run, o.post(false)), nil
	}
	if slices.Contains((&Exhibited{}).AttrNames(), name) {
		return nil, lacks(o, name, fmt.Sprintf("its state machine has it: x.machine(\"name\").%s", name))
	}
	return nil, lacks(o, name, fmt.Sprintf("a feature is read as x[%q], and written by x.set(%q, value)", name, name))
}

// lacks is what Attr says of a name that x does not have, with a hint, and
// what it has where that is ""; nil where Starlark finds a near name itself.
func lacks(x starlark.HasAttrs, name, hint string) error {
	if spell.First(name, x.AttrNames()) != "" {
		return nil
	}
	if hint == "" {
		hint = "it has " + strings.Join(x.AttrNames(), ", ")
	}
	return diagnostic.New(lang.StarlarkError, source.Span{}, x.Type()+" has no ."+name+" field or method").WithHint(hint)
}

func (o *Object) set(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var path string
	var v starlark.Value
	if err := starlark.UnpackArgs("set", args, kwargs, "path", &path, "value", &v); err != nil {
		return nil, err
	}
	return starlark.None, o.assign(lang.Of(thread).Ctx, path, v)
}

func (o *Object) assign(ctx context.Context, path string, v starlark.Value) error {
	s, err := o.session(ctx)
	if err != nil {
		return err
	}
	x, err := o.env.toModel(ctx, s, v, 0)
	if err != nil {
		return err
	}
	return modelError(o.typ, s.Set(ctx, o.ref()+"."+path, x))
}

func (o *Object) validate(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("validate", args, kwargs); err != nil {
		return nil, err
	}
	ctx := lang.Of(thread).Ctx
	s, err := o.session(ctx)
	if err != nil {
		return nil, err
	}
	v, err := s.Validate(ctx, o.ref())
	if err != nil {
		return nil, modelError(o.typ, err)
	}
	text := o.name + " is valid"
	if !v.Valid() {
		text = o.name + " is not shown valid"
	}
	r := newResult("validation", text, v.Valid())
	r.set("valid", starlark.Bool(v.Valid()))
	r.set("violated", starlark.Bool(v.Violated()))
	r.set("bounded", starlark.Bool(v.Bounded))
	r.set("verdicts", newVerdicts(v.Verdicts, true).fields["verdicts"])
	return r, nil
}

// post is invoke and send: the object's behaviour takes a call or a signal and
// acts until it rests. It gives the run.
func (o *Object) post(call bool) lang.Func {
	return func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var name string
		if err := starlark.UnpackArgs("invoke", args, nil, "name", &name); err != nil {
			return nil, err
		}
		ctx := lang.Of(thread).Ctx
		s, err := o.session(ctx)
		if err != nil {
			return nil, err
		}
		if err := o.env.began(); err != nil {
			return nil, err
		}
		arguments, given, err := o.env.arguments(ctx, s, name, kwargs, runNames)
		if err != nil {
			return nil, err
		}
		settings, err := o.env.settings(thread, s, spelled(given))
		if err != nil {
			return nil, err
		}
		options := runtime.RunOptions{Settings: settings, Events: []runtime.Event{arriving(name, call, arguments)}, Trace: o.env.trace}
		var r *runtime.Run
		err = o.env.watched(thread, s, func() (err error) {
			r, err = s.RunObject(ctx, o.ref(), options)
			return err
		})
		if err != nil {
			return nil, modelError(o.typ, err)
		}
		o.env.account.Witness = append(o.env.account.Witness, strings.TrimSpace(o.OptionKey()+" "+name+" "+callText(nil, kwargs)))
		if r.Err != nil && must(given) {
			return nil, modelError(o.typ, r.Err)
		}
		return o.env.newRunResult(o.model, s, r, *settings), nil
	}
}

// instantiate is instantiate([model,] name, features={}, select={}).
func instantiate(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var as string
	features, selected := &starlark.Dict{}, &starlark.Dict{}
	m, element, err := elementOf(thread, "instantiate", args, kwargs, "features?", &features, "select?", &selected, "as_name?", &as)
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
	made, err := s.Instantiate(ctx, element.QualifiedName(), as)
	if err != nil {
		return nil, modelError(element.QualifiedName(), err)
	}
	e.touch(element.QualifiedName())
	o := &Object{env: e, model: m, number: made.Number, name: made.Name, typ: made.Type}
	for _, d := range []*starlark.Dict{selected, features} {
		for _, item := range d.Items() {
			path, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("instantiate: a feature is named by text, not by %s", item[0].Type())
			}
			if err := o.assign(ctx, path, item[1]); err != nil {
				return nil, err
			}
		}
	}
	var parts []string
	for _, d := range []*starlark.Dict{selected, features} {
		if d.Len() > 0 {
			parts = append(parts, d.String())
		}
	}
	e.account.Witness = append(e.account.Witness, strings.TrimSpace("instantiate "+element.QualifiedName()+" "+strings.Join(parts, " ")))
	return o, nil
}
