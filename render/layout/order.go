package layout

import (
	"cmp"
	"slices"
)

// This file puts the nodes of each layer in an order with few crossings:
// sweeps down and up that order each layer by the medians of its neighbours in
// the layer before, each followed by exchanges of neighbours as long as one
// helps; the best order seen counts.

const (
	patience = 6     // sweeps in a row that bring nothing
	effort   = 24000 // boxes looked at in one direction; bounds the sweeps
)

// sweeps is how often the layers are ordered in each direction.
func (l *layered) sweeps() int { return min(max(effort/(len(l.nodes)+1), 3), 16) }

func (l *layered) order() {
	var best [][]int
	fewest := -1
	for _, fromTop := range []bool{true, false} {
		l.firstOrder(fromTop)
		better := 0
		for i := 0; i <= l.sweeps() && i < better+patience && fewest != 0; i++ {
			restless := i%4 >= 2 // move what stands equally well, to leave a dead end
			if i > 0 {
				l.sweep((i%2 == 1) == fromTop, restless)
			}
			l.swap(restless)
			if c := l.crossings(); fewest < 0 || c < fewest {
				best, fewest, better = l.snapshot(), c, i
			}
		}
	}
	for i, layer := range best {
		l.setLayer(i, layer)
	}
	l.crossed = fewest - l.outsideCrossings()
}

// firstOrder walks depth first from the top or from the bottom, so that what
// belongs together starts together.
func (l *layered) firstOrder(fromTop bool) {
	seen := make([]bool, len(l.nodes))
	for i := range l.layers {
		l.layers[i] = l.layers[i][:0]
	}
	byLayer := make([][]int, len(l.layers))
	for n := range l.nodes {
		byLayer[l.nodes[n].layer] = append(byLayer[l.nodes[n].layer], n)
	}
	if !fromTop {
		slices.Reverse(byLayer)
	}
	var visit func(n int)
	visit = func(n int) {
		if seen[n] {
			return
		}
		seen[n] = true
		layer := l.nodes[n].layer
		l.layers[layer] = append(l.layers[layer], n)
		next := l.nodes[n].out
		if !fromTop {
			next = l.nodes[n].in
		}
		for i := range next {
			if l.attempt.mirrored {
				i = len(next) - 1 - i
			}
			visit(next[i].node)
		}
	}
	for _, layer := range byLayer {
		if l.attempt.mirrored {
			slices.Reverse(layer)
		}
		for _, n := range layer {
			visit(n)
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

// place is where t ends in the order of its layer.
func (l *layered) place(t tie) float64 { return float64(l.nodes[t.node].slot) + t.slot }

// sweep orders each layer by the medians of the layer before it in the
// direction of the sweep. A node without neighbours there keeps its place.
// Nodes with the same median keep their order, or change it.
func (l *layered) sweep(down, change bool) {
	type key struct {
		node   int
		median float64
	}
	var keys []key
	for i := range l.layers {
		at := i
		if !down {
			at = len(l.layers) - 1 - i
		}
		layer := l.layers[at]
		keys = keys[:0]
		fixed := make([]bool, len(layer))
		for slot, n := range layer {
			m, ok := l.median(n, down)
			if fixed[slot] = !ok; ok {
				keys = append(keys, key{n, m})
			}
		}
		if change {
			slices.Reverse(keys)
		}
		slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(a.median, b.median) })
		next := 0
		for slot := range layer {
			if !fixed[slot] {
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
	ties := l.nodes[n].out
	if above {
		ties = l.nodes[n].in
	}
	if len(ties) == 0 {
		return l.nodes[n].want, l.nodes[n].wanted
	}
	if len(ties) == 1 {
		return l.place(ties[0]), true
	}
	places := make([]float64, len(ties))
	for i, t := range ties {
		places[i] = l.place(t)
	}
	slices.Sort(places)
	k := len(places)
	if k%2 == 1 {
		return places[k/2], true
	}
	if k == 2 {
		return (places[0] + places[1]) / 2, true
	}
	left, right := places[k/2-1]-places[0], places[k-1]-places[k/2]
	if left+right == 0 {
		return places[k/2], true
	}
	return (places[k/2-1]*right + places[k/2]*left) / (left + right), true
}

// swap exchanges neighbours in a layer while that takes crossings away; with
// change, a few times, where it brings none.
func (l *layered) swap(change bool) {
	for rounds, improved := 0, true; improved && rounds < 2*l.sweeps(); rounds++ {
		improved = false
		for _, layer := range l.layers {
			for i := 0; i+1 < len(layer); i++ {
				a, b := layer[i], layer[i+1]
				if gain := l.between(a, b); gain > 0 || change && rounds < 2 && gain == 0 {
					layer[i], layer[i+1] = b, a
					l.nodes[a].slot, l.nodes[b].slot = i+1, i
					improved = true
				}
			}
		}
	}
}

// between is how many crossings fewer there are if a and b, where a stands
// left of b, change places.
func (l *layered) between(a, b int) int {
	gain := 0
	if l.nodes[a].wanted && l.nodes[b].wanted {
		gain += cmp.Compare(l.nodes[a].want, l.nodes[b].want)
	}
	count := func(left, right []tie) {
		for _, x := range left {
			at := l.place(x)
			for _, y := range right {
				if b := l.place(y); at > b {
					gain++
				} else if at < b {
					gain--
				}
			}
		}
	}
	count(l.nodes[a].in, l.nodes[b].in)
	count(l.nodes[a].out, l.nodes[b].out)
	return gain
}

// crossings counts all crossings: for each two layers, the inversions of the
// lower ends when segments are sorted by their upper ends.
func (l *layered) crossings() int {
	type segment struct{ up, down float64 }
	total := l.outsideCrossings()
	var segments []segment
	var lower, buffer []float64
	for i := 1; i < len(l.layers); i++ {
		segments, lower = segments[:0], lower[:0]
		for _, n := range l.layers[i] {
			b := &l.nodes[n]
			for _, t := range b.in {
				down := float64(b.slot)
				if b.left > 0 {
					down += t.here / b.left * 0.45
				}
				segments = append(segments, segment{l.place(t), down})
			}
		}
		slices.SortFunc(segments, func(a, b segment) int {
			if a.up != b.up {
				return cmp.Compare(a.up, b.up)
			}
			return cmp.Compare(a.down, b.down)
		})
		for _, s := range segments {
			lower = append(lower, s.down)
		}
		buffer = slices.Grow(buffer[:0], len(lower))[:len(lower)]
		total += inversions(lower, buffer)
	}
	return total
}

// outsideCrossings counts the crossings that the order of the ends at a border
// makes outside.
func (l *layered) outsideCrossings() int {
	count := 0
	if len(l.layers) == 0 {
		return 0
	}
	for _, layer := range [][]int{l.layers[0], l.layers[len(l.layers)-1]} {
		for i, a := range layer {
			for _, b := range layer[i+1:] {
				if l.nodes[a].wanted && l.nodes[b].wanted && l.nodes[a].want > l.nodes[b].want {
					count++
				}
			}
		}
	}
	return count
}

// inversions sorts list and counts the pairs that stood in the wrong order.
func inversions(list, buffer []float64) int {
	if len(list) < 2 {
		return 0
	}
	mid := len(list) / 2
	count := inversions(list[:mid], buffer[:mid]) + inversions(list[mid:], buffer[mid:])
	copy(buffer, list)
	a, b := buffer[:mid], buffer[mid:]
	for k := range list {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			list[k], a = a[0], a[1:]
		} else {
			list[k], b = b[0], b[1:]
			count += len(a)
		}
	}
	return count
}
