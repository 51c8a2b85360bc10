package layout

import (
	"cmp"
	"math"
	"slices"
)

// This file takes a compound graph apart into flat ones and puts their
// drawings together.
//
// An edge is cut into pieces: one in the innermost composite that both its
// ends lie in, and one in each composite whose border it crosses on the way,
// between a node inside and a port on that border. Which of its ends is the
// upper one is decided from the outside in, where cycles are broken; sizes and
// places are worked out from the inside out. An edge between a composite and
// what lies in it runs inside the composite.

// The borders of a composite at which ports stand.
const (
	upper uint8 = 1
	lower uint8 = 2
)

// border stands for a port on the border of the composite, in place of a node.
const border = -1

// A piece is the part of an edge that runs in one composite.
type piece struct {
	edge      int
	container int // -1 for the whole
	from, to  int // nodes that lie directly in the container, or border
	labelled  bool
	points    []Point // from From to To, relative to the content of the container
	label     Point
	direct    bool    // between the border and a port that lies on it: has no way of its own
	port      float64 // of a piece that ends at the border: where on it, from its left end
}

// A placement is one call of Place.
type placement struct {
	*Graph
	kids    [][]int    // by parent + 1
	pieces  [][]*piece // by container + 1
	ways    [][]*piece // by edge, from From to To
	flipped []bool     // by edge: To is the upper end
	groups  [][]*layered
	origin  []Point // by container + 1: of its content, from its corner
	corner  []Point // by container + 1: in the drawing
	sides   []uint8 // by node: the border that a port lies on
	attempt attempt
}

func newPlacement(g *Graph) *placement {
	n := len(g.Nodes) + 1
	p := &placement{Graph: g, kids: make([][]int, n), pieces: make([][]*piece, n), ways: make([][]*piece, len(g.Edges)),
		flipped: make([]bool, len(g.Edges)), groups: make([][]*layered, n), origin: make([]Point, n), corner: make([]Point, n),
		sides: make([]uint8, len(g.Nodes))}
	for i := range g.Nodes {
		at := g.Nodes[i].Parent + 1
		p.kids[at] = append(p.kids[at], i)
	}
	for i := range g.Edges {
		p.cut(i)
	}
	for c := range g.Nodes {
		for _, q := range p.pieces[c+1] {
			if q.from != border && q.to != border {
				g.Nodes[c].Split = false // regions that an edge joins cannot stand side by side
			}
		}
	}
	return p
}

// chain is n and all that it lies in, the innermost first.
func (p *placement) chain(n int) []int {
	var up []int
	for ; n >= 0; n = p.Nodes[n].Parent {
		up = append(up, n)
	}
	return up
}

// cut makes the pieces of edge i.
func (p *placement) cut(i int) {
	e := &p.Edges[i]
	from, to := p.chain(e.From), p.chain(e.To)
	if e.From == e.To {
		p.add(&piece{edge: i, container: p.Nodes[e.From].Parent, from: e.From, to: e.To, labelled: true})
		return
	}
	// a and b are where the chains part; below 0 where one end holds the other.
	a, b := len(from)-1, len(to)-1
	for a >= 0 && b >= 0 && from[a] == to[b] {
		a, b = a-1, b-1
	}
	for k := 0; k < a || k == a && b < 0; k++ {
		p.add(&piece{edge: i, container: p.Nodes[from[k]].Parent, from: from[k], to: border, labelled: k == a})
	}
	if a >= 0 && b >= 0 {
		p.add(&piece{edge: i, container: p.Nodes[from[a]].Parent, from: from[a], to: to[b], labelled: true})
		b--
	} else if a < 0 {
		p.add(&piece{edge: i, container: p.Nodes[to[b]].Parent, from: border, to: to[b], labelled: true})
		b--
	}
	for ; b >= 0; b-- {
		p.add(&piece{edge: i, container: p.Nodes[to[b]].Parent, from: border, to: to[b]})
	}
}

func (p *placement) add(q *piece) {
	p.pieces[q.container+1] = append(p.pieces[q.container+1], q)
	p.ways[q.edge] = append(p.ways[q.edge], q)
}

func (p *placement) place() {
	for c := range p.kids {
		p.divide(c - 1)
	}
	for c := len(p.kids) - 1; c >= 0; c-- {
		if c == 0 || len(p.kids[c]) > 0 {
			p.inside(c - 1)
		}
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		at, o := p.corner[n.Parent+1], p.origin[n.Parent+1]
		n.X, n.Y = n.X+at.X+o.X, n.Y+at.Y+o.Y
		n.AtEnd = p.sides[i] == lower
		switch p.sides[i] {
		case upper:
			n.Y = at.Y - n.Out + n.H/2
		case lower:
			n.Y = at.Y + p.Nodes[n.Parent].H + n.Out - n.H/2
		}
		p.corner[i+1] = Point{n.X - n.W/2, n.Y - n.H/2}
	}
	for i := range p.Edges {
		p.join(i)
	}
}

