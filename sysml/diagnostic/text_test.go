package diagnostic

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// What a model holds does not steer the terminal that shows it.
func TestTextShowsWhatWouldSteerATerminal(t *testing.T) {
	f := source.NewFile("a\x1b[2J.sysml", "part \x1b[31mred\r;")
	d := New("sample", source.Span{File: f, Start: 5, End: 6}, "the character '\x1b' has\x00no meaning \u202ehere").WithHint("bell \a")
	const want = `error[sample]: the character '␛' has␀no meaning �here
  --> a␛[2J.sysml:1:6
1 | part ␛[31mred␍;
  |      ^
  hint: bell ␇
`
	if got := Text(d, Style{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestLongMessagesLoseTheirMiddle(t *testing.T) {
	d := New("sample", source.Span{}, "no element "+strings.Repeat("ü", 1e6)+" in P")
	if len(d.Message) > 5000 || !utf8.ValidString(d.Message) || !strings.HasSuffix(d.Message, " in P") {
		t.Errorf("%d bytes: %.40s", len(d.Message), d.Message)
	}
}

func TestWrongFilesAreNoFaultOfOrrery(t *testing.T) {
	_, err := os.Stat("nowhere")
	if d := Of(err)[0]; d.Code != "file" || d.Message != "nowhere: no such file or directory" {
		t.Errorf("%s: %s", d.Code, d.Message)
	}
}

// TestSourceLinesFitTheTerminal: of a line that is too wide, what stands around
// its place is shown.
func TestSourceLinesFitTheTerminal(t *testing.T) {
	f := source.NewFile("f", strings.Repeat("before ", 30)+"Nope"+strings.Repeat(" behind", 30))
	at := int32(len("before ") * 30)
	d := New("sample", source.Span{File: f, Start: at, End: at + 4}, "no Nope")
	for _, columns := range []int{20, 40, 80} {
		lines := strings.Split(Text(d, Style{Columns: columns}), "\n")
		code, carets := lines[2], lines[3]
		if i := strings.Index(code, "Nope"); len(code) > columns || i < 0 || strings.Index(carets, "^^^^") != i {
			t.Errorf("%d columns:\n%s\n%s", columns, code, carets)
		}
	}
}

// TestCaretsStandUnderWideLetters: on a terminal, letters may take two columns
// or none.
func TestCaretsStandUnderWideLetters(t *testing.T) {
	for _, test := range []struct{ before, at, below string }{
		{"part 'tank' : ", "Nope", "              ^^^^"},
		{"part '列车' : ", "Nope", "              ^^^^"},
		{"part '", "列车", "      ^^^^"},
		{"part 'e\u0301t", "at", "        ^^"},
		{"\tpart\t", "x", "\t    \t^"},
		{"x +", "", "   ^"},
	} {
		f := source.NewFile("f", test.before+test.at)
		start := int32(len(test.before))
		d := New(Syntax, source.Span{File: f, Start: start, End: start + int32(len(test.at))}, "wrong")
		lines := strings.Split(Text(d, Style{}), "\n")
		if got := strings.TrimPrefix(lines[3], "  | "); got != test.below {
			t.Errorf("below %q stands %q, want %q", test.before+test.at, got, test.below)
		}
	}
}
