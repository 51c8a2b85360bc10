package picture

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/render/layout"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Tests of this file draw the models in the folder that ORRERY_SHARED names;
// without it they have nothing to do.

// load reads one text as a model.
func load(t testing.TB, path string, lib model.Library) *model.Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := source.NewFile(path, string(text))
	tree, _ := syntax.Parse(f, syntax.Options{Extensions: true})
	m := model.New(lib, model.Options{Lenient: true})
	m.Add(&model.Document{File: f, Tree: tree, Owner: path})
	return m
}

// behaviours are the actions and state machines of m that lie in no other.
func behaviours(m *model.Model) []*model.Element {
	var found []*model.Element
	var visit func(list []*model.Element)
	visit = func(list []*model.Element) {
		for _, e := range list {
			switch fitting(e) {
			case Action, State:
				found = append(found, e)
			default:
				visit(e.Members())
			}
		}
	}
	visit(m.Roots())
	return found
}

// sharedPictures draws every behaviour of the training and of the execution
// corpus.
func sharedPictures(t testing.TB, dir string) map[string]*Picture {
	pictures := map[string]*Picture{}
	training, err := library.Open(filepath.Join(dir, "omg/training"))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct {
		glob string
		lib  model.Library
	}{{"omg/training/*/*.sysml", library.Join(library.Embedded(), training)}, {"corpus/execution/*.sysml", library.Embedded()}} {
		paths, _ := filepath.Glob(filepath.Join(dir, set.glob))
		for _, path := range paths {
			for _, e := range behaviours(load(t, path, set.lib)) {
				p, err := Of(e, Auto, Options{})
				if err != nil {
					t.Errorf("%s: %s: %v", path, e, err)
					continue
				}
				pictures[filepath.Base(path)+" "+e.QualifiedName()] = p
			}
		}
	}
	return pictures
}

