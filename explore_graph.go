package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
)

// This file writes the graph of Worlds that `orrery explore` and `orrery check`
// draw with --graph.

// graphForms are the forms of a graph by the endings of the files that hold
// them.
var graphForms = map[string]func(*picture.Picture, *explore.Graph) string{
	".svg": func(p *picture.Picture, _ *explore.Graph) string { return p.SVG() },
	".dot": func(p *picture.Picture, _ *explore.Graph) string { return p.DOT() },
	".mmd": func(p *picture.Picture, _ *explore.Graph) string { return p.Mermaid() },
	".txt": func(p *picture.Picture, g *explore.Graph) string { return render.WorldsText(p, g, 0) },
	".json": func(_ *picture.Picture, g *explore.Graph) string {
		text, err := json.MarshalIndent(graphDocument(g), "", "  ")
		if err != nil { // a document of strings and numbers has no way to fail
			panic(err)
		}
		return string(text) + "\n"
	},
}

// graphFlags are those of the graph.
func (s *search) graphFlags(c *invocation) {
	c.set.Func("graph", "write the graph of Worlds to `FILE`, which ends in .svg, .dot, .mmd, .txt or .json", func(name string) error {
		if graphForms[filepath.Ext(name)] == nil {
			return fmt.Errorf("want a file that ends in .svg, .dot, .mmd, .txt or .json")
		}
		s.graph = name
		return nil
	})
	countOf(c, &s.along, "along", 0, "mark the way to finding `K` in the graph; 0 stands for the first error or violation")
	countOf(c, &s.nodes, "nodes", 0, "draw at most `N` nodes of the graph, and the others in groups; 0 stands for 50")
}

// drawn writes the graph behind x, where one is asked for.
func (s *search) drawn(ctx context.Context, x runtime.Explored, draw func(*explore.Graph) *picture.Picture) (status int) {
	switch {
	case s.graph == "" && s.along+s.nodes != 0:
		return usage("--along and --nodes are for the graph", "name its file with --graph FILE")
	case s.graph == "":
		return held
	}
	g, err := s.session.Graph(ctx, x, s.along, s.nodes)
	switch {
	case ctx.Err() != nil:
		return stopped
	case err != nil:
		complain(err)
		return unusable
	}
	p := draw(g)
	if err := os.WriteFile(s.graph, []byte(graphForms[filepath.Ext(s.graph)](p, g)), 0o666); err != nil {
		complain(unwritable(s.graph, err))
		return unusable
	}
	fmt.Fprintf(os.Stderr, "wrote %s: %s\n", s.graph, render.WorldsNote(g))
	return held
}

// graphDocument is a graph as docs/schemas has it.
func graphDocument(g *explore.Graph) map[string]any {
	nodes, edges := []map[string]any{}, []map[string]any{}
	for i := range g.Nodes {
		nodes = append(nodes, graphNodeDocument(&g.Nodes[i], i))
	}
	for _, e := range g.Edges {
		edges = append(edges, map[string]any{"from": e.From, "to": e.To, "labels": append([]string{}, e.Labels...), "ways": e.Ways,
			"steps": append([]string{}, e.Steps...), "back": e.Back, "onWay": e.OnWay})
	}
	d := map[string]any{"version": 1, "worlds": g.Worlds, "moves": g.Moves, "complete": g.Complete, "whole": g.Whole, "along": nil, "nodes": nodes, "edges": edges}
	if g.Along > 0 {
		d["along"] = g.Along
	}
	return d
}

func graphNodeDocument(n *explore.GraphNode, id int) map[string]any {
	changes := []map[string]any{}
	for _, c := range n.Changes {
		changes = append(changes, map[string]any{"what": c.What, "before": c.Before, "after": c.After})
	}
	one := map[string]any{"id": id, "start": n.Start, "open": n.Open, "place": n.Place, "changes": changes,
		"findings": append([]int{}, n.Findings...), "claims": append([]string{}, n.Claims...), "broken": n.Broken, "followed": !n.Unknown}
	if e := n.End; e != nil {
		end := map[string]any{"text": e.Text(), "kind": "end"}
		switch {
		case e.Deadlocked():
			end["kind"] = "deadlock"
		case e.Err != nil:
			end["kind"] = "failure"
		}
		one["end"] = end
	}
	if n.Size > 0 {
		one["group"] = map[string]any{"worlds": n.Size, "reach": append([]int{}, n.Reach...), "others": n.Others, "endless": n.Endless, "cut": n.Cut}
	}
	return one
}
