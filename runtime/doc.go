// Package runtime is the session: what persists between the cells of a
// notebook or the lines of a terminal, and what can be asked of it.
//
// A [Session] holds the model, the World of objects and running behaviours,
// the settings and the budget. Its operations give typed results, never text
// to print: declared elements, a value, an object, a verdict, a derivation, a
// run. Each takes a context, charges the budget, and works on the session's
// World as a whole: it succeeds, or the World is as it was. What only looks
// works on a copy that is dropped. How a model is executed is in exec and
// lower; what a user can say, in magics.
package runtime
