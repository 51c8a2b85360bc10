package walk

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// TestSamplesAndCoversAgree draws and covers random trees with any number of
// workers: rows, and what the result says of them, are the same.
func TestSamplesAndCoversAgree(t *testing.T) {
	for seed := range uint64(60) {
		f := random(seed)
		f.weights = seed%3 == 0
		body := f.body
		if seed%2 == 0 { // some leaves are halted, some fail
			f.body = func(c func(string, int) int) leaf.Outcome {
				sum := 0
				outcome := body(func(id string, n int) int {
					k := c(id, n)
					sum += k
					return k
				})
				if sum%3 == 1 {
					outcome = leaf.Halted
				}
				return outcome
			}
		}
		for name, walk := range map[string]func(o Options, emit func(Row) error) string{
			"sample": func(o Options, emit func(Row) error) string {
				res, exhausted, err := Sample(context.Background(), f, o, 9, int64(seed), emit)
				return fmt.Sprint(res.Leaves, res.Ran, res.Stopped, exhausted, err)
			},
			"cover": func(o Options, emit func(Row) error) string {
				cov, res, err := Cover(context.Background(), f, o, []Strength{{T: 2}}, emit)
				return fmt.Sprint(cov, res.Leaves, res.Ran, res.Stopped, err)
			},
		} {
			rows := func(jobs int) string {
				var out []string
				said := walk(Options{Jobs: jobs}, func(r Row) error {
					out = append(out, r.Path.String()+" "+r.Run.Outcome.String())
					return nil
				})
				return strings.Join(append(out, said), "\n")
			}
			want := rows(1)
			for _, jobs := range []int{2, 3, 8} {
				if got := rows(jobs); got != want {
					t.Errorf("seed %d, %s, %d jobs: got\n%s\nwant\n%s", seed, name, jobs, got, want)
				}
			}
		}
	}
}

// TestSamplesAndCoversUseWorkers counts the bodies that run at once.
func TestSamplesAndCoversUseWorkers(t *testing.T) {
	var now, most atomic.Int32
	f := fake{body: func(c func(string, int) int) leaf.Outcome {
		for _, id := range []string{"a", "b", "c", "d"} {
			c(id, 4)
		}
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
		return leaf.Pass
	}}
	drop := func(Row) error { return nil }
	if _, _, err := Sample(context.Background(), f, Options{Jobs: 4}, 100, 1, drop); err != nil || most.Load() != 4 {
		t.Error("sample:", err, most.Load())
	}
	most.Store(0)
	if _, _, err := Cover(context.Background(), f, Options{Jobs: 4}, []Strength{{T: 2}}, drop); err != nil || most.Load() != 4 {
		t.Error("cover:", err, most.Load())
	}
}

// TestStoppedSample ends while runs are being made: what ran before is written.
func TestStoppedSample(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		var ran atomic.Int32
		f := fake{body: func(c func(string, int) int) leaf.Outcome {
			c("a", 50)
			c("b", 50)
			if ran.Add(1) == 20 {
				cancel()
			}
			return leaf.Pass
		}}
		written := 0
		res, _, err := Sample(ctx, f, Options{Jobs: jobs}, 100, 1, func(r Row) error { written++; return nil })
		if err != context.Canceled || !res.Stopped || written == 0 || written >= 20 {
			t.Errorf("%d jobs: %v, %+v, %d rows", jobs, err, res, written)
		}
		cov, res, err := Cover(ctx, f, Options{Jobs: jobs}, []Strength{{T: 2}}, func(Row) error { return nil })
		if err != context.Canceled || !res.Stopped || res.Leaves > 0 {
			t.Errorf("%d jobs: %v, %+v, %+v", jobs, err, res, cov)
		}
	}
}

// slow is a body that takes a millisecond, as a small run of a model does.
var slow = fake{body: func(c func(string, int) int) leaf.Outcome {
	for i := range 8 {
		c(fmt.Sprint("x", i), 4)
	}
	time.Sleep(time.Millisecond)
	return leaf.Pass
}}

func BenchmarkSample(b *testing.B) {
	for _, jobs := range []int{1, 2, 8} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			for b.Loop() {
				Sample(context.Background(), slow, Options{Jobs: jobs}, 100, 1, func(Row) error { return nil })
			}
		})
	}
}

func BenchmarkCover(b *testing.B) {
	for _, jobs := range []int{1, 2, 8} {
		b.Run(fmt.Sprint(jobs), func(b *testing.B) {
			for b.Loop() {
				Cover(context.Background(), slow, Options{Jobs: jobs}, []Strength{{T: 3}}, func(Row) error { return nil })
			}
		})
	}
}
