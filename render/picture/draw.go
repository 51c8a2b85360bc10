package picture

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render/layout"
)

// This file writes SVG. Everything is drawn with presentation attributes:
// style sheets and markers need names, and names of several pictures in one
// document would meet.

// The colours beside ink and paper. They are put on thinly, so that they would
// do on dark paper too.
const (
	blue   = "#3b82f6"
	violet = "#8b5cf6"
	green  = "#16a34a"
	orange = "#c2410c"
	teal   = "#0d9488"
	grey   = "#64748b"
	amber  = "#d97706"
	red    = "#dc2626"
)

// A canvas collects the elements of one SVG.
type canvas struct{ strings.Builder }

// number is v with at most one decimal.
func number(v float64) string {
	v = math.Round(v*10) / 10
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", " ", "\n", " ", "\r", " ")

// escape makes s text of XML; control characters have no place there.
func escape(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, escaper.Replace(s))
}

// printf writes elements; numbers are given as %v and rounded.
func (c *canvas) printf(format string, args ...any) {
	for i, a := range args {
		if v, ok := a.(float64); ok {
			args[i] = number(v)
		}
	}
	fmt.Fprintf(c, format, args...)
}

// document is the svg element around what was drawn. Its id is made from the
// content, for whoever wants to refer to it. The paper is white and the ink dark
// whatever surrounds it: JupyterLab shows an svg as an image of its own, to
// which the colours of a dark theme do not come.
func (c *canvas) document(title string, w, h float64) string {
	body := c.String()
	hash := fnv.New64a()
	hash.Write([]byte(title + body))
	var d canvas
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" id="orrery-%016x" role="img" width="%v" height="%v" viewBox="0 0 %v %v" font-family="%s" fill="currentColor" style="max-width:100%%;height:auto;color:#1f2328;background:#fff;border-radius:6px">`+"\n",
		hash.Sum64(), w, h, w, h, fontFamily)
	d.printf("<title>%s</title>\n", escape(title))
	d.WriteString(body)
	d.WriteString("</svg>\n")
	return d.String()
}

// faintOpacity is that of faint text, dark enough to be read.
const faintOpacity = 0.75

// A textStyle is how a text is set.
type textStyle struct {
	size   float64
	bold   bool
	italic bool
	faint  bool
	anchor string // "" starts at x; "middle", "end"
	fill   string // "" for ink
}

// text writes s with its base line at y.
func (c *canvas) text(x, y float64, s string, style textStyle) {
	if strings.TrimSpace(s) == "" {
		return
	}
	w := textWidth(s, style.size)
	if style.bold {
		w *= boldFactor
	}
	c.printf(`<text x="%v" y="%v" font-size="%v" textLength="%v" lengthAdjust="spacingAndGlyphs"`, x, y, style.size, w)
	if style.bold {
		c.WriteString(` font-weight="bold"`)
	}
	if style.italic {
		c.WriteString(` font-style="italic"`)
	}
	if style.faint {
		c.printf(` fill-opacity="%s"`, strconv.FormatFloat(faintOpacity, 'f', -1, 64))
	}
	if style.anchor != "" {
		c.printf(` text-anchor="%s"`, style.anchor)
	}
	if style.fill != "" {
		c.printf(` fill="%s"`, style.fill)
	}
	c.printf(">%s</text>\n", escape(s))
}

// outline is how the border of a shape is drawn.
const outline = `stroke="currentColor" stroke-opacity="0.7"`

// rect writes a box with round corners of radius r, filled thinly.
func (c *canvas) rect(x, y, w, h, r float64, fill string, opacity float64, stroke string) {
	c.printf(`<rect x="%v" y="%v" width="%v" height="%v" rx="%v" fill="%s" fill-opacity="%s" %s/>`+"\n", x, y, w, h, r, fill,
		strconv.FormatFloat(opacity, 'f', -1, 64), stroke)
}

// line writes a straight line.
func (c *canvas) line(x1, y1, x2, y2 float64, attributes string) {
	c.printf(`<line x1="%v" y1="%v" x2="%v" y2="%v" %s/>`+"\n", x1, y1, x2, y2, attributes)
}

// pathData is the d of a path along cubic curves. Straight parts are lines,
// and those that follow each other one line.
func pathData(points []layout.Point) string {
	var c canvas
	c.printf("M%v %v", points[0].X, points[0].Y)
	from := points[0] // where the line that is not yet written begins
	for i := 3; i < len(points); i += 3 {
		at, a, b, to := points[i-3], points[i-2], points[i-1], points[i]
		if straight(from, at, a, b, to) {
			continue
		}
		if at != from {
			c.printf("L%v %v", at.X, at.Y)
		}
		if from = at; !straight(at, a, b, to) {
			c.printf("C%v %v %v %v %v %v", a.X, a.Y, b.X, b.Y, to.X, to.Y)
			from = to
		}
	}
	if to := points[len(points)-1]; to != from {
		c.printf("L%v %v", to.X, to.Y)
	}
	return c.String()
}

