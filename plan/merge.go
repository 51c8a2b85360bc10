package plan

import (
	"io"

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
	var first *bundle.Bundle
	var parts []*bundle.Manifest
	for _, n := range names {
		b, err := bundle.ReadFile(n)
		if err != nil {
			return 2, err
		}
		if first == nil || b.Manifest.Shard != nil && b.Manifest.Shard.Index == 1 {
			first = b
		}
		parts = append(parts, b.Manifest)
	}
	m, err := suite.Merge(parts)
	if err != nil {
		return 2, err
	}
	joined := &bundle.Bundle{Manifest: m, Plan: first.Plan, Sources: first.Sources, Replay: report.ReplayScript(m)}
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
