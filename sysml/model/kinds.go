package model

import "github.com/orrery-sysml/orrery/sysml/syntax"

// This file groups metaclasses as the abstract syntax of the standard does:
// which definitions of SysML are data types, structures, behaviors and so on.

func isDataTypeKind(m syntax.Metaclass) bool {
	return m == syntax.DataType || m == syntax.AttributeDefinition || m == syntax.EnumerationDefinition
}

// isClassKind holds for everything whose instances are occurrences.
func isClassKind(m syntax.Metaclass) bool {
	switch m {
	case syntax.Class, syntax.OccurrenceDefinition:
		return true
	}
	return isStructureKind(m) || isBehaviorKind(m)
}

func isStructureKind(m syntax.Metaclass) bool {
	switch m {
	case syntax.Structure, syntax.MetaclassType, syntax.AssociationStructure,
		syntax.ItemDefinition, syntax.PartDefinition, syntax.PortDefinition, syntax.ConnectionDefinition,
		syntax.InterfaceDefinition, syntax.AllocationDefinition, syntax.ViewDefinition,
		syntax.RenderingDefinition, syntax.MetadataDefinition:
		return true
	}
	return false
}

func isBehaviorKind(m syntax.Metaclass) bool {
	switch m {
	case syntax.Behavior, syntax.Interaction, syntax.FlowDefinition, syntax.ActionDefinition, syntax.StateDefinition:
		return true
	}
	return isFunctionKind(m)
}

func isFunctionKind(m syntax.Metaclass) bool {
	return m == syntax.Function || m == syntax.CalculationDefinition || isPredicateKind(m) || isCaseKind(m)
}

func isPredicateKind(m syntax.Metaclass) bool {
	return m == syntax.Predicate || m == syntax.ConstraintDefinition || isRequirementKind(m)
}

func isRequirementKind(m syntax.Metaclass) bool {
	return m == syntax.RequirementDefinition || m == syntax.ConcernDefinition || m == syntax.ViewpointDefinition
}

func isCaseKind(m syntax.Metaclass) bool {
	switch m {
	case syntax.CaseDefinition, syntax.AnalysisCaseDefinition, syntax.VerificationCaseDefinition, syntax.UseCaseDefinition:
		return true
	}
	return false
}

func isAssociationKind(m syntax.Metaclass) bool {
	switch m {
	case syntax.Association, syntax.AssociationStructure, syntax.Interaction, syntax.ConnectionDefinition,
		syntax.InterfaceDefinition, syntax.AllocationDefinition, syntax.FlowDefinition:
		return true
	}
	return false
}

// isActionUsage holds for every usage of a behavior, states, calculations and
// cases included.
func isActionUsage(m syntax.Metaclass) bool {
	switch m {
	case syntax.CaseUsage, syntax.AnalysisCaseUsage, syntax.VerificationCaseUsage, syntax.UseCaseUsage,
		syntax.IncludeUseCaseUsage, syntax.FlowUsage, syntax.SuccessionFlowUsage, syntax.Step, syntax.Expression,
		syntax.BooleanExpression, syntax.Flow, syntax.SuccessionFlow:
		return true
	}
	return m >= syntax.ActionUsage && m <= syntax.CalculationUsage
}

func isStateUsage(m syntax.Metaclass) bool {
	return m == syntax.StateUsage || m == syntax.ExhibitStateUsage
}

func isStateKind(m syntax.Metaclass) bool { return m == syntax.StateDefinition || isStateUsage(m) }

func isUseCaseUsage(m syntax.Metaclass) bool {
	return m == syntax.UseCaseUsage || m == syntax.IncludeUseCaseUsage
}

// isOccurrenceUsage holds for every usage whose values are occurrences.
func isOccurrenceUsage(m syntax.Metaclass) bool {
	switch m {
	case syntax.Usage, syntax.ReferenceUsage, syntax.AttributeUsage, syntax.EnumerationUsage,
		syntax.BindingConnectorAsUsage, syntax.SuccessionAsUsage:
		return false
	}
	return m.IsUsage()
}

func isCase(m syntax.Metaclass) bool {
	switch m {
	case syntax.CaseUsage, syntax.AnalysisCaseUsage, syntax.VerificationCaseUsage, syntax.UseCaseUsage, syntax.IncludeUseCaseUsage:
		return true
	}
	return isCaseKind(m)
}
