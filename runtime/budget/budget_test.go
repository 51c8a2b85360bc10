package budget

import (
	"context"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	for _, c := range []struct {
		text, err string
		name      Name
		limit     int64
	}{
		{text: "steps=20_000", name: Steps, limit: 20_000},
		{text: "action-steps = 5", name: ActionSteps, limit: 5},
		{text: "steps", err: "a budget is written NAME=N"},
		{text: "steps=0", err: "a whole number of at least 1"},
		{text: "stepz=1", err: `no budget is called "stepz"`},
	} {
		b, err := Budget{}.Set(c.text)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("Set(%q): %v, want %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || b.Limit(c.name) != c.limit {
			t.Errorf("Set(%q): %d, %v, want %d", c.text, b.Limit(c.name), err, c.limit)
		}
	}
}

func TestMeterStopsAtTheLimit(t *testing.T) {
	for _, limit := range []int64{1, 10, grain, grain + 1, 10 * grain} {
		m := NewMeter(context.Background(), Budget{}.With(Steps, limit))
		var taken int64
		for m.Step(1) == nil {
			taken++
		}
		if taken != limit {
			t.Errorf("limit %d: %d steps were allowed", limit, taken)
		}
		if err := m.Step(1); err == nil || !strings.Contains(err.Error(), "step limit exceeded") {
			t.Errorf("limit %d: %v after the end", limit, err)
		}
	}
}

func TestMeterIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := NewMeter(ctx, Budget{})
	if err := m.Step(1); err != nil {
		t.Fatal(err)
	}
	cancel()
	var err error
	for range 2 * grain {
		if err = m.Step(1); err != nil {
			break
		}
	}
	if err == nil || err.Error() != "interrupted" {
		t.Fatalf("a cancelled meter says %v", err)
	}
}

func TestEveryBoundHasATextAndAVariable(t *testing.T) {
	for _, n := range Names() {
		d := (Budget{}).With(n, 7).Spent(n)
		if !strings.Contains(d.Message, "7") || !strings.Contains(d.Message, n.Environment()) || strings.Contains(d.Message, "%!") {
			t.Errorf("%s: %s", n, d.Message)
		}
		if n.Default() < 1 {
			t.Errorf("%s has no default", n)
		}
	}
}

// A loop that only counts can be interrupted.
func TestCountIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := NewMeter(ctx, Budget{})
	cancel()
	for range 200 {
		if m.Count(Events) != nil {
			return
		}
	}
	t.Error("200 events after the end of the context")
}
