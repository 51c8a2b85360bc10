package magics

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

func TestIsComplete(t *testing.T) {
	s := New(Options{Dir: t.TempDir()})
	for _, c := range []struct{ code, want string }{
		{"", "complete"},
		{"part def A;", "complete"},
		{"part def A", "incomplete"},
		{"package P {", "incomplete+    "},
		{"package P {\n    part def A {\n", "incomplete+        "},
		{"package P {\n    part def A;\n", "incomplete+    "},
		{"package P {\n}", "complete"},
		{"package P { /* open", "incomplete"},
		{"1 +", "incomplete"},
		{"1 + 1", "complete"},
		{"(1,", "incomplete"},
		{"part def 7;", "invalid"},
		{"package P { ) }", "invalid"},
		{"%schedule", "complete"},
		{"%nothing", "complete"},
		{"part def A;\n%who", "complete"},
		{"%who\npart def A {", "incomplete+    "},
		{"%%markdown", "incomplete"},
		{"%%markdown\ntext", "incomplete"},
		{"%%markdown\ntext\n", "complete"},
		{"%%starlark", "incomplete"},
		{"%%starlark\nx = 1", "incomplete"},
		{"%%starlark\nx = 1\n", "complete"},
		{"%%starlark\nfor i in range(3):", "incomplete+    "},
		{"%%starlark\nx = = 1\n", "invalid"},
		{"%%plan demo\ndef test_x():", "incomplete+    "},
		{"%%time?", "complete"},
		{"Demo?", "complete"},
	} {
		got := s.IsComplete(c.code)
		text := got.Status
		if got.Indent != "" {
			text += "+" + got.Indent
		}
		if text != c.want {
			t.Errorf("IsComplete(%q) = %q, want %q", c.code, text, c.want)
		}
	}
}

func TestInspect(t *testing.T) {
	r := newReplay(t)
	r.execute(t, "package Demo {\n    part def Wheel { doc /* Round. */ attribute pressure = 2.5; }\n    part def Car { part wheel : Wheel; }\n}")
	for _, c := range []struct {
		code   string // "|" is the cursor
		detail int
		want   string // a text in the answer; "" for no answer
	}{
		{"Demo::Whe|el", 0, "part def Demo::Wheel"},
		{"Demo::Wheel|", 0, "Round."},
		{"De|mo::Wheel", 0, "package Demo"},
		{"package P { private import Demo::*; part w : Wh|eel; }", 0, "part def Demo::Wheel"},
		{"package P { private import Demo::*; part c : Car; attribute x = c.wheel.press|ure; }", 0, "attribute Demo::Wheel::pressure = 2.5"},
		{"package P { part def Local; part x : Lo|cal; }", 0, "part def P::Local"},
		{"Demo::Wheel|", 1, "doc /* Round. */"},
		{"%sched|ule reverse", 0, "%schedule [POLICY]"},
		{"%%mark|down", 0, "%%markdown"},
		{"%list Demo::Wh|eel", 0, "part def Demo::Wheel"},
		{"Nowh|ere", 0, ""},
		{"1 + |", 0, ""},
		{"%%starlark\nprint(calc|)", 0, "calc("},
		{"|", 0, ""},
	} {
		before, after, _ := strings.Cut(c.code, "|")
		b, ok := r.shell.Inspect(t.Context(), before+after, len([]rune(before)), c.detail)
		if ok != (c.want != "") || !strings.Contains(b.PlainText(), c.want) {
			t.Errorf("%s: got %v %q, want %q", c.code, ok, b.PlainText(), c.want)
		}
		if html, _ := b.Data[render.HTML].(string); ok && html == "" && b.Data[render.Markdown] == nil {
			t.Errorf("%s: the answer has text alone", c.code)
		}
	}
}

// panics is a Sink that fails in the middle of a cell.
type panics struct{ Sink }

func (panics) Stream(Stream, string) { panic("the sink failed") }

func TestPanicIsAnErrorOfItsCell(t *testing.T) {
	r := newReplay(t)
	r.execute(t, "part def Kept;")
	o := r.shell.Execute(t.Context(), Cell{Code: "%echo x"}, panics{})
	if o.Err == nil || o.Err.Name != "internal" || !strings.Contains(o.Err.Value, "the sink failed") {
		t.Fatalf("the outcome is %+v", o.Err)
	}
	if got := r.execute(t, "%who"); got != "Kept\n" {
		t.Errorf("behind the panic the session has %q", got)
	}
}

func TestInterrupt(t *testing.T) {
	r := newReplay(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sink := &transcriptSink{}
	o := r.shell.Execute(ctx, Cell{Code: "part def A;\n%echo not reached"}, sink)
	if o.Err == nil || o.Err.Name != "KeyboardInterrupt" || o.Verdict != 4 {
		t.Fatalf("the outcome is %+v", o)
	}
	if strings.Contains(sink.out.String(), "not reached") {
		t.Error("the cell went on")
	}
}

// FuzzCell executes, completes and inspects any text: nothing may panic, and
// ranges lie in the text.
func FuzzCell(f *testing.F) {
	for _, s := range []string{
		"part def A { part b : A; }", "%list A::*[@x]", "%%markdown\nx", "A?", "'open", "package P { import Q::**", "1 + x.y.z(",
		"%schedule seed:", "/* \x00 é */ %echo", "a::b.c.", "x = 5 [k", "%load \"a b", "part x : 'a b'::'c d'.e",
	} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, code string, cursor int) {
		if strings.Contains(code, "write") || strings.Contains(code, "save") || strings.Contains(code, "file") || strings.Contains(code, "timeit") {
			return // leave the disk alone, and do not wait
		}
		s := New(Options{Dir: t.TempDir()})
		s.IsComplete(code)
		n := len([]rune(code))
		c := s.Complete(t.Context(), code, cursor)
		if c.Start < 0 || c.End < c.Start || c.End > n {
			t.Fatalf("completion of [%d, %d) in %d code points", c.Start, c.End, n)
		}
		s.Inspect(t.Context(), code, cursor, 1)
		if o := s.Execute(t.Context(), Cell{Code: code}, dropped{}); o.Err != nil && o.Err.Name == "internal" {
			t.Fatal(o.Err.Value)
		}
	})
}

