package layout

import (
	"math"
	"slices"
)

// This file gives coordinates: in a layer the nodes where four alignments of
// Brandes and Köpf put them on average, and layers one below the other. Each
// alignment makes columns of nodes that are joined by a straight vertical line
// and packs the columns from one side.

// placeLayers stacks the layers, further apart where edges between them run
// far to the side.
func (l *layered) placeLayers() {
	y := 0.0
	for i, layer := range l.layers {
		height, far := 0.0, 0.0
		for _, n := range layer {
			b := &l.nodes[n]
			height = max(height, b.h)
			for _, t := range b.in {
				far = max(far, math.Abs(l.nodes[t.node].x+t.shift-b.x-t.here))
			}
		}
		if i > 0 {
			y += l.LayerGap/2 + min(far*0.08, l.LayerGap/2)
			if l.Grid > 0 {
				y = math.Round(y/l.Grid) * l.Grid
			}
		}
		for _, n := range layer {
			l.nodes[n].y = y + height/2
		}
		l.tops, l.heights = append(l.tops, y), append(l.heights, height)
		y += height
	}
	l.h = y
}

// separation is how far apart the centres of neighbours a and b stand at
// least.
func (l *layered) separation(a, b int) float64 {
	gap := l.NodeGap
	if l.nodes[a].thin || l.nodes[b].thin {
		gap /= 2
	}
	return l.nodes[a].right + l.nodes[b].left + gap
}

func (l *layered) placeNodes() {
	conflicts := l.conflicts()
	var found [4][]float64
	narrow, least := 0, math.Inf(1)
	for k := range 4 {
		v := &view{layered: l, up: k < 2, mirrored: k%2 == 1, conflicts: conflicts}
		found[k] = v.coordinates()
		if low, high := l.bounds(found[k]); high-low < least {
			narrow, least = k, high-low
		}
	}
	low, high := l.bounds(found[narrow])
	for k := range 4 {
		kLow, kHigh := l.bounds(found[k])
		shift := low - kLow
		if k%2 == 1 {
			shift = high - kHigh
		}
		for n := range found[k] {
			found[k][n] += shift
		}
	}
	for n := range l.nodes {
		four := []float64{found[0][n], found[1][n], found[2][n], found[3][n]}
		slices.Sort(four)
		l.nodes[n].x = (four[1] + four[2]) / 2
	}
	l.relax()
	l.measure()
}

// relax takes bulges out of edges: a dummy that stands beside both its
// neighbours moves towards them, as far as its layer leaves room.
func (l *layered) relax() {
	for range 4 {
		for _, layer := range l.layers {
			for i, n := range layer {
				b := &l.nodes[n]
				if b.node != border || len(b.in) != 1 || len(b.out) != 1 {
					continue
				}
				up, down := l.nodes[b.in[0].node].x+b.in[0].shift, l.nodes[b.out[0].node].x+b.out[0].shift
				want := min(max(b.x, min(up, down)), max(up, down))
				if i > 0 {
					want = max(want, min(b.x, l.nodes[layer[i-1]].x+l.separation(layer[i-1], n)))
				}
				if i+1 < len(layer) {
					want = min(want, max(b.x, l.nodes[layer[i+1]].x-l.separation(n, layer[i+1])))
				}
				b.x = want
			}
		}
	}
}

func (l *layered) bounds(x []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for n, at := range x {
		low, high = min(low, at-l.nodes[n].left), max(high, at+l.nodes[n].right)
	}
	return low, high
}

// measure moves the drawing to the origin and takes its width.
func (l *layered) measure() {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range l.nodes {
		b := &l.nodes[i]
		low, high = min(low, b.x-b.left), max(high, b.x+b.right)
	}
	for i := range l.nodes {
		l.nodes[i].x -= low
	}
	l.w = high - low
}

// conflicts are the pairs (upper, lower) of a segment that crosses a straight
// run of dummies; the run has precedence.
func (l *layered) conflicts() map[[2]int]bool {
	marked := map[[2]int]bool{}
	for i := 1; i < len(l.layers); i++ {
		left, scanned := -1, 0
		layer := l.layers[i]
		for at, n := range layer {
			inner := -1
			if l.nodes[n].chained {
				inner = l.nodes[n].in[0].node
			}
			if at < len(layer)-1 && inner < 0 {
				continue
			}
			right := len(l.layers[i-1])
			if inner >= 0 {
				right = l.nodes[inner].slot
			}
			for ; scanned <= at; scanned++ {
				b := &l.nodes[layer[scanned]]
				for _, t := range b.in {
					slot := l.nodes[t.node].slot
					if (slot < left || slot > right) && !b.chained {
						marked[[2]int{t.node, layer[scanned]}] = true
					}
				}
			}
			left = right
		}
	}
	return marked
}

