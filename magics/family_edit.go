package magics

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file has cells and declarations changed in the user's own editor.

// An EditSink is a Sink whose front end can have a text edited by a program of
// the user's: a terminal.
type EditSink interface {
	Sink
	// Edit has text edited and is what became of it. line is where the cursor
	// begins, from 1. The error is a diagnostic that says why nothing could
	// be edited, or ctx.Err().
	Edit(ctx context.Context, text string, line int) (string, error)
}

func editMagic() *magic {
	return &magic{
		name: "edit", family: sessionFamily,
		arguments: []argument{{name: "N|NAME", kind: kindName, optional: true}},
		summary:   "change the last cell, cell N or a declaration in your own editor, then run it",
		help: "At a terminal, starts the editor that VISUAL or EDITOR names, and executes what you saved when you leave it; text that you left as it was " +
			"is not executed. Of a declaration inside another, all of the outermost one is shown, since that is what can be declared again. In a notebook, " +
			"the text goes into the next cell. Ctrl-X Ctrl-E does the same with the cell that you are typing.",
		example: "%echo first\n---\n%edit",
		run:     runEdit,
	}
}

func runEdit(c *call) error {
	text, line, err := c.editable()
	if err != nil {
		return err
	}
	sink, ok := c.cell.front.(EditSink)
	if !ok {
		c.cell.sink.NextInput(text, false)
		return nil
	}
	changed, err := sink.Edit(c.ctx, text, line)
	if err != nil {
		return placed(err, c.span())
	}
	if strings.TrimSpace(changed) == "" || strings.TrimSpace(changed) == strings.TrimSpace(text) {
		c.printf("nothing has changed, and nothing is executed\n")
		return nil
	}
	c.cell.cell.Code = changed // what the history keeps
	c.cell.texts = 0
	return c.cell.within(&source.File{Name: c.cell.cell.Name + ", edited", Text: changed}, 0, sink, c.last)
}

// editable is the text that a call of %edit speaks of, and the line of it that
// is meant.
func (c *call) editable() (text string, line int, err error) {
	w := c.word("N|NAME")
	if n, err := strconv.Atoi(w.text); w.text == "" || err == nil {
		found, err := c.pastCell(n, w.span)
		return found.code, 1, err
	}
	e, err := c.shell.element(w.text, w.span)
	if err != nil {
		return "", 0, err
	}
	if e.IsLibrary() {
		return "", 0, diagnostic.New(codeMagicUsage, w.span, w.text+" is in the library, which cells do not change").
			WithHint(w.text + "?? shows it")
	}
	outer := e.Outermost()
	span := outer.Span()
	if span.File == nil {
		return notationOf(outer), 1, nil
	}
	first := span.StartPosition()
	if inner := e.Span(); inner.File == span.File {
		line = inner.StartPosition().Line - first.Line
	}
	return dedent(span.Text(), first.Column-1), line + 1, nil
}

// pastCell is cell n, or the last one where n is 0.
func (c *call) pastCell(n int, at source.Span) (past, error) {
	history := c.shell.history
	if len(history) == 0 {
		return past{}, diagnostic.New(codeMagicUsage, c.span(), "there is no cell before this one")
	}
	if n <= 0 {
		return history[len(history)-1], nil
	}
	i := slices.IndexFunc(history, func(p past) bool { return p.count == n })
	if i < 0 {
		return past{}, diagnostic.New(codeMagicUsage, at, fmt.Sprintf("there is no cell %d", n)).WithHint("%history lists the cells")
	}
	return history[i], nil
}
