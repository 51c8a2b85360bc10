package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks what types specialize and what usages are typed by.

// specialization checks the written generals of a classifier.
func (c *checker) specialization(e *Element) {
	conjugated := false
	for _, r := range e.relationships() {
		conjugated = conjugated || r.Kind == syntax.Conjugates
	}
	for i := range e.relationships() {
		r := &e.decl.Relationships[i]
		if r.Kind == syntax.Specializes && conjugated {
			c.report(conjugatedSpecialized(r.In(e.doc.File)))
		}
		if r.Kind != syntax.Specializes || !e.metaclass.IsClassifier() {
			continue
		}
		if links := e.target(i); len(links) > 0 {
			c.general(e, links[len(links)-1], r.In(e.doc.File))
		}
	}
}

// general checks that the kinds of e and of its general g agree.
func (c *checker) general(e, g *Element, at source.Span) {
	m, n := e.metaclass, g.metaclass
	switch {
	case isDataTypeKind(m) && (isClassKind(n) || isAssociationKind(n)):
		c.report(wrongGeneral(datatypeSpecialization, e, g, at))
	case isClassKind(m) && !isAssociationKind(m) && (isDataTypeKind(n) || isAssociationKind(n)),
		isClassKind(m) && isDataTypeKind(n):
		c.report(wrongGeneral(classSpecialization, e, g, at))
	case isStructureKind(m) && !isAssociationKind(m) && isBehaviorKind(n):
		c.report(wrongGeneral(structureSpecialization, e, g, at))
	case isBehaviorKind(m) && isStructureKind(n):
		c.report(wrongGeneral(behaviorSpecialization, e, g, at))
	}
}

// variationGenerals reports a variation among what the variation e
// specializes.
func (c *checker) variationGenerals(e *Element) {
	if !e.isVariation() {
		return
	}
	for i, r := range e.relationships() {
		links := e.target(i)
		if r.Kind > syntax.References || len(links) == 0 || !links[len(links)-1].isVariation() {
			continue
		}
		g := links[len(links)-1]
		c.report(diagnostic.New(variationSpecializesVariation, r.In(e.doc.File), "a variation does not specialize the variation "+g.qualifiedName(true)).
			WithRelated(g.NameSpan(), "the other variation"))
	}
}

// setOperands checks unions, intersections and differences: none has a single
// operand, or the type itself for one.
func (c *checker) setOperands(e *Element) {
	for _, kind := range [...]syntax.RelationshipKind{syntax.Unions, syntax.Intersects, syntax.Differences} {
		n, at := 0, source.Span{}
		for i, r := range e.relationships() {
			if r.Kind != kind {
				continue
			}
			n++
			at = r.In(e.doc.File)
			if links := e.target(i); len(links) > 0 && links[len(links)-1] == e {
				c.report(diagnostic.New(selfInSetOperation, at, e.described()+" is no operand of its own "+setWords[kind]))
			}
		}
		if n == 1 {
			c.report(diagnostic.New(singleSetOperand, at, "a "+setWords[kind]+" has two operands at least"))
		}
	}
}

var setWords = map[syntax.RelationshipKind]string{syntax.Unions: "union", syntax.Intersects: "intersection", syntax.Differences: "difference"}

// apartSpecialization checks a specialization declared by itself.
func (c *checker) apartSpecialization(e *Element, part *syntax.RelationshipPart) {
	if e.metaclass != syntax.Specialization && e.metaclass != syntax.Subclassification {
		return
	}
	links, why := c.model.reference(&part.Specific, e.owner, nil, (*Element).isType)
	if why != nil {
		return
	}
	for _, g := range links[len(links)-1].generals() {
		if g.Kind == syntax.Conjugates {
			c.report(conjugatedSpecialized(part.Specific.In(e.doc.File)))
			return
		}
	}
}

// isVariation reports whether e is a variation; every enumeration is one.
func (e *Element) isVariation() bool {
	return e.is(syntax.Variation) || e.metaclass == syntax.EnumerationDefinition
}

// A typing is what the types of a kind of usage have to be.
type typing struct {
	code   diagnostic.Code
	usage  string // "a calculation"
	by     string // "calculation definition"
	one    bool   // exactly one
	admits func(syntax.Metaclass) bool
}

