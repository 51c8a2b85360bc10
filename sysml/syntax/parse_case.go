package syntax

// This file reads results, requirements, cases and views.

// parseReturn is ReturnParameterMember, or the return of a value, an
// extension.
func (p *parser) parseReturn(d *Decl, in bodyKind) {
	word := p.here()
	if !in.allows(allowReturn) && !(in == inAction && p.opts.Extensions) {
		p.misplaced(d, "'return' stands in the body of a calculation or case")
		return
	}
	p.advance()
	d.Member = ReturnMember
	if !in.allows(allowReturn) {
		p.extension(word, "return inside an action", "the result as the last expression of the calculation")
	}
	if !p.startsResult() {
		d.Keyword = Range{}
		p.parseElement(d, in)
		if !p.failing && d.Metaclass.IsDefinition() {
			p.report(word, "a result is a usage, not a definition")
		}
		return
	}
	d.Metaclass = Expression
	d.Detail = &ExpressionPart{p.parseExpr()}
	p.extension(word, "return of an expression", "'return result = ...;' or the expression alone at the end")
	p.parseBody(d, inRelationship)
}

// startsResult reports whether an expression follows, not a declaration.
func (p *parser) startsResult() bool {
	switch p.tok.kind {
	case ident:
		return !p.nameStartsDeclaration(false)
	case kwNot:
		return p.peek() != kwSatisfy
	case atSign:
		return p.atIsExpression()
	case dollar, decimalValue, realValue, stringValue, lparen, lbrace, minus, plus, tilde, star, dot, kwNew, kwNull, kwTrue, kwFalse, kwAll,
		kwIstype, kwHastype, kwAs, kwIf:
		return true
	}
	return false
}

// lookahead bounds how many tokens are looked at to tell one production from
// another.
const lookahead = 64

// skipBrackets is the token behind the closing bracket that belongs to the
// opening one t.
func (p *parser) skipBrackets(t token) token {
	for range lookahead {
		t, _ = scan(p.text, int(t.end), p.words)
		switch t.kind {
		case rbracket:
			t, _ = scan(p.text, int(t.end), p.words)
			return t
		case endOfText, semicolon, lbrace, rbrace:
			return t
		}
	}
	return token{}
}

// nameStartsDeclaration reports whether the name that follows begins a
// declaration rather than an expression; inCell says that `x;` is the
// expression.
func (p *parser) nameStartsDeclaration(inCell bool) bool {
	t, _ := scan(p.text, int(p.tok.end), p.words)
	bracket := t.kind == lbracket
	if bracket {
		t = p.skipBrackets(t)
	}
	switch t.kind {
	case semicolon:
		return !inCell
	case lbracket:
		return false
	case equalsSign, becomes, kwDefault, lbrace:
		return true
	case ident, kwDef, kwParallel:
		return !bracket && !(inCell && p.lineEnds(p.tok.end, t.start))
	}
	return startsSpecialization[t.kind]
}

// atIsExpression reports whether `@T` that follows is a test of the type, not
// metadata.
func (p *parser) atIsExpression() bool {
	t := p.tok
	for range lookahead {
		t, _ = scan(p.text, int(t.end), p.words)
		switch t.kind {
		case ident, colonColon, dollar:
			continue
		case rbrace, rparen, kwAnd, kwOr, kwXor, kwImplies, bar, ampersand, queryQuery, equal, notEqual:
			return true
		}
		break
	}
	return false
}

// parseResult is ResultExpressionMember.
func (p *parser) parseResult(d *Decl, in bodyKind) { p.endResult(d, p.parseExpr(), in) }

// endResult makes d the result e, which must be the last of the body.
func (p *parser) endResult(d *Decl, e Expr, in bodyKind) {
	d.Metaclass = Expression
	d.Member = ResultMember
	d.Detail = &ExpressionPart{e}
	switch {
	case p.failing || p.at(rbrace):
	case !in.allows(allowResult):
		p.fail(Range{d.Span.Start, p.prev.end}, "a result stands in the body of a calculation or case")
	case p.at(semicolon):
		p.report(p.here(), "the result expression has no semicolon").Hint = "leave the ';' out"
		p.advance()
	case p.at(endOfText):
		p.expected("'}' after the result expression")
	default:
		p.expectedMark("'}'", "the result expression").Hint = "the result expression stands last; other members end with ';' or a body"
	}
}

// parseAssertOrSatisfy is AssertConstraintUsage or SatisfyRequirementUsage.
func (p *parser) parseAssertOrSatisfy(d *Decl, in bodyKind) {
	asserted := p.accept(kwAssert)
	if p.at(kwNot) && (!asserted || p.peek() != lparen) {
		p.advance()
		d.Flags |= Negated
	}
	if !asserted && !p.at(kwSatisfy) {
		p.expected("'satisfy'")
		return
	}
	if p.accept(kwSatisfy) {
		p.parseSatisfy(d)
		return
	}
	d.Metaclass = AssertConstraintUsage
	switch {
	case p.accept(kwConstraint):
		p.parseUsageDeclaration(d)
		p.parseValuePart(d)
	case p.referenceEnds():
		p.parseByReference(d, References, "a constraint to assert")
	case p.startsResult() || p.at(ident):
		p.parseCondition(d, "assert")
		return
	default:
		p.expected("a constraint")
	}
	p.parseBody(d, inCalculation)
}

