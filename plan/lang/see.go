package lang

import (
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/axis"
)

// This file finds which axes of the top level a test can see. A test fans out
// over those alone, so that an axis meant for one test does not multiply the
// leaves of another.

// see computes what t sees of the module's axes.
func (t *Test) see() {
	t.ignored = map[int]bool{}
	t.quiet = map[*axis.Axis]*axis.Axis{}
	def := t.def
	t.reached = t.reach()
	if def.axes != nil {
		named := map[string]bool{}
		for _, n := range def.axes {
			named[n] = true
		}
		t.visible = func(a *axis.Axis) bool { return named[a.ID] }
		t.ignore()
		return
	}
	r := t.reached
	own := baseName(t.plan.File.Name)
	t.visible = func(a *axis.Axis) bool { // what a loaded file does with its axes is not followed
		return r.all || r.ids[a.ID] || a.Site.File != own || r.places[place{int32(a.Site.Line), int32(a.Site.Column)}]
	}
	t.ignore()
}

// reach is what setup, body, predicates, properties and monitors of t can see.
func (t *Test) reach() *reach {
	def := t.def
	r := &reach{g: t.plan.text.dependencies(), names: map[string]bool{}, places: map[place]bool{}, ids: map[string]bool{}}
	for _, f := range []starlark.Callable{def.body, def.setup} {
		r.callable(t.plan, f)
	}
	if def.kind == "test" {
		r.places[def.at] = true
		r.registration(def.at)
	}
	for _, p := range def.assumes {
		r.predicate(t.plan, p)
	}
	for _, m := range t.plan.first.monitor {
		r.callable(t.plan, m.update)
		r.callable(t.plan, m.check)
	}
	r.close()
	return r
}

// ignore leaves out the predicates of the top level that read axes, and none
// that t sees; one that reads an axis that t sees shows t its others.
func (t *Test) ignore() {
	for k, p := range t.plan.first.assumes {
		r := &reach{g: t.plan.text.dependencies(), names: map[string]bool{}, places: map[place]bool{}, ids: map[string]bool{}}
		r.predicate(t.plan, p)
		r.close()
		known, seen := 0, 0
		for _, x := range t.plan.first.path {
			if !r.ids[x.Axis.ID] && !r.all {
				continue
			}
			known++
			if t.visible(x.Axis) {
				seen++
			}
		}
		switch {
		case known > 0 && seen == 0 && len(r.ids) <= known:
			t.ignored[k] = true
		case seen > 0 && seen < known:
			before := t.visible
			t.visible = func(a *axis.Axis) bool { return before(a) || r.all || r.ids[a.ID] }
		}
	}
}

var quietMu sync.Mutex

// own is axis a as t has it: without fanning out where t does not see it.
func (t *Test) own(a *axis.Axis) *axis.Axis {
	if !a.Fans && !(t.def.fan && len(a.Options) > 1) {
		return a
	}
	fans := t.visible(a)
	if fans == a.Fans {
		return a
	}
	quietMu.Lock()
	defer quietMu.Unlock()
	b := t.quiet[a]
	if b == nil {
		c := *a
		c.Fans = fans
		b = &c
		t.quiet[a] = b
	}
	return b
}

// dependencies is, for each global of a text, what its value may depend on.
type dependencies struct {
	names  map[string]map[string]bool // global -> globals
	places map[string]map[place]bool  // global -> calls made for it
	// calls are the names used in the statement of a call at the top level,
	// such as test(...).
	calls map[place]map[string]bool
}

func dependenciesOf(tree *syntax.File) *dependencies {
	d := &dependencies{names: map[string]map[string]bool{}, places: map[string]map[place]bool{}, calls: map[place]map[string]bool{}}
	d.stmts(tree.Stmts, nil)
	return d
}

// uses is what code names and calls. Names of any scope count: a local that
// is called as a global does more than needed at worst.
type uses struct {
	names  map[string]bool
	places map[place]bool
}

func usesOf(nodes ...syntax.Node) uses {
	u := uses{map[string]bool{}, map[place]bool{}}
	for _, root := range nodes {
		if root == nil {
			continue
		}
		syntax.Walk(root, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Ident:
				if b, ok := n.Binding.(*resolve.Binding); ok && b.Scope == resolve.Global {
					u.names[n.Name] = true
				}
			case *syntax.CallExpr:
				u.places[at(n.Lparen)] = true
			}
			return true
		})
	}
	return u
}

