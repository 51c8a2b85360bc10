package syntax

// This file reads the members of KerML bodies. What KerML shares with SysML is
// in the other files.

// kermlTypes are the words that a KerML type begins with, and its metaclass.
var kermlTypes = [tokenKinds]Metaclass{kwType: Type, kwClassifier: Classifier, kwDatatype: DataType, kwClass: Class,
	kwStruct: Structure, kwMetaclass: MetaclassType, kwAssoc: Association, kwInteraction: Interaction, kwBehavior: Behavior,
	kwFunction: Function, kwPredicate: Predicate}

// kermlFeatures are the words that a KerML feature may have.
var kermlFeatures = [tokenKinds]Metaclass{kwFeature: Feature, kwStep: Step, kwExpr: Expression, kwBool: BooleanExpression,
	kwInv: Invariant, kwConnector: Connector, kwBinding: BindingConnector, kwSuccession: Succession, kwFlow: Flow}

// kermlPrefixes are the prefixes of features in the order in which they stand.
var kermlPrefixes = [tokenKinds]struct {
	is        bool
	rank      int8
	flag      Flags
	direction Direction
}{
	kwIn:        {true, 1, 0, In},
	kwOut:       {true, 1, 0, Out},
	kwInout:     {true, 1, 0, InOut},
	kwDerived:   {true, 2, Derived, NoDirection},
	kwAbstract:  {true, 3, Abstract, NoDirection},
	kwComposite: {true, 4, Composite, NoDirection},
	kwPortion:   {true, 4, Portion, NoDirection},
	kwVar:       {true, 5, Var, NoDirection},
	kwConst:     {true, 5, Constant, NoDirection},
	kwEnd:       {true, 6, End, NoDirection},
	hash:        {true, 7, 0, NoDirection},
}

func (p *parser) parseKerMLMember(d *Decl, in bodyKind) {
	if p.at(regularComment) {
		p.parseComment(d)
		return
	}
	if p.parseVisibility(d) && (p.at(regularComment) || p.at(rbrace) || p.at(semicolon)) {
		p.expected("a member")
		return
	}
	if in == inKerMLMetadata && p.parseMetadataBodyUsage(d) {
		return
	}
	switch p.tok.kind {
	case kwReturn:
		if !in.allows(allowReturn) {
			p.misplaced(d, "'return' stands in the body of a function")
			return
		}
		p.advance()
		d.Member = ReturnMember
	case kwMember:
		p.advance()
		d.Member = TypeMember
	}
	if p.parseNamespaceItem(d, in) || p.parseKerMLRelationship(d) {
		return
	}
	if in.allows(allowResult) && d.Member == OwnedMember && p.startsResult() {
		p.parseResult(d, in)
		return
	}
	p.parseKerMLElement(d, in)
}

// parseKerMLElement reads a type or a feature with its prefixes.
func (p *parser) parseKerMLElement(d *Decl, in bodyKind) {
	p.parseKerMLPrefix(d)
	if p.failing {
		return
	}
	k := p.tok.kind
	d.Keyword = p.here()
	switch {
	case kermlTypes[k] != NoMetaclass:
		p.advance()
		d.Metaclass = kermlTypes[k]
		if k == kwAssoc && p.accept(kwStruct) {
			d.Metaclass = AssociationStructure
		}
		p.parseKerMLType(d)
	case k == kwNamespace:
		p.advance()
		d.Metaclass = Namespace
		p.parseIdentification(d)
		p.parseBody(d, inNamespace)
	case k == kwPackage && len(d.Keywords) > 0:
		p.parsePackage(d)
	case k == kwDependency:
		p.parseDependency(d)
	case k == kwMultiplicity:
		p.parseKerMLMultiplicity(d)
	case k == atSign, k == kwMetadata:
		p.parseMetadataUsage(d)
	case kermlFeatures[k] != NoMetaclass:
		p.advance()
		d.Metaclass = kermlFeatures[k]
		p.parseKerMLFeature(d)
	default:
		p.parseFeatureWithoutKeyword(d, in)
	}
}

func (p *parser) parseFeatureWithoutKeyword(d *Decl, in bodyKind) {
	d.Keyword = Range{}
	begins := p.at(ident) || p.at(less) || startsSpecialization[p.tok.kind] || kermlRelations[p.tok.kind]
	hasPrefix := d.Flags != 0 || d.Direction != NoDirection || len(d.Keywords) > 0
	if !begins && !(d.Member == ReturnMember || len(d.Keywords) > 0) {
		p.expectedMember(in)
		return
	}
	d.Metaclass = Feature
	p.parseFeatureDeclaration(d)
	p.parseValuePart(d)
	p.checkUnmarked(d, hasPrefix)
	p.parseBody(d, inType)
}

