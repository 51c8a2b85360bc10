package layout_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/orrery-sysml/orrery/render/layout"
)

// graph makes a graph of boxes of 40 by 20 from pairs of nodes.
func graph(n int, pairs ...[2]int) *layout.Graph {
	g := &layout.Graph{}
	for range n {
		g.Nodes = append(g.Nodes, layout.Node{Parent: -1, W: 40, H: 20})
	}
	for _, p := range pairs {
		g.Edges = append(g.Edges, layout.Edge{From: p[0], To: p[1]})
	}
	return g
}

// check verifies what every drawing promises.
func check(t *testing.T, g *layout.Graph) {
	t.Helper()
	for i := range g.Nodes {
		a := &g.Nodes[i]
		if math.IsNaN(a.X) || a.X-a.W/2 < -0.01 || a.Y-a.H/2 < -0.01 || a.X+a.W/2 > g.W+0.01 || a.Y+a.H/2 > g.H+0.01 {
			t.Fatalf("node %d at (%v, %v) is outside %v by %v", i, a.X, a.Y, g.W, g.H)
		}
		if a.Parent >= 0 {
			p := &g.Nodes[a.Parent]
			if math.Abs(a.X-p.X) > (p.W-a.W)/2+0.01 || math.Abs(a.Y-p.Y) > (p.H-a.H)/2+0.01 {
				t.Fatalf("node %d is outside its parent", i)
			}
		}
		for j := range g.Nodes[:i] {
			b := &g.Nodes[j]
			if a.Parent == b.Parent && math.Abs(a.X-b.X) < (a.W+b.W)/2-0.01 && math.Abs(a.Y-b.Y) < (a.H+b.H)/2-0.01 {
				t.Fatalf("nodes %d and %d overlap", j, i)
			}
		}
	}
	for i, e := range g.Edges {
		if len(e.Points) < 4 || len(e.Points)%3 != 1 {
			t.Fatalf("edge %d has %d points", i, len(e.Points))
		}
		for k, end := range []int{e.From, e.To} {
			n, q := g.Nodes[end], e.Points[k*(len(e.Points)-1)]
			reach := max(math.Abs(q.X-n.X)/(n.W/2), math.Abs(q.Y-n.Y)/(n.H/2))
			if math.Abs(reach-1) > 0.05 {
				t.Fatalf("edge %d ends %v away from the border of node %d", i, reach, end)
			}
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		name string
		g    *layout.Graph
	}{
		{"nothing", graph(0)},
		{"one", graph(1)},
		{"loop", graph(1, [2]int{0, 0})},
		{"chain", graph(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3})},
		{"fork and join", graph(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3}, [2]int{2, 3})},
		{"cycle", graph(3, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0})},
		{"parallel", graph(2, [2]int{0, 1}, [2]int{0, 1}, [2]int{1, 0})},
		{"apart", graph(5, [2]int{3, 4})},
		{"long edge", graph(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 3})},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.g.Place()
			check(t, c.g)
		})
	}
}

func TestChainIsStraight(t *testing.T) {
	g := graph(4, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3})
	g.Place()
	for i := range g.Nodes {
		if g.Nodes[i].X != g.Nodes[0].X {
			t.Errorf("node %d stands at %v, not at %v", i, g.Nodes[i].X, g.Nodes[0].X)
		}
	}
}

func TestForkIsSymmetric(t *testing.T) {
	g := graph(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3}, [2]int{2, 3})
	g.Place()
	if a, b := g.Nodes[0].X-g.Nodes[1].X, g.Nodes[2].X-g.Nodes[0].X; math.Abs(a-b) > 0.01 || a <= 0 {
		t.Errorf("the branches stand %v left and %v right of the fork", a, b)
	}
	if g.Nodes[0].X != g.Nodes[3].X {
		t.Errorf("the join stands at %v, the fork at %v", g.Nodes[3].X, g.Nodes[0].X)
	}
}

func TestSidewaysRunsFromLeftToRight(t *testing.T) {
	g := graph(2, [2]int{0, 1})
	g.Sideways = true
	g.Place()
	check(t, g)
	if g.Nodes[0].Y != g.Nodes[1].Y || g.Nodes[0].X >= g.Nodes[1].X {
		t.Errorf("the nodes stand at %+v", g.Nodes)
	}
}

func TestCompositesHoldTheirChildren(t *testing.T) {
	g := &layout.Graph{Nodes: []layout.Node{
		{Parent: -1, W: 40, H: 20, Top: 18}, {Parent: 0, W: 40, H: 20}, {Parent: 0, W: 40, H: 20},
		{Parent: -1, W: 60, H: 30, Top: 18}, {Parent: 3, W: 30, H: 30, Top: 18}, {Parent: 4, W: 30, H: 30},
	}, Edges: []layout.Edge{
		{From: 1, To: 2, LabelW: 50, LabelH: 12}, {From: 2, To: 5}, {From: 5, To: 0}, {From: 3, To: 3},
	}}
	g.Place()
	check(t, g)
}

// random is a graph of n nodes in composites with about 1.5 n edges.
func random(seed uint64, n int) *layout.Graph {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &layout.Graph{Sideways: r.IntN(2) == 0}
	for i := range n {
		node := layout.Node{Parent: -1, W: 20 + r.Float64()*80, H: 20 + r.Float64()*20, Top: 16}
		if i > 0 && r.IntN(3) == 0 {
			node.Parent = r.IntN(i)
		}
		g.Nodes = append(g.Nodes, node)
	}
	for range n + n/2 {
		e := layout.Edge{From: r.IntN(n), To: r.IntN(n)}
		inside := func(a, b int) bool {
			for ; a >= 0; a = g.Nodes[a].Parent {
				if a == b {
					return true
				}
			}
			return false
		}
		if e.From != e.To && (inside(e.From, e.To) || inside(e.To, e.From)) {
			continue
		}
		if r.IntN(2) == 0 {
			e.LabelW, e.LabelH = 10+r.Float64()*60, 12
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func TestRandomGraphs(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := random(seed, 1+int(seed)%40)
			g.Place()
			check(t, g)
			again := random(seed, 1+int(seed)%40)
			again.Place()
			if fmt.Sprint(g) != fmt.Sprint(again) {
				t.Error("the same graph is drawn in two ways")
			}
		})
	}
}

func BenchmarkPlace(b *testing.B) {
	for _, n := range []int{10, 100, 300} {
		b.Run(fmt.Sprintf("%d nodes", n), func(b *testing.B) {
			for b.Loop() {
				random(7, n).Place()
			}
		})
	}
}
