package syntax

// This file lists the kinds of token and the reserved words.

// A tokenKind is the kind of a token. Words that one of the two notations
// does not reserve are names there.
type tokenKind uint8

const (
	// endOfText stands for the end, and for every token behind an error until
	// the parser has found where to go on.
	endOfText      tokenKind = iota
	ident                    // a name, quoted or not
	decimalValue             // 12
	realValue                // 12.5, 1e3
	stringValue              // "text"
	regularComment           // /* text */
	noToken                  // what is no token; the scanner has reported it

	lbrace       // {
	rbrace       // }
	lparen       // (
	rparen       // )
	lbracket     // [
	rbracket     // ]
	semicolon    // ;
	comma        // ,
	dot          // .
	dotDot       // ..
	dotQuery     // .?
	colon        // :
	colonColon   // ::
	subsetsSign  // :>
	redefineSign // :>>
	refersSign   // ::>
	crossesSign  // =>
	becomes      // :=
	equalsSign   // =
	equal        // ==
	sameSign     // ===
	notEqual     // !=
	notSameSign  // !==
	less         // <
	lessEqual    // <=
	greater      // >
	greaterEqual // >=
	plus         // +
	minus        // -
	star         // *
	starStar     // **
	slash        // /
	percent      // %
	caret        // ^
	tilde        // ~
	ampersand    // &
	bar          // |
	query        // ?
	queryQuery   // ??
	arrow        // ->
	atSign       // @
	atAt         // @@
	hash         // #
	dollar       // $

	// The reserved words, in alphabetical order.
	kwAbout
	kwAbstract
	kwAccept
	kwAction
	kwActor
	kwAfter
	kwAlias
	kwAll
	kwAllocate
	kwAllocation
	kwAnalysis
	kwAnd
	kwAs
	kwAssert
	kwAssign
	kwAssoc
	kwAssume
	kwAt
	kwAttribute
	kwBehavior
	kwBind
	kwBinding
	kwBool
	kwBy
	kwCalc
	kwCase
	kwChains
	kwClass
	kwClassifier
	kwComment
	kwComposite
	kwConcern
	kwConjugate
	kwConjugates
	kwConjugation
	kwConnect
	kwConnection
	kwConnector
	kwConst
	kwConstant
	kwConstraint
	kwCrosses
	kwDatatype
	kwDecide
	kwDef
	kwDefault
	kwDefined
	kwDependency
	kwDerived
	kwDifferences
	kwDisjoining
	kwDisjoint
	kwDo
	kwDoc
	kwElse
	kwEnd
	kwEntry
	kwEnum
	kwEvent
	kwExhibit
	kwExit
	kwExpose
	kwExpr
	kwFalse
	kwFeature
	kwFeatured
	kwFeaturing
	kwFilter
	kwFirst
	kwFlow
	kwFor
	kwFork
	kwFrame
	kwFrom
	kwFunction
	kwHastype
	kwIf
	kwImplies
	kwImport
	kwIn
	kwInclude
	kwIndividual
	kwInout
	kwInteraction
	kwInterface
	kwIntersects
	kwInv
	kwInverse
	kwInverting
	kwIstype
	kwItem
	kwJoin
	kwLanguage
	kwLibrary
	kwLocale
	kwLoop
	kwMember
	kwMerge
	kwMessage
	kwMeta
	kwMetaclass
	kwMetadata
	kwMultiplicity
	kwNamespace
	kwNew
	kwNonunique
	kwNot
	kwNull
	kwObjective
	kwOccurrence
	kwOf
	kwOr
	kwOrdered
	kwOut
	kwPackage
	kwParallel
	kwPart
	kwPerform
	kwPort
	kwPortion
	kwPredicate
	kwPrivate
	kwProtected
	kwPublic
	kwRedefines
	kwRedefinition
	kwRef
	kwReferences
	kwRender
	kwRendering
	kwRep
	kwRequire
	kwRequirement
	kwReturn
	kwSatisfy
	kwSend
	kwSnapshot
	kwSpecialization
	kwSpecializes
	kwStakeholder
	kwStandard
	kwState
	kwStep
	kwStruct
	kwSubclassifier
	kwSubject
	kwSubset
	kwSubsets
	kwSubtype
	kwSuccession
	kwTerminate
	kwThen
	kwTimeslice
	kwTo
	kwTransition
	kwTrue
	kwType
	kwTyped
	kwTyping
	kwUnions
	kwUntil
	kwUse
	kwVar
	kwVariant
	kwVariation
	kwVerification
	kwVerify
	kwVia
	kwView
	kwViewpoint
	kwWhen
	kwWhile
	kwXor

	tokenKinds // how many there are
)

