package model

import (
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
)

// TestImpliedBasesAreInTheLibrary: every library element that is implied for
// something is there, in our library and in the published one.
func TestImpliedBasesAreInTheLibrary(t *testing.T) {
	names := map[string]bool{}
	for _, n := range base {
		names[n] = true
	}
	for one, two := range binaryBase {
		names[one], names[two] = true, true
	}
	for _, n := range memberBase {
		names[n] = true
	}
	for _, r := range contextRules {
		names[r.base] = true
	}
	libraries := []Library{library.Embedded()}
	if dir := sharedDir(); dir != "" {
		libraries = append(libraries, openLibrary(t, filepath.Join(dir, "omg/sysml.library")))
	}
	for i, lib := range libraries {
		m := New(lib, Options{})
		for n := range names {
			if m.Find(n) == nil {
				t.Errorf("library %d has no %s", i, n)
			}
		}
	}
}
