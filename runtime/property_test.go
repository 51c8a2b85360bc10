package runtime

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// ended is what became of a World that ran to its end.
type ended struct {
	saved, trace, err string
	hash              uint64
}

// toEnd runs the stepped run of s to its end in w, which is changed.
func (s *Session) toEnd(w *exec.World) ended {
	var rec trace.Recorder
	r := &s.run
	e := &exec.Engine{World: w, Meter: budget.NewMeter(context.Background(), small),
		Observer: &rec, Resolver: r.resolver, Draws: r.settings.Draws, ClockStep: r.settings.ClockStep}
	x := ended{}
	if err := e.Complete(r.id); err != nil {
		x.err = err.Error()
		return ended{err: x.err, trace: rec.Text()} // a World that failed is in no use
	}
	x.saved, x.trace, x.hash = string(w.Save()), rec.Text(), w.Hash()
	return x
}

// small bounds what runs without end.
var small = budget.Budget{}.With(budget.Steps, 2_000).With(budget.ActionSteps, 300).With(budget.Events, 300).With(budget.DoSteps, 300)

// checkWorlds starts a behaviour and checks at every step that copies of the
// World run to the same end and leave it alone, that a World that was saved
// and loaded is that World, with the same hash, and that going back to the
// start and forward again leads here.
func checkWorlds(t *testing.T, s *Session, e *model.Element, settings schedule.Settings, steps int) {
	t.Helper()
	ctx := context.Background()
	if _, err := s.Start(ctx, "", RunOptions{Element: e, Settings: &settings}); err != nil {
		return // what cannot be started is judged elsewhere
	}
	defer s.Stop()
	moves := 0
	for range steps {
		w := s.world
		before, hash := string(w.Save()), w.Hash()
		a, b := s.toEnd(w.Copy()), s.toEnd(w.Copy())
		if a != b {
			t.Fatalf("after %d moves two copies end differently:\n%s\n%s", moves, a.trace, b.trace)
		}
		if string(w.Save()) != before || w.Hash() != hash {
			t.Fatalf("after %d moves running a copy changed the World", moves)
		}
		loaded, err := exec.Load(w.Program, []byte(before))
		if err != nil {
			t.Fatalf("after %d moves: %v", moves, err)
		}
		if string(loaded.Save()) != before || loaded.Hash() != hash || string(loaded.Canonical(nil)) != string(w.Canonical(nil)) {
			t.Fatalf("after %d moves a loaded World differs (hash %x, %x)", moves, loaded.Hash(), hash)
		}
		if c := s.toEnd(loaded); c != a {
			t.Fatalf("after %d moves a loaded World ends differently:\n%s\n%s", moves, a.trace, c.trace)
		}
		p, err := s.Step(ctx, 1)
		if err != nil || p.Ended || !p.Moved {
			break
		}
		moves++
	}
	if moves == 0 {
		return
	}
	last, text := string(s.world.Save()), s.TraceText()
	moves = s.run.here
	if _, err := s.Back(ctx, moves); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forward(ctx, moves); err != nil {
		t.Fatal(err)
	}
	if string(s.world.Save()) != last || s.TraceText() != text {
		t.Fatalf("%d moves back and forward lead to another World or trace", moves)
	}
}

// checkModel checks the behaviours at the top of the packages of a text.
func checkModel(t *testing.T, name, text string, steps int, policies ...string) {
	file := source.NewFile(name, text)
	tree, _ := syntax.Parse(file, syntax.Options{Extensions: true})
	for _, p := range policies {
		s := New(Options{Files: true, Lenient: true, Library: library.Embedded(), Budget: small})
		d, list := s.Declare(context.Background(), Text{File: file, Tree: tree, Owner: name})
		if d == nil {
			t.Errorf("%s: %v", name, list)
			return
		}
		policy, _ := schedule.ParsePolicy(p)
		for _, root := range d.Elements {
			for _, e := range root.Members() {
				switch e.Metaclass() {
				case syntax.ActionDefinition, syntax.ActionUsage, syntax.StateDefinition, syntax.StateUsage:
					checkWorlds(t, s, e, schedule.Settings{Schedule: policy, Seed: 1, Seeded: true}, steps)
				}
			}
		}
	}
}

// TestWorldsOfOwnCases checks the models of our conformance cases.
func TestWorldsOfOwnCases(t *testing.T) {
	names, _ := filepath.Glob("testdata/conformance/*.sysml")
	policies := []string{"reverse", "declared", "seed:1"}
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".sysml"), func(t *testing.T) {
			checkModel(t, name, string(text), 8, policies[i%len(policies)])
		})
	}
}

// TestWorldsOfSharedCorpus checks every model of the shared corpus where
// ORRERY_SHARED names the folder that has it.
func TestWorldsOfSharedCorpus(t *testing.T) {
	shared := os.Getenv("ORRERY_SHARED")
	if shared == "" {
		return
	}
	names, _ := filepath.Glob(filepath.Join(shared, "corpus/execution/*.sysml"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".sysml"), func(t *testing.T) { checkModel(t, name, string(text), 30, "reverse", "declared", "seed:1") })
	}
}
