package lower

import (
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says what elements are, as far as evaluation treats them alike.

// isCalc reports whether e is something that is called: a calculation, a
// function, a case, as definition or as usage. Conditions are not.
func isCalc(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.CalculationDefinition, syntax.CalculationUsage, syntax.Function, syntax.Expression:
		return true
	}
	return isCase(e)
}

// isCase reports whether e is a case.
func isCase(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.CaseDefinition, syntax.CaseUsage, syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage,
		syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage, syntax.UseCaseDefinition, syntax.UseCaseUsage:
		return true
	}
	return false
}

// isCalcUsage reports whether e is a usage whose outputs are read by name.
func isCalcUsage(e *model.Element) bool {
	return e.Metaclass().IsFeature() && isCalc(e) && !isDirected(e)
}

func isDirected(e *model.Element) bool {
	return e.Decl() != nil && e.Decl().Direction != syntax.NoDirection
}

// isCondition reports whether e is a constraint or a requirement.
func isCondition(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.ConstraintDefinition, syntax.ConstraintUsage, syntax.AssertConstraintUsage, syntax.Predicate,
		syntax.BooleanExpression, syntax.Invariant:
		return true
	}
	return isRequirement(e)
}

// isRequirement reports whether e is a requirement, a concern or a viewpoint.
func isRequirement(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.RequirementDefinition, syntax.RequirementUsage, syntax.SatisfyRequirementUsage,
		syntax.ConcernDefinition, syntax.ConcernUsage, syntax.ViewpointDefinition, syntax.ViewpointUsage:
		return true
	}
	return false
}

// isBehaviour reports whether e is an action or a state, but no calculation.
func isBehaviour(e *model.Element) bool {
	switch m := e.Metaclass(); m {
	case syntax.ActionUsage, syntax.PerformActionUsage, syntax.StateUsage, syntax.ExhibitStateUsage,
		syntax.ActionDefinition, syntax.StateDefinition, syntax.IncludeUseCaseUsage:
		return true
	}
	return false
}

// isConnector reports whether e is a connector that is an object.
func isConnector(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.ConnectionUsage, syntax.InterfaceUsage, syntax.AllocationUsage, syntax.FlowUsage, syntax.Connector:
		return true
	}
	return false
}

// isObject reports whether usages like e are objects: parts, items, ports and
// other occurrences.
func isObject(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.PartUsage, syntax.ItemUsage, syntax.PortUsage, syntax.OccurrenceUsage, syntax.EventOccurrenceUsage,
		syntax.ViewUsage, syntax.RenderingUsage, syntax.Usage:
		return true
	}
	return isConnector(e)
}

// isAttribute reports whether e is an attribute, or a KerML feature.
func isAttribute(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.AttributeUsage, syntax.EnumerationUsage, syntax.ReferenceUsage, syntax.Feature:
		return true
	}
	return false
}

// isData reports whether e is a feature that holds values.
func isData(e *model.Element) bool {
	return (isAttribute(e) || isObject(e)) && !isVariantMember(e)
}

func isVariantMember(e *model.Element) bool {
	return e.Decl() != nil && e.Decl().Member == syntax.VariantMember
}

// isLiteral reports whether e is a literal of an enumeration.
func isLiteral(e *model.Element) bool {
	return isVariantMember(e) && e.Owner() != nil && e.Owner().Metaclass() == syntax.EnumerationDefinition ||
		e.Metaclass() == syntax.EnumerationUsage && e.Owner() != nil && e.Owner().Metaclass() == syntax.EnumerationDefinition
}

// isVariant reports whether e is a variant of a variation.
func isVariant(e *model.Element) bool {
	return isVariantMember(e) && e.Owner() != nil && isVariation(e.Owner())
}

// isVariation reports whether e is, or redefines, a variation.
func isVariation(e *model.Element) bool { return variationOf(e) != nil }

// variationOf is the nearest of e and what it redefines that is a variation;
// for a usage typed by a variation definition that definition.
func variationOf(e *model.Element) *model.Element {
	if e.Metaclass() == syntax.EnumerationDefinition {
		return nil
	}
	if e.Is(syntax.Variation) {
		return e
	}
	if !e.Metaclass().IsFeature() {
		return nil
	}
	for _, f := range e.RedefinitionClosure() {
		if f.Is(syntax.Variation) {
			return f
		}
	}
	for _, t := range e.Types() {
		if t.Is(syntax.Variation) && t.Metaclass() != syntax.EnumerationDefinition {
			return t
		}
	}
	return nil
}

// variantsOf are the variants that e and what it redefines declare, or the
// literals of an enumeration.
func variantsOf(e *model.Element) []*model.Element {
	var all []*model.Element
	owners := append([]*model.Element{e}, e.Supertypes()...)
	for _, o := range owners {
		for _, m := range o.Members() {
			if isVariantMember(m) || isLiteral(m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// hasFeatures reports whether objects of e would have features that a model
// declares.
func hasFeatures(e *model.Element) bool {
	for _, f := range e.Features() {
		if !f.IsLibrary() && (isData(f.Element) || isCalc(f.Element) || isCondition(f.Element) || isBehaviour(f.Element)) {
			return true
		}
	}
	return false
}

// denotesObject reports whether usage e, named as a value, means an object.
func denotesObject(e *model.Element) bool {
	if !e.Metaclass().IsFeature() {
		return false
	}
	if isObject(e) {
		return true
	}
	if !isAttribute(e) {
		return isBehaviour(e)
	}
	if e.Metaclass() == syntax.Feature {
		for _, t := range e.Types() {
			switch t.Metaclass() {
			case syntax.Class, syntax.Structure, syntax.OccurrenceDefinition, syntax.ItemDefinition, syntax.PartDefinition:
				return true
			}
		}
	}
	return isStructured(e)
}

// isStructured reports whether the values of attribute e are objects with
// features.
func isStructured(e *model.Element) bool {
	for _, t := range e.Types() {
		if t.IsLibrary() && isScalar(t) {
			return false
		}
	}
	return hasFeatures(e)
}

// isScalar reports whether the library type t has values of their own kind:
// numbers, texts, quantities.
func isScalar(t *model.Element) bool {
	switch t.Metaclass() {
	case syntax.DataType, syntax.AttributeDefinition, syntax.EnumerationDefinition:
		return true
	}
	return false
}
