package runtime

import (
	"context"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A Text is a document or the declarations of a cell, parsed.
type Text struct {
	File *source.File
	Tree *syntax.Tree
	// Owner is who brought it: a path, the id of a cell. Forget goes by it.
	Owner string
}

// Declare adds the declarations of texts to the model, in place of what their
// owners declared before. The texts are one set: they may name each other.
// Where the model finds errors in them it stays as it was; warnings and
// information come with what was declared. Objects whose type does something
// else than before are built anew at their next use, and a stepped run of what
// has changed ends; everything else goes on where it is.
func (s *Session) Declare(ctx context.Context, texts ...Text) (*Declaration, diagnostic.List) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.meter(ctx).Cancelled(); err != nil {
		return nil, diagnostic.Of(err)
	}
	replaced := s.replaced
	before := map[string][]*model.Document{}
	var owners []string
	for _, t := range texts {
		if _, known := before[t.Owner]; !known {
			owners, before[t.Owner] = append(owners, t.Owner), nil
		}
	}
	for _, d := range s.model.Documents() {
		if _, ours := before[d.Owner]; ours {
			before[d.Owner] = append(before[d.Owner], d)
		}
	}
	for _, owner := range owners {
		if len(before[owner]) > 0 {
			s.replaced = true
			s.model.Remove(owner)
		}
	}
	d := &Declaration{}
	var docs []*model.Document
	for _, t := range texts {
		doc := &model.Document{File: t.File, Tree: t.Tree, Owner: t.Owner}
		d.Replaced = append(d.Replaced, s.model.Add(doc)...)
		docs = append(docs, doc)
	}
	s.replaced = s.replaced || len(d.Replaced) > 0
	s.typings = newTypings()
	list := s.model.CheckContext(ctx, docs...)
	if err := s.meter(ctx).Cancelled(); err != nil {
		list = append(list, diagnostic.Of(err)...)
	}
	if list.HasErrors() {
		back := true // the elements that there were before are there again
		for _, owner := range owners {
			s.model.Replace(owner, before[owner]...)
			back = back && len(before[owner]) == 0
		}
		if back {
			s.replaced = replaced
		}
		s.refresh()
		return nil, list
	}
	for _, doc := range docs {
		if root := s.model.Root(doc.File); root != nil {
			d.Elements = append(d.Elements, root.Members()...)
		}
	}
	s.refreshed(d)
	return d, list
}

// Forget removes the texts of owner from the model, and the objects of what
// only they declared.
func (s *Session) Forget(owner string) *Declaration {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &Declaration{}
	s.model.Remove(owner)
	s.replaced, s.typings = true, newTypings()
	s.refreshed(d)
	return d
}

// Check is everything that is wrong with the model, or with the texts of one
// owner where that is not "".
func (s *Session) Check(owner string) diagnostic.List {
	s.mu.Lock()
	defer s.mu.Unlock()
	if owner == "" {
		return s.model.Check()
	}
	var docs []*model.Document
	for _, d := range s.model.Documents() {
		if d.Owner == owner {
			docs = append(docs, d)
		}
	}
	if len(docs) == 0 {
		return nil
	}
	return s.model.Check(docs...)
}

// Find is the element with a qualified name, or a diagnostic with the nearest
// names.
func (s *Session) Find(name string) (*model.Element, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(name)
}

func (s *Session) find(name string) (*model.Element, error) {
	if e := s.model.Find(name); e != nil {
		return e, nil
	}
	file := source.NewFile("name", name)
	x, list := syntax.ParseExpression(file, 0, syntax.Options{Extensions: true})
	ref, ok := x.(*syntax.FeatureReferenceExpression)
	if !ok || list.HasErrors() {
		return nil, diagnostic.New(diagnostic.UnresolvedName, source.Span{}, "no element "+name)
	}
	e, why := s.model.Resolve(&ref.Name, s.scope())
	if e == nil {
		why.Span = source.Span{}
		return nil, why
	}
	return e, nil
}

// scope is where the names of expressions and magics are resolved: the root
// of the latest document, which sees what all cells declare and import.
func (s *Session) scope() *model.Element {
	docs := s.model.Documents()
	if len(docs) == 0 {
		file := source.NewFile("session", "")
		s.model.Add(&model.Document{File: file, Tree: &syntax.Tree{File: file}, Owner: "session"})
		return s.model.Root(file)
	}
	return s.model.Root(docs[len(docs)-1].File)
}
