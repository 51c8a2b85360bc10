package magics

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says what an element is: in one line for lists, and in full for
// NAME? and %show.

// kindOf is what e is called in a list: "part def", "in attribute", "alias".
func kindOf(e *model.Element) string {
	m := e.Metaclass()
	word := m.Keyword()
	if word == "" {
		word = strings.ToLower(m.String())
	}
	var b strings.Builder
	if d := e.Direction().String(); d != "" {
		b.WriteString(d + " ")
	}
	for _, f := range []struct {
		flag syntax.Flags
		word string
	}{{syntax.Abstract, "abstract"}, {syntax.Variation, "variation"}, {syntax.Individual, "individual"}, {syntax.Derived, "derived"}} {
		if e.Is(f.flag) {
			b.WriteString(f.word + " ")
		}
	}
	b.WriteString(word)
	return b.String()
}

// titleOf is the name of e for a reader, or what stands in place of one.
func titleOf(e *model.Element) string {
	if name := e.EffectiveName(); name != "" {
		return model.Quote(name)
	}
	if short := e.ShortName(); short != "" {
		return "<" + model.Quote(short) + ">"
	}
	return "(" + kindOf(e) + " without a name)"
}

// nameFrom is the qualified name of e without the part that scope has too.
func nameFrom(e *model.Element, library bool) string {
	if library && e.IsLibrary() {
		return model.Quote(e.EffectiveName())
	}
	if q := e.QualifiedName(); q != "" {
		return q
	}
	return titleOf(e)
}

// relations is what e is declared to specialize, as the notation writes it:
// ": Vehicle :> parts".
func relations(e *model.Element) string {
	var b strings.Builder
	last := syntax.RelationshipKind(0)
	for i, g := range e.Generals() {
		if g.Implied || g.Target == nil {
			continue
		}
		name := nameFrom(g.Target, true)
		if len(g.Chain) > 1 {
			links := make([]string, len(g.Chain))
			for j, l := range g.Chain {
				links[j] = titleOf(l)
			}
			name = strings.Join(links, ".")
		}
		if g.Conjugated {
			name = "~" + name
		}
		if i > 0 && g.Kind == last {
			b.WriteString(", " + name)
		} else {
			b.WriteString(" " + g.Kind.Symbol() + " " + name)
		}
		last = g.Kind
	}
	return b.String()
}

// multiplicityOf is what e writes between brackets, with them; "" for nothing.
func multiplicityOf(e *model.Element) string {
	m := e.Multiplicity()
	if !m.Declared {
		return ""
	}
	bound := func(n int64) string {
		if n < 0 {
			return "*"
		}
		return fmt.Sprint(n)
	}
	switch {
	case !m.Constant:
		return "[…]"
	case m.Lower == m.Upper || m.Lower == 0 && m.Upper < 0:
		return "[" + bound(m.Upper) + "]"
	}
	return "[" + bound(m.Lower) + ".." + bound(m.Upper) + "]"
}

// valueOf is the value that e is declared with, "= 4"; "" for none. A text
// that fills more than a line is cut.
func valueOf(e *model.Element) string {
	v, ok := e.Value()
	if !ok || v.Expr == nil {
		return ""
	}
	text := strings.Join(strings.Fields(v.Expr.Span().Text()), " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:59]) + "…"
	}
	sign := "="
	if v.Initial {
		sign = ":="
	}
	if v.Default {
		sign = "default " + sign
	}
	return sign + " " + text
}

// signature is e on one line without its kind: "mass : MassValue = 5 [kg]".
func signature(e *model.Element) string {
	text := titleOf(e) + relations(e)
	if m := multiplicityOf(e); m != "" {
		text += " " + m
	}
	if v := valueOf(e); v != "" {
		text += " " + v
	}
	return text
}

