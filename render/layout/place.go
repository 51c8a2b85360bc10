package layout

import (
	"math"
	"slices"
)

// This file gives coordinates: layers one below the other, and in a layer the
// nodes where four alignments of Brandes and Köpf put them on average. Each
// alignment makes columns of nodes that stand straight below each other, and
// packs the columns from one side.

// placeLayers stacks the layers. Where no edge has a label, the layers of
// dummies take no room of their own.
func (l *layered) placeLayers() {
	y := 0.0
	for i, layer := range l.layers {
		height := 0.0
		for _, n := range layer {
			height = max(height, l.nodes[n].h)
		}
		if i > 0 {
			y += l.layerGap / 2
		}
		for _, n := range layer {
			l.nodes[n].y = y + height/2
		}
		y += height
	}
	l.h = y
}

// separation is how far apart the centres of neighbours a and b stand at
// least.
func (l *layered) separation(a, b int) float64 {
	gap := l.nodeGap
	if l.nodes[a].dummy || l.nodes[b].dummy {
		gap /= 2
	}
	return (l.nodes[a].w+l.nodes[b].w)/2 + gap
}

func (l *layered) placeNodes() {
	conflicts := l.conflicts()
	var found [4][]float64
	narrow, least := 0, math.Inf(1)
	for k := range 4 {
		v := &view{layered: l, up: k < 2, mirrored: k%2 == 1, conflicts: conflicts}
		found[k] = v.coordinates()
		if w := l.extent(found[k]); w < least {
			narrow, least = k, w
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
}

func (l *layered) bounds(x []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for n, at := range x {
		low, high = min(low, at-l.nodes[n].w/2), max(high, at+l.nodes[n].w/2)
	}
	return low, high
}

func (l *layered) extent(x []float64) float64 {
	low, high := l.bounds(x)
	return high - low
}

// conflicts are the pairs (upper, lower) of an edge that crosses a straight
// run of dummies; the run has precedence.
func (l *layered) conflicts() map[[2]int]bool {
	marked := map[[2]int]bool{}
	for i := 1; i < len(l.layers); i++ {
		left, scanned := 0, 0
		layer := l.layers[i]
		for at, n := range layer {
			inner := l.inner(n)
			if at < len(layer)-1 && inner < 0 {
				continue
			}
			right := len(l.layers[i-1])
			if inner >= 0 {
				right = l.nodes[inner].slot
			}
			for ; scanned <= at; scanned++ {
				for _, m := range l.nodes[layer[scanned]].in {
					slot := l.nodes[m].slot
					if (slot < left || slot > right) && l.inner(layer[scanned]) < 0 {
						marked[[2]int{m, layer[scanned]}] = true
					}
				}
			}
			left = right
		}
	}
	return marked
}

// inner is the dummy above the dummy n, -1 where there is none.
func (l *layered) inner(n int) int {
	if l.nodes[n].dummy {
		for _, m := range l.nodes[n].in {
			if l.nodes[m].dummy {
				return m
			}
		}
	}
	return -1
}

// A view looks at the layers from one of four sides.
type view struct {
	*layered
	up        bool // columns follow the edges from below
	mirrored  bool // from the right
	conflicts map[[2]int]bool
	root      []int // of the column of a node, by node
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

func (v *view) before(n int) []int {
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
	v.root = make([]int, len(v.nodes))
	for n := range v.root {
		v.root[n], next[n] = n, n
	}
	for i := range v.layers {
		taken := -1
		for _, n := range v.row(i) {
			around := slices.Clone(v.before(n))
			if len(around) == 0 {
				continue
			}
			slices.SortStableFunc(around, func(a, b int) int { return v.slot(a) - v.slot(b) })
			for _, k := range [2]int{(len(around) - 1) / 2, len(around) / 2} {
				m := around[k]
				if next[n] == n && taken < v.slot(m) && !v.conflict(m, n) {
					next[m], v.root[n] = n, v.root[m]
					next[n] = v.root[n]
					taken = v.slot(m)
				}
			}
		}
	}
}

// coordinates packs the columns from the left of this view, then moves each as
// far to the right as its right neighbours leave room.
func (v *view) coordinates() []float64 {
	v.align()
	type gap struct {
		column int
		room   float64
	}
	left, right := make([][]gap, len(v.nodes)), make([][]gap, len(v.nodes))
	for i := range v.layers {
		row := v.row(i)
		for k := 1; k < len(row); k++ {
			a, b, room := v.root[row[k-1]], v.root[row[k]], v.separation(row[k-1], row[k])
			left[b], right[a] = append(left[b], gap{a, room}), append(right[a], gap{b, room})
		}
	}
	order := v.columns(func(c int) []int {
		var all []int
		for _, g := range left[c] {
			all = append(all, g.column)
		}
		return all
	})
	x := make([]float64, len(v.nodes))
	for _, c := range order {
		for _, g := range left[c] {
			x[c] = max(x[c], x[g.column]+g.room)
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
	for n := range x {
		x[n] = x[v.root[n]]
	}
	if v.mirrored {
		for n := range x {
			x[n] = -x[n]
		}
	}
	return x
}

// columns are the roots of all columns, each behind those that before gives.
func (v *view) columns(before func(c int) []int) []int {
	var order []int
	state := make([]uint8, len(v.nodes))
	type frame struct {
		column int
		left   []int
	}
	for n := range v.nodes {
		if v.root[n] != n || state[n] != 0 {
			continue
		}
		state[n] = 1
		stack := []frame{{n, before(n)}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if len(f.left) == 0 {
				order = append(order, f.column)
				stack = stack[:len(stack)-1]
				continue
			}
			c := f.left[0]
			f.left = f.left[1:]
			if state[c] == 0 {
				state[c] = 1
				stack = append(stack, frame{c, before(c)})
			}
		}
	}
	return order
}

// measure moves the drawing to the origin and takes its width.
func (l *layered) measure() {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range l.nodes {
		low, high = min(low, l.nodes[i].x-l.nodes[i].w/2), max(high, l.nodes[i].x+l.nodes[i].w/2)
	}
	for i := range l.nodes {
		b := &l.nodes[i]
		b.x -= low + b.loops/2
		b.w -= b.loops
	}
	l.w = high - low
}
