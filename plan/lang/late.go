package lang

import (
	"fmt"
	"sort"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Globals are the variables that the cells of one session share. A function
// of an earlier cell sees what a later one assigns, as in a notebook of any
// other language; Starlark's own modules would keep each cell's values apart.
// So a cell is compiled with every use of a global turned into an attribute of
// one hidden value.
type Globals struct {
	texts       *Texts
	predeclared starlark.StringDict // builtins; hidden by a global of the name
	values      map[string]starlark.Value
}

// NewGlobals makes Globals without variables over builtins.
func NewGlobals(texts *Texts, builtins starlark.StringDict) *Globals {
	env := bounded()
	for n, v := range builtins {
		env[n] = v
	}
	return &Globals{texts: texts, predeclared: env, values: map[string]starlark.Value{}}
}

// The hidden names; no Starlark text can spell them.
const (
	hiddenGlobals = "$"
	hiddenResult  = "$result"
)

// Names lists the variables in alphabetical order.
func (g *Globals) Names() []string {
	var names []string
	for n := range g.values {
		if n != hiddenResult {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	return names
}

// Get is the variable or builtin called name; nil for none.
func (g *Globals) Get(name string) starlark.Value {
	if v, ok := g.values[name]; ok {
		return v
	}
	return g.predeclared[name]
}

// Set gives the variable called name a value; nil removes it.
func (g *Globals) Set(name string, v starlark.Value) {
	if v == nil {
		delete(g.values, name)
		return
	}
	g.values[name] = v
}

// Exec runs text and gives the value of its last statement, where that is an
// expression; nil otherwise. Assignments before an error stay.
func (g *Globals) Exec(thread *starlark.Thread, text *Text, nearest func(string) string) (starlark.Value, error) {
	isUniversal := func(name string) bool { return starlark.Universe.Has(name) }
	known := func(name string) bool { return g.Get(name) != nil }
	if err := resolve.File(text.Tree, known, isUniversal); err != nil {
		return nil, resolved(text, err, nearest)
	}
	late, err := dialect().Parse(text.Path, text.File.Text, 0)
	if err != nil {
		return nil, syntaxError(text, err)
	}
	boundGrowth(late)
	(&rewriter{globals: g.lateNames(text.Tree)}).file(late)
	program, err := starlark.FileProgram(late, func(name string) bool { return name == hiddenGlobals || g.predeclared.Has(name) })
	if err != nil {
		return nil, resolved(text, err, nearest)
	}
	env := starlark.StringDict{hiddenGlobals: variables{g}}
	for n, v := range g.predeclared {
		env[n] = v
	}
	delete(g.values, hiddenResult)
	c := Of(thread)
	c.texts, c.globals = g.texts, g
	_, err = program.Init(thread, env)
	result := g.values[hiddenResult]
	delete(g.values, hiddenResult)
	if err != nil {
		return nil, g.texts.Fault(thread, err)
	}
	return result, nil
}

// lateNames are the positions in tree, which is resolved, that name a global
// of this or an earlier cell.
func (g *Globals) lateNames(tree *syntax.File) map[place]bool {
	late := map[place]bool{}
	syntax.Walk(tree, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok {
			return true
		}
		b, ok := id.Binding.(*resolve.Binding)
		if !ok {
			return true
		}
		_, variable := g.values[id.Name]
		if b.Scope == resolve.Global || b.Scope == resolve.Predeclared && variable {
			late[at(id.NamePos)] = true
		}
		return true
	})
	return late
}

// variables is the hidden value whose attributes are the globals.
type variables struct{ g *Globals }

func (variables) String() string        { return "globals" }
func (variables) Type() string          { return "globals" }
func (variables) Freeze()               {}
func (variables) Truth() starlark.Bool  { return true }
func (variables) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: globals") }

// Attr is a variable, or what it hides.
func (v variables) Attr(name string) (starlark.Value, error) {
	if x := v.g.Get(name); x != nil {
		return x, nil
	}
	if x, ok := starlark.Universe[name]; ok {
		return x, nil
	}
	return nil, fmt.Errorf("global variable %s referenced before assignment", name)
}

// AttrNames lists the variables.
func (v variables) AttrNames() []string { return v.g.Names() }

// SetField assigns a variable.
func (v variables) SetField(name string, x starlark.Value) error {
	v.g.values[name] = x
	return nil
}

// A rewriter turns names of globals into attributes of the hidden value.
type rewriter struct{ globals map[place]bool }

func (r *rewriter) file(f *syntax.File) {
	f.Stmts = r.stmts(f.Stmts)
	if n := len(f.Stmts); n > 0 {
		if last, ok := f.Stmts[n-1].(*syntax.ExprStmt); ok {
			start, _ := last.Span()
			f.Stmts[n-1] = &syntax.AssignStmt{OpPos: start, Op: syntax.EQ, LHS: attribute(hiddenResult, start), RHS: last.X}
		}
	}
}

// attribute is the expression that names a global at pos.
func attribute(name string, pos syntax.Position) syntax.Expr {
	return &syntax.DotExpr{X: &syntax.Ident{NamePos: pos, Name: hiddenGlobals}, Dot: pos, NamePos: pos,
		Name: &syntax.Ident{NamePos: pos, Name: name}}
}

func (r *rewriter) stmts(list []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range list {
		out = append(out, s)
		switch s := s.(type) {
		case *syntax.AssignStmt:
			s.LHS, s.RHS = r.expr(s.LHS), r.expr(s.RHS)
		case *syntax.DefStmt:
			r.params(s.Params)
			s.Body = r.stmts(s.Body)
			out = r.keep(out, s.Name, r.globals[at(s.Name.NamePos)])
		case *syntax.ExprStmt:
			s.X = r.expr(s.X)
		case *syntax.IfStmt:
			s.Cond, s.True, s.False = r.expr(s.Cond), r.stmts(s.True), r.stmts(s.False)
		case *syntax.LoadStmt:
			for _, name := range s.From {
				out = r.keep(out, name, true)
			}
		case *syntax.ReturnStmt:
			if s.Result != nil {
				s.Result = r.expr(s.Result)
			}
		case *syntax.ForStmt:
			s.Vars, s.X, s.Body = r.expr(s.Vars), r.expr(s.X), r.stmts(s.Body)
		case *syntax.WhileStmt:
			s.Cond, s.Body = r.expr(s.Cond), r.stmts(s.Body)
		}
	}
	return out
}

// keep adds the statement that makes a name bound by a statement a global.
func (r *rewriter) keep(list []syntax.Stmt, name *syntax.Ident, global bool) []syntax.Stmt {
	if !global {
		return list
	}
	return append(list, &syntax.AssignStmt{OpPos: name.NamePos, Op: syntax.EQ, LHS: attribute(name.Name, name.NamePos),
		RHS: &syntax.Ident{NamePos: name.NamePos, Name: name.Name}})
}

func (r *rewriter) list(list []syntax.Expr) {
	for i, e := range list {
		list[i] = r.expr(e)
	}
}

// params rewrites default values alone: a parameter's name is no use.
func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		if d, ok := p.(*syntax.BinaryExpr); ok && d.Op == syntax.EQ {
			d.Y = r.expr(d.Y)
		}
	}
}

