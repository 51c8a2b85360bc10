package value_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

var (
	declaredPackage  = regexp.MustCompile(`library package (\w+)`)
	declaredFunction = regexp.MustCompile(`^\s*(?:abstract )?(?:function|calc def) ('[^']+'|\w+)`)
	declaredInput    = regexp.MustCompile(`\bin (?:expr |feature )?('[^']+'|\w+)\b`)
)

// librarySignatures reads the names of the inputs of every function that the
// embedded library declares, by its qualified name.
func librarySignatures(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("../../sysml/library/text/*/*Functions.*ml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no library texts: %v", err)
	}
	more, _ := filepath.Glob("../../sysml/library/text/domain/*Calculations.sysml")
	signatures := map[string][]string{}
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pkg := declaredPackage.FindStringSubmatch(string(text))
		if pkg == nil {
			t.Fatalf("%s declares no package", file)
		}
		depth, current := 0, ""
		for line := range strings.SplitSeq(string(text), "\n") {
			if m := declaredFunction.FindStringSubmatch(line); m != nil && depth == 1 {
				current = pkg[1] + "::" + strings.Trim(m[1], "'")
				signatures[current] = nil
			}
			inputs := line
			if depth > 2 || strings.Contains(line, "doc /*") {
				inputs = "" // the inputs of a body, or prose
			} else if i := strings.Index(line, "{"); depth == 2 && i >= 0 {
				inputs = line[:i] // an input with a body of its own
			}
			for _, m := range declaredInput.FindAllStringSubmatch(inputs, -1) {
				if current != "" {
					signatures[current] = append(signatures[current], strings.Trim(m[1], "'"))
				}
			}
			depth += strings.Count(line, "{") - strings.Count(line, "}")
			if depth == 1 {
				current = ""
			}
		}
	}
	return signatures
}

// The parameters of the functions computed here have the names that the
// library gives them.
func TestParametersAgreeWithTheLibrary(t *testing.T) {
	signatures := librarySignatures(t)
	compared := 0
	for _, name := range value.LibraryFunctions() {
		declared, ok := signatures[name]
		if !ok || len(declared) == 0 {
			continue // an alias, or unnamed inputs
		}
		compared++
		f, _ := value.LookupFunction(name)
		var ours []string
		for _, p := range f.Parameters {
			ours = append(ours, p.Name)
		}
		if strings.Join(ours, " ") != strings.Join(declared, " ") {
			t.Errorf("%s has parameters %v, the library declares %v", name, ours, declared)
		}
	}
	if compared < 150 {
		t.Errorf("%d functions compared, want 150 at least", compared)
	}
}
