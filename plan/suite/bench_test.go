package suite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// trivial has 100,000 leaves of a body that does next to nothing.
const trivial = `
def test_a():
    x = choose("x", range(100))
    y = choose("y", range(1000))
    expect(x + y >= 0)
`

// leaves is how many leaves trivial has.
const leaves = 100_000

// BenchmarkLeaves walks leaves by two workers, and with a journal; then it
// goes on with a walk whose leaves are all in the journal. peak-MiB is the most
// that the heap grew, garbage included.
func BenchmarkLeaves(b *testing.B) {
	p, err := load(trivial)
	if err != nil {
		b.Fatal(err)
	}
	walk := func(b *testing.B, j *bundle.Journal) {
		m, err := Walk(context.Background(), p, Options{Jobs: 2, Journal: j})
		if err != nil || m.Summary.Passed != leaves {
			b.Fatal(err, m.Summary)
		}
		m.Close()
	}
	report := func(b *testing.B, peak int64) {
		b.ReportMetric(float64(b.N)*leaves/b.Elapsed().Seconds(), "leaves/s")
		b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
	}
	name := filepath.Join(b.TempDir(), "journal")
	open := func(b *testing.B, r bundle.Resumption) *bundle.Journal {
		j, err := bundle.OpenJournal(name, bundle.Inputs{Whole: "x"}, r)
		if err != nil {
			b.Fatal(err)
		}
		return j
	}
	for _, run := range []struct {
		name    string
		journal func(b *testing.B) *bundle.Journal
	}{
		{"plain", func(*testing.B) *bundle.Journal { return nil }},
		{"journal", func(b *testing.B) *bundle.Journal { return open(b, bundle.Anew) }},
		{"resumed", func(b *testing.B) *bundle.Journal { return open(b, bundle.Continue) }},
	} {
		b.Run(run.name, func(b *testing.B) {
			peak := watchPeak()
			for b.Loop() {
				j := run.journal(b)
				walk(b, j)
				if j != nil {
					j.Close()
				}
			}
			report(b, peak())
		})
	}
}