// parseKerMLPrefix reads the prefixes of a type or feature.
func (p *parser) parseKerMLPrefix(d *Decl) {
	rank, last := int8(0), ""
	for kermlPrefixes[p.tok.kind].is {
		prefix := &kermlPrefixes[p.tok.kind]
		if p.at(hash) {
			p.parseUserKeywords(d)
			if p.failing {
				return
			}
			rank, last = prefix.rank, "an annotation '#'"
			continue
		}
		switch {
		case prefix.flag == End && (d.Flags&^Constant != 0 || d.Direction != NoDirection):
			p.fail(p.here(), "'end' stands first, or behind 'const'")
			return
		case prefix.rank == rank:
			p.fail(p.here(), "'"+p.word()+"' stands after "+last+", where only one of them can stand")
			return
		case prefix.rank < rank:
			p.fail(p.here(), "'"+p.word()+"' stands before "+last)
			return
		}
		d.Flags |= prefix.flag
		d.Direction |= prefix.direction
		rank, last = prefix.rank, "'"+p.word()+"'"
		p.advance()
		if prefix.flag == End && p.parseKerMLCross(d) {
			return
		}
	}
}

// parseKerMLCross reads behind `end` the cross feature where a keyword
// follows it; true where what follows is the end itself.
func (p *parser) parseKerMLCross(d *Decl) bool {
	if kermlFeatures[p.tok.kind] != NoMetaclass || p.at(hash) {
		return false
	}
	before := p.mark()
	cross := p.newDecl(p.tok.start)
	cross.Metaclass = Feature
	p.parseKerMLPrefix(cross)
	if p.failing {
		return true
	}
	p.parseFeatureDeclaration(cross)
	if !p.failing && (kermlFeatures[p.tok.kind] != NoMetaclass || p.at(hash)) {
		cross.Span = p.span(p.since(cross.Span.Start))
		d.Cross = cross
		return false
	}
	if !p.failing {
		p.reset(before)
	}
	return true
}

// parseKerMLType reads a type or classifier behind its word.
func (p *parser) parseKerMLType(d *Decl) {
	if p.accept(kwAll) {
		d.Flags |= Sufficient
	}
	if extra := d.Flags &^ (Abstract | Sufficient); extra != 0 || d.Direction != NoDirection {
		p.report(Range{d.Span.Start, p.prev.end}, article(describe(d.Metaclass))+" has no prefix but 'abstract'")
	}
	p.parseIdentification(d)
	if p.at(lbracket) {
		d.Multiplicity = p.parseMultiplicity()
	}
	from := p.relationships.open()
	start := p.tok.start
	switch {
	case p.accept(subsetsSign), p.accept(kwSpecializes):
		p.parseTargets(Specializes, start, "a type to specialize")
	case p.accept(tilde), p.accept(kwConjugates):
		p.parseTarget(Conjugates, start, "a type to conjugate")
	case d.Metaclass == Type && !p.failing:
		p.expectedMark("':>' and a type", "the type")
	}
	for d.Metaclass == Type && !p.failing {
		start := p.tok.start
		if p.accept(subsetsSign) || p.accept(kwSpecializes) {
			p.parseTargets(Specializes, start, "a type to specialize")
		} else if p.accept(tilde) || p.accept(kwConjugates) {
			p.parseTarget(Conjugates, start, "a type to conjugate")
		} else {
			break
		}
	}
	for p.parseRelationshipPart() {
	}
	d.Relationships = p.relationships.close(from)
	body := inType
	if d.Metaclass == Function || d.Metaclass == Predicate {
		body = inFunction
	}
	p.parseBody(d, body)
}

// kermlRelations are the words of TypeRelationshipPart and
// FeatureRelationshipPart, and those of conjugation.
var kermlRelations = [tokenKinds]bool{kwDisjoint: true, kwUnions: true, kwIntersects: true, kwDifferences: true,
	kwChains: true, kwInverse: true, kwFeatured: true, tilde: true, kwConjugates: true}

