package conform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
)

// TestCases judges our own cases: those whose name starts with "fails" have the
// problems that the file beside them lists, the others none.
func TestCases(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*" + suffix)
	if len(paths) == 0 {
		t.Fatal("no cases in testdata")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !IsLanguageCase(text) {
			t.Errorf("%s is not taken for a case", path)
		}
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if strings.HasPrefix(c.Name, "fails") {
			text, err := os.ReadFile(strings.TrimSuffix(path, suffix) + ".problems")
			if err != nil {
				t.Fatal(err)
			}
			want = strings.TrimSpace(string(text))
		}
		if got := strings.Join(c.Judge(library.Embedded()), "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
		}
	}
	if IsLanguageCase([]byte(`{"type": "calc"}`)) {
		t.Error("a case of another kind is taken for one of the language")
	}
}

// TestSharedLanguage judges the language corpus of the shared folder, with the
// published library and with ours, and holds the share that passes above a
// floor. testdata/missing.txt says why the others fail.
func TestSharedLanguage(t *testing.T) {
	dir := os.Getenv("ORRERY_SHARED")
	if dir == "" {
		return
	}
	published, err := library.Open(filepath.Join(dir, "omg/sysml.library"))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct {
		name  string
		lib   library.Source
		floor float64
	}{{"published", published, 0.98}, {"embedded", library.Embedded(), 0.98}} {
		paths, _ := filepath.Glob(filepath.Join(dir, "corpus/language/*"+suffix))
		missing := reasons(t)
		passed := 0
		for _, path := range paths {
			c, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			problems := c.Judge(set.lib)
			if len(problems) == 0 {
				passed++
				if missing[c.Name] != "" {
					t.Logf("%s passes: take it out of testdata/missing.txt", c.Name)
				}
				continue
			}
			t.Logf("%s: %s fails (%s)\n\t%s", set.name, c.Name, missing[c.Name], strings.Join(problems, "\n\t"))
		}
		t.Logf("%s: %d of %d pass", set.name, passed, len(paths))
		if float64(passed) < set.floor*float64(len(paths)) {
			t.Errorf("%s: %d of %d pass, fewer than %.0f %%", set.name, passed, len(paths), 100*set.floor)
		}
	}
}

// reasons reads testdata/missing.txt: a case and, behind "  # ", why it fails.
func reasons(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/missing.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, why, ok := strings.Cut(line, "  # "); ok {
			all[strings.TrimSpace(name)] = why
		}
	}
	return all
}
