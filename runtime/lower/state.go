package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A machine is a state machine in the making.
type machine struct {
	frames []*frame
}

func isState(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.StateDefinition, syntax.StateUsage, syntax.ExhibitStateUsage:
		return true
	}
	return false
}

// isMachine reports whether e is a state machine: a state in no other state.
func isMachine(e *model.Element) bool { return isState(e) && (e.Owner() == nil || !isState(e.Owner())) }

func (l *Lowering) machine(e *model.Element) *machine { return &machine{} }

// entry is the number of the machine or the graph that an exhibited state or
// a performed action of an object runs; -1 where it names no body.
func (l *Lowering) entry(e *model.Element, isMachine bool) int32 {
	if isMachine {
		if body := l.stateBody(e); body != nil {
			return int32(l.Machine(body))
		}
		return -1
	}
	if isFlowBody(e.Members(), true) || hasStatements(e) {
		return int32(l.Action(e))
	}
	if callee := l.calleeOf(e); callee != nil {
		return int32(l.Action(callee))
	}
	return -1
}

func hasStatements(e *model.Element) bool {
	for _, m := range e.Members() {
		if d := m.Decl(); d != nil && isStatementKind(d) {
			return true
		}
	}
	return false
}

func (l *Lowering) stateBody(e *model.Element) *model.Element { return nil }

// Machine is the number of the machine of state e.
func (l *Lowering) Machine(e *model.Element) exec.MachineID { return exec.NoMachine }
