package magics

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An editingSink is a transcript with an editor that replaces one text by
// another, "" by nothing.
type editingSink struct {
	transcriptSink
	old, new string
	line     int
	given    string
}

func (s *editingSink) Edit(_ context.Context, text string, line int) (string, error) {
	if s.old == "fail" {
		return "", errors.New("no editor")
	}
	s.given, s.line = text, line
	return strings.ReplaceAll(text, s.old, s.new), nil
}

// TestEdit changes cells and declarations and executes what came of it.
func TestEdit(t *testing.T) {
	shell := New(Options{Dir: t.TempDir()})
	packageCell := "package P {\n    part def A { attribute n = 1; }\n\n    // two\n    part def B { attribute n = 2; }\n}"
	shell.Execute(t.Context(), Cell{Code: packageCell}, dropped{})
	for _, c := range []struct {
		cell, old, new string
		line           int    // where the cursor begins; 0 where nothing is edited
		want           string // in what the cell puts out, or in its error
	}{
		{"%edit", "n = 1", "n = 7", 1, "in place of that"},
		{"%edit P::B", "n = 2", "n = 40 + 2", 5, "in place of that"},
		{"%edit P::B::n", "none", "", 5, "nothing has changed"},
		{"%edit 1", "n = 1", "n = 9", 1, "in place of that"},
		{"%edit P", "part def A", "part A", 1, "in place of that"},
		{"%edit P", "part A", "part A A", 1, "expected"},
		{"%echo last", "", "", 0, "last"},
		{"%edit", "%echo last", "%%starlark\nprint(6 * 7)", 1, "42"},
		{"%edit P", "package", "", 1, ""},
		{"%edit P", "fail", "", 0, "no editor"},
		{"%edit 99", "", "", 0, "there is no cell 99"},
		{"%edit P::C", "", "", 0, "no element C in P"},
		{"%edit ScalarValues::Real", "", "", 0, "is in the library"},
	} {
		sink := &editingSink{old: c.old, new: c.new}
		outcome := shell.Execute(t.Context(), Cell{Code: c.cell}, sink)
		got := sink.out.String()
		if outcome.Err != nil {
			got += outcome.Err.Value
		}
		if !strings.Contains(got, c.want) || sink.line != c.line {
			t.Errorf("%s (%s to %s): line %d, printed\n%s\nwant line %d, %s\ngiven\n%s", c.cell, c.old, c.new, sink.line, got, c.line, c.want, sink.given)
		}
	}
	sink := &editingSink{}
	shell.Execute(t.Context(), Cell{Code: "%history -n 16"}, sink)
	if want := fmt.Sprintf("%4d: %s", 9, "%%starlark\n      print(6 * 7)"); !strings.Contains(sink.out.String(), want) {
		t.Errorf("the history is\n%swant\n%s in it", sink.out.String(), want)
	}
}
