package picture

// This file makes pictures of graphs that are no models: the Worlds that an
// exploration found, a plan's tree of leaves.

// A Node is a node of a Network.
type Node struct {
	ID      string // names the node in links; not shown
	Keyword string // in guillemets above the label; "" for none
	Label   string
	Lines   []string // below the label
	Active  bool
	Tokens  []string // on its corner
	// End draws the node as the end of something, with a dot in a circle, and
	// Begin as a dot where something begins; the label is then left out.
	Begin, End bool
}

// A Link is a directed edge of a Network between nodes named by their IDs.
type Link struct {
	From, To, Label string
	Broken          bool // drawn as a broken line
}

// Network draws any graph. Links to nodes that are not there are left out.
func Network(title string, nodes []Node, links []Link) *Picture {
	g := &graph{}
	at := map[string]int{}
	for _, n := range nodes {
		kind := plainNode
		switch {
		case n.Begin:
			kind = startNode
		case n.End:
			kind = doneNode
		}
		at[n.ID] = g.add(node{kind: kind, parent: -1, name: n.ID, keyword: n.Keyword, title: n.Label, lines: n.Lines, active: n.Active, tokens: n.Tokens})
	}
	for _, l := range links {
		from, known := at[l.From]
		to, too := at[l.To]
		if !known || !too {
			continue
		}
		kind := succession
		if l.Broken {
			kind = flowEdge
		}
		g.connect(kind, from, to, l.Label)
	}
	return &Picture{title: title, shape: g}
}
