package explore

import (
	"context"
	"math/big"
	"strings"
)

// This file sums over the graph: how many linearizations reach an outcome and
// what share of the schedule space they carry. Numbers of linearizations are
// big integers. Shares are numerators over a denominator that all nodes of one
// level have in common: the least common multiple of the denominators of all
// edges to the power of the level, a level being as many edges with a choice
// as the longest way from the start has.

// An entry is a node together with one list of the states entered on the way
// to it. Where no state is entered, a node has one.
type entry struct {
	node   int32
	visits int32 // index of count.visits
	count  *big.Int
	share  *big.Int
	// parent is the entry before on the shortest way, edge the edge from
	// there, choices and moves its length.
	parent, edge   int32
	choices, moves int32
	// next is the entry of the same node that was made before; -1 for none.
	next int32
}

// A count is the sum over a graph.
type count struct {
	*Search
	entries []entry
	// at is the last entry of each node, from 1.
	at []int32
	// spare are numbers that are needed no more.
	spare []*big.Int
	// visits are lists of states: one more behind another one.
	visits  []chain
	chains  map[chain]int32
	order   []int32 // nodes behind all that lead to them
	level   []int32
	cyclic  []bool // nodes of cycles, and those that cycles lead to
	base    *big.Int
	powers  []*big.Int
	factors []*big.Int // base times share, by share
	// found are the entries that end, by what they end in.
	found map[outcomeKey]*found
	// entering is the share that comes into each node of a cycle, or behind
	// one, from nodes before all cycles.
	entering map[int32]*big.Rat
	// ended says that the sum was given up.
	ended bool
}

type chain struct{ before, list int32 }

type outcomeKey struct{ end, visits int32 }

// found is an outcome as the sum gathers it.
type found struct {
	outcomeKey
	count     *big.Int // nil where there is no bound
	share     *big.Rat // nil where it is not determined
	entry     int32    // the one with the shortest way; -1 where node has it
	node      int32
	unbounded bool
}

// summedAnyway is how many edges are summed over when nobody waits any more.
const summedAnyway = 100_000

func (x *Search) count(ctx context.Context) *count {
	c := &count{Search: x, visits: []chain{{-1, 0}}, chains: map[chain]int32{}, found: map[outcomeKey]*found{}, entering: map[int32]*big.Rat{}}
	c.sort()
	c.prepare()
	if c.ended = !c.sum(ctx); c.ended {
		c.found = map[outcomeKey]*found{}
		for i := range c.nodes {
			if c.nodes[i].end >= 0 {
				c.endsAt(int32(i))
			}
		}
	}
	return c
}

// sort puts the nodes into an order in which each comes behind all that lead
// to it; those of cycles, and those behind them, are left out.
func (c *count) sort() {
	in := make([]int32, len(c.nodes))
	for i := range c.nodes { // edges between parts are no node's own
		n := &c.nodes[i]
		for _, e := range c.edges[n.first : n.first+n.count] {
			in[e.to]++
		}
	}
	c.level = make([]int32, len(c.nodes))
	c.order = make([]int32, 0, len(c.nodes))
	if in[0] == 0 {
		c.order = append(c.order, 0)
	}
	for i := 0; i < len(c.order); i++ {
		n := &c.nodes[c.order[i]]
		for _, e := range c.edges[n.first : n.first+n.count] {
			level := c.level[c.order[i]]
			if c.ways.list[e.way].share != 0 {
				level++
			}
			c.level[e.to] = max(c.level[e.to], level)
			if in[e.to]--; in[e.to] == 0 {
				c.order = append(c.order, e.to)
			}
		}
	}
	c.cyclic = make([]bool, len(c.nodes))
	for i := range in {
		c.cyclic[i] = in[i] > 0
	}
}

// prepare makes the common denominators.
func (c *count) prepare() {
	c.base = big.NewInt(1)
	for _, s := range c.shares {
		g := new(big.Int).GCD(nil, nil, c.base, s.Denom())
		c.base.Mul(c.base, new(big.Int).Quo(s.Denom(), g))
	}
	c.powers = []*big.Int{big.NewInt(1)}
	for _, s := range c.shares {
		f := new(big.Int).Quo(c.base, s.Denom())
		c.factors = append(c.factors, f.Mul(f, s.Num()))
	}
}

func (c *count) power(n int32) *big.Int {
	for int(n) >= len(c.powers) {
		c.powers = append(c.powers, new(big.Int).Mul(c.powers[len(c.powers)-1], c.base))
	}
	return c.powers[n]
}

// sum takes counts and shares along the edges; false where that would take
// longer than ctx.
func (c *count) sum(ctx context.Context) bool {
	left := 0 // edges until ctx is asked
	if len(c.edges) <= summedAnyway {
		ctx = context.Background()
	}
	c.at = make([]int32, len(c.nodes))
	if len(c.order) > 0 {
		c.entries = append(c.entries, entry{count: big.NewInt(1), share: big.NewInt(1), parent: -1, edge: -1, next: -1})
		c.at[0] = 1
	}
	scaled := new(big.Int)
	for _, id := range c.order {
		n := &c.nodes[id]
		if left -= int(n.count); left < 0 {
			if ctx.Err() != nil {
				return false
			}
			left = 5000
		}
		for from := c.at[id] - 1; from >= 0; from = c.entries[from].next {
			if n.end >= 0 {
				c.ending(from, n.end)
			}
			for i := n.first; i < n.first+n.count; i++ {
				e := &c.edges[i]
				f := &c.entries[from]
				if c.cyclic[e.to] {
					c.enters(e, f)
					continue
				}
				rise := c.level[e.to] - c.level[id]
				scaled.Set(f.share)
				if share := c.ways.list[e.way].share; share != 0 {
					rise--
					scaled.Mul(scaled, c.factors[share])
				}
				if rise > 0 {
					scaled.Mul(scaled, c.power(rise))
				}
				c.arrive(from, i, scaled)
			}
			f := &c.entries[from]
			c.spare = append(c.spare, f.count, f.share)
			f.count, f.share = nil, nil
		}
	}
	c.sumCycles()
	return true
}

