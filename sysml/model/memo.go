package model

// This file keeps what has been worked out once.
//
// Names resolve through types, and types are found by resolving names, so a
// question can come back to itself: `class A specializes A::B { class B :> A; }`.
// A question that is asked again while it is being answered gets the zero
// answer there ("nothing known yet"). Every answer that rested on such a cut
// is only good while the question that was cut is still open; it is kept as a
// trial and dropped when that question closes. So answers do not depend on
// which of them was asked for first, and no chain of questions is walked more
// often than there are questions.
//
// Invariants:
//  1. A firm answer never rested on a cut, or is that of the outermost
//     question of its cycle.
//  2. Answers about library elements never depend on user documents.

// maxLevel bounds how deep questions nest, so that a model made to do so
// cannot exhaust the stack.
const maxLevel = 50_000

// A memo is one answer and what it is good for. The zero memo holds none.
type memo[T any] struct {
	value T
	era   uint32 // the era of the documents that it holds for; 0: no answer
	trial uint32 // 0: firm; else good in that trial only
	level int32  // > 0: being answered, at that level
	epoch uint32 // in which level holds
	rests int32  // the outermost open question that a trial rests on
}

// isOpen reports whether the answer is being worked out.
func (s *memo[T]) isOpen(m *Model) bool { return s.level > 0 && s.epoch == m.ask.epoch }

// isSettled reports whether s holds a firm answer about e.
func (s *memo[T]) isSettled(e *Element) bool {
	return !s.isOpen(e.model) && s.trial == 0 && s.era == e.model.eraOf(e.doc)
}

// questions is the state of the questions that are open now.
type questions struct {
	level int32  // how many are open
	low   int32  // the outermost open question that an answer rested on
	trial uint32 // the number of the present trial; never 0
	epoch uint32 // grows when a panic has left questions open
}

// lock takes m for one question from outside. Questions that a panic left open
// are closed without an answer.
func (m *Model) lock() {
	m.mu.Lock()
	if m.ask.level != 0 {
		m.ask = questions{low: 1, trial: m.ask.trial + 1, epoch: m.ask.epoch + 1}
	}
}

// recall is the answer in s, worked out by compute where there is none yet.
func recall[T any](m *Model, d *Document, s *memo[T], compute func() T) T {
	era := m.eraOf(d)
	if s.isOpen(m) {
		m.ask.low = min(m.ask.low, s.level)
		return s.value
	}
	if s.era == era && (s.trial == 0 || s.trial == m.ask.trial) {
		if s.trial != 0 {
			m.ask.low = min(m.ask.low, s.rests)
		}
		return s.value
	}
	q := &m.ask
	if q.level >= maxLevel {
		q.low = 0
		var none T
		return none
	}
	outer := q.low
	q.level++
	level := q.level
	var none T
	s.value = none
	s.level, s.epoch, q.low = level, q.epoch, level+1
	value := compute()
	s.level, q.level = 0, level-1
	s.value, s.era, s.trial = value, era, 0
	switch {
	case q.low < level: // rests on an outer question
		s.trial, s.rests = q.trial, q.low
		q.low = min(outer, q.low)
	case q.low == level: // closes its cycle: trials inside it are over
		q.trial++
		q.low = outer
	default:
		q.low = outer
	}
	if q.level == 0 {
		q.trial++
		q.low = 1
	}
	return value
}
