package notebooks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Shell executes cells; magics.Shell is one.
type Shell interface {
	Execute(ctx context.Context, cell magics.Cell, sink magics.Sink) magics.Outcome
}

// Options say how Run executes a notebook. The zero value prints nothing and
// writes nothing.
type Options struct {
	// Output is the file that the executed notebook is written to, "" for
	// none; "-" is Notebook. InPlace writes it over the notebook itself.
	Output  string
	InPlace bool
	// Parameters replace values in the cell that is tagged "parameters".
	Parameters []Parameter
	// Timeout bounds each cell; 0 sets no bound.
	Timeout time.Duration
	// Out takes what the cells put out, Err progress and errors; nil for
	// nowhere.
	Out, Err io.Writer
	// Notebook takes the executed notebook where Output is "-".
	Notebook io.Writer
	// Color allows ANSI colours, Live a progress line on Err that updates in
	// place, which needs a terminal of Width columns.
	Color, Live bool
	Width       int
	// Ask answers a cell that asks for a line; nil where nobody can.
	Ask func(ctx context.Context, prompt string, password bool) (string, error)
}

// A Parameter is one value for the cell tagged "parameters".
type Parameter struct{ Name, Value string }

// Exit statuses of Run.
const (
	Held      = 0 // every cell succeeded
	Failed    = 1 // a cell failed
	Unusable  = 2 // the notebook cannot be read, or the options do not fit it
	Undecided = 3 // nothing failed and something is undecided
	Stopped   = 4 // interrupted, or a cell ran out of time
)

var (
	parameterCode = diagnostic.Register("notebook-parameter",
		"A value was given for a parameter that the notebook does not have. Parameters are the names that the cell tagged \"parameters\" gives a value.")
	kernelCode = diagnostic.Register("notebook-kernel",
		"The notebook says that it was written for another kernel, such as Python's.")
	timeoutCode = diagnostic.Register("cell-timeout",
		"A cell ran longer than --timeout allows and was stopped. What it had done up to its last whole step is kept.")
)

// Run executes the code cells of the notebook at path in order, each on
// shell, and stops at the first that ends in an error; a judgement that does
// not hold counts as a failure, but later cells run. A cell tagged
// "raises-exception" may end in an error, one tagged "expected-violation" may
// report that something does not hold. The executed notebook is written also
// when a cell failed, up to there. It returns the exit status; what went wrong
// has been printed.
func Run(ctx context.Context, path string, shell Shell, o Options) int {
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Err == nil {
		o.Err = io.Discard
	}
	nb, err := load(path, o.Parameters)
	if err != nil {
		report(o.Err, err, o.Color)
		return Unusable
	}
	r := &runner{nb: nb, shell: shell, o: o}
	status := r.run(ctx)
	if o.InPlace {
		o.Output = path
	}
	if o.Output == "-" {
		_, _ = o.Notebook.Write(nb.bytes())
	} else if o.Output != "" {
		if err := nb.write(o.Output); err != nil {
			report(o.Err, err, o.Color)
			return Unusable
		}
	}
	return status
}

func load(path string, parameters []Parameter) (*notebook, error) {
	text, err := source.Read(path)
	if err != nil {
		return nil, diagnostic.New(formatCode, source.Span{}, "cannot read "+path+": "+reason(err)).
			WithHint("give the path of an .ipynb file")
	}
	nb, err := read(path, text)
	if err != nil {
		return nil, err
	}
	switch kernel, language := nb.language(); language {
	case "", "sysml", "kerml", "starlark":
	default:
		return nil, diagnostic.New(kernelCode, source.Span{},
			fmt.Sprintf("%s is written for the kernel %q, whose language is %s", path, kernel, language)).
			WithHint("run it with that kernel, or choose the kernel sysml in it")
	}
	if err := nb.fill(parameters); err != nil {
		return nil, err
	}
	return nb, nil
}

// A runner is one execution of one notebook.
type runner struct {
	nb    *notebook
	shell Shell
	o     Options
	count int // execution count
	// shown maps a display id to the outputs that show it.
	shown map[string][]object
}

func (r *runner) run(ctx context.Context) int {
	r.shown = map[string][]object{}
	code := 0
	for _, cell := range r.nb.cells {
		if cell["cell_type"] == "code" {
			code++
			cell["outputs"], cell["execution_count"] = []any{}, nil
		}
	}
	status, at := Held, 0
	for _, cell := range r.nb.cells {
		text, _ := joined(cell["source"])
		if cell["cell_type"] != "code" {
			continue
		}
		at++
		if strings.TrimSpace(text) == "" {
			continue
		}
		s, on := r.cell(ctx, cell, text, fmt.Sprintf("%d/%d", at, code))
		if !on {
			return s
		}
		if status != Failed && s != Held {
			status = s
		}
	}
	return status
}

// cell executes one code cell; label says where in the notebook it stands. It
// returns the status and whether the run goes on: a cell that ends in an error
// stops it, one that reports a violation does not.
func (r *runner) cell(ctx context.Context, cell object, text, label string) (status int, on bool) {
	r.count++
	cell["execution_count"] = json.Number(fmt.Sprint(r.count))
	sink := &sink{r: r, cell: cell, Console: magics.Console{Out: r.o.Out, Err: r.o.Err}}
	if r.o.Live {
		sink.Columns = func() int { return r.o.Width }
	}
	sink.heading(text, label)
	run, cancel := ctx, context.CancelFunc(func() {})
	if r.o.Timeout > 0 {
		run, cancel = context.WithTimeout(ctx, r.o.Timeout)
	}
	defer cancel()
	id, _ := cell["id"].(string)
	language := magics.SysML
	if _, name := r.nb.language(); name == "starlark" {
		language = magics.Starlark
	}
	name := fmt.Sprintf("cell %d", r.count)
	outcome := r.shell.Execute(run, magics.Cell{Code: text, ID: id, Name: name, Language: language, Count: r.count}, sink)
	if run.Err() != nil && ctx.Err() == nil && outcome.Err != nil {
		outcome.Err = timedOut(r.o.Timeout, outcome.Err)
	}
	sink.EndLine()
	if outcome.Err != nil {
		sink.fail(outcome.Err)
		switch {
		case run.Err() != nil:
			return Stopped, false
		case tagged(cell, "raises-exception"):
			return Held, true
		}
		return Failed, false
	}
	if tagged(cell, "expected-violation") {
		return Held, true
	}
	return outcome.Verdict, true
}

func timedOut(limit time.Duration, was *magics.CellError) *magics.CellError {
	d := diagnostic.New(timeoutCode, source.Span{}, fmt.Sprintf("the cell ran longer than %v and was stopped", limit)).
		WithHint("allow more with --timeout, or bound the cell's own work")
	return &magics.CellError{Name: string(d.Code), Value: d.Message, Diagnostics: append(diagnostic.List{d}, was.Diagnostics...)}
}

func report(w io.Writer, err error, color bool) {
	for _, d := range diagnostic.Of(err) {
		_, _ = io.WriteString(w, diagnostic.Text(d, diagnostic.Style{Color: color}))
	}
}
