package conform

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Case is one model and what is expected of it.
type Case struct {
	// Name is that of its files, without what follows the first dot.
	Name string
	// File is the model; Documents are those loaded with it, which are not
	// judged.
	File      *source.File
	Documents []*source.File
	Expected  Expected
}

// Expected is the content of NAME.expected.json.
type Expected struct {
	// Language is "sysml" or "kerml", the extension of the model.
	Language string `json:"language"`
	// Documents are paths of further documents, relative to the case.
	Documents []string `json:"documents"`
	// Libraries says whether library files are loaded, LibraryFiles which, by
	// name; none of them listed means all.
	Libraries    bool     `json:"libraries"`
	LibraryFiles []string `json:"library_files"`
	// Exhaustive says that the model has no errors and warnings but those
	// that are expected.
	Exhaustive bool `json:"exhaustive"`
	// UndecidedLines are lines on which nothing is judged.
	UndecidedLines []int         `json:"undecided_lines"`
	Expect         []Expectation `json:"expect"`
	Source         string        `json:"source"`
}

// An Expectation is one thing expected of a model.
type Expectation struct {
	// Kind is "error", "warning", "noErrors", "linkedName", "scope" or
	// "exportedObjects"; the last is not judged.
	Kind    string `json:"kind"`
	Class   string `json:"class"`   // the code of an error or warning
	Message string `json:"message"` // for reading only
	// Line counts from 1, Offset in bytes from 0; At is the text meant.
	Line   int    `json:"line"`
	At     string `json:"at"`
	Offset int    `json:"offset"`
	// Implied widens noErrors to the whole document.
	Implied bool            `json:"implied"`
	Value   json.RawMessage `json:"value"`
}

const suffix = ".expected.json"

// IsLanguageCase reports whether text, the content of a file NAME.expected.json,
// is that of a case of this package.
func IsLanguageCase(text []byte) bool {
	var head struct {
		Language *string         `json:"language"`
		Expect   json.RawMessage `json:"expect"`
	}
	return json.Unmarshal(text, &head) == nil && head.Language != nil && head.Expect != nil
}

// Load reads the case whose expectation is at path, NAME.expected.json.
func Load(path string) (*Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	stem := strings.TrimSuffix(path, suffix)
	c := &Case{Name: filepath.Base(stem)}
	if err := json.Unmarshal(text, &c.Expected); err != nil {
		return nil, diagnostic.New(unreadableCase, source.Span{}, path+" is no case of the language: "+err.Error())
	}
	if c.File, err = readModel(stem + "." + c.Expected.Language); err != nil {
		return nil, err
	}
	for _, d := range c.Expected.Documents {
		f, err := readModel(filepath.Join(filepath.Dir(path), filepath.FromSlash(d)))
		if err != nil {
			return nil, err
		}
		c.Documents = append(c.Documents, f)
	}
	return c, nil
}

var unreadableCase = diagnostic.Register("language-case", "A file NAME.expected.json that should hold a case of the language does not.")

func readModel(path string) (*source.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := source.NewFile(path, string(text))
	if strings.HasSuffix(path, ".kerml") {
		f.Language = source.KerML
	}
	return f, nil
}
