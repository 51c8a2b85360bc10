package suite

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
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

// BenchmarkComparisons compares pairs of variables in one leaf.
func BenchmarkComparisons(b *testing.B) {
	const pairs = 200_000
	for _, c := range []struct{ name, x, y string }{
		{"integers", "1", "2"}, {"texts", `"abc"`, `"abd"`}, {"tuples", "(1, 2)", "(1, 3)"}, {"lists", "list(range(100))", "list(range(100))"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, err := loadWith("def test_a():\n    x, y = "+c.x+", "+c.y+"\n    for i in range("+strconv.Itoa(pairs)+"):\n        x == y\n    expect(i > 0)\n", lang.Limits{Steps: 100 * pairs})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				m, err := Walk(context.Background(), p, Options{Jobs: 1})
				if err != nil || m.Summary.Passed != 1 {
					b.Fatal(err, m.Summary)
				}
				m.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pairs, "ns/pair")
		})
	}
}
