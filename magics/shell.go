package magics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Options say how a Shell begins. The zero Options are a session with the
// embedded library in the process's working directory.
type Options struct {
	// Dir is the folder that relative paths start from; "" is the working
	// directory of the process. %cd changes it for the Shell alone.
	Dir string
	// AllowShell admits !cmd and %%bash.
	AllowShell bool
	// Version is what %version says of the program; "" for "development".
	Version string
	// Library is the standard library; nil for the embedded one.
	Library library.Source
	// Session is gone on with, where it is given: Library, Settings and Budget
	// are its own then.
	Session *runtime.Session
	// Settings, Budget and Strict are what a session begins with.
	Settings schedule.Settings
	Budget   budget.Budget
	Strict   bool
	// Language is what a cell is where it does not say so.
	Language Language
	// ConnectionFile is what %connect_info shows; "" where there is none.
	ConnectionFile string
}

// A Shell executes the cells of one session. One method runs at a time, save
// that IsComplete may be called from any goroutine; the context of a call is
// how another goroutine stops it.
type Shell struct {
	registry *registry
	options  Options
	dir      string
	history  []past
	serial   int // of the last cell
	captured map[string][]render.Bundle
	owners   map[string]int // declaring texts of a cell, by the owner of the first

	library   library.Source
	session   *runtime.Session
	cells     *plan.Cells // of %%starlark; nil until the first of them
	pad       scratchpad
	plans     []*keptPlan
	found     *discovery // by the last %explore or %check; nil for nothing
	tracing   bool       // runs show their trace
	strict    bool       // notation beyond the standard is reported
	lastTrace []string   // of the last run that was traced; nil for none
}

// A past cell is one line of the history.
type past struct {
	count  int
	code   string
	failed bool
}

var standard = sync.OnceValue(func() *registry {
	return newRegistry(modelMagics(), objectMagics(), judgeMagics(), runMagics(), manyMagics(), stepMagics(), exploreMagics(), starlarkMagics(), planMagics(), pictureMagics(), chronicleMagics(), settingsMagics(), sessionMagics(), cellMagics(), systemMagics())
})

// New makes a Shell over a new session.
func New(o Options) *Shell {
	s := &Shell{registry: standard(), options: o, dir: o.Dir, captured: map[string][]render.Bundle{}, owners: map[string]int{},
		library: o.Library, strict: o.Strict}
	if s.library == nil {
		s.library = library.Embedded()
	}
	if s.session = o.Session; s.session == nil {
		s.session = runtime.New(runtime.Options{Library: s.library, Settings: o.Settings, Budget: o.Budget})
		s.session.Reseed()
	}
	if s.dir == "" {
		s.dir, _ = os.Getwd()
	}
	return s
}

// An execution is one cell at work.
type execution struct {
	ctx     context.Context
	shell   *Shell
	cell    Cell
	file    *source.File
	start   int  // where the cell, or the piece of it that runs, begins in file
	front   Sink // the one that the cell was given, for what only some front ends can
	sink    Sink
	outcome Outcome

	language Language // of a cell or piece that does not say so
	serial   int      // counts the cells of the Shell
	texts    int      // declaring texts so far
}

// Execute runs the parts of cell in order and ends at the first that fails.
// Outputs go to sink as they come; the error is in the Outcome alone. A panic
// becomes an error of code "internal"; the session is kept.
func (s *Shell) Execute(ctx context.Context, cell Cell, sink Sink) Outcome {
	if cell.Name == "" {
		cell.Name = fmt.Sprintf("cell %d", max(cell.Count, len(s.history)+1))
	}
	if cell.Count == 0 {
		cell.Count = len(s.history) + 1
	}
	s.serial++
	e := &execution{ctx: ctx, shell: s, cell: cell, front: sink, sink: visible{sink}, serial: s.serial, language: max(cell.Language, s.options.Language)}
	s.forgetCells(cell.DeletedIDs)
	err := e.run(source.NewFile(cell.Name, cell.Code), 0)
	if err == nil {
		e.forgetLeftovers()
	}
	if err != nil {
		e.outcome.Err = cellError(ctx, err)
		e.outcome.Verdict = max(e.outcome.Verdict, 1)
		if e.outcome.Err.Name == interruptName {
			e.outcome.Verdict = 4
		}
	}
	if strings.TrimSpace(cell.Code) != "" {
		s.history = append(s.history, past{cell.Count, e.cell.Code, err != nil})
	}
	return e.outcome
}

// Load declares the models at paths, as one set of texts. A relative path
// starts from the Shell's folder. The error is a diagnostic or a list of them.
func (s *Shell) Load(ctx context.Context, paths ...string) error {
	e := &execution{ctx: ctx, shell: s, front: dropped{}, sink: dropped{}}
	return e.guard(source.Span{}, func() error {
		var files []*source.File
		for _, path := range paths {
			more, err := s.texts(ctx, path, source.Span{})
			if err != nil {
				return err
			}
			files = append(files, more...)
		}
		return e.loadFiles(files)
	})
}

