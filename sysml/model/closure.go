package model

import (
	"slices"

	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file walks on from what an element relates to: all that it specializes
// and all that it redefines, in any number of steps.

// supertypes is the closure of the written generals and of implied
// redefinitions of e, nearest first, without e unless e is in a ring.
func (e *Element) supertypes() []*Element {
	if len(e.generals())+len(e.impliedRedefinitions()) == 0 {
		return nil
	}
	x := e.memos()
	return recall(e.model, e.doc, &x.supers, func() []*Element {
		if all, ok := e.throughSole((*Element).soleGeneral, (*Element).supersMemo, (*Element).supertypes); ok {
			return all
		}
		return closure(e, func(t *Element, visit func(*Element)) {
			for _, g := range t.generals() {
				visit(g.Target)
			}
			for _, f := range t.impliedRedefinitions() {
				visit(f)
			}
		})
	})
}

// allSupertypes is supertypes and behind them what library types are implied
// for e and for each of these.
func (e *Element) allSupertypes() []*Element {
	x := e.memos()
	return recall(e.model, e.doc, &x.allSupers, func() []*Element {
		if len(e.libraryRedefinitions())+len(e.impliedBases()) == 0 {
			if all, ok := e.throughSole((*Element).soleGeneral, (*Element).allSupersMemo, (*Element).allSupertypes); ok {
				return all
			}
		}
		all := e.supertypes()
		seen := make(map[*Element]bool, len(all)+16)
		for _, t := range all {
			seen[t] = true
		}
		all = all[:len(all):len(all)]
		add := func(t *Element) {
			if t != e && !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
		}
		imply := func(t *Element) {
			for _, list := range [...][]*Element{t.libraryRedefinitions(), t.impliedBases()} {
				for _, b := range list {
					add(b)
					for _, g := range b.allSupertypes() {
						add(g)
					}
				}
			}
		}
		imply(e)
		for _, t := range e.supertypes() {
			imply(t)
		}
		return all
	})
}

func (e *Element) supersMemo() *memo[[]*Element]    { return &e.memos().supers }
func (e *Element) allSupersMemo() *memo[[]*Element] { return &e.memos().allSupers }

// maxLine is how many generals in a row, each the only one of the one before,
// are followed at once.
const maxLine = 10_000

// throughSole is the closure that ask gives and at keeps, made from that of
// the only element that e leads to, as sole tells, so that a long line is not
// walked for each element of it. It is false where e leads to none or several,
// is in a ring, or the closure is not settled there.
func (e *Element) throughSole(sole func(*Element) *Element, at func(*Element) *memo[[]*Element], ask func(*Element) []*Element) ([]*Element, bool) {
	general := sole(e)
	if general == nil {
		return nil, false
	}
	var line []*Element
	for t := general; t != nil && !at(t).isSettled(t); t = sole(t) {
		if t == e || at(t).isOpen(t.model) || len(line) == maxLine {
			return nil, false
		}
		line = append(line, t)
	}
	for i := len(line) - 1; i >= 0; i-- {
		ask(line[i])
	}
	if !at(general).isSettled(general) {
		return nil, false
	}
	above := ask(general)
	if slices.Contains(above, e) {
		return nil, false
	}
	return append([]*Element{general}, above...), true
}

// soleGeneral is the one general of e, as eachWrittenGeneral visits them; nil
// where it has none or several.
func (e *Element) soleGeneral() *Element {
	var sole *Element
	several := false
	e.eachWrittenGeneral(func(g *Element) {
		several = several || sole != nil || g == e
		sole = g
	})
	if several {
		return nil
	}
	return sole
}

// eachWrittenGeneral visits the direct generals of t that are written, and the
// features that it redefines by position in these.
func (t *Element) eachWrittenGeneral(visit func(*Element)) {
	for _, g := range t.generals() {
		visit(g.Target)
	}
	for _, f := range t.impliedRedefinitions() {
		visit(f)
	}
}

// eachGeneral visits the direct generals of t, written and implied.
func (t *Element) eachGeneral(visit func(*Element)) {
	for _, g := range t.generals() {
		visit(g.Target)
	}
	for _, list := range [...][]*Element{t.libraryRedefinitions(), t.impliedBases()} {
		for _, b := range list {
			visit(b)
		}
	}
}

// closure walks from start breadth first and gives what it meets, in that
// order, without start.
func closure(start *Element, next func(*Element, func(*Element))) []*Element {
	const few = 8 // are sooner compared than hashed
	var met []*Element
	var seen map[*Element]bool
	visit := func(t *Element) {
		if t == nil || t == start || seen[t] || seen == nil && slices.Contains(met, t) {
			return
		}
		if met = append(met, t); seen != nil {
			seen[t] = true
		} else if len(met) > few {
			seen = make(map[*Element]bool, 4*few)
			for _, k := range met {
				seen[k] = true
			}
		}
	}
	next(start, visit)
	for i := 0; i < len(met); i++ {
		next(met[i], visit)
	}
	return met
}

// redefinesDirectly reports whether e redefines f by a written redefinition.
func (e *Element) redefinesDirectly(f *Element) bool {
	for i := range e.relationships() {
		if e.decl.Relationships[i].Kind != syntax.Redefines {
			continue
		}
		if links := e.target(i); len(links) > 0 && links[len(links)-1] == f {
			return true
		}
	}
	return false
}

// redefinesByText reports whether written redefinitions lead from e to f in any
// number of steps.
func (e *Element) redefinesByText(f *Element) bool {
	all := closure(e, func(k *Element, visit func(*Element)) {
		for i := range k.relationships() {
			if k.decl.Relationships[i].Kind != syntax.Redefines {
				continue
			}
			if links := k.target(i); len(links) > 0 {
				visit(links[len(links)-1])
			}
		}
	})
	return slices.Contains(all, f)
}

func (e *Element) redefined() []*Element {
	var all []*Element
	for i := range e.relationships() {
		if e.decl.Relationships[i].Kind == syntax.Redefines {
			if links := e.target(i); len(links) > 0 {
				all = append(all, links[len(links)-1])
			}
		}
	}
	return append(all, e.impliedRedefinitions()...)
}

// redefinitionClosure is every feature that e redefines, nearest first.
func (e *Element) redefinitionClosure() []*Element {
	if len(e.relationships()) == 0 && e.redefiningPosition() == noPosition {
		return nil
	}
	return recall(e.model, e.doc, e.redefinitionsMemo(), func() []*Element {
		if all, ok := e.throughSole((*Element).soleRedefined, (*Element).redefinitionsMemo, (*Element).redefinitionClosure); ok {
			return all
		}
		return closure(e, func(f *Element, visit func(*Element)) {
			for _, g := range f.redefined() {
				visit(g)
			}
		})
	})
}

func (e *Element) redefinitionsMemo() *memo[[]*Element] { return &e.rarerMemos().redefinitions }

// soleRedefined is the one feature that e redefines directly; nil where there
// is none or several.
func (e *Element) soleRedefined() *Element {
	if all := e.redefined(); len(all) == 1 && all[0] != e {
		return all[0]
	}
	return nil
}
