package picture

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
)

// This file puts the pictures of a stepped run behind one another.

// A Slide is one step of a run: what it is called and what it looked like.
type Slide struct {
	Caption string // "step 3: token 2 moves to join"
	Picture *Picture
}

var svgID = regexp.MustCompile(` id="orrery-[0-9a-f]{16}"`)

// Slides is HTML that shows one slide at a time, the last at first, and a row
// of marks to choose another with the mouse or the arrow keys. It has no
// script, so that it works in notebooks and in the pages made of them; where
// style sheets are taken out, the slides stand below each other. The names in
// it are made from the content.
func Slides(title string, slides []Slide) string {
	var body strings.Builder
	for _, s := range slides {
		body.WriteString(s.Caption)
		body.WriteString(s.Picture.SVG())
	}
	hash := fnv.New64a()
	hash.Write([]byte(title + body.String()))
	id := fmt.Sprintf("orrery-%016x", hash.Sum64())

	var b strings.Builder
	fmt.Fprintf(&b, "<div class=\"%s\" role=\"group\" aria-label=\"%s\">\n<style>\n", id, escape(title))
	fmt.Fprintf(&b, ".%s>input{margin:0 1px;cursor:pointer}\n.%s>figure{display:none;margin:6px 0}\n.%s figcaption{font-family:%s;font-size:12px;margin-bottom:4px}\n", id, id, id, fontFamily)
	for i := range slides {
		fmt.Fprintf(&b, ".%s>input:nth-of-type(%d):checked~figure:nth-of-type(%d){display:block}\n", id, i+1, i+1)
	}
	b.WriteString("</style>\n")
	for i, s := range slides {
		checked := ""
		if i == len(slides)-1 {
			checked = " checked"
		}
		fmt.Fprintf(&b, "<input type=\"radio\" name=\"%s\" title=\"%s\" aria-label=\"%s\"%s>\n", id, escape(s.Caption), escape(s.Caption), checked)
	}
	for _, s := range slides {
		svg := svgID.ReplaceAllLiteralString(s.Picture.SVG(), "") // two steps may look alike
		fmt.Fprintf(&b, "<figure><figcaption>%s</figcaption>%s</figure>\n", escape(s.Caption), svg)
	}
	b.WriteString("</div>\n")
	return b.String()
}
