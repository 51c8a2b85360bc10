package magics

import (
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file shows what a view of the model exposes, in the rendering that the
// view names.

// exposed is what view e exposes, in the order of its text, its filters and
// those of its definitions applied.
func exposed(e *model.Element) []*model.Element {
	var list []*model.Element
	seen := map[*model.Element]bool{}
	add := func(m *model.Element) {
		name := m.EffectiveName()
		if found, ok := e.LookupInside(name); name == "" || seen[m] || !ok || found != m {
			return
		}
		seen[m] = true
		list = append(list, m)
	}
	for _, imp := range e.Imports() {
		part, ok := imp.Decl().Detail.(*syntax.ImportPart)
		if !ok || imp.Metaclass() != syntax.MembershipExpose && imp.Metaclass() != syntax.NamespaceExpose {
			continue
		}
		target := imp.ImportTarget()
		if target == nil {
			continue
		}
		if imp.Metaclass() == syntax.MembershipExpose {
			add(target)
		}
		if imp.Metaclass() == syntax.NamespaceExpose || part.Recursive {
			var members []*model.Element
			collect(target, part.Recursive, &members)
			for _, m := range members {
				add(m)
			}
		}
	}
	return list
}

// rendering is the name of the rendering that a view asks for, "" for none.
func rendering(e *model.Element) string {
	for _, f := range e.Features() {
		if d := f.Decl(); d != nil && d.Member == syntax.RenderMember {
			for _, g := range f.Generals() {
				if !g.Implied && g.Target != nil {
					return g.Target.EffectiveName()
				}
			}
			return f.Label
		}
	}
	return ""
}

func runView(c *call) error {
	w := c.word("NAME")
	e, err := c.shell.element(w.text, w.span)
	if err != nil {
		return err
	}
	if e.Metaclass() != syntax.ViewUsage && e.Metaclass() != syntax.ViewDefinition {
		return diagnostic.New(codeMagicUsage, w.span, w.text+" is no view").WithHint("%viz draws any element")
	}
	list := exposed(e)
	if len(list) == 0 {
		c.printf("%s exposes nothing\n", w.text)
		return nil
	}
	return c.showView(e, list, strings.ToLower(rendering(e)))
}

// showView shows the elements of view e as a rendering: a table, notation, or
// a picture.
func (c *call) showView(e *model.Element, list []*model.Element, as string) error {
	switch {
	case strings.Contains(as, "table"):
		t := listing(list)
		t.Title = "view " + e.EffectiveName()
		c.display(t.Bundle())
		return nil
	case strings.Contains(as, "text"):
		var b strings.Builder
		for _, m := range list {
			b.WriteString(notationOf(m) + "\n")
		}
		c.display(render.Text(b.String()))
		return nil
	}
	view := picture.Auto
	switch {
	case strings.Contains(as, "tree"):
		view = picture.Tree
	case strings.Contains(as, "interconnection"):
		view = picture.Interconnection
	}
	p, err := picture.All("view "+e.EffectiveName(), list, view, picture.Options{})
	if err != nil {
		return placed(err, source.Span{})
	}
	c.display(pictureBundle(p, c.choice("format")))
	return nil
}
