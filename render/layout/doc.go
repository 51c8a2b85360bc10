// Package layout places the nodes of a graph and leads its edges.
//
// A [Graph] has nodes of given sizes, which may lie in one another, and edges
// between any of them, with room for labels. [Graph.Place] draws it in layers:
// the inside of a composite node first, as a graph of its own, then the node
// as a box of the size that came out. An edge that crosses the border of a
// composite passes through a port of that border. The same graph gives the
// same drawing, to the last digit. This package knows no model, no font and no
// SVG.
package layout
