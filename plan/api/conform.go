package api

import (
	"fmt"
	"path/filepath"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime/conform"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A conformanceCase is one case of the execution conformance schema, as an
// option of an axis: a sweep over cases and schedules is a plan.
type conformanceCase struct {
	models *Models
	c      *conform.Case
}

func (x *conformanceCase) String() string        { return "case(" + x.c.Name + ")" }
func (x *conformanceCase) Type() string          { return "case" }
func (x *conformanceCase) Freeze()               {}
func (x *conformanceCase) Truth() starlark.Bool  { return true }
func (x *conformanceCase) Hash() (uint32, error) { return starlark.String(x.c.Name).Hash() }
func (x *conformanceCase) OptionKey() string     { return x.String() }
func (x *conformanceCase) AttrNames() []string   { return []string{"judge", "name", "type"} }

// Attr is the name, the type or judge(schedule=).
func (x *conformanceCase) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(x.c.Name), nil
	case "type":
		if x.c.Expect == nil {
			return starlark.String(""), nil
		}
		return starlark.String(x.c.Expect.Type), nil
	case "judge":
		return lang.Method(name, lang.Run, x.judge), nil
	}
	return nil, nil
}

// cases reads the conformance cases under paths, relative to the plan.
func cases(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	if len(kwargs) > 0 || len(args) == 0 {
		return nil, fmt.Errorf("cases takes the paths of conformance cases, or of folders of them")
	}
	var paths []string
	for _, a := range args {
		path, ok := starlark.AsString(a)
		if !ok {
			return nil, fmt.Errorf("cases: a path is a text, not %s", a.Type())
		}
		e.read(thread, leaf.Source{Kind: casesSource, Path: path, Digest: e.models.digestTree(path)})
		if !filepath.IsAbs(path) {
			path = filepath.Join(e.models.Dir, path)
		}
		paths = append(paths, path)
	}
	found, err := conform.Load(paths...)
	if err != nil {
		return nil, diagnostic.New(CannotOpen, source.Span{}, "the conformance cases cannot be read: "+err.Error())
	}
	var out []starlark.Value
	for _, c := range found {
		out = append(out, &conformanceCase{e.models, c})
	}
	return frozen(out), nil
}

// judge runs the case under one schedule, unless it pins its own.
func (x *conformanceCase) judge(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	policy, traces := "reverse", true
	if err := starlark.UnpackArgs("judge", args, kwargs, "schedule?", &policy, "traces?", &traces); err != nil {
		return nil, err
	}
	e, err := of(thread)
	if err != nil {
		return nil, err
	}
	if err := e.began(); err != nil {
		return nil, err
	}
	p, d := schedule.ParsePolicy(policy)
	if d != nil {
		return nil, d
	}
	lib := x.models.Library
	if lib == nil {
		lib = library.Embedded()
	}
	ctx := lang.Of(thread).Ctx
	report := conform.Run(ctx, []*conform.Case{x.c}, conform.Options{Library: lib, Policies: []schedule.Policy{p}, Traces: traces, Workers: 1})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.account.Witness = append(e.account.Witness, x.String()+" schedule="+p.String())
	e.touch(x.c.Name)
	var reasons []string
	for _, c := range report.Cases {
		for _, part := range c.Parts {
			for _, r := range part.Reasons {
				reasons = append(reasons, part.Part+": "+r)
			}
		}
	}
	r := newResult("judgement", x.String(), report.OK())
	r.set("ok", starlark.Bool(report.OK()))
	r.set("reasons", texts(reasons))
	return r, nil
}
