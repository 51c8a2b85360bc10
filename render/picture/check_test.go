package picture

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
)

// An svgGroup is a g element with a data attribute: a node or an edge.
type svgGroup struct {
	node, edge string
	text       []string
}

// readSVG reads an SVG as XML and gives its groups.
func readSVG(t testing.TB, name, svg string) []svgGroup {
	t.Helper()
	var groups []svgGroup
	var open []int // index in groups, -1 for other elements
	inText := 0
	ids := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return groups
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return groups
		}
		switch x := token.(type) {
		case xml.StartElement:
			at := -1
			for _, a := range x.Attr {
				switch a.Name.Local {
				case "data-node":
					groups = append(groups, svgGroup{node: a.Value})
					at = len(groups) - 1
				case "data-edge":
					groups = append(groups, svgGroup{edge: a.Value})
					at = len(groups) - 1
				case "id":
					if ids[a.Value] {
						t.Errorf("%s: the id %s is there twice", name, a.Value)
					}
					ids[a.Value] = true
				}
			}
			open = append(open, at)
			switch x.Name.Local {
			case "text":
				inText++
			case "script", "style", "image", "use", "foreignObject":
				t.Errorf("%s: the SVG has an element %s", name, x.Name.Local)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
			if x.Name.Local == "text" {
				inText--
			}
		case xml.CharData:
			for _, at := range open {
				if at >= 0 && inText > 0 {
					groups[at].text = append(groups[at].text, string(x))
				}
			}
		}
	}
}

var outside = regexp.MustCompile(`href|url\(|https?://[^w]|[="\s,](NaN|[+-]Inf)\b`)

// checkSVG verifies that the SVG of a graph is well-formed, needs nothing from
// outside, and shows every node and every edge with its label exactly once.
func checkSVG(t testing.TB, name string, p *Picture) {
	t.Helper()
	svg := p.SVG()
	if m := outside.FindString(svg); m != "" {
		t.Errorf("%s: the SVG has %q", name, m)
	}
	if !strings.Contains(svg, "viewBox=") {
		t.Errorf("%s: the SVG has no viewBox", name)
	}
	groups := readSVG(t, name, svg)
	g, ok := p.shape.(*graph)
	if !ok {
		return
	}
	nodes, edges := map[string]int{}, map[string]int{}
	for _, x := range groups {
		if x.edge != "" {
			edges[x.edge+" "+strings.Join(x.text, " ")]++
		} else {
			nodes[x.node]++
		}
	}
	for i := range g.nodes {
		if n := nodes[g.nodes[i].key]; n != 1 {
			t.Errorf("%s: node %q is drawn %d times", name, g.nodes[i].key, n)
		}
	}
	for i := range g.edges {
		e := &g.edges[i]
		edges[g.nodes[e.from].key+"→"+g.nodes[e.to].key+" "+strings.Join(e.label, " ")]--
	}
	for e, n := range edges {
		if n != 0 {
			t.Errorf("%s: edge %q is drawn %+d times too often", name, e, n)
		}
	}
}

// checkText verifies that the text of a graph, as a drawing and as a list, has
// every title and every label.
func checkText(t testing.TB, name string, p *Picture) {
	t.Helper()
	g := p.shape.(*graph)
	wide := p.Text(2000)
	var listed strings.Builder
	for _, n := range g.children(-1) {
		g.list(&listed, n, 0, 2000)
	}
	wanted := map[string]int{}
	for i := range g.nodes {
		if n := &g.nodes[i]; !isControl(n.kind) {
			for _, s := range strings.Fields(n.title) {
				wanted[s]++
			}
			for _, s := range n.lines {
				wanted[s]++
			}
		}
	}
	for i := range g.edges {
		for _, s := range g.edges[i].label {
			wanted[s]++
		}
	}
	for s, n := range wanted {
		for form, text := range map[string]string{"drawing": wide, "list": listed.String()} {
			if strings.Count(text, s) < n {
				t.Errorf("%s: %q is in the %s %d times, want %d", name, s, form, strings.Count(text, s), n)
			}
		}
	}
}
