package render

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
)

// This file shows the graph of Worlds behind an exploration or a check.

// Bounds of what is written on a World and on a way: the values that have
// changed, the lines of an error, and their columns.
const (
	worldValues  = 3
	worldLines   = 3
	worldColumns = 38
	waySteps     = 4
)

// Worlds draws the graph behind an exploration.
func Worlds(x *runtime.Exploration, g *explore.Graph) *picture.Picture {
	return drawWorlds(x.Behavior, g, listed{"outcome", "in others", func(k int) string {
		if s := x.Outcomes[k-1].Share; s != nil {
			return ", share " + decimal(s)
		}
		return ""
	}})
}

// CheckedWorlds draws the graph behind a check.
func CheckedWorlds(c *runtime.Checking, g *explore.Graph) *picture.Picture {
	return drawWorlds(c.Behavior, g, listed{"finding", "without a fault", func(int) string { return "" }})
}

// listed is how the list above a graph calls what was found.
type listed struct {
	word   string           // "outcome"
	others string           // how runs end that end in nothing of the list
	more   func(int) string // what stands behind number k
}

func drawWorlds(behavior string, g *explore.Graph, l listed) *picture.Picture {
	worlds := make([]picture.World, len(g.Nodes))
	for i := range g.Nodes {
		worlds[i] = drawnWorld(&g.Nodes[i], l)
	}
	var ways []picture.Way
	for i := range g.Edges {
		e := &g.Edges[i]
		if e.Back && worlds[e.To].Title == nothingOpen {
			worlds[e.To].Title = "comes back here"
		}
		ways = append(ways, picture.Way{From: e.From, To: e.To, Label: wayLabel(e), Back: e.Back, Marked: e.OnWay})
	}
	return picture.Worlds("graph of the Worlds of "+behavior, worlds, ways)
}

// nothingOpen is the title of a World that is drawn although nothing is open.
const nothingOpen = "nothing is open"

// drawnWorld is a node as it is drawn.
func drawnWorld(n *explore.GraphNode, l listed) picture.World {
	w := picture.World{Start: n.Start, Title: n.Open}
	if n.Place != "" {
		w.Tip = append(w.Tip, "at "+n.Place)
	}
	for _, c := range n.Changes {
		if c.What == "clock" && c.Before == "" && c.After == "0 s" {
			continue
		}
		text := changed(&c)
		w.Tip = append(w.Tip, text)
		if len(w.Lines) < worldValues && n.End == nil {
			w.Lines = append(w.Lines, short(text))
		}
	}
	switch {
	case n.Cut || n.Size > 0:
		w.Kind = picture.WorldGroup
		w.Title, w.Lines = plural(n.Size, "World", "Worlds"), groupLines(n, l)
	case n.End != nil:
		w.Kind, w.Title, w.Lines = ending(n.End)
	case n.Unknown:
		w.Kind, w.Title = picture.UnknownWorld, "not followed"
	case w.Title == "" && n.Start:
		w.Title = "start"
	case w.Title == "":
		w.Title = nothingOpen
	case n.Start:
		w.Title = "start: " + w.Title
	}
	if len(n.Claims) > 0 {
		claims := wrap(strings.Join(n.Claims, "; "), worldColumns)
		if w.Title == nothingOpen {
			w.Title, claims = claims[0], claims[1:]
		}
		w.Lines = append(claims, w.Lines...)
		if w.Kind = picture.ReachedWorld; n.Broken {
			w.Kind = picture.BrokenWorld
		}
	}
	for _, k := range n.Findings {
		w.Lines = append(w.Lines, fmt.Sprintf("%s %d%s", l.word, k, l.more(k)))
	}
	if len(n.Findings) > 0 {
		w.Lines = append(w.Lines, fmt.Sprintf("%%replay %d", n.Findings[0]))
	}
	return w
}

func changed(c *explore.Change) string {
	switch {
	case c.Before == "":
		return c.What + " = " + c.After
	case c.After == "":
		return c.What + ": " + c.Before + " is gone"
	}
	return c.What + ": " + c.Before + " → " + c.After
}

// short is text that fits on a line of a World.
func short(text string) string {
	if r := []rune(text); len(r) > worldColumns {
		return strings.TrimRight(string(r[:worldColumns-1]), " ") + "…"
	}
	return text
}

// since is what the way to a deadlock decides of its message: there are others.
var since = regexp.MustCompile(` since step \d+`)

