package notebooks

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

//go:embed *.ipynb
var course embed.FS

var courseCode = diagnostic.Register("course-exists",
	"A teaching notebook would be written over a file that is there already. What you wrote in it would be lost.")

// CopyCourse writes the teaching notebooks into dir, which is made where it
// does not exist, and returns their paths in the order to read them. A file
// that is there already is never overwritten: then the error is a Diagnostic
// and nothing is written.
func CopyCourse(dir string) ([]string, error) {
	names, err := fs.Glob(course, "*.ipynb")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path := filepath.Join(dir, name); exists(path) {
			return nil, diagnostic.New(courseCode, source.Span{}, path+" is there already").
				WithHint("name another folder: orrery tutorial DIR")
		}
	}
	var written []string
	for _, name := range names {
		text, err := course.ReadFile(name)
		if err == nil {
			err = os.MkdirAll(dir, 0o777)
		}
		path := filepath.Join(dir, name)
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			return written, diagnostic.New("notebook-write", source.Span{}, "cannot write "+path+": "+reason(err)).
				WithHint("name another folder: orrery tutorial DIR")
		}
		written = append(written, path)
	}
	return written, nil
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }
