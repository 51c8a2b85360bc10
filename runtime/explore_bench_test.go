package runtime

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// branches is an action of n concurrent branches of length nodes; each writes
// a feature of its own, or all write one.
func branches(n, length int, one bool) string {
	var b strings.Builder
	w := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	w("package P {\n action def A {")
	for i := range n {
		w(" attribute x%d = 0;", i)
	}
	w(" first start;\n fork f;\n join j;\n done;\n succession first start then f;\n succession first j then done;")
	for i := range n {
		last := "f"
		for k := range length {
			name := fmt.Sprintf("n%d_%d", i, k)
			target := i
			if one {
				target = 0
			}
			w(" action %s { assign x%d := %d; }\n succession first %s then %s;", name, target, i*10+k+1, last, name)
			last = name
		}
		w(" succession first %s then j;", last)
	}
	w(" }\n}")
	return b.String()
}

func explored(t testing.TB, text string, q ExploreRequest) *Exploration {
	t.Helper()
	s := declared(t, text)
	q.Behavior = "P::A"
	x, err := s.Explore(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestBranchesAreCounted explores 8 branches of 3 nodes: (24)! / (3!)^8
// linearizations.
func TestBranchesAreCounted(t *testing.T) {
	n := 8
	if testing.Short() {
		n = 5
	}
	start := time.Now()
	x := explored(t, branches(n, 3, false), ExploreRequest{Granularity: explore.Node})
	t.Logf("%d worlds, %d moves, %d bytes in %v", x.Worlds, x.Moves, x.Bytes, time.Since(start))
	want := new(big.Int).MulRange(1, int64(3*n))
	for range n {
		want.Quo(want, big.NewInt(6))
	}
	if !x.Complete || len(x.Outcomes) != 1 || x.Linearizations.Cmp(want) != 0 {
		t.Errorf("%d outcomes, %v linearizations, want 1 and %v", len(x.Outcomes), x.Linearizations, want)
	}
	if x.Outcomes[0].Share.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("share %v, want 1", x.Outcomes[0].Share)
	}
}

// TestIndependentBranchesAreExplored explores 12 branches of 3 nodes, which have
// 16 million Worlds together: each apart, with 36! / (3!)^12 linearizations.
func TestIndependentBranchesAreExplored(t *testing.T) {
	start := time.Now()
	x := explored(t, branches(12, 3, false), ExploreRequest{Granularity: explore.Node})
	t.Logf("%d worlds, %d moves in %v", x.Worlds, x.Moves, time.Since(start))
	want := new(big.Int).MulRange(1, 36)
	for range 12 {
		want.Quo(want, big.NewInt(6))
	}
	if !x.Complete || !x.Apart || len(x.Outcomes) != 1 || x.Linearizations.Cmp(want) != 0 || x.Outcomes[0].Share.Cmp(big.NewRat(1, 1)) != 0 {
		t.Fatalf("complete %v, apart %v: %d outcomes, %v linearizations, want 1 and %v", x.Complete, x.Apart, len(x.Outcomes), x.Linearizations, want)
	}
	w, err := x.Witness(x.Outcomes[0])
	if err != nil || strings.Count(w.Trace, "stmt assign") != 36 {
		t.Errorf("%v: the witness is\n%v", err, w)
	}
}

// TestWritersOfOneFeature explores six branches that write one feature: 720
// linearizations, of which each value has a sixth.
func TestWritersOfOneFeature(t *testing.T) {
	start := time.Now()
	x := explored(t, branches(6, 1, true), ExploreRequest{})
	t.Logf("%d worlds, %d moves in %v", x.Worlds, x.Moves, time.Since(start))
	if len(x.Outcomes) != 6 || x.Linearizations.Int64() != 720 {
		t.Errorf("%d outcomes, %v linearizations, want 6 and 720", len(x.Outcomes), x.Linearizations)
	}
	for _, o := range x.Outcomes {
		if o.Linearizations.Int64() != 120 || o.Share.Cmp(big.NewRat(1, 6)) != 0 {
			t.Errorf("%s: %v linearizations, share %v", o.Text(), o.Linearizations, o.Share)
		}
	}
}

func BenchmarkBranches(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s := declared(b, branches(8, 3, false))
			worlds, moves := 0, 0
			for b.Loop() {
				x, err := s.Explore(context.Background(), ExploreRequest{Behavior: "P::A", Granularity: explore.Node, Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				worlds += x.Worlds
				moves += x.Moves
			}
			b.ReportMetric(float64(worlds)/b.Elapsed().Seconds(), "worlds/s")
			b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}

// TestIndependentBranchesAreChecked checks 12 branches that nothing connects:
// 16 million Worlds, of which a reduction needs a few.
func TestIndependentBranchesAreChecked(t *testing.T) {
	s := declared(t, branches(12, 3, false))
	start := time.Now()
	c, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: ExploreRequest{Behavior: "P::A"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d worlds in %v", c.Worlds, time.Since(start))
	if c.Text != "no violation, exhaustive" || len(c.Agreed) != 12 || c.Worlds > 1000 {
		t.Errorf("%s with %d features over %d worlds", c.Text, len(c.Agreed), c.Worlds)
	}
}

// BenchmarkModels checks the models of the repository to their ends, each World
// of theirs.
func BenchmarkModels(b *testing.B) {
	for _, m := range []struct{ file, behavior string }{
		{"philosophers.sysml", "Table::Dine"}, {"two_phase_commit.sysml", "Protocol::Commit"},
	} {
		b.Run(m.behavior, func(b *testing.B) { benchmarkCheck(b, modelText(b, m.file), m.behavior, 0) })
	}
}

// BenchmarkMillionWorlds checks a table of nine philosophers: over a million
// distinct Worlds, on one core.
func BenchmarkMillionWorlds(b *testing.B) {
	benchmarkCheck(b, philosophers(9), "Table::Dine", 1_000_000)
}

// benchmarkCheck checks every World of a behaviour with one worker, and reports
// Worlds and moves a second and the memory kept of a World.
func benchmarkCheck(b *testing.B, text, behavior string, least int) {
	s := declaredOver(b, text, library.Embedded())
	worlds, moves, bytes := 0, 0, int64(0)
	for b.Loop() {
		c, err := s.CheckBehavior(context.Background(), CheckRequest{Unreduced: true,
			ExploreRequest: ExploreRequest{Behavior: behavior, Granularity: explore.Node, Workers: 1, Worlds: 10_000_000}})
		if err != nil || !c.Complete || c.Worlds < least {
			b.Fatal(err, c.Worlds)
		}
		worlds += c.Worlds
		moves += c.Moves
		bytes = c.Bytes / int64(c.Worlds)
	}
	b.ReportMetric(float64(worlds)/b.Elapsed().Seconds(), "worlds/s")
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(bytes), "bytes/world")
}

// philosophers is the table of models/philosophers.sysml, laid for n.
func philosophers(n int) string {
	var b strings.Builder
	w := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	w("package Table {\n private import ScalarValues::*;")
	for i := range n {
		w(" attribute def Fork%d;", i)
	}
	w(" action def Dine {\n attribute meals : Integer = 0;\n first start;\n fork seated;\n join finished;\n done;")
	last := "start"
	for i := range n {
		w(" action lay%d send new Fork%d();\n succession first %s then lay%d;", i, i, last, i)
		last = fmt.Sprintf("lay%d", i)
	}
	w(" succession first %s then seated;\n succession first finished then done;", last)
	for i := range n {
		j := (i + 1) % n
		w(" action left%d accept Fork%d;\n action right%d accept Fork%d;", i, i, i, j)
		w(" action eat%d { assign meals := meals + 1; }", i)
		w(" action putLeft%d send new Fork%d();\n action putRight%d send new Fork%d();", i, i, i, j)
		w(" succession first seated then left%d;\n succession first left%d then right%d;", i, i, i)
		w(" succession first right%d then eat%d;\n succession first eat%d then putLeft%d;", i, i, i, i)
		w(" succession first putLeft%d then putRight%d;\n succession first putRight%d then finished;", i, i, i)
	}
	w(" }\n}")
	return b.String()
}
