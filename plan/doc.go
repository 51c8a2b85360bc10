// Package plan drives models through many runs, in Starlark.
//
// A plan file declares tests and axes; a walk runs a test once for every
// assignment of its axes (a leaf) and keeps one row for each. [Cells] runs
// Starlark cells over a session: the same API without axes. The language
// itself (operators, sandbox, limits, how errors read) is in lang, the search
// over assignments in walk, what a walk leaves behind in bundle and report,
// and what a plan can do with a model in api. This package joins them; it is
// what magics and the command line call. Nothing outside plan knows Starlark.
package plan
