package lang

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file says what an expectation without a message claimed: the text of
// its condition, and what the names in it stood for.

// A claimError is an expectation that does not hold. Its diagnostic tells the
// values of this leaf, the claim does not.
type claimError struct {
	*diagnostic.Diagnostic
	claim string
}

// Unwrap is the diagnostic.
func (e *claimError) Unwrap() error { return e.Diagnostic }

// The most that a claim shows.
const (
	maxClaim  = 160 // characters of the condition
	maxNamed  = 5   // values
	maxLooked = 10  // attributes and indices from a name to a value
)

// unheld is the error of an expectation whose condition is false.
func unheld(thread *starlark.Thread, condition starlark.Value) error {
	c := Of(thread)
	e := c.conditionOf(thread)
	if e == nil {
		return unmet("expected %s to hold", brief(condition))
	}
	text := c.textOf(e)
	n := &named{thread: thread, context: c, seen: map[string]bool{}}
	n.expr(e)
	claim := "expected " + text + " to hold"
	message := "expected " + text
	_, truth := condition.(starlark.Bool)
	_, literal := e.(*syntax.Literal)
	if !truth && !literal && !n.seen[text] {
		message += ", got " + brief(condition)
	}
	switch {
	case len(n.values) > 0:
		message += ", with " + enumeration(n.values)
	case message == "expected "+text:
		message = claim
	}
	return &claimError{diagnostic.New(ExpectationFailed, source.Span{}, message), claim}
}

// conditionOf is the condition of the expect call that thread is in; nil where
// the text does not tell.
func (c *Context) conditionOf(thread *starlark.Thread) syntax.Expr {
	if c.texts == nil || thread.CallStackDepth() < 2 {
		return nil
	}
	pos := thread.CallFrame(1).Pos
	text := c.texts.find(pos.Filename())
	if text == nil {
		return nil
	}
	call := text.calls()[at(pos)].expr
	if call == nil || len(call.Args) == 0 {
		return nil
	}
	if id, ok := call.Fn.(*syntax.Ident); !ok || id.Name != "expect" {
		return nil
	}
	for i, a := range call.Args {
		switch named := a.(type) {
		case *syntax.BinaryExpr:
			if named.Op != syntax.EQ {
				break
			}
			if named.X.(*syntax.Ident).Name == "condition" {
				return named.Y
			}
			continue
		case *syntax.UnaryExpr:
			if named.Op == syntax.STAR || named.Op == syntax.STARSTAR {
				return nil
			}
		}
		if i == 0 {
			return a
		}
	}
	return nil
}

// textOf is e as the plan writes it, on one line.
func (c *Context) textOf(e syntax.Expr) string {
	start, _ := e.Span()
	span := c.texts.find(start.Filename()).span(e)
	text := []rune(strings.Join(strings.Fields(span.File.Text[span.Start:span.End]), " "))
	if len(text) > maxClaim {
		return string(text[:maxClaim-1]) + "…"
	}
	return string(text)
}

// enumeration is "a, b and c".
func enumeration(list []string) string {
	if len(list) > maxNamed {
		list = append(list[:maxNamed:maxNamed], "more")
	}
	if last := len(list) - 1; last > 0 {
		return strings.Join(list[:last], ", ") + " and " + list[last]
	}
	return list[0]
}

// named collects the values that names of an expression stand for, and those
// of attributes and elements found from a name.
type named struct {
	thread  *starlark.Thread
	context *Context
	seen    map[string]bool // texts
	values  []string        // "x = 3", in the order of the text
}