// referenceEnds reports whether a reference follows that is not part of a
// longer expression.
func (p *parser) referenceEnds() bool {
	if !p.at(ident) && !p.at(dollar) {
		return false
	}
	t := p.tok
	for range 4 * lookahead {
		t, _ = scan(p.text, int(t.end), p.words)
		switch t.kind {
		case ident, colonColon, dot:
			continue
		case semicolon, lbrace, rbrace, endOfText:
			return true
		}
		return startsSpecialization[t.kind]
	}
	return true
}

// parseCondition reads an expression where the standard has a constraint, an
// extension.
func (p *parser) parseCondition(d *Decl, word string) {
	start := p.tok.start
	d.Detail = &ExpressionPart{p.parseExpr()}
	p.extension(p.since(start), "'"+word+"' of an expression", "'"+word+" constraint { ... }'")
	p.parseBody(d, inRelationship)
}

func (p *parser) parseSatisfy(d *Decl) {
	d.Metaclass = SatisfyRequirementUsage
	if p.accept(kwRequirement) {
		p.parseUsageDeclaration(d)
	} else {
		p.parseByReference(d, References, "a requirement to satisfy")
	}
	p.parseValuePart(d)
	if p.accept(kwBy) {
		d.Detail = &SatisfyPart{p.parseReference("a feature")}
	}
	p.parseBody(d, inRequirement)
}

// requirementItems are the members of requirements and cases that begin with
// a word of their own.
var requirementItems = [tokenKinds]struct {
	member    MemberKind
	metaclass Metaclass
	allow     allowance
	where     string
}{
	kwSubject:     {SubjectMember, ReferenceUsage, allowSubject, "a requirement or case"},
	kwActor:       {ActorMember, PartUsage, allowSubject, "a requirement or case"},
	kwStakeholder: {StakeholderMember, PartUsage, allowRequirement, "a requirement"},
	kwObjective:   {ObjectiveMember, RequirementUsage, allowObjective, "a case"},
	kwAssume:      {AssumeMember, ConstraintUsage, allowRequirement, "a requirement"},
	kwRequire:     {RequireMember, ConstraintUsage, allowRequirement, "a requirement"},
	kwFrame:       {FrameMember, ConcernUsage, allowRequirement, "a requirement"},
	kwVerify:      {VerifyMember, RequirementUsage, allowRequirement, "the objective of a verification case"},
}

func (p *parser) parseRequirementItem(d *Decl, in bodyKind) {
	k := p.tok.kind
	item := &requirementItems[k]
	beyond := in == inCalculation && (k == kwAssume || k == kwRequire) && p.opts.Extensions
	if !in.allows(item.allow) && !beyond {
		p.misplaced(d, "'"+p.word()+"' stands in the body of "+item.where)
		return
	}
	word := p.word()
	p.advance()
	d.Member, d.Metaclass = item.member, item.metaclass
	p.parseUserKeywords(d)
	switch k {
	case kwAssume, kwRequire:
		if beyond {
			p.extension(d.Keyword, "'"+word+"' in a constraint", "'constraint { ... }'")
		}
		p.parseOwnedOrReferred(d, kwConstraint, inRequirement, inCalculation, "a constraint")
	case kwFrame:
		p.parseOwnedOrReferred(d, kwConcern, inCalculation, inCalculation, "a concern")
	case kwVerify:
		p.parseOwnedOrReferred(d, kwRequirement, inRequirement, inRequirement, "a requirement")
	case kwObjective:
		p.parseUsageDeclaration(d)
		p.parseValuePart(d)
		p.parseBody(d, inRequirement)
	default:
		p.parseUsageDeclaration(d)
		p.parseValuePart(d)
		p.parseBody(d, inDefinition)
	}
}

// parseOwnedOrReferred reads `keyword declaration`, a declaration with a user
// keyword, or the name of one that stands elsewhere.
func (p *parser) parseOwnedOrReferred(d *Decl, keyword tokenKind, referred, owned bodyKind, what string) {
	switch {
	case p.accept(keyword), len(d.Keywords) > 0:
		p.parseUsageDeclaration(d)
		p.parseValuePart(d)
		p.parseBody(d, owned)
	case keyword == kwConstraint && !p.referenceEnds() && (p.startsResult() || p.at(ident)):
		p.parseCondition(d, d.Member.String())
	default:
		p.parseByReference(d, References, what)
		p.parseBody(d, referred)
	}
}

// parseInclude is IncludeUseCaseUsage.
func (p *parser) parseInclude(d *Decl) {
	p.advance()
	d.Metaclass = IncludeUseCaseUsage
	if p.accept(kwUse) {
		p.want(kwCase)
		p.parseUsageDeclaration(d)
	} else {
		p.parseByReference(d, References, "a use case to include")
	}
	p.parseValuePart(d)
	p.parseBody(d, inCase)
}

// parseRender is ViewRenderingMember.
func (p *parser) parseRender(d *Decl) {
	p.advance()
	d.Member, d.Metaclass = RenderMember, RenderingUsage
	p.parseUserKeywords(d)
	if p.accept(kwRendering) || len(d.Keywords) > 0 {
		p.parseUsageDeclaration(d)
		p.parseValuePart(d)
	} else {
		p.parseByReference(d, References, "a rendering")
	}
	p.parseBody(d, inDefinition)
}
