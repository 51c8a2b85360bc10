// Package repl is the terminal front end.
//
// [Run] reads cells from a person with line editing, history and completion,
// or from a script where standard input is no terminal, and executes them on
// a Shell. It decides where a cell ends (the Shell says what is incomplete),
// turns Ctrl-C into the end of the running cell and prints what the Shell
// sends. It holds no feature of its own: all that a user can say is in
// package magics.
package repl
