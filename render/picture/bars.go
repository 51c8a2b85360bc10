package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file draws numbers as bars: outcomes with their shares, histograms.

// A Bar is one number.
type Bar struct {
	Label string
	Value float64 // not negative
	// Text stands behind the bar: "12 of 40", "30 %"; "" writes the value.
	Text string
	Tone Tone
}

// A Tone is the colour of a bar.
type Tone uint8

// The tones.
const (
	Plain Tone = iota
	Good       // holds, passed
	Bad        // violated, deadlock
	Open       // undecided
)

var tones = [...]string{Plain: blue, Good: green, Bad: red, Open: amber}

// bars is the shape of bar charts.
type bars struct {
	bars []Bar
	// classes are those of a histogram, whose bars are columns without room
	// between them; nil for other charts.
	classes *Distribution
	unit    string
	note    string
}

// Bars draws one bar below the other, in the order given, all on one scale.
func Bars(title string, list []Bar) *Picture { return &Picture{title: title, shape: &bars{bars: list}} }

// Histogram draws how often values fall into each class of their Distribution.
// What that leaves out is counted below the drawing.
func Histogram(title, unit string, values []float64) *Picture {
	d := Distribute(values)
	h := &bars{unit: unit, classes: d}
	if d.Numbers == 0 {
		h.note = fmt.Sprintf("no numbers among %d values", len(values))
		return &Picture{title: title, shape: h}
	}
	for _, c := range d.Classes {
		h.bars = append(h.bars, Bar{Label: c.Label(), Value: float64(c.Count)})
	}
	h.note = fmt.Sprintf("%d values, mean %s, standard deviation %s", d.Numbers, short(d.Mean), short(d.Deviation))
	if d.LeftOut > 0 {
		h.note += fmt.Sprintf("; %d left out", d.LeftOut)
	}
	return &Picture{title: title, shape: h}
}

func (b *bars) most() float64 {
	most := 0.0
	for i := range b.bars {
		most = max(most, b.bars[i].Value)
	}
	if most <= 0 {
		return 1
	}
	return most
}

func (b *Bar) text() string {
	if b.Text != "" {
		return b.Text
	}
	return short(b.Value)
}

func (b *bars) svg(title string) string {
	if b.classes != nil {
		return b.columns(title)
	}
	const (
		full = 360.0
		rowH = 26.0
	)
	var c canvas
	names, texts := 0.0, 0.0
	for i := range b.bars {
		names = max(names, textWidth(b.bars[i].Label, titleSize))
		texts = max(texts, textWidth(b.bars[i].text(), lineSize))
	}
	left := names + 24
	for i := range b.bars {
		bar := &b.bars[i]
		y := 10 + rowH*float64(i)
		w := bar.Value / b.most() * full
		c.printf(`<g data-node="%s">`+"\n", escape(bar.Label))
		c.text(left-10, y+rowH/2+3, bar.Label, textStyle{size: titleSize, anchor: "end"})
		c.rect(left, y+3, max(w, 1), rowH-8, 3, tones[bar.Tone], 0.55, `stroke="`+tones[bar.Tone]+`"`)
		c.text(left+w+8, y+rowH/2+2.5, bar.text(), textStyle{size: lineSize, faint: true})
		c.WriteString("</g>\n")
	}
	c.line(left, 6, left, 12+rowH*float64(len(b.bars)), `stroke="currentColor" stroke-opacity="0.5"`)
	return c.document(title, left+full+texts+28, 20+rowH*float64(len(b.bars)))
}

// columns draws a histogram.
func (b *bars) columns(title string) string {
	const (
		high = 180.0
		wide = 520.0
		top  = 22.0
	)
	var c canvas
	most := b.most()
	left := textWidth(short(most), keywordSize) + 26
	for _, v := range ticks(0, most, 4) {
		y := top + high - v/most*high
		c.line(left, y, left+wide, y, `stroke="currentColor" stroke-opacity="0.18"`)
		c.text(left-8, y+3.5, short(v), textStyle{size: keywordSize, faint: true, anchor: "end"})
	}
	w := wide / float64(max(len(b.bars), 1))
	every := max(1, int(math.Ceil(44/w)))
	for i := range b.bars {
		bar := &b.bars[i]
		h := bar.Value / most * high
		x := left + w*float64(i)
		c.printf(`<g data-node="%s">`+"\n", escape(bar.Label))
		if h > 0 {
			c.printf(`<rect x="%v" y="%v" width="%v" height="%v" rx="2" fill="%s" fill-opacity="0.55" stroke="%s"><title>%s: %s</title></rect>`+"\n",
				x+1, top+high-h, w-2, h, blue, blue, escape(bar.Label), escape(bar.text()))
			if w > 22 {
				c.text(x+w/2, top+high-h-4, bar.text(), textStyle{size: keywordSize, faint: true, anchor: "middle"})
			}
		}
		c.WriteString("</g>\n")
	}
	for i := 0; i <= len(b.bars) && len(b.bars) > 0; i += every {
		c.text(left+w*float64(i), top+high+14, short(b.classes.edge(i)), textStyle{size: keywordSize, faint: true, anchor: "middle"})
	}
	c.line(left, top+high, left+wide, top+high, `stroke="currentColor" stroke-opacity="0.5"`)
	c.text(left+wide+24, top+high+14, b.unit, textStyle{size: keywordSize, faint: true, italic: true, anchor: "middle"})
	c.text(left, top+high+34, b.note, textStyle{size: lineSize, faint: true})
	return c.document(title, left+wide+48, top+high+46)
}

// blocks are eighths of a cell.
var blocks = []rune(" ▏▎▍▌▋▊▉█")

func (b *bars) text(width int) string {
	var s strings.Builder
	names, texts := 0, 0
	for i := range b.bars {
		names, texts = max(names, display.Width(b.bars[i].Label)), max(texts, display.Width(b.bars[i].text()))
	}
	names = min(names, max(width/2, 10))
	room := max(width-names-texts-4, 10)
	for i := range b.bars {
		bar := &b.bars[i]
		eighths := int(math.Round(bar.Value / b.most() * float64(room*8)))
		drawn := strings.Repeat("█", eighths/8)
		if eighths%8 > 0 {
			drawn += string(blocks[eighths%8])
		}
		if bar.Value > 0 && drawn == "" {
			drawn = string(blocks[1])
		}
		label := clip(bar.Label, names)
		fmt.Fprintf(&s, "%s%s │%s %s\n", strings.Repeat(" ", names-display.Width(label)), label, drawn, bar.text())
	}
	if b.note != "" {
		s.WriteString(b.note + "\n")
	}
	return s.String()
}

func (b *bars) mermaid() string {
	if len(b.bars) == 0 {
		return ""
	}
	var labels, values []string
	for i := range b.bars {
		labels = append(labels, `"`+mermaidText(b.bars[i].Label)+`"`)
		values = append(values, short(b.bars[i].Value))
	}
	return "xychart-beta\n  x-axis [" + strings.Join(labels, ", ") + "]\n  bar [" + strings.Join(values, ", ") + "]\n"
}

func (b *bars) dot() string { return "" }
