package magics

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file loads, shows and saves the model.

const modelFamily = "Model"

func modelMagics() []*magic {
	return []*magic{
		{
			name: "load", family: modelFamily,
			arguments: []argument{{name: "PATH", kind: kindPath, repeated: true}},
			summary:   "load models from files",
			help:      "PATH is a .sysml or .kerml file, a .kpar archive, a folder with such files in it, or a pattern with * and ?. Loading a file again replaces what it declared.",
			example:   "%%writefile wheel.sysml\npart def Wheel;\n---\n%load wheel.sysml",
			run:       runLoad,
		},
		{
			name: "save", family: modelFamily,
			arguments: []argument{{name: "PATH", kind: kindPath}},
			summary:   "write everything that the session declares to a .sysml file",
			example:   "%save all.sysml",
			run:       runSave,
		},
		{
			name: "print", family: modelFamily,
			arguments: []argument{{name: "NAME", kind: kindName, optional: true}},
			summary:   "print an element, or the whole model, in the notation",
			example:   "%print Demo::Double",
			run:       runPrint,
		},
		{
			name: "list", family: modelFamily,
			arguments: []argument{{name: "QUERY", kind: kindName, optional: true}},
			summary:   "list the elements that a query like that of an import selects",
			help:      "`A::*` are the members of A, `A::**` those at every depth, `A::**[@M]` those of them that have the metadata M, and A alone is A itself; without QUERY, what the session declares.",
			example:   "%list Demo::*",
			run:       runList,
		},
		{
			name: "show", family: modelFamily,
			arguments: []argument{{name: "NAME", kind: kindName}},
			flags:     []flag{{name: "style", kind: kindOneOf, values: []string{"tree", "json"}, fallback: "tree", summary: "a tree, or JSON"}},
			summary:   "show the syntax and the relationships of an element",
			example:   "%show Demo::Vehicle",
			run:       runShow,
		},
		{
			name: "export", family: modelFamily,
			arguments: []argument{{name: "NAME", kind: kindName}},
			flags:     []flag{{name: "format", kind: kindOneOf, values: []string{"json", "sysml"}, fallback: "json", summary: "JSON of the elements, or the notation"}},
			summary:   "write an element to a file beside the notebook, with a link to it",
			example:   "%export Demo::Wheel",
			run:       runExport,
		},
		{
			name: "search", family: modelFamily,
			arguments: []argument{{name: "TEXT", kind: kindText}},
			summary:   "find elements of the session by a part of their names",
			example:   "%search veh",
			run:       runSearch,
		},
		{
			name: "remove", family: modelFamily,
			arguments: []argument{{name: "NAME", kind: kindName}},
			summary:   "take an element that the session declares at its root out of the model",
			example:   "part def Wheel;\n%remove Wheel",
			run:       runRemove,
		},
		{
			name: "reset", aliases: []string{"clear"}, family: modelFamily,
			flags:   []flag{{name: "f", kind: kindSwitch, summary: "as other kernels ask for it; means nothing here"}},
			summary: "forget the model, all objects and runs, and the Starlark variables; settings stay",
			example: "%reset",
			run: func(c *call) error {
				c.shell.session.Reset()
				c.shell.cells, c.shell.pad = nil, scratchpad{}
				clear(c.shell.owners)
				clear(c.shell.captured)
				c.shell.lastTrace, c.shell.found = nil, nil
				c.shell.forgetPlans()
				c.printf("everything is forgotten; settings stay\n")
				return nil
			},
		},
		{
			name: "who", family: modelFamily,
			summary: "list the names that the session declares",
			example: "%who",
			run: func(c *call) error {
				var names []string
				for _, e := range c.shell.roots() {
					names = append(names, titleOf(e))
				}
				c.printf("%s\n", orNothing(strings.Join(names, "  ")))
				return nil
			},
		},
		{
			name: "whos", family: modelFamily,
			summary: "list what the session declares, with kind and origin",
			example: "%whos",
			run:     func(c *call) error { c.display(listing(c.shell.roots()).Bundle()); return nil },
		},
	}
}

func orNothing(s string) string {
	if s == "" {
		return "nothing is declared yet"
	}
	return s
}

// roots are the named elements that the user's texts declare at the root.
func (s *Shell) roots() []*model.Element {
	var roots []*model.Element
	for _, e := range s.model().Roots() {
		if e.EffectiveName() != "" || e.ShortName() != "" {
			roots = append(roots, e)
		}
	}
	return roots
}

