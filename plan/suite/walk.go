package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/walk"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Walk runs the tests of p. What a stopped walk has not run is counted in the
// manifest, which is Partial then. The error is a diagnostic of wrong use; how
// leaves ended is in the manifest alone.
func Walk(ctx context.Context, p *lang.Plan, o Options) (*bundle.Manifest, error) {
	tests, err := Select(p, o.Tests)
	if err != nil {
		return nil, err
	}
	if o.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.MaxTime)
		defer cancel()
	}
	if leaves, found, ok := locate(ctx, tests, o); ok {
		straight := o
		straight.Leaves = leaves
		if m, err := walkTests(ctx, p, found, straight); err == nil {
			return m, nil
		}
		// a predicate removes the leaf: what lies beside it completes its row
	}
	return walkTests(ctx, p, tests, o)
}

func walkTests(ctx context.Context, p *lang.Plan, tests []*lang.Test, o Options) (*bundle.Manifest, error) {
	m := &bundle.Manifest{SchemaVersion: bundle.SchemaVersion, Plan: p.File.Name, Digest: o.Digest, Engine: o.Engine,
		Seed: o.Seed, Options: o.Texts, Rows: []bundle.Row{}, Tests: []bundle.TestSummary{}}
	if o.Shard.Count > 1 {
		m.Shard = &bundle.Shard{Index: o.Shard.Index, Count: o.Shard.Count}
	}
	s := &suite{plan: p, o: o, manifest: m, ids: ids{}, measure: newMeasure(o.Models, o.Measured), pins: map[string]bool{}, selected: make([]int, len(o.Leaves))}
	for _, t := range tests {
		summary, err := s.walk(ctx, t)
		if err != nil {
			return nil, err
		}
		m.Tests = append(m.Tests, *summary)
		m.Summary.Plus(summary.Summary)
	}
	m.Models = s.measure.measured()
	return m, s.unused()
}

// Select is the tests that the patterns name, by name and once each.
func Select(p *lang.Plan, patterns []string) ([]*lang.Test, error) {
	if len(patterns) == 0 {
		return p.Tests(), nil
	}
	seen := map[string]bool{}
	var out []*lang.Test
	for _, pattern := range patterns {
		found, err := p.Select(pattern)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if !seen[t.Name()] {
				seen[t.Name()] = true
				out = append(out, t)
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name() < out[j].Name() })
	return out, nil
}

// suite is one walk of a plan at work.
type suite struct {
	plan     *lang.Plan
	o        Options
	manifest *bundle.Manifest
	ids      ids
	measure  *measure
	pins     map[string]bool // axes of pins that were met with the option
	met      []string        // axes met, for hints
	selected []int           // rows that each selector matched
}

