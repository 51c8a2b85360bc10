package runtime

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
)

// A Coverable is what of a model runs can execute. It never changes and may be
// used by many goroutines.
type Coverable struct {
	// Sites are ordered by kind, then as declared.
	Sites []lower.Coverable
	index map[exec.Site]int
}

// Coverable lists what of the session's own documents can be executed. The
// session's Program stays as it is.
func (s *Session) Coverable() *Coverable {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Coverable{Sites: lower.Coverables(s.model), index: map[exec.Site]int{}}
	for i := range c.Sites {
		c.index[c.Sites[i].Site] = i
	}
	return c
}

// Of is the set of the sites that x has noted: bit i%8 of byte i/8 stands for
// Sites[i]. What x was noted of must be a session of the same texts.
func (c *Coverable) Of(x *exec.Coverage) []byte {
	set := make([]byte, (len(c.Sites)+7)/8)
	x.Sites(func(s exec.Site) {
		if i, ok := c.index[s]; ok {
			set[i/8] |= 1 << (i % 8)
		}
	})
	return set
}

// siteKinds are the kinds as tables call them. A guard has two sites.
var siteKinds = [...]string{exec.ActionSite: "action", exec.StateSite: "state", exec.TransitionSite: "transition",
	exec.HoldingSite: "guard", exec.FailingSite: "guard", exec.ConstraintSite: "constraint", exec.RequirementSite: "requirement"}

// SiteKind is what tables call the kind of a site: "action", "state",
// "transition", "guard", "constraint" or "requirement".
func SiteKind(s exec.Site) string { return siteKinds[s.Kind] }
