package exec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneChoiceFunction: one place of the executor asks the Resolver, so that
// no open order escapes schedules, searches and witnesses.
func TestOneChoiceFunction(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range strings.Count(string(text), ".Choose(") {
			places = append(places, name)
		}
	}
	if len(places) != 1 || places[0] != "performance.go" {
		t.Errorf("choices are resolved in %v, not in performance.go alone", places)
	}
}
