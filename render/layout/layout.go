package layout

// This file is the surface of the package.

// A Point is a place in the drawing; x grows to the right and y downwards.
type Point struct{ X, Y float64 }

// A Shape is the outline at which edges end. The zero Shape is a box.
type Shape uint8

// The shapes.
const (
	Box Shape = iota
	Ellipse
	Diamond
)

// A PortSide says whether a node is a port of its parent, and where.
type PortSide uint8

// The sides. AnyPort is a port on the side where the edges from outside
// arrive.
const (
	NoPort PortSide = iota
	AnyPort
	StartPort
	EndPort
)

// A Node is a box. Lengths are in the caller's unit, mostly pixels.
type Node struct {
	// Parent is the index of the node that this one lies in, -1 for none. A
	// parent stands before its children in Graph.Nodes.
	Parent int
	// W and H are the size that the node needs; a composite node grows beyond
	// it to hold what lies in it.
	W, H float64
	// Top is the room for a title above what lies in a composite node, TitleW
	// how far the title reaches from the left. No edge enters there.
	Top, TitleW float64
	// Beside is the room kept free right of the node, for a name next to it.
	Beside float64
	// Shape is that of a node without children.
	Shape Shape
	// Split puts the children side by side, as high as each other, without
	// room between them: the regions of a parallel state. Place clears it
	// where an edge joins two of them.
	Split bool
	// Port puts the node on the border of its parent, at the start or the end
	// of the direction in which the graph is drawn. Out is how far it sticks
	// out of the border; the rest lies inside.
	Port PortSide
	Out  float64
	// AtEnd says that Place put a port at the end of its parent.
	AtEnd bool
	// X and Y are where Place put its centre.
	X, Y float64
}

// An Edge leads from one node to another, or to the same.
type Edge struct {
	From, To int
	// LabelW and LabelH are the size of its label; 0 for none.
	LabelW, LabelH float64
	// Points is the way that Place found, from the border of From to the
	// border of To: the ends of cubic Bézier curves and, between them, two
	// control points each, so that there are 3n+1.
	Points []Point
	// Label is the centre of the label, which lies beside the edge.
	Label Point
}

// A Graph is what is drawn.
type Graph struct {
	Nodes []Node
	Edges []Edge
	// Sideways draws from left to right instead of from top to bottom.
	Sideways bool
	// NodeGap is the least room between nodes of a layer, LayerGap that
	// between layers, Margin that around what lies in a composite node and
	// around the whole. Zero stands for 24, 36 and 16.
	NodeGap, LayerGap, Margin float64
	// Grid makes layers begin at multiples of it; zero at any place.
	Grid float64
	// W and H are the size of the drawing that Place found.
	W, H float64
}

// Place gives every node its place and every edge its way. It reads the sizes,
// parents and ends and writes the places, the sizes of composite nodes and the
// size of the whole; nothing else has a say.
func (g *Graph) Place() {
	defaults := func(v *float64, d float64) {
		if *v <= 0 {
			*v = d
		}
	}
	defaults(&g.NodeGap, 24)
	defaults(&g.LayerGap, 36)
	defaults(&g.Margin, 16)
	if g.Sideways {
		g.transpose()
	}
	g.draw()
	if g.Sideways {
		g.transpose()
	}
}

// transpose swaps the axes, of sizes and of results.
func (g *Graph) transpose() {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.W, n.H, n.X, n.Y = n.H, n.W, n.Y, n.X
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		e.LabelW, e.LabelH = e.LabelH, e.LabelW
		e.Label = Point{e.Label.Y, e.Label.X}
		for j, q := range e.Points {
			e.Points[j] = Point{q.Y, q.X}
		}
	}
	g.W, g.H = g.H, g.W
}
