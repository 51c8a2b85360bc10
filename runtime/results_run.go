package runtime

import (
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A Run is what became of a behaviour that ran.
type Run struct {
	// Behavior is the qualified name of what ran, Kind "action" or "state".
	Behavior, Kind string
	// Object is the performer; nil for none.
	Object *Object
	// Outputs are the values of its parameters and attributes by their names,
	// and what the latest performance of each node left in its pins, by paths
	// such as leg.v, in the order of declaration.
	Outputs []Output
	// FinalState is the state that a machine is in, the states of all its
	// regions joined with + in the order of the names of the regions.
	FinalState string
	// Terminated says that a terminate ended the machine.
	Terminated bool
	// Visits are the states in the order of entering.
	Visits []string
	// Choices are the open points of the run and what was taken.
	Choices []schedule.Taken
	// Trace is the text of the trace, from behind the start.
	Trace string
	// Steps counts the steps of an action, Time is the clock at the end in
	// seconds.
	Steps int64
	Time  float64
	// Returned are the outputs of each call among the events of a machine, in
	// the order of the calls.
	Returned [][]Output
	// Ended says that the behaviour is over; a machine may rest in a state.
	Ended bool
	// Err is why the behaviour failed; nil where it did not.
	Err *diagnostic.Diagnostic
}

// Output is the output called name, and whether there is one.
func (r *Run) Output(name string) (Output, bool) {
	for _, o := range r.Outputs {
		if o.Name == name {
			return o, true
		}
	}
	return Output{}, false
}
