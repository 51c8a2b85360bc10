package model_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// checkText is everything that is wrong with text.
func checkText(text string, language source.Language, lib model.Library, options model.Options) diagnostic.List {
	f := source.NewFile("test", text)
	f.Language = language
	tree, list := syntax.Parse(f, syntax.Options{})
	m := model.New(lib, options)
	d := &model.Document{File: f, Tree: tree, Owner: "test"}
	m.Add(d)
	return append(list, m.Check(d)...)
}

// withoutLibrary are the codes that only a missing library raises.
var withoutLibrary = map[diagnostic.Code]bool{"missing-base-type": true, "feature-without-type": true}

// brings are the errors that cannot but come with another.
var brings = map[diagnostic.Code]map[diagnostic.Code]bool{
	"flow-end-unidentified": {"inaccessible-feature": true, "too-few-related-elements": true},
}

var registered = regexp.MustCompile(`diagnostic\.Register\("([a-z-]+)"`)

// TestEveryCodeHasAnExample: the wrong half of each example raises its code and
// no other error, and nothing is wrong with the right half.
func TestEveryCodeHasAnExample(t *testing.T) {
	files, err := os.ReadDir("codes")
	if err != nil {
		t.Fatal(err)
	}
	has := map[diagnostic.Code]bool{}
	for _, f := range files {
		code := diagnostic.Code(strings.TrimSuffix(f.Name(), filepath.Ext(f.Name())))
		has[code] = true
		if _, ok := diagnostic.Explain(code); !ok {
			t.Errorf("codes/%s: no such code", f.Name())
		}
		x, ok := model.ExampleOf(code)
		if !ok {
			t.Errorf("no example is read from codes/%s", f.Name())
		}
		var lib model.Library = library.Embedded()
		wrong := lib
		if withoutLibrary[code] {
			wrong = nil
		}
		found := false
		for _, d := range checkText(x.Wrong, x.Language, wrong, model.Options{}) {
			if d.Code == code {
				found = true
			} else if d.Severity == diagnostic.Error && !brings[code][d.Code] {
				t.Errorf("%s: the wrong model has %s too, line %d: %s", code, d.Code, d.Span.StartPosition().Line, d.Message)
			}
			if strings.HasSuffix(d.Message, ".") || d.Span.IsZero() {
				t.Errorf("%s: message %q at %v", code, d.Message, d.Span)
			}
		}
		if !found {
			t.Errorf("%s: the wrong model does not have it", code)
		}
		for _, d := range checkText(x.Right, x.Language, lib, model.Options{}) {
			t.Errorf("%s: the right model has %s, line %d: %s", code, d.Code, d.Span.StartPosition().Line, d.Message)
		}
	}
	text, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range registered.FindAllStringSubmatch(string(text), -1) {
		if code := diagnostic.Code(hit[1]); !has[code] {
			t.Errorf("%s has no example in codes/", code)
		}
	}
}
