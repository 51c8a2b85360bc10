package suite

import (
	"fmt"
	"hash/fnv"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// effects watches which axes make a difference: for each axis, the leaves that
// differ in it alone are compared by what they did.
type effects struct {
	rows   int
	order  []string                     // axes as met
	groups map[string]map[string]uint64 // axis -> leaf without it -> what it did
	paired map[string]bool              // axes of which two options were compared
	differ map[string]bool
	idle   bool // a leaf ran no model: what it did is not known
}

// maxEffects bounds the leaves that are compared.
const maxEffects = 5_000

func newEffects() *effects {
	return &effects{groups: map[string]map[string]uint64{}, paired: map[string]bool{}, differ: map[string]bool{}}
}

// add compares one leaf that ran with those before it.
func (e *effects) add(r *bundle.Row, fanned []bundle.ChoiceValue) {
	if e.rows++; e.rows > maxEffects || len(fanned) > maxTableAxes {
		return
	}
	if r.Runs == 0 {
		e.idle = true
		return
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\n%s\n%q\n%q\n%q\n%d", r.Outcome, r.Reason, r.Witness, r.Output, r.Trace, r.Expectations)
	did := h.Sum64()
	for k, c := range fanned {
		rest := append(append([]bundle.ChoiceValue(nil), fanned[:k]...), fanned[k+1:]...)
		key := indices(rest)
		if e.groups[c.Axis] == nil {
			e.groups[c.Axis] = map[string]uint64{}
			e.order = append(e.order, c.Axis)
		}
		before, met := e.groups[c.Axis][key]
		switch {
		case !met:
			e.groups[c.Axis][key] = did
		case before != did:
			e.differ[c.Axis] = true
			e.paired[c.Axis] = true
		default:
			e.paired[c.Axis] = true
		}
	}
}

// none is the axes that made no difference anywhere.
func (e *effects) none() []string {
	if e.rows > maxEffects || e.idle {
		return nil
	}
	var out []string
	for _, a := range e.order {
		if e.paired[a] && !e.differ[a] {
			out = append(out, a)
		}
	}
	return out
}
