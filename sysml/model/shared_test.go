package model

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// A languageCase is NAME.expected.json of the language corpus.
type languageCase struct {
	name         string
	Language     string
	Documents    []string
	Libraries    bool
	LibraryFiles []string `json:"library_files"`
	Exhaustive   bool
	Undecided    []int `json:"undecided_lines"`
	Expect       []struct {
		Kind, Class, Message, At string
		Line, Offset             int
		Implied                  bool
		Value                    json.RawMessage
	}
}

// somePackages is a library of some files.
type somePackages map[string]*source.File

func (s somePackages) Lookup(name string) (*source.File, bool) { f, ok := s[name]; return f, ok }

var topLevel = regexp.MustCompile(`(?m)^\s*(?:standard\s+)?(?:library\s+)?package\s+('[^']+'|\w+)`)

// TestSharedLanguage judges the cases of the language corpus and holds the
// share that passes above a floor. testdata/language-missing.txt says why the
// others fail.
func TestSharedLanguage(t *testing.T) {
	dir := sharedDir()
	if dir == "" {
		return
	}
	const floor = 0.90
	files := map[string]*source.File{}
	for _, path := range filesBelow(t, filepath.Join(dir, "omg/sysml.library")) {
		f := readFile(t, path)
		f.Library = true
		files[filepath.Base(path)] = f
	}
	missing := readReasons(t, "testdata/language-missing.txt")
	paths, _ := filepath.Glob(filepath.Join(dir, "corpus/language/*.expected.json"))
	passed, total := 0, 0
	for _, path := range paths {
		total++
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := languageCase{name: strings.TrimSuffix(filepath.Base(path), ".expected.json")}
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(path, err)
		}
		if only := os.Getenv("ORRERY_CASE"); only != "" && !strings.Contains(c.name, only) {
			continue
		}
		problems := judge(t, dir, files, &c)
		if len(problems) == 0 {
			passed++
			if missing[c.name] != "" {
				t.Logf("%s passes now: take it out of language-missing.txt", c.name)
			}
			continue
		}
		why := missing[c.name]
		if why == "" {
			why = "no reason is listed"
		}
		t.Logf("FAIL %s (%s)", c.name, why)
		for _, p := range problems {
			t.Logf("     %s", p)
		}
	}
	t.Logf("%d of %d language cases pass", passed, total)
	if float64(passed) < floor*float64(total) && os.Getenv("ORRERY_CASE") == "" {
		t.Errorf("%d of %d language cases pass, fewer than %.0f %%", passed, total, 100*floor)
	}
}

func readReasons(t *testing.T, path string) map[string]string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, why, ok := strings.Cut(line, "  # "); ok {
			reasons[strings.TrimSpace(name)] = why
		}
	}
	return reasons
}

