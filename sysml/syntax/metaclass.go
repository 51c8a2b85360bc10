package syntax

// A Metaclass says what kind of element a Decl declares. The names are those
// of the metaclasses of the standard (SysML v2, 8.3; KerML, 8.3). Three are
// memberships, which some members are and own nothing: Membership (alias),
// FeatureMembership (`first x;`) and ElementFilterMembership (`filter`).
type Metaclass uint8

// The metaclasses. The zero Metaclass stands for none.
const (
	NoMetaclass Metaclass = iota

	// Relationships and annotations that are members of their own.
	Membership              // alias a for b;
	FeatureMembership       // first a;
	ElementFilterMembership // filter e;
	MembershipImport        // import a::b;
	NamespaceImport         // import a::*;
	MembershipExpose        // expose a::b;
	NamespaceExpose         // expose a::*;
	Dependency
	Comment
	Documentation
	TextualRepresentation
	Specialization    // KerML: specialization x subtype a :> b;
	Subclassification // KerML: subclassifier a :> b;
	Conjugation       // KerML: conjugate a ~ b;
	Disjoining        // KerML: disjoint a from b;
	FeatureInverting  // KerML: inverse a of b;
	FeatureTyping     // KerML: typing a : b;
	Subsetting        // KerML: subset a :> b;
	Redefinition      // KerML: redefinition a :>> b;
	TypeFeaturing     // KerML: featuring a by b;

	// Namespaces.
	Namespace
	Package
	LibraryPackage

	// KerML types.
	Type
	Classifier
	DataType
	Class
	Structure
	MetaclassType // the metaclass "Metaclass" itself, which has this name in Go
	Association
	AssociationStructure
	Interaction
	Behavior
	Function
	Predicate

	// KerML features.
	Feature
	Step
	Expression
	BooleanExpression
	Invariant
	Connector
	BindingConnector
	Succession
	Flow
	SuccessionFlow
	MetadataFeature
	Multiplicity
	MultiplicityRange

	// SysML definitions.
	Definition // #keyword def x
	AttributeDefinition
	EnumerationDefinition
	OccurrenceDefinition
	ItemDefinition
	PartDefinition
	PortDefinition
	ConnectionDefinition
	FlowDefinition
	InterfaceDefinition
	AllocationDefinition
	ActionDefinition
	StateDefinition
	CalculationDefinition
	ConstraintDefinition
	RequirementDefinition
	ConcernDefinition
	CaseDefinition
	AnalysisCaseDefinition
	VerificationCaseDefinition
	UseCaseDefinition
	ViewDefinition
	ViewpointDefinition
	RenderingDefinition
	MetadataDefinition

	// SysML usages.
	Usage // #keyword x
	ReferenceUsage
	AttributeUsage
	EnumerationUsage
	OccurrenceUsage
	EventOccurrenceUsage
	ItemUsage
	PartUsage
	PortUsage
	ConnectionUsage
	BindingConnectorAsUsage
	SuccessionAsUsage
	InterfaceUsage
	AllocationUsage
	FlowUsage // flow and message
	SuccessionFlowUsage
	ActionUsage
	PerformActionUsage
	AcceptActionUsage
	SendActionUsage
	AssignmentActionUsage
	TerminateActionUsage
	IfActionUsage
	WhileLoopActionUsage
	ForLoopActionUsage
	MergeNode
	DecisionNode
	JoinNode
	ForkNode
	StateUsage
	ExhibitStateUsage
	TransitionUsage
	CalculationUsage
	ConstraintUsage
	AssertConstraintUsage
	RequirementUsage
	SatisfyRequirementUsage
	ConcernUsage
	CaseUsage
	AnalysisCaseUsage
	VerificationCaseUsage
	UseCaseUsage
	IncludeUseCaseUsage
	ViewUsage
	ViewpointUsage
	RenderingUsage
	MetadataUsage

	// Members of a state body beyond the standard (extensions).
	PseudostateUsage // choice, junction, history, deep history; see PseudostatePart
	DeferUsage       // defer Sig;

	metaclasses // how many there are
)

