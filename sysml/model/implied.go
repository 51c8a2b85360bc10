package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file holds the relationships that the standard implies: the library
// type of each kind of element (KerML 8.4, SysML 8.4), redefinition by
// position, and what a semantic annotation adds.

// base names, for each metaclass, the library type that its elements
// specialize when nothing written says more.
var base = map[syntax.Metaclass]string{
	syntax.Type:                 "Base::Anything",
	syntax.Classifier:           "Base::Anything",
	syntax.DataType:             "Base::DataValue",
	syntax.Class:                "Occurrences::Occurrence",
	syntax.Structure:            "Objects::Object",
	syntax.MetaclassType:        "Metaobjects::Metaobject",
	syntax.Association:          "Links::Link",
	syntax.AssociationStructure: "Objects::LinkObject",
	syntax.Interaction:          "Transfers::Transfer",
	syntax.Behavior:             "Performances::Performance",
	syntax.Function:             "Performances::Evaluation",
	syntax.Predicate:            "Performances::BooleanEvaluation",

	syntax.Feature:           "Base::things",
	syntax.Step:              "Performances::performances",
	syntax.Expression:        "Performances::evaluations",
	syntax.BooleanExpression: "Performances::booleanEvaluations",
	syntax.Invariant:         "Performances::trueEvaluations",
	syntax.Connector:         "Links::links",
	syntax.BindingConnector:  "Links::selfLinks",
	syntax.Succession:        "Occurrences::happensBeforeLinks",
	syntax.Flow:              "Transfers::transfers",
	syntax.SuccessionFlow:    "Transfers::flowTransfersBefore",
	syntax.MetadataFeature:   "Metaobjects::metaobjects",
	syntax.Multiplicity:      "Base::naturals",
	syntax.MultiplicityRange: "Base::naturals",

	syntax.Definition:                 "Base::Anything",
	syntax.AttributeDefinition:        "Base::DataValue",
	syntax.EnumerationDefinition:      "Base::DataValue",
	syntax.OccurrenceDefinition:       "Occurrences::Occurrence",
	syntax.ItemDefinition:             "Items::Item",
	syntax.PartDefinition:             "Parts::Part",
	syntax.PortDefinition:             "Ports::Port",
	syntax.ConnectionDefinition:       "Connections::Connection",
	syntax.FlowDefinition:             "Flows::MessageAction",
	syntax.InterfaceDefinition:        "Interfaces::Interface",
	syntax.AllocationDefinition:       "Allocations::Allocation",
	syntax.ActionDefinition:           "Actions::Action",
	syntax.StateDefinition:            "States::StateAction",
	syntax.CalculationDefinition:      "Calculations::Calculation",
	syntax.ConstraintDefinition:       "Constraints::ConstraintCheck",
	syntax.RequirementDefinition:      "Requirements::RequirementCheck",
	syntax.ConcernDefinition:          "Requirements::ConcernCheck",
	syntax.CaseDefinition:             "Cases::Case",
	syntax.AnalysisCaseDefinition:     "AnalysisCases::AnalysisCase",
	syntax.VerificationCaseDefinition: "VerificationCases::VerificationCase",
	syntax.UseCaseDefinition:          "UseCases::UseCase",
	syntax.ViewDefinition:             "Views::View",
	syntax.ViewpointDefinition:        "Views::ViewpointCheck",
	syntax.RenderingDefinition:        "Views::Rendering",
	syntax.MetadataDefinition:         "Metadata::MetadataItem",

	syntax.Usage:                   "Base::things",
	syntax.ReferenceUsage:          "Base::things",
	syntax.AttributeUsage:          "Base::dataValues",
	syntax.EnumerationUsage:        "Base::dataValues",
	syntax.OccurrenceUsage:         "Occurrences::occurrences",
	syntax.EventOccurrenceUsage:    "Occurrences::occurrences",
	syntax.ItemUsage:               "Items::items",
	syntax.PartUsage:               "Parts::parts",
	syntax.PortUsage:               "Ports::ports",
	syntax.ConnectionUsage:         "Connections::connections",
	syntax.BindingConnectorAsUsage: "Links::selfLinks",
	syntax.SuccessionAsUsage:       "Occurrences::happensBeforeLinks",
	syntax.InterfaceUsage:          "Interfaces::interfaces",
	syntax.AllocationUsage:         "Allocations::allocations",
	syntax.FlowUsage:               "Flows::flows",
	syntax.SuccessionFlowUsage:     "Flows::successionFlows",
	syntax.ActionUsage:             "Actions::actions",
	syntax.PerformActionUsage:      "Actions::actions",
	syntax.AcceptActionUsage:       "Actions::acceptActions",
	syntax.SendActionUsage:         "Actions::sendActions",
	syntax.AssignmentActionUsage:   "Actions::assignmentActions",
	syntax.TerminateActionUsage:    "Actions::terminateActions",
	syntax.IfActionUsage:           "Actions::ifThenActions",
	syntax.WhileLoopActionUsage:    "Actions::whileLoopActions",
	syntax.ForLoopActionUsage:      "Actions::forLoopActions",
	syntax.MergeNode:               "Actions::Action::merges",
	syntax.DecisionNode:            "Actions::Action::decisions",
	syntax.JoinNode:                "Actions::Action::joins",
	syntax.ForkNode:                "Actions::Action::forks",
	syntax.StateUsage:              "States::stateActions",
	syntax.ExhibitStateUsage:       "States::stateActions",
	syntax.TransitionUsage:         "Actions::transitionActions",
	syntax.CalculationUsage:        "Calculations::calculations",
	syntax.ConstraintUsage:         "Constraints::constraintChecks",
	syntax.AssertConstraintUsage:   "Constraints::assertedConstraintChecks",
	syntax.RequirementUsage:        "Requirements::requirementChecks",
	syntax.SatisfyRequirementUsage: "Requirements::satisfiedRequirementChecks",
	syntax.ConcernUsage:            "Requirements::concernChecks",
	syntax.CaseUsage:               "Cases::cases",
	syntax.AnalysisCaseUsage:       "AnalysisCases::analysisCases",
	syntax.VerificationCaseUsage:   "VerificationCases::verificationCases",
	syntax.UseCaseUsage:            "UseCases::useCases",
	syntax.IncludeUseCaseUsage:     "UseCases::useCases",
	syntax.ViewUsage:               "Views::views",
	syntax.ViewpointUsage:          "Views::viewpointChecks",
	syntax.RenderingUsage:          "Views::renderings",
	syntax.MetadataUsage:           "Metadata::metadataItems",
}

