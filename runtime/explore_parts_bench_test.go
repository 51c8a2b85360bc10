package runtime

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// BenchmarkParts explores machines of parts that send signals to each other, each
// World of theirs, on one core.
func BenchmarkParts(b *testing.B) {
	for _, m := range []struct{ name, text, object, behavior string }{
		{"ring", ring(12), "Ring::Ring", "serve"},
	} {
		b.Run(m.name, func(b *testing.B) { benchmarkParts(b, m.text, m.object, m.behavior) })
	}
}

// benchmarkParts explores a behaviour of an object.
func benchmarkParts(b *testing.B, text, object, behavior string) {
	s := declaredOver(b, text, library.Embedded())
	if _, err := s.Instantiate(context.Background(), object, "it"); err != nil {
		b.Fatal(err)
	}
	worlds, moves, bytes := 0, 0, int64(0)
	for b.Loop() {
		c, err := s.CheckBehavior(context.Background(), CheckRequest{Unreduced: true,
			ExploreRequest: ExploreRequest{Behavior: object + "::" + behavior, On: "it", Granularity: explore.Node, Workers: 1, Worlds: 10_000_000}})
		if err != nil || !c.Complete {
			b.Fatal(err)
		}
		worlds += c.Worlds
		moves += c.Moves
		bytes = c.Bytes / int64(c.Worlds)
	}
	b.ReportMetric(float64(worlds)/b.Elapsed().Seconds(), "worlds/s")
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64(bytes), "bytes/world")
	b.ReportMetric(float64(worlds)/float64(b.N), "worlds")
}

// ring is the ring of models/token_ring.sysml, with n stations.
func ring(n int) string {
	var b strings.Builder
	w := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	w(`package Ring {
	private import ScalarValues::*;
	attribute def Token;
	attribute def Want;
	port def Link { out attribute token : Token; }
	part def Station {
		port before : ~Link;
		port after : Link;
		attribute served : Integer := 0;
		exhibit state cycle {
			entry; then idle;
			state idle;
				accept Want then wanting;
				accept Token via before do send Token() via after then idle;
			state wanting;
				accept Token via before then using;
			state using { entry action { assign served := served + 1; } }
				transition first using do send Token() via after then idle;
		}
	}
	part def Ring {`)
	for i := range n {
		w(" part s%d : Station;\n connect s%d.after to s%d.before;", i, i, (i+1)%n)
	}
	w(" action serve {\n first start;\n fork wishes;\n join wished;\n succession first start then wishes;")
	for i := range n {
		w(" action w%d { send Want() to s%d; }\n succession first wishes then w%d;\n succession first w%d then wished;", i, i, i, i)
	}
	w(" action give { send Token() to s0.before; }\n succession first wished then give;\n succession first give then done;\n }\n }\n}")
	return b.String()
}
