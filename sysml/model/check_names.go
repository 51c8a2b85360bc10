package model

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks that names tell members apart, and how documents import.

// namespace checks the members of ns.
func (c *checker) namespace(ns *Element) {
	c.ownNames(ns)
	if ns.isType() && ns.body == nil {
		c.inheritedNames(ns)
	}
	c.inheritedFromSeveral(ns)
}

// ownNames reports each member whose name or short name another has.
func (c *checker) ownNames(ns *Element) {
	x := ns.nameIndex()
	if !x.shared {
		return
	}
	for _, list := range ns.children() {
		for _, e := range list {
			if e.metaclass.IsImport() || ns.owner == nil && c.model.replaced(e) {
				continue
			}
			for _, n := range e.labels() {
				if other := otherCalled(x.names.find(n), e, n); other != nil {
					c.report(duplicateName(e, n, other))
					break
				}
			}
		}
	}
}

func otherCalled(list []*Element, e *Element, name string) *Element {
	for _, o := range list {
		if o == e {
			continue
		}
		if slices.Contains(o.labels(), name) {
			return o
		}
	}
	return nil
}

// inheritedNames reports each own member that has the name of an inherited one
// that it does not redefine.
func (c *checker) inheritedNames(ns *Element) {
	for _, list := range ns.children() {
		for _, e := range list {
			if e.metaclass.IsImport() || e.isFinalNode() {
				continue
			}
			for _, n := range e.labels() {
				if o := ns.inheritedAs(n, e); o != nil {
					c.report(duplicateInheritedName(e.NameSpan(), n, o))
					break
				}
			}
		}
	}
}

// isFinalNode reports whether e is `done;` in the body of an action, which says
// where the action ends and declares nothing.
func (e *Element) isFinalNode() bool {
	return e.decl != nil && e.decl.Name.Text == "done" && e.decl.Keyword.IsZero() && e.metaclass == syntax.ReferenceUsage &&
		len(e.decl.Relationships) == 0 && e.decl.Body == nil && e.owner.isBehavior()
}

// inheritedAs is an inherited member called name that own, a member of ns,
// clashes with.
func (ns *Element) inheritedAs(name string, own *Element) *Element {
	supers := ns.supertypes()
	if ns.doc.library || ns.model.mayBeImplied(name) {
		supers = ns.allSupertypes()
	}
	for _, g := range supers {
		for _, o := range g.named(name) {
			if o == own || !heir.sees(o.visibility()) || o.aliased() == own.aliased() {
				continue
			}
			if o.name() == "" && o.isRedefining() {
				continue // what it redefines is met too
			}
			if own.redefines(o) || o.metaclass == syntax.Membership && own.redefines(o.aliased()) || ns.drops(o) {
				continue
			}
			return o
		}
	}
	return nil
}

// isRedefining reports whether e has a written redefinition.
func (e *Element) isRedefining() bool {
	for _, r := range e.relationships() {
		if r.Kind == syntax.Redefines {
			return true
		}
	}
	return false
}

// redefines reports whether e redefines f in any number of steps.
func (e *Element) redefines(f *Element) bool {
	if f == nil || !e.isFeature() || !f.isFeature() {
		return false
	}
	x := e.rarerMemos()
	all := recall(e.model, e.doc, &x.redefinedAll, func() []*Element {
		return closure(e, func(k *Element, visit func(*Element)) {
			for _, list := range [...][]*Element{k.redefined(), k.libraryRedefinitions()} {
				for _, g := range list {
					visit(g)
				}
			}
		})
	})
	return slices.Contains(all, f)
}

// drops reports whether ns does not inherit the feature f since one of its own
// features, or another that it inherits, redefines it (KerML 8.3.3.1.10).
func (ns *Element) drops(f *Element) bool {
	if !f.isFeature() {
		return false
	}
	for _, k := range ns.redefiners() {
		if k != f && k.redefines(f) {
			return true
		}
	}
	for _, g := range ns.allSupertypes() {
		if g == f.owner {
			continue
		}
		for _, k := range g.redefiners() {
			if k != f && k.redefines(f) {
				return true
			}
		}
	}
	return false
}

// redefiners are the features of e's own that redefine others.
func (e *Element) redefiners() []*Element {
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.redefiners, func() []*Element {
		var all []*Element
		for _, list := range e.children() {
			for _, k := range list {
				if k.isFeature() && (k.isRedefining() || len(k.libraryRedefinitions()) > 0) {
					all = append(all, k)
				}
			}
		}
		return all
	})
}

// A collision is two inherited members of one name; none has no members.
type collision struct {
	a, b *Element
	name string
}

// inheritedFromSeveral reports two inherited members of one name that come
// from different generals.
func (c *checker) inheritedFromSeveral(ns *Element) {
	if !ns.isType() || ns.decl == nil {
		return
	}
	if x := ns.workOutCollision(); x.a != nil {
		c.report(duplicateInherited(ns, x.name, x.a, x.b))
	}
}

