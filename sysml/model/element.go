package model

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// An Element is what a declaration declares, an end that a connector names, or
// the scope of an expression body. There is one Element for each as long as
// its document is in the model, so elements compare by pointer.
//
// Methods may be called by many goroutines; see Model.
type Element struct {
	model     *Model
	doc       *Document
	owner     *Element // nil for the root namespace of a document
	decl      *syntax.Decl
	end       *syntax.ConnectorEnd   // for an end that a connector names
	body      *syntax.BodyExpression // for an expression body
	metaclass syntax.Metaclass
	role      Role
	passing   bool  // the filters of this import are being evaluated
	index     int32 // among the children of owner

	in *contents // nil until the children are asked for
	m  *memos
}

// Role says where in the declaration of its owner an element stands.
type Role uint8

// The roles. Member is the zero Role.
const (
	Member    Role = iota // in the body, or at the root
	Payload               // what a flow carries, or an accept action or trigger receives
	EndMember             // an end that a connector names
	Cross                 // the owned cross feature of an end
	Effect                // the effect of a transition
	Then                  // what an if action does
	Else                  // what it does otherwise
	Loop                  // what a loop repeats
	Variable              // the variable of a for loop
	BodyScope             // the scope of an expression body
)

// Metaclass is the kind of element. The root namespace of a document is a
// syntax.Namespace, the scope of an expression body a syntax.Expression.
func (e *Element) Metaclass() syntax.Metaclass { return e.metaclass }

// Decl is the declaration; nil for a root namespace, an end that a connector
// names and the scope of an expression body.
func (e *Element) Decl() *syntax.Decl { return e.decl }

// ConnectorEnd is the end of a connector that e is; nil for all others.
func (e *Element) ConnectorEnd() *syntax.ConnectorEnd { return e.end }

// Role is where in the declaration of its owner e stands.
func (e *Element) Role() Role { return e.role }

// Owner is the namespace that e is declared in; nil for the root namespace of
// a document.
func (e *Element) Owner() *Element { return e.owner }

// Outermost is the member of the root of its document that e is, or is declared
// in; e itself for a root.
func (e *Element) Outermost() *Element {
	for e.owner != nil && e.owner.owner != nil {
		e = e.owner
	}
	return e
}

// Index is the place of e among all children of its owner, from 0.
func (e *Element) Index() int { return int(e.index) }

// Model is the model that e is in.
func (e *Element) Model() *Model { return e.model }

// Document is the document that e is in.
func (e *Element) Document() *Document { return e.doc }

// IsLibrary reports whether e is an element of the library.
func (e *Element) IsLibrary() bool { return e.doc.library }

// IsRoot reports whether e is the root namespace of a document.
func (e *Element) IsRoot() bool { return e.owner == nil }

// Span is the text of the declaration; nowhere for a root namespace.
func (e *Element) Span() source.Span {
	switch {
	case e.decl != nil:
		return e.decl.Span
	case e.end != nil:
		return e.end.In(e.doc.File)
	case e.body != nil:
		return e.body.Span()
	}
	return source.Span{}
}

// NameSpan is where the name stands, or what stands for it.
func (e *Element) NameSpan() source.Span {
	switch {
	case e.decl != nil:
		return e.decl.NameSpan()
	case e.end != nil && !e.end.Name.IsZero():
		return e.end.Name.In(e.doc.File)
	}
	return e.Span()
}

// Name is the declared name; "" where none is written.
func (e *Element) Name() string { return e.name() }

// ShortName is the declared short name; "" where none is written.
func (e *Element) ShortName() string {
	if e.decl != nil {
		return e.decl.ShortName.Text
	}
	return ""
}

// EffectiveName is the declared name, or else the one that a redefinition or
// the reference of `perform a;` and the like gives; "" where there is none.
func (e *Element) EffectiveName() string {
	if n := e.name(); n != "" || e.decl == nil {
		return n
	}
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.effectiveName()
}

// QualifiedName is the names that lead to e from the root, joined by "::",
// each quoted where the notation needs quotes. What has no name is written
// "_", with its place among its owner's members when that is not the first.
func (e *Element) QualifiedName() string {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.qualifiedName(true)
}

// String is the qualified name.
func (e *Element) String() string { return e.QualifiedName() }

// Members are the members of the body in the order declared, those without a
// name, imports and annotations included.
func (e *Element) Members() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.members()
}

