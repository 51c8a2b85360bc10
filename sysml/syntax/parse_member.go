package syntax

// This file reads the members of SysML bodies: prefixes, the word that decides
// what a member is, and definitions and usages that need no grammar of their
// own.

// parseMembers reads members up to the closing brace of the body, or up to the
// end of the text where root is set.
func (p *parser) parseMembers(in bodyKind, root bool) []*Decl {
	from := p.members.open()
	var prior prior
	for !p.at(endOfText) {
		if p.at(rbrace) {
			if !root {
				break
			}
			p.report(p.here(), "a closing brace without an opening one")
			p.advance()
			continue
		}
		start := p.tok.start
		d := p.parseMember(in, prior)
		if p.failing {
			if d != nil {
				d.Flags |= Broken
			}
			p.recover()
			if p.tok.start == start && !p.at(endOfText) && !p.at(rbrace) {
				p.advance()
			}
		}
		if d == nil {
			continue
		}
		d.Span = p.span(p.since(d.Span.Start))
		p.members.push(d)
		prior.follow(d)
	}
	return p.members.close(from)
}

// newDecl makes a declaration that starts at offset start.
func (p *parser) newDecl(start int32) *Decl {
	d := p.decls.make()
	d.Span.File, d.Span.Start, d.Span.End = p.file, start, start
	return d
}

// parseMember reads one member of a body. nil where nothing of it is worth
// keeping; an error was then reported.
func (p *parser) parseMember(in bodyKind, prior prior) *Decl {
	if !p.enter() {
		p.leave()
		return nil
	}
	d := p.newDecl(p.tok.start)
	if p.kerml {
		p.parseKerMLMember(d, in)
	} else {
		p.parseSysMLMember(d, in, prior)
	}
	p.leave()
	if d.Metaclass == NoMetaclass {
		return nil
	}
	return d
}

// parseVisibility reads VisibilityIndicator where there is one.
func (p *parser) parseVisibility(d *Decl) bool {
	switch p.tok.kind {
	case kwPublic:
		d.Visibility = Public
	case kwPrivate:
		d.Visibility = Private
	case kwProtected:
		d.Visibility = Protected
	default:
		return false
	}
	p.advance()
	switch p.tok.kind {
	case kwPublic, kwPrivate, kwProtected:
		p.fail(p.here(), "a member has one visibility")
	}
	return true
}

func (p *parser) parseSysMLMember(d *Decl, in bodyKind, prior prior) {
	if p.at(regularComment) {
		p.parseComment(d)
		return
	}
	if p.parseVisibility(d) && (p.at(regularComment) || p.at(rbrace) || p.at(semicolon)) {
		p.expected("a member")
		return
	}
	switch in {
	case inEnumeration:
		p.parseEnumerationItem(d)
		return
	case inRelationship:
		p.parseAnnotationOnly(d)
		return
	case inMetadata:
		if p.parseMetadataBodyUsage(d) {
			return
		}
	}
	if p.parseNamespaceItem(d, in) {
		return
	}
	if p.at(lbracket) && in.allows(allowNode) && p.skipBrackets(p.tok).kind == kwThen {
		multiplicity := p.parseMultiplicity()
		if !p.failing && p.parseThen(d, in, prior) {
			if part, ok := d.Detail.(*ConnectorPart); ok {
				part.SourceMultiplicity = multiplicity
			}
			return
		}
	}
	if p.at(kwThen) && p.parseThen(d, in, prior) {
		return
	}
	if p.parseSpecialItem(d, in, prior) {
		return
	}
	if in.allows(allowResult) && d.Then == nil && p.startsResult() {
		p.parseResult(d, in)
		return
	}
	p.parseElement(d, in)
	if in == inMetadata && d.Metaclass.IsUsage() && !p.failing {
		p.report(d.Keyword, "the body of metadata holds no usage of its own, only features of its type")
	}
}