const (
	firstSymbol  = lbrace
	firstKeyword = kwAbout
)

var symbolSpellings = [...]string{
	lbrace: "{", rbrace: "}", lparen: "(", rparen: ")", lbracket: "[", rbracket: "]", semicolon: ";", comma: ",",
	dot: ".", dotDot: "..", dotQuery: ".?", colon: ":", colonColon: "::", subsetsSign: ":>", redefineSign: ":>>",
	refersSign: "::>", crossesSign: "=>", becomes: ":=", equalsSign: "=", equal: "==", sameSign: "===", notEqual: "!=",
	notSameSign: "!==", less: "<", lessEqual: "<=", greater: ">", greaterEqual: ">=", plus: "+", minus: "-", star: "*",
	starStar: "**", slash: "/", percent: "%", caret: "^", tilde: "~", ampersand: "&", bar: "|", query: "?",
	queryQuery: "??", arrow: "->", atSign: "@", atAt: "@@", hash: "#", dollar: "$",
}

// reservedIn says which notations reserve a word.
type reservedIn uint8

const (
	inSysML reservedIn = 1 << iota
	inKerML
	inBoth = inSysML | inKerML
)

// words lists the reserved words in alphabetical order, as their kinds are.
var words = [...]struct {
	word string
	in   reservedIn
}{
	{"about", inBoth},
	{"abstract", inBoth},
	{"accept", inSysML},
	{"action", inSysML},
	{"actor", inSysML},
	{"after", inSysML},
	{"alias", inBoth},
	{"all", inBoth},
	{"allocate", inSysML},
	{"allocation", inSysML},
	{"analysis", inSysML},
	{"and", inBoth},
	{"as", inBoth},
	{"assert", inSysML},
	{"assign", inSysML},
	{"assoc", inKerML},
	{"assume", inSysML},
	{"at", inSysML},
	{"attribute", inSysML},
	{"behavior", inKerML},
	{"bind", inSysML},
	{"binding", inBoth},
	{"bool", inKerML},
	{"by", inBoth},
	{"calc", inSysML},
	{"case", inSysML},
	{"chains", inKerML},
	{"class", inKerML},
	{"classifier", inKerML},
	{"comment", inBoth},
	{"composite", inKerML},
	{"concern", inSysML},
	{"conjugate", inKerML},
	{"conjugates", inKerML},
	{"conjugation", inKerML},
	{"connect", inSysML},
	{"connection", inSysML},
	{"connector", inKerML},
	{"const", inKerML},
	{"constant", inSysML},
	{"constraint", inSysML},
	{"crosses", inBoth},
	{"datatype", inKerML},
	{"decide", inSysML},
	{"def", inSysML},
	{"default", inBoth},
	{"defined", inSysML},
	{"dependency", inBoth},
	{"derived", inBoth},
	{"differences", inKerML},
	{"disjoining", inKerML},
	{"disjoint", inKerML},
	{"do", inSysML},
	{"doc", inBoth},
	{"else", inBoth},
	{"end", inBoth},
	{"entry", inSysML},
	{"enum", inSysML},
	{"event", inSysML},
	{"exhibit", inSysML},
	{"exit", inSysML},
	{"expose", inSysML},
	{"expr", inKerML},
	{"false", inBoth},
	{"feature", inKerML},
	{"featured", inKerML},
	{"featuring", inKerML},
	{"filter", inBoth},
	{"first", inBoth},
	{"flow", inBoth},
	{"for", inBoth},
	{"fork", inSysML},
	{"frame", inSysML},
	{"from", inBoth},
	{"function", inKerML},
	{"hastype", inBoth},
	{"if", inBoth},
	{"implies", inBoth},
	{"import", inBoth},
	{"in", inBoth},
	{"include", inSysML},
	{"individual", inSysML},
	{"inout", inBoth},
	{"interaction", inKerML},
	{"interface", inSysML},
	{"intersects", inKerML},
	{"inv", inKerML},
	{"inverse", inKerML},
	{"inverting", inKerML},
	{"istype", inBoth},
	{"item", inSysML},
	{"join", inSysML},
	{"language", inBoth},
	{"library", inBoth},
	{"locale", inBoth},
	{"loop", inSysML},
	{"member", inKerML},
	{"merge", inSysML},
	{"message", inSysML},
	{"meta", inBoth},
	{"metaclass", inKerML},
	{"metadata", inBoth},
	{"multiplicity", inKerML},
	{"namespace", inKerML},
	{"new", inBoth},
	{"nonunique", inBoth},
	{"not", inBoth},
	{"null", inBoth},
	{"objective", inSysML},
	{"occurrence", inSysML},
	{"of", inBoth},
	{"or", inBoth},
	{"ordered", inBoth},
	{"out", inBoth},
	{"package", inBoth},
	{"parallel", inSysML},
	{"part", inSysML},
	{"perform", inSysML},
	{"port", inSysML},
	{"portion", inKerML},
	{"predicate", inKerML},
	{"private", inBoth},
	{"protected", inBoth},
	{"public", inBoth},
	{"redefines", inBoth},
	{"redefinition", inKerML},
	{"ref", inSysML},
	{"references", inBoth},
	{"render", inSysML},
	{"rendering", inSysML},
	{"rep", inBoth},
	{"require", inSysML},
	{"requirement", inSysML},
	{"return", inBoth},
	{"satisfy", inSysML},
	{"send", inSysML},
	{"snapshot", inSysML},
	{"specialization", inKerML},
	{"specializes", inBoth},
	{"stakeholder", inSysML},
	{"standard", inBoth},
	{"state", inSysML},
	{"step", inKerML},
	{"struct", inKerML},
	{"subclassifier", inKerML},
	{"subject", inSysML},
	{"subset", inKerML},
	{"subsets", inBoth},
	{"subtype", inKerML},
	{"succession", inBoth},
	{"terminate", inSysML},
	{"then", inBoth},
	{"timeslice", inSysML},
	{"to", inBoth},
	{"transition", inSysML},
	{"true", inBoth},
	{"type", inKerML},
	{"typed", inKerML},
	{"typing", inKerML},
	{"unions", inKerML},
	{"until", inSysML},
	{"use", inSysML},
	{"var", inKerML},
	{"variant", inSysML},
	{"variation", inSysML},
	{"verification", inSysML},
	{"verify", inSysML},
	{"via", inSysML},
	{"view", inSysML},
	{"viewpoint", inSysML},
	{"when", inSysML},
	{"while", inSysML},
	{"xor", inBoth},
}

