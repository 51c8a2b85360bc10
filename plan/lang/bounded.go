package lang

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A limit on steps does not bound one step. The operations here, of which one
// call could take all memory or run for minutes, are bounded by what they
// would make.

// The most that one operation may make.
const (
	maxElements = 10_000_000
	maxTextSize = 64 << 20 // bytes
	maxBits     = 1 << 20  // of an integer
	maxShown    = 200      // levels of a value that is made text
)

// hiddenTimes is the name that x * y is compiled to a call of.
const hiddenTimes = "$times"

// bounded are the builtins that stand in for Starlark's own.
func bounded() starlark.StringDict {
	env := starlark.StringDict{hiddenTimes: starlark.NewBuiltin("*", times)}
	for name, check := range map[string]func([]starlark.Value) error{
		"range": checkRange, "str": checkShown, "repr": checkShown, "print": checkShown,
	} {
		inner := starlark.Universe[name].(*starlark.Builtin)
		env[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := check(args); err != nil {
				return nil, err
			}
			return inner.CallInternal(thread, args, kwargs)
		})
	}
	return env
}

// checkRange refuses a range that as a list would be too large.
func checkRange(args []starlark.Value) error {
	bounds := make([]float64, len(args))
	for i, a := range args {
		f, ok := starlark.AsFloat(a)
		if !ok {
			return nil // range itself says what is wrong
		}
		bounds[i] = f
	}
	n := 0.0
	switch len(bounds) {
	case 1:
		n = bounds[0]
	case 2:
		n = bounds[1] - bounds[0]
	case 3:
		if bounds[2] != 0 {
			n = (bounds[1] - bounds[0]) / bounds[2]
		}
	}
	if n > maxElements {
		return fmt.Errorf("range: %.0f elements are more than %d", n, maxElements)
	}
	return nil
}

// checkShown refuses to make a text of what is nested too deep.
func checkShown(args []starlark.Value) error {
	for _, a := range args {
		if deeper(a, maxShown) {
			return fmt.Errorf("a value nested deeper than %d cannot be made text", maxShown)
		}
	}
	return nil
}

// Printed is v as Starlark prints it, or a note where that would take too long.
func Printed(v starlark.Value) string {
	if deeper(v, maxShown) {
		return fmt.Sprintf("<%s nested deeper than %d>", v.Type(), maxShown)
	}
	return v.String()
}

// deeper reports whether v is nested deeper than levels.
func deeper(v starlark.Value, levels int) bool {
	if levels < 0 {
		return true
	}
	var elements starlark.Iterable
	switch v := v.(type) {
	case *starlark.List, starlark.Tuple:
		elements = v.(starlark.Iterable)
	case *starlark.Dict:
		for _, item := range v.Items() {
			if deeper(item[0], levels-1) || deeper(item[1], levels-1) {
				return true
			}
		}
		return false
	default:
		return false
	}
	it := elements.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		if deeper(x, levels-1) {
			return true
		}
	}
	return false
}

// times is x * y, unless the result would be too large.
func times(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, y := args[0], args[1]
	if _, ok := y.(starlark.Int); !ok {
		x, y = y, x
	}
	if n, ok := y.(starlark.Int); ok {
		if err := checkTimes(x, n); err != nil {
			return nil, err
		}
	}
	v, err := starlark.Binary(syntax.STAR, args[0], args[1])
	return v, err
}

func checkTimes(x starlark.Value, n starlark.Int) error {
	size, limit, what := 0, maxElements, "elements"
	switch x := x.(type) {
	case starlark.Int:
		if bits := x.BigInt().BitLen() + n.BigInt().BitLen(); bits > 128 && bits > maxBits {
			return fmt.Errorf("the product has more than %d bits", maxBits)
		}
		return nil
	case starlark.String, starlark.Bytes:
		size, limit, what = starlark.Len(x), maxTextSize, "bytes"
	case *starlark.List, starlark.Tuple:
		size = starlark.Len(x)
	default:
		return nil
	}
	if count, ok := n.Int64(); size > 0 && (!ok && n.Sign() > 0 || count > int64(limit/size)) {
		return fmt.Errorf("the repetition makes more than %d %s", limit, what)
	}
	return nil
}

