// Package magics is what a user can say.
//
// A [Shell] owns the cells of one session: it splits a cell into parts
// (declarations, expressions, magics, Starlark), executes them in order on
// runtime.Session, stops at the first error and sends every output to a
// [Sink]. Kernel, terminal, `orrery -c` and the notebook runner are thin
// front ends over the same Shell. Each magic is declared once, in the file of
// its family: name, arguments, flags, help and an example that a test runs;
// parsing, completion and the reference page are made from the declaration.
package magics
