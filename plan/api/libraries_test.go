package api

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// TestLibraries declares a model that imports a package of a folder beside the
// plan.
func TestLibraries(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"vendor/deep/bolts.sysml": "package Bolts { private import ScalarValues::*; attribute def Pitch :> Real; }",
		"own/ScalarValues.kerml":  "package ScalarValues { }",
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list := func(names ...string) starlark.Value {
		var l []starlark.Value
		for _, n := range names {
			l = append(l, starlark.String(n))
		}
		return starlark.NewList(l)
	}
	seen := map[string]bool{}
	for _, test := range []struct {
		libraries starlark.Value
		files     string // of the model, beside its own text
		want      string // error; "" for none
	}{
		{starlark.String("vendor"), "vendor/deep/bolts.sysml", ""},
		{list("vendor"), "vendor/deep/bolts.sysml", ""},
		{list("vendor", "own"), "vendor/deep/bolts.sysml own/ScalarValues.kerml", ""},
		{starlark.True, "", "no element Bolts"},
		{nil, "", "no element Bolts"},
		{starlark.False, "", "no element Bolts"},
		{list(), "", "no element Bolts"},
		{starlark.String("none"), "", "cannot be read"},
		{starlark.MakeInt(1), "", "libraries is True, False, a folder or a list of folders, not int"},
		{starlark.NewList([]starlark.Value{starlark.None}), "", "a folder is named by text, not by NoneType"},
	} {
		m := &Models{Dir: dir}
		l, err := m.readLibraries(test.libraries)
		var made *Model
		if err == nil {
			text := "package M { private import Bolts::*; attribute p : Pitch = 1.0; }"
			made, err = m.declare(context.Background(), "m", nil, []*source.File{source.NewFile("m", text)}, reading{libraries: l})
		}
		got := ""
		if err != nil {
			for _, d := range diagnostic.Of(err) {
				got += d.Message + "; "
			}
		}
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%v: %q", test.libraries, got)
		}
		if made == nil {
			continue
		}
		seen[made.Digest] = true
		var names []string
		for _, f := range made.Files() {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != test.files {
			t.Errorf("%v: files %s", test.libraries, got)
		}
	}
	if len(seen) != 2 {
		t.Errorf("two sets of libraries make %d models", len(seen))
	}
}
