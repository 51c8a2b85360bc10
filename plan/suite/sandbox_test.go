package suite

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// TestSandbox is T108: the product of all builtins that do something and of all
// ways to reach one from a predicate: each is refused when the plan is loaded.
// The same names as parameters and locals are let in.
func TestSandbox(t *testing.T) {
	ways := map[string]string{
		"lambda":        "assume(lambda c: F())",
		"def":           "def p(c):\n    return F()\nassume(p)",
		"nested def":    "def p(c):\n    def q():\n        return F()\n    return q()\nassume(p)",
		"alias":         "g = F\nassume(lambda c: g())",
		"list element":  "l = [1, F]\nassume(lambda c: l[1]())",
		"dict value":    "d = {1: F}\nassume(lambda c: d[1]())",
		"struct field":  "s = struct(f = F)\nassume(lambda c: s.f())",
		"default":       "assume(lambda c, f = F: f())",
		"closure":       "def make():\n    f = F\n    return lambda c: f()\nassume(make())",
		"comprehension": "assume(lambda c: [F() for x in [1]] == [])",
		"conditional":   "assume(lambda c: F() if c else True)",
		"loaded":        "load(\"lib.star\", \"g\")\nassume(lambda c: g())",
		"bare":          "assume(F)",
		"monitor":       "monitor(\"m\", check = lambda e, s: F())",
	}
	var names []string
	for _, list := range [][]lang.Builtin{lang.Operators(), api.Builtins()} {
		for _, b := range list {
			if b.Class != lang.Pure {
				names = append(names, b.Name)
			}
		}
	}
	if len(names) < 14 {
		t.Fatalf("only %d builtins do something: %v", len(names), names)
	}
	read := func(text string) error {
		values := lang.Values()
		for n, v := range api.Values() {
			values[n] = v
		}
		_, err := lang.Load(context.Background(), source.NewFile("p", text+"\ndef test_a(): pass\n"), lang.Options{
			Builtins: api.Builtins(), Values: values,
			Open: func(string) (*source.File, error) {
				_, f, _ := strings.Cut(text, "# ")
				return source.NewFile("lib.star", "def g():\n    return "+f+"()\n"), nil
			},
		})
		return err
	}
	for way, text := range ways {
		for _, name := range names {
			if way == "monitor" && (name == "halt" || name == "inconclusive") {
				continue // a violation of the monitor, see HA-6
			}
			err := read(strings.ReplaceAll(text, "F", name) + "\n# " + name)
			list := diagnostic.Of(err)
			if len(list) == 0 || list[0].Code != lang.ForbiddenInPredicate || !strings.Contains(list[0].Message, name+"()") {
				t.Errorf("%s of %s: %v", way, name, err)
			}
		}
	}
	for _, name := range names {
		text := fmt.Sprintf("def p(%s):\n    return len(%s) == 0\nassume(p)\ndef q(c):\n    %s = 1\n    return %s == 1\nassume(q)\nassume(lambda c: [%s for %s in [True]] == [True])\n# x", name, name, name, name, name, name)
		if err := read(text); err != nil {
			t.Errorf("%s as a local name: %v", name, err)
		}
	}
	for _, name := range starlark.Universe.Keys() {
		if _, callable := starlark.Universe[name].(starlark.Callable); callable && name != "fail" {
			if err := read("assume(lambda c: True or " + name + ")\n# x"); err != nil {
				t.Errorf("%s is refused: %v", name, err)
			}
		}
	}
}
