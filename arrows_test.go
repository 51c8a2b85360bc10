package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/orrery-sysml/orrery"

// TestArrowsRunDown keeps the arrows of ARCHITECTURE.md: what a package (with
// its subpackages) must not depend on, and why.
func TestArrowsRunDown(t *testing.T) {
	rules := []struct {
		from, never []string
		because     string
	}{
		{[]string{"sysml"}, []string{"runtime", "plan", "render", "magics", "kernel", "repl", "notebooks"},
			"the language knows nothing of what executes it"},
		{[]string{"runtime"}, []string{"plan", "render", "magics", "kernel", "repl", "notebooks"},
			"the runtime gives typed results; how they look and what a user says is above it"},
		{[]string{"render"}, []string{"plan", "magics", "kernel", "repl", "notebooks"},
			"a result looks the same wherever it came from"},
		{[]string{"plan"}, []string{"magics", "kernel", "repl", "notebooks"},
			"plans run without cells"},
		{[]string{"magics"}, []string{"kernel", "repl", "notebooks"},
			"every front end can do what a magic does"},
		{[]string{"kernel"}, []string{"repl", "notebooks"}, "front ends know nothing of each other"},
		{[]string{"repl"}, []string{"kernel", "notebooks"}, "front ends know nothing of each other"},
		{[]string{"notebooks"}, []string{"kernel", "repl"}, "front ends know nothing of each other"},
		{[]string{"sysml", "runtime", "render", "plan", "magics", "repl", "notebooks"}, []string{"github.com/go-zeromq/zmq4"},
			"only the kernel speaks ZeroMQ"},
		{[]string{"sysml", "runtime", "render", "plan", "magics", "kernel", "notebooks"}, []string{"github.com/rivo/uniseg", "github.com/muesli/cancelreader"},
			"only the terminal edits lines"},
		{[]string{"repl/edit"}, []string{"runtime", "plan", "render", "magics"},
			"the editor knows text and keys, and asks what a cell means"},
		{[]string{"sysml", "runtime", "render"}, []string{"go.starlark.net"},
			"only plans are Starlark"},
	}
	deps := dependencies(t)
	for _, rule := range rules {
		for _, from := range rule.from {
			found := false
			for pkg, imports := range deps {
				if !within(pkg, module+"/"+from) {
					continue
				}
				found = true
				for _, dep := range imports {
					for _, never := range rule.never {
						if !strings.Contains(never, ".") {
							never = module + "/" + never
						}
						if within(dep, never) {
							t.Errorf("%s depends on %s: %s", pkg, dep, rule.because)
						}
					}
				}
			}
			if !found {
				t.Errorf("no package %s/%s: the rule speaks of nothing", module, from)
			}
		}
	}
}

// TestEveryPackageSaysWhatItIs holds each package to a doc.go.
func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for pkg := range dependencies(t) {
		dir := "." + strings.TrimPrefix(pkg, module)
		if dir == "." {
			continue
		}
		if _, err := os.Stat(dir + "/doc.go"); err != nil {
			t.Errorf("%s has no doc.go", pkg)
		}
	}
}

func within(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

// dependencies maps each package of the module to all that it depends on.
func dependencies(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Deps,Module", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := map[string][]string{}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := decoder.Decode(&p); err == io.EOF {
			return deps
		} else if err != nil {
			t.Fatal(err)
		}
		if within(p.ImportPath, module) {
			deps[p.ImportPath] = p.Deps
		}
	}
}
