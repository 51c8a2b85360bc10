package diagnostic

import "slices"

// Codes that more than one package raises. A package that raises a code of
// its own registers it with Register.
const (
	Internal       Code = "internal"
	Interrupted    Code = "interrupted"
	BudgetSpent    Code = "budget-spent"
	Syntax         Code = "syntax"
	UnresolvedName Code = "unresolved-name"
)

var catalogue = map[Code]string{
	Internal:       "Orrery itself failed. The session is kept; the message and the cell make a good report.",
	Interrupted:    "The work was stopped from outside: an interrupt, or a limit of time. What was whole before is kept.",
	BudgetSpent:    "A run reached one of its bounds. The message names the setting that raises it (%budget).",
	Syntax:         "The text is not SysML or KerML notation at this place.",
	UnresolvedName: "A name is written that nothing in scope declares.",
}

// Register adds code to the catalogue with an explanation of a few sentences.
// It is for package variables, before main runs; a code registered twice
// panics there.
func Register(code Code, explanation string) Code {
	if _, ok := catalogue[code]; ok {
		panic("diagnostic: code registered twice: " + string(code))
	}
	catalogue[code] = explanation
	return code
}

// Explain is the explanation of code, and whether the catalogue has it.
func Explain(code Code) (string, bool) {
	text, ok := catalogue[code]
	return text, ok
}

// Codes lists the catalogue in alphabetical order.
func Codes() []Code {
	codes := make([]Code, 0, len(catalogue))
	for c := range catalogue {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	return codes
}
