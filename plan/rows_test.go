package plan

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lastRow is the number of the last row.
const lastRow = 130

// TestEveryRow holds the tests of this package and those below it to the table
// of rows T1 to T130 of the plan language: each row is the name of a case in a
// table or of a plan in testdata, or a test says that it is it.
func TestEveryRow(t *testing.T) {
	row := regexp.MustCompile(`\bT[0-9]+\b`)
	at := map[string]string{}
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == "rows_test.go" {
			return err
		}
		cases := strings.HasSuffix(name, ".plans")
		if !cases && !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(text), "\n") {
			if cases && !strings.HasPrefix(line, "== ") {
				continue
			}
			for _, r := range row.FindAllString(line, -1) {
				at[r] = name
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= lastRow; i++ {
		r := fmt.Sprintf("T%d", i)
		if at[r] == "" {
			t.Errorf("%s is nobody's test", r)
		}
	}
}