func is(kinds ...syntax.Metaclass) func(syntax.Metaclass) bool {
	return func(m syntax.Metaclass) bool {
		return slices.Contains(kinds, m)
	}
}

var (
	occurrenceTyping = typing{typingOccurrence, "an occurrence, item or part", "occurrence definition", false, isClassKind}
	actionTyping     = typing{typingAction, "an action", "action definition", false, isBehaviorKind}
	stateTyping      = typing{typingState, "a state", "state definition", false, isBehaviorKind}
	useCaseTyping    = typing{typingUseCase, "a use case", "use case definition", true, is(syntax.UseCaseDefinition)}
	constraintTyping = typing{typingConstraint, "a constraint", "constraint definition", true, isPredicateKind}
	requireTyping    = typing{typingRequirement, "a requirement", "requirement definition", true, isRequirementKind}
	flowTyping       = typing{typingFlow, "a flow", "flow definition", false, is(syntax.FlowDefinition, syntax.Interaction)}
)

// typings are the rules by metaclass (SysML 8.3: the types of the derived
// properties partDefinition, calculationDefinition and so on).
var typings = map[syntax.Metaclass]typing{
	syntax.OccurrenceUsage: occurrenceTyping, syntax.ItemUsage: occurrenceTyping, syntax.PartUsage: occurrenceTyping,
	syntax.EventOccurrenceUsage: occurrenceTyping,
	syntax.AttributeUsage:       {typingAttribute, "an attribute", "attribute definition", false, isDataTypeKind},
	syntax.EnumerationUsage:     {typingEnumeration, "an enumeration", "enumeration definition", true, is(syntax.EnumerationDefinition)},
	syntax.PortUsage:            {typingPort, "a port", "port definition", false, is(syntax.PortDefinition)},
	syntax.ConnectionUsage: {typingConnection, "a connection", "connection definition", false,
		is(syntax.ConnectionDefinition, syntax.InterfaceDefinition, syntax.AllocationDefinition, syntax.Association, syntax.AssociationStructure)},
	syntax.InterfaceUsage:  {typingInterface, "an interface", "interface definition", false, is(syntax.InterfaceDefinition)},
	syntax.AllocationUsage: {typingAllocation, "an allocation", "allocation definition", false, is(syntax.AllocationDefinition)},
	syntax.FlowUsage:       flowTyping, syntax.SuccessionFlowUsage: flowTyping,
	syntax.ActionUsage: actionTyping, syntax.PerformActionUsage: actionTyping,
	syntax.StateUsage: stateTyping, syntax.ExhibitStateUsage: stateTyping,
	syntax.CalculationUsage: {typingCalculation, "a calculation", "calculation definition", true, isFunctionKind},
	syntax.ConstraintUsage:  constraintTyping, syntax.AssertConstraintUsage: constraintTyping,
	syntax.RequirementUsage: requireTyping, syntax.SatisfyRequirementUsage: requireTyping,
	syntax.ConcernUsage:          {typingRequirement, "a concern", "concern definition", true, is(syntax.ConcernDefinition)},
	syntax.ViewpointUsage:        {typingRequirement, "a viewpoint", "viewpoint definition", true, is(syntax.ViewpointDefinition)},
	syntax.CaseUsage:             {typingCase, "a case", "case definition", true, isCaseKind},
	syntax.AnalysisCaseUsage:     {typingAnalysisCase, "an analysis case", "analysis case definition", true, is(syntax.AnalysisCaseDefinition)},
	syntax.VerificationCaseUsage: {typingCase, "a verification case", "verification case definition", true, is(syntax.VerificationCaseDefinition)},
	syntax.UseCaseUsage:          useCaseTyping, syntax.IncludeUseCaseUsage: useCaseTyping,
	syntax.ViewUsage:      {typingUsage, "a view", "view definition", true, is(syntax.ViewDefinition)},
	syntax.RenderingUsage: {typingUsage, "a rendering", "rendering definition", true, is(syntax.RenderingDefinition)},
	syntax.ReferenceUsage: {typingUsage, "a usage", "definition", false, syntax.Metaclass.IsClassifier},
	syntax.Usage:          {typingUsage, "a usage", "definition", false, syntax.Metaclass.IsClassifier},
}

