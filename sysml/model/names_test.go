package model_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var (
	wantComment = regexp.MustCompile(`// want(?::(\d+))? (".*)$`)
	wantPattern = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// TestDiagnostics: each chunk of the models in testdata has the diagnostics
// that its comments want, on their lines, and no others.
func TestDiagnostics(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.*ml")
	if len(paths) == 0 {
		t.Fatal("no models in testdata")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		language := source.SysML
		if strings.HasSuffix(path, ".kerml") {
			language = source.KerML
		}
		line := 0
		for _, chunk := range strings.SplitAfter(string(text), "\n---\n") {
			checkChunk(t, path, line, strings.TrimSuffix(chunk, "---\n"), language)
			line += strings.Count(chunk, "\n")
		}
	}
}

func checkChunk(t *testing.T, path string, before int, chunk string, language source.Language) {
	t.Helper()
	wants := map[int][]*regexp.Regexp{}
	for i, line := range strings.Split(chunk, "\n") {
		hit := wantComment.FindStringSubmatch(line)
		if hit == nil {
			continue
		}
		at := i + 1
		if n, err := strconv.Atoi(hit[1]); err == nil {
			at = n - before
		}
		for _, p := range wantPattern.FindAllStringSubmatch(hit[2], -1) {
			wants[at] = append(wants[at], regexp.MustCompile(p[1]))
		}
	}
	for _, d := range checkText(chunk, language, library.Embedded(), model.Options{}) {
		n := d.Span.StartPosition().Line
		found := false
		for i, w := range wants[n] {
			if w.MatchString(d.Message) {
				wants[n] = append(wants[n][:i], wants[n][i+1:]...)
				found = true
				break
			}
		}
		if !found {
			t.Errorf("%s:%d: unexpected %s: %s", path, before+n, d.Code, d.Message)
		}
	}
	for n, left := range wants {
		for _, w := range left {
			t.Errorf("%s:%d: no diagnostic matches %q", path, before+n, w)
		}
	}
}