// stmts collects from the statements of the top level; outer are the
// conditions they stand under.
func (d *dependencies) stmts(list []syntax.Stmt, outer []syntax.Node) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.DefStmt:
			d.depend(map[string]bool{s.Name.Name: true}, usesOf(append([]syntax.Node{s}, outer...)...))
		case *syntax.AssignStmt:
			d.depend(usesOf(s.LHS).names, usesOf(append([]syntax.Node{s}, outer...)...))
		case *syntax.ExprStmt:
			u := usesOf(append([]syntax.Node{s}, outer...)...)
			if call, ok := s.X.(*syntax.CallExpr); ok {
				d.calls[at(call.Lparen)] = u.names
				if id, ok := call.Fn.(*syntax.Ident); ok && (id.Name == "test" || id.Name == "assume" || id.Name == "monitor" || id.Name == "print") {
					continue
				}
			}
			d.depend(u.names, u)
		case *syntax.IfStmt:
			inner := append([]syntax.Node{s.Cond}, outer...)
			d.stmts(s.True, inner)
			d.stmts(s.False, inner)
		case *syntax.ForStmt:
			inner := append([]syntax.Node{s.X}, outer...)
			d.depend(usesOf(s.Vars).names, usesOf(inner...))
			d.stmts(s.Body, inner)
		case *syntax.WhileStmt:
			d.stmts(s.Body, append([]syntax.Node{s.Cond}, outer...))
		}
	}
}

func (d *dependencies) depend(targets map[string]bool, u uses) {
	for t := range targets {
		if d.names[t] == nil {
			d.names[t], d.places[t] = map[string]bool{}, map[place]bool{}
		}
		for n := range u.names {
			d.names[t][n] = true
		}
		for p := range u.places {
			d.places[t][p] = true
		}
	}
}

// reach is what some functions can see.
type reach struct {
	g      *dependencies
	names  map[string]bool
	places map[place]bool
	ids    map[string]bool // axes that predicates read by name
	all    bool
}

// callable adds what f names.
func (r *reach) callable(p *Plan, f starlark.Callable) {
	switch f := f.(type) {
	case nil:
	case *starlark.Function:
		text := p.texts.find(f.Position().Filename())
		if text == nil || text != p.text {
			return
		}
		code := text.functions()[at(f.Position())]
		if code == nil {
			r.all = true
			return
		}
		r.add(usesOf(code))
		if f.NumFreeVars() > 0 { // what it closes over was made around it
			r.add(enclosing(p, code))
		}
	default:
		if _, ours := classOf(f); !ours {
			r.all = true
		}
	}
}

// enclosing is what the function around code names.
func enclosing(p *Plan, code syntax.Node) uses {
	start, end := code.Span()
	for _, outer := range p.text.functions() {
		s, e := outer.Span()
		if outer != code && before(s, start) && before(end, e) {
			return usesOf(outer)
		}
	}
	return uses{}
}

func before(a, b syntax.Position) bool { return a.Line < b.Line || a.Line == b.Line && a.Col <= b.Col }

func (r *reach) add(u uses) {
	for n := range u.names {
		r.names[n] = true
	}
	for p := range u.places {
		r.places[p] = true
	}
}

// registration adds what the arguments of test(...) name.
func (r *reach) registration(p place) {
	names, ok := r.g.calls[p]
	if !ok {
		r.all = true // registered by a function
		return
	}
	for n := range names {
		r.names[n] = true
	}
}

// predicate adds the axes that p reads by name, and what else it names.
func (r *reach) predicate(plan *Plan, p *Predicate) {
	f, ok := p.function.(*starlark.Function)
	if !ok {
		return
	}
	r.callable(plan, f)
	text := plan.texts.find(f.Position().Filename())
	if text == nil || f.NumParams() == 0 {
		return
	}
	param, _ := f.Param(0)
	code := text.functions()[at(f.Position())]
	if code == nil {
		return
	}
	plainUses := 0
	syntax.Walk(code, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Literal:
			if s, ok := n.Value.(string); ok {
				r.ids[s] = true
			}
		case *syntax.DotExpr:
			if id, ok := n.X.(*syntax.Ident); ok && id.Name == param {
				plainUses--
				switch n.Name.Name {
				case "get":
				case "keys", "values", "items":
					r.all = true
				default:
					r.ids[n.Name.Name] = true
				}
			}
		case *syntax.IndexExpr:
			if id, ok := n.X.(*syntax.Ident); ok && id.Name == param {
				plainUses--
				if _, literal := n.Y.(*syntax.Literal); !literal {
					r.all = true
				}
			}
		case *syntax.BinaryExpr:
			if id, ok := n.Y.(*syntax.Ident); ok && id.Name == param && (n.Op == syntax.IN || n.Op == syntax.NOT_IN) {
				plainUses--
			}
		case *syntax.Ident:
			if n.Name == param {
				plainUses++
			}
		}
		return true
	})
	if plainUses > 1 { // one is the parameter itself; others pass the whole on
		r.all = true
	}
}

// close follows names to what their values depend on.
func (r *reach) close() {
	for changed := true; changed; {
		changed = false
		for n := range r.names {
			for m := range r.g.names[n] {
				if !r.names[m] {
					r.names[m], changed = true, true
				}
			}
			for p := range r.g.places[n] {
				r.places[p] = true
			}
		}
	}
}
