package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers bodies that are passed to calculations of the model. Such a
// body is a calculation of its own, called by its text, and the argument is
// that calculation as a function value. Functions of the library apply bodies
// in place (expr_control.go).

// argument lowers x, an argument of a calculation, into register to.
func (b *body) argument(x syntax.Expr, to int32) {
	fn, ok := x.(*syntax.BodyExpression)
	if !ok {
		b.into(x, to)
		return
	}
	outer := b.open("body", "", fn.Span())
	b.shut(outer, b.konst(value.BodyRef(0, 0)))
	b.move(to, b.bodyValue(fn))
}

// bodyValue is the function value of x. What the unit around it has in
// registers is out of its reach, since x may run when that is gone.
func (b *body) bodyValue(x *syntax.BodyExpression) operand {
	scope := b.scope.Body(x)
	if n := b.captured(x); n != "" {
		return b.failed(notEvaluable, "a body that is passed to a calculation cannot read "+n+", which is local to what surrounds the body",
			"give the calculation "+n+" as an argument too")
	}
	c := b.l.calcOf(scope)
	c.name = strings.Join(strings.Fields(x.Span().Text()), " ")
	if owner := plainName(b.scope); owner != "" {
		c.name = owner + "::" + c.name
	}
	b.l.program.Callables[c.name] = b.l.callUnit(c)
	return b.konst(value.FunctionOf(b.l.namedAs(value.Function, scope, c.name), value.NoObject))
}

// captured is a name in x that means a local of the unit around x; "" where
// there is none.
func (b *body) captured(x *syntax.BodyExpression) string {
	var own map[string]bool
	found := ""
	syntax.Inspect(x, func(node any) bool {
		switch node := node.(type) {
		case *syntax.Decl:
			if own == nil {
				own = map[string]bool{}
			}
			own[node.Name.Text] = true
		case *syntax.FeatureReferenceExpression:
			n := node.Name.Segments[0].Text
			if found == "" && node.Name.IsSimple() && !own[n] && (b.lookup(n) != nil || b.inData(node.Name)) {
				found = n
			}
		}
		return found == ""
	})
	return found
}