func TestEvaluateLeavesTheSession(t *testing.T) {
	r := newReplay(t)
	r.execute(t, "package P { part car { attribute mass = 3; } }")
	r.execute(t, "%%starlark\nx = [1, 2]")
	for _, c := range []struct{ expr, want string }{
		{"1 + 1", "2"},
		{"P::car.mass", "3"},
		{"x", "[1, 2]"},
		{"P::caar", "error unresolved-name"},
		{"1 +", "error syntax"},
	} {
		b, failed := r.shell.Evaluate(t.Context(), c.expr)
		got := b.PlainText()
		if failed != nil {
			got = "error " + failed.Name
		}
		if got != c.want {
			t.Errorf("%s is %q, want %q", c.expr, got, c.want)
		}
	}
	if objects := r.execute(t, "%instances"); !strings.Contains(objects, "no objects yet") {
		t.Errorf("looking made objects:\n%s", objects)
	}
}

// TestInterruptEndsWhatRuns stops cells that would never end: within 200 ms,
// with the session as it was.
func TestInterruptEndsWhatRuns(t *testing.T) {
	r := newReplay(t)
	r.execute(t, `package P {
    private import ScalarValues::*;
    action def Spin { attribute n : Integer := 0; first start; then action s { while true { assign n := n + 1; } } then done; }
    calc def Deep { in n : Integer; return : Integer = if n == 0 ? 0 else Deep(n - 1) + Deep(n - 1); }
}
%budget steps=1000000000000`)
	for _, code := range []string{
		"%run P::Spin",
		"P::Deep(60)",
		"%%starlark\nwhile True:\n    pass",
		"%timeit -n 1000000 1 + 1",
		"%%time\nP::Deep(60)",
	} {
		fastest := time.Hour // of three: a busy machine may delay one
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			start := time.Now()
			o := r.shell.Execute(ctx, Cell{Code: code}, dropped{})
			fastest = min(fastest, time.Since(start))
			cancel()
			if o.Err == nil || o.Err.Name != "KeyboardInterrupt" || o.Verdict != 4 {
				t.Errorf("%s ended with %+v, verdict %d", code, o.Err, o.Verdict)
			}
		}
		if fastest > 2*time.Second { // far from 200 ms only for busy machines
			t.Errorf("%s took %v", code, fastest)
		}
	}
	if got := r.execute(t, "P::Deep(3)"); got != "= 0\n" {
		t.Errorf("behind the interrupts the session says %q", got)
	}
}

// TestCellsWithoutIDKeepTheirDeclarations gives two cells one name, as a front
// end without cell IDs may.
func TestCellsWithoutIDKeepTheirDeclarations(t *testing.T) {
	r := newReplay(t)
	for _, code := range []string{"part def A;", "part def B;", "1 + 1"} {
		if o := r.shell.Execute(t.Context(), Cell{Code: code, Name: "input"}, dropped{}); o.Err != nil {
			t.Fatal(o.Err)
		}
	}
	if got := r.execute(t, "%who"); got != "A  B\n" {
		t.Errorf("the session declares %q", got)
	}
}

// TestCodesAreRaised looks for every code of this package in the transcripts.
func TestCodesAreRaised(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	var all strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for _, code := range []diagnostic.Code{codeUnknownMagic, codeMagicUsage, codeFile, codeExtension, codeStarlarkCell, codeNoShell} {
		if !strings.Contains(all.String(), "["+string(code)+"]") {
			t.Errorf("no transcript raises %s", code)
		}
	}
}

// TestInterruptedSearchGoesOn interrupts an exploration, which shows what it
// found, and resumes it to its end.
func TestInterruptedSearchGoesOn(t *testing.T) {
	var model strings.Builder
	model.WriteString("package P {\n action def Wide {\n  first start;\n  then fork f;\n")
	for i := range 9 {
		fmt.Fprintf(&model, "  then a%d;\n", i)
	}
	for i := range 9 {
		fmt.Fprintf(&model, "  action a%d { attribute n%d = %d; }\n  then action b%d { attribute m%d = %d; }\n  then j;\n", i, i, i, i, i, i)
	}
	model.WriteString("  join j;\n  then done;\n }\n}\n")
	r := newReplay(t)
	if out := r.execute(t, model.String()); r.failed {
		t.Fatal(out)
	}
	if out := r.execute(t, "%explore P::Wide --resume"); !r.failed {
		t.Errorf("nothing was interrupted, and it goes on:\n%s", out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	sink := &transcriptSink{}
	start := time.Now()
	o := r.shell.Execute(ctx, Cell{Code: "%explore P::Wide --granularity node"}, sink)
	if o.Err == nil {
		t.Fatal("the search was over before it could be interrupted")
	}
	if took := time.Since(start); o.Err.Name != "KeyboardInterrupt" || took > 2*time.Second {
		t.Errorf("it ended with %v after %v", o.Err.Name, took)
	}
	if !strings.Contains(sink.out.String(), "interrupted") {
		t.Errorf("it does not say how far it came:\n%s", sink.out.String())
	}
	if out := r.execute(t, "%explore P::Wide --resume"); r.failed || !strings.Contains(out, "complete: ") {
		t.Errorf("the search did not go on:\n%s", out)
	}
}
