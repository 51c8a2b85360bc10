package syntax

// This file reads states and transitions.

// parseBehaviorItem reads the members of actions and states that begin with
// if, else, accept, transition, entry, do or exit; false where the member is
// one that parseElement reads.
func (p *parser) parseBehaviorItem(d *Decl, in bodyKind, prior prior) bool {
	k := p.tok.kind
	switch {
	case k == kwIf && in != inState:
		if in.allows(allowNode | allowResult) {
			p.parseIf(d, in, prior)
			return true
		}
		return false
	case k == kwElse && in.allows(allowNode):
		p.parseElse(d, in, prior)
		return true
	case k == kwAccept && in != inState:
		d.Keyword = Range{}
		return false
	case k == kwElse:
		return p.misplaced(d, "'else' stands behind a decision in an action, or behind the body of 'if'")
	case in != inState:
		return p.misplaced(d, "'"+p.word()+"' stands in the body of a state")
	}
	switch k {
	case kwIf, kwAccept:
		p.parseTargetTransition(d, prior)
	case kwTransition:
		p.parseTransition(d, prior)
	default:
		p.parseStateSubaction(d)
	}
	return true
}

// parseIf reads what `if` begins in the body of an action or calculation: a
// node, a succession with a guard, or the result.
func (p *parser) parseIf(d *Decl, in bodyKind, prior prior) {
	start := p.tok.start
	p.advance()
	condition := p.parseConditionExpr()
	switch {
	case p.at(query):
		d.Keyword = Range{}
		p.endResult(d, p.parseConditionalRest(start, condition), in)
	case p.accept(kwThen):
		p.checkTarget(d.Keyword, in, prior, false)
		d.Metaclass = TransitionUsage
		part := &TransitionPart{Form: GuardedTargetSuccession, Guard: condition}
		d.Detail = part
		part.Target = p.parseEnd("the name of an action")
		p.parseBody(d, inDefinition)
	default:
		p.parseIfRest(d, condition, in)
	}
}

func (p *parser) parseElse(d *Decl, in bodyKind, prior prior) {
	p.advance()
	p.checkTarget(d.Keyword, in, prior, false)
	d.Metaclass = TransitionUsage
	part := &TransitionPart{Form: DefaultTargetSuccession}
	d.Detail = part
	part.Target = p.parseEnd("the name of an action")
	p.parseBody(d, inDefinition)
}

// parseTransition is TransitionUsage, or TargetTransitionUsage where it starts
// with the word too.
func (p *parser) parseTransition(d *Decl, prior prior) {
	p.advance()
	d.Metaclass = TransitionUsage
	part := &TransitionPart{Form: FullTransition}
	d.Detail = part
	switch p.tok.kind {
	case kwAccept, kwIf, kwDo, kwThen:
		part.Form = TargetTransition
		part.LeavesOwner = !p.checkTarget(d.Keyword, inState, prior, false)
	case kwFirst:
		p.advance()
		part.Source = p.parseReference("the name of a state")
	case ident, dollar, less:
		p.parseTransitionSource(d, part)
	default:
		if !p.reservedAsName() && !startsSpecialization[p.tok.kind] {
			p.expected("'first' and the state that the transition leaves")
			break
		}
		p.parseTransitionSource(d, part)
	}
	p.parseTransitionParts(part)
	if p.at(kwTo) {
		p.fail(p.here(), "the target of a transition stands behind 'then'").Hint = "write 'transition first a then b;'"
	}
	p.parseTransitionTarget(part)
	p.parseLateParts(part)
	p.parseBody(d, inAction)
}

// parseTransitionSource reads `name first source` or `source`.
func (p *parser) parseTransitionSource(d *Decl, part *TransitionPart) {
	declared := p.at(less) || !p.at(ident) && !p.at(dollar)
	if p.at(ident) {
		k := p.peek()
		declared = k == kwFirst || startsSpecialization[k]
	}
	if !declared {
		part.Source = p.parseReference("the name of a state")
		return
	}
	p.parseUsageDeclaration(d)
	if p.accept(kwFirst) {
		part.Source = p.parseReference("the name of a state")
	} else {
		p.expectedMark("'first'", "the name of the transition")
	}
}

// parseTargetTransition reads a transition without its word, behind the state
// that it leaves.
func (p *parser) parseTargetTransition(d *Decl, prior prior) {
	d.Metaclass = TransitionUsage
	part := &TransitionPart{Form: TargetTransition}
	d.Detail = part
	afterEntry := p.at(kwIf) && prior.isEntry()
	part.LeavesOwner = !p.checkTarget(d.Keyword, inState, prior, afterEntry)
	if afterEntry {
		part.Form = GuardedTargetSuccession
	}
	p.parseTransitionParts(part)
	p.parseTransitionTarget(part)
	p.parseLateParts(part)
	p.parseBody(d, inAction)
}

// parseTransitionParts reads trigger, guard and effect, in that order.
func (p *parser) parseTransitionParts(part *TransitionPart) {
	switch p.tok.kind {
	case kwAccept:
		p.advance()
		part.Trigger = p.parseAcceptPart()
	case kwWhen:
		part.Trigger = p.parseSignalTrigger()
	}
	if p.at(kwIf) {
		p.parseGuard(part)
	}
	if p.at(kwDo) {
		part.Effect = p.parseEffect()
	}
	switch {
	case p.at(kwIf):
		p.fail(p.here(), "the guard stands before the effect").Hint = "the order is: accept, if, do, then"
	case p.at(kwAccept):
		p.fail(p.here(), "the trigger stands before guard and effect").Hint = "the order is: accept, if, do, then"
	}
}

