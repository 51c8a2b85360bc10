package layout

import (
	"cmp"
	"math"
	"slices"
)

// This file leads the edges: from the lower border of the upper node through
// its dummies to the upper border of the lower node, in curves that are
// vertical where they enter and leave a layer and straight inside one.

// spread is the share of a border, around its middle, at which edges end.
const spread = 0.8

// route gives every edge its points, from From to To.
func (l *layered) route() {
	starts, ends := l.anchors()
	loops := map[int]int{}
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		if up == down {
			l.loop(e, loops[up])
			loops[up]++
			continue
		}
		way := l.way(e, up, down, starts[i], ends[i])
		e.points = vertical(way)
		e.label = middle(way)
		if e.labelW > 0 {
			for _, d := range e.via {
				if b := &l.nodes[d]; b.right > 0 {
					e.label = Point{b.x + labelGap + e.labelW/2, b.y}
				}
			}
		}
		if e.reversed {
			slices.Reverse(e.points)
		}
	}
}

// way is the corners of e from its upper node to its lower one.
func (l *layered) way(e *line, up, down int, start, end float64) []Point {
	leave, arrive := l.outline(up, start, 1), l.outline(down, end, -1)
	way := []Point{{start, leave}}
	if len(e.via) > 0 {
		b := &l.nodes[up]
		way = append(way, Point{start, max(l.tops[b.layer]+l.heights[b.layer], leave+l.lead(up))})
	}
	for _, d := range e.via {
		n := &l.nodes[d]
		way = append(way, Point{n.x, l.tops[n.layer]}, Point{n.x, l.tops[n.layer] + l.heights[n.layer]})
	}
	if len(e.via) > 0 {
		way = append(way, Point{end, min(l.tops[l.nodes[down].layer], arrive-l.lead(down))})
	}
	return append(way, Point{end, arrive})
}

// lead is how far an edge runs straight from node n on, for its arrow.
func (l *layered) lead(n int) float64 {
	if l.nodes[n].thin {
		return 0
	}
	return l.LayerGap / 5
}

// outline is the height of the lower (side 1) or upper (-1) outline of n at x.
func (l *layered) outline(n int, x, side float64) float64 {
	b := &l.nodes[n]
	if b.node == border {
		return b.y
	}
	given := &l.Nodes[b.node]
	return b.y + side*given.reach(x-b.x)
}

// reach is half the height of n at dx from its centre.
func (n *Node) reach(dx float64) float64 {
	if n.W <= 0 {
		return n.H / 2
	}
	off := min(math.Abs(dx)/(n.W/2), 1)
	switch n.Shape {
	case Ellipse:
		return n.H / 2 * math.Sqrt(1-off*off)
	case Diamond:
		return n.H / 2 * (1 - off)
	}
	return n.H / 2
}

// An anchor is the end of an edge on a border that is to be spread.
type anchor struct {
	edge int
	want float64
}

// anchors spreads the ends of edges over the borders of their nodes: each as
// straight above or below where it leads as the border allows. The result is x
// by edge, at the upper and at the lower node.
func (l *layered) anchors() (starts, ends []float64) {
	starts, ends = make([]float64, len(l.edges)), make([]float64, len(l.edges))
	under, over := make([][]anchor, len(l.nodes)), make([][]anchor, len(l.nodes))
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		if up == down {
			continue
		}
		below, above := l.nodes[down].x+l.anchor(down, e), l.nodes[up].x+l.anchor(up, e)
		if len(e.via) > 0 {
			below, above = l.nodes[e.via[0]].x, l.nodes[e.via[len(e.via)-1]].x
		}
		under[up] = append(under[up], anchor{i, below})
		over[down] = append(over[down], anchor{i, above})
	}
	for n := range l.nodes {
		l.spreadOver(n, under[n], starts)
		l.spreadOver(n, over[n], ends)
	}
	return starts, ends
}

// spreadOver gives the ends in list their places on a border of n.
func (l *layered) spreadOver(n int, list []anchor, at []float64) {
	b := &l.nodes[n]
	if b.node == border {
		for _, a := range list {
			at[a.edge] = b.x
		}
		return
	}
	given := &l.Nodes[b.node]
	width := given.W * spread
	switch {
	case b.port != 0:
		width = 0
	case given.Shape != Box && len(list) == 1:
		width = 0
	case given.Shape != Box:
		width = given.W * 0.5
	}
	slices.SortStableFunc(list, func(a, b anchor) int { return cmp.Compare(a.want, b.want) })
	gap := min(14, width/float64(max(len(list)-1, 1)))
	low, high := b.x-width/2, b.x+width/2
	for i, a := range list {
		least := low + float64(i)*gap
		if i > 0 {
			least = max(least, at[list[i-1].edge]+gap)
		}
		at[a.edge] = min(max(a.want, least), high-float64(len(list)-1-i)*gap)
	}
	for _, a := range list {
		if fixed := l.anchor(n, &l.edges[a.edge]); fixed != 0 {
			at[a.edge] = b.x + fixed
		}
	}
}

// vertical is a line through way: straight where it goes straight down, else a
// curve that is vertical at both ends.
func vertical(way []Point) []Point {
	points := []Point{way[0]}
	for i := 1; i < len(way); i++ {
		a, b := way[i-1], way[i]
		if a == b && len(points)+len(way)-i > 2 {
			continue
		}
		mid := (a.Y + b.Y) / 2
		points = append(points, Point{a.X, mid}, Point{b.X, mid}, b)
	}
	return points
}

// middle is the middle of way, by height.
func middle(way []Point) Point {
	a, b := way[0], way[len(way)-1]
	y := (a.Y + b.Y) / 2
	for i := 1; i < len(way); i++ {
		if way[i].Y >= y {
			return Point{(way[i-1].X + way[i].X) / 2, y}
		}
	}
	return b
}

// loop leads an edge from a node to itself, out of its right border; k counts
// the loops above it.
func (l *layered) loop(e *line, k int) {
	b := &l.nodes[e.from]
	n := &l.Nodes[b.node]
	high := max(loopH, e.labelH) + 4
	x, y := b.x+n.W/2, b.y-n.H/2
	if b.h > n.H {
		y = b.y - b.h/2
	}
	y += (float64(k) + 0.5) * high
	if n.Shape != Box {
		y = b.y
	}
	d := loopH / 2
	ends := [2]float64{y - d, y + d}
	for i := range ends {
		ends[i] = min(max(ends[i], b.y-n.H/2+2), b.y+n.H/2-2)
	}
	e.points = []Point{{x, ends[0]}, {x + loopW, y - d - 2}, {x + loopW, y + d + 2}, {x, ends[1]}}
	e.label = Point{x + loopW*0.8 + labelGap + e.labelW/2, y}
}
