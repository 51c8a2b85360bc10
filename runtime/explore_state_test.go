package runtime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
)

// machine writes a machine with two or three regions, each a line of states
// with entry, do and exit behaviours, completions, triggers, timers, changes
// and effects that write what all regions read.
func (r *random) machine() (text string, events []Event) {
	r.b.Reset()
	w := func(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }
	w("package P {\n attribute def Go;\n attribute def Stop;")
	w(" state def A {\n attribute log = 0;\n attribute y = 0;\n entry; then work;\n state work parallel {")
	if r.IntN(3) == 0 {
		w(" entry { assign y := 1; }")
	}
	for i := range 2 {
		w(" state r%d {\n entry; then s%d0;", i, i)
		length := 1 + r.IntN(2)
		for k := range length + 1 {
			digit := i*3 + k + 1
			var body []string
			for _, kind := range []string{"entry", "do", "exit"} {
				if r.IntN(4) == 0 {
					body = append(body, fmt.Sprintf("%s { assign log := log * 10 + %d; }", kind, digit))
				}
			}
			w(" state s%d%d { %s }", i, k, strings.Join(body, " "))
			if k == length {
				continue
			}
			trigger := []string{"", "accept Go", "accept Stop", "accept after 1", "accept when y > 0", ""}[r.IntN(6)]
			effect := ""
			if r.IntN(2) == 0 {
				effect = []string{"do assign y := y + 1", fmt.Sprintf("do assign log := log * 10 + %d", 9-digit)}[r.IntN(2)]
			}
			w(" transition first s%d%d %s %s then s%d%d;", i, k, trigger, effect, i, k+1)
			if trigger != "" && r.IntN(4) == 0 {
				w(" transition first s%d%d %s do assign y := y + 5 then s%d%d;", i, k, trigger, i, k+1)
			}
		}
		w(" }")
	}
	w(" }")
	if r.IntN(2) == 0 {
		w(" transition first work accept Stop then over;")
	}
	w(" state over;\n }\n}")
	for range r.IntN(3) {
		events = append(events, Event{Name: []string{"Go", "Stop"}[r.IntN(2)]})
	}
	return r.b.String(), events
}

// TestExplorationOfMachinesIsEnumeration is TestExplorationIsEnumeration for
// state machines, the states that are entered included.
func TestExplorationOfMachinesIsEnumeration(t *testing.T) {
	models := generated(50, 400)
	r := &random{Rand: rand.New(rand.NewPCG(11, 3))}
	compared, ways, most := 0, 0, 0
	for i := 0; compared < models && i < 6*models; i++ {
		text, events := r.machine()
		s := declared(t, text)
		n := &enumeration{limit: 150, found: map[string]*tally{}}
		request := ExploreRequest{Behavior: "P::A", Events: events, Workers: 1}
		err := s.look(context.Background(), func(turn *turn) (err error) {
			n.start, _, _, err = turn.exploreFrom(request)
			return err
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !n.all(nil) {
			continue
		}
		compared++
		ways += n.runs
		most = max(most, len(n.found))
		compareExploration(t, s, text, explore.Statement, n, events...)
		if t.Failed() {
			t.Logf("events %v", events)
			return
		}
	}
	if compared < models {
		t.Errorf("only %d models were small enough", compared)
	}
	t.Logf("%d machines, %d linearizations, at most %d outcomes", compared, ways, most)
}
