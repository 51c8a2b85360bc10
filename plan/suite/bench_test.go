package suite

import (
	"context"
	"testing"
)

// BenchmarkLeaves walks 10,000 leaves of a body that does next to nothing.
func BenchmarkLeaves(b *testing.B) {
	p, err := load(`
def test_a():
    x = choose("x", range(100))
    y = choose("y", range(100))
    expect(x + y >= 0)
`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		m, err := Walk(context.Background(), p, Options{Jobs: 2})
		if err != nil || m.Summary.Passed != 10_000 {
			b.Fatal(err, m.Summary)
		}
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "leaves/s")
}
