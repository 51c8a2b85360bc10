package plan

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// TestCoverage is T91 for models: it walks a plan that executes a part of its model, and compares
// the table and the stubs with the file beside it; then it walks the stubs,
// which execute all the rest.
func TestCoverage(t *testing.T) {
	ctx := context.Background()
	const folder = "testdata/coverage"
	stubs := filepath.Join(t.TempDir(), "stubs.plan.star")
	var got bytes.Buffer
	o := WalkOptions{Jobs: 2, NoShrink: true, Coverage: CoverageOptions{List: true, Stubs: stubs, Min: []string{"states=50"}}}
	if status, err := Walk(ctx, filepath.Join(folder, "some.plan.star"), o, &got); status != 0 {
		t.Error(status, err)
	}
	told := stubs + ": tests for what is not covered\n"
	if !strings.HasSuffix(got.String(), told) {
		t.Errorf("the walk does not say that it wrote %s", stubs)
	}
	got.Truncate(got.Len() - len(told))
	golden := filepath.Join(folder, "some.table")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || got.String() != string(want) {
		t.Errorf("%v; got\n%s", err, got.String())
	}

	text, err := os.ReadFile(stubs)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(got.String(), string(text)) {
		t.Errorf("the file of stubs differs from the stubs printed: %s", text)
	}
	model, err := os.ReadFile(filepath.Join(folder, "pump.sysml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(stubs), "pump.sysml"), model, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(ctx, stubs, FileOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := f.Walk(ctx, stubs, WalkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Summary.Passed != m.Summary.Leaves {
		t.Errorf("%s", report.Summary(m, false))
	}
	missing := gapsOf(t, filepath.Join(folder, "some.plan.star"))
	if len(missing) == 0 {
		t.Error("the plan leaves nothing to its stubs")
	}
	for _, s := range m.Models[0].Sites {
		if missing[s.Kind+" "+s.Name] && s.Leaves == 0 {
			t.Errorf("no stub executes %s %s", s.Kind, s.Name)
		}
	}
}

// gapsOf are the sites that no leaf of a plan executes.
func gapsOf(t *testing.T, name string) map[string]bool {
	t.Helper()
	f, err := OpenFile(context.Background(), name, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Walk(context.Background(), name, WalkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, s := range m.Models[0].Sites {
		if s.Leaves == 0 {
			all[s.Kind+" "+s.Name] = true
		}
	}
	return all
}

// TestCoverageGate is about what --min-coverage demands.
func TestCoverageGate(t *testing.T) {
	for _, c := range []struct {
		min    string
		status int
		says   string
	}{
		{"transitions=1", 0, ""},
		{"transition=50", 0, ""},
		{"transitions=60%", 1, "2 of 4 transitions are covered, less than 60%"},
		{"transitions=50", 0, ""},
		{"transitions", 2, "walk-usage"},
		{"transitions=0", 2, "walk-usage"},
		{"transitions=101", 2, "walk-usage"},
		{"frogs=1", 2, "walk-usage"},
	} {
		var out bytes.Buffer
		o := WalkOptions{Coverage: CoverageOptions{Min: []string{c.min}}}
		status, err := Walk(context.Background(), "testdata/coverage/some.plan.star", o, &out)
		said := out.String()
		if err != nil {
			said = err.Error()
		}
		if status != c.status || c.status == 1 && !strings.Contains(said, c.says) {
			t.Errorf("%s: status %d, want %d: %s", c.min, status, c.status, said)
		}
	}
}

// TestCoverageOfASession counts those root members alone that leaves execute
// something of, also behind a declaration in place of what was walked before.
func TestCoverageOfASession(t *testing.T) {
	ctx := context.Background()
	s := session(t, "package A { action def Go { action x; then action y; } }\npackage B { action def Stay { action z; then done; } }")
	f, err := NewCells(s, CellOptions{}).Plan(ctx, source.NewFile("cell", "def test_a():\n    expect(action(\"A::Go\").run().ok)\n"), FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	walk := func(actions int) {
		t.Helper()
		m, err := f.Walk(ctx, "cell", WalkOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := bundle.Kinds(m.Models); len(got) != 1 || got[0] != (bundle.KindCoverage{Kind: "action", Covered: actions, Of: actions}) {
			t.Errorf("%+v", got)
		}
	}
	walk(3)
	declare(t, s, "package A { action def Go { action w; then action x; then action y; } }")
	walk(4)
}

// TestStubsOfLikeModels writes stubs for models that name their elements alike
// and are read in different ways: they load and execute all of them.
func TestStubsOfLikeModels(t *testing.T) {
	dir := t.TempDir()
	const text = "package A { action def Go { action one; } part def P%s; }"
	for name, text := range map[string]string{
		"a.sysml": fmt.Sprintf(text, " :> Nowhere::Q"), "b.sysml": fmt.Sprintf(text, ""), "c, d.sysml": fmt.Sprintf(text, ""),
		"beside/q.sysml": "package Beside { part def Q; }", "e.sysml": "private import Beside::*; " + fmt.Sprintf(text, " :> Q"),
		"p.plan.star": `
model.open("a.sysml", lenient = True)
model.open("b.sysml")
model.open("b.sysml", lenient = True)
model.open("c, d.sysml", libraries = False)
model.open("e.sysml", libraries = "beside")
def test_nothing():
    expect(True)
`,
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stubs := filepath.Join(dir, "stubs.plan.star")
	ctx := context.Background()
	if status, err := Walk(ctx, filepath.Join(dir, "p.plan.star"), WalkOptions{Coverage: CoverageOptions{Stubs: stubs}}, io.Discard); status != 0 {
		t.Fatal(status, err)
	}
	var out bytes.Buffer
	status, err := Walk(ctx, stubs, WalkOptions{Coverage: CoverageOptions{Min: []string{"actions=100"}}}, &out)
	if status != 0 || err != nil || !strings.Contains(out.String(), "5 of 5 leaves held") {
		written, _ := os.ReadFile(stubs)
		t.Errorf("%d, %v\n%s\n%s", status, err, out.String(), written)
	}
}

// TestCoverageOfRemovedLeaf asks for two leaves by id, one of which a predicate
// removes, so that the walk has to begin anew: what the other one executed
// counts once.
func TestCoverageOfRemovedLeaf(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "p.plan.star")
	if err := os.WriteFile(plan, []byte(`
m = model.text("package A { action def Go { action one; } }")
def body():
    choose("a", range(3))
    choose("b", range(3))
    expect(action(m, "A::Go").run().ok)
test("all", body = body)
test("some", body = body, assume = [lambda c: c.a != 2])
`), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	f, err := OpenFile(ctx, plan, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := f.Walk(ctx, plan, WalkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var o WalkOptions
	for _, r := range whole.Rows {
		if at := r.Test + " " + r.LeafPath; at == "test_all a=2 b=1" || at == "test_some a=2 b=1" {
			o.Leaves = append(o.Leaves, r.LeafID)
		}
	}
	if len(o.Leaves) != 2 {
		t.Fatal(o.Leaves)
	}
	some, err := f.Walk(ctx, plan, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range some.Models[0].Sites {
		if s.Leaves != 1 {
			t.Errorf("%d leaves have executed %s", s.Leaves, s.Name)
		}
	}
}
