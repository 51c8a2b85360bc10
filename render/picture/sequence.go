package picture

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/render/layout"
	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file draws messages between lifelines in the order they were sent.

// A Message went, or goes, from one lifeline to another.
type Message struct {
	From, To string // lifelines; "" is outside the picture
	Label    string
	// At is when, as it is to be shown: "t = 2 s", "step 3"; "" shows nothing.
	At string
	// Lost says that nothing took it, Pending that it is under way.
	Lost, Pending bool
}

// A sequence is the shape of a sequence diagram.
type sequence struct {
	lifelines []string
	messages  []Message
}

// Sequence draws messages from top to bottom. lifelines are drawn in the order
// given; those that only messages name follow in the order of appearance.
func Sequence(title string, lifelines []string, messages []Message) *Picture {
	s := &sequence{messages: messages}
	seen := map[string]bool{"": true}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			s.lifelines = append(s.lifelines, name)
		}
	}
	for _, l := range lifelines {
		add(l)
	}
	for _, m := range messages {
		add(m.From)
		add(m.To)
	}
	return &Picture{title: title, shape: s}
}

func (s *sequence) index(name string) int {
	for i, l := range s.lifelines {
		if l == name {
			return i
		}
	}
	return -1
}

// ends are the columns of m, where -1 stands left of all and one more than
// there are right of all.
func (s *sequence) ends(m *Message) (from, to int) {
	from, to = s.index(m.From), s.index(m.To)
	if m.To == "" {
		to = len(s.lifelines)
	}
	return from, to
}

// columns are places for the lifelines: neighbours far enough apart for their
// heads and for the labels between them. The first and last are the borders.
func (s *sequence) columns(width func(string) float64, pad, least float64) []float64 {
	n := len(s.lifelines)
	x := make([]float64, n+2) // x[i+1] is lifeline i
	half := func(i int) float64 {
		if i < 0 || i >= n {
			return 0
		}
		return width(s.lifelines[i])/2 + pad
	}
	for i := range n + 1 {
		gap := max(half(i-1)+half(i)+pad, least)
		if i == 0 || i == n {
			gap = half(i-1) + half(i) + pad
		}
		x[i+1] = x[i] + gap
		for k := range s.messages {
			m := &s.messages[k]
			from, to := s.ends(m)
			if from == to {
				to++
			}
			if max(from, to) == i {
				x[i+1] = max(x[i+1], x[min(from, to)+1]+width(m.Label)+2*pad)
			}
		}
	}
	return x
}

const (
	messageStep = 34.0
	headH       = 30.0
)

func (s *sequence) svg(title string) string {
	var c canvas
	times := 0.0
	for _, m := range s.messages {
		times = max(times, textWidth(m.At, keywordSize)+14)
	}
	x := s.columns(func(t string) float64 { return textWidth(t, titleSize) }, 14, 110)
	for i := range x {
		x[i] += times + 4
	}
	top := 12.0 + headH
	bottom := top + 20
	for range s.messages {
		bottom += messageStep
	}
	for i, l := range s.lifelines {
		w := textWidth(l, titleSize)*boldFactor + 24
		c.printf(`<g data-node="%s">`+"\n", escape(l))
		c.line(x[i+1], top, x[i+1], bottom, `stroke="currentColor" stroke-opacity="0.45" stroke-dasharray="5 4"`)
		c.rect(x[i+1]-w/2, 12, w, headH, 8, blue, 0.13, outline)
		c.text(x[i+1], 12+headH/2+4.5, l, textStyle{size: titleSize, bold: true, anchor: "middle"})
		c.WriteString("</g>\n")
	}
	y := top + messageStep
	for i := range s.messages {
		s.arrow(&c, &s.messages[i], x, y)
		if at := s.messages[i].At; at != "" {
			c.text(8, y+3.5, at, textStyle{size: keywordSize, faint: true})
		}
		y += messageStep
	}
	return c.document(title, x[len(x)-1]+14, bottom+14)
}

