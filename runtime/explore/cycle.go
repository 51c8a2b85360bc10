package explore

import "math/big"

// This file sums over cycles. The linearizations that go round in one have no
// bound, but their shares add up: the share that passes a node is what comes
// into it, whole passes of the cycle included, and these sums are linear
// equations.

// maxCycle is how many nodes on cycles, and behind them, are solved for.
const maxCycle = 96

// enters adds the share that goes along an edge into a cycle.
func (c *count) enters(e *edge, from *entry) {
	share := new(big.Rat).SetFrac(from.share, c.power(c.level[from.node]))
	share.Mul(share, c.shares[c.ways.list[e.way].share])
	if sum := c.entering[e.to]; sum != nil {
		share.Add(share, sum)
	}
	c.entering[e.to] = share
}

// sumCycles adds the ends that cycles lead to: without a bound on their
// number, each with the way on which it was found first.
func (c *count) sumCycles() {
	passing := c.passing()
	for i := range c.nodes {
		if !c.cyclic[i] || c.nodes[i].end < 0 {
			continue
		}
		o := c.endsAt(int32(i))
		o.count, o.unbounded = nil, true
		switch {
		case passing == nil:
			o.share = nil
		case o.share != nil && passing[int32(i)] != nil:
			o.share = new(big.Rat).Add(o.share, passing[int32(i)])
		}
	}
}

// endsAt is the outcome that a node is, by the way on which it was found first.
func (c *count) endsAt(node int32) *found {
	visits := int32(0)
	for _, e := range c.pathTo(node) {
		visits = c.behind(visits, c.ways.list[c.edges[e].way].visits)
	}
	k := outcomeKey{c.nodes[node].end, visits}
	o := c.found[k]
	if o == nil {
		o = &found{outcomeKey: k, entry: -1, node: node, share: new(big.Rat)}
		c.found[k] = o
	}
	return o
}

// passing is the share that passes each node on a cycle or behind one; nil
// where there are too many to say. What never leaves a cycle passes no end.
func (c *count) passing() map[int32]*big.Rat {
	var nodes []int32
	at := map[int32]int{}
	for i := range c.nodes {
		if c.cyclic[i] {
			at[int32(i)] = len(nodes)
			nodes = append(nodes, int32(i))
		}
	}
	if len(nodes) > maxCycle {
		return nil
	}
	n := len(nodes)
	rows := make([][]*big.Rat, n) // of the equations pass(i) - sum pass(j)·share(j→i) = entering(i)
	for i := range rows {
		rows[i] = make([]*big.Rat, n+1)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
		rows[i][i].SetInt64(1)
		if in := c.entering[nodes[i]]; in != nil {
			rows[i][n].Set(in)
		}
	}
	for j, id := range nodes {
		x := &c.nodes[id]
		for _, e := range c.edges[x.first : x.first+x.count] {
			cell := rows[at[e.to]][j]
			cell.Sub(cell, c.shares[c.ways.list[e.way].share])
		}
	}
	if !solve(rows) {
		return nil
	}
	passing := map[int32]*big.Rat{}
	for i, id := range nodes {
		passing[id] = rows[i][n]
	}
	return passing
}

// solve puts the solution of linear equations into their last column; false
// where there is none: a cycle that is never left.
func solve(rows [][]*big.Rat) bool {
	n := len(rows)
	product := new(big.Rat)
	for k := range n {
		pivot := k
		for pivot < n && rows[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return false
		}
		rows[k], rows[pivot] = rows[pivot], rows[k]
		inverse := new(big.Rat).Inv(rows[k][k])
		for j := k; j <= n; j++ {
			rows[k][j].Mul(rows[k][j], inverse)
		}
		for i := range n {
			if i == k || rows[i][k].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Set(rows[i][k])
			for j := k; j <= n; j++ {
				if rows[k][j].Sign() != 0 {
					rows[i][j].Sub(rows[i][j], product.Mul(factor, rows[k][j]))
				}
			}
		}
	}
	return true
}
