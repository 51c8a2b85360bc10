package magics

import (
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// lineMagics are declarations of every shape, for the parser of lines alone.
func lineMagics() *registry {
	nothing := func(*call) error { return nil }
	return newRegistry([]*magic{
		{name: "text", family: "T", summary: "s", example: "e", run: nothing,
			arguments: []argument{{name: "TEXT", kind: kindText, optional: true}},
			flags:     []flag{{name: "err", short: "e", kind: kindSwitch}, {name: "target", kind: kindName}}},
		{name: "expr", family: "T", summary: "s", example: "e", run: nothing,
			arguments: []argument{{name: "EXPR", kind: kindExpression}}, flags: []flag{{name: "target", kind: kindName}}},
		{name: "run", family: "T", summary: "s", example: "e", run: nothing,
			arguments: []argument{{name: "B", kind: kindBehavior}, {name: "p", kind: kindAssignment, optional: true, repeated: true}},
			flags: []flag{{name: "keep", kind: kindSwitch}, {name: "schedule", kind: kindWord}, {name: "steps", kind: kindCount},
				{name: "always", kind: kindExpression}, {name: "view", kind: kindOneOf, values: []string{"tree", "state"}}}},
		{name: "seed", family: "T", summary: "s", example: "e", run: nothing,
			arguments: []argument{{name: "N", kind: kindInteger}}},
		{name: "wait", family: "T", summary: "s", example: "e", run: nothing,
			arguments: []argument{{name: "S", kind: kindSeconds}}},
		{name: "load", family: "T", summary: "s", example: "e", run: nothing,
			arguments: []argument{{name: "PATH", kind: kindPath, repeated: true}}},
		{name: "none", family: "T", summary: "s", example: "e", run: nothing},
	})
}

// describeLine is a parsed line on one line of text: arguments and flags in
// declared order, repeated words joined with "|".
func describeLine(p *parsed) string {
	var parts []string
	for _, a := range p.magic.arguments {
		if words := p.args[a.name]; len(words) > 0 {
			var texts []string
			for _, w := range words {
				texts = append(texts, w.plain())
			}
			parts = append(parts, a.name+"="+strings.Join(texts, "|"))
		}
	}
	for _, f := range p.magic.flags {
		if w, ok := p.flags[f.name]; ok {
			if f.kind == kindSwitch {
				parts = append(parts, "--"+f.name)
			} else {
				parts = append(parts, "--"+f.name+"="+w.plain())
			}
		}
	}
	return strings.Join(parts, " ")
}

func TestParseLine(t *testing.T) {
	r := lineMagics()
	for _, c := range []struct {
		line string
		want string // what describeLine says, or "error: " and the message, "@" and the text of its place
	}{
		{"none", ""},
		{"none x", "error: %none takes no argument; what is x? @x"},
		{"text", ""},
		{"text   a  b ", "TEXT=a  b"},
		{"text --err a -e", "TEXT=a -e --err"},
		{"text -err a", "TEXT=a --err"},
		{"text -e a", "TEXT=a --err"},
		{"text --eer a", "error: %text has no flag --eer @--eer"},
		{"text --err=yes a", "error: --err takes no value @--err=yes"},
		{"text --err --err a", "error: --err is given twice @--err"},
		{"expr -x + 1", "EXPR=-x + 1"},
		{"expr - 1", "EXPR=- 1"},
		{"expr --target A::'b c' x - -y", "EXPR=x - -y --target=A::'b c'"},
		{"expr -target=A x", "EXPR=x --target=A"},
		{"expr", "error: %expr needs EXPR @%expr"},
		{"expr --target", "error: --target needs a value: --target NAME @%expr"},
		{"expr --unknown 1", "error: %expr has no flag --unknown @--unknown"},
		{"run A", "B=A"},
		{"run A --keep x = 1 y=(2 + 3) --schedule seed:1", "B=A p=x = 1|y=(2 + 3) --keep --schedule=seed:1"},
		{"run A x =1 y= 2", "B=A p=x =1|y= 2"},
		{"run A x", "error: expected p=EXPR, not x @x"},
		{"run A x=", "error: expected p=EXPR, not x= @x="},
		{"run A --steps 0", "error: --steps is at least 1 @0"},
		{"run A --steps ten", "error: --steps is a whole number, not ten @ten"},
		{"run A --always x > 3 and y --keep", "B=A --keep --always=x > 3 and y"},
		{`run A --always "x > 3" --keep`, "B=A --keep --always=x > 3"},
		{`run A --always "a" == b`, `B=A --always="a" == b`},
		{"run A --view Tree", "B=A --view=Tree"},
		{"run A --view trees", "error: --view is tree or state, not trees @trees"},
		{"run 'my part'::go s=\"a b\"", "B='my part'::go p=s=\"a b\""},
		{"seed -5", "N=-5"},
		{"seed 1.5", "error: N is a whole number, not 1.5 @1.5"},
		{"seed 1 2", "error: %seed takes one argument; what is 2? @2"},
		{"wait 2.5", "S=2.5"},
		{"wait 2 [min]", "S=2 [min]"},
		{"wait 1.5[SI::h]", "S=1.5[SI::h]"},
		{"wait nan", "error: S is a number of seconds, at least 0, or one with a unit, such as 2 [min], not nan @nan"},
		{"wait 2 []", "error: S is a number of seconds, at least 0, or one with a unit, such as 2 [min], not 2 [] @2 []"},
		{"wait 2 3", "error: S is a number of seconds, at least 0, or one with a unit, such as 2 [min], not 2 3 @2 3"},
		{"wait -1", "error: S is a number of seconds, at least 0, or one with a unit, such as 2 [min], not -1 @-1"},
		{"wait inf", "error: S is a number of seconds, at least 0, or one with a unit, such as 2 [min], not inf @inf"},
		{`load "a b.sysml" c.sysml`, "PATH=a b.sysml|c.sysml"},
		{"load (open", "PATH=(open"},
		{"load", "error: %load needs PATH @%load"},
	} {
		t.Run(c.line, func(t *testing.T) {
			name, _, _ := strings.Cut(c.line, " ")
			file := source.NewFile("cell", "%"+c.line)
			span := source.Span{File: file, Start: 0, End: int32(1 + len(name))}
			p, d := parseLine(r.find(name, false), span, int(span.End), len(file.Text))
			got := ""
			if d != nil {
				got = "error: " + d.Message + " @" + d.Span.Text()
				if !strings.Contains(d.Hint, "usage: %"+name) {
					t.Errorf("hint %q does not show the usage", d.Hint)
				}
			} else {
				got = describeLine(p)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// FuzzParseLine reads any line by every declaration: it must not panic, and a
// place that it reports lies in the line.
func FuzzParseLine(f *testing.F) {
	for _, s := range []string{"a --keep", `"x" (y`, "--always x > 1 --view tree", "p = = q", "-", "--", "é=ü", "'\\"} {
		f.Add(s)
	}
	r := lineMagics()
	f.Fuzz(func(t *testing.T, rest string) {
		for _, m := range r.all {
			text := "%" + m.name + " " + strings.ReplaceAll(rest, "\n", " ")
			file := source.NewFile("cell", text)
			p, d := parseLine(m, source.Span{File: file, End: int32(1 + len(m.name))}, 1+len(m.name), len(text))
			if d != nil && (d.Span.Start < 0 || int(d.Span.End) > len(text) || d.Span.Start > d.Span.End) {
				t.Fatalf("%q: the place %d..%d is outside", text, d.Span.Start, d.Span.End)
			}
			if (p == nil) == (d == nil) {
				t.Fatalf("%q: neither a line nor a diagnostic, or both", text)
			}
		}
	})
}

func TestNearest(t *testing.T) {
	words := []string{"schedule", "seed", "settings", "set", "step", "state"}
	for _, c := range []struct{ name, want string }{
		{"shedule", "schedule"}, {"Seed", "seed"}, {"sede", "seed"}, {"sett", "set"},
		{"sch", "schedule"}, {"xyzzy", ""}, {"", ""}, {"settigns", "settings"},
	} {
		if got := nearest(c.name, words); got != c.want {
			t.Errorf("nearest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDeclarationsAreChecked shows that a registry refuses what it could not
// parse, document or test.
func TestDeclarationsAreChecked(t *testing.T) {
	run := func(*call) error { return nil }
	good := func() *magic { return &magic{name: "a", family: "F", summary: "s", example: "e", run: run} }
	for _, c := range []struct {
		name string
		bad  func(m *magic)
	}{
		{"no example", func(m *magic) { m.example = "" }},
		{"no summary", func(m *magic) { m.summary = "" }},
		{"alias of itself", func(m *magic) { m.aliases = []string{"a"} }},
		{"words behind a text", func(m *magic) { m.arguments = []argument{{name: "T", kind: kindText}, {name: "N"}} }},
		{"required behind optional", func(m *magic) { m.arguments = []argument{{name: "T", optional: true}, {name: "N"}} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("the declaration was taken")
				}
			}()
			m := good()
			c.bad(m)
			newRegistry([]*magic{m})
		})
	}
	newRegistry([]*magic{good()})
}