// walk runs one test.
func (s *suite) walk(ctx context.Context, t *lang.Test) (*bundle.TestSummary, error) {
	info := t.Info()
	c := newCollector(s, info)
	prune := cmp.Or(s.o.Prune, info.Prune, "record")
	o := walk.Options{Jobs: s.o.Jobs, MaxLeaves: s.o.MaxLeaves, MaxFailures: s.o.MaxFailures, Shard: s.o.Shard,
		Request: leaf.Request{Late: prune == "entry", Trace: s.o.Trace, Steps: s.o.MaxSteps, Runs: s.o.MaxRuns, Admit: s.admit, Ended: s.o.Ended}}
	switch {
	case s.o.Shard.Count > 1:
		o.MaxCuts = math.MaxInt // the merge drops them
	case prune == "drop":
		o.MaxCuts = -1
	}
	if prune != "record" {
		c.tally.summary.Prune = prune
	}
	if j := s.o.Journal; j != nil {
		o.Recall = func(prefix axis.Path) *leaf.Run { return s.recall(t.Name(), prefix) }
		o.Finished = func(prefix axis.Path, r *leaf.Run) { j.Keep(t.Name(), prefix, r) }
	}
	var test leaf.Test = t
	if s.o.Took != nil {
		test = timed{t, s.o.Took}
	}
	if s.o.VerifyReplay {
		test = walk.Twice{Test: test}
	}
	var res walk.Result
	var err error
	cover, sample := s.o.Cover, s.o.Sample
	if cover == 0 && sample == 0 {
		cover, sample = info.Cover.Strength, info.Sample
	}
	switch {
	case sample > 0 && cover > 0:
		return nil, diagnostic.New(WalkUsage, source.Span{}, t.Name()+": a walk samples or covers, not both")
	case s.o.Likely && (sample > 0 || cover > 0):
		return nil, diagnostic.New(WalkUsage, source.Span{}, t.Name()+": a sample or a covering array has an order of its own").WithHint("leave --order out")
	case s.o.Likely && s.o.Shard.Count > 1:
		return nil, diagnostic.New(WalkUsage, source.Span{}, "a shard has an order of its own").WithHint("leave --order out")
	case sample > 0:
		c.tally.summary.Sampled, res, err = s.sample(ctx, test, o, sample, c)
	case cover > 0:
		c.tally.summary.Covered, res, err = s.cover(ctx, test, o, cover, info.Cover, c)
	case s.o.Likely:
		res, err = walk.Likely(ctx, test, o, c.add)
	default:
		res, err = walk.Tree(ctx, test, o, c.add)
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	if res.Stopped || err != nil {
		s.manifest.Partial = true
	}
	return c.close(ctx, test, o, res), nil
}

// recall is the run that an earlier walk made along prefix; nil where there was
// none, or what it depends on has changed.
func (s *suite) recall(test string, prefix axis.Path) *leaf.Run {
	r := s.o.Journal.Recall(test, prefix)
	if r != nil && s.o.Keep != nil && !s.o.Keep(r.Sources) {
		return nil
	}
	return r
}

// timed is a test whose runs are timed.
type timed struct {
	leaf.Test
	took func(test string, d time.Duration)
}

// Run runs the test and tells how long that took.
func (t timed) Run(ctx context.Context, r leaf.Request) *leaf.Run {
	begin := time.Now()
	run := t.Test.Run(ctx, r)
	t.took(t.Name(), time.Since(begin))
	return run
}

// admit applies pins, and selectors where every one of them speaks of options.
func (s *suite) admit(a *axis.Axis, i int) bool {
	for _, pin := range s.o.Pins {
		if pin.Axis == a.ID && a.Index(pin.Key) != i {
			return false
		}
	}
	if len(s.o.Leaves) == 0 {
		return true
	}
	for _, sel := range s.o.Leaves {
		if sel.Admits(a, i) {
			return true
		}
	}
	return false
}

// wanted reports whether a row is one of those asked for.
func (s *suite) wanted(id string, p axis.Path) bool {
	if len(s.o.Leaves) == 0 {
		return true
	}
	found := false
	for i, sel := range s.o.Leaves {
		if sel.Matches(id, p) {
			s.selected[i]++
			found = true
		}
	}
	return found
}

// unused refuses selectors and pins that nothing met.
func (s *suite) unused() error {
	if s.manifest.Partial {
		return nil
	}
	for i, sel := range s.o.Leaves {
		if s.selected[i] == 0 {
			return diagnostic.New(WalkUsage, source.Span{}, "no leaf is "+selectorText(sel)).WithHint(s.nearest(sel) + "; orrery plan lists the leaves")
		}
	}
	for _, pin := range s.o.Pins {
		if !s.pins[pin.Axis] {
			return diagnostic.New(WalkUsage, source.Span{}, fmt.Sprintf("no leaf has %s=%s", pin.Axis, pin.Key)).WithHint(s.alternatives(pin.Axis))
		}
	}
	return nil
}

// nearest says what could stand in place of sel, which is no leaf: the options
// of the axis whose option no leaf had, or else the axes there are.
func (s *suite) nearest(sel axis.Selector) string {
	for _, pin := range sel.Pins {
		for _, t := range s.plan.Tests() {
			for _, a := range t.StaticAxes() {
				if a.Axis.ID == pin.Axis && len(a.Axis.Options) > 0 && a.Axis.Index(pin.Key) < 0 {
					return s.alternatives(pin.Axis)
				}
			}
		}
	}
	return s.alternatives("")
}

// alternatives says what the axis called id offers, or else which axes there
// are.
func (s *suite) alternatives(id string) string {
	names := s.met
	for _, t := range s.plan.Tests() {
		for _, a := range t.StaticAxes() {
			if a.Axis.ID != id {
				if !slices.Contains(names, a.Axis.ID) {
					names = append(names, a.Axis.ID)
				}
				continue
			}
			if len(a.Axis.Options) == 0 {
				continue
			}
			var options []string
			for _, o := range a.Axis.Options[:min(len(a.Axis.Options), 20)] {
				options = append(options, o.Label)
			}
			return "the options of " + id + " are " + strings.Join(options, ", ")
		}
	}
	return "the axes of the plan are " + strings.Join(names, ", ")
}

func selectorText(s axis.Selector) string {
	if s.ID != "" {
		return s.ID
	}
	var parts []string
	for _, p := range s.Pins {
		parts = append(parts, p.Axis+"="+p.Key)
	}
	return strings.Join(parts, ",")
}

// meet notes the axes of a path for pins and hints.
func (s *suite) meet(p axis.Path) {
	for _, x := range p {
		if !x.Axis.Named && !x.Axis.Fans {
			continue
		}
		if !s.pins["\x00"+x.Axis.ID] {
			s.pins["\x00"+x.Axis.ID] = true
			s.met = append(s.met, x.Axis.ID)
		}
		for _, pin := range s.o.Pins {
			if pin.Axis == x.Axis.ID && x.Axis.Index(pin.Key) == x.Index {
				s.pins[pin.Axis] = true
			}
		}
	}
}

// Status is the exit status of a walk by its manifest.
func Status(m *bundle.Manifest, requireVerdict bool) int {
	switch s := m.Summary; {
	case s.Failed+s.Errored > 0 || slices.ContainsFunc(m.Regressions, bundle.Regression.Fails):
		return 1
	case m.Partial || s.NotRun > 0:
		return 4
	case requireVerdict && undecided(m):
		return 5
	case s.Inconclusive > 0:
		return 3
	}
	return 0
}

// undecided reports whether some test has no verdict.
func undecided(m *bundle.Manifest) bool {
	for _, t := range m.Tests {
		if t.Summary.Decided() == 0 {
			return true
		}
	}
	return len(m.Tests) == 0
}

// sample draws leaves of one test.
func (s *suite) sample(ctx context.Context, t leaf.Test, o walk.Options, n int, c *collector) (*bundle.SampleSummary, walk.Result, error) {
	res, exhausted, err := walk.Sample(ctx, t, o, n, s.o.Seed, c.add)
	return &bundle.SampleSummary{Asked: n, Drawn: res.Ran, Exhausted: exhausted}, res, err
}

// cover runs a covering array of one test.
func (s *suite) cover(ctx context.Context, t leaf.Test, o walk.Options, strength int, wish lang.Cover, c *collector) (*bundle.CoverSummary, walk.Result, error) {
	strengths := []walk.Strength{{T: strength}}
	for _, g := range wish.Groups {
		strengths = append(strengths, walk.Strength{Axes: g.Axes, T: g.Strength})
	}
	cov, res, err := walk.Cover(ctx, t, o, strengths, c.add)
	return &bundle.CoverSummary{Strength: strength, Tuples: cov.Tuples, Covered: cov.Covered, Infeasible: cov.Infeasible, Uncovered: cov.Uncovered,
		Impossible: cov.Impossible}, res, err
}
