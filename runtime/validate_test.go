package runtime

import (
	"context"
	"testing"
)

// What has no name is held and judged like anything else.
func TestWhatHasNoNameIsJudged(t *testing.T) {
	s := session(t, `package P { private import ScalarValues::*;
		port def Port;
		part def Wheel { attribute a : Integer = 1; port p : Port; assert constraint c { a > 5 } }
		part def Car { part : Wheel; part : Wheel; part w : Wheel; part v : Wheel; connect w.p to v.p; interface w.p to v.p; flow from w.p to v.p; }
	}`)
	o, err := s.Instantiate(context.Background(), "P::Car", "car")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Validate(context.Background(), o.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range v.Unread {
		t.Error(d)
	}
	got := ""
	for _, x := range v.Verdicts {
		got += x.Object + " " + x.Status.String() + "; "
	}
	if want := "(part 1) violated; (part 2) violated; w violated; v violated; "; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
