package exec

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file notes which parts of a Program runs have executed. What is noted
// is an observation: it is no part of a World, and no run depends on it.

// A Site is a place of a model's text that runs can execute, once for each
// declaration: what inherits a state or a transition has the site of the one
// that declared it.
type Site struct {
	Kind SiteKind
	Span source.Span // of the declaration
}

// SiteKind is what was done at a Site.
type SiteKind uint8

// The kinds of site.
const (
	ActionSite      SiteKind = iota // an action was performed
	StateSite                       // a state was entered
	TransitionSite                  // a transition was taken
	HoldingSite                     // a guard was read and was true
	FailingSite                     // a guard was read and was false
	ConstraintSite                  // a constraint was evaluated, whatever came out
	RequirementSite                 // the same of a requirement, a concern or a viewpoint
)

// A Coverage notes which sites were executed by the Engines and Runners that
// have it. The zero Coverage has none. One goroutine at a time.
type Coverage struct {
	machines   map[*Machine]*machineMarks
	graphs     map[*Graph]*graphMarks
	conditions map[Site]bool
	// machine and graph are those noted last, with their marks.
	machine *Machine
	graph   *Graph
	inside  *machineMarks
	within  *graphMarks
}

// machineMarks and graphMarks are sets of indices: bit i%64 of word i/64.
type (
	machineMarks struct {
		entered, taken []uint64
		guards         guardMarks
	}
	graphMarks struct {
		begun     bool
		performed []uint64
		guards    guardMarks
	}
)

// guardMarks are the guards that were true, and those that were false.
type guardMarks struct{ held, failed []uint64 }

func newBits(n int) []uint64 { return make([]uint64, (n+63)/64) }

func newGuards(n int) guardMarks { return guardMarks{newBits(n), newBits(n)} }

func (m guardMarks) note(guard int32, holds bool) {
	if holds {
		setBit(m.held, guard, true)
	} else {
		setBit(m.failed, guard, true)
	}
}

func (m guardMarks) unite(other guardMarks) {
	unite(m.held, other.held)
	unite(m.failed, other.failed)
}

func (c *Coverage) ofMachine(m *Machine) *machineMarks {
	if c.machine == m {
		return c.inside
	}
	x := c.machines[m]
	if x == nil {
		x = &machineMarks{newBits(len(m.States)), newBits(len(m.Transitions)), newGuards(len(m.Transitions))}
		if c.machines == nil {
			c.machines = map[*Machine]*machineMarks{}
		}
		c.machines[m] = x
	}
	c.machine, c.inside = m, x
	return x
}

func (c *Coverage) ofGraph(g *Graph) *graphMarks {
	if c.graph == g {
		return c.within
	}
	x := c.graphs[g]
	if x == nil {
		x = &graphMarks{performed: newBits(len(g.Nodes)), guards: newGuards(len(g.Edges))}
		if c.graphs == nil {
			c.graphs = map[*Graph]*graphMarks{}
		}
		c.graphs[g] = x
	}
	c.graph, c.within = g, x
	return x
}

// The functions below note nothing where c is nil.

func (c *Coverage) entered(m *Machine, state int32) {
	if c != nil {
		setBit(c.ofMachine(m).entered, state, true)
	}
}

func (c *Coverage) taken(m *Machine, transition int32) {
	if c != nil {
		setBit(c.ofMachine(m).taken, transition, true)
	}
}

// guarded notes what the guard of a transition was.
func (c *Coverage) guarded(m *Machine, transition int32, holds bool) {
	if c != nil {
		c.ofMachine(m).guards.note(transition, holds)
	}
}

func (c *Coverage) begun(g *Graph) {
	if c != nil {
		c.ofGraph(g).begun = true
	}
}

func (c *Coverage) performed(g *Graph, node int32) {
	if c != nil {
		setBit(c.ofGraph(g).performed, node, true)
	}
}

// branched notes what the guard of an edge was.
func (c *Coverage) branched(g *Graph, edge int32, holds bool) {
	if c != nil {
		c.ofGraph(g).guards.note(edge, holds)
	}
}

