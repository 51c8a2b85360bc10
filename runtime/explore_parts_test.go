package runtime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// system writes parts with machines that send each other signals along
// connections: simple, composite and parallel states, guards, timers, changes,
// do behaviours, and what writes to the owner. An action of the owner, or a
// machine of it, sends the first signals, waits, and reads what the parts hold; an
// action may send itself one.
func (r *random) system(parts int) (text string, machine bool) {
	r.b.Reset()
	machine = r.IntN(3) == 0
	w := func(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }
	w("package P {\n private import ScalarValues::*;\n attribute def Go;\n attribute def Stop;\n port def Wire { out attribute go : Go; }")
	for i := range parts {
		w(" part def P%d {\n port i : ~Wire;\n port o : Wire;\n attribute n : Integer := 0;", i)
		w(" exhibit state life {\n entry; then %s;", "s0")
		length := 1 + r.IntN(2)
		for k := range length + 1 {
			r.partState(i, k)
			if k < length {
				r.partTransition(k)
			}
		}
		w(" }\n }")
	}
	w(" part def Sys {\n attribute shared : Integer := 0;")
	for i := range parts {
		w(" part p%d : P%d;", i, i)
	}
	for i := range parts {
		w(" connect p%d.o to p%d.i;", i, (i+1)%parts)
	}
	read := "shared"
	for i := range parts {
		read += fmt.Sprintf(" * 10 + p%d.n", i)
	}
	sends := []string{}
	for range 1 + r.IntN(2) {
		to := r.IntN(parts)
		sends = append(sends, []string{fmt.Sprintf("send Go() to p%d;", to), fmt.Sprintf("send Go() to p%d.i;", to), fmt.Sprintf("send Stop() to p%d;", to), "assign shared := shared + 1;"}[r.IntN(4)])
	}
	wait := []string{"", "accept after 1;", "accept after 2;"}[r.IntN(3)]
	if machine {
		w(" state drive {\n attribute log : Integer := 0;\n entry; then a;\n state a { entry { %s } }\n state b;\n state c;", strings.Join(sends, " then "))
		w(" transition first a %s then b;", strings.TrimSuffix(wait, ";"))
		w(" transition first b do assign log := %s then c;\n }", read)
	} else {
		w(" action drive {\n attribute log : Integer := 0;\n first start;")
		for i, s := range sends {
			w(" then action send%d { %s }", i, s)
		}
		if r.IntN(3) == 0 {
			w(" then action post { send Go() to take; }\n then action take accept Go;")
		}
		if wait != "" {
			w(" then action wait %s", wait)
		}
		w(" then action look { assign log := %s; }\n then done;\n }", read)
	}
	w(" }\n}")
	return r.b.String(), machine
}

// partState writes a state of a part.
func (r *random) partState(part, k int) {
	w := func(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }
	digit := part*3 + k + 1
	var body []string
	for _, kind := range []string{"entry", "do", "exit"} {
		if r.IntN(5) == 0 {
			body = append(body, fmt.Sprintf("%s { assign n := n * 10 + %d; }", kind, digit%10))
		}
	}
	switch r.IntN(6) {
	case 0:
		w(" state s%d { %s entry; then in0; state in0; state in1; transition first in0 accept Stop do assign n := n + 2 then in1; }", k, strings.Join(removeEntry(body), " "))
	case 1:
		w(" state s%d parallel { %s state r0 { entry; then a; state a; state b; transition first a accept Go do assign n := n + 3 then b; } state r1 { entry; then c; state c; state d; transition first c accept Go via i then d; } }", k, strings.Join(removeEntry(body), " "))
	default:
		w(" state s%d { %s }", k, strings.Join(body, " "))
	}
}

// removeEntry is body without an entry, where the state has another beginning.
func removeEntry(body []string) (rest []string) {
	for _, b := range body {
		if !strings.HasPrefix(b, "entry") {
			rest = append(rest, b)
		}
	}
	return rest
}

// partTransition writes a transition from state k of a part to the next.
func (r *random) partTransition(k int) {
	trigger := []string{"", "accept Go", "accept Go via i", "accept Stop", "accept after 1", "accept after 1", "accept after 0.1", "accept when n > 0"}[r.IntN(8)]
	guard := []string{"", "", "if n < 3"}[r.IntN(3)]
	effect := []string{"", "do assign n := n + 1", "do send Go() via o", "do action { send Go() via o; assign n := n + 1; }", "do action { assign n := n + 1; send Stop() via o; }"}[r.IntN(5)]
	fmt.Fprintf(&r.b, " transition first s%d %s %s %s then s%d;\n", k, trigger, guard, effect, k+1)
}

