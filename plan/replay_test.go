package plan

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// TestReplaysCarryFlags walks a plan with flags, and its bundle without: the
// leaves are those of the first walk, since the bundle keeps the flags and the
// command of each row names them.
func TestReplaysCarryFlags(t *testing.T) {
	name := written(t, `
def test_a():
    choose("x", interval(0, 99).draw(3))
    print(nondet())
`)
	at := func(file string) string { return filepath.Join(filepath.Dir(name), file) }
	o := WalkOptions{MaxSteps: 5000, Bundle: at("first"), File: FileOptions{Anonymous: true,
		Settings: map[string]string{"seed": "11", "schedule": "replay:a b.json"}}}
	rows := func(name string, o WalkOptions) []bundle.Row {
		t.Helper()
		if status, err := Walk(context.Background(), name, o, io.Discard); status != 0 {
			t.Fatal(status, err)
		}
		b, err := bundle.ReadFile(o.Bundle)
		if err != nil {
			t.Fatal(err)
		}
		return b.Manifest.Rows
	}
	first := rows(name, o)
	again := rows(o.Bundle, WalkOptions{Bundle: at("again")})
	if len(first) != 6 || len(again) != len(first) {
		t.Fatalf("%d rows, then %d", len(first), len(again))
	}
	for i := range first {
		if first[i].LeafID != again[i].LeafID {
			t.Errorf("row %d: %s, then %s", i, first[i].LeafPath, again[i].LeafPath)
		}
	}
	want := "orrery walk p.plan.star --schedule 'replay:a b.json' --seed 11 --anonymous fan_out --max-steps 5000 --test test_a --leaf " + first[0].LeafID
	if first[0].Replay != want {
		t.Errorf("got  %s\nwant %s", first[0].Replay, want)
	}
}
