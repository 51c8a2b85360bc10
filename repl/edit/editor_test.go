package edit

import (
	"strings"
	"testing"
)

// pressed is the keys that a script names: text as it is typed, <C-a> for a key
// with a name, <Paste:TEXT> for a paste, in which ⏎ ends a line.
func pressed(script string) []Key {
	var keys []Key
	for script != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(script, "<"), ">"); ok && script[0] == '<' && name != "" {
			if text, ok := strings.CutPrefix(name, "Paste:"); ok {
				keys = append(keys, Key{Name: "Paste", Text: strings.ReplaceAll(text, "⏎", "\r")})
			} else {
				keys = append(keys, Key{Name: strings.ReplaceAll(name, "M-lt", "M-<")})
			}
			script = rest
			continue
		}
		key, n := Decode([]byte(script), true)
		keys, script = append(keys, key), script[n:]
	}
	return keys
}

// braces is a Guide for which a block is whole when its brackets balance, and
// which completes to words.
func braces(words ...string) Guide {
	return Guide{
		Enter: func(text string, _ bool) (bool, string) {
			depth := strings.Count(text, "{") - strings.Count(text, "}")
			return depth <= 0, strings.Repeat(step, max(depth, 0))
		},
		Complete: func(text string, cursor int) (int, []Item) {
			start := strings.LastIndexAny(text[:cursor], " \n") + 1
			var items []Item
			for _, word := range words {
				if strings.HasPrefix(word, text[start:cursor]) {
					items = append(items, Item{Text: word, What: "word " + word})
				}
			}
			return start, items
		},
	}
}

// state is a block with its cursor.
func (e *Editor) state() string {
	text := strings.Join(e.buffer.text[:e.buffer.at], "") + "|" + strings.Join(e.buffer.text[e.buffer.at:], "")
	return strings.ReplaceAll(text, "\n", "⏎")
}