// listing is elements as a table.
func listing(elements []*model.Element) *render.Table {
	t := &render.Table{Columns: []render.Column{{Title: "name", Tone: render.Code}, {Title: "kind"}, {Title: "declared at", Tone: render.Muted}},
		Empty: "nothing is declared yet"}
	for _, e := range elements {
		t.Row(nameFrom(e, false), kindOf(e), placeOf(e))
	}
	return t
}

// element is the element called name; the error tells the nearest names.
func (s *Shell) element(name string, at source.Span) (*model.Element, error) {
	if e := s.model().Find(name); e != nil {
		return e, nil
	}
	d := s.unknownElement(name, at)
	if slices.ContainsFunc(s.session.Objects(), func(o *runtime.Object) bool { return o.Name == name }) {
		d.Message = name + " is an object, and not an element of the model"
		d.Hint = "%features " + name + " shows its values"
	}
	return nil, d
}

// behavior is what w stands for where a behaviour is asked for, and the path
// of the object that performs it: the one that --on names, or the one whose
// behaviour w is.
func (c *call) behavior(w word) (e *model.Element, on string, err error) {
	s := c.shell
	if e, on, err = s.session.Behavior(c.ctx, w.text); err == nil {
		if c.has("on") {
			on = c.word("on").text
		}
		return e, on, nil
	}
	if s.model().Find(w.text) == nil && !strings.ContainsAny(w.text, ".#[") && !slices.Contains(s.objectNames(), w.text) {
		return nil, "", s.unknownElement(w.text, w.span)
	}
	return nil, "", placed(err, w.span)
}

// nothingNear is the hint where no name is spelled like the one that is wrong.
const nothingNear = "%list shows what there is"

// nearMagic begins the hint where a magic has the name.
const nearMagic = "did you mean %"

// unknownElement says that no element is called name, and where its path
// breaks off.
func (s *Shell) unknownElement(name string, at source.Span) *diagnostic.Diagnostic {
	owner, last := "", name
	var candidates []string
	if i := strings.LastIndex(name, "::"); i >= 0 {
		owner, last = name[:i], name[i+2:]
		e := s.model().Find(owner)
		if e == nil {
			return s.unknownElement(owner, at)
		}
		for _, m := range e.Members() {
			candidates = append(candidates, m.EffectiveName())
		}
	} else {
		for _, e := range s.roots() {
			candidates = append(candidates, e.EffectiveName())
		}
	}
	d := diagnostic.New(diagnostic.UnresolvedName, at, "no element "+last)
	if owner != "" {
		d.Message += " in " + owner
	}
	if near := nearest(last, candidates); near != "" {
		d.Message += ", nearest: " + model.Quote(near)
	} else if full := s.elsewhere(last); full != "" {
		d.Hint = "did you mean " + full + "?"
	} else if owner == "" && s.registry.find(last, false) != nil {
		d.Hint = nearMagic + last + "?"
	} else {
		d.Hint = nothingNear
	}
	return d
}

// elsewhere is the qualified name of an element of the session that is called
// name, deeper down; "" where there is none.
func (s *Shell) elsewhere(name string) string {
	for _, root := range s.roots() {
		if e := below(root, func(e *model.Element) bool { return e.EffectiveName() == name }); e != nil {
			return e.QualifiedName()
		}
	}
	return ""
}

// below is the first element at or below e that fits.
func below(e *model.Element, fits func(*model.Element) bool) *model.Element {
	if fits(e) {
		return e
	}
	for _, m := range e.Members() {
		if found := below(m, fits); found != nil {
			return found
		}
	}
	return nil
}

func runList(c *call) error {
	query := c.word("QUERY").text
	if query == "" {
		c.display(listing(c.shell.roots()).Bundle())
		return nil
	}
	if strings.Contains(query, "[") {
		list, err := c.shell.imported(query, c.word("QUERY").span)
		if err == nil {
			t := listing(list)
			t.Empty = "nothing passes the filter"
			c.display(t.Bundle())
		}
		return err
	}
	name, depth := strings.CutSuffix(query, "::**")
	if !depth {
		var members bool
		if name, members = strings.CutSuffix(query, "::*"); !members {
			e, err := c.shell.element(query, c.word("QUERY").span)
			if err == nil {
				c.display(listing([]*model.Element{e}).Bundle())
			}
			return err
		}
	}
	e, err := c.shell.element(name, c.word("QUERY").span)
	if err != nil {
		return err
	}
	var list []*model.Element
	collect(e, depth, &list)
	t := listing(list)
	t.Empty = name + " has no members with a name"
	c.display(t.Bundle())
	return nil
}

