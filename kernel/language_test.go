package kernel

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestStoredNotebooksNameOurLanguages holds the teaching notebooks to what a
// front end stores in a notebook that it saves, so that opening and saving one
// changes nothing and nbconvert colours one that was never opened.
func TestStoredNotebooksNameOurLanguages(t *testing.T) {
	type info = map[string]any
	want := map[string]info{}
	for _, l := range []Language{SysML, Starlark} {
		text, err := json.Marshal(l.info())
		if err != nil {
			t.Fatal(err)
		}
		var i info
		if err := json.Unmarshal(text, &i); err != nil {
			t.Fatal(err)
		}
		want[l.Name] = i
	}
	paths, err := filepath.Glob("../notebooks/*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var nb struct {
			Metadata struct {
				Kernelspec struct {
					Name     string
					Display  string `json:"display_name"`
					Language string
				}
				Language info `json:"language_info"`
			}
		}
		if err := json.Unmarshal(text, &nb); err != nil {
			t.Fatal(err)
		}
		spec := nb.Metadata.Kernelspec
		if got, want := nb.Metadata.Language, want[spec.Language]; want == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: language_info is %v, and a front end stores %v", path, got, want)
		}
		if spec.Name != spec.Language || spec.Language == SysML.Name && spec.Display != SysML.DisplayName {
			t.Errorf("%s: kernelspec is %+v", path, spec)
		}
	}
}
