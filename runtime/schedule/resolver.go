package schedule

import (
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// ReplayRefused is the code of a witness that does not fit the run.
var ReplayRefused = diagnostic.Register("replay-refused",
	"A witness names a move that the run cannot make where it stands: the model has changed, or the witness belongs to another behaviour or to other inputs.")

// A Cursor is what a Resolver remembers between two choices. It is part of
// the World, so that a copied, saved or stepped-back run goes on as it would
// have.
type Cursor struct {
	Stream value.Stream // of the schedule; untouched but under Seeded
	Made   int64        // choices resolved so far
}

// A Resolver takes one alternative at every open point of a run. It holds no
// state of a run: all of that is in the Cursor. Many goroutines may share
// one.
type Resolver interface {
	// OneMove reports whether a step moves one token or unit, drawn among
	// all that can move. A step otherwise sweeps over all tokens.
	OneMove() bool
	// Enumerates reports whether Choose takes weighted alternatives too. They
	// are otherwise drawn from the model's stream.
	Enumerates() bool
	// Choose is the index of the alternative to take. c has at least one
	// alternative; with just one it is 0 and the Cursor is left alone.
	Choose(c *Choice, at *Cursor) (int, *diagnostic.Diagnostic)
	// Sweep puts the tokens of one step into the order in which they are
	// tried. order holds their places in the list of tokens, ascending, and
	// is permuted in place; parked says which of them are held.
	Sweep(order []int32, parked func(place int32) bool, at *Cursor)
	// Pauses reports whether the body that a token performs pauses at its
	// boundary, counted from 1, while other tokens are alive. With OneMove it
	// is the granularity, whatever is asked: true where a move ends at a
	// boundary, false where it ends with the performance of a node.
	Pauses(token, boundary int64) bool
}

// NewCursor is the Cursor of a run's beginning under p.
func (p Policy) NewCursor() Cursor {
	if p.Kind == Seeded {
		return Cursor{Stream: value.ScheduleStream(p.Seed)}
	}
	return Cursor{}
}

// Resolver is the Resolver of one of the fixed policies, reverse, declared
// or seed. A replay is made with Witness.Resolver, and an exploration
// resolves every way; for both it is reverse, one move a step.
func (p Policy) Resolver() Resolver { return fixed{p} }

type fixed struct{ Policy }

func (f fixed) OneMove() bool    { return f.Kind == Replayed || f.Kind == Explored }
func (f fixed) Enumerates() bool { return f.Kind == Explored }

func (f fixed) Choose(c *Choice, at *Cursor) (int, *diagnostic.Diagnostic) {
	n := len(c.Alternatives)
	if n < 2 {
		return 0, nil
	}
	at.Made++
	switch {
	case f.Kind == Seeded:
		return at.Stream.Rand().IntN(n), nil
	case f.Kind != Declared && c.Kind == Due:
		return n - 1, nil
	}
	return 0, nil
}

func (f fixed) Sweep(order []int32, parked func(int32) bool, at *Cursor) {
	switch f.Kind {
	case Declared:
	case Seeded:
		shuffleFree(order, parked, &at.Stream)
	default:
		for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
			order[i], order[j] = order[j], order[i]
		}
	}
}

// DrawsStatements reports whether under r the order of statements that nothing
// orders is a choice: under a seed, and where one token or unit moves at a
// time. They otherwise come as they are written.
func DrawsStatements(r Resolver) bool {
	f, ok := r.(fixed)
	return r.OneMove() || ok && f.Kind == Seeded
}

// shuffleFree shuffles the tokens that are not parked over their own slots.
// Nothing is drawn where fewer than two are free.
func shuffleFree(order []int32, parked func(int32) bool, stream *value.Stream) {
	var few [16]int
	free := few[:0]
	for i, place := range order {
		if !parked(place) {
			free = append(free, i)
		}
	}
	if len(free) < 2 {
		return
	}
	stream.Rand().Shuffle(len(free), func(i, j int) {
		order[free[i]], order[free[j]] = order[free[j]], order[free[i]]
	})
}

// Pauses mixes seed, token and boundary, so that where bodies pause depends
// on nothing that other tokens do.
func (f fixed) Pauses(token, boundary int64) bool {
	if f.Kind != Seeded {
		return false
	}
	z := f.Seed ^ uint64(token)*0x9e3779b97f4a7c15 ^ uint64(boundary)*0xbf58476d1ce4e5b9
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return z&1 == 0
}

// Planned is a Resolver that takes the listed index at every choice, one move
// a step, and the first alternative behind the end of the list. Explorers
// drive runs with it.
type Planned []int

// OneMove is true.
func (Planned) OneMove() bool { return true }

// Enumerates is true.
func (Planned) Enumerates() bool { return true }

// Choose takes the next planned index, or the last alternative where there
// are fewer.
func (p Planned) Choose(c *Choice, at *Cursor) (int, *diagnostic.Diagnostic) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	at.Made++
	if at.Made > int64(len(p)) {
		return 0, nil
	}
	return min(p[at.Made-1], len(c.Alternatives)-1), nil
}

// Sweep leaves the order alone: one move a step has no sweep.
func (Planned) Sweep([]int32, func(int32) bool, *Cursor) {}

// Pauses is true: a move ends at the next boundary.
func (Planned) Pauses(int64, int64) bool { return true }

// followed replays the choices of a witness.
type followed struct {
	fixed
	moves []string
	whole bool // bodies are not paused
}

func (f followed) OneMove() bool    { return true }
func (f followed) Enumerates() bool { return true }

func (f followed) Pauses(int64, int64) bool { return !f.whole }

func (f followed) Choose(c *Choice, at *Cursor) (int, *diagnostic.Diagnostic) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	if at.Made >= int64(len(f.moves)) {
		return f.fixed.Choose(c, at)
	}
	move := f.moves[at.Made]
	at.Made++
	for i := range c.Alternatives {
		if matches(Taken{Choice: *c, Index: i}, move) {
			return i, nil
		}
	}
	here := Taken{Choice: *c}.Witness()
	return 0, diagnostic.New(ReplayRefused, source.Span{}, "replay refused: move "+strconv.FormatInt(at.Made, 10)+
		" ("+move+"): the run cannot make it here").WithHint("the choice here is: " + here)
}

// Departs reports whether to take alternative k of c leaves the witness that r
// follows. It is false where r follows none, or has come to its end.
func Departs(r Resolver, c *Choice, at Cursor, k int) bool {
	f, ok := r.(followed)
	if !ok || at.Made >= int64(len(f.moves)) {
		return false
	}
	took, err := f.Choose(c, &at)
	return err != nil || took != k
}

// Behind decides everything as r does behind the end of its witness; it is r
// itself where r follows none.
func Behind(r Resolver) Resolver {
	if f, ok := r.(followed); ok {
		f.moves = nil
		return f
	}
	return r
}
