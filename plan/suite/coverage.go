package suite

import (
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// A coverage watches which options, and which pairs of options, a leaf with a
// verdict had. A halted leaf masks the options that it took: it does not count.
type coverage struct {
	order    []string // axes as met
	axes     map[string]*axisCoverage
	paired   map[[2]string]map[[2]int]pairState // pairs of axes that some leaf has -> options
	together [][2]string                        // the keys of paired as met
	wide     bool
}

// pairState is what became of a pair of options.
type pairState uint8

const (
	removed  pairState = iota // predicates removed every leaf that has it
	admitted                  // some leaf that no predicate removed has it
	judged                    // some leaf with a verdict has it
)

type axisCoverage struct {
	options int
	labels  map[int]string // of the options that were met
	judged  map[int]bool
	// ended are, by option, the axes that all leaves met that have it and ended
	// before their end: what they would have met behind is not known.
	ended map[int]map[string]bool
}

func newCoverage() *coverage {
	return &coverage{axes: map[string]*axisCoverage{}, paired: map[[2]string]map[[2]int]pairState{}}
}

// add takes in one leaf.
func (c *coverage) add(r *bundle.Row, choices []bundle.ChoiceValue) {
	for _, x := range choices {
		a := c.axes[x.Axis]
		if a == nil {
			a = &axisCoverage{labels: map[int]string{}, judged: map[int]bool{}, ended: map[int]map[string]bool{}}
			c.axes[x.Axis] = a
			c.order = append(c.order, x.Axis)
		}
		a.options = max(a.options, x.Of)
		if _, known := a.labels[x.Index]; !known {
			a.labels[x.Index] = label(x)
		}
		if r.Outcome.Decides() {
			a.judged[x.Index] = true
		}
	}
	if c.wide = c.wide || len(choices) > maxTableAxes; c.wide {
		return
	}
	is := removed
	switch {
	case r.Outcome.Decides():
		is = judged
	case r.PrunedBy == "":
		is = admitted
	}
	if r.Outcome != leaf.Pass && r.PrunedBy == "" {
		c.end(choices)
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
				pairs = map[[2]int]pairState{}
				c.paired[key] = pairs
				c.together = append(c.together, key)
			}
			if at := [2]int{a.Index, b.Index}; is > pairs[at] {
				pairs[at] = is
			}
		}
	}
}

// end notes a leaf that may not have met all of its axes.
func (c *coverage) end(choices []bundle.ChoiceValue) {
	for _, x := range choices {
		a := c.axes[x.Axis]
		met, before := a.ended[x.Index]
		if !before {
			met = map[string]bool{}
			for _, y := range choices {
				met[y.Axis] = true
			}
			a.ended[x.Index] = met
			continue
		}
		here := map[string]bool{}
		for _, y := range choices {
			here[y.Axis] = true
		}
		for id := range met {
			if !here[id] {
				delete(met, id)
			}
		}
	}
}

// masks reports whether a leaf with option i of a ended before it met the axis
// called other.
func (a *axisCoverage) masks(i int, other string) bool {
	met, ended := a.ended[i]
	return ended && !met[other]
}

func label(x bundle.ChoiceValue) string {
	if x.Label != "" {
		return x.Label
	}
	return x.Key
}

const (
	// maxMissing is how many options without a verdict are named for each axis,
	// and how many pairs that cannot occur.
	maxMissing = 20
	// maxPairs bounds the pairs of two axes that are counted.
	maxPairs = 1_000_000
)

// summary is the coverage for a manifest; nil for a test without axes. With
// exhaustive, a pair of options that no leaf has cannot occur.
func (c *coverage) summary(exhaustive bool) *bundle.Coverage {
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
		c.pairs(s, key, exhaustive)
	}
	return s
}

// pairs adds the pairs of options of two axes to s.
func (c *coverage) pairs(s *bundle.Coverage, key [2]string, exhaustive bool) {
	a, b := c.axes[key[0]], c.axes[key[1]]
	if a.options*b.options > maxPairs {
		return
	}
	states := c.paired[key]
	for i := range a.options {
		for j := range b.options {
			switch state, met := states[[2]int{i, j}]; {
			case state == judged:
				s.PairsCovered++
				s.Pairs++
			case state == admitted, !met && !exhaustive, a.masks(i, key[1]), b.masks(j, key[0]):
				s.Pairs++
			default:
				s.PairsInfeasible++
				if la, lb := a.labels[i], b.labels[j]; len(s.Infeasible) < maxMissing && la != "" && lb != "" {
					s.Infeasible = append(s.Infeasible, key[0]+"="+la+" "+key[1]+"="+lb)
				}
			}
		}
	}
}