// arrive adds what comes along an edge to the entry that it leads to.
func (c *count) arrive(from, by int32, share *big.Int) {
	e := &c.edges[by]
	f := c.entries[from]
	w := &c.ways.list[e.way]
	visits := c.behind(f.visits, w.visits)
	choices := f.choices + w.choices
	moves := f.moves + 1
	number := f.count
	if w.joint > 0 {
		number = new(big.Int).Mul(number, c.joints[w.joint-1].count)
		moves += w.choices - 1
	}
	for id := c.at[e.to] - 1; id >= 0; id = c.entries[id].next {
		g := &c.entries[id]
		if g.visits != visits {
			continue
		}
		g.count.Add(g.count, number)
		g.share.Add(g.share, share)
		if choices < g.choices || choices == g.choices && moves < g.moves {
			g.parent, g.edge, g.choices, g.moves = from, by, choices, moves
		}
		return
	}
	c.entries = append(c.entries, entry{node: e.to, visits: visits, count: c.copyOf(number), share: c.copyOf(share),
		parent: from, edge: by, choices: choices, moves: moves, next: c.at[e.to] - 1})
	c.at[e.to] = int32(len(c.entries))
}

// copyOf is n in memory of its own.
func (c *count) copyOf(n *big.Int) *big.Int {
	x := new(big.Int)
	if k := len(c.spare); k > 0 {
		x, c.spare = c.spare[k-1], c.spare[:k-1]
	}
	return x.Set(n)
}

// behind is the list of visits that has more behind before.
func (c *count) behind(before, more int32) int32 {
	if more == 0 {
		return before
	}
	k := chain{before, more}
	id, ok := c.chains[k]
	if !ok {
		id = c.same(k)
		c.chains[k] = id
	}
	return id
}

// same makes a list state by state, so that equal lists have equal numbers
// however they came about.
func (c *count) same(k chain) int32 {
	states := c.Search.visits[k.list]
	at := k.before
	for _, s := range states {
		one := chain{at, c.visited([]string{s})}
		id, ok := c.chains[one]
		if !ok {
			id = int32(len(c.visits))
			c.visits = append(c.visits, one)
			c.chains[one] = id
		}
		at = id
	}
	return at
}

// states is a list of visits, spelled out.
func (c *count) states(id int32) []string {
	var list []string
	for ; id > 0; id = c.visits[id].before {
		list = append(list, c.Search.visits[c.visits[id].list]...)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// ending adds an entry that ends to its outcome.
func (c *count) ending(id, end int32) {
	e := &c.entries[id]
	share := new(big.Rat).SetFrac(e.share, c.power(c.level[e.node]))
	k := outcomeKey{end, e.visits}
	o := c.found[k]
	if o == nil {
		c.found[k] = &found{outcomeKey: k, count: new(big.Int).Set(e.count), share: share, entry: id, node: e.node}
		return
	}
	o.count.Add(o.count, e.count)
	o.share.Add(o.share, share)
	if best := &c.entries[o.entry]; e.choices < best.choices || e.choices == best.choices && e.moves < best.moves {
		o.entry, o.node = id, e.node
	}
}

// pathTo are the edges of the way on which a node was found first.
func (x *Search) pathTo(node int32) []int32 {
	var list []int32
	for n := node; x.nodes[n].parent >= 0; n = x.nodes[n].parent {
		list = append(list, x.nodes[n].by)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// path are the edges of the shortest way to an outcome.
func (c *count) path(o *found) []int32 {
	if o.entry < 0 {
		return c.pathTo(o.node)
	}
	var list []int32
	for e := o.entry; c.entries[e].parent >= 0; e = c.entries[e].parent {
		list = append(list, c.entries[e].edge)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// share is the number of the share of a step: 0 where there was no choice.
func (x *Search) share(s *step) int32 {
	if s.share == nil {
		return x.equal(s.equal)
	}
	return x.shareNumber(s.share)
}

// equal is the number of the share of one of n equal alternatives.
func (x *Search) equal(n uint64) int32 {
	if n == 1 {
		return 0
	}
	id, ok := x.uniform[n]
	if !ok {
		id = x.shareNumber(new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).SetUint64(n)))
		x.uniform[n] = id
	}
	return id
}

func (x *Search) shareNumber(r *big.Rat) int32 {
	key := r.RatString()
	id, ok := x.shareOf[key]
	if !ok {
		id = int32(len(x.shares))
		x.shares = append(x.shares, r)
		x.shareOf[key] = id
	}
	return id
}

// visitText is a list of states on one line.
func visitText(states []string) string { return strings.Join(states, ", ") }