// placeOf is where e is declared: "cell 3:4:5".
func placeOf(e *model.Element) string {
	span := e.NameSpan()
	if span.IsZero() {
		return ""
	}
	at := span.StartPosition()
	return fmt.Sprintf("%s:%d:%d", span.File.Name, at.Line, at.Column)
}

// description is what NAME? shows of e; with its notation where source is set.
func description(e *model.Element, source bool) render.Bundle {
	head := kindOf(e) + " " + e.QualifiedName() + relations(e)
	if m := multiplicityOf(e); m != "" {
		head += " " + m
	}
	if v := valueOf(e); v != "" {
		head += " " + v
	}
	var text, html strings.Builder
	text.WriteString(head + "\n")
	html.WriteString(render.Strong(head))
	if doc := e.Doc(); doc != "" {
		text.WriteString(indented(doc))
		html.WriteString(render.Paragraph(doc))
	}
	origin := "declared at " + placeOf(e)
	if e.IsLibrary() {
		origin += ", in the library"
	}
	text.WriteString("  " + origin + "\n")
	html.WriteString(render.Aside(origin))
	if t := featureTable(e); len(t.Rows) > 0 {
		text.WriteString("\n" + t.Text(render.PageWidth))
		html.WriteString(t.HTML())
	}
	if source {
		notation := dedent(e.Span().Text(), e.Span().StartPosition().Column-1)
		text.WriteString("\n" + notation + "\n")
		html.WriteString(render.Preformatted(notation))
	}
	return render.Text(text.String()).With(render.HTML, html.String())
}

// featureTable lists the features of e, or of its types where it has none of
// its own, library features that nobody wrote left out.
func featureTable(e *model.Element) *render.Table {
	t := &render.Table{Columns: []render.Column{{Title: "feature", Tone: render.Code}, {Title: "kind"},
		{Title: "type", Tone: render.Code}, {Title: "value", Tone: render.Code}, {Title: "from", Tone: render.Muted}}}
	if e.Metaclass() == syntax.Package || e.Metaclass() == syntax.LibraryPackage {
		for _, m := range e.Members() {
			if !m.Metaclass().IsImport() && m.EffectiveName() != "" {
				t.Row(titleOf(m), kindOf(m), strings.TrimSpace(relations(m)), valueOf(m), "")
			}
		}
		t.Columns[0].Title = "member"
		return t
	}
	for _, f := range e.Features() {
		if f.Label == "" || f.Redefiner != nil && f.Redefiner.EffectiveName() == f.Label || f.IsLibrary() && !e.IsLibrary() {
			continue
		}
		from := ""
		if f.Inherited && f.Owner() != nil {
			from = nameFrom(f.Owner(), true)
		}
		t.Row(model.Quote(f.Label), kindOf(f.Element), strings.TrimSpace(typesOf(f.Element)+" "+multiplicityOf(f.Element)), valueOf(f.Element), from)
	}
	return t
}

// typesOf is the names of the types of e, library types that nobody wrote left
// out.
func typesOf(e *model.Element) string {
	written := typed(e, map[*model.Element]bool{})
	var names []string
	for _, t := range e.Types() {
		if written || !t.IsLibrary() {
			names = append(names, nameFrom(t, true))
		}
	}
	return strings.Join(names, ", ")
}

// typed reports whether the type of e is written: at e, or at what it redefines
// or subsets.
func typed(e *model.Element, been map[*model.Element]bool) bool {
	if been[e] {
		return false
	}
	been[e] = true
	for _, g := range e.Generals() {
		if !g.Implied && g.Target != nil && (g.Kind == syntax.TypedBy || typed(g.Target, been)) {
			return true
		}
	}
	return false
}

// dedent takes up to n blanks from the start of every line of text but its
// first.
func dedent(text string, n int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i == 0 {
			continue
		}
		blank := len(line) - len(strings.TrimLeft(line, " \t"))
		lines[i] = line[min(n, blank):]
	}
	return strings.Join(lines, "\n")
}
