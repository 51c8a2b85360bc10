// Package value holds the values that models compute with, and every pure
// function over them: operators, equality, order, units, collections, the
// function libraries and the draws of modelled randomness.
//
// A [Value] is 24 bytes: a kind, a payload and a pointer to an immutable heap
// part. Scalars, object references and enumeration literals need no
// allocation. Values refer to objects by index ([ObjectID]) and to declared
// elements by a [Named] part, so a World that holds them stays plain data.
//
// The package knows neither models nor Worlds: reducing a unit from its
// declaration, reading a feature and applying a body expression belong to
// runtime/exec. Source: SysML v2 and KerML 1.0 clauses 9.2 to 9.4 (the model
// libraries of data types and functions) and the execution corpus.
package value
