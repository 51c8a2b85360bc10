package kernel

import (
	"context"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
)

// An Interpreter gives cells their meaning. *magics.Shell is one; tests use
// another. The kernel calls its methods one at a time, from one goroutine,
// and cancels the context of the call that runs when the user interrupts; a
// call then ends within 200 ms. A panic in a method becomes an error reply of
// that request, and the Interpreter is used again afterwards.
//
// Positions in a cell (cursor, ranges) count Unicode code points from 0; the
// kernel has clamped them to the text.
type Interpreter interface {
	// Execute runs a cell and sends its outputs to out, which must not be
	// used once Execute has returned. The cell's error is in the Outcome
	// alone: the kernel publishes it.
	Execute(ctx context.Context, cell magics.Cell, out magics.Sink) magics.Outcome
	// Complete says what could stand at cursor. No match is the zero
	// Completion.
	Complete(ctx context.Context, code string, cursor int) magics.Completion
	// Inspect describes the name at cursor; detail is 0, or 1 to include its
	// source text. The answer is false where nothing is known.
	Inspect(ctx context.Context, code string, cursor, detail int) (render.Bundle, bool)
	// IsComplete says whether code can be executed as it stands.
	IsComplete(code string) magics.Completeness
	// Evaluate computes one of the user_expressions of a request. It must
	// leave the session as it was.
	Evaluate(ctx context.Context, expr string) (render.Bundle, *magics.CellError)
}
