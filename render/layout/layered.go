package layout

// This file draws a flat graph in layers, in the steps of Sugiyama, Tagawa and
// Toda: break cycles, give every node a layer, put the nodes of each layer in
// order, give them coordinates. An edge that spans layers runs through a dummy
// node in each; every edge has at least one, where its label stands, so that
// parallel edges part.

// A box is a node of the layered graph, real or dummy.
type box struct {
	w, h  float64
	loops float64 // room at the right for loops, part of w until it is placed
	x, y  float64 // centre
	layer int
	slot  int // place in its layer
	in    []int
	out   []int
	dummy bool
}

// A line is an edge of the flat graph.
type line struct {
	from, to       int // as given
	labelW, labelH float64
	reversed       bool  // drawn upwards
	via            []int // dummies from the upper end to the lower
	points         []Point
	label          Point
}

// A layered is one flat graph at work.
type layered struct {
	nodeGap, layerGap float64
	nodes             []box // the given ones first, dummies behind
	real              int
	edges             []line
	layers            [][]int
	w, h              float64
}

func (p *placement) layered(kids []int, parts []part) *layered {
	l := &layered{nodeGap: p.NodeGap, layerGap: p.LayerGap, real: len(kids)}
	at := map[int]int{}
	for i, k := range kids {
		at[k] = i
		l.nodes = append(l.nodes, box{w: p.Nodes[k].W, h: p.Nodes[k].H})
	}
	for _, e := range parts {
		given := &p.Edges[e.edge]
		l.edges = append(l.edges, line{from: at[e.from], to: at[e.to], labelW: given.LabelW, labelH: given.LabelH})
		if e.from == e.to {
			b := &l.nodes[at[e.from]]
			b.loops = max(b.loops, loopW+given.LabelW)
		}
	}
	for i := range l.nodes {
		l.nodes[i].w += l.nodes[i].loops
	}
	return l
}

func (l *layered) draw() {
	if len(l.nodes) == 0 {
		return
	}
	l.breakCycles()
	l.rank()
	l.addDummies()
	l.order()
	l.placeLayers()
	l.placeNodes()
	l.measure()
	l.route()
}

// breakCycles marks the edges that lead back in a walk from the nodes nobody
// leads to, then from the rest, in the order given.
func (l *layered) breakCycles() {
	out, indegree := make([][]int, l.real), make([]int, l.real)
	for i, e := range l.edges {
		if e.from != e.to {
			out[e.from] = append(out[e.from], i)
			indegree[e.to]++
		}
	}
	state := make([]uint8, l.real) // 1: on the way, 2: done
	type frame struct{ node, next int }
	walk := func(root int) {
		stack := []frame{{root, 0}}
		state[root] = 1
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == len(out[f.node]) {
				state[f.node] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			e := &l.edges[out[f.node][f.next]]
			f.next++
			switch state[e.to] {
			case 0:
				state[e.to] = 1
				stack = append(stack, frame{e.to, 0})
			case 1:
				e.reversed = true
			}
		}
	}
	for _, sources := range []bool{true, false} {
		for n := range l.real {
			if state[n] == 0 && (!sources || indegree[n] == 0) {
				walk(n)
			}
		}
	}
}

// ends are the upper and the lower node of e.
func (e *line) ends() (up, down int) {
	if e.reversed {
		return e.to, e.from
	}
	return e.from, e.to
}

// rank gives every node a layer such that edges lead downwards by two layers
// at least, and pulls nodes together while edges get shorter by it.
func (l *layered) rank() {
	indegree := make([]int, l.real)
	in, out := make([][]int, l.real), make([][]int, l.real)
	for i := range l.edges {
		if up, down := l.edges[i].ends(); up != down {
			out[up] = append(out[up], down)
			in[down] = append(in[down], up)
			indegree[down]++
		}
	}
	var queue []int
	for n, d := range indegree {
		if d == 0 {
			queue = append(queue, n)
		}
	}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		for _, m := range out[n] {
			l.nodes[m].layer = max(l.nodes[m].layer, l.nodes[n].layer+2)
			if indegree[m]--; indegree[m] == 0 {
				queue = append(queue, m)
			}
		}
	}
	l.tighten(queue, in, out)
}

// tighten moves nodes within the room that their neighbours leave, where that
// shortens edges: down where more lead out than in, else up.
func (l *layered) tighten(order []int, in, out [][]int) {
	for range 8 {
		moved := false
		for i := len(order) - 1; i >= 0; i-- {
			n := order[i]
			if len(out[n]) <= len(in[n]) || len(out[n]) == 0 {
				continue
			}
			room := 1 << 30
			for _, m := range out[n] {
				room = min(room, l.nodes[m].layer-2)
			}
			if room > l.nodes[n].layer {
				l.nodes[n].layer, moved = room, true
			}
		}
		if !moved {
			return
		}
	}
}

// addDummies puts a dummy into every layer that an edge passes.
func (l *layered) addDummies() {
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		if up == down {
			continue
		}
		last := up
		middle := (l.nodes[up].layer + l.nodes[down].layer) / 2
		for layer := l.nodes[up].layer + 1; layer < l.nodes[down].layer; layer++ {
			d := box{layer: layer, dummy: true}
			if layer == middle {
				d.w, d.h = e.labelW, e.labelH
			}
			n := len(l.nodes)
			l.nodes = append(l.nodes, d)
			l.connect(last, n)
			e.via = append(e.via, n)
			last = n
		}
		l.connect(last, down)
	}
	deepest := 0
	for i := range l.nodes {
		deepest = max(deepest, l.nodes[i].layer)
	}
	l.layers = make([][]int, deepest+1)
}

func (l *layered) connect(up, down int) {
	l.nodes[up].out = append(l.nodes[up].out, down)
	l.nodes[down].in = append(l.nodes[down].in, up)
}
