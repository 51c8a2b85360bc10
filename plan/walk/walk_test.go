package walk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// A fake is a test that is a Go function of its choices; removes says which
// options a predicate would remove, when the path before them is known.
type fake struct {
	body    func(choose func(id string, n int) int) leaf.Outcome
	removes func(id string, option int, before map[string]int) bool
	weights bool // option i has the weight 1 + 7i mod 5
}

type stopped struct{}

func (fake) Name() string { return "test_fake" }

func (f fake) Run(_ context.Context, r leaf.Request) (run *leaf.Run) {
	run = &leaf.Run{}
	before := map[string]int{}
	defer func() {
		if x := recover(); x != nil {
			if _, ok := x.(stopped); !ok {
				panic(x)
			}
			run.Removed = &leaf.Cut{Index: -1, Predicate: "p"}
		}
	}()
	run.Outcome = f.body(func(id string, n int) int {
		a := &axis.Axis{ID: id, Named: true, Fans: n > 1, Scope: axis.Body}
		for i := range n {
			o := axis.Option{Key: fmt.Sprint(i), Label: fmt.Sprint(i)}
			if f.weights {
				o.Weight = float64(1 + 7*i%5)
			}
			a.Options = append(a.Options, o)
		}
		at := len(run.Path.Fanned())
		k := 0
		switch {
		case !a.Fans:
		case at < len(r.Prefix):
			k = r.Prefix[at].Index
		default:
			b := leaf.Branch{At: at, Axis: a, Taken: -1}
			for i := range n {
				if f.removes != nil && f.removes(id, i, before) {
					b.Cuts = append(b.Cuts, leaf.Cut{Index: i, Predicate: "p"})
				} else {
					b.Survivors = append(b.Survivors, i)
				}
			}
			if len(b.Survivors) > 0 {
				b.Taken = b.Survivors[0]
				if r.Guide != nil {
					b.Taken = r.Guide.Pick(a, b.Survivors, run.Path)
				}
			}
			run.Branches = append(run.Branches, b)
			if b.Taken < 0 {
				panic(stopped{})
			}
			k = b.Taken
		}
		run.Path = append(run.Path, axis.Pick{Axis: a, Index: k})
		before[id] = k
		return k
	})
	return run
}