// collision is what workOutCollision finds, kept for those that specialize ns.
func (ns *Element) collision() collision {
	x := ns.rarerMemos()
	return recall(ns.model, ns.doc, &x.collision, ns.workOutCollision)
}

// workOutCollision is the first pair of members of one name that ns inherits.
// Only what each of two generals brings beyond the other can collide, or what
// collides in a general itself.
func (ns *Element) workOutCollision() collision {
	if ns.decl != nil && ns.decl.Value != nil && len(ns.decl.Relationships) == 0 {
		return collision{} // what a value denotes makes no members of ns
	}
	var direct []*Element
	each := ns.eachGeneral
	if ns.isOfOneFamily() {
		each = ns.eachWrittenGeneral
	}
	each(func(g *Element) {
		for _, d := range direct {
			if d == g || d.specializes(g) && !d.specializes(ns) {
				return
			}
		}
		direct = append(direct, g)
	})
	if len(direct) > 1 {
		if x := clashes(ns, direct); x.a != nil {
			return x
		}
	}
	for _, g := range direct {
		if g.doc.library {
			continue
		}
		if x := g.collision(); x.a != nil && !ns.drops(x.a) && !ns.drops(x.b) {
			return x
		}
	}
	return collision{}
}

// isOfOneFamily reports whether one library package holds what is implied for
// ns and for all that it is written to specialize, so that nothing in the
// library can collide.
func (ns *Element) isOfOneFamily() bool {
	if ns.doc.library || ns.owner != nil && ns.position() == endPosition {
		return false
	}
	own := families[ns.metaclass]
	for _, g := range ns.supertypes() {
		if g.doc.library || families[g.metaclass] != own {
			return false
		}
	}
	return true
}

// families are the library packages that base is in.
var families = func() (all [256]string) {
	for m, b := range base {
		all[m], _, _ = strings.Cut(b, "::")
	}
	return all
}()

// clashes is a pair of members of one name that ns inherits through two of
// direct, each through one of them alone.
func clashes(ns *Element, direct []*Element) collision {
	if len(direct) > manyGenerals && ns.isInRing(direct) {
		return collision{} // too many ways round to walk each
	}
	brought := make([][]*Element, len(direct))
	for i, g := range direct {
		brought[i] = append([]*Element{g}, g.supertypesWithout(ns)...)
	}
	for i := range direct {
		for j := i + 1; j < len(direct); j++ {
			one, other := beyond(brought[i], brought[j]), beyond(brought[j], brought[i])
			if len(one) == 0 || len(other) == 0 {
				continue
			}
			if x := clash(ns, one, other); x.a != nil {
				return x
			}
		}
	}
	return collision{}
}

// manyGenerals is how many generals a type in a ring may have to be searched
// for clashes.
const manyGenerals = 8

// isInRing reports whether one of its generals specializes ns.
func (ns *Element) isInRing(direct []*Element) bool {
	for _, g := range direct {
		if g.specializes(ns) {
			return true
		}
	}
	return false
}

// clash is a pair of members of one name, the first of a type in one, the
// second of a type in other, that ns inherits both.
func clash(ns *Element, one, other []*Element) collision {
	for _, t := range one {
		for _, a := range t.members() {
			n := a.name()
			if n == "" || a.metaclass.IsImport() || !heir.sees(a.visibility()) {
				continue
			}
			for _, u := range other {
				for _, b := range u.named(n) {
					if b.name() == n && heir.sees(b.visibility()) && b.aliased() != a.aliased() &&
						!a.redefines(b) && !b.redefines(a) && !ns.drops(a) && !ns.drops(b) {
						return collision{a, b, n}
					}
				}
			}
		}
	}
	return collision{}
}

// beyond are the types of some that are not in others.
func beyond(some, others []*Element) []*Element {
	known := make(map[*Element]bool, len(others))
	for _, t := range others {
		known[t] = true
	}
	var all []*Element
	for _, t := range some {
		if !known[t] {
			all = append(all, t)
		}
	}
	return all
}

// supertypesWithout are the supertypes of e that a way leads to which does not
// lead through ns again.
func (e *Element) supertypesWithout(ns *Element) []*Element {
	all := e.allSupertypes()
	if slices.Contains(all, ns) {
		return closure(e, func(k *Element, visit func(*Element)) {
			if k != ns {
				k.eachGeneral(visit)
			}
		})
	}
	return all
}

// rootImport reports an import at the top of a document that is not private.
func (c *checker) rootImport(e *Element) {
	if e.owner.owner == nil && (e.visibility() == syntax.Public || e.visibility() == syntax.Protected) {
		c.report(diagnostic.New(importNotPrivate, e.Span(), "an import at the top of a document is private, not "+e.visibility().String()).
			WithHint("write `private import`, or put it into a package"))
	}
}

// libraryPackage reports a user's library package that is marked standard.
func (c *checker) libraryPackage(e *Element) {
	if e.is(syntax.Standard) && !e.doc.library {
		d := diagnostic.New(userLibraryStandard, e.NameSpan(), "only the language's own libraries are marked standard")
		d.Severity = diagnostic.Warning
		c.report(d.WithHint("leave out `standard`"))
	}
}