// usageTypes checks the types of a usage.
func (c *checker) usageTypes(e *Element) {
	rule, ok := typings[e.metaclass]
	if !ok || e.decl == nil {
		return
	}
	if types := e.writtenTypes(); rule.fits(types) && !e.is(syntax.Individual) {
		return // what is implied beside these specializes nothing else
	}
	types := e.allTypes()
	if e.metaclass == syntax.AttributeUsage && len(types) > 1 {
		for _, t := range types {
			if t.metaclass == syntax.EnumerationDefinition {
				c.report(diagnostic.New(typingEnumeratedAttribute, e.Span(), "an attribute typed by an enumeration definition has no other type").
					WithRelated(t.NameSpan(), "the enumeration definition"))
				return
			}
		}
	}
	wrong := false
	for _, t := range types {
		wrong = wrong || !rule.admits(t.metaclass)
	}
	if wrong || rule.one && len(types) > 1 {
		c.report(wrongTypes(e, rule, types))
		return
	}
	c.individual(e, types)
}

// fits reports whether types are what the rule asks for, none of them a matter
// of individuals or enumerations.
func (rule typing) fits(types []*Element) bool {
	if len(types) > 1 {
		return false
	}
	for _, t := range types {
		if !rule.admits(t.metaclass) {
			return false
		}
	}
	return true
}

// writtenTypes are the types that e is written to have, and those of what it
// subsets, redefines or refers to, each once.
func (e *Element) writtenTypes() []*Element {
	var all []*Element
	for _, t := range append([]*Element{e}, e.supertypes()...) {
		if t != e && !t.isFeature() {
			continue
		}
		for _, g := range t.generals() {
			if g.Kind == syntax.TypedBy {
				all = addFeatures(all, nil, []*Element{g.Target})
			}
		}
	}
	return all
}

// allTypes are all types of the feature e, those of what it subsets and
// redefines included, without types that others of them specialize. A feature
// that is used as a type stands for itself.
func (e *Element) allTypes() []*Element {
	var all []*Element
	add := func(t *Element) {
		for _, o := range all {
			if o == t || o.specializes(t) {
				return
			}
		}
		kept := all[:0]
		for _, o := range all {
			if !t.specializes(o) {
				kept = append(kept, o)
			}
		}
		all = append(kept, t)
	}
	seen := map[*Element]bool{e: true}
	var walk func(f *Element)
	walk = func(f *Element) {
		for _, g := range f.generals() {
			switch {
			case g.Kind == syntax.TypedBy:
				add(g.Target)
			case g.Kind != syntax.Crosses && g.Target.isFeature() && !seen[g.Target]:
				seen[g.Target] = true
				walk(g.Target)
			}
		}
	}
	walk(e)
	if len(all) == 0 {
		return nil // the implied library type alone, which always fits
	}
	for _, b := range e.impliedBases() {
		for _, t := range b.types() {
			add(t)
		}
	}
	return all
}

// individual checks that an individual has one individual definition.
func (c *checker) individual(e *Element, types []*Element) {
	n := 0
	for _, t := range types {
		if t.is(syntax.Individual) {
			n++
		}
	}
	switch {
	case n > 1:
		c.report(diagnostic.New(multipleIndividualDefinitions, e.Span(), e.described()+" has "+count(n, "individual definition")+" as types, and one at most is allowed"))
	case n == 0 && e.is(syntax.Individual):
		c.report(diagnostic.New(typingIndividual, e.Span(), e.described()+" is an individual and has no individual definition as its type"))
	}
}

// withoutLibrary reports what has no base type since there is no library.
func (c *checker) withoutLibrary(e *Element) {
	if c.model.library != nil || c.model.options.Lenient || e.decl == nil || e.doc.File.Language != source.SysML {
		return
	}
	switch {
	case e.metaclass.IsDefinition() && len(e.generals()) == 0:
		c.report(diagnostic.New(missingBaseType, e.Span(), e.described()+" does not specialize "+base[e.metaclass]+": no library is loaded"))
	case e.isFeature() && len(e.types()) == 0:
		c.report(diagnostic.New(featureWithoutType, e.Span(), e.described()+" has no type: no library is loaded"))
	}
}
