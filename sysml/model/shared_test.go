package model

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Tests of this file read the published library, its models and the language
// corpus from the folder that ORRERY_SHARED names; without it they have
// nothing to do.

func sharedDir() string { return os.Getenv("ORRERY_SHARED") }

func readFile(t testing.TB, path string) *source.File {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := source.NewFile(path, string(text))
	if strings.HasSuffix(path, ".kerml") {
		f.Language = source.KerML
	}
	return f
}

func openLibrary(t testing.TB, dir string) library.Source {
	s, err := library.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func filesBelow(t testing.TB, dir string) []string {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(path, ".sysml") || strings.HasSuffix(path, ".kerml")) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(paths)
	return paths
}

// TestSharedLibrary: the published library has no diagnostics, each file alone.
func TestSharedLibrary(t *testing.T) {
	dir := sharedDir()
	if dir == "" {
		return
	}
	for _, set := range []struct {
		name   string
		source library.Source
	}{{"published", openLibrary(t, filepath.Join(dir, "omg/sysml.library"))}, {"embedded", library.Embedded()}} {
		m := New(set.source, Options{})
		for _, name := range set.source.Files() {
			f, _ := set.source.File(name)
			report(t, set.name+" "+name, m.Check(m.readOne(f)), true)
		}
	}
}

// readOne is read for tests.
func (m *Model) readOne(f *source.File) *Document {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.read(f)
}

// report fails for each error in list, and for each warning where all is set.
func report(t *testing.T, name string, list diagnostic.List, all bool) {
	t.Helper()
	for i, d := range list {
		if d.Severity == diagnostic.Error || all && d.Severity == diagnostic.Warning {
			if i < 12 {
				t.Errorf("%s:%d: %s: %s: %s", name, d.Span.StartPosition().Line, d.Severity, d.Code, d.Message)
			} else if i == 12 {
				t.Errorf("%s: and %d more", name, len(list)-i)
			}
		}
	}
}

// rightlyWarned are the files with a warning that stands to reason.
var rightlyWarned = map[string]bool{
	// A part redefines one feature under the name that it inherits another by.
	"Packet Example/Packets.sysml": true,
}

// TestSharedModels: no training file and no example has an error or a
// warning, alone with
// what it imports, and all together, with either library.
func TestSharedModels(t *testing.T) {
	dir := sharedDir()
	if dir == "" {
		return
	}
	published := openLibrary(t, filepath.Join(dir, "omg/sysml.library"))
	for _, lib := range []struct {
		name   string
		source library.Source
	}{{"published", published}, {"embedded", library.Embedded()}} {
		for _, set := range []string{"training", "examples"} {
			t.Run(lib.name+"/"+set, func(t *testing.T) {
				root := filepath.Join(dir, "omg", set)
				others := library.Join(lib.source, openLibrary(t, root))
				together := New(lib.source, Options{})
				var docs []*Document
				for _, path := range filesBelow(t, root) {
					f := readFile(t, path)
					tree, problems := syntax.Parse(f, syntax.Options{})
					name, _ := filepath.Rel(root, path)
					report(t, name, problems, false)
					alone := New(others, Options{})
					d := &Document{File: f, Tree: tree, Owner: path}
					alone.Add(d)
					report(t, "alone: "+name, alone.Check(d), !rightlyWarned[name])
					d = &Document{File: f, Tree: tree, Owner: path}
					together.Add(d)
					docs = append(docs, d)
				}
				for _, d := range docs {
					name, _ := filepath.Rel(root, d.File.Name)
					report(t, "together: "+name, together.Check(d), !rightlyWarned[name])
				}
			})
		}
	}
}
