package picture

import (
	"fmt"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A View is a way to draw an element.
type View uint8

// The views. Auto is the one that fits the element.
const (
	Auto View = iota
	Tree
	Interconnection
	State
	Action
)

var viewNames = [...]string{"auto", "tree", "interconnection", "state", "action"}

// String is the name of v as magics spell it.
func (v View) String() string { return viewNames[v] }

// ParseView is the view called name; false where there is none.
func ParseView(name string) (View, bool) {
	for i, n := range viewNames {
		if n == name {
			return View(i), true
		}
	}
	return Auto, false
}

// Options say what of an element to draw. The zero Options draw all of it and
// mark nothing.
type Options struct {
	Marks Marks
	// Without are members that a tree or an interconnection leaves out.
	Without map[*model.Element]bool
	// Steady leaves room for a mark at every node and edge of a drawing for a
	// terminal, so that it stays where it is while a run goes on.
	Steady bool
	// Depth bounds how many levels of nesting are drawn; 0 means no bound,
	// but in an interconnection view three levels of parts that only types
	// declare.
	Depth int
}

// Marks are what a run has to show on the drawing of its behaviour. Nodes and
// states are named by their path from the behaviour, "charging.monitor"; a
// simple name does where only one node has it, and a qualified name always.
// A node without a name is called as traces call it: "fork", "decision", with
// "#2" behind it for the second in one body.
type Marks struct {
	// Tokens are the labels of the tokens that stand at a node.
	Tokens map[string][]string
	// Active are the active states, or nodes to set off.
	Active []string
	// Taken are the edges that the run has just gone along.
	Taken []Hop
}

// A Hop is an edge that a run went along, from one node to another. Of several
// edges between the two, Event says which: the one whose label begins with it.
type Hop struct{ From, To, Event string }

var cannotDraw = diagnostic.Register("cannot-draw",
	"The view that was asked for shows nothing of the element: an action view needs an action, a state view a state machine, an interconnection view something with parts. The tree view shows every element.")

// A Picture is one drawing. It does not change and may be used by many
// goroutines.
type Picture struct {
	title string
	shape shape
}

// A shape is what a Picture shows, in all its forms.
type shape interface {
	svg(title string) string
	text(width int) string
	mermaid() string
	dot() string
}

// pageWidth is how many columns text is made for where nobody says.
const pageWidth = 80

// Title says in a few words what is drawn.
func (p *Picture) Title() string { return p.title }

// SVG is the picture as one svg element. It has no ids but one made from its
// content, no script, no style sheet and no reference to anything outside;
// paper is white and ink dark, readable in a page of any theme.
func (p *Picture) SVG() string { return p.shape.svg(p.title) }

// Text is the picture for a terminal with width columns, 80 where width is 0.
// It ends with a line feed.
func (p *Picture) Text(width int) string {
	if width <= 0 {
		width = pageWidth
	}
	return p.shape.text(width)
}

// Mermaid is the picture in the language of Mermaid; "" where that has no such
// picture.
func (p *Picture) Mermaid() string { return p.shape.mermaid() }

// DOT is the picture in the language of Graphviz; "" where it is no graph.
func (p *Picture) DOT() string { return p.shape.dot() }

// Of draws e. The error is a *diagnostic.Diagnostic where the view does not
// fit e.
func Of(e *model.Element, view View, options Options) (*Picture, error) {
	if view == Auto {
		view = fitting(e)
	}
	g := newGraph(view, options)
	g.single = true
	g.draw(e)
	if !g.complete() {
		return nil, diagnostic.New(cannotDraw, e.NameSpan(), fmt.Sprintf("%s has nothing to show in a view of kind %s", name(e), view)).
			WithHint("the view of kind tree shows every element")
	}
	return &Picture{title: fmt.Sprintf("%s view of %s", view, name(e)), shape: g}, nil
}

// All draws several elements in one picture, such as those that a view
// exposes, with the relationships between them. Auto is the view that fits all
// of them, or else a tree. Elements that have nothing to show in the view are
// left out; the error is a *diagnostic.Diagnostic where that leaves none.
func All(title string, elements []*model.Element, view View, options Options) (*Picture, error) {
	if view == Auto {
		view = Tree
		for i, e := range elements {
			if v := fitting(e); i == 0 {
				view = v
			} else if v != view {
				view = Tree
			}
		}
	}
	g := newGraph(view, options)
	for _, e := range elements {
		if _, drawn := g.byElement[e]; !drawn {
			g.draw(e)
		}
	}
	if !g.complete() {
		var d *diagnostic.Diagnostic
		if len(elements) > 0 {
			d = diagnostic.New(cannotDraw, elements[0].NameSpan(), fmt.Sprintf("nothing of %s can be shown in a view of kind %s", title, view))
		} else {
			d = diagnostic.New(cannotDraw, source.Span{}, fmt.Sprintf("%s shows no element", title))
		}
		return nil, d.WithHint("the view of kind tree shows every element")
	}
	return &Picture{title: title, shape: g}, nil
}

func newGraph(view View, options Options) *graph {
	return &graph{view: view, options: options, byElement: map[*model.Element]int{}, sideways: view == Interconnection}
}

// draw adds the nodes of e and, for later, its edges.
func (g *graph) draw(e *model.Element) {
	switch g.view {
	case Action:
		g.drawAction(e)
	case State:
		g.drawState(e)
	case Interconnection:
		g.drawInterconnection(e)
	default:
		g.drawTree(e)
	}
}

// complete adds the edges and the marks; false where there is no node.
func (g *graph) complete() bool {
	g.finish()
	if g.view == Tree {
		for i := range g.nodes {
			g.generals(i)
		}
	}
	g.split()
	g.mark()
	return len(g.nodes) > 0
}

// fitting is the view that fits e.
func fitting(e *model.Element) View {
	switch e.Metaclass() {
	case syntax.StateDefinition, syntax.StateUsage, syntax.ExhibitStateUsage:
		return State
	case syntax.ActionDefinition, syntax.ActionUsage, syntax.PerformActionUsage, syntax.AnalysisCaseDefinition,
		syntax.AnalysisCaseUsage, syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage, syntax.CaseDefinition,
		syntax.CaseUsage, syntax.UseCaseDefinition, syntax.UseCaseUsage, syntax.IncludeUseCaseUsage, syntax.IfActionUsage,
		syntax.WhileLoopActionUsage, syntax.ForLoopActionUsage:
		if hasSteps(e) {
			return Action
		}
	case syntax.PartDefinition, syntax.PartUsage, syntax.ItemDefinition, syntax.ItemUsage, syntax.ConnectionDefinition,
		syntax.InterfaceDefinition:
		if hasConnections(e) {
			return Interconnection
		}
	}
	return Tree
}
