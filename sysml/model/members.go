package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file makes the children of an element from its declaration, and finds
// its own members by name.

// contents is what an element holds. Elements that hold nothing share one.
type contents struct {
	header []*Element // what the declaration declares before its body
	kids   []*Element // the members of the body
	index  *nameIndex
	bodies map[*syntax.BodyExpression]*Element
}

var (
	nothing = &contents{index: noNames}
	noNames = &nameIndex{}
)

// children are the children of e, those from the header first.
func (e *Element) children() [2][]*Element {
	in := e.contents()
	return [2][]*Element{in.header, in.kids}
}

// members are the children from the body.
func (e *Element) members() []*Element { return e.contents().kids }

// contents makes the children the first time they are asked for, those of the
// body in one block.
func (e *Element) contents() *contents {
	if e.in != nil {
		return e.in
	}
	b := builder{owner: e}
	if e.decl != nil {
		b.ofHeader(e.decl)
	}
	decls := e.bodyDecls()
	if len(b.made) == 0 && len(decls) == 0 {
		e.in = nothing
		return e.in
	}
	e.in = &contents{header: b.made}
	block := make([]Element, len(decls))
	e.in.kids = make([]*Element, len(decls))
	for i, d := range decls {
		block[i] = Element{model: e.model, doc: e.doc, owner: e, decl: d, metaclass: d.Metaclass, index: b.next}
		e.in.kids[i] = &block[i]
		b.next++
	}
	return e.in
}

func (e *Element) bodyDecls() []*syntax.Decl {
	switch {
	case e.owner == nil:
		return e.doc.Tree.Members
	case e.body != nil:
		if e.body.Body != nil {
			return e.body.Body.Members
		}
	case e.decl != nil:
		return e.decl.Members()
	}
	return nil
}

type builder struct {
	owner *Element
	made  []*Element
	next  int32
}

func (b *builder) decl(role Role, d *syntax.Decl) {
	if d != nil {
		b.add(&Element{decl: d, metaclass: d.Metaclass, role: role})
	}
}

func (b *builder) add(e *Element) {
	e.model, e.doc, e.owner, e.index = b.owner.model, b.owner.doc, b.owner, b.next
	b.next++
	b.made = append(b.made, e)
}

// ofHeader adds what d declares outside its body.
func (b *builder) ofHeader(d *syntax.Decl) {
	b.decl(Cross, d.Cross)
	switch part := d.Detail.(type) {
	case *syntax.ConnectorPart:
		b.decl(Payload, part.Payload)
		b.ends(part.Ends)
	case *syntax.TransitionPart:
		if part.Trigger != nil {
			b.accepted(part.Trigger)
		}
		b.decl(Effect, part.Effect)
	case *syntax.AcceptPart:
		b.accepted(part)
	case *syntax.IfPart:
		b.decl(Then, part.Then)
		b.decl(Else, part.Else)
	case *syntax.WhileLoopPart:
		b.decl(Loop, part.Loop)
	case *syntax.ForLoopPart:
		b.decl(Variable, part.Variable)
		b.decl(Loop, part.Loop)
	}
}

// accepted adds what a message, or a call, is received as.
func (b *builder) accepted(part *syntax.AcceptPart) {
	b.decl(Payload, part.Payload)
	for _, d := range part.Parameters {
		b.decl(Payload, d)
	}
}

func (b *builder) ends(ends []*syntax.ConnectorEnd) {
	metaclass := syntax.ReferenceUsage
	if !b.owner.metaclass.IsUsage() {
		metaclass = syntax.Feature
	}
	if b.owner.metaclass == syntax.InterfaceUsage {
		metaclass = syntax.PortUsage
	}
	for _, end := range ends {
		b.add(&Element{end: end, metaclass: metaclass, role: EndMember})
	}
}

// bodyScope is the scope of the expression body b in an expression of e.
func (e *Element) bodyScope(b *syntax.BodyExpression) *Element {
	in := e.contents()
	if s := in.bodies[b]; s != nil {
		return s
	}
	if in == nothing {
		in = &contents{index: noNames}
		e.in = in
	}
	if in.bodies == nil {
		in.bodies = map[*syntax.BodyExpression]*Element{}
	}
	s := &Element{model: e.model, doc: e.doc, owner: e, body: b, metaclass: syntax.Expression, role: BodyScope}
	in.bodies[b] = s
	return s
}

