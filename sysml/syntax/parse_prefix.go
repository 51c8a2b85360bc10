package syntax

// This file reads the prefixes of SysML definitions and usages.

// The prefixes of usages in the order in which they stand.
const (
	rankEnd = iota
	rankDirection
	rankDerived
	rankAbstract
	rankConstant
	rankRef
	rankIndividual
	rankPortion
	rankKeyword
)

var prefixes = [tokenKinds]struct {
	is        bool
	rank      int8
	flag      Flags
	direction Direction
}{
	kwEnd:        {true, rankEnd, End, NoDirection},
	kwIn:         {true, rankDirection, 0, In},
	kwOut:        {true, rankDirection, 0, Out},
	kwInout:      {true, rankDirection, 0, InOut},
	kwDerived:    {true, rankDerived, Derived, NoDirection},
	kwAbstract:   {true, rankAbstract, Abstract, NoDirection},
	kwVariation:  {true, rankAbstract, Variation, NoDirection},
	kwConstant:   {true, rankConstant, Constant, NoDirection},
	kwRef:        {true, rankRef, Ref, NoDirection},
	kwIndividual: {true, rankIndividual, Individual, NoDirection},
	kwSnapshot:   {true, rankPortion, Snapshot, NoDirection},
	kwTimeslice:  {true, rankPortion, Timeslice, NoDirection},
	hash:         {true, rankKeyword, 0, NoDirection},
}

// parsePrefix reads the prefixes of a definition or usage, in the order that
// the grammar gives them.
func (p *parser) parsePrefix(d *Decl, in bodyKind) {
	rank, last := -1, ""
	for prefixes[p.tok.kind].is {
		prefix := &prefixes[p.tok.kind]
		at := int(prefix.rank)
		if p.tok.kind == hash {
			p.parseUserKeywords(d)
			if p.failing {
				return
			}
			rank, last = at, "an annotation '#'"
			continue
		}
		if p.reservedAsName() {
			return
		}
		switch {
		case at > rank && !(rank == rankEnd && prefix.flag != Ref && at < rankIndividual):
		case at == rank:
			p.fail(p.here(), "'"+p.word()+"' stands after "+last+", where only one of them can stand")
			return
		case rank == rankEnd:
			p.fail(p.here(), "an end has no prefix '"+p.word()+"'")
			return
		case at == rankEnd:
			p.fail(p.here(), "'end' stands first, and without "+last)
			return
		default:
			p.fail(p.here(), "'"+p.word()+"' stands before "+last)
			return
		}
		d.Flags |= prefix.flag
		d.Direction |= prefix.direction
		rank, last = at, "'"+p.word()+"'"
		p.advance()
		if at == rankEnd && p.startsCrossFeature() {
			if p.parseCrossFeature(d, in) {
				return
			}
		}
	}
}

// parseUserKeywords reads `#x #y`.
func (p *parser) parseUserKeywords(d *Decl) {
	for p.at(hash) {
		start := p.tok.start
		p.advance()
		target := p.parseReference("the type of the annotation")
		d.Keywords = append(d.Keywords, UserKeyword{target, p.since(start)})
	}
}

// startsCrossFeature reports whether behind `end` stands something that is a
// cross feature, should a keyword follow it.
func (p *parser) startsCrossFeature() bool {
	return p.at(ident) || p.at(less) || startsSpecialization[p.tok.kind]
}

// parseCrossFeature reads behind `end` what is the cross feature of the end,
// where a keyword follows, and else the end itself; true in the second case.
func (p *parser) parseCrossFeature(d *Decl, in bodyKind) bool {
	before := p.mark()
	cross := p.newDecl(p.tok.start)
	cross.Metaclass = ReferenceUsage
	p.parseUsageDeclaration(cross)
	if !p.failing && (elements[p.tok.kind].usage != NoMetaclass || prefixes[p.tok.kind].is || ownKinds[p.tok.kind]) {
		cross.Span = p.span(p.since(cross.Span.Start))
		d.Cross = cross
		return false
	}
	if !p.failing {
		p.reset(before)
	}
	return true
}
