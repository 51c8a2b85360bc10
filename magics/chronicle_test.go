package magics

import (
	"context"
	"os"
	"slices"
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

// TestStopsAreSpreadEvenly: of a run of any length, the first and the last stop
// are shown, no more than there is room for, and none much apart from its
// neighbours.
func TestStopsAreSpreadEvenly(t *testing.T) {
	for _, last := range []int{0, 1, 50, mostSlides - 1, mostSlides, mostSlides + 1, 250, 12_345, 1_000_000} {
		shown, before, widest := 0, 0, 0
		for i := range last + 1 {
			if spread(i, last) {
				shown, widest, before = shown+1, max(widest, i-before), i
			}
		}
		if shown != min(last+1, mostSlides) || before != last || !spread(0, last) {
			t.Errorf("of stops 0 to %d, %d are shown, up to %d", last, shown, before)
		}
		if most := last/(mostSlides-1) + 1; widest > most {
			t.Errorf("of stops 0 to %d, %d are left out behind each other", last, widest-1)
		}
	}
}

// TestPlotsKeepExtremes: what a plot leaves out of many values lies between its
// neighbours.
func TestPlotsKeepExtremes(t *testing.T) {
	values := make([]float64, 100_000)
	for i := range values {
		values[i] = float64(i % 7)
	}
	values[77_777], values[31_003] = 1000, -1000
	list := telling(values)
	if len(list) > 2000 || list[0] != 0 || list[len(list)-1] != len(values)-1 || !slices.IsSorted(list) {
		t.Errorf("%d values, from %d to %d", len(list), list[0], list[len(list)-1])
	}
	if !slices.Contains(list, 77_777) || !slices.Contains(list, 31_003) {
		t.Error("an extreme is left out")
	}
	if few := telling(values[:400]); len(few) != 400 {
		t.Errorf("of 400 values, %d are shown", len(few))
	}
	if none := telling(nil); none != nil {
		t.Errorf("of no value, %v is shown", none)
	}
}

// TestLongRunsHaveATimeline: of a stepped run of thousands of moves, as many
// stops are drawn as there is room for, and the page says so.
func TestLongRunsHaveATimeline(t *testing.T) {
	cell := "action def Count { attribute n := 0; first start; then merge m; then action up { assign n := n + 1; } then decide d; if n < 1000 then m; if n >= 1000 then done; done; }\n" +
		"%action Count\n%step 100000\n%timeline"
	var g gallery
	if outcome := New(Options{Dir: t.TempDir()}).Execute(t.Context(), Cell{Code: cell}, &g); outcome.Err != nil {
		t.Fatal(outcome.Err.Value)
	}
	html, _ := g.shown[len(g.shown)-1].Data[render.HTML].(string)
	if n := strings.Count(html, "<figure>"); n != mostSlides {
		t.Errorf("%d slides", n)
	}
	if !strings.Contains(html, "100 of 3003 stops") || len(html) > 2_000_000 {
		t.Errorf("%d bytes, which end in %s", len(html), html[max(0, len(html)-200):])
	}
}
