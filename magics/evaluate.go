package magics

import (
	"context"
	"runtime/debug"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Evaluate computes one expression that a front end asks for beside a cell, in
// SysML or as the name of a Starlark variable. The session stays as it was.
func (s *Shell) Evaluate(ctx context.Context, expr string) (b render.Bundle, failed *CellError) {
	defer func() {
		if r := recover(); r != nil {
			failed = cellError(ctx, internalError(source.Span{}, r, debug.Stack()))
		}
	}()
	if s.cells != nil {
		if text, ok := s.cells.Text(expr); ok {
			return render.Text(text), nil
		}
	}
	x, list := syntax.ParseExpression(source.NewFile("expression", expr), 0, notationOptions)
	if list.HasErrors() {
		return b, cellError(ctx, list)
	}
	text, err := s.session.Peek(ctx, x, "")
	if err != nil {
		return b, cellError(ctx, s.explained(placed(err, x.Span()), x))
	}
	return render.Text(text), nil
}
