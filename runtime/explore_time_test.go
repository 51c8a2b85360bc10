package runtime

import (
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// lights has machines with timers that go round for ever.
const lights = `package Lights {
	attribute def Walk;
	part def Crossing {
		attribute crossed = 0;
		exhibit state light {
			entry; then red;
			state red; accept after 30 then green;
			state green;
				accept after 20 then amber;
				accept Walk do assign crossed := crossed + 1 then amber;
			state amber; accept after 5 then red;
		}
		exhibit state blink {
			entry; then on;
			state on; accept after 2 then off;
			state off; accept after 3 then on;
		}
		action forever { first start; then action never accept when crossed > 9; then done; }
		action press {
			attribute waited = 0;
			first start;
			then merge again;
			then action patience accept after 10;
			then action count { assign waited := 10 - waited; }
			then decide enough;
				if true then again;
				if true then go;
			action go { send Walk(); }
			then action walk accept when crossed == 1;
			then done;
		}
	}
	state def Light { entry; then red; state red; accept after 30 then green; state green; accept after 20 then red; }
	state def Tenth { entry; then red; state red; accept after 0.1 then green; state green; accept after 0.5 then red; }
	state def Halves { entry; then red; state red; accept after 0.5 then green; state green; accept after 0.25 then red; }
	action def Blink {
		attribute lit = false;
		first start;
		then merge on;
		then action wait accept after 3;
		then action turn { assign lit := not lit; }
		then on;
	}
}`

// TestEndlessTimersAreFinite explores what goes round for ever by timers: Worlds
// that differ in what time it is alone are one, unless something tells the time
// or its arithmetic is not exact.
func TestEndlessTimersAreFinite(t *testing.T) {
	s := declared(t, lights)
	if _, err := s.Instantiate(context.Background(), "Lights::Crossing", "it"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		behavior, on string
		finite       bool
		outcomes     []string
	}{
		{"Lights::Light", "", true, nil},
		{"Lights::Halves", "", true, nil},
		{"Lights::Blink", "", true, nil},
		{"Lights::Tenth", "", false, nil},
		{"Lights::Crossing::forever", "it", true, nil},
		{"Lights::Crossing::press", "it", true, []string{"waited = 0", "waited = 10"}},
	} {
		for _, workers := range []int{1, 3} {
			x, err := s.Explore(context.Background(), ExploreRequest{Behavior: c.behavior, On: c.on, Worlds: 5000, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if x.Complete != c.finite || x.Cyclic != c.finite || len(x.Outcomes) != len(c.outcomes) {
				t.Errorf("%s: complete %v, cyclic %v, %d outcomes over %d Worlds", c.behavior, x.Complete, x.Cyclic, len(x.Outcomes), x.Worlds)
				continue
			}
			for i, o := range x.Outcomes {
				if _, err := x.Witness(o); o.Text() != c.outcomes[i] || err != nil {
					t.Errorf("%s: %s, want %s; %v", c.behavior, o.Text(), c.outcomes[i], err)
				}
			}
		}
	}
}

// TestTheTimeIsToldApart has models and properties that ask what time it is.
func TestTheTimeIsToldApart(t *testing.T) {
	until := `package Lights {
	state def Until { entry; then red; state red; accept after 1 then red; accept at 5 then over; state over; }
}`
	x, err := declared(t, until).Explore(context.Background(), ExploreRequest{Behavior: "Lights::Until", Worlds: 5000})
	if err != nil || !x.Complete || len(x.Outcomes) == 0 || x.Outcomes[0].FinalState != "over" {
		t.Errorf("%v: complete %v, %d outcomes over %d Worlds", err, x.Complete, len(x.Outcomes), x.Worlds)
	}
	for _, c := range []struct {
		behavior, claim string
		complete        bool
	}{
		{"Light", "", true},
		{"Light", "finalState == \"none\"", true},
		{"Light", "localClock.currentTime > 100.0", false},
		{"Watching", "", false},
	} {
		s := declaredOver(t, `package Lights {
	private import ScalarValues::*;
	state def Light { entry; then red; state red; accept after 30 then green; state green; accept after 20 then red; }
	`+watching(c.behavior)+`
}`, library.Embedded())
		q := CheckRequest{ExploreRequest: ExploreRequest{Behavior: "Lights::" + c.behavior, Worlds: 100}, Unreduced: true}
		if c.claim != "" {
			claim, list := syntax.ParseExpression(source.NewFile("claim", c.claim), 0, syntax.Options{})
			if list.HasErrors() {
				t.Fatal(list)
			}
			q.Properties = []Property{{Kind: explore.Never, Condition: claim}}
		}
		v, err := s.CheckBehavior(context.Background(), q)
		if err != nil || v.Complete != c.complete {
			t.Errorf("%s, %s: %v: %+v", c.behavior, c.claim, err, v)
		}
		if !c.complete && c.claim != "" && (len(v.Violations) != 1 || v.Violations[0].Err != nil) {
			t.Errorf("%s is not found to be broken: %s", c.claim, v.Text)
		}
	}
}

// watching is a machine that looks at the clock, where it is asked for.
func watching(behavior string) string {
	if behavior != "Watching" {
		return ""
	}
	return `state def Watching {
		attribute seen : Real := 0.0;
		entry; then red;
		state red; accept after 1 do assign seen := localClock.currentTime then red;
	}`
}
