package lower

import "github.com/orrery-sysml/orrery/sysml/model"

// ownBody is the number of the machine or graph that a feature `exhibit
// state` or `perform action` runs.
func (l *Lowering) ownBody(e *model.Element, machine bool) int32 {
	if machine {
		return int32(l.Machine(e))
	}
	return int32(l.Action(e))
}