func sortedKeys(pictures map[string]*Picture) []string {
	var keys []string
	for k := range pictures {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestSharedDrawings: every behaviour of the corpora is drawn whole: each node
// and each edge with its label once, and no line through a node that it does
// not belong to.
func TestSharedDrawings(t *testing.T) {
	dir := os.Getenv("ORRERY_SHARED")
	if dir == "" {
		return
	}
	pictures := sharedPictures(t, dir)
	if len(pictures) < 250 {
		t.Errorf("only %d behaviours were found", len(pictures))
	}
	nodes, edges, lost, through, covered := 0, 0, 0, 0, 0
	for _, name := range sortedKeys(pictures) {
		g := pictures[name].shape.(*graph)
		checkSVG(t, name, pictures[name])
		checkText(t, name, pictures[name])
		l := g.place()
		nodes, edges, lost = nodes+len(g.nodes), edges+len(g.edges), lost+g.lost
		if g.lost > 0 {
			t.Logf("%s: %d edges lead nowhere", name, g.lost)
		}
		for _, s := range throughNodes(g, l) {
			through++
			t.Logf("%s: %s", name, s)
		}
		for _, s := range coveredLabels(g, l) {
			covered++
			t.Logf("%s: %s", name, s)
		}
	}
	t.Logf("%d pictures, %d nodes, %d edges; %d lines through nodes, %d covered labels", len(pictures), nodes, edges, through, covered)
	if lost > 1 { // one case of the corpus names a node that is not there
		t.Errorf("%d edges are not drawn", lost)
	}
	if through > 0 || covered > 0 {
		t.Errorf("%d lines run through nodes, %d labels are covered", through, covered)
	}
}

// TestSharedViews draws every element of the training and the examples as a
// tree and, where it has parts, as an interconnection.
func TestSharedViews(t *testing.T) {
	dir := os.Getenv("ORRERY_SHARED")
	if dir == "" {
		return
	}
	drawn, through, covered := 0, 0, 0
	for _, set := range []string{"omg/training", "omg/examples"} {
		others, err := library.Open(filepath.Join(dir, set))
		if err != nil {
			t.Fatal(err)
		}
		lib := library.Join(library.Embedded(), others)
		err = filepath.WalkDir(filepath.Join(dir, set), func(path string, f os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".sysml") {
				return err
			}
			var visit func(e *model.Element)
			visit = func(e *model.Element) {
				for _, view := range []View{Tree, Interconnection} {
					p, err := Of(e, view, Options{})
					if err != nil {
						continue
					}
					name := filepath.Base(path) + " " + view.String() + " " + e.QualifiedName()
					checkSVG(t, name, p)
					g := p.shape.(*graph)
					l := g.place()
					drawn++
					through += logFirst(t, name, throughNodes(g, l), through)
					covered += logFirst(t, name, coveredLabels(g, l), covered)
				}
				for _, m := range e.Members() {
					if isPackage(m) || m.Metaclass() == syntax.PartUsage || m.Metaclass() == syntax.PartDefinition {
						visit(m)
					}
				}
			}
			for _, e := range load(t, path, lib).Roots() {
				visit(e)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d pictures; %d lines through nodes, %d covered labels", drawn, through, covered)
	if drawn < 1000 || through > 0 || covered > 0 {
		t.Errorf("%d pictures; %d lines run through nodes, %d labels are covered", drawn, through, covered)
	}
}

// logFirst logs faults, of which there were some before, up to the twentieth.
// It gives their number.
func logFirst(t *testing.T, name string, faults []string, before int) int {
	for i, s := range faults {
		if before+i+1 < 20 {
			t.Logf("%s: %s", name, s)
		}
	}
	return len(faults)
}

// sampled is a way of curves as a line of many points.
func sampled(points []layout.Point) []layout.Point {
	const steps = 12
	line := []layout.Point{points[0]}
	for i := 3; i < len(points); i += 3 {
		a, b, c, d := points[i-3], points[i-2], points[i-1], points[i]
		for k := 1; k <= steps; k++ {
			s := float64(k) / steps
			r := 1 - s
			line = append(line, layout.Point{
				X: r*r*r*a.X + 3*r*r*s*b.X + 3*r*s*s*c.X + s*s*s*d.X,
				Y: r*r*r*a.Y + 3*r*r*s*b.Y + 3*r*s*s*c.Y + s*s*s*d.Y})
		}
	}
	return line
}

// throughNodes tells of lines that run through nodes without an inside.
func throughNodes(g *graph, l *layout.Graph) []string {
	var found []string
	composite := g.composites()
	for i := range l.Edges {
		e := &l.Edges[i]
		for n := range l.Nodes {
			if composite[n] || n == e.From || n == e.To {
				continue
			}
			for _, q := range sampled(e.Points) {
				if m := &l.Nodes[n]; math.Abs(q.X-m.X) < m.W/2-1 && math.Abs(q.Y-m.Y) < m.H/2-1 {
					found = append(found, fmt.Sprintf("the edge from %s to %s runs through %s", g.nodes[e.From].key, g.nodes[e.To].key, g.nodes[n].key))
					break
				}
			}
		}
	}
	return found
}

// coveredLabels tells of labels of edges that meet a node or another label.
func coveredLabels(g *graph, l *layout.Graph) []string {
	var found []string
	composite := g.composites()
	meet := func(p layout.Point, w, h float64, q layout.Point, w2, h2 float64) bool {
		return math.Abs(p.X-q.X) < (w+w2)/2-1 && math.Abs(p.Y-q.Y) < (h+h2)/2-1
	}
	for i := range l.Edges {
		e := &l.Edges[i]
		if e.LabelW == 0 {
			continue
		}
		for n := range l.Nodes {
			if m := &l.Nodes[n]; !composite[n] && meet(e.Label, e.LabelW, e.LabelH, layout.Point{X: m.X, Y: m.Y}, m.W, m.H) {
				found = append(found, fmt.Sprintf("the label %q meets %s", g.edges[i].label, g.nodes[n].key))
			}
		}
		for k := range l.Edges[:i] {
			if f := &l.Edges[k]; f.LabelW > 0 && meet(e.Label, e.LabelW, e.LabelH, f.Label, f.LabelW, f.LabelH) {
				found = append(found, fmt.Sprintf("the labels %q and %q meet", g.edges[i].label, g.edges[k].label))
			}
		}
	}
	return found
}

// crossings counts where two lines cross, but not where edges of one node part.
func crossings(lines [][]layout.Point, ends [][2]int) int {
	const near = 14.0
	count := 0
	for i := range lines {
		for k := range i {
			shared := ends[i][0] == ends[k][0] || ends[i][0] == ends[k][1] || ends[i][1] == ends[k][0] || ends[i][1] == ends[k][1]
			for a := 1; a < len(lines[i]); a++ {
				for b := 1; b < len(lines[k]); b++ {
					at, ok := meeting(lines[i][a-1], lines[i][a], lines[k][b-1], lines[k][b])
					if !ok {
						continue
					}
					close := false
					for _, q := range []layout.Point{lines[i][0], lines[i][len(lines[i])-1], lines[k][0], lines[k][len(lines[k])-1]} {
						close = close || math.Hypot(at.X-q.X, at.Y-q.Y) < near
					}
					if !shared || !close {
						count++
					}
				}
			}
		}
	}
	return count
}

// meeting is where the segments ab and cd cross.
func meeting(a, b, c, d layout.Point) (layout.Point, bool) {
	side := func(p, q, r layout.Point) float64 { return (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X) }
	u, v := side(a, b, c), side(a, b, d)
	x, y := side(c, d, a), side(c, d, b)
	if u*v >= 0 || x*y >= 0 {
		return layout.Point{}, false
	}
	s := x / (x - y)
	return layout.Point{X: a.X + s*(b.X-a.X), Y: a.Y + s*(b.Y-a.Y)}, true
}

// TestSharedCrossings compares our drawings with those of dot: not more
// crossings on the median model, nor in all.
func TestSharedCrossings(t *testing.T) {
	dir := os.Getenv("ORRERY_SHARED")
	if dir == "" {
		return
	}
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Fatal("the drawings are compared with those of Graphviz, which is not installed")
	}
	pictures := sharedPictures(t, dir)
	var input bytes.Buffer
	names := sortedKeys(pictures)
	for _, name := range names {
		input.WriteString(pictures[name].DOT())
	}
	command := exec.Command(dot, "-Tplain", "-y")
	command.Stdin = &input
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	drawn := strings.Split(string(output), "\nstop\n")
	var differences []int
	our, their, ourArea, theirArea := 0, 0, 0.0, 0.0
	for i, name := range names {
		g := pictures[name].shape.(*graph)
		l := g.place()
		var lines [][]layout.Point
		var ends [][2]int
		for k := range l.Edges {
			lines = append(lines, sampled(l.Edges[k].Points))
			ends = append(ends, [2]int{l.Edges[k].From, l.Edges[k].To})
		}
		ours := crossings(lines, ends)
		theirs, area := plain(t, drawn[i])
		our, their, ourArea, theirArea = our+ours, their+theirs, ourArea+l.W*l.H, theirArea+area
		differences = append(differences, ours-theirs)
		if ours > theirs {
			t.Logf("%s: %d crossings, dot has %d", name, ours, theirs)
		}
	}
	slices.Sort(differences)
	t.Logf("%d pictures: %d crossings, dot %d; area %.0f, dot %.0f", len(names), our, their, ourArea, theirArea)
	if m := differences[len(differences)/2]; m > 0 {
		t.Errorf("the median model has %d crossings more than dot's drawing", m)
	}
	if our > their {
		t.Errorf("%d crossings in all, dot has %d", our, their)
	}
}

// plain counts the crossings of a drawing in dot's plain format and takes its
// area in pixels.
func plain(t *testing.T, text string) (count int, area float64) {
	const inch = 96
	var lines [][]layout.Point
	var ends [][2]int
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) >= 4 && f[0] == "graph":
			area = number(f[2]) * inch * number(f[3]) * inch
		case len(f) > 4 && f[0] == "edge":
			n, _ := strconv.Atoi(f[3])
			var points []layout.Point
			for k := range n {
				points = append(points, layout.Point{X: number(f[4+2*k]) * inch, Y: number(f[5+2*k]) * inch})
			}
			lines = append(lines, sampled(points))
			from, _ := strconv.Atoi(f[1][1:])
			to, _ := strconv.Atoi(f[2][1:])
			ends = append(ends, [2]int{from, to})
		}
	}
	return crossings(lines, ends), area
}
