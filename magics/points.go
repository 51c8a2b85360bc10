package magics

import (
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
)

// This file plots the numbers that many runs gave over those that they took.

// points are the numbers of many runs. Parameters and outputs that are no
// numbers in every run have no plot.
type points struct {
	runs            int
	inputs, outputs []measured
}

// A measured is one parameter or output over the runs.
type measured struct {
	name   string
	values []float64
	texts  []string
}

func (p *points) add(inputs []runtime.Argument, outputs []runtime.Output) {
	p.runs++
	taken := map[string]bool{}
	for _, in := range inputs {
		taken[in.Name] = true
		if x, ok := in.Value.AsFloat(); ok {
			p.inputs = record(p.inputs, in.Name, x)
		}
	}
	for _, o := range outputs {
		if x, ok := o.Value.AsFloat(); ok && !taken[o.Name] {
			p.outputs = record(p.outputs, o.Name, x)
		}
	}
}

func record(list []measured, name string, x float64) []measured {
	i := slices.IndexFunc(list, func(m measured) bool { return m.name == name })
	if i < 0 {
		i = len(list)
		list = append(list, measured{name: name})
	}
	list[i].values = append(list[i].values, x)
	list[i].texts = append(list[i].texts, strconv.FormatFloat(x, 'g', 6, 64))
	return list
}

// whole are those that were numbers in every run.
func (p *points) whole(list []measured) []measured {
	return slices.DeleteFunc(slices.Clone(list), func(m measured) bool { return len(m.values) != p.runs })
}

const (
	mostPlots  = 4 // of one magic
	mostSeries = 8 // of one plot
)

// lines are a plot for each output of a sweep, over the last parameter, with a
// line for each combination of the others. There is none over fewer than three
// values, which a table shows better.
func (p *points) lines() []*picture.Picture {
	inputs := p.whole(p.inputs)
	if len(inputs) == 0 || len(inputs) != len(p.inputs) {
		return nil
	}
	last := inputs[len(inputs)-1]
	var plots []*picture.Picture
	for _, out := range p.whole(p.outputs) {
		var series []picture.Series
		at := map[string]int{}
		for i := range p.runs {
			var others []string
			for _, in := range inputs[:len(inputs)-1] {
				others = append(others, in.name+" = "+in.texts[i])
			}
			name := strings.Join(others, ", ")
			k, ok := at[name]
			if !ok {
				k = len(series)
				at[name] = k
				series = append(series, picture.Series{Name: name})
			}
			series[k].Points = append(series[k].Points, picture.Point{X: last.values[i], Y: out.values[i]})
		}
		if len(series) > mostSeries || len(series[0].Points) < 3 || len(plots) == mostPlots {
			continue
		}
		plots = append(plots, picture.Plot(out.name+" over "+last.name, last.name, out.name, series))
	}
	return plots
}

// clouds are a plot of each output over each parameter of a sample.
func (p *points) clouds() []*picture.Picture {
	var plots []*picture.Picture
	if p.runs < 3 {
		return nil
	}
	for _, out := range p.whole(p.outputs) {
		for _, in := range p.whole(p.inputs) {
			if len(plots) == mostPlots {
				return plots
			}
			if slices.Min(in.values) == slices.Max(in.values) {
				continue
			}
			series := picture.Series{Name: out.name, Dots: true}
			for i := range p.runs {
				series.Points = append(series.Points, picture.Point{X: in.values[i], Y: out.values[i]})
			}
			plots = append(plots, picture.Plot(out.name+" over "+in.name, in.name, out.name, []picture.Series{series}))
		}
	}
	return plots
}
