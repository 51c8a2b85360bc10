package plan

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
)

// This file holds what cells can say to their front end beside print, show and
// input, and the view of their own variables.

// outputs are the builtins of this file.
func (c *Cells) outputs() []lang.Builtin {
	return []lang.Builtin{
		{Name: "clear_output", Class: lang.Declare, Signature: "clear_output(wait=False)", Summary: "remove the outputs of the cell so far; with wait, when the next one comes", Call: clearOutput},
		{Name: "eprint", Class: lang.Declare, Signature: "eprint(*args, sep=\" \")", Summary: "print to the error stream", Call: eprint},
		{Name: "globals", Class: lang.Pure, Signature: "globals()", Summary: "the variables of the cells, as a new dict", Call: c.variables},
	}
}

func clearOutput(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	wait := false
	if err := starlark.UnpackArgs("clear_output", args, kwargs, "wait?", &wait); err != nil {
		return nil, err
	}
	if env, ok := lang.Of(thread).Environment.(*cellEnvironment); ok && env.console.Clear != nil {
		env.console.Clear(wait)
	}
	return starlark.None, nil
}

func eprint(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	sep := " "
	if err := starlark.UnpackArgs("eprint", nil, kwargs, "sep?", &sep); err != nil {
		return nil, err
	}
	text := ""
	for i, v := range args {
		if i > 0 {
			text += sep
		}
		if s, ok := starlark.AsString(v); ok {
			text += s
		} else {
			text += lang.Printed(v)
		}
	}
	if env, ok := lang.Of(thread).Environment.(*cellEnvironment); ok && env.console.PrintError != nil {
		env.console.PrintError(text + "\n")
	}
	return starlark.None, nil
}

func (c *Cells) variables(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args)+len(kwargs) > 0 {
		return nil, fmt.Errorf("globals: takes no arguments")
	}
	d := starlark.NewDict(8)
	for _, name := range c.globals.Names() {
		if v := c.globals.Get(name); v != nil {
			if err := d.SetKey(starlark.String(name), v); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}
