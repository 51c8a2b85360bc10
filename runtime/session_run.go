package runtime

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// running is the stepped run of a session and the way it came.
type running struct{}

func (r *running) stepping() bool { return false }

func (r *running) end() { *r = running{} }

// drive runs a unit to its end.
func (t *turn) drive(u exec.UnitID, self value.ObjectID, args []value.Value) (value.Value, error) {
	return t.runner.Run(u, self, exec.NoEnv, args...)
}
