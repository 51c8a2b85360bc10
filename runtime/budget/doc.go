// Package budget bounds what a run may use: evaluation steps, depth, elements
// held, objects, states.
//
// A [Budget] is the settings: one table of names, defaults and the texts of
// what is said when one is spent. A [Meter] counts one outermost operation
// against a Budget and reads the cancellation of its context beside the
// count. Nothing here knows what is being counted: the executor charges its
// nodes, tokens and frames.
package budget
