package repl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/repl/edit"
)

// typed is a keyboard at which text has been typed.
func typed(text string) *keyboard { return newKeyboard(strings.NewReader(text), false) }

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []rune
	}{
		{"s1 \r", []rune{'s', '1', ' ', '\r'}},
		{"\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA", []rune{magics.KeyUp, magics.KeyDown, magics.KeyRight, magics.KeyLeft, magics.KeyUp}},
		{"\x1b[3~x", []rune{0, 'x'}},
		{"é●", []rune{'é', '●'}},
		{"\x1b", []rune{magics.KeyEscape}},
		{"\xff", []rune{'\ufffd'}},
	} {
		k := typed(c.in)
		var got []rune
		for {
			key, ok, err := k.key(t.Context(), time.Minute)
			if err != nil {
				break
			}
			if ok {
				got = append(got, key)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q is the keys %q, want %q", c.in, got, c.want)
		}
	}
}

// TestTypedAhead: a line that was typed while a cell ran is read when the next
// cell is asked for, and the keys behind its end go to whoever reads next.
func TestTypedAhead(t *testing.T) {
	var out bytes.Buffer
	s := &session{shell: bracket{}, o: Options{Out: &out}, keys: typed("%live\ns")}
	s.screen = &edit.Terminal{Out: &out, Keys: s.keys, Size: func() (int, int) { return 80, 24 },
		Raw: func() (func(), error) { return func() {}, nil }}
	text, err := s.screen.Read(t.Context(), edit.New(edit.Guide{Enter: s.enter}))
	if text != "%live" || err != nil {
		t.Errorf("the editor reads %q, %v", text, err)
	}
	if key, ok, err := s.keys.key(t.Context(), time.Minute); key != 's' || !ok || err != nil {
		t.Errorf("the next key is %q, %v, %v", key, ok, err)
	}
}

func TestInterruptWhileKeysAreRead(t *testing.T) {
	in, out := io.Pipe()
	k := newKeyboard(in, false)
	ctx, cancel := context.WithCancel(t.Context())
	k.onInterrupt(cancel)
	go out.Write([]byte{'x', ctrlC})
	for {
		if _, _, err := k.key(ctx, time.Minute); err != nil {
			break
		}
	}
	if ctx.Err() == nil {
		t.Error("Ctrl-C ended nothing")
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h := openHistory(path)
	for _, code := range []string{"1 + 1", "part def A {\n  part b;\n}\n", "1 + 1", "1 + 1", "  ", `'a\n'`} {
		h.add(code)
	}
	want := []string{"1 + 1", "part def A {\n  part b;\n}", "1 + 1", `'a\n'`}
	if again := openHistory(path); !slices.Equal(again.entries, want) || !slices.Equal(h.entries, want) {
		t.Errorf("the history is %q, read again %q, want %q", h.entries, again.entries, want)
	}
	other := openHistory(path)
	other.add("from elsewhere")
	h.refresh()
	if last := h.entries[len(h.entries)-1]; last != "from elsewhere" {
		t.Errorf("the newest entry is %q", last)
	}
	if none := openHistory(""); len(none.entries) > 0 {
		t.Error("a history without a file has entries")
	}
}

// TestHistoryOfManyProcesses: what several write at a time is all there, even
// while the file grows too long and is put away.
func TestHistoryOfManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	const writers, each = 8, 40
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			h := openHistory(path)
			for i := range each {
				h.add(fmt.Sprintf("cell %d of %d", i, w))
			}
		})
	}
	all.Wait()
	found := openHistory(path).entries
	for w := range writers {
		for i := range each {
			if code := fmt.Sprintf("cell %d of %d", i, w); !slices.Contains(found, code) {
				t.Errorf("%q is lost", code)
			}
		}
	}
	if err := os.WriteFile(path, []byte("old\n"+strings.Repeat("x", historySize)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHistory(path)
	h.add("new")
	if data, _ := os.ReadFile(path); string(data) != "new\n" || h.entries[0] != "old" {
		t.Errorf("a long file was not put away: %d bytes, first entry %.20q", len(data), h.entries[0])
	}
}

func TestFrameFitsTheTerminal(t *testing.T) {
	tall := func(int) string {
		var b strings.Builder
		for i := range 40 {
			mark := ""
			if i == 30 {
				mark = " ●7"
			}
			fmt.Fprintf(&b, "line %d%s\n", i, mark)
		}
		return b.String()
	}
	f := magics.Frame{Title: strings.Repeat("title ", 20), Body: tall, Choices: []string{"2@left", "3@right"}, Note: strings.Repeat("note ", 30), Keys: "q leave"}
	for _, size := range [][2]int{{80, 24}, {200, 60}, {20, 6}, {10, 2}, {1, 1}} {
		lines := frameLines(f, size[0], size[1], false)
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, line := range lines {
			if n := len([]rune(line)); n > size[0] {
				t.Errorf("%v: %q has %d columns", size, line, n)
			}
		}
		if size[1] >= 24 && !slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "●7") }) {
			t.Errorf("%v: the token is out of sight", size)
		}
	}
}

