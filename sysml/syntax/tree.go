package syntax

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file holds the syntax tree but for its expressions (expr.go) and the
// parts that only some declarations have (parts.go). A tree is made once by
// the parser and read by many; nobody may change it afterwards, so it is safe
// for use by many goroutines.

// A Tree is what Parse makes of one text. It is complete even where the text
// is wrong: what could not be read is missing or marked Broken.
type Tree struct {
	File *source.File
	// Members are the members of the root namespace, in the order of the text.
	Members []*Decl
	// Extensions lists what the text uses beyond the standard notation, in the
	// order of the text. It is empty unless Options.Extensions is on.
	Extensions []Extension
}

// An Extension is one use of notation that the standard does not have and
// Options.Extensions admits.
type Extension struct {
	Span source.Span
	// Name says what it is, as in "import without visibility".
	Name string
	// Standard is how the standard writes it; "" where it has nothing like it.
	Standard string
}

// ExtensionUsed is the code of what Extension.Diagnostic makes.
var ExtensionUsed = diagnostic.Register("notation-extension",
	"The text uses notation that Orrery reads and the standard does not have; other tools will reject it.")

// Diagnostic is what strict settings report of e: a warning that says what is
// used and what the standard has in its place.
func (e Extension) Diagnostic() *diagnostic.Diagnostic {
	d := diagnostic.New(ExtensionUsed, e.Span, "not in the standard notation: "+e.Name)
	d.Severity = diagnostic.Warning
	if e.Standard != "" {
		d.Hint = "write " + e.Standard
	}
	return d
}

// A Range is the half-open range [Start, End) of byte offsets in the text of
// the Decl or Expr that holds it. It is empty where nothing was written.
type Range struct{ Start, End int32 }

// IsZero reports whether nothing was written.
func (r Range) IsZero() bool { return r.Start == r.End }

// In is r as a span of file; nowhere where r is empty.
func (r Range) In(file *source.File) source.Span {
	if r.IsZero() {
		return source.Span{}
	}
	return source.Span{File: file, Start: r.Start, End: r.End}
}

// A Name is one simple name as written. The zero Name is none.
type Name struct {
	// Text is the name without quotes, its escape sequences resolved. How it
	// was spelled is the text of the Range.
	Text string
	Range
}

// A QualifiedName is a name with the namespaces that lead to it: a::b::c.
// The zero QualifiedName names nothing.
type QualifiedName struct {
	// Segments has one entry for a simple name.
	Segments []Name
	// Global says that the name starts with $:: and so from the root.
	Global bool
	Range
}

// IsSimple reports whether q is one segment, not global.
func (q QualifiedName) IsSimple() bool { return len(q.Segments) == 1 && !q.Global }

// Last is the last segment; the zero Name where q names nothing.
func (q QualifiedName) Last() Name {
	if len(q.Segments) == 0 {
		return Name{}
	}
	return q.Segments[len(q.Segments)-1]
}

// A Reference is a qualified name or a feature chain a.b::c.d, each link of
// which is a qualified name resolved in what the link before it names.
type Reference struct {
	// Links has one entry where no chain was written. It is never empty in a
	// tree without errors.
	Links []QualifiedName
	Range
}

// IsChain reports whether r is a feature chain.
func (r Reference) IsChain() bool { return len(r.Links) > 1 }

// First is the first link; the zero QualifiedName where r has none.
func (r Reference) First() QualifiedName {
	if len(r.Links) == 0 {
		return QualifiedName{}
	}
	return r.Links[0]
}

