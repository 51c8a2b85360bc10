package magics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
)

// This file counts what many runs gave, and draws it.

// tallies are those of the outputs of many runs, in the order in which the
// outputs appeared.
type tallies []*tally

func (l *tallies) add(outputs []runtime.Output) {
	for _, o := range outputs {
		k := slices.IndexFunc(*l, func(t *tally) bool { return t.name == o.Name })
		if k < 0 {
			k = len(*l)
			*l = append(*l, &tally{name: o.Name, counts: map[string]int{}})
		}
		(*l)[k].add(o)
	}
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

// many reports whether the values are numbers, and too many to list.
func (t *tally) many() bool { return len(t.numbers) == t.total && len(t.order) > 12 }

// ordered is the different values, the most frequent first.
func (t *tally) ordered() []string {
	order := slices.Clone(t.order)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(t.counts[b], t.counts[a]) })
	return order
}

// bundle is t as a table of text and as a plot.
func (t *tally) bundle() render.Bundle {
	table := t.table()
	p := t.picture()
	return drawing(p, table.Text)
}

// picture is a histogram of many numbers, else a bar for each value.
func (t *tally) picture() *picture.Picture {
	if t.many() {
		return picture.Histogram(t.name, t.name, t.numbers)
	}
	label := ""
	if t.name != "" {
		label = t.name + " = "
	}
	var bars []picture.Bar
	for i, text := range t.ordered() {
		if i == 20 {
			break
		}
		n := t.counts[text]
		bars = append(bars, picture.Bar{Label: label + text, Value: float64(n), Text: fmt.Sprintf("%d of %d (%.1f %%)", n, t.total, 100*float64(n)/float64(t.total))})
	}
	return picture.Bars(t.name, bars)
}

const barWidth = 30

// table is the values with how often they came; many different numbers are
// gathered in the classes of their histogram.
func (t *tally) table() *render.Table {
	out := &render.Table{Columns: []render.Column{{Title: t.name, Right: true, Tone: render.Code}, {Title: "runs", Right: true}, {Title: "share", Right: true}, {}}}
	d := picture.Distribute(t.numbers)
	if t.many() {
		for _, c := range d.Classes {
			t.row(out, c.Label(), c.Count)
		}
	} else {
		order := t.ordered()
		for i, text := range order {
			if i == 20 && len(order) > 21 {
				out.Row(fmt.Sprintf("%d more", len(order)-20))
				break
			}
			t.row(out, text, t.counts[text])
		}
	}
	if len(t.numbers) == t.total && len(t.order) > 1 {
		out.Note = moments(d)
	}
	return out
}

func (t *tally) row(out *render.Table, text string, n int) {
	share := float64(n) / float64(t.total)
	out.Row(text, strconv.Itoa(n), strconv.FormatFloat(100*share, 'f', 1, 64)+" %", strings.Repeat("█", int(math.Round(share*barWidth))))
}

// moments is the mean, the standard deviation and the extremes, in a line, and
// how many numbers are too large for them.
func moments(d *picture.Distribution) string {
	if d.Numbers == 0 {
		return fmt.Sprintf("%d left out", d.LeftOut)
	}
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
	text := fmt.Sprintf("mean %s, standard deviation %s, from %s to %s", short(d.Mean), short(d.Deviation), short(d.Least), short(d.Greatest))
	if d.LeftOut > 0 {
		text += fmt.Sprintf("; %d left out", d.LeftOut)
	}
	return text
}
