package explore

import (
	"math/big"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

func TestArenaKeepsWhatItWasGiven(t *testing.T) {
	var a arena
	var places []place
	var want []string
	for i := range 3000 {
		text := strings.Repeat(string(rune('a'+i%26)), i)
		places, want = append(places, a.add([]byte(text))), append(want, text)
	}
	big := strings.Repeat("z", pieceSize+7)
	places, want = append(places, a.add([]byte(big))), append(want, big)
	for i, p := range places {
		if string(a.at(p)) != want[i] {
			t.Fatalf("string %d of %d bytes came back with %d", i, len(want[i]), len(a.at(p)))
		}
	}
}

func TestTimeless(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"accept deadlock (accept n waiting since step 12 for a message)", "accept deadlock (accept n waiting for a message)"},
		{"accept a waiting since step 1 for x, accept b waiting since step 23 for y", "accept a waiting for x, accept b waiting for y"},
		{"division by zero", "division by zero"},
	} {
		if got := timeless(c.text); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
	}
}

func TestValuesStandInCanonicalOrder(t *testing.T) {
	want := []string{"-2", "0.5", "3", "10", `"a"`, `"b"`, "true", "unset"}
	got := slices.Clone(want)
	slices.Reverse(got)
	sort.Slice(got, func(i, j int) bool { return before(got[i], got[j]) })
	if !slices.Equal(got, want) {
		t.Errorf("sorted %v, want %v", got, want)
	}
}

func TestWeightsAreTheDecimalsThatAreWritten(t *testing.T) {
	c := &schedule.Choice{Kind: schedule.Weighted, Alternatives: []schedule.Alternative{{Weight: 0.3}, {Weight: 0}, {Weight: 0.1}}}
	list := weights(c)
	for i, want := range []*big.Rat{big.NewRat(3, 4), new(big.Rat), big.NewRat(1, 4)} {
		if list[i].Cmp(want) != 0 {
			t.Errorf("weight %d is %v, want %v", i, list[i], want)
		}
	}
	p := &planner{}
	c.Alternatives[0].Weight = 0
	if k, _ := p.Choose(c, nil); k != 2 {
		t.Errorf("took alternative %d, which has no weight", k)
	}
}

func TestSolve(t *testing.T) {
	rat := func(rows ...[]int64) [][]*big.Rat {
		var list [][]*big.Rat
		for _, r := range rows {
			var row []*big.Rat
			for _, n := range r {
				row = append(row, big.NewRat(n, 1))
			}
			list = append(list, row)
		}
		return list
	}
	rows := rat([]int64{0, 2, 4}, []int64{3, 1, 5}) // 2y = 4, 3x + y = 5
	if !solve(rows) || rows[0][2].Cmp(big.NewRat(1, 1)) != 0 || rows[1][2].Cmp(big.NewRat(2, 1)) != 0 {
		t.Errorf("solved to %v and %v, want 1 and 2", rows[0][2], rows[1][2])
	}
	if solve(rat([]int64{1, -1, 0}, []int64{-1, 1, 1})) {
		t.Error("solved what has no solution")
	}
}

func TestGranularityReadsWhatItWrites(t *testing.T) {
	for _, g := range []Granularity{Statement, Node} {
		if got, ok := ParseGranularity(g.String()); !ok || got != g {
			t.Errorf("%v read back as %v, %v", g, got, ok)
		}
	}
	if _, ok := ParseGranularity("word"); ok {
		t.Error("read a granularity that there is not")
	}
}
