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
