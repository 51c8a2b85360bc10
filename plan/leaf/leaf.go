package leaf

import (
	"context"
	"fmt"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// An Outcome is how a leaf ended.
type Outcome uint8

// The outcomes. The zero Outcome is no outcome: nothing was decided.
const (
	NotRun Outcome = iota
	Pass
	Fail
	Error
	Inconclusive
	Halted
)

// Outcomes lists the outcomes in the order of summaries.
func Outcomes() []Outcome { return []Outcome{Pass, Fail, Error, Inconclusive, Halted, NotRun} }

var outcomeNames = [...]string{"not_run", "pass", "fail", "error", "inconclusive", "halted"}

// String is the word for o in manifests.
func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error {
	for i, n := range outcomeNames {
		if n == string(text) {
			*o = Outcome(i)
			return nil
		}
	}
	return fmt.Errorf("no outcome is called %q", text)
}

// Decides reports whether o is a verdict about the model.
func (o Outcome) Decides() bool { return o == Pass || o.Fails() }

// Fails reports whether o is a verdict against the model.
func (o Outcome) Fails() bool { return o == Fail || o == Error }

// A Guide picks where a prefix ends. It must depend on its arguments alone.
type Guide interface {
	// Pick is the option of a to take; survivors, ascending and not empty,
	// are those that no predicate has removed.
	Pick(a *axis.Axis, survivors []int, sofar axis.Path) int
}

// First is the Guide of an exhaustive walk: the first option that survives.
type First struct{}

// Pick is survivors[0].
func (First) Pick(_ *axis.Axis, survivors []int, _ axis.Path) int { return survivors[0] }

// A Request asks a Test for one run.
type Request struct {
	// Prefix is the picks to take at the first axes that fan out. They must
	// be met with the same options in the same order.
	Prefix axis.Path
	// Guide picks behind the prefix; nil for First.
	Guide Guide
	// Admit says which options may be taken at all; nil for all. What it
	// refuses is neither a leaf nor a removed one.
	Admit func(a *axis.Axis, option int) bool
	// Late leaves predicates alone until the leaf is complete.
	Late bool
	// Trace asks for the trace of the leaf.
	Trace bool
	// Ended hears of what the leaf's builtins kept, before that is dropped; nil
	// for nobody.
	Ended func(subject any)
	// Steps and Runs bound the leaf; 0 for the default and no bound.
	Steps, Runs int64
}

// A Cut is an option that a predicate removed before it was run.
type Cut struct {
	Index     int
	Predicate string
	Reads     []string // the axes that the predicate read, in order
}

// A Branch is an axis met behind the prefix.
type Branch struct {
	// At is how many picks that fan out came before it.
	At        int
	Axis      *axis.Axis
	Taken     int   // the option that this run took; -1 where none survived
	Survivors []int // ascending; Taken is one of them
	Cuts      []Cut // ascending
}

// A Run is what came of one Request.
type Run struct {
	// Path is every axis met, those that do not fan out among them.
	Path axis.Path
	// Branches are the axes that fan out behind the prefix, in the order met.
	Branches []Branch
	// Removed says that the run is no leaf: no option of its last Branch
	// survived, or a predicate removed the whole of its module axes.
	Removed *Cut

	Outcome Outcome
	Reason  string // "" for a pass
	// Claim is Reason without the values of this leaf; "" where Reason has none.
	Claim string
	// Site is where the outcome was decided, in the plan: function and
	// ordinal of the expectation or halt; "" for a pass.
	Site string
	// PrunedBy names the predicate of a halted leaf; "" for another.
	PrunedBy string
	// Diagnostic is the failure with its places; nil where there is none.
	Diagnostic *diagnostic.Diagnostic
	// Detail is Diagnostic as text, "" for none.
	Detail  string
	BodyRan bool
	// Expectations is how many expect calls the leaf evaluated.
	Expectations int
	// Model is the model element that the outcome speaks of; "" for none.
	Model string

	Steps   int64    // of Starlark and of the models together
	Runs    int64    // runs of models
	Witness []string // settings and choices, enough to make the runs again
	Trace   []string // lines; nil unless asked for
	Output  string   // what the body printed
	// Touched are the model elements that were asked for, by name.
	Touched []string
	// Covered are the parts of models that were executed.
	Covered []Covered
	// Warnings are codes with a sentence: DUPLICATE_OPTION ...
	Warnings []Warning
	// Sources are the files that the leaf depends on beside the plan.
	Sources []Source
}

// A Source is files beside a plan that leaves depend on.
type Source struct {
	Kind   string // how Path is read: "files", "model", "text", "library" or "cases"
	Path   string // relative to the plan; in JSON for a model, which may have several
	Digest string // of what was read
	// Lenient and Libraries are the arguments of the call that opened a model;
	// Libraries in JSON, "" where the call has none.
	Lenient   bool   `json:",omitempty"`
	Libraries string `json:",omitempty"`
}

// A Covered is what of one model a leaf executed.
type Covered struct {
	Model string // its digest; "" for the session's
	// Sites has bit i%8 of byte i/8 set for site i of the model.
	Sites []byte
}

// A Warning is a finding about the plan that is no failure.
type Warning struct{ Code, Message string }

// A Test is something that can be run along any prefix, again and again and
// by several goroutines at once, with the same result each time.
type Test interface {
	// Name is the registered name: test_endurance.
	Name() string
	Run(ctx context.Context, r Request) *Run
}
