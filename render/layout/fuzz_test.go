package layout_test

import (
	"math"
	"testing"

	"github.com/orrery-sysml/orrery/render/layout"
)

// decode makes a graph of any bytes: four for a node, three for an edge.
func decode(data []byte) *layout.Graph {
	g := &layout.Graph{}
	if len(data) == 0 {
		return g
	}
	g.Sideways = data[0]&1 == 1
	nodes := int(data[0] >> 1 % 32)
	data = data[1:]
	for ; nodes > 0 && len(data) >= 4; nodes, data = nodes-1, data[4:] {
		n := layout.Node{Parent: -1, W: float64(data[1] % 120), H: float64(data[2] % 60), Shape: layout.Shape(data[3] % 3)}
		if i := len(g.Nodes); data[0]%3 > 0 && i > 0 {
			n.Parent = int(data[0]) % i
		}
		switch data[3] >> 2 % 8 {
		case 1:
			n.Split = true
		case 2, 3, 4:
			n.Port, n.Out = layout.PortSide(data[3]>>2%8-1), 4
		case 5:
			n.Top, n.TitleW = n.H/2, n.W/2
		case 6:
			n.Beside = 20
		}
		g.Nodes = append(g.Nodes, n)
	}
	for ; len(g.Nodes) > 0 && len(data) >= 3; data = data[3:] {
		e := layout.Edge{From: int(data[0]) % len(g.Nodes), To: int(data[1]) % len(g.Nodes)}
		if data[2]%2 == 1 {
			e.LabelW, e.LabelH = float64(data[2]), 12
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

// FuzzPlace: any graph is drawn, with every node at a place in the drawing and
// every edge on a way of curves.
func FuzzPlace(f *testing.F) {
	f.Add([]byte{9, 0, 40, 20, 0, 0, 40, 20, 0, 1, 30, 30, 2, 1, 10, 10, 8, 0, 1, 1, 1, 2, 0, 3, 2, 1, 0, 0, 3})
	f.Add([]byte{13, 0, 0, 0, 4, 1, 0, 0, 8, 1, 0, 0, 12, 2, 9, 9, 16, 4, 9, 9, 1, 5, 4, 3, 2, 1, 0, 1, 1, 4, 0, 5, 5, 1})
	const slack = 100 // ports of ports of ports stick out
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 400 {
			return
		}
		g := decode(data)
		g.Place()
		wrong := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e7 }
		for i, n := range g.Nodes {
			if wrong(n.X) || wrong(n.Y) || n.X < -slack || n.Y < -slack || n.X > g.W+slack || n.Y > g.H+slack {
				t.Fatalf("node %d is at (%v, %v) of %v by %v", i, n.X, n.Y, g.W, g.H)
			}
		}
		for i, e := range g.Edges {
			if len(e.Points) < 4 || len(e.Points)%3 != 1 {
				t.Fatalf("edge %d has %d points", i, len(e.Points))
			}
			for _, q := range e.Points {
				if wrong(q.X) || wrong(q.Y) {
					t.Fatalf("edge %d passes %v", i, q)
				}
			}
		}
	})
}
