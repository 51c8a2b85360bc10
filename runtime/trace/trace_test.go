package trace_test

import (
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/trace"
)

func TestEventLine(t *testing.T) {
	for _, c := range []struct {
		event trace.Event
		want  string
	}{
		{trace.Event{Kind: trace.Step, Number: 3, Places: []trace.Place{{2, "reader"}, {3, "sender"}}},
			"step 3: token 2@reader, token 3@sender"},
		{trace.Event{Kind: trace.Step, Number: 6}, "step 6: no active tokens"},
		{trace.Event{Kind: trace.EnterNode, Depth: 4, Name: "inner"}, "enter action node: inner"},
		{trace.Event{Kind: trace.LeaveNode, Name: "inner"}, "leave action node: inner"},
		{trace.Event{Kind: trace.Statement, Depth: 1, Word: "assign", Name: "x"}, "  stmt assign x"},
		{trace.Event{Kind: trace.Iteration, Depth: 2, Number: 12}, "    iteration 12"},
		{trace.Event{Kind: trace.Eval, Depth: 1, Word: "feature", Name: "x", Value: "3"}, "  eval feature x -> 3"},
		{trace.Event{Kind: trace.Eval, Word: "feature", Name: "x", Err: "no value"}, "eval feature x -> error: no value"},
		{trace.Event{Kind: trace.Bind, Depth: 1, Name: "x", Value: "3", Note: "argument"}, "  bind x = 3 [argument]"},
		{trace.Event{Kind: trace.EnterCalc, Name: "P::f"}, "enter calc P::f"},
		{trace.Event{Kind: trace.ExitCalc, Name: "P::f", Value: "3"}, "exit calc P::f -> 3"},
		{trace.Event{Kind: trace.ExitCalc, Name: "P::f"}, "exit calc P::f"},
		{trace.Event{Kind: trace.EnterCalc, Name: "P::v", Word: "verification"}, "enter verification P::v"},
		{trace.Event{Kind: trace.Output, Name: "P::c.a", Value: "6"}, "output P::c.a = 6"},
		{trace.Event{Kind: trace.Reuse, Name: "P::c"}, "reuse calc P::c"},
		{trace.Event{Kind: trace.EnterState, Name: "S", Note: "entry action"}, "enter: S (entry action)"},
		{trace.Event{Kind: trace.ExitState, Name: "S"}, "exit: S"},
		{trace.Event{Kind: trace.Transition, Name: "A", To: "B", Cause: "accept Go"}, "transition: A -> B (event: accept Go)"},
		{trace.Event{Kind: trace.Do, Name: "S"}, "do: S"},
		{trace.Event{Kind: trace.Materialize, Name: "T", Number: 1}, "materialize: T #1"},
		{trace.Event{Kind: trace.Start, Name: "exhibited state machine m of #1"}, "start: exhibited state machine m of #1"},
		{trace.Event{Kind: trace.Choice, Name: "step 1: x"}, "choice step 1: x"},
		{trace.Event{Kind: trace.Draw, Name: "uniform(1, 80)", Value: "80.0"}, "draw uniform(1, 80) = 80.0"},
		{trace.Event{Kind: trace.Terminate, Name: ": stop"}, "terminate: stop"},
		{trace.Event{Kind: trace.Sent, Name: "Go"}, ""},
	} {
		if got := c.event.Line(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestRecorderRewinds(t *testing.T) {
	var r trace.Recorder
	r.Observe(trace.Event{Kind: trace.Do, Name: "a"})
	mark := r.Mark()
	r.Observe(trace.Event{Kind: trace.Sent, Name: "silent"})
	r.Observe(trace.Event{Kind: trace.Do, Name: "b"})
	if got := r.Since(mark); got != "do: b\n" {
		t.Errorf("Since: %q", got)
	}
	r.Rewind(mark)
	r.Observe(trace.Event{Kind: trace.Do, Name: "c"})
	if got := strings.Join(r.Lines(), "|"); got != "do: a|do: c" {
		t.Errorf("lines: %q", got)
	}
}

func TestRecorderLimit(t *testing.T) {
	r := trace.Recorder{Limit: 8}
	for range 5 {
		r.Observe(trace.Event{Kind: trace.Do, Name: "a"})
	}
	if len(r.Lines()) != 2 || r.Dropped != 3 {
		t.Errorf("%d lines kept, %d dropped", len(r.Lines()), r.Dropped)
	}
}

func TestTeeLeavesOutNil(t *testing.T) {
	if trace.Tee(nil, nil) != nil {
		t.Error("a tee of nothing is not nil")
	}
	var a, b trace.Recorder
	trace.Tee(&a, nil, &b).Observe(trace.Event{Kind: trace.Do, Name: "x"})
	if a.Text() != "do: x\n" || b.Text() != a.Text() {
		t.Errorf("%q, %q", a.Text(), b.Text())
	}
}

func TestCheckOrder(t *testing.T) {
	lines := []string{
		"step 1: token 1@split", "stmt assign x", "  eval literal 1 -> 1",
		"step 2: token 2@left, token 3@right", "enter: Idle (entry action)", "enter action node: inner",
	}
	for _, c := range []struct{ constraint, want string }{
		{"split < left", ""},
		{"assign x < left", ""},
		{"left < Idle", ""},
		{"Idle < inner", ""},
		{"left < split", "left is first mentioned by line 4"},
		{"left < right", "mentions both first"},
		{"left < nowhere", "no line mentions nowhere"},
		{"literal 1 < left", "no line mentions literal 1"},
	} {
		parsed, err := trace.ParseOrder("# a comment\n\n" + c.constraint + "\n")
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(trace.CheckOrder(lines, parsed), "; ")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.constraint, got, c.want)
		}
	}
	for _, bad := range []string{"", "# only a comment", "a b", "a < b < c", " < b"} {
		if _, err := trace.ParseOrder(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
