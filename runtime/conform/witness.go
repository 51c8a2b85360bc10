package conform

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file judges the witnesses of an admissible set: followed move for move,
// the choices that an outcome states lead to that outcome and to no other.

// hasWitness reports whether some outcome of the case states its witness.
func (c *Case) hasWitness() bool {
	return slices.ContainsFunc(c.Expect.Outcomes, func(o Outcome) bool { return len(o.Witness) > 0 })
}

// witnesses replays what the outcomes of a case state. A witness that cannot
// be followed is refused by the replay, which names the move.
func witnesses(ctx context.Context, c *Case, o Options) (reasons []string) {
	for i := range c.Expect.Outcomes {
		if out := &c.Expect.Outcomes[i]; len(out.Witness) > 0 {
			for _, r := range replayed(ctx, c, out, o) {
				reasons = append(reasons, fmt.Sprintf("witness of outcome %d of %d: %s", i+1, len(c.Expect.Outcomes), r))
			}
		}
	}
	return reasons
}

// replayed runs the case as if out were its only result, under the choices
// that out states.
func replayed(ctx context.Context, c *Case, out *Outcome, o Options) []string {
	file, err := os.CreateTemp("", "*.witness")
	if err != nil {
		return []string{err.Error()}
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(strings.Join(out.Witness, "\n") + "\n")
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return []string{err.Error()}
	}
	policy, d := schedule.ParsePolicy("replay:" + file.Name())
	if d != nil {
		return []string{d.Message}
	}
	alone, expect := *c, *c.Expect
	expect.Outcomes, expect.Outputs, expect.FinalState, expect.StateVisits = nil, out.Outputs, out.FinalState, out.StateVisits
	alone.Expect = &expect
	return newBench(ctx, &alone, policy, o).judge()
}
