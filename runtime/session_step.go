package runtime

import "github.com/orrery-sysml/orrery/runtime/exec"

// running is the stepped run of a session and the way it came.
type running struct {
	// visits are the states that each machine has entered since it began.
	visits map[exec.RunID][]string
}

// A visit is a state that a machine entered.
type visit struct {
	run   exec.RunID
	state string
}

// visit adds what an operation entered.
func (r *running) visit(list []visit) {
	if r.visits == nil && len(list) > 0 {
		r.visits = map[exec.RunID][]string{}
	}
	for _, v := range list {
		r.visits[v.run] = append(r.visits[v.run], v.state)
	}
}

func (r *running) stepping() bool { return false }

func (r *running) end() { *r = running{} }
