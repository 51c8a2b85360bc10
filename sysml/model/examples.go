package model

import (
	"embed"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

//go:embed codes
var codeFiles embed.FS

// An Example shows what a code means: a model that has it, and the model as it
// should be.
type Example struct {
	Language     source.Language
	Wrong, Right string
}

// ExampleOf is the example of a code that this package reports; false for all
// other codes.
func ExampleOf(code diagnostic.Code) (Example, bool) {
	for i, extension := range [...]string{".sysml", ".kerml"} {
		text, err := codeFiles.ReadFile("codes/" + string(code) + extension)
		if err != nil {
			continue
		}
		wrong, right, _ := strings.Cut(string(text), "---\n")
		return Example{source.Language(i), wrong, right}, true
	}
	return Example{}, false
}