// A Decl is one member of a body or of the root: a definition, a usage, a
// package, a KerML type or feature, an import, a comment, a relationship, the
// result of a calculation. All have this one shape, so that whoever walks
// members treats them alike; what only some have is in Detail.
type Decl struct {
	// Span runs from the first prefix to the end of the body or the semicolon.
	Span source.Span
	// Keyword is where the word that decides the metaclass stands (`part`,
	// `transition`, `@`), without `def`; empty where it has none: `x : T;`.
	Keyword Range

	// Name and ShortName are what the text declares, `<ShortName> Name`. The
	// name that redefinition or reference would give is not here.
	Name, ShortName Name

	Metaclass  Metaclass
	Member     MemberKind
	Visibility Visibility
	Direction  Direction
	Flags      Flags

	// Keywords are the prefix annotations `#x`, in order.
	Keywords []UserKeyword
	// Relationships are typings, specializations and so on in the order
	// written; where Flags has ByReference, the first is what the declaration
	// names in place of a name of its own: the s of `exhibit s;`.
	Relationships []Relationship
	// Multiplicity is nil where none is written.
	Multiplicity *MultiplicityPart
	// Value is nil where none is written.
	Value *ValuePart
	// Then is not nil where the member is written `then member`: a succession
	// leads to it from the member before.
	Then *SourceEnd
	// Cross is the owned cross feature of an end, `end [1] part x`; nil where
	// there is none.
	Cross *Decl
	// Detail is what this kind of declaration has beyond all others; nil for
	// most. Its type follows from the metaclass: see the types in parts.go.
	Detail Detail
	// Body is nil where the declaration ends with a semicolon.
	Body *Body
}

// NameSpan is where the name stands, the short name where there is no other,
// the keyword where there is none at all, and else the whole.
func (d *Decl) NameSpan() source.Span {
	for _, r := range [...]Range{d.Name.Range, d.ShortName.Range, d.Keyword} {
		if !r.IsZero() {
			return r.In(d.Span.File)
		}
	}
	return d.Span
}

// Is reports whether all of flags are set.
func (d *Decl) Is(flags Flags) bool { return d.Flags&flags == flags }

// Members are the members of the body; none where there is no body.
func (d *Decl) Members() []*Decl {
	if d.Body == nil {
		return nil
	}
	return d.Body.Members
}

// Related are the targets of the relationships of kind, in the order written.
func (d *Decl) Related(kind RelationshipKind) []Reference {
	var targets []Reference
	for i := range d.Relationships {
		if d.Relationships[i].Kind == kind {
			targets = append(targets, d.Relationships[i].Target)
		}
	}
	return targets
}

// A Body is what stands between the braces of a declaration. The range
// includes the braces; a missing closing brace is an error that was reported.
type Body struct {
	// Members in the order of the text, imports, comments and the result
	// expression included.
	Members []*Decl
	Range
}

// Visibility is what stands before a member. The zero Visibility is none
// written, which means public but for imports.
type Visibility uint8

// The visibilities.
const (
	NoVisibility Visibility = iota
	Public
	Private
	Protected
)

// String is the keyword; "" where none is written.
func (v Visibility) String() string { return [...]string{"", "public", "private", "protected"}[v] }

// Direction is the direction of a feature. The zero Direction is none.
type Direction uint8

// The directions.
const (
	NoDirection Direction = iota
	In
	Out
	InOut
)

// String is the keyword; "" where none is written.
func (d Direction) String() string { return [...]string{"", "in", "out", "inout"}[d] }

// MemberKind says as what a declaration is a member of its owner, where its
// metaclass does not tell.
type MemberKind uint8

// The kinds of membership. OwnedMember is every other one.
const (
	OwnedMember       MemberKind = iota
	VariantMember                // variant x; and each literal of an enumeration
	SubjectMember                // subject x : T;
	ActorMember                  // actor x : T;
	StakeholderMember            // stakeholder x : T;
	ObjectiveMember              // objective x { ... }
	ReturnMember                 // return x : T; (extension: `return e;`, an Expression with an ExpressionPart)
	ResultMember                 // the expression that ends a calculation body: an Expression with an ExpressionPart
	AssumeMember                 // assume constraint x { ... }
	RequireMember                // require constraint x { ... }
	FrameMember                  // frame concern x;
	VerifyMember                 // verify requirement x;
	RenderMember                 // render rendering x;
	EntryMember                  // entry action x;
	DoMember                     // do action x;
	ExitMember                   // exit action x;
	EffectMember                 // the effect of a transition
	TypeMember                   // KerML: member feature x; featured by nothing
)

