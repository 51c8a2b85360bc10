package syntax

// This file reads the nodes of actions and the successions between them.

// nodeWords are the words that the nodes of an action begin with.
var nodeWords = [tokenKinds]bool{kwMerge: true, kwDecide: true, kwJoin: true, kwFork: true, kwAccept: true, kwSend: true,
	kwAssign: true, kwTerminate: true, kwIf: true, kwWhile: true, kwLoop: true, kwFor: true}

// parseActionUsage reads what follows `action`: an action, or a node with a
// declaration of its own.
func (p *parser) parseActionUsage(d *Decl, in bodyKind) {
	p.parseUsageDeclaration(d)
	switch p.tok.kind {
	case kwAccept, kwSend, kwAssign, kwTerminate, kwIf, kwWhile, kwLoop, kwFor:
		if in == inState && p.at(kwTerminate) {
			p.extension(p.here(), "terminate action in a state", "a state with a transition to 'done'")
		} else if !in.allows(allowNode) {
			p.expectedEnd(d)
		}
		p.parseNode(d, in)
		return
	}
	p.parseValuePart(d)
	p.parseBody(d, inAction)
}

// parseNode is ActionNode, at the word that decides its kind.
func (p *parser) parseNode(d *Decl, in bodyKind) {
	d.Keyword = p.here()
	switch p.tok.kind {
	case kwMerge, kwDecide, kwJoin, kwFork:
		p.parseControlNode(d, in)
	case kwAccept:
		p.advance()
		d.Metaclass = AcceptActionUsage
		d.Detail = p.parseAcceptPart()
		p.parseBody(d, inAction)
	case kwSend:
		p.parseSend(d)
		p.parseBody(d, inAction)
	case kwAssign:
		p.parseAssign(d)
		p.parseBody(d, inAction)
	case kwTerminate:
		p.advance()
		d.Metaclass = TerminateActionUsage
		part := &TerminatePart{}
		d.Detail = part
		if !p.at(semicolon) && !p.at(lbrace) {
			part.Target = p.parseExpr()
		}
		p.parseBody(d, inAction)
	case kwIf:
		p.advance()
		p.parseIfRest(d, p.parseConditionExpr(), in)
	case kwWhile, kwLoop:
		p.parseWhileLoop(d)
	case kwFor:
		p.parseForLoop(d)
	}
}

func (p *parser) parseControlNode(d *Decl, in bodyKind) {
	word := p.here()
	switch p.tok.kind {
	case kwMerge:
		d.Metaclass = MergeNode
	case kwDecide:
		d.Metaclass = DecisionNode
	case kwJoin:
		d.Metaclass = JoinNode
	case kwFork:
		d.Metaclass = ForkNode
	}
	if d.Is(Ref) {
		p.report(word, "a control node is not 'ref'")
	}
	if in == inState {
		d.Flags |= Extended
		p.extension(word, p.word()+" in a state", "")
	}
	p.advance()
	p.parseUsageDeclaration(d)
	p.parseBody(d, inAction)
}

// parseAcceptPart is AcceptParameterPart behind `accept`.
func (p *parser) parseAcceptPart() *AcceptPart {
	part := &AcceptPart{}
	start := p.tok.start
	switch {
	case p.at(kwAt), p.at(kwAfter), p.at(kwWhen):
		p.parseTrigger(part)
	case p.callFollows():
		p.parseCallTrigger(part)
	default:
		p.parseAcceptPayload(part)
	}
	if p.accept(kwVia) {
		part.Via = p.parseExpr()
	}
	part.Range = p.since(start)
	return part
}

// parseTrigger reads a time or a change.
func (p *parser) parseTrigger(part *AcceptPart) {
	switch p.tok.kind {
	case kwAt:
		part.Trigger = AtTrigger
	case kwAfter:
		part.Trigger = AfterTrigger
	case kwWhen:
		part.Trigger = WhenTrigger
	}
	p.advance()
	part.Expr = p.parseExpr()
}

