package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// CannotOpen is the code of a model file that cannot be read.
var CannotOpen = diagnostic.Register("model-open",
	"A plan opens a model file that cannot be read. Paths are relative to the folder of the plan.")

// Models are the models of one plan, by their content: a plan that is executed
// many times analyses each once. They may be used by many goroutines.
type Models struct {
	// Dir is what relative paths start from.
	Dir string
	// Library gives the standard library; nil for the embedded one.
	Library library.Source
	// Settings are those of the command line, by name and spelling.
	Settings map[string]string
	Budget   budget.Budget
	// Session is what model.session() gives; nil where there is none.
	Session *runtime.Session

	// measuring says that leaves note what they execute.
	measuring bool

	mu       sync.Mutex
	all      map[string]*Model      // by digest
	bySource map[leaf.Source]*Model // those of all that a leaf can depend on

	sources sources

	unitMu      sync.Mutex
	units       map[string]*value.Unit
	unitSession *runtime.Session
}

// A Model is an analysed model, as plans hold it. It never changes. The
// sessions that run it are made of its texts and kept for the next leaf.
type Model struct {
	Name   string
	Digest string
	files  []*source.File
	reading
	// paths are what model.open was given; nil for another model.
	paths  []string
	source leaf.Source      // what it is made from, or found by, again
	top    atomic.Bool      // opened at the top level of the plan
	loaded bool             // when the plan was loaded
	used   atomic.Bool      // by a leaf that the walk has a row of
	live   *runtime.Session // of model.session()
	// coverable is what leaves are asked to note; nil for nothing.
	coverable *runtime.Coverable

	mu    sync.Mutex
	idle  []*runtime.Session
	first *runtime.Session // the one that is asked about elements
	notes diagnostic.List
}

// A reading says how the texts of a model are read.
type reading struct {
	// lenient leaves names that lead to nothing alone until they are used.
	lenient bool
	// libraries are what the model finds packages in; nil for the library of
	// all models.
	libraries *libraries
	sources   []leaf.Source // of texts and libraries
}

// List is the models that the plan opened when it was loaded and those that are
// Used, in the order of their digests. What leaves open that workers run ahead
// of the rows is none of them.
func (m *Models) List() []*Model {
	list := m.opened()
	return slices.DeleteFunc(list, func(x *Model) bool { return !x.loaded && !x.used.Load() && x.live == nil })
}

// opened is all models in the order of their digests.
func (m *Models) opened() []*Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*Model
	for _, x := range m.all {
		out = append(out, x)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Digest < out[j].Digest })
	return out
}

// Loaded says that the plan is loaded: the models there are now are in every
// bundle. No leaf runs yet.
func (m *Models) Loaded() {
	for _, x := range m.opened() {
		x.loaded = true
	}
}

// Files are the texts of the model that lie beside the plan.
func (m *Model) Files() []*source.File {
	var files []*source.File
	if !m.inline() {
		files = m.files
	}
	if m.libraries != nil {
		files = append(files[:len(files):len(files)], m.libraries.files...)
	}
	return files
}

// inline reports whether the text stands in the plan.
func (m *Model) inline() bool { return m.paths == nil && m.live == nil }

// Roots are the qualified names of the root members.
func (m *Model) Roots() []string {
	var names []string
	for _, f := range m.files {
		if root := m.first.Model().Root(f); root != nil {
			for _, e := range root.Members() {
				names = append(names, e.QualifiedName())
			}
		}
	}
	return names
}

