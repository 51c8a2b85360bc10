package picture

import (
	"fmt"
	"strings"
)

// This file writes graphs in the languages of other tools: Mermaid, as a state
// diagram or a flowchart, and DOT.

func (g *graph) mermaid() string {
	if g.view == State && g.suitsStateDiagram() {
		return g.stateDiagram()
	}
	return g.flowchart()
}

// suitsStateDiagram reports whether Mermaid can draw g as a state diagram: it
// fails at composite states where no edge joins what lies directly in them.
func (g *graph) suitsStateDiagram() bool {
	for i := range g.nodes {
		if len(g.children(i)) > 0 && !g.nodes[i].split && !g.joined(i) {
			return false
		}
	}
	return true
}

// mermaidText is s where Mermaid reads a quoted text or a label: characters
// that it would take for its own are written by their number.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune("\"#;:<>{}[]()|`&\\%", r):
			fmt.Fprintf(&b, "#%d;", r)
		case r < ' ':
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// codeText is what stands in node n, in lines joined by br.
func (n *node) codeText(br string, escape func(string) string) string {
	var lines []string
	if n.keyword != "" {
		lines = append(lines, escape("«"+n.keyword+"»"))
	}
	title := n.title
	if title == "" && !isControl(n.kind) {
		title = n.name
	}
	if isControl(n.kind) && n.element != nil {
		title = label(n.element)
	}
	if title != "" {
		lines = append(lines, escape(title))
	}
	for _, s := range n.lines {
		lines = append(lines, escape(s))
	}
	for _, t := range n.tokens {
		lines = append(lines, escape("● "+t))
	}
	return strings.Join(lines, br)
}

var flowchartShapes = map[nodeKind][2]string{startNode: {"((", "))"}, doneNode: {"(((", ")))"}, forkNode: {"[", "]"}, joinNode: {"[", "]"},
	mergeNode: {"{", "}"}, decideNode: {"{", "}"}, choiceNode: {"{", "}"}, acceptNode: {">", "]"}, sendNode: {"[/", "/]"},
	actionNode: {"(", ")"}, stateNode: {"(", ")"}, usageNode: {"(", ")"}, junctionNode: {"((", "))"}, historyNode: {"((", "))"},
	deepHistoryNode: {"((", "))"}, terminateNode: {"((", "))"}}

func (g *graph) flowchart() string {
	var b strings.Builder
	direction := "TB"
	if g.sideways {
		direction = "LR"
	}
	fmt.Fprintf(&b, "flowchart %s\n", direction)
	var write func(n, depth int)
	write = func(n, depth int) {
		node := &g.nodes[n]
		text := node.codeText("<br/>", mermaidText)
		if text == "" {
			text = " "
		}
		kids := g.children(n)
		if len(kids) > 0 {
			fmt.Fprintf(&b, "%ssubgraph n%d[\"%s\"]\n", indent(depth), n, text)
			for _, k := range kids {
				write(k, depth+1)
			}
			fmt.Fprintf(&b, "%send\n", indent(depth))
			return
		}
		shape, ok := flowchartShapes[node.kind]
		if !ok {
			shape = [2]string{"[", "]"}
		}
		fmt.Fprintf(&b, "%sn%d%s\"%s\"%s\n", indent(depth), n, shape[0], text, shape[1])
	}
	for _, n := range g.children(-1) {
		write(n, 1)
	}
	links := map[edgeKind]string{succession: "-->", flowEdge: "-.->", connection: "---", bindingEdge: "---", specialization: "---",
		typing: "-.-", redefinition: "---", composition: "---", reference: "---", containment: "---", dependency: "-.->", moveEdge: "-->", backEdge: "-.->"}
	words := map[edgeKind]string{specialization: "specialized by", typing: "types", redefinition: "redefined by", composition: "has",
		reference: "refers to", containment: "declares"}
	for i := range g.edges {
		e := &g.edges[i]
		text := strings.TrimSpace(words[e.kind] + " " + strings.Join(e.label, " "))
		if text != "" {
			text = "|\"" + mermaidText(text) + "\"|"
		}
		link := links[e.kind]
		if e.taken && g.worlds {
			link = "==>"
		}
		fmt.Fprintf(&b, "  n%d %s%s n%d\n", e.from, link, text, e.to)
	}
	for i := range g.nodes {
		switch n := &g.nodes[i]; {
		case n.kind == badEndNode || n.kind == brokenNode:
			fmt.Fprintf(&b, "  style n%d stroke:%s,stroke-width:3px\n", i, red)
		case n.kind == goodEndNode || n.kind == reachedNode || n.active && !g.worlds:
			fmt.Fprintf(&b, "  style n%d stroke:%s,stroke-width:3px\n", i, green)
		}
	}
	return b.String()
}

