package explore

import (
	"context"
	"fmt"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file makes of a search what a drawing shows of it: the Worlds in which
// something is open, the ends, and the ways between them. What happens where
// nothing is open is told on the edge that leads there. A graph with more nodes
// than a drawing has room for is drawn along one way: graph_along.go.

// A Graph is the graph of Worlds of a search, as far as a drawing has room. It
// is made of an unreduced search: where the one that was asked did not follow
// every order, another does, within a bound of its own.
type Graph struct {
	// Nodes are the initial World first, then in the order in which they were
	// found.
	Nodes []GraphNode
	Edges []GraphEdge
	// Worlds and Moves are how much the search behind it found.
	Worlds, Moves int
	// Complete says that the search behind it found everything; Bounds are why
	// it did not.
	Complete bool
	Bounds   []Bound
	// Whole says that every World is a node, or lies on an edge. Where it does
	// not, Worlds off the way to finding Along are put together in groups by
	// the ends that they can still reach.
	Whole bool
	// Along is the finding, from 1, to which the edges with OnWay lead; 0 for
	// none.
	Along int
}

// A GraphNode is a World, or several that are drawn as one.
type GraphNode struct {
	// Start says that it is the initial World.
	Start bool
	// Open names the choice that is open first: "token order", "decision pick".
	// "" where none is.
	Open string
	// Place are its tokens with their nodes, or its active states.
	Place string
	// Changes are the values that differ from the World before it on the way on
	// which it was drawn; of the initial World, and of the first one behind
	// a Cut, all of them.
	Changes []Change
	// End is what runs end in here; nil where they go on.
	End *End
	// Findings are the numbers, from 1, of what was found here.
	Findings []int
	// Claims are the properties that are decided here, as String spells them,
	// and Broken says that one of them must not be.
	Claims []string
	Broken bool
	// Unknown says that its moves were not made.
	Unknown bool
	// Size is the number of Worlds that a group stands for; 0 for no group.
	// Reach are the findings among the ends that all of them can reach, Others
	// how many ends are no finding; Endless says that they reach no end.
	Size    int
	Reach   []int
	Others  int
	Endless bool
	// Cut says that the group is the middle of a way too long to draw.
	Cut bool
}

// A Change is a value that two Worlds do not share, as Session.Diff spells it.
// Before is "" where there was none.
type Change struct{ What, Before, After string }

// A GraphEdge is what leads from a World to another one.
type GraphEdge struct {
	From, To int // indexes of Nodes
	// Labels are the alternatives taken, as choices spell them, one for each
	// way that goes along the edge; of many ways, the first ones. Ways counts
	// them all.
	Labels []string
	Ways   int
	// Steps are what happens on the way where nothing is open, of the first way.
	Steps []string
	// Back says that the edge closes a cycle; it does so of a whole graph alone.
	Back bool
	// OnWay says that it lies on the way to the finding.
	OnWay bool
}

// GraphOptions say what of a graph to show.
type GraphOptions struct {
	// Along is the number, from 1, of the finding to which the way is marked;
	// 0 marks that of the first error or violation.
	Along int
	// Most is how many nodes a whole graph may have; 0 stands for 50, which can
	// be read on a page.
	Most int
	// Worlds bounds the search that is made where that which was asked left
	// orders out; 0 stands for 100,000.
	Worlds int
	// Facts are the values of a World by what they belong to, Place where it
	// stands.
	Facts func(w *exec.World, run exec.RunID) map[string]string
	Place func(w *exec.World, run exec.RunID) string
}

// A finding is what a result lists under a number.
type finding struct {
	// key is the same for the same finding of another search.
	key  string
	end  *End // nil for what is found between moves
	bad  bool
	path []int32
}

func (r *Result) findings() []finding {
	var list []finding
	for _, o := range r.Outcomes {
		list = append(list, finding{key: o.key + "\x00" + visitText(o.Visits), end: o.End, bad: o.Err != nil, path: o.path})
	}
	return list
}

func (v *Verdict) findings() []finding {
	var list []finding
	for i, part := range [][]*Violation{v.Violations, v.Reached} {
		for _, y := range part {
			f := finding{key: y.Property, bad: i == 0, path: y.path}
			if y.Property == "" {
				f.end = v.search.ends[v.search.endOf[failure(y.Err)]]
				f.key = f.end.key
			}
			list = append(list, f)
		}
	}
	for _, f := range v.Divergent {
		list = append(list, finding{key: "feature " + f.Name, path: f.paths[len(f.paths)-1]})
	}
	return list
}

// Graph is the graph of the Worlds behind a result. When ctx ends on the way,
// the error is that of ctx.
func (r *Result) Graph(ctx context.Context, o GraphOptions) (*Graph, error) {
	return r.search.graph(ctx, r.findings(), func(x *Search) []finding { return x.ResultWithin(ctx).findings() }, o)
}

// Graph is the graph of the Worlds behind a verdict. When ctx ends on the way,
// the error is that of ctx.
func (v *Verdict) Graph(ctx context.Context, o GraphOptions) (*Graph, error) {
	return v.search.graph(ctx, v.findings(), func(x *Search) []finding { return x.VerdictWithin(ctx).findings() }, o)
}

func (x *Search) graph(ctx context.Context, found []finding, again func(*Search) []finding, o GraphOptions) (*Graph, error) {
	if x.reduce || len(x.joints) > 0 {
		y := x.unreduced(o)
		if !y.Run(ctx) {
			return nil, ctx.Err()
		}
		for i, bound := range y.bounds {
			if bound.Name == "worlds" { // one that no flag raises
				y.bounds[i] = Bound{Text: fmt.Sprintf("the search for the graph keeps %d", bound.Limit)}
			}
		}
		known := again(y)
		for i := range found {
			k := slices.IndexFunc(known, func(f finding) bool { return f.key == found[i].key })
			if found[i].path, found[i].end = nil, nil; k >= 0 {
				found[i].path, found[i].end = known[k].path, known[k].end
			}
		}
		x = y
	}
	if o.Most == 0 {
		o.Most = 50
	}
	b := &graphing{Search: x, ctx: ctx, options: o, found: found, graph: &Graph{Worlds: x.distinct, Moves: max(x.moves-1, 0), Bounds: x.bounds},
		index: map[int32]int{}, worlds: map[int32]*exec.World{}, edgeOf: map[[2]int]int{},
		mover: newMover(&x.start, x.options.Granularity == Node, budget.NewMeter(ctx, x.start.Budget))}
	b.graph.Complete = len(x.bounds) == 0 && x.next == len(x.waiting)
	if err := b.build(); err != nil {
		return nil, err
	}
	return b.graph, nil
}

// unreduced is a search of the same that leaves no order out.
func (x *Search) unreduced(o GraphOptions) *Search {
	options := x.options
	options.Progress, options.Apart = nil, int(^uint(0)>>1)
	if options.Worlds = o.Worlds; options.Worlds == 0 {
		options.Worlds = 100_000
	}
	y := NewSearch(x.start, options)
	if len(x.properties) > 0 {
		y.Watch(x.properties...)
	}
	return y
}

// graphing is a Graph in the making.
type graphing struct {
	*Search
	ctx     context.Context
	options GraphOptions
	found   []finding
	graph   *Graph
	mover   *mover
	root    int32
	// single are nodes of the search that are nodes of the graph.
	single []bool
	way    []int32 // nodes on the way that is marked
	// index finds nodes of the graph by those of the search, edgeOf edges by
	// their ends.
	index  map[int32]int
	edgeOf map[[2]int]int
	worlds map[int32]*exec.World // of nodes that are drawn
	// endNode is the node that stands for all that end the same, by end.
	endNode []int32
	// classes are those of nodes, where the graph is not whole, and cut the
	// nodes of the way that are left out.
	classes []class
	cut     map[int32]bool
}

func (b *graphing) build() error {
	if b.root = 0; b.nodes[0].count == 1 {
		b.root = b.edges[0].to
	}
	b.endNode = make([]int32, len(b.ends))
	for i := range b.endNode {
		b.endNode[i] = -1
	}
	for i := range b.nodes {
		if e := b.nodes[i].end; e >= 0 && b.endNode[e] < 0 {
			b.endNode[e] = int32(i)
		}
	}
	b.choose()
	nodes := b.choicePoints()
	if b.graph.Whole = nodes <= b.options.Most; !b.graph.Whole {
		if err := b.along(); err != nil {
			return err
		}
	}
	w, err := b.initial()
	if err != nil {
		return err
	}
	b.node(b.root, w, nil)
	if !b.graph.Whole {
		b.group()
	}
	if err := b.walk(b.root); err != nil {
		return err
	}
	if !b.graph.Whole {
		if err := b.walkBehindCut(); err != nil {
			return err
		}
		b.groupEdges()
	}
	b.markWay()
	if b.graph.Whole {
		b.markCycles()
	}
	return nil
}

// choose finds the way to mark.
func (b *graphing) choose() {
	k := b.options.Along
	if k == 0 {
		k = slices.IndexFunc(b.found, func(f finding) bool { return f.bad && f.path != nil }) + 1
	}
	if k < 1 || k > len(b.found) || b.found[k-1].path == nil {
		return
	}
	b.graph.Along = k
	b.takeWay(b.found[k-1].path)
}

func (b *graphing) takeWay(path []int32) {
	b.way = b.way[:0]
	for _, e := range path {
		if n := b.edges[e].to; n != 0 {
			b.way = append(b.way, n)
		}
	}
}

// choicePoints decides which Worlds are nodes of a whole graph, and counts
// them.
func (b *graphing) choicePoints() (number int) {
	b.single = make([]bool, len(b.nodes))
	for i := range b.nodes {
		n := &b.nodes[i]
		b.single[i] = n.count != 1 || n.end >= 0
	}
	b.single[0], b.single[b.root] = b.root == 0, true
	for _, f := range b.found {
		if len(f.path) > 0 {
			b.single[b.edges[f.path[len(f.path)-1]].to] = true
		}
	}
	passed := make([]int32, len(b.nodes)) // by the start of which chain, from 1
	for i := range b.nodes {
		n := int32(i)
		for !b.single[n] && passed[n] == 0 {
			passed[n] = int32(i) + 1
			n = b.edges[b.nodes[n].first].to
		}
		if !b.single[n] && passed[n] == int32(i)+1 {
			b.single[n] = true // a cycle in which nothing is open
		}
	}
	for i := range b.nodes {
		if b.single[i] && b.standsFor(int32(i)) == int32(i) {
			number++
		}
	}
	return number
}

// standsFor is the node that is drawn for one that ends: the first that ends
// the same.
func (b *graphing) standsFor(id int32) int32 {
	if id >= 0 && b.nodes[id].end >= 0 {
		return b.endNode[b.nodes[id].end]
	}
	return id
}

// initial is the World of the root.
func (b *graphing) initial() (*exec.World, error) {
	if b.root == 0 {
		return b.start.World, nil
	}
	ways, err := b.ways(0, b.start.World)
	if err != nil {
		return nil, err
	}
	return ways[0].world, nil
}

// walk draws what lies behind a node that is drawn.
func (b *graphing) walk(from int32) error {
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		id := queue[0]
		w := b.worlds[id]
		if w == nil || b.nodes[id].end >= 0 || b.nodes[id].count == 0 {
			continue
		}
		ways, err := b.ways(id, w)
		if err != nil {
			return err
		}
		from := b.index[id]
		if id == 0 {
			w = nil // the behaviour has not begun in it
		}
		if len(ways) > 0 {
			b.graph.Nodes[from].Open = ways[0].open
		}
		for i := range ways {
			to, steps, err := b.follow(&ways[i])
			if err != nil {
				return err
			}
			at, known := b.indexOf(to)
			if !known {
				at = b.node(to, ways[i].world, w)
				queue = append(queue, b.standsFor(to))
			}
			b.edge(from, at, ways[i].label, steps)
		}
	}
	return nil
}

