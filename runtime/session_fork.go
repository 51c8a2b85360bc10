package runtime

import "maps"

// Fork makes a session with the model and a copy of the World of s, without
// its stepped run and observer. The two share the model and what it was
// lowered to: neither may declare or forget while the other lives, and only
// one of them may be at work at a time.
func (s *Session) Fork() *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return &Session{options: s.options, model: s.model, lowering: s.lowering, typings: s.typings, world: s.world.Copy(),
		settings: s.settings, budget: s.budget, covered: s.covered, held: append([]heldValue(nil), s.held...), names: maps.Clone(s.names)}
}
