package lang

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// cells runs each text as one cell over the same globals and gives the value
// and error of the last.
func cells(t *testing.T, l Limits, list ...string) (starlark.Value, error) {
	t.Helper()
	texts := NewTexts()
	g := NewGlobals(texts, starlark.StringDict{})
	var v starlark.Value
	for i, code := range list {
		text, err := texts.Parse(source.NewFile("cell", code))
		if err == nil {
			thread, release := NewThread("cell", &Context{Phase: AtCell}, l)
			v, err = g.Exec(thread, text, nil)
			release()
		}
		if i == len(list)-1 {
			return v, err
		}
		if err != nil {
			t.Fatalf("cell %d: %v", i+1, err)
		}
	}
	return v, nil
}

func TestGlobalsLiveOn(t *testing.T) {
	tests := []struct {
		name  string
		cells []string
		want  string // "" for no value
	}{
		{"value of the last expression", []string{"1 + 1"}, "2"},
		{"no value of a statement", []string{"x = 1"}, ""},
		{"global of an earlier cell", []string{"x = 1", "x + 1"}, "2"},
		{"reassigned", []string{"x = 1", "x = 'a'", "x"}, `"a"`},
		{"function sees a later assignment", []string{"x = 1\ndef f(): return x", "x = 2", "f()"}, "2"},
		{"function is replaced under its callers", []string{"def g(): return 1\ndef f(): return g()", "def g(): return 2", "f()"}, "2"},
		{"recursion", []string{"def fact(n): return 1 if n == 0 else n * fact(n - 1)", "fact(10)"}, "3628800"},
		{"mutation across cells", []string{"l = []", "l.append(1)", "l"}, "[1]"},
		{"augmented assignment", []string{"x = 1", "x += 4", "x"}, "5"},
		{"loop variable is global", []string{"for i in range(3): pass", "i"}, "2"},
		{"tuple targets", []string{"a, (b, c) = 1, (2, 3)", "a + b + c"}, "6"},
		{"while and sets", []string{"n = 0\nwhile n < 5:\n  n += 1\nset([n])"}, "set([5])"},
		{"parameter hides a global", []string{"x = 1", "def f(x): return x", "f(7)"}, "7"},
		{"keyword argument named as a global", []string{"x = 1", "def f(x): return x", "f(x = x + 1)"}, "2"},
		{"default value is a global", []string{"x = 3", "f = lambda y = x: y", "x = 4", "f()"}, "3"},
		{"comprehension variable is no global", []string{"x = 5", "[x for x in range(2)] + [x]"}, "[0, 1, 5]"},
		{"closure", []string{"def f():\n  n = [0]\n  def g():\n    n[0] += 1\n    return n[0]\n  return g", "h = f()", "h(); h()"}, "2"},
		{"universe can be hidden and read before", []string{"len = 3", "len"}, "3"},
		{"attribute and index of a global", []string{"d = {'a': [1, 2]}", "d['a'][0] = 9", "d.get('a')"}, "[9, 2]"},
		{"definition under if", []string{"if True:\n  def f(): return 1", "f()"}, "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := cells(t, Limits{}, test.cells...)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if v != nil {
				got = v.String()
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name    string
		code    string
		want    diagnostic.Code
		message string // part of it
		at      string // text of the primary place
		hint    string // part of it
		related []string
	}{
		{"unclosed bracket", "x = (1 +", StarlarkSyntax, "got end of file", "", "", nil},
		{"unknown name", "count = 1\ncuont + 1", StarlarkName, "nothing is called cuont", "cuont", "did you mean count?", nil},
		{"unknown attribute", "[].apend(1)", StarlarkError, "has no .apend field or method", "[].apend", "did you mean append?", nil},
		{"operands", "x = 1\ny = x + 'a'", StarlarkError, "unknown binary op: int + string", "x + 'a'", "", nil},
		{"stack of calls", "def f(n):\n  return 1 // n\ndef g():\n  return f(0)\ng()", StarlarkError, "division by zero", "1 // n", "", []string{"f(0)", "g()"}},
		{"fail", "fail('no', 3)", StarlarkError, "fail: no 3", "fail('no', 3)", "", nil},
		{"before assignment", "if False: x = 1\nx", StarlarkError, "referenced before assignment", "x", "", nil},
		{"class", "class A: pass", StarlarkSyntax, "", "class", "struct(", nil},
		{"import", "import math", StarlarkSyntax, "", "import", "without it", nil},
		{"exceptions", "try:\n  x = 1\nexcept: pass", StarlarkSyntax, "", "try", "fail(text)", nil},
		{"f-string", "x = 1\nprint(f'{x}')", StarlarkSyntax, "", "", ".format(x)", nil},
		{"item assignment", "'a'[0] = 1", StarlarkError, "item assignment", "'a'[0]", "x.set(", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := cells(t, Limits{}, test.code)
			var list diagnostic.List = diagnostic.Of(err)
			if len(list) == 0 {
				t.Fatal("no error")
			}
			d := list[0]
			if d.Code != test.want || !strings.Contains(d.Message, test.message) || !strings.Contains(d.Hint, test.hint) {
				t.Errorf("got %s %q, hint %q", d.Code, d.Message, d.Hint)
			}
			if test.at != "" && d.Span.Text() != test.at {
				t.Errorf("at %q, want %q", d.Span.Text(), test.at)
			}
			for i, want := range test.related {
				if i >= len(d.Related) || d.Related[i].Span.Text() != want {
					t.Errorf("related %d of %v is not %q", i, d.Related, want)
				}
			}
		})
	}
}

