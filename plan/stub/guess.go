package stub

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	sysml "github.com/orrery-sysml/orrery/sysml/syntax"
)

// values are texts of Starlark by the name of the feature that should have them.
type values map[string]string

// guess adds to v values with which x is want; it reports false where x has a
// part that it cannot tell them of, or that it has given another value.
func (v values) guess(x sysml.Expr, want bool) bool {
	switch x := x.(type) {
	case *sysml.FeatureReferenceExpression:
		return v.give(x, starlarkBool(want))
	case *sysml.LiteralExpression:
		return x.Kind == sysml.LiteralBoolean && (x.Text == "true") == want
	case *sysml.OperatorExpression:
		switch x.Operator {
		case sysml.Not:
			return v.guess(x.Operands[0], !want)
		case sysml.ConditionalAnd, sysml.And:
			if want {
				return v.guess(x.Operands[0], true) && v.guess(x.Operands[1], true)
			}
			return v.guess(x.Operands[0], false)
		case sysml.ConditionalOr, sysml.Or:
			if !want {
				return v.guess(x.Operands[0], false) && v.guess(x.Operands[1], false)
			}
			return v.guess(x.Operands[0], true)
		}
		return len(x.Operands) == 2 && v.compare(x.Operator, x.Operands[0], x.Operands[1], want)
	}
	return false
}

func starlarkBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// give gives the feature that x names a value.
func (v values) give(x sysml.Expr, text string) bool {
	ref, ok := x.(*sysml.FeatureReferenceExpression)
	if !ok || !ref.Name.IsSimple() {
		return false
	}
	name := ref.Name.Segments[0].Text
	if old, given := v[name]; given && old != text {
		return false
	}
	v[name] = text
	return true
}

// mirrored are the comparisons as they read from the right.
var mirrored = map[sysml.OperatorKind]sysml.OperatorKind{sysml.Less: sysml.Greater, sysml.LessEqual: sysml.GreaterEqual,
	sysml.Greater: sysml.Less, sysml.GreaterEqual: sysml.LessEqual, sysml.Equal: sysml.Equal, sysml.NotEqual: sysml.NotEqual}

// opposite are the comparisons that hold where these do not.
var opposite = map[sysml.OperatorKind]sysml.OperatorKind{sysml.Less: sysml.GreaterEqual, sysml.LessEqual: sysml.Greater,
	sysml.Greater: sysml.LessEqual, sysml.GreaterEqual: sysml.Less, sysml.Equal: sysml.NotEqual, sysml.NotEqual: sysml.Equal}

// compare makes a comparison of a feature with a constant what is wanted.
func (v values) compare(op sysml.OperatorKind, left, right sysml.Expr, want bool) bool {
	if _, ok := left.(*sysml.FeatureReferenceExpression); !ok {
		left, right, op = right, left, mirrored[op]
	}
	if !want {
		op = opposite[op]
	}
	step := map[sysml.OperatorKind]float64{sysml.Less: -1, sysml.Greater: 1, sysml.NotEqual: 1}[op]
	if _, comparison := opposite[op]; !comparison {
		return false
	}
	text, ok := constant(right, step)
	return ok && v.give(left, text)
}

// constant is x moved by step, which says only that it should differ where x is
// no number.
func constant(x sysml.Expr, step float64) (string, bool) {
	switch x := x.(type) {
	case *sysml.OperatorExpression:
		if x.Operator != sysml.Minus {
			return "", false
		}
		text, ok := constant(x.Operands[0], -step)
		if positive, negative := strings.CutPrefix(text, "-"); negative {
			return positive, ok
		}
		return "-" + text, ok
	case *sysml.LiteralExpression:
		switch x.Kind {
		case sysml.LiteralBoolean:
			return starlarkBool((x.Text == "true") == (step == 0)), true
		case sysml.LiteralInteger:
			n, err := strconv.ParseInt(x.Text, 10, 64)
			return strconv.FormatInt(n+int64(step), 10), err == nil
		case sysml.LiteralRational:
			n, err := strconv.ParseFloat(x.Text, 64)
			text := strconv.FormatFloat(n+step, 'f', -1, 64)
			if !strings.Contains(text, ".") {
				text += ".0"
			}
			return text, err == nil
		case sysml.LiteralString:
			if step != 0 {
				return syntax.Quote("other than "+x.Text, false), true
			}
			return syntax.Quote(x.Text, false), true
		}
	case *sysml.BracketExpression:
		n, ok := constant(x.Operand, step)
		return fmt.Sprintf("quantity(%s, %s)", n, syntax.Quote(x.Bracket.Span().Text(), false)), ok
	}
	return "", false
}
