package plan

import (
	"maps"
	"slices"
	"testing"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/lang"
)

// starlark.txt describes what there is, and nothing else.
func TestEveryWordOfStarlarkIsDescribed(t *testing.T) {
	want := map[string]bool{}
	for name := range starlark.Universe {
		want[name] = true
	}
	for _, k := range keywords {
		want[k] = true
	}
	for _, v := range []starlark.HasAttrs{starlark.String(""), &starlark.List{}, &starlark.Dict{}, &starlark.Set{}} {
		for _, name := range v.AttrNames() {
			want["."+name] = true
		}
	}
	for name := range lang.Values() {
		want[name] = true
	}
	for name, v := range api.Values() {
		want[name] = true
		if m, ok := v.(starlark.HasAttrs); ok && v.Type() == "module" {
			for _, member := range m.AttrNames() {
				want[name+"."+member] = true
			}
		}
	}
	for name := range want {
		if d := starlarkWords[name]; d.signature == "" || d.summary == "" {
			t.Errorf("starlark.txt lacks %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(starlarkWords)) {
		if !want[name] {
			t.Errorf("starlark.txt describes %s, which there is not", name)
		}
	}
}
