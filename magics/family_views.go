package magics

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file shows what a view of the model exposes, in the rendering that the
// view names, and the views in it.

// exposed is what view e exposes, in the order of its text, and what its
// filters, or those of its definitions, keep out.
func exposed(e *model.Element) (list []*model.Element, kept map[*model.Element]bool) {
	seen, kept := map[*model.Element]bool{}, map[*model.Element]bool{}
	for _, imp := range e.Imports() {
		part, ok := imp.Decl().Detail.(*syntax.ImportPart)
		if !ok || imp.Metaclass() != syntax.MembershipExpose && imp.Metaclass() != syntax.NamespaceExpose {
			continue
		}
		target := imp.ImportTarget()
		if target == nil {
			continue
		}
		var found []*model.Element
		if !part.Members {
			found = append(found, target)
		}
		if part.Members || part.Recursive {
			collect(target, part.Recursive, &found)
		}
		for _, m := range found {
			switch {
			case m.EffectiveName() == "" || seen[m]:
			case imp.LetsThrough(m):
				seen[m] = true
				list = append(list, m)
				delete(kept, m)
			default:
				kept[m] = true
			}
		}
	}
	return list, kept
}

// viewsIn are the views that view e holds.
func viewsIn(e *model.Element) []*model.Element {
	return slices.DeleteFunc(slices.Clone(e.Members()), func(m *model.Element) bool { return m.Metaclass() != syntax.ViewUsage })
}

// rendering is the rendering that a view asks for, itself or through what it
// specializes, and that as an element; "" and nil for none.
func rendering(e *model.Element) (name string, as *model.Element) {
	for _, f := range e.Features() {
		if d := f.Decl(); d != nil && d.Member == syntax.RenderMember {
			for _, g := range f.Generals() {
				if !g.Implied && g.Target != nil {
					return g.Target.EffectiveName(), g.Target
				}
			}
			return f.Label, nil
		}
	}
	return "", nil
}

// A look is one way to show what a view exposes.
type look uint8

const (
	asPicture look = iota // the one that fits
	asTree
	asInterconnection
	asStates
	asActions
	asTable
	asText
)

// looks are those of the renderings and view definitions of the library, by
// their names in lower case.
var looks = map[string]look{"astreediagram": asTree, "asinterconnectiondiagram": asInterconnection, "aselementtable": asTable,
	"astextualnotation": asText, "interconnectionview": asInterconnection, "statetransitionview": asStates, "actionflowview": asActions,
	"browserview": asTree, "gridview": asTable}

// lookOf is how view e wants to be shown: by its rendering, or what that
// specializes; else by the definition of the library that it has.
func lookOf(e *model.Element) look {
	name, as := rendering(e)
	names := []string{name}
	if as != nil {
		for _, general := range as.Supertypes() {
			names = append(names, general.EffectiveName())
		}
	}
	for _, general := range e.Supertypes() {
		names = append(names, general.EffectiveName())
	}
	for _, n := range names {
		if l, ok := looks[strings.ToLower(n)]; ok {
			return l
		}
	}
	switch own := strings.ToLower(name); { // a rendering of the model's own says by its name what it is
	case strings.Contains(own, "table"):
		return asTable
	case strings.Contains(own, "text"):
		return asText
	case strings.Contains(own, "tree"):
		return asTree
	case strings.Contains(own, "interconnection"):
		return asInterconnection
	}
	return asPicture
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
	if list, _ := exposed(e); len(list)+len(viewsIn(e)) == 0 {
		c.printf("%s exposes nothing\n", w.text)
		return nil
	}
	return c.showViews(e, false)
}

// showViews shows view e and the views in it; a heading says which is which
// where there are several.
func (c *call) showViews(e *model.Element, headed bool) error {
	inner := viewsIn(e)
	if list, kept := exposed(e); len(list) > 0 {
		if (headed || len(inner) > 0) && lookOf(e) != asTable {
			c.display(render.Text("view "+e.EffectiveName()+"\n").With(render.HTML, render.Strong("view "+e.EffectiveName())))
		}
		if err := c.showView(e, list, kept); err != nil {
			return err
		}
	} else if headed && len(inner) == 0 {
		c.printf("view %s exposes nothing\n", e.EffectiveName())
	}
	for _, v := range inner {
		if err := c.showViews(v, true); err != nil {
			return err
		}
	}
	return nil
}

// showView shows the elements of view e as a table, notation, or a picture,
// which leaves out what was kept from the view.
func (c *call) showView(e *model.Element, list []*model.Element, without map[*model.Element]bool) error {
	view := picture.Auto
	switch lookOf(e) {
	case asTable:
		c.display(viewTable(e, list).Bundle())
		return nil
	case asText:
		var b strings.Builder
		for _, m := range list {
			b.WriteString(notationOf(m) + "\n")
		}
		c.display(render.Text(b.String()))
		return nil
	case asTree:
		view = picture.Tree
	case asInterconnection:
		view = picture.Interconnection
	case asStates:
		view = picture.State
	case asActions:
		view = picture.Action
	}
	p, err := picture.All("view "+e.EffectiveName(), list, view, picture.Options{Without: without})
	if err != nil {
		return placed(err, source.Span{})
	}
	c.display(pictureBundle(p, c.choice("format")))
	return nil
}

// viewTable is a row for each element: its name, its kind and where it is
// declared, or, where the rendering has columns of its own that show notation,
// that.
func viewTable(e *model.Element, list []*model.Element) *render.Table {
	t := listing(list)
	if _, as := rendering(e); as != nil {
		for _, column := range viewsIn(as) {
			if lookOf(column) != asText {
				continue
			}
			t = &render.Table{Columns: []render.Column{{Title: "name", Tone: render.Code}, {Title: "notation", Tone: render.Code}}}
			for _, m := range list {
				t.Row(nameFrom(m, false), strings.TrimSpace(notationOf(m)))
			}
		}
	}
	t.Title = "view " + e.EffectiveName()
	return t
}
