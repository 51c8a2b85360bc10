package conform

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
)

// TestWitnessOfAnotherOutcome: a witness that leads elsewhere, and one that
// cannot be followed, fail their case.
func TestWitnessOfAnotherOutcome(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"-> 2->tails", "-> 1->heads", "output side: got Integer 1, want Integer 2"},
		{"step 2", "step 7", "replay refused"},
	} {
		cases, err := Load("../testdata/conformance/witness_of_an_outcome.sysml")
		if err != nil || len(cases) != 1 || cases[0].Err != nil {
			t.Fatal(err, cases)
		}
		out := &cases[0].Expect.Outcomes[1]
		out.Witness[0] = strings.Replace(out.Witness[0], c.from, c.to, 1)
		reasons := witnesses(context.Background(), cases[0], Options{Library: library.Embedded()})
		if !slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(r, c.want) }) {
			t.Errorf("%s: got %q, want %q", out.Witness[0], reasons, c.want)
		}
	}
}