// ending is how a run ends, as a World.
func ending(e *explore.End) (picture.WorldKind, string, []string) {
	kind, title, text := picture.GoodEnd, "end", e.Text()
	if e.Err != nil {
		kind, title, text = picture.BadEnd, "failure", e.Err.Message
	}
	if e.Deadlocked() {
		title = "deadlock"
		if _, waits, ok := strings.Cut(text, "("); ok {
			text = since.ReplaceAllString(strings.TrimSuffix(waits, ")"), "")
		}
	}
	lines := wrap(text, worldColumns)
	if len(lines) > worldLines {
		lines = append(lines[:worldLines-1], lines[worldLines-1]+"…")
	}
	return kind, title, lines
}

// groupLines say what the Worlds of a group have in common.
func groupLines(n *explore.GraphNode, l listed) []string {
	var lines []string
	var ends []string
	for i, k := range n.Reach {
		word := ""
		if i == 0 {
			word = "in " + l.word + " "
		}
		ends = append(ends, word+strconv.Itoa(k))
	}
	if n.Others > 0 {
		ends = append(ends, l.others)
	}
	switch {
	case n.Cut:
		return []string{"in the middle of the way"}
	case n.Endless:
		lines = append(lines, "go on for ever")
	case len(n.Reach)+n.Others == 1 && n.Unknown:
		lines = append(lines, "can end "+ends[0])
	case len(n.Reach)+n.Others == 1:
		lines = append(lines, "always end "+ends[0])
	case len(n.Reach)+n.Others > 1:
		last := len(ends) - 1
		lines = append(lines, wrap("can end "+strings.Join(ends[:last], ", ")+" or "+ends[last], worldColumns)...)
	}
	if n.Unknown {
		lines = append(lines, "not all followed")
	}
	return lines
}

// wayLabel is what stands beside an edge: the alternatives that lead along it,
// and then what happens where nothing is open.
func wayLabel(e *explore.GraphEdge) []string {
	label := append([]string(nil), e.Labels...)
	for i := 1; i < len(label); i++ {
		label[i] = "or " + label[i]
	}
	if len(label) > 0 && e.Ways > len(label) {
		label = append(label, fmt.Sprintf("and %d more", e.Ways-len(label)))
	}
	if len(label) == 0 && e.Ways > 1 {
		label = append(label, plural(e.Ways, "way", "ways"))
	}
	if steps := wayStepsText(e.Steps); steps != "" {
		if len(label) > 0 {
			steps = "then " + steps
		}
		label = append(label, steps)
	}
	return label
}

func wayStepsText(steps []string) string {
	if n := len(steps); n > waySteps {
		return fmt.Sprintf("%s, … %d more …, %s", steps[0], n-2, steps[n-1])
	}
	return strings.Join(steps, ", ")
}

// WorldsBundle is a graph above what it shows. A page takes it in as part of
// its own, so that the pointer finds what Worlds hold.
func WorldsBundle(p *picture.Picture, g *explore.Graph) Bundle {
	return Fitted(func(width int) string { return WorldsText(p, g, width) }).With(SVG, p.SVG()).With(HTML, p.SVG()+Aside(WorldsNote(g)))
}

// WorldsText is a graph above what it shows, for a terminal of that width.
func WorldsText(p *picture.Picture, g *explore.Graph, width int) string {
	if width <= 0 {
		width = PageWidth
	}
	return p.Text(width) + strings.Join(wrap(WorldsNote(g), width), "\n") + "\n"
}

// WorldsNote says what a graph of Worlds shows, and what it leaves out.
func WorldsNote(g *explore.Graph) string {
	text := fmt.Sprintf("%s of %s and %s", plural(len(g.Nodes), "node", "nodes"), plural(g.Worlds, "World", "Worlds"), plural(g.Moves, "move", "moves"))
	if g.Complete {
		text += ", every order followed"
	} else {
		var bounds []string
		for _, b := range g.Bounds {
			bounds = append(bounds, b.String())
		}
		text += ", as far as the search went"
		if len(bounds) > 0 {
			text += " (" + strings.Join(bounds, "; ") + ")"
		}
	}
	switch {
	case g.Whole:
		text += "; Worlds in which nothing is open lie on the edges"
	case g.Along > 0:
		text += fmt.Sprintf("; too many to draw: the way to K = %d is whole, and the Worlds beside it are put together by where they can end", g.Along)
	default:
		text += "; too many to draw: put together by where they can end"
	}
	if g.Whole && g.Along > 0 {
		text += fmt.Sprintf("; the way to K = %d is marked", g.Along)
	}
	return text + "."
}
