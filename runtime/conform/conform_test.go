package conform

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/library"
)

var update = flag.Bool("update-traces", false, "write the traces that cases own")

// sharedFloor is how many cases of the shared corpus have to pass, by type
// and part; it only grows.
var sharedFloor = map[string]int{
	"action result": 97, "action golden": 61, "state result": 86, "state golden": 43,
	"calc result": 60, "calc golden": 22, "calcUsage result": 3, "calcUsage golden": 3,
	"constraint result": 17, "constraint golden": 6, "requirement result": 8, "satisfy result": 6,
	"verification result": 9, "verification golden": 2, "analysis result": 5, "analysis golden": 1,
	"instance result": 44, "instance golden": 3,
}

// TestSharedCorpus judges the shared corpus where ORRERY_SHARED names the
// folder that has it, and prints what fails.
func TestSharedCorpus(t *testing.T) {
	shared := os.Getenv("ORRERY_SHARED")
	if shared == "" {
		return
	}
	cases, err := Load(filepath.Join(shared, "corpus/execution"))
	if err != nil {
		t.Fatal(err)
	}
	if only := os.Getenv("ORRERY_CASE"); only != "" {
		var some []*Case
		for _, c := range cases {
			if strings.Contains(c.Name, only) {
				some = append(some, c)
			}
		}
		cases = some
	}
	text, err := os.ReadFile(filepath.Join(shared, "corpus/execution-known.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known, err := ParseKnown(string(text))
	if err != nil {
		t.Fatal(err)
	}
	report := Run(context.Background(), cases, Options{Library: library.Embedded(), Traces: true, Known: known, Workers: 2})
	t.Log("\n" + report.Text(false))
	for key, floor := range sharedFloor {
		kind, part, _ := strings.Cut(key, " ")
		if got := report.Total(part, kind); got.Passed < floor && os.Getenv("ORRERY_CASE") == "" {
			t.Errorf("%s: %d of %d pass, want at least %d", key, got.Passed, got.Cases, floor)
		}
	}
}

// ownCases are the cases of this repository.
func ownCases(t *testing.T) []*Case {
	t.Helper()
	cases, err := Load("../testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func check(t *testing.T, o Options) {
	t.Helper()
	text, err := os.ReadFile("../testdata/known_failures.txt")
	if err != nil {
		t.Fatal(err)
	}
	if o.Known, err = ParseKnown(string(text)); err != nil {
		t.Fatal(err)
	}
	o.Library, o.Workers, o.Update = library.Embedded(), 2, *update
	report := Run(context.Background(), ownCases(t), o)
	if !report.OK() {
		t.Error("\n" + report.Text(false))
	}
}

// TestExecutionConformance judges the results of our own cases under the
// default schedule.
func TestExecutionConformance(t *testing.T) {
	check(t, Options{Policies: []schedule.Policy{{}}})
}

// TestExecutionConformanceUnderPolicies judges them under declared and seed:1.
func TestExecutionConformanceUnderPolicies(t *testing.T) {
	check(t, Options{Policies: DefaultPolicies()[1:]})
}

// TestExecutionTrace compares their goldens and orders.
func TestExecutionTrace(t *testing.T) {
	check(t, Options{Traces: true})
}
