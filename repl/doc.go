// Package repl is the terminal front end.
//
// [Run] reads cells from a person, or from a script where standard input is no
// terminal, and executes them on a Shell. For a person it edits cells as blocks
// of lines (package edit), keeps a history that several processes share, says
// in the prompt where a stepped run stands and below an open cell what it
// lacks, colours and folds outputs, shows long ones in pages, and gives the
// screen to a cell that steps by single keys or to the user's own editor; a
// terminal that cannot move its cursor gets all of it line by line. It holds no
// feature of its own: all that a user can say is in package magics.
package repl
