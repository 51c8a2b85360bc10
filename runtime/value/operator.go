package value

// An Operator is an operator that works on values alone; the short-circuit
// and the conditional ones evaluate operands and belong to the executor.
type Operator uint8

// The operators. ** and ^ are one operator with two spellings.
const (
	NoOperator Operator = iota
	Add
	Subtract
	Multiply
	Divide
	Remainder
	Power
	Caret
	Less
	LessEqual
	Greater
	GreaterEqual
	EqualTo
	NotEqualTo
	IdenticalTo
	NotIdenticalTo
	And
	Or
	Xor
	Implies
	BitAnd
	BitOr
	Not
	Negate
	Identity
	Range
	Coalesce
)

var spellings = [...]string{"", "+", "-", "*", "/", "%", "**", "^", "<", "<=", ">", ">=", "==", "!=", "===", "!==",
	"and", "or", "xor", "implies", "&", "|", "not", "-", "+", "..", "??"}

// String is the operator as the notation writes it.
func (op Operator) String() string { return spellings[op] }
