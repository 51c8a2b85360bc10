package suite

import (
	"context"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/walk"
)

// collector makes rows and findings of what one test's walk hands out.
type collector struct {
	suite   *suite
	test    *lang.Test
	info    lang.Info
	summary *bundle.TestSummary
	removed map[string]*bundle.Removed
	halts   map[string]*bundle.Removed
	table   *table
	failing map[string]failure // the first leaf of each fingerprint
	order   []string           // fingerprints as met
	warned  map[leaf.Warning]bool
	passing int // without an expectation
	last    axis.Path
}

// A failure is the least leaf that failed in one way.
type failure struct {
	path axis.Path
	id   string
}

func newCollector(s *suite, t *lang.Test, info lang.Info) *collector {
	return &collector{suite: s, test: t, info: info, summary: &bundle.TestSummary{Name: t.Name(), Summary: bundle.Summary{MatchedTests: 1}},
		removed: map[string]*bundle.Removed{}, halts: map[string]*bundle.Removed{}, table: newTable(), failing: map[string]failure{}, warned: map[leaf.Warning]bool{}}
}

// add takes in one row of the walk.
func (c *collector) add(r walk.Row) error {
	full := r.Path
	if r.Run != nil {
		full = r.Run.Path
	}
	c.suite.meet(full)
	id := full.ID(c.test.Name())
	if !c.suite.wanted(id, full) {
		return nil
	}
	row := &bundle.Row{Test: c.test.Name(), LeafID: c.suite.shortID(id), LeafPath: full.String(), Choices: bundle.Choices(full)}
	if r.Cut != nil {
		row.Outcome, row.PrunedBy, row.Predicted, row.Open = leaf.Halted, r.Cut.Predicate, r.Predicted, r.Open
		row.Reason = "assume(" + r.Cut.Predicate + ") is false"
		count(c.removed, r.Cut.Predicate, r.Cut.Reads)
	} else {
		c.fill(row, r.Run, full, id)
	}
	if row.LeafID != "" && c.suite.o.Replay != "" {
		row.Replay = c.suite.o.Replay + " --test " + c.test.Name() + " --leaf " + row.LeafID
	}
	c.summary.Summary.Add(row.Outcome, 1)
	c.suite.manifest.Rows = append(c.suite.manifest.Rows, *row)
	if c.suite.o.Row != nil {
		c.suite.o.Row(row)
	}
	return nil
}

// fill completes the row of a leaf that ran.
func (c *collector) fill(row *bundle.Row, r *leaf.Run, full axis.Path, id string) {
	row.Outcome, row.Reason, row.PrunedBy, row.BodyRan = r.Outcome, r.Reason, r.PrunedBy, r.BodyRan
	row.Site, row.Model, row.Fingerprint = r.Site, r.Model, bundle.Fingerprint(r)
	row.Expectations, row.Runs, row.Steps, row.Witness, row.Touched = r.Expectations, r.Runs, r.Steps, r.Witness, r.Touched
	row.Output, row.Trace, row.Detail = r.Output, r.Trace, r.Detail
	switch {
	case r.Outcome == leaf.Halted && r.PrunedBy != "":
		count(c.removed, r.PrunedBy, nil)
	case r.Outcome == leaf.Halted:
		count(c.halts, strings.TrimSpace(r.Site+" "+r.Reason), nil)
	case r.Outcome == leaf.Pass && r.Expectations == 0:
		c.passing++
	}
	if row.Fingerprint != "" {
		if _, known := c.failing[row.Fingerprint]; !known {
			c.failing[row.Fingerprint] = failure{full, id}
			c.order = append(c.order, row.Fingerprint)
		}
	}
	if r.Outcome.Decides() {
		c.table.add(full.Fanned(), r.Outcome != leaf.Pass)
	}
	for _, w := range r.Warnings {
		if !c.warned[w] {
			c.warned[w] = true
			c.warn(w.Code, w.Message)
		}
	}
}

func count(m map[string]*bundle.Removed, name string, reads []string) {
	if m[name] == nil {
		m[name] = &bundle.Removed{Name: name, Reads: reads}
	}
	m[name].Leaves++
}

func (c *collector) warn(code, message string) {
	c.summary.Warnings = append(c.summary.Warnings, bundle.Warning{Code: code, Message: message})
}

// close adds what only the end of the walk tells.
func (c *collector) close(ctx context.Context, t leaf.Test, o walk.Options, res walk.Result) {
	s := c.summary
	s.Runs = res.Runs
	if res.Unlisted > 0 {
		s.Summary.Add(leaf.Halted, res.Unlisted)
		s.Summary.Unlisted = res.Unlisted
	}
	if res.NotRun > 0 {
		s.Summary.Add(leaf.NotRun, res.NotRun)
		for _, p := range res.Left {
			s.Left = append(s.Left, p.String())
		}
	}
	s.Removed, s.Halts = sorted(c.removed), sorted(c.halts)
	s.Fails = c.table.failsWhen()
	if !c.suite.o.NoShrink && ctx.Err() == nil {
		c.shrink(ctx, t, o.Request)
	}
	c.vacuity(res)
}

func sorted(m map[string]*bundle.Removed) []bundle.Removed {
	var out []bundle.Removed
	for _, r := range m {
		out = append(out, *r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// vacuity warns of what looks green and says nothing.
func (c *collector) vacuity(res walk.Result) {
	s := c.summary.Summary
	switch {
	case res.Stopped || c.suite.o.Shard.Count > 1 || len(c.suite.o.Leaves) > 0 || len(c.suite.o.Pins) > 0:
		return
	case s.Leaves > 0 && s.Halted == s.Leaves:
		c.warn("ALL_HALTED", c.test.Name()+" has no verdict: every leaf was halted")
	}
	assumes := c.info.Assumes
	if c.summary.Sampled != nil || c.summary.Covered != nil {
		assumes = nil // what a part of the leaves says of predicates is little
	}
	for _, p := range assumes {
		removed := 0
		if r := c.removed[p.Name]; r != nil {
			removed = r.Leaves
		}
		switch {
		case removed == 0:
			c.warn("PREDICATE_NEVER_FALSE", "assume("+p.Name+") removed no leaf of "+c.test.Name())
		case removed == s.Leaves:
			c.warn("PREDICATE_ALWAYS_FALSE", "assume("+p.Name+") removed every leaf of "+c.test.Name())
		}
	}
	if c.passing > 0 && c.passing == s.Passed {
		c.warn("NO_EXPECTATION", "the passing leaves of "+c.test.Name()+" expect nothing")
	}
}

// maxShrunk is how many kinds of failure are shrunk in one test.
const maxShrunk = 8

// shrink looks for the least assignment of each kind of failure.
func (c *collector) shrink(ctx context.Context, t leaf.Test, request leaf.Request) {
	for _, print := range c.order[:min(len(c.order), maxShrunk)] {
		f := c.failing[print]
		if len(f.path.Fanned()) == 0 {
			continue
		}
		least, free, runs := walk.Shrink(ctx, t, request, f.path.Fanned(), func(r *leaf.Run) bool { return bundle.Fingerprint(r) == print })
		c.summary.Minimal = append(c.summary.Minimal, bundle.Minimal{Fingerprint: print, LeafID: c.suite.shortID(least.ID(c.test.Name())),
			LeafPath: least.String(), Free: free, Runs: runs})
	}
}
