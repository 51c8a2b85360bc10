package runtime

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
)

var updateCoverage = flag.Bool("update-coverage", false, "write testdata/coverage.sites")

// TestCoverage does the deeds with the model of testdata/coverage.sysml and
// compares what they are said to have executed with the file beside it.
func TestCoverage(t *testing.T) {
	text, err := os.ReadFile("testdata/coverage.sysml")
	if err != nil {
		t.Fatal(err)
	}
	s := declared(t, string(text))
	sites := s.Coverable()
	var got strings.Builder
	got.WriteString("-- all --\n")
	for _, c := range sites.Sites {
		fmt.Fprintf(&got, "%s %s\n", SiteKind(c.Site), c.Name)
	}
	for _, d := range deeds() {
		x := &exec.Coverage{}
		f := s.Fork()
		f.SetCoverage(x)
		fmt.Fprintf(&got, "-- %s --\n", d.title)
		if err := d.do(context.Background(), f); err != nil {
			fmt.Fprintf(&got, "(%v)\n", err)
		}
		set := sites.Of(x)
		for i, c := range sites.Sites {
			if set[i/8]&(1<<(i%8)) != 0 {
				fmt.Fprintf(&got, "%s %s\n", SiteKind(c.Site), c.Name)
			}
		}
	}
	golden := filepath.Join("testdata", "coverage.sites")
	if *updateCoverage {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s", got.String())
	}
}

// A deed is something that is done with a session.
type deed struct {
	title string
	do    func(context.Context, *Session) error
}

// runs is the deed of running a behaviour.
func runs(name string, o RunOptions) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		r, err := s.Run(ctx, name, o)
		if err == nil && r.Err != nil {
			err = r.Err
		}
		return err
	}
}

func deeds() []deed {
	level := func(n int64) []Argument { return []Argument{{Name: "level", Value: value.Int(n)}} }
	return []deed{
		{"a machine that is sent nothing", runs("C::Lamp", RunOptions{})},
		{"a machine that goes round", runs("C::Lamp", RunOptions{Events: []Event{{Name: "Go"}, {Name: "Go"}}})},
		{"an action whose guard holds", runs("C::Fill", RunOptions{Inputs: level(7)})},
		{"an action whose guard fails", runs("C::Fill", RunOptions{Inputs: level(1)})},
		{"a search", func(ctx context.Context, s *Session) error {
			_, err := s.Explore(ctx, ExploreRequest{Behavior: "C::Fill", Inputs: level(7), Workers: 4})
			return err
		}},
		{"a stepped run in a fork of the fork", func(ctx context.Context, s *Session) error {
			s = s.Fork()
			if _, err := s.Start(ctx, "C::Lamp", RunOptions{}); err != nil {
				return err
			}
			if _, err := s.Send(ctx, Event{Name: "Go"}); err != nil {
				return err
			}
			_, err := s.Advance(ctx, 0)
			return err
		}},
		{"a machine of an object", func(ctx context.Context, s *Session) error {
			_, err := s.Instantiate(ctx, "C::Tank", "tank")
			return err
		}},
		{"a validation", func(ctx context.Context, s *Session) error {
			if _, err := s.Instantiate(ctx, "C::Tank", "tank"); err != nil {
				return err
			}
			_, err := s.Validate(ctx, "tank")
			return err
		}},
		{"a constraint", func(ctx context.Context, s *Session) error {
			_, err := s.Judge(ctx, "C::Safe", "", level(3))
			return err
		}},
		{"a constraint in a calculation", func(ctx context.Context, s *Session) error {
			_, err := s.Call(ctx, "C::margin", nil, level(3))
			return err
		}},
		{"satisfaction assertions", func(ctx context.Context, s *Session) error {
			_, err := s.Satisfactions(ctx, "")
			return err
		}},
	}
}