func (g *graph) stateDiagram() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	kinds := map[nodeKind]string{forkNode: "fork", joinNode: "join", choiceNode: "choice", junctionNode: "choice", mergeNode: "choice", decideNode: "choice"}
	var write func(n, depth int)
	write = func(n, depth int) {
		node, kids := &g.nodes[n], g.children(n)
		if kind := kinds[node.kind]; kind != "" {
			fmt.Fprintf(&b, "%sstate n%d <<%s>>\n", indent(depth), n, kind)
			return
		}
		if node.kind == startNode || node.kind == doneNode {
			return // [*]
		}
		text := node.codeText("<br/>", mermaidText)
		switch node.kind {
		case historyNode:
			text = "H"
		case deepHistoryNode:
			text = "H*"
		case terminateNode:
			text = "⊗"
		}
		fmt.Fprintf(&b, "%sstate \"%s\" as n%d\n", indent(depth), text, n)
		if len(kids) == 0 {
			return
		}
		fmt.Fprintf(&b, "%sstate n%d {\n", indent(depth), n)
		for i, k := range kids {
			if i > 0 && node.split {
				fmt.Fprintf(&b, "%s--\n", indent(depth+1))
			}
			write(k, depth+1)
		}
		g.diagramEdges(&b, n, depth+1)
		fmt.Fprintf(&b, "%s}\n", indent(depth))
	}
	for _, n := range g.children(-1) {
		write(n, 1)
	}
	g.diagramEdges(&b, -1, 1)
	return b.String()
}

// diagramEdges writes the edges that leave what lies directly in container.
func (g *graph) diagramEdges(b *strings.Builder, container, depth int) {
	end := func(n int) string {
		if k := g.nodes[n].kind; k == startNode || k == doneNode {
			return "[*]"
		}
		return fmt.Sprintf("n%d", n)
	}
	for i := range g.edges {
		e := &g.edges[i]
		if g.nodes[e.from].parent != container {
			continue
		}
		text := ""
		if len(e.label) > 0 {
			text = " : " + mermaidText(strings.Join(e.label, " "))
		}
		fmt.Fprintf(b, "%s%s --> %s%s\n", indent(depth), end(e.from), end(e.to), text)
	}
}

// quote is s as a quoted string of DOT.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

var dotShapes = map[nodeKind]string{startNode: `shape=circle, style=filled, fillcolor=black, width=0.18, label=""`,
	doneNode: `shape=doublecircle, style=filled, fillcolor=black, width=0.12, label=""`,
	forkNode: `shape=box, style=filled, fillcolor=black, height=0.07, width=0.9, label=""`,
	joinNode: `shape=box, style=filled, fillcolor=black, height=0.07, width=0.9, label=""`, mergeNode: "shape=diamond", decideNode: "shape=diamond",
	choiceNode: "shape=diamond", junctionNode: `shape=point, width=0.12`, historyNode: `shape=circle, label="H"`,
	deepHistoryNode: `shape=circle, label="H*"`, terminateNode: `shape=circle, label="X"`, acceptNode: "shape=rarrow", sendNode: "shape=rpromoter",
	actionNode: "shape=box, style=rounded", stateNode: "shape=box, style=rounded", usageNode: "shape=box, style=rounded",
	definitionNode: "shape=box", portNode: "shape=box, height=0.1", packageNode: "shape=tab", plainNode: "shape=box",
	worldNode: "shape=box, style=rounded", goodEndNode: `shape=box, style=rounded, peripheries=2, color="` + green + `"`,
	badEndNode: `shape=box, style=rounded, peripheries=2, color="` + red + `"`, brokenNode: `shape=box, style=rounded, color="` + red + `"`,
	reachedNode: `shape=box, style=rounded, color="` + green + `"`, groupNode: "shape=box, style=dashed", unknownNode: "shape=box, style=dotted"}

