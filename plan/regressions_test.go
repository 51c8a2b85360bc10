package plan

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

const failing = `
def test_a():
    x = choose("x", [0, 1, 2, 3])
    how = choose("how far", ["a b", "c,d", 'q"t', [1, 2]], labels = ["one, two", "x=y", "z", "[1, 2]"])
    expect(x < 3)
    expect(how != "c,d")
def test_plain():
    expect(False)
def test_holds():
    choose("x", [0, 1])
`

// TestRegressions saves the leaves that fail and finds them again, in walks of
// any part of the tree.
func TestRegressions(t *testing.T) {
	name := written(t, failing)
	if status, err := Walk(context.Background(), name, WalkOptions{SaveRegressions: true}, io.Discard); status != 1 || err != nil {
		t.Fatal(status, err)
	}
	saved, err := os.ReadFile(regressionsFile(name))
	want := "# Leaves that failed once; orrery walk runs them first.\ntest_a x=0 \"how far\"=x=y\ntest_a x=3 \"how far\"=\"one, two\"\ntest_plain\n"
	if err != nil || string(saved) != want {
		t.Fatalf("saved\n%s%v", saved, err)
	}
	mended := strings.Replace(failing, "x < 3", "x < 4", 1)
	for _, test := range []struct {
		name, plan, lines string
		o                 WalkOptions
		status            int
		outcomes          string // of the regressions
	}{
		{"all again", failing, "", WalkOptions{}, 1, "fail fail fail"},
		{"a sample beside them", failing, "", WalkOptions{Sample: 1, Tests: []string{"test_a"}}, 1, "fail fail"},
		{"one mended", mended, "", WalkOptions{}, 1, "fail pass fail"},
		{"those of other tests", failing, "", WalkOptions{Tests: []string{"holds"}}, 0, ""},
		{"a single leaf", failing, "", WalkOptions{Leaves: []string{"x=0"}, Tests: []string{"holds"}}, 0, ""},
		{"the second shard", failing, "", WalkOptions{Shard: "2/2", Tests: []string{"holds"}}, 0, ""},
		{"gone", failing, "test_a x=7\ntest_away x=1\n# x\n\ntest_holds x=1\r\n", WalkOptions{Tests: []string{"holds", "a"}}, 1, "not_run pass"},
		{"gone with its test", failing, "test_away x=1\n", WalkOptions{}, 1, "not_run"},
		{"several leaves", failing, "test_a x=2", WalkOptions{Tests: []string{"test_a"}}, 1, "fail"},
	} {
		if err := os.WriteFile(name, []byte(test.plan), 0o666); err != nil {
			t.Fatal(err)
		}
		lines := test.lines
		if lines == "" {
			lines = want
		}
		if err := os.WriteFile(regressionsFile(name), []byte(lines), 0o666); err != nil {
			t.Fatal(err)
		}
		test.o.JSON = true
		var out bytes.Buffer
		status, err := Walk(context.Background(), name, test.o, &out)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var m bundle.Manifest
		if err := json.Unmarshal(out.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		var outcomes []string
		for _, r := range m.Regressions {
			outcomes = append(outcomes, r.Outcome.String())
		}
		if got := strings.Join(outcomes, " "); status != test.status || got != test.outcomes {
			t.Errorf("%s: status %d, %s", test.name, status, got)
		}
	}
}

// TestRegressionsAreKeptOnce saves nothing that is there, and refuses a file
// that it cannot read.
func TestRegressionsAreKeptOnce(t *testing.T) {
	name := written(t, failing)
	at := regressionsFile(name)
	for _, test := range []struct{ before, after string }{
		{"test_plain\ntest_a x=0 \"how far\"=x=y\ntest_a x=3 \"how far\"=\"one, two\"", "test_plain\ntest_a x=0 \"how far\"=x=y\ntest_a x=3 \"how far\"=\"one, two\""},
		{"test_plain", "test_plain\ntest_a x=0 \"how far\"=x=y\ntest_a x=3 \"how far\"=\"one, two\"\n"},
	} {
		if err := os.WriteFile(at, []byte(test.before), 0o666); err != nil {
			t.Fatal(err)
		}
		if status, err := Walk(context.Background(), name, WalkOptions{SaveRegressions: true}, io.Discard); status != 1 || err != nil {
			t.Fatal(status, err)
		}
		if got, _ := os.ReadFile(at); string(got) != test.after {
			t.Errorf("after %q: %q", test.before, got)
		}
	}
	if err := os.WriteFile(at, []byte("test_a\n  test_a x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, err := Walk(context.Background(), name, WalkOptions{}, io.Discard)
	if status != 2 || err == nil || diagnostic.Of(err)[0].Span.StartPosition().Line != 2 {
		t.Errorf("a broken line: %d, %v", status, err)
	}
}
