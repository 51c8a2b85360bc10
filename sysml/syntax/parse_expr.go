package syntax

import "strconv"

// This file reads expressions that have operators, by climbing precedences.

// Precedences, the loosest first (KerML 8.2.5.8.1, table of operators).
const (
	precedenceCoalesce = iota + 1
	precedenceImplies
	precedenceOr
	precedenceXor
	precedenceAnd
	precedenceEquality
	precedenceClassification
	precedenceRelation
	precedenceRange
	precedenceAdd
	precedenceMultiply
	precedencePower
)

var binaryOperators = [tokenKinds]struct {
	precedence int8
	kind       OperatorKind
	typed      bool // the right side is a type
}{
	queryQuery:   {precedenceCoalesce, Coalesce, false},
	kwImplies:    {precedenceImplies, Implies, false},
	bar:          {precedenceOr, Or, false},
	kwOr:         {precedenceOr, ConditionalOr, false},
	kwXor:        {precedenceXor, Xor, false},
	ampersand:    {precedenceAnd, And, false},
	kwAnd:        {precedenceAnd, ConditionalAnd, false},
	equal:        {precedenceEquality, Equal, false},
	notEqual:     {precedenceEquality, NotEqual, false},
	sameSign:     {precedenceEquality, Same, false},
	notSameSign:  {precedenceEquality, NotSame, false},
	kwIstype:     {precedenceClassification, IsType, true},
	kwHastype:    {precedenceClassification, HasType, true},
	atSign:       {precedenceClassification, At, true},
	atAt:         {precedenceClassification, AtAt, true},
	kwAs:         {precedenceClassification, As, true},
	kwMeta:       {precedenceClassification, Meta, true},
	less:         {precedenceRelation, Less, false},
	lessEqual:    {precedenceRelation, LessEqual, false},
	greater:      {precedenceRelation, Greater, false},
	greaterEqual: {precedenceRelation, GreaterEqual, false},
	dotDot:       {precedenceRange, RangeTo, false},
	plus:         {precedenceAdd, Add, false},
	minus:        {precedenceAdd, Subtract, false},
	star:         {precedenceMultiply, Multiply, false},
	slash:        {precedenceMultiply, Divide, false},
	percent:      {precedenceMultiply, Remainder, false},
	starStar:     {precedencePower, Power, false},
	caret:        {precedencePower, Power, false},
}

var unaryOperators = [tokenKinds]OperatorKind{plus: Plus, minus: Minus, tilde: Tilde, kwNot: Not}

// parseExpr is OwnedExpression. It never returns nil.
func (p *parser) parseExpr() Expr {
	if !p.enter() {
		p.leave()
		return p.badExpr()
	}
	var e Expr
	if p.at(kwIf) {
		start := p.tok.start
		p.advance()
		e = p.parseConditionalRest(start, p.parseExpr())
	} else {
		e = p.parseBinary(precedenceCoalesce)
	}
	p.leave()
	return e
}

// parseConditionalRest reads `? a else b` behind `if condition`.
func (p *parser) parseConditionalRest(start int32, condition Expr) Expr {
	symbol := p.here()
	if !p.accept(query) {
		p.expectedMark("'?'", "the condition").Hint = "a choice between values is written: if CONDITION ? VALUE else VALUE"
		return condition
	}
	then := p.parseExpr()
	if p.at(colon) {
		p.fail(p.here(), "the branches of a conditional are parted by 'else'").Hint = "write 'if c ? a else b'"
	}
	if !p.accept(kwElse) {
		p.expectedMark("'else'", "the first branch of the conditional")
		return condition
	}
	otherwise := p.parseExpr()
	return p.operation(start, Conditional, symbol, condition, then, otherwise)
}

// operation makes an OperatorExpression that ends at the last token read.
func (p *parser) operation(start int32, kind OperatorKind, symbol Range, operands ...Expr) Expr {
	e := p.operations.make()
	e.Node = p.node(start)
	e.Operator, e.Symbol = kind, symbol
	if len(operands) == 0 {
		return e
	}
	e.Operands = p.operands.cut(len(operands))
	copy(e.Operands, operands)
	return e
}

// parseBinary reads operators of at least the precedence lowest.
func (p *parser) parseBinary(lowest int8) Expr {
	start := p.tok.start
	var left Expr
	if operator := &binaryOperators[p.tok.kind]; operator.typed {
		// A test without an operand is of the element that is filtered or
		// selected.
		left = p.parseTyped(start, nil)
	} else {
		left = p.parseUnary()
	}
	for chain := 0; ; chain++ {
		operator := &binaryOperators[p.tok.kind]
		if operator.precedence < lowest || operator.precedence == 0 || p.lineBreaks() {
			return left
		}
		if chain == maxChain {
			p.fail(p.here(), "more than "+strconv.Itoa(maxChain)+" operators follow each other").Hint =
				"divide the expression, or use a function over a sequence"
			return left
		}
		if operator.typed {
			left = p.parseTyped(start, left)
			continue
		}
		symbol := p.here()
		p.advance()
		if operator.precedence == precedencePower { // groups to the right
			if !p.enter() {
				p.leave()
				return left
			}
			right := p.parseBinary(operator.precedence)
			p.leave()
			left = p.operation(start, operator.kind, symbol, left, right)
			continue
		}
		right := p.parseBinary(operator.precedence + 1)
		left = p.operation(start, operator.kind, symbol, left, right)
	}
}

// parseTyped reads an operator whose right side is a type; left may be nil.
func (p *parser) parseTyped(start int32, left Expr) Expr {
	kind := binaryOperators[p.tok.kind].kind
	symbol := p.here()
	p.advance()
	target := p.typeReference("a type")
	var e Expr
	if left == nil {
		e = p.operation(start, kind, symbol)
	} else {
		e = p.operation(start, kind, symbol, left)
	}
	e.(*OperatorExpression).Type = target
	return e
}

// parseUnary reads `-a`, `all T` or a primary expression.
func (p *parser) parseUnary() Expr {
	start := p.tok.start
	if kind := unaryOperators[p.tok.kind]; kind != NoOperator {
		symbol := p.here()
		p.advance()
		if !p.enter() {
			p.leave()
			return p.badExpr()
		}
		operand := p.parseUnary()
		p.leave()
		return p.operation(start, kind, symbol, operand)
	}
	if p.at(kwAll) {
		symbol := p.here()
		p.advance()
		target := p.typeReference("a type")
		e := p.operation(start, All, symbol)
		e.(*OperatorExpression).Type = target
		return e
	}
	return p.parsePrimary()
}

// lineBreaks reports whether, in a cell, the current token begins a line and
// so may begin the next part, where it could also go on with the expression.
func (p *parser) lineBreaks() bool {
	if !p.lines {
		return false
	}
	switch p.tok.kind {
	case plus, minus, lparen, lbracket, percent, atSign, star, tilde, hash:
		return p.newLine()
	}
	return false
}

// badExpr stands where no expression could be read.
func (p *parser) badExpr() Expr {
	return &BadExpression{Node{p.span(Range{p.tok.start, p.tok.start})}}
}
