package layout

// This file draws a flat graph in layers, in the steps of Sugiyama, Tagawa and
// Toda: break cycles, give every node a layer, put the nodes of each layer in
// order, give them coordinates. An edge that spans layers runs through a dummy
// node in each; every edge between two nodes has at least one, where its label
// stands, so that parallel edges part. Ports on the border of the composite
// that the graph lies in are nodes of no size in the first or the last layer.

// A tie is one end of a segment between two layers, as the node at the other
// end sees it.
type tie struct {
	node  int
	slot  float64 // where on that node, -0.5 to 0.5 from left to right
	shift float64 // the same as a length from its centre
	here  float64 // where on this node, as a length from its centre
}

// A box is a node of the layered graph, real, port or dummy. Its centre may be
// off the middle: a label lies beside its edge.
type box struct {
	node        int // of the Graph; border for ports and dummies
	left, right float64
	h           float64
	x, y        float64
	layer       int
	slot        int // place in its layer
	in, out     []tie
	thin        bool    // end at the border or dummy
	port        uint8   // upper or lower, of ends at a border and of ports
	want        float64 // of an end at the border: where its edge goes outside
	wanted      bool    // want is known
	chained     bool    // a dummy with a dummy above it
}

// A line is an edge of the flat graph.
type line struct {
	edge           int
	piece          *piece
	from, to       int
	labelW, labelH float64
	reversed       bool  // drawn upwards
	via            []int // dummies from the upper end to the lower
	points         []Point
	label          Point
}

// A layered is one flat graph at work.
type layered struct {
	*placement
	local   map[int]int // box by node of the Graph
	nodes   []box       // real ones first, then ports, then dummies
	real    int
	ports   int
	crossed int // crossings in the order found
	edges   []line
	level   []*piece // between ports on the same border
	layers  [][]int
	tops    []float64 // of the layers
	heights []float64
	w, h    float64
}

func (p *placement) newLayered() *layered { return &layered{placement: p, local: map[int]int{}} }

// addNode adds node n of the Graph. Its size is not known yet, but its side
// if it is a port.
func (l *layered) addNode(n int) {
	l.local[n] = len(l.nodes)
	l.nodes = append(l.nodes, box{node: n, port: l.sides[n]})
	l.real++
	if l.sides[n] != 0 {
		l.ports++
	}
}

// addPiece adds q, and its end at the border where it has one.
func (l *layered) addPiece(q *piece, flipped bool) {
	if q.direct {
		return
	}
	e := line{edge: q.edge, piece: q}
	end := func(n int, above bool) int {
		if n != border {
			return l.local[n]
		}
		port := box{node: border, thin: true, port: lower}
		port.want, port.wanted = l.attempt.wants[crossing{q.edge, q.container}]
		if above {
			port.port = upper
		}
		l.nodes = append(l.nodes, port)
		l.ports++
		return len(l.nodes) - 1
	}
	e.from, e.to = end(q.from, !flipped), end(q.to, flipped)
	switch {
	case q.from == border || q.to == border:
		e.reversed = flipped
	case l.nodes[e.from].port == l.nodes[e.to].port && l.nodes[e.from].port != 0:
		l.level = append(l.level, q)
		return
	case l.nodes[e.from].port == lower || l.nodes[e.to].port == upper:
		e.reversed = true
	}
	if q.labelled {
		given := &l.Edges[q.edge]
		e.labelW, e.labelH = given.LabelW, given.LabelH
	}
	l.edges = append(l.edges, e)
}

// draw places what divide has prepared.
func (l *layered) draw() {
	l.size()
	l.addDummies()
	l.order()
	l.placeNodes()
	l.placeLayers()
	l.route()
}

// loopW is how far a loop of a node reaches out, loopH how high it is.
const (
	loopW = 24.0
	loopH = 20.0
)

// size takes the sizes of nodes, with room for their loops.
func (l *layered) size() {
	for i := range l.nodes[:l.real] {
		b, n := &l.nodes[i], &l.Nodes[l.nodes[i].node]
		b.left, b.right, b.h = n.W/2, n.W/2, n.H
		if !l.Sideways {
			b.right += n.Beside
		}
	}
	loops := map[int]float64{}
	for i := range l.edges {
		e := &l.edges[i]
		if e.from != e.to {
			continue
		}
		b, n := &l.nodes[e.from], &l.Nodes[l.nodes[e.from].node]
		loops[e.from] += max(loopH, e.labelH) + 4
		b.right = max(b.right, n.W/2+loopW+labelGap+e.labelW)
		b.h = max(b.h, loops[e.from])
	}
}

