package suite

import (
	"fmt"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// A tally sums the rows of one test up as they come, in the order of leaves.
// A walk and the merge of its shards use the same one, so that they agree.
type tally struct {
	summary  bundle.TestSummary
	removed  map[string]*bundle.Removed
	halts    map[string]*bundle.Removed
	table    *table
	failing  map[string]string // leaf by its indices -> fingerprint
	first    map[string]failing
	order    []string // fingerprints as met
	warnings map[bundle.Warning]bool
	unasked  int // passing leaves that expect nothing
	effects  *effects
	coverage *coverage
}

// failing is the least leaf that failed in one way.
type failing struct {
	choices []bundle.ChoiceValue
	id      string
}

func newTally(name string) *tally {
	return &tally{summary: bundle.TestSummary{Name: name, Summary: bundle.Summary{MatchedTests: 1}}, removed: map[string]*bundle.Removed{},
		halts: map[string]*bundle.Removed{}, table: newTable(), failing: map[string]string{}, first: map[string]failing{}, warnings: map[bundle.Warning]bool{}, effects: newEffects(), coverage: newCoverage()}
}

// maxFailing bounds the failing leaves that are remembered for shrinking.
const maxFailing = 200_000

// add takes in one row; an unlisted one is counted alone.
func (t *tally) add(r *bundle.Row, unlisted bool) {
	t.summary.Summary.Add(r.Outcome, 1)
	if unlisted {
		t.summary.Summary.Unlisted++
	}
	if r.BodyRan {
		t.summary.BodyRuns++
	}
	fanned := fanned(r.Choices)
	switch {
	case r.Outcome == leaf.Halted && r.PrunedBy != "":
		count(t.removed, r.PrunedBy, r.Reads)
	case r.Outcome == leaf.Halted:
		count(t.halts, strings.TrimSpace(r.Site+" "+r.Reason), nil)
	case r.Outcome == leaf.Pass && r.Expectations == 0:
		t.unasked++
	}
	t.coverage.add(r, fanned)
	if r.Outcome.Decides() {
		t.table.add(fanned, r.Outcome != leaf.Pass)
		t.effects.add(r, fanned)
	}
	if r.Fingerprint == "" {
		return
	}
	if len(t.failing) < maxFailing {
		t.failing[indices(fanned)] = r.Fingerprint
	}
	if _, known := t.first[r.Fingerprint]; !known {
		t.first[r.Fingerprint] = failing{fanned, r.LeafID}
		t.order = append(t.order, r.Fingerprint)
	}
}

func fanned(choices []bundle.ChoiceValue) []bundle.ChoiceValue {
	var out []bundle.ChoiceValue
	for _, c := range choices {
		if c.Fans {
			out = append(out, c)
		}
	}
	return out
}

// indices names a leaf by its axes and the indices of their options.
func indices(choices []bundle.ChoiceValue) string {
	var b strings.Builder
	for _, c := range choices {
		fmt.Fprintf(&b, "%s=%d\n", c.Axis, c.Index)
	}
	return b.String()
}

func count(m map[string]*bundle.Removed, name string, reads []string) {
	if m[name] == nil {
		m[name] = &bundle.Removed{Name: name}
	}
	if m[name].Reads == nil {
		m[name].Reads = reads
	}
	m[name].Leaves++
}

func (t *tally) warn(code, format string, a ...any) {
	t.warnings[bundle.Warning{Code: code, Message: fmt.Sprintf(format, a...)}] = true
}

// finish completes the summary. whole says that all leaves of the test are in.
func (t *tally) finish(whole bool) *bundle.TestSummary {
	s := &t.summary
	s.Removed, s.Halts = sorted(t.removed), sorted(t.halts)
	s.Fails = t.table.failsWhen()
	if s.Minimal == nil {
		t.shrink()
	}
	if whole {
		s.Coverage = t.coverage.summary(exhaustive(s))
		t.vacuity()
	}
	for w := range t.warnings {
		s.Warnings = append(s.Warnings, w)
	}
	sort.Slice(s.Warnings, func(i, j int) bool {
		a, b := s.Warnings[i], s.Warnings[j]
		return a.Code < b.Code || a.Code == b.Code && a.Message < b.Message
	})
	return s
}

func sorted(m map[string]*bundle.Removed) []bundle.Removed {
	var out []bundle.Removed
	for _, r := range m {
		out = append(out, *r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// maxShrunk is how many kinds of failure are shrunk in one test.
const maxShrunk = 8

// shrink finds the least leaf of each kind of failure among those that ran:
// axes move to earlier options as long as that leaf failed in the same way.
func (t *tally) shrink() {
	for _, print := range t.order[:min(len(t.order), maxShrunk)] {
		least := append([]bundle.ChoiceValue(nil), t.first[print].choices...)
		if len(least) == 0 {
			continue
		}
		fails := func(k, index int) bool {
			was := least[k].Index
			least[k].Index = index
			same := t.failing[indices(least)] == print
			least[k].Index = was
			return same
		}
		// The first leaf of a kind is the least in leaf order already; what is
		// left is to say which axes do not matter.
		var free []string
		for k := range least {
			other := true
			for i := range least[k].Of {
				other = other && (i == least[k].Index || fails(k, i))
			}
			if other {
				free = append(free, least[k].Axis)
			}
		}
		t.summary.Minimal = append(t.summary.Minimal, bundle.Minimal{Fingerprint: print, LeafID: t.first[print].id,
			LeafPath: bundle.Path(least).String(), Free: free})
	}
}

// vacuity warns of what looks green and says nothing.
func (t *tally) vacuity() {
	s := t.summary.Summary
	if s.Leaves > 0 && s.Halted == s.Leaves {
		t.warn("ALL_HALTED", "%s has no verdict: every leaf was halted", t.summary.Name)
	}
	if t.summary.Sampled == nil && t.summary.Covered == nil {
		for _, p := range t.summary.Assumes {
			removed := 0
			if r := t.removed[p]; r != nil {
				removed = r.Leaves
			}
			switch removed {
			case 0:
				t.warn("PREDICATE_NEVER_FALSE", "assume(%s) removed no leaf of %s", p, t.summary.Name)
			case s.Leaves:
				t.warn("PREDICATE_ALWAYS_FALSE", "assume(%s) removed every leaf of %s", p, t.summary.Name)
			}
		}
	}
	for _, a := range t.effects.none() {
		t.warn("AXIS_NO_EFFECT", "leaves of %s that differ only in %s did the same", t.summary.Name, a)
	}
	if t.unasked > 0 && t.unasked == s.Passed {
		t.warn("NO_EXPECTATION", "the passing leaves of %s expect nothing", t.summary.Name)
	}
}

// exhaustive reports whether what no leaf of a whole walk has cannot occur.
func exhaustive(s *bundle.TestSummary) bool {
	switch {
	case s.Sampled != nil:
		return s.Sampled.Exhausted
	case s.Covered != nil:
		return s.Covered.Strength >= 2 && len(s.Covered.Uncovered) == 0
	}
	return true
}
