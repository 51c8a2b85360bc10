package stub

import (
	"slices"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// TestWayWaitsAsLittleAsItCan finds the longer way into a state, since nothing
// has to be sent on it.
func TestWayWaitsAsLittleAsItCan(t *testing.T) {
	m := &exec.Machine{
		States: []exec.State{
			{Kind: exec.SimpleState, Parent: -1, Entries: []int32{0}},
			{Kind: exec.SimpleState, Out: []int32{1, 2}},
			{Kind: exec.SimpleState, Out: []int32{3}},
			{Kind: exec.SimpleState},
			{Kind: exec.SimpleState},
		},
		Transitions: []exec.StateTransition{
			{Target: 1, Guard: exec.NoUnit},
			{Target: 3, Trigger: exec.SignalTrigger, Guard: exec.NoUnit},
			{Target: 2, Guard: exec.NoUnit},
			{Target: 3, Guard: exec.NoUnit},
		},
	}
	if got, ok := way(m, 3); !ok || !slices.Equal(got, []int32{0, 2, 3}) {
		t.Errorf("got %v, %v", got, ok)
	}
	if got, ok := way(m, 4); ok {
		t.Errorf("%v leads to a state that nothing leads to", got)
	}
}
