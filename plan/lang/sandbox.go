package lang

import (
	"fmt"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is the static half of the sandbox of predicates and monitors: it walks from a
// function value over everything that its code can reach by name and refuses
// builtins that are not pure. What no walk can see (a method of a handle, a
// value out of a container that is filled later) the guard of every builtin
// refuses when it is called.

// checkSandbox checks every predicate that the module registered.
func (m *module) checkSandbox() error {
	for _, p := range m.assumes {
		if err := m.plan.checkPredicate(p); err != nil {
			return err
		}
	}
	for _, t := range m.tests {
		for _, p := range t.assumes {
			if err := m.plan.checkPredicate(p); err != nil {
				return err
			}
		}
	}
	for _, d := range m.monitor {
		s := &sandbox{texts: m.plan.texts, env: m.plan.env, of: "monitor " + d.name, prune: true, seen: map[starlark.Value]bool{}}
		for _, f := range []starlark.Callable{d.update, d.check} {
			if f != nil {
				s.value(f, placeOf(m.plan.texts, f, source.Span{}), 0)
			}
		}
		if s.found != nil {
			return s.found
		}
	}
	return nil
}

func (p *Plan) checkPredicate(pred *Predicate) error {
	if pred.function == nil {
		return nil
	}
	s := &sandbox{texts: p.texts, env: p.env, of: "predicate " + pred.Name, site: pred.Site, seen: map[starlark.Value]bool{}}
	s.value(pred.function, pred.Site, 0)
	if s.found != nil {
		return s.found
	}
	return nil
}

type sandbox struct {
	texts *Texts
	env   starlark.StringDict
	of    string // what the code belongs to
	site  source.Span
	prune bool // halt may be called, as in monitors
	seen  map[starlark.Value]bool
	found *diagnostic.Diagnostic
}

// maxReach bounds the nesting of containers that are looked into.
const maxReach = 32

// value looks at v, which the predicate can reach at span.
func (s *sandbox) value(v starlark.Value, span source.Span, depth int) {
	if s.found != nil || depth > maxReach {
		return
	}
	if class, ok := classOf(v); ok {
		if class != Pure && !(s.prune && class == Prune) {
			s.refuse(v.(starlark.Callable).Name(), class, span)
		}
		return
	}
	switch v := v.(type) {
	case *starlark.Function:
		if s.once(v) {
			s.function(v, depth)
		}
	case *starlark.List:
		if s.once(v) {
			s.elements(v, span, depth)
		}
	case *starlark.Set:
		if s.once(v) {
			s.elements(v, span, depth)
		}
	case starlark.Tuple:
		s.elements(v, span, depth)
	case *starlark.Dict:
		if s.once(v) {
			for _, item := range v.Items() {
				s.value(item[0], span, depth+1)
				s.value(item[1], span, depth+1)
			}
		}
	case *starlarkstruct.Struct:
		if s.once(v) {
			for _, n := range v.AttrNames() {
				if x, err := v.Attr(n); err == nil {
					s.value(x, span, depth+1)
				}
			}
		}
	}
}

func (s *sandbox) once(v starlark.Value) bool {
	if s.seen[v] {
		return false
	}
	s.seen[v] = true
	return true
}

func (s *sandbox) elements(v starlark.Iterable, span source.Span, depth int) {
	it := v.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		s.value(x, span, depth+1)
	}
}

func (s *sandbox) refuse(name string, class Class, span source.Span) {
	s.found = diagnostic.New(ForbiddenInPredicate, span,
		fmt.Sprintf("%s() is not allowed in the %s: its effect is %s, and a predicate or a monitor only looks", name, s.of, class))
	if !s.site.IsZero() && s.site != span {
		s.found.WithRelated(s.site, "it is here")
	}
}

// function looks at what the code of f names, and at its default values.
func (s *sandbox) function(f *starlark.Function, depth int) {
	for i := range f.NumParams() {
		if d := f.ParamDefault(i); d != nil {
			s.value(d, s.texts.Span(f.Position()), depth+1)
		}
	}
	text := s.texts.find(f.Position().Filename())
	if text == nil {
		return
	}
	code := text.functions()[at(f.Position())]
	if code == nil {
		return
	}
	globals := f.Globals()
	syntax.Walk(code, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok || s.found != nil {
			return s.found == nil
		}
		b, ok := id.Binding.(*resolve.Binding)
		if !ok {
			return true
		}
		var v starlark.Value
		switch b.Scope {
		case resolve.Global:
			v = globals[id.Name]
		case resolve.Predeclared:
			v = s.env[id.Name]
		case resolve.Free:
			v = captured(f, id.Name)
		}
		if v != nil {
			s.value(v, s.texts.Span(id.NamePos), depth+1)
		}
		return true
	})
}

// captured is the value of the variable name that f closes over; nil where
// the code that names it is a function inside f.
func captured(f *starlark.Function, name string) starlark.Value {
	for i := range f.NumFreeVars() {
		if b, v := f.FreeVar(i); b.Name == name {
			return v
		}
	}
	return nil
}

// functionsOf maps where a function is written to its code.
func functionsOf(tree *syntax.File) map[place]syntax.Node {
	m := map[place]syntax.Node{}
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			m[at(n.Def)] = n
			m[at(n.Name.NamePos)] = n
		case *syntax.LambdaExpr:
			m[at(n.Lambda)] = n
		}
		return true
	})
	return m
}
