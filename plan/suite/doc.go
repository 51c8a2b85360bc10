// Package suite walks the tests of a plan and sums up what came of it.
//
// It joins lang, which runs one leaf, with walk, which says which leaves, and
// makes of their runs the rows, summaries and findings of a bundle. It also
// describes a plan without running it. What builtins a plan has beside the
// operators is decided by whoever loaded it.
package suite