func (c *Coverage) evaluated(s Site) {
	if c.conditions == nil {
		c.conditions = map[Site]bool{}
	}
	c.conditions[s] = true
}

// Add notes what other has noted.
func (c *Coverage) Add(other *Coverage) {
	for m, x := range other.machines {
		into := c.ofMachine(m)
		unite(into.entered, x.entered)
		unite(into.taken, x.taken)
		into.guards.unite(x.guards)
	}
	for g, x := range other.graphs {
		into := c.ofGraph(g)
		into.begun = into.begun || x.begun
		unite(into.performed, x.performed)
		into.guards.unite(x.guards)
	}
	for s := range other.conditions {
		c.evaluated(s)
	}
}

func unite(into, from []uint64) {
	for i, word := range from {
		into[i] |= word
	}
}

// Sites calls f with every site that was noted, in no order, some more than
// once.
func (c *Coverage) Sites(f func(Site)) {
	for m, x := range c.machines {
		for i := range m.States {
			if bit(x.entered, int32(i)) {
				m.stateSite(i, f)
			}
		}
		for i := range m.Transitions {
			m.transitionSites(i, bit(x.taken, int32(i)), bit(x.guards.held, int32(i)), bit(x.guards.failed, int32(i)), f)
		}
	}
	for g, x := range c.graphs {
		if x.begun {
			g.site(f)
		}
		for i := range g.Nodes {
			if bit(x.performed, int32(i)) {
				g.nodeSite(i, f)
			}
		}
		for i := range g.Edges {
			g.edgeSites(i, bit(x.guards.held, int32(i)), bit(x.guards.failed, int32(i)), f)
		}
	}
	for s := range c.conditions {
		f(s)
	}
}

// Sites calls f with every site that runs of m can execute.
func (m *Machine) Sites(f func(Site)) {
	for i := range m.States {
		m.stateSite(i, f)
	}
	for i := range m.Transitions {
		guarded := m.Transitions[i].Guard != NoUnit
		m.transitionSites(i, true, guarded, guarded, f)
	}
}

// Sites calls f with every site that runs of g can execute, without those of
// the flows that its nodes own.
func (g *Graph) Sites(f func(Site)) {
	g.site(f)
	for i := range g.Nodes {
		g.nodeSite(i, f)
	}
	for i := range g.Edges {
		guarded := g.Edges[i].Guard != NoUnit
		g.edgeSites(i, guarded, guarded, f)
	}
}

func (m *Machine) stateSite(i int, f func(Site)) {
	s := &m.States[i]
	switch {
	case i == 0:
		f(Site{StateSite, m.Span})
	case s.Kind <= FinalState && !s.Span.IsZero():
		f(Site{StateSite, s.Span})
	}
}

// transitionSites leaves out that a state is begun in the only way that there
// is.
func (m *Machine) transitionSites(i int, taken, held, failed bool, f func(Site)) {
	x := &m.Transitions[i]
	entry := x.Guard == NoUnit && slices.Contains(m.States[x.Source].Entries, int32(i))
	for _, s := range []struct {
		kind SiteKind
		is   bool
	}{{TransitionSite, taken && !entry}, {HoldingSite, held}, {FailingSite, failed}} {
		if s.is && !x.Span.IsZero() {
			f(Site{s.kind, x.Span})
		}
	}
}

func (g *Graph) site(f func(Site)) {
	if !g.Span.IsZero() {
		f(Site{ActionSite, g.Span})
	}
}

func (g *Graph) nodeSite(i int, f func(Site)) {
	if n := &g.Nodes[i]; n.Kind == ActionNode && !n.Span.IsZero() {
		f(Site{ActionSite, n.Span})
	}
}

func (g *Graph) edgeSites(i int, held, failed bool, f func(Site)) {
	x := &g.Edges[i]
	if x.Span.IsZero() {
		return
	}
	if held {
		f(Site{HoldingSite, x.Span})
	}
	if failed {
		f(Site{FailingSite, x.Span})
	}
}
