package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/render/layout"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file draws a graph as SVG: measures its nodes, has them placed, and
// draws each by its kind.

// Sizes of type and room, in pixels.
const (
	titleSize   = 12.5
	lineSize    = 11.0
	keywordSize = 10.0
	labelSize   = 11.0
	lineHeight  = 14.5
	padX        = 12.0
	padY        = 8.0
	barW        = 64.0
	barStep     = 36.0 // for each branch
	barH        = 6.0
	diamondW    = 30.0
	dotW        = 18.0
	portW       = 12.0
)

// A look is how a kind of node is drawn.
type look struct {
	fill   string
	radius float64
}

var looks = map[nodeKind]look{actionNode: {blue, 9}, stateNode: {violet, 12}, acceptNode: {teal, 0}, sendNode: {teal, 0},
	definitionNode: {amber, 1}, usageNode: {blue, 8}, packageNode: {grey, 1}, portNode: {teal, 2}, plainNode: {blue, 6},
	worldNode: {blue, 8}, goodEndNode: {green, 14}, badEndNode: {red, 14}, brokenNode: {red, 8}, reachedNode: {green, 8}, groupNode: {grey, 8}, unknownNode: {grey, 8}}

func (g *graph) svg(title string) string {
	l := g.place()
	var c canvas
	for i := range g.nodes {
		g.drawNode(&c, i, &l.Nodes[i], len(g.children(i)) > 0)
	}
	for i := range g.edges {
		g.drawEdge(&c, &g.edges[i], &l.Edges[i])
	}
	for i := range g.nodes {
		g.drawTokens(&c, &g.nodes[i], &l.Nodes[i])
	}
	return c.document(title, l.W, l.H)
}

// place measures the graph and has it laid out.
func (g *graph) place() *layout.Graph {
	l := &layout.Graph{Sideways: g.sideways, Margin: 14}
	composite := g.composites()
	for i := range g.nodes {
		l.Nodes = append(l.Nodes, g.measure(i, composite[i]))
	}
	for i := range g.edges {
		e := layout.Edge{From: g.edges[i].from, To: g.edges[i].to}
		for _, s := range g.edges[i].label {
			e.LabelW = max(e.LabelW, textWidth(s, labelSize)+2)
			e.LabelH += lineHeight
		}
		l.Edges = append(l.Edges, e)
	}
	l.Place()
	return l
}

// measure is node i with the size that what is written in it needs.
func (g *graph) measure(i int, composite bool) layout.Node {
	n := &g.nodes[i]
	m := layout.Node{Parent: n.parent, Split: n.split}
	switch n.kind {
	case startNode:
		m.W, m.H, m.Shape = dotW-2, dotW-2, layout.Ellipse
	case doneNode, historyNode, deepHistoryNode, terminateNode:
		m.W, m.H, m.Shape = dotW+2, dotW+2, layout.Ellipse
	case junctionNode:
		m.W, m.H, m.Shape = 11, 11, layout.Ellipse
	case forkNode, joinNode:
		m.W, m.H = max(barW, barStep*float64(g.branches(i))), barH
		if g.sideways {
			m.W, m.H = m.H, m.W
		}
	case mergeNode, decideNode, choiceNode:
		m.W, m.H, m.Shape = diamondW, diamondW*0.8, layout.Diamond
	case portNode:
		m.W, m.H = portW+4+textWidth(n.title, keywordSize), portW+2
		m.Port, m.Out = layout.AnyPort, portW/2
		switch n.direction() {
		case syntax.In:
			m.Port = layout.StartPort
		case syntax.Out:
			m.Port = layout.EndPort
		}
		if n.parent < 0 {
			m.Port, m.Out = layout.NoPort, 0
		}
	default:
		w, h := n.textSize()
		m.W, m.H = w+2*padX, h+2*padY
		if n.kind == acceptNode || n.kind == sendNode {
			m.W += flagW
		}
		if n.kind == stateNode || n.kind == actionNode {
			m.W, m.H = max(m.W, 56), max(m.H, 34)
		}
		if composite {
			m.Top, m.TitleW = h+padY+4, w+padX
			if n.split {
				m.Top += padY / 2
			}
		}
	}
	if isControl(n.kind) && n.element != nil && label(n.element) != "" {
		m.Beside = 4 + textWidth(label(n.element), keywordSize)
	}
	return m
}