// indexOf is the place in the graph of a node, and whether it has one.
func (b *graphing) indexOf(id int32) (int, bool) {
	if id < 0 {
		at, ok := b.index[unknownNode]
		return at, ok
	}
	at, ok := b.index[b.standsFor(id)]
	return at, ok
}

// unknownNode stands for all Worlds that a search has not come to.
const unknownNode = -1

// follow goes on from a way through Worlds in which nothing is open, to the
// node that is drawn next. The World of the way is then that of the node.
func (b *graphing) follow(y *onward) (to int32, steps []string, err error) {
	if y.label == "" && y.step != "" {
		steps = append(steps, y.step)
	}
	for to = y.to; to >= 0 && !b.drawn(to); {
		if b.decides(to, y.world, y.hits) {
			b.single[to] = true
			break
		}
		next, err := b.ways(to, y.world)
		if err != nil {
			return to, nil, err
		}
		if len(next) != 1 {
			break
		}
		if s := next[0].step; s != "" {
			steps = append(steps, s)
		}
		to, y.world, y.hits = next[0].to, next[0].world, next[0].hits
	}
	return to, steps, nil
}

// drawn reports whether a node is drawn: as a World, or as part of a group.
func (b *graphing) drawn(id int32) bool {
	if b.single[id] {
		return true
	}
	_, grouped := b.index[id]
	return grouped
}

