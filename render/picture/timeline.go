package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file draws what was so for how long: states and tokens over time.

// A Lane is one line of a timeline: a region, an object, a token.
type Lane struct {
	Name  string
	Spans []Span // in order of From; they do not overlap
}

// A Span is what a lane shows from one moment to another.
type Span struct {
	From, To float64
	Label    string
	// Open says that it goes on beyond the end of the run.
	Open bool
}

// An Event is a moment that a timeline marks across all lanes.
type Event struct {
	At    float64
	Label string
}

// A timeline is the shape of a timeline.
type timeline struct {
	unit   string
	lanes  []Lane
	events []Event
	from   float64
	to     float64
	labels []string // of spans, in order of appearance: they choose the colours
}

// Timeline draws lanes below each other over one axis, whose unit is written
// behind its numbers: "s", "step". A span that begins and ends at once is
// drawn as a mark.
func Timeline(title, unit string, lanes []Lane, events []Event) *Picture {
	t := &timeline{unit: unit, events: slices.Clone(events), from: math.Inf(1), to: math.Inf(-1)}
	slices.SortStableFunc(t.events, func(a, b Event) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	for _, l := range lanes {
		for _, s := range l.Spans {
			t.from, t.to = min(t.from, s.From), max(t.to, s.To)
		}
	}
	t.lanes = slices.Clone(lanes)
	for i := range t.lanes {
		t.lanes[i].Spans = together(lanes[i].Spans, (t.to-t.from)/mostSpans)
		for _, s := range t.lanes[i].Spans {
			if !slices.Contains(t.labels, s.Label) {
				t.labels = append(t.labels, s.Label)
			}
		}
	}
	for _, e := range events {
		t.from, t.to = min(t.from, e.At), max(t.to, e.At)
	}
	if t.from > t.to {
		t.from, t.to = 0, 1
	}
	if t.from == t.to {
		t.to = t.from + 1
	}
	return &Picture{title: title, shape: t}
}

// mostSpans is how many spans of one lane can be told apart.
const mostSpans = 300

// together puts spans that are shorter than least and lie beside each other
// into one, where a lane has more than can be told apart.
func together(spans []Span, least float64) []Span {
	if len(spans) <= mostSpans {
		return spans
	}
	var list []Span
	for _, s := range spans {
		n := len(list) - 1
		if n >= 0 && s.To-s.From < least && s.From-list[n].To < least && (list[n].Label == many || list[n].To-list[n].From < least) {
			list[n].To, list[n].Label, list[n].Open = max(list[n].To, s.To), many, s.Open
			continue
		}
		list = append(list, s)
	}
	return list
}

// many is the label of spans that are drawn as one.
const many = "… many"

// palette colours what labels tell apart.
var palette = []string{blue, violet, teal, amber, green, orange, grey, red}

func (t *timeline) colour(label string) string {
	return palette[slices.Index(t.labels, label)%len(palette)]
}

// ticks are round numbers between from and to, at most about n.
func ticks(from, to float64, n int) []float64 {
	raw := (to - from) / float64(max(n, 1))
	if raw <= 0 || math.IsNaN(raw) || math.IsInf(raw, 0) {
		return []float64{from}
	}
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, k := range []float64{1, 2, 5, 10} {
		if step*k >= raw {
			step *= k
			break
		}
	}
	var all []float64
	for k := math.Ceil(from/step - 1e-9); k*step <= to+step*1e-9 && len(all) < 1000; k++ {
		all = append(all, k*step+0) // no -0
	}
	return all
}

// short is v for an axis.
func short(v float64) string { return strconv.FormatFloat(v+0, 'g', 6, 64) }

func (t *timeline) svg(title string) string {
	const (
		axisW = 640.0
		laneH = 30.0
		barIn = 4.0
	)
	var c canvas
	names := 40.0
	for _, l := range t.lanes {
		names = max(names, textWidth(l.Name, titleSize)*boldFactor)
	}
	left, top := names+24, 14.0
	if len(t.events) > 0 {
		top += 16
	}
	x := func(v float64) float64 { return left + (v-t.from)/(t.to-t.from)*axisW }
	bottom := top + laneH*float64(len(t.lanes))
	for _, v := range ticks(t.from, t.to, 8) {
		c.line(x(v), top-2, x(v), bottom+4, `stroke="currentColor" stroke-opacity="0.18"`)
		c.text(x(v), bottom+17, short(v), textStyle{size: keywordSize, faint: true, anchor: "middle"})
	}
	c.text(left+axisW+26, bottom+17, t.unit, textStyle{size: keywordSize, faint: true, italic: true, anchor: "middle"})
	for i, l := range t.lanes {
		y := top + laneH*float64(i)
		c.printf(`<g data-node="%s">`+"\n", escape(l.Name))
		c.text(left-12, y+laneH/2+4, l.Name, textStyle{size: titleSize, bold: true, anchor: "end"})
		c.line(left, y+laneH, left+axisW, y+laneH, `stroke="currentColor" stroke-opacity="0.25"`)
		for k := range l.Spans {
			t.span(&c, &l.Spans[k], x, y+barIn, laneH-2*barIn)
		}
		c.WriteString("</g>\n")
	}
	last := math.Inf(-1)
	for _, e := range t.events {
		c.line(x(e.At), top-4, x(e.At), bottom, `stroke="`+orange+`" stroke-dasharray="3 3"`)
		c.printf(`<circle cx="%v" cy="%v" r="3" fill="%s"><title>%s</title></circle>`+"\n", x(e.At), top-4, orange, escape(e.Label))
		if w := textWidth(e.Label, keywordSize); x(e.At)-w/2 > last {
			c.text(x(e.At), top-10, e.Label, textStyle{size: keywordSize, anchor: "middle"})
			last = x(e.At) + w/2 + 4
		}
	}
	return c.document(title, left+axisW+48, bottom+26)
}

func (t *timeline) span(c *canvas, s *Span, x func(float64) float64, y, h float64) {
	from, to := x(s.From), x(s.To)
	colour := t.colour(s.Label)
	if to-from < 1 {
		c.printf(`<polygon points="%v,%v %v,%v %v,%v %v,%v" fill="%s"><title>%s</title></polygon>`+"\n",
			from, y, from+5, y+h/2, from, y+h, from-5, y+h/2, colour, escape(s.Label))
		return
	}
	if s.Open {
		c.printf(`<path d="M%v %vH%vL%v %vL%v %vH%vZ" fill="%s" fill-opacity="0.35" stroke="%s"><title>%s</title></path>`+"\n",
			from, y, to, to+7, y+h/2, to, y+h, from, colour, colour, escape(s.Label))
	} else {
		c.printf(`<rect x="%v" y="%v" width="%v" height="%v" rx="4" fill="%s" fill-opacity="0.35" stroke="%s"><title>%s</title></rect>`+"\n",
			from, y, to-from, h, colour, colour, escape(s.Label))
	}
	label := s.Label
	for textWidth(label, lineSize) > to-from-6 && label != "" {
		r := []rune(strings.TrimSuffix(label, "…"))
		if len(r) < 3 {
			return // the title tells it
		}
		label = string(r[:len(r)-1]) + "…"
	}
	c.text((from+to)/2, y+h/2+4, label, textStyle{size: lineSize, anchor: "middle"})
}

// margin is how far a number and the unit at the end of the axis reach beyond it.
func (t *timeline) margin(width int) int {
	widest := 0
	for _, v := range ticks(t.from, t.to, width/10) {
		widest = max(widest, display.Width(short(v)))
	}
	return widest + display.Width(t.unit)
}

func (t *timeline) text(width int) string {
	names := 0
	for _, l := range t.lanes {
		names = max(names, display.Width(l.Name))
	}
	room := max(width-names-3-t.margin(width), 20)
	at := func(v float64) int { return int(math.Round((v - t.from) / (t.to - t.from) * float64(room-1))) }
	var b strings.Builder
	for _, l := range t.lanes {
		row := []rune(strings.Repeat(" ", room))
		for _, s := range l.Spans {
			from, to := at(s.From), at(s.To)
			if from == to {
				row[from] = '◆'
				continue
			}
			for k := from; k <= to && k < room; k++ {
				row[k] = '─'
			}
			row[from], row[min(to, room-1)] = '├', '┤'
			if s.Open {
				row[min(to, room-1)] = '▶'
			}
			if inner := to - from - 1; inner > 0 {
				label := []rune(clip(s.Label, inner))
				copy(row[from+1+(inner-len(label))/2:], label)
			}
		}
		fmt.Fprintf(&b, "%s%s │ %s\n", strings.Repeat(" ", names-display.Width(l.Name)), l.Name, strings.TrimRight(string(row), " "))
	}
	axis, numbers := []rune(strings.Repeat("─", room)), []rune(strings.Repeat(" ", room+8))
	free := 0
	for _, v := range ticks(t.from, t.to, room/10) {
		axis[at(v)] = '┴'
		if s := []rune(short(v)); at(v) >= free {
			copy(numbers[at(v):], s)
			free = at(v) + len(s) + 1
		}
	}
	margin := strings.Repeat(" ", names)
	fmt.Fprintf(&b, "%s └─%s\n%s   %s %s\n", margin, string(axis), margin, strings.TrimRight(string(numbers), " "), t.unit)
	for _, e := range t.events {
		fmt.Fprintf(&b, "%s   at %s %s: %s\n", margin, short(e.At), t.unit, e.Label)
	}
	return b.String()
}

func (t *timeline) mermaid() string {
	var b strings.Builder
	b.WriteString("gantt\n  dateFormat x\n  axisFormat %Q\n")
	scale := 1000.0
	for _, l := range t.lanes {
		fmt.Fprintf(&b, "  section %s\n", mermaidText(l.Name))
		for _, s := range l.Spans {
			fmt.Fprintf(&b, "  %s : %d, %d\n", mermaidText(s.Label), int64(math.Round(s.From*scale)), int64(math.Round(s.To*scale)))
		}
	}
	return b.String()
}

func (t *timeline) dot() string { return "" }
