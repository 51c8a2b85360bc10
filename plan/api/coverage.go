package api

import (
	"context"

	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime"
)

// A Measured is a model of which leaves note what they execute.
type Measured struct {
	Name   string
	Digest string // "" for the session's
	// Inline says that the text of the model stands in the plan.
	Inline bool
	// Paths are what model.open was given; nil for another model.
	Paths []string
	// Lenient and Libraries are its other arguments, as a leaf.Source has them.
	Lenient   bool
	Libraries string
	*runtime.Coverable
}

// Measure makes the leaves to come note what they execute of the models there
// are now, and of files that they open themselves; it lists those models. It is
// not called while leaves run.
func (m *Models) Measure() []Measured {
	m.measuring = true
	if m.Session != nil {
		m.sessionModel() // leaves may ask for it first
	}
	var all []Measured
	for _, x := range m.List() {
		if x.coverable == nil || x.live != nil { // cells may have declared parts of a session anew
			x.coverable = x.asked().Coverable()
		}
		all = append(all, x.asMeasured(x.coverable))
	}
	return all
}

func (m *Model) asMeasured(c *runtime.Coverable) Measured {
	return Measured{Name: m.Name, Digest: m.Digest, Inline: m.inline(), Paths: m.paths,
		Lenient: m.lenient, Libraries: m.source.Libraries, Coverable: c}
}

// measured is what leaves are asked to note of m; nil for nothing. s is a
// session of m that nobody else has.
func (m *Model) measured(s *runtime.Session, all *Models) *runtime.Coverable {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.coverable == nil && all.measuring && !m.inline() {
		m.coverable = s.Coverable()
	}
	return m.coverable
}

// Measured is the model that a leaf has noted something of; false where it is
// not measured.
func (m *Models) Measured(ctx context.Context, c leaf.Covered) (Measured, bool) {
	m.mu.Lock()
	x := m.all[c.Model]
	m.mu.Unlock()
	if x == nil {
		return Measured{}, false
	}
	s, err := x.take(ctx, m)
	if err != nil {
		return Measured{}, false
	}
	defer x.put(s)
	found := x.measured(s, m)
	return x.asMeasured(found), found != nil
}

// asked is the session that is asked about elements.
func (m *Model) asked() *runtime.Session {
	if m.live != nil {
		return m.live
	}
	return m.first
}
