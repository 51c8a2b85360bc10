package walk

import (
	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// This file writes rows in the order of leaves while the tree still grows, and
// drops what has been written.

// A frame is a node being written and its current child.
type frame struct {
	node  *node
	child int
}

// drain writes rows until one is missing.
func (w *tree) drain() {
	if w.ended || w.failure != nil {
		return
	}
	if !w.begun {
		if !w.root.ran {
			return
		}
		w.begun = true
		if !w.enter(w.root) {
			w.ended = len(w.stack) == 0 && w.failure == nil && !w.result.Stopped
			return
		}
	}
	for len(w.stack) > 0 {
		if w.failure != nil || w.result.Stopped {
			return
		}
		f := &w.stack[len(w.stack)-1]
		if f.child == len(f.node.children) {
			w.stack = w.stack[:len(w.stack)-1]
			w.leaveChild()
			continue
		}
		c := &f.node.children[f.child]
		switch {
		case c.cut != nil:
			if !w.removed(f.node.prefixOf(c.index), f.node, f.child, c.cut) {
				return
			}
			w.leaveChild()
		case c.sub == nil || !c.sub.ran:
			return
		case c.sub.foreign:
			w.leaveChild()
		case c.sub.removed != nil:
			if !w.removed(c.sub.prefix, f.node, f.child, c.sub.removed) {
				return
			}
			w.leaveChild()
		case !w.enter(c.sub):
			w.leaveChild()
		}
	}
	w.ended = true
}

// enter writes the leaf s, or begins with the node that s is; it reports
// whether there is a node.
func (w *tree) enter(s *subtree) bool {
	switch {
	case s.branch != nil:
		w.stack = append(w.stack, frame{node: s.branch})
		return true
	case s.removed != nil:
		if s.removed.Predicate != "" && w.o.Shard.Index < 2 {
			w.put(Row{Path: s.prefix, Cut: s.removed})
		}
	case s.run != nil:
		w.ahead--
		if w.o.Shard.Count < 2 || w.o.Shard.owns(w.test.Name(), s.run.Path.Fanned()[:min(w.depth, len(s.run.Path.Fanned()))]) {
			w.put(Row{Path: s.run.Path.Fanned(), Run: s.run})
		}
	}
	return false
}

// leaveChild goes on to the next child of the top frame.
func (w *tree) leaveChild() {
	if len(w.stack) == 0 {
		return
	}
	f := &w.stack[len(w.stack)-1]
	if f.child < len(f.node.children) {
		f.node.children[f.child].sub = &subtree{ran: true, done: true, foreign: true}
	}
	if len(f.node.rows) > 0 {
		f.node.beside, f.node.rows = f.node.rows, nil
	}
	f.child++
}

// maxBeside bounds the paths that a node keeps for its removed options.
const maxBeside = 10_000

// put writes one row and keeps its path where a removed option may ask for it.
func (w *tree) put(r Row) {
	if w.result.Stopped {
		return
	}
	for k := range w.stack {
		if n := w.stack[k].node; len(n.rows) < maxBeside {
			n.rows = append(n.rows, r.Path)
		}
	}
	w.result.Leaves++
	if r.Cut != nil {
		w.result.Cuts++
		if r.Unlisted {
			w.result.Unlisted++
		}
	} else {
		w.result.Ran++
	}
	if err := w.emit(r); err != nil {
		w.failure = err
		w.cancel()
		return
	}
	if r.Run != nil && r.Run.Outcome.Fails() {
		w.failed++
	}
	if w.o.MaxLeaves > 0 && w.result.Ran >= w.o.MaxLeaves || w.o.MaxFailures > 0 && w.failed >= w.o.MaxFailures {
		w.stop()
	}
}

// stop ends the walk behind the row that was just written, unless it was the
// last one.
func (w *tree) stop() {
	for _, f := range w.stack {
		for c := f.child + 1; c < len(f.node.children); c++ {
			if w.expects(f.node, c) {
				w.result.Stopped = true
				w.cancel()
				return
			}
		}
	}
}

// expects reports whether this walk has rows to write below child c of n, as
// far as the tree tells before it is walked.
func (w *tree) expects(n *node, c int) bool {
	if n.children[c].cut != nil {
		return false
	}
	p := n.prefixOf(n.children[c].index)
	return w.o.Shard.Count < 2 || w.depth < 0 || len(p) < w.depth || w.o.Shard.owns(w.test.Name(), p[:w.depth])
}

// leave counts what a walk that was stopped has not written. What workers ran
// ahead of the rows is no part of it, so that the count is that of one worker.
func (w *tree) leave() {
	add := func(p axis.Path) {
		w.result.NotRun++
		if len(w.result.Left) < maxLeft {
			w.result.Left = append(w.result.Left, p)
		}
	}
	if !w.begun {
		add(nil)
		return
	}
	for k := len(w.stack) - 1; k >= 0; k-- {
		f := w.stack[k]
		from := f.child
		if k < len(w.stack)-1 {
			from++ // the frame above is this child
		}
		for c := from; c < len(f.node.children); c++ {
			if w.expects(f.node, c) {
				add(f.node.prefixOf(f.node.children[c].index))
			}
		}
	}
}

// removed writes the leaves below p, which predicate cut removed from child k
// of n: p itself completed by what was met beside it. It reports whether that
// is known yet.
func (w *tree) removed(p axis.Path, n *node, k int, cut *leaf.Cut) bool {
	if w.o.Shard.Count > 1 && len(p) < w.depth {
		if w.o.Shard.Index == 1 {
			w.put(Row{Path: p, Cut: cut, Open: true})
		}
		return true
	}
	sharded := w.o.Shard.Count > 1
	if sharded && !w.o.Shard.owns(w.test.Name(), p[:w.depth]) {
		return true
	}
	rows, known := w.beside(n, k, p)
	if !known {
		return false
	}
	if sharded && rows == nil { // further up lie the rows of other shards
		w.put(Row{Path: p, Cut: cut, Open: true})
		return true
	}
	limit := w.o.maxCuts()
	if rows == nil {
		w.list(Row{Path: p, Cut: cut}, limit)
		return true
	}
	for _, r := range rows {
		w.list(Row{Path: append(p[:len(p):len(p)], r[len(p):]...), Cut: cut, Predicted: len(r) > len(p)}, limit)
	}
	return true
}

func (w *tree) list(r Row, limit int) {
	w.listed++
	r.Unlisted = w.listed > limit
	w.put(r)
}

// beside is the paths that complete p, removed at child k of n: those of the
// nearest sibling before it that has rows, else of the nearest behind it, else
// the same one level up. nil where nothing was met beside it; known is false
// while it may still come.
func (w *tree) beside(n *node, k int, p axis.Path) (rows []axis.Path, known bool) {
	for n != nil && (w.o.Shard.Count < 2 || n.at >= w.depth) {
		if rows := matching(n.beside, p, n.at+1); len(rows) > 0 {
			return rows, true
		}
		for j := k + 1; j < len(n.children); j++ {
			c := &n.children[j]
			if c.cut != nil {
				continue
			}
			if !c.sub.complete() {
				return nil, false
			}
			if rows := matching(c.sub.paths(nil), p, n.at+1); len(rows) > 0 {
				return rows, true
			}
		}
		up := n.parent.parent
		if up != nil {
			for j := range up.children {
				if s := up.children[j].sub; s == n.parent {
					k = j
				}
			}
		}
		n = up
	}
	return nil, true
}

// matching is the paths of rows that are longer than p is, or as long, and
// agree with it from position from on; where none does, those that agree with
// the first of the same axes.
func matching(rows []axis.Path, p axis.Path, from int) []axis.Path {
	pick := func(like axis.Path) (out []axis.Path) {
		for _, r := range rows {
			if len(r) >= len(p) && agree(r, like, from, len(p), true) {
				out = append(out, r)
			}
		}
		return out
	}
	if out := pick(p); len(out) > 0 {
		return out
	}
	for _, r := range rows {
		if len(r) >= len(p) && agree(r, p, from, len(p), false) {
			return pick(r)
		}
	}
	return nil
}

func agree(a, b axis.Path, from, to int, options bool) bool {
	for i := from; i < to; i++ {
		if a[i].Axis.ID != b[i].Axis.ID || options && a[i].Index != b[i].Index {
			return false
		}
	}
	return true
}

// paths are the leaves that ran below s, in order; the tree is complete there.
func (s *subtree) paths(out []axis.Path) []axis.Path {
	switch {
	case s == nil:
	case s.branch != nil:
		for k := range s.branch.children {
			out = s.branch.children[k].sub.paths(out)
		}
	case s.run != nil:
		out = append(out, s.run.Path.Fanned())
	}
	return out
}

// A Sibling is the rows below one option of an axis, in order.
type Sibling struct {
	Index int
	Paths []axis.Path
	Ran   []bool // the leaf ran; another one was removed
}

// Beside is the paths that complete p, removed at place at, from the rows
// below the other options there, as the walk itself would choose them: of the
// nearest option before it, else the leaves that ran of the nearest behind it.
// nil where none fits.
func Beside(siblings []Sibling, p axis.Path, at int) []axis.Path {
	for k := len(siblings) - 1; k >= 0; k-- {
		if s := siblings[k]; s.Index < p[at].Index {
			if rows := matching(s.Paths[:min(len(s.Paths), maxBeside)], p, at+1); len(rows) > 0 {
				return rows
			}
			break // a walk keeps the rows of the last option alone
		}
	}
	for _, s := range siblings {
		if s.Index < p[at].Index {
			continue
		}
		var ran []axis.Path
		for i, q := range s.Paths {
			if s.Ran[i] {
				ran = append(ran, q)
			}
		}
		if rows := matching(ran, p, at+1); len(rows) > 0 {
			return rows
		}
	}
	return nil
}