// parseAcceptPayload is PayloadParameter but for a trigger without a name.
func (p *parser) parseAcceptPayload(part *AcceptPart) {
	named := p.at(less)
	if p.at(ident) {
		switch p.peek() {
		case kwAt, kwAfter, kwWhen:
			named = true
		}
	}
	if !named {
		part.Payload = p.parsePayload("what is accepted")
	} else {
		d := p.newDecl(p.tok.start)
		d.Metaclass = ReferenceUsage
		p.parseUsageDeclaration(d)
		d.Span = p.span(p.since(d.Span.Start))
		part.Payload = d
	}
	switch p.tok.kind {
	case kwAt, kwAfter, kwWhen:
		p.parseTrigger(part)
	}
}

// callFollows reports whether the tokens that follow read as op(.
func (p *parser) callFollows() bool {
	return p.at(ident) && p.endsFollow(lparen)
}

// parseCallTrigger reads op(a, b), an extension.
func (p *parser) parseCallTrigger(part *AcceptPart) {
	start := p.tok.start
	part.Trigger = CallTrigger
	part.Operation = p.parseReference("an operation")
	p.want(lparen)
	for p.at(ident) {
		d := p.newDecl(p.tok.start)
		d.Metaclass = ReferenceUsage
		d.Name = p.parseName("a parameter")
		d.Span = p.span(p.since(d.Span.Start))
		part.Parameters = append(part.Parameters, d)
		if !p.accept(comma) {
			break
		}
	}
	p.want(rparen)
	p.extension(p.since(start), "call as a trigger", "'accept' with the type of a message")
}

// parseSend is SendNode at `send`, without its body.
func (p *parser) parseSend(d *Decl) {
	p.advance()
	d.Metaclass = SendActionUsage
	part := &SendPart{}
	d.Detail = part
	if !p.at(semicolon) && !p.at(lbrace) && !p.at(kwVia) && !p.at(kwTo) && !p.at(kwThen) {
		part.Payload = p.parseExpr()
	}
	if p.accept(kwVia) {
		part.Via = p.parseExpr()
	}
	if p.accept(kwTo) {
		part.To = p.parseExpr()
	}
}

// parseAssign is AssignmentNode at `assign`, without its body.
func (p *parser) parseAssign(d *Decl) {
	p.advance()
	d.Metaclass = AssignmentActionUsage
	part := &AssignPart{}
	d.Detail = part
	at := p.here()
	part.Target = p.parsePrimary()
	switch part.Target.(type) {
	case *FeatureReferenceExpression, *FeatureChainExpression:
	default:
		p.fail(at, "expected a feature to assign to")
	}
	if p.at(equalsSign) {
		p.fail(p.here(), "an assignment is written with ':='").Hint = "write ':=' for '='"
		return
	}
	if !p.accept(becomes) {
		p.expectedMark("':='", "the feature to assign to")
		return
	}
	part.Value = p.parseExpr()
}

// parseConditionExpr reads the condition of `if` or `while`. A body in its
// place is grammatical, but means that the condition is missing.
func (p *parser) parseConditionExpr() Expr {
	if p.at(lbrace) {
		p.expected("a condition")
		return p.badExpr()
	}
	return p.parseExpr()
}

// parseIfRest is IfNode behind its condition.
func (p *parser) parseIfRest(d *Decl, condition Expr, in bodyKind) {
	d.Metaclass = IfActionUsage
	part := &IfPart{Condition: condition}
	d.Detail = part
	part.Then = p.parseActionBodyParameter()
	if p.accept(kwElse) {
		if p.at(kwIf) {
			part.Else = p.newDecl(p.tok.start)
			part.Else.Keyword = p.here()
			if p.enter() {
				p.advance()
				p.parseIfRest(part.Else, p.parseConditionExpr(), in)
			}
			p.leave()
			part.Else.Span = p.span(p.since(part.Else.Span.Start))
		} else {
			part.Else = p.parseActionBodyParameter()
		}
	}
}

// parseActionBodyParameter is ActionBodyParameter: a body in braces, with a
// declaration before it or not.
func (p *parser) parseActionBodyParameter() *Decl {
	d := p.newDecl(p.tok.start)
	d.Metaclass = ActionUsage
	if p.at(kwAction) {
		d.Keyword = p.here()
		p.advance()
		p.parseUsageDeclaration(d)
	}
	if p.failing {
		p.recoverHeader()
	}
	if !p.at(lbrace) {
		p.expected("'{'")
	} else {
		d.Body = p.parseBraces(inAction)
	}
	d.Span = p.span(p.since(d.Span.Start))
	return d
}

