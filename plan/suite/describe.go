package suite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sort"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/walk"
)

// DescribeOptions are what plan.json says beside the tests.
type DescribeOptions struct {
	Tests  []string // patterns; none for all
	Engine bundle.EngineDoc
	Models []bundle.FileDoc
	// Coverage counts what leaves can execute of models.
	Coverage []bundle.ModelDoc
	Options  map[string]string
	Seed     int64
}

// maxLeaves is how many leaves of a test plan.json lists.
const maxLeaves = 10_000

// Describe is what p would walk, read off its text and the execution of its
// top level; no body is run. A count whose axes only running tells is
// estimated: at least so many.
func Describe(p *lang.Plan, o DescribeOptions) *bundle.PlanDoc {
	doc := head(p, o)
	tests, _ := Select(p, o.Tests) // patterns were checked by the caller
	for _, t := range tests {
		d := testDoc(t)
		planned := 1
		for _, a := range t.StaticAxes() {
			x := axisDoc(a.Axis)
			x.Estimated = a.Estimated
			d.Axes = append(d.Axes, x)
			switch {
			case a.Estimated && a.Axis.Fans:
				d.Counts.Estimated = true
			case a.Axis.Fans:
				planned *= len(a.Axis.Options)
			}
		}
		d.Counts.Planned = planned
		add(doc, d)
	}
	return doc
}

func head(p *lang.Plan, o DescribeOptions) *bundle.PlanDoc {
	sum := sha256.Sum256([]byte(p.File.Text))
	models := o.Models
	if models == nil {
		models = []bundle.FileDoc{}
	}
	doc := &bundle.PlanDoc{SchemaVersion: bundle.SchemaVersion, Plan: bundle.FileDoc{Name: p.File.Name, Digest: hex.EncodeToString(sum[:])},
		Models: models, Engine: o.Engine, Seed: o.Seed, Options: o.Options, Tests: []bundle.TestDoc{}, Coverage: o.Coverage}
	if len(p.Tests()) == 0 {
		doc.Diagnostics = append(doc.Diagnostics, bundle.Warning{Code: "NO_TESTS", Message: "the plan registers no test: a function whose name begins with test_, or test(...)"})
	}
	return doc
}

func add(doc *bundle.PlanDoc, d bundle.TestDoc) {
	if d.Axes == nil {
		d.Axes = []bundle.AxisDoc{}
	}
	doc.Tests = append(doc.Tests, d)
	doc.Totals.Planned += d.Counts.Planned
	doc.Totals.Pruned += d.Counts.Pruned
	doc.Totals.Estimated = doc.Totals.Estimated || d.Counts.Estimated
}

func testDoc(t *lang.Test) bundle.TestDoc {
	i := t.Info()
	d := bundle.TestDoc{Name: i.Name, Kind: i.Kind, Doc: i.Doc, Tags: i.Tags, Site: bundle.Site(i.Site), ModuleAxes: i.ModuleAxes}
	if i.Timeout > 0 {
		d.Timeout = i.Timeout.String()
	}
	for _, a := range i.Assumes {
		d.Assumes = append(d.Assumes, bundle.AssumeDoc{Name: a.Name, Site: bundle.Site(a.Site)})
	}
	return d
}

func axisDoc(a *axis.Axis) bundle.AxisDoc {
	d := bundle.AxisDoc{ID: a.ID, Named: a.Named, FansOut: a.Fans, Scope: a.Scope.String(), Doc: a.Doc, Site: bundle.Site(a.Site)}
	for _, o := range a.Options {
		x := bundle.OptionDoc{Key: o.Key, Weight: o.Weight}
		if o.Label != o.Key {
			x.Label = o.Label
		}
		d.Options = append(d.Options, x)
	}
	return d
}

// Discover is Describe after a walk that ran every body: the counts are exact
// and the axes those that were met, with the choices under which they are.
func Discover(ctx context.Context, p *lang.Plan, o DescribeOptions, jobs int) (*bundle.PlanDoc, error) {
	doc := head(p, o)
	doc.Discovered = true
	tests, err := Select(p, o.Tests)
	if err != nil {
		return nil, err
	}
	for _, t := range tests {
		d := testDoc(t)
		met := newDiscovery()
		removed := map[string]*bundle.Removed{}
		halts := map[string]*bundle.Removed{}
		_, err := walk.Tree(ctx, t, walk.Options{Jobs: jobs, MaxCuts: 1 << 30}, func(r walk.Row) error {
			path := r.Path
			status := "planned"
			switch {
			case r.Cut != nil:
				status = "pruned"
				count(removed, r.Cut.Predicate, r.Cut.Reads)
			default:
				path = r.Run.Path
				met.add(path)
				if r.Run.Outcome == leaf.Halted && r.Run.PrunedBy != "" {
					status = "pruned"
					count(removed, r.Run.PrunedBy, nil)
				} else if r.Run.Outcome == leaf.Halted {
					count(halts, r.Run.Site+" "+r.Run.Reason, nil)
				}
			}
			if status == "planned" {
				d.Counts.Planned++
			} else {
				d.Counts.Pruned++
			}
			if len(d.Leaves) < maxLeaves {
				l := bundle.LeafDoc{Path: path.String(), Status: status, Probability: path.Probability()}
				if id := path.ID(t.Name()); id != "" {
					l.LeafID = id[:axis.IDLength]
				}
				d.Leaves = append(d.Leaves, l)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if d.Counts.Planned+d.Counts.Pruned > maxLeaves {
			d.Leaves = nil
		}
		d.Axes = met.axes()
		for i := range d.Assumes {
			if r := removed[d.Assumes[i].Name]; r != nil {
				d.Assumes[i].LeavesRemoved, d.Assumes[i].Reads = r.Leaves, r.Reads
			}
		}
		d.Halts = sorted(halts)
		add(doc, d)
	}
	return doc, nil
}

// discovery is the axes of one test as leaves met them.
type discovery struct {
	order []string
	known map[string]*metAxis
	paths int
}

type metAxis struct {
	axis *axis.Axis
	// under counts, for each pick before the axis, the leaves that made it.
	under map[string]int
	seen  int
	first int // place in the path
}

func newDiscovery() *discovery { return &discovery{known: map[string]*metAxis{}} }

func (d *discovery) add(p axis.Path) {
	d.paths++
	for i, x := range p {
		m := d.known[x.Axis.ID]
		if m == nil {
			m = &metAxis{axis: x.Axis, under: map[string]int{}, first: i}
			d.known[x.Axis.ID] = m
			d.order = append(d.order, x.Axis.ID)
		}
		m.seen++
		for _, before := range p[:i] {
			if before.Axis.Fans {
				m.under[before.String()]++
			}
		}
	}
}

// axes lists the axes in the order they were first met. An axis that not
// every leaf has exists under the picks that all leaves with it have made.
func (d *discovery) axes() []bundle.AxisDoc {
	var out []bundle.AxisDoc
	for _, id := range d.order {
		m := d.known[id]
		x := axisDoc(m.axis)
		if m.seen < d.paths {
			for pick, n := range m.under {
				if n == m.seen {
					x.When = append(x.When, pick)
				}
			}
			sort.Strings(x.When)
		}
		out = append(out, x)
	}
	return out
}