func (n *named) expr(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident, *syntax.DotExpr, *syntax.IndexExpr:
		n.path(e)
	case *syntax.ParenExpr:
		n.expr(e.X)
	case *syntax.UnaryExpr:
		n.expr(e.X)
	case *syntax.BinaryExpr:
		n.expr(e.X)
		n.expr(e.Y)
	case *syntax.CondExpr:
		n.list([]syntax.Expr{e.Cond, e.True, e.False})
	case *syntax.ListExpr:
		n.list(e.List)
	case *syntax.TupleExpr:
		n.list(e.List)
	case *syntax.SliceExpr:
		n.expr(e.X)
	case *syntax.CallExpr:
		if method, ok := e.Fn.(*syntax.DotExpr); ok {
			n.expr(method.X)
		}
		for _, a := range e.Args {
			if given, ok := a.(*syntax.BinaryExpr); ok && given.Op == syntax.EQ {
				a = given.Y
			}
			n.expr(a)
		}
	case *syntax.Comprehension: // the rest names variables of its own
		if first, ok := e.Clauses[0].(*syntax.ForClause); ok {
			n.expr(first.X)
		}
	}
}

func (n *named) list(list []syntax.Expr) {
	for _, e := range list {
		n.expr(e)
	}
}

// path adds the value of e where e is a name, or leads from one to a value, and
// what stands below e where it does not.
func (n *named) path(e syntax.Expr) {
	if v := n.value(e, maxLooked); v != nil {
		if _, callable := v.(starlark.Callable); callable || n.fixed(e, v) {
			return
		}
		if text := n.context.textOf(e); !n.seen[text] {
			n.seen[text] = true
			n.values = append(n.values, text+" = "+brief(v))
		}
		return
	}
	switch e := e.(type) {
	case *syntax.DotExpr:
		n.expr(e.X)
	case *syntax.IndexExpr:
		n.expr(e.X)
		n.expr(e.Y)
	}
}

// fixed reports whether e names a handle of the top level, which is the same in
// every leaf.
func (n *named) fixed(e syntax.Expr, v starlark.Value) bool {
	id, name := e.(*syntax.Ident)
	_, handle := v.(Keyed)
	if !name || !handle {
		return false
	}
	b, ok := id.Binding.(*resolve.Binding)
	return ok && b.Scope != resolve.Local && b.Scope != resolve.Free
}

// value is what e stands for; nil where that cannot be told by looking.
func (n *named) value(e syntax.Expr, levels int) starlark.Value {
	if levels == 0 {
		return nil
	}
	switch e := e.(type) {
	case *syntax.Ident:
		return n.variable(e)
	case *syntax.Literal:
		if v, ok := literalValue(e); ok {
			return v
		}
	case *syntax.DotExpr:
		if x, ok := n.value(e.X, levels-1).(starlark.HasAttrs); ok {
			v, _ := x.Attr(e.Name.Name) // an error is no value
			return v
		}
	case *syntax.IndexExpr:
		return element(n.value(e.X, levels-1), n.value(e.Y, levels-1))
	}
	return nil
}

// element is x[y]; nil where there is none.
func element(x, y starlark.Value) starlark.Value {
	if y == nil {
		return nil
	}
	switch x := x.(type) {
	case starlark.Mapping:
		if v, found, err := x.Get(y); err == nil && found {
			return v
		}
	case starlark.Indexable:
		i, err := starlark.AsInt32(y)
		if err != nil {
			return nil
		}
		if i < 0 {
			i += x.Len()
		}
		if i >= 0 && i < x.Len() {
			return x.Index(i)
		}
	}
	return nil
}

// variable is the value of id where the expectation stands.
func (n *named) variable(id *syntax.Ident) starlark.Value {
	b, ok := id.Binding.(*resolve.Binding)
	if !ok {
		return nil
	}
	frame := n.thread.DebugFrame(1)
	f, ok := frame.Callable().(*starlark.Function)
	if !ok {
		return nil
	}
	switch b.Scope {
	case resolve.Local:
		if b.Index < frame.NumLocals() {
			if local, v := frame.Local(b.Index); local.Name == id.Name {
				return v
			}
		}
	case resolve.Free:
		return captured(f, id.Name)
	case resolve.Global, resolve.Predeclared:
		if g := n.context.globals; g != nil {
			return g.values[id.Name]
		}
		if b.Scope == resolve.Global {
			return f.Globals()[id.Name]
		}
	}
	return nil
}
