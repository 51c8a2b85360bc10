package plan

import (
	"context"
	"fmt"
	"runtime/debug"
	"sort"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
)

// A Console is where a cell writes to and asks while it runs. A nil function
// drops what it would be given; without Ask, input() is an error.
type Console struct {
	// Print takes the text of print(), complete lines with their ending.
	Print func(text string)
	// PrintError takes the text of eprint().
	PrintError func(text string)
	// Clear removes the outputs of the cell so far; with wait, only when the
	// next one comes.
	Clear func(wait bool)
	// Display takes what show() puts out.
	Display func(b render.Bundle)
	// Ask reads a line from the user.
	Ask func(ctx context.Context, prompt string) (string, error)
}

// CellOptions bound what one cell may use. The zero CellOptions have the
// defaults of lang.Limits, save for steps: somebody sits before a cell, sees it
// run and can interrupt it, so that half a second of work is no limit for it.
type CellOptions struct {
	Limits lang.Limits
	// Dir is what paths in load() and model.open() are relative to.
	Dir string
	// Adopt makes the end of a leaf of the last walk the session's; nil where
	// there are no walks. The text is what to say of it.
	Adopt func(ctx context.Context, leaf string) (string, error)
}

// Cells runs Starlark cells over one session. Globals live on from cell to
// cell; a function of an earlier cell sees what a later one assigns. One
// goroutine at a time.
type Cells struct {
	session *runtime.Session
	options CellOptions
	texts   *lang.Texts
	globals *lang.Globals
	api     *api.Environment
}

// cellSteps are some hours of the interpreter.
const cellSteps = 1 << 40

// NewCells makes Cells without globals over session.
func NewCells(session *runtime.Session, o CellOptions) *Cells {
	if o.Limits.Steps <= 0 {
		o.Limits.Steps = cellSteps
	}
	c := &Cells{session: session, options: o, texts: lang.NewTexts()}
	c.api = api.ForCells(session, &api.Models{Dir: o.Dir, Session: session})
	c.globals = lang.NewGlobals(c.texts, c.builtins())
	return c
}

// plansOnly are the operators that a cell, which has no leaves, goes without.
var plansOnly = map[string]bool{"test": true, "assume": true, "monitor": true, "eventually": true, "always": true}

// list is the builtins of a cell.
func (c *Cells) list() []lang.Builtin {
	list := []lang.Builtin{
		{Name: "input", Class: lang.Block, Signature: "input(prompt=\"\")", Summary: "ask the user for a line of text", Call: c.input},
		{Name: "show", Class: lang.Declare, Signature: "show(value, ...)", Summary: "display values as the result of a cell is displayed", Call: show},
	}
	if c.options.Adopt != nil {
		list = append(list, lang.Builtin{Name: "adopt", Class: lang.Run, Signature: "adopt(leaf)", Summary: "make the objects that a leaf of the last walk ends with the session's", Call: c.adopt})
	}
	list = append(list, c.outputs()...)
	for _, b := range lang.Operators() {
		if !plansOnly[b.Name] {
			list = append(list, b)
		}
	}
	return append(list, api.Builtins()...)
}

// builtins is what a cell can name beside its own globals.
func (c *Cells) builtins() starlark.StringDict {
	env := lang.Values()
	for n, v := range api.Values() {
		env[n] = v
	}
	for _, b := range c.list() {
		env[b.Name] = b.Value()
	}
	return env
}

// Run executes file, whose text is Starlark, and gives the value of its last
// statement where that is an expression other than None; otherwise the Bundle
// is empty. What ran before an error stays. The error is a diagnostic.
func (c *Cells) Run(ctx context.Context, file *source.File, console Console) (result render.Bundle, err error) {
	defer func() {
		if r := recover(); r != nil {
			result = render.Bundle{}
			err = diagnostic.New(diagnostic.Internal, source.Span{File: file}, fmt.Sprintf("a builtin failed: %v", r)).
				WithHint("the session is kept; please report this with the cell\n" + firstFrames(debug.Stack()))
		}
	}()
	text, err := c.texts.Parse(file)
	if err != nil {
		return render.Bundle{}, err
	}
	thread, release := lang.NewThread(file.Name, &lang.Context{
		Ctx: ctx, Phase: lang.AtCell, Print: console.Print, Environment: &cellEnvironment{cells: c, console: console},
	}, c.options.Limits)
	defer release()
	v, err := c.globals.Exec(thread, text, c.nearest)
	if err != nil || v == nil || v == starlark.None {
		return render.Bundle{}, err
	}
	return bundleOf(v), nil
}

// cellEnvironment is what the builtins of a cell find on their thread.
type cellEnvironment struct {
	cells   *Cells
	console Console
}

// API is what the builtins over models keep.
func (e *cellEnvironment) API() *api.Environment { return e.cells.api }

// Seed is that of use(), or of the session.
func (e *cellEnvironment) Seed(thread *starlark.Thread) int64 { return e.cells.api.Seed(thread) }

// Globals lists the variables of the cells in alphabetical order.
func (c *Cells) Globals() []string { return c.globals.Names() }

// Text is how the variable called name prints, and whether there is one.
func (c *Cells) Text(name string) (string, bool) {
	for _, n := range c.globals.Names() {
		if n == name {
			return bundleOf(c.globals.Get(n)).PlainText(), true
		}
	}
	return "", false
}

// Reset forgets all variables.
func (c *Cells) Reset() {
	for _, n := range c.globals.Names() {
		c.globals.Set(n, nil)
	}
}

// names is every name that a cell can use, in alphabetical order.
func (c *Cells) names() []string {
	names := c.globals.Names()
	for n := range c.builtins() {
		names = append(names, n)
	}
	for n := range starlark.Universe {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func (c *Cells) nearest(name string) string { return spell.First(name, c.names()) }

// input asks the user for a line.
func (c *Cells) input(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	prompt := ""
	if err := starlark.UnpackArgs("input", args, kwargs, "prompt?", &prompt); err != nil {
		return nil, err
	}
	at := lang.Of(thread)
	env, ok := at.Environment.(*cellEnvironment)
	if !ok || env.console.Ask == nil {
		return nil, fmt.Errorf("input: nobody can be asked here")
	}
	answer, err := env.console.Ask(at.Ctx, prompt)
	if err != nil {
		return nil, err
	}
	return starlark.String(answer), nil
}

// adopt takes over the World that a leaf of the last walk ends with.
func (c *Cells) adopt(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var leaf string
	if err := starlark.UnpackArgs("adopt", args, kwargs, "leaf", &leaf); err != nil {
		return nil, err
	}
	text, err := c.options.Adopt(lang.Of(thread).Ctx, leaf)
	if err != nil {
		return nil, err
	}
	thread.Print(thread, text)
	return starlark.None, nil
}

// show displays each argument.
func show(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("show: unexpected keyword argument %s", kwargs[0][0])
	}
	env, ok := lang.Of(thread).Environment.(*cellEnvironment)
	if !ok || env.console.Display == nil {
		return starlark.None, nil
	}
	for _, v := range args {
		env.console.Display(bundleOf(v))
	}
	return starlark.None, nil
}

// A Shown value knows how it is displayed.
type Shown interface{ Bundle() render.Bundle }

// bundleOf is how v is displayed.
func bundleOf(v starlark.Value) render.Bundle {
	if s, ok := v.(Shown); ok {
		return s.Bundle()
	}
	return render.Text(lang.Printed(v))
}

// firstFrames is the part of a stack that a report needs.
func firstFrames(stack []byte) string {
	if len(stack) > 2000 {
		stack = stack[:2000]
	}
	return string(stack)
}