// parseSignalTrigger reads `when Sig`, an extension.
func (p *parser) parseSignalTrigger() *AcceptPart {
	start := p.here()
	p.advance()
	part := &AcceptPart{}
	if p.callFollows() {
		p.parseCallTrigger(part)
	} else {
		p.parseAcceptPayload(part)
	}
	if p.accept(kwVia) {
		part.Via = p.parseExpr()
	}
	part.Range = p.since(start.Start)
	p.extension(start, "'when' with a signal", "'accept' with the signal, or 'accept when' with a condition")
	return part
}

func (p *parser) parseGuard(part *TransitionPart) {
	p.advance()
	part.Guard = p.parseExpr()
}

func (p *parser) parseTransitionTarget(part *TransitionPart) {
	if !p.accept(kwThen) {
		p.expected("'then' and the target of the transition")
		return
	}
	part.Target = p.parseEnd("the target of the transition")
}

// parseLateParts reads trigger and effect behind the target, an extension.
func (p *parser) parseLateParts(part *TransitionPart) {
	for !p.failing {
		at := p.here()
		switch {
		case (p.at(kwWhen) || p.at(kwAccept)) && part.Trigger == nil:
			if p.at(kwWhen) {
				part.Trigger = p.parseSignalTrigger()
			} else {
				p.advance()
				part.Trigger = p.parseAcceptPart()
			}
		case p.at(kwDo) && part.Effect == nil:
			part.Effect = p.parseEffect()
		default:
			return
		}
		p.extension(at, "trigger or effect behind the target", "trigger and effect before 'then'")
	}
}

// parseEffect is EffectBehaviorMember.
func (p *parser) parseEffect() *Decl {
	d := p.newDecl(p.tok.start)
	d.Member = EffectMember
	p.advance()
	p.parseSubaction(d)
	if p.at(lbrace) {
		d.Body = p.parseBraces(inAction)
	}
	d.Span = p.span(p.since(d.Span.Start))
	return d
}

// parseStateSubaction is EntryActionMember, DoActionMember, ExitActionMember.
func (p *parser) parseStateSubaction(d *Decl) {
	switch p.tok.kind {
	case kwEntry:
		d.Member = EntryMember
	case kwDo:
		d.Member = DoMember
	case kwExit:
		d.Member = ExitMember
	}
	p.advance()
	p.parseSubaction(d)
	p.parseBody(d, inAction)
}

// parseSubaction reads the action of a state or the effect of a transition, but
// for its body.
func (p *parser) parseSubaction(d *Decl) {
	start := p.here()
	d.Metaclass = ActionUsage
	switch p.tok.kind {
	case semicolon, kwThen:
		return
	case lbrace:
		p.extension(start, "action without the word 'action'", "'"+d.Member.String()+" action { ... }'")
		return
	case kwPerform:
		p.extension(start, "'perform' after '"+d.Member.String()+"'", "the name of the action alone")
		p.advance()
		p.parsePerformed(d)
		return
	}
	declared := p.accept(kwAction)
	if declared {
		p.parseUsageDeclaration(d)
	}
	switch p.tok.kind {
	case kwAccept:
		p.advance()
		d.Metaclass = AcceptActionUsage
		d.Detail = p.parseAcceptPart()
	case kwSend:
		p.parseSend(d)
	case kwAssign:
		p.parseAssign(d)
	default:
		d.Metaclass = PerformActionUsage
		if !declared {
			p.parseByReference(d, References, "an action")
		}
		p.parseValuePart(d)
	}
}

// parseStateWord reads the pseudostates and deferral, extensions whose words
// are not reserved; false where the name is only a name.
func (p *parser) parseStateWord(d *Decl) bool {
	word := p.word()
	kind, standard := ChoicePseudostate, "one transition a branch, with its guard"
	switch word {
	case "choice":
	case "junction":
		kind = JunctionPseudostate
	case "history":
		kind, standard = ShallowHistoryPseudostate, ""
	case "deep":
		kind, standard = DeepHistoryPseudostate, ""
	case "defer":
	default:
		return false
	}
	before := p.mark()
	p.advance()
	if word == "deep" && p.at(ident) && p.word() == "history" {
		p.advance()
	} else if word == "deep" {
		p.reset(before)
		return false
	}
	if !p.at(ident) {
		p.reset(before)
		return false
	}
	d.Keyword = p.since(d.Keyword.Start)
	d.Flags |= Extended
	if word == "defer" {
		p.extension(d.Keyword, "deferred event", "")
		d.Metaclass = DeferUsage
		d.Detail = &DeferPart{p.parseQualifiedName("an event")}
	} else {
		p.extension(d.Keyword, kind.String()+" pseudostate", standard)
		d.Metaclass = PseudostateUsage
		d.Detail = &PseudostatePart{kind}
		p.parseUsageDeclaration(d)
	}
	p.parseBody(d, inState)
	return true
}

// parseStateBody is StateDefBody, StateUsageBody.
func (p *parser) parseStateBody(d *Decl) {
	if p.accept(kwParallel) {
		d.Flags |= Parallel
		if !p.at(lbrace) {
			p.expectedMark("'{'", "'parallel'")
		}
	}
	p.parseBody(d, inState)
}

// parseExhibit is ExhibitStateUsage.
func (p *parser) parseExhibit(d *Decl) {
	p.advance()
	d.Metaclass = ExhibitStateUsage
	if p.accept(kwState) {
		p.parseUsageDeclaration(d)
	} else {
		p.parseByReference(d, References, "a state to exhibit")
	}
	p.parseValuePart(d)
	p.parseStateBody(d)
}
