// Package schedule resolves what the semantics leaves open.
//
// A [Choice] is one point where an order or an alternative is open: its kind,
// where it stands, its alternatives in canonical order and their weights. A
// [Resolver] takes one of them; it is the only nondeterminism of a run. The
// fixed policies (reverse, declared, seed) and the guided ones (replay,
// planned) are Resolvers; what a Resolver has to remember between two
// choices is a [Cursor] of plain words that lives in the World. [Settings]
// is the one struct of the four settings and has their one parser and
// printer. This package knows no model and no World.
package schedule
