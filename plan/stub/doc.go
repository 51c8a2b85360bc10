// Package stub writes tests that would execute what no leaf of a plan has: the
// text of a Starlark function for each action, state, transition, side of a
// guard, constraint or requirement of a model.
//
// A stub is a proposal made from the model alone. It finds a way through a
// state machine from its start, sends what the transitions on the way wait for,
// and gives the features that guards compare with constants the values that
// make them so. What it cannot know it leaves to its reader in a comment; it is
// always Starlark that loads. What was executed is not here (see plan/suite).
package stub
