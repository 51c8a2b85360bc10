package model

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file finds the metadata that annotates an element, and relationships
// that are declared away from what they relate.

// An Annotation is metadata on an element.
type Annotation struct {
	// Type is the metadata definition; nil where its name leads to nothing.
	Type *Element
	// Usage is the metadata usage, which holds the values; nil for a prefix
	// annotation `#x`.
	Usage *Element
}

// Annotations are the metadata on e: prefix annotations, then metadata in its
// body, then metadata of the user's documents that is written `about` it.
func (e *Element) Annotations() []Annotation {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.annotations()
}

func (e *Element) annotations() []Annotation {
	var all []Annotation
	if e.decl != nil {
		for i := range e.decl.Keywords {
			all = append(all, Annotation{Type: e.keywordType(i)})
		}
	}
	for _, k := range e.members() {
		if k.isMetadata() && len(k.about()) == 0 {
			all = append(all, Annotation{k.metadataType(), k})
		}
	}
	docs := e.model.docs
	if e.doc.library {
		docs = []*Document{e.doc}
	}
	for _, d := range docs {
		for _, k := range d.scattered().abouts {
			for _, q := range k.about() {
				if q.Last().Text != e.name() && q.Last().Text != e.shortName() {
					continue
				}
				if found, _ := e.model.member(q, k.owner, nil, nil); found.aliased() == e {
					all = append(all, Annotation{k.metadataType(), k})
				}
			}
		}
	}
	return all
}

func (e *Element) isMetadata() bool {
	return e.metaclass == syntax.MetadataUsage || e.metaclass == syntax.MetadataFeature
}

func (e *Element) about() []syntax.QualifiedName {
	if e.decl != nil {
		if part, ok := e.decl.Detail.(*syntax.MetadataPart); ok {
			return part.About
		}
	}
	return nil
}

// metadataType is the definition of a metadata usage.
func (e *Element) metadataType() *Element {
	for _, g := range e.generals() {
		if g.Kind == syntax.TypedBy {
			return g.Target
		}
	}
	return nil
}

// keywordType is the metadata definition of prefix annotation i.
func (e *Element) keywordType(i int) *Element {
	x := e.rarerMemos()
	if x.keywords == nil {
		x.keywords = make([]memo[*Element], len(e.decl.Keywords))
	}
	return recall(e.model, e.doc, &x.keywords[i], func() *Element {
		links, _ := e.model.reference(&e.decl.Keywords[i].Type, e.owner, e, isMetadataType)
		if len(links) == 0 {
			return nil
		}
		return links[len(links)-1]
	})
}

func isMetadataType(t *Element) bool {
	return t.metaclass == syntax.MetadataDefinition || t.metaclass == syntax.MetaclassType
}

// semanticGenerals are what the annotations of e add: the base type that a
// semantic annotation names, or its definitions where e is no feature and the
// base type is one (SysML 8.4.20).
func (e *Element) semanticGenerals() []General {
	if e.decl == nil || !e.isType() || e.isMetadata() {
		return nil
	}
	var all []General
	for _, a := range e.ownAnnotations() {
		b := a.baseType(e)
		switch {
		case b == nil || b == e:
		case e.isFeature() && b.isFeature():
			all = append(all, General{Kind: syntax.Subsets, Target: b, Implied: true})
		case e.isFeature():
			all = append(all, General{Kind: syntax.TypedBy, Target: b, Implied: true})
		case b.isFeature():
			for _, t := range b.types() {
				all = append(all, General{Kind: syntax.Specializes, Target: t, Implied: true})
			}
		default:
			all = append(all, General{Kind: syntax.Specializes, Target: b, Implied: true})
		}
	}
	return all
}

// ownAnnotations are those written on e or in its body.
func (e *Element) ownAnnotations() []Annotation {
	var all []Annotation
	for i := range e.decl.Keywords {
		all = append(all, Annotation{Type: e.keywordType(i)})
	}
	if e.decl.Body == nil || !e.annotatesItself() {
		return all
	}
	for _, k := range e.members() {
		if k.isMetadata() && len(k.about()) == 0 {
			all = append(all, Annotation{k.metadataType(), k})
		}
	}
	return all
}