// divide parts what lies in container c into groups that no edge joins and
// breaks the cycles of each. What is joined to the border is one group, the
// first.
func (p *placement) divide(c int) {
	if c >= 0 && p.Nodes[c].Split {
		return
	}
	kids := p.kids[c+1]
	group := make(map[int]int, len(kids))
	for _, k := range kids {
		group[k] = k
	}
	group[border] = border
	find := func(n int) int {
		for group[n] != n {
			n = group[n]
		}
		return n
	}
	unite := func(a, b int) {
		a, b = find(a), find(b)
		group[max(a, b)] = min(a, b)
	}
	for _, q := range p.pieces[c+1] {
		unite(q.from, q.to)
	}
	for _, k := range kids {
		if p.Nodes[k].Port != NoPort && c >= 0 {
			p.choose(k)
			unite(k, border)
		}
	}
	at := map[int]*layered{}
	for _, k := range kids {
		root := find(k)
		if at[root] == nil {
			at[root] = p.newLayered()
			p.groups[c+1] = append(p.groups[c+1], at[root])
		}
		at[root].addNode(k)
	}
	for _, q := range p.pieces[c+1] {
		n := q.from
		if n == border {
			n = q.to
		}
		at[find(n)].addPiece(q, p.flipped[q.edge])
	}
	slices.SortStableFunc(p.groups[c+1], func(a, b *layered) int { return cmp.Compare(b.ports, a.ports) })
	for _, l := range p.groups[c+1] {
		l.breakCycles()
		l.rank()
		for i := range l.edges {
			if e := &l.edges[i]; e.reversed {
				p.flipped[e.edge] = true
			}
		}
	}
}

// inside draws what lies in container c and makes c large enough for it.
func (p *placement) inside(c int) {
	title, reach := 0.0, 0.0
	if c >= 0 {
		title, reach = p.Nodes[c].Top, p.Nodes[c].TitleW
		if up := p.Nodes[c].Parent; up >= 0 && p.Nodes[up].Split && p.kids[up+1][0] == c {
			reach = max(reach, p.Nodes[up].TitleW) // so that edges run straight through both
		}
	}
	// A title is at the top of the drawing, which is the left of a drawing
	// whose axes are swapped.
	over := Point{0, title}
	if p.Sideways {
		over, reach = Point{title, 0}, 0
	}
	if c >= 0 && p.Nodes[c].Split {
		p.insideSplit(c, over)
		return
	}
	for _, l := range p.groups[c+1] {
		l.draw()
	}
	w, h := p.pack(c)
	margin := p.Margin
	origin := Point{margin + over.X, margin + over.Y}
	w, h = w+2*margin+over.X, h+2*margin+over.Y
	if c < 0 {
		p.W, p.H = w, h
		p.origin[0] = origin
		return
	}
	n := &p.Nodes[c]
	if n.W > w {
		origin.X += (n.W - w) / 2
	}
	if n.H > h {
		origin.Y += (n.H - h) / 2
	}
	n.W, n.H = max(n.W, w), max(n.H, h)
	p.origin[c+1] = origin
	p.settlePorts(c, reach)
}

// insideSplit puts the children of c side by side.
func (p *placement) insideSplit(c int, over Point) {
	n := &p.Nodes[c]
	w, h := over.X, 0.0
	for _, k := range p.kids[c+1] {
		w, h = w+p.Nodes[k].W, max(h, p.Nodes[k].H)
	}
	h = max(h, n.H-over.Y)
	spare := max(n.W-w, 0) / float64(len(p.kids[c+1]))
	x := 0.0
	for _, k := range p.kids[c+1] {
		kid := &p.Nodes[k]
		p.origin[k+1].X += spare / 2
		for _, q := range p.pieces[k+1] {
			q.port += spare / 2
		}
		kid.W, kid.H = kid.W+spare, h
		kid.X, kid.Y = x+kid.W/2, h/2
		x += kid.W
	}
	n.W, n.H = max(n.W, w), h+over.Y
	p.origin[c+1] = over
	for _, q := range p.pieces[c+1] {
		p.through(q)
	}
	reach := n.TitleW
	if p.Sideways {
		reach = 0
	}
	p.settlePorts(c, reach)
	last := &p.Nodes[p.kids[c+1][len(p.kids[c+1])-1]]
	if more := n.W - x - over.X; more > 0 {
		last.W, last.X = last.W+more, last.X+more/2
	}
}