var metaclassTable = [metaclasses]struct{ name, keyword string }{
	NoMetaclass:                {"", ""},
	Membership:                 {"Membership", "alias"},
	FeatureMembership:          {"FeatureMembership", "first"},
	ElementFilterMembership:    {"ElementFilterMembership", "filter"},
	MembershipImport:           {"MembershipImport", "import"},
	NamespaceImport:            {"NamespaceImport", "import"},
	MembershipExpose:           {"MembershipExpose", "expose"},
	NamespaceExpose:            {"NamespaceExpose", "expose"},
	Dependency:                 {"Dependency", "dependency"},
	Comment:                    {"Comment", "comment"},
	Documentation:              {"Documentation", "doc"},
	TextualRepresentation:      {"TextualRepresentation", "rep"},
	Specialization:             {"Specialization", "subtype"},
	Subclassification:          {"Subclassification", "subclassifier"},
	Conjugation:                {"Conjugation", "conjugate"},
	Disjoining:                 {"Disjoining", "disjoint"},
	FeatureInverting:           {"FeatureInverting", "inverse"},
	FeatureTyping:              {"FeatureTyping", "typing"},
	Subsetting:                 {"Subsetting", "subset"},
	Redefinition:               {"Redefinition", "redefinition"},
	TypeFeaturing:              {"TypeFeaturing", "featuring"},
	Namespace:                  {"Namespace", "namespace"},
	Package:                    {"Package", "package"},
	LibraryPackage:             {"LibraryPackage", "library package"},
	Type:                       {"Type", "type"},
	Classifier:                 {"Classifier", "classifier"},
	DataType:                   {"DataType", "datatype"},
	Class:                      {"Class", "class"},
	Structure:                  {"Structure", "struct"},
	MetaclassType:              {"Metaclass", "metaclass"},
	Association:                {"Association", "assoc"},
	AssociationStructure:       {"AssociationStructure", "assoc struct"},
	Interaction:                {"Interaction", "interaction"},
	Behavior:                   {"Behavior", "behavior"},
	Function:                   {"Function", "function"},
	Predicate:                  {"Predicate", "predicate"},
	Feature:                    {"Feature", "feature"},
	Step:                       {"Step", "step"},
	Expression:                 {"Expression", "expr"},
	BooleanExpression:          {"BooleanExpression", "bool"},
	Invariant:                  {"Invariant", "inv"},
	Connector:                  {"Connector", "connector"},
	BindingConnector:           {"BindingConnector", "binding"},
	Succession:                 {"Succession", "succession"},
	Flow:                       {"Flow", "flow"},
	SuccessionFlow:             {"SuccessionFlow", "succession flow"},
	MetadataFeature:            {"MetadataFeature", "metadata"},
	Multiplicity:               {"Multiplicity", "multiplicity"},
	MultiplicityRange:          {"MultiplicityRange", "multiplicity"},
	Definition:                 {"Definition", "def"},
	AttributeDefinition:        {"AttributeDefinition", "attribute def"},
	EnumerationDefinition:      {"EnumerationDefinition", "enum def"},
	OccurrenceDefinition:       {"OccurrenceDefinition", "occurrence def"},
	ItemDefinition:             {"ItemDefinition", "item def"},
	PartDefinition:             {"PartDefinition", "part def"},
	PortDefinition:             {"PortDefinition", "port def"},
	ConnectionDefinition:       {"ConnectionDefinition", "connection def"},
	FlowDefinition:             {"FlowDefinition", "flow def"},
	InterfaceDefinition:        {"InterfaceDefinition", "interface def"},
	AllocationDefinition:       {"AllocationDefinition", "allocation def"},
	ActionDefinition:           {"ActionDefinition", "action def"},
	StateDefinition:            {"StateDefinition", "state def"},
	CalculationDefinition:      {"CalculationDefinition", "calc def"},
	ConstraintDefinition:       {"ConstraintDefinition", "constraint def"},
	RequirementDefinition:      {"RequirementDefinition", "requirement def"},
	ConcernDefinition:          {"ConcernDefinition", "concern def"},
	CaseDefinition:             {"CaseDefinition", "case def"},
	AnalysisCaseDefinition:     {"AnalysisCaseDefinition", "analysis def"},
	VerificationCaseDefinition: {"VerificationCaseDefinition", "verification def"},
	UseCaseDefinition:          {"UseCaseDefinition", "use case def"},
	ViewDefinition:             {"ViewDefinition", "view def"},
	ViewpointDefinition:        {"ViewpointDefinition", "viewpoint def"},
	RenderingDefinition:        {"RenderingDefinition", "rendering def"},
	MetadataDefinition:         {"MetadataDefinition", "metadata def"},
	Usage:                      {"Usage", ""},
	ReferenceUsage:             {"ReferenceUsage", "ref"},
	AttributeUsage:             {"AttributeUsage", "attribute"},
	EnumerationUsage:           {"EnumerationUsage", "enum"},
	OccurrenceUsage:            {"OccurrenceUsage", "occurrence"},
	EventOccurrenceUsage:       {"EventOccurrenceUsage", "event"},
	ItemUsage:                  {"ItemUsage", "item"},
	PartUsage:                  {"PartUsage", "part"},
	PortUsage:                  {"PortUsage", "port"},
	ConnectionUsage:            {"ConnectionUsage", "connection"},
	BindingConnectorAsUsage:    {"BindingConnectorAsUsage", "binding"},
	SuccessionAsUsage:          {"SuccessionAsUsage", "succession"},
	InterfaceUsage:             {"InterfaceUsage", "interface"},
	AllocationUsage:            {"AllocationUsage", "allocation"},
	FlowUsage:                  {"FlowUsage", "flow"},
	SuccessionFlowUsage:        {"SuccessionFlowUsage", "succession flow"},
	ActionUsage:                {"ActionUsage", "action"},
	PerformActionUsage:         {"PerformActionUsage", "perform"},
	AcceptActionUsage:          {"AcceptActionUsage", "accept"},
	SendActionUsage:            {"SendActionUsage", "send"},
	AssignmentActionUsage:      {"AssignmentActionUsage", "assign"},
	TerminateActionUsage:       {"TerminateActionUsage", "terminate"},
	IfActionUsage:              {"IfActionUsage", "if"},
	WhileLoopActionUsage:       {"WhileLoopActionUsage", "while"},
	ForLoopActionUsage:         {"ForLoopActionUsage", "for"},
	MergeNode:                  {"MergeNode", "merge"},
	DecisionNode:               {"DecisionNode", "decide"},
	JoinNode:                   {"JoinNode", "join"},
	ForkNode:                   {"ForkNode", "fork"},
	StateUsage:                 {"StateUsage", "state"},
	ExhibitStateUsage:          {"ExhibitStateUsage", "exhibit"},
	TransitionUsage:            {"TransitionUsage", "transition"},
	CalculationUsage:           {"CalculationUsage", "calc"},
	ConstraintUsage:            {"ConstraintUsage", "constraint"},
	AssertConstraintUsage:      {"AssertConstraintUsage", "assert"},
	RequirementUsage:           {"RequirementUsage", "requirement"},
	SatisfyRequirementUsage:    {"SatisfyRequirementUsage", "satisfy"},
	ConcernUsage:               {"ConcernUsage", "concern"},
	CaseUsage:                  {"CaseUsage", "case"},
	AnalysisCaseUsage:          {"AnalysisCaseUsage", "analysis"},
	VerificationCaseUsage:      {"VerificationCaseUsage", "verification"},
	UseCaseUsage:               {"UseCaseUsage", "use case"},
	IncludeUseCaseUsage:        {"IncludeUseCaseUsage", "include"},
	ViewUsage:                  {"ViewUsage", "view"},
	ViewpointUsage:             {"ViewpointUsage", "viewpoint"},
	RenderingUsage:             {"RenderingUsage", "rendering"},
	MetadataUsage:              {"MetadataUsage", "metadata"},
	PseudostateUsage:           {"PseudostateUsage", "choice"},
	DeferUsage:                 {"DeferUsage", "defer"},
}

