package syntax

// This file says what the body of each kind of declaration may hold.

// A bodyKind is a production for bodies.
type bodyKind uint8

const (
	inPackage        bodyKind = iota // PackageBody
	inDefinition                     // DefinitionBody, UsageBody
	inInterface                      // InterfaceBody
	inEnumeration                    // EnumerationBody
	inAction                         // ActionBody
	inState                          // StateDefBody, StateUsageBody
	inCalculation                    // CalculationBody
	inRequirement                    // RequirementBody
	inCase                           // CaseBody
	inViewDefinition                 // ViewDefinitionBody
	inView                           // ViewBody
	inMetadata                       // MetadataBody
	inRelationship                   // RelationshipBody

	inNamespace     // KerML: NamespaceBody, PackageBody
	inType          // KerML: TypeBody
	inFunction      // KerML: FunctionBody
	inKerMLMetadata // KerML: MetadataBody
	inKerMLRelation // KerML: RelationshipBody
	bodyKinds
)

// bodyOf is the SysML or the KerML kind.
func bodyOf(sysml, kerml bodyKind, isKerML bool) bodyKind {
	if isKerML {
		return kerml
	}
	return sysml
}

// allowance is a set of families of members.
type allowance uint16

const (
	allowFilter      allowance = 1 << iota // filter
	allowUsage                             // every usage
	allowThenMember                        // then usage
	allowNode                              // the nodes of actions, and successions to a target
	allowStateItem                         // entry, do, exit, transitions
	allowReturn                            // return
	allowResult                            // an expression at the end
	allowSubject                           // subject, actor
	allowRequirement                       // assume, require, frame, verify, stakeholder
	allowObjective                         // objective
	allowRender                            // render
	allowExpose                            // expose
)

var allowances = [bodyKinds]allowance{
	inPackage:        allowFilter | allowUsage,
	inDefinition:     allowUsage | allowThenMember,
	inInterface:      allowUsage | allowThenMember,
	inAction:         allowUsage | allowThenMember | allowNode,
	inState:          allowUsage | allowThenMember | allowStateItem,
	inCalculation:    allowUsage | allowThenMember | allowNode | allowReturn | allowResult,
	inRequirement:    allowUsage | allowThenMember | allowSubject | allowRequirement,
	inCase:           allowUsage | allowThenMember | allowNode | allowReturn | allowResult | allowSubject | allowObjective,
	inViewDefinition: allowUsage | allowThenMember | allowFilter | allowRender,
	inView:           allowUsage | allowThenMember | allowFilter | allowRender | allowExpose,
	inNamespace:      allowFilter,
	inFunction:       allowReturn | allowResult,
}

func (b bodyKind) allows(a allowance) bool { return allowances[b]&a != 0 }

// bodies is the kind of body that each metaclass of SysML has; inDefinition
// where none is said.
var bodies = func() (kinds [metaclasses]bodyKind) {
	for m := range kinds {
		kinds[m] = inDefinition
	}
	for kind, all := range map[bodyKind][]Metaclass{
		inPackage:   {Package, LibraryPackage},
		inInterface: {InterfaceDefinition, InterfaceUsage},
		inAction: {ActionDefinition, ActionUsage, PerformActionUsage, AcceptActionUsage, SendActionUsage, AssignmentActionUsage,
			TerminateActionUsage, MergeNode, DecisionNode, JoinNode, ForkNode, TransitionUsage},
		inState:       {StateDefinition, StateUsage, ExhibitStateUsage},
		inEnumeration: {EnumerationDefinition},
		inCalculation: {CalculationDefinition, CalculationUsage, ConstraintDefinition, ConstraintUsage, AssertConstraintUsage},
		inRequirement: {RequirementDefinition, RequirementUsage, SatisfyRequirementUsage, ConcernDefinition, ConcernUsage,
			ViewpointDefinition, ViewpointUsage},
		inCase: {CaseDefinition, CaseUsage, AnalysisCaseDefinition, AnalysisCaseUsage, VerificationCaseDefinition,
			VerificationCaseUsage, UseCaseDefinition, UseCaseUsage, IncludeUseCaseUsage},
		inViewDefinition: {ViewDefinition},
		inView:           {ViewUsage},
		inMetadata:       {MetadataUsage},
		inRelationship: {Membership, FeatureMembership, MembershipImport, NamespaceImport, MembershipExpose, NamespaceExpose,
			Dependency},
	} {
		for _, m := range all {
			kinds[m] = kind
		}
	}
	return kinds
}()
