package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// A Firing is what a Run of a state machine adds to the Run.
type Firing struct{}

func (f *Firing) detach() {}

func (f *Firing) canonical(*World) uint64 { return 0 }

func (f *Firing) appendCanonical(b []byte, _ *World) []byte { return b }

func (f *Firing) visit(*codec) {}

func (e *Engine) fire(RunID) error { return nil }

func (e *Engine) endMachine(RunID) {}

func (e *Engine) startObject(value.ObjectID, int32) error { return nil }

func (e *Engine) terminate(id FlowID, token TokenID, stop Stop) error { return nil }

func (e *Engine) drawOrder(token TokenID, r *Runner, stop Stop) (bool, error) { return false, nil }

const noObject = value.NoObject

func (e *Engine) settleMachine(RunID) (bool, error) { return false, nil }

func (e *Engine) machineCanAct(RunID) bool { return false }

func (e *Engine) announce(RunID) {}

func (e *Engine) ofObject(_ RunID, err error) error { return err }

// StartMachine makes a run of a state machine.
func (e *Engine) StartMachine(m MachineID, self value.ObjectID, inputs ...Input) (RunID, error) {
	return NoRun, nil
}

// PostEvent puts an event into the pool of a machine.
func (e *Engine) PostEvent(id RunID, name string, call bool, names []string, values []value.Value) {}

// FinalState is the state that a machine is in.
func (w *World) FinalState(id RunID) (string, bool) { return "", false }
