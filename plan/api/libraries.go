package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is model.open(libraries=): where a model finds the packages that it
// imports and does not declare.

// library is what the models find packages in that say nothing of it.
func (m *Models) library() library.Source {
	if m.Library != nil {
		return m.Library
	}
	return library.Embedded()
}

// libraries are what a model says of them itself.
type libraries struct {
	library.Source                // the folders, before the library of all models
	files          []*source.File // of the folders, named as the plan would
	sources        []leaf.Source  // the folders
	spelled        string         // as JSON: false, or the folders
}

// digest is that of the folders' files, and of how many files there are in all.
func (l *libraries) digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d", len(l.Source.Files()))
	for _, f := range l.files {
		fmt.Fprintf(h, "\n%s %d\n%s", f.Name, len(f.Text), f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// readLibraries reads libraries=: True for the library of all models, False for
// none, a folder or a list of folders, relative to the plan, to look in first.
func (m *Models) readLibraries(v starlark.Value) (*libraries, error) {
	var folders []starlark.Value
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		if v {
			return nil, nil
		}
		return &libraries{Source: library.Join(), spelled: "false"}, nil
	case starlark.String:
		folders = []starlark.Value{v}
	case starlark.Iterable:
		it := v.Iterate()
		defer it.Done()
		for x := starlark.Value(nil); it.Next(&x); {
			folders = append(folders, x)
		}
	default:
		return nil, fmt.Errorf("libraries is True, False, a folder or a list of folders, not %s", v.Type())
	}
	l := &libraries{}
	names := []string{}
	var sources []library.Source
	for _, v := range folders {
		name, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("libraries: a folder is named by text, not by %s", v.Type())
		}
		names = append(names, name)
		full := name
		if !filepath.IsAbs(full) {
			full = filepath.Join(m.Dir, full)
		}
		found, err := library.Open(full)
		if err != nil {
			return nil, err
		}
		sources = append(sources, found)
		begin := len(l.files)
		for _, n := range found.Files() {
			f, ok := found.File(n)
			at, below := strings.CutPrefix(n, path.Clean(filepath.ToSlash(full))+"/")
			if ok && below { // the others are ours
				l.files = append(l.files, &source.File{Name: path.Join(filepath.ToSlash(name), at), Text: f.Text, Language: f.Language})
			}
		}
		l.sources = append(l.sources, leaf.Source{Kind: librarySource, Path: name, Digest: digestOf(l.files[begin:])})
	}
	l.Source = library.Join(append(sources, m.library())...)
	spelled, err := json.Marshal(names)
	l.spelled = string(spelled)
	return l, err
}

// readSpelled is readLibraries of what was spelled; "" for none.
func (m *Models) readSpelled(spelled string) (*libraries, error) {
	switch spelled {
	case "":
		return nil, nil
	case "false":
		return m.readLibraries(starlark.False)
	}
	var names []string
	if err := json.Unmarshal([]byte(spelled), &names); err != nil {
		return nil, err
	}
	folders := make(starlark.Tuple, len(names))
	for i, n := range names {
		folders[i] = starlark.String(n)
	}
	return m.readLibraries(folders)
}
