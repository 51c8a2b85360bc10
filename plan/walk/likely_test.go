package walk

import (
	"context"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// TestLikely holds walks by probability to the walk of the whole tree: where
// nothing ends them the rows are the same; where a bound does, they are of the
// likeliest leaves.
func TestLikely(t *testing.T) {
	for seed := range uint64(40) {
		f := random(seed)
		f.weights = true
		whole, _ := rows(t, f, Options{})
		var ran []axis.Path
		Tree(context.Background(), f, Options{}, func(r Row) error {
			if r.Run != nil {
				ran = append(ran, r.Path)
			}
			return nil
		})
		sort.SliceStable(ran, func(i, j int) bool { return ran[i].Probability() > ran[j].Probability() })
		for _, jobs := range []int{1, 3} {
			var got []string
			res, err := Likely(context.Background(), f, Options{Jobs: jobs}, func(r Row) error {
				line := r.Path.String()
				if r.Cut != nil {
					line += " removed"
				}
				if r.Predicted {
					line += " predicted"
				}
				got = append(got, line)
				return nil
			})
			if err != nil || res.Stopped || res.Ran != len(ran) || strings.Join(got, "|") != strings.Join(whole, "|") {
				t.Fatalf("seed %d, %d jobs: %+v, %v, got\n%s\nwant\n%s", seed, jobs, res, err, strings.Join(got, "\n"), strings.Join(whole, "\n"))
			}
			for n := 1; n < len(ran); n += 3 {
				var want, got []string
				for _, p := range ran[:n] {
					want = append(want, p.String())
				}
				res, err := Likely(context.Background(), f, Options{Jobs: jobs, MaxLeaves: n}, func(r Row) error {
					got = append(got, r.Path.String())
					return nil
				})
				slices.Sort(got)
				slices.Sort(want)
				if err != nil || !res.Stopped || res.NotRun == 0 || strings.Join(got, "|") != strings.Join(want, "|") {
					t.Errorf("seed %d, %d jobs, %d leaves: %+v, %v, got\n%s\nwant\n%s", seed, jobs, n, res, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	}
}

// TestLikelyStops ends a walk by probability from outside and at a failure.
func TestLikelyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ran := 0
	f := fake{weights: true, body: func(c func(string, int) int) leaf.Outcome {
		if ran++; ran == 4 {
			cancel()
		}
		if c("a", 5)+c("b", 5) == 8 {
			return leaf.Fail
		}
		return leaf.Pass
	}}
	emitted := 0
	res, err := Likely(ctx, f, Options{}, func(Row) error { emitted++; return nil })
	if err == nil || !res.Stopped || res.NotRun == 0 || emitted != res.Ran || emitted > 4 {
		t.Errorf("%+v, %v, %d rows", res, err, emitted)
	}
	ran = 5
	last := ""
	res, err = Likely(context.Background(), f, Options{MaxFailures: 1}, func(r Row) error { last = r.Path.String(); return nil })
	if err != nil || !res.Stopped || last != "a=4 b=4" {
		t.Errorf("%+v, %v, the last row is %s", res, err, last)
	}
}
