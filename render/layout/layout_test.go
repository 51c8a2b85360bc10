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

// TestPortsLieOnTheBorder: a port stands on the side that is asked for, or
// where its edge arrives, sticks out as far as it says, and edges from outside
// and inside end at it.
func TestPortsLieOnTheBorder(t *testing.T) {
	for _, sideways := range []bool{false, true} {
		g := &layout.Graph{Sideways: sideways, Nodes: []layout.Node{
			{Parent: -1, W: 80, H: 40, Top: 18},                       // 0
			{Parent: 0, W: 12, H: 12, Port: layout.AnyPort, Out: 6},   // 1
			{Parent: -1, W: 80, H: 40, Top: 18},                       // 2
			{Parent: 2, W: 12, H: 12, Port: layout.AnyPort, Out: 6},   // 3
			{Parent: 2, W: 30, H: 20},                                 // 4
			{Parent: 2, W: 12, H: 12, Port: layout.EndPort, Out: 6},   // 5
			{Parent: 2, W: 12, H: 12, Port: layout.StartPort, Out: 6}, // 6
		}, Edges: []layout.Edge{{From: 1, To: 3}, {From: 3, To: 4}, {From: 5, To: 4}, {From: 3, To: 6}}}
		g.Place()
		along := func(p layout.Point) float64 {
			if sideways {
				return p.X
			}
			return p.Y
		}
		size := func(n int) float64 {
			if sideways {
				return g.Nodes[n].W
			}
			return g.Nodes[n].H
		}
		centre := func(n int) layout.Point { return layout.Point{X: g.Nodes[n].X, Y: g.Nodes[n].Y} }
		for n, atEnd := range map[int]bool{1: true, 3: false, 5: true, 6: false} {
			side := -1.0
			if atEnd {
				side = 1
			}
			parent := g.Nodes[n].Parent
			if want := along(centre(parent)) + side*size(parent)/2; math.Abs(along(centre(n))-want) > 0.01 {
				t.Errorf("sideways %v: port %d stands at %v, the border is at %v", sideways, n, along(centre(n)), want)
			}
			if g.Nodes[n].AtEnd != atEnd {
				t.Errorf("sideways %v: port %d is at the end: %v", sideways, n, !atEnd)
			}
		}
		for i, e := range g.Edges {
			for k, n := range []int{e.From, e.To} {
				q := e.Points[k*(len(e.Points)-1)]
				if math.Abs(math.Abs(along(q)-along(centre(n)))-size(n)/2) > 0.01 {
					t.Errorf("sideways %v: edge %d ends at %v, not at node %d", sideways, i, q, n)
				}
			}
		}
	}
}

func TestRegionsShareTheirState(t *testing.T) {
	g := &layout.Graph{Nodes: []layout.Node{
		{Parent: -1, W: 300, H: 20, Top: 20, Split: true, TitleW: 60},
		{Parent: 0, W: 40, H: 20, Top: 16}, {Parent: 0, W: 40, H: 20, Top: 16}, {Parent: 0, W: 40, H: 20},
		{Parent: 1, W: 40, H: 80}, {Parent: 2, W: 90, H: 20}, {Parent: -1, W: 30, H: 20},
	}, Edges: []layout.Edge{{From: 6, To: 4}, {From: 6, To: 5}, {From: 6, To: 0}}}
	g.Place()
	state, x := g.Nodes[0], g.Nodes[0].X-g.Nodes[0].W/2
	for n := 1; n <= 3; n++ {
		r := g.Nodes[n]
		if math.Abs(r.X-r.W/2-x) > 0.01 || math.Abs(r.H-(state.H-state.Top)) > 0.01 {
			t.Errorf("region %d begins at %v and is %v high; want %v and %v", n, r.X-r.W/2, r.H, x, state.H-state.Top)
		}
		x += r.W
	}
	if math.Abs(x-state.X-state.W/2) > 0.01 {
		t.Errorf("the regions end at %v, the state at %v", x, state.X+state.W/2)
	}
	for i, e := range g.Edges[:2] {
		if p := e.Points[len(e.Points)-1]; math.Abs(p.Y-(g.Nodes[e.To].Y-g.Nodes[e.To].H/2)) > 0.01 {
			t.Errorf("edge %d ends at %v, not above node %d", i, p, e.To)
		}
	}
}

