package runtime

import (
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
)

// This file is breakpoints: where a stepped run stops.

// Break adds a breakpoint; one for the same place is replaced. The place has to
// be one of the stepped run, or of a behaviour of the model where nothing is
// stepped.
func (s *Session) Break(b Breakpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.known(b.Place); err != nil {
		return err
	}
	for i := range s.run.breaks {
		if s.run.breaks[i].Place == b.Place {
			s.run.breaks[i] = b
			return nil
		}
	}
	s.run.breaks = append(s.run.breaks, b)
	return nil
}

var noPlace = diagnostic.Register("no-place",
	"A breakpoint names a node or a state that there is not. The hint has the nearest names.")

// known refuses a place at which no run could stop.
func (s *Session) known(place string) error {
	name := place[strings.LastIndex(place, ".")+1:]
	places := s.places()
	if place == "" || slices.Contains(places, name) {
		return nil
	}
	d := diagnostic.New(noPlace, source.Span{}, "no node or state is called "+place)
	if near := spell.Nearest(name, places); len(near) > 0 {
		return d.WithHint("nearest: " + strings.Join(near, ", "))
	}
	if len(places) > 0 && len(places) <= 12 {
		return d.WithHint("there are: " + strings.Join(places, ", "))
	}
	return d
}

// places are the names of the nodes and states that a run may come to, sorted.
func (s *Session) places() []string {
	seen := map[string]bool{}
	if s.run.on {
		p := s.world.Program
		for _, g := range p.Graphs {
			for i := range g.Nodes {
				seen[g.Nodes[i].Name] = true
			}
		}
		for _, m := range p.Machines {
			for i := 1; i < len(m.States); i++ {
				seen[m.States[i].Name] = true
			}
		}
	} else {
		seen["start"], seen["done"] = true, true
		var walk func(e *model.Element)
		walk = func(e *model.Element) {
			if m := e.Metaclass(); m.IsUsage() && !m.IsAnnotation() {
				seen[e.EffectiveName()] = true
			}
			for _, m := range e.Members() {
				walk(m)
			}
		}
		for _, e := range s.model.Roots() {
			walk(e)
		}
	}
	delete(seen, "")
	return slices.Sorted(maps.Keys(seen))
}

// Unbreak takes the breakpoint at place away, all with "".
func (s *Session) Unbreak(place string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []Breakpoint
	for _, b := range s.run.breaks {
		if place != "" && b.Place != place {
			kept = append(kept, b)
		}
	}
	s.run.breaks = kept
}

// Breaks are the breakpoints.
func (s *Session) Breaks() []Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Breakpoint(nil), s.run.breaks...)
}

// atBreak is the breakpoint at which a stepped run is; "" where at none.
func (t *turn) atBreak(p *Position) string {
	r := &t.Session.run
	for i := range r.breaks {
		b := &r.breaks[i]
		if b.Place != "" && !p.at(b.Place) {
			continue
		}
		if b.If != "" {
			holds, err := t.holds(b.If)
			b.Err = nil
			if err != nil {
				b.Err = diagnostic.Of(err)[0]
			}
			if !holds {
				continue
			}
		}
		if b.Place == "" {
			return b.If
		}
		return b.Place
	}
	return ""
}