// imported is what an import of query brings, its filters applied. What the
// query reaches is in scope in the filters.
func (s *Shell) imported(query string, at source.Span) ([]*model.Element, error) {
	const before = "package q { public import "
	all, _, _ := strings.Cut(query, "[")
	p := s.scratch(before+query+"; private import "+all+"; }", len(before))
	docs := p.model.Documents()
	doc := docs[len(docs)-1]
	_, list := syntax.Parse(doc.File, syntax.Options{})
	if !list.HasErrors() {
		list = p.model.Check(doc)
	}
	if list.HasErrors() {
		d := *list[0]
		d.Related = nil
		start := at.Start + min(max(d.Span.Start-int32(len(before)), 0), int32(len(query)))
		d.Span = source.Span{File: at.File, Start: start, End: max(min(start+d.Span.End-d.Span.Start, at.End), start)}
		return nil, &d
	}
	var found []*model.Element
	for name, e := range p.model.NamesOf(p.scope) {
		if passed, _ := p.scope.LookupMember(name); passed == e {
			found = append(found, e)
		}
	}
	return found, nil
}

// collect adds the named members of e to list, at every depth where deep.
func collect(e *model.Element, deep bool, list *[]*model.Element) {
	for _, m := range e.Members() {
		if m.EffectiveName() != "" || m.ShortName() != "" {
			*list = append(*list, m)
		}
		if deep {
			collect(m, deep, list)
		}
	}
}

func runSearch(c *call) error {
	want := strings.ToLower(c.text("TEXT"))
	var found []*model.Element
	for _, root := range c.shell.roots() {
		below(root, func(e *model.Element) bool {
			if strings.Contains(strings.ToLower(e.EffectiveName()), want) || strings.Contains(strings.ToLower(e.ShortName()), want) {
				found = append(found, e)
			}
			return false
		})
	}
	t := listing(found)
	t.Empty = "no name contains " + c.text("TEXT")
	c.display(t.Bundle())
	return nil
}

func runPrint(c *call) error {
	if c.has("NAME") {
		e, err := c.shell.element(c.word("NAME").text, c.word("NAME").span)
		if err != nil {
			return err
		}
		c.printf("%s\n", notationOf(e))
		return nil
	}
	c.printf("%s", c.shell.notation())
	return nil
}

// notation is all that the session declares, in order.
func (s *Shell) notation() string {
	var b strings.Builder
	for _, e := range s.model().Roots() {
		b.WriteString(notationOf(e) + "\n")
	}
	return b.String()
}

// notationOf is the declaration of e in canonical layout.
func notationOf(e *model.Element) string {
	if d := e.Decl(); d != nil {
		return syntax.Print(d)
	}
	return e.Span().Text()
}

func runSave(c *call) error {
	name := c.text("PATH")
	if ext := filepath.Ext(name); ext != ".sysml" {
		return diagnostic.New(codeFile, c.word("PATH").span, "%save writes files that end in .sysml, not "+orNone(ext))
	}
	if err := os.WriteFile(c.shell.path(name), []byte(c.shell.notation()), 0o666); err != nil {
		return fileError(c.word("PATH").span, name, err)
	}
	c.printf("wrote %s\n", name)
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "in nothing"
	}
	return "in " + s
}

func runShow(c *call) error {
	e, err := c.shell.element(c.word("NAME").text, c.word("NAME").span)
	if err != nil {
		return err
	}
	if c.choice("style") == "json" {
		text, err := json.MarshalIndent(elementJSON(e), "", "  ")
		if err != nil {
			return err
		}
		b := render.Text(string(text)).With(render.JSON, string(text))
		b.Metadata = map[string]any{render.JSON: map[string]any{"expanded": true}}
		c.display(b)
		return nil
	}
	c.display(elementTree(e, true).Bundle())
	return nil
}

// elementTree is e with its members below it, and, at the top, what it
// specializes without saying so.
func elementTree(e *model.Element, top bool) *render.Node {
	n := &render.Node{Label: kindOf(e) + " " + signature(e)}
	if e.Metaclass().IsImport() || e.EffectiveName() == "" && e.ShortName() == "" {
		n.Label = firstLine(e.Span().Text())
	}
	if top {
		n.Note = placeOf(e)
		for _, g := range e.Generals() {
			if g.Implied && g.Target != nil {
				n.Add("implied "+g.Kind.Symbol()+" "+g.Target.QualifiedName(), "")
			}
		}
	}
	for _, m := range e.Members() {
		n.Children = append(n.Children, elementTree(m, false))
	}
	return n
}

