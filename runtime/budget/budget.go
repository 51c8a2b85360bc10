package budget

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Name is one bound of a Budget, as `%budget NAME=N` spells it.
type Name uint8

// The bounds.
const (
	Steps       Name = iota // evaluation steps of one operation
	ActionSteps             // steps of one run of an action
	Events                  // events of one run of a state machine, or rounds between objects
	DoSteps                 // steps of do behaviours in one run
	Elements                // elements held by collections at one time
	Depth                   // calls nested in each other
	Performs                // performed actions nested in each other
	Multiple                // objects that a lower bound of a multiplicity makes
	Nesting                 // levels that a validation descends
	Reads                   // features and objects that a validation reads
	Bytes                   // bytes that one value or text may hold
	Objects                 // objects that there are at one time
	Tokens                  // tokens that actions have at one time
	Messages                // messages that are on the way at one time
	Runs                    // linearizations that an exploration follows
	Choices                 // choice points on one path of an exploration
	Worlds                  // distinct Worlds that an exploration keeps
	names
)

type entry struct {
	name  string
	limit int64
	text  string // %[1]d is the limit, %[2]s how to raise it
}

var table = [names]entry{
	Steps:       {"steps", 10_000_000, "evaluation step limit exceeded (%d steps; %s)"},
	ActionSteps: {"action-steps", 1_000_000, "execution exceeded max steps (%d steps; %s), possible infinite loop"},
	Events:      {"events", 1_000_000, "state machine exceeded max events (%d events; %s), possible infinite loop"},
	DoSteps:     {"do-steps", 5_000_000, "state machine exceeded max do action steps (%d steps; %s), possible non-terminating do behavior"},
	Elements:    {"elements", 1_000_000, "collection element limit exceeded (%d elements; %s)"},
	Depth:       {"depth", 10_000, "recursion limit exceeded: nested %d deep (unbounded recursion?; %s)"},
	Performs:    {"performs", 32, "action invocation nested more than %d deep (recursive action?; %s)"},
	Multiple:    {"multiplicity", 100_000, "multiplicity violation: lower bound larger than %d (%s)"},
	Nesting:     {"nesting", 64, "objects nested more than %d deep are not read (%s)"},
	Reads:       {"reads", 1_000_000, "more than %d features and objects to read (%s)"},
	Bytes:       {"bytes", 64 << 20, "a value larger than %d bytes (%s)"},
	Objects:     {"objects", 1_000_000, "more than %d objects (%s)"},
	Tokens:      {"tokens", 5_000, "more than %d tokens (%s), possible endless forking"},
	Messages:    {"messages", 500_000, "more than %d messages wait to be taken (%s), possible endless sending"},
	Runs:        {"runs", 1_024, "more than %d linearizations (%s)"},
	Choices:     {"choices", 64, "more than %d choice points on one path (%s)"},
	Worlds:      {"worlds", 1_000_000, "more than %d distinct Worlds (%s)"},
}

// String is the name as a user writes it.
func (n Name) String() string { return table[n].name }

// Environment is the environment variable that sets n: ORRERY_MAX_STEPS.
func (n Name) Environment() string {
	return "ORRERY_MAX_" + strings.ToUpper(strings.ReplaceAll(table[n].name, "-", "_"))
}

// Default is the limit of n where nobody sets it.
func (n Name) Default() int64 { return table[n].limit }

// Names lists the bounds in the order in which they are shown.
func Names() []Name {
	all := make([]Name, names)
	for i := range all {
		all[i] = Name(i)
	}
	return all
}

// A Budget is a limit for every Name. The zero Budget has every default.
type Budget struct {
	limits [names]int64 // 0: the default; else the limit
}

// Limit is the limit of n, at least 1.
func (b Budget) Limit(n Name) int64 {
	if b.limits[n] > 0 {
		return b.limits[n]
	}
	return table[n].limit
}

// With is b with another limit of n; limit below 1 stands for the default.
func (b Budget) With(n Name, limit int64) Budget {
	b.limits[n] = max(limit, 0)
	return b
}

// Codes of what this package reports.
var badBudget = diagnostic.Register("bad-budget",
	"%budget, --budget or ORRERY_MAX_… is given no NAME=N, a name that no bound has, or a number below one.")

// Set is b with what text says: NAME=N.
func (b Budget) Set(text string) (Budget, error) {
	name, number, ok := strings.Cut(text, "=")
	if !ok {
		return b, bad("a budget is written NAME=N, not " + strconv.Quote(text))
	}
	for i := range table {
		if table[i].name != strings.TrimSpace(name) {
			continue
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(number), "_", ""), 10, 64)
		if err != nil || n < 1 {
			return b, bad("the budget " + table[i].name + " is a whole number of at least 1, not " + strconv.Quote(number))
		}
		return b.With(Name(i), n), nil
	}
	var all []string
	for i := range table {
		all = append(all, table[i].name)
	}
	return b, bad("no budget is called " + strconv.Quote(strings.TrimSpace(name))).WithHint("the budgets are " + strings.Join(all, ", "))
}

func bad(message string) *diagnostic.Diagnostic {
	return diagnostic.New(badBudget, source.Span{}, message)
}

// Spent is the error of a bound that was reached, with what raises it.
func (b Budget) Spent(n Name) *diagnostic.Diagnostic {
	raise := "raise " + n.Environment() + " to allow more"
	d := diagnostic.New(diagnostic.BudgetSpent, source.Span{}, fmt.Sprintf(table[n].text, b.Limit(n), raise))
	return d.WithHint(fmt.Sprintf("%%budget %s=%d doubles the bound", n, 2*b.Limit(n)))
}