// A view looks at the layers from one of four sides. Coordinates in a mirrored
// view grow to the left.
type view struct {
	*layered
	up        bool // columns follow the edges from below
	mirrored  bool // from the right
	conflicts map[[2]int]bool
	root      []int     // of the column of a node, by node
	shift     []float64 // of a node from its column, by node
}

// slot is the place of n in its layer as seen from here.
func (v *view) slot(n int) int {
	if v.mirrored {
		return len(v.layers[v.nodes[n].layer]) - 1 - v.nodes[n].slot
	}
	return v.nodes[n].slot
}

// row is layer i as seen from here.
func (v *view) row(i int) []int {
	if v.up {
		i = len(v.layers) - 1 - i
	}
	row := v.layers[i]
	if v.mirrored {
		row = slices.Clone(row)
		slices.Reverse(row)
	}
	return row
}

func (v *view) before(n int) []tie {
	if v.up {
		return v.nodes[n].out
	}
	return v.nodes[n].in
}

func (v *view) conflict(a, b int) bool {
	if v.up {
		a, b = b, a
	}
	return v.conflicts[[2]int{a, b}]
}

// align joins each node with the middle one of its neighbours in the row
// before, if no column between them is in the way.
func (v *view) align() {
	next := make([]int, len(v.nodes))
	v.root, v.shift = make([]int, len(v.nodes)), make([]float64, len(v.nodes))
	for n := range v.root {
		v.root[n], next[n] = n, n
	}
	sign := 1.0
	if v.mirrored {
		sign = -1
	}
	for i := range v.layers {
		taken := -1
		for _, n := range v.row(i) {
			around := v.before(n)
			if len(around) == 0 {
				continue
			}
			if len(around) > 1 {
				around = slices.Clone(around)
				slices.SortStableFunc(around, func(a, b tie) int {
					if a.node == b.node {
						return int(sign * math.Copysign(1, a.slot-b.slot))
					}
					return v.slot(a.node) - v.slot(b.node)
				})
			}
			for _, k := range [2]int{(len(around) - 1) / 2, len(around) / 2} {
				t := around[k]
				m := t.node
				if next[n] == n && taken < v.slot(m) && !v.conflict(m, n) {
					next[m], v.root[n] = n, v.root[m]
					next[n] = v.root[n]
					v.shift[n] = v.shift[m] + sign*(t.shift-t.here)
					taken = v.slot(m)
				}
			}
		}
	}
}

// A gap is how far a column stands from another at least.
type gap struct {
	column int
	room   float64
}

// coordinates packs the columns from the left of this view, then moves each as
// far to the right as its right neighbours leave room.
func (v *view) coordinates() []float64 {
	v.align()
	left, right := make([][]gap, len(v.nodes)), make([][]gap, len(v.nodes))
	for i := range v.layers {
		row := v.row(i)
		for k := 1; k < len(row); k++ {
			a, b := row[k-1], row[k]
			room := v.separation(a, b)
			if v.mirrored {
				room = v.separation(b, a)
			}
			room += v.shift[a] - v.shift[b]
			ca, cb := v.root[a], v.root[b]
			left[cb], right[ca] = append(left[cb], gap{ca, room}), append(right[ca], gap{cb, room})
		}
	}
	order := v.columns(left)
	x := make([]float64, len(v.nodes))
	for _, c := range order {
		low := math.Inf(-1)
		for _, g := range left[c] {
			low = max(low, x[g.column]+g.room)
		}
		if !math.IsInf(low, -1) {
			x[c] = low
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		c, room := order[i], math.Inf(1)
		for _, g := range right[c] {
			room = min(room, x[g.column]-g.room)
		}
		if !math.IsInf(room, 1) {
			x[c] = max(x[c], room)
		}
	}
	placed := make([]float64, len(v.nodes))
	for n := range x {
		placed[n] = x[v.root[n]] + v.shift[n]
		if v.mirrored {
			placed[n] = -placed[n]
		}
	}
	return placed
}

// columns are the roots of all columns, each behind those left of it.
func (v *view) columns(left [][]gap) []int {
	var order []int
	state := make([]uint8, len(v.nodes))
	type frame struct {
		column int
		left   []gap
	}
	for n := range v.nodes {
		if v.root[n] != n || state[n] != 0 {
			continue
		}
		state[n] = 1
		stack := []frame{{n, left[n]}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if len(f.left) == 0 {
				order = append(order, f.column)
				stack = stack[:len(stack)-1]
				continue
			}
			c := f.left[0].column
			f.left = f.left[1:]
			if state[c] == 0 {
				state[c] = 1
				stack = append(stack, frame{c, left[c]})
			}
		}
	}
	return order
}
