package runtime

import (
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A Position is where a stepped run stands.
type Position struct {
	// Behavior is the qualified name of what runs, Kind "action" or "state".
	Behavior, Kind string
	// Settings are those of the run.
	Settings schedule.Settings
	Object   *Object // the performer; nil for none
	// Tokens are where the tokens of an action are, those of the actions that
	// it performs and of its subflows behind them.
	Tokens []TokenPosition
	// States are the active states of a machine, outer before inner.
	States []string
	// FinalState is the state of a machine as cases spell it.
	FinalState string
	// Fired are the transitions that the last move took, in order.
	Fired []Firing
	// Events wait in the pool of a machine, Messages on the bus.
	Events, Messages []EventPosition
	Steps            int64   // steps of an action
	Time             float64 // the clock in seconds
	Ended            bool    // nothing is left to do
	Terminated       bool
	// Moved says that the operation made the run move. Where it did not, Waits
	// says what would.
	Moved bool
	Waits string
	// Stopped is the breakpoint or the place that ended the operation; ""
	// where nothing did.
	Stopped string
	// Choices are what was open during the operation, and what was taken.
	Choices []schedule.Taken
	// Trace is what the operation traced.
	Trace string
	// Moves counts the operations that led here, Ahead those that were taken
	// back and can be made again.
	Moves, Ahead int
}

// A TokenPosition is where a token is.
type TokenPosition struct {
	ID   int64
	Node string
	// Path is the actions that lead to the node, outermost first, joined
	// with ".".
	Path string
	// Waits is what the token waits for; "" where it can go on.
	Waits string
	// Depth is 0 for a token of the action itself, and one more for each
	// performance around it.
	Depth int
}

// An EventPosition is an event or a message that waits.
type EventPosition struct {
	Name string // "accept Go", "time", "completion of s"
	Args []Output
	// Timer says that it is a timer, which comes due at Time.
	Timer    bool
	Time     float64
	Deferred bool
	To       string // whom a message is for
}

// A Difference is a value that two Worlds do not share.
type Difference struct {
	// What is what differs: "car.speed", "token 2", "clock".
	What string
	A, B string // "" where there is none
}

// A Breakpoint stops Continue.
type Breakpoint struct {
	// Place is the name of a node or a state.
	Place string
	// If is an expression that has to hold; "" for none.
	If string
	// Err is why If could not be evaluated the last time; nil where it could.
	Err *diagnostic.Diagnostic
}

// A Firing is a transition that was taken.
type Firing struct {
	From, To string // the names of the states
	Event    string // "accept Go", "time"; "" for a completion
}

// firings are the transitions that a move takes, an Observer of it.
type firings []Firing

// Observe keeps e where it is a transition.
func (f *firings) Observe(e trace.Event) {
	if e.Kind != trace.Transition {
		return
	}
	*f = append(*f, Firing{e.Name, e.To, e.Cause})
}
