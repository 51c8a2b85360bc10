package runtime

import (
	"context"
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// An Explored is what has a graph of Worlds: an Exploration or a Checking.
type Explored interface {
	graphed(ctx context.Context, o explore.GraphOptions) (*explore.Graph, error)
	numbered() (findings int)
}

func (x *Exploration) graphed(ctx context.Context, o explore.GraphOptions) (*explore.Graph, error) {
	return x.result.Graph(ctx, o)
}

func (x *Exploration) numbered() int { return len(x.Outcomes) }

func (c *Checking) graphed(ctx context.Context, o explore.GraphOptions) (*explore.Graph, error) {
	return c.Verdict.Graph(ctx, o)
}

func (c *Checking) numbered() int { return len(c.Violations) + len(c.Reached) + len(c.Divergent) }

var noSuchFinding = diagnostic.Register("no-such-finding",
	"A finding is named by its number in the list that an exploration or a check printed.")

// Graph is the graph of Worlds behind an exploration or a check of this
// session, with the way to finding along marked, from 1; 0 marks the way to
// the first error or violation. Findings are numbered as they are listed. A
// graph of more than most nodes, 50 where it is 0, has groups of Worlds. When
// ctx ends on the way, the error is that of ctx.
func (s *Session) Graph(ctx context.Context, x Explored, along, most int) (*explore.Graph, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := x.numbered(); along < 0 || along > n {
		return nil, diagnostic.New(noSuchFinding, source.Span{}, fmt.Sprintf("there is no finding %d: %d were found", along, n))
	}
	return x.graphed(ctx, explore.GraphOptions{Along: along, Most: most, Facts: s.valuesOf, Place: placeOf})
}

// valuesOf are the facts of a World that its behaviour can read: neither the
// numbers of objects nor where tokens stand.
func (s *Session) valuesOf(w *exec.World, run exec.RunID) map[string]string {
	facts := map[string]string{}
	for what, f := range s.facts(&fork{world: w, run: running{on: true, id: run}}) {
		if !f.unreadable {
			facts[what] = f.text
		}
	}
	return facts
}

// placeOf is where a run stands: the nodes of its tokens, or its active states.
func placeOf(w *exec.World, run exec.RunID) string {
	if w.Run(run).Machine != exec.NoMachine {
		return strings.Join(w.ActiveStates(run), ", ")
	}
	var list []string
	for _, t := range w.Tokens(run) {
		name := t.Node
		if t.Path != "" {
			name = t.Path + "." + name
		}
		list = append(list, fmt.Sprintf("%d@%s", t.ID, name))
	}
	return strings.Join(list, ", ")
}