func TestRegionsThatAnEdgeJoinsAreBoxes(t *testing.T) {
	g := &layout.Graph{Nodes: []layout.Node{
		{Parent: -1, W: 30, H: 20, Split: true}, {Parent: 0, W: 40, H: 20}, {Parent: 0, W: 40, H: 20},
	}, Edges: []layout.Edge{{From: 1, To: 2}}}
	g.Place()
	check(t, g)
}

// TestEdgesKeepClearOfTitles: no edge enters a composite through its title.
func TestEdgesKeepClearOfTitles(t *testing.T) {
	g := &layout.Graph{Nodes: []layout.Node{
		{Parent: -1, W: 30, H: 20}, {Parent: -1, W: 20, H: 20, Top: 30, TitleW: 120}, {Parent: 1, W: 40, H: 20}, {Parent: 1, W: 40, H: 20},
	}, Edges: []layout.Edge{{From: 0, To: 2}, {From: 0, To: 3}, {From: 1, To: 2}}}
	g.Place()
	check(t, g)
	title := g.Nodes[1]
	for i, e := range g.Edges {
		for k := 0; k < len(e.Points); k += 3 {
			if q := e.Points[k]; q.X < title.X-title.W/2+120 && q.Y > title.Y-title.H/2+0.1 && q.Y < title.Y-title.H/2+30 {
				t.Errorf("edge %d passes the title at %v", i, q)
			}
		}
	}
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
		if r.IntN(2) == 0 {
			e.LabelW, e.LabelH = 10+r.Float64()*60, 12
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func TestRandomGraphs(t *testing.T) {
	for seed := range uint64(200) {
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

// TestPlanarGraphsHaveNoCrossings: graphs that can be drawn in layers without
// a crossing are.
func TestPlanarGraphsHaveNoCrossings(t *testing.T) {
	tree := graph(31) // children in an order that is not that of the nodes
	for i := 30; i > 0; i-- {
		tree.Edges = append(tree.Edges, layout.Edge{From: (i - 1) / 2, To: i})
	}
	for _, c := range []struct {
		name string
		g    *layout.Graph
	}{
		{"tree", tree},
		{"twisted ladder", graph(6, [2]int{0, 3}, [2]int{1, 2}, [2]int{0, 2}, [2]int{3, 4}, [2]int{2, 5})},
		{"two diamonds", graph(7, [2]int{0, 2}, [2]int{0, 1}, [2]int{1, 3}, [2]int{2, 3}, [2]int{3, 5}, [2]int{3, 4}, [2]int{4, 6}, [2]int{5, 6})},
		{"past a box", graph(5, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{0, 3}, [2]int{0, 4}, [2]int{4, 3})},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.g.Place()
			for i := range c.g.Edges {
				for k := range i {
					if cross(c.g.Edges[i].Points, c.g.Edges[k].Points) {
						t.Errorf("edges %d and %d cross", k, i)
					}
				}
			}
		})
	}
}

// cross reports whether two ways cross, taken as lines through the ends of
// their curves.
func cross(p, q []layout.Point) bool {
	side := func(a, b, c layout.Point) float64 { return (b.X-a.X)*(c.Y-a.Y) - (c.X-a.X)*(b.Y-a.Y) }
	for i := 3; i < len(p); i += 3 {
		for k := 3; k < len(q); k += 3 {
			a, b, c, d := p[i-3], p[i], q[k-3], q[k]
			if side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0 {
				return true
			}
		}
	}
	return false
}
