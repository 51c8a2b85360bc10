package plan

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime/conform"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// TestConformanceSweep walks the project's own conformance cases under the
// fixed schedules as a plan, and holds every leaf to what the judge of cases
// says by itself. It takes a sample, and all where ORRERY_SHARED is set.
func TestConformanceSweep(t *testing.T) {
	o := WalkOptions{Jobs: 2, Sample: 40, NoShrink: true}
	if os.Getenv("ORRERY_SHARED") != "" {
		o.Sample = 0
	}
	const name = "testdata/sweep/conformance.plan.star"
	f, err := OpenFile(context.Background(), name, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Walk(context.Background(), name, o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	list, err := conform.Load("../runtime/testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]*conform.Case{}
	for _, c := range list {
		named["case("+c.Name+")"] = c
	}
	leaves := 0
	err = m.Each(func(_ int, r *bundle.Row) error {
		leaves++
		p, d := schedule.ParsePolicy(strings.Trim(r.Choices[1].Key, `"`))
		if d != nil {
			t.Fatal(d)
		}
		report := conform.Run(context.Background(), []*conform.Case{named[r.Choices[0].Key]}, conform.Options{Library: library.Embedded(),
			Policies: []schedule.Policy{p}, Traces: true})
		if report.OK() != (r.Outcome == leaf.Pass) {
			t.Errorf("%s: the leaf is %s, the judge says %v\n%s", r.LeafPath, r.Outcome, report.OK(), r.Reason)
		}
		return nil
	})
	if err != nil || leaves < 40 {
		t.Error(err, leaves)
	}
}
