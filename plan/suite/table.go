package suite

import (
	"sort"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// A table counts, for every choice and every pair of choices, the leaves with
// a verdict that made them, and those that failed.
type table struct {
	choices map[string]int // axis=label -> number
	names   []string
	counts  map[[2]int][2]int // failing, all; the second number is -1 for one choice
	wide    bool              // a leaf had too many axes
	passed  bool              // some leaf did
}

// maxTableAxes bounds the axes of a leaf that are paired.
const maxTableAxes = 16

func newTable() *table {
	return &table{choices: map[string]int{}, counts: map[[2]int][2]int{}}
}

func (t *table) number(c bundle.ChoiceValue) int {
	label := c.Label
	if label == "" {
		label = c.Key
	}
	text := c.Axis + "=" + label
	n, ok := t.choices[text]
	if !ok {
		n = len(t.names)
		t.choices[text] = n
		t.names = append(t.names, text)
	}
	return n
}

func (t *table) add(p []bundle.ChoiceValue, failed bool) {
	t.passed = t.passed || !failed
	if len(p) > maxTableAxes {
		t.wide = true
		return
	}
	var numbers [maxTableAxes]int
	for i, x := range p {
		numbers[i] = t.number(x)
	}
	note := func(key [2]int) {
		c := t.counts[key]
		if failed {
			c[0]++
		}
		c[1]++
		t.counts[key] = c
	}
	for i := range p {
		note([2]int{numbers[i], -1})
		for j := range i {
			note([2]int{min(numbers[i], numbers[j]), max(numbers[i], numbers[j])})
		}
	}
}

// maxFails is how many sets of choices are reported.
const maxFails = 10

// failsWhen is the smallest sets of choices with which every leaf failed; none
// where every leaf did.
func (t *table) failsWhen() []bundle.FailsWhen {
	if t.wide || !t.passed {
		return nil
	}
	var keys [][2]int
	for k, c := range t.counts {
		if c[0] == c[1] {
			keys = append(keys, k)
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		if (a[1] < 0) != (b[1] < 0) {
			return a[1] < 0
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		return a[1] < b[1]
	})
	single := map[int]bool{}
	var out []bundle.FailsWhen
	for _, k := range keys {
		if k[1] < 0 {
			single[k[0]] = true
		} else if single[k[0]] || single[k[1]] {
			continue
		}
		f := bundle.FailsWhen{Choices: []string{t.names[k[0]]}, Failing: t.counts[k][0], Of: t.counts[k][1]}
		if k[1] >= 0 {
			f.Choices = append(f.Choices, t.names[k[1]])
		}
		if out = append(out, f); len(out) == maxFails {
			break
		}
	}
	return out
}
