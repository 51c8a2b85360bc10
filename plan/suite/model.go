package suite

import (
	"math/bits"
	"slices"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// measure notes in models, which have no leaves at first, what the leaves of a
// walk executed.
type measure struct {
	models []bundle.ModelCoverage
	at     map[string]*bundle.ModelCoverage // by digest
}

func newMeasure(models []bundle.ModelCoverage) *measure {
	m := &measure{models: models, at: map[string]*bundle.ModelCoverage{}}
	for i := range models {
		m.at[models[i].Digest] = &models[i]
	}
	return m
}

// add takes in one leaf of test. One without a verdict counts for nothing.
func (m *measure) add(test string, r *leaf.Run) {
	if !r.Outcome.Decides() {
		return
	}
	for _, c := range r.Covered {
		model := m.at[c.Model]
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
	for _, model := range m.models {
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
	return all
}

// joinModels sums up what shards executed of one and the same models.
func joinModels(parts []*bundle.Manifest) []bundle.ModelCoverage {
	var all []bundle.ModelCoverage
	for i := range parts[0].Models {
		m := parts[0].Models[i]
		m.Sites = slices.Clone(m.Sites)
		for j := range m.Sites {
			s := &m.Sites[j]
			tests := map[string]bool{}
			s.Leaves, s.Tests = 0, nil
			for _, p := range parts {
				if len(p.Models) != len(parts[0].Models) || len(p.Models[i].Sites) != len(m.Sites) {
					continue
				}
				s.Leaves += p.Models[i].Sites[j].Leaves
				for _, t := range p.Models[i].Sites[j].Tests {
					tests[t] = true
				}
			}
			for _, t := range parts[0].Tests {
				if tests[t.Name] {
					s.Tests = append(s.Tests, t.Name)
				}
			}
			if s.Leaves > 0 {
				s.Stub = ""
			}
		}
		all = append(all, m)
	}
	return all
}
