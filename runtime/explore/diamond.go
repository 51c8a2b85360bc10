package explore

import "github.com/orrery-sysml/orrery/runtime/exec"

// This file finds where moves lead without making them. Where a World was
// found by the move of one token, and another token could have moved before it
// as well, the two moves close a diamond: if neither touches what the other
// does, making them in the other order led to the World that the move leads to
// now. In a graph of many independent branches all but one of the edges into a
// World are found so.

// A way is what is known of the move of one token before it is made.
type way struct {
	label, node int32
	// to is the node that the move leads to; -1 where it has to be made.
	to int32
}

// ways are the moves of the tokens of a node; nil where there is more to move.
func (x *Search) ways(m *mover, id int32) []way {
	n := &x.nodes[id]
	if x.independence == nil || x.reduce || x.options.Depth > 0 || id == 0 {
		return nil
	}
	m.engine.World = n.world
	m.meter = m.fresh
	var ok bool
	if m.tokens, m.labels, ok = x.independence.Moves(&m.engine, m.tokens[:0], m.labels[:0]); !ok || len(m.tokens) < 2 {
		return nil
	}
	ways := make([]way, len(m.tokens))
	for i, t := range m.tokens {
		ways[i] = way{label: x.label(t), node: t.Node, to: -1}
		for j := range i {
			if ways[j].label == ways[i].label {
				ways[i].label, ways[j].label = 0, 0 // there is no telling which is which
			}
		}
	}
	by := x.edges[n.by]
	from := &x.nodes[n.parent]
	if by.label == 0 {
		return ways
	}
	for i := range ways {
		w := &ways[i]
		if w.label == 0 || !x.independence.Apart(w.node, by.node) {
			continue
		}
		if other := x.along(from, w.label); other >= 0 {
			w.to = x.along(&x.nodes[other], by.label)
		}
	}
	return ways
}

// along is the node that the edge with a label leads to; -1 where there is
// none, or it is not known yet.
func (x *Search) along(n *node, label int32) int32 {
	for _, e := range x.edges[n.first : n.first+n.count] {
		if e.label == label {
			return e.to
		}
	}
	return -1
}

// label is the number of a token as it stands; 0 where its moves may not be
// taken for independent of any others.
func (x *Search) label(t exec.TokenMove) int32 {
	if !t.Apart {
		return 0
	}
	if id, ok := x.labels[string(t.Label)]; ok {
		return id
	}
	id := int32(len(x.labels)) + 1
	x.labels[string(t.Label)] = id
	return id
}
