package conform

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// corpora are our own cases and, where ORRERY_SHARED names the folder that has
// it, those of the shared corpus.
func corpora(t *testing.T) []*Case {
	t.Helper()
	cases := ownCases(t)
	if shared := os.Getenv("ORRERY_SHARED"); shared != "" {
		more, err := Load(filepath.Join(shared, "corpus/execution"))
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, more...)
	}
	return cases
}

// exploredWithin is how many Worlds a case may have to be compared.
const exploredWithin = 20_000

// A checked case is one whose behaviour was explored to the end and checked.
type checkedCase struct {
	*bench
	name     string
	request  runtime.ExploreRequest
	explored *runtime.Exploration
	checks   map[string]*runtime.Checking // "reduced" and "unreduced"
}

// eachChecked explores and checks the behaviours of all cases. It counts those
// that cannot be started as cases state them, or have more than exploredWithin
// Worlds.
func eachChecked(t *testing.T, judge func(c *checkedCase)) {
	t.Helper()
	judged, refused, large := 0, 0, 0
	for _, c := range corpora(t) {
		if c.Err != nil || c.Language != nil || c.Expect.Type != "action" && c.Expect.Type != "state" {
			continue
		}
		b := newBench(context.Background(), c, schedule.Policy{}, Options{Library: library.Embedded()})
		q, problem := b.request()
		if len(b.problem) > 0 || problem != nil {
			refused++
			continue
		}
		q.Runs, q.Depth, q.Worlds = 0, 0, exploredWithin
		x, err := b.session.Explore(b.ctx, q)
		if err != nil {
			refused++
			continue
		}
		if !x.Complete {
			large++
			continue
		}
		cc := &checkedCase{bench: b, name: c.Name, request: q, explored: x, checks: map[string]*runtime.Checking{}}
		for _, how := range []string{"reduced", "unreduced"} {
			if cc.checks[how], err = b.session.CheckBehavior(b.ctx, runtime.CheckRequest{ExploreRequest: q, Unreduced: how == "unreduced"}); err != nil {
				t.Errorf("%s: %s: %v", c.Name, how, err)
			}
		}
		if cc.checks["reduced"] != nil && cc.checks["unreduced"] != nil {
			judge(cc)
			judged++
		}
	}
	if judged == 0 {
		t.Error("no case was judged")
	}
	t.Logf("%d cases judged; %d are refused, %d have no end within %d Worlds", judged, refused, large, exploredWithin)
}

// TestCheckConformanceOracles compares what checking finds, reduced and not,
// with the check.expected.json of each case that has one.
func TestCheckConformanceOracles(t *testing.T) {
	judged := 0
	for _, c := range corpora(t) {
		if c.Err != nil || c.Check == nil {
			continue
		}
		b := newBench(context.Background(), c, schedule.Policy{}, Options{Library: library.Embedded()})
		if reasons := b.check(); len(reasons) > 0 {
			t.Errorf("%s:\n  %s", c.Name, strings.Join(reasons, "\n  "))
		}
		judged++
	}
	if judged == 0 {
		t.Error("no case states what checking finds")
	}
	t.Logf("%d cases", judged)
}

// TestCheckAgreesWithExploreOverTheConformanceCorpus compares the ends that a
// check tells of with the table of exploring, for every behaviour of a case:
// the values that each feature ends with, and the failures.
func TestCheckAgreesWithExploreOverTheConformanceCorpus(t *testing.T) {
	eachChecked(t, func(c *checkedCase) {
		want := endsExplored(c.explored)
		for how, check := range c.checks {
			if got := endsChecked(check, want.features); got != want.String() {
				t.Errorf("%s, %s: the check ends in\n%sexploring in\n%s", c.name, how, got, want)
			}
		}
	})
}

// ends are the values that features end with, and the failures.
type ends struct {
	features map[string]map[string]bool
	failures map[string]bool
}

func (e ends) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.features)) {
		fmt.Fprintf(&b, "  %s: %s\n", name, strings.Join(slices.Sorted(maps.Keys(e.features[name])), " or "))
	}
	for _, text := range slices.Sorted(maps.Keys(e.failures)) {
		fmt.Fprintf(&b, "  fails: %s\n", text)
	}
	return b.String()
}

