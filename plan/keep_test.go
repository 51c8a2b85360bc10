package plan

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
)

// TestKeepByFiles changes files between a walk that was stopped and the one
// that goes on: the leaves that depend on none of them are kept.
func TestKeepByFiles(t *testing.T) {
	const calculation = "private import ScalarValues::*; calc def Double { in n : Integer; return : Integer = 2 * n; }"
	files := map[string]string{
		"p.plan.star": `
first = model.open("first.sysml")
second = model.open("second.sysml", libraries = "vendor")
texts = [model.text("package T { ` + calculation + ` }")]
def test_first():
    calc(first, "M::Double")(choose("n", [1, 2]))
def test_second():
    calc(second, "M::Double")(choose("n", [1, 2]))
def test_inline():
    calc(texts[0], "T::Double")(choose("n", [1, 2]))
def test_body():
    if choose("n", [1, 2]) == 2:
        print(model.open("folder").find("M"))
def test_kept():
    choose("n", [1, 2])
`,
		"first.sysml": "package M { " + calculation + " }", "second.sysml": "package M { " + calculation + " }",
		"folder/m.sysml": "package M;", "vendor/v.sysml": "package V;",
	}
	for _, test := range []struct {
		name, file, text string // "" removes the file
		again            string // leaves that are run again, by test
	}{
		{"nothing", "other", "", ""},
		{"a model", "first.sysml", "package M { doc /* more */ " + calculation + " }", "first:2"},
		{"another model", "second.sysml", "package M { doc /* more */ " + calculation + " }", "second:2"},
		{"a library", "vendor/v.sysml", "package W;", "second:2"},
		{"a file more in a library", "vendor/w.sysml", "package W;", "second:2"},
		{"a folder that one leaf opens", "folder/n.sysml", "package N;", "body:1"},
		{"a text in the plan", "p.plan.star", strings.Replace(files["p.plan.star"], "T { ", "T { doc /* more */ ", 1), "inline:2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				at := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range files {
				write(name, text)
			}
			plan, packed := filepath.Join(dir, "p.plan.star"), filepath.Join(dir, "b")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			first := WalkOptions{Bundle: packed, Progress: func(done int, _ *bundle.Row) {
				if done == 10 {
					cancel()
				}
			}}
			walked(ctx, t, plan, first)
			write(test.file, test.text)
			if got := walked(context.Background(), t, plan, WalkOptions{Bundle: packed, Resume: bundle.KeepMatching}); got != test.again {
				t.Errorf("run again: %q, want %q", got, test.again)
			}
		})
	}
}

// walked walks a plan and gives the number of leaves that were run for it, by
// test.
func walked(ctx context.Context, t *testing.T, name string, o WalkOptions) string {
	t.Helper()
	f, err := OpenFile(ctx, name, o.File)
	if err != nil {
		t.Fatal(err)
	}
	o.took = newDurations()
	m, err := f.Walk(ctx, name, o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Summary.Leaves != 10 {
		t.Fatalf("%d leaves", m.Summary.Leaves)
	}
	var runs []string
	times := o.took.times()
	for _, test := range f.plan.Tests() {
		if n := times[test.Name()].Leaves; n > 0 {
			runs = append(runs, fmt.Sprintf("%s:%d", strings.TrimPrefix(test.Name(), "test_"), n))
		}
	}
	return strings.Join(runs, " ")
}

// TestResumedModels stops a walk after every leaf and resumes it: the bundle is
// that of an uninterrupted walk, whichever models only kept leaves have opened,
// and however those were read. So is that of a walk which ends early with leaves
// ahead of its last row.
func TestResumedModels(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.sysml": "package A { part def P; }", "b.sysml": "package B { private import Beside::*; part def P :> Q; }",
		"c, d.sysml": "package C { part def P :> Nowhere::Q; action def Go { action one; } }", "beside/q.sysml": "package Beside { part def Q; }",
		"p.plan.star": `
which = choose("which", ["a.sysml", "c, d.sysml"])
top = model.open(which, lenient = True)
def test_models():
    how = choose("how", ["plain", "lenient", "folders", "none", "text", "top"])
    n = choose("n", [1, 2])
    if how == "plain":
        model.open("a.sysml")
    elif how == "lenient":
        action(model.open("c, d.sysml", lenient = True), "C::Go").run()
    elif how == "folders":
        model.open("b.sysml", libraries = ["beside"])
    elif how == "none":
        model.open("a.sysml", libraries = False)
    elif how == "text":
        model.text("package T%d { part def P; }" % n)
    elif which == "c, d.sysml":
        action(top, "C::Go").run()
    expect(n == 1 or how != "folders")
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
	plan := filepath.Join(dir, "p.plan.star")
	bundled := func(stopAfter int, o WalkOptions) string {
		t.Helper()
		o.Bundle = filepath.Join(dir, "b")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if stopAfter > 0 {
			o.Progress = func(done int, _ *bundle.Row) {
				if done == stopAfter {
					cancel()
				}
			}
		}
		if _, err := Walk(ctx, plan, o, io.Discard); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(o.Bundle)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	want := bundled(0, WalkOptions{})
	for k := 1; k < 24; k += 2 {
		bundled(k, WalkOptions{})
		if bundled(0, WalkOptions{Resume: bundle.Continue}) != want {
			t.Errorf("stopped after %d leaves, the bundle is another one", k)
		}
	}
	for _, o := range []WalkOptions{{}, {MaxFailures: 1}, {Sample: 5}, {Cover: 1}} {
		one := bundled(0, o)
		for _, jobs := range []int{2, 8} {
			o.Jobs = jobs
			if bundled(0, o) != one {
				t.Errorf("%+v: the bundle of one worker is another one", o)
			}
		}
	}
}
