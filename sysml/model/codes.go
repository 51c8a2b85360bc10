package model

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file registers what can be wrong with a model, and builds the messages
// that more than one rule needs.

var (
	duplicateNameCode      = diagnostic.Register("duplicate-name", "Two members that one namespace owns share a name or a short name, so that neither can be told from the other.")
	duplicateInheritedCode = diagnostic.Register("duplicate-inherited-name", "A member has the name of a member that its owner inherits and that it does not redefine, or two inherited members share a name. Redefine the inherited one (`:>> name`), or choose another name.")
	importNotPrivate       = diagnostic.Register("import-not-private-at-root", "An import at the top of a document serves that document alone and has to be private.")
	userLibraryStandard    = diagnostic.Register("user-library-standard", "`standard library package` marks the language's own libraries. A library of yours is a `library package`.")

	missingBaseType    = diagnostic.Register("missing-base-type", "Every definition specializes a library type, at least by implication, and no library is loaded.")
	featureWithoutType = diagnostic.Register("feature-without-type", "Every feature has a type, at least one that the library implies, and no library is loaded.")

	conjugatedTypeSpecialized     = diagnostic.Register("conjugated-type-specialized", "A type that conjugates another has all its features from that one, and may not specialize anything beside it.")
	datatypeSpecialization        = diagnostic.Register("datatype-specialization", "The values of a data type are no occurrences, so a data type or attribute definition does not specialize a class, part definition, action definition or association.")
	classSpecialization           = diagnostic.Register("class-specialization", "What occurs in time is no data value: a class or part definition does not specialize a data type, nor an association unless it is one itself.")
	structureSpecialization       = diagnostic.Register("structure-specialization", "A structure does not specialize a behavior.")
	behaviorSpecialization        = diagnostic.Register("behavior-specialization", "A behavior does not specialize a structure.")
	singleSetOperand              = diagnostic.Register("single-set-operand", "unions, intersects and differences have no operand or at least two.")
	selfInSetOperation            = diagnostic.Register("self-in-set-operation", "A type is no operand of its own union, intersection or difference.")
	variationSpecializesVariation = diagnostic.Register("variation-specializes-variation", "A variation stands for a choice and does not specialize another variation; its variants may.")

	typingOccurrence              = diagnostic.Register("typing-occurrence", "Occurrences, items and parts are typed by occurrence definitions (item, part, action definitions and so on), not by data types and not by usages. A usage is a general of another through `:>`.")
	typingUsage                   = diagnostic.Register("typing-usage", "A usage is typed by definitions. To build on another usage, subset it: `x :> y`.")
	typingAttribute               = diagnostic.Register("typing-attribute", "An attribute is typed by attribute definitions, enumerations or data types. What is a part or an item is declared as `part`, `item` or `ref`.")
	typingEnumeration             = diagnostic.Register("typing-enumeration", "An enumeration usage has exactly one type, an enumeration definition.")
	typingEnumeratedAttribute     = diagnostic.Register("typing-enumerated-attribute", "An attribute that an enumeration definition types has no second type.")
	typingPort                    = diagnostic.Register("typing-port", "A port is typed by port definitions.")
	typingConnection              = diagnostic.Register("typing-connection", "A connection is typed by connection definitions or association structures.")
	typingInterface               = diagnostic.Register("typing-interface", "An interface is typed by interface definitions.")
	typingAllocation              = diagnostic.Register("typing-allocation", "An allocation is typed by allocation definitions.")
	typingFlow                    = diagnostic.Register("typing-flow", "A flow is typed by flow definitions or interactions.")
	typingAction                  = diagnostic.Register("typing-action", "An action is typed by action definitions or behaviors.")
	typingState                   = diagnostic.Register("typing-state", "A state is typed by state definitions or behaviors.")
	typingCalculation             = diagnostic.Register("typing-calculation", "A calculation has exactly one type, a calculation definition or function.")
	typingConstraint              = diagnostic.Register("typing-constraint", "A constraint has exactly one type, a constraint definition or predicate.")
	typingRequirement             = diagnostic.Register("typing-requirement", "A requirement has exactly one type, a requirement definition; a concern a concern definition, a viewpoint a viewpoint definition.")
	typingCase                    = diagnostic.Register("typing-case", "A case has exactly one type, a case definition; a verification case a verification case definition.")
	typingAnalysisCase            = diagnostic.Register("typing-analysis-case", "An analysis case has exactly one type, an analysis case definition.")
	typingUseCase                 = diagnostic.Register("typing-use-case", "A use case has exactly one type, a use case definition.")
	typingIndividual              = diagnostic.Register("typing-individual", "An individual usage has an individual definition among its types.")
	multipleIndividualDefinitions = diagnostic.Register("multiple-individual-definitions", "A usage has at most one individual definition among its types: nothing is two individuals.")
)

