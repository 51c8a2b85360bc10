package picture

import (
	"math"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/orrery-sysml/orrery/render/layout"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file draws a graph with the box characters of a terminal. The layout is
// the same as that of SVG, with columns and rows as its unit.

// The sides of a cell that a line leaves it by.
const (
	north uint8 = 1 << iota
	east
	south
	west
)

var lineRunes = [16]rune{' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'}

// covered is in a cell that the wide letter before it covers.
const covered = -1

// A grid is a page of cells.
type grid struct {
	w, h  int
	lines []uint8 // of edges
	runes []rune  // of boxes and text; 0 where there is none
}

func newGrid(w, h int) *grid {
	return &grid{w: w, h: h, lines: make([]uint8, w*h), runes: make([]rune, w*h)}
}

func (d *grid) inside(x, y int) bool { return x >= 0 && y >= 0 && x < d.w && y < d.h }

func (d *grid) put(x, y int, r rune) {
	if d.inside(x, y) {
		d.runes[y*d.w+x] = r
	}
}

func (d *grid) write(x, y int, s string) {
	for _, r := range norm.NFC.String(s) {
		n := display.RuneWidth(r)
		if n == 0 {
			continue // a mark that no letter has taken up
		}
		d.put(x, y, r)
		if n == 2 {
			d.put(x+1, y, covered)
		}
		x += n
	}
}

// stroke draws a straight line between two cells.
func (d *grid) stroke(x1, y1, x2, y2 int) {
	add := func(x, y int, side uint8) {
		if d.inside(x, y) {
			d.lines[y*d.w+x] |= side
		}
	}
	for x, to := min(x1, x2), max(x1, x2); x < to; x++ {
		add(x, y1, east)
		add(x+1, y1, west)
	}
	for y, to := min(y1, y2), max(y1, y2); y < to; y++ {
		add(x1, y, south)
		add(x1, y+1, north)
	}
}

// box draws a border: heavy for what is active, round for what has an inside.
func (d *grid) box(x, y, w, h int, heavy bool) {
	corners, across, down := [4]rune{'╭', '╮', '╰', '╯'}, '─', '│'
	if heavy {
		corners, across, down = [4]rune{'┏', '┓', '┗', '┛'}, '━', '┃'
	}
	for i := 1; i < w-1; i++ {
		d.put(x+i, y, across)
		d.put(x+i, y+h-1, across)
	}
	for i := 1; i < h-1; i++ {
		d.put(x, y+i, down)
		d.put(x+w-1, y+i, down)
	}
	d.put(x, y, corners[0])
	d.put(x+w-1, y, corners[1])
	d.put(x, y+h-1, corners[2])
	d.put(x+w-1, y+h-1, corners[3])
}

// crossed is border rune r where a line runs into it or through it.
func crossed(r rune, lines uint8) rune {
	upright, across := lines&(north|south), lines&(east|west)
	switch {
	case r == '─' && upright == north|south:
		return '┼'
	case r == '─' && upright == north:
		return '┴'
	case r == '─' && upright == south:
		return '┬'
	case r == '│' && across == east|west:
		return '┼'
	case (r == '╰' || r == '╭') && upright != 0:
		return '├'
	case (r == '╯' || r == '╮') && upright != 0:
		return '┤'
	case r == '━' && upright == south:
		return '┯'
	case r == '━' && upright == north:
		return '┷'
	}
	return r
}

// String is the page, each line without the blanks at its end.
func (d *grid) String() string {
	var b strings.Builder
	for y := range d.h {
		var row []rune
		for x := range d.w {
			switch at := y*d.w + x; d.runes[at] {
			case covered:
			case 0:
				row = append(row, lineRunes[d.lines[at]])
			default:
				row = append(row, crossed(d.runes[at], d.lines[at]))
			}
		}
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

// A cell in the units of the layout.
const (
	cellW = 8.0
	cellH = 16.0
)

// drawing draws g within width columns; false where it is wider, or where a
// list says more: of trees, and of parts with ports.
func (g *graph) drawing(width int) (string, bool) {
	if g.view == Tree || g.view == Interconnection {
		return "", false
	}
	l := &layout.Graph{NodeGap: 3 * cellW, LayerGap: 2 * cellH, Margin: 2 * cellW, Grid: cellH}
	composite := g.composites()
	for i := range g.nodes {
		l.Nodes = append(l.Nodes, g.cells(i, composite[i]))
	}
	for _, e := range g.edges {
		m := layout.Edge{From: e.from, To: e.to}
		label := e.textLabel()
		if g.options.Steady && len(e.label) > 0 && !e.taken {
			label = (&edge{label: e.label, taken: true}).textLabel()
		}
		if len(label) > 0 {
			m.LabelH = cellH * float64(len(label)+1) // below it the line may turn
		}
		for _, s := range label {
			m.LabelW = max(m.LabelW, cellW*float64(display.Width(s)))
		}
		l.Edges = append(l.Edges, m)
	}
	l.Place()
	d := newGrid(int(l.W/cellW)+2, int(l.H/cellH)+2)
	for i := range g.nodes {
		g.nodeCells(d, i, &l.Nodes[i], composite[i])
	}
	for i := range g.edges {
		g.edgeCells(d, &g.edges[i], &l.Edges[i])
	}
	return trim(d.String(), width)
}

// composites says which nodes others lie in.
func (g *graph) composites() []bool {
	composite := make([]bool, len(g.nodes))
	for i := range g.nodes {
		if p := g.nodes[i].parent; p >= 0 {
			composite[p] = true
		}
	}
	return composite
}

// textLines are the lines that stand in n on a terminal.
func (n *node) textLines() []string {
	title := n.title
	if isControl(n.kind) {
		title = symbols[n.kind]
		if n.kind == forkNode || n.kind == joinNode {
			title = ""
		}
		if n.element != nil && label(n.element) != "" {
			title += " " + label(n.element)
		}
	} else if n.kind == acceptNode || n.kind == sendNode {
		title = symbols[n.kind] + " " + title
	}
	if n.keyword != "" && !isControl(n.kind) {
		title = "«" + n.keyword + "» " + title
	}
	for _, t := range n.tokens {
		title += " ●" + t
	}
	return append(wrap(title, lineColumns), n.lines...)
}

// cells is node i with the size that it needs on a terminal.
func (g *graph) cells(i int, composite bool) layout.Node {
	n := &g.nodes[i]
	m := layout.Node{Parent: n.parent, Split: n.split}
	lines := n.textLines()
	w, h := 0, len(lines)
	for _, s := range lines {
		w = max(w, display.Width(s))
	}
	if g.options.Steady && len(n.tokens) == 0 && g.view == Action && !isControl(n.kind) {
		w = max(w, display.Width(lines[0]+" ●9"))
	}
	switch {
	case n.kind == forkNode || n.kind == joinNode:
		w = max(w, 7, 6*g.branches(i))
		m.W, m.H = float64(w)*cellW, cellH
	case isControl(n.kind):
		m.W, m.H = float64(w)*cellW, cellH
	default:
		m.W, m.H = float64(w+4)*cellW, float64(h+2)*cellH
	}
	if composite {
		m.Top, m.TitleW = float64(h+1)*cellH, float64(w+2)*cellW
	}
	return m
}

// cell is the cell that a place of the layout lies in.
func cell(q layout.Point) (x, y int) {
	return int(math.Floor(q.X / cellW)), int(math.Round(q.Y / cellH))
}

func (g *graph) nodeCells(d *grid, i int, m *layout.Node, composite bool) {
	n := &g.nodes[i]
	x, y := int(math.Round((m.X-m.W/2)/cellW)), int(math.Round((m.Y-m.H/2)/cellH))
	w, h := int(math.Round(m.W/cellW)), int(math.Round(m.H/cellH))
	lines := n.textLines()
	switch {
	case n.kind == forkNode || n.kind == joinNode:
		bar := []rune(strings.Repeat("━", w))
		for k, r := range []rune(strings.Join(lines, " ")) {
			if at := (w-display.Width(strings.Join(lines, " ")))/2 + k; at >= 0 && at < w {
				bar[at] = r
			}
		}
		d.write(x, y, string(bar))
		return
	case isControl(n.kind):
		d.write(x, y, strings.Join(lines, " "))
		return
	}
	switch region := n.parent >= 0 && g.nodes[n.parent].split; {
	case region && n.active:
		d.box(x+1, y, w-1, h, true)
	case region:
		for k := 0; k < h && !g.firstRegion(n); k++ {
			d.put(x, y+k, '┊')
		}
	default:
		d.box(x, y, w, h, n.active)
	}
	for k, s := range lines {
		at := x + 2
		if k == 0 && !composite {
			at = x + (w-display.Width(s))/2
		}
		d.write(at, y+1+k, s)
	}
}

func (g *graph) edgeCells(d *grid, e *edge, m *layout.Edge) {
	if len(m.Points) < 4 {
		return
	}
	if e.from == e.to {
		x, y := cell(m.Label)
		d.write(x-int(m.LabelW/2/cellW)-3, y, "↺ "+strings.Join(e.textLabel(), " "))
		return
	}
	g.labelCells(d, e, m)
	_, down := heading(m.Points)
	x, y := cell(m.Points[0])
	_, last := cell(m.Points[len(m.Points)-1])
	within := func(row int) int { return max(row, last) }
	if down > 0 {
		last--
		within = func(row int) int { return min(row, last) }
	}
	if m.Points[len(m.Points)-1].Y > m.Points[0].Y {
		y-- // a line begins in the border that it leaves
	}
	for i := 3; i < len(m.Points); i += 3 {
		nx, ny := cell(m.Points[i])
		if ny = within(ny); i < len(m.Points)-1 && ny == last && y < last {
			ny-- // the tip has a cell of its own; above a label there is no room for that
		}
		bend := (y + ny) / 2
		if y < last && bend == last {
			bend--
		}
		d.stroke(x, y, x, bend)
		d.stroke(x, bend, nx, bend)
		d.stroke(nx, bend, nx, ny)
		x, y = nx, ny
	}
	tip := '▲'
	if down > 0 {
		tip = '▼'
	}
	if e.kind == succession || e.kind == flowEdge || e.kind == moveEdge || e.kind == backEdge {
		d.put(x, y, tip)
	}
}

func (g *graph) labelCells(d *grid, e *edge, m *layout.Edge) {
	x := int(math.Round((m.Label.X - m.LabelW/2) / cellW))
	y := int(math.Round((m.Label.Y - m.LabelH/2) / cellH))
	for k, s := range e.textLabel() {
		d.write(x, y+k, s)
	}
}

// textLabel is the label of e on a terminal, with a mark where a run has just
// gone along it.
func (e *edge) textLabel() []string {
	switch {
	case !e.taken:
		return e.label
	case len(e.label) == 0:
		return []string{"✔"}
	}
	return append([]string{"✔ " + e.label[0]}, e.label[1:]...)
}

// trim takes the empty lines around a drawing and the empty columns left of it
// away; false where it is still wider than width.
func trim(s string, width int) (string, bool) {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	least, most := math.MaxInt, 0
	for _, line := range lines {
		if line != "" {
			least = min(least, len(line)-len(strings.TrimLeft(line, " ")))
			most = max(most, display.Width(line))
		}
	}
	if most-least > width {
		return "", false
	}
	for i, line := range lines {
		if line != "" {
			lines[i] = line[least:]
		}
	}
	return strings.Join(lines, "\n") + "\n", true
}
