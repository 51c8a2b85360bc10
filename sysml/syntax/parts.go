package syntax

import "strings"

// This file holds what only some declarations have. Each type names the
// metaclasses that it belongs to.

// A Detail is one of the parts below, always by pointer.
type Detail interface{ detail() }

// A ConnectorPart is the ends of ConnectionUsage, InterfaceUsage,
// AllocationUsage, BindingConnectorAsUsage, SuccessionAsUsage, FlowUsage,
// SuccessionFlowUsage and of KerML's Connector, BindingConnector, Succession,
// Flow and SuccessionFlow. It is absent where a declaration names no ends.
type ConnectorPart struct {
	// Ends in order; more than two only for n-ary connectors. Where
	// ImpliedSource is set there is one, the target.
	Ends []*ConnectorEnd
	// ImpliedSource says that the source is the member before: `then x;`.
	ImpliedSource bool
	// SourceMultiplicity is that of an implied source, `[1] then x;`; nil where
	// none is written.
	SourceMultiplicity *MultiplicityPart
	// Message says that a FlowUsage is written `message`.
	Message bool
	// Payload is what flows, the declaration after `of`; nil where none is
	// written. A payload given by its type alone has no name.
	Payload *Decl
}

// A ConnectorEnd is one end of a connector.
type ConnectorEnd struct {
	Name         Name              // `name ::> target`; zero where none
	Multiplicity *MultiplicityPart // nil where none
	// Target is what the end is connected to. For a flow `a.b.c` the last
	// link is the feature that the flow takes from or gives to a.b.
	Target Reference
	Range
}

// A TransitionPart belongs to TransitionUsage: transitions of states in every
// shorthand, and successions with guards.
type TransitionPart struct {
	Form TransitionForm
	// Source is what is written after `first`, or in its place; no links
	// where the source is the member before.
	Source Reference
	// LeavesOwner says, as an extension, that no state stands before a
	// TargetTransition: it leaves the state whose body it stands in.
	LeavesOwner bool
	// Trigger, Guard and Effect are nil where none is written.
	Trigger *AcceptPart
	Guard   Expr
	// Effect is the action after `do`, a member of kind EffectMember: a
	// PerformActionUsage, AcceptActionUsage, SendActionUsage,
	// AssignmentActionUsage, or an ActionUsage (`do { ... }` as an extension,
	// or `do` with nothing behind it).
	Effect *Decl
	// Target is nil only in a broken declaration.
	Target *ConnectorEnd
}

// TransitionForm tells in which shape a transition was written.
type TransitionForm uint8

// The forms.
const (
	// FullTransition is `transition [name first] s [accept ..] [if ..] [do ..] then t;`.
	FullTransition TransitionForm = iota
	// TargetTransition stands behind the state it leaves: `[transition]
	// [accept ..] [if ..] [do ..] then t;`. In a state body a bare `then t;`
	// is one too, but for one behind `entry`, which is a SuccessionAsUsage.
	TargetTransition
	// GuardedTargetSuccession stands behind the node it leaves, in the body of
	// an action or behind `entry`: `if g then t;`.
	GuardedTargetSuccession
	// DefaultTargetSuccession is `else t;`.
	DefaultTargetSuccession
	// GuardedSuccession is `[succession name] first s if g then t;`.
	GuardedSuccession
)

// TriggerKind says what an accept action waits for.
type TriggerKind uint8

// The kinds of trigger.
const (
	MessageTrigger TriggerKind = iota // a message that fits the payload
	AtTrigger                         // accept at e
	AfterTrigger                      // accept after e
	WhenTrigger                       // accept when e
	CallTrigger                       // extension: accept op(a, b)
)

// String is the keyword; "" for MessageTrigger and CallTrigger.
func (k TriggerKind) String() string { return [...]string{"", "at", "after", "when", ""}[k] }

// An AcceptPart is what an AcceptActionUsage or a transition accepts.
type AcceptPart struct {
	Trigger TriggerKind
	// Payload is what is received, a ReferenceUsage; it may have a name, a
	// type, both, or a value. Given by its type alone it has no name. nil
	// where neither name nor type is written (`accept after e`), and for a
	// call trigger.
	Payload *Decl
	// Expr is the time or the condition; nil for messages and calls.
	Expr Expr
	// Operation is what a call trigger waits for, and Parameters the
	// ReferenceUsages that its arguments are read by, which have only a name.
	Operation  Reference
	Parameters []*Decl
	// Via is nil where none is written.
	Via Expr
	Range
}

// A SendPart belongs to SendActionUsage. Each is nil where not written.
type SendPart struct{ Payload, Via, To Expr }

// An AssignPart belongs to AssignmentActionUsage.
type AssignPart struct {
	// Target is a FeatureReferenceExpression, or a FeatureChainExpression
	// whose operand may be any primary expression.
	Target Expr
	Value  Expr
}

// A TerminatePart belongs to TerminateActionUsage.
type TerminatePart struct{ Target Expr } // nil where none is written

