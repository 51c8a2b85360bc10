package lang

import "go.starlark.net/syntax"

// This file rewrites the operations of a text that one step could make huge
// into calls of the functions that bound them. The tree is not resolved yet.

// The hidden names of those functions; no Starlark text can spell them.
const (
	hiddenTimes = "$times" // x * y
	hiddenPlus  = "$plus"  // x + y
	hiddenMod   = "$mod"   // x % y
	hiddenPart  = "$part"  // y of x += y
	hiddenGrow  = "$grow"  // x.join and other methods
	hiddenTuple = "$tuple" // (x, y), and x of *x
	hiddenLast  = "$last"  // the last of its arguments
)

// growing are the methods whose result can be much larger than what they are
// given, and those that compare.
var growing = map[string]bool{"items": true, "index": true, "remove": true, "join": true, "replace": true, "format": true, "extend": true, "split": true, "rsplit": true, "splitlines": true,
	"encode": true, "decode": true, "indent": true}

// boundGrowth rewrites the operators and methods of f. Operations with a small
// number or text that is written down are left as they are: what they make
// grows by little in a step, and steps are counted.
func boundGrowth(f *syntax.File) {
	eachStmt(f.Stmts, func(e *syntax.Expr) {
		switch x := (*e).(type) {
		case *syntax.TupleExpr:
			if pos, _ := x.Span(); !small(x) || holdsMore(x.List) {
				*e = hiddenCall(hiddenTuple, pos, x)
			}
		case *syntax.LambdaExpr:
			if rest := varargs(x.Params); rest != nil {
				x.Body = hiddenCall(hiddenLast, x.Lambda, hiddenCall(hiddenTuple, x.Lambda, rest), x.Body)
			}
		case *syntax.BinaryExpr:
			name := ""
			switch {
			case comparisons[x.Op] != "" && !holdsNone(x.X) && !holdsNone(x.Y):
				name = comparisons[x.Op]
			case x.Op == syntax.STAR && !smallNumber(x.X) && !smallNumber(x.Y):
				name = hiddenTimes
			case x.Op == syntax.PLUS && !small(x.X) && !small(x.Y):
				name = hiddenPlus
			case x.Op == syntax.PERCENT && !smallNumber(x.Y):
				name = hiddenMod
			default:
				return
			}
			*e = hiddenCall(name, x.OpPos, x.X, x.Y)
		case *syntax.DotExpr:
			if growing[x.Name.Name] {
				*e = hiddenCall(hiddenGrow, x.Dot, x)
			}
		}
	})
}

// literal reports whether e is a number or a text that is written down.
func literal(e syntax.Expr) bool {
	_, ok := e.(*syntax.Literal)
	return ok
}

// holdsNone reports whether what e comes to surely holds no other values.
func holdsNone(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.ParenExpr:
		return holdsNone(e.X)
	case *syntax.UnaryExpr:
		return true
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.SLASH, syntax.SLASHSLASH:
			return true // of numbers alone
		case syntax.PLUS, syntax.MINUS, syntax.PERCENT:
			return literal(e.X) || literal(e.Y) // nothing that holds others can be added to a number or a text
		}
	}
	return false
}

// holdsMore reports whether one of list is not written down.
func holdsMore(list []syntax.Expr) bool {
	for _, e := range list {
		if !literal(e) {
			return true
		}
	}
	return false
}

// varargs is the name of the parameter *name; nil for none.
func varargs(params []syntax.Expr) syntax.Expr {
	for _, p := range params {
		if star, ok := p.(*syntax.UnaryExpr); ok && star.Op == syntax.STAR && star.X != nil {
			id := star.X.(*syntax.Ident)
			return &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
		}
	}
	return nil
}

func hiddenCall(name string, pos syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: name}, Lparen: pos, Args: args, Rparen: pos}
}

// smallNumber reports whether e is a float, or an integer below 100.
func smallNumber(e syntax.Expr) bool {
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

// small reports whether adding e cannot make much of anything.
func small(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Literal:
		return true
	case *syntax.ListExpr:
		return len(e.List) < 100
	case *syntax.TupleExpr:
		return len(e.List) < 100
	}
	return false
}