// decides reports whether a World decides a property that those before it do
// not.
func (b *graphing) decides(id int32, w *exec.World, before uint64) bool {
	return w != nil && len(b.properties) > 0 && b.examine(w).hits&^before != 0
}

// node adds a node for one of the search.
func (b *graphing) node(id int32, w, before *exec.World) int {
	if id < 0 {
		b.index[unknownNode] = len(b.graph.Nodes)
		b.graph.Nodes = append(b.graph.Nodes, GraphNode{Unknown: true})
		return len(b.graph.Nodes) - 1
	}
	n := GraphNode{Start: id == b.root}
	if e := b.nodes[id].end; e >= 0 {
		n.End = b.ends[e]
		for i, f := range b.found {
			if f.end == n.End {
				n.Findings = append(n.Findings, i+1)
			}
		}
	} else {
		n.Unknown = b.nodes[id].count == 0
	}
	if w != nil && id != 0 {
		n.Changes, n.Place = b.changes(w, before), b.options.Place(w, b.start.Run)
		b.claims(&n, id, w)
	}
	id = b.standsFor(id)
	b.worlds[id], b.index[id] = w, len(b.graph.Nodes)
	b.graph.Nodes = append(b.graph.Nodes, n)
	return b.index[id]
}

// claims are the properties that a World decides.
func (b *graphing) claims(n *GraphNode, id int32, w *exec.World) {
	hits := b.examine(w).hits
	for i := range b.properties {
		p := &b.properties[i]
		if hits&(1<<i) == 0 {
			continue
		}
		n.Claims, n.Broken = append(n.Claims, p.String()), n.Broken || p.Kind == Always || p.Kind == Never
		for k, f := range b.found {
			if f.key == p.String() && len(f.path) > 0 && b.edges[f.path[len(f.path)-1]].to == id {
				n.Findings = append(n.Findings, k+1)
			}
		}
	}
}