// TestPager reads a long output by keys.
func TestPager(t *testing.T) {
	var text []string
	for i := range 30 {
		text = append(text, fmt.Sprintf("line %d", i))
	}
	text[25] += " " + strings.Repeat("wide ", 10) + "end"
	for _, c := range []struct {
		keys  string
		first string // on the screen at the end
		foot  string // a part of
		left  int    // rows that stay above the prompt
	}{
		{"q", "line 0", "-- 1 to 9 of 31", 9},
		{" q", "line 9", "-- 10 to 18 of 31", 18},
		{"   q", "line 22", "-- 23 to 31 of 31", 31},
		{"\rjkq", "line 1", "-- 2 to 10", 11},
		{"Ggq", "line 0", "-- 1 to 9", 31},
		{"  bb\x1b", "line 0", "-- 1 to 9", 27},
		{"du\x03", "line 0", "-- 1 to 9", 13},
		{"a", "line 0", "-- 1 to 9", 31},
		{"/LINE 2\rq", "line 2", "-- 3 to 11", 11},
		{"/line 2\rnnq", "line 21", "-- 22 to 30", 30},
		{"/line 2\rnNq", "line 2", "-- 3 to 11", 29},
		{"G?line 1\r", "line 19", "-- 20 to 28", 31},
		{"G?line 1\rn", "line 18", "-- 19 to 27", 31},
		{"/wide\x7f\x7f\x7f", "line 0", "/w", 9},
		{"/w\x1b", "line 0", "-- 1 to 9", 9},
		{"/nowhere\r", "line 0", "nowhere is nowhere", 9},
		{"/end\rn", "line 22", "nothing more of end", 31},
		{"n", "line 0", "nothing is searched for yet", 9},
		{"z", "line 0", "space, b: page", 9},
		{"", "line 0", "-- 1 to 9", 9},
	} {
		p := &pager{lines: text}
		p.fit(40, 10)
		for sent := []byte(c.keys); len(sent) > 0; {
			key, n := edit.Decode(sent, true)
			sent = sent[n:]
			if p.press(key) && len(sent) > 0 {
				t.Errorf("%q: %v leaves too soon", c.keys, key)
			}
		}
		screen := p.screen()
		if got := plain(screen[0]); got != c.first {
			t.Errorf("%q: the first row is %q, want %q", c.keys, got, c.first)
		}
		if foot := screen[len(screen)-1]; !strings.HasPrefix(foot, c.foot) || len(screen) != 10 {
			t.Errorf("%q: %d rows, the foot is %q, want %q", c.keys, len(screen), foot, c.foot)
		}
		if got := strings.Count(p.left(), "\n"); got != c.left {
			t.Errorf("%q: %d rows stay, want %d", c.keys, got, c.left)
		}
	}
}

func TestBrokenRows(t *testing.T) {
	got := brokenRows("ab\x1b[1mcdef\x1b[0mgh列", 3)
	want := []string{"ab\x1b[1mc\x1b[0m", "\x1b[1mdef\x1b[0m", "gh", "列"}
	if !slices.Equal(got, want) {
		t.Errorf("broken into %q, want %q", got, want)
	}
}