const interruptName = "KeyboardInterrupt"

// cellError is err as a front end shows it.
func cellError(ctx context.Context, err error) *CellError {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		d := diagnostic.New(diagnostic.Interrupted, source.Span{}, "stopped before the end").
			WithHint("the session stays as the last whole step left it")
		return &CellError{Name: interruptName, Value: d.Message, Diagnostics: diagnostic.List{d}}
	}
	list := diagnostic.Of(err)
	if len(list) == 0 { // an empty List is an error that says nothing
		list = diagnostic.List{diagnostic.New(diagnostic.Internal, source.Span{}, "the cell failed and nobody said why")}
	}
	for i, d := range list {
		if d.Severity == diagnostic.Error {
			list[0], list[i] = list[i], list[0]
			break
		}
	}
	e := &CellError{Name: string(list[0].Code), Value: list[0].Message, Diagnostics: list}
	if list[0].Code == diagnostic.Interrupted && ctx.Err() != nil {
		e.Name = interruptName
	}
	return e
}

// run executes the text of file from offset start on as a cell.
func (e *execution) run(file *source.File, start int) error {
	outer, begin := e.file, e.start
	e.file, e.start = file, start
	defer func() { e.file, e.start = outer, begin }()
	if first, ok := cellMagicAt(file.Text[start:]); ok {
		return e.cellMagic(start + first)
	}
	if e.language == Starlark {
		return e.program(start)
	}
	return e.parts(start)
}

// guard runs one part, so that a panic in it is an error of the cell.
func (e *execution) guard(span source.Span, part func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = internalError(span, r, debug.Stack())
		}
	}()
	if err := e.ctx.Err(); err != nil {
		return err
	}
	return part()
}

// parts executes what stands behind offset start, part by part. Declarations
// that follow each other are one text: they may name each other in any order,
// and a syntax error in one keeps all of them out of the model.
func (e *execution) parts(start int) error {
	var open []syntax.Part
	for pos := start; ; {
		part := e.part(pos)
		pos = part.End
		if part.Kind == syntax.PartDeclaration {
			open = append(open, part)
			if part.Diagnostics.HasErrors() {
				return e.broken(part)
			}
			continue
		}
		if len(open) > 0 {
			group := open
			open = nil
			span := group[0].Span.To(group[len(group)-1].Span)
			if err := e.guard(span, func() error { return e.declare(group) }); err != nil {
				return err
			}
		}
		if part.Kind == syntax.PartEnd {
			return nil
		}
		last := e.part(pos).Kind == syntax.PartEnd
		if err := e.guard(part.Span, func() error { return e.execute(part, last) }); err != nil {
			return err
		}
	}
}

// part is the part of the cell at or behind pos.
func (e *execution) part(pos int) syntax.Part {
	if p, ok := commandAt(e.file, pos, e.start); ok {
		return p
	}
	return syntax.ParsePart(e.file, pos, notationOptions)
}

// execute carries out a part that is no declaration.
func (e *execution) execute(part syntax.Part, last bool) error {
	if part.Kind == syntax.PartMagic {
		return e.command(part.Span, last)
	}
	if part.Diagnostics.HasErrors() {
		return e.broken(part)
	}
	return e.evaluate(part, last)
}

// value shows the value of a part: as the cell's result where it is the last.
func (e *execution) value(b render.Bundle, last bool) {
	switch {
	case b.IsEmpty():
	case last:
		e.sink.Result(b)
	default:
		e.sink.Display(b, "")
	}
}

// broken is the error of a part that does not parse. A cell that is Starlark
// instead is told so.
func (e *execution) broken(part syntax.Part) error {
	if e.start == 0 && plan.IsStarlark(e.file.Text) {
		d := diagnostic.New(codeStarlarkCell, part.Diagnostics[0].Span, "this cell is Starlark, and not SysML").
			WithHint("write %%starlark on its first line")
		if text := strings.TrimSpace(e.file.Text); e.shell.assignsToObject(text) {
			d.Message = "an object is not assigned to like that"
			d.Hint = "%set " + text
		}
		return d
	}
	for _, d := range part.Diagnostics {
		if strings.HasPrefix(d.Span.Text(), "%") && startsLine(e.file.Text, int(d.Span.Start)) && d.Hint == "" {
			d.Hint = "a line with % is a magic only between the parts of a cell, not inside a declaration"
		}
	}
	return part.Diagnostics
}

func (s *Shell) model() *model.Model { return s.session.Model() }

func (e *execution) evaluate(part syntax.Part, last bool) error {
	v, err := e.shell.session.Evaluate(e.ctx, part.Expr, "")
	if err != nil {
		return e.shell.explained(placed(err, part.Span), part.Expr)
	}
	e.value(e.shell.valueBundle(v), last)
	return nil
}

// verdict raises the status that the cell ends with: a failure (1) outweighs
// what is undecided (3).
func (e *execution) verdict(status int) {
	if e.outcome.Verdict != 1 && status != 0 {
		e.outcome.Verdict = status
	}
}
