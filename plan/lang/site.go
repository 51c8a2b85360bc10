package lang

import (
	"fmt"
	"path"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/axis"
)

// A callSite is one call in a text, as far as its place can be named without
// its line: the function around it and what the result is used as.
type callSite struct {
	callee   string // name of what is called, "" where it has none
	function string // "" at the top level
	hint     string // the variable or keyword that receives the value
	ordinal  int    // among the calls of the same function, hint and callee, from 1
	index    int    // among the calls of callee in the function, from 1
	expr     *syntax.CallExpr
}

// name is the name of an axis that the plan gave none: @body.retries.
func (s callSite) name() string {
	n := "@" + orModule(s.function) + "." + s.hint
	if s.ordinal > 1 {
		n += fmt.Sprintf("~%d", s.ordinal)
	}
	return n
}

func orModule(function string) string {
	if function == "" {
		return "module"
	}
	return function
}

// callSites finds every call of tree by the place of its parenthesis.
func callSites(tree *syntax.File) map[place]callSite {
	w := &siteWalk{sites: map[place]callSite{}, seen: map[callSite]int{}}
	w.stmts(tree.Stmts)
	return w.sites
}

type siteWalk struct {
	sites    map[place]callSite
	seen     map[callSite]int
	function string
}

func (w *siteWalk) within(function string, f func()) {
	outer := w.function
	w.function = function
	f()
	w.function = outer
}

func (w *siteWalk) stmts(list []syntax.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *siteWalk) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		hint := ""
		if id, ok := s.LHS.(*syntax.Ident); ok {
			hint = id.Name
		}
		w.expr(s.LHS, "")
		w.expr(s.RHS, hint)
	case *syntax.DefStmt:
		w.defaults(s.Params)
		w.within(s.Name.Name, func() { w.stmts(s.Body) })
	case *syntax.ExprStmt:
		w.expr(s.X, "")
	case *syntax.ForStmt:
		w.expr(s.X, "")
		w.stmts(s.Body)
	case *syntax.WhileStmt:
		w.expr(s.Cond, "")
		w.stmts(s.Body)
	case *syntax.IfStmt:
		w.expr(s.Cond, "")
		w.stmts(s.True)
		w.stmts(s.False)
	case *syntax.ReturnStmt:
		w.expr(s.Result, "")
	}
}

func (w *siteWalk) defaults(params []syntax.Expr) {
	for _, p := range params {
		if d, ok := p.(*syntax.BinaryExpr); ok && d.Op == syntax.EQ {
			w.expr(d.Y, d.X.(*syntax.Ident).Name)
		}
	}
}

// expr visits e, whose value goes to what hint names.
func (w *siteWalk) expr(e syntax.Expr, hint string) {
	switch e := e.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(e, hint)
	case *syntax.ParenExpr:
		w.expr(e.X, hint)
	case *syntax.LambdaExpr:
		w.defaults(e.Params)
		w.within("lambda", func() { w.expr(e.Body, "") })
	default:
		w.children(e)
	}
}

// children visits the calls below e that are not e itself.
func (w *siteWalk) children(e syntax.Expr) {
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			w.call(n, "")
			return false
		case *syntax.LambdaExpr:
			w.expr(n, "")
			return false
		}
		return true
	})
}

func (w *siteWalk) call(e *syntax.CallExpr, hint string) {
	s := callSite{function: w.function, hint: hint}
	if id, ok := e.Fn.(*syntax.Ident); ok {
		s.callee = id.Name
	}
	if s.hint == "" {
		s.hint = s.callee
	}
	s.ordinal, s.index = w.count(s), w.count(callSite{callee: s.callee, function: s.function})
	s.expr = e
	w.sites[at(e.Lparen)] = s
	w.expr(e.Fn, "")
	for _, a := range e.Args {
		if named, ok := a.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			w.expr(named.Y, named.X.(*syntax.Ident).Name)
			continue
		}
		w.expr(a, "")
	}
}

func (w *siteWalk) count(s callSite) int {
	w.seen[s]++
	return w.seen[s]
}

// callerSite is where the builtin that thread executes was called.
func (t *Texts) callerSite(thread *starlark.Thread) (callSite, axis.Site) {
	if thread.CallStackDepth() < 2 {
		return callSite{}, axis.Site{}
	}
	frame := thread.CallFrame(1)
	site := callSite{function: frame.Name}
	at := axis.Site{Line: int(frame.Pos.Line), Column: int(frame.Pos.Col)}
	if text := t.find(frame.Pos.Filename()); text != nil {
		if known, ok := text.calls()[place{frame.Pos.Line, frame.Pos.Col}]; ok {
			site = known
		}
		at.File = path.Base(text.File.Name)
	}
	at.Function = site.function
	return site, at
}
