package magics

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file adds declarations of cells and files to the model, and says what
// that changed.
//
// A text belongs to an owner: the cell with its ID, else the cell for itself,
// or the path of a file. When an owner declares again, what it declared before
// goes. Several texts of one cell, apart by expressions and magics, have
// owners of their own, which go together.

// extensions are read in cells and files; %strict reports each use.
var notationOptions = syntax.Options{Extensions: true}

// textOwner is the owner of text number n, from 0, of the cell.
func (e *execution) textOwner(n int) string {
	owner := e.cell.ID
	if owner == "" {
		owner = fmt.Sprintf("\x00%d", e.serial)
	}
	if n > 0 {
		owner = fmt.Sprintf("%s\x00%d", owner, n)
	}
	return owner
}

// declare adds a group of declarations that stand together in the cell.
func (e *execution) declare(group []syntax.Part) error {
	tree := &syntax.Tree{File: e.file}
	for _, p := range group {
		tree.Members = append(tree.Members, p.Decl)
		tree.Extensions = append(tree.Extensions, p.Extensions...)
	}
	owner := e.textOwner(e.texts)
	again := e.texts < e.shell.owners[e.textOwner(0)]
	e.texts++
	if err := e.declareTexts([]runtime.Text{{File: e.file, Tree: tree, Owner: owner}}, again); err != nil {
		return err
	}
	first := e.textOwner(0)
	e.shell.owners[first] = max(e.shell.owners[first], e.texts)
	return nil
}

// forgetLeftovers forgets the texts that the cell declared when it ran before
// and no longer does.
func (e *execution) forgetLeftovers() {
	first := e.textOwner(0)
	for n := e.texts; n < e.shell.owners[first]; n++ {
		e.reportConsequences(e.shell.session.Forget(e.textOwner(n)))
	}
	if e.texts == 0 {
		delete(e.shell.owners, first)
	} else {
		e.shell.owners[first] = e.texts
	}
}

// forgetCells forgets what cells declared that the notebook no longer has.
func (s *Shell) forgetCells(ids []string) {
	for _, id := range ids {
		gone := &execution{shell: s, cell: Cell{ID: id}}
		gone.forgetLeftovers()
	}
}

// loadFiles declares files as one set: they may name each other.
func (e *execution) loadFiles(files []*source.File) error {
	var texts []runtime.Text
	var wrong diagnostic.List
	for _, f := range files {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		tree, list := syntax.Parse(f, notationOptions)
		wrong = append(wrong, list...)
		texts = append(texts, runtime.Text{File: f, Tree: tree, Owner: "\x01" + f.Name})
	}
	if wrong.HasErrors() {
		return wrong
	}
	return e.declareTexts(texts, false)
}

// declareTexts adds texts to the model, or leaves it as it is where they have
// errors. Warnings are shown.
func (e *execution) declareTexts(texts []runtime.Text, again bool) error {
	d, list := e.shell.session.Declare(e.ctx, texts...)
	if list.HasErrors() {
		return list
	}
	if e.shell.strict {
		for _, t := range texts {
			list = append(list, extensionWarnings(t.Tree)...)
		}
	}
	if b := render.Diagnostics(list); !b.IsEmpty() {
		e.sink.Display(b, "")
	}
	e.report(d, again)
	return nil
}

// extensionWarnings says where tree uses notation beyond the standard.
func extensionWarnings(tree *syntax.Tree) diagnostic.List {
	var list diagnostic.List
	for _, x := range tree.Extensions {
		d := diagnostic.New(codeExtension, x.Span, x.Name+" is not in the standard notation")
		d.Severity = diagnostic.Warning
		if x.Standard != "" {
			d.Hint = "the standard writes " + x.Standard
		}
		list = append(list, d)
	}
	return list
}

// report says in a line what was declared, and what it stands in place of.
func (e *execution) report(d *runtime.Declaration, again bool) {
	was := map[string]string{} // name -> the text that declared it before
	for _, r := range d.Replaced {
		was[r.EffectiveName()] = r.NameSpan().File.Name
	}
	var names []string
	for _, r := range d.Elements {
		if r.EffectiveName() == "" && r.ShortName() == "" {
			continue
		}
		name := kindOf(r) + " " + titleOf(r)
		if place := was[r.EffectiveName()]; place != "" {
			name += " in place of that of " + place
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		e.reportConsequences(d)
		return
	}
	names = firstOf(names)
	verb := "declared"
	if again {
		verb = "declared again"
	}
	e.note(verb + " " + strings.Join(names, ", "))
	e.reportConsequences(d)
}

// firstOf is names without those that nobody would read to the end of: some,
// and how many more there are.
func firstOf(names []string) []string {
	const most = 6
	if more := len(names) - most; more > 1 {
		return append(names[:most:most], fmt.Sprintf("%d more", more))
	}
	return names
}

// note shows a line about what the cell did. It is no text that the cell
// prints, so that the stream of a cell is what its own magics write.
func (e *execution) note(text string) { e.sink.Display(render.Note(text), "") }

// reportConsequences says what became of objects and of the stepped run.
func (e *execution) reportConsequences(d *runtime.Declaration) {
	list := func(objects []*runtime.Object) string {
		var names []string
		for _, o := range objects {
			names = append(names, fmt.Sprintf("%s #%d", o.Name, o.Number))
		}
		return strings.Join(firstOf(names), ", ")
	}
	if len(d.Rebuilt) > 0 {
		e.note("rebuilt at next use: " + list(d.Rebuilt))
	}
	for _, x := range d.Unstarted {
		e.note("not started: " + x.Message)
	}
	if len(d.Dropped) > 0 {
		e.note("gone: " + list(d.Dropped))
	}
	if d.Cut {
		e.note("the stepped run goes on; it can be taken back as far as here")
	}
	if d.Ended {
		e.note("the stepped run has ended: what it runs has changed")
	}
}