// parseNamespaceItem reads the members that any namespace can have and that
// are neither definition nor usage; false where the token starts none.
func (p *parser) parseNamespaceItem(d *Decl, in bodyKind) bool {
	switch p.tok.kind {
	case kwImport:
		p.parseImport(d)
	case kwAlias:
		p.parseAlias(d)
	case kwComment, kwLocale:
		p.parseComment(d)
	case kwDoc:
		p.parseDocumentation(d)
	case kwRep, kwLanguage:
		p.parseTextualRepresentation(d)
	case kwDependency:
		p.parseDependency(d)
	case kwPackage, kwLibrary, kwStandard:
		p.parsePackage(d)
	case atSign:
		if in.allows(allowResult) && p.atIsExpression() {
			return false
		}
		p.parseMetadataUsage(d)
	case kwFilter:
		if !in.allows(allowFilter) {
			return p.misplaced(d, "a filter stands in a package or a view")
		}
		p.parseFilter(d)
	default:
		return false
	}
	return true
}

// misplaced fails at a member that exists, but not in this body.
func (p *parser) misplaced(d *Decl, message string) bool {
	p.fail(p.here(), message)
	return true
}

// parseSpecialItem reads the members that only some bodies have; false where
// the token starts none.
func (p *parser) parseSpecialItem(d *Decl, in bodyKind, prior prior) bool {
	d.Keyword = p.here()
	switch p.tok.kind {
	case kwFirst:
		p.parseFirst(d, in)
	case kwIf, kwElse, kwAccept, kwTransition, kwEntry, kwDo, kwExit:
		return p.parseBehaviorItem(d, in, prior)
	case kwReturn:
		p.parseReturn(d, in)
	case kwSubject, kwActor, kwStakeholder, kwObjective, kwAssume, kwRequire, kwFrame, kwVerify:
		p.parseRequirementItem(d, in)
	case kwRender:
		if !in.allows(allowRender) {
			return p.misplaced(d, "'render' stands in a view")
		}
		p.parseRender(d)
	case kwExpose:
		if !in.allows(allowExpose) {
			return p.misplaced(d, "'expose' stands in a view usage")
		}
		if d.Visibility != NoVisibility {
			p.report(d.Keyword, "'expose' has no visibility")
		}
		p.parseExpose(d)
	case kwVariant:
		p.advance()
		d.Member = VariantMember
		if p.at(ident) || p.at(dollar) {
			d.Metaclass = ReferenceUsage
			p.parseByReference(d, References, "a variant")
			p.parseBody(d, inDefinition)
			return true
		}
		p.parseElement(d, in)
		if d.Metaclass != NoMetaclass && !d.Metaclass.IsUsage() && !p.failing {
			p.report(d.Keyword, "a variant is a usage")
		}
	case ident:
		return in == inState && p.parseStateWord(d)
	default:
		d.Keyword = Range{}
		return false
	}
	return true
}

// parseElement reads a definition or a usage with its prefixes.
func (p *parser) parseElement(d *Decl, in bodyKind) {
	p.parsePrefix(d, in)
	if p.failing {
		return
	}
	k := p.tok.kind
	d.Keyword = p.here()
	switch {
	case elements[k].usage != NoMetaclass:
		p.advance()
		if k == kwUse && !p.accept(kwCase) {
			p.expected("'case'")
			return
		}
		if p.accept(kwDef) {
			p.parseDefinition(d, elements[k].definition)
			return
		}
		p.parseUsage(d, elements[k].usage, in)
	case k == kwDef:
		p.advance()
		switch {
		case d.Is(Individual):
			p.parseDefinition(d, OccurrenceDefinition)
		case len(d.Keywords) > 0:
			p.parseDefinition(d, Definition)
		default:
			p.fail(d.Keyword, "expected the kind of definition before 'def', as in 'part def'")
		}
	case k == atSign && len(d.Keywords) > 0:
		p.parseMetadataUsage(d)
	case k == kwPackage && len(d.Keywords) > 0:
		p.parsePackage(d)
	case k == kwDependency && len(d.Keywords) > 0:
		p.parseDependency(d)
	case k == kwRef: // the prefix has read one
		p.fail(p.here(), "'ref' stands once")
	case p.parseOwnKind(d, in):
	default:
		p.parseUsageWithoutKeyword(d, in)
	}
}

