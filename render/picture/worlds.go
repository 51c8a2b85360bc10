package picture

import (
	"strconv"
	"strings"
)

// This file draws the graph of Worlds that an exploration went through.

// A WorldKind says what a World of a graph is.
type WorldKind uint8

// The kinds. Colour, border and sign tell them apart, so that any two of these
// are enough.
const (
	OpenWorld    WorldKind = iota // something is open in it
	GoodEnd                       // a run ends in it
	BadEnd                        // a run fails in it, or it is stuck
	BrokenWorld                   // it breaks a property
	ReachedWorld                  // it has what was to be reached
	WorldGroup                    // stands for several
	UnknownWorld                  // nobody looked what comes behind it
)

var worldKinds = [...]nodeKind{OpenWorld: worldNode, GoodEnd: goodEndNode, BadEnd: badEndNode, BrokenWorld: brokenNode,
	ReachedWorld: reachedNode, WorldGroup: groupNode, UnknownWorld: unknownNode}

var worldSigns = [...]string{GoodEnd: "✓ ", BadEnd: "✗ ", BrokenWorld: "✗ ", ReachedWorld: "✓ ", UnknownWorld: "… "}

// sign stands before the title of a World, so that colour alone says nothing.
func (k WorldKind) sign() string { return worldSigns[k] }

// A World is a node of a graph of Worlds.
type World struct {
	Kind  WorldKind
	Start bool // runs begin in it
	Title string
	Lines []string
	// Tip are the lines that a page shows while the pointer is on it.
	Tip []string
}

// A Way is an edge of a graph of Worlds.
type Way struct {
	From, To int // indexes of the Worlds
	Label    []string
	// Back says that it closes a cycle, Marked that it is to stand out.
	Back, Marked bool
}

// Worlds draws a graph of Worlds, in which runs begin in the first one.
func Worlds(title string, worlds []World, ways []Way) *Picture {
	g := &graph{worlds: true}
	for i, w := range worlds {
		g.add(node{kind: worldKinds[w.Kind], parent: -1, name: "W" + strconv.Itoa(i), title: w.Kind.sign() + w.Title, lines: w.Lines, tip: w.Tip, active: w.Start})
	}
	for _, y := range ways {
		e := edge{kind: moveEdge, from: y.From, to: y.To, taken: y.Marked}
		if y.Back {
			e.kind = backEdge
		}
		for i, s := range y.Label {
			if i == 0 && y.Back && y.From != y.To {
				s = "↺ " + s
			}
			e.label = append(e.label, wrap(s, labelColumns)...)
		}
		g.edges = append(g.edges, e)
	}
	return &Picture{title: title, shape: g}
}

// tips writes what a page shows while the pointer is on a node.
func (c *canvas) tips(lines []string) {
	if len(lines) == 0 {
		return
	}
	escaped := make([]string, len(lines))
	for i, s := range lines {
		escaped[i] = escape(s)
	}
	c.WriteString("<title>" + strings.Join(escaped, "&#10;") + "</title>\n")
}

// worldBorders are the borders of Worlds that stand out.
var worldBorders = map[nodeKind]string{badEndNode: `stroke="` + red + `" stroke-width="2"`, brokenNode: `stroke="` + red + `" stroke-width="2"`,
	goodEndNode: `stroke="` + green + `" stroke-width="1.6"`, reachedNode: `stroke="` + green + `" stroke-width="1.6"`,
	groupNode: outline + ` stroke-dasharray="6 4"`, unknownNode: outline + ` stroke-dasharray="2 3"`}
