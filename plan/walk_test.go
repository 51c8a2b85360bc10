package plan

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// written writes a plan, with a file it loads and a model, into a folder.
func written(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"p.plan.star": text, "lib.star": "def twice(n):\n    return 2 * n\n",
		"m.sysml": "package M { private import ScalarValues::*; calc def Double { in n : Integer; return : Integer = 2 * n; } }",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "p.plan.star")
}

const doubling = `
load("lib.star", "twice")
m = model.open("m.sysml")
def test_double():
    n = choose("n", range(8))
    expect_equal(calc(m, "M::Double")(n), twice(n))
`

// TestWalkFiles walks a plan with everything that a walk can write, is
// stopped, resumed, and replayed from its bundle.
func TestWalkFiles(t *testing.T) {
	name := written(t, doubling)
	at := func(file string) string { return filepath.Join(filepath.Dir(name), file) }
	walk := func(what string, o WalkOptions) (int, string) {
		t.Helper()
		var out bytes.Buffer
		status, err := Walk(context.Background(), what, o, &out)
		if err != nil {
			return status, diagnostic.Of(err)[0].Message
		}
		return status, out.String()
	}
	if status, out := walk(name, WalkOptions{Bundle: at("whole"), Report: at("page.html"), JUnit: at("junit.xml"), Trace: true}); status != 0 || !strings.Contains(out, "8 of 8 leaves held") {
		t.Fatal(status, out)
	}
	for _, file := range []string{"whole", "whole.env.json", "page.html", "junit.xml"} {
		if _, err := os.Stat(at(file)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(at("whole.journal")); err == nil {
		t.Error("a finished walk leaves its journal")
	}
	ctx, cancel := context.WithCancel(context.Background())
	status, err := Walk(ctx, name, WalkOptions{Bundle: at("part"), Trace: true, Progress: func(done int, _ *bundle.Row) {
		if done == 3 {
			cancel()
		}
	}}, io.Discard)
	cancel()
	if status != 4 || err != nil {
		t.Fatal(status, err)
	}
	if b, err := bundle.ReadFile(at("part")); err != nil || !b.Manifest.Partial {
		t.Error("a stopped walk's bundle does not say so", err)
	}
	if status, out := walk(name, WalkOptions{Bundle: at("part"), Trace: true, Resume: bundle.Continue, Jobs: 3}); status != 0 {
		t.Fatal(status, out)
	}
	one, _ := os.ReadFile(at("whole"))
	two, _ := os.ReadFile(at("part"))
	if len(one) == 0 || !bytes.Equal(one, two) {
		t.Error("the resumed walk's bundle differs")
	}
	b, err := bundle.ReadFile(at("whole"))
	if err != nil {
		t.Fatal(err)
	}
	id := b.Manifest.Rows[5].LeafID
	if err := os.WriteFile(name, []byte("broken ("), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out := walk(at("whole"), WalkOptions{Leaves: []string{id}}); status != 0 || !strings.Contains(out, "1 of 1 leaf held") {
		t.Error(status, out)
	}
	if status, _ := walk(name, WalkOptions{}); status != 2 {
		t.Error("a broken plan is walked", status)
	}
}

// TestWalkUsage asks for what cannot be: each is status 2 and a sentence.
func TestWalkUsage(t *testing.T) {
	name := written(t, "def test_a():\n    choose('schedule', ['reverse', 'declared'])\n")
	tests := []struct {
		o    WalkOptions
		want string
	}{
		{WalkOptions{Leaves: []string{"?"}}, "--leaf"},
		{WalkOptions{Set: []string{"x"}}, "--set"},
		{WalkOptions{Prune: "late"}, "--prune is record, drop or entry"},
		{WalkOptions{Prune: "dpor"}, "--prune is record, drop or entry"}, // T90: no strategy is reserved
		{WalkOptions{Order: "dpor"}, "--order is leaf or likely, not dpor"},
		{WalkOptions{Cover: 9}, "--cover is a strength from 1 to 6"},
		{WalkOptions{Cover: 2, Sample: 2}, "one of the two"},
		{WalkOptions{Shard: "3/2"}, "--shard is i/n"},
		{WalkOptions{Shard: "x"}, "--shard is i/n"},
		{WalkOptions{Tests: []string{"none"}}, "no test matches none"},
		{WalkOptions{File: FileOptions{Settings: map[string]string{"schedule": "declared"}}}, "the setting schedule is an axis of the plan and a flag"},
		{WalkOptions{File: FileOptions{Settings: map[string]string{"schedule": "sideways"}}}, "sideways"},
		{WalkOptions{Bundle: "/nowhere/at/all"}, "cannot be opened"},
	}
	for _, test := range tests {
		status, err := Walk(context.Background(), name, test.o, io.Discard)
		if status != 2 || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %d %v", test.o, status, err)
		}
	}
	for _, missing := range []string{"none.plan.star", "none.tar.gz"} {
		if status, err := Walk(context.Background(), missing, WalkOptions{}, io.Discard); status != 2 || err == nil {
			t.Error(missing, status, err)
		}
	}
	if status, err := Merge([]string{"none"}, MergeOptions{}, io.Discard); status != 2 || err == nil {
		t.Error(status, err)
	}
}

// TestEnumerate holds formats, the gate on the number of leaves, and what a
// plan is refused for.
func TestEnumerate(t *testing.T) {
	name := written(t, "def test_a():\n    choose('x', [1, 2, 3])\n")
	tests := []struct {
		row    string
		o      EnumerateOptions
		status int
		want   string
	}{
		{"T87", EnumerateOptions{}, 0, "test_a (def): 3 leaves\n  x: 1, 2, 3\ntotal: 3 leaves in 1 test\n"},
		{"T92 the shape of the result", EnumerateOptions{Format: "json"}, 0, `"schema_version": 1`},
		{"T86", EnumerateOptions{Format: "dot"}, 0, "digraph plan"},
		{"RN-4", EnumerateOptions{Format: "mermaid"}, 0, "flowchart LR"},
		{"RN-5", EnumerateOptions{Discover: true, Jobs: 2}, 0, "bodies were run"},
		{"T89 equal", EnumerateOptions{Max: 3}, 0, "3 leaves"},
		{"T89 under", EnumerateOptions{Max: 4}, 0, "3 leaves"},
		{"T89 T92 exceeded", EnumerateOptions{Max: 2}, 1, "the plan has 3 leaves, more than 2"},
		{"T92 no limit", EnumerateOptions{Max: 0}, 0, "3 leaves"},
		{"T92 a negative limit", EnumerateOptions{Max: -1}, 0, "3 leaves"},
		{"T88 an unknown format", EnumerateOptions{Format: "yaml"}, 2, "text, json, dot and mermaid"},
		{"T129", EnumerateOptions{Tests: []string{"none"}}, 2, "no test matches"},
	}
	for _, test := range tests {
		var out bytes.Buffer
		status, err := Enumerate(context.Background(), name, test.o, &out)
		text := out.String()
		if err != nil {
			text += err.Error()
		}
		if status != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s: %d\n%s", test.row, status, text)
		}
	}
	if status, err := Enumerate(context.Background(), "none.plan.star", EnumerateOptions{}, io.Discard); status != 2 || err == nil {
		t.Error("T88 T92 no file:", status, err)
	}
}

// TestSeed is T100: the seed is the one that was given, else 0, whatever an
// earlier walk left beside the plan.
func TestSeed(t *testing.T) {
	name := written(t, "def test_a(): pass\n")
	for _, test := range []struct{ given, want int64 }{{7, 7}, {0, 0}} {
		o := WalkOptions{Seed: test.given, Bundle: filepath.Join(filepath.Dir(name), "b")}
		if status, err := Walk(context.Background(), name, o, io.Discard); status != 0 {
			t.Fatal(status, err)
		}
		b, err := bundle.ReadFile(o.Bundle)
		if err != nil || b.Manifest.Seed != test.want {
			t.Errorf("seed %d: %+v %v", test.given, b, err)
		}
	}
}

// TestReplayVersions is T104: a bundle of the same version, or of another
// patch, replays without a word, of another minor version with a note, and of
// another major version not at all.
func TestReplayVersions(t *testing.T) {
	name := written(t, "def test_a(): choose('x', [1, 2])\n")
	packed := filepath.Join(filepath.Dir(name), "b")
	if status, err := Walk(context.Background(), name, WalkOptions{Bundle: packed, File: FileOptions{Version: "1.2.3"}}, io.Discard); status != 0 {
		t.Fatal(status, err)
	}
	for _, test := range []struct {
		version string
		status  int
		note    string
	}{
		{"1.2.3", 0, ""}, {"1.2.4", 0, ""}, {"1.3.0", 0, "the bundle was written by orrery 1.2.3, and this is 1.3.0"}, {"2.2.3", 2, ""},
	} {
		note := ""
		o := WalkOptions{File: FileOptions{Version: test.version}, Note: func(d *diagnostic.Diagnostic) { note += d.Message }}
		status, err := Walk(context.Background(), packed, o, io.Discard)
		if status != test.status || note != test.note || (err != nil) != (status == 2) {
			t.Errorf("%s: status %d, note %q, %v", test.version, status, note, err)
		}
	}
}

// TestResumeKeepsMatching edits one test of a plan between two walks: the
// leaves of the others are kept, also those of a plan whose lines moved.
func TestResumeKeepsMatching(t *testing.T) {
	const plan = `
m = model.open("m.sysml")
limit = 7
def helper(n):
    return calc(m, "M::Double")(n)
def test_a():
    n = choose("n", [1, 2, 3])
    expect(helper(n) < limit)
def test_b():
    print(choose("n", [1, 2]))
test("c", body = lambda: expect(choose("n", [1, 2]) < limit))
`
	edits := []struct {
		name, old, new string
		kept           string // tests whose leaves are not run again
	}{
		{"nothing", "", "", "abc"},
		{"a comment and lines", "limit = 7", "# the limit\n\nlimit = 7", "abc"},
		{"a body", "print(", "print(1, ", "ac"},
		{"a helper", "(n)\ndef test_a", "(n + 0)\ndef test_a", "bc"},
		{"a global", "limit = 7", "limit = 8", "b"},
		{"a registration", "[1, 2]) < limit", "[1, 2]) <= limit", "ab"},
		{"another test", "def test_b", "def test_d():\n    pass\ndef test_b", "abc"},
	}
	for _, edit := range edits {
		name := written(t, plan)
		at := func(file string) string { return filepath.Join(filepath.Dir(name), file) }
		ctx, cancel := context.WithCancel(context.Background())
		if status, err := Walk(ctx, name, WalkOptions{Bundle: at("b"), Progress: func(done int, _ *bundle.Row) {
			if done == 7 {
				cancel()
			}
		}}, io.Discard); status > 4 || err != nil {
			t.Fatal(status, err)
		}
		cancel()
		if err := os.WriteFile(name, []byte(strings.Replace(plan, edit.old, edit.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if edit.kept != "abc" || edit.new != "" {
			if status, err := Walk(context.Background(), name, WalkOptions{Bundle: at("b"), Resume: bundle.Continue}, io.Discard); status != 2 || err == nil {
				t.Errorf("%s: the journal of another plan is taken: %d", edit.name, status)
			}
		}
		if kept := keptTests(t, name, at("b.journal")); kept != edit.kept {
			t.Errorf("%s: the leaves of %q are kept, want %q", edit.name, kept, edit.kept)
		}
		if status, err := Walk(context.Background(), name, WalkOptions{Bundle: at("b"), Resume: bundle.KeepMatching}, io.Discard); status != 0 || err != nil {
			t.Errorf("%s: %d %v", edit.name, status, err)
		}
		if status, err := Walk(context.Background(), name, WalkOptions{Bundle: at("fresh")}, io.Discard); status != 0 || err != nil {
			t.Errorf("%s: %d %v", edit.name, status, err)
		}
		one, _ := os.ReadFile(at("b"))
		two, _ := os.ReadFile(at("fresh"))
		if len(one) == 0 || !bytes.Equal(one, two) {
			t.Errorf("%s: the bundle differs from one that was walked at once", edit.name)
		}
	}
}

// keptTests are the tests of a plan whose leaves a journal keeps, by the
// letters behind test_.
func keptTests(t *testing.T, name, journal string) string {
	t.Helper()
	f, err := OpenFile(context.Background(), name, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := bundle.OpenJournal(journal, f.inputs(WalkOptions{}), bundle.KeepMatching)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	kept := ""
	for _, test := range f.plan.Tests() {
		if j.Recall(test.Name(), nil) != nil {
			kept += strings.TrimPrefix(test.Name(), "test_")
		}
	}
	return kept
}