// childAt is the element at or below e that decl declares, found by where it
// stands.
func (e *Element) childAt(decl *syntax.Decl) *Element {
	for _, list := range e.children() {
		for _, c := range list {
			if c.decl == decl {
				return c
			}
			if s := c.Span(); c.decl != nil && s.Start <= decl.Span.Start && decl.Span.End <= s.End {
				if found := c.childAt(decl); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// A nameIndex finds the children of a namespace by what they are called.
type nameIndex struct {
	names   labels
	redefs  labels // features by the last name of what they redefine
	shared  bool   // some name is that of several children
	imports []*Element
	filters []*Element
}

// labels are elements in the order of their names; those of one name keep the
// order in which they were declared.
type labels struct {
	names    []string
	elements []*Element
}

// find are the elements called name.
func (l *labels) find(name string) []*Element {
	i, ok := slices.BinarySearch(l.names, name)
	if !ok {
		return nil
	}
	end := i + 1
	for end < len(l.names) && l.names[end] == name {
		end++
	}
	return l.elements[i:end:end]
}

type label struct {
	name    string
	element *Element
}

func sorted(all []label) labels {
	slices.SortStableFunc(all, func(a, b label) int { return strings.Compare(a.name, b.name) })
	l := labels{make([]string, len(all)), make([]*Element, len(all))}
	for i, x := range all {
		l.names[i], l.elements[i] = x.name, x.element
	}
	return l
}

// nameIndex is made when it is first needed.
func (e *Element) nameIndex() *nameIndex {
	in := e.contents()
	if in.index != nil {
		return in.index
	}
	x := &nameIndex{}
	in.index = x
	var names, redefs []label
	for _, list := range e.children() {
		for _, c := range list {
			switch {
			case c.metaclass.IsImport():
				x.imports = append(x.imports, c)
			case c.metaclass == syntax.ElementFilterMembership:
				x.filters = append(x.filters, c)
			default:
				names, redefs = c.appendLabels(names, redefs)
			}
		}
	}
	names = e.appendPayloads(names)
	x.names, x.redefs = sorted(names), sorted(redefs)
	for i := 1; i < len(x.names.names) && !x.shared; i++ {
		x.shared = x.names.names[i] == x.names.names[i-1]
	}
	return x
}

// appendPayloads appends what the accept actions of a behaviour receive, by
// names that nothing else has: what was accepted belongs to the action that
// waited for it, and the nodes behind it read it by its bare name.
func (e *Element) appendPayloads(names []label) []label {
	if !e.metaclass.IsType() {
		return names
	}
	var taken map[string]bool // made for the first accept action
	for _, list := range e.children() {
		for _, c := range list {
			if c.metaclass != syntax.AcceptActionUsage {
				continue
			}
			if taken == nil {
				taken = make(map[string]bool, len(names))
				for _, l := range names {
					taken[l.name] = true
				}
			}
			for _, received := range c.children() {
				for _, p := range received {
					if n := p.name(); p.isReceived() && n != "" && !taken[n] {
						taken[n] = true
						names = append(names, label{n, p})
					}
				}
			}
		}
	}
	return names
}

// appendLabels appends what c is called to names, and what it redefines to
// redefs.
func (c *Element) appendLabels(names, redefs []label) ([]label, []label) {
	before := len(names)
	for _, n := range c.labels() {
		names = append(names, label{n, c})
	}
	if c.name() == "" {
		if n := c.writtenName(); n != "" {
			names = append(names, label{n, c})
		} else if n := c.roleName(); n != "" && len(names) == before {
			names = append(names, label{n, c})
		}
	}
	for _, r := range c.relationships() {
		if r.Kind == syntax.Redefines && len(r.Target.Links) > 0 {
			redefs = append(redefs, label{r.Target.Links[len(r.Target.Links)-1].Last().Text, c})
		}
	}
	return names, redefs
}

// named are the own children called name, by name, short name or the name
// that a redefinition or reference gives them.
func (e *Element) named(name string) []*Element { return e.nameIndex().names.find(name) }

// naming is the relationship that gives e its name when it declares none: its
// first redefinition, or the reference that stands in place of a name.
func (e *Element) naming() (syntax.Relationship, bool) {
	if e.decl == nil || e.decl.Name.Text != "" {
		return syntax.Relationship{}, false
	}
	for _, r := range e.decl.Relationships {
		if r.Kind == syntax.Redefines {
			return r, !r.Target.IsChain()
		}
	}
	if e.is(syntax.ByReference) && len(e.decl.Relationships) > 0 {
		return e.decl.Relationships[0], true
	}
	return syntax.Relationship{}, false
}

// writtenName is the name that e has by redefinition or reference, as its own
// text spells it; the feature itself may be spelled otherwise where an alias
// or a short name led to it.
func (e *Element) writtenName() string {
	r, ok := e.naming()
	if !ok || len(r.Target.Links) == 0 {
		return ""
	}
	return r.Target.Links[len(r.Target.Links)-1].Last().Text
}

// roleName is the name of the library feature that a nameless result, subject
// or objective redefines by what it is.
func (e *Element) roleName() string {
	if e.decl == nil || !e.isFeature() {
		return ""
	}
	switch e.decl.Member {
	case syntax.ReturnMember:
		return "result"
	case syntax.SubjectMember:
		return "subj"
	case syntax.ObjectiveMember:
		return "obj"
	}
	return ""
}

func (e *Element) effectiveName() string {
	if n := e.name(); n != "" {
		return n
	}
	if r, ok := e.naming(); ok {
		for i, own := range e.decl.Relationships {
			if own.Range != r.Range || own.Kind != r.Kind {
				continue
			}
			if chain := e.target(i); len(chain) > 0 {
				if last := chain[len(chain)-1]; last != e {
					if n := last.effectiveNameWithin(8); n != "" {
						return n
					}
				}
			}
			break
		}
		return e.writtenName()
	}
	if e.isFeature() && e.decl != nil && e.decl.ShortName.Text == "" {
		for _, f := range e.impliedRedefinitions() {
			if n := f.effectiveNameWithin(8); n != "" {
				return n
			}
		}
	}
	return ""
}

// effectiveNameWithin follows a few steps only: redefinitions can form a ring.
func (e *Element) effectiveNameWithin(steps int) string {
	if n := e.name(); n != "" || steps == 0 {
		return n
	}
	for i, r := range e.relationships() {
		if r.Kind != syntax.Redefines && !(i == 0 && e.is(syntax.ByReference)) {
			continue
		}
		if chain := e.target(i); len(chain) > 0 {
			return chain[len(chain)-1].effectiveNameWithin(steps - 1)
		}
		return e.writtenName()
	}
	if e.isFeature() && e.decl != nil && e.decl.ShortName.Text == "" {
		for _, f := range e.impliedRedefinitions() {
			return f.effectiveNameWithin(steps - 1)
		}
	}
	return ""
}

// placeholder stands for the name of an element without one, and tells it from
// its nameless siblings.
func (e *Element) placeholder() string {
	if e.role == BodyScope || e.index == 0 {
		return "_"
	}
	return "_" + strconv.Itoa(int(e.index))
}
