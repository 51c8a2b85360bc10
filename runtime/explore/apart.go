package explore

import (
	"math/big"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

// This file explores groups of tokens that have nothing to do with each other
// apart, until they meet at a join. Whatever order the groups take turns in,
// each goes its own ways with its own shares: a token that is drawn among all is
// drawn fairly among those of its group. So the share of a joint end is the
// product of the shares of the groups' ends, and its linearizations are those of
// the groups, shuffled: a product with a multinomial coefficient.

// Bounds of what is explored apart: the least number of Worlds that the groups
// may have together for it to be worth it, and the most that one group, and
// the joint ends, may have.
const (
	apartFrom  = 1_000_000
	mostOfOne  = 20_000
	mostJoined = 10_000
)

// A joint is an end of all groups: how many linearizations lead there, and the
// shortest way of each group.
type joint struct {
	count *big.Int
	paths [][]int32
}

// A group is what one group of tokens does, beginning at a node.
type group struct {
	ends []*partEnd
}

// A partEnd is a node where a group can go no further.
type partEnd struct {
	node  int32
	path  []int32
	share *big.Rat
	// counts are the numbers of ways there, by their length.
	counts []*big.Int
}

// A partWay is what leads to a node of a group in so many moves.
type partWay struct {
	count *big.Int
	share *big.Rat
	path  []int32
}

// divides is how the tokens of a new node are divided; nil where they are not,
// or it is not worth it.
func (x *Search) divides(m *mover, id int32) (*exec.Division, []uint32) {
	o := &x.options
	if !x.forked[id] || x.reduce || len(x.properties) > 0 || o.Depth > 0 || o.Runs > 0 {
		return nil, nil
	}
	delete(x.forked, id)
	v, ok := x.vectorOf(m, id, asVector)
	if !ok {
		return nil, nil
	}
	v = slices.Clone(v)
	var nodes []int32
	for _, l := range v[x.alphabet.places:] {
		nodes = append(nodes, x.alphabet.standing[l].Node)
	}
	from := float64(apartFrom)
	if o.Apart > 0 {
		from = float64(o.Apart)
	}
	if d := x.alphabet.Divide(nodes); d != nil && d.Size >= from {
		return d, v
	}
	return nil, nil
}

// separate explores the groups of a node apart, and leads from it to their
// joint ends; false where that cannot be done, and then nothing has changed.
func (x *Search) separate(m *mover, id int32) bool {
	d, v := x.divides(m, id)
	if d == nil {
		return false
	}
	groups := make([]group, d.Groups)
	ends := 1
	nodes, edges, worlds, moves := len(x.nodes), len(x.edges), x.distinct, x.moves
	for g := range groups {
		if !x.exploreGroup(m, id, v, d, g, &groups[g]) || ends*len(groups[g].ends) > mostJoined {
			x.nodes, x.edges, x.distinct, x.moves = x.nodes[:nodes], x.edges[:edges], worlds, moves
			return false
		}
		ends *= len(groups[g].ends)
	}
	from := x.nodes[id]
	x.nodes[id].first = int32(len(x.edges))
	x.eachJoint(groups, func(ends []*partEnd) {
		next := x.joined(v, d, ends)
		length, share := int32(0), big.NewRat(1, 1)
		j := joint{count: shuffled(ends)}
		for _, e := range ends {
			length += int32(len(e.path))
			share.Mul(share, e.share)
			j.paths = append(j.paths, e.path)
		}
		x.joints = append(x.joints, j)
		w := way{share: x.shareNumber(share), joint: int32(len(x.joints)), choices: length}
		if share.Cmp(x.shares[0]) == 0 {
			w.share = 0
		}
		key := pack(nil, asVector, next)
		f := &reached{key: key, hash: x.hash(key), known: -1}
		from.moves += length - 1
		x.edges = append(x.edges, edge{x.target(f, id, int32(len(x.edges)), &from, length), x.way(w)})
		from.moves -= length - 1
		x.moves++
	})
	x.nodes[id].count = int32(len(x.edges)) - x.nodes[id].first
	return true
}

// exploreGroup follows the moves of one group while the others stand still.
// The nodes on the way are no part of the graph that is summed over.
func (x *Search) exploreGroup(m *mover, id int32, v []uint32, d *exec.Division, g int, result *group) bool {
	layer := map[int32]*partWay{id: {count: big.NewInt(1), share: big.NewRat(1, 1)}}
	order := []int32{id}
	ends := map[int32]*partEnd{}
	known := map[string]int32{string(pack(nil, asVector, v)): id}
	edges := map[int32][]int32{}
	for length := 0; len(order) > 0; length++ {
		next := map[int32]*partWay{}
		var after []int32
		for _, at := range order {
			p := layer[at]
			out, done := edges[at]
			if !done {
				var ok bool
				if out, ok = x.expandPart(m, at, d, g, known); !ok || len(known) > mostOfOne {
					return false
				}
				edges[at] = out
			}
			if len(out) == 0 {
				e := ends[at]
				if !x.holds(m, at, d, g) {
					return false // the others could come to be alone
				}
				if e == nil {
					e = &partEnd{node: at, path: p.path, share: new(big.Rat)}
					ends[at], result.ends = e, append(result.ends, e)
				}
				for len(e.counts) <= length {
					e.counts = append(e.counts, new(big.Int))
				}
				e.counts[length].Add(e.counts[length], p.count)
				e.share.Add(e.share, p.share)
			}
			for _, by := range out {
				to := x.edges[by].to
				q := next[to]
				if q == nil {
					q = &partWay{count: new(big.Int), share: new(big.Rat), path: append(slices.Clone(p.path), by)}
					next[to], after = q, append(after, to)
				}
				q.count.Add(q.count, p.count)
				q.share.Add(q.share, new(big.Rat).Mul(p.share, x.shares[x.ways.list[x.edges[by].way].share]))
			}
		}
		layer, order = next, after
	}
	return true
}

// holds reports whether a group has tokens at a node.
func (x *Search) holds(m *mover, id int32, d *exec.Division, g int) bool {
	a := &x.alphabet
	v, _ := x.vectorOf(m, id, asVector)
	return slices.ContainsFunc(v[a.places:], func(l uint32) bool { return d.Of(&a.standing[l]) == g })
}

// expandPart makes the moves of a group from a node, and gives the edges.
func (x *Search) expandPart(m *mover, id int32, d *exec.Division, g int, known map[string]int32) (out []int32, ok bool) {
	a := &x.alphabet
	v, _ := x.vectorOf(m, id, asVector)
	v = slices.Clone(v)
	if _, all := x.actors(m, v); !all {
		var e expansion
		x.learn(m, id, &e)
		if x.nodes[id].part {
			delete(x.worlds, id)
		}
		if e.interrupted() {
			return nil, false
		}
		if _, all = x.actors(m, v); !all {
			return nil, false
		}
	}
	var list []reached
	able := int32(0)
	mine := func(y *actor) bool { return d.Of(&a.standing[y.label]) == g && a.standing[y.label].Node != d.Join }
	for k := range m.actors {
		if y := &m.actors[k]; mine(y) && len(y.local.effects) > 0 {
			able += y.times
		}
	}
	for k := range m.actors {
		if y := &m.actors[k]; mine(y) {
			list = x.apply(m, v, y, able, list)
		}
	}
	waits := d.Waits(g, func(yield func(*exec.Standing) bool) {
		for _, l := range v[a.places:] {
			if !yield(&a.standing[l]) {
				return
			}
		}
	})
	if len(list) > 0 && !waits {
		return nil, false // the join would not wait for what is left
	}
	from := x.nodes[id]
	for i := range list {
		f := &list[i]
		if f.effect.end >= 0 {
			return nil, false
		}
		to, ok := known[string(f.key)]
		if !ok {
			to = int32(len(x.nodes))
			x.nodes = append(x.nodes, node{key: x.keys.add(f.key), parent: id, by: int32(len(x.edges)), end: -1, part: true,
				choices: from.choices + 1, moves: from.moves + 1})
			known[string(f.key)] = to
			x.distinct++
		}
		out = append(out, int32(len(x.edges)))
		x.edges = append(x.edges, edge{to, x.wayOf(f.effect, f.able)})
		x.moves++
	}
	return out, true
}

// eachJoint gives every choice of one end of each group.
func (x *Search) eachJoint(groups []group, visit func([]*partEnd)) {
	ends := make([]*partEnd, len(groups))
	var fill func(g int)
	fill = func(g int) {
		if g == len(groups) {
			visit(ends)
			return
		}
		for _, e := range groups[g].ends {
			ends[g] = e
			fill(g + 1)
		}
	}
	fill(0)
}

// joined is v after each group has come to its end.
func (x *Search) joined(v []uint32, d *exec.Division, ends []*partEnd) []uint32 {
	a := &x.alphabet
	next := slices.Clone(v[:a.places])
	for g, e := range ends {
		after, _ := unpack(nil, asVector, x.keys.at(x.nodes[e.node].key))
		for i := range a.places {
			if after[i] != v[i] {
				next[i] = after[i]
			}
		}
		for _, l := range after[a.places:] {
			if d.Of(&a.standing[l]) == g {
				next = append(next, l)
			}
		}
	}
	slices.Sort(next[a.places:])
	return next
}

// shuffled is the number of ways to shuffle a way of each group: the sum over
// their lengths of the product of the counts with a multinomial coefficient.
func shuffled(ends []*partEnd) *big.Int {
	sum := []*big.Int{big.NewInt(1)} // ways of the groups so far, by length
	for _, e := range ends {
		next := make([]*big.Int, len(sum)+len(e.counts)-1)
		for i := range next {
			next[i] = new(big.Int)
		}
		for i, a := range sum {
			for j, b := range e.counts {
				c := new(big.Int).Binomial(int64(i+j), int64(j))
				next[i+j].Add(next[i+j], c.Mul(c, a).Mul(c, b))
			}
		}
		sum = next
	}
	total := new(big.Int)
	for _, n := range sum {
		total.Add(total, n)
	}
	return total
}

// unfolded is a path with the ways of groups in the place of edges to their
// joint ends; at is where each edge of path begins in it.
func (x *Search) unfolded(path []int32) (list []int32, at []int) {
	for _, e := range path {
		at = append(at, len(list))
		if j := x.ways.list[x.edges[e].way].joint; j > 0 {
			for _, p := range x.joints[j-1].paths {
				list = append(list, p...)
			}
			continue
		}
		list = append(list, e)
	}
	return list, at
}
