package syntax

// This file keeps what stands before a member, which successions to a target
// and transitions without a source leave.

// prior is what stands before a member in its body.
type prior struct {
	member *Decl // the member before, annotations left out
	source *Decl // the last that a succession to a target can leave
}

// follow makes d, a member of the body, part of what stands before the next.
func (b *prior) follow(d *Decl) {
	if d.Metaclass.IsAnnotation() {
		return
	}
	b.member = d
	if canBeLeft(d) {
		b.source = d
	}
}

// canBeLeft reports whether a succession to a target may stand behind d: it is
// a behavior, a node or a state, not a transition and not the entry, do or
// exit action of a state.
func canBeLeft(d *Decl) bool {
	switch m := d.Metaclass; {
	case d.Member == EntryMember || d.Member == DoMember || d.Member == ExitMember || m == TransitionUsage:
		return false
	default:
		return m == FeatureMembership || m >= ActionUsage && m <= IncludeUseCaseUsage || m == ViewpointUsage ||
			m == PseudostateUsage
	}
}

// isTargetSuccession reports whether d leaves the member before it.
func isTargetSuccession(d *Decl) bool {
	switch part := d.Detail.(type) {
	case *ConnectorPart:
		return part.ImpliedSource
	case *TransitionPart:
		return part.Form != FullTransition && part.Form != GuardedSuccession
	}
	return false
}

// isEntry reports whether the entry action of a state stands before, or a
// succession that leads from it.
func (b prior) isEntry() bool {
	if b.member == nil {
		return false
	}
	if b.member.Member == EntryMember {
		return true
	}
	part, ok := b.member.Detail.(*TransitionPart)
	return isTargetSuccession(b.member) && (!ok || part.Form == GuardedTargetSuccession)
}

// checkTarget reports a succession to a target, or a transition without a
// source, behind which it stands that it cannot leave; afterEntry says that it
// may leave an entry action. It returns whether anything stands before that it
// leaves.
func (p *parser) checkTarget(at Range, in bodyKind, b prior, afterEntry bool) bool {
	if afterEntry || b.member != nil && (b.member == b.source || isTargetSuccession(b.member) && !(in == inState && b.isEntry())) {
		return true
	}
	if in == inState {
		p.extension(at, "transition with no state before it",
			"the transition behind the state that it leaves, or 'transition first s ... then t;'")
	} else {
		p.extension(at, "succession with no action before it",
			"'first a then b;' or the succession behind the action that it leaves")
	}
	return b.source != nil
}
