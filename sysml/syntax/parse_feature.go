package syntax

// This file reads what follows the keyword of a declaration: specializations,
// multiplicity, value and body.

// parseUsageDeclaration is UsageDeclaration: identification and
// specializations, all of it optional.
func (p *parser) parseUsageDeclaration(d *Decl) {
	p.parseIdentification(d)
	p.parseFeatureSpecializationPart(d)
}

// parseFeatureSpecializationPart reads typings, subsettings and so on in any
// order, with one multiplicity part among them, and adds them to those that d
// has.
func (p *parser) parseFeatureSpecializationPart(d *Decl) {
	if !startsSpecialization[p.tok.kind] {
		return
	}
	from := p.relationships.open()
	for i := range d.Relationships {
		p.relationships.push(d.Relationships[i])
	}
	for p.parseFeatureSpecialization(d) {
	}
	d.Relationships = p.relationships.close(from)
}

// startsSpecialization are the tokens that a feature specialization or a
// multiplicity part begins with.
var startsSpecialization = [tokenKinds]bool{colon: true, kwDefined: true, kwTyped: true, subsetsSign: true, kwSubsets: true,
	redefineSign: true, kwRedefines: true, refersSign: true, kwReferences: true, crossesSign: true, kwCrosses: true,
	lbracket: true, kwOrdered: true, kwNonunique: true, kwSpecializes: true}

// parseFeatureSpecialization reads one FeatureSpecialization or the
// MultiplicityPart; false where there is none.
func (p *parser) parseFeatureSpecialization(d *Decl) bool {
	start := p.tok.start
	switch p.tok.kind {
	case colon:
		p.advance()
		p.parseTypings(start)
	case kwDefined, kwTyped:
		p.advance()
		p.want(kwBy)
		p.parseTypings(start)
	case kwSpecializes:
		if !p.kerml {
			return false
		}
		p.advance()
		p.parseTargets(Subsets, start, "a feature to subset")
	case subsetsSign, kwSubsets:
		p.advance()
		p.parseTargets(Subsets, start, "a feature to subset")
	case redefineSign, kwRedefines:
		p.advance()
		p.parseTargets(Redefines, start, "a feature to redefine")
	case refersSign, kwReferences:
		p.advance()
		p.parseTarget(References, start, "a feature to refer to")
	case crossesSign, kwCrosses:
		p.advance()
		p.parseTarget(Crosses, start, "a feature to cross")
	case lbracket, kwOrdered, kwNonunique:
		p.parseMultiplicityPart(d)
	default:
		return false
	}
	return !p.failing
}

// parseTypings reads the types behind `:`; those of ports may be conjugated.
func (p *parser) parseTypings(start int32) {
	for {
		conjugated := !p.kerml && p.accept(tilde)
		target := p.parseReference("a type")
		p.relationships.push(Relationship{TypedBy, conjugated, target, p.since(start)})
		if !p.accept(comma) {
			return
		}
		start = p.tok.start
	}
}

func (p *parser) parseTarget(kind RelationshipKind, start int32, what string) {
	target := p.parseReference(what)
	p.relationships.push(Relationship{kind, false, target, p.since(start)})
}

func (p *parser) parseTargets(kind RelationshipKind, start int32, what string) {
	for {
		p.parseTarget(kind, start, what)
		if !p.accept(comma) {
			return
		}
		start = p.tok.start
	}
}

// parseByReference reads what a declaration names in place of a name of its
// own, as a relationship of kind, and the specializations behind it.
func (p *parser) parseByReference(d *Decl, kind RelationshipKind, what string) {
	target := p.parseReference(what)
	d.Relationships = p.relationships.one(Relationship{kind, false, target, target.Range})
	d.Flags |= ByReference
	p.parseFeatureSpecializationPart(d)
}

// parseMultiplicityPart reads `[n]`, `ordered` and `nonunique`.
func (p *parser) parseMultiplicityPart(d *Decl) {
	if d.Multiplicity != nil || d.Is(Ordered) || d.Is(Nonunique) {
		if p.at(lbracket) {
			p.fail(p.here(), "a feature has one multiplicity")
		} else {
			p.fail(p.here(), "'"+p.word()+"' stands once, next to the multiplicity")
		}
		return
	}
	if p.at(lbracket) {
		d.Multiplicity = p.parseMultiplicity()
	}
	for {
		switch {
		case p.at(kwOrdered) && !d.Is(Ordered):
			d.Flags |= Ordered
		case p.at(kwNonunique) && !d.Is(Nonunique):
			d.Flags |= Nonunique
		default:
			return
		}
		p.advance()
	}
}

// parseMultiplicity is MultiplicityRange: bounds in brackets.
func (p *parser) parseMultiplicity() *MultiplicityPart {
	start := p.tok.start
	m := p.bounds.make()
	p.want(lbracket)
	m.Upper = p.parseBound()
	if p.accept(dotDot) {
		m.Lower = m.Upper
		m.Upper = p.parseBound()
	}
	if !p.failing && !p.accept(rbracket) {
		p.expectedMark("']'", "the multiplicity").Hint = "a bound is a literal or the name of a feature"
	}
	m.Range = p.since(start)
	return m
}

// parseBound is MultiplicityExpressionMember: a literal or a name.
func (p *parser) parseBound() Expr {
	start := p.tok.start
	switch p.tok.kind {
	case star:
		p.advance()
		return p.literal(LiteralInfinity, start)
	case decimalValue, realValue, stringValue, kwTrue, kwFalse:
		return p.parseLiteral()
	case ident, dollar:
		return p.reference(p.parseQualifiedName("a bound"))
	}
	p.expected("a bound of the multiplicity").Hint = "bounds are written [n], [lower..upper] or [*]"
	return p.badExpr()
}

// parseValuePart reads the value of a feature where there is one.
func (p *parser) parseValuePart(d *Decl) {
	start := p.tok.start
	isDefault, initial := false, false
	switch p.tok.kind {
	case equalsSign:
		p.advance()
	case becomes:
		initial = true
		p.advance()
	case kwDefault:
		isDefault = true
		p.advance()
		if p.accept(becomes) {
			initial = true
		} else {
			p.accept(equalsSign)
		}
	default:
		return
	}
	v := p.values.make()
	v.Default, v.Initial = isDefault, initial
	v.Expr = p.parseExpr()
	v.Range = p.since(start)
	d.Value = v
}

// parseBody reads the body of d or its semicolon, with members as in allows.
// After an error before it, it finds the body first, so that what d holds is
// read all the same.
func (p *parser) parseBody(d *Decl, in bodyKind) {
	if p.failing {
		d.Flags |= Broken
		p.recoverHeader()
		if !p.at(lbrace) {
			p.accept(semicolon)
			return
		}
	}
	if p.accept(semicolon) {
		return
	}
	if !p.at(lbrace) {
		p.expectedEnd(d)
		return
	}
	d.Body = p.parseBraces(in)
}

// parseBraces reads a body in braces.
func (p *parser) parseBraces(in bodyKind) *Body {
	b := p.bodies.make()
	start := p.tok.start
	lines := p.lines
	p.lines = false
	p.want(lbrace)
	if p.enter() {
		b.Members = p.parseMembers(in, false)
	}
	p.leave()
	p.lines = lines
	if !p.failing && !p.accept(rbrace) {
		p.expected("'}'").WithRelated(p.span(Range{start, start + 1}), "the body begins here")
	}
	b.Range = p.since(start)
	return b
}
