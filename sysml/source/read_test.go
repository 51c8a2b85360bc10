package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int64) string {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, []byte("part def A;\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(at, size); err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, test := range []struct {
		name, at string
		size     int
		want     string
	}{
		{"a model", write("a", 12), 12, ""},
		{"an empty file", write("empty", 0), 0, ""},
		{"more than a file may have", write("large", source.MaxFile+1), 0, "longer than 256 MB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := source.Read(test.at)
			var at *fs.PathError
			switch {
			case test.want == "" && (err != nil || len(text) != test.size):
				t.Errorf("%d bytes, %v; want %d bytes", len(text), err, test.size)
			case test.want != "" && (!errors.As(err, &at) || at.Err.Error() != test.want):
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if _, err := source.Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
