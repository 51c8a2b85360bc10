// Package diagnostic holds what Orrery has to say against a model or a cell.
//
// A [Diagnostic] is a value: code, severity, message, place, related places
// and a hint. Scanner, parser, resolver, lowering, executor, magics and plans
// all report with it, and a [Diagnostic] is an error, so that it travels
// through Go code like any other. [Text] is the one function that prints it;
// render makes HTML of the same value. [Codes] is the catalogue behind
// `orrery explain`. This package decides nothing about the language.
package diagnostic