func TestFolded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"some words that are more than fit\n", "some words that are\n  more than fit\n"},
		{"├─ a : Real = some more words", "├─ a : Real = some\n│    more words"},
		{"│  └─ a : Real = some more words", "│  └─ a : Real =\n│       some more\n│       words"},
		{"1 | a line of code that is quoted\n  |    ^\n", "1 | a line of code that is quoted\n  |    ^\n"},
		{"a ───────────────────────────────── b\n", "a ───────────────────────────────── b\n"},
		{"cells  of a table that is wide\n", "cells  of a table that is wide\n"},
		{"averyverylongwordthatcannotbebroken it\n", "averyverylongwordthatcannotbebroken\n  it\n"},
		{"\x1b[1merror\x1b[0m: \x1b[1msome more words\x1b[0m\n", "\x1b[1merror\x1b[0m: \x1b[1msome more\n  words\x1b[0m\n"},
	} {
		if got := folded(c.text, 20); got != c.want {
			t.Errorf("folded\n%q\nwant\n%q", got, c.want)
		}
	}
}

func TestColoured(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"4.0 [SI::kg]\n", "⟨35⟩4.0⟨⟩ ⟨36⟩[SI::kg]⟨⟩\n"},
		{"(1, [x])", "(⟨35⟩1⟨⟩, [x])"},
		{"step3 holds, x2 is violated", "step3 ⟨32⟩holds⟨⟩, x2 is ⟨31⟩violated⟨⟩"},
		{"cup : Cup (#1)", "⟨1⟩cup⟨⟩ : Cup (⟨36⟩#1⟨⟩)"},
		{"└─ volume : Real = 0.25", "⟨2⟩└─⟨⟩ ⟨1⟩volume⟨⟩ : Real = ⟨35⟩0.25⟨⟩"},
		{"a  b\n─  ─\n1  undecided", "⟨1⟩a  b⟨⟩\n⟨2⟩─  ─⟨⟩\n⟨35⟩1⟨⟩  ⟨33⟩undecided⟨⟩"},
		{"  choices:\n    step", "⟨1⟩  choices:⟨⟩\n    step"},
		{`"3 holds"`, `⟨32⟩"3 holds"⟨⟩`},
		{"┃ taste ●2 ┃", "⟨1;32⟩┃⟨⟩ taste ⟨1;32⟩●2⟨⟩ ⟨1;32⟩┃⟨⟩"},
		{"-1.5e-3", "-⟨35⟩1.5e-3⟨⟩"},
		{"", ""},
	} {
		got := strings.NewReplacer("\x1b[0m", "⟨⟩", "\x1b[", "⟨").Replace(coloured(c.text))
		if got = regexp.MustCompile(`(⟨[0-9;]+)m`).ReplaceAllString(got, "$1⟩"); got != c.want {
			t.Errorf("coloured\n%s\nwant\n%s", got, c.want)
		}
		if plain(coloured(c.text)) != c.text {
			t.Errorf("%q is changed by its colours", c.text)
		}
	}
	if long := strings.Repeat("1 ", colouredSize); coloured(long) != long {
		t.Error("a very long output is coloured")
	}
}

// TestPagesOfATerminal: what is longer than the terminal is shown page by page,
// and what was seen stays.
func TestPagesOfATerminal(t *testing.T) {
	var out bytes.Buffer
	s := &session{keys: typed(" q"), o: Options{Out: &out, Interactive: true, Pager: "a pager that cannot have the terminal", Size: func() (int, int) { return 80, 10 },
		Raw: func() (func(), error) { return func() {}, nil }}}
	text := strings.Repeat("a line\n", 30)
	if !s.pages(text) || s.pages("short\n") {
		t.Fatal("pages are shown for the wrong outputs")
	}
	s.page(t.Context(), text)
	if _, left, _ := strings.Cut(out.String(), "\x1b[?1049l"); left != strings.Repeat("a line\n", 18) {
		t.Errorf("what stays is %q", left)
	}
}

// TestDumbTerminal: prompts, continuation and answers without one control
// character.
func TestDumbTerminal(t *testing.T) {
	var out bytes.Buffer
	o := Options{In: io.NopCloser(strings.NewReader("a {\n}\nask\nyes\nx\n")), Out: &out, Err: &out, Interactive: true, Dumb: true,
		Size: func() (int, int) { return 80, 24 }}
	if status := Run(t.Context(), bracket{}, o); status != 0 {
		t.Errorf("status %d", status)
	}
	want := "orrery>    ...> 1:a {|}\norrery> ?you said yes\norrery> 3:x\norrery> "
	if out.String() != want {
		t.Errorf("printed\n%q\nwant\n%q", out.String(), want)
	}
}
