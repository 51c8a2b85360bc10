package plan

import (
	"cmp"
	"io"
	"maps"
	"slices"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/plan/suite"
)

// MergeOptions are the flags of `orrery merge`.
type MergeOptions struct {
	Bundle, Report, JUnit string        // files to write; "" for none
	Detail                report.Detail // of Report
	RequireVerdict        bool
	JSON, Color           bool
	Coverage              CoverageOptions
}

// Merge joins the bundles of all shards of one walk: the bundle that it
// writes has the bytes of one that was walked without shards. The status is
// that of the walk; the error is a diagnostic.
func Merge(names []string, o MergeOptions, out io.Writer) (status int, err error) {
	var bundles []*bundle.Bundle
	var parts []*bundle.Manifest
	for _, n := range names {
		b, err := bundle.ReadFile(n)
		if err != nil {
			return 2, err
		}
		bundles, parts = append(bundles, b), append(parts, b.Manifest)
	}
	m, err := suite.Merge(parts)
	if err != nil {
		return 2, err
	}
	joined := &bundle.Bundle{Manifest: m, Sources: map[string][]byte{}, Replay: report.ReplayScript(m)}
	for _, b := range bundles {
		maps.Copy(joined.Sources, b.Sources)
	}
	if joined.Plan, err = joinPlans(bundles); err != nil {
		return 2, err
	}
	if o.Bundle != "" {
		if err := joined.WriteFile(o.Bundle); err != nil {
			return 2, cannotWrite(o.Bundle)
		}
	}
	doc, err := joined.PlanDoc()
	if err != nil {
		return 2, err
	}
	if err := writeReports(m, doc, o.Report, o.Detail, o.JUnit); err != nil {
		return 2, err
	}
	return conclude(out, m, o.JSON, o.Color, o.RequireVerdict, o.Coverage)
}

// joinPlans is plan.json of shards, with the models that the leaves of any have
// opened; nil where they have none.
func joinPlans(bundles []*bundle.Bundle) ([]byte, error) {
	joined, err := bundles[0].PlanDoc()
	if joined == nil || err != nil {
		return nil, err
	}
	for _, b := range bundles[1:] {
		d, err := b.PlanDoc()
		if d == nil || err != nil {
			return nil, err
		}
		joined.Models = append(joined.Models, d.Models...)
		joined.Coverage = append(joined.Coverage, d.Coverage...)
	}
	slices.SortFunc(joined.Models, func(a, b bundle.FileDoc) int { return cmp.Compare(a.Digest, b.Digest) })
	joined.Models = slices.CompactFunc(joined.Models, func(a, b bundle.FileDoc) bool { return a.Digest == b.Digest })
	slices.SortFunc(joined.Coverage, func(a, b bundle.ModelDoc) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Digest, b.Digest))
	})
	joined.Coverage = slices.CompactFunc(joined.Coverage, func(a, b bundle.ModelDoc) bool { return a.Digest == b.Digest })
	return bundle.Encode(joined)
}
