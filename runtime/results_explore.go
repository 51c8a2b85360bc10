package runtime

import (
	"math/big"

	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// An ExploreRequest says what to explore or check, and how far.
type ExploreRequest struct {
	// Behavior is the action or state machine; On the object that performs
	// it, "" for nobody.
	Behavior, On string
	// Element is the behaviour, where its name does not tell.
	Element *model.Element
	Inputs  []Argument
	// Events are posted to a machine, or are on the way to whoever takes them,
	// before the behaviour runs.
	Events []Event
	// Settings take the place of the session's where they are given. Their
	// schedule is left aside.
	Settings    *schedule.Settings
	Granularity explore.Granularity
	// Runs, Depth and Worlds are bounds: path segments, choice points on one
	// path, distinct Worlds. 0 is no bound; without any, the session's budget
	// of Worlds holds.
	Runs, Depth, Worlds int
	// Workers is how many moves are made at one time; 0 stands for one a core.
	Workers int
	// Progress is told how far the search is, a few times a second, by the
	// goroutine that called; nil for nobody.
	Progress func(explore.Progress)
	// Resume goes on with a search that was interrupted; all else but Progress
	// is then left aside.
	Resume Resumable
}

// A Resumable is a search that was interrupted: an Exploration or a Checking.
type Resumable interface {
	resumed() (s *explore.Search, behavior, kind string)
}

func (x *Exploration) resumed() (*explore.Search, string, string) {
	return x.search, x.Behavior, x.Kind
}
func (c *Checking) resumed() (*explore.Search, string, string) { return c.search, c.Behavior, c.Kind }

// An Exploration is the outcomes of a behaviour over every resolution of its
// choices.
type Exploration struct {
	// Behavior is the qualified name, Kind "action" or "state".
	Behavior, Kind string
	Granularity    explore.Granularity
	// Complete says that every order was followed to its end. Otherwise a
	// bound was reached or the search was interrupted.
	Complete, Interrupted bool
	Bounds                []explore.Bound
	// Outcomes are sorted by their text, then by their visits.
	Outcomes []*ExploredOutcome
	// Linearizations is the sum over the outcomes; nil where they are
	// infinite.
	Linearizations *big.Int
	// Runs are path segments executed, Worlds distinct Worlds, Moves moves
	// made, Depth the moves from the start to the farthest World.
	Runs, Worlds, Moves, Depth int
	// Apart says that independent tokens were explored apart: Worlds counts
	// those of the parts.
	Apart bool
	// Cyclic says that a run can come back to a World that it was in; Uncounted
	// that the interrupt left no time to sum linearizations.
	Cyclic, Uncounted bool
	// Bytes is the memory that is kept of the Worlds.
	Bytes int64

	result *explore.Result
	search *explore.Search
}

// A CheckRequest says what to check in every order.
type CheckRequest struct {
	ExploreRequest
	// Unreduced follows orders that no end tells apart as well. Claims about
	// Worlds on the way are always examined in all of them.
	Unreduced bool
	// Properties are claims about every World between two moves, of which the
	// dispatch of an event to a machine is one: exits, effects and entries run
	// to completion. Their conditions name the features of the behaviour, as
	// its guards do, and finalState for the state that a machine is in.
	Properties []Property
}

// A Property is a claim about the Worlds that a behaviour goes through.
type Property struct {
	Kind      explore.PropertyKind
	Condition syntax.Expr
	// Judge decides it in place of Condition from the features of the
	// behaviour, which have no Text; decided is false where a feature that it
	// needs has no value yet. The goroutines of the search call it: one at a
	// time only with one worker. It must depend on the features alone and not
	// use the session. Text is how the claim is spelled then.
	Judge func(features []Output) (holds, decided bool, err error)
	Text  string
}

// A Checking is what checking every schedule of a behaviour finds.
type Checking struct {
	// Behavior is the qualified name, Kind "action" or "state".
	Behavior, Kind string
	*explore.Verdict

	search *explore.Search
}

// An ExploredOutcome is one outcome with what leads to it.
type ExploredOutcome struct {
	Outputs    []Output
	FinalState string
	Terminated bool
	Visits     []string
	// Err is the error that the runs end in; nil where they do not.
	Err *diagnostic.Diagnostic
	// Linearizations counts the ways to resolve the choices; nil where a cycle
	// makes them infinite. Share is the part of the schedule space that they
	// carry, nil in the same case.
	Linearizations *big.Int
	Share          *big.Rat

	outcome *explore.Outcome
}

// Text is the outcome on one line.
func (o *ExploredOutcome) Text() string { return o.outcome.Text() }

// Witness is the shortest run that ends in the outcome.
func (x *Exploration) Witness(o *ExploredOutcome) (*schedule.Witness, error) {
	return x.result.Witness(o.outcome)
}

// Output is the output called name, and whether there is one.
func (o *ExploredOutcome) Output(name string) (Output, bool) {
	for _, x := range o.Outputs {
		if x.Name == name {
			return x, true
		}
	}
	return Output{}, false
}