// straight reports whether a curve is a vertical or horizontal line.
func straight(points ...layout.Point) bool {
	const close = 0.05
	flat, upright := true, true
	for _, q := range points[1:] {
		upright = upright && math.Abs(q.X-points[0].X) < close
		flat = flat && math.Abs(q.Y-points[0].Y) < close
	}
	return flat || upright
}

// heading is the direction in which a way of curves arrives at its end, as a
// vector of length 1.
func heading(points []layout.Point) (dx, dy float64) {
	end := points[len(points)-1]
	for i := len(points) - 2; i >= 0; i-- {
		dx, dy = end.X-points[i].X, end.Y-points[i].Y
		if d := math.Hypot(dx, dy); d > 0.5 {
			return dx / d, dy / d
		}
	}
	return 0, 1
}

// An arrowHead is what stands at the end of an edge.
type arrowHead uint8

const (
	noHead         arrowHead = iota
	filledHead               // small triangle
	openHead                 // two strokes
	hollowHead               // large triangle
	filledDiamond            // composition
	hollowDiamond            // reference
	circledPlus              // containment
	hollowBarHead            // large triangle behind a bar: redefinition
	hollowDotsHead           // large triangle behind dots: typing
)

// length is how much of an edge a head covers.
func (h arrowHead) length() float64 {
	switch h {
	case filledHead:
		return 8
	case hollowHead, hollowBarHead, hollowDotsHead:
		return 11
	case filledDiamond, hollowDiamond:
		return 15
	case circledPlus:
		return 11
	}
	return 0
}

// head draws h with its tip at p, pointing along (dx, dy).
func (c *canvas) head(h arrowHead, p layout.Point, dx, dy float64, colour string) {
	at := func(back, side float64) layout.Point {
		return layout.Point{X: p.X - back*dx - side*dy, Y: p.Y - back*dy + side*dx}
	}
	polygon := func(fill string, points ...layout.Point) {
		var list []string
		for _, q := range points {
			list = append(list, number(q.X)+","+number(q.Y))
		}
		c.printf(`<polygon points="%s" fill="%s" stroke="%s" stroke-linejoin="round"/>`+"\n", strings.Join(list, " "), fill, colour)
	}
	switch h {
	case filledHead:
		polygon(colour, p, at(8, 3.6), at(8, -3.6))
	case openHead:
		a, b := at(8, 4.2), at(8, -4.2)
		c.printf(`<polyline points="%v,%v %v,%v %v,%v" fill="none" stroke="%s"/>`+"\n", a.X, a.Y, p.X, p.Y, b.X, b.Y, colour)
	case hollowHead, hollowBarHead, hollowDotsHead:
		polygon("none", p, at(11, 5.5), at(11, -5.5))
		if h == hollowBarHead {
			a, b := at(14, 5.5), at(14, -5.5)
			c.line(a.X, a.Y, b.X, b.Y, `stroke="`+colour+`"`)
		}
		if h == hollowDotsHead {
			for _, side := range []float64{3, -3} {
				q := at(14.5, side)
				c.printf(`<circle cx="%v" cy="%v" r="1.2" fill="%s"/>`+"\n", q.X, q.Y, colour)
			}
		}
	case filledDiamond:
		polygon(colour, p, at(7.5, 4), at(15, 0), at(7.5, -4))
	case hollowDiamond:
		polygon("none", p, at(7.5, 4), at(15, 0), at(7.5, -4))
	case circledPlus:
		q, a, b, d, e := at(5.5, 0), at(0, 0), at(11, 0), at(5.5, 5.5), at(5.5, -5.5)
		c.printf(`<circle cx="%v" cy="%v" r="5.5" fill="none" stroke="%s"/>`+"\n", q.X, q.Y, colour)
		c.line(a.X, a.Y, b.X, b.Y, `stroke="`+colour+`"`)
		c.line(d.X, d.Y, e.X, e.Y, `stroke="`+colour+`"`)
	}
}

// shorten is a copy of points that ends d before its end: it is moved
// back along its heading.
func shorten(points []layout.Point, d float64) []layout.Point {
	dx, dy := heading(points)
	short := append([]layout.Point(nil), points...)
	n := len(short) - 1
	short[n] = layout.Point{X: short[n].X - d*dx, Y: short[n].Y - d*dy}
	return short
}