// impliedBases are the library types and features that e specializes without
// writing so; none where the library is not there.
func (e *Element) impliedBases() []*Element {
	if !e.isType() || e.model.library == nil && !e.doc.library {
		return nil
	}
	n := base[e.metaclass]
	switch e.metaclass {
	case syntax.Feature, syntax.ReferenceUsage, syntax.Usage:
		n = e.featureBase()
	case syntax.AttributeUsage:
		if e.isTypedOtherwise() {
			return nil
		}
	}
	binary := binaryBase[n]
	if binary != "" && e.endCount() != 2 {
		binary = ""
	}
	all := e.model.baseList(baseKey{n, binary, e.contextBase(), e.isFeature()})
	if slices.Contains(all, e) {
		return without(all, e)
	}
	return all
}

// baseList are the library elements that key names, or else the root of all
// types or of all features.
func (m *Model) baseList(key baseKey) []*Element {
	all, known := m.baseLists[key]
	if known {
		return all
	}
	root := "Base::Anything"
	if key.feature {
		root = "Base::things"
	}
	for _, name := range [...]string{key.kind, key.binary, key.context, root} {
		if name == root && len(all) > 0 || name == "" {
			continue
		}
		if b := m.libraryElement(name); b != nil {
			all = append(all, b)
		}
	}
	m.baseLists[key] = all
	return all
}

// A baseKey names what is implied for a kind of element, for its having two
// ends, and for where it stands; each may be "".
type baseKey struct {
	kind, binary, context string
	feature               bool
}

// isTypedOtherwise reports whether classifiers type e, and none of them is a
// data type.
func (e *Element) isTypedOtherwise() bool {
	other := false
	for _, g := range e.generals() {
		if g.Kind != syntax.TypedBy || !g.Target.metaclass.IsClassifier() {
			continue
		}
		if isDataTypeKind(g.Target.metaclass) {
			return false
		}
		other = true
	}
	return other
}

