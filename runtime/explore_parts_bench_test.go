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
		{"ring", ring(11), "Ring::Ring", "serve"},
		{"elevators", modelText(b, "elevator.sysml") + elevators, "Houses::Street", "visit"},
		{"pumps", modelText(b, "pump_station.sysml") + pumps, "Works::Town", "shift"},
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

// elevators are three of models/elevator.sysml, with calls at any time.
const elevators = `
package Houses {
	private import ScalarValues::*;
	part def Street {
		part a : Lift::Building;
		part b : Lift::Building;
		part c : Lift::Building;
		action visit {
			attribute floors : Integer := 0;
			first start;
			then fork people;
			then a0; then a1; then b0; then b1; then c0; then c1;
			action a0 { send 0 to a.control.call; } then action a2 { send 2 to a.control.call; } then called;
			action a1 { send 1 to a.control.call; } then called;
			action b0 { send 0 to b.control.call; } then action b2 { send 2 to b.control.call; } then called;
			action b1 { send 1 to b.control.call; } then called;
			action c0 { send 0 to c.control.call; } then called;
			action c1 { send 1 to c.control.call; } then called;
			join called;
			then action served accept when a.control.stops == 3 and b.control.stops == 3 and c.control.stops == 2;
			then action look { assign floors := a.cabin.floor * 100 + b.cabin.floor * 10 + c.cabin.floor; }
			then done;
		}
	}
}`

// pumps are three of models/pump_station.sysml.
const pumps = `
package Works {
	private import ScalarValues::*;
	part def Town {
		part a : Pumping::Station;
		part b : Pumping::Station;
		part c : Pumping::Station;
		action shift {
			out attribute starts : Integer := 0;
			first start;
			then action hours accept after 30 [SI::s];
			then action look { assign starts := a.first.starts + b.first.starts * 10 + c.first.starts * 100; }
			then done;
		}
	}
}`
