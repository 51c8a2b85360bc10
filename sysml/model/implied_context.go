package model

import "github.com/orrery-sysml/orrery/sysml/syntax"

// This file holds the library features that a member subsets by where it
// stands: a part of a part, an action of a state (SysML 8.4, the rules named
// check...Specialization).

// memberBase are those that follow from the kind of membership alone.
var memberBase = map[syntax.MemberKind]string{
	syntax.EntryMember:       "States::StateAction::entryAction",
	syntax.DoMember:          "States::StateAction::doAction",
	syntax.ExitMember:        "States::StateAction::exitAction",
	syntax.AssumeMember:      "Requirements::RequirementCheck::assumptions",
	syntax.RequireMember:     "Requirements::RequirementCheck::constraints",
	syntax.FrameMember:       "Requirements::RequirementCheck::concerns",
	syntax.StakeholderMember: "Requirements::RequirementCheck::stakeholders",
	syntax.VerifyMember:      "VerificationCases::VerificationCase::obj::requirementVerifications",
	syntax.RenderMember:      "Views::View::viewRendering",
}

// An ownerKind groups owners whose members subset the same library features.
type ownerKind uint8

const (
	itemOwner ownerKind = iota
	partOwner
	portOwner
	actionOwner
	stateOwner
	calculationOwner
	requirementOwner
	caseOwner
	viewOwner
	renderingOwner
)

func (k ownerKind) holds(m syntax.Metaclass) bool {
	switch k {
	case itemOwner:
		return m == syntax.ItemDefinition || m == syntax.ItemUsage || partOwner.holds(m)
	case partOwner:
		switch m {
		case syntax.PartDefinition, syntax.PartUsage, syntax.ConnectionDefinition, syntax.ConnectionUsage,
			syntax.InterfaceDefinition, syntax.InterfaceUsage, syntax.AllocationDefinition, syntax.AllocationUsage,
			syntax.ViewDefinition, syntax.ViewUsage, syntax.RenderingDefinition, syntax.RenderingUsage:
			return true
		}
		return false
	case portOwner:
		return m == syntax.PortDefinition || m == syntax.PortUsage
	case actionOwner:
		return m == syntax.ActionDefinition || m.IsUsage() && isActionUsage(m) || calculationOwner.holds(m) || stateOwner.holds(m)
	case stateOwner:
		return isStateKind(m)
	case calculationOwner:
		return m == syntax.CalculationDefinition || m == syntax.CalculationUsage || isCase(m)
	case requirementOwner:
		return isRequirementKind(m) || m >= syntax.RequirementUsage && m <= syntax.ConcernUsage || m == syntax.ViewpointUsage
	case caseOwner:
		return isCase(m)
	case viewOwner:
		return m == syntax.ViewDefinition || m == syntax.ViewUsage
	}
	return m == syntax.RenderingDefinition || m == syntax.RenderingUsage
}

// A contextRule says what members of some metaclasses subset in owners of a
// kind. Of several that apply the first counts.
type contextRule struct {
	members func(syntax.Metaclass) bool
	owner   ownerKind
	// referential says that members that are only referred to count too.
	referential bool
	base        string
}

var contextRules = []contextRule{
	{is(syntax.PartUsage), itemOwner, false, "Items::Item::subparts"},
	{is(syntax.ItemUsage), itemOwner, false, "Items::Item::subitems"},
	{is(syntax.PortUsage), partOwner, false, "Parts::Part::ownedPorts"},
	{is(syntax.PortUsage), portOwner, false, "Ports::Port::subports"},
	{is(syntax.PerformActionUsage), partOwner, true, "Parts::Part::performedActions"},
	{is(syntax.ExhibitStateUsage), partOwner, true, "Parts::Part::exhibitedStates"},
	{is(syntax.StateUsage), partOwner, false, "Parts::Part::ownedStates"},
	{is(syntax.TransitionUsage), stateOwner, true, "States::StateAction::stateTransitions"},
	{is(syntax.TransitionUsage), actionOwner, true, "Actions::Action::transitions"},
	{is(syntax.IncludeUseCaseUsage), caseOwner, true, "UseCases::UseCase::includedUseCases"},
	{is(syntax.UseCaseUsage), caseOwner, false, "UseCases::UseCase::subUseCases"},
	{is(syntax.AnalysisCaseUsage), caseOwner, false, "AnalysisCases::AnalysisCase::subAnalysisCases"},
	{is(syntax.VerificationCaseUsage), caseOwner, false, "VerificationCases::VerificationCase::subVerificationCases"},
	{is(syntax.CaseUsage), caseOwner, false, "Cases::Case::subcases"},
	{is(syntax.CalculationUsage), calculationOwner, false, "Calculations::Calculation::subcalculations"},
	{is(syntax.AcceptActionUsage), actionOwner, false, "Actions::Action::acceptSubactions"},
	{is(syntax.SendActionUsage), actionOwner, false, "Actions::Action::sendSubactions"},
	{is(syntax.AssignmentActionUsage), actionOwner, false, "Actions::Action::assignments"},
	{is(syntax.TerminateActionUsage), actionOwner, false, "Actions::Action::terminateSubactions"},
	{is(syntax.IfActionUsage), actionOwner, false, "Actions::Action::ifSubactions"},
	{is(syntax.WhileLoopActionUsage), actionOwner, false, "Actions::Action::whileLoops"},
	{is(syntax.ForLoopActionUsage), actionOwner, false, "Actions::Action::forLoops"},
	{isPlainAction, partOwner, false, "Parts::Part::ownedActions"},
	{isPlainAction, actionOwner, false, "Actions::Action::subactions"},
	{is(syntax.RequirementUsage, syntax.SatisfyRequirementUsage), requirementOwner, false, "Requirements::RequirementCheck::subrequirements"},
	{is(syntax.ConstraintUsage, syntax.AssertConstraintUsage), itemOwner, false, "Items::Item::checkedConstraints"},
	{is(syntax.ViewUsage), viewOwner, false, "Views::View::subviews"},
	{is(syntax.ViewpointUsage), viewOwner, false, "Views::View::viewpointSatisfactions"},
	{is(syntax.RenderingUsage), renderingOwner, false, "Views::Rendering::subrenderings"},
}

func isPlainAction(m syntax.Metaclass) bool {
	return m == syntax.ActionUsage || m == syntax.CalculationUsage || isCase(m) && m.IsUsage() ||
		m >= syntax.AcceptActionUsage && m <= syntax.ForLoopActionUsage
}

// contextBase is the library feature that e subsets by where it stands; "" for
// most.
func (e *Element) contextBase() string {
	if e.owner == nil || e.decl == nil || !e.metaclass.IsUsage() || !e.owner.isType() {
		return ""
	}
	if n := memberBase[e.decl.Member]; n != "" {
		return n
	}
	if e.decl.Member == syntax.ActorMember {
		if requirementOwner.holds(e.owner.metaclass) {
			return "Requirements::RequirementCheck::actors"
		}
		return "Cases::Case::actors"
	}
	if e.metaclass == syntax.StateUsage && !e.is(syntax.Ref) && stateOwner.holds(e.owner.metaclass) {
		if e.owner.is(syntax.Parallel) {
			return "States::StateAction::substates"
		}
		return "States::StateAction::exclusiveStates"
	}
	composite := !e.is(syntax.Ref) && !e.is(syntax.End) && e.decl.Direction == syntax.NoDirection
	for i := range contextRules {
		r := &contextRules[i]
		if (composite || r.referential) && r.members(e.metaclass) && r.owner.holds(e.owner.metaclass) {
			return r.base
		}
	}
	return ""
}
