package model

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks what SysML asks of states, requirements, cases, views,
// ports, variations and occurrences.

// systems checks e as what its metaclass makes it.
func (c *checker) systems(e *Element) {
	m := e.metaclass
	if isStateKind(m) {
		c.stateSubactions(e)
		if e.is(syntax.Parallel) {
			c.parallelState(e)
		}
	}
	if e.isBehavior() {
		c.subject(e)
		c.results(e)
	}
	if isCase(m) {
		c.objectives(e)
	}
	if m == syntax.ViewDefinition || m == syntax.ViewUsage {
		c.renderings(e)
	}
	if m == syntax.PortDefinition || m == syntax.PortUsage {
		c.portMembers(e)
	}
	if e.is(syntax.Variation) {
		c.variation(e)
	}
	c.membership(e)
}

// stateSubactions reports a second entry, do or exit action of a state.
func (c *checker) stateSubactions(e *Element) {
	seen := map[syntax.MemberKind]*Element{}
	for _, k := range e.members() {
		switch kind := k.decl.Member; kind {
		case syntax.EntryMember, syntax.DoMember, syntax.ExitMember:
			if seen[kind] != nil {
				c.report(diagnostic.New(multipleStateSubactions, k.Span(), e.described()+" has "+kindArticle(kind)+" action already").
					WithRelated(seen[kind].Span(), "the first one"))
			} else {
				seen[kind] = k
			}
		}
	}
}

func kindArticle(kind syntax.MemberKind) string { return article(kind.String()) + " " + kind.String() }

// parallelState reports successions and transitions between the direct parts
// of a parallel state.
func (c *checker) parallelState(e *Element) {
	for _, k := range e.members() {
		if k.decl.Then == nil && k.metaclass != syntax.TransitionUsage && k.metaclass != syntax.SuccessionAsUsage {
			continue
		}
		at := k.Span()
		if k.decl.Then != nil {
			at = k.decl.Then.In(e.doc.File)
		}
		c.report(diagnostic.New(parallelSuccession, at, e.described()+" is parallel: its states are active together, and nothing leads from one to another"))
	}
}

// subject checks that there is one subject at most, before all parameters.
func (c *checker) subject(e *Element) {
	var first *Element
	parameters := 0
	for _, k := range e.members() {
		switch {
		case k.decl.Member == syntax.SubjectMember:
			switch {
			case first != nil:
				c.report(diagnostic.New(multipleSubjects, k.Span(), e.described()+" has a subject already").WithRelated(first.Span(), "the first one"))
			case parameters > 0:
				c.report(subjectNotFirst(e, k))
			}
			if first == nil {
				first = k
			}
		case k.decl.Direction != syntax.NoDirection && k.isFeature():
			parameters++
		}
	}
	if first == nil && parameters == 0 && isCase(e.metaclass) && e.inheritsLateSubject() {
		c.report(subjectNotFirst(e, e))
	}
}

// inheritsLateSubject reports whether a user's definition that e specializes
// has a subject behind other parameters.
func (e *Element) inheritsLateSubject() bool {
	for _, g := range e.generals() {
		t := g.Target
		if t.doc.library {
			continue
		}
		parameters := 0
		for _, k := range t.members() {
			if k.decl.Member == syntax.SubjectMember {
				return parameters > 0
			}
			if k.decl.Direction != syntax.NoDirection {
				parameters++
			}
		}
	}
	return false
}

func subjectNotFirst(e, at *Element) *diagnostic.Diagnostic {
	return diagnostic.New(subjectPositionCode, at.Span(), "the subject is the first parameter of "+e.described())
}

// objectives reports more than one objective, inherited ones that no own one
// redefines included.
func (c *checker) objectives(e *Element) {
	own := e.positioned(objectivePosition)
	inherited := 0
	for _, g := range e.supertypes() {
		if g.doc.library {
			continue
		}
		for i := range g.positioned(objectivePosition) {
			if i > 0 || len(own) == 0 {
				inherited++
			}
		}
	}
	switch {
	case len(own) == 0 && inherited > 1:
		c.report(tooManyObjectives(e, e))
	case len(own) > 0 && inherited > 0:
		for _, o := range own {
			c.report(tooManyObjectives(e, o))
		}
	case len(own) > 1:
		for _, o := range own[1:] {
			c.report(tooManyObjectives(e, o))
		}
	}
}

func tooManyObjectives(e, at *Element) *diagnostic.Diagnostic {
	return diagnostic.New(multipleObjectives, at.Span(), e.described()+" has one objective at most, inherited ones counted")
}

// results reports a second result expression or return parameter.
func (c *checker) results(e *Element) {
	var expressions, parameters []*Element
	for _, k := range e.members() {
		_, isExpression := k.decl.Detail.(*syntax.ExpressionPart)
		switch {
		case k.decl.Member == syntax.ResultMember:
			expressions = append(expressions, k)
		case k.decl.Member == syntax.ReturnMember && !isExpression:
			parameters = append(parameters, k)
		}
	}
	for i := 1; i < len(parameters); i++ {
		c.report(diagnostic.New(multipleReturnParameters, parameters[i].Span(), e.described()+" returns one thing").
			WithRelated(parameters[0].Span(), "the first return parameter"))
	}
	n := len(expressions)
	for _, g := range e.supertypes() {
		for _, k := range g.members() {
			if k.decl.Member == syntax.ResultMember {
				n++
			}
		}
	}
	if n < 2 {
		return
	}
	at := e
	if len(expressions) > 0 {
		at = expressions[len(expressions)-1]
	}
	c.report(diagnostic.New(multipleResultExpressions, at.Span(), e.described()+" has one result expression at most, inherited ones counted"))
}