// argument rewrites an argument of a call, whose keyword is no use.
func (r *rewriter) argument(e syntax.Expr) syntax.Expr {
	if named, ok := e.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
		named.Y = r.expr(named.Y)
		return named
	}
	return r.expr(e)
}

func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		if r.globals[at(e.NamePos)] {
			return attribute(e.Name, e.NamePos)
		}
	case *syntax.BinaryExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.CallExpr:
		e.Fn = r.expr(e.Fn)
		for i, a := range e.Args {
			e.Args[i] = r.argument(a)
		}
	case *syntax.Comprehension:
		e.Body = r.expr(e.Body)
		for _, c := range e.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				c.Vars, c.X = r.expr(c.Vars), r.expr(c.X)
			case *syntax.IfClause:
				c.Cond = r.expr(c.Cond)
			}
		}
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.DictEntry:
		e.Key, e.Value = r.expr(e.Key), r.expr(e.Value)
	case *syntax.DictExpr:
		r.list(e.List)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		e.Body = r.expr(e.Body)
	case *syntax.ListExpr:
		r.list(e.List)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.SliceExpr:
		e.X = r.expr(e.X)
		for _, part := range []*syntax.Expr{&e.Lo, &e.Hi, &e.Step} {
			if *part != nil {
				*part = r.expr(*part)
			}
		}
	case *syntax.TupleExpr:
		r.list(e.List)
	case *syntax.UnaryExpr:
		if e.X != nil {
			e.X = r.expr(e.X)
		}
	}
	return e
}