// An IfPart belongs to IfActionUsage.
type IfPart struct {
	Condition Expr
	Then      *Decl // an ActionUsage with a body
	Else      *Decl // nil, an ActionUsage with a body, or an IfActionUsage
}

// A WhileLoopPart belongs to WhileLoopActionUsage.
type WhileLoopPart struct {
	While Expr  // nil for `loop`
	Loop  *Decl // an ActionUsage with a body
	Until Expr  // nil where none is written
}

// A ForLoopPart belongs to ForLoopActionUsage.
type ForLoopPart struct {
	Variable *Decl // a ReferenceUsage
	Sequence Expr
	Loop     *Decl // an ActionUsage with a body
}

// An InitialPart belongs to FeatureMembership: `first a;`.
type InitialPart struct{ Target QualifiedName }

// An ExpressionPart is an expression that is a member, or its condition:
// of an Expression whose Member is ResultMember (or, as an extension,
// ReturnMember), of an ElementFilterMembership, and, as extensions, of
// AssertConstraintUsage (`assert e;`) and of a ConstraintUsage whose Member is
// RequireMember or AssumeMember (`require e;`).
type ExpressionPart struct{ Expr Expr }

// A SatisfyPart belongs to SatisfyRequirementUsage with `by`.
type SatisfyPart struct{ By Reference }

// An ImportPart belongs to MembershipImport, NamespaceImport and the two
// kinds of expose.
type ImportPart struct {
	Target    QualifiedName
	All       bool   // import all a::b;
	Members   bool   // a::* or a::*::**: what a holds, and not a itself
	Recursive bool   // a::** or a::*::**
	Filters   []Expr // a::*[f][g]
}

// An AliasPart belongs to Membership: `alias Name for Target;`.
type AliasPart struct{ Target QualifiedName }

// A DependencyPart belongs to Dependency.
type DependencyPart struct{ Clients, Suppliers []QualifiedName }

// A CommentPart belongs to Comment, Documentation and TextualRepresentation.
type CommentPart struct {
	About    []QualifiedName
	Locale   string // without quotes
	Language string // of a textual representation, without quotes
	// Raw is the text between /* and */ as written; see Text.
	Raw string
	// Comment is where the text stands, /* and */ included.
	Comment Range
}

// A MetadataPart belongs to MetadataUsage and MetadataFeature with `about`;
// the type is a relationship of the declaration.
type MetadataPart struct{ About []QualifiedName }

// A RelationshipPart belongs to the relationships that KerML declares by
// themselves: `subset Specific :> General;`. For Conjugation, Disjoining,
// FeatureInverting and TypeFeaturing, Specific is what stands first.
type RelationshipPart struct{ Specific, General Reference }

// A PseudostatePart belongs to PseudostateUsage (extension).
type PseudostatePart struct{ Kind PseudostateKind }

// PseudostateKind is the kind of a pseudostate. Fork and join are not among
// them: they are ForkNode and JoinNode in a state body too.
type PseudostateKind uint8

// The kinds of pseudostate.
const (
	ChoicePseudostate PseudostateKind = iota
	JunctionPseudostate
	ShallowHistoryPseudostate
	DeepHistoryPseudostate
)

// String is the keyword.
func (k PseudostateKind) String() string {
	return [...]string{"choice", "junction", "history", "deep history"}[k]
}

// A DeferPart belongs to DeferUsage (extension).
type DeferPart struct{ Event QualifiedName }

func (*ConnectorPart) detail()    {}
func (*TransitionPart) detail()   {}
func (*AcceptPart) detail()       {}
func (*SendPart) detail()         {}
func (*AssignPart) detail()       {}
func (*TerminatePart) detail()    {}
func (*IfPart) detail()           {}
func (*WhileLoopPart) detail()    {}
func (*ForLoopPart) detail()      {}
func (*InitialPart) detail()      {}
func (*ExpressionPart) detail()   {}
func (*SatisfyPart) detail()      {}
func (*ImportPart) detail()       {}
func (*AliasPart) detail()        {}
func (*DependencyPart) detail()   {}
func (*CommentPart) detail()      {}
func (*MetadataPart) detail()     {}
func (*RelationshipPart) detail() {}
func (*PseudostatePart) detail()  {}
func (*DeferPart) detail()        {}

// Text is the comment without its frame: the layout behind /*, the blanks and
// the star that start each further line, and the blanks before */ are left
// out (KerML 8.2.3.3.2).
func (c *CommentPart) Text() string {
	lines := strings.Split(strings.ReplaceAll(c.Raw, "\r\n", "\n"), "\n")
	if strings.TrimLeft(lines[0], " \t\f") == "" && len(lines) > 1 {
		lines[0] = ""
	} else {
		lines[0] = strings.TrimLeft(lines[0], " \t\f")
	}
	for i := 1; i < len(lines); i++ {
		line := strings.TrimLeft(lines[i], " \t\f")
		if strings.HasPrefix(line, "*") {
			line = strings.TrimPrefix(line[1:], " ")
		}
		lines[i] = line
	}
	if lines[0] == "" && len(lines) > 1 {
		lines = lines[1:]
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \t\f\n")
}
