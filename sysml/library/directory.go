package library

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Unreadable is the code of what Open says against a library.
var Unreadable = diagnostic.Register("library-unreadable",
	"The library that --library or ORRERY_LIBRARY names cannot be read: there is no folder or .kpar archive "+
		"of that name, it holds no .sysml or .kerml file, or a part of it is damaged or too large.")

// maxFile bounds one text of a library, and one archive, in bytes: a small
// archive must not unpack into more than memory holds.
const maxFile = 64 << 20

// Open reads a library of a user: a folder of .sysml and .kerml files with its
// subfolders, or a .kpar archive; a folder may hold archives too. What starts
// with a dot is left out. The extension packages of the embedded library stay
// available behind it. A library that cannot be read is a
// *diagnostic.Diagnostic of code Unreadable.
//
// All texts are read at once and looked through for the packages at their top.
// They are not parsed, and not read again when they change on disk.
func Open(name string) (Source, error) {
	d := &directory{byName: map[string]*lazyFile{}, byPackage: map[string]*lazyFile{}}
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case info.IsDir():
		err = d.addTree(os.DirFS(name), name)
	default:
		err = d.addArchive(os.DirFS(filepath.Dir(name)), filepath.Base(name), name)
	}
	if err == nil && len(d.files) == 0 {
		err = errors.New("it holds no .sysml or .kerml file")
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	return Join(d, extensions()), nil
}

func unreadable(name string, err error) *diagnostic.Diagnostic {
	reason := err.Error()
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		reason = p.Err.Error()
	}
	return diagnostic.New(Unreadable, source.Span{}, fmt.Sprintf("the library %s cannot be read: %s", name, reason)).
		WithHint("give a folder with .sysml and .kerml files, or a .kpar archive")
}

// A directory is a Source over texts from disk. It never changes once opened.
type directory struct {
	files     []*source.File
	names     []string
	byName    map[string]*lazyFile
	byPackage map[string]*lazyFile // by name and short name
}

func (d *directory) Lookup(name string) (*source.File, bool) { return get(d.byPackage, name) }
func (d *directory) File(name string) (*source.File, bool)   { return get(d.byName, name) }

func (d *directory) MayHold(name, member string) bool {
	lazy, ok := d.byPackage[name]
	return ok && lazy.members().mayHold(member)
}

func (d *directory) Names() []string { return append([]string(nil), d.names...) }

func (d *directory) Files() []string {
	names := make([]string, len(d.files))
	for i, f := range d.files {
		names[i] = f.Name
	}
	return names
}

// addTree adds all texts and archives of tree, which a reader knows as name,
// in the order of their paths.
func (d *directory) addTree(tree fs.FS, name string) error {
	return fs.WalkDir(tree, ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case at != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil
		}
		switch path.Ext(at) {
		case ".kpar":
			return d.addArchive(tree, at, path.Join(name, at))
		case ".sysml", ".kerml":
			return d.addText(tree, at, path.Join(name, at))
		}
		return nil
	})
}

// addArchive adds the texts of the archive at a path of tree.
func (d *directory) addArchive(tree fs.FS, at, name string) error {
	packed, err := readFile(tree, at)
	if err != nil {
		return err
	}
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return fmt.Errorf("%s is no .kpar archive", name)
	}
	for _, entry := range archive.File {
		if ext := path.Ext(entry.Name); ext != ".sysml" && ext != ".kerml" || strings.HasPrefix(path.Base(entry.Name), ".") {
			continue
		}
		if err := d.addText(archive, entry.Name, path.Join(name, entry.Name)); err != nil {
			return err
		}
	}
	return nil
}

// addText adds the text at a path of tree. Where packages are declared twice
// the first declaration counts.
func (d *directory) addText(tree fs.FS, at, name string) error {
	text, err := readFile(tree, at)
	if err != nil {
		return err
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	f := &source.File{Name: name, Text: string(text), Language: languageOf(path.Ext(at)), Library: true}
	lazy := &lazyFile{func() *source.File { return f }, sync.OnceValue(func() members { return membersOf(f.Text) })}
	d.files = append(d.files, f)
	if d.byName[name] == nil {
		d.byName[name] = lazy
	}
	for _, p := range topPackages(f.Text) {
		if p.name != "" && d.byPackage[p.name] == nil {
			d.byPackage[p.name] = lazy
			d.names = append(d.names, p.name)
		}
		if p.short != "" && d.byPackage[p.short] == nil {
			d.byPackage[p.short] = lazy
		}
	}
	return nil
}

// readFile is the content of the file at a path of tree, which is not longer
// than maxFile.
func readFile(tree fs.FS, at string) ([]byte, error) {
	file, err := tree.Open(at)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is damaged", at)
	case len(content) > maxFile:
		return nil, fmt.Errorf("%s is longer than %d MB", at, maxFile>>20)
	}
	return content, nil
}
