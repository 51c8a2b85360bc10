package conform

import (
	"os"
	"path/filepath"
	"strings"
)

// An Oracle is a page that derives, section by section, what the library
// leaves open. A case with outcomes cites the title of a section.
type Oracle map[string]bool

// ReadOracle reads a page in Markdown.
func ReadOracle(name string) (Oracle, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	o := Oracle{}
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			o[strings.TrimSpace(title)] = true
		}
	}
	return o, nil
}

// oracleName is where the Oracle of cases is looked for: in the docs of a
// folder around them.
const oracleName = "docs/semantic-oracle.md"

// findOracle is the Oracle beside the folder of a case: that of the nearest
// folder around it which has one. It is nil where none does.
func findOracle(dir string) Oracle {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	for range 6 {
		if o, err := ReadOracle(filepath.Join(at, oracleName)); err == nil {
			return o
		}
		at = filepath.Dir(at)
	}
	return nil
}

// citation is what is wrong with what a case cites; checked is false where
// there is no Oracle to look it up in.
func (o Oracle) citation(c *Case) (reasons []string, checked bool) {
	switch {
	case o == nil:
		return nil, false
	case !o[c.Expect.Admissible]:
		return []string{"no section of the oracle is called " + c.Expect.Admissible}, true
	}
	return nil, true
}
