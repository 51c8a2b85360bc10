package magics

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
)

// A scripted is a Screen at which keys are pressed that a test has written
// down. It writes the frames that it shows.
type scripted struct {
	out     *strings.Builder
	keys    []rune
	answers []string
	closed  bool
}

func (s *scripted) Show(f Frame) {
	s.out.WriteString("┄ " + f.Title + "\n" + f.Body(80))
	for i, c := range f.Choices {
		s.out.WriteString(string(rune('1'+i)) + " " + c + "\n")
	}
	s.out.WriteString("┄ " + f.Note + "\n")
}

func (s *scripted) Key(context.Context) (rune, error) {
	if len(s.keys) == 0 {
		return 0, io.EOF
	}
	key := s.keys[0]
	s.keys = s.keys[1:]
	s.out.WriteString("key " + strings.Trim(string(key), "\r") + "\n")
	return key, nil
}

func (s *scripted) Ask(_ context.Context, prompt string) (string, error) {
	answer := s.answers[0]
	s.answers = s.answers[1:]
	s.out.WriteString(prompt + answer + "\n")
	return answer, nil
}

func (s *scripted) Close() { s.closed = true }

// A liveSink is a transcript with a terminal.
type liveSink struct {
	transcriptSink
	screen *scripted
}

func (s *liveSink) OpenScreen() (Screen, bool) {
	s.screen.out = &s.out
	return s.screen, true
}

// TestLive presses keys and compares the frames with testdata/live.golden.
func TestLive(t *testing.T) {
	model, err := os.ReadFile("testdata/example.sysml")
	if err != nil {
		t.Fatal(err)
	}
	shell := New(Options{Dir: t.TempDir()})
	shell.Execute(t.Context(), Cell{Code: string(model)}, dropped{})
	var got strings.Builder
	for _, c := range []struct {
		cell, keys string
		answers    []string
	}{
		{"%live Demo::Race", "ss1b2bbbbbfcw?zq", []string{"x"}},
		{"%live Demo::Lamp --schedule declared", "ese\re\rttq", []string{"Go", "Nothing", ""}},
		{"%live", "s", nil},
	} {
		sink := &liveSink{screen: &scripted{keys: []rune(c.keys), answers: c.answers}}
		outcome := shell.Execute(t.Context(), Cell{Code: c.cell}, sink)
		if outcome.Err != nil || !sink.screen.closed || len(sink.screen.answers) > 0 {
			t.Errorf("%s: %+v, closed %v, %d answers left", c.cell, outcome.Err, sink.screen.closed, len(sink.screen.answers))
		}
		got.WriteString(c.cell + "\n" + sink.out.String())
	}
	compare(t, "testdata/live.golden", got.String())
}

// TestLiveEndsWithItsCell: an interrupt gives the screen back and leaves the
// run at its last whole step.
func TestLiveEndsWithItsCell(t *testing.T) {
	model, err := os.ReadFile("testdata/example.sysml")
	if err != nil {
		t.Fatal(err)
	}
	shell := New(Options{Dir: t.TempDir()})
	shell.Execute(t.Context(), Cell{Code: string(model)}, dropped{})
	ctx, cancel := context.WithCancel(t.Context())
	screen := &interrupted{scripted: scripted{keys: []rune("ss")}, cancel: cancel}
	sink := &interruptedSink{screen: screen}
	outcome := shell.Execute(ctx, Cell{Code: "%live Demo::Race"}, sink)
	if outcome.Err == nil || outcome.Err.Name != interruptName || !screen.closed {
		t.Errorf("ended with %+v, closed %v", outcome.Err, screen.closed)
	}
	if status, ok := shell.Status(); !ok || status.Step != "step 2" {
		t.Errorf("the run stands at %+v", status)
	}
}

// An interrupted is a Screen at which Ctrl-C is pressed behind its keys.
type interrupted struct {
	scripted
	cancel func()
}

func (s *interrupted) Key(ctx context.Context) (rune, error) {
	if len(s.keys) == 0 {
		s.cancel()
		return 0, ctx.Err()
	}
	return s.scripted.Key(ctx)
}

type interruptedSink struct {
	transcriptSink
	screen *interrupted
}

func (s *interruptedSink) OpenScreen() (Screen, bool) {
	s.screen.out = &s.out
	return s.screen, true
}
