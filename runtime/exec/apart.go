package exec

// This file finds tokens that have nothing to do with each other until they
// meet at a join: then what each group of them does can be found out alone.

// A Division is tokens in groups that share no place and no node before a join
// that waits for all of them.
type Division struct {
	// Join is the node at which they meet, Groups how many groups there are.
	Join   int32
	Groups int
	// Size is a number of Worlds that the groups may have together.
	Size float64

	nodes []int32 // the group whose tokens come to a node; -1 for none
	edges map[int32]int32
}

// Of is the group of a token; at the join the edge tells it.
func (d *Division) Of(s *Standing) int {
	if s.Node == d.Join {
		return int(d.edges[s.Edge])
	}
	return int(d.nodes[s.Node])
}

// Waits reports whether the join still waits for a group, tokens of which stand
// as given.
func (d *Division) Waits(group int, standing func(yield func(*Standing) bool)) bool {
	for edge, g := range d.edges {
		if int(g) != group {
			continue
		}
		there := false
		for s := range standing {
			there = there || s.Node == d.Join && s.Edge == edge
		}
		if !there {
			return true
		}
	}
	return false
}

// Divide divides tokens that stand at nodes; nil where they are connected, go
// round in cycles, or wait for the clock.
func (x *Independence) Divide(nodes []int32) *Division {
	for join := range x.graph.Nodes {
		if x.graph.Nodes[join].Kind != JoinNode {
			continue
		}
		if d := x.divideBefore(int32(join), nodes); d != nil {
			return d
		}
	}
	return nil
}

func (x *Independence) divideBefore(join int32, nodes []int32) *Division {
	reach := make([][]bool, len(nodes))
	touches := make([]footprint, len(nodes))
	for i, n := range nodes {
		var ok bool
		if reach[i], touches[i], ok = x.reachBefore(join, n); !ok {
			return nil
		}
	}
	group := make([]int32, len(nodes))
	for i := range group {
		group[i] = int32(i)
		for j := range i {
			if group[j] == group[i] || !touches[i].meets(&touches[j]) && !overlap(reach[i], reach[j], join) {
				continue
			}
			for k, from := 0, group[j]; k <= i; k++ {
				if group[k] == from {
					group[k] = group[i]
				}
			}
		}
	}
	numbers := map[int32]int32{}
	d := &Division{Join: join, Size: 1, nodes: make([]int32, len(x.graph.Nodes)), edges: map[int32]int32{}}
	for i := range d.nodes {
		d.nodes[i] = -1
	}
	for i, reached := range reach {
		g, ok := numbers[group[i]]
		if !ok {
			g = int32(len(numbers))
			numbers[group[i]] = g
		}
		size := 0
		for n, is := range reached {
			if is && int32(n) != join {
				d.nodes[n] = g
				size++
			}
		}
		d.Size *= float64(size + 1)
	}
	d.Groups = len(numbers)
	for _, e := range x.graph.Nodes[join].In {
		g := d.nodes[x.graph.Edges[e].From]
		if g < 0 {
			return nil
		}
		d.edges[e] = g
	}
	if d.Groups < 2 {
		return nil
	}
	return d
}

// reachBefore is where a token at a node can come before it stands at a join,
// and what it touches on the way.
func (x *Independence) reachBefore(join, node int32) (reached []bool, touches footprint, ok bool) {
	reached, touches = make([]bool, len(x.graph.Nodes)), newFootprint(int(x.clock())+1)
	ok = node != join
	var walk func(n int32)
	walk = func(n int32) {
		if reached[n] || !ok {
			return
		}
		reached[n] = true
		if n == join {
			return
		}
		f := &x.nodes[n]
		clock := x.clock()
		ok = !f.all && !f.loops && !x.cycle[n] && f.reads[clock/64]&(1<<(uint(clock)%64)) == 0
		touches.add(f)
		for _, e := range x.graph.Nodes[n].Out {
			walk(x.graph.Edges[e].To)
		}
	}
	walk(node)
	return reached, touches, ok && reached[join]
}

func overlap(a, b []bool, but int32) bool {
	for i := range a {
		if a[i] && b[i] && int32(i) != but {
			return true
		}
	}
	return false
}
