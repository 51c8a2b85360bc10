package picture

import "encoding/json"

// This file writes plots in Vega-Lite 5, which JupyterLab and VS Code draw and
// let a reader point at. The data lie in the text; nothing is loaded.

const vegaSchema = "https://vega.github.io/schema/vega-lite/v5.json"

// A charted shape is a plot of numbers.
type charted interface{ vega(title string) object }

// An object is a JSON object; its keys are written in alphabetical order.
type object = map[string]any

// VegaLite is the picture as the JSON of Vega-Lite 5; "" where it is no plot.
func (p *Picture) VegaLite() string {
	chart, ok := p.shape.(charted)
	if !ok {
		return ""
	}
	spec := chart.vega(p.title)
	spec["$schema"] = vegaSchema // names the language; nothing is fetched
	text, err := json.Marshal(spec)
	if err != nil {
		return ""
	}
	return string(text)
}

func (b *bars) vega(title string) object {
	values := []object{}
	for i := range b.bars {
		bar := &b.bars[i]
		v := object{"label": bar.Label, "value": bar.Value, "text": bar.text(), "colour": tones[bar.Tone]}
		if b.classes != nil {
			v["from"], v["to"] = b.classes.edge(i), b.classes.edge(i+1)
		}
		values = append(values, v)
	}
	tip := []object{{"field": "label", "title": " "}, {"field": "text", "title": " "}}
	spec := object{"title": title, "data": object{"values": values}}
	if b.classes != nil {
		spec["width"], spec["height"] = 480, 180
		spec["mark"] = object{"type": "bar", "color": blue}
		spec["encoding"] = object{
			"x":       object{"field": "from", "type": "quantitative", "bin": object{"binned": true, "step": b.classes.step}, "title": b.unit},
			"x2":      object{"field": "to"},
			"y":       object{"field": "value", "type": "quantitative", "title": nil},
			"tooltip": tip,
		}
		return spec
	}
	spec["width"] = 360
	spec["encoding"] = object{
		"y": object{"field": "label", "type": "nominal", "sort": nil, "title": nil},
		"x": object{"field": "value", "type": "quantitative", "title": nil},
	}
	spec["layer"] = []object{
		{"mark": object{"type": "bar"}, "encoding": object{"color": object{"field": "colour", "type": "nominal", "scale": nil}, "tooltip": tip}},
		{"mark": object{"type": "text", "align": "left", "dx": 4}, "encoding": object{"text": object{"field": "text"}}},
	}
	return spec
}

func (p *plot) vega(title string) object {
	values := []object{}
	kind, steps := "line", false
	for _, s := range p.series {
		for _, q := range s.Points {
			values = append(values, object{"x": q.X, "y": q.Y, "series": s.Name})
		}
		steps = steps || s.Steps
		if s.Dots {
			kind = "point"
		}
	}
	mark := object{"type": kind, "point": kind == "line"}
	if steps {
		mark["interpolate"] = "step-after"
	}
	encoding := object{
		"x":       object{"field": "x", "type": "quantitative", "title": p.x, "scale": object{"zero": false}},
		"y":       object{"field": "y", "type": "quantitative", "title": p.y, "scale": object{"zero": false}},
		"tooltip": []object{{"field": "series", "title": " "}, {"field": "x", "title": p.x}, {"field": "y", "title": p.y}},
	}
	if len(p.series) > 1 {
		encoding["color"] = object{"field": "series", "type": "nominal", "title": nil, "sort": nil}
	}
	return object{"title": title, "width": 480, "height": 200, "data": object{"values": values}, "mark": mark, "encoding": encoding}
}