// parseRelationshipPart reads one of them; false where there is none.
func (p *parser) parseRelationshipPart() bool {
	start := p.tok.start
	switch p.tok.kind {
	case kwDisjoint:
		p.advance()
		p.want(kwFrom)
		p.parseTargets(DisjointFrom, start, "a type")
	case kwUnions:
		p.advance()
		p.parseTargets(Unions, start, "a type")
	case kwIntersects:
		p.advance()
		p.parseTargets(Intersects, start, "a type")
	case kwDifferences:
		p.advance()
		p.parseTargets(Differences, start, "a type")
	case kwChains:
		p.advance()
		p.parseTarget(Chains, start, "a feature")
	case kwInverse:
		p.advance()
		p.want(kwOf)
		p.parseTarget(InverseOf, start, "a feature")
	case kwFeatured:
		p.advance()
		p.want(kwBy)
		p.parseTargets(FeaturedBy, start, "a type")
	default:
		return false
	}
	return !p.failing
}

// parseFeatureDeclaration is FeatureDeclaration, all of it optional.
func (p *parser) parseFeatureDeclaration(d *Decl) {
	if p.accept(kwAll) {
		d.Flags |= Sufficient
	}
	p.parseIdentification(d)
	p.parseFeatureSpecializationPart(d)
	if !kermlRelations[p.tok.kind] {
		return
	}
	from := p.relationships.open()
	for i := range d.Relationships {
		p.relationships.push(d.Relationships[i])
	}
	start := p.tok.start
	if p.accept(tilde) || p.accept(kwConjugates) {
		p.parseTarget(Conjugates, start, "a type to conjugate")
	}
	for p.parseRelationshipPart() {
	}
	d.Relationships = p.relationships.close(from)
}

// parseKerMLFeature reads a feature behind its word.
func (p *parser) parseKerMLFeature(d *Decl) {
	body := inType
	switch d.Metaclass {
	case Expression, BooleanExpression:
		body = inFunction
	case Invariant:
		body = inFunction
		if p.accept(kwFalse) {
			d.Flags |= Negated
		} else {
			p.accept(kwTrue)
		}
	case Connector:
		p.parseKerMLConnector(d)
		return
	case BindingConnector:
		p.parseKerMLPair(d, kwOf, equalsSign)
		return
	case Succession:
		if p.at(kwFlow) {
			p.advance()
			d.Metaclass = SuccessionFlow
			p.parseKerMLFlow(d)
			return
		}
		p.parseKerMLPair(d, kwFirst, kwThen)
		return
	case Flow:
		p.parseKerMLFlow(d)
		return
	}
	p.parseFeatureDeclaration(d)
	p.parseValuePart(d)
	p.parseBody(d, body)
}

// parseKerMLConnector is Connector behind its word.
func (p *parser) parseKerMLConnector(d *Decl) {
	part := p.connectors.make()
	if p.accept(kwAll) {
		d.Flags |= Sufficient
		p.accept(kwFrom)
	}
	if p.endsFollow(kwTo) {
		d.Detail = part
		p.parseTwoEnds(part, kwTo)
		p.parseBody(d, inType)
		return
	}
	if !p.at(kwFrom) && !p.at(lparen) {
		p.parseFeatureDeclaration(d)
		p.parseValuePart(d)
	}
	switch {
	case p.accept(kwFrom):
		d.Detail = part
		p.parseTwoEnds(part, kwTo)
	case p.at(lparen):
		d.Detail = part
		p.parseEnds(part)
	}
	p.parseBody(d, inType)
}

// parseKerMLPair reads a binding (`of a = b`) or a succession (`first a then
// b`) behind its word; the words before the ends may be left out where no
// declaration stands there.
func (p *parser) parseKerMLPair(d *Decl, before, between tokenKind) {
	if p.accept(kwAll) {
		d.Flags |= Sufficient
	}
	part := p.connectors.make()
	if !p.at(before) && !p.endsFollow(between) {
		p.parseFeatureDeclaration(d)
	}
	if p.accept(before) || p.endsFollow(between) {
		d.Detail = part
		p.parseTwoEnds(part, between)
	}
	p.parseBody(d, inType)
}

// parseKerMLFlow is FlowDeclaration of KerML.
func (p *parser) parseKerMLFlow(d *Decl) {
	if p.accept(kwAll) {
		d.Flags |= Sufficient
	}
	part := p.connectors.make()
	d.Detail = part
	if p.endsFollow(kwTo) {
		p.parseTwoEnds(part, kwTo)
		p.parseBody(d, inType)
		return
	}
	p.parseFeatureDeclaration(d)
	p.parseValuePart(d)
	if p.accept(kwOf) {
		part.Payload = p.parsePayload("what flows")
	}
	if p.accept(kwFrom) {
		p.parseTwoEnds(part, kwTo)
	}
	p.parseBody(d, inType)
}