// runExport writes NAME.json or NAME.sysml into the folder of the session.
func runExport(c *call) error {
	e, err := c.shell.element(c.word("NAME").text, c.word("NAME").span)
	if err != nil {
		return err
	}
	content := []byte(notationOf(e) + "\n")
	name := fileName(e) + ".sysml"
	if c.choice("format") != "sysml" {
		name = fileName(e) + ".json"
		if content, err = json.MarshalIndent(elementJSON(e), "", "  "); err != nil {
			return err
		}
		content = append(content, '\n')
	}
	if err := os.WriteFile(c.shell.path(name), content, 0o666); err != nil {
		return fileError(c.word("NAME").span, name, err)
	}
	c.display(render.Text("wrote "+name+"\n").With(render.HTML, render.FileLink(name)))
	return nil
}

// fileName is the qualified name of e in characters that every file system
// takes.
func fileName(e *model.Element) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*'`, r) || r < ' ' {
			return '-'
		}
		return r
	}, strings.ReplaceAll(strings.ReplaceAll(e.QualifiedName(), "::", "."), "'", ""))
}

func firstLine(text string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if rest != "" {
		line += " …"
	}
	return line
}

// jsonElement is an element as %show --style json has it.
type jsonElement struct {
	Type          string         `json:"@type"`
	Name          string         `json:"declaredName,omitempty"`
	ShortName     string         `json:"declaredShortName,omitempty"`
	QualifiedName string         `json:"qualifiedName,omitempty"`
	Documentation string         `json:"documentation,omitempty"`
	Relationships []jsonRelation `json:"relationships,omitempty"`
	Multiplicity  string         `json:"multiplicity,omitempty"`
	Value         string         `json:"value,omitempty"`
	Members       []*jsonElement `json:"ownedMember,omitempty"`
}

type jsonRelation struct {
	Kind    string `json:"kind"`
	Target  string `json:"target"`
	Implied bool   `json:"isImplied,omitempty"`
}

func elementJSON(e *model.Element) *jsonElement {
	j := &jsonElement{Type: e.Metaclass().String(), Name: e.Name(), ShortName: e.ShortName(), QualifiedName: e.QualifiedName(),
		Documentation: e.Doc(), Multiplicity: multiplicityOf(e), Value: strings.TrimPrefix(valueOf(e), "= ")}
	for _, g := range e.Generals() {
		if g.Target != nil {
			j.Relationships = append(j.Relationships, jsonRelation{g.Kind.String(), g.Target.QualifiedName(), g.Implied})
		}
	}
	for _, m := range e.Members() {
		j.Members = append(j.Members, elementJSON(m))
	}
	return j
}

// runLoad declares what all paths stand for as one set of texts.
func runLoad(c *call) error {
	var files []*source.File
	for _, w := range c.words("PATH") {
		more, err := c.shell.texts(c.ctx, w.plain(), w.span)
		if err != nil {
			return err
		}
		files = append(files, more...)
	}
	return c.cell.loadFiles(files)
}

// runRemove declares the text of a root element anew, without it.
func runRemove(c *call) error {
	w := c.word("NAME")
	e, err := c.shell.element(w.text, w.span)
	if err != nil {
		return err
	}
	doc := e.Document()
	if e.IsLibrary() || e.Owner() == nil || !e.Owner().IsRoot() {
		return diagnostic.New(codeMagicUsage, w.span, w.text+" is not declared at the root of the session").
			WithHint("only what %who lists can be removed; change the cell that declares the rest")
	}
	tree := &syntax.Tree{File: doc.File, Extensions: doc.Tree.Extensions}
	for _, d := range doc.Tree.Members {
		if d != e.Decl() {
			tree.Members = append(tree.Members, d)
		}
	}
	d, list := c.shell.session.Declare(c.ctx, runtime.Text{File: doc.File, Tree: tree, Owner: doc.Owner})
	if list.HasErrors() {
		list[0].Hint = "it is named here, so nothing was removed"
		return list
	}
	c.printf("removed %s %s\n", kindOf(e), titleOf(e))
	c.cell.reportConsequences(d)
	return nil
}
