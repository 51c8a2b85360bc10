package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file notes what is looked at in a World: which rows of its tables, the
// clock, and whose messages. What a move does is told by that alone, so that it
// is the same in every World that is alike there.

// Reads are what was looked at in a World while it was watched; whatever was
// written counts as well. More may be noted than was looked at, never less. The
// zero value notes nothing yet.
type Reads struct {
	objects, envs, stacks, runs, firings, flows, tokens, events rowSet
	clock                                                       bool
	// receivers are the identities of those whose messages were asked for: the
	// object may be one that was only just made. bus says that those for more
	// than one object were.
	receivers [][]byte
	bus       bool
	// rest says that something was looked at which no other set has.
	rest bool
}

// A rowSet is a set of rows. A row stands for all whose numbers are the same
// but for a multiple of rowSetSize.
type rowSet [rowSetSize / 64]uint64

const rowSetSize = 4096

func (s *rowSet) add(i int32)      { s[uint32(i)/64%(rowSetSize/64)] |= 1 << (uint32(i) % 64) }
func (s *rowSet) has(i int32) bool { return s[uint32(i)/64%(rowSetSize/64)]&(1<<(uint32(i)%64)) != 0 }

// Reset empties r.
func (r *Reads) Reset() { *r = Reads{receivers: r.receivers[:0]} }

// Watch notes in r what is looked at in w, and in its copies, from now on; nil
// ends that.
func (w *World) Watch(r *Reads) {
	w.reads = r
	b := &w.Behavior
	if r == nil {
		w.Objects.seen, w.Envs.seen, w.Stacks.seen = nil, nil, nil
		b.Runs.seen, b.Firings.seen, b.Flows.seen, b.Tokens.seen, b.Events.seen = nil, nil, nil, nil, nil
		return
	}
	w.Objects.seen, w.Envs.seen, w.Stacks.seen = &r.objects, &r.envs, &r.stacks
	b.Runs.seen, b.Firings.seen, b.Flows.seen, b.Tokens.seen, b.Events.seen = &r.runs, &r.firings, &r.flows, &r.tokens, &r.events
}

// now is the time. Nobody that acts in the World reads the clock otherwise.
func (w *World) now() float64 {
	if w.reads != nil {
		w.reads.clock = true
	}
	return w.Behavior.Clock
}

// asksBus notes that the messages which an object may take matter, those that
// anybody may take among them.
func (w *World) asksBus(receiver value.ObjectID) {
	if w.reads != nil {
		w.reads.bus = true
		if receiver != value.NoObject {
			w.reads.receivers = append(w.reads.receivers, receiverIdentity(nil, w, receiver))
		}
	}
}

// asksRest notes that what cannot be said more closely matters.
func (w *World) asksRest() {
	if w.reads != nil {
		w.reads.rest = true
	}
}
