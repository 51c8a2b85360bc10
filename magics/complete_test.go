package magics

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// completions executes cells in a fresh session and completes code at its
// mark "|": the replaced text and the matches, joined with blanks.
func completions(t *testing.T, cells []string, code string) string {
	t.Helper()
	r := newReplay(t)
	for _, name := range []string{"wheel.sysml", "two words.sysml", ".hidden", "sub/deep.kerml"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(r.dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, cell := range cells {
		if out := r.execute(t, cell); r.failed {
			t.Fatal(out)
		}
	}
	before, after, _ := strings.Cut(code, "|")
	c := r.shell.Complete(t.Context(), before+after, len([]rune(before)))
	replaced := string([]rune(before + after)[c.Start:c.End])
	var texts []string
	for _, m := range c.Matches {
		texts = append(texts, m.Text)
	}
	return replaced + " -> " + strings.Join(texts, " ")
}

func TestCompleteMagics(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"%sched|", "%sched -> %schedule"},
		{"%sched|ule", "%sched -> %schedule"},
		{"1 + 1\n  %setti|", "%setti -> %settings"},
		{"%%wr|", "%%wr -> %%writefile"},
		{"x\n%%wr|", " -> "},
		{"%vers|", "%vers -> %version"},
		{"%echo --|", "-- -> --err"},
		{"%echo -e|", "-e -> -err"},
		{"%echo --x|", " -> "},
		{"%schedule |", " -> reverse declared seed: replay: explore"},
		{"%schedule d|", "d -> declared"},
		{"%trace o|", "o -> on off"},
		{"%help %%mark|", "%%mark -> %%markdown"},
		{"%help sett|", "sett -> settings"},
		{"%cd |", ` -> "two words.sysml" sub/ wheel.sysml`},
		{"%cd sub/|", "sub/ -> sub/deep.kerml"},
		{"%cd .h|", ".h -> .hidden"},
		{`%cd "two|`, `"two -> "two words.sysml"`},
		{"%cd nowhere/|", " -> "},
		{"%history -n 3 -|", "- -> -n -g"},
		{"%nothing |", " -> "},
		{"é\n%sched|", "%sched -> %schedule"},
		{"|", " -> "},
	} {
		t.Run(c.code, func(t *testing.T) {
			if got := completions(t, nil, c.code); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestCompleteNames(t *testing.T) {
	model := `package Demo {
    private import ScalarValues::*;
    part def Wheel { attribute pressure : Real; attribute 'tread depth' : Real; }
    part def Vehicle { attribute mass : Real; part wheel : Wheel; action drive; }
    package Inner { part def Deep; }
}`
	for _, c := range []struct{ code, want string }{
		{"Demo::V|", "V -> Vehicle"},
		{"part x : Demo::|", " -> Inner Vehicle Wheel"},
		{"package P { part x : Dem|", "Dem -> Demo"},
		{"package P {\n private import Demo::*;\n part x : Ve|;\n}", "Ve -> Vehicle"},
		{"package P {\n private import Demo::*;\n part x : Vehicle;\n attribute y = x.ma|", "ma -> mass"},
		{"package P {\n private import Demo::*;\n part x : Vehicle;\n attribute y = x.wheel.|", " -> pressure 'tread depth'"},
		{"package P {\n private import Demo::*;\n part x : Vehicle { attribute :>> ma|", "ma -> mass matingOccurrences"},
		{"package P {\n part def Late;\n part x : La|", "La -> Late"},
		{"Demo::Inner::De|", "De -> Deep"},
		{"part dec|", "dec -> decide"},
		{"%eval Demo::Ve|", "Ve -> Vehicle"},
		{"// part x : Dem|", " -> "},
		{"doc /* Dem|", " -> "},
		{"%list Dem|", "Dem -> Demo"},
		{"%echo x\npart x : Dem|", "Dem -> Demo"},
		{"part x : Demo::'tr|", " -> "},
		{"%%starlark\nx = clear_|", "clear_ -> clear_output"},
		{"%%plan\nx = clear_|", "clear_ -> clear_output"},
	} {
		t.Run(c.code, func(t *testing.T) {
			got := completions(t, []string{model}, c.code)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