// renderings reports a second rendering of a view.
func (c *checker) renderings(e *Element) {
	n := 0
	for _, k := range e.members() {
		if k.decl.Member == syntax.RenderMember {
			if n++; n > 1 {
				c.report(diagnostic.New(multipleViewRenderings, k.Span(), e.described()+" is rendered already"))
			}
		}
	}
}

// portMembers reports composite features of a port that are no ports.
func (c *checker) portMembers(e *Element) {
	for _, k := range e.members() {
		if !isOccurrenceUsage(k.metaclass) || k.metaclass == syntax.PortUsage || k.is(syntax.Ref) || k.is(syntax.End) ||
			k.decl.Direction != syntax.NoDirection || k.isMetadata() || k.isReferential() {
			continue
		}
		c.report(diagnostic.New(compositeInPort, k.Span(), k.described()+" is part of a port, where everything but ports is referential").
			WithHint("write `ref` before it"))
	}
}

// isReferential reports whether e only refers to what others own.
func (e *Element) isReferential() bool {
	switch e.metaclass {
	case syntax.PerformActionUsage, syntax.ExhibitStateUsage, syntax.IncludeUseCaseUsage, syntax.EventOccurrenceUsage:
		return true
	}
	return false
}

// variation reports usages of a variation that are no variants.
func (c *checker) variation(e *Element) {
	for _, k := range e.members() {
		if k.metaclass.IsUsage() && k.decl.Member != syntax.VariantMember && !k.isMetadata() && k.decl.Direction == syntax.NoDirection && !k.isParameterLike() {
			c.report(diagnostic.New(nonVariant, k.Span(), "the usages of a variation are its variants, and "+k.described()+" is none").
				WithHint("write `variant` before it"))
		}
	}
}

// isParameterLike reports whether e is a member of a kind that a variation may
// have beside its variants.
func (e *Element) isParameterLike() bool {
	switch e.decl.Member {
	case syntax.SubjectMember, syntax.ActorMember, syntax.StakeholderMember, syntax.ObjectiveMember, syntax.ReturnMember:
		return true
	}
	return e.is(syntax.End)
}

// membership checks e as a member of its owner.
func (c *checker) membership(e *Element) {
	if e.decl == nil || e.owner == nil {
		return
	}
	switch e.decl.Member {
	case syntax.VariantMember:
		if !e.owner.isVariation() && !c.model.options.Lenient {
			c.report(diagnostic.New(variantOutside, e.Span(), e.described()+" is a variant of "+e.owner.inWords()+", which is no variation").
				WithHint("write `variation` before its owner"))
		}
	case syntax.VerifyMember:
		if !e.isInVerificationObjective() {
			c.report(diagnostic.New(verificationOutside, e.Span(), "a requirement is verified in the objective of a verification case"))
		}
	}
	if (e.is(syntax.Snapshot) || e.is(syntax.Timeslice)) && !e.owner.isOccurrence() {
		c.report(diagnostic.New(portionOwner, e.Span(), e.described()+" is a portion, and "+e.owner.inWords()+" is no occurrence that could have one"))
	}
	c.referenced(e)
}

func (e *Element) isInVerificationObjective() bool {
	o := e.owner
	if o.decl == nil || o.decl.Member != syntax.ObjectiveMember || o.owner == nil {
		return false
	}
	return o.owner.metaclass == syntax.VerificationCaseDefinition || o.owner.metaclass == syntax.VerificationCaseUsage
}

// referenced checks the kind of what perform, exhibit, include and event name.
func (c *checker) referenced(e *Element) {
	if !e.is(syntax.ByReference) || len(e.relationships()) == 0 {
		return
	}
	var fits func(syntax.Metaclass) bool
	what := ""
	switch e.metaclass {
	case syntax.PerformActionUsage:
		fits, what = isActionUsage, "an action"
	case syntax.ExhibitStateUsage:
		fits, what = isStateUsage, "a state"
	case syntax.IncludeUseCaseUsage:
		fits, what = isUseCaseUsage, "a use case"
	case syntax.EventOccurrenceUsage:
		fits, what = isOccurrenceUsage, "an occurrence"
	default:
		return
	}
	links := e.target(0)
	if len(links) == 0 {
		return
	}
	f := links[len(links)-1]
	if fits(f.metaclass) || f.doc.library || f.isTypedBySome(e.metaclass) {
		return
	}
	c.report(diagnostic.New(referencedUsageKind, e.relationships()[0].In(e.doc.File), "what `"+e.metaclass.Keyword()+"` names is "+what+", and "+f.described()+" is none").
		WithRelated(f.NameSpan(), "declared here"))
}

// isTypedBySome reports whether a feature of no kind of its own has a type
// that makes it what m refers to.
func (e *Element) isTypedBySome(m syntax.Metaclass) bool {
	if e.metaclass != syntax.ReferenceUsage && e.metaclass != syntax.Feature {
		return false
	}
	for _, t := range e.types() {
		switch m {
		case syntax.PerformActionUsage:
			if isBehaviorKind(t.metaclass) {
				return true
			}
		case syntax.ExhibitStateUsage:
			if t.metaclass == syntax.StateDefinition {
				return true
			}
		case syntax.IncludeUseCaseUsage:
			if t.metaclass == syntax.UseCaseDefinition {
				return true
			}
		case syntax.EventOccurrenceUsage:
			if isClassKind(t.metaclass) {
				return true
			}
		}
	}
	return false
}
