package runtime

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// crowded is a package whose signal Go and whose calculation are found among
// other declarations.
func crowded() string {
	var b strings.Builder
	b.WriteString(`package P { private import ScalarValues::*;
		item def Go { attribute n : Integer; attribute fast : Boolean; }
		part def Box { attribute n : Integer := 0; }
		calc def Add { in a : Integer; in b : Integer; return : Integer = a + b; }
		part taker : Box { exhibit state takes : Taking; }
		state def Taking { entry; then a; state a; state b;
			transition first a accept Go then b; transition first b accept Go then a; }
`)
	for i := range 1000 {
		fmt.Fprintf(&b, "part def D%d { attribute a : Integer; attribute b : Real; }\n", i)
	}
	b.WriteString("}")
	return b.String()
}

// BenchmarkEventsWithArguments posts signals that carry values of the types
// that their signal declares.
func BenchmarkEventsWithArguments(b *testing.B) {
	s := benchBehaviours(b)
	declare(b, s, crowded())
	events := make([]Event, 1_000)
	for i := range events {
		events[i] = Event{Name: "Go", Args: []Argument{{Name: "n", Value: value.Int(1)}, {Name: "fast", Value: value.Bool(true)}}}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		if r, err := s.Run(context.Background(), "P::Taking", RunOptions{Events: events}); err != nil || r.Err != nil {
			b.Fatal(err, r)
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(events))/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkGiven gives values to what checks them, one at a time: a signal to
// an object, a feature, the parameters of a calculation.
func BenchmarkGiven(b *testing.B) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		give func(s *Session) error
	}{
		{"send", func(s *Session) error {
			_, err := s.Send(ctx, Event{Name: "Go", To: "taker", Args: []Argument{{Name: "n", Value: value.Int(1)}}})
			return err
		}},
		{"set", func(s *Session) error { return s.Set(ctx, "taker.n", value.Int(3)) }},
		{"call", func(s *Session) error {
			_, err := s.Call(ctx, "P::Add", []value.Value{value.Int(1), value.Int(2)}, nil)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := benchBehaviours(b)
			declare(b, s, crowded())
			if _, err := s.Instantiate(ctx, "P::taker", "taker"); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				if err := c.give(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestValuesOfTheDeclarationThatThereIs says that what the model answered
// before a declaration does not outlive it.
func TestValuesOfTheDeclarationThatThereIs(t *testing.T) {
	s := New(Options{Library: library.Embedded()})
	declareAs(t, s, "types", `package T { private import ScalarValues::*; attribute def Text :> String; attribute def Count :> Integer; }`)
	declareAs(t, s, "go", `package G { item def Go { attribute x : T::Count; } }`)
	declareAs(t, s, "box", `part box { exhibit state s { entry; then a; state a; transition first a accept G::Go then a; } }`)
	if _, err := s.Instantiate(context.Background(), "box", "box"); err != nil {
		t.Fatal(err)
	}
	takes := func(v value.Value) bool {
		_, err := s.Send(context.Background(), Event{Name: "Go", To: "box", Args: []Argument{{Name: "x", Value: v}}})
		if err != nil && diagnostic.Of(err)[0].Code != value.TypeMismatch {
			t.Fatal(err)
		}
		return err == nil
	}
	for _, c := range []struct {
		owner, text   string
		number, words bool // whether Go can carry them
	}{
		{"other", `package Other;`, true, false},
		{"go", `package G { item def Go { attribute x : T::Text; } }`, false, true},
		{"second", `package H { item def Go; }`, true, true}, // which of the two is meant cannot be told
		{"second", ``, false, true},
	} {
		if c.text == "" {
			s.Forget(c.owner)
		} else {
			declareAs(t, s, c.owner, c.text)
		}
		for range 2 {
			if number, words := takes(value.Int(1)), takes(value.Text("one")); number != c.number || words != c.words {
				t.Errorf("after %s %s: Go takes a number: %v, a string: %v", c.owner, c.text, number, words)
			}
		}
	}
}
