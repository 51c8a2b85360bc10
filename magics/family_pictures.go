package magics

import (
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
)

// This file draws the model.

const pictureFamily = "Pictures"

func pictureMagics() []*magic {
	return []*magic{{
		name: "viz", family: pictureFamily,
		arguments: []argument{{name: "NAME", kind: kindName, repeated: true}},
		flags: []flag{
			{name: "view", kind: kindOneOf, values: []string{"auto", "tree", "interconnection", "state", "action", "sequence", "default", "mixed"}, fallback: "auto", summary: "what is shown"},
			{name: "format", kind: kindOneOf, values: []string{"svg", "mermaid", "dot", "text"}, fallback: "svg", summary: "the form of the picture"},
			{name: "depth", kind: kindCount, fallback: "all", summary: "how many levels of nesting are drawn"},
		},
		summary: "draw elements",
		help: "`auto` draws states as states, actions as actions, connected parts as an interconnection, and all else as a tree. " +
			"`sequence` runs a behaviour, leaves the session as it was, and draws its messages.",
		example: "%viz --format text Demo::Race",
		run:     runViz,
	}, {
		name: "view", aliases: []string{"render"}, family: pictureFamily,
		arguments: []argument{{name: "NAME", kind: kindName}},
		flags:     []flag{{name: "format", kind: kindOneOf, values: []string{"svg", "mermaid", "dot", "text"}, fallback: "svg", summary: "the form of a picture"}},
		summary:   "show exactly what a view exposes, in the rendering that it names",
		help:      "asTreeDiagram and asInterconnectionDiagram are pictures, asElementTable is a table and asTextualNotation text; without a rendering, the picture that fits.",
		example:   "%view --format text Demo::structure",
		run:       runView,
	}}
}

func runViz(c *call) error {
	view, ok := picture.ParseView(c.choice("view"))
	if !ok {
		view = picture.Auto
	}
	for _, w := range c.words("NAME") {
		if c.choice("view") == "sequence" {
			if err := c.chronicledOf(w, c.sequence); err != nil {
				return err
			}
			continue
		}
		e, err := c.shell.element(w.text, w.span)
		if err != nil {
			return err
		}
		p, err := picture.Of(e, view, picture.Options{Depth: int(c.integer("depth", 0))})
		if err != nil {
			return placed(err, w.span)
		}
		c.display(pictureBundle(p, c.choice("format")))
	}
	return nil
}

// pictureBundle is p in one of the forms of %viz.
func pictureBundle(p *picture.Picture, format string) render.Bundle {
	switch format {
	case "mermaid":
		text := p.Mermaid()
		return render.Text(text).With(render.Mermaid, text)
	case "dot":
		return render.Text(p.DOT())
	case "text":
		return render.Fitted(p.Text)
	}
	return drawing(p, p.Text)
}

// drawing is p with a text of its own; a plot can be pointed at where the
// front end lets its reader do so.
func drawing(p *picture.Picture, text func(width int) string) render.Bundle {
	b := render.Fitted(text).With(render.SVG, p.SVG())
	if chart := p.VegaLite(); chart != "" {
		b = b.With(render.VegaLite, chart)
	}
	return b
}
