package suite

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/walk"
)

// every calls f for each case whose plan can be walked.
func every(t *testing.T, f func(t *testing.T, c planCase)) {
	files, _ := filepath.Glob("testdata/*.plans")
	for _, name := range files {
		for _, c := range readCases(t, name) {
			if !strings.HasPrefix(c.want, "error:") {
				t.Run(c.name, func(t *testing.T) { f(t, c) })
			}
		}
	}
}

// manifest walks a plan and gives its manifest as a bundle has it.
func manifest(t *testing.T, text string, o Options) (*bundle.Manifest, string) {
	t.Helper()
	p, err := load(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Walk(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	var data strings.Builder
	if err := m.Write(&data); err != nil {
		t.Fatal(err)
	}
	return m, data.String()
}

// TestWorkersAgree compares walks by one, two and eight workers byte by byte.
func TestWorkersAgree(t *testing.T) {
	every(t, func(t *testing.T, c planCase) {
		_, one := manifest(t, c.plan, Options{})
		for _, jobs := range []int{1, 2, 8} {
			if _, many := manifest(t, c.plan, Options{Jobs: jobs}); many != one {
				t.Errorf("%d workers: got\n%s\nwant\n%s", jobs, many, one)
			}
		}
	})
}

// TestShardsAgree joins shards and compares the result with the whole walk.
func TestShardsAgree(t *testing.T) {
	every(t, func(t *testing.T, c planCase) {
		_, whole := manifest(t, c.plan, Options{})
		for _, n := range []int{2, 3} {
			var parts []*bundle.Manifest
			for i := n; i >= 1; i-- {
				m, _ := manifest(t, c.plan, Options{Jobs: 2, Shard: walk.Shard{Index: i, Count: n}})
				parts = append(parts, m)
			}
			m, err := Merge(parts)
			if err != nil {
				t.Fatal(err)
			}
			var joined strings.Builder
			if err := m.Write(&joined); err != nil {
				t.Fatal(err)
			}
			if joined.String() != whole {
				t.Errorf("%d shards: got\n%s\nwant\n%s", n, joined.String(), whole)
			}
			if _, err := Merge(parts[1:]); err == nil {
				t.Error("a missing shard is not missed")
			}
			if _, err := Merge(append(parts, parts[0])); err == nil {
				t.Error("a shard is taken twice")
			}
		}
	})
}

// TestResume interrupts a walk behind every row, goes on, and compares the
// bundle with one of a walk that was left alone.
func TestResume(t *testing.T) {
	every(t, func(t *testing.T, c planCase) {
		whole, want := manifest(t, c.plan, Options{})
		for k := 1; k < len(whole.Rows); k++ {
			name := filepath.Join(t.TempDir(), "journal")
			p, err := load(c.plan)
			if err != nil {
				t.Fatal(err)
			}
			j, err := bundle.OpenJournal(name, bundle.Inputs{Whole: "digest"}, bundle.Anew)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			rows := 0
			m, err := Walk(ctx, p, Options{Jobs: 2, Journal: j, Row: func(*bundle.Row) {
				if rows++; rows == k {
					cancel()
				}
			}})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if !m.Partial && len(m.Rows) < len(whole.Rows) {
				t.Errorf("stopped behind row %d and not partial", k)
			}
			j.Close()
			if j, err = bundle.OpenJournal(name, bundle.Inputs{Whole: "digest"}, bundle.Continue); err != nil {
				t.Fatal(err)
			}
			if _, got := manifest(t, c.plan, Options{Jobs: 2, Journal: j}); got != want {
				t.Errorf("resumed behind row %d: got\n%s\nwant\n%s", k, got, want)
			}
			j.Close()
		}
	})
	if _, err := bundle.OpenJournal(filepath.Join(t.TempDir(), "none"), bundle.Inputs{Whole: "digest"}, bundle.Continue); err != nil {
		t.Error(err)
	}
}

func TestJournalOfAnotherWalk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	j, err := bundle.OpenJournal(name, bundle.Inputs{Whole: "one"}, bundle.Anew)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	if _, err := bundle.OpenJournal(name, bundle.Inputs{Whole: "two"}, bundle.Continue); err == nil || !strings.Contains(err.Error(), "another walk") {
		t.Errorf("got %v", err)
	}
}

// TestBundleRoundTrip is T97 and T99: bundles read back, and are written to
// the same bytes.
func TestBundleRoundTrip(t *testing.T) {
	m, _ := manifest(t, "def test_a():\n    expect(choose(\"x\", [1, 2]) == 1)\n", Options{})
	b := &bundle.Bundle{Manifest: m, Plan: []byte("{}\n"), Sources: map[string][]byte{"a.star": []byte("x"), "models/b": nil}, Replay: "#!/bin/sh\n"}
	var one, two bytes.Buffer
	if err := b.Write(&one); err != nil {
		t.Fatal(err)
	}
	read, err := bundle.Read(bytes.NewReader(one.Bytes()), "b")
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Write(&two); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("a bundle that was read is written otherwise")
	}
	if _, err := bundle.Read(bytes.NewReader(one.Bytes()[:one.Len()/2]), "b"); err == nil {
		t.Error("half a bundle is read")
	}
}