// judge says in what way the model disagrees with the case.
func judge(t *testing.T, dir string, files map[string]*source.File, c *languageCase) (problems []string) {
	defer func() {
		if r := recover(); r != nil {
			problems = append(problems, fmt.Sprint("panic: ", r))
			if os.Getenv("ORRERY_CASE") != "" {
				panic(r)
			}
		}
	}()
	base := filepath.Join(dir, "corpus/language")
	var lib Library
	if c.Libraries {
		some := somePackages{}
		for _, n := range c.LibraryFiles {
			if f := files[n]; f != nil {
				for _, hit := range topLevel.FindAllStringSubmatch(f.Text, 1) {
					some[strings.Trim(hit[1], "'")] = f
				}
			}
		}
		lib = some
	}
	m := New(lib, Options{})
	f := readFile(t, filepath.Join(base, c.name+"."+c.Language))
	tree, list := syntax.Parse(f, syntax.Options{})
	d := &Document{File: f, Tree: tree, Owner: c.name}
	m.Add(d)
	for _, dep := range c.Documents {
		f := readFile(t, filepath.Join(base, dep))
		tree, _ := syntax.Parse(f, syntax.Options{})
		m.Add(&Document{File: f, Tree: tree, Owner: dep})
	}
	list = append(list, m.Check(d)...)
	links := m.Links(d)
	undecided := map[int]bool{}
	for _, n := range c.Undecided {
		undecided[n] = true
	}
	type fault struct {
		severity diagnostic.Severity
		class    string
		line     int
	}
	found, expected := map[fault]*diagnostic.Diagnostic{}, map[fault]bool{}
	for _, d := range list {
		if d.Severity <= diagnostic.Warning {
			found[fault{d.Severity, string(d.Code), d.Span.StartPosition().Line}] = d
		}
	}
	noErrors := map[int]bool{}
	for _, x := range c.Expect {
		switch x.Kind {
		case "error", "warning":
			k := fault{diagnostic.Error, x.Class, x.Line}
			if x.Kind == "warning" {
				k.severity = diagnostic.Warning
			}
			expected[k] = true
			if found[k] == nil {
				problems = append(problems, fmt.Sprintf("%d: expected %s %s at %q: %s", x.Line, x.Kind, x.Class, x.At, x.Message))
			}
		case "noErrors":
			noErrors[x.Line] = true
			if x.Implied {
				noErrors[0] = true
			}
		case "linkedName":
			var want string
			json.Unmarshal(x.Value, &want)
			if got := linkedAt(links, x.Offset); got != want {
				problems = append(problems, fmt.Sprintf("%d: %q leads to %s, expected %s", x.Line, x.At, got, want))
			}
		case "scope":
			var names []string
			json.Unmarshal(x.Value, &names)
			problems = append(problems, unreachable(m, links, x.Line, x.Offset, names)...)
		}
	}
	for k, d := range found {
		bad := c.Exhaustive || k.severity == diagnostic.Error && (noErrors[k.line] || noErrors[0])
		if bad && !expected[k] && !undecided[k.line] {
			problems = append(problems, fmt.Sprintf("%d: found %s %s: %s", k.line, k.severity, k.class, d.Message))
		}
	}
	sort.Strings(problems)
	return problems
}

func linkAt(links []Link, offset int) (Link, bool) {
	var best Link
	ok := false
	for _, l := range links {
		r := l.Name.Range
		if int(r.Start) <= offset && offset < int(r.End) {
			if !ok || r.End-r.Start < best.Name.End-best.Name.Start {
				best, ok = l, true
			}
		}
	}
	return best, ok
}

func linkedAt(links []Link, offset int) string {
	l, ok := linkAt(links, offset)
	switch {
	case !ok:
		return "no reference"
	case l.Target == nil:
		return "nothing"
	}
	l.Target.model.mu.Lock()
	defer l.Target.model.mu.Unlock()
	return l.Target.qualifiedName(false)
}

// unreachable are the names that cannot be said where the reference at offset
// stands.
func unreachable(m *Model, links []Link, line, offset int, names []string) []string {
	l, ok := linkAt(links, offset)
	if !ok {
		return []string{fmt.Sprintf("%d: no reference for a scope", line)}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var bad []string
	for _, n := range names {
		var q syntax.QualifiedName
		for _, s := range strings.Split(n, "::") {
			q.Segments = append(q.Segments, syntax.Name{Text: s})
		}
		if !sayable(m, l, q) {
			bad = append(bad, n)
		}
	}
	if len(bad) > 0 {
		return []string{fmt.Sprintf("%d: %d of %d names of the scope are not reached: %s", line, len(bad), len(names), strings.Join(bad[:min(len(bad), 8)], " "))}
	}
	return nil
}

func sayable(m *Model, l Link, q syntax.QualifiedName) bool {
	if l.behindDot {
		found, _ := m.memberOf(q, l.Scope, nil)
		return found.aliased() != nil
	}
	for _, fits := range []func(*Element) bool{l.fits, nil} {
		if found, _ := m.first(q, place{l.Scope, l.redefines}, l.except, fits); found.aliased() != nil {
			return true
		}
	}
	return false
}
