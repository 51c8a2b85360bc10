package picture

import (
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file holds the graph that every picture of a model is, whatever form it
// takes in the end: nodes in nodes, edges between them, labels, marks.

// A nodeKind decides how a node looks.
type nodeKind uint8

const (
	actionNode nodeKind = iota
	startNode
	doneNode
	forkNode
	joinNode
	mergeNode
	decideNode
	acceptNode
	sendNode
	terminateNode
	stateNode
	choiceNode
	junctionNode
	historyNode
	deepHistoryNode
	definitionNode
	usageNode
	portNode
	packageNode
	plainNode
	worldNode
	goodEndNode
	badEndNode
	brokenNode
	reachedNode
	groupNode
	unknownNode
)

// symbols stand for kinds of nodes in text.
var symbols = [...]string{actionNode: "▭", startNode: "●", doneNode: "◉", forkNode: "━", joinNode: "━", mergeNode: "◇",
	decideNode: "◇", acceptNode: "▷", sendNode: "▶", terminateNode: "⊗", stateNode: "▢", choiceNode: "◇", junctionNode: "•",
	historyNode: "Ⓗ", deepHistoryNode: "Ⓗ*", definitionNode: "□", usageNode: "▢", portNode: "▫", packageNode: "▤", plainNode: "▢",
	worldNode: "▢", goodEndNode: "◉", badEndNode: "◉", brokenNode: "▢", reachedNode: "▢", groupNode: "▤", unknownNode: "▢"}

// A node is a node of the graph.
type node struct {
	kind    nodeKind
	parent  int    // -1 for none; stands before the node
	key     string // see Marks
	name    string // simple name, or what stands for it
	element *model.Element
	keyword string   // in guillemets above the title; "" for none
	title   string   // "" for most control nodes
	lines   []string // compartment below the title
	frame   bool     // the element that the whole picture shows
	split   bool     // children are regions of a parallel state
	tokens  []string
	active  bool
	tip     []string // shown by a page while the pointer is on it
}

// An edgeKind decides how an edge looks.
type edgeKind uint8

const (
	succession     edgeKind = iota // line with an arrow; transitions too
	flowEdge                       // broken line with an open arrow
	connection                     // line
	bindingEdge                    // line with =
	specialization                 // triangle at the general, where the edge begins, as it stands above
	typing                         // triangle behind dots at the type
	redefinition                   // triangle behind a bar at what is redefined
	composition                    // diamond at the owner, where the edge begins
	reference                      // hollow diamond at the owner
	containment                    // circled plus at the owner
	dependency
	moveEdge // from a World to another
	backEdge // closes a cycle
)

// An edge is an edge of the graph.
type edge struct {
	kind     edgeKind
	from, to int
	label    []string // lines
	taken    bool
}

// A graph is the shape of pictures of models and of networks.
type graph struct {
	view      View
	options   Options
	sideways  bool
	single    bool // one element is drawn: keys begin inside of it
	worlds    bool // the nodes are Worlds
	nodes     []node
	edges     []edge
	byElement map[*model.Element]int
	keys      map[string]int // how many nodes have a key
	later     []func()       // what adds edges, when all nodes are there
	lost      int            // edges with an end that is not drawn
}

// add adds n below parent and gives it its key.
func (g *graph) add(n node) int {
	if n.name == "" {
		n.name = defaultNames[n.kind]
	}
	key := n.name
	switch {
	case n.frame:
		key = ""
	case n.parent >= 0 && g.nodes[n.parent].key != "":
		key = g.nodes[n.parent].key + "." + n.name
	}
	if g.keys == nil {
		g.keys = map[string]int{}
	}
	if g.keys[key]++; g.keys[key] > 1 && !n.frame {
		key += "#" + strconv.Itoa(g.keys[key])
	}
	n.key = key
	g.nodes = append(g.nodes, n)
	at := len(g.nodes) - 1
	if n.element != nil {
		g.register(n.element, at)
	}
	return at
}

// register says that node at stands for e and for all that e redefines.
func (g *graph) register(e *model.Element, at int) {
	g.byElement[e] = at
	if !e.Metaclass().IsFeature() {
		return
	}
	for _, r := range e.RedefinitionClosure() {
		if _, taken := g.byElement[r]; !taken {
			g.byElement[r] = at
		}
	}
}

var defaultNames = map[nodeKind]string{actionNode: "action", startNode: "start", doneNode: "done", forkNode: "fork", joinNode: "join",
	mergeNode: "merge", decideNode: "decision", acceptNode: "accept", sendNode: "send", terminateNode: "terminate",
	stateNode: "state", choiceNode: "choice", junctionNode: "junction", historyNode: "history", deepHistoryNode: "history"}

// connect adds an edge; ends below 0 are not drawn.
func (g *graph) connect(kind edgeKind, from, to int, label string) {
	if from < 0 || to < 0 {
		g.lost++
		return
	}
	g.edges = append(g.edges, edge{kind: kind, from: from, to: to, label: wrap(label, labelColumns)})
}

// labelColumns is how wide a label of an edge may be, lineColumns a line in a
// node.
const (
	labelColumns = 30
	lineColumns  = 44
)

// within reports whether node n lies in outer, or is it.
func (g *graph) within(n, outer int) bool {
	for ; n >= 0; n = g.nodes[n].parent {
		if n == outer {
			return true
		}
	}
	return false
}

// children are the nodes that lie directly in n, -1 for the whole.
func (g *graph) children(n int) []int {
	var kids []int
	for i := range g.nodes {
		if g.nodes[i].parent == n {
			kids = append(kids, i)
		}
	}
	return kids
}

// named is the node below container that has a simple name, the nearest
// first: a child, a descendant, then the same around the container. It is how
// names are found that the rules of the language do not lead to.
func (g *graph) named(name string, container int) int {
	for ; ; container = g.nodes[container].parent {
		level := []int{container}
		for len(level) > 0 {
			var next []int
			for _, n := range level {
				for _, k := range g.children(n) {
					if g.nodes[k].name == name {
						return k
					}
					next = append(next, k)
				}
			}
			level = next
		}
		if container < 0 {
			return -1
		}
	}
}

// target is the node in or around container that ref means at the end of
// connector. start and done get a node in container where nobody declares
// them.
func (g *graph) target(ref syntax.Reference, connector *model.Element, container int) int {
	if len(ref.Links) == 0 {
		return -1
	}
	if chain, problem := connector.Model().ResolveEnd(&ref, connector); problem == nil {
		for i := len(chain) - 1; i >= 0; i-- {
			if n, ok := g.byElement[chain[i]]; ok {
				return n
			}
		}
	}
	last := ref.Links[len(ref.Links)-1].Last().Text
	if n := g.named(last, container); n >= 0 && (last != "start" && last != "done" || g.nodes[n].parent == container) {
		return n
	}
	switch last {
	case "start":
		return g.add(node{kind: startNode, parent: container})
	case "done":
		return g.add(node{kind: doneNode, parent: container})
	}
	return -1
}

// finish adds the edges, when all nodes are there.
func (g *graph) finish() {
	for _, add := range g.later {
		add()
	}
	g.later = nil
}

// mark finds the nodes that the marks name.
func (g *graph) mark() {
	for _, key := range g.options.Marks.Active {
		if n := g.find(key); n >= 0 {
			g.nodes[n].active = true
		}
	}
	for key, tokens := range g.options.Marks.Tokens {
		if n := g.find(key); n >= 0 {
			g.nodes[n].tokens = append(g.nodes[n].tokens, tokens...)
		}
	}
	for i := range g.nodes {
		slices.Sort(g.nodes[i].tokens)
	}
	for _, h := range g.options.Marks.Taken {
		g.markHop(h)
	}
}

// markHop finds the edge that a run went along. Of several between its nodes
// it is the first whose label begins with the event, else the first.
func (g *graph) markHop(h Hop) {
	from, to, best := g.find(h.From), g.find(h.To), -1
	for i, e := range g.edges {
		if from < 0 || to < 0 || e.from != from || e.to != to {
			continue
		}
		fits := h.Event != "" && len(e.label) > 0 && strings.HasPrefix(e.label[0], strings.TrimPrefix(h.Event, "accept "))
		if fits {
			best = i
			break
		}
		if best < 0 {
			best = i
		}
	}
	if best >= 0 {
		g.edges[best].taken = true
	}
}

// find is the node that a mark names; -1 where there is none, or more than one.
func (g *graph) find(key string) int {
	found := -1
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.key == key || n.element != nil && n.element.QualifiedName() == key {
			return i
		}
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.name == key || n.element != nil && n.element.ShortName() == key || strings.HasSuffix(n.key, "."+key) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
