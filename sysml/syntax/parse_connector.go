package syntax

// This file reads connectors: connections, interfaces, allocations, bindings,
// successions, flows and messages, of SysML and of KerML.

// ownKinds are the words, beyond elements, that decide what a usage is.
var ownKinds = [tokenKinds]bool{kwConnect: true, kwAllocate: true, kwMessage: true, kwSuccession: true, kwBinding: true,
	kwBind: true, kwFirst: true, kwEvent: true, kwPerform: true, kwExhibit: true, kwInclude: true, kwAssert: true,
	kwSatisfy: true, kwNot: true, kwMerge: true, kwDecide: true, kwJoin: true, kwFork: true, kwAccept: true, kwSend: true,
	kwAssign: true, kwTerminate: true, kwIf: true, kwWhile: true, kwLoop: true, kwFor: true}

// parseOwnKind reads a usage whose keyword has a grammar of its own; false
// where the token is no such keyword. The prefix has been read.
func (p *parser) parseOwnKind(d *Decl, in bodyKind) bool {
	k := p.tok.kind
	switch {
	case !ownKinds[k]:
		return false
	case nodeWords[k]:
		if !in.allows(allowNode) && !(in == inState && p.opts.Extensions && (k == kwFork || k == kwJoin)) {
			return false
		}
		p.parseNode(d, in)
		return true
	}
	switch k {
	case kwConnect:
		d.Metaclass = ConnectionUsage
		p.parseConnectorUsage(d, true)
	case kwAllocate:
		d.Metaclass = AllocationUsage
		p.parseConnectorUsage(d, true)
	case kwMessage:
		p.advance()
		d.Metaclass = FlowUsage
		p.parseFlow(d, true)
	case kwSuccession:
		p.parseSuccession(d, in)
	case kwFirst:
		p.parseFirst(d, in)
	case kwBinding, kwBind:
		p.parseBinding(d)
	case kwEvent:
		p.parseEvent(d)
	case kwPerform:
		p.parsePerform(d)
	case kwExhibit:
		p.parseExhibit(d)
	case kwInclude:
		p.parseInclude(d)
	case kwAssert, kwSatisfy, kwNot:
		p.parseAssertOrSatisfy(d, in)
	}
	return true
}

// parseConnectorUsage reads a connection, interface or allocation, or a flow
// behind its keyword; short where the keyword is `connect` or `allocate`,
// which is the current token then.
func (p *parser) parseConnectorUsage(d *Decl, short bool) {
	if d.Metaclass == FlowUsage {
		p.parseFlow(d, false)
		return
	}
	if !short {
		if d.Metaclass == InterfaceUsage && (p.at(lparen) || p.endsFollow(kwTo)) {
			part := p.connectors.make()
			d.Detail = part
			p.parseEnds(part)
			p.parseBody(d, bodies[d.Metaclass])
			return
		}
		p.parseUsageDeclaration(d)
		if d.Metaclass != AllocationUsage {
			p.parseValuePart(d)
		}
	}
	connect := kwConnect
	if d.Metaclass == AllocationUsage {
		connect = kwAllocate
	}
	if p.accept(connect) {
		part := p.connectors.make()
		d.Detail = part
		p.parseEnds(part)
	}
	p.parseBody(d, bodies[d.Metaclass])
}

// parseEnds is ConnectorPart: two ends with `to` between, or two or more in
// parentheses.
func (p *parser) parseEnds(part *ConnectorPart) {
	if !p.at(lparen) {
		p.parseTwoEnds(part, kwTo)
		return
	}
	p.advance()
	part.Ends = append(part.Ends, p.parseEnd("an end of the connection"))
	if p.at(rparen) {
		p.fail(p.here(), "a list of ends has two or more")
	}
	for p.accept(comma) {
		part.Ends = append(part.Ends, p.parseEnd("an end of the connection"))
	}
	if !p.accept(rparen) {
		p.expectedMark("',' or ')'", "the end")
	}
}

// parseTwoEnds reads `a SEPARATOR b`.
func (p *parser) parseTwoEnds(part *ConnectorPart, separator tokenKind) {
	first := p.parseEnd("an end")
	ends := make([]*ConnectorEnd, 1, 2)
	ends[0] = first
	if p.accept(separator) {
		ends = append(ends, p.parseEnd("an end"))
	} else {
		p.expectedMark("'"+separator.spelling()+"'", "the first end")
	}
	part.Ends = ends
}

// parseEnd is ConnectorEnd: a multiplicity, a name with `::>`, and what the
// end refers to.
func (p *parser) parseEnd(what string) *ConnectorEnd {
	e := p.ends.make()
	start := p.tok.start
	if p.at(lbracket) {
		e.Multiplicity = p.parseMultiplicity()
	}
	if p.at(ident) {
		if k := p.peek(); k == refersSign || k == kwReferences {
			e.Name = p.parseName(what)
			p.advance()
			what = "a feature"
		}
	}
	e.Target = p.parseReference(what)
	e.Range = p.since(start)
	return e
}

// endsFollow reports whether the tokens that follow read as one end with
// separator behind it.
func (p *parser) endsFollow(separator tokenKind) bool {
	t := p.tok
	next := func() { t, _ = scan(p.text, int(t.end), p.words) }
	if t.kind == lbracket {
		t = p.skipBrackets(t)
	}
	for range lookahead {
		if t.kind == dollar {
			next()
			if t.kind == colonColon {
				next()
			}
		}
		if t.kind != ident {
			return false
		}
		next()
		switch t.kind {
		case separator:
			return true
		case colonColon, dot, refersSign, kwReferences:
			next()
		default:
			return false
		}
	}
	return false
}

