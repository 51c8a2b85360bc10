// Package axis holds the choice points of a plan and what is taken at them.
//
// An Axis is one choice point with its finite list of options, a Pick one
// option taken, a Path the picks of one leaf in the order they were met. From
// a Path come the leaf's stable id, its readable form and its place in the
// order of leaves; a Selector is part of an assignment as a user writes it.
// This package runs nothing and knows neither Starlark nor models.
package axis
