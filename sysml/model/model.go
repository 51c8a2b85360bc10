package model

import (
	"context"
	"sync"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A Library gives the text that declares a top-level package, such as "SI".
// Lookup may be called by many goroutines and always gives the same File for
// the same name.
type Library interface {
	Lookup(topLevel string) (*source.File, bool)
}

// Options say how a Model reads names. The zero Options are those of a set of
// files under the rules of the standard.
type Options struct {
	// Cells makes the documents cells of one session: a root member that a
	// later document declares replaces the earlier one of its name, and what
	// the root of one imports is visible in all. Off, the first of two root
	// members of one name wins.
	Cells bool
	// Lenient reports no warnings, no name that leads to nothing, and nothing
	// else that a run can live with: an undeclared name behind `accept` is a
	// signal of that name, and any other is an error only when it is
	// evaluated. A redefined name goes on to name its feature.
	Lenient bool
}

// A Document is one text of a model and its tree. It must not change after it
// was added.
type Document struct {
	File *source.File
	Tree *syntax.Tree
	// Owner is who brought it, such as a path or a cell's id; one owner may
	// bring several documents. Replace and Remove go by it.
	Owner string

	library bool
	root    *Element
	apart   *scattered
}

// A Model is the documents of a session and the elements they declare.
//
// Add, Replace and Remove are for one goroutine at a time; everything else may
// be called by many at once, on the Model and on its Elements, and while no
// document changes every answer stays the same. Elements of a document that
// was replaced keep answering, as they were declared.
type Model struct {
	options Options
	library Library

	mu          sync.Mutex // guards all below, and every memo of every Element
	ask         questions
	suggestions int // for how many more unknown names the nearest are looked for
	era         uint32
	docs        []*Document
	texts       map[*source.File]*Document // the library documents that were read
	roots       map[string][]*Element      // root members of user documents by name, in order
	asked       map[string]bool            // names that were looked for at the root
	declared    map[string]int             // how often user documents declare each name, anywhere
	bases       map[string]*Element        // library elements that implied relationships name
	baseLists   map[baseKey][]*Element
	implied     map[string]bool // answers of mayBeImplied
	words       map[string]bool // all words of the implied packages, once many were asked for
}

// New makes an empty Model over library, which may be nil: then there is no
// library, and no type has an implied base.
func New(library Library, options Options) *Model {
	return &Model{options: options, library: library, era: 1,
		ask:   questions{trial: 1, low: 1},
		texts: map[*source.File]*Document{}, roots: map[string][]*Element{},
		asked: map[string]bool{}, bases: map[string]*Element{}, baseLists: map[baseKey][]*Element{}, implied: map[string]bool{},
		declared: map[string]int{}}
}

// Options are those that New was given.
func (m *Model) Options() Options { return m.options }

// Generation is a number that grows whenever an answer given before could be
// another now. A document that only declares names that nobody had asked for
// leaves it as it is.
func (m *Model) Generation() uint32 {
	m.lock()
	defer m.mu.Unlock()
	return m.era
}

// Add adds d after all documents there are and gives the root elements of
// earlier documents that it replaces; none unless Options.Cells is set.
func (m *Model) Add(d *Document) (replaced []*Element) {
	m.lock()
	defer m.mu.Unlock()
	return m.add(d)
}

// Replace removes all documents of owner and adds docs, whose Owner is set to
// owner. It gives the root elements of other owners that these replace.
func (m *Model) Replace(owner string, docs ...*Document) (replaced []*Element) {
	m.lock()
	defer m.mu.Unlock()
	m.remove(owner)
	for _, d := range docs {
		d.Owner = owner
		replaced = append(replaced, m.add(d)...)
	}
	return replaced
}

// Remove removes all documents of owner. Root elements that they had replaced
// are back.
func (m *Model) Remove(owner string) {
	m.lock()
	defer m.mu.Unlock()
	m.remove(owner)
}

// Documents are the user's documents in the order they were added.
func (m *Model) Documents() []*Document {
	m.lock()
	defer m.mu.Unlock()
	return append([]*Document(nil), m.docs...)
}

// Roots are the top-level members of the user's documents in the order they
// were declared, imports and comments included, without those that a later
// cell replaced.
func (m *Model) Roots() []*Element {
	m.lock()
	defer m.mu.Unlock()
	var roots []*Element
	for _, d := range m.docs {
		for _, e := range d.root.members() {
			if !m.replaced(e) {
				roots = append(roots, e)
			}
		}
	}
	return roots
}

// Of is the element that decl declares; nil where it is in no document of m.
func (m *Model) Of(decl *syntax.Decl) *Element {
	m.lock()
	defer m.mu.Unlock()
	d := m.document(decl.Span.File)
	if d == nil {
		return nil
	}
	return d.root.childAt(decl)
}

// Root is the root namespace of the document that file is the text of; nil
// where there is none.
func (m *Model) Root(file *source.File) *Element {
	m.lock()
	defer m.mu.Unlock()
	if d := m.document(file); d != nil {
		return d.root
	}
	return nil
}

func (m *Model) document(file *source.File) *Document {
	if d := m.texts[file]; d != nil {
		return d
	}
	for i := len(m.docs) - 1; i >= 0; i-- {
		if m.docs[i].File == file {
			return m.docs[i]
		}
	}
	return nil
}

// add files d. The era ends only when a name that d declares was looked for
// before, or when d's root imports can be seen from other documents.
func (m *Model) add(d *Document) (replaced []*Element) {
	d.root = &Element{model: m, doc: d, metaclass: syntax.Namespace}
	m.docs = append(m.docs, d)
	m.count(d.Tree.Members, 1)
	changes := false
	for _, e := range d.root.members() {
		if e.metaclass.IsImport() && m.options.Cells {
			changes = true
		}
		for _, name := range e.labels() {
			if others := m.roots[name]; len(others) > 0 && m.options.Cells {
				if last := others[len(others)-1]; last.doc != d && last.name() == name {
					replaced = append(replaced, last)
				}
			}
			m.roots[name] = append(m.roots[name], e)
			changes = changes || m.asked[name]
		}
	}
	if changes {
		m.era++
	}
	return replaced
}

func (m *Model) remove(owner string) {
	kept := m.docs[:0:0]
	for _, d := range m.docs {
		if d.Owner != owner {
			kept = append(kept, d)
			continue
		}
		for _, e := range d.root.members() {
			for _, name := range e.labels() {
				m.roots[name] = without(m.roots[name], e)
			}
		}
		m.count(d.Tree.Members, -1)
		m.era++
	}
	m.docs = kept
}

func without(list []*Element, e *Element) []*Element {
	kept := list[:0:0]
	for _, x := range list {
		if x != e {
			kept = append(kept, x)
		}
	}
	return kept
}

// replaced reports whether a later cell declared the root member e anew.
func (m *Model) replaced(e *Element) bool {
	if !m.options.Cells || e.name() == "" {
		return false
	}
	same := m.roots[e.name()]
	return len(same) > 0 && same[len(same)-1].doc != e.doc
}

func (m *Model) eraOf(d *Document) uint32 {
	if d.library {
		return 1 // see invariant 2 of memo.go
	}
	return m.era
}

// global is the root member called name that is seen from document d.
func (m *Model) global(name string, d *Document) *Element {
	if !d.library {
		m.asked[name] = true
		if found := m.roots[name]; len(found) > 0 {
			if !m.options.Cells {
				return firstVisible(found)
			}
			return found[len(found)-1]
		}
	}
	if m.library == nil {
		return nil
	}
	file, ok := m.library.Lookup(name)
	if !ok {
		return nil
	}
	text := m.read(file)
	for _, e := range text.root.named(name) {
		return e
	}
	return nil
}

// firstVisible passes over private root members, which only their own
// document sees.
func firstVisible(found []*Element) *Element {
	for _, e := range found {
		if e.visibility() != syntax.Private {
			return e
		}
	}
	return nil
}

// trees are the parsed library texts of the whole process: a library is the
// same for every session, and parsing it is most of the cost of using it.
var trees sync.Map // *source.File -> *syntax.Tree

// read is the document of a library file, parsed when it is first needed.
func (m *Model) read(file *source.File) *Document {
	if d := m.texts[file]; d != nil {
		return d
	}
	tree, ok := trees.Load(file)
	if !ok {
		parsed, _ := syntax.Parse(file, syntax.Options{})
		tree, _ = trees.LoadOrStore(file, parsed)
	}
	d := &Document{File: file, Tree: tree.(*syntax.Tree), Owner: "library", library: true}
	d.root = &Element{model: m, doc: d, metaclass: syntax.Namespace}
	m.texts[file] = d
	return d
}

// maxSuggestions is for how many unknown names one Check looks for the nearest
// ones: that takes as long as there are names in scope.
const maxSuggestions = 200

// Check is everything that is wrong with what docs declare, in the order of
// their texts; without docs, of all the user's documents. What a later cell
// replaced is not checked.
func (m *Model) Check(docs ...*Document) diagnostic.List {
	return m.CheckContext(context.Background(), docs...)
}

// CheckContext is Check that ends when ctx is done, with what it has found by
// then. How long the rest takes is for the model to say: what is inherited along
// a long chain of generals grows with the square of its length.
func (m *Model) CheckContext(ctx context.Context, docs ...*Document) diagnostic.List {
	m.lock()
	defer m.mu.Unlock()
	if len(docs) == 0 {
		docs = m.docs
	}
	m.suggestions = maxSuggestions
	var list diagnostic.List
	for _, d := range docs {
		list = append(list, m.check(d, ctx.Done())...)
	}
	return list
}

// LibraryDocuments is how many library texts names have led into so far.
func (m *Model) LibraryDocuments() int {
	m.lock()
	defer m.mu.Unlock()
	return len(m.texts)
}
