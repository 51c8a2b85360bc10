// Package picture draws models and runs.
//
// [Of] draws an element of a model: the flow of an action, a state machine,
// the tree of what is declared and specialized, or parts with their ports and
// connections. [Sequence], [Timeline], [Bars], [Histogram] and [Plot] draw what
// a run or many runs gave, and [Worlds] what every order leads through. Each
// gives a [Picture], which has the forms that front ends want: SVG that needs
// nothing else and is readable in a page of any theme, text for a terminal,
// Mermaid and DOT for other tools, Vega-Lite of plots.
//
// Where things stand is worked out in render/layout; what there is to draw is
// read from sysml/model or handed in as plain values. Nothing here runs a model.
package picture