var dotEdges = map[edgeKind]string{succession: "", flowEdge: "style=dashed, arrowhead=vee", connection: "dir=none", bindingEdge: "dir=none, style=dotted",
	specialization: "dir=back, arrowtail=empty", typing: "dir=back, arrowtail=empty, style=dashed", redefinition: "dir=back, arrowtail=empty",
	composition: "dir=back, arrowtail=diamond", reference: "dir=back, arrowtail=odiamond", containment: "dir=back, arrowtail=odot",
	dependency: "style=dashed, arrowhead=vee", moveEdge: "", backEdge: "style=dashed"}

func (g *graph) dot() string {
	var b strings.Builder
	b.WriteString("digraph {\n  compound=true; node [fontname=\"Helvetica\", fontsize=11]; edge [fontname=\"Helvetica\", fontsize=10];\n")
	if g.sideways {
		b.WriteString("  rankdir=LR;\n")
	}
	asIs := func(s string) string { return s }
	var write func(n, depth int)
	write = func(n, depth int) {
		node, kids := &g.nodes[n], g.children(n)
		text := quote(node.codeText("\n", asIs))
		if len(kids) == 0 {
			attributes := dotShapes[node.kind]
			if !strings.Contains(attributes, "label=") {
				attributes += ", label=" + text
			}
			if node.active && !g.worlds {
				attributes += `, color="` + green + `", penwidth=2`
			}
			fmt.Fprintf(&b, "%sn%d [%s];\n", indent(depth), n, attributes)
			return
		}
		fmt.Fprintf(&b, "%ssubgraph cluster_%d {\n%slabel=%s; style=rounded;\n", indent(depth), n, indent(depth+1), text)
		for _, k := range kids {
			write(k, depth+1)
		}
		fmt.Fprintf(&b, "%s}\n", indent(depth))
	}
	for _, n := range g.children(-1) {
		write(n, 1)
	}
	for i := range g.edges {
		e := &g.edges[i]
		attributes := []string{}
		if s := dotEdges[e.kind]; s != "" {
			attributes = append(attributes, s)
		}
		if e.taken && g.worlds {
			attributes = append(attributes, "penwidth=3")
		}
		if len(e.label) > 0 {
			attributes = append(attributes, "label="+quote(strings.Join(e.label, "\n")))
		}
		from, fromCluster := g.leaf(e.from)
		to, toCluster := g.leaf(e.to)
		if fromCluster && !g.within(e.to, e.from) {
			attributes = append(attributes, fmt.Sprintf("ltail=cluster_%d", e.from))
		}
		if toCluster && !g.within(e.from, e.to) {
			attributes = append(attributes, fmt.Sprintf("lhead=cluster_%d", e.to))
		}
		fmt.Fprintf(&b, "  n%d -> n%d [%s];\n", from, to, strings.Join(attributes, ", "))
	}
	b.WriteString("}\n")
	return b.String()
}

// leaf is the first node without an inside in n, as DOT joins no clusters.
func (g *graph) leaf(n int) (leaf int, cluster bool) {
	for kids := g.children(n); len(kids) > 0; kids = g.children(n) {
		n, cluster = kids[0], true
	}
	return n, cluster
}