func (e *Element) annotatesItself() bool {
	for _, d := range e.decl.Body.Members {
		if d.Metaclass == syntax.MetadataUsage || d.Metaclass == syntax.MetadataFeature {
			return true
		}
	}
	return false
}

// baseType is what the feature baseType of a semantic annotation names; nil
// where the annotation is none. It may depend on what is annotated.
func (a Annotation) baseType(subject *Element) *Element {
	holders := []*Element{a.Usage, a.Type}
	if a.Type != nil {
		holders = append(holders, a.Type.supertypes()...)
	}
	for _, h := range holders {
		if h == nil {
			continue
		}
		for _, f := range h.named("baseType") {
			if f.decl == nil || f.decl.Value == nil {
				continue
			}
			x := condition{subject, f}.chosen(f.decl.Value.Expr)
			if op, ok := x.(*syntax.OperatorExpression); ok && (op.Operator == syntax.Meta || op.Operator == syntax.As) && len(op.Operands) == 1 {
				x = op.Operands[0]
			}
			return f.model.denoted(x, f)
		}
	}
	return nil
}

// scattered is what a document declares away from what it is about. It is
// gathered from the tree alone, once.
type scattered struct {
	abouts        []*Element // metadata written `about` something
	relationships []*Element // subset a :> b; and the like
}

// apartWords are the words that such declarations need; most documents have
// none of them.
var apartWords = [...]string{"subtype", "subclassifier", "subset", "redefinition", "typing", "conjugate", "conjugation"}

func (d *Document) scattered() *scattered {
	if d.apart != nil {
		return d.apart
	}
	d.apart = &scattered{}
	about := strings.Contains(d.File.Text, "about")
	relationships := false
	if d.File.Language == source.KerML {
		for _, w := range apartWords {
			relationships = relationships || strings.Contains(d.File.Text, w)
		}
	}
	if about || relationships {
		d.gather(d.root, d.Tree.Members)
	}
	return d.apart
}

func (d *Document) gather(ns *Element, decls []*syntax.Decl) {
	for i, decl := range decls {
		if part, ok := decl.Detail.(*syntax.MetadataPart); ok && len(part.About) > 0 {
			d.apart.abouts = append(d.apart.abouts, ns.members()[i])
		}
		if decl.Metaclass.IsRelationship() {
			d.apart.relationships = append(d.apart.relationships, ns.members()[i])
		}
		if m := decl.Members(); len(m) > 0 {
			d.gather(ns.members()[i], m)
		}
	}
}

// statedApart are the generals of e that relationships declared by themselves
// state, in the document of e.
func (e *Element) statedApart() []General {
	var all []General
	for _, r := range e.doc.scattered().relationships {
		part, ok := r.decl.Detail.(*syntax.RelationshipPart)
		if !ok || len(part.Specific.Links) == 0 {
			continue
		}
		n := part.Specific.Links[len(part.Specific.Links)-1].Last().Text
		if !e.isCalled(n) && e.effectiveName() != n {
			continue
		}
		kind := syntax.Specializes
		switch r.metaclass {
		case syntax.FeatureTyping:
			kind = syntax.TypedBy
		case syntax.Subsetting:
			kind = syntax.Subsets
		case syntax.Redefinition:
			kind = syntax.Redefines
		case syntax.Conjugation:
			kind = syntax.Conjugates
		case syntax.Disjoining, syntax.FeatureInverting, syntax.TypeFeaturing:
			continue
		}
		specific, why := e.model.reference(&part.Specific, r.owner, nil, (*Element).isType)
		if why != nil || specific[len(specific)-1] != e {
			continue
		}
		if general, why := e.model.reference(&part.General, r.owner, nil, (*Element).isType); why == nil {
			g := General{Kind: kind, Target: general[len(general)-1]}
			if len(general) > 1 {
				g.Chain = general
			}
			all = append(all, g)
		}
	}
	return all
}