// branches is the larger of the numbers of edges that lead to node i and from
// it.
func (g *graph) branches(i int) int {
	in, out := 0, 0
	for _, e := range g.edges {
		if e.to == i {
			in++
		}
		if e.from == i {
			out++
		}
	}
	return max(in, out)
}

// flagW is how far the point of an accept or send action reaches.
const flagW = 10.0

// textSize is the room that what is written in n takes.
func (n *node) textSize() (w, h float64) {
	if n.keyword != "" {
		w, h = textWidth("«"+n.keyword+"»", keywordSize), lineHeight-2
	}
	if n.title != "" {
		for _, s := range n.titleLines() {
			w, h = max(w, textWidth(s, titleSize)*boldFactor), h+lineHeight+1
		}
	}
	if len(n.lines) > 0 {
		h += 5
	}
	for _, s := range n.lines {
		w, h = max(w, textWidth(s, lineSize)), h+lineHeight-0.5
	}
	return w, h
}

func (n *node) titleLines() []string { return wrap(n.title, 34) }

// activeOutline is the border of what a run is in.
const activeOutline = `stroke="` + green + `" stroke-width="2.2"`

func (g *graph) drawNode(c *canvas, i int, m *layout.Node, composite bool) {
	n := &g.nodes[i]
	c.printf(`<g data-node="%s">`+"\n", escape(n.key))
	defer c.WriteString("</g>\n")
	c.tips(n.tip)
	border, x, y := outline, m.X-m.W/2, m.Y-m.H/2
	switch s := worldBorders[n.kind]; {
	case s != "":
		border = s
	case n.active && g.worlds:
		border = `stroke="currentColor" stroke-width="2"`
	case n.active:
		border = activeOutline
	}
	switch n.kind {
	case startNode:
		c.printf(`<circle cx="%v" cy="%v" r="%v" %s/>`+"\n", m.X, m.Y, m.W/2-1, border)
	case doneNode:
		c.printf(`<circle cx="%v" cy="%v" r="%v" fill="none" %s/>`+"\n", m.X, m.Y, m.W/2-1, border)
		c.printf(`<circle cx="%v" cy="%v" r="%v"/>`+"\n", m.X, m.Y, m.W/2-5)
	case junctionNode:
		c.printf(`<circle cx="%v" cy="%v" r="%v" %s/>`+"\n", m.X, m.Y, m.W/2, border)
	case historyNode, deepHistoryNode:
		c.printf(`<circle cx="%v" cy="%v" r="%v" fill="%s" fill-opacity="0.12" %s/>`+"\n", m.X, m.Y, m.W/2, violet, border)
		sign := "H"
		if n.kind == deepHistoryNode {
			sign = "H*"
		}
		c.text(m.X, m.Y+4, sign, textStyle{size: lineSize, anchor: "middle"})
	case terminateNode:
		c.printf(`<circle cx="%v" cy="%v" r="%v" fill="none" %s/>`+"\n", m.X, m.Y, m.W/2-1, border)
		d := m.W/2 - 5
		c.line(m.X-d, m.Y-d, m.X+d, m.Y+d, outline)
		c.line(m.X-d, m.Y+d, m.X+d, m.Y-d, outline)
	case forkNode, joinNode:
		c.rect(x, y, m.W, m.H, 2, "currentColor", 0.85, border)
	case mergeNode, decideNode, choiceNode:
		c.printf(`<polygon points="%v,%v %v,%v %v,%v %v,%v" fill="%s" fill-opacity="0.15" stroke-linejoin="round" %s/>`+"\n",
			m.X, y, x+m.W, m.Y, m.X, y+m.H, x, m.Y, amber, border)
	case portNode:
		g.drawPort(c, n, m, border)
	default:
		g.drawBox(c, n, m, composite, border)
	}
	if isControl(n.kind) && n.element != nil && label(n.element) != "" {
		c.text(m.X+m.W/2+4, m.Y+3.5, label(n.element), textStyle{size: keywordSize, italic: true, faint: true})
	}
}

// isControl reports whether nodes of kind k show no title inside.
func isControl(k nodeKind) bool {
	switch k {
	case startNode, doneNode, forkNode, joinNode, mergeNode, decideNode, terminateNode, choiceNode, junctionNode, historyNode, deepHistoryNode:
		return true
	}
	return false
}

