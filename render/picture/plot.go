package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file draws one number over another: a value over time, results of a
// sweep.

// A Series is one line or one cloud of points of a Plot.
type Series struct {
	Name   string
	Points []Point // in the order that a line goes through them
	// Steps says that a value holds until the next one; Dots that points are
	// not joined.
	Steps, Dots bool
}

// A Point is two numbers that belong together.
type Point struct{ X, Y float64 }

// A plot is the shape of an xy chart.
type plot struct {
	x, y                   string // what the axes show
	series                 []Series
	left, right, low, high float64 // what the axes reach over
}

// Plot draws series over one pair of axes, named x and y. Points with numbers
// that no axis can show are left out.
func Plot(title, x, y string, series []Series) *Picture {
	p := &plot{x: x, y: y, left: math.Inf(1), right: math.Inf(-1), low: math.Inf(1), high: math.Inf(-1)}
	for _, s := range series {
		var shown []Point
		for _, q := range s.Points {
			if drawable(q.X) && drawable(q.Y) {
				shown = append(shown, q)
				p.left, p.right = min(p.left, q.X), max(p.right, q.X)
				p.low, p.high = min(p.low, q.Y), max(p.high, q.Y)
			}
		}
		s.Points = shown
		p.series = append(p.series, s)
	}
	p.left, p.right = axisRange(p.left, p.right)
	p.low, p.high = axisRange(p.low, p.high)
	return &Picture{title: title, shape: p}
}

// seriesColours are the colours of series in their order.
var seriesColours = [...]string{blue, orange, green, violet, red, teal, amber, grey}

func (p *plot) svg(title string) string {
	const (
		wide, tall = 520.0, 220.0
		top        = 30.0
	)
	var c canvas
	left := 30.0
	rows := ticks(p.low, p.high, 5)
	for _, v := range rows {
		left = max(left, textWidth(short(v), keywordSize)+26)
	}
	x := func(v float64) float64 { return left + (v-p.left)/(p.right-p.left)*wide }
	y := func(v float64) float64 { return top + tall - (v-p.low)/(p.high-p.low)*tall }
	for _, v := range rows {
		c.line(left, y(v), left+wide, y(v), `stroke="currentColor" stroke-opacity="0.18"`)
		c.text(left-8, y(v)+3.5, short(v), textStyle{size: keywordSize, faint: true, anchor: "end"})
	}
	for _, v := range ticks(p.left, p.right, 8) {
		c.line(x(v), top+tall, x(v), top+tall+4, `stroke="currentColor" stroke-opacity="0.5"`)
		c.text(x(v), top+tall+16, short(v), textStyle{size: keywordSize, faint: true, anchor: "middle"})
	}
	c.line(left, top+tall, left+wide, top+tall, `stroke="currentColor" stroke-opacity="0.5"`)
	c.text(left, top-14, p.y, textStyle{size: lineSize, faint: true, italic: true})
	c.text(left+wide, top+tall+32, p.x, textStyle{size: lineSize, faint: true, italic: true, anchor: "end"})
	for i := range p.series {
		s := &p.series[i]
		colour := seriesColours[i%len(seriesColours)]
		c.printf(`<g data-node="%s">`+"\n", escape(s.Name))
		s.draw(&c, colour, x, y)
		if len(p.series) > 1 {
			at := top + 14*float64(i)
			c.rect(left+wide+14, at-8, 9, 9, 2, colour, 0.8, `stroke="none"`)
			c.text(left+wide+28, at, s.Name, textStyle{size: lineSize})
		}
		c.WriteString("</g>\n")
	}
	legend := 0.0
	if len(p.series) > 1 {
		for _, s := range p.series {
			legend = max(legend, textWidth(s.Name, lineSize)+28)
		}
	}
	return c.document(title, left+wide+24+legend, max(top+tall+42, top+14*float64(len(p.series))))
}

// draw draws a series between scales.
func (s *Series) draw(c *canvas, colour string, x, y func(float64) float64) {
	if !s.Dots && len(s.Points) > 1 {
		var d strings.Builder
		for i, q := range s.Points {
			switch {
			case i == 0:
				fmt.Fprintf(&d, "M%s %s", number(x(q.X)), number(y(q.Y)))
			case s.Steps:
				fmt.Fprintf(&d, "H%sV%s", number(x(q.X)), number(y(q.Y)))
			default:
				fmt.Fprintf(&d, "L%s %s", number(x(q.X)), number(y(q.Y)))
			}
		}
		c.printf(`<path d="%s" fill="none" stroke="%s" stroke-width="1.6"/>`+"\n", d.String(), colour)
	}
	if len(s.Points) > 200 && !s.Dots {
		return
	}
	for _, q := range s.Points {
		c.printf(`<circle cx="%v" cy="%v" r="2.6" fill="%s" fill-opacity="0.8"><title>%s, %s</title></circle>`+"\n", x(q.X), y(q.Y), colour, short(q.X), short(q.Y))
	}
}

// marks stand for series in text.
var marks = []rune("•×+○◆□△▪")

func (p *plot) text(width int) string {
	const rows = 12
	names := 0
	labels := ticks(p.low, p.high, 4)
	for _, v := range labels {
		names = max(names, display.Width(short(v)))
	}
	room := max(width-names-3, 20)
	grid := make([][]rune, rows)
	for i := range grid {
		grid[i] = []rune(strings.Repeat(" ", room))
	}
	column := func(v float64) int { return int(math.Round((v - p.left) / (p.right - p.left) * float64(room-1))) }
	row := func(v float64) int { return rows - 1 - int(math.Round((v-p.low)/(p.high-p.low)*(rows-1))) }
	for i := range p.series {
		for _, q := range p.series[i].Points {
			grid[row(q.Y)][column(q.X)] = marks[i%len(marks)]
		}
	}
	at := map[int]string{}
	for _, v := range labels {
		at[row(v)] = short(v)
	}
	var b strings.Builder
	if p.y != "" {
		fmt.Fprintf(&b, "%s %s\n", strings.Repeat(" ", names), clip(p.y, room))
	}
	for i := range grid {
		edge := '│'
		if at[i] != "" {
			edge = '┤'
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%*s %c%s", names, at[i], edge, string(grid[i])), " ") + "\n")
	}
	axis, numbers, free := []rune(strings.Repeat("─", room)), []rune(strings.Repeat(" ", room+8)), 0
	for _, v := range ticks(p.left, p.right, room/10) {
		axis[column(v)] = '┴'
		if s := []rune(short(v)); column(v) >= free {
			copy(numbers[column(v):], s)
			free = column(v) + len(s) + 1
		}
	}
	margin := strings.Repeat(" ", names)
	fmt.Fprintf(&b, "%s └%s\n%s  %s %s\n", margin, string(axis), margin, strings.TrimRight(string(numbers), " "), p.x)
	if len(p.series) > 1 {
		for i, s := range p.series {
			fmt.Fprintf(&b, "%s %c %s\n", margin, marks[i%len(marks)], clip(s.Name, room))
		}
	}
	return b.String()
}

func (p *plot) mermaid() string {
	if len(p.series) == 0 || p.series[0].Dots {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "xychart-beta\n  x-axis \"%s\" %s --> %s\n  y-axis \"%s\" %s --> %s\n", mermaidText(p.x), short(p.left), short(p.right),
		mermaidText(p.y), short(p.low), short(p.high))
	for i := range p.series {
		var values []string
		for _, q := range p.series[i].Points {
			values = append(values, short(q.Y))
		}
		b.WriteString("  line [" + strings.Join(values, ", ") + "]\n")
	}
	return b.String()
}

func (p *plot) dot() string { return "" }
