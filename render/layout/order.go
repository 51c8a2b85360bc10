package layout

import (
	"cmp"
	"slices"
)

// This file puts the nodes of each layer in an order with few crossings:
// sweeps down and up by medians of neighbours, and swaps of neighbours while
// that helps; the best order seen counts.

const sweeps = 12

func (l *layered) order() {
	l.firstOrder()
	best, crossings := l.snapshot(), l.crossings()
	for i := 0; i < sweeps && crossings > 0; i++ {
		l.sweep(i%2 == 0)
		l.swap()
		if c := l.crossings(); c < crossings {
			best, crossings = l.snapshot(), c
		}
	}
	for i, layer := range best {
		l.setLayer(i, layer)
	}
}

// firstOrder walks depth first from the top, so that what belongs together
// starts together.
func (l *layered) firstOrder() {
	seen := make([]bool, len(l.nodes))
	var visit func(n int)
	visit = func(n int) {
		if seen[n] {
			return
		}
		seen[n] = true
		layer := l.nodes[n].layer
		l.layers[layer] = append(l.layers[layer], n)
		for _, m := range l.nodes[n].out {
			visit(m)
		}
	}
	for layer := range l.layers {
		for n := range l.nodes {
			if l.nodes[n].layer == layer {
				visit(n)
			}
		}
	}
	for i, layer := range l.layers {
		l.setLayer(i, layer)
	}
}

func (l *layered) setLayer(i int, layer []int) {
	l.layers[i] = layer
	for slot, n := range layer {
		l.nodes[n].slot = slot
	}
}

func (l *layered) snapshot() [][]int {
	saved := make([][]int, len(l.layers))
	for i, layer := range l.layers {
		saved[i] = slices.Clone(layer)
	}
	return saved
}

// sweep orders each layer by the medians of the layer before it in the
// direction of the sweep. A node without neighbours there keeps its place.
func (l *layered) sweep(down bool) {
	for i := range l.layers {
		at := i
		if !down {
			at = len(l.layers) - 1 - i
		}
		layer := l.layers[at]
		type key struct {
			node   int
			median float64
		}
		var keys []key
		for _, n := range layer {
			if m, ok := l.median(n, down); ok {
				keys = append(keys, key{n, m})
			}
		}
		slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(a.median, b.median) })
		next := 0
		for slot, n := range layer {
			if _, ok := l.median(n, down); ok {
				layer[slot] = keys[next].node
				next++
			}
		}
		l.setLayer(at, layer)
	}
}

// median is the weighted median place of the neighbours of n above it, or
// below.
func (l *layered) median(n int, above bool) (float64, bool) {
	neighbours := l.nodes[n].out
	if above {
		neighbours = l.nodes[n].in
	}
	if len(neighbours) == 0 {
		return 0, false
	}
	places := make([]int, len(neighbours))
	for i, m := range neighbours {
		places[i] = l.nodes[m].slot
	}
	slices.Sort(places)
	k := len(places)
	if k%2 == 1 {
		return float64(places[k/2]), true
	}
	if k == 2 {
		return float64(places[0]+places[1]) / 2, true
	}
	left, right := places[k/2-1]-places[0], places[k-1]-places[k/2]
	if left+right == 0 {
		return float64(places[k/2]), true
	}
	return float64(places[k/2-1]*right+places[k/2]*left) / float64(left+right), true
}

// swap exchanges neighbours in a layer while that takes crossings away.
func (l *layered) swap() {
	for improved := true; improved; {
		improved = false
		for _, layer := range l.layers {
			for i := 0; i+1 < len(layer); i++ {
				a, b := layer[i], layer[i+1]
				if l.between(b, a) < l.between(a, b) {
					layer[i], layer[i+1] = b, a
					l.nodes[a].slot, l.nodes[b].slot = i+1, i
					improved = true
				}
			}
		}
	}
}

// between counts the crossings of the edges of a and b with each other, where
// a stands left of b.
func (l *layered) between(a, b int) int {
	count := func(left, right []int) int {
		n := 0
		for _, x := range left {
			for _, y := range right {
				if l.nodes[x].slot > l.nodes[y].slot {
					n++
				}
			}
		}
		return n
	}
	return count(l.nodes[a].in, l.nodes[b].in) + count(l.nodes[a].out, l.nodes[b].out)
}

// crossings counts all crossings, by counting inversions between each two
// layers with a tree of sums.
func (l *layered) crossings() int {
	total := 0
	for i := 1; i < len(l.layers); i++ {
		above := len(l.layers[i-1])
		sums := make([]int, above+1)
		seen := 0
		for _, n := range l.layers[i] {
			for _, m := range l.nodes[n].in {
				before := 0
				for k := l.nodes[m].slot + 1; k > 0; k &= k - 1 {
					before += sums[k]
				}
				total += seen - before
			}
			for _, m := range l.nodes[n].in {
				for k := l.nodes[m].slot + 1; k <= above; k += k & -k {
					sums[k]++
				}
				seen++
			}
		}
	}
	return total
}
