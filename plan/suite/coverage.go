package suite

import (
	"github.com/orrery-sysml/orrery/plan/bundle"
)

// A coverage watches which options, and which pairs of options, a leaf with a
// verdict had. A halted leaf masks the options that it took: it does not count.
type coverage struct {
	order    []string // axes as met
	axes     map[string]*axisCoverage
	paired   map[[2]string]map[[2]int]bool // pairs of axes that some leaf has -> options with a verdict
	together [][2]string                   // the keys of paired as met
	wide     bool
}

type axisCoverage struct {
	options int
	labels  map[int]string // of the options that were met
	judged  map[int]bool
}

func newCoverage() *coverage {
	return &coverage{axes: map[string]*axisCoverage{}, paired: map[[2]string]map[[2]int]bool{}}
}

// add takes in the choices of one leaf.
func (c *coverage) add(choices []bundle.ChoiceValue, decided bool) {
	for _, x := range choices {
		a := c.axes[x.Axis]
		if a == nil {
			a = &axisCoverage{labels: map[int]string{}, judged: map[int]bool{}}
			c.axes[x.Axis] = a
			c.order = append(c.order, x.Axis)
		}
		a.options = max(a.options, x.Of)
		if _, known := a.labels[x.Index]; !known {
			a.labels[x.Index] = label(x)
		}
		if decided {
			a.judged[x.Index] = true
		}
	}
	if c.wide = c.wide || len(choices) > maxTableAxes; c.wide {
		return
	}
	for i := range choices {
		for j := range i {
			a, b := choices[j], choices[i]
			if b.Axis < a.Axis {
				a, b = b, a
			}
			key := [2]string{a.Axis, b.Axis}
			pairs := c.paired[key]
			if pairs == nil {
				pairs = map[[2]int]bool{}
				c.paired[key] = pairs
				c.together = append(c.together, key)
			}
			if decided {
				pairs[[2]int{a.Index, b.Index}] = true
			}
		}
	}
}

func label(x bundle.ChoiceValue) string {
	if x.Label != "" {
		return x.Label
	}
	return x.Key
}

// maxMissing is how many options without a verdict are named for each axis.
const maxMissing = 20

// summary is the coverage for a manifest; nil for a test without axes.
func (c *coverage) summary() *bundle.Coverage {
	if len(c.order) == 0 {
		return nil
	}
	s := &bundle.Coverage{}
	for _, id := range c.order {
		a := c.axes[id]
		x := bundle.AxisCoverage{Axis: id, Options: a.options, Covered: len(a.judged)}
		for i := 0; i < a.options && len(x.Missing) < maxMissing; i++ {
			if l, met := a.labels[i]; met && !a.judged[i] {
				x.Missing = append(x.Missing, l)
			}
		}
		s.Axes = append(s.Axes, x)
	}
	if c.wide {
		return s
	}
	for _, key := range c.together {
		s.Pairs += c.axes[key[0]].options * c.axes[key[1]].options
		s.PairsCovered += len(c.paired[key])
	}
	return s
}
