package explore

import (
	"math/bits"
	"slices"
	"strings"
)

// This file puts together the Worlds of a graph that is too large to draw. The
// Worlds on one way stay; the others are groups, by the ends that they can
// still reach. The groups and the way say what the large graph would: where it
// is that an end is decided.

// A class is the set of ends that a World can reach, by bit. The last bits say
// that there are more ends than bits, and that it leads to Worlds whose moves
// were not made.
type class uint64

const (
	manyEnds  class = 1 << 62
	someWaits class = 1 << 63
	endBits         = 62
)

// Bounds of what is drawn along a way: choice points at its two ends, ends, and
// groups.
const (
	mostBefore = 16
	mostBehind = 32
	mostEnds   = 24
	mostGroups = 24
)

// along decides what is drawn of a graph that is too large: single nodes and
// groups.
func (b *graphing) along() error {
	if b.graph.Along == 0 {
		if k := slices.IndexFunc(b.found, func(f finding) bool { return f.path != nil }); k >= 0 {
			b.graph.Along = k + 1
			b.takeWay(b.found[k].path)
		}
	}
	if err := b.classify(); err != nil {
		return err
	}
	points := b.single
	b.single = make([]bool, len(b.nodes))
	b.single[b.root] = true
	b.keepWay(points)
	kept := 0
	for e := range b.ends {
		if n := b.endNode[e]; n >= 0 && (kept < mostEnds || b.single[n]) {
			b.single[n] = true
			kept++
		}
	}
	return nil
}

// keepWay keeps the choice points at both ends of the way, and cuts out those
// between them.
func (b *graphing) keepWay(points []bool) {
	b.cut = map[int32]bool{}
	var on []int32
	for _, id := range b.way {
		if points[id] && !slices.Contains(on, id) {
			on = append(on, id)
		}
	}
	before, behind := mostBefore, mostBehind
	if most := max(b.options.Most/2, 8); most < mostBefore+mostBehind { // of a small drawing, the way takes half
		before, behind = most/3, most-most/3
	}
	for i, id := range on {
		if len(on) > before+behind && i >= before && i < len(on)-behind {
			b.cut[id] = true
		} else {
			b.single[id] = true
		}
	}
	if len(b.cut) > 0 { // what lies between two that are left out is left out
		inside := false
		for _, id := range b.way {
			if points[id] {
				inside = b.cut[id]
			}
			if inside {
				b.cut[id] = true
			}
		}
	}
}

// classify finds the ends that each node can reach.
func (b *graphing) classify() error {
	b.classes = make([]class, len(b.nodes))
	for i := range b.nodes {
		switch e := b.nodes[i].end; {
		case e >= endBits:
			b.classes[i] = manyEnds
		case e >= 0:
			b.classes[i] = 1 << e
		}
	}
	for _, id := range b.waiting[b.next:] {
		b.classes[id] |= someWaits
	}
	for again := true; again; {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		again = false
		for i := len(b.nodes) - 1; i >= 0; i-- {
			n := &b.nodes[i]
			c := b.classes[i]
			for _, e := range b.edges[n.first : n.first+n.count] {
				c |= b.classes[e.to]
			}
			if c != b.classes[i] {
				b.classes[i], again = c, true
			}
		}
	}
	return nil
}

// group puts the nodes off the way into groups. A node that lies on the way
// where nothing is open belongs to none: it is on an edge.
func (b *graphing) group() {
	onWay := map[int32]bool{}
	for _, id := range b.way {
		onWay[id] = true
	}
	groups := map[class]int{}
	rest, middle := -1, -1
	add := func(n GraphNode) int {
		b.graph.Nodes = append(b.graph.Nodes, n)
		return len(b.graph.Nodes) - 1
	}
	for i := range b.nodes {
		id := int32(i)
		if i == 0 && b.root != 0 || b.single[b.standsFor(id)] || onWay[id] && !b.cut[id] {
			continue
		}
		at, known := 0, false
		switch {
		case b.cut[id]:
			if middle < 0 {
				middle = add(GraphNode{Cut: true})
			}
			at = middle
		default:
			if at, known = groups[b.classes[id]]; known {
				break
			}
			if len(groups) < mostGroups {
				at = add(b.groupOf(b.classes[id]))
				groups[b.classes[id]] = at
				break
			}
			if rest < 0 {
				rest = add(GraphNode{})
			}
			at = rest
		}
		b.index[id] = at
		b.graph.Nodes[at].Size++
	}
}

// walkBehindCut draws what lies on the way behind the part that is left out.
func (b *graphing) walkBehindCut() error {
	if len(b.cut) == 0 {
		return nil
	}
	at := slices.IndexFunc(b.way, func(id int32) bool { return b.cut[id] })
	for at < len(b.way) && b.cut[b.way[at]] {
		at++
	}
	if at == len(b.way) {
		return nil
	}
	id := b.way[at]
	if _, known := b.indexOf(id); known || b.nodes[id].end >= 0 {
		return nil
	}
	_, kept := b.Search.worlds[id]
	w, failed := b.world(b.mover, id)
	if failed != nil {
		return b.ctx.Err()
	}
	if !kept {
		delete(b.Search.worlds, id)
	}
	b.node(id, w, nil)
	return b.walk(id)
}

// groupOf is a group without its size.
func (b *graphing) groupOf(c class) GraphNode {
	n := GraphNode{Unknown: c&someWaits != 0, Endless: c == 0}
	for rest := uint64(c &^ (manyEnds | someWaits)); rest != 0; rest &= rest - 1 {
		end, known := b.ends[bits.TrailingZeros64(rest)], false
		for k, f := range b.found {
			if f.end == end {
				n.Reach, known = append(n.Reach, k+1), true
			}
		}
		if !known {
			n.Others++
		}
	}
	if c&manyEnds != 0 {
		n.Others++
	}
	slices.Sort(n.Reach)
	return n
}

// groupEdges adds the moves that lead from groups to others, and to nodes.
func (b *graphing) groupEdges() {
	for i := range b.nodes {
		n := &b.nodes[i]
		from, ok := b.index[int32(i)]
		if !ok || b.graph.Nodes[from].Size == 0 {
			continue
		}
		for _, e := range b.edges[n.first : n.first+n.count] {
			id := b.behind(e.to)
			to, drawn := b.indexOf(id)
			if !drawn && b.single[b.standsFor(id)] { // an end that the way does not come by
				to, drawn = b.node(id, nil, nil), true
			}
			if drawn && to != from {
				b.edge(from, to, "", nil)
			}
		}
	}
}

// behind is the node that is drawn, a node or the next one where nothing is
// open on the way to it.
func (b *graphing) behind(id int32) int32 {
	for range b.way {
		if b.drawn(b.standsFor(id)) || b.nodes[id].count != 1 {
			break
		}
		id = b.edges[b.nodes[id].first].to
	}
	return id
}

// compareNames orders names of values: those of the behaviour, which have no
// dot, before those of objects.
func compareNames(a, b string) int {
	if x, y := strings.Count(a, "."), strings.Count(b, "."); x != y {
		return x - y
	}
	return strings.Compare(a, b)
}
