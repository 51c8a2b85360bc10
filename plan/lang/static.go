package lang

import (
	"sort"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/axis"
)

// This file reads axes off the text of a plan, for a description that runs no
// body.

// A StaticAxis is an axis that a test meets, as far as the text tells.
type StaticAxis struct {
	Axis *axis.Axis
	// Estimated says that only running tells its options.
	Estimated bool
}

// StaticAxes are the axes of t: those of the top level as they were executed,
// then those of the calls that setup and body reach, in the order of the text.
func (t *Test) StaticAxes() []StaticAxis {
	var out []StaticAxis
	for _, x := range t.plan.first.path {
		if a := t.own(x.Axis); a.Fans || !x.Axis.Fans && t.mentions(x.Axis) {
			out = append(out, StaticAxis{Axis: a})
		}
	}
	seen := map[string]bool{}
	for _, part := range []struct {
		f     starlark.Callable
		scope axis.Scope
	}{{t.def.setup, axis.Setup}, {t.def.body, axis.Body}} {
		for _, c := range t.plan.reachable(part.f) {
			for _, a := range t.calls(c, part.scope) {
				if !seen[a.Axis.ID] {
					seen[a.Axis.ID] = true
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// mentions reports whether a, which does not fan out, is seen by t.
func (t *Test) mentions(a *axis.Axis) bool { return t.visible(a) }

// reachable is the code of f and of the functions that it names, in the order
// of the text.
func (p *Plan) reachable(f starlark.Callable) []syntax.Node {
	found := map[syntax.Node]bool{}
	var visit func(starlark.Value)
	visit = func(v starlark.Value) {
		fn, ok := v.(*starlark.Function)
		if !ok {
			return
		}
		text := p.texts.find(fn.Position().Filename())
		if text == nil {
			return
		}
		code := text.functions()[at(fn.Position())]
		if code == nil || found[code] {
			return
		}
		found[code] = true
		globals := fn.Globals()
		syntax.Walk(code, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok {
				if b, ok := id.Binding.(*resolve.Binding); ok && b.Scope == resolve.Global {
					visit(globals[id.Name])
				}
			}
			return true
		})
	}
	if f != nil {
		visit(f)
	}
	var out []syntax.Node
	for c := range found {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool {
		a, _ := out[i].Span()
		b, _ := out[j].Span()
		if a.Filename() != b.Filename() {
			return a.Filename() < b.Filename()
		}
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return out
}

// calls are the axes of the calls of choose and nondet in code.
func (t *Test) calls(code syntax.Node, scope axis.Scope) []StaticAxis {
	start, _ := code.Span()
	text := t.plan.texts.find(start.Filename())
	var out []StaticAxis
	syntax.Walk(code, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		id, ok := call.Fn.(*syntax.Ident)
		if !ok {
			return true
		}
		b, _ := id.Binding.(*resolve.Binding)
		if b == nil || b.Scope != resolve.Predeclared || id.Name != "choose" && id.Name != "nondet" {
			return true
		}
		if a, ok := t.static(text, call, id.Name, scope); ok {
			out = append(out, a)
		}
		return true
	})
	return out
}

func (t *Test) static(text *Text, call *syntax.CallExpr, callee string, scope axis.Scope) (StaticAxis, bool) {
	site := text.calls()[at(call.Lparen)]
	a := &axis.Axis{ID: site.name(), Scope: scope, Site: axis.Site{File: baseName(text.File.Name), Line: int(call.Lparen.Line),
		Column: int(call.Lparen.Col), Function: site.function}}
	var options syntax.Expr
	var name syntax.Expr
	positional := 0
	for _, arg := range call.Args {
		if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			if named.X.(*syntax.Ident).Name == "name" {
				name = named.Y
			}
			continue
		}
		positional++
		if positional == 2 {
			name, options = options, arg
		} else {
			options = arg
		}
	}
	if callee == "nondet" && positional > 0 {
		return StaticAxis{}, false
	}
	if name != nil {
		a.Named = true
		s, ok := literalValue(name)
		text, isText := starlark.AsString(s)
		if !ok || !isText {
			a.ID, a.Fans = site.name(), true
			return StaticAxis{Axis: a, Estimated: true}, true
		}
		a.ID = text
	}
	var values []starlark.Value
	if callee == "nondet" {
		values = []starlark.Value{starlark.True, starlark.False}
	} else {
		list, ok := options.(*syntax.ListExpr)
		if !ok {
			a.Fans = a.Named || t.def.fan
			return StaticAxis{Axis: a, Estimated: true}, true
		}
		for _, e := range list.List {
			v, ok := literalValue(e)
			if !ok {
				a.Fans = a.Named || t.def.fan
				return StaticAxis{Axis: a, Estimated: true}, true
			}
			values = append(values, v)
		}
	}
	keys, _, _ := optionKeys(values, nil)
	for _, k := range keys {
		a.Options = append(a.Options, axis.Option{Key: k, Label: k})
	}
	a.Fans = len(keys) > 1 && (a.Named || t.def.fan || t.plan.options.FanAnonymous)
	return StaticAxis{Axis: a}, true
}

// literalValue is the value of an expression that is a literal, or a list or
// tuple of them.
func literalValue(e syntax.Expr) (starlark.Value, bool) {
	switch e := e.(type) {
	case *syntax.Literal:
		v, err := starlark.EvalOptions(dialect(), &starlark.Thread{}, "", e.Raw, nil)
		return v, err == nil
	case *syntax.ParenExpr:
		return literalValue(e.X)
	case *syntax.UnaryExpr:
		x, ok := literalValue(e.X)
		if !ok || e.Op != syntax.MINUS {
			return nil, false
		}
		v, err := starlark.Unary(syntax.MINUS, x)
		return v, err == nil
	case *syntax.Ident:
		switch e.Name {
		case "True", "False", "None":
			return starlark.Universe[e.Name], true
		}
	case *syntax.ListExpr:
		list, ok := literalValues(e.List)
		return starlark.NewList(list), ok
	case *syntax.TupleExpr:
		list, ok := literalValues(e.List)
		return starlark.Tuple(list), ok
	}
	return nil, false
}

func literalValues(list []syntax.Expr) ([]starlark.Value, bool) {
	var out []starlark.Value
	for _, e := range list {
		v, ok := literalValue(e)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}