func TestKeys(t *testing.T) {
	history := []string{"one", "two {\n    2\n}", "three", "TWO again"}
	for _, c := range []struct {
		name, keys, want string
		signal           Signal // of the last key
	}{
		{"typing", "abc", "abc|", Editing},
		{"Enter runs what is whole", "abc<C-a><Enter>", "abc|", Accepted},
		{"Enter begins a line in what is not", "a {<Enter>", "a {⏎    |", Editing},
		{"indentation is carried over", "a {<Enter>b {<Enter>c;<Enter>", "a {⏎    b {⏎        c;⏎        |", Editing},
		{"a closing bracket goes below its opening one", "a {<Enter>b {<Enter>c<Enter>}", "a {⏎    b {⏎        c⏎    }|", Editing},
		{"the last bracket, and it runs", "a {<Enter>b<Enter>}<Enter>", "a {⏎    b⏎}|", Accepted},
		{"empty lines at the end say nothing", "a<C-j>  <C-j> <Enter>", "a|", Accepted},
		{"an empty line keeps no indentation", "a {<Enter><Enter>b", "a {⏎⏎    b|", Editing},
		{"Enter inside a whole block begins a line", "a {<Enter>b<Enter>}<Up><End><Enter>", "a {⏎    b⏎    |⏎}", Editing},
		{"Enter between brackets", "{<Enter>a {}<Left><Enter>", "{⏎    a {⏎        |⏎    }", Editing},
		{"Alt-Enter begins a line at the end of what is whole", "abc<M-Enter>d", "abc⏎d|", Editing},
		{"Ctrl-J too", "abc<C-j>d", "abc⏎d|", Editing},
		{"Up and Down keep to their column", "abcd<C-j>e<C-j>fghi<Up><Up>", "abcd|⏎e⏎fghi", Editing},
		{"and see a short line in between", "abcd<C-j>e<C-j>fghi<Up>", "abcd⏎e|⏎fghi", Editing},
		{"Down", "abcd<C-j>e<C-j>fghi<Up><Up><Left><Down><Down>", "abcd⏎e⏎fgh|i", Editing},
		{"wide letters have two columns", "列车<C-j>abcd<Left><Up>", "列|车⏎abcd", Editing},
		{"line start and end", "ab<C-j>  cd<C-a>x<C-e>y", "ab⏎x  cdy|", Editing},
		{"Home is the first letter, then the first column", "ab<C-j>  cd<Home>x<Home><Home>y", "ab⏎y|  xcd", Editing},
		{"block start and end", "ab<C-j>cd<M-lt>x<C-End>y", "xab⏎cdy|", Editing},
		{"words", "one two::three<M-b>x<M-b><M-b>y<M-f>z", "one ytwoz|::xthree", Editing},
		{"cutting to the end of the line, and over it", "ab<C-j>cd<C-p><C-a><C-k><C-k>", "|cd", Editing},
		{"cuts in a row are pasted as one", "ab<C-j>cd<C-p><C-a><C-k><C-k><C-e><C-y>", "cdab⏎|", Editing},
		{"cutting to the start of the line", "ab<C-j>cd ef<C-u>", "ab⏎|", Editing},
		{"and over it", "ab<C-j><C-u>", "ab|", Editing},
		{"cutting words backward", "a::bc de<C-w>", "a::bc |", Editing},
		{"cutting parts of words", "a::bc<M-Backspace>", "a::|", Editing},
		{"cutting words forward", "a bc<C-a><M-d><M-d>", "|", Editing},
		{"older cuts", "one<C-u>two<C-u><C-y><M-y>", "one|", Editing},
		{"round and round", "one<C-u>two<C-u><C-y><M-y><M-y>", "two|", Editing},
		{"nothing to exchange", "one<C-u>two<M-y>", "two|", Editing},
		{"transposing", "ab<C-t>", "ba|", Editing},
		{"transposing nothing", "a<C-t>", "a|", Editing},
		{"letter case", "abc def<M-lt><M-u><M-c>", "ABC Def|", Editing},
		{"backspace takes back a step of indentation", "a {<Enter>      <Backspace><Backspace>", "a {⏎    |", Editing},
		{"backspace joins lines", "ab<C-j>cd<C-a><Backspace>", "ab|cd", Editing},
		{"backspace takes a letter of several code points", "ae\u0301<Backspace>", "a|", Editing},
		{"a mark joins the letter before it", "ae\u0301b<Left><Left>", "a|e\u0301b", Editing},
		{"undo takes back what was typed in one go", "one two<C-_>", "one|", Editing},
		{"undo of everything and more", "one<C-_><C-_>", "|", Editing},
		{"redo", "one<C-w><C-_><M-_>", "|", Editing},
		{"what is typed after undo stays", "one<C-w><C-_>x<M-_>", "onex|", Editing},
		{"Ctrl-X U is undo", "one<C-x>u", "|", Editing},
		{"Ctrl-D deletes", "ab<C-a><C-d>", "|b", Editing},
		{"and ends an empty block", "ab<C-u><C-d>", "|", Ended},
		{"Ctrl-C", "ab<C-c>", "ab|", Dropped},
		{"a paste never runs and keeps its indentation", "<Paste:a⏎  b {⏎      c⏎>", "a⏎  b {⏎      c|", Editing},
		{"a paste is taken back at once", "x<Paste:a⏎b><C-_>", "x|", Editing},
		{"a paste between letters", "xy<Left><Paste:1⏎>", "x1⏎|y", Editing},
		{"keys that mean nothing", "a<F1><C-x><C-q><unknown>", "a|", Editing},

		{"an earlier cell", "<Up>", "TWO again|", Editing},
		{"the one before", "<Up><Up>", "three|", Editing},
		{"a block comes as a block", "<Up><Up><Up>", "two {⏎    2⏎}|", Editing},
		{"inside which Up moves", "<Up><Up><Up><Up>", "two {⏎ |   2⏎}", Editing},
		{"and reaches further at its top", "<Up><Up><Up><Up><Up><Up>", "one|", Editing},
		{"the first cell is the last to come", "<M-p><M-p><M-p><M-p><M-p>", "one|", Editing},
		{"the way forward begins at the top of a block", "<M-p><M-p><M-p><M-p><Down>", "two {|⏎    2⏎}", Editing},
		{"and ends with what was begun", "new<C-a><M-p><M-n>", "new|", Editing},
		{"only cells that begin like it", "t<Up>", "three|", Editing},
		{"of which there are more", "t<Up><Up>", "two {⏎    2⏎}|", Editing},
		{"and no others", "t<Up><M-p><M-p>", "two {⏎    2⏎}|", Editing},
		{"an entry that was changed stays changed", "<Up>x<Up><Down>", "TWO againx|", Editing},
		{"searching", "<C-r>tw", "|TWO again", Editing},
		{"searching on", "<C-r>two<C-r>", "|two {⏎    2⏎}", Editing},
		{"and back", "<C-r>two<C-r><C-s>", "|TWO again", Editing},
		{"finding nothing more", "abc<C-r>thrown", "|three", Editing},
		{"letting go of a search", "abc<C-r>two<C-g>", "abc|", Editing},
		{"keeping what was found", "abc<C-r>thr<Escape>x", "x|three", Editing},
		{"a key that ends a search and does what it does", "<C-r>thr<C-e>x", "threex|", Editing},
		{"running what was found", "<C-r>2<Enter>", "two {⏎    2⏎}|", Accepted},
		{"a shorter search begins again", "<C-r>thx<Backspace>", "|three", Editing},

		{"completing", "al<Tab>", "alpha|", Editing},
		{"as far as all agree", "b<Tab>", "beta|", Editing},
		{"the menu", "b<Tab><Tab>", "beta|", Editing},
		{"its next item", "b<Tab><Tab><Tab>", "betatron|", Editing},
		{"its last item", "b<Tab><S-Tab>", "betatron|", Editing},
		{"closing it", "b<Tab><S-Tab><Escape>", "beta|", Editing},
		{"taking an item", "b<Tab><Down><Down><Enter>x", "betatronx|", Editing},
		{"Enter without an item runs", "b<Tab><Enter>", "beta|", Accepted},
		{"typing on", "b<Tab>tr<Tab>", "betatron|", Editing},
		{"completing in the middle of a block", "{<Enter>al<Enter>}<Up><End><Tab>", "{⏎    alpha|⏎}", Editing},
		{"Tab indents an empty line", "{<Enter><Tab>", "{⏎        |", Editing},
		{"nothing to complete", "zz<Tab>", "zz|", Editing},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(braces("alpha", "beta", "betatron"))
			e.Begin("", history)
			var signal Signal
			for _, k := range pressed(c.keys) {
				signal = e.Press(k)
			}
			if got := e.state(); got != c.want || signal != c.signal {
				t.Errorf("%s gives %s (%d), want %s (%d)", c.keys, got, signal, c.want, c.signal)
			}
		})
	}
}