// elements are the words that start a definition, with `def`, or a usage.
var elements = [tokenKinds]struct{ definition, usage Metaclass }{
	kwAttribute:    {AttributeDefinition, AttributeUsage},
	kwEnum:         {EnumerationDefinition, EnumerationUsage},
	kwOccurrence:   {OccurrenceDefinition, OccurrenceUsage},
	kwItem:         {ItemDefinition, ItemUsage},
	kwPart:         {PartDefinition, PartUsage},
	kwPort:         {PortDefinition, PortUsage},
	kwConnection:   {ConnectionDefinition, ConnectionUsage},
	kwFlow:         {FlowDefinition, FlowUsage},
	kwInterface:    {InterfaceDefinition, InterfaceUsage},
	kwAllocation:   {AllocationDefinition, AllocationUsage},
	kwAction:       {ActionDefinition, ActionUsage},
	kwState:        {StateDefinition, StateUsage},
	kwCalc:         {CalculationDefinition, CalculationUsage},
	kwConstraint:   {ConstraintDefinition, ConstraintUsage},
	kwRequirement:  {RequirementDefinition, RequirementUsage},
	kwConcern:      {ConcernDefinition, ConcernUsage},
	kwCase:         {CaseDefinition, CaseUsage},
	kwAnalysis:     {AnalysisCaseDefinition, AnalysisCaseUsage},
	kwVerification: {VerificationCaseDefinition, VerificationCaseUsage},
	kwUse:          {UseCaseDefinition, UseCaseUsage},
	kwView:         {ViewDefinition, ViewUsage},
	kwViewpoint:    {ViewpointDefinition, ViewpointUsage},
	kwRendering:    {RenderingDefinition, RenderingUsage},
	kwMetadata:     {MetadataDefinition, MetadataUsage},
}

// parseDefinition reads a definition behind `def`.
func (p *parser) parseDefinition(d *Decl, m Metaclass) {
	d.Metaclass = m
	p.checkDefinitionPrefix(d)
	p.parseIdentification(d)
	if p.at(subsetsSign) || p.at(kwSpecializes) {
		start := p.tok.start
		p.advance()
		from := p.relationships.open()
		for {
			target := p.typeReference("a definition to specialize")
			p.relationships.push(Relationship{Specializes, false, target, p.since(start)})
			if !p.at(comma) {
				break
			}
			p.advance()
			start = p.tok.start
		}
		d.Relationships = p.relationships.close(from)
	}
	if !p.failing {
		p.refuseInDefinition(d)
	}
	if m == StateDefinition {
		p.parseStateBody(d)
		return
	}
	p.parseBody(d, bodies[m])
}

// checkDefinitionPrefix reports prefixes that only usages have.
func (p *parser) checkDefinitionPrefix(d *Decl) {
	allowed := Abstract | Variation
	switch {
	case d.Metaclass == EnumerationDefinition:
		allowed = 0
	case d.Metaclass == MetadataDefinition:
		allowed = Abstract
	case d.Metaclass >= OccurrenceDefinition && d.Metaclass != PortDefinition:
		allowed |= Individual
	}
	at := Range{d.Span.Start, p.prev.end}
	if extra := d.Flags &^ allowed; extra != 0 || d.Direction != NoDirection {
		p.report(at, "a definition has no prefix '"+prefixWord(extra, d.Direction)+"'")
	}
}

// prefixWord is the word of one of flags, or else of the direction.
func prefixWord(flags Flags, direction Direction) string {
	for k := range prefixes {
		if f := prefixes[k].flag; f != 0 && flags&f != 0 {
			return tokenKind(k).spelling()
		}
	}
	return direction.String()
}

// refuseInDefinition fails where a definition goes on as only usages do.
func (p *parser) refuseInDefinition(d *Decl) {
	switch p.tok.kind {
	case lbracket:
		p.fail(p.here(), "a definition has no multiplicity").Hint =
			"write the multiplicity on the usages of the " + describe(d.Metaclass)
	case colon, kwDefined:
		p.fail(p.here(), "a definition is not typed").Hint = "write ':>' to specialize another definition"
	case redefineSign, kwRedefines:
		p.fail(p.here(), "a definition does not redefine").Hint = "write ':>' to specialize another definition"
	case kwSubsets:
		p.fail(p.here(), "a definition does not subset").Hint = "write ':>' or 'specializes'"
	case equalsSign, becomes, kwDefault:
		p.fail(p.here(), "a definition has no value").Hint = "give the value to a usage, as in 'attribute x = 1;'"
	}
}