func (p *parser) parseWhileLoop(d *Decl) {
	d.Metaclass = WhileLoopActionUsage
	part := &WhileLoopPart{}
	d.Detail = part
	if !p.accept(kwLoop) {
		p.advance()
		part.While = p.parseConditionExpr()
	}
	part.Loop = p.parseActionBodyParameter()
	if p.accept(kwUntil) {
		part.Until = p.parseExpr()
		if !p.accept(semicolon) {
			p.expectedMark("';'", "the condition of 'until'")
		}
	}
}

func (p *parser) parseForLoop(d *Decl) {
	p.advance()
	d.Metaclass = ForLoopActionUsage
	part := &ForLoopPart{}
	d.Detail = part
	variable := p.newDecl(p.tok.start)
	variable.Metaclass = ReferenceUsage
	p.parseUsageDeclaration(variable)
	variable.Span = p.span(p.since(variable.Span.Start))
	part.Variable = variable
	if p.accept(kwIn) {
		part.Sequence = p.parseExpr()
	} else {
		p.expectedMark("'in'", "the variable of the loop")
	}
	part.Loop = p.parseActionBodyParameter()
}

// parsePerform is PerformActionUsage.
func (p *parser) parsePerform(d *Decl) {
	p.advance()
	p.parsePerformed(d)
	p.parseBody(d, inAction)
}

// parsePerformed is PerformActionUsageDeclaration.
func (p *parser) parsePerformed(d *Decl) {
	d.Metaclass = PerformActionUsage
	if p.accept(kwAction) {
		p.parseUsageDeclaration(d)
	} else {
		p.parseByReference(d, References, "an action to perform")
	}
	p.parseValuePart(d)
}

// parseEvent is EventOccurrenceUsage.
func (p *parser) parseEvent(d *Decl) {
	p.advance()
	d.Metaclass = EventOccurrenceUsage
	if p.accept(kwOccurrence) {
		p.parseUsageDeclaration(d)
	} else {
		p.parseByReference(d, References, "an occurrence")
	}
	p.parseValuePart(d)
	p.parseBody(d, inDefinition)
}

// parseThen reads `then`: true where it was a succession to a target, which
// is d then; false where a member follows whose Then is set.
func (p *parser) parseThen(d *Decl, in bodyKind, prior prior) bool {
	then := p.here()
	if !in.allows(allowThenMember) {
		p.fail(then, "'then' stands in the body of a definition or usage")
		return true
	}
	p.advance()
	var multiplicity *MultiplicityPart
	if p.at(lbracket) {
		multiplicity = p.parseMultiplicity()
	}
	d.Keyword = then
	if !p.at(ident) && !p.at(dollar) {
		if p.at(semicolon) || p.at(rbrace) || p.at(endOfText) {
			p.expected("an action or the name of one")
			return true
		}
		d.Then = &SourceEnd{multiplicity, p.since(then.Start)}
		d.Keyword = Range{}
		if d.Visibility == NoVisibility {
			p.parseVisibility(d)
		}
		return false
	}
	if !in.allows(allowNode) && in != inState {
		p.expected("an occurrence")
		return true
	}
	afterEntry := in == inState && prior.isEntry()
	leavesOwner := !p.checkTarget(then, in, prior, afterEntry)
	end := p.parseEnd("the name of an action or state")
	if multiplicity != nil {
		end.Multiplicity = multiplicity
	}
	if in == inState && !afterEntry {
		d.Metaclass = TransitionUsage
		part := &TransitionPart{Form: TargetTransition, Target: end, LeavesOwner: leavesOwner}
		d.Detail = part
		p.parseLateParts(part)
		p.parseBody(d, inAction)
		return true
	}
	d.Metaclass = SuccessionAsUsage
	part := p.connectors.make()
	part.ImpliedSource = true
	part.Ends = []*ConnectorEnd{end}
	d.Detail = part
	if p.at(ident) && !p.failing {
		p.expectedMark("';' or '{'", "the target of the succession").Hint =
			"several actions follow each other as 'then a; then b;'"
	}
	p.parseBody(d, inDefinition)
	return true
}