// variantGenerals is the variation that a variant is a choice of (SysML
// 8.4.2).
func (e *Element) variantGenerals() []General {
	if e.decl == nil || e.decl.Member != syntax.VariantMember || !e.owner.isVariation() {
		return nil
	}
	kind := syntax.TypedBy
	if e.owner.isFeature() {
		kind = syntax.Subsets
	}
	return []General{{Kind: kind, Target: e.owner, Implied: true}}
}

// binaryBase is what a library base of links becomes for those with two ends.
var binaryBase = map[string]string{
	"Links::Link":              "Links::BinaryLink",
	"Objects::LinkObject":      "Objects::BinaryLinkObject",
	"Connections::Connection":  "Connections::BinaryConnection",
	"Interfaces::Interface":    "Interfaces::BinaryInterface",
	"Links::links":             "Links::binaryLinks",
	"Connections::connections": "Connections::binaryConnections",
	"Interfaces::interfaces":   "Interfaces::binaryInterfaces",
}

// endCount is how many ends e has, its own and those it inherits at places
// where it has none.
func (e *Element) endCount() int {
	n := len(e.positioned(endPosition))
	for _, g := range e.supertypes() {
		n = max(n, len(g.positioned(endPosition)))
	}
	return n
}

// featureBase is the base of a feature of no particular kind, which depends on
// what its types are.
func (e *Element) featureBase() string {
	for _, t := range e.supertypes() {
		switch m := t.metaclass; {
		case isDataTypeKind(m):
			return "Base::dataValues"
		case isStructureKind(m):
			return "Objects::objects"
		case isBehaviorKind(m):
			return "Performances::performances"
		case isClassKind(m):
			return "Occurrences::occurrences"
		}
	}
	return "Base::things"
}

// libraryElement is the library element with a plain qualified name; nil where
// the library has none.
func (m *Model) libraryElement(qualified string) *Element {
	if e, ok := m.bases[qualified]; ok {
		return e
	}
	segments := splitName(qualified)
	var e *Element
	if file, ok := m.libraryFile(segments[0]); ok {
		e = m.read(file).root
		for _, n := range segments {
			e = firstNamed(e, n)
			if e == nil {
				break
			}
		}
	}
	m.bases[qualified] = e
	return e
}

func firstNamed(e *Element, name string) *Element {
	for _, c := range e.named(name) {
		return c
	}
	return nil
}

// impliedRedefinitions are the features that e redefines by its position or
// its part in its owner, without writing so: parameters, ends, subjects,
// objectives and results of what the owner is written to specialize.
func (e *Element) impliedRedefinitions() []*Element {
	kind := e.redefiningPosition()
	if kind == noPosition {
		return nil
	}
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.implied, func() []*Element {
		var all []*Element
		at := e.placeIn(kind)
		for _, g := range e.owner.generals() {
			all = addFeatures(all, e, g.Target.counterparts(e, kind, at, false))
		}
		return all
	})
}

// libraryRedefinitions are those that e redefines so in what the library
// implies for its owner.
func (e *Element) libraryRedefinitions() []*Element {
	kind := e.redefiningPosition()
	if kind == noPosition {
		return nil
	}
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.impliedLibrary, func() []*Element {
		var all []*Element
		at := e.placeIn(kind)
		e.owner.eachGeneral(func(g *Element) {
			all = addFeatures(all, e, g.counterparts(e, kind, at, true))
		})
		return all
	})
}

// counterparts are the features of e, own or inherited, that f redefines where
// f is at place i of the series kind of what specializes e: those of its name
// in the series, or else those at its place.
func (e *Element) counterparts(f *Element, kind position, i int, implied bool) []*Element {
	if n := f.name(); n != "" && kind == parameterPosition {
		for _, t := range append([]*Element{e}, e.supertypes()...) {
			for _, o := range t.named(n) {
				if o != f && o.isFeature() && o.owner.isType() && o.position() == kind {
					return []*Element{o}
				}
			}
		}
	}
	found := e.positionedAt(kind, i, implied)
	if kind != parameterPosition || len(found) == 0 || f.owner == nil {
		return found
	}
	for _, o := range f.owner.named(found[0].effectiveNameWithin(4)) {
		if o != f && o.position() == kind {
			return nil // another parameter redefines it by name
		}
	}
	return found
}

