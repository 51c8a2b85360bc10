package magics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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
			flags:     append(settingFlags(), flag{name: "on", kind: kindObject, summary: "the object that performs it"}),
			summary:   "run a calculation or behaviour for every combination of values",
			help:      "A parameter takes the values of a sequence in turn: n = (1, 2, 5) or n = 1..10. The last one changes fastest.",
			example:   "%sweep Demo::Double n = 1..4",
			run:       runSweep,
		},
		{
			name: "runs", family: runFamily,
			arguments: []argument{{name: "BEHAVIOUR", kind: kindBehavior}, {name: "N", kind: kindCount}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			flags:     append(settingFlags(), flag{name: "on", kind: kindObject, summary: "the object that performs it"}),
			summary:   "run a behaviour N times with other seeds and show what came out how often",
			help:      "Run number i takes the seed of the session plus i for the model's own randomness, and, under the schedule seed:S, S plus i for the orders.",
			example:   "%runs Demo::Race 100 --schedule seed:1",
			run:       runRuns,
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
	for _, in := range inputs {
		total *= max(in.Value.Len(), 1)
		if total > maxRuns {
			return diagnostic.New(codeMagicUsage, c.span(), fmt.Sprintf("that is more than %d combinations", maxRuns))
		}
	}
	t := &render.Table{}
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
	var tallies []*tally
	for i := range n {
		c.cell.sink.Progress(Progress{Label: "running " + s.name.text, Done: int64(i), Total: int64(n), Unit: "runs", Ended: i == n-1})
		settings := s.settings
		settings.Seed, settings.Seeded = settings.Seed+int64(i), true
		settings.Schedule.Seed += uint64(i)
		outputs, err := s.once(settings, inputs)
		if err != nil {
			return err
		}
		for _, o := range outputs {
			k := slices.IndexFunc(tallies, func(t *tally) bool { return t.name == o.Name })
			if k < 0 {
				k = len(tallies)
				tallies = append(tallies, &tally{name: o.Name, counts: map[string]int{}})
			}
			tallies[k].add(o)
		}
	}
	c.printf("%s: %d runs\n", s.name.text, n)
	for _, t := range tallies {
		c.display(t.table().Bundle())
	}
	return nil
}

// A tally counts the values of one output.
type tally struct {
	name    string
	total   int
	counts  map[string]int
	order   []string // of first appearance
	numbers []float64
}

func (t *tally) add(o runtime.Output) {
	if t.counts[o.Text] == 0 {
		t.order = append(t.order, o.Text)
	}
	t.counts[o.Text]++
	t.total++
	if x, ok := o.Value.AsFloat(); ok {
		t.numbers = append(t.numbers, x)
	}
}

const barWidth = 30

// table is the values with how often they came; many different numbers are
// gathered in ten classes.
func (t *tally) table() *render.Table {
	out := &render.Table{Columns: []render.Column{{Title: t.name, Right: true, Tone: render.Code}, {Title: "runs", Right: true}, {Title: "share", Right: true}, {}}}
	if len(t.numbers) == t.total && len(t.order) > 12 {
		t.classes(out)
	} else {
		order := slices.Clone(t.order)
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(t.counts[b], t.counts[a]) })
		for i, text := range order {
			if i == 20 && len(order) > 21 {
				out.Row(fmt.Sprintf("%d more", len(order)-20))
				break
			}
			t.row(out, text, t.counts[text])
		}
	}
	if len(t.numbers) == t.total && len(t.order) > 1 {
		out.Note = t.moments()
	}
	return out
}

func (t *tally) row(out *render.Table, text string, n int) {
	share := float64(n) / float64(t.total)
	out.Row(text, strconv.Itoa(n), strconv.FormatFloat(100*share, 'f', 1, 64)+" %", strings.Repeat("█", int(math.Round(share*barWidth))))
}

func (t *tally) classes(out *render.Table) {
	const classes = 10
	low, high := slices.Min(t.numbers), slices.Max(t.numbers)
	width := (high - low) / classes
	var counts [classes]int
	for _, x := range t.numbers {
		counts[min(int((x-low)/width), classes-1)]++
	}
	for i, n := range counts {
		from, to := low+float64(i)*width, low+float64(i+1)*width
		t.row(out, strconv.FormatFloat(from, 'g', 4, 64)+" … "+strconv.FormatFloat(to, 'g', 4, 64), n)
	}
}

// moments is the mean, the standard deviation and the extremes, in a line.
func (t *tally) moments() string {
	sum := 0.0
	for _, x := range t.numbers {
		sum += x
	}
	mean := sum / float64(len(t.numbers))
	square := 0.0
	for _, x := range t.numbers {
		d := float64(x - mean)
		square += float64(d * d)
	}
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
	return fmt.Sprintf("mean %s, standard deviation %s, from %s to %s", short(mean), short(math.Sqrt(square/float64(len(t.numbers)))),
		short(slices.Min(t.numbers)), short(slices.Max(t.numbers)))
}