// systems are sessions with an object that holds parts, one model each.
func systems(t *testing.T, r *random, parts int, visit func(s *Session, text string, q ExploreRequest)) {
	t.Helper()
	text, machine := r.system(parts)
	s := declared(t, text)
	if _, err := s.Instantiate(context.Background(), "P::Sys", "it"); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	q := ExploreRequest{Behavior: "P::Sys::drive", On: "it", Workers: 1}
	if !machine && r.IntN(2) == 0 {
		q.Granularity = explore.Node
	}
	visit(s, text, q)
}

// lines are the outcomes of a search, one a line, and how much was searched.
func (s *Session) lines(t *testing.T, text string, q ExploreRequest, o explore.Options, properties ...Property) (lines string, r *explore.Result) {
	t.Helper()
	var search *explore.Search
	err := s.look(context.Background(), func(turn *turn) error {
		start, _, _, err := turn.exploreFrom(q)
		if err != nil {
			return err
		}
		o.Granularity = q.Granularity
		search = explore.NewSearch(start, o)
		return nil
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(properties) > 0 {
		list, err := s.properties(context.Background(), CheckRequest{ExploreRequest: q, Properties: properties})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		search.Watch(list...)
	}
	search.Run(context.Background())
	r = search.Result()
	if len(properties) > 0 {
		for _, v := range search.Verdict().Violations {
			lines += v.Text + "\n"
		}
	}
	for _, o := range r.Outcomes {
		lines += fmt.Sprintf("%s / %s: %v, %v\n", o.Text(), strings.Join(o.Visits, ","), o.Linearizations, o.Share)
	}
	return lines, r
}

// TestExplorationOfPartsIsEnumeration is TestExplorationIsEnumeration for
// machines of parts.
func TestExplorationOfPartsIsEnumeration(t *testing.T) {
	models := generated(60, 500)
	r := &random{Rand: rand.New(rand.NewPCG(5, 21))}
	compared, ways, most := 0, 0, 0
	for i := 0; compared < models && i < 20*models && !t.Failed(); i++ {
		systems(t, r, 2, func(s *Session, text string, q ExploreRequest) {
			n := &enumeration{nodes: q.Granularity == explore.Node, limit: 300, found: map[string]*tally{}}
			err := s.look(context.Background(), func(turn *turn) (err error) {
				n.start, _, _, err = turn.exploreFrom(q)
				return err
			})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if !n.all(nil) || n.runs < 2 {
				return
			}
			compared++
			ways += n.runs
			most = max(most, len(n.found))
			compareRequest(t, s, text, q, n)
		})
	}
	if compared < models {
		t.Errorf("only %d models were small enough", compared)
	}
	t.Logf("%d systems, %d linearizations, at most %d outcomes", compared, ways, most)
}

// TestPartsAreExploredAsWorldByWorld compares what is learned of the turns of
// runs with making each turn on a World, for systems that are too large to be
// enumerated, with several workers and each outcome's witness.
func TestPartsAreExploredAsWorldByWorld(t *testing.T) {
	models := generated(40, 300)
	r := &random{Rand: rand.New(rand.NewPCG(8, 4))}
	worlds, plainWorlds, compared := 0, 0, 0
	for i := 0; compared < models && i < 20*models && !t.Failed(); i++ {
		systems(t, r, 2+r.IntN(2), func(s *Session, text string, q ExploreRequest) {
			want, plain := s.lines(t, text, q, explore.Options{Plain: true, Worlds: 3000})
			if !plain.Complete || plain.Worlds < 20 {
				return
			}
			compared++
			plainWorlds += plain.Worlds
			for _, workers := range []int{1, 3} {
				got, x := s.lines(t, text, q, explore.Options{Workers: workers})
				if got != want || !x.Complete || x.Worlds > plain.Worlds || x.Cyclic != plain.Cyclic {
					t.Errorf("%d workers found\n%s(%d Worlds)\nWorld by World\n%s(%d Worlds)\n%s", workers, got, x.Worlds, want, plain.Worlds, text)
					return
				}
				for _, o := range x.Outcomes {
					if _, err := x.Witness(o); err != nil {
						t.Errorf("%s: %v\n%s", o.Text(), err, text)
					}
				}
				worlds += x.Worlds
			}
			var claims []Property
			for _, text := range []string{"log > 10", "p0.n > 1 and p1.n == 0", "shared == 1"} {
				x, _ := syntax.ParseExpression(source.NewFile("claim", text), 0, syntax.Options{})
				claims = append(claims, Property{Kind: explore.PropertyKind(r.IntN(3)), Condition: x})
			}
			want, _ = s.lines(t, text, q, explore.Options{Plain: true}, claims...)
			if got, _ := s.lines(t, text, q, explore.Options{}, claims...); got != want {
				t.Errorf("with properties, found\n%sWorld by World\n%s%s", got, want, text)
			}
		})
	}
	if compared < models {
		t.Errorf("only %d models were of the right size", compared)
	}
	t.Logf("%d systems, %d Worlds, %d World by World", compared, worlds/2, plainWorlds)
}

// TestPartsAreTheSameForAnyWorkers explores parts with one worker and with
// several: outcomes, numbers of Worlds and moves, and witnesses are the same.
func TestPartsAreTheSameForAnyWorkers(t *testing.T) {
	for _, m := range []struct{ text, object, behavior string }{
		{ring(7), "Ring::Ring", "serve"},
		{modelText(t, "elevator.sysml") + strings.ReplaceAll(elevators, "c.control.stops == 2", "true"), "Houses::Street", "visit"},
	} {
		s := declaredOver(t, m.text, library.Embedded())
		if _, err := s.Instantiate(context.Background(), m.object, "it"); err != nil {
			t.Fatal(err)
		}
		var want string
		for _, workers := range []int{1, 2, 8} {
			x, err := s.Explore(context.Background(), ExploreRequest{Behavior: m.object + "::" + m.behavior, On: "it", Granularity: explore.Node, Workers: workers, Worlds: 4000})
			if err != nil || x.Worlds < 3000 {
				t.Fatalf("%v: %d Worlds", err, x.Worlds)
			}
			got := fmt.Sprintf("%d Worlds, %d moves, %d deep, %d bytes\n", x.Worlds, x.Moves, x.Depth, x.Bytes)
			for _, o := range x.Outcomes {
				w, err := x.Witness(o)
				if err != nil {
					t.Fatal(err)
				}
				got += fmt.Sprintf("%s: %v, %v\n%s\n", o.Text(), o.Linearizations, o.Share, w.Trace)
			}
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s: %d workers found\n%s\none found\n%s", m.object, workers, got, want)
			}
		}
	}
}

// undirected is a system in which two send at one instant: a part along a
// connection, and an action to a node of its own, which others could have as
// well.
const undirected = `package P {
	private import ScalarValues::*;
	attribute def Go;
	port def Wire { out attribute go : Go; }
	part def Sender {
		port o : Wire;
		exhibit state life {
			entry; then s0;
			state s0;
			transition first s0 accept after 1 do send Go() via o then s1;
			state s1;
		}
	}
	part def Receiver {
		port i : ~Wire;
		attribute n : Integer := 0;
		exhibit state life {
			entry; then s0;
			state s0;
			transition first s0 accept after 2 then s1;
			state s1;
			transition first s1 accept Go via i do assign n := 1 then s2;
			state s2;
		}
	}
	part def Sys {
		part s : Sender;
		part r : Receiver;
		connect s.o to r.i;
		action drive {
			attribute log : Integer := 0;
			first start;
			then action wait accept after 1;
			then action note { assign log := 1; }
			then action post { send Go() to take; }
			then action take accept Go;
			then action early { assign log := log * 10 + r.n; }
			then action more accept after 2;
			then action late { assign log := log * 10 + r.n; }
			then done;
		}
	}
}`

// TestMessagesForMoreThanOneObject sends a message that is for no object alone
// before and after one that is.
func TestMessagesForMoreThanOneObject(t *testing.T) {
	s := declared(t, undirected)
	if _, err := s.Instantiate(context.Background(), "P::Sys", "it"); err != nil {
		t.Fatal(err)
	}
	for _, granularity := range []explore.Granularity{explore.Node, explore.Statement} {
		q := ExploreRequest{Behavior: "P::Sys::drive", On: "it", Granularity: granularity}
		want, plain := s.lines(t, undirected, q, explore.Options{Plain: true})
		got, x := s.lines(t, undirected, q, explore.Options{})
		if got != want || x.Worlds != plain.Worlds {
			t.Errorf("found\n%s(%d Worlds)\nWorld by World\n%s(%d Worlds)", got, x.Worlds, want, plain.Worlds)
		}
		for _, o := range x.Outcomes {
			if _, err := x.Witness(o); err != nil {
				t.Errorf("%s: %v", o.Text(), err)
			}
		}
	}
}
