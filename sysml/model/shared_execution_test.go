package model

import (
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// TestSharedExecution: no model of the execution corpus has a diagnostic in
// lenient mode, with and without a library.
func TestSharedExecution(t *testing.T) {
	dir := sharedDir()
	if dir == "" {
		return
	}
	for _, lib := range []Library{nil, library.Embedded()} {
		for _, path := range filesBelow(t, filepath.Join(dir, "corpus/execution")) {
			f := readFile(t, path)
			f.Language = source.SysML
			tree, problems := syntax.Parse(f, syntax.Options{Extensions: true})
			report(t, filepath.Base(path), problems, true)
			m := New(lib, Options{Lenient: true})
			d := &Document{File: f, Tree: tree, Owner: path}
			m.Add(d)
			report(t, filepath.Base(path), m.Check(d), true)
		}
	}
}