// rows walks f and gives a line for each row.
func rows(t *testing.T, f fake, o Options) ([]string, Result) {
	t.Helper()
	var out []string
	res, err := Tree(context.Background(), f, o, func(r Row) error {
		line := r.Path.String()
		if r.Cut != nil {
			line += " removed"
		}
		if r.Predicted {
			line += " predicted"
		}
		out = append(out, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, res
}

// TestTreeOrder is T19 and T50, and what trees of any shape come to.
func TestTreeOrder(t *testing.T) {
	tests := []struct {
		name string
		test fake
		want string
	}{
		{"no axis", fake{body: func(func(string, int) int) leaf.Outcome { return leaf.Pass }}, ""},
		{"product, last fastest", fake{body: func(c func(string, int) int) leaf.Outcome { c("a", 2); c("b", 3); return leaf.Pass }},
			"a=0 b=0|a=0 b=1|a=0 b=2|a=1 b=0|a=1 b=1|a=1 b=2"},
		{"one option does not fan out", fake{body: func(c func(string, int) int) leaf.Outcome { c("a", 1); c("b", 2); return leaf.Pass }}, "b=0|b=1"},
		{"dependent axes", fake{body: func(c func(string, int) int) leaf.Outcome {
			if c("a", 2) == 0 {
				c("b", 2)
			} else {
				c("c", 3)
			}
			return leaf.Pass
		}}, "a=0 b=0|a=0 b=1|a=1 c=0|a=1 c=1|a=1 c=2"},
		{"axis under a later option alone", fake{body: func(c func(string, int) int) leaf.Outcome {
			if c("a", 3) == 2 {
				c("b", 2)
			}
			return leaf.Pass
		}}, "a=0|a=1|a=2 b=0|a=2 b=1"},
		{"removed before a survivor", fake{
			body:    func(c func(string, int) int) leaf.Outcome { c("a", 3); c("b", 2); return leaf.Pass },
			removes: func(id string, i int, _ map[string]int) bool { return id == "a" && i == 0 },
		}, "a=0 b=0 removed predicted|a=0 b=1 removed predicted|a=1 b=0|a=1 b=1|a=2 b=0|a=2 b=1"},
		{"removed behind a survivor", fake{
			body:    func(c func(string, int) int) leaf.Outcome { c("a", 3); c("b", 2); return leaf.Pass },
			removes: func(id string, i int, _ map[string]int) bool { return id == "a" && i > 0 },
		}, "a=0 b=0|a=0 b=1|a=1 b=0 removed predicted|a=1 b=1 removed predicted|a=2 b=0 removed predicted|a=2 b=1 removed predicted"},
		{"removed at the last axis", fake{
			body:    func(c func(string, int) int) leaf.Outcome { c("a", 2); c("b", 2); return leaf.Pass },
			removes: func(id string, i int, m map[string]int) bool { return id == "b" && i == 0 && m["a"] == 1 },
		}, "a=0 b=0|a=0 b=1|a=1 b=0 removed|a=1 b=1"},
		{"nothing survives", fake{
			body:    func(c func(string, int) int) leaf.Outcome { c("a", 2); c("b", 2); c("z", 2); return leaf.Pass },
			removes: func(id string, i int, m map[string]int) bool { return id == "b" && m["a"] == 0 },
		}, "a=0 b=0 z=0 removed predicted|a=0 b=0 z=1 removed predicted|a=0 b=1 z=0 removed predicted|a=0 b=1 z=1 removed predicted|" +
			"a=1 b=0 z=0|a=1 b=0 z=1|a=1 b=1 z=0|a=1 b=1 z=1"},
	}
	for _, test := range tests {
		for _, jobs := range []int{1, 2, 8} {
			got, _ := rows(t, test.test, Options{Jobs: jobs})
			if strings.Join(got, "|") != test.want {
				t.Errorf("%s, %d jobs: got\n%s\nwant\n%s", test.name, jobs, strings.Join(got, "|"), test.want)
			}
		}
	}
}

// random is a test with a random tree of axes and random removals.
func random(seed uint64) fake {
	pick := func(id string, before map[string]int, n int) int {
		h := uint64(0)
		for _, c := range id + fmt.Sprint(before) {
			h = h*31 + uint64(c)
		}
		r := rand.New(rand.NewPCG(seed, h))
		return r.IntN(n)
	}
	return fake{
		body: func(c func(string, int) int) leaf.Outcome {
			before := map[string]int{}
			for i := range 5 {
				id := fmt.Sprintf("x%d", i)
				if pick(id+"?", before, 4) == 0 {
					continue
				}
				before[id] = c(id, 1+pick(id+"#", before, 4))
			}
			return leaf.Pass
		},
		removes: func(id string, i int, before map[string]int) bool {
			return pick(fmt.Sprint("cut", id, i), before, 4) == 0
		},
	}
}

// TestWorkersAgree compares walks of random trees by any number of workers.
func TestWorkersAgree(t *testing.T) {
	for seed := range uint64(60) {
		f := random(seed)
		want, _ := rows(t, f, Options{})
		for _, jobs := range []int{2, 7} {
			got, _ := rows(t, f, Options{Jobs: jobs})
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("seed %d, %d jobs: got\n%s\nwant\n%s", seed, jobs, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

func TestBounds(t *testing.T) {
	f := fake{body: func(c func(string, int) int) leaf.Outcome {
		if c("a", 4)+c("b", 4) > 3 {
			return leaf.Fail
		}
		return leaf.Pass
	}}
	for _, test := range []struct {
		o         Options
		rows, not int
	}{
		{Options{MaxLeaves: 5}, 5, 5},   // a=0, and a=1 b=0: left b=1..3, a=2, a=3
		{Options{MaxLeaves: 16}, 16, 0}, // exactly all
		{Options{MaxFailures: 1}, 8, 2}, // a=1 b=3 is the first that fails
	} {
		for _, jobs := range []int{1, 4} {
			test.o.Jobs = jobs
			got, res := rows(t, f, test.o)
			if len(got) != test.rows || res.NotRun != test.not || res.Stopped != (test.not > 0) {
				t.Errorf("%+v: %d rows, %d not run, stopped %v", test.o, len(got), res.NotRun, res.Stopped)
			}
		}
	}
}

// TestShards joins the shards of random trees without removals.
func TestShards(t *testing.T) {
	for seed := range uint64(20) {
		f := random(seed)
		f.removes = nil
		want, _ := rows(t, f, Options{})
		seen := map[string]int{}
		for i := 1; i <= 3; i++ {
			got, _ := rows(t, f, Options{Jobs: 2, Shard: Shard{Index: i, Count: 3}})
			for _, line := range got {
				seen[line]++
			}
		}
		for _, line := range want {
			if seen[line] != 1 {
				t.Errorf("seed %d: %q is in %d shards", seed, line, seen[line])
			}
			delete(seen, line)
		}
		if len(seen) > 0 {
			t.Errorf("seed %d: only shards have %v", seed, seen)
		}
	}
}

func BenchmarkTree(b *testing.B) {
	f := fake{body: func(c func(string, int) int) leaf.Outcome { c("a", 10); c("b", 10); c("c", 10); return leaf.Pass }}
	for b.Loop() {
		if _, err := Tree(context.Background(), f, Options{Jobs: 2}, func(Row) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "leaves/s")
}