// augmented is the statement x op= y without its operator, where op could make
// something huge of a small y: x op y is then visited as any other expression.
// What x is found through is evaluated once.
func augmented(s *syntax.AssignStmt) syntax.Stmt {
	if s.Op == syntax.PLUS_EQ {
		if !small(s.RHS) { // x += y changes a list x in place
			s.RHS = hiddenCall(hiddenPart, s.OpPos, s.RHS)
		}
		return s
	}
	op, ok := map[syntax.Token]syntax.Token{syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT}[s.Op]
	if !ok {
		return s
	}
	temporary := func(n int, e syntax.Expr) (syntax.Stmt, func() syntax.Expr) {
		name := [...]string{"$of", "$at"}[n]
		use := func() syntax.Expr { return &syntax.Ident{NamePos: s.OpPos, Name: name} }
		return &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: use(), RHS: e}, use
	}
	binary := func(x syntax.Expr) syntax.Expr { return &syntax.BinaryExpr{X: x, OpPos: s.OpPos, Op: op, Y: s.RHS} }
	assign := func(x, again syntax.Expr) syntax.Stmt {
		return &syntax.AssignStmt{OpPos: s.OpPos, Op: syntax.EQ, LHS: x, RHS: binary(again)}
	}
	list := []syntax.Stmt{}
	switch x := s.LHS.(type) {
	case *syntax.Ident:
		return assign(x, &syntax.Ident{NamePos: x.NamePos, Name: x.Name})
	case *syntax.IndexExpr:
		first, of := temporary(0, x.X)
		second, at := temporary(1, x.Y)
		index := func() syntax.Expr {
			return &syntax.IndexExpr{X: of(), Lbrack: x.Lbrack, Y: at(), Rbrack: x.Rbrack}
		}
		list = append(list, first, second, assign(index(), index()))
	case *syntax.DotExpr:
		first, of := temporary(0, x.X)
		field := func() syntax.Expr { return &syntax.DotExpr{X: of(), Dot: x.Dot, NamePos: x.NamePos, Name: x.Name} }
		list = append(list, first, assign(field(), field()))
	default:
		return s // the resolver refuses it
	}
	yes := &syntax.Literal{Token: syntax.INT, TokenPos: s.OpPos, Raw: "1", Value: int64(1)}
	return &syntax.IfStmt{If: s.OpPos, Cond: yes, True: list}
}

// eachStmt visits the expressions below statements, inner ones first.
func eachStmt(list []syntax.Stmt, visit func(*syntax.Expr)) {
	for i := range list {
		if a, ok := list[i].(*syntax.AssignStmt); ok {
			list[i] = augmented(a)
		}
		switch s := list[i].(type) {
		case *syntax.AssignStmt:
			eachTarget(s.LHS, visit)
			eachExpr(&s.RHS, visit)
		case *syntax.DefStmt:
			eachExprs(s.Params, visit)
			eachStmt(s.Body, visit)
			if rest := varargs(s.Params); rest != nil {
				check := &syntax.ExprStmt{X: hiddenCall(hiddenTuple, s.Def, rest)}
				s.Body = append([]syntax.Stmt{check}, s.Body...)
			}
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

// eachTarget visits the expressions that tell what is assigned to.
func eachTarget(e syntax.Expr, visit func(*syntax.Expr)) {
	switch x := e.(type) {
	case *syntax.DotExpr: // which is no use of the field
		eachExpr(&x.X, visit)
	case *syntax.IndexExpr:
		eachExpr(&x.X, visit)
		eachExpr(&x.Y, visit)
	case *syntax.ParenExpr:
		eachTarget(x.X, visit)
	case *syntax.ListExpr:
		for _, part := range x.List {
			eachTarget(part, visit)
		}
	case *syntax.TupleExpr:
		for _, part := range x.List {
			eachTarget(part, visit)
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
