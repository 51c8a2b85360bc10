package suite

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// measure notes in models, which have no leaves at first, what the leaves of a
// walk executed.
type measure struct {
	at map[string]*bundle.ModelCoverage // by digest; nil for one that is not known
	// ask gives a model that a leaf itself has opened; nil for none.
	ask func(leaf.Covered) *bundle.ModelCoverage
}

func newMeasure(models []bundle.ModelCoverage, ask func(leaf.Covered) *bundle.ModelCoverage) *measure {
	m := &measure{at: map[string]*bundle.ModelCoverage{}, ask: ask}
	for _, x := range models {
		x.Sites = slices.Clone(x.Sites) // a walk that is begun anew counts anew
		m.at[x.Digest] = &x
	}
	return m
}

// model is the model of c; nil where it is not known.
func (m *measure) model(c leaf.Covered) *bundle.ModelCoverage {
	model, known := m.at[c.Model]
	if !known && m.ask != nil {
		model = m.ask(c)
		m.at[c.Model] = model
	}
	return model
}

// add takes in one leaf of test. One without a verdict counts for nothing.
func (m *measure) add(test string, r *leaf.Run) {
	if !r.Outcome.Decides() {
		return
	}
	for _, c := range r.Covered {
		model := m.model(c)
		if model == nil {
			continue
		}
		for at, set := range c.Sites {
			for ; set != 0; set &= set - 1 {
				i := 8*at + bits.TrailingZeros8(set)
				if i >= len(model.Sites) {
					break
				}
				s := &model.Sites[i]
				s.Leaves++
				if n := len(s.Tests); n == 0 || s.Tests[n-1] != test {
					s.Tests = append(s.Tests, test)
				}
			}
		}
	}
}

// measured is the models with what was executed. Of the model of a session, to
// which every cell adds, only those root members count of which a leaf executed
// something.
func (m *measure) measured() []bundle.ModelCoverage {
	var all []bundle.ModelCoverage
	for _, x := range m.at {
		if x == nil {
			continue
		}
		model := *x
		if model.Digest == "" {
			used := map[string]bool{}
			for _, s := range model.Sites {
				used[s.Root] = used[s.Root] || s.Leaves > 0
			}
			model.Sites = slices.DeleteFunc(model.Sites, func(s bundle.SiteCoverage) bool { return !used[s.Root] })
		}
		if len(model.Sites) > 0 {
			all = append(all, model)
		}
	}
	return byName(all)
}

// byName orders models.
func byName(all []bundle.ModelCoverage) []bundle.ModelCoverage {
	slices.SortFunc(all, func(a, b bundle.ModelCoverage) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Digest, b.Digest))
	})
	return all
}

// joinModels sums up what shards executed. Each knows the models of the top
// level, and those that its leaves have opened.
func joinModels(parts []*bundle.Manifest) []bundle.ModelCoverage {
	all := map[string]*bundle.ModelCoverage{}
	for _, p := range parts {
		for _, m := range p.Models {
			into := all[m.Digest]
			if into == nil {
				m.Sites = slices.Clone(m.Sites)
				all[m.Digest] = &m
				continue
			}
			for j := range min(len(m.Sites), len(into.Sites)) {
				s := &into.Sites[j]
				s.Leaves += m.Sites[j].Leaves
				s.Tests = slices.Concat(s.Tests, m.Sites[j].Tests)
			}
		}
	}
	var joined []bundle.ModelCoverage
	for _, m := range all {
		for j := range m.Sites {
			s := &m.Sites[j]
			ran := s.Tests
			s.Tests = nil
			for _, t := range parts[0].Tests {
				if slices.Contains(ran, t.Name) {
					s.Tests = append(s.Tests, t.Name)
				}
			}
			if s.Leaves > 0 {
				s.Stub = ""
			}
		}
		joined = append(joined, *m)
	}
	return byName(joined)
}
