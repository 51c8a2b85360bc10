package magics

import (
	"context"
	command "flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

var update = command.Bool("update", false, "rewrite the transcripts and docs/magics.md")

// This file replays sessions. A transcript holds exchanges, apart by a line of
// "====": a cell, a line of "----", and what it puts out. A cell may name its
// notebook cell on a first line "#cell ID". Outputs are text; a line in
// brackets says what is not a plain stream or display.

// transcriptSink writes outputs as a transcript has them.
type transcriptSink struct {
	out     strings.Builder
	answers []string // what Ask reads
}

func (s *transcriptSink) line(mark, text string) {
	if n := s.out.Len(); n > 0 && !strings.HasSuffix(s.out.String(), "\n") {
		s.out.WriteString("\n")
	}
	s.out.WriteString(mark + strings.TrimRight(text, "\n") + "\n")
}

func (s *transcriptSink) Stream(name Stream, text string) {
	if name == Stderr {
		s.line("[stderr] ", text)
		return
	}
	s.out.WriteString(text)
}

func (s *transcriptSink) Display(b render.Bundle, id string) {
	if id != "" {
		id = "[display " + id + "] "
	}
	s.line(id, b.PlainText())
}

func (s *transcriptSink) Update(id string, b render.Bundle) {
	s.line("[update "+id+"] ", b.PlainText())
}
func (s *transcriptSink) Clear(wait bool)        { s.line("[clear]", "") }
func (s *transcriptSink) Result(b render.Bundle) { s.line("= ", b.PlainText()) }
func (s *transcriptSink) Page(b render.Bundle)   { s.line("[page]\n", b.PlainText()) }
func (s *transcriptSink) NextInput(code string, replace bool) {
	s.line(fmt.Sprintf("[next input, replace %v] ", replace), code)
}
func (s *transcriptSink) Progress(Progress) {}

func (s *transcriptSink) Ask(context.Context, string, bool) (string, error) {
	if len(s.answers) == 0 {
		return "", diagnostic.Of(context.Canceled)
	}
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return answer, nil
}

// A replay is one session of a test.
type replay struct {
	shell  *Shell
	dir    string
	failed bool // the last cell failed
}

func newReplay(t testing.TB) *replay {
	dir := t.TempDir()
	return &replay{shell: New(Options{Dir: dir, Version: "test"}), dir: dir}
}

// execute runs one cell and is what it puts out.
func (r *replay) execute(t testing.TB, cell string) string {
	sink := &transcriptSink{}
	var id string
	if rest, ok := strings.CutPrefix(cell, "#cell "); ok {
		id, cell, _ = strings.Cut(rest, "\n")
	}
	outcome := r.shell.Execute(t.Context(), Cell{Code: cell, ID: id}, sink)
	if outcome.Exit {
		sink.line("[exit]", "")
	}
	r.failed = outcome.Err != nil
	if outcome.Err != nil {
		sink.line("[error "+outcome.Err.Name+"]\n", strings.Join(outcome.Err.Texts(diagnostic.Style{}), ""))
	} else if outcome.Verdict != 0 {
		sink.line(fmt.Sprintf("[verdict %d]", outcome.Verdict), "")
	}
	return r.normal(sink.out.String())
}

var (
	wallTime = regexp.MustCompile(`[0-9.]+(e\+[0-9]+)? (ns|µs|ms|s)\b`)
	platform = regexp.MustCompile(`\(\w+/\w+, go[^)]*\)`)
)

// normal replaces what differs between machines.
func (r *replay) normal(text string) string {
	text = strings.ReplaceAll(text, r.dir, "DIR")
	text = platform.ReplaceAllString(text, "(OS/ARCH, GO)")
	for _, mark := range []string{"time: ", "on average, "} {
		if i := strings.Index(text, mark); i >= 0 {
			text = text[:i] + wallTime.ReplaceAllString(text[i:], "TIME")
		}
	}
	return text
}

// TestTranscripts replays testdata/*.txt.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		if filepath.Base(file) == "examples.txt" {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := newReplay(t)
			var got strings.Builder
			for i, exchange := range strings.Split(string(data), "\n====\n") {
				if i > 0 {
					got.WriteString("\n====\n")
				}
				cell, _, _ := strings.Cut(strings.TrimRight(exchange, "\n"), "\n----")
				got.WriteString(cell + "\n----")
				if out := strings.TrimRight(r.execute(t, cell), "\n"); out != "" {
					got.WriteString("\n" + out)
				}
			}
			compare(t, file, got.String()+"\n")
		})
	}
}

// compare compares got with the file, or rewrites it.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update):\n%s", file, difference(string(want), got))
	}
}

// difference shows the first lines that differ, with what stands before them.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	cut := func(lines []string) string {
		return strings.Join(lines[min(max(i-6, 0), len(lines)):min(i+12, len(lines))], "\n")
	}
	return fmt.Sprintf("line %d\n-- want --\n%s\n-- got --\n%s", i+1, cut(w), cut(g))
}

// TestExamples executes the example of every magic over the example model: it
// must succeed, and its outputs are those of testdata/examples.txt.
func TestExamples(t *testing.T) {
	model, err := os.ReadFile("testdata/example.sysml")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, m := range standard().all {
		r := newReplay(t)
		r.shell.options.AllowShell = true
		r.execute(t, string(model))
		if r.failed {
			t.Fatal("the example model does not load")
		}
		for cell := range strings.SplitSeq(m.example, "\n---\n") {
			out := r.execute(t, cell)
			if r.failed {
				t.Errorf("the example of %s%s fails:\n%s", m.sigil(), m.name, out)
			}
			got.WriteString(cell + "\n----\n" + out + "====\n")
		}
	}
	compare(t, "testdata/examples.txt", got.String())
}

// TestReference keeps docs/magics.md true to the declarations.
func TestReference(t *testing.T) { compare(t, "../docs/magics.md", reference(standard())) }