var (
	inaccessibleFeature       = diagnostic.Register("inaccessible-feature", "A feature exists only in what its owner types. One of another type is reached by a dot path from a feature of that type: `a.b`, where `A::b` only names it.")
	invalidFeatureReference   = diagnostic.Register("invalid-feature-reference", "An expression names a feature, and behind a dot one that the value before the dot has.")
	subsettingUpper           = diagnostic.Register("subsetting-upper-bound", "A feature that subsets or redefines another cannot have more values than that one. Attributes, items, parts and ports of a type have exactly one value where nothing else is written.")
	redefinitionLower         = diagnostic.Register("redefinition-lower-bound", "A redefinition may not allow fewer values than what it redefines; ends of connections may.")
	subsettingUniqueness      = diagnostic.Register("subsetting-uniqueness", "A nonunique feature, whose values may repeat, cannot subset or redefine a unique one.")
	subsettingConstant        = diagnostic.Register("subsetting-constant", "A variable feature that subsets or redefines a constant one has to be constant too.")
	multipleReferences        = diagnostic.Register("multiple-reference-subsettings", "A feature refers to at most one other by `::>`.")
	singleChaining            = diagnostic.Register("single-chaining-feature", "A feature chain has at least two links.")
	selfInChain               = diagnostic.Register("self-in-feature-chain", "A feature is no link of its own chain.")
	redefinitionFeaturingType = diagnostic.Register("redefinition-featuring-type", "Only an inherited feature is redefined: not one of a package, and not one of the same owner. Subset it instead.")
	redefinitionEnd           = diagnostic.Register("redefinition-end", "A feature that redefines an end of a connection is an end itself.")
	redefinitionDirection     = diagnostic.Register("redefinition-direction", "A redefining feature keeps the direction in or out of what it redefines, and keeps or narrows inout. Seen through a conjugated port directions are turned round.")
	variablePortion           = diagnostic.Register("variable-portion", "A portion of an occurrence does not vary over time.")
	variableFeatureOwner      = diagnostic.Register("variable-feature-owner", "Only a type of occurrences has features that vary over time.")
	multipleMultiplicities    = diagnostic.Register("multiple-multiplicities", "A type has at most one multiplicity.")
	multiplicityBoundType     = diagnostic.Register("multiplicity-bound-type", "The bounds of a multiplicity are natural numbers, or * above.")
)

var (
	associationEndTypes        = diagnostic.Register("association-end-type-count", "Each end of an association or connection definition has exactly one type, an inherited one that differs counted.")
	tooFewRelatedElements      = diagnostic.Register("too-few-related-elements", "A connection or association that is not abstract relates at least two things.")
	tooManyEnds                = diagnostic.Register("too-many-ends", "What specializes a binary link, as every interface does, has no third end.")
	flowDefinitionEnds         = diagnostic.Register("flow-definition-end-count", "A flow definition has at most two ends.")
	flowEndUnidentified        = diagnostic.Register("flow-end-unidentified", "A flow end is written owner.feature: the feature whose value flows, and what has it.")
	interfaceEndNotPort        = diagnostic.Register("interface-end-not-port", "The ends of an interface are ports.")
	bindingTypes               = diagnostic.Register("binding-type-conformance", "Two features that are bound to each other have the same values, so their types should conform one way or the other.")
	crossFeatureType           = diagnostic.Register("cross-feature-type", "The feature that an end crosses to has the types of the end.")
	crossedFeature             = diagnostic.Register("crossed-feature-not-opposite", "A crossing is a dot path of two links whose first is the other end of the association.")
	crossFeatureSpecialization = diagnostic.Register("cross-feature-specialization", "Where an end redefines an end, its cross feature specializes that end's cross feature.")
	crossFeatureNotOwned       = diagnostic.Register("cross-feature-not-owned", "An end that owns a cross feature crosses to that one.")
)

var (
	multipleStateSubactions   = diagnostic.Register("multiple-state-subactions", "A state has at most one entry, one do and one exit action.")
	parallelSuccession        = diagnostic.Register("parallel-state-succession", "The direct parts of a parallel state are active together; no succession or transition leads from one to another.")
	multipleSubjects          = diagnostic.Register("multiple-subjects", "A requirement or case has at most one subject.")
	subjectPositionCode       = diagnostic.Register("subject-not-first", "The subject is the first parameter of a requirement or case.")
	multipleObjectives        = diagnostic.Register("multiple-objectives", "A case has at most one objective.")
	multipleReturnParameters  = diagnostic.Register("multiple-return-parameters", "A calculation or function has one return parameter.")
	multipleResultExpressions = diagnostic.Register("multiple-result-expressions", "A calculation or function has at most one result expression, inherited ones counted.")
	multipleViewRenderings    = diagnostic.Register("multiple-view-renderings", "A view has at most one rendering.")
	compositeInPort           = diagnostic.Register("composite-in-port", "In a port everything but other ports is referential.")
	nonVariant                = diagnostic.Register("non-variant-in-variation", "A variation owns no usages but its variants.")
	variantOutside            = diagnostic.Register("variant-outside-variation", "A variant is a member of a variation.")
	verificationOutside       = diagnostic.Register("verification-outside-objective", "`verify` stands in the objective of a verification case.")
	portionOwner              = diagnostic.Register("portion-owner", "A snapshot or timeslice belongs to an occurrence definition or usage.")
	referencedUsageKind       = diagnostic.Register("referenced-usage-kind", "What perform, exhibit, include and event name is an action, a state, a use case, an occurrence.")
	guardNotBoolean           = diagnostic.Register("transition-guard-not-boolean", "The guard of a transition is a Boolean.")
	accepterSource            = diagnostic.Register("transition-accepter-source", "Only a transition out of a state has a trigger.")
	targetNotVariable         = diagnostic.Register("assignment-target-not-variable", "What is assigned to may vary over time: it is no constant, and no action.")
)