func (b *graphing) changes(w, before *exec.World) []Change {
	after := b.options.Facts(w, b.start.Run)
	var old map[string]string
	if before != nil {
		old = b.options.Facts(before, b.start.Run)
	}
	var list []Change
	for what, v := range after {
		if old[what] != v {
			list = append(list, Change{what, old[what], v})
		}
	}
	for what, v := range old {
		if _, there := after[what]; !there {
			list = append(list, Change{what, v, ""})
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return compareNames(a.What, b.What) })
	return list
}

// mostLabels is how many alternatives are told of the ways along one edge.
const mostLabels = 4

// edge adds a way to the edge between two nodes.
func (b *graphing) edge(from, to int, label string, steps []string) {
	at, known := b.edgeOf[[2]int{from, to}]
	if !known {
		at = len(b.graph.Edges)
		b.edgeOf[[2]int{from, to}] = at
		b.graph.Edges = append(b.graph.Edges, GraphEdge{From: from, To: to, Steps: steps})
	}
	e := &b.graph.Edges[at]
	if e.Ways++; label != "" && len(e.Labels) < mostLabels && !slices.Contains(e.Labels, label) {
		e.Labels = append(e.Labels, label)
	}
}

// markWay marks the edges on the way to the finding.
func (b *graphing) markWay() {
	if b.graph.Along == 0 {
		return
	}
	last := b.index[b.root]
	for _, id := range b.way {
		at, ok := b.indexOf(id)
		if !ok || at == last && b.graph.Nodes[at].Size > 0 {
			continue
		}
		if e, ok := b.edgeOf[[2]int{last, at}]; ok {
			b.graph.Edges[e].OnWay = true
		}
		last = at
	}
}

// markCycles marks the edges that lead back to a node on the way to them.
func (b *graphing) markCycles() {
	out := make([][]int, len(b.graph.Nodes))
	for i, e := range b.graph.Edges {
		out[e.From] = append(out[e.From], i)
	}
	const fresh, open, done = 0, 1, 2
	state := make([]int, len(out))
	var visit func(n int)
	visit = func(n int) {
		state[n] = open
		for _, i := range out[n] {
			switch to := b.graph.Edges[i].To; state[to] {
			case open:
				b.graph.Edges[i].Back = true
			case fresh:
				visit(to)
			}
		}
		state[n] = done
	}
	visit(0)
}

// interruptedBy is the error of ctx where err says that a move was interrupted.
func (b *graphing) interruptedBy(err error) error {
	if err != nil && diagnostic.Of(err)[0].Code == diagnostic.Interrupted {
		return b.ctx.Err()
	}
	return nil
}
