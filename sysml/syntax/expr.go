package syntax

import "github.com/orrery-sysml/orrery/sysml/source"

// An Expr is an expression, always one of the pointer types of this file.
// Their names are those of the metaclasses of the standard, with one type
// where it has several that differ in the operator or the kind of literal.
type Expr interface {
	// Span is the text of the expression, without parentheses around it.
	Span() source.Span
	expr()
}

// Node is what all expressions have in common.
type Node struct {
	At source.Span // see Expr.Span
}

// Span is the text of the expression.
func (n *Node) Span() source.Span { return n.At }

func (n *Node) expr() {}

// LiteralKind says what a LiteralExpression denotes.
type LiteralKind uint8

// The kinds of literal.
const (
	LiteralBoolean  LiteralKind = iota // true, false
	LiteralInteger                     // 12
	LiteralRational                    // 1.5, 1E3: a LiteralReal
	LiteralString                      // "text"
	LiteralInfinity                    // *
)

// A LiteralExpression is a literal.
type LiteralExpression struct {
	Node
	Kind LiteralKind
	// Text is the spelling; of a string what stands between its quotes, the
	// escape sequences resolved.
	Text string
}

// A NullExpression is `null` or `()`.
type NullExpression struct{ Node }

// A FeatureReferenceExpression is a name.
type FeatureReferenceExpression struct {
	Node
	Name QualifiedName
}

// A FeatureChainExpression is Operand.a.b. A chain whose first link is a name
// has a FeatureReferenceExpression as its operand.
type FeatureChainExpression struct {
	Node
	Operand Expr
	// Links are the names behind the dots, one or more.
	Links []QualifiedName
}

// OperatorKind is the operator of an OperatorExpression.
type OperatorKind uint8

// The operators, by falling precedence of their families.
const (
	NoOperator     OperatorKind = iota
	Plus                        // +a
	Minus                       // -a
	Tilde                       // ~a
	Not                         // not a
	All                         // all T (Type)
	Power                       // a ** b, a ^ b; groups to the right
	Multiply                    // a * b
	Divide                      // a / b
	Remainder                   // a % b
	Add                         // a + b
	Subtract                    // a - b
	RangeTo                     // a .. b
	Less                        // a < b
	LessEqual                   // a <= b
	Greater                     // a > b
	GreaterEqual                // a >= b
	IsType                      // a istype T (Type); the operand may be left out
	HasType                     // a hastype T
	At                          // a @ T
	AtAt                        // a @@ T, of metadata
	As                          // a as T
	Meta                        // a meta T
	Equal                       // a == b
	NotEqual                    // a != b
	Same                        // a === b
	NotSame                     // a !== b
	And                         // a & b, both evaluated
	Xor                         // a xor b
	Or                          // a | b, both evaluated
	ConditionalAnd              // a and b
	ConditionalOr               // a or b
	Implies                     // a implies b
	Coalesce                    // a ?? b
	Conditional                 // if a ? b else c
	operators                   // how many there are
)

var operatorSpellings = [operators]string{"", "+", "-", "~", "not", "all", "**", "*", "/", "%", "+", "-", "..", "<", "<=", ">",
	">=", "istype", "hastype", "@", "@@", "as", "meta", "==", "!=", "===", "!==", "&", "xor", "|", "and", "or", "implies",
	"??", "if"}

// String is the operator as the notation writes it; Power is "**" even where
// `^` was written, and Conditional is "if".
func (k OperatorKind) String() string { return operatorSpellings[k] }

// An OperatorExpression is an operator with its operands in order.
type OperatorExpression struct {
	Node
	Operator OperatorKind
	// Operands has one entry for a unary operator, two for a binary one, three
	// for Conditional, none or one for an operator with a Type.
	Operands []Expr
	// Type is the right side of IsType, HasType, At, AtAt, As and Meta, and
	// the argument of All.
	Type Reference
	// Symbol is where the operator stands.
	Symbol Range
}

// An Argument is one argument of an invocation or constructor.
type Argument struct {
	Name  QualifiedName // of a named argument; no segments where positional
	Value Expr
}

// An InvocationExpression is f(a, b), f(x = a), or, with a receiver,
// r->f(a), r->f{ ... } and r->f g.
type InvocationExpression struct {
	Node
	// Receiver is the first argument where the call is written with an arrow.
	Receiver Expr
	// Callee is what is invoked: a name, or a chain a.b.f.
	Callee    Reference
	Arguments []Argument
	// BodyArgument is the body of r->f{ ... }; nil where there is none.
	BodyArgument *BodyExpression
	// Function is the g of r->f g; no links where there is none.
	Function Reference
}

// A ConstructorExpression is new T(a, b) or new T(x = a).
type ConstructorExpression struct {
	Node
	Type      Reference
	Arguments []Argument
}

// A SequenceExpression is (a, b, c), with two elements or more. One element in
// parentheses is that element.
type SequenceExpression struct {
	Node
	Elements []Expr
}

// An IndexExpression is a#(i). (i, j) makes a SequenceExpression of the index.
type IndexExpression struct {
	Node
	Operand, Index Expr
}

// A BracketExpression is a[b], the notation of quantities: 5 [kg].
type BracketExpression struct {
	Node
	Operand, Bracket Expr
}

// A CollectExpression is a.{ body }.
type CollectExpression struct {
	Node
	Operand Expr
	Body    *BodyExpression
}

// A SelectExpression is a.?{ body }.
type SelectExpression struct {
	Node
	Operand Expr
	Body    *BodyExpression
}

// A BodyExpression is { in x; ...; expr }, the body of a function without a
// name.
type BodyExpression struct {
	Node
	// Body holds parameters and other members; the last may be an Expression
	// whose Member is ResultMember.
	Body *Body
}

// A MetadataAccessExpression is a::b.metadata.
type MetadataAccessExpression struct {
	Node
	Element QualifiedName
}

// A BadExpression stands where an expression was expected and none could be
// read; an error was reported.
type BadExpression struct{ Node }