// boundProducts turns every x * y of a tree, which is not resolved yet, into a
// call of times. A product with a number that is written down and small is
// left as it is.
func boundProducts(f *syntax.File) {
	visit := func(e *syntax.Expr) {
		b, ok := (*e).(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.STAR || smallLiteral(b.X) || smallLiteral(b.Y) {
			return
		}
		*e = &syntax.CallExpr{Fn: &syntax.Ident{NamePos: b.OpPos, Name: hiddenTimes}, Lparen: b.OpPos, Args: []syntax.Expr{b.X, b.Y}, Rparen: b.OpPos}
	}
	eachStmt(f.Stmts, visit)
}

// smallLiteral reports whether e is a float, or an integer below 100.
func smallLiteral(e syntax.Expr) bool {
	l, ok := e.(*syntax.Literal)
	if !ok {
		return false
	}
	switch v := l.Value.(type) {
	case float64:
		return true
	case int64:
		return v < 100
	}
	return false
}

// eachStmt visits the expressions below statements, inner ones first.
func eachStmt(list []syntax.Stmt, visit func(*syntax.Expr)) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			eachExpr(&s.LHS, visit)
			eachExpr(&s.RHS, visit)
			if id, ok := s.LHS.(*syntax.Ident); ok && s.Op == syntax.STAR_EQ {
				s.Op = syntax.EQ
				s.RHS = &syntax.BinaryExpr{X: &syntax.Ident{NamePos: id.NamePos, Name: id.Name}, OpPos: s.OpPos, Op: syntax.STAR, Y: s.RHS}
				visit(&s.RHS)
			}
		case *syntax.DefStmt:
			eachExprs(s.Params, visit)
			eachStmt(s.Body, visit)
		case *syntax.ExprStmt:
			eachExpr(&s.X, visit)
		case *syntax.ForStmt:
			eachExpr(&s.X, visit)
			eachStmt(s.Body, visit)
		case *syntax.WhileStmt:
			eachExpr(&s.Cond, visit)
			eachStmt(s.Body, visit)
		case *syntax.IfStmt:
			eachExpr(&s.Cond, visit)
			eachStmt(s.True, visit)
			eachStmt(s.False, visit)
		case *syntax.ReturnStmt:
			eachExpr(&s.Result, visit)
		}
	}
}

func eachExprs(list []syntax.Expr, visit func(*syntax.Expr)) {
	for i := range list {
		eachExpr(&list[i], visit)
	}
}

func eachExpr(e *syntax.Expr, visit func(*syntax.Expr)) {
	switch x := (*e).(type) {
	case nil:
		return
	case *syntax.BinaryExpr:
		eachExpr(&x.X, visit)
		eachExpr(&x.Y, visit)
	case *syntax.CallExpr:
		eachExpr(&x.Fn, visit)
		eachExprs(x.Args, visit)
	case *syntax.Comprehension:
		eachExpr(&x.Body, visit)
		for _, c := range x.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				eachExpr(&c.X, visit)
			case *syntax.IfClause:
				eachExpr(&c.Cond, visit)
			}
		}
	case *syntax.CondExpr:
		eachExpr(&x.Cond, visit)
		eachExpr(&x.True, visit)
		eachExpr(&x.False, visit)
	case *syntax.DictEntry:
		eachExpr(&x.Key, visit)
		eachExpr(&x.Value, visit)
	case *syntax.DictExpr:
		eachExprs(x.List, visit)
	case *syntax.DotExpr:
		eachExpr(&x.X, visit)
	case *syntax.IndexExpr:
		eachExpr(&x.X, visit)
		eachExpr(&x.Y, visit)
	case *syntax.LambdaExpr:
		eachExprs(x.Params, visit)
		eachExpr(&x.Body, visit)
	case *syntax.ListExpr:
		eachExprs(x.List, visit)
	case *syntax.ParenExpr:
		eachExpr(&x.X, visit)
	case *syntax.SliceExpr:
		eachExpr(&x.X, visit)
		eachExpr(&x.Lo, visit)
		eachExpr(&x.Hi, visit)
		eachExpr(&x.Step, visit)
	case *syntax.TupleExpr:
		eachExprs(x.List, visit)
	case *syntax.UnaryExpr:
		eachExpr(&x.X, visit)
	}
	visit(e)
}
