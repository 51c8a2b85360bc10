package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is what lies beside a bundle and not in it: how long leaves took,
// from which the time of a walk to come is estimated.

// envSuffix is what the name of a bundle has behind it for its env.json.
const envSuffix = ".env.json"

// envDoc is env.json.
type envDoc struct {
	Version  int                 `json:"version"`
	Seconds  float64             `json:"seconds"`
	Finished string              `json:"finished"`
	Jobs     int                 `json:"jobs"`
	Tests    map[string]testTime `json:"tests"`
}

// A testTime is how long the leaves of a test took that were run, not those
// that a journal had.
type testTime struct {
	Leaves int     `json:"leaves"`
	Median float64 `json:"median_seconds"`
}

// buckets is how many durations a doubling is divided into.
const buckets = 8

// durations counts the leaves of each test by how long they took, to within a
// tenth. It may be used by many goroutines.
type durations struct {
	mu    sync.Mutex
	tests map[string]map[int]int // test -> bucket -> leaves
}

func newDurations() *durations { return &durations{tests: map[string]map[int]int{}} }

func (d *durations) add(test string, took time.Duration) {
	bucket := int(math.Floor(buckets * math.Log2(float64(max(took, 1)))))
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tests[test] == nil {
		d.tests[test] = map[int]int{}
	}
	d.tests[test][bucket]++
}

// times is the median of each test.
func (d *durations) times() map[string]testTime {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]testTime{}
	for test, counts := range d.tests {
		t := testTime{}
		lowest, highest := math.MaxInt, 0
		for b, n := range counts {
			t.Leaves += n
			lowest, highest = min(lowest, b), max(highest, b)
		}
		seen := 0
		for b := lowest; b <= highest; b++ {
			if seen += counts[b]; 2*seen >= t.Leaves {
				t.Median = math.Exp2((float64(b)+0.5)/buckets) / 1e9
				break
			}
		}
		out[test] = t
	}
	return out
}

// estimate says how long a walk of d by so many workers takes, by the env.json
// of earlier bundles; of several that have a test, the one given last counts.
func estimate(d *bundle.PlanDoc, history []string, jobs int) (string, error) {
	known := map[string]testTime{}
	for _, name := range history {
		text, err := os.ReadFile(strings.TrimSuffix(name, envSuffix) + envSuffix)
		var env envDoc
		if err != nil || json.Unmarshal(text, &env) != nil {
			return "", diagnostic.New(PlanUnreadable, source.Span{}, name+" has no "+envSuffix[1:]+" beside it that tells how long leaves took").
				WithHint("name a bundle of an earlier walk")
		}
		for test, t := range env.Tests {
			if t.Leaves > 0 {
				known[test] = t
			}
		}
	}
	jobs = max(jobs, 1)
	seconds := 0.0
	for _, t := range d.Tests {
		took, ok := known[t.Name]
		if !ok {
			return fmt.Sprintf("time: no estimate, since no earlier walk has %s\n", t.Name), nil
		}
		seconds += float64(t.Counts.Planned) * took.Median / float64(min(jobs, max(t.Counts.Planned, 1)))
	}
	about, workers := "about", "workers"
	if d.Totals.Estimated {
		about = "at least"
	}
	if jobs == 1 {
		workers = "worker"
	}
	return fmt.Sprintf("time: %s %s with %d %s\n", about, rounded(seconds), jobs, workers), nil
}

// rounded is a duration to two digits.
func rounded(seconds float64) string {
	d := time.Duration(seconds * 1e9)
	unit := time.Duration(1)
	for unit*100 <= d {
		unit *= 10
	}
	return d.Round(unit).String()
}
