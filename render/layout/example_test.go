package layout_test

import (
	"fmt"

	"github.com/orrery-sysml/orrery/render/layout"
)

// Two boxes below each other, with a labelled edge between them.
func ExampleGraph_Place() {
	g := layout.Graph{
		Nodes: []layout.Node{{Parent: -1, W: 60, H: 20}, {Parent: -1, W: 60, H: 20}},
		Edges: []layout.Edge{{From: 0, To: 1, LabelW: 30, LabelH: 10}},
	}
	g.Place()
	for _, n := range g.Nodes {
		fmt.Printf("%g by %g at (%g, %g)\n", n.W, n.H, n.X, n.Y)
	}
	fmt.Printf("label at (%g, %g), in all %g by %g\n", g.Edges[0].Label.X, g.Edges[0].Label.Y, g.W, g.H)
	// Output:
	// 60 by 20 at (46, 26)
	// 60 by 20 at (46, 92)
	// label at (66, 59), in all 97 by 118
}
