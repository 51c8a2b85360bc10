// Package spell finds the names that a reader most likely meant by one that
// means nothing: those that a slip of the finger leads to.
//
// [Nearest] is what every hint about a wrong name is made from, whether it is
// an element, a magic, a flag or a word of Starlark, so that all of them
// forgive the same slips. What the names are, and how a hint reads, is up to
// the caller.
package spell
