package notebooks

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

//go:embed *.ipynb solutions
var course embed.FS

var courseCode = diagnostic.Register("course-exists",
	"A teaching notebook would be written over a file that is there already. What you wrote in it would be lost.")

// CopyCourse writes the teaching notebooks into dir, which is made where it
// does not exist, and the solutions of their exercises into a folder in it. It
// returns the paths of the notebooks in the order to read them. A file that is
// there already is never overwritten: then the error is a Diagnostic and
// nothing is written.
func CopyCourse(dir string) ([]string, error) {
	names, err := fs.Glob(course, "*.ipynb")
	if err != nil {
		return nil, err
	}
	solutions, err := fs.Glob(course, "solutions/*")
	if err != nil {
		return nil, err
	}
	names = append(names, solutions...)
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
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			return written, diagnostic.New("notebook-write", source.Span{}, "cannot write "+path+": "+reason(err)).
				WithHint("name another folder: orrery tutorial DIR")
		}
		if !strings.HasPrefix(name, "solutions/") {
			written = append(written, path)
		}
	}
	return written, nil
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }
