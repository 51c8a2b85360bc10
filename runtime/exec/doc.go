// Package exec runs Programs on Worlds.
//
// A [Program] is what lowering makes of a model: code, object layouts, graphs
// and machines, with names resolved to slots. It never changes and is shared
// by every run and goroutine. A [World] is everything that changes while a
// model runs, and nothing else: plain data in paged tables that a copy shares
// until written, hashed and compared without a walk, and encoded with the
// digest of its Program. A [Runner] executes code on a World; it holds
// nothing that the World does not get back when the run pauses, and it can
// pause between any two instructions. Resolution of names is not here (see
// runtime/lower), nor is the session (see runtime).
package exec
