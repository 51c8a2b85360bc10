// Package repl is the terminal front end.
//
// [Run] reads cells from a person, or from a script where standard input is no
// terminal, and executes them on a Shell. For a person it edits lines in
// colour, completes them, keeps a history that several processes share, says
// in the prompt where a stepped run stands and what an open cell lacks, shows
// long outputs in pages and gives the screen to a cell that steps by single
// keys; a terminal that cannot move its cursor gets all of it line by line. It
// holds no feature of its own: all that a user can say is in package magics.
package repl
