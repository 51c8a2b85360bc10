package model

import (
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file keeps library texts from being parsed for nothing. Whether a text
// has a word at all can be told a hundred times sooner than what it declares,
// and what has not the word declares no such name. Names that a library spells
// with escape sequences are not found this way; the libraries have none.

// hasWord reports whether text has word standing by itself.
func hasWord(text, word string) bool {
	if word == "" {
		return true
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !isWordByte(text[i-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = i + 1
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// impliedPackages are the top-level packages that implied library types, and
// what these specialize, are declared in.
var impliedPackages = [...]string{"Base", "Links", "Occurrences", "Objects", "Performances", "Transfers",
	"ControlPerformances", "TransitionPerformances", "StatePerformances", "FeatureReferencingPerformances",
	"Clocks", "Metaobjects", "Observation", "Triggers", "SpatialFrames",
	"Attributes", "Items", "Parts", "Ports", "Connections", "Interfaces", "Flows", "Allocations", "Actions",
	"Calculations", "Constraints", "Requirements", "States", "Cases", "AnalysisCases", "VerificationCases",
	"UseCases", "Views", "Metadata"}

// manyNames is after how many names it pays to list all words of the implied
// packages, rather than to look for each name.
const manyNames = 40

// mayBeImplied reports whether an implied library type can have a member
// called name.
func (m *Model) mayBeImplied(name string) bool {
	if m.library == nil {
		return false
	}
	if m.words != nil && isWord(name) {
		return m.words[name]
	}
	may, known := m.implied[name]
	if !known {
		for _, file := range m.impliedFiles() {
			if file != nil && hasWord(file.Text, name) {
				may = true
				break
			}
		}
		if m.implied[name] = may; len(m.implied) > manyNames {
			m.words = wordsOf(m.impliedFiles())
		}
	}
	return may
}

// impliedTexts are the texts of the implied packages, nil for one that the
// library has not.
type impliedTexts [len(impliedPackages)]*source.File

func (m *Model) impliedFiles() (files impliedTexts) {
	for i, p := range impliedPackages {
		files[i], _ = m.library.Lookup(p)
	}
	return files
}

// words are the words of implied texts, for the whole process, as trees are.
var words sync.Map // impliedTexts -> map[string]bool, never written to again

func wordsOf(files impliedTexts) map[string]bool {
	if w, ok := words.Load(files); ok {
		return w.(map[string]bool)
	}
	all := map[string]bool{}
	for _, file := range files {
		if file != nil {
			addWords(all, file.Text)
		}
	}
	w, _ := words.LoadOrStore(files, all)
	return w.(map[string]bool)
}

func isWord(name string) bool {
	for i := 0; i < len(name); i++ {
		if !isWordByte(name[i]) {
			return false
		}
	}
	return true
}

func addWords(words map[string]bool, text string) {
	start := -1
	for i := 0; i <= len(text); i++ {
		switch in := i < len(text) && isWordByte(text[i]); {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			words[text[start:i]] = true
			start = -1
		}
	}
}

// libraryRoot is the library text that declares the top-level package called
// name, where nothing else can be meant by that name in scope: no document of
// the user's declares it anywhere.
func (m *Model) libraryRoot(name string, scope *Element) (*source.File, bool) {
	if m.library == nil || !scope.doc.library && m.declared[name] > 0 {
		return nil, false
	}
	for ns := scope; ns != nil && scope.doc.library; ns = ns.owner {
		if len(ns.named(name)) > 0 {
			return nil, false
		}
	}
	if !scope.doc.library {
		m.asked[name] = true
	}
	return m.library.Lookup(name)
}

// soleRoot is the top-level element called name where nothing else can be
// meant by that name in scope. It spares looking through imports, which in
// turn need their names looked up.
func (m *Model) soleRoot(name string, scope *Element) *Element {
	if !scope.doc.library && m.declared[name] == 1 && len(m.roots[name]) == 1 {
		e := m.roots[name][0]
		if e.visibility() == syntax.Private && e.doc != scope.doc {
			return nil
		}
		m.asked[name] = true
		return e
	}
	if file, ok := m.libraryRoot(name, scope); ok {
		return firstNamed(m.read(file).root, name)
	}
	return nil
}

// count adds by to the number of declarations of each name in decls and below.
func (m *Model) count(decls []*syntax.Decl, by int) {
	for _, d := range decls {
		m.countOne(d, by)
	}
}

func (m *Model) countOne(d *syntax.Decl, by int) {
	if d == nil {
		return
	}
	m.countName(d.Name.Text, by)
	if d.ShortName.Text != d.Name.Text {
		m.countName(d.ShortName.Text, by)
	}
	if d.Name.Text == "" {
		for i := range d.Relationships {
			if t := d.Relationships[i].Target; len(t.Links) > 0 {
				m.countName(t.Links[len(t.Links)-1].Last().Text, by)
			}
		}
	}
	m.countOne(d.Cross, by)
	switch part := d.Detail.(type) {
	case *syntax.ConnectorPart:
		m.countOne(part.Payload, by)
		for _, end := range part.Ends {
			m.countName(end.Name.Text, by)
		}
	case *syntax.TransitionPart:
		if part.Trigger != nil {
			m.countAccepted(part.Trigger, by)
		}
		m.countOne(part.Effect, by)
	case *syntax.AcceptPart:
		m.countAccepted(part, by)
	case *syntax.IfPart:
		m.countOne(part.Then, by)
		m.countOne(part.Else, by)
	case *syntax.WhileLoopPart:
		m.countOne(part.Loop, by)
	case *syntax.ForLoopPart:
		m.countOne(part.Variable, by)
		m.countOne(part.Loop, by)
	}
	m.count(d.Members(), by)
}

func (m *Model) countAccepted(part *syntax.AcceptPart, by int) {
	m.countOne(part.Payload, by)
	m.count(part.Parameters, by)
}

func (m *Model) countName(name string, by int) {
	if name != "" {
		m.declared[name] += by
	}
}

// mayBring reports whether import e can bring a member called name. It spares
// reading a library text that has no such word and hands nothing on.
func (e *Element) mayBring(part *syntax.ImportPart, name string) bool {
	q := part.Target
	if len(q.Segments) == 0 || q.Global || e.rarerMemos().target.era != 0 {
		return true
	}
	file, ok := e.model.libraryRoot(q.Segments[0].Text, e.owner)
	if !ok || e.model.texts[file] != nil {
		return true
	}
	return hasWord(file.Text, name) || strings.Contains(file.Text, "public import")
}

// Declares reports whether a document declares name, at any depth.
func (m *Model) Declares(name string) bool {
	m.lock()
	defer m.mu.Unlock()
	return m.declared[name] > 0
}