// parseKerMLMultiplicity is MultiplicitySubset or MultiplicityRange.
func (p *parser) parseKerMLMultiplicity(d *Decl) {
	p.advance()
	p.parseIdentification(d)
	start := p.tok.start
	switch {
	case p.at(lbracket):
		d.Metaclass = MultiplicityRange
		d.Multiplicity = p.parseMultiplicity()
	case p.accept(subsetsSign), p.accept(kwSubsets):
		d.Metaclass = Multiplicity
		from := p.relationships.open()
		p.parseTarget(Subsets, start, "a multiplicity to subset")
		d.Relationships = p.relationships.close(from)
	default:
		d.Metaclass = Multiplicity
		p.expected("bounds in brackets, or 'subsets' and a multiplicity")
	}
	p.parseBody(d, inType)
}

// kermlRelationships are the words that a relationship by itself begins with.
var kermlRelationships = [tokenKinds]bool{kwSpecialization: true, kwConjugation: true, kwDisjoining: true,
	kwInverting: true, kwSubtype: true, kwSubclassifier: true, kwTyping: true, kwSubset: true, kwRedefinition: true,
	kwConjugate: true, kwDisjoint: true, kwInverse: true, kwFeaturing: true}

// parseKerMLRelationship reads a relationship that is a member by itself;
// false where the token begins none.
func (p *parser) parseKerMLRelationship(d *Decl) bool {
	if !kermlRelationships[p.tok.kind] {
		return false
	}
	d.Keyword = p.here()
	var only tokenKind
	switch p.tok.kind {
	case kwConjugation:
		only = kwConjugate
	case kwDisjoining:
		only = kwDisjoint
	case kwInverting:
		only = kwInverse
	}
	if p.at(kwSpecialization) || only != 0 {
		p.advance()
		p.parseIdentification(d)
		if only != 0 && !p.at(only) {
			p.expected("'" + only.spelling() + "'")
			return true
		}
	}
	part := &RelationshipPart{}
	d.Detail = part
	p.parseRelationshipMember(d, part)
	if d.Metaclass != NoMetaclass {
		p.parseBody(d, inKerMLRelation)
	}
	return true
}

// relationshipForms says, for each word, the metaclass and what stands between
// the two sides.
var relationshipForms = [tokenKinds]struct {
	metaclass Metaclass
	symbol    tokenKind
	word, by  tokenKind // by: 0, or a word behind word
}{
	kwSubtype:       {Specialization, subsetsSign, kwSpecializes, 0},
	kwSubclassifier: {Subclassification, subsetsSign, kwSpecializes, 0},
	kwTyping:        {FeatureTyping, colon, kwTyped, kwBy},
	kwSubset:        {Subsetting, subsetsSign, kwSubsets, 0},
	kwRedefinition:  {Redefinition, redefineSign, kwRedefines, 0},
	kwConjugate:     {Conjugation, tilde, kwConjugates, 0},
	kwDisjoint:      {Disjoining, kwFrom, kwFrom, 0},
	kwInverse:       {FeatureInverting, kwOf, kwOf, 0},
	kwFeaturing:     {TypeFeaturing, kwBy, kwBy, 0},
}

func (p *parser) parseRelationshipMember(d *Decl, part *RelationshipPart) {
	form := &relationshipForms[p.tok.kind]
	d.Metaclass = form.metaclass
	if d.Metaclass == NoMetaclass {
		p.expected("the kind of specialization: 'subtype', 'subclassifier', 'typing', 'subset' or 'redefinition'")
		return
	}
	p.advance()
	if d.Metaclass == TypeFeaturing && (p.at(less) || p.at(kwOf) || p.at(ident) && p.peek() == kwOf) {
		p.parseIdentification(d)
		p.want(kwOf)
	}
	part.Specific = p.parseReference("a name")
	switch {
	case p.accept(form.symbol):
	case p.accept(form.word):
		if form.by != 0 {
			p.want(form.by)
		}
	default:
		p.expectedMark("'"+form.symbol.spelling()+"'", "the first side of the relationship")
	}
	part.General = p.parseReference("a name")
}