var (
	metadataAbstractType     = diagnostic.Register("metadata-abstract-type", "An annotation has a type that is not abstract.")
	metadataAnnotatedElement = diagnostic.Register("metadata-annotated-element", "An annotation is put on the kinds of element that its type admits by annotatedElement.")
	metadataBodyRedefinition = diagnostic.Register("metadata-body-redefinition", "A feature in the body of an annotation redefines a feature of the type of the annotation.")
	notModelLevelEvaluable   = diagnostic.Register("not-model-level-evaluable", "The condition of a filter, and a value in an annotation, can be worked out from the model alone: no calls of your own calculations, no bodies, nothing that looks at occurrences.")
	filterNotBoolean         = diagnostic.Register("filter-not-boolean", "The condition of a filter is a Boolean.")
)

func abstractMetadata(t *Element, at source.Span) *diagnostic.Diagnostic {
	return diagnostic.New(metadataAbstractType, at, t.qualifiedName(true)+" is abstract and annotates nothing itself").
		WithRelated(t.NameSpan(), "declared here")
}

func notEvaluable(at source.Span, what string) *diagnostic.Diagnostic {
	return diagnostic.New(notModelLevelEvaluable, at, what+" cannot be worked out from the model alone")
}

// upTo is n, or "any number of" for no bound.
func upTo(n int64) string {
	if n < 0 {
		return "any number of"
	}
	return strconv.FormatInt(n, 10)
}

// described is how a message begins to speak of e: "part engine", "the
// unnamed part".
func (e *Element) described() string {
	if n := e.effectiveName(); n != "" {
		return e.kindName() + " " + Quote(n)
	}
	return "the unnamed " + e.kindName()
}

func duplicateName(e *Element, name string, other *Element) *diagnostic.Diagnostic {
	d := diagnostic.New(duplicateNameCode, e.NameSpan(), "another member of "+e.owner.inWords()+" is called "+Quote(name))
	d.Severity = diagnostic.Warning
	return d.WithRelated(other.NameSpan(), "the other "+Quote(name))
}

// inWords is the qualified name of e, or what it is where it has none.
func (e *Element) inWords() string {
	if e.owner == nil {
		return "this document"
	}
	return e.qualifiedName(true)
}

func duplicateInheritedName(at source.Span, name string, other *Element) *diagnostic.Diagnostic {
	d := diagnostic.New(duplicateInheritedCode, at, Quote(name)+" is the name of a member inherited from "+other.owner.inWords())
	d.Severity = diagnostic.Warning
	return d.WithRelated(other.NameSpan(), "the inherited member").
		WithHint("redefine it with `:>> " + Quote(name) + "`, or choose another name")
}

func duplicateInherited(e *Element, name string, a, b *Element) *diagnostic.Diagnostic {
	d := diagnostic.New(duplicateInheritedCode, e.Span(), e.described()+" inherits "+Quote(name)+" from "+a.owner.inWords()+" and from "+b.owner.inWords())
	d.Severity = diagnostic.Warning
	return d.WithRelated(a.NameSpan(), "the one").WithRelated(b.NameSpan(), "the other")
}

func conjugatedSpecialized(at source.Span) *diagnostic.Diagnostic {
	return diagnostic.New(conjugatedTypeSpecialized, at, "a conjugated type does not specialize another type")
}

func wrongGeneral(code diagnostic.Code, e, g *Element, at source.Span) *diagnostic.Diagnostic {
	return diagnostic.New(code, at, "the "+e.kindName()+" "+Quote(e.effectiveName())+" cannot specialize "+g.qualifiedName(true)+
		", "+article(g.kindName())+" "+g.kindName()).WithRelated(g.NameSpan(), "declared here")
}

func wrongTypes(e *Element, rule typing, types []*Element) *diagnostic.Diagnostic {
	by := rule.by + "s"
	if rule.one {
		by = "one " + rule.by
	}
	var names []string
	for _, t := range types {
		names = append(names, t.qualifiedName(true)+" ("+t.kindName()+")")
	}
	return diagnostic.New(rule.code, e.Span(), rule.usage+" is typed by "+by+", and "+e.described()+" by "+strings.Join(names, ", "))
}
