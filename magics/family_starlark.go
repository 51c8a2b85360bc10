package magics

import (
	"context"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file runs cells in Starlark.

func starlarkMagics() []*magic {
	return []*magic{{
		name: "starlark", aliases: []string{"star"}, cell: true, family: cellFamily,
		summary: "run the cell as a Starlark program over the session",
		help:    "It calls calculations, makes objects and runs behaviours: calc(\"Demo::Double\")(21). Globals live on from cell to cell; the value of a last expression is the result of the cell.",
		example: "%%starlark\nprint([n * n for n in range(4)])",
		run:     runStarlark,
	}}
}

func runStarlark(c *call) error { return placed(c.cell.starlark(c.body, c.last), c.span()) }

// starlark runs the text of body as a program and shows its value.
func (e *execution) starlark(body source.Span, last bool) error {
	sink := e.sink
	b, err := e.shell.starlark().Run(e.ctx, blanked(body), plan.Console{
		Print:      func(text string) { sink.Stream(Stdout, text) },
		PrintError: func(text string) { sink.Stream(Stderr, text) },
		Clear:      sink.Clear,
		Display:    func(b render.Bundle) { sink.Display(b, "") },
		Ask:        func(ctx context.Context, prompt string) (string, error) { return sink.Ask(ctx, prompt, false) },
	})
	if err != nil {
		return err
	}
	e.value(b, last)
	return nil
}

// starlark is the interpreter of the session's Starlark cells, made when the
// first of them runs.
func (s *Shell) starlark() *plan.Cells {
	if s.cells == nil {
		s.cells = plan.NewCells(s.session, plan.CellOptions{Dir: s.dir, Adopt: s.adopt})
	}
	return s.cells
}
