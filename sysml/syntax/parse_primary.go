package syntax

import (
	"strconv"
)

// This file reads the expressions that operators join: literals, names,
// invocations, sequences, bodies, and what may follow them.

// parsePrimary is PrimaryExpression.
func (p *parser) parsePrimary() Expr {
	start := p.tok.start
	e := p.parseBase()
	for chain := 0; !p.lineBreaks(); chain++ {
		if chain == maxChain {
			p.fail(p.here(), "more than "+strconv.Itoa(maxChain)+" steps follow each other")
			return e
		}
		switch p.tok.kind {
		case dot:
			e = p.parseDot(start, e)
		case dotQuery:
			p.advance()
			body := p.parseBodyExpression()
			e = &SelectExpression{p.node(start), e, body}
		case hash:
			p.advance()
			if !p.at(lparen) {
				p.expected("'(' and the index")
				return e
			}
			p.advance()
			index := p.parseSequenceList(rparen)
			e = &IndexExpression{p.node(start), e, index}
		case lbracket:
			p.advance()
			inner := p.parseSequenceList(rbracket)
			e = &BracketExpression{p.node(start), e, inner}
		case arrow:
			p.advance()
			e = p.parseArrow(start, e)
		default:
			return e
		}
		if p.failing {
			return e
		}
	}
	return e
}

// parseDot reads what a dot begins: a chain, a collection, metadata, or the
// arguments of a function that a chain leads to.
func (p *parser) parseDot(start int32, operand Expr) Expr {
	p.advance()
	switch p.tok.kind {
	case lbrace:
		body := p.parseBodyExpression()
		return &CollectExpression{p.node(start), operand, body}
	case kwMetadata:
		reference, ok := operand.(*FeatureReferenceExpression)
		if !ok {
			p.fail(p.here(), "'.metadata' follows the name of an element")
			return operand
		}
		p.advance()
		return &MetadataAccessExpression{p.node(start), reference.Name}
	}
	from := p.links.open()
	p.links.push(p.parseQualifiedName("a feature"))
	for p.at(dot) {
		switch p.peek() {
		case ident, dollar:
			p.advance()
			p.links.push(p.parseQualifiedName("a feature"))
			continue
		}
		break
	}
	e := p.chains.make()
	e.Operand = operand
	e.Links = p.links.close(from)
	e.Node = p.node(start)
	if reference, ok := operand.(*FeatureReferenceExpression); ok && p.at(lparen) && !p.lineBreaks() {
		from := p.links.open()
		p.links.push(reference.Name)
		for _, link := range e.Links {
			p.links.push(link)
		}
		callee := Reference{p.links.close(from), p.since(start)}
		return p.parseInvocation(start, callee)
	}
	return e
}

// parseArrow is FunctionOperationExpression behind `->`.
func (p *parser) parseArrow(start int32, receiver Expr) Expr {
	call := p.calls.make()
	call.Receiver = receiver
	call.Callee = p.parseReference("the name of a function")
	switch p.tok.kind {
	case lbrace:
		call.BodyArgument = p.parseBodyExpression()
	case lparen:
		call.Arguments = p.parseArguments()
	case ident, dollar:
		call.Function = p.typeReference("the name of a function")
	default:
		p.expectedMark("arguments in parentheses, a body or the name of a function", "the function")
	}
	call.Node = p.node(start)
	return call
}

// parseInvocation reads the arguments of callee.
func (p *parser) parseInvocation(start int32, callee Reference) Expr {
	call := p.calls.make()
	call.Callee = callee
	call.Arguments = p.parseArguments()
	call.Node = p.node(start)
	return call
}

// parseBase is BaseExpression or SequenceExpression.
func (p *parser) parseBase() Expr {
	start := p.tok.start
	kind := p.tok.kind
	if nameLike[kind] && p.opts.Extensions {
		kind = ident
	}
	switch kind {
	case ident, dollar:
		q := p.parseQualifiedName("a name")
		if p.at(lparen) && !p.lineBreaks() {
			return p.parseInvocation(start, Reference{p.links.one(q), q.Range})
		}
		return p.reference(q)
	case decimalValue, realValue, stringValue, kwTrue, kwFalse:
		return p.parseLiteral()
	case star:
		p.advance()
		return p.literal(LiteralInfinity, start)
	case dot:
		return p.parsePointNumber()
	case kwNull:
		p.advance()
		return &NullExpression{p.node(start)}
	case kwNew:
		p.advance()
		target := p.parseReference("a type")
		if !p.at(lparen) {
			p.expectedMark("'('", "the type that is constructed").Hint = "write 'new T()' where there are no arguments"
		}
		arguments := p.parseArguments()
		return &ConstructorExpression{p.node(start), target, arguments}
	case lbrace:
		return p.parseBodyExpression()
	case lparen:
		p.advance()
		if p.accept(rparen) {
			return &NullExpression{p.node(start)}
		}
		return p.parseSequenceList(rparen)
	}
	hint := operatorWords[p.text[max(p.prev.end-1, 0):p.tok.end]]
	if d := p.expected("an expression"); hint != "" {
		d.Hint = hint
	}
	return p.badExpr()
}

