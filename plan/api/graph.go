package api

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	runtimeexplore "github.com/orrery-sysml/orrery/runtime/explore"
)

// A Graph is the graph of Worlds behind an exploration or a check, as a value
// that a cell shows.
type Graph struct {
	graph  *runtimeexplore.Graph
	drawn  *picture.Picture
	fields starlark.StringDict
}

// graphNames are the attributes of a Graph.
var graphNames = []string{"complete", "dot", "edges", "mermaid", "nodes", "svg", "whole", "worlds"}

// graphMethod is the method graph(along=0, nodes=50) of what was explored.
func graphMethod(s *runtime.Session, x runtime.Explored, draw func(*runtimeexplore.Graph) *picture.Picture) starlark.Value {
	return lang.Method("graph", lang.Pure, func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		along, nodes := 0, 0
		if err := starlark.UnpackArgs("graph", args, kwargs, "along?", &along, "nodes?", &nodes); err != nil {
			return nil, err
		}
		if nodes < 0 {
			return nil, fmt.Errorf("graph: nodes is a number that is not negative, not %d", nodes)
		}
		g, err := s.Graph(lang.Of(thread).Ctx, x, along, nodes)
		if err != nil {
			return nil, err
		}
		return newGraph(g, draw(g)), nil
	})
}

func newGraph(g *runtimeexplore.Graph, p *picture.Picture) *Graph {
	return &Graph{graph: g, drawn: p, fields: starlark.StringDict{"complete": starlark.Bool(g.Complete), "whole": starlark.Bool(g.Whole),
		"worlds": starlark.MakeInt(g.Worlds), "nodes": starlark.MakeInt(len(g.Nodes)), "edges": starlark.MakeInt(len(g.Edges)),
		"svg": starlark.String(p.SVG()), "dot": starlark.String(p.DOT()), "mermaid": starlark.String(p.Mermaid())}}
}

func (g *Graph) String() string { return "<" + g.drawn.Title() + ">" }

// Type is "graph".
func (g *Graph) Type() string { return "graph" }

// Freeze does nothing: a graph never changes.
func (g *Graph) Freeze() {}

// Truth is true.
func (g *Graph) Truth() starlark.Bool { return true }

// Hash is refused.
func (g *Graph) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: graph") }

// AttrNames lists the attributes: how much there is, and the forms of the
// drawing as texts.
func (g *Graph) AttrNames() []string { return graphNames }

// Attr is one of the attributes.
func (g *Graph) Attr(name string) (starlark.Value, error) {
	if v, ok := g.fields[name]; ok {
		return v, nil
	}
	return nil, lacks(g, name, "")
}

// Bundle shows the drawing.
func (g *Graph) Bundle() render.Bundle { return render.WorldsBundle(g.drawn, g.graph) }