// declare makes the model of files, or finds it. They are those of paths, or a
// text with a name where there are none.
func (m *Models) declare(ctx context.Context, name string, paths []string, files []*source.File, how reading) (*Model, error) {
	h := sha256.New()
	fmt.Fprintf(h, "lenient=%v\n", how.lenient)
	if how.libraries != nil {
		fmt.Fprintf(h, "libraries %s\n", how.libraries.digest())
	}
	for _, f := range files {
		fmt.Fprintf(h, "%s\n%d %d\n%s", f.Name, f.Language, len(f.Text), f.Text)
	}
	digest := hex.EncodeToString(h.Sum(nil))
	m.mu.Lock()
	defer m.mu.Unlock()
	if found := m.all[digest]; found != nil {
		return found, nil
	}
	made := &Model{Name: name, Digest: digest, files: files, reading: how, paths: paths}
	made.source = leaf.Source{Kind: textSource, Path: name, Digest: digest}
	if paths != nil {
		made.Name = strings.Join(paths, ", ")
		made.source = leaf.Source{Kind: modelSource, Path: spelledPaths(paths), Digest: digestOf(files), Lenient: how.lenient}
		if how.libraries != nil {
			made.source.Libraries = how.libraries.spelled
		}
	}
	s, notes, err := made.session(ctx, m)
	if err != nil {
		return nil, err
	}
	made.first, made.notes = s, notes
	made.idle = []*runtime.Session{s}
	if m.all == nil {
		m.all, m.bySource = map[string]*Model{}, map[leaf.Source]*Model{}
	}
	m.all[digest] = made
	m.bySource[made.source] = made
	return made, nil
}

// session makes a session of the model's texts.
func (m *Model) session(ctx context.Context, all *Models) (*runtime.Session, diagnostic.List, error) {
	lib := all.library()
	if m.libraries != nil {
		lib = m.libraries.Source
	}
	s := runtime.New(runtime.Options{Library: lib, Files: true, Lenient: m.lenient, Budget: all.Budget})
	var texts []runtime.Text
	var wrong diagnostic.List
	for _, f := range m.files {
		tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
		wrong = append(wrong, list...)
		texts = append(texts, runtime.Text{File: f, Tree: tree, Owner: f.Name})
	}
	if wrong.HasErrors() {
		return nil, nil, wrong
	}
	_, list := s.Declare(ctx, texts...)
	if list.HasErrors() {
		return nil, nil, list
	}
	return s, append(wrong, list...), nil
}

// take is a session that nobody else has.
func (m *Model) take(ctx context.Context, all *Models) (*runtime.Session, error) {
	m.mu.Lock()
	if n := len(m.idle); n > 0 {
		s := m.idle[n-1]
		m.idle = m.idle[:n-1]
		m.mu.Unlock()
		return s, nil
	}
	m.mu.Unlock()
	s, _, err := m.session(ctx, all)
	return s, err
}

func (m *Model) put(s *runtime.Session) {
	if m.live != nil || s == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idle = append(m.idle, s)
}

// elements is the model of elements.
func (m *Model) elements() *model.Model {
	if m.live != nil {
		return m.live.Model()
	}
	return m.first.Model()
}

// files reads the files that path stands for: one file, or a folder's.
func (m *Models) files(path string) ([]*source.File, error) {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(m.Dir, full)
	}
	info, err := os.Stat(full)
	if err != nil {
		return nil, diagnostic.New(CannotOpen, source.Span{}, path+" cannot be read").WithHint("paths are relative to the folder of the plan")
	}
	names := []string{path}
	if info.IsDir() {
		names = nil
		for _, pattern := range []string{"*.sysml", "*.kerml"} {
			found, _ := filepath.Glob(filepath.Join(full, pattern)) // the pattern is well-formed
			for _, f := range found {
				names = append(names, filepath.Join(path, filepath.Base(f)))
			}
		}
		sort.Strings(names)
	}
	var files []*source.File
	for _, n := range names {
		at := n
		if !filepath.IsAbs(at) {
			at = filepath.Join(m.Dir, at)
		}
		text, err := source.Read(at)
		if err != nil {
			return nil, diagnostic.New(CannotOpen, source.Span{}, n+" cannot be read")
		}
		f := &source.File{Name: filepath.ToSlash(n), Text: string(text)}
		if strings.EqualFold(filepath.Ext(n), ".kerml") {
			f.Language = source.KerML
		}
		files = append(files, f)
	}
	return files, nil
}

// String is the model as Starlark prints it.
func (m *Model) String() string { return fmt.Sprintf("model(%q)", m.Name) }

// Type is "model".
func (m *Model) Type() string { return "model" }

// Freeze does nothing: a model never changes.
func (m *Model) Freeze() {}

