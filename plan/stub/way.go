package stub

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// A place is a state that is active, or has just been entered: what it begins
// with is entered next.
type place struct {
	state   int32
	entered bool
}

// A move leads to a place: by a transition, or by none where it is -1, for
// nothing or for something that has to be sent.
type move struct {
	to         place
	transition int32
	costs      bool
}

// way is the transitions that lead from the start of m into a state, where each
// of them fires, with as few as can be that wait for something; ok is false
// where none lead there. The regions of a parallel state are taken one at a
// time.
func way(m *exec.Machine, goal int32) (transitions []int32, ok bool) {
	type arrival struct {
		from place
		move
	}
	start := place{0, true}
	reached := map[place]arrival{}
	near, far := []arrival{{move: move{to: start}}}, []arrival{} // far costs one more than near
	for len(near) > 0 || len(far) > 0 {
		if len(near) == 0 {
			near, far = far, nil
		}
		a := near[0]
		near = near[1:]
		at := a.to
		if _, cheaper := reached[at]; cheaper {
			continue
		}
		reached[at] = a
		if at.state == goal {
			for ; at != start; at = reached[at].from {
				if t := reached[at].transition; t >= 0 {
					transitions = append(transitions, t)
				}
			}
			slices.Reverse(transitions)
			return transitions, true
		}
		for _, next := range moves(m, at) {
			if next.costs {
				far = append(far, arrival{at, next})
			} else {
				near = append(near, arrival{at, next})
			}
		}
	}
	return nil, false
}

// moves are the places that follow on at.
func moves(m *exec.Machine, at place) []move {
	s := &m.States[at.state]
	var all []move
	switch {
	case !at.entered:
		if s.Parent >= 0 {
			all = append(all, move{to: place{s.Parent, false}, transition: -1})
		}
		for _, t := range s.Out {
			x := &m.Transitions[t]
			all = append(all, move{place{x.Target, true}, t, x.Trigger != exec.CompletionTrigger || x.Guard != exec.NoUnit})
		}
		return all
	case s.Parallel:
		for _, c := range s.Children {
			all = append(all, move{to: place{c, true}, transition: -1})
		}
	default:
		for _, t := range s.Entries {
			x := &m.Transitions[t]
			if all = append(all, move{place{x.Target, true}, t, x.Guard != exec.NoUnit}); x.Guard == exec.NoUnit {
				break // the first that holds is taken
			}
		}
	}
	if s.Kind == exec.HistoryState || s.Kind == exec.DeepHistory {
		all = append(all, move{to: place{s.Parent, true}, transition: -1})
	}
	return append(all, move{to: place{at.state, false}, transition: -1})
}