// spelling is the text of a kind that has only one; "" for the others.
func (k tokenKind) spelling() string {
	switch {
	case k >= firstKeyword && k < tokenKinds:
		return words[k-firstKeyword].word
	case k >= firstSymbol && k < firstKeyword:
		return symbolSpellings[k]
	}
	return ""
}

// wordTable finds reserved words by a hash of length, first, second and last
// letter, with linear probing; an entry is a kind, 0 where it is free.
var wordTable = makeWordTable()

const wordSlots = 1024

func wordHash(s string) uint {
	return (uint(s[0])*7 + uint(s[1])*73 + uint(s[len(s)-1])*31 + uint(len(s))*151) % wordSlots
}

func makeWordTable() (table [wordSlots]tokenKind) {
	for i, w := range words {
		h := wordHash(w.word)
		for table[h] != 0 {
			h = (h + 1) % wordSlots
		}
		table[h] = firstKeyword + tokenKind(i)
	}
	return table
}

const shortestWord, longestWord = 2, 14

// wordKind is the kind of the word s where one of the notations in reserves
// it, else name.
func wordKind(s string, in reservedIn) tokenKind {
	if len(s) < shortestWord || len(s) > longestWord {
		return ident
	}
	for h := wordHash(s); wordTable[h] != 0; h = (h + 1) % wordSlots {
		k := wordTable[h]
		if w := &words[k-firstKeyword]; w.word == s {
			if w.in&in == 0 {
				return ident
			}
			return k
		}
	}
	return ident
}
