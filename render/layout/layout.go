package layout

// This file is the surface of the package and the walk over composite nodes.

// A Point is a place in the drawing; x grows to the right and y downwards.
type Point struct{ X, Y float64 }

// A Node is a box. Lengths are in the caller's unit, mostly pixels.
type Node struct {
	// Parent is the index of the node that this one lies in, -1 for none. A
	// parent stands before its children in Graph.Nodes.
	Parent int
	// W and H are the size that the node needs; a composite node grows beyond
	// it to hold what lies in it.
	W, H float64
	// Top is the room for a title above what lies in a composite node.
	Top float64
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
	// Label is the centre of the label.
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
	// around the whole. Zero stands for 24, 40 and 16.
	NodeGap, LayerGap, Margin float64
	// W and H are the size of the drawing that Place found.
	W, H float64
}

// Place gives every node its place and every edge its way.
func (g *Graph) Place() {
	defaults := func(v *float64, d float64) {
		if *v <= 0 {
			*v = d
		}
	}
	defaults(&g.NodeGap, 24)
	defaults(&g.LayerGap, 40)
	defaults(&g.Margin, 16)
	if g.Sideways {
		g.transpose()
	}
	p := &placement{Graph: g, kids: make([][]int, len(g.Nodes)+1), edges: make([][]part, len(g.Nodes)+1)}
	for i := range g.Nodes {
		at := g.Nodes[i].Parent + 1
		p.kids[at] = append(p.kids[at], i)
	}
	for i := range g.Edges {
		p.assign(i)
	}
	g.W, g.H = p.inside(-1)
	p.absolute(-1, 0, 0)
	for i := range g.Edges {
		g.finish(&g.Edges[i])
	}
	if g.Sideways {
		g.transpose()
	}
}

// A placement is one call of Place.
type placement struct {
	*Graph
	kids  [][]int  // by parent + 1
	edges [][]part // by the parent + 1 in whose inside they are drawn
}

// A part is an edge as the graph that it is drawn in sees it: between the
// nodes of that graph that its ends are or lie in.
type part struct{ edge, from, to int }

// assign gives edge i to the graph of the innermost node that both ends lie in.
func (p *placement) assign(i int) {
	e := &p.Edges[i]
	chain := func(n int) []int {
		var up []int
		for ; n >= 0; n = p.Nodes[n].Parent {
			up = append(up, n)
		}
		return up
	}
	from, to := chain(e.From), chain(e.To)
	a, b := len(from)-1, len(to)-1
	for a > 0 && b > 0 && from[a] == to[b] {
		a, b = a-1, b-1
	}
	at := p.Nodes[from[a]].Parent + 1
	p.edges[at] = append(p.edges[at], part{i, from[a], to[b]})
}

// inside draws what lies in node n, -1 for the whole, relative to its corner,
// and is the size that this needs.
func (p *placement) inside(n int) (w, h float64) {
	kids := p.kids[n+1]
	for _, k := range kids {
		if len(p.kids[k+1]) == 0 {
			continue
		}
		w, h := p.inside(k)
		node := &p.Nodes[k]
		node.W, node.H = max(node.W, w), max(node.H, h)
	}
	l := p.layered(kids, p.edges[n+1])
	l.draw()
	top := 0.0
	if n >= 0 {
		top = p.Nodes[n].Top
	}
	for i, k := range kids {
		p.Nodes[k].X, p.Nodes[k].Y = l.nodes[i].x+p.Margin, l.nodes[i].y+p.Margin+top
	}
	for i, e := range p.edges[n+1] {
		p.Edges[e.edge].Points = shift(l.edges[i].points, p.Margin, p.Margin+top)
		p.Edges[e.edge].Label = Point{l.edges[i].label.X + p.Margin, l.edges[i].label.Y + p.Margin + top}
	}
	return l.w + 2*p.Margin, l.h + 2*p.Margin + top
}

func shift(points []Point, dx, dy float64) []Point {
	moved := make([]Point, len(points))
	for i, q := range points {
		moved[i] = Point{q.X + dx, q.Y + dy}
	}
	return moved
}

// absolute moves what lies in node n by the place of its corner.
func (p *placement) absolute(n int, dx, dy float64) {
	for _, e := range p.edges[n+1] {
		edge := &p.Edges[e.edge]
		edge.Points = shift(edge.Points, dx, dy)
		edge.Label = Point{edge.Label.X + dx, edge.Label.Y + dy}
	}
	for _, k := range p.kids[n+1] {
		node := &p.Nodes[k]
		node.X, node.Y = node.X+dx, node.Y+dy
		p.absolute(k, node.X-node.W/2, node.Y-node.H/2)
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
