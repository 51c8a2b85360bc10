package plan

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// generated compares a file of docs with what the code says; with -update it
// is written.
func generated(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the code says; go test ./plan -update writes it", name)
	}
}

// TestSchemas keeps the schemas of manifest and plan true.
func TestSchemas(t *testing.T) {
	for _, s := range []struct {
		file, title string
		of          any
	}{
		{"../docs/schemas/manifest.schema.json", "The manifest of a walk: manifest.json of a bundle, and what orrery walk --json prints", bundle.Manifest{}},
		{"../docs/schemas/plan.schema.json", "What a plan would walk: plan.json of a bundle, and what orrery plan --json prints", bundle.PlanDoc{}},
	} {
		m := schemaOf(reflect.TypeOf(s.of))
		m["$schema"], m["title"] = "https://json-schema.org/draft/2020-12/schema", s.title
		m["properties"].(map[string]any)["schema_version"] = map[string]any{"const": bundle.SchemaVersion}
		data, err := bundle.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		generated(t, s.file, string(data))
	}
}

// schemaOf is the JSON schema of values of a type.
func schemaOf(typ reflect.Type) map[string]any {
	switch typ {
	case reflect.TypeOf(leaf.Pass):
		var names []string
		for _, o := range leaf.Outcomes() {
			names = append(names, o.String())
		}
		return map[string]any{"enum": names}
	}
	switch typ.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Pointer:
		return schemaOf(typ.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(typ.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(typ.Elem())}
	}
	properties := map[string]any{}
	required := []string{}
	for i := range typ.NumField() {
		f := typ.Field(i)
		if !f.IsExported() {
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		properties[name] = schemaOf(f.Type)
		if rest != "omitempty" {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

// TestReference keeps the page of builtins true.
func TestReference(t *testing.T) {
	var out strings.Builder
	out.WriteString("# Builtins of plans and Starlark cells\n\nWritten by a test from the table that the program itself uses. The effect says where a\nbuiltin may be called: one that is not `pure` never in a predicate of `assume`; `run`, `assert`\nand `prune` only where a leaf or a cell is running.\n")
	cells := map[string]bool{}
	for _, b := range (&Cells{}).list() {
		cells[b.Name] = true
	}
	for _, part := range []struct {
		title string
		list  []lang.Builtin
	}{{"The plan language", lang.Operators()}, {"Models", api.Builtins()}} {
		fmt.Fprintf(&out, "\n## %s\n\n| builtin | effect | what |\n|---|---|---|\n", part.title)
		sort.Slice(part.list, func(i, j int) bool { return part.list[i].Name < part.list[j].Name })
		for _, b := range part.list {
			where := ""
			if !cells[b.Name] {
				where = " (plans only)"
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s%s |\n", strings.ReplaceAll(b.Signature, "|", `\|`), b.Class, b.Summary, where)
		}
	}
	out.WriteString("\nBeside them: `model.open(path, ..., lenient=False, libraries=True)`, `model.text(source)`, `model.session()`\n(`libraries` is a folder or a list of folders to find packages in first, or False for no library); `match.enter(name, ...)`,\n`match.exit`, `match.transition`, `match.send`, `match.accept`, `match.assign`, `match.draw`, `match.step` for `monitor(on=)`;\n`unset`, `unbounded`, `struct(...)`, the modules `math` and `json`; in cells `input(prompt)` and `show(value, ...)`.\n")
	out.WriteString("\n## What values have\n\nA feature of an object is read as `x[\"motor.temperature\"]`; `dir(x)` lists what any value has.\n\n| value | from | has |\n|---|---|---|\n")
	for _, v := range []struct {
		value, from string
		has         starlark.HasAttrs
	}{
		{"object", "`instantiate(...)`", &api.Object{}},
		{"machine of an object", "`x.machine(\"name\")`", &api.Exhibited{}},
		{"started machine", "`state(...).start()`", &api.Machine{}},
		{"model", "`model.open(...)`", &api.Model{}},
		{"event", "`monitor(check=)`, `always(...)`", api.Event{}},
		{"quantity", "`quantity(...)`, a feature with a unit", api.Quantity{}},
	} {
		fmt.Fprintf(&out, "| %s | %s | `%s` |\n", v.value, v.from, strings.Join(v.has.AttrNames(), "`, `"))
	}
	generated(t, "../docs/builtins.md", out.String())
}