// String is the name of the metaclass as the standard writes it, except for
// the two extensions; "" for NoMetaclass.
func (m Metaclass) String() string { return metaclassTable[m].name }

// Keyword is what a declaration of m starts with in the notation, prefixes
// apart: "part def", "use case", "succession flow". "" where it has none.
func (m Metaclass) Keyword() string { return metaclassTable[m].keyword }

// IsDefinition reports whether m is a SysML definition.
func (m Metaclass) IsDefinition() bool { return m >= Definition && m <= MetadataDefinition }

// IsUsage reports whether m is a SysML usage, extensions included.
func (m Metaclass) IsUsage() bool { return m >= Usage && m <= DeferUsage }

// IsFeature reports whether m is a feature: a usage of SysML or a feature of
// KerML, multiplicities included.
func (m Metaclass) IsFeature() bool {
	return m.IsUsage() || m >= Feature && m <= MultiplicityRange
}

// IsClassifier reports whether m is a definition of SysML or a classifier of
// KerML; `type` itself is none.
func (m Metaclass) IsClassifier() bool {
	return m.IsDefinition() || m >= Classifier && m <= Predicate
}

// IsType reports whether m is a type: a classifier, a feature or `type`.
func (m Metaclass) IsType() bool { return m == Type || m.IsClassifier() || m.IsFeature() }

// IsNamespace reports whether m can own named members: packages, namespaces
// and every type.
func (m Metaclass) IsNamespace() bool { return m >= Namespace && m <= LibraryPackage || m.IsType() }

// IsImport reports whether m is an import or an expose.
func (m Metaclass) IsImport() bool { return m >= MembershipImport && m <= NamespaceExpose }

// IsAnnotation reports whether m is a comment, a documentation, a textual
// representation or metadata.
func (m Metaclass) IsAnnotation() bool {
	return m >= Comment && m <= TextualRepresentation || m == MetadataUsage || m == MetadataFeature
}

// IsRelationship reports whether m is a relationship declared by itself, as
// KerML allows: `subset a :> b;`.
func (m Metaclass) IsRelationship() bool { return m >= Specialization && m <= TypeFeaturing }
