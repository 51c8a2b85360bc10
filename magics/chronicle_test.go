package magics

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
)

// A gallery keeps the displays of a cell.
type gallery struct {
	dropped
	shown []render.Bundle
}

func (g *gallery) Display(b render.Bundle, _ string) { g.shown = append(g.shown, b) }

// TestTimelineOfASteppedRun: it is one output with a picture of every stop, and
// needs nothing from outside.
func TestTimelineOfASteppedRun(t *testing.T) {
	model, err := os.ReadFile("testdata/example.sysml")
	if err != nil {
		t.Fatal(err)
	}
	shell := New(Options{Dir: t.TempDir()})
	shell.Execute(t.Context(), Cell{Code: string(model) + "\n%action Demo::Race\n%step 3"}, dropped{})
	var g gallery
	if outcome := shell.Execute(t.Context(), Cell{Code: "%timeline"}, &g); outcome.Err != nil || len(g.shown) != 1 {
		t.Fatalf("%+v, %d outputs", outcome.Err, len(g.shown))
	}
	html, _ := g.shown[0].Data[render.HTML].(string)
	if n := strings.Count(html, "<figure>"); n != 4 || strings.Count(html, "<svg") != 5 {
		t.Errorf("%d stops in %d pictures, want 4 and the timeline", n, strings.Count(html, "<svg"))
	}
	for _, outside := range []string{"<script", "src=", "href=", "@import", "url("} {
		if strings.Contains(html, outside) {
			t.Errorf("the output has %q", outside)
		}
	}
	for _, want := range []string{"after 2 steps", "took 3@right first"} {
		if !strings.Contains(html, want) {
			t.Errorf("no picture says %q", want)
		}
	}
	if g.shown[0].Data[render.SVG] == nil || g.shown[0].PlainText() == "" {
		t.Error("there is nothing for front ends without HTML")
	}
}

// TestLookingLeavesTheRunWhereItIs: also where it is interrupted on the way.
func TestLookingLeavesTheRunWhereItIs(t *testing.T) {
	model, err := os.ReadFile("testdata/example.sysml")
	if err != nil {
		t.Fatal(err)
	}
	shell := New(Options{Dir: t.TempDir()})
	shell.Execute(t.Context(), Cell{Code: string(model) + "\n%action Demo::Race\n%step 4\n%back"}, dropped{})
	before, _ := shell.session.Position()
	ctx, cancel := context.WithCancel(t.Context())
	c := &call{ctx: ctx, shell: shell, cell: &execution{ctx: ctx, shell: shell, sink: dropped{}}}
	stops := 0
	visit := func() error {
		if stops++; stops == 2 {
			cancel()
		}
		return ctx.Err()
	}
	if err := c.walked(func(*runtime.Position) error { return visit() }); err == nil || stops != 2 {
		t.Errorf("ended with %v after %d stops", err, stops)
	}
	after, _ := shell.session.Position()
	if after.Moves != before.Moves || after.Ahead != before.Ahead || after.Steps != before.Steps {
		t.Errorf("the run stands at %+v, before at %+v", after, before)
	}
}
