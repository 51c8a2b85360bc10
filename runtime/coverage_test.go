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

// TestCoverage does things with the model of testdata/coverage.sysml and
// compares what they are said to have executed with the file beside it.
func TestCoverage(t *testing.T) {
	ctx := context.Background()
	text, err := os.ReadFile("testdata/coverage.sysml")
	if err != nil {
		t.Fatal(err)
	}
	s := declared(t, string(text))
	sites := s.Coverable()
	var got strings.Builder
	show := func(title string, do func(*Session) error) {
		x := &exec.Coverage{}
		f := s.Fork()
		f.SetCoverage(x)
		fmt.Fprintf(&got, "-- %s --\n", title)
		if err := do(f); err != nil {
			fmt.Fprintf(&got, "(%v)\n", err)
		}
		set := sites.Of(x)
		for i, c := range sites.Sites {
			if set[i/8]&(1<<(i%8)) != 0 {
				fmt.Fprintf(&got, "%s %s\n", SiteKind(c.Site), c.Name)
			}
		}
	}
	got.WriteString("-- all --\n")
	for _, c := range sites.Sites {
		fmt.Fprintf(&got, "%s %s\n", SiteKind(c.Site), c.Name)
	}
	level := func(n int64) []Argument { return []Argument{{Name: "level", Value: value.Int(n)}} }
	run := func(name string, o RunOptions) func(*Session) error {
		return func(s *Session) error {
			r, err := s.Run(ctx, name, o)
			if err == nil && r.Err != nil {
				err = r.Err
			}
			return err
		}
	}
	show("a machine that is sent nothing", run("C::Lamp", RunOptions{}))
	show("a machine that goes round", run("C::Lamp", RunOptions{Events: []Event{{Name: "Go"}, {Name: "Go"}}}))
	show("an action whose guard holds", run("C::Fill", RunOptions{Inputs: level(7)}))
	show("an action whose guard fails", run("C::Fill", RunOptions{Inputs: level(1)}))
	show("a search", func(s *Session) error {
		_, err := s.Explore(ctx, ExploreRequest{Behavior: "C::Fill", Inputs: level(7), Workers: 4})
		return err
	})
	show("a stepped run in a fork of the fork", func(s *Session) error {
		s = s.Fork()
		if _, err := s.Start(ctx, "C::Lamp", RunOptions{}); err != nil {
			return err
		}
		if _, err := s.Send(ctx, Event{Name: "Go"}); err != nil {
			return err
		}
		_, err := s.Advance(ctx, 0)
		return err
	})
	show("a machine of an object", func(s *Session) error {
		_, err := s.Instantiate(ctx, "C::Tank", "tank")
		return err
	})
	show("a validation", func(s *Session) error {
		if _, err := s.Instantiate(ctx, "C::Tank", "tank"); err != nil {
			return err
		}
		_, err := s.Validate(ctx, "tank")
		return err
	})
	show("a constraint", func(s *Session) error {
		_, err := s.Judge(ctx, "C::Safe", "", level(3))
		return err
	})
	show("a constraint in a calculation", func(s *Session) error {
		_, err := s.Call(ctx, "C::margin", nil, level(3))
		return err
	})
	show("satisfaction assertions", func(s *Session) error {
		_, err := s.Satisfactions(ctx, "")
		return err
	})
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