func (s *sequence) arrow(c *canvas, m *Message, x []float64, y float64) {
	from, to := s.ends(m)
	c.printf(`<g data-edge="%s→%s">`+"\n", escape(m.From), escape(m.To))
	defer c.WriteString("</g>\n")
	colour, dashes := "currentColor", ""
	if m.Lost {
		colour = red
	}
	if m.Pending {
		dashes = ` stroke-dasharray="5 3"`
	}
	if from == to && from >= 0 {
		at := x[from+1]
		way := []layout.Point{{X: at, Y: y - 8}, {X: at + 34, Y: y - 10}, {X: at + 34, Y: y + 10}, {X: at, Y: y + 8}}
		c.printf(`<path d="%s" fill="none" stroke="%s"%s/>`+"\n", pathData(shorten(way, 7)), colour, dashes)
		c.head(filledHead, way[3], -1, 0, colour)
		c.text(at+34, y+3.5, m.Label, textStyle{size: labelSize})
		return
	}
	a, b := x[from+1], x[to+1]
	if m.Lost {
		b = a + (b-a)*0.7
	}
	side := 1.0
	if b < a {
		side = -1
	}
	c.line(a, y, b-side*7, y, fmt.Sprintf(`stroke="%s"%s`, colour, dashes))
	if m.Lost {
		c.line(b-5, y-5, b+5, y+5, `stroke="`+red+`" stroke-width="1.8"`)
		c.line(b-5, y+5, b+5, y-5, `stroke="`+red+`" stroke-width="1.8"`)
	} else {
		c.head(filledHead, layout.Point{X: b, Y: y}, side, 0, colour)
	}
	if from < 0 {
		c.printf(`<circle cx="%v" cy="%v" r="4"/>`+"\n", a, y)
	}
	c.text((a+b)/2, y-5, m.Label, textStyle{size: labelSize, anchor: "middle"})
}

func (s *sequence) text(width int) string {
	x := s.columns(func(t string) float64 { return float64(display.Width(t)) }, 2, 12)
	times := 0
	for _, m := range s.messages {
		times = max(times, display.Width(m.At)+1)
	}
	if int(x[len(x)-1])+times+1 > width {
		return s.list()
	}
	at := func(i int) int { return times + int(x[i+1]) }
	d := newGrid(at(len(s.lifelines))+40, 3+3*len(s.messages))
	for i, l := range s.lifelines {
		d.write(at(i)-display.Width(l)/2, 0, l)
		d.stroke(at(i), 1, at(i), 2+3*len(s.messages))
	}
	for i := range s.messages {
		m, y := &s.messages[i], 3+3*i
		d.write(0, y, m.At)
		from, to := s.ends(m)
		if from == to {
			d.write(at(from)+1, y, "◀┘ "+m.Label)
			continue
		}
		a, b := at(from), at(to)
		d.write((a+b)/2-display.Width(m.Label)/2, y-1, m.Label)
		line, head := '─', '▶'
		if m.Pending {
			line = '╌'
		}
		if b < a {
			head = '◀'
		}
		if m.Lost {
			head = '✕'
		}
		for k := min(a, b) + 1; k < max(a, b); k++ {
			d.put(k, y, line)
		}
		if b > a {
			d.put(b-1, y, head)
		} else {
			d.put(b+1, y, head)
		}
	}
	return d.String()
}

// list is the messages one a line.
func (s *sequence) list() string {
	var b strings.Builder
	for _, m := range s.messages {
		line := fmt.Sprintf("%s → %s: %s", m.From, m.To, m.Label)
		if m.At != "" {
			line = m.At + "  " + line
		}
		switch {
		case m.Lost:
			line += " (lost)"
		case m.Pending:
			line += " (under way)"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (s *sequence) mermaid() string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for i, l := range s.lifelines {
		fmt.Fprintf(&b, "  participant p%d as %s\n", i, mermaidText(l))
	}
	outside := false
	for i := range s.messages {
		outside = outside || s.messages[i].From == "" || s.messages[i].To == ""
	}
	if outside {
		b.WriteString("  participant outside\n")
	}
	end := func(name string) string {
		if i := s.index(name); i >= 0 {
			return fmt.Sprintf("p%d", i)
		}
		return "outside"
	}
	for _, m := range s.messages {
		arrow := "->>"
		switch {
		case m.Lost:
			arrow = "-x"
		case m.Pending:
			arrow = "-->>"
		}
		fmt.Fprintf(&b, "  %s%s%s: %s\n", end(m.From), arrow, end(m.To), mermaidText(strings.TrimSpace(m.At+" "+m.Label)))
	}
	return b.String()
}

func (s *sequence) dot() string { return "" }