// TestAgain: the editor knows a block of the history while it is as it was.
func TestAgain(t *testing.T) {
	for keys, want := range map[string]bool{"<Up><Enter>": true, "<Up>x<Enter>": false, "<Up>x<Backspace><Enter>": true, "one<Enter>": false, "<C-r>on<Enter>": true} {
		got := false
		e := New(Guide{Enter: func(_ string, again bool) (bool, string) { got = again; return true, "" }})
		e.Begin("", []string{"one"})
		for _, k := range pressed(keys) {
			e.Press(k)
		}
		if got != want {
			t.Errorf("%s: again is %v", keys, got)
		}
	}
}

// TestCutsOutliveTheBlock: what was cut in one block can be pasted in the next.
func TestCutsOutliveTheBlock(t *testing.T) {
	e := New(braces())
	e.Begin("kept", nil)
	e.Press(Key{Name: "C-u"})
	e.Begin("", nil)
	e.Press(Key{Name: "C-y"})
	if e.Text() != "kept" {
		t.Errorf("got %q", e.Text())
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		sent string
		want string // names and texts, side by side
	}{
		{"aé列", "a é 列"},
		{"\x01\x1f\x7f\r\n\t", "C-a C-_ Backspace Enter C-j Tab"},
		{"\x1b[A\x1bOB\x1b[1;5C\x1b[1;3D\x1b[H\x1b[4~\x1b[3;5~\x1b[Z", "Up Down C-Right M-Left Home End C-Delete S-Tab"},
		{"\x1bb\x1bB\x1b\r\x1b\x7f\x1b\x1b[A", "M-b M-b M-Enter M-Backspace M-Up"},
		{"\x1b[13;2u\x1b[27;2;13~\x1b[97;5u\x1b[97;1u\x1b[127;5u", "S-Enter S-Enter C-a a C-Backspace"},
		{"\x1b", "Escape"},
		{"\x1b[", "M-["},
		{"\x1b[99~x\x1b[?1;2cx", "unknown x unknown x"},
		{"\x1b[\x03x", "unknown C-c x"},
		{"\xff\xe5", "\ufffd \ufffd"},
		{"\x1b[200~a\r\x1b[A\x03\x1b[201~x", "Paste:a\r\x1b[A\x03 x"},
		{"\x1b[200~lost", "Paste:lost"},
	} {
		var got []string
		for sent := []byte(c.sent); len(sent) > 0; {
			key, n := Decode(sent, true)
			switch {
			case n == 0:
				t.Fatalf("%q: no key in %q", c.sent, sent)
			case key.Name == "Paste":
				got = append(got, "Paste:"+key.Text)
			default:
				got = append(got, key.Name+key.Text)
			}
			sent = sent[n:]
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q is %q, want %q", c.sent, got, c.want)
		}
	}
}

// TestDecodeWaits: no key is told before all of it is there.
func TestDecodeWaits(t *testing.T) {
	for _, sent := range []string{"\x1b[1;5C", "é", "\x1bx", "\x1bOA", "\x1b[200~a\x1b[201~", "\x1b\x1b[A"} {
		for n := 1; n < len(sent); n++ {
			if key, used := Decode([]byte(sent[:n]), false); used != 0 {
				t.Errorf("%q: %v is told from %q", sent, key, sent[:n])
			}
		}
	}
	if !Pasting([]byte("\x1b[200~a")) || Pasting([]byte("\x1b[200~a\x1b[201~")) {
		t.Error("a paste ends with its end")
	}
}
