package picture

import (
	"slices"
	"strings"
)

// This file writes a graph for a terminal: as a drawing of boxes and lines
// where it fits (grid.go), else as a list.

func (g *graph) text(width int) string {
	if drawn, ok := g.drawing(width); ok {
		return drawn
	}
	var b strings.Builder
	for _, n := range g.children(-1) {
		g.list(&b, n, 0, width)
	}
	return b.String()
}

// arrows stand for kinds of edges in a list.
var arrows = map[edgeKind]string{succession: "→", flowEdge: "⇢", connection: "—", bindingEdge: "=", specialization: "◁", typing: "◁:",
	redefinition: "◁|", composition: "◆", reference: "◇", containment: "⊕", dependency: "⇢", moveEdge: "→", backEdge: "⇢"}

// list writes node n, what leads away from it, and what lies in it.
func (g *graph) list(b *strings.Builder, n, depth, width int) {
	node := &g.nodes[n]
	caption := node.caption()
	if g.worlds {
		caption = node.key + " " + caption
	}
	g.writeLine(b, depth, symbols[node.kind]+" "+caption, width)
	for _, s := range node.lines {
		g.writeLine(b, depth+2, s, width)
	}
	for _, e := range g.edges {
		if e.from == n {
			line := arrows[e.kind] + " " + g.reference(e.to, node.parent)
			if label := e.textLabel(); len(label) > 0 {
				line += "  " + strings.Join(label, " ")
			}
			g.writeLine(b, depth+2, line, width)
		}
	}
	kids := g.children(n)
	slices.SortStableFunc(kids, func(a, b int) int { return g.rank(a) - g.rank(b) })
	for _, k := range kids {
		g.list(b, k, depth+1, width)
	}
}

// rank puts the start of a flow first and its end last.
func (g *graph) rank(n int) int {
	switch g.nodes[n].kind {
	case startNode:
		return 0
	case doneNode:
		return 2
	}
	return 1
}

// caption is what a list calls n, with what marks it.
func (n *node) caption() string {
	text := n.title
	if text == "" {
		text = n.name
	}
	if n.keyword != "" {
		text = n.keyword + " " + text
	}
	if n.active && n.kind != worldNode {
		text += " ◀"
	}
	for _, t := range n.tokens {
		text += " ●" + t
	}
	return text
}

// reference is how a node is named from within container.
func (g *graph) reference(n, container int) string {
	switch {
	case g.nodes[n].frame:
		return g.nodes[n].name
	case g.nodes[n].parent == container:
		return g.nodes[n].key[strings.LastIndexByte(g.nodes[n].key, '.')+1:]
	}
	return g.nodes[n].key
}

// writeLine writes a line and goes on below it where it is too long.
func (g *graph) writeLine(b *strings.Builder, depth int, line string, width int) {
	for i, s := range wrap(line, max(width-2*depth, 20)) {
		if i > 0 {
			s = "  " + s
		}
		b.WriteString(indent(depth) + s + "\n")
	}
}