// parseFlow reads what follows `flow`, `succession flow` or `message`.
func (p *parser) parseFlow(d *Decl, message bool) {
	part := p.connectors.make()
	part.Message = message
	d.Detail = part
	if p.endsFollow(kwTo) {
		p.parseTwoEnds(part, kwTo)
		p.parseBody(d, bodies[d.Metaclass])
		return
	}
	p.parseUsageDeclaration(d)
	p.parseValuePart(d)
	if p.accept(kwOf) {
		part.Payload = p.parsePayload("what flows")
	}
	if p.accept(kwFrom) {
		p.parseTwoEnds(part, kwTo)
	}
	p.parseBody(d, bodies[d.Metaclass])
}

// parsePayload is PayloadFeature: a declaration, or a type alone with an
// optional multiplicity before or behind it.
func (p *parser) parsePayload(what string) *Decl {
	d := p.newDecl(p.tok.start)
	d.Metaclass = ReferenceUsage
	if p.kerml {
		d.Metaclass = Feature
	}
	switch {
	case p.at(lbracket):
		d.Multiplicity = p.parseMultiplicity()
		if p.at(ident) || p.at(dollar) {
			p.parseTypeAlone(d, what)
		} else if !p.kerml {
			p.parseFeatureSpecializationPart(d)
		}
	case p.payloadIsDeclared():
		p.parseUsageDeclaration(d)
		p.parseValuePart(d)
	default:
		p.parseTypeAlone(d, what)
		if p.at(lbracket) {
			d.Multiplicity = p.parseMultiplicity()
		}
	}
	d.Span = p.span(p.since(d.Span.Start))
	return d
}

func (p *parser) parseTypeAlone(d *Decl, what string) {
	target := p.parseReference(what)
	d.Relationships = p.relationships.one(Relationship{TypedBy, false, target, target.Range})
}

// payloadIsDeclared reports whether the payload that follows has a name or
// specializations of its own, and is not a type alone.
func (p *parser) payloadIsDeclared() bool {
	if p.at(less) {
		return true
	}
	if !p.at(ident) {
		return startsSpecialization[p.tok.kind] && !p.at(lbracket)
	}
	switch k := p.peek(); k {
	case lbracket:
		// T[2] is a type with a multiplicity, x[2] : T a declaration.
		return startsSpecialization[p.skipBrackets(p.tok).kind]
	case equalsSign, becomes, kwDefault:
		return true
	default:
		return startsSpecialization[k]
	}
}

// parseBinding is BindingConnectorAsUsage.
func (p *parser) parseBinding(d *Decl) {
	d.Metaclass = BindingConnectorAsUsage
	p.checkUsagePrefix(d)
	if p.accept(kwBinding) {
		p.parseUsageDeclaration(d)
	}
	part := p.connectors.make()
	d.Detail = part
	if p.want(kwBind) {
		p.parseTwoEnds(part, equalsSign)
	}
	p.parseBody(d, inDefinition)
}

// parseSuccession reads what `succession` begins: a flow, a succession, or a
// succession with a guard.
func (p *parser) parseSuccession(d *Decl, in bodyKind) {
	p.advance()
	if p.at(kwFlow) {
		p.advance()
		d.Metaclass = SuccessionFlowUsage
		p.parseFlow(d, false)
		return
	}
	d.Metaclass = SuccessionAsUsage
	if p.endsFollow(kwThen) {
		start := p.tok.start
		part := p.connectors.make()
		d.Detail = part
		p.parseTwoEnds(part, kwThen)
		p.extension(p.since(start), "succession without 'first'", "'succession first a then b;'")
		p.parseBody(d, inDefinition)
		return
	}
	p.parseUsageDeclaration(d)
	if !p.at(kwFirst) {
		p.expected("'first'")
		p.parseBody(d, inDefinition)
		return
	}
	p.parseFirst(d, in)
}

// parseFirst reads what `first` begins or what follows a succession's
// declaration: an initial node, a succession, or a succession with a guard.
func (p *parser) parseFirst(d *Decl, in bodyKind) {
	declared := d.Metaclass == SuccessionAsUsage
	p.checkUsagePrefix(d)
	p.want(kwFirst)
	source := p.parseEnd("the name of an action")
	switch {
	case p.at(kwIf):
		d.Metaclass = TransitionUsage
		part := &TransitionPart{Form: GuardedSuccession, Source: source.Target}
		d.Detail = part
		p.parseGuard(part)
		p.parseTransitionTarget(part)
		p.parseBody(d, inDefinition)
	case p.accept(kwThen):
		d.Metaclass = SuccessionAsUsage
		part := p.connectors.make()
		d.Detail = part
		part.Ends = []*ConnectorEnd{source, p.parseEnd("the name of an action")}
		p.parseBody(d, inDefinition)
	case declared:
		p.expectedMark("'then'", "the source of the succession")
		p.parseBody(d, inDefinition)
	default:
		d.Metaclass = FeatureMembership
		d.Detail = &InitialPart{source.Target.First()}
		if !p.failing && (source.Target.IsChain() || source.Multiplicity != nil || !source.Name.IsZero() ||
			!in.allows(allowNode)) {
			p.expectedMark("'then'", "the source of the succession")
		}
		p.parseBody(d, inRelationship)
	}
}
