package layout

import (
	"cmp"
	"slices"
)

// This file puts ports and the ends of edges on the borders of composites.

// choose gives port k its side: as it is given, or where most edges from
// outside arrive; a port that has none is at the start where it leads inwards.
func (p *placement) choose(k int) {
	votes, inwards := 0, 0
	for _, q := range p.pieces[p.Nodes[k].Parent+1] {
		switch {
		case q.from == border && q.to == k, q.from == k && q.to == border:
			votes += 2
			if q.above(p) {
				votes -= 4
			}
		case q.from == k:
			inwards--
		case q.to == k:
			inwards++
		}
	}
	if votes == 0 {
		votes = inwards
	}
	p.sides[k] = lower
	switch p.Nodes[k].Port {
	case StartPort:
		p.sides[k] = upper
	case AnyPort:
		if votes < 0 {
			p.sides[k] = upper
		}
	}
	for _, q := range p.pieces[p.Nodes[k].Parent+1] {
		if q.from == border && q.to == k || q.from == k && q.to == border {
			q.direct = q.above(p) == (p.sides[k] == upper)
		}
	}
}

// above reports whether q ends at the upper border of its container.
func (q *piece) above(p *placement) bool { return (q.from == border) != p.flipped[q.edge] }

// settlePorts gives each piece that ends at the border of c its place there:
// straight above or below, but beside the title.
func (p *placement) settlePorts(c int, reach float64) {
	const gap = 10
	var tops []*piece
	for _, q := range p.pieces[c+1] {
		if q.from != border && q.to != border {
			continue
		}
		if q.direct {
			q.port = p.Nodes[max(q.from, q.to)].X + p.origin[c+1].X
			continue
		}
		at := q.points[0]
		if q.to == border {
			at = q.points[len(q.points)-1]
		}
		q.port = at.X + p.origin[c+1].X
		if q.above(p) {
			tops = append(tops, q)
		}
	}
	slices.SortStableFunc(tops, func(a, b *piece) int { return cmp.Compare(a.port, b.port) })
	least := 0.0
	if reach > 0 {
		least = reach + gap
	}
	for _, q := range tops {
		q.port = max(q.port, least)
		least = q.port + gap
	}
	if n := &p.Nodes[c]; len(tops) > 0 && least > n.W {
		n.W = least
	}
}

// through leads a piece of a split composite straight from its border to the
// region.
func (p *placement) through(q *piece) {
	k := q.from
	if k == border {
		k = q.to
	}
	region := &p.Nodes[k]
	at := Point{region.X, region.Y}
	if r := p.inner(q.edge, k); r != nil {
		at.X = region.X - region.W/2 + r.port
	}
	if top := q.above(p); top {
		at.Y = region.Y - region.H/2
	} else {
		at.Y = region.Y + region.H/2
	}
	q.points = []Point{at, at, at, at}
	q.label = at
}

// inner is the piece of edge that runs in node n and ends at its border; nil
// where the edge ends at n.
func (p *placement) inner(edge, n int) *piece {
	for _, q := range p.ways[edge] {
		if q.container == n {
			return q
		}
	}
	return nil
}

// face is where edges from inside end at port k.
func (p *placement) face(k int) Point {
	n := &p.Nodes[k]
	if p.sides[k] == upper {
		return Point{n.X, n.Y + n.H/2}
	}
	return Point{n.X, n.Y - n.H/2}
}

// protrusion is how far, downwards, port k sticks out of its border.
func (p *placement) protrusion(k int) float64 {
	if p.sides[k] == upper {
		return -p.Nodes[k].Out
	}
	return p.Nodes[k].Out
}

// landing is the way of piece q between its port and at, where its drawing
// ends: outwards, or from the port inwards.
func (p *placement) landing(q *piece, at Point, outwards bool) []Point {
	n := &p.Nodes[q.container]
	corner := p.corner[q.container+1]
	port := Point{corner.X + q.port, corner.Y}
	clear := Point{port.X, min(corner.Y+n.Top+2, at.Y)}
	if p.Sideways {
		clear = Point{port.X, min(corner.Y+4, at.Y)}
	}
	if top := q.above(p); !top {
		port.Y = corner.Y + n.H
		clear = Point{port.X, port.Y}
	}
	way := vertical([]Point{port, clear, at})
	if outwards {
		slices.Reverse(way)
	}
	return way
}
