package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file notes which files the leaves of a plan depend on, so that a leaf of
// an earlier walk is kept where those have not changed.

// sources are the files that a plan has read.
type sources struct {
	mu     sync.Mutex
	opened []lang.Opened          // by the top level
	again  map[leaf.Source]string // digests of what is there now
}

// Opened are the files that executions of the top level have read so far.
func (m *Models) Opened() []lang.Opened {
	m.sources.mu.Lock()
	defer m.sources.mu.Unlock()
	return m.sources.opened[:len(m.sources.opened):len(m.sources.opened)]
}

// read notes that the builtin which thread calls has read s: for the tests that
// reach the call at the top level, or else for the leaf.
func (e *Environment) read(thread *starlark.Thread, s leaf.Source) {
	if lang.Of(thread).Phase != lang.AtModule {
		e.depends(s)
		return
	}
	o := lang.Opened{Source: s, At: thread.CallFrame(1).Pos}
	m := &e.models.sources
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.ContainsFunc(m.opened, func(x lang.Opened) bool {
		return x.Source == o.Source && x.At.Line == o.At.Line && x.At.Col == o.At.Col && x.At.Filename() == o.At.Filename()
	}) {
		m.opened = append(m.opened, o)
	}
}

// depends notes that the leaf depends on list.
func (e *Environment) depends(list ...leaf.Source) {
	for _, s := range list {
		if !slices.Contains(e.account.Sources, s) {
			e.account.Sources = append(e.account.Sources, s)
		}
	}
}

// unchanged reports whether what s was read from is as it was. It reads each
// source once.
func (m *Models) unchanged(s leaf.Source) bool {
	digest := s.Digest
	s.Digest = ""
	m.sources.mu.Lock()
	defer m.sources.mu.Unlock()
	is, known := m.sources.again[s]
	if !known {
		is = m.digestNow(s)
		if m.sources.again == nil {
			m.sources.again = map[leaf.Source]string{}
		}
		m.sources.again[s] = is
	}
	return is != "" && is == digest
}

// Keep reports whether what a leaf depends on is as it was, so that the leaf is
// not run again.
func (m *Models) Keep(list []leaf.Source) bool {
	for _, s := range list {
		if s.Kind == textSource && m.found(s) == nil || s.Kind != textSource && !m.unchanged(s) {
			return false
		}
	}
	return true
}

// Use notes that the walk has a row of a leaf that depends on list. Models that
// the leaf opened are opened where it was not run again.
func (m *Models) Use(list []leaf.Source) {
	for _, s := range list {
		if s.Kind != modelSource && s.Kind != textSource {
			continue
		}
		x := m.found(s)
		if x == nil && s.Kind == modelSource {
			x = m.reopened(s)
		}
		if x != nil {
			x.used.Store(true)
		}
	}
}

func (m *Models) found(s leaf.Source) *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bySource[s]
}

// reopened is the model that a leaf of an earlier walk opened; nil where its
// files are gone meanwhile.
func (m *Models) reopened(s leaf.Source) *Model {
	paths, files, err := m.readPaths(s.Path)
	if err != nil {
		return nil
	}
	how := reading{lenient: s.Lenient}
	if how.libraries, err = m.readSpelled(s.Libraries); err != nil {
		return nil
	}
	if how.libraries != nil {
		how.sources = how.libraries.sources
	}
	x, _ := m.declare(context.Background(), "", paths, files, how) // it was without errors when the leaf ran
	return x
}

// spelledPaths is what model.open was given as JSON, since a path may have any
// letters.
func spelledPaths(paths []string) string {
	text, _ := json.Marshal(paths) // texts have no error
	return string(text)
}

// readPaths reads the files of what spelledPaths gave.
func (m *Models) readPaths(spelled string) (paths []string, files []*source.File, err error) {
	if err := json.Unmarshal([]byte(spelled), &paths); err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		found, err := m.files(path)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, found...)
	}
	return paths, files, nil
}

// digestNow is the digest of s as it would be read now; "" where it cannot be.
func (m *Models) digestNow(s leaf.Source) string {
	switch s.Kind {
	case filesSource:
		if files, err := m.files(s.Path); err == nil {
			return digestOf(files)
		}
	case modelSource:
		if _, files, err := m.readPaths(s.Path); err == nil {
			return digestOf(files)
		}
	case librarySource:
		if l, err := m.readLibraries(starlark.String(s.Path)); err == nil {
			return digestOf(l.files)
		}
	case casesSource:
		return m.digestTree(s.Path)
	}
	return ""
}

// The kinds of sources.
const (
	filesSource   = "files"
	modelSource   = "model" // files of a model that is not there when the plan is loaded
	textSource    = "text"  // text of such a model; the digest is the model's
	librarySource = "library"
	casesSource   = "cases"
)

// digestOf is the digest of texts with their names.
func digestOf(files []*source.File) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s\n%d %d\n%s", f.Name, f.Language, len(f.Text), f.Text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// digestTree is the digest of all files below a path; "" where one cannot be
// read.
func (m *Models) digestTree(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Dir, path)
	}
	h := sha256.New()
	err := filepath.WalkDir(path, func(at string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(at)
		name, _ := filepath.Rel(path, at) // at lies below path
		fmt.Fprintf(h, "%s\n%d\n%s", filepath.ToSlash(name), len(text), text)
		return err
	})
	if err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
