package layout

import (
	"cmp"
	"math"
	"slices"
)

// This file leads the edges: from the lower border of the upper node through
// its dummies to the upper border of the lower node, in curves that pass every
// layer vertically.

const (
	portGap = 14.0 // between the ends of edges at one border
	loopW   = 26.0 // how far a loop of a node reaches out
)

// route gives every edge its points, from From to To.
func (l *layered) route() {
	starts, ends := l.ports()
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		if up == down {
			l.loop(e)
			continue
		}
		way := []Point{{starts[i], l.nodes[up].y + l.nodes[up].h/2}}
		for _, d := range e.via {
			way = append(way, Point{l.nodes[d].x, l.nodes[d].y})
		}
		way = append(way, Point{ends[i], l.nodes[down].y - l.nodes[down].h/2})
		e.label = way[(len(way)-1)/2]
		if n := len(e.via); n > 0 {
			mid := l.nodes[e.via[n/2]]
			for _, d := range e.via {
				if l.nodes[d].w > 0 {
					mid = l.nodes[d]
				}
			}
			e.label = Point{mid.x, mid.y}
		}
		e.points = curve(way)
		if e.reversed {
			slices.Reverse(e.points)
		}
	}
}

// ports spreads the ends of edges over the borders of their nodes, in the
// order of where they lead: x by edge, at the upper and at the lower node.
func (l *layered) ports() (starts, ends []float64) {
	starts, ends = make([]float64, len(l.edges)), make([]float64, len(l.edges))
	type port struct {
		edge   int
		toward float64
	}
	lower, upper := make([][]port, l.real), make([][]port, l.real)
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		if up == down {
			continue
		}
		lower[up] = append(lower[up], port{i, l.nodes[e.via[0]].x})
		upper[down] = append(upper[down], port{i, l.nodes[e.via[len(e.via)-1]].x})
	}
	spread := func(list []port, n int, at []float64) {
		slices.SortStableFunc(list, func(a, b port) int { return cmp.Compare(a.toward, b.toward) })
		gap := min(portGap, l.nodes[n].w*0.7/max(float64(len(list)-1), 1))
		for k, p := range list {
			at[p.edge] = l.nodes[n].x + (float64(k)-float64(len(list)-1)/2)*gap
		}
	}
	for n := range l.real {
		spread(lower[n], n, starts)
		spread(upper[n], n, ends)
	}
	return starts, ends
}

// curve is a smooth line through way that is vertical in every point of it.
func curve(way []Point) []Point {
	points := []Point{way[0]}
	for i := 1; i < len(way); i++ {
		a, b := way[i-1], way[i]
		mid := (a.Y + b.Y) / 2
		points = append(points, Point{a.X, mid}, Point{b.X, mid}, b)
	}
	return points
}

// loop leads an edge from a node to itself, out of its right border.
func (l *layered) loop(e *line) {
	n := l.nodes[e.from]
	x, y := n.x+n.w/2, n.y
	dy := min(n.h/4, 12)
	e.points = []Point{{x, y - dy}, {x + loopW, y - 2*dy}, {x + loopW, y + 2*dy}, {x, y + dy}}
	e.label = Point{x + loopW*0.8 + e.labelW/2, y}
}

// finish leads the ends of an edge on to the nodes that they mean, where the
// graph that the edge was drawn in had only boxes around them.
func (g *Graph) finish(e *Edge) {
	if len(e.Points) == 0 {
		return
	}
	if q, ok := g.Nodes[e.From].border(e.Points[0]); ok {
		e.Points = append(straight(q, e.Points[0])[:3], e.Points...)
	}
	last := e.Points[len(e.Points)-1]
	if q, ok := g.Nodes[e.To].border(last); ok {
		e.Points = append(e.Points, straight(last, q)[1:]...)
	}
}

// straight is the segment from a to b as a cubic curve.
func straight(a, b Point) []Point {
	third := func(k float64) Point { return Point{a.X + (b.X-a.X)*k/3, a.Y + (b.Y-a.Y)*k/3} }
	return []Point{a, third(1), third(2), b}
}

// border is where the line from q to the centre of n meets the border of n;
// false where q lies on the border already.
func (n *Node) border(q Point) (Point, bool) {
	const near = 0.5
	dx, dy := q.X-n.X, q.Y-n.Y
	reach := max(math.Abs(dx)/(n.W/2), math.Abs(dy)/(n.H/2))
	if reach <= 1+near/min(n.W, n.H) {
		return q, false
	}
	return Point{n.X + dx/reach, n.Y + dy/reach}, true
}