// addFeatures adds to all what of list is not in it, without e.
func addFeatures(all []*Element, e *Element, list []*Element) []*Element {
next:
	for _, f := range list {
		if f == e {
			continue
		}
		for _, o := range all {
			if o == f {
				continue next
			}
		}
		all = append(all, f)
	}
	return all
}

// redefiningPosition is the series in which e redefines; noPosition where it
// writes a redefinition, which then counts alone.
func (e *Element) redefiningPosition() position {
	if e.owner == nil || !e.isFeature() || !e.owner.isType() || e.isRedefining() {
		return noPosition
	}
	return e.position()
}

// placeIn is the place of e among its owner's features of the series kind.
func (e *Element) placeIn(kind position) int {
	if kind == objectivePosition {
		return 0 // each objective redefines the one of the general
	}
	for i, f := range e.owner.positioned(kind) {
		if f == e {
			return i
		}
	}
	return -1
}

// A position is a series of features of one owner, counted from 0, in which a
// feature redefines the one at the same place of a general.
type position uint8

const (
	noPosition position = iota
	parameterPosition
	resultPosition
	endPosition
	subjectPosition
	objectivePosition
)

// position is the series that e belongs to.
func (e *Element) position() position {
	if e.end != nil {
		return endPosition
	}
	if e.decl == nil {
		return noPosition
	}
	switch {
	case e.decl.Member == syntax.ReturnMember:
		return resultPosition
	case e.decl.Member == syntax.SubjectMember:
		return subjectPosition
	case e.decl.Member == syntax.ObjectiveMember:
		return objectivePosition
	case e.decl.Is(syntax.End):
		return endPosition
	case e.decl.Member == syntax.ActorMember || e.decl.Member == syntax.StakeholderMember:
		return parameterPosition
	case e.decl.Direction != syntax.NoDirection && e.owner.isBehavior():
		return parameterPosition
	}
	return noPosition
}

// isBehavior reports whether what e declares with a direction are parameters.
func (e *Element) isBehavior() bool {
	switch e.metaclass {
	case syntax.Behavior, syntax.Function, syntax.Predicate, syntax.Step, syntax.Expression,
		syntax.BooleanExpression, syntax.Invariant,
		syntax.ActionDefinition, syntax.StateDefinition, syntax.CalculationDefinition, syntax.ConstraintDefinition,
		syntax.RequirementDefinition, syntax.ConcernDefinition, syntax.CaseDefinition, syntax.AnalysisCaseDefinition,
		syntax.VerificationCaseDefinition, syntax.UseCaseDefinition, syntax.ViewpointDefinition:
		return true
	}
	return e.metaclass >= syntax.ActionUsage && e.metaclass <= syntax.UseCaseUsage ||
		e.metaclass == syntax.IncludeUseCaseUsage || e.metaclass == syntax.ViewpointUsage
}

// positioned are the features of e's own in the series kind, in order.
func (e *Element) positioned(kind position) []*Element {
	var all []*Element
	for _, list := range e.children() {
		for _, c := range list {
			if c.isFeature() && c.position() == kind {
				all = append(all, c)
			}
		}
	}
	return all
}

// positionedAt are the features at place i of the series kind of e: its own
// one, or else those that it inherits there, through implied generals only
// where implied is set.
func (e *Element) positionedAt(kind position, i int, implied bool) []*Element {
	if i < 0 {
		return nil
	}
	var all []*Element
	add := func(t *Element) bool {
		own := t.positioned(kind)
		if i >= len(own) {
			return false
		}
		all = addFeatures(all, nil, own[i:i+1])
		return true
	}
	if add(e) {
		return all
	}
	closure(e, func(t *Element, visit func(*Element)) {
		if t != e && add(t) {
			return
		}
		for _, g := range t.generals() {
			visit(g.Target)
		}
		if implied {
			for _, b := range t.impliedBases() {
				visit(b)
			}
		}
	})
	return all
}

// libraryFile is the library text that declares a top-level package.
func (m *Model) libraryFile(name string) (*source.File, bool) {
	if m.library == nil {
		return nil, false
	}
	return m.library.Lookup(name)
}