var memberKeywords = [...]string{
	VariantMember: "variant", SubjectMember: "subject", ActorMember: "actor", StakeholderMember: "stakeholder",
	ObjectiveMember: "objective", ReturnMember: "return", AssumeMember: "assume", RequireMember: "require",
	FrameMember: "frame", VerifyMember: "verify", RenderMember: "render", EntryMember: "entry", DoMember: "do",
	ExitMember: "exit", EffectMember: "do", TypeMember: "member",
}

// String is the keyword that makes a member one of this kind; "" for
// OwnedMember and ResultMember.
func (k MemberKind) String() string { return memberKeywords[k] }

// Flags are the prefixes and marks of a declaration that are there or not.
type Flags uint32

// The flags.
const (
	Abstract   Flags = 1 << iota // abstract
	Variation                    // variation
	Derived                      // derived
	Constant                     // constant; KerML: const
	Ref                          // ref
	End                          // end
	Individual                   // individual
	Snapshot                     // snapshot
	Timeslice                    // timeslice
	Composite                    // KerML: composite
	Portion                      // KerML: portion
	Var                          // KerML: var
	Ordered                      // ordered
	Nonunique                    // nonunique
	Sufficient                   // KerML: all
	Parallel                     // parallel, of a state
	Negated                      // assert not; KerML: inv false
	Standard                     // standard library package
	// ByReference: the first relationship is what the declaration names in
	// place of a name: `perform a;`, `variant a;`, `:>> a;` in metadata.
	ByReference
	// Extended: the declaration itself is notation that the standard does not
	// have; Tree.Extensions says what.
	Extended
	// Broken: an error was reported inside the declaration and something is
	// missing from the tree.
	Broken
)

// A UserKeyword is a prefix annotation `#x`, which makes metadata of type x.
type UserKeyword struct {
	Type Reference
	Range
}

// RelationshipKind says how a declaration relates to what it names. Keyword
// and symbol give the same kind.
type RelationshipKind uint8

// The kinds of relationship.
const (
	TypedBy      RelationshipKind = iota // x : T, defined by, typed by
	Specializes                          // :> of a definition or a KerML type, specializes
	Subsets                              // :> of a usage or a feature, subsets
	Redefines                            // :>>, redefines
	References                           // ::>, references
	Crosses                              // =>, crosses
	Conjugates                           // KerML: ~, conjugates
	DisjointFrom                         // KerML: disjoint from
	Unions                               // KerML: unions
	Intersects                           // KerML: intersects
	Differences                          // KerML: differences
	InverseOf                            // KerML: inverse of
	FeaturedBy                           // KerML: featured by
	Chains                               // KerML: chains
)

var relationshipNames = [...]string{"FeatureTyping", "Specialization", "Subsetting", "Redefinition", "ReferenceSubsetting",
	"CrossSubsetting", "Conjugation", "Disjoining", "Unioning", "Intersecting", "Differencing", "FeatureInverting",
	"TypeFeaturing", "FeatureChaining"}

var relationshipSymbols = [...]string{":", ":>", ":>", ":>>", "::>", "=>", "~", "disjoint from", "unions", "intersects",
	"differences", "inverse of", "featured by", "chains"}

// String is the metaclass of the relationship: "FeatureTyping".
func (k RelationshipKind) String() string { return relationshipNames[k] }

// Symbol is the shortest way to write it: ":>".
func (k RelationshipKind) Symbol() string { return relationshipSymbols[k] }

// A Relationship is one target of a declaration; `:> a, b` makes two.
type Relationship struct {
	Kind RelationshipKind
	// Conjugated says that the type of a port is written `~T`.
	Conjugated bool
	Target     Reference
	// Range is the target, ~ included; that of the first after a symbol or
	// keyword includes it.
	Range
}

// A MultiplicityPart is `[lower..upper]` or `[n]`.
type MultiplicityPart struct {
	// Lower is nil where one bound is written: `[n]`.
	Lower, Upper Expr
	Range
}

// A ValuePart is the value of a feature.
type ValuePart struct {
	// Default says that `default` is written: the value can be overridden.
	Default bool
	// Initial says that `:=` is written: the value holds at first only.
	Initial bool
	Expr    Expr
	Range
}

// A SourceEnd is the `then` before a member. The range is the word and the
// multiplicity.
type SourceEnd struct {
	Multiplicity *MultiplicityPart // nil where none is written
	Range
}
