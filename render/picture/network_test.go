package picture

// This file makes graphs of any shape for tests, without a model of it.

// A someNode is a node of a network.
type someNode struct {
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

// A someLink is a directed edge of a network between nodes named by their IDs.
type someLink struct {
	From, To, Label string
	Broken          bool // drawn as a broken line
}

// network draws any graph. Links to nodes that are not there are left out.
func network(title string, nodes []someNode, links []someLink) *Picture {
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
