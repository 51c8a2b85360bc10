package plantest_test

import (
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/plantest"
)

// TestRun runs a plan whose every leaf holds or is halted.
func TestRun(t *testing.T) {
	plantest.Run(t, "../testdata/plans/configurations.plan.star", "constraints=100")
}

func TestName(t *testing.T) {
	if got := plantest.Name(&bundle.Row{Test: "test_a", LeafID: "abcd"}); got != "test_a/abcd" {
		t.Error(got)
	}
	if got := plantest.Name(&bundle.Row{Test: "test_a"}); got != "test_a" {
		t.Error(got)
	}
}
