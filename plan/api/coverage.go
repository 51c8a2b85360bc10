package api

import (
	"cmp"
	"slices"

	"github.com/orrery-sysml/orrery/runtime"
)

// A Measured is a model of which leaves note what they execute.
type Measured struct {
	Name   string
	Digest string // "" for the session's
	// Inline says that the text of the model stands in the plan.
	Inline bool
	*runtime.Coverable
}

// Measure makes the leaves to come note what they execute of the models there
// are now, and lists those models. It is not called while leaves run.
func (m *Models) Measure() []Measured {
	if m.Session != nil {
		m.sessionModel() // leaves may ask for it first
	}
	var all []Measured
	for _, x := range m.List() {
		if x.coverable == nil {
			x.coverable = x.asked().Coverable()
		}
		all = append(all, Measured{Name: x.Name, Digest: x.Digest, Inline: x.inline, Coverable: x.coverable})
	}
	slices.SortFunc(all, func(a, b Measured) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Digest, b.Digest)) })
	return all
}

// asked is the session that is asked about elements.
func (m *Model) asked() *runtime.Session {
	if m.live != nil {
		return m.live
	}
	return m.first
}
