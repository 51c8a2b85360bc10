package plan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	command "flag"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

var update = command.Bool("update", false, "rewrite the outputs in testdata")

// session is a session of a model.
func session(t testing.TB, text string) *runtime.Session {
	t.Helper()
	s := runtime.New(runtime.Options{Library: library.Embedded()})
	declare(t, s, text)
	return s
}

// declare declares text in s, in place of what it declared before.
func declare(t testing.TB, s *runtime.Session, text string) {
	t.Helper()
	file := source.NewFile("model", text)
	tree, list := syntax.Parse(file, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatal(list)
	}
	if _, list := s.Declare(context.Background(), runtime.Text{File: file, Tree: tree, Owner: "model"}); list.HasErrors() {
		t.Fatal(list)
	}
}

// TestCells runs the transcripts testdata/cells/*.txt: a model, and behind
// each "==== cell" a cell; what it put out stands behind "----".
func TestCells(t *testing.T) {
	files, err := filepath.Glob("testdata/cells/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			parts := strings.Split(string(text), "==== cell\n")
			c := NewCells(session(t, parts[0]), CellOptions{})
			got := parts[0]
			for i, part := range parts[1:] {
				code, _, _ := strings.Cut(part, "----\n")
				got += "==== cell\n" + code + "----\n" + transcript(c, fmt.Sprintf("cell %d", i+1), code)
			}
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// transcript is what one cell puts out.
func transcript(c *Cells, name, code string) string {
	var out strings.Builder
	answers := []string{"7"}
	b, err := c.Run(context.Background(), source.NewFile(name, code), Console{
		Print:   func(s string) { out.WriteString(s) },
		Display: func(b render.Bundle) { out.WriteString("display: " + b.PlainText() + "\n") },
		Ask: func(_ context.Context, prompt string) (string, error) {
			out.WriteString("ask: " + prompt + "\n")
			a := answers[0]
			answers = answers[1:]
			return a, nil
		},
	})
	if err != nil {
		for _, d := range diagnostic.Of(err) {
			out.WriteString(diagnostic.Text(d, diagnostic.Style{}))
		}
		return out.String()
	}
	if !b.IsEmpty() {
		out.WriteString(strings.TrimRight(b.PlainText(), "\n") + "\n")
	}
	return out.String()
}

// TestCellsStop interrupts cells that would run for ever.
func TestCellsStop(t *testing.T) {
	c := NewCells(session(t, `package P { private import ScalarValues::*;
		action def spin { attribute i : Integer = 0; loop { assign i := i + 1; } }
		calc def F { in n : Integer; return : Integer = if n <= 0 ? 0 else F(n - 1) + F(n - 2); } }`), CellOptions{})
	for _, code := range []string{
		"while True: pass",
		"def f(): return [f for _ in range(100000)]\nwhile True: f()",
		`calc("P::F")(60)`,
	} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		begin := time.Now()
		_, err := c.Run(ctx, source.NewFile("cell", code), Console{})
		took := time.Since(begin)
		var d *diagnostic.Diagnostic
		if !errors.As(err, &d) || d.Code != diagnostic.Interrupted && d.Code != diagnostic.BudgetSpent {
			t.Errorf("%s: %v", code, err)
		}
		if took > 2*time.Second { // far from 200 ms only for busy machines
			t.Errorf("%s: stopped after %v", code, took)
		}
	}
	if got := transcript(c, "cell", "1 + 1\n"); got != "2\n" {
		t.Errorf("the cells are broken: %s", got)
	}
}

func TestIsComplete(t *testing.T) {
	for code, want := range map[string]string{
		"x = 1": "complete", "x = (1,": "incomplete", "def f():": "incomplete", "def f():\n    return 1": "incomplete",
		"def f():\n    return 1\n\n": "complete", "x = )": "invalid", `s = """a`: "incomplete", "": "complete", "for i in range(3): print(i)": "complete",
		"class A: pass": "invalid",
	} {
		if got := IsComplete(code); got.Status != want {
			t.Errorf("%q: %s, want %s", code, got.Status, want)
		}
	}
}

func TestIsStarlark(t *testing.T) {
	for code, want := range map[string]bool{
		"x = 1": true, "print(1)": true, "def f(): return 1": true, "for i in range(3): print(i)": true, "[i for i in range(3)]": true,
		"mass": false, "1 + 2": false, "part def A;": false, "car.mass": false, "Force(3)": false, "": false, "calc(\"A\")(1)": true,
	} {
		if got := IsStarlark(code); got != want {
			t.Errorf("%q: %v, want %v", code, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	c := NewCells(session(t, "package P;"), CellOptions{})
	transcript(c, "cell", "rates = [1]\nconfig = struct(left = 1, right = struct(x = 2))\n")
	tests := []struct{ code, want string }{
		{"ra", "range rates"}, {"x = rates.app", "append"}, {"config.", "left right"}, {"config.right.", "x"},
		{"print(insta", "instantiate"}, {"whi", "while"}, {"f().", ""}, {"nothing.", ""}, {"model.", "open session text"},
	}
	for _, test := range tests {
		start, list := c.Complete(test.code, len(test.code))
		var names []string
		for _, m := range list {
			names = append(names, m.Text)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%q: %q from %d, want %q", test.code, got, start, test.want)
		}
	}
}

// TestCellPlan walks a plan over the session, with a variable of the cells.
func TestCellPlan(t *testing.T) {
	c := NewCells(session(t, "package P { private import ScalarValues::*; calc def Double { in n : Integer; return : Integer = 2 * n; } part def Box; }"), CellOptions{})
	transcript(c, "cell", "limits = [4, 6]\ndef f(): return 1\nb = instantiate('P::Box')\n")
	f, err := c.Plan(context.Background(), source.NewFile("cell 2", `
load("session", "limits")
m = model.session()
def test_double():
    limit = choose("limit", limits)
    n = choose("n", [1, 2, 3])
    instantiate(m, "P::Box")
    expect(calc(m, "P::Double")(n) <= limit)
`), FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := len(c.session.Objects())
	m, err := f.Walk(context.Background(), "cell 2", WalkOptions{Jobs: 4})
	if err != nil {
		t.Fatal(err)
	}
	if m.Summary.Passed != 5 || m.Summary.Failed != 1 || len(c.session.Objects()) != before {
		t.Errorf("%+v, %d objects before and %d after", m.Summary, before, len(c.session.Objects()))
	}
	if _, err := c.Plan(context.Background(), source.NewFile("cell 3", `load("session", "f")`), FileOptions{}); err == nil {
		t.Error("a function of the cells was loaded")
	}
	if b := Report(m); !strings.Contains(b.PlainText(), "fails when") {
		t.Error(b.PlainText())
	}
}

// TestAxisWithoutEffect warns of an axis that no run depends on.
func TestAxisWithoutEffect(t *testing.T) {
	f, err := Open(context.Background(), source.NewFile("p", `
m = model.text("package P { private import ScalarValues::*; calc def Double { in n : Integer; return : Integer = 2 * n; } }")
def test_a():
    n = choose("n", [1, 2])
    choose("unused", ["a", "b"])
    expect_equal(calc(m, "P::Double")(n), 2 * n)
`), "", FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Walk(context.Background(), "p", WalkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w := m.Tests[0].Warnings; len(w) != 1 || w[0].Code != "AXIS_NO_EFFECT" || !strings.Contains(w[0].Message, "unused") {
		t.Errorf("%+v", w)
	}
}
