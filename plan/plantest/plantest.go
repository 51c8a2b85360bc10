package plantest

import (
	"testing"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/report"
)

// Run walks the plan in file and makes each leaf a subtest: one that failed
// fails, one that was halted, is inconclusive or was not run is skipped with
// the reason. A test of the plan without any verdict fails, and so does a walk
// that executed less of the models than min asks: KIND=PERCENT, such as
// transitions=90. The log says what was executed.
func Run(t *testing.T, file string, min ...string) {
	t.Helper()
	asked := plan.CoverageOptions{Min: min}
	f, err := plan.OpenFile(t.Context(), file, plan.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Walk(t.Context(), file, plan.WalkOptions{Jobs: 2, Coverage: asked})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	m.Each(func(_ int, r *bundle.Row) error { // the function gives no error
		t.Run(Name(r), func(t *testing.T) { judge(t, r) })
		return nil
	})
	for _, s := range m.Tests {
		if s.Summary.Decided() == 0 {
			t.Errorf("%s has no verdict", s.Name)
		}
	}
	t.Log(report.Covered(m))
	unmet, err := asked.Unmet(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range unmet {
		t.Error(line)
	}
}

// Name is the name of the subtest of r: its test, and the leaf's id where it
// has one.
func Name(r *bundle.Row) string {
	if r.LeafID == "" {
		return r.Test
	}
	return r.Test + "/" + r.LeafID
}

func judge(t *testing.T, r *bundle.Row) {
	switch r.Outcome {
	case leaf.Pass:
	case leaf.Fail, leaf.Error:
		t.Errorf("%s: %s\n%s", r.LeafPath, r.Reason, r.Detail)
	default:
		t.Skipf("%s: %s %s", r.LeafPath, r.Outcome, r.Reason)
	}
}
