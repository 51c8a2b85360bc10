package api

import (
	"strconv"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file finds the constants at which the behaviour of a model can change:
// those that a feature is compared with.

var _ lang.Compared = element{}

// ComparedWith are the constants that the element, or a feature that redefines
// it or that it redefines, is compared with in the model's own texts, as they
// are written: 5 of 5 [kg].
func (x element) ComparedWith() []float64 {
	m := x.model.elements()
	c := &comparisons{links: map[writtenAt]*model.Element{}}
	for _, d := range m.Documents() {
		for _, l := range m.Links(d) {
			c.links[writtenAt{d.File, l.Name.Start}] = l.Target
		}
	}
	for _, d := range m.Documents() {
		c.file = d.File
		syntax.Inspect(d.Tree, func(node any) bool {
			if op, ok := node.(*syntax.OperatorExpression); ok && isComparison(op.Operator) && len(op.Operands) == 2 {
				c.compare(x.e, op.Operands[0], op.Operands[1])
				c.compare(x.e, op.Operands[1], op.Operands[0])
			}
			return true
		})
	}
	return c.constants
}

func isComparison(k syntax.OperatorKind) bool {
	switch k {
	case syntax.Less, syntax.LessEqual, syntax.Greater, syntax.GreaterEqual, syntax.Equal, syntax.NotEqual, syntax.Same, syntax.NotSame:
		return true
	}
	return false
}

// comparisons collects constants from the texts of a model.
type comparisons struct {
	file      *source.File // being read
	links     map[writtenAt]*model.Element
	constants []float64
}

// writtenAt is where a name begins.
type writtenAt struct {
	file  *source.File
	start int32
}

// compare takes other in as a constant where at denotes e.
func (c *comparisons) compare(e *model.Element, at, other syntax.Expr) {
	if f := c.denoted(at); f == nil || !isOne(e, f) {
		return
	}
	if n, ok := c.constant(other, c.file, maxConstant); ok {
		c.constants = append(c.constants, n)
	}
}

// denoted is the feature that a name or a chain of names leads to.
func (c *comparisons) denoted(x syntax.Expr) *model.Element {
	switch x := x.(type) {
	case *syntax.FeatureReferenceExpression:
		return c.links[writtenAt{c.file, x.Name.Start}]
	case *syntax.FeatureChainExpression:
		return c.links[writtenAt{c.file, x.Links[len(x.Links)-1].Start}]
	}
	return nil
}

// isOne reports whether a and b are one feature, or one redefines the other.
func isOne(a, b *model.Element) bool {
	if a == b {
		return true
	}
	for _, f := range a.RedefinitionClosure() {
		if f == b {
			return true
		}
	}
	for _, f := range b.RedefinitionClosure() {
		if f == a {
			return true
		}
	}
	return false
}

// maxConstant bounds the depth of an expression that is a constant.
const maxConstant = 16

// constant is the value of x, in the text of file, where it is a number that
// the text alone tells.
func (c *comparisons) constant(x syntax.Expr, file *source.File, depth int) (float64, bool) {
	if depth == 0 {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		if x.Kind == syntax.LiteralInteger || x.Kind == syntax.LiteralRational {
			n, err := strconv.ParseFloat(x.Text, 64)
			return n, err == nil
		}
	case *syntax.BracketExpression:
		return c.constant(x.Operand, file, depth-1)
	case *syntax.FeatureReferenceExpression:
		f := c.links[writtenAt{file, x.Name.Start}]
		if f == nil {
			return 0, false
		}
		if v, ok := f.Value(); ok && !v.Default && !v.Initial {
			return c.constant(v.Expr, v.Scope.Document().File, depth-1)
		}
	case *syntax.OperatorExpression:
		return c.computed(x, file, depth)
	}
	return 0, false
}

func (c *comparisons) computed(x *syntax.OperatorExpression, file *source.File, depth int) (float64, bool) {
	var n [2]float64
	if len(x.Operands) == 0 || len(x.Operands) > 2 {
		return 0, false
	}
	for i, operand := range x.Operands {
		var ok bool
		if n[i], ok = c.constant(operand, file, depth-1); !ok {
			return 0, false
		}
	}
	switch {
	case x.Operator == syntax.Minus:
		return -n[0], true
	case x.Operator == syntax.Plus:
		return n[0], true
	case x.Operator == syntax.Add:
		return n[0] + n[1], true
	case x.Operator == syntax.Subtract:
		return n[0] - n[1], true
	case x.Operator == syntax.Multiply:
		return n[0] * n[1], true
	case x.Operator == syntax.Divide && n[1] != 0:
		return n[0] / n[1], true
	}
	return 0, false
}