// TestLimits runs texts that would never end or would take all memory.
func TestLimits(t *testing.T) {
	tests := []struct{ name, code, message string }{
		{"endless loop", "while True: pass", "more than 100000 steps"},
		{"endless recursion", "def f(): return f()\nf()", "nested deeper than 100"},
		{"mutual recursion", "def f(): return g()\ndef g(): return f()\nf()", "nested deeper than 100"},
		{"recursion through a builtin", "def f(x): return sorted([1, 2], key = f)\nf(1)", "nested deeper than 100"},
		{"doubled list", "x = [0]\nwhile True: x = x + x", "more than 4000000 elements"},
		{"doubled text", "x = 'abc'\nwhile True: x += x", "too many to add"},
		{"many lists", "x = []\nwhile True: x.append([0] * 4000000)", "holds more than 192 MiB"},
		{"a long number", "int('9' * 16000000)", "more than 314572 digits"},
		{"a long number by name", "int(x = '9' * 16000000)", "more than 314572 digits"},
		{"brackets", strings.Repeat("(", 100000), "nested deeper than 500"},
		{"long text", strings.Repeat("x = 1\n", 200000), "longer than"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			begin := time.Now()
			_, err := cells(t, Limits{Steps: 100_000, Depth: 100, Bytes: 192 << 20}, test.code)
			if err == nil || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want %q", err, test.message)
			}
			if d := time.Since(begin); d > 30*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// TestInterrupt stops texts in loops of small and of the largest operations.
func TestInterrupt(t *testing.T) {
	const large = "x = [(i * 7919) % 1000003 for i in range(1000000)]\n"
	tests := []struct{ name, code string }{
		{"a loop", "ready()\nwhile True: pass"},
		{"lists made", "ready()\nwhile True: y = [0] * 4000000"},
		{"lists added", large + "ready()\nwhile True: y = x + x"},
		{"a list sorted", large + "ready()\nwhile True: y = sorted(x)"},
		{"a list searched", large + "ready()\nwhile True: -1 in x"},
		{"texts joined", "x = ['abc'] * 1000000\nready()\nwhile True: y = ','.join(x)"},
		{"a list made text", "x = [1] * 900000\nready()\nwhile True: y = str(x)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			texts := NewTexts()
			text, err := texts.Parse(source.NewFile("cell", test.code))
			if err != nil {
				t.Fatal(err)
			}
			var begin time.Time
			ready := starlark.NewBuiltin("ready", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
				time.AfterFunc(30*time.Millisecond, func() { begin = time.Now(); cancel() })
				return starlark.None, nil
			})
			thread, release := NewThread("cell", &Context{Ctx: ctx, Phase: AtCell}, Limits{Steps: 1 << 60})
			defer release()
			_, err = NewGlobals(texts, starlark.StringDict{"ready": ready}).Exec(thread, text, nil)
			took := time.Since(begin)
			var d *diagnostic.Diagnostic
			if !errors.As(err, &d) || d.Code != diagnostic.Interrupted {
				t.Fatalf("got %v", err)
			}
			t.Logf("stopped after %v", took)
			if took > 5*time.Second { // far from 200 ms only for busy machines
				t.Errorf("stopped after %v", took)
			}
		})
	}
}
