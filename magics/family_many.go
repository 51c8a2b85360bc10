package magics

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
)

// This file runs one behaviour or calculation many times.

// maxRuns bounds one magic of this file.
const maxRuns = 100_000

func manyMagics() []*magic {
	return []*magic{
		{
			name: "sweep", family: runFamily,
			arguments: []argument{{name: "BEHAVIOUR", kind: kindBehavior}, {name: "p=EXPR", kind: kindAssignment, repeated: true}},
			flags:     performFlags(),
			summary:   "run a calculation or behaviour for every combination of values",
			help:      "A parameter takes the values of a sequence in turn: n = (1, 2, 5) or n = 1..10. The last one changes fastest.",
			example:   "%sweep Demo::Double n = 1..4",
			run:       runSweep,
		},
		{
			name: "runs", family: runFamily,
			arguments: []argument{{name: "BEHAVIOUR", kind: kindBehavior}, {name: "N", kind: kindCount}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			flags:     performFlags(),
			summary:   "run a behaviour N times with other seeds and show what came out how often",
			help:      "Run number i takes the seed of the session plus i for the model's own randomness, and, under the schedule seed:S, S plus i for the orders.",
			example:   "%runs Demo::Race 100 --schedule seed:1",
			run:       runRuns,
		},
		{
			name: "samples", family: runFamily,
			arguments: []argument{{name: "BEHAVIOUR", kind: kindBehavior}, {name: "N", kind: kindCount}, {name: "p=EXPR", kind: kindAssignment, repeated: true}},
			flags:     performFlags(),
			summary:   "run a calculation or behaviour N times with parameters that are drawn anew each time",
			help: "A parameter takes one of the values of a sequence, each as likely: n = (1, 2, 5) or n = 1..10. Any other expression is evaluated for each run, " +
				"such as m = RandomFunctions::normal(10.0, 0.5). Run number i draws with the seed of the session plus i, so that the same line gives the same samples.",
			example: "%samples Demo::Double 20 n = 1..6",
			run:     runSamples,
		},
	}
}

// A subject is what a magic of this file runs again and again.
type subject struct {
	c        *call
	name     word
	element  *model.Element
	on       string
	calc     bool
	settings schedule.Settings
}

func (c *call) subject() (*subject, error) {
	s := &subject{c: c, name: c.word("BEHAVIOUR")}
	var err error
	if s.element, s.on, err = c.behavior(s.name); err != nil {
		return nil, err
	}
	s.calc = isCalculation(s.element)
	s.settings, err = c.settings()
	return s, err
}

// once runs the subject and gives its outputs; a failed run is its message.
func (s *subject) once(settings schedule.Settings, inputs []runtime.Argument) ([]runtime.Output, error) {
	session := s.c.shell.session
	if s.calc {
		session = s.c.copied(settings)
		v, err := session.Call(s.c.ctx, s.name.text, nil, inputs)
		if err != nil {
			return nil, placed(err, s.name.span)
		}
		return []runtime.Output{{Name: "result", Value: v, Text: session.Text(v)}}, nil
	}
	r, err := session.Run(s.c.ctx, s.name.text, runtime.RunOptions{Element: s.element, On: s.on, Inputs: inputs, Settings: &settings})
	if err != nil {
		return nil, placed(err, s.name.span)
	}
	if r.Err != nil {
		return nil, placed(r.Err, s.name.span)
	}
	if r.FinalState != "" {
		r.Outputs = append(r.Outputs, runtime.Output{Name: "final state", Value: value.Text(r.FinalState), Text: r.FinalState})
	}
	return r.Outputs, nil
}

func runSweep(c *call) error {
	s, err := c.subject()
	if err != nil {
		return err
	}
	inputs, err := c.inputs(c.words("p=EXPR"))
	if err != nil {
		return err
	}
	total := 1
	for i, in := range inputs {
		if in.Value.Len() == 0 {
			return diagnostic.New(codeMagicUsage, c.words("p=EXPR")[i].span, in.Name+" is given no value to go through")
		}
		total *= in.Value.Len()
		if total > maxRuns {
			return diagnostic.New(codeMagicUsage, c.span(), fmt.Sprintf("that is more than %d combinations", maxRuns))
		}
	}
	t := &render.Table{}
	var grid points
	for _, in := range inputs {
		t.Columns = append(t.Columns, render.Column{Title: in.Name, Right: true, Tone: render.Code})
	}
	named := len(t.Columns)
	for i := range total {
		c.cell.sink.Progress(Progress{Label: "sweeping " + s.name.text, Done: int64(i), Total: int64(total), Unit: "runs", Ended: i == total-1})
		at := combination(inputs, i)
		outputs, err := s.once(s.settings, at)
		if err != nil {
			return err
		}
		grid.add(at, outputs)
		row := make([]render.Cell, named)
		for k, in := range at {
			row[k].Text = c.shell.session.Text(in.Value)
		}
		for _, o := range outputs {
			if slices.ContainsFunc(at, func(in runtime.Argument) bool { return in.Name == o.Name }) {
				continue
			}
			k := slices.IndexFunc(t.Columns[named:], func(col render.Column) bool { return col.Title == o.Name })
			if k < 0 {
				k = len(t.Columns) - named
				t.Columns = append(t.Columns, render.Column{Title: o.Name, Right: true, Tone: render.Code})
			}
			for len(row) <= named+k {
				row = append(row, render.Cell{})
			}
			row[named+k].Text = o.Text
		}
		t.Rows = append(t.Rows, row)
	}
	c.display(t.Bundle())
	for _, p := range grid.lines() {
		c.display(drawing(p, p.Text))
	}
	return nil
}

// combination is number i of the combinations of the values of inputs; the
// last input changes fastest.
func combination(inputs []runtime.Argument, i int) []runtime.Argument {
	at := slices.Clone(inputs)
	for k := len(at) - 1; k >= 0; k-- {
		v := at[k].Value
		n := v.Len()
		if !v.Kind().IsCollection() || n == 0 {
			continue
		}
		at[k].Value = v.At(i % n)
		i /= n
	}
	return at
}

func runRuns(c *call) error {
	s, err := c.subject()
	if err != nil {
		return err
	}
	inputs, err := c.inputs(c.words("p=EXPR"))
	if err != nil {
		return err
	}
	n := int(c.integer("N", 1))
	if n > maxRuns {
		return usageError(c.line.magic, c.word("N").span, fmt.Sprintf("N is at most %d", maxRuns))
	}
	var found tallies
	for i := range n {
		c.cell.sink.Progress(Progress{Label: "running " + s.name.text, Done: int64(i), Total: int64(n), Unit: "runs", Ended: i == n-1})
		settings := s.numbered(i)
		outputs, err := s.once(settings, inputs)
		if err != nil {
			return err
		}
		found.add(outputs)
	}
	c.printf("%s: %d runs\n", s.name.text, n)
	for _, t := range found {
		c.display(t.bundle())
	}
	return nil
}

// numbered is the settings of run number i.
func (s *subject) numbered(i int) schedule.Settings {
	settings := s.settings
	settings.Seed, settings.Seeded = settings.Seed+int64(i), true
	settings.Schedule.Seed += uint64(i)
	return settings
}

func runSamples(c *call) error {
	s, err := c.subject()
	if err != nil {
		return err
	}
	n := int(c.integer("N", 1))
	if n > maxRuns {
		return usageError(c.line.magic, c.word("N").span, fmt.Sprintf("N is at most %d", maxRuns))
	}
	var found tallies
	var cloud points
	for i := range n {
		c.cell.sink.Progress(Progress{Label: "sampling " + s.name.text, Done: int64(i), Total: int64(n), Unit: "runs", Ended: i == n-1})
		settings := s.numbered(i)
		at, err := s.draw(settings, c.words("p=EXPR"))
		if err != nil {
			return err
		}
		outputs, err := s.once(settings, at)
		if err != nil {
			return err
		}
		found.add(outputs)
		cloud.add(at, outputs)
	}
	c.printf("%s: %d samples\n", s.name.text, n)
	for _, t := range found {
		c.display(t.bundle())
	}
	for _, p := range cloud.clouds() {
		c.display(drawing(p, p.Text))
	}
	return nil
}

// draw evaluates the parameters of one sample on a copy of the session, and
// takes one value of those that are sequences.
func (s *subject) draw(settings schedule.Settings, words []word) ([]runtime.Argument, error) {
	settings.Seed = ^settings.Seed // a stream apart from that of the run
	inputs, err := s.c.inputsIn(s.c.copied(settings), words)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(uint64(settings.Seed), 0))
	for k, in := range inputs {
		if n := in.Value.Len(); in.Value.Kind().IsCollection() && n > 0 {
			inputs[k].Value = in.Value.At(random.IntN(n))
		}
	}
	return inputs, nil
}

// copied is a copy of the session with other settings, its random stream begun
// by their seed.
func (c *call) copied(settings schedule.Settings) *runtime.Session {
	session := c.shell.session.Fork()
	session.SetSettings(settings)
	session.Reseed()
	return session
}
