// Package notebooks executes Jupyter notebooks without Jupyter, and holds the
// course that Orrery teaches with.
//
// [Run] reads a notebook (nbformat 4), executes its code cells in order on a
// [Shell], prints outputs as they come and, where asked to, writes the
// executed notebook the way Jupyter would have stored it. [Course] lists the
// embedded teaching notebooks. The package knows no language: what a cell
// means is the Shell's business.
package notebooks
