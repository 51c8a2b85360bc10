package magics

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file tells a front end what to say of the session beside its prompt.

// Status is where the stepped run of a session stands, in the few words that a
// prompt has room for.
type Status struct {
	Behavior string // the simple name of what runs
	Step     string // "step 3"; of a machine its active states
	Time     string // "t=2.5 s"; "" at time 0
	Schedule string // how the run resolves open orders, in a word
	Ended    bool   // nothing is left to do
}

// Status is where the stepped run stands; false where there is none. It
// changes nothing.
func (s *Shell) Status() (Status, bool) {
	p, err := s.session.Position()
	if err != nil {
		return Status{}, false
	}
	name := p.Behavior[strings.LastIndexByte(p.Behavior, ':')+1:]
	status := Status{Behavior: name, Step: "step " + strconv.FormatInt(p.Steps, 10), Schedule: shortly(p.Settings.Schedule), Ended: p.Ended}
	if p.Kind == "state" {
		status.Step = "in " + p.FinalState
		if n := len(p.States); n > 0 {
			status.Step = "in " + p.States[n-1]
		}
	}
	if p.Time != 0 {
		status.Time = "t=" + strconv.FormatFloat(p.Time, 'g', -1, 64) + " s"
	}
	return status, true
}

// shortly is p for where room is short: a witness is not named by its file,
// which is a passing one when it came from a finding.
func shortly(p schedule.Policy) string {
	if p.Kind == schedule.Replayed {
		return "replay"
	}
	return p.String()
}
