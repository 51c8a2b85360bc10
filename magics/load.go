package magics

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file finds and reads the texts that a path of %load stands for: a
// .sysml or .kerml file, a .kpar archive, a folder with all such files below
// it, or a pattern with * and ? that names any of them.

// maxText bounds one text, packed or not; no model is near it.
const maxText = 256 << 20

// maxEntries bounds how many files and folders are looked at below one folder:
// who asks for more has named the wrong one, such as / or a home.
var maxEntries = 100_000

// texts reads everything that path stands for, in order of names.
func (s *Shell) texts(ctx context.Context, path string, at source.Span) ([]*source.File, error) {
	full := s.path(path)
	info, err := os.Stat(full)
	if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?[") {
		return s.matching(ctx, path, at)
	}
	switch {
	case err != nil:
		return nil, fileError(at, path, err)
	case info.IsDir():
		return folder(ctx, path, full, at)
	case strings.EqualFold(filepath.Ext(path), ".kpar"):
		return archive(path, full, at)
	}
	return file(path, full, at)
}

// matching reads what the pattern matches.
func (s *Shell) matching(ctx context.Context, pattern string, at source.Span) ([]*source.File, error) {
	names, err := filepath.Glob(s.path(pattern))
	if err != nil {
		return nil, diagnostic.New(codeFile, at, "the pattern "+pattern+" is malformed")
	}
	var files []*source.File
	for _, full := range names {
		name := full
		if rel, err := filepath.Rel(s.dir, full); err == nil && !filepath.IsAbs(pattern) {
			name = rel
		}
		more, err := s.texts(ctx, name, at)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if files == nil {
		return nil, diagnostic.New(codeFile, at, "nothing matches "+pattern).
			WithHint("relative paths start from the folder that %pwd shows")
	}
	return files, nil
}

// notation is the language of a file by its name, and whether it has one.
func notation(name string) (source.Language, bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".sysml":
		return source.SysML, true
	case ".kerml":
		return source.KerML, true
	}
	return 0, false
}

func file(name, full string, at source.Span) ([]*source.File, error) {
	language, ok := notation(name)
	if !ok {
		return nil, diagnostic.New(codeFile, at, name+" is no model").WithHint("models end in .sysml, .kerml or .kpar")
	}
	data, err := source.Read(full)
	if err != nil {
		return nil, fileError(at, name, err)
	}
	return []*source.File{{Name: name, Text: string(data), Language: language}}, nil
}

// folder reads the models below a folder, hidden folders left out, until ctx is
// done.
func folder(ctx context.Context, name, full string, at source.Span) ([]*source.File, error) {
	var files []*source.File
	entries := 0
	err := filepath.WalkDir(full, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fileError(at, path, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if entries++; entries > maxEntries {
			return diagnostic.New(codeFile, at, fmt.Sprintf("below %s lie more than %d files and folders", name, maxEntries)).
				WithHint("name a folder below it that holds the models")
		}
		if entry.IsDir() {
			if path != full && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if _, ok := notation(path); !ok || strings.HasPrefix(entry.Name(), ".") || entry.Type()&^fs.ModeSymlink != 0 {
			return nil // no model, or a pipe that nobody may ever write to
		}
		inside, err := filepath.Rel(full, path)
		if err != nil {
			return fileError(at, path, err)
		}
		more, err := file(filepath.Join(name, inside), path, at)
		files = append(files, more...)
		return err
	})
	if err == nil && files == nil {
		return nil, diagnostic.New(codeFile, at, "the folder "+name+" holds no model").WithHint("models end in .sysml or .kerml")
	}
	return files, err
}

// archive reads the models in a .kpar file, a zip archive.
func archive(name, full string, at source.Span) ([]*source.File, error) {
	r, err := zip.OpenReader(full)
	if err != nil {
		return nil, diagnostic.New(codeFile, at, name+" is no readable .kpar archive: "+rootCause(err))
	}
	defer r.Close()
	var files []*source.File
	for _, entry := range r.File {
		language, ok := notation(entry.Name)
		if !ok {
			continue
		}
		text, err := unpack(entry)
		if err != nil {
			return nil, diagnostic.New(codeFile, at, fmt.Sprintf("%s in %s cannot be read: %s", entry.Name, name, rootCause(err)))
		}
		files = append(files, &source.File{Name: name + "/" + entry.Name, Text: text, Language: language})
	}
	slices.SortFunc(files, func(a, b *source.File) int { return cmp.Compare(a.Name, b.Name) })
	return files, nil
}

func unpack(entry *zip.File) (string, error) {
	r, err := entry.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(data) > maxText {
		err = errors.New("it is too large")
	}
	return string(data), err
}