// Header is what the declaration declares outside its body, in the order of
// the text: payloads, ends, effects, branches, loop bodies; see Role.
func (e *Element) Header() []*Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.contents().header
}

// Child is the child of e, from header or body, that decl declares; nil where
// there is none.
func (e *Element) Child(decl *syntax.Decl) *Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	for _, list := range e.children() {
		for _, c := range list {
			if c.decl == decl {
				return c
			}
		}
	}
	return nil
}

// Body is the scope of an expression body that stands in an expression of e.
func (e *Element) Body(b *syntax.BodyExpression) *Element {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.bodyScope(b)
}

// Doc is the text of the first documentation of e, without its delimiters; ""
// where there is none.
func (e *Element) Doc() string {
	e.model.lock()
	defer e.model.mu.Unlock()
	for _, c := range e.members() {
		if c.metaclass == syntax.Documentation {
			if part, ok := c.decl.Detail.(*syntax.CommentPart); ok {
				return plainText(part.Raw)
			}
		}
	}
	return ""
}

// Is reports whether all of flags are written on the declaration.
func (e *Element) Is(flags syntax.Flags) bool { return e.decl != nil && e.decl.Is(flags) }

// Direction is the direction written, or else that of what e redefines, turned
// round where e is reached through a conjugated port.
func (e *Element) Direction() syntax.Direction {
	e.model.lock()
	defer e.model.mu.Unlock()
	return e.direction()
}

// Visibility is how far e can be seen: what is written, else public, or for an
// import private and for an expose protected.
func (e *Element) Visibility() syntax.Visibility { return e.visibility() }

func (e *Element) name() string {
	switch {
	case e.decl != nil:
		return e.decl.Name.Text
	case e.end != nil:
		return e.end.Name.Text
	}
	return ""
}

// labels are the name and the short name, those that are written.
func (e *Element) labels() []string {
	if e.decl == nil {
		if n := e.name(); n != "" {
			return []string{n}
		}
		return nil
	}
	var all []string
	for _, n := range [...]string{e.decl.Name.Text, e.decl.ShortName.Text} {
		if n != "" && (len(all) == 0 || all[0] != n) {
			all = append(all, n)
		}
	}
	return all
}

func (e *Element) visibility() syntax.Visibility {
	if e.decl == nil {
		return syntax.Public
	}
	if v := e.decl.Visibility; v != syntax.NoVisibility {
		return v
	}
	switch e.metaclass {
	case syntax.MembershipImport, syntax.NamespaceImport:
		return syntax.Private
	case syntax.MembershipExpose, syntax.NamespaceExpose:
		return syntax.Protected
	}
	return syntax.Public
}

func (e *Element) is(flags syntax.Flags) bool { return e.decl != nil && e.decl.Is(flags) }

func (e *Element) isType() bool { return e.metaclass.IsType() }

func (e *Element) isFeature() bool { return e.metaclass.IsFeature() }

// relationships are those written on the declaration.
func (e *Element) relationships() []syntax.Relationship {
	if e.decl == nil {
		return nil
	}
	return e.decl.Relationships
}

func (e *Element) qualifiedName(quoted bool) string {
	if e.owner == nil {
		return ""
	}
	n := e.effectiveName()
	if n == "" && e.decl != nil {
		n = e.decl.ShortName.Text
	}
	switch {
	case n == "":
		n = e.placeholder()
	case quoted:
		n = Quote(n)
	}
	if above := e.owner.qualifiedName(quoted); above != "" {
		return above + "::" + n
	}
	return n
}

// Quote is name as the notation writes it: in quotes, unless it is a basic name
// that is not reserved.
func Quote(name string) string { return syntax.Quote(name) }

// QuoteQualified is a qualified name as text that reads as it, each part in
// quotes where it needs them.
func QuoteQualified(name syntax.QualifiedName) string {
	var parts []string
	for _, n := range name.Segments {
		parts = append(parts, Quote(n.Text))
	}
	return strings.Join(parts, "::")
}

// plainText is the text of a comment without its delimiters, the stars at the
// start of its lines and the layout around it.
func plainText(raw string) string {
	raw = strings.TrimSuffix(strings.TrimPrefix(raw, "/*"), "*/")
	lines := strings.Split(raw, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if i > 0 || strings.HasPrefix(line, "* ") {
			line = strings.TrimSpace(strings.TrimPrefix(line, "*"))
		}
		lines[i] = line
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
