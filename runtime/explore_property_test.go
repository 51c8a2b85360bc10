package runtime

import (
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// momentary has a machine whose two regions pass through several values while
// one event is dispatched, and an action whose body is two statements.
const momentary = `
item def Go;
state def Pair {
	attribute a : ScalarValues::Integer := 0;
	attribute b : ScalarValues::Integer := 0;
	entry; then on;
	state on parallel {
		state left {
			entry; then l1;
			state l1 { exit action { assign a := 1; } }
			state l2 { entry action { assign a := 3; } }
			transition first l1 accept Go do action { assign a := 2; } then l2;
		}
		state right {
			entry; then r1;
			state r1 { exit action { assign b := 1; } }
			state r2 { entry action { assign b := 3; } }
			transition first r1 accept Go do action { assign b := 2; } then r2;
		}
	}
}
action Steps {
	attribute a : ScalarValues::Integer := 0;
	attribute b : ScalarValues::Integer := 0;
	attribute c : ScalarValues::Integer := 0;
	fork both;
	join met;
	first start then both;
	first both then left;
	first both then right;
	action left { assign a := 1; assign c := 1; }
	action right { assign b := 1; }
	first left then met;
	first right then met;
	first met then done;
}`

// TestWhereClaimsAreJudged says which Worlds a property is about: those between
// two moves. A dispatch runs to completion; a body may be seen between its
// statements, or only as a whole.
func TestWhereClaimsAreJudged(t *testing.T) {
	for _, c := range []struct {
		behavior    string
		granularity explore.Granularity
		never       string
		broken      bool
	}{
		{"Pair", explore.Statement, "a == 1", false},
		{"Pair", explore.Statement, "a == 2", false},
		{"Pair", explore.Statement, "a == 3 and b < 3", false},
		{"Pair", explore.Statement, "a == 0 and b == 0", true},
		{"Pair", explore.Statement, "a == 3 and b == 3", true},
		{"Pair", explore.Node, "a == 2", false},
		{"Pair", explore.Node, "a == 3 and b == 3", true},
		{"Steps", explore.Statement, "a != c", true},
		{"Steps", explore.Statement, "a != c and b == 1", true},
		{"Steps", explore.Node, "a != c", false},
		{"Steps", explore.Node, "a == 1 and b == 0", true},
	} {
		s := declared(t, momentary)
		x, list := syntax.ParseExpression(source.NewFile("claim", c.never), 0, syntax.Options{})
		if list.HasErrors() {
			t.Fatal(list)
		}
		q := ExploreRequest{Behavior: c.behavior, Granularity: c.granularity}
		if c.behavior == "Pair" {
			q.Events = []Event{{Name: "Go"}}
		}
		v, err := s.CheckBehavior(context.Background(), CheckRequest{ExploreRequest: q, Properties: []Property{{Kind: explore.Never, Condition: x}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(v.Violations) > 0; got != c.broken || !v.Complete {
			t.Errorf("%s by %v: never %s: broken %t, %s", c.behavior, c.granularity, c.never, got, v.Text)
		}
	}
}

// bystanders has objects that go on for ever, or for a while, beside behaviours
// that wait for a message.
const bystanders = `
item def Go;
part def Ticker {
	attribute n : ScalarValues::Integer := 0;
	exhibit state beat {
		entry; then a;
		state a;
		transition first a accept after 1 do action { assign n := n + 1; } then a;
	}
}
part def Sender {
	exhibit state beat {
		entry; then a;
		state a;
		state b;
		transition first a accept after 3 do action { send new Go(); } then b;
	}
}
part def Maker {
	ref part kept : Sender[0..1];
	exhibit state beat {
		entry; then a;
		state a;
		state b;
		transition first a accept after 1 do action { assign kept := new Sender(); } then b;
	}
}
part ticker : Ticker;
action Waits {
	first start; then accept g : Go; then done;
}
action Sleeps {
	attribute y : ScalarValues::Integer := 0;
	first start; then accept after 5; then action b { assign y := 2; } then done;
}
state Quiet {
	entry; then a;
	state a;
	state b;
	transition first a accept Go then b;
}`

// TestTheClockGoesOnForWhatMatters runs and checks behaviours while an object
// lives: where nothing that it does can reach them the clock stands still once
// they wait for no time themselves.
func TestTheClockGoesOnForWhatMatters(t *testing.T) {
	for _, c := range []struct {
		object, behavior string
		time             float64
	}{
		{"Ticker", "Waits", 0},
		{"Ticker", "Quiet", 0},
		{"Ticker", "Sleeps", 5},
		{"Sender", "Waits", 3},
		{"Sender", "Quiet", 3},
		{"Maker", "Quiet", 4},
	} {
		ctx := context.Background()
		s := declared(t, bystanders)
		if _, err := s.Instantiate(ctx, c.object, ""); err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(ctx, c.behavior, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Time != c.time {
			t.Errorf("%s beside %s ends at t=%v, not %v", c.behavior, c.object, r.Time, c.time)
		}
		v, err := s.CheckBehavior(ctx, CheckRequest{ExploreRequest: ExploreRequest{Behavior: c.behavior, Worlds: 200}})
		if err != nil {
			t.Fatal(err)
		}
		if !v.Complete {
			t.Errorf("%s beside %s: %s after %d Worlds", c.behavior, c.object, v.Text, v.Worlds)
		}
	}
}

// TestAClaimAboutOthersFollowsThem has a property that reads what is not the
// behaviour's: then time goes on for that as well.
func TestAClaimAboutOthersFollowsThem(t *testing.T) {
	ctx := context.Background()
	s := declared(t, bystanders)
	if _, err := s.EvaluateText(ctx, "ticker.n", ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reachable string
		worlds    int
	}{{"ticker.n > 3", 50}, {"finalState == \"b\"", 1}} {
		x, list := syntax.ParseExpression(source.NewFile("claim", c.reachable), 0, syntax.Options{})
		if list.HasErrors() {
			t.Fatal(list)
		}
		v, err := s.CheckBehavior(ctx, CheckRequest{ExploreRequest: ExploreRequest{Behavior: "Quiet", Worlds: 50},
			Properties: []Property{{Kind: explore.Reachable, Condition: x}}})
		if err != nil {
			t.Fatal(err)
		}
		if v.Worlds != c.worlds {
			t.Errorf("reachable %s: %d Worlds, not %d", c.reachable, v.Worlds, c.worlds)
		}
	}
}

// TestAnObjectRestsNow lets the endless machine of an object act at the present
// instant alone.
func TestAnObjectRestsNow(t *testing.T) {
	ctx := context.Background()
	s := declared(t, bystanders)
	o, err := s.Instantiate(ctx, "Ticker", "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.RunObject(ctx, o.Name, RunOptions{Settings: &schedule.Settings{}, Now: true})
	if err != nil || r.Err != nil {
		t.Fatal(err, r.Err)
	}
	if r.Time != 0 || r.FinalState != "a" || r.Ended {
		t.Errorf("rests in %s at t=%v, ended %t", r.FinalState, r.Time, r.Ended)
	}
}