func (g *graph) drawBox(c *canvas, n *node, m *layout.Node, composite bool, border string) {
	l := looks[n.kind]
	x, y := m.X-m.W/2, m.Y-m.H/2
	opacity := 0.13
	if composite {
		opacity = 0.045
	}
	fill := l.fill
	if n.active && !g.worlds {
		fill, opacity = green, opacity*2
	}
	region := n.parent >= 0 && g.nodes[n.parent].split
	switch {
	case region:
		c.drawRegion(n, m, &g.nodes[n.parent], fill, opacity, g.firstRegion(n))
	case n.kind == acceptNode:
		c.printf(`<polygon points="%v,%v %v,%v %v,%v %v,%v %v,%v" fill="%s" fill-opacity="%v" stroke-linejoin="round" %s/>`+"\n",
			x, y, x+m.W, y, x+m.W, y+m.H, x, y+m.H, x+flagW, m.Y, fill, fmt.Sprint(opacity), border)
	case n.kind == sendNode:
		c.printf(`<polygon points="%v,%v %v,%v %v,%v %v,%v %v,%v" fill="%s" fill-opacity="%v" stroke-linejoin="round" %s/>`+"\n",
			x, y, x+m.W-flagW, y, x+m.W, m.Y, x+m.W-flagW, y+m.H, x, y+m.H, fill, fmt.Sprint(opacity), border)
	default:
		c.rect(x, y, m.W, m.H, l.radius, fill, opacity, border)
	}
	g.drawText(c, n, m, composite)
}

// drawPort draws a port: a square on the border of its part, its name inside.
func (g *graph) drawPort(c *canvas, n *node, m *layout.Node, border string) {
	x, name, anchor := m.X-m.W/2, m.X-m.W/2+portW+4, ""
	if m.AtEnd {
		x, name, anchor = m.X+m.W/2-portW, m.X+m.W/2-portW-4, "end"
	}
	c.rect(x, m.Y-portW/2, portW, portW, 2, teal, 0.45, border)
	c.text(name, m.Y+3.5, n.title, textStyle{size: keywordSize, faint: true, anchor: anchor})
	arrow := map[syntax.Direction]string{syntax.In: "→", syntax.Out: "←", syntax.InOut: "↔"}[n.direction()]
	if m.AtEnd {
		arrow = map[syntax.Direction]string{syntax.In: "←", syntax.Out: "→", syntax.InOut: "↔"}[n.direction()]
	}
	c.text(x+portW/2, m.Y+3.5, arrow, textStyle{size: 9, anchor: "middle"})
}

// drawRegion draws a region: no box, but a broken line to the region before.
func (c *canvas) drawRegion(n *node, m *layout.Node, parallel *node, fill string, opacity float64, first bool) {
	x, y := m.X-m.W/2, m.Y-m.H/2
	if n.active && !parallel.active {
		c.rect(x+3, y+3, m.W-6, m.H-6, 8, fill, opacity, `stroke="none"`)
	}
	if !first {
		c.line(x, y, x, y+m.H, outline+` stroke-dasharray="6 4"`)
	}
}

// firstRegion reports whether n is the first region of its parent.
func (g *graph) firstRegion(n *node) bool {
	return g.nodes[g.children(n.parent)[0]].key == n.key
}

// drawText writes keyword, title and lines: in the middle of a plain node, at
// the top left of a composite one.
func (g *graph) drawText(c *canvas, n *node, m *layout.Node, composite bool) {
	_, h := n.textSize()
	x, y, anchor := m.X, m.Y-h/2, "middle"
	left := m.X - m.W/2 + padX
	if composite {
		x, y, anchor = left, m.Y-m.H/2+padY-1, ""
	}
	if n.kind == acceptNode {
		x, left = x+flagW/2, left+flagW
	} else if n.kind == sendNode {
		x -= flagW / 2
	}
	if n.keyword != "" {
		c.text(x, y+keywordSize-1, "«"+n.keyword+"»", textStyle{size: keywordSize, italic: true, faint: true, anchor: anchor})
		y += lineHeight - 2
	}
	if n.title != "" {
		for _, s := range n.titleLines() {
			c.text(x, y+titleSize-1, s, textStyle{size: titleSize, bold: n.bold(composite), anchor: anchor})
			y += lineHeight + 1
		}
	}
	if len(n.lines) == 0 {
		return
	}
	if n.title != "" || n.keyword != "" {
		right := m.X + m.W/2
		if composite {
			right = left - padX + m.TitleW + padX/2
		}
		from := m.X - m.W/2
		if n.kind == acceptNode {
			from += flagW / 2
		}
		c.line(from, y+2, right, y+2, `stroke="currentColor" stroke-opacity="0.35"`)
	}
	y += 5
	for _, s := range n.lines {
		c.text(left, y+lineSize-1, s, textStyle{size: lineSize, faint: true})
		y += lineHeight - 0.5
	}
}

