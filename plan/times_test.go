package plan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// TestMedian holds medians to a tenth of what they are.
func TestMedian(t *testing.T) {
	d := newDurations()
	for i := 1; i <= 999; i++ {
		d.add("test_a", time.Duration(i)*time.Millisecond)
	}
	d.add("test_b", 0)
	times := d.times()
	if a := times["test_a"]; a.Leaves != 999 || a.Median < 0.45 || a.Median > 0.55 {
		t.Errorf("%+v", a)
	}
	if b := times["test_b"]; b.Leaves != 1 || b.Median > 1e-8 {
		t.Errorf("%+v", b)
	}
}

// TestEstimate is CO-7: leaves by the median of earlier bundles, divided among
// the workers.
func TestEstimate(t *testing.T) {
	env := filepath.Join(t.TempDir(), "b")
	if err := os.WriteFile(env+envSuffix, []byte(`{"version": 1, "tests": {"test_a": {"leaves": 3, "median_seconds": 2}, "test_b": {"leaves": 1, "median_seconds": 0.5}}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	test := func(name string, planned int) bundle.TestDoc {
		return bundle.TestDoc{Name: name, Counts: bundle.CountsDoc{Planned: planned}}
	}
	tests := []struct {
		tests     []bundle.TestDoc
		estimated bool
		jobs      int
		want      string
	}{
		{[]bundle.TestDoc{test("test_a", 10), test("test_b", 1)}, false, 1, "time: about 21s with 1 worker\n"},
		{[]bundle.TestDoc{test("test_a", 10)}, false, 4, "time: about 5s with 4 workers\n"},
		{[]bundle.TestDoc{test("test_a", 2)}, true, 8, "time: at least 2s with 8 workers\n"},
		{[]bundle.TestDoc{test("test_a", 2), test("test_c", 1)}, false, 1, "time: no estimate, since no earlier walk has test_c\n"},
	}
	for _, c := range tests {
		got, err := estimate(&bundle.PlanDoc{Tests: c.tests, Totals: bundle.CountsDoc{Estimated: c.estimated}}, []string{env}, c.jobs)
		if err != nil || got != c.want {
			t.Errorf("got %q, want %q, %v", got, c.want, err)
		}
	}
	if _, err := estimate(&bundle.PlanDoc{}, []string{env + "none"}, 1); err == nil {
		t.Error("a bundle without env.json tells the time")
	}
}

// TestHistory walks a plan and estimates its next walk.
func TestHistory(t *testing.T) {
	name := written(t, "def test_a(): choose('x', [1, 2, 3])\n")
	packed := filepath.Join(filepath.Dir(name), "b")
	if status, err := Walk(context.Background(), name, WalkOptions{Bundle: packed}, io.Discard); status != 0 {
		t.Fatal(status, err)
	}
	var out bytes.Buffer
	if status, err := Enumerate(context.Background(), name, EnumerateOptions{History: []string{packed}, Jobs: 2}, &out); status != 0 || !strings.Contains(out.String(), "time: about ") {
		t.Error(status, err, fmt.Sprint(&out))
	}
}
