package suite

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/walk"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// MergeRefused is the code of shards that do not make one walk.
var MergeRefused = diagnostic.Register("merge-refused",
	"Bundles are merged that are not all the shards of one walk: one is missing or given twice, one was stopped, or they are of different plans or options.")

// Merge joins the manifests of all shards of one walk to the manifest that
// the walk would have had without them.
func Merge(parts []*bundle.Manifest) (*bundle.Manifest, error) {
	refuse := func(format string, a ...any) error {
		return diagnostic.New(MergeRefused, source.Span{}, fmt.Sprintf(format, a...))
	}
	if len(parts) == 0 {
		return nil, refuse("there are no bundles to merge")
	}
	parts = slices.Clone(parts)
	for _, p := range parts {
		switch {
		case p.Shard == nil:
			return nil, refuse("a bundle of %s is of a whole walk, not of a shard", p.Plan)
		case p.Partial:
			return nil, refuse("shard %d of %d was stopped before its end; resume it first", p.Shard.Index, p.Shard.Count)
		case p.Digest != parts[0].Digest || p.Shard.Count != parts[0].Shard.Count || len(p.Tests) != len(parts[0].Tests):
			return nil, refuse("the shards are of different walks: plans, models, options and program must be the same")
		}
	}
	sort.Slice(parts, func(i, j int) bool { return parts[i].Shard.Index < parts[j].Shard.Index })
	for i := range parts[0].Shard.Count {
		if i >= len(parts) || parts[i].Shard.Index > i+1 {
			return nil, refuse("shard %d of %d is missing", i+1, parts[0].Shard.Count)
		}
		if parts[i].Shard.Index < i+1 {
			return nil, refuse("shard %d of %d is given twice", parts[i].Shard.Index, parts[0].Shard.Count)
		}
	}
	if len(parts) > parts[0].Shard.Count {
		return nil, refuse("shard %d of %d is given twice", parts[len(parts)-1].Shard.Index, parts[0].Shard.Count)
	}
	m := *parts[0]
	m.Shard, m.Rows, m.Tests, m.Summary = nil, []bundle.Row{}, []bundle.TestSummary{}, bundle.Summary{}
	known := ids{}
	for i := range parts[0].Tests {
		j := &joining{name: parts[0].Tests[i].Name, ids: known, first: &parts[0].Tests[i]}
		for _, p := range parts {
			j.take(p, &p.Tests[i])
		}
		rows, summary := j.join()
		m.Rows = append(m.Rows, rows...)
		m.Tests = append(m.Tests, *summary)
		m.Summary.Plus(summary.Summary)
	}
	m.Models = joinModels(parts)
	return &m, nil
}

// joining is the merge of one test.
type joining struct {
	name     string
	ids      ids
	first    *bundle.TestSummary
	rows     []joinedRow
	warnings []bundle.Warning
}

// A joinedRow is a row with its path.
type joinedRow struct {
	row  bundle.Row
	path axis.Path
}

func (j *joining) take(p *bundle.Manifest, t *bundle.TestSummary) {
	for _, r := range p.Rows {
		if r.Test == j.name {
			j.rows = append(j.rows, joinedRow{r, bundle.Path(r.Choices)})
		}
	}
	j.warnings = append(j.warnings, t.Warnings...)
}

// join puts the rows in order, completes those that are open, and sums up.
func (j *joining) join() ([]bundle.Row, *bundle.TestSummary) {
	j.sort()
	for {
		k := slices.IndexFunc(j.rows, func(r joinedRow) bool { return r.row.Open })
		if k < 0 {
			break
		}
		j.complete(k)
	}
	t := newTally(j.name)
	t.summary.Assumes, t.summary.Prune = j.first.Assumes, j.first.Prune
	t.summary.Sampled, t.summary.Covered = j.first.Sampled, j.first.Covered
	if t.summary.Sampled != nil || t.summary.Covered != nil {
		t.summary.Minimal = j.first.Minimal
	}
	for _, w := range j.warnings {
		t.warnings[w] = true
	}
	limit, cuts := walk.DefaultMaxCuts, 0
	if j.first.Prune == "drop" {
		limit = 0
	}
	var out []bundle.Row
	for _, r := range j.rows {
		r.row.LeafID = j.ids.short(r.path.ID(j.name))
		removed := r.row.PrunedBy != "" && !r.row.BodyRan
		if removed {
			cuts++
		}
		unlisted := removed && cuts > limit
		t.add(&r.row, unlisted)
		if !unlisted {
			out = append(out, r.row)
		}
	}
	return out, t.finish(true)
}

func (j *joining) sort() {
	slices.SortStableFunc(j.rows, func(a, b joinedRow) int { return a.path.Compare(b.path) })
}

// complete replaces open row k by the leaves that a walk without shards would
// predict for it: the picks that the leaves beside it made behind the place
// where it was cut. See walk.Tree, which looks in the same order.
func (j *joining) complete(k int) {
	open := j.rows[k]
	p := open.path.Fanned()
	var beside []axis.Path
	for at := len(p) - 1; at >= 0 && beside == nil; at-- {
		beside = walk.Beside(j.siblings(p, at), p, at)
	}
	made := []joinedRow{}
	add := func(path axis.Path, predicted bool) {
		r := open.row
		r.Open, r.Predicted, r.LeafPath, r.Choices = false, predicted, path.String(), bundle.Choices(path)
		made = append(made, joinedRow{r, path})
	}
	if beside == nil {
		add(p, false)
	}
	for _, b := range beside {
		add(append(p[:len(p):len(p)], b[len(p):]...), len(b) > len(p))
	}
	j.rows = slices.Concat(j.rows[:k], made, j.rows[k+1:])
}

// siblings are the paths of the rows below the other options of the axis at
// place at of p, by option. Open rows count for nothing.
func (j *joining) siblings(p axis.Path, at int) []walk.Sibling {
	var out []walk.Sibling
	for _, r := range j.rows {
		q := r.path.Fanned()
		if r.row.Open || len(q) <= at || q[:at].Compare(p[:at]) != 0 || q[at].Index == p[at].Index {
			continue
		}
		n := len(out)
		if n == 0 || out[n-1].Index != q[at].Index {
			out = append(out, walk.Sibling{Index: q[at].Index})
			n++
		}
		ran := !(r.row.PrunedBy != "" && !r.row.BodyRan)
		out[n-1].Paths = append(out[n-1].Paths, q)
		out[n-1].Ran = append(out[n-1].Ran, ran)
	}
	slices.SortStableFunc(out, func(a, b walk.Sibling) int { return cmp.Compare(a.Index, b.Index) })
	return out
}
