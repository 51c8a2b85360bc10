package magics

import (
	"path/filepath"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file runs behaviours from their start to their end.

const runFamily = "Running"

func runMagics() []*magic {
	return []*magic{{
		name: "run", family: runFamily,
		arguments: []argument{{name: "BEHAVIOUR", kind: kindBehavior}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
		flags: performFlags(
			flag{name: "send", kind: kindExpression, summary: "signals for a state machine, with commas between them; it comes to rest behind each"},
			flag{name: "keep", kind: kindSwitch, summary: "make what the run leaves behind the state of the session"},
			flag{name: "trace", kind: kindSwitch, summary: "show the trace"}),
		summary: "run an action, state machine or case to its end, or a file as a cell",
		help:    "The run works on a copy of the session and leaves the session as it was, unless --keep is given. It shows outputs, the final state and every choice that was taken.",
		example: "%run Demo::Race\n%run Demo::Race --schedule declared",
		run:     runRun,
	}}
}

// settingFlags are the four settings as flags of a magic.
func settingFlags() []flag {
	return []flag{
		{name: "schedule", kind: kindWord, fallback: "that of the session", summary: "how open orders are resolved, as in %schedule"},
		{name: "seed", kind: kindWord, fallback: "that of the session", summary: "the seed of the model's own randomness"},
		{name: "draws", kind: kindOneOf, values: []string{"random", "min", "max", "average"}, fallback: "that of the session", summary: "what a call of a random function takes"},
		{name: "clock-step", kind: kindWord, fallback: "that of the session", summary: "the tick of the clock"},
	}
}

// performFlags are the flags of a magic that performs a behaviour: the settings,
// the object that performs it, and what else there is.
func performFlags(more ...flag) []flag {
	return append(append(settingFlags(), flag{name: "on", kind: kindObject, summary: "the object that performs it"}), more...)
}

// performance reads how the line wants the behaviour that w names performed.
func (c *call) performance(w word) (o runtime.RunOptions, err error) {
	settings, err := c.settings()
	if err != nil {
		return o, err
	}
	o.Settings = &settings
	if o.Inputs, err = c.inputs(c.words("p=EXPR")); err != nil {
		return o, err
	}
	o.Element, o.On, err = c.behavior(w)
	return o, err
}

// settings are those of the session with the flags of the magic on top.
func (c *call) settings() (schedule.Settings, error) {
	s := c.shell.session.Settings()
	for _, name := range schedule.Names() {
		if w := c.word(name); w.text != "" {
			if d := s.Set(name, w.plain()); d != nil {
				return s, placed(d, w.span)
			}
		}
	}
	s.Schedule.File = c.shell.witnessPath(s.Schedule.File)
	return s, nil
}

// witnessPath is the path of a witness file from wherever the process stands.
func (s *Shell) witnessPath(file string) string {
	if file == "" {
		return ""
	}
	return s.path(file)
}

// inputs are the values of the assignments among the arguments.
func (c *call) inputs(words []word) ([]runtime.Argument, error) {
	return c.inputsIn(c.shell.session, words)
}

// inputsIn is inputs in a copy of the session.
func (c *call) inputsIn(session *runtime.Session, words []word) ([]runtime.Argument, error) {
	var list []runtime.Argument
	for _, w := range words {
		name, right, ok := assignment(w)
		if !ok {
			return nil, usageError(c.line.magic, w.span, "expected p=EXPR, not "+w.text)
		}
		v, err := c.evaluateIn(session, right, "")
		if err != nil {
			return nil, err
		}
		list = append(list, runtime.Argument{Name: unquoted(name.text), Value: v})
	}
	return list, nil
}

func runRun(c *call) error {
	w := c.word("BEHAVIOUR")
	if ext := strings.ToLower(filepath.Ext(w.plain())); ext == ".sysml" || ext == ".kerml" || ext == ".star" || ext == ".plan" {
		return c.runFile(w)
	}
	o, err := c.performance(w)
	switch {
	case err != nil:
		return err
	case isCase(o.Element):
		return c.runCase(w, o.Inputs)
	case isCalculation(o.Element):
		v, err := c.shell.session.Call(c.ctx, w.text, nil, o.Inputs)
		if err != nil {
			return placed(err, w.span)
		}
		c.result(c.shell.valueBundle(v))
		return nil
	}
	if o.Events, err = c.events(c.word("send")); err != nil {
		return err
	}
	if p := o.Settings.Schedule; p.Kind == schedule.Explored {
		return c.explore(runtime.ExploreRequest{Element: o.Element, Behavior: w.text, On: o.On, Inputs: o.Inputs, Events: o.Events,
			Settings: o.Settings, Runs: p.Runs, Depth: p.Depth})
	}
	o.Keep, o.Trace, o.FromStart, o.OneByOne = c.has("keep"), c.shell.tracing || c.has("trace"), true, true
	r, err := c.shell.session.Run(c.ctx, w.text, o)
	if err != nil {
		return placed(err, w.span)
	}
	return c.showRun(r)
}

func isCalculation(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.CalculationDefinition, syntax.CalculationUsage, syntax.Function:
		return true
	}
	return false
}

// showRun shows a run. What it failed with is the error of the cell.
func (c *call) showRun(r *runtime.Run) error {
	if r.Trace != "" {
		c.shell.lastTrace = traceLines(r.Trace)
	}
	c.display(render.Run(r))
	if r.Err != nil {
		return placed(r.Err, c.word("BEHAVIOUR").span)
	}
	return nil
}

// runFile runs a file as a cell.
func (c *call) runFile(w word) error {
	files, err := c.shell.texts(c.ctx, w.plain(), w.span)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := c.cell.cell
		c.cell.cell.ID, c.cell.cell.Name = "\x01"+f.Name, f.Name
		texts := c.cell.texts
		c.cell.texts = 0
		err := c.cell.as(SysML, func() error {
			return c.cell.within(&source.File{Name: f.Name, Text: f.Text, Language: f.Language}, 0, c.cell.sink, c.last)
		})
		c.cell.forgetLeftovers()
		c.cell.cell, c.cell.texts = name, texts
		if err != nil {
			return err
		}
	}
	return nil
}
