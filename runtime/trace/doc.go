// Package trace observes runs.
//
// An [Observer] is told what a run does, event by event, in the order it
// happens; it never changes what happens, and a nil Observer costs one
// predictable branch. Every event carries its own depth, which the executor
// keeps in the frames of the World, so that a body that was paused, saved and
// loaded goes on at the level where it stopped. [Recorder] keeps the events
// and prints them in the vocabulary of the conformance corpus; [CheckOrder]
// reads the partial orders that a case may state over such a text. What a
// run means by its events is decided in runtime/exec, not here.
package trace