// parseUsage reads a usage of metaclass m behind its keyword.
func (p *parser) parseUsage(d *Decl, m Metaclass, in bodyKind) {
	d.Metaclass = m
	p.checkUsagePrefix(d)
	switch m {
	case MetadataUsage:
		p.parseMetadataDeclaration(d)
		return
	case ConnectionUsage, InterfaceUsage, AllocationUsage, FlowUsage:
		p.parseConnectorUsage(d, false)
		return
	case ActionUsage:
		p.parseActionUsage(d, in)
		return
	}
	p.parseUsageDeclaration(d)
	p.parseValuePart(d)
	if m == StateUsage {
		p.parseStateBody(d)
		return
	}
	p.parseBody(d, bodies[m])
}

// checkUsagePrefix reports prefixes that only occurrences have.
func (p *parser) checkUsagePrefix(d *Decl) {
	switch d.Metaclass {
	case AttributeUsage, EnumerationUsage, ReferenceUsage, BindingConnectorAsUsage, SuccessionAsUsage, Usage:
		if extra := d.Flags & (Individual | Snapshot | Timeslice); extra != 0 {
			p.report(Range{d.Span.Start, p.prev.end}, "only an occurrence is '"+prefixWord(extra, 0)+"', not "+article(describe(d.Metaclass)))
		}
	case MetadataUsage:
		if d.Flags != 0 || d.Direction != NoDirection {
			p.report(Range{d.Span.Start, p.prev.end}, "metadata has no prefix '"+prefixWord(d.Flags, d.Direction)+"'")
		}
	}
}

// parseUsageWithoutKeyword reads a usage that has none: a reference, an
// individual, a snapshot, or a usage with a user keyword.
func (p *parser) parseUsageWithoutKeyword(d *Decl, in bodyKind) {
	d.Keyword = Range{}
	begins := p.at(ident) || p.at(less) || startsSpecialization[p.tok.kind] || p.reservedAsName()
	hasPrefix := d.Flags != 0 || d.Direction != NoDirection || len(d.Keywords) > 0 || d.Member == VariantMember && d.Is(Ref)
	if !begins && !hasPrefix {
		p.expectedMember(in)
		return
	}
	if d.Then != nil && !d.Is(Individual) && !d.Is(Snapshot) && !d.Is(Timeslice) {
		p.expected("an action or the name of one")
		return
	}
	switch {
	case d.Flags&(Individual|Snapshot|Timeslice) != 0:
		d.Metaclass = OccurrenceUsage
	case len(d.Keywords) > 0:
		d.Metaclass = Usage
	case d.Is(End) && in == inInterface && !d.Is(Ref):
		d.Metaclass = PortUsage
	default:
		d.Metaclass = ReferenceUsage
	}
	p.parseUsageDeclaration(d)
	p.parseValuePart(d)
	p.checkUnmarked(d, hasPrefix)
	p.parseBody(d, inDefinition)
}

// expectedMember fails at a token that no member starts with.
func (p *parser) expectedMember(in bodyKind) {
	switch {
	case nodeWords[p.tok.kind]:
		p.fail(p.here(), "'"+p.word()+"' stands in the body of an action or a calculation")
	case p.at(kwUntil):
		p.expected("a member")
	case in.allows(allowResult):
		p.expected("a member or the result expression")
	default:
		p.expected("a member")
	}
}

// checkUnmarked reports d, a feature declared without a keyword, where it is a
// name alone and no body or end follows: the name is then a word meant as a
// keyword.
func (p *parser) checkUnmarked(d *Decl, hasPrefix bool) {
	if !p.failing && !p.at(semicolon) && !p.at(lbrace) && !hasPrefix && d.Value == nil &&
		len(d.Relationships) == 0 && !d.Name.IsZero() {
		p.unknownWord(d)
	}
}
