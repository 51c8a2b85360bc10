package edit

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/orrery-sysml/orrery/sysml/display"
)

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// screen is a picture as text, the cursor as ▏ in front of its cell.
func (p Picture) screen() string {
	var lines []string
	for i, r := range p.rows {
		text := styles.ReplaceAllString(r.text, "")
		if i == p.row {
			text += strings.Repeat(" ", max(p.column-display.Width(text), 0))
			used := 0
			for at, letter := range text + " " {
				if used == p.column {
					text = text[:at] + "▏" + text[at:]
					break
				}
				used += display.RuneWidth(letter)
			}
		}
		lines = append(lines, strings.TrimRight(text, " "))
	}
	return strings.Join(lines, "\n")
}

func TestPicture(t *testing.T) {
	for _, c := range []struct {
		name, prompt, keys string
		columns, rows      int
		want               string
	}{
		{"an empty block", "orrery> ", "", 20, 5, "orrery> ▏"},
		{"lines stand below each other", "orrery> ", "a {<Enter>b;<Left>", 20, 5, "orrery> a {\n   ...>     b▏;"},
		{"a long line goes on below", "orrery> ", "abcdefghijklmnop", 20, 5, "orrery> abcdefghijkl\n        mnop▏"},
		{"a full line has its cursor below", "orrery> ", "abcdefghijkl", 20, 5, "orrery> abcdefghijkl\n        ▏"},
		{"also before another line", "orrery> ", "abcdefghijkl<M-Enter>m<Up><End>", 20, 5, "orrery> abcdefghijkl\n        ▏\n   ...> m"},
		{"a wide letter is not cut", "orrery> ", "abcdefghijk列x", 20, 5, "orrery> abcdefghijk\n        列x▏"},
		{"a wide prompt leaves room", "Kitchen::Season> ", "ab<M-Enter>cd", 20, 5, "Kitchen::Season>ab\n> cd▏"},
		{"a prompt wider than the terminal", "Kitchen::Season> ", "ab", 12, 5, "Kitchen:ab▏"},
		{"tabs and control characters", "> ", "<Paste:a\tb\x01c>", 20, 5, "> a   b␁c▏"},
		{"a block longer than the screen", "> ", "1<C-j>2<C-j>3<C-j>4<C-j>5", 10, 3, "↑ 3\n> 4\n> 5▏"},
		{"and its top", "> ", "1<C-j>2<C-j>3<C-j>4<C-j>5<M-lt>", 10, 3, "> ▏1\n> 2\n↓ 3"},
		{"and its middle", "> ", "1<C-j>2<C-j>3<C-j>4<C-j>5<Up><Up>", 10, 3, "↑ 3▏\n> 4\n> 5"},
		{"the menu", "> ", "b<Tab>", 24, 6, "> beta▏\n  beta      word beta\n  betatron  word betatr…"},
		{"its item", "> ", "b<Tab><Tab><Tab>", 30, 6, "> betatron▏\n  beta      word beta\n> betatron  word betatron"},
		{"a menu longer than its room", "> ", "<Tab>", 30, 4, "> ▏\n  alpha  word alpha\n  … 2 more; Tab walks through…"},
		{"a search", "> ", "<C-r>tw", 30, 4, "> ▏two\nsearch back: tw"},
		{"nothing found", "> ", "<C-r>tx", 30, 4, "> ▏two\nsearch back: tx (nowhere)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(braces("alpha", "beta", "betatron"))
			e.Prompt, e.Gutter = c.prompt, "...> "
			if c.prompt == "> " {
				e.Gutter = "> "
			}
			e.Begin("", []string{"one", "two"})
			top := 0
			for _, k := range pressed(c.keys) {
				e.Press(k)
				e.Picture(c.columns, c.rows, &top)
			}
			if got := e.Picture(c.columns, c.rows, &top).screen(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestPictureInColour(t *testing.T) {
	e := New(Guide{Tints: func(text string) []Tint {
		at := strings.Index(text, "part")
		return []Tint{{Start: at, End: at + len("part"), Shade: "34"}}
	}})
	e.Prompt, e.Color = "> ", true
	e.Begin("é part (x)", nil)
	top := 0
	want := "> é \x1b[34mpart\x1b[0m \x1b[1;4m(\x1b[0mx\x1b[1;4m)\x1b[0m"
	if got := e.Picture(40, 5, &top).rows[0].text; got != want {
		t.Errorf("painted %q, want %q", got, want)
	}
	e.Color = false
	if got := e.Picture(40, 5, &top).rows[0].text; got != "> é part (x)" {
		t.Errorf("painted %q without colours", got)
	}
	e.Secret = true
	if got := e.Picture(40, 5, &top).screen(); got != "> ▏" {
		t.Errorf("a secret is shown as %q", got)
	}
}

// FuzzKeys presses any keys on a terminal of any size: the cursor stays in the
// block and on the screen, no row is wider than it and there are no more of
// them, the block is cut into clusters as a whole would be, and what reaches a
// screen row by row is what the picture says.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{"a {\rb\r}\r", "\x1b[A\x1b[A\x1b[B\x12two\x12\x07", "x\x01\x0b\x19\x1by\x1f\x1f", "al\t\t\t\x1b[Z\x1b[200~a\n\tb\x1b[201~",
		"e\u0301\x1b[D\u0301\x7f列列\x1b[A", "\U0001f1e9\U0001f1ea\x1b[D\U0001f1ea\x14", "\n\n\n\n\n\x1b<\x1b>\x18\x15"} {
		f.Add([]byte(seed), uint8(20), uint8(5))
	}
	f.Fuzz(func(t *testing.T, sent []byte, columns, rows uint8) {
		e := New(braces("alpha", "beta", "betatron", "bêta"))
		e.Prompt, e.Gutter = "orrery> ", "...> "
		e.Begin("", []string{"one", "two {\n  2\n}", "列车 e\u0301"})
		screen := newGrid(max(int(columns), 4), max(int(rows), 1))
		terminal := &Terminal{Out: screen, Size: func() (int, int) { return int(columns), int(rows) }}
		for len(sent) > 0 {
			key, n := Decode(sent, true)
			if n <= 0 || n > len(sent) {
				t.Fatalf("%q: a key of %d bytes", sent, n)
			}
			sent = sent[n:]
			e.Press(key)
			b := &e.buffer
			if b.at < 0 || b.at > len(b.text) {
				t.Fatalf("the cursor stands at %d of %d", b.at, len(b.text))
			}
			if whole := clusters(b.String()); strings.Join(whole, "\x00") != strings.Join(b.text, "\x00") {
				t.Fatalf("the clusters are %q, of the whole %q", b.text, whole)
			}
			terminal.draw(e)
			p := terminal.last
			if len(p.rows) > screen.rows || p.row < 0 || p.row >= len(p.rows) || p.column < 0 || p.column >= screen.columns {
				t.Fatalf("%d rows, cursor at %d, %d of %d × %d", len(p.rows), p.row, p.column, screen.columns, screen.rows)
			}
			for i, r := range p.rows {
				if r.width > screen.columns {
					t.Fatalf("row %d has %d columns: %q", i, r.width, r.text)
				}
			}
			if strange(b) { // how it falls into letters depends on what stands beside it
				continue
			}
			if screen.overflow {
				t.Fatalf("a row ran over the edge:\n%s", p.screen())
			}
			if got, want := screen.picture(len(p.rows)), rowsOf(p); got != want {
				t.Fatalf("the screen shows\n%s\nthe picture is\n%s", got, want)
			}
		}
	})
}

// strange reports whether a cluster begins with a code point that has no width.
func strange(b *buffer) bool {
	for _, cluster := range b.text {
		if r, _ := utf8.DecodeRuneInString(cluster); display.RuneWidth(r) == 0 {
			return true
		}
	}
	return false
}

func rowsOf(p Picture) string {
	var lines []string
	for _, r := range p.rows {
		lines = append(lines, strings.TrimRight(r.text, " "))
	}
	return strings.Join(lines, "\n")
}

// A grid is a terminal as far as Terminal uses one, without colours.
type grid struct {
	columns, rows int
	cells         [][]string
	row, column   int
	overflow      bool
}

func newGrid(columns, rows int) *grid { return &grid{columns: columns, rows: rows} }

func (g *grid) line() *[]string {
	for len(g.cells) <= g.row {
		g.cells = append(g.cells, nil)
	}
	return &g.cells[g.row]
}

var control = regexp.MustCompile("^\x1b\\[([?0-9]*)([A-Za-z])")

// Write implements io.Writer.
func (g *grid) Write(text []byte) (int, error) {
	for rest := string(text); rest != ""; {
		if m := control.FindStringSubmatch(rest); m != nil {
			g.control(m[2], m[1])
			rest = rest[len(m[0]):]
			continue
		}
		var cluster string
		cluster, rest, _, _ = uniseg.FirstGraphemeClusterInString(rest, -1)
		switch cluster {
		case "\r":
			g.column = 0
		case "\n":
			g.row++
		case "\r\n":
			g.row, g.column = g.row+1, 0
		default:
			g.put(cluster)
		}
	}
	return len(text), nil
}

func (g *grid) put(cluster string) {
	line := g.line()
	w := clusterWidth(cluster, 0)
	if g.column+w > g.columns {
		g.overflow = true
		return
	}
	for len(*line) < g.column+w {
		*line = append(*line, " ")
	}
	(*line)[g.column] = cluster
	if w == 2 {
		(*line)[g.column+1] = ""
	}
	g.column += w
}

func (g *grid) control(final, parameter string) {
	n := 0
	for _, digit := range strings.TrimPrefix(parameter, "?") {
		n = n*10 + int(digit-'0')
	}
	switch final {
	case "A":
		g.row = max(g.row-n, 0)
	case "B":
		g.row += n
	case "C":
		g.column += n
	case "K":
		if line := g.line(); len(*line) > g.column {
			*line = (*line)[:g.column]
		}
	case "J":
		g.control("K", "")
		g.cells = g.cells[:g.row+1]
	}
}

func (g *grid) picture(rows int) string {
	var lines []string
	for i := range rows {
		if i < len(g.cells) {
			lines = append(lines, strings.TrimRight(strings.Join(g.cells[i], ""), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// script is a Keyboard with keys that are all pressed already.
type script struct{ keys []Key }

func (s *script) Next(context.Context, time.Duration) (Key, bool, error) {
	if len(s.keys) == 0 {
		return Key{}, false, io.EOF
	}
	k := s.keys[0]
	s.keys = s.keys[1:]
	return k, true, nil
}

func (s *script) Waiting() bool { return false }

// TestRead: what stays on the terminal is the whole block, also of one that is
// longer than the terminal, and nothing of what stood below it.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		keys, text, want string
		err              error
	}{
		{"a {<Enter>b<Enter>}<Enter>", "a {\n    b\n}", "> a {\n>     b\n> }", nil},
		{"1<C-j>2<C-j>3<C-j>4<C-j>5<Enter>", "1\n2\n3\n4\n5", "> 1\n> 2\n> 3\n> 4\n> 5", nil},
		{"b<Tab><Enter>", "beta", "> beta", nil},
		{"one<C-j>two<C-c>", "one\ntwo", "> one\n> two^C", ErrDropped},
		{"<C-d>", "", ">", ErrEnded},
		{"half", "half", "> half", ErrEnded},
	} {
		screen := newGrid(20, 3)
		terminal := &Terminal{Out: screen, Keys: &script{pressed(c.keys)}, Size: func() (int, int) { return 20, 3 },
			Raw: func() (func(), error) { return func() {}, nil }}
		e := New(braces("beta", "betatron"))
		e.Prompt, e.Gutter = "> ", "> "
		e.Begin("", nil)
		text, err := terminal.Read(t.Context(), e)
		if text != c.text || err != c.err || screen.overflow {
			t.Errorf("%s: %q, %v, want %q, %v", c.keys, text, err, c.text, c.err)
		}
		if got := screen.picture(10); strings.TrimRight(got, "\n") != c.want {
			t.Errorf("%s leaves\n%s\nwant\n%s", c.keys, got, c.want)
		}
	}
}

// BenchmarkKey types into the middle of a block of 1000 lines.
func BenchmarkKey(b *testing.B) {
	e := New(braces())
	e.Prompt = "orrery> "
	e.Begin(strings.Repeat("    attribute level : Real = 4.0;\n", 1000), nil)
	e.buffer.at = len(e.buffer.text) / 2
	terminal := &Terminal{Out: &bytes.Buffer{}, Size: func() (int, int) { return 80, 24 }}
	for b.Loop() {
		e.Press(Key{Text: "x"})
		terminal.draw(e)
	}
}
