package conform

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
)

// This file judges check.expected.json: what checking every schedule of a
// case finds, and whether that is what exploring it finds.

// check compares the check of the case with what the file states.
func (b *bench) check() []string { return b.searched(b.checked) }

func (b *bench) checked(q runtime.ExploreRequest) []string {
	q.Runs, q.Depth, q.Worlds = 0, 0, 1_000_000
	c, err := b.session.CheckBehavior(b.ctx, runtime.CheckRequest{ExploreRequest: q})
	if err != nil {
		return []string{"error: " + message(err)}
	}
	reasons := append(b.compareCheck(c), b.agrees(c, q)...)
	whole, err := b.session.CheckBehavior(b.ctx, runtime.CheckRequest{ExploreRequest: q, Unreduced: true})
	if err != nil {
		return append(reasons, "unreduced: "+message(err))
	}
	for _, r := range b.compareCheck(whole) {
		reasons = append(reasons, "unreduced: "+r)
	}
	return reasons
}

func (b *bench) compareCheck(c *runtime.Checking) []string {
	var reasons []string
	want := b.c.Check
	if c.Text != want.Verdict {
		reasons = append(reasons, fmt.Sprintf("verdict %q, want %q", c.Text, want.Verdict))
	}
	for _, f := range c.Divergent {
		values, ok := want.Divergent[f.Name]
		switch {
		case !ok:
			reasons = append(reasons, fmt.Sprintf("%s ends as %s, which the case does not list", f.Name, strings.Join(f.Values, " or ")))
		case !slices.Equal(values, f.Values):
			reasons = append(reasons, fmt.Sprintf("%s ends as %s, want %s", f.Name, strings.Join(f.Values, " or "), strings.Join(values, " or ")))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want.Divergent)) {
		if feature(c.Divergent, name) == nil {
			reasons = append(reasons, name+" does not diverge")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want.Agreed)) {
		f := feature(c.Agreed, name)
		switch {
		case f == nil:
			reasons = append(reasons, "the schedules do not agree on "+name)
		case f.Values[0] != want.Agreed[name]:
			reasons = append(reasons, fmt.Sprintf("%s ends as %s, want %s", name, f.Values[0], want.Agreed[name]))
		}
	}
	var failures []string
	for _, v := range c.Violations {
		failures = append(failures, v.Text)
	}
	for _, text := range want.Failures {
		i := slices.IndexFunc(failures, func(f string) bool { return strings.Contains(f, text) })
		if i < 0 {
			reasons = append(reasons, fmt.Sprintf("no failure says %q", text))
			continue
		}
		failures = slices.Delete(failures, i, i+1)
	}
	for _, f := range failures {
		reasons = append(reasons, "found and not listed: "+f)
	}
	return reasons
}

func feature(list []*explore.Feature, name string) *explore.Feature {
	for _, f := range list {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// agrees compares the ends that the check found with those of exploring, and
// follows every witness.
func (b *bench) agrees(c *runtime.Checking, q runtime.ExploreRequest) []string {
	x, err := b.session.Explore(b.ctx, q)
	if err != nil {
		return []string{"explore: " + message(err)}
	}
	var reasons []string
	values := map[string]map[string]bool{}
	for _, o := range x.Outcomes {
		if o.Err != nil {
			continue
		}
		for _, out := range o.Outputs {
			if values[out.Name] == nil {
				values[out.Name] = map[string]bool{}
			}
			values[out.Name][out.Text] = true
		}
	}
	for _, f := range c.Divergent {
		seen := values[f.Name]
		for i, v := range f.Values {
			if seen != nil && v != "unset" && !seen[v] {
				reasons = append(reasons, fmt.Sprintf("the check ends with %s = %s, exploring does not", f.Name, v))
			}
			if _, err := c.FeatureWitness(f, i); err != nil {
				reasons = append(reasons, fmt.Sprintf("%s = %s: %s", f.Name, v, message(err)))
			}
		}
		if seen != nil && len(seen) > len(f.Values) {
			reasons = append(reasons, fmt.Sprintf("exploring ends with %d values of %s, the check with %d", len(seen), f.Name, len(f.Values)))
		}
	}
	return reasons
}
