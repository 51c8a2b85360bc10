package render

import "strings"

// A Node is one line of a tree, with what hangs below it.
type Node struct {
	Label    string // "wheels[2] : Wheel"
	Value    string // behind the label: "= 4"; "" for nothing
	Tone     Tone   // of the value
	Note     string // behind all, muted: "not yet read"
	Children []*Node
}

// Add hangs a child below n and returns the child.
func (n *Node) Add(label, value string) *Node {
	child := &Node{Label: label, Value: value}
	n.Children = append(n.Children, child)
	return child
}

// Bundle is the tree as text and as HTML.
func (n *Node) Bundle() Bundle { return Text(n.Text()).With(HTML, n.HTML()) }

// Text draws the tree with one line a node; every line ends in "\n".
func (n *Node) Text() string {
	var b strings.Builder
	n.text(&b, "", "")
	return b.String()
}

func (n *Node) text(b *strings.Builder, first, rest string) {
	line := first + n.Label
	if n.Value != "" {
		line += " " + n.Value
	}
	if n.Note != "" {
		line += "  (" + n.Note + ")"
	}
	b.WriteString(strings.ReplaceAll(line, "\n", "\n"+rest) + "\n")
	for i, c := range n.Children {
		if i == len(n.Children)-1 {
			c.text(b, rest+"└─ ", rest+"   ")
		} else {
			c.text(b, rest+"├─ ", rest+"│  ")
		}
	}
}

// HTML is the tree as nested lists that can be folded.
func (n *Node) HTML() string {
	var b strings.Builder
	n.html(&b)
	return element("div", styleMono, b.String())
}

func (n *Node) html(b *strings.Builder) {
	line := lines(n.Label)
	if n.Value != "" {
		line += " " + element("span", n.Tone.style(), lines(n.Value))
	}
	if n.Note != "" {
		line += " " + element("span", styleMuted, "("+escape(n.Note)+")")
	}
	if len(n.Children) == 0 {
		b.WriteString(element("div", "padding-left:1.1em", line))
		return
	}
	b.WriteString("<details open><summary>" + line + `</summary><div style="padding-left:1.1em">`)
	for _, c := range n.Children {
		c.html(b)
	}
	b.WriteString("</div></details>")
}
