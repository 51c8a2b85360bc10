package suite

import (
	"context"
	"hash/fnv"
	"strings"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/walk"
)

// collector makes rows of what one test's walk hands out.
type collector struct {
	suite   *suite
	name    string
	tally   *tally
	failing map[string]axis.Path // the first leaf of each fingerprint
}

func newCollector(s *suite, info lang.Info) *collector {
	c := &collector{suite: s, name: info.Name, tally: newTally(info.Name), failing: map[string]axis.Path{}}
	for _, p := range info.Assumes {
		c.tally.summary.Assumes = append(c.tally.summary.Assumes, p.Name)
	}
	return c
}

// add takes in one row of the walk.
func (c *collector) add(r walk.Row) error {
	full := r.Path
	if r.Run != nil {
		full = r.Run.Path
	}
	c.suite.meet(full)
	id := full.ID(c.name)
	if !c.suite.wanted(id, full) {
		return nil
	}
	row := &bundle.Row{Test: c.name, LeafID: c.suite.ids.short(id), LeafPath: full.String(), Choices: bundle.Choices(full)}
	if r.Cut != nil {
		removedRow(row, r.Cut.Predicate, r.Cut.Reads)
		row.Predicted, row.Open = r.Predicted, r.Open
	} else {
		c.fill(row, r.Run)
		if _, known := c.failing[row.Fingerprint]; !known && row.Fingerprint != "" {
			c.failing[row.Fingerprint] = full.Fanned()
		}
	}
	row.Replay = replay(c.suite.o.Replay, row)
	c.tally.add(row, r.Unlisted)
	if r.Run != nil {
		if c.suite.o.Uses != nil {
			c.suite.o.Uses(r.Run.Sources)
		}
		c.suite.measure.add(c.name, r.Run)
	}
	if r.Unlisted {
		return nil
	}
	if c.suite.o.Row != nil {
		c.suite.o.Row(row)
	}
	return c.suite.manifest.Add(row)
}

// removedRow makes row one of a leaf that a predicate removed.
func removedRow(row *bundle.Row, predicate string, reads []string) {
	row.Outcome, row.PrunedBy, row.Reads = leaf.Halted, predicate, reads
	row.Reason = "assume(" + predicate + ") is false"
}

// replay is the command that runs the leaf of row again.
func replay(command string, row *bundle.Row) string {
	if row.LeafID == "" || command == "" {
		return ""
	}
	return command + " --test " + row.Test + " --leaf " + row.LeafID
}

// fill completes the row of a leaf that ran.
func (c *collector) fill(row *bundle.Row, r *leaf.Run) {
	row.Outcome, row.Reason, row.PrunedBy, row.BodyRan = r.Outcome, r.Reason, r.PrunedBy, r.BodyRan
	row.Site, row.Model, row.Fingerprint = r.Site, r.Model, bundle.Fingerprint(r)
	row.Expectations, row.Runs, row.Steps, row.Witness, row.Touched = r.Expectations, r.Runs, r.Steps, r.Witness, r.Touched
	row.Output, row.Trace, row.Detail = r.Output, r.Trace, r.Detail
	for _, w := range r.Warnings {
		c.tally.warnings[bundle.Warning{Code: w.Code, Message: w.Message}] = true
	}
}

// close adds what only the end of the walk tells.
func (c *collector) close(ctx context.Context, t leaf.Test, o walk.Options, res walk.Result) *bundle.TestSummary {
	s := &c.tally.summary
	if res.NotRun > 0 {
		s.Summary.Add(leaf.NotRun, res.NotRun)
		for _, p := range res.Left {
			s.Left = append(s.Left, p.String())
		}
	}
	partial := s.Sampled != nil || s.Covered != nil
	if partial && !c.suite.o.NoShrink && ctx.Err() == nil {
		c.shrink(ctx, t, o.Request)
	}
	whole := !res.Stopped && c.suite.o.Shard.Count < 2 && len(c.suite.o.Leaves) == 0 && len(c.suite.o.Pins) == 0
	if c.suite.o.NoShrink {
		c.tally.order = nil
	}
	return c.tally.finish(whole)
}

// shrink runs leaves beside those that failed in a sample or a covering array
// to find the least assignment that fails in the same way.
func (c *collector) shrink(ctx context.Context, t leaf.Test, request leaf.Request) {
	for _, print := range c.tally.order[:min(len(c.tally.order), maxShrunk)] {
		path := c.failing[print]
		if len(path) == 0 {
			continue
		}
		least, free, runs := walk.Shrink(ctx, t, request, path, func(r *leaf.Run) bool { return bundle.Fingerprint(r) == print })
		c.tally.summary.Minimal = append(c.tally.summary.Minimal, bundle.Minimal{Fingerprint: print, LeafID: c.suite.ids.short(least.ID(c.name)),
			LeafPath: least.String(), Free: free, Runs: runs})
	}
}

// ids cuts whole leaf ids to what tells them apart in one plan. It keeps a
// digest of the rest of each.
type ids map[string]uint64

func (m ids) short(id string) string {
	if id == "" {
		return ""
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	rest := h.Sum64()
	for n := axis.IDLength; n < len(id); n++ {
		if other, taken := m[id[:n]]; !taken || other == rest {
			if !taken {
				m[strings.Clone(id[:n])] = rest
			}
			return id[:n]
		}
	}
	return id
}
