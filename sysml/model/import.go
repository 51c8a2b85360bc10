package model

import "github.com/orrery-sysml/orrery/sysml/syntax"

// This file follows imports and exposes: of members, of namespaces, recursive,
// of all, and filtered.

// imported is what the imports of ns that a sees bring under the name.
func (s *search) imported(ns *Element, a access) *Element {
	x := ns.nameIndex()
	for _, imp := range x.imports {
		if !a.sees(imp.visibility()) {
			continue
		}
		if e := s.throughImport(imp, x.filters); e != nil {
			return e
		}
	}
	return nil
}

func (s *search) throughImport(imp *Element, filters []*Element) *Element {
	part, ok := imp.decl.Detail.(*syntax.ImportPart)
	if !ok {
		return nil
	}
	if !imp.mayBring(part, s.name) {
		return nil
	}
	if !part.Members {
		if !part.Recursive && !s.couldBring(imp, part) {
			return nil
		}
	}
	target := imp.importTarget()
	if target == nil {
		return nil
	}
	if len(part.Filters)+len(filters) > 0 {
		s.filtered = true
		if s.candidate != nil && !imp.passesFilters(s.candidate.aliased(), part, filters) {
			return nil
		}
	}
	ns := target.aliased()
	if ns == nil {
		return nil
	}
	a := outside
	if part.All || imp.isExpose() {
		a = inside
	}
	if !part.Members {
		if target.isCalled(s.name) && s.admits(target) {
			return target
		}
		if !part.Recursive {
			return nil
		}
	}
	return s.throughNamespace(ns, a, part.Recursive)
}

// couldBring spares resolving an import of one member that cannot bring the
// name: its last segment is another, and so is the short name, which only
// the target itself can tell; so it spares only what was resolved before.
func (s *search) couldBring(imp *Element, part *syntax.ImportPart) bool {
	if part.Target.Last().Text == s.name {
		return true
	}
	t := imp.importTarget()
	return t != nil && t.isCalled(s.name)
}

func (s *search) throughNamespace(ns *Element, a access, recursive bool) *Element {
	if e := s.walk(ns, a); e != nil {
		return e
	}
	if !recursive || s.visited(ns, a, forNamespaces) {
		return nil
	}
	for _, c := range ns.members() {
		if !c.metaclass.IsNamespace() || !a.sees(c.visibility()) {
			continue
		}
		if e := s.throughNamespace(c, a, true); e != nil {
			return e
		}
	}
	return nil
}

// isExpose reports whether e is an expose, which sees hidden members too.
func (e *Element) isExpose() bool {
	return e.metaclass == syntax.MembershipExpose || e.metaclass == syntax.NamespaceExpose
}

// importTarget is the member that the import names, an alias as itself.
func (e *Element) importTarget() *Element {
	x := e.rarerMemos()
	return recall(e.model, e.doc, &x.target, func() *Element {
		part, ok := e.decl.Detail.(*syntax.ImportPart)
		if !ok {
			return nil
		}
		found, _ := e.resolveImport(part)
		return found
	})
}

// resolveImport finds what an import names; `import all` reaches hidden
// members too.
func (e *Element) resolveImport(part *syntax.ImportPart) (*Element, miss) {
	if !part.All && !e.isExpose() || len(part.Target.Segments) < 2 {
		return e.model.member(part.Target, e.owner, e, nil)
	}
	q := part.Target
	first := syntax.QualifiedName{Segments: q.Segments[:1], Global: q.Global, Range: q.Range}
	found, why := e.model.member(first, e.owner, e, isNamespace)
	if found == nil {
		return nil, why
	}
	return e.model.rest(q, found, e, nil, inside)
}