// breakCycles marks the edges that lead back in a walk from the nodes nobody
// leads to, then from the rest, in the order given.
func (l *layered) breakCycles() {
	out, indegree := make([][]int, len(l.nodes)), make([]int, len(l.nodes))
	for i, e := range l.edges {
		if e.from != e.to && !l.atBorder(&l.edges[i]) {
			out[e.from] = append(out[e.from], i)
			indegree[e.to]++
		}
	}
	state := make([]uint8, len(l.nodes)) // 1: on the way, 2: done
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

func (l *layered) atBorder(e *line) bool { return l.nodes[e.from].port|l.nodes[e.to].port != 0 }

// ends are the upper and the lower node of e.
func (e *line) ends() (up, down int) {
	if e.reversed {
		return e.to, e.from
	}
	return e.from, e.to
}

// rank gives every node a layer such that edges lead downwards by two layers
// at least, and pulls nodes together while edges get shorter by it. Ports
// stand above and below all of them.
func (l *layered) rank() {
	indegree := make([]int, l.real)
	in, out := make([][]int, l.real), make([][]int, l.real)
	for i := range l.edges {
		if up, down := l.edges[i].ends(); up != down && !l.atBorder(&l.edges[i]) {
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
	l.rankPorts()
}

// tighten moves nodes within the room that their neighbours leave, where that
// shortens edges: down where more lead out than in, up where fewer do.
func (l *layered) tighten(order []int, in, out [][]int) {
	for range 8 {
		moved := false
		for i := len(order) - 1; i >= 0; i-- {
			n := order[i]
			if len(out[n]) <= len(in[n]) {
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
		for _, n := range order {
			if len(in[n]) <= len(out[n]) {
				continue
			}
			room := 0
			for _, m := range in[n] {
				room = max(room, l.nodes[m].layer+2)
			}
			if room < l.nodes[n].layer {
				l.nodes[n].layer, moved = room, true
			}
		}
		if !moved {
			return
		}
	}
}

// rankPorts makes room for ports above and below. A labelled edge from a port
// needs a layer between for its label.
func (l *layered) rankPorts() {
	above, below, deepest := 0, 0, 0
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		need := 1
		if e.labelW > 0 {
			need = 2
		}
		if l.nodes[up].port == upper {
			above = max(above, need)
		}
		if l.nodes[down].port == lower {
			below = max(below, need)
		}
	}
	for i := range l.nodes {
		switch l.nodes[i].port {
		case upper:
			above = max(above, 1)
		case lower:
			below = max(below, 1)
		}
	}
	for i := range l.nodes {
		if b := &l.nodes[i]; b.port == 0 {
			b.layer += above
			deepest = max(deepest, b.layer)
		}
	}
	for i := range l.nodes {
		switch b := &l.nodes[i]; b.port {
		case upper:
			b.layer = 0
		case lower:
			b.layer = max(deepest+below, above+below)
		}
	}
}

// labelGap is the room between an edge and its label.
const labelGap = 5.0

// addDummies puts a dummy into every layer that an edge passes; one of them
// makes room for the label.
func (l *layered) addDummies() {
	for i := range l.edges {
		e := &l.edges[i]
		up, down := e.ends()
		if up == down {
			continue
		}
		last, lastAt := up, l.anchor(up, e)
		at := l.labelLayer(up, down)
		for layer := l.nodes[up].layer + 1; layer < l.nodes[down].layer; layer++ {
			d := box{node: border, layer: layer, thin: true, chained: last != up}
			if layer == at && e.labelW > 0 {
				d.left, d.right, d.h = 4, labelGap+e.labelW, e.labelH
			}
			n := len(l.nodes)
			l.nodes = append(l.nodes, d)
			l.connect(last, n, lastAt, 0)
			e.via = append(e.via, n)
			last, lastAt = n, 0
		}
		l.connect(last, down, lastAt, l.anchor(down, e))
	}
	deepest := 0
	for i := range l.nodes {
		deepest = max(deepest, l.nodes[i].layer)
	}
	l.layers = make([][]int, deepest+1)
}

// labelLayer is the layer between up and down where a label stands: about in
// the middle, where no real node is.
func (l *layered) labelLayer(up, down int) int {
	top, bottom := l.nodes[up].layer, l.nodes[down].layer
	return top + ((bottom-top-1)/2 | 1)
}

// anchor is where e must end on node n, as a length from its centre: the place
// of its port, where e goes on inside n.
func (l *layered) anchor(n int, e *line) float64 {
	b := &l.nodes[n]
	if b.node == border {
		return 0
	}
	if q := l.inner(e.edge, b.node); q != nil {
		return q.port - b.left
	}
	return 0
}

func (l *layered) connect(up, down int, upAt, downAt float64) {
	slot := func(n int, at float64) float64 {
		if w := l.nodes[n].left; w > 0 {
			return at / w * 0.45
		}
		return 0
	}
	l.nodes[up].out = append(l.nodes[up].out, tie{node: down, slot: slot(down, downAt), shift: downAt, here: upAt})
	l.nodes[down].in = append(l.nodes[down].in, tie{node: up, slot: slot(up, upAt), shift: upAt, here: downAt})
}