// pack puts the groups of c beside and below each other, about half as wide
// again as high, and is the size of all.
func (p *placement) pack(c int) (w, h float64) {
	groups := p.groups[c+1]
	if len(groups) == 0 {
		return 0, 0
	}
	area, widest := 0.0, 0.0
	for _, l := range groups {
		area += (l.w + p.NodeGap) * (l.h + p.NodeGap)
		widest = max(widest, l.w)
	}
	wide, high := 1.7, 1.0
	if p.Sideways {
		wide, high = high, wide
	}
	left := 0.0
	if groups[0].ports > 0 {
		p.settle(groups[0], 0, 0)
		w, h = groups[0].w, groups[0].h
		left = w + p.NodeGap
		groups = groups[1:]
	}
	limit := left + max(widest, math.Sqrt(area*wide/high))
	x, y, row := left, 0.0, 0.0
	for _, l := range groups {
		if x > left && x+l.w > limit {
			x, y, row = left, y+row+p.NodeGap, 0
		}
		p.settle(l, x, y)
		w, h = max(w, x+l.w), max(h, y+l.h)
		x, row = x+l.w+p.NodeGap, max(row, l.h)
	}
	return w, h
}

// settle hands over what l has drawn, moved by (dx, dy).
func (p *placement) settle(l *layered, dx, dy float64) {
	for i := range l.nodes[:l.real] {
		b := &l.nodes[i]
		n := &p.Nodes[b.node]
		n.X, n.Y = b.x+dx, b.y+dy
	}
	for i := range l.edges {
		e := &l.edges[i]
		e.piece.points = shift(e.points, dx, dy)
		e.piece.label = Point{e.label.X + dx, e.label.Y + dy}
	}
	for _, q := range l.level {
		a, b := &p.Nodes[q.from], &p.Nodes[q.to]
		side := 1.0
		if p.sides[q.from] == lower {
			side = -1
		}
		from, to := Point{a.X, a.Y + side*a.H/2}, Point{b.X, b.Y + side*b.H/2}
		bend := side * p.LayerGap / 2
		q.points = []Point{from, {from.X, from.Y + bend}, {to.X, to.Y + bend}, to}
		q.label = Point{(from.X + to.X) / 2, from.Y + bend}
	}
}

func shift(points []Point, dx, dy float64) []Point {
	for i, q := range points {
		points[i] = Point{q.X + dx, q.Y + dy}
	}
	return points
}

// join makes one way of the pieces of edge i.
func (p *placement) join(i int) {
	e := &p.Edges[i]
	e.Points = e.Points[:0]
	for _, q := range p.ways[i] {
		if q.direct {
			continue
		}
		c := q.container + 1
		at := Point{p.corner[c].X + p.origin[c].X, p.corner[c].Y + p.origin[c].Y}
		points := shift(q.points, at.X, at.Y)
		if q.labelled {
			e.Label = Point{q.label.X + at.X, q.label.Y + at.Y}
		}
		if q.from == border {
			e.Points = extend(e.Points, p.landing(q, points[0], false)...)
		} else if p.sides[q.from] != 0 {
			e.Points = extend(e.Points, vertical([]Point{p.face(q.from), points[0]})...)
		}
		e.Points = extend(e.Points, points...)
		last := points[len(points)-1]
		if q.to == border {
			e.Points = extend(e.Points, p.landing(q, last, true)...)
		} else if p.sides[q.to] != 0 {
			e.Points = extend(e.Points, vertical([]Point{last, p.face(q.to)})...)
		}
	}
	if len(e.Points) == 0 { // between a composite and a port of its own
		at := p.face(max(p.ways[i][0].from, p.ways[i][0].to))
		e.Points, e.Label = []Point{at, at, at, at}, at
		return
	}
	if way := p.ways[i]; way[0].direct && way[0].to == border {
		e.Points[0].Y += p.protrusion(way[0].from)
	}
	if way := p.ways[i]; way[len(way)-1].direct && way[len(way)-1].from == border {
		e.Points[len(e.Points)-1].Y += p.protrusion(way[len(way)-1].to)
	}
}

// extend appends way to points; both name the place where they meet.
func extend(points []Point, way ...Point) []Point {
	if len(points) == 0 {
		return append(points, way...)
	}
	return append(points, way[1:]...)
}