// bold reports whether the title of n stands out: of definitions, frames and
// what has an inside.
func (n *node) bold(composite bool) bool {
	return composite || n.kind == definitionNode || n.kind == stateNode
}

// drawTokens draws the tokens that stand at n, on its upper right corner.
func (g *graph) drawTokens(c *canvas, n *node, m *layout.Node) {
	x, y := m.X+m.W/2, m.Y-m.H/2
	for _, t := range slices.Backward(n.tokens) {
		w := max(textWidth(t, keywordSize)*boldFactor+9, 16)
		c.rect(x-w+6, y-12, w, 16, 8, orange, 1, `stroke="white" stroke-opacity="0.6"`)
		c.text(x+6-w/2, y-0.5, t, textStyle{size: keywordSize, bold: true, anchor: "middle", fill: "white"})
		x -= w + 2
	}
}

// An edgeLook is how a kind of edge is drawn.
type edgeLook struct {
	start, end arrowHead
	dashes     string
	colour     string
}

var edgeLooks = map[edgeKind]edgeLook{
	succession:     {end: filledHead},
	flowEdge:       {end: openHead, dashes: "5 3", colour: teal},
	connection:     {},
	bindingEdge:    {dashes: "1 3"},
	specialization: {start: hollowHead},
	typing:         {start: hollowDotsHead, dashes: "4 3"},
	redefinition:   {start: hollowBarHead},
	composition:    {start: filledDiamond},
	reference:      {start: hollowDiamond},
	containment:    {start: circledPlus},
	dependency:     {end: openHead, dashes: "4 3"},
	moveEdge:       {end: filledHead},
	backEdge:       {end: filledHead, dashes: "6 3", colour: violet},
}

func (g *graph) drawEdge(c *canvas, e *edge, m *layout.Edge) {
	if len(m.Points) < 4 {
		return
	}
	look := edgeLooks[e.kind]
	colour, stroke := "currentColor", `stroke-opacity="0.8"`
	switch {
	case e.taken && g.worlds:
		colour, stroke = orange, `stroke-opacity="1" stroke-width="3"`
	case e.taken:
		colour, stroke = green, `stroke-opacity="1" stroke-width="2.2"`
	case look.colour != "":
		colour, stroke = look.colour, `stroke-opacity="1"`
	}
	c.printf(`<g data-edge="%s→%s">`+"\n", escape(g.nodes[e.from].key), escape(g.nodes[e.to].key))
	backwards := slices.Clone(m.Points)
	slices.Reverse(backwards)
	points := shorten(backwards, look.start.length())
	slices.Reverse(points)
	points = shorten(points, look.end.length())
	if look.dashes != "" {
		stroke += ` stroke-dasharray="` + look.dashes + `"`
	}
	c.printf(`<path d="%s" fill="none" stroke="%s" %s/>`+"\n", pathData(points), colour, stroke)
	if look.end != noHead {
		dx, dy := heading(m.Points)
		c.head(look.end, m.Points[len(m.Points)-1], dx, dy, colour)
	}
	if look.start != noHead {
		dx, dy := heading(backwards)
		c.head(look.start, backwards[len(backwards)-1], dx, dy, colour)
	}
	y := m.Label.Y - float64(len(e.label))*lineHeight/2
	for _, s := range e.label {
		c.text(m.Label.X-m.LabelW/2, y+labelSize, s, textStyle{size: labelSize})
		y += lineHeight
	}
	c.WriteString("</g>\n")
}

// indent is n levels of blanks.
func indent(n int) string { return strings.Repeat("  ", n) }
