// Package leaf holds what passes between a walk and the tests it runs.
//
// A walk asks a [Test] to run along a prefix of picks; the Run that comes back
// says how the leaf ended, which axes it met, and which of their options are
// still to be run or were removed by a predicate. The package holds the
// vocabulary alone: how a test runs is in lang, which prefixes are run in walk.
package leaf