func endsExplored(x *runtime.Exploration) ends {
	e := ends{map[string]map[string]bool{}, map[string]bool{}}
	add := func(name, text string) {
		if e.features[name] == nil {
			e.features[name] = map[string]bool{}
		}
		e.features[name][text] = true
	}
	for _, o := range x.Outcomes {
		switch {
		case o.Err != nil:
			e.failures[o.Err.Message] = true
		case x.Kind == "state":
			add("finalState", o.FinalState)
		}
		for _, out := range o.Outputs {
			add(out.Name, out.Text)
		}
	}
	return e
}

// endsChecked are the ends of a check, as far as features that exploring lists
// go: those of objects and "unset" are more than it tells.
func endsChecked(c *runtime.Checking, listed map[string]map[string]bool) string {
	e := ends{map[string]map[string]bool{}, map[string]bool{}}
	for _, f := range slices.Concat(c.Divergent, c.Agreed) {
		if listed[f.Name] == nil {
			continue
		}
		e.features[f.Name] = map[string]bool{}
		for _, v := range f.Values {
			if v != "unset" {
				e.features[f.Name][v] = true
			}
		}
	}
	for name := range listed { // pins are listed, and not compared
		if e.features[name] == nil {
			e.features[name] = listed[name]
		}
	}
	for _, v := range c.Violations {
		e.failures[v.Err.Message] = true
	}
	return e.String()
}

// TestCheckWitnessesReplayOverTheConformanceCorpus follows every witness that a
// check writes, move for move: the run has to end in the failure, or with the
// value, that the witness is of.
func TestCheckWitnessesReplayOverTheConformanceCorpus(t *testing.T) {
	followed := 0
	eachChecked(t, func(c *checkedCase) {
		for _, how := range []string{"reduced", "unreduced"} {
			check := c.checks[how]
			for _, v := range check.Violations {
				w, err := check.ViolationWitness(v)
				if err == nil {
					err = c.ends(t, w, func(r *runtime.Run) bool { return r.Err != nil && r.Err.Error() == v.Err.Error() })
				}
				if err != nil {
					t.Errorf("%s, %s: witness of %s: %v", c.name, how, v.Text, err)
				}
				followed++
			}
			for _, f := range slices.Concat(check.Divergent, check.Agreed) {
				for i, value := range f.Values {
					w, err := check.FeatureWitness(f, i)
					if err == nil {
						err = c.ends(t, w, func(r *runtime.Run) bool { return endsWith(r, f, value) })
					}
					if err != nil {
						t.Errorf("%s, %s: witness of %s = %s: %v", c.name, how, f.Name, value, err)
					}
					followed++
				}
			}
		}
	})
	t.Logf("%d witnesses", followed)
}

// endsWith reports whether a feature ends with a value: an output or the state.
// Those of objects are gone with the World of the run.
func endsWith(r *runtime.Run, f *explore.Feature, value string) bool {
	if r.Err != nil {
		return false
	}
	if f.Name == "finalState" {
		return r.FinalState == value
	}
	for _, o := range r.Outputs {
		if o.Name == f.Name {
			return o.Text == value
		}
	}
	return value == "unset" || strings.HasPrefix(f.Name, "this.")
}

// ends is an error where the run that follows a witness does not end so.
func (c *checkedCase) ends(t *testing.T, w *schedule.Witness, so func(*runtime.Run) bool) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "witness")
	if err := os.WriteFile(file, []byte(w.Text()), 0o666); err != nil {
		return err
	}
	settings := c.settings
	settings.Schedule = schedule.Policy{Kind: schedule.Replayed, File: file}
	r, err := c.session.Run(c.ctx, "", runtime.RunOptions{Element: c.request.Element, Settings: &settings, Events: c.request.Events})
	if err != nil { // which cannot even begin
		r = &runtime.Run{Err: diagnostic.Of(err)[0]}
	}
	if !so(r) {
		ended := fmt.Sprint(r.FinalState, r.Outputs)
		if r.Err != nil {
			ended = r.Err.Message
		}
		return fmt.Errorf("the run ends in %s after\n%s", ended, w.Text())
	}
	return nil
}
