package repl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// bracket is a Shell for which a cell is complete when its braces balance. It
// prints each cell with its number.
type bracket struct{}

func (bracket) IsComplete(code string) magics.Completeness {
	switch open := strings.Count(code, "{") - strings.Count(code, "}"); {
	case open > 0:
		return magics.Completeness{Status: "incomplete", Indent: "    "}
	case open < 0:
		return magics.Completeness{Status: "invalid"}
	}
	return magics.Completeness{Status: "complete"}
}

func (bracket) Tints(code string) []magics.Tint {
	if i := strings.Index(code, "fail"); i >= 0 {
		return []magics.Tint{{Kind: magics.TintWrong, Start: i, End: i + len("fail")}}
	}
	return nil
}

func (bracket) Status() (magics.Status, bool) { return magics.Status{}, false }

func (bracket) Execute(_ context.Context, cell magics.Cell, sink magics.Sink) magics.Outcome {
	switch code := strings.TrimSpace(cell.Code); code {
	case "fail":
		d := diagnostic.New("sample", source.Span{}, "on purpose")
		return magics.Outcome{Err: &magics.CellError{Name: "sample", Value: d.Message, Diagnostics: diagnostic.List{d}}, Verdict: 1}
	case "violated":
		return magics.Outcome{Verdict: 1}
	case "undecided":
		return magics.Outcome{Verdict: 3}
	case "quit":
		return magics.Outcome{Exit: true}
	case "mixed":
		sink.Stream(magics.Stdout, "half")
		sink.Stream(magics.Stderr, "warned\n")
		sink.Display(render.Text("shown"), "id")
		sink.Update("id", render.Text("again"))
		sink.Clear(false)
		sink.Progress(magics.Progress{Label: "never seen in a script", Done: 1})
	case "ask":
		said, err := sink.Ask(context.Background(), "?", false)
		if err == nil {
			sink.Result(render.Text("you said " + said))
			break
		}
		return magics.Outcome{Err: &magics.CellError{Name: "x", Diagnostics: diagnostic.Of(err)}, Verdict: 1}
	default:
		sink.Result(render.Text(fmt.Sprintf("%d:%s", cell.Count, strings.ReplaceAll(code, "\n", "|"))))
	}
	return magics.Outcome{}
}

func (bracket) Complete(_ context.Context, code string, cursor int) magics.Completion {
	start := strings.LastIndexAny(string([]rune(code)[:cursor]), " \n") + 1
	return magics.Completion{Start: len([]rune(code[:start])), End: cursor,
		Matches: []magics.Match{{Text: "plätze"}, {Text: "platz"}, {Text: "other"}}}
}

func TestScript(t *testing.T) {
	for _, c := range []struct {
		name, in, out, errs string
		status              int
	}{
		{"a cell ends with the line that completes it", "a\nb {\n  c\n}\n\nd", "1:a\n2:b {|  c|}\n3:d\n", "", 0},
		{"an open cell goes as it is", "a {\nb", "1:a {|b\n", "", 0},
		{"a magic cell reaches to the next", "x\n%%one\n{\n\ny\n%%two\nz\n%%sysml\na\nb\n", "1:x\n2:%%one|{||y\n3:%%two|z\n4:a\n5:b\n", "", 0},
		{"an error ends the script", "a\nfail\nb\n", "1:a\n", "error[sample]: on purpose\n", 1},
		{"a violation counts and does not end it", "violated\nundecided\na\n", "3:a\n", "", 1},
		{"undecided", "undecided\na\n", "2:a\n", "", 3},
		{"quit leaves", "a\nquit\nb\n", "1:a\n", "", 0},
		{"streams end each other's lines", "mixed\n", "half\nshown\nagain\n", "warned\n", 0},
		{"nobody can answer", "ask\n", "", "standard input is the script itself", 1},
		{"nothing", " \n\n", "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := Run(context.Background(), bracket{}, Options{In: io.NopCloser(strings.NewReader(c.in)), Out: &out, Err: &errs})
			if out.String() != c.out || status != c.status {
				t.Errorf("status %d, printed\n%swant %d,\n%s", status, out.String(), c.status, c.out)
			}
			if !strings.Contains(errs.String(), c.errs) || c.errs == "" && errs.Len() > 0 {
				t.Errorf("on standard error %q, want %q", errs.String(), c.errs)
			}
		})
	}
}

func TestCompletionsAreInBytes(t *testing.T) {
	s := &session{shell: bracket{}}
	start, items := s.complete("ü plä and more", len("ü plä"))
	if start != len("ü ") || len(items) != 3 || items[0].Text != "plätze" {
		t.Errorf("got %v from byte %d", items, start)
	}
}

// TestEnter says what the Enter key does at the end of a cell.
func TestEnter(t *testing.T) {
	s := &session{shell: bracket{}}
	for _, c := range []struct {
		code, indent string
		again, run   bool
	}{
		{"a", "", false, true},
		{"a {", "    ", false, false},
		{"a {\n    b", "    ", false, false},
		{"a {\n    ", "    ", false, false},
		{"a {\n\n", "    ", false, true}, // two empty lines end any cell
		{"a {\n}", "", false, true},
		{"a }", "", false, true}, // more input cannot mend it
		{"%%starlark\n  x", "  ", false, false},
		{"%%starlark\n  x\n  ", "", false, true},
		{"%%starlark\n  x", "", true, true},
		{"%%starlark\n  x {", "    ", true, false},
	} {
		if run, indent := s.enter(c.code, c.again); run != c.run || !run && indent != c.indent {
			t.Errorf("Enter behind %q: run %v, indent %q; want %v, %q", c.code, run, indent, c.run, c.indent)
		}
	}
}