// operatorWords are hints for operators of other languages, of which the first
// character reads as an operator here.
var operatorWords = map[string]string{"&&": "write 'and'", "||": "write 'or'"}

func (p *parser) parseLiteral() Expr {
	start := p.tok.start
	kind := LiteralInteger
	switch p.tok.kind {
	case realValue:
		kind = LiteralRational
	case stringValue:
		kind = LiteralString
	case kwTrue, kwFalse:
		kind = LiteralBoolean
	}
	p.advance()
	return p.literal(kind, start)
}

// literal is the literal from start to the last token read.
func (p *parser) literal(kind LiteralKind, start int32) Expr {
	e := p.literals.make()
	e.Node = p.node(start)
	e.Kind = kind
	e.Text = p.text[start:p.prev.end]
	if kind == LiteralString {
		e.Text = unquote(e.Text)
	}
	return e
}

// parsePointNumber reads .5, whose point is a token of its own.
func (p *parser) parsePointNumber() Expr {
	start := p.tok
	p.advance()
	if p.at(decimalValue) || p.at(realValue) {
		if digits := p.word(); p.tok.start == start.end && !hasPoint(digits) {
			p.advance()
			return p.literal(LiteralRational, start.start)
		}
	}
	p.expected("an expression before '.'")
	return p.badExpr()
}

func hasPoint(digits string) bool {
	for i := 0; i < len(digits); i++ {
		if digits[i] == '.' {
			return true
		}
	}
	return false
}

// reference is the expression that is a name.
func (p *parser) reference(q QualifiedName) Expr {
	e := p.references.make()
	e.Node = Node{p.span(q.Range)}
	e.Name = q
	return e
}

// parseSequenceList is SequenceExpressionList with its closing token: one
// expression, or a sequence. A comma may stand at its end.
func (p *parser) parseSequenceList(closing tokenKind) Expr {
	lines := p.lines
	p.lines = false
	start := p.tok.start
	e := p.parseExpr()
	if p.at(comma) {
		from := p.operands.open()
		p.operands.push(e)
		for p.accept(comma) {
			if p.at(closing) {
				break
			}
			p.operands.push(p.parseExpr())
		}
		elements := p.operands.close(from)
		if len(elements) > 1 {
			e = &SequenceExpression{p.node(start), elements}
		}
	}
	p.lines = lines
	if !p.accept(closing) {
		p.expectedMark("'"+closing.spelling()+"'", "the expression")
	}
	return e
}

// parseArguments is ArgumentList: all by position or all by name.
func (p *parser) parseArguments() []Argument {
	lines := p.lines
	p.lines = false
	defer func() { p.lines = lines }()
	if !p.want(lparen) {
		return nil
	}
	if p.accept(rparen) {
		return nil
	}
	from := p.arguments.open()
	named := false
	for n := 0; ; n++ {
		at := p.here()
		a := Argument{}
		if isNamed := p.argumentIsNamed(); isNamed != named && n > 0 {
			p.fail(at, "arguments are all by position or all by name")
		} else {
			named = isNamed
		}
		if named {
			a.Name = p.parseQualifiedName("the name of a parameter")
			p.want(equalsSign)
		}
		a.Value = p.parseExpr()
		p.arguments.push(a)
		if !p.accept(comma) {
			break
		}
	}
	arguments := p.arguments.close(from)
	if !p.accept(rparen) {
		p.expectedMark("',' or ')'", "the argument")
	}
	return arguments
}

// argumentIsNamed reports whether `name =` follows.
func (p *parser) argumentIsNamed() bool {
	if !p.at(ident) && !p.at(dollar) {
		return false
	}
	t := p.tok
	for range lookahead {
		t, _ = scan(p.text, int(t.end), p.words)
		if t.kind != ident && t.kind != colonColon {
			break
		}
	}
	return t.kind == equalsSign
}

// parseBodyExpression is BodyExpression.
func (p *parser) parseBodyExpression() *BodyExpression {
	start := p.tok.start
	e := &BodyExpression{}
	if !p.at(lbrace) {
		p.expected("a body in braces")
	} else {
		e.Body = p.parseBraces(bodyOf(inCalculation, inFunction, p.kerml))
	}
	e.Node = p.node(start)
	return e
}
