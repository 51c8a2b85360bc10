package value

import (
	"fmt"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// The codes of what an operation on values can fail with. Every error of
// this package is a *diagnostic.Diagnostic without a span: whoever evaluates
// knows the place and adds it.
var (
	TypeMismatch = diagnostic.Register("type-mismatch",
		"An operator or a function is given a value of a kind that it is not defined for. The message names the operator and the kinds.")
	DivisionByZero = diagnostic.Register("division-by-zero",
		"The right operand of / or % is zero.")
	IntegerOverflow = diagnostic.Register("integer-overflow",
		"The exact result does not fit the Integer range, -9223372036854775808 to 9223372036854775807. Write one operand as a decimal (1.0) to compute beyond it.")
	DomainError = diagnostic.Register("domain-error",
		"A function is not defined for the argument it is given, or its result is not a finite number.")
	Incommensurable = diagnostic.Register("incommensurable-units",
		"Two quantities of different dimensions are added, subtracted or compared. The message shows each unit and what it reduces to.")
	NotAQuantity = diagnostic.Register("not-a-quantity",
		"A quantity expression needs a number before the bracket and a measurement unit within it.")
	IndexOutOfRange = diagnostic.Register("index-out-of-range",
		"An index or a position lies outside the collection or the string. The first element has index 1.")
	ArgumentCount = diagnostic.Register("argument-count",
		"A function is given more or fewer arguments than it declares.")
	UnknownParameter = diagnostic.Register("unknown-parameter",
		"A named argument has the name of no parameter, or the function takes positional arguments only.")
	NotEvaluable = diagnostic.Register("not-evaluable",
		"The library declares the function, but leaves open how it computes its result.")
	MultiplicityError = diagnostic.Register("multiplicity",
		"There are more or fewer values than the multiplicity allows.")
)

func fail(code diagnostic.Code, format string, args ...any) error {
	return diagnostic.New(code, source.Span{}, fmt.Sprintf(format, args...))
}

// codeOf is the code of an error of this package.
func codeOf(err error) diagnostic.Code {
	if d, ok := err.(*diagnostic.Diagnostic); ok {
		return d.Code
	}
	return TypeMismatch
}

func errDivisionByZero() error { return fail(DivisionByZero, "division by zero") }

func errOverflow(what string) error {
	return fail(IntegerOverflow, "integer overflow: %s exceeds the Integer range", what)
}