// Truth is true.
func (m *Model) Truth() starlark.Bool { return true }

// Hash is that of the digest.
func (m *Model) Hash() (uint32, error) { return starlark.String(m.Digest).Hash() }

// OptionKey is the model's name.
func (m *Model) OptionKey() string { return m.String() }

// AttrNames lists the attributes.
func (m *Model) AttrNames() []string { return []string{"diagnostics", "elements", "find", "name"} }

// Attr is diagnostics, name, find(name) or elements(kind=).
func (m *Model) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(m.Name), nil
	case "diagnostics":
		var out []starlark.Value
		for _, d := range m.notes {
			out = append(out, starlark.String(d.Severity.String()+": "+d.Message))
		}
		return frozen(out), nil
	case "find":
		return lang.Method(name, lang.Pure, m.find), nil
	case "elements":
		return lang.Method(name, lang.Pure, m.list), nil
	}
	return nil, lacks(m, name, "")
}

func (m *Model) find(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs("find", args, kwargs, "name", &name); err != nil {
		return nil, err
	}
	e := m.elements().Find(name)
	if e == nil {
		return starlark.None, nil
	}
	return element{m, e}, nil
}

func (m *Model) list(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	kind := ""
	if err := starlark.UnpackArgs("elements", args, kwargs, "kind?", &kind); err != nil {
		return nil, err
	}
	var out []starlark.Value
	var walk func(*model.Element)
	walk = func(e *model.Element) {
		if kind == "" || e.Metaclass().String() == kind {
			out = append(out, element{m, e})
		}
		for _, c := range e.Members() {
			if c.Name() != "" {
				walk(c)
			}
		}
	}
	for _, r := range m.elements().Roots() {
		if !r.IsLibrary() {
			walk(r)
		}
	}
	return frozen(out), nil
}

func frozen(list []starlark.Value) *starlark.List {
	l := starlark.NewList(list)
	l.Freeze()
	return l
}

// resolve finds the element called name, for a builtin of what kind of
// element; its error lists near names.
func (m *Model) resolve(name string) (*model.Element, error) {
	if e := m.elements().Find(name); e != nil {
		return e, nil
	}
	d := diagnostic.New(diagnostic.UnresolvedName, source.Span{}, "no element "+name)
	if n := spell.First(name, m.names()); n != "" {
		d.WithHint("did you mean " + n + "?")
	}
	return nil, d
}

// names are the qualified names of the model's own elements.
func (m *Model) names() []string {
	var out []string
	var walk func(e *model.Element, depth int)
	walk = func(e *model.Element, depth int) {
		if e.Name() == "" || depth > 8 || len(out) > 5000 {
			return
		}
		out = append(out, e.QualifiedName())
		for _, c := range e.Members() {
			walk(c, depth+1)
		}
	}
	for _, r := range m.elements().Roots() {
		if !r.IsLibrary() {
			walk(r, 0)
		}
	}
	return out
}

// An element is one element of a model, to look at.
type element struct {
	model *Model
	e     *model.Element
}

func (x element) String() string        { return x.e.QualifiedName() }
func (x element) Type() string          { return "element" }
func (x element) Freeze()               {}
func (x element) Truth() starlark.Bool  { return true }
func (x element) Hash() (uint32, error) { return starlark.String(x.e.QualifiedName()).Hash() }
func (x element) OptionKey() string     { return "element(" + x.e.QualifiedName() + ")" }

func (x element) AttrNames() []string {
	return []string{"doc", "kind", "members", "name", "qualified_name"}
}

// Attr is what an element says of itself.
func (x element) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(x.e.EffectiveName()), nil
	case "qualified_name":
		return starlark.String(x.e.QualifiedName()), nil
	case "kind":
		return starlark.String(x.e.Metaclass().String()), nil
	case "doc":
		return starlark.String(x.e.Doc()), nil
	case "members":
		var out []starlark.Value
		for _, c := range x.e.Members() {
			if c.Name() != "" {
				out = append(out, element{x.model, c})
			}
		}
		return frozen(out), nil
	}
	return nil, nil
}
