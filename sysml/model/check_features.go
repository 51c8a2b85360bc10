package model

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks features: multiplicities, and what subsetting, redefinition,
// chaining and reference ask of both sides.

// feature checks the relationships that e writes to other features.
func (c *checker) feature(e *Element) {
	references := 0
	for i := range e.relationships() {
		r := &e.decl.Relationships[i]
		at := r.Target.In(e.doc.File)
		switch r.Kind {
		case syntax.References:
			if references++; references > 1 {
				c.report(diagnostic.New(multipleReferences, at, e.described()+" refers to one feature already, and `::>` is allowed once"))
			}
		case syntax.Chains:
			if !r.Target.IsChain() && len(e.decl.Related(syntax.Chains)) == 1 {
				c.report(diagnostic.New(singleChaining, at, "a feature chain has at least two links").WithHint("write `chains a.b`"))
			}
		}
		links := e.target(i)
		if len(links) == 0 {
			continue
		}
		if r.Kind == syntax.Chains {
			for _, l := range links {
				if l == e {
					c.report(diagnostic.New(selfInChain, at, e.described()+" is a link of its own chain"))
				}
			}
			continue
		}
		switch {
		case r.Kind == syntax.References && e.is(syntax.End) && e.owner.isConnector():
			c.connectable(e.owner.owner, links[0], at)
		case r.Kind == syntax.Subsets || r.Kind == syntax.References:
			c.accessibleAround(e.owner, links[0], at)
		}
		if r.Kind == syntax.Subsets || r.Kind == syntax.Redefines {
			c.conforms(e, links[len(links)-1], r.Kind, r.Target.IsChain(), at)
		}
	}
	c.variability(e)
}

// conforms checks what e, which subsets or redefines f, owes it.
func (c *checker) conforms(e, f *Element, kind syntax.RelationshipKind, chain bool, at source.Span) {
	c.boundsConform(e, f, kind, at)
	if e.is(syntax.Nonunique) && !f.is(syntax.Nonunique) && f.decl != nil {
		c.report(diagnostic.New(subsettingUniqueness, at, e.described()+" is nonunique and cannot "+verb(kind)+" "+f.described()+", which is unique").
			WithRelated(f.NameSpan(), "declared here"))
	}
	if e.is(syntax.Var) && !e.is(syntax.Constant) && f.is(syntax.Constant) {
		c.report(diagnostic.New(subsettingConstant, at, e.described()+" varies and cannot "+verb(kind)+" "+f.described()+", which is constant").
			WithRelated(f.NameSpan(), "declared here").WithHint("declare it `const`"))
	}
	if kind != syntax.Redefines {
		return
	}
	if !chain {
		c.redefinedOwner(e, f, at)
	}
	if f.is(syntax.End) && !e.is(syntax.End) && e.decl != nil {
		c.report(diagnostic.New(redefinitionEnd, at, e.described()+" redefines the end "+Quote(f.effectiveName())+" and is no end itself").
			WithRelated(f.NameSpan(), "the end").WithHint("write `end` before it"))
	}
	c.directionConforms(e, f, at)
}

func verb(kind syntax.RelationshipKind) string {
	if kind == syntax.Redefines {
		return "redefine"
	}
	return "subset"
}

// redefinedOwner checks that f, which e redefines, belongs to another type.
func (c *checker) redefinedOwner(e, f *Element, at source.Span) {
	if e.owner == nil || f.owner == nil {
		return
	}
	switch {
	case f.owner == e.owner && e.owner.isType():
		c.report(diagnostic.New(redefinitionFeaturingType, at, e.described()+" and "+f.described()+" belong to the same "+e.owner.kindName()+
			"; only an inherited feature is redefined").WithRelated(f.NameSpan(), "declared here"))
	case !f.owner.isType() && !e.owner.isType() && len(e.decl.Related(syntax.FeaturedBy)) == 0:
		c.report(diagnostic.New(redefinitionFeaturingType, at, f.described()+" belongs to a "+f.owner.kindName()+" and is inherited by nothing, so that it cannot be redefined here").
			WithRelated(f.NameSpan(), "declared here").WithHint("subset it: `:> " + Quote(f.effectiveName()) + "`"))
	}
}

// directionConforms checks that e keeps the direction of f, or narrows inout.
func (c *checker) directionConforms(e, f *Element, at source.Span) {
	want := f.direction()
	if e.decl == nil || want == syntax.NoDirection || c.model.options.Lenient {
		return
	}
	if e.owner.conjugates(f.owner) {
		want = reversed(want)
	}
	own := e.decl.Direction
	if e.decl.Member == syntax.ReturnMember {
		own = syntax.Out
	}
	if want == syntax.InOut && own == syntax.NoDirection || want != syntax.InOut && want != own {
		c.report(diagnostic.New(redefinitionDirection, at, e.described()+" is `"+e.decl.Direction.String()+"` and redefines "+f.described()+", which is `"+want.String()+"` here").
			WithRelated(f.NameSpan(), "declared here"))
	}
}

// conjugates reports whether e has the features of owner through a conjugated
// port.
func (e *Element) conjugates(owner *Element) bool {
	for _, t := range append([]*Element{e}, e.supertypes()...) {
		for _, g := range t.generals() {
			if (g.Conjugated || g.Kind == syntax.Conjugates) && g.Target.specializes(owner) {
				return true
			}
		}
	}
	return false
}

// A limit is what is known of the multiplicity of a feature; known is false
// where nothing constrains it.
type limit struct {
	lower, upper int64
	known        bool
}

// ownLimit is the multiplicity that e itself states, or has by default: items,
// parts, ports and attributes of a type have exactly one value (SysML 8.4.2).
func (e *Element) ownLimit() limit {
	if m, ok := e.ownMultiplicity(); ok {
		return limit{m.Lower, m.Upper, m.Constant}
	}
	switch e.metaclass {
	case syntax.AttributeUsage, syntax.EnumerationUsage, syntax.ItemUsage, syntax.PartUsage, syntax.PortUsage:
	default:
		return limit{}
	}
	if e.owner == nil || !e.owner.isType() || e.is(syntax.End) || e.isRedefining() {
		return limit{}
	}
	for _, g := range e.generals() {
		if g.Kind == syntax.Subsets && !g.Implied {
			if g.Target.limitsSubsets() {
				return limit{}
			}
		}
	}
	return limit{1, 1, true}
}

// limitsSubsets reports whether e, or what it redefines, has a written
// multiplicity, which then holds for what subsets e too.
func (e *Element) limitsSubsets() bool {
	if _, declared := e.ownMultiplicity(); declared {
		return true
	}
	for _, f := range e.redefinitionClosure() {
		if _, declared := f.ownMultiplicity(); declared {
			return true
		}
	}
	return false
}

// statedLimit is ownLimit, or else that of what e redefines.
func (e *Element) statedLimit() limit {
	if l := e.ownLimit(); l.known {
		return l
	}
	if _, declared := e.ownMultiplicity(); declared {
		return limit{}
	}
	for _, f := range e.redefinitionClosure() {
		if l := f.ownLimit(); l.known {
			return l
		}
	}
	return limit{}
}

func (c *checker) boundsConform(e, f *Element, kind syntax.RelationshipKind, at source.Span) {
	own := e.ownLimit()
	if !own.known {
		return
	}
	other := f.statedLimit()
	if !other.known {
		return
	}
	if own.upper != other.upper && other.upper >= 0 && (own.upper < 0 || own.upper > other.upper) {
		d := diagnostic.New(subsettingUpper, at, e.described()+" may have "+upTo(own.upper)+" values and "+f.described()+", which it "+verb(kind)+"s, at most "+upTo(other.upper))
		d.Severity = diagnostic.Warning
		c.report(d.WithRelated(f.NameSpan(), "declared here"))
	}
	if kind == syntax.Redefines && own.lower < other.lower && !e.is(syntax.End) {
		d := diagnostic.New(redefinitionLower, at, e.described()+" may have fewer values than "+f.described()+", which it redefines and which has at least "+upTo(other.lower))
		d.Severity = diagnostic.Warning
		c.report(d.WithRelated(f.NameSpan(), "declared here"))
	}
}

// variability checks the marks var and portion.
func (c *checker) variability(e *Element) {
	if !e.is(syntax.Var) {
		return
	}
	if e.is(syntax.Portion) {
		c.report(diagnostic.New(variablePortion, e.Span(), e.described()+" is a portion and cannot vary"))
	}
	if e.owner != nil && !e.owner.isOccurrence() {
		c.report(diagnostic.New(variableFeatureOwner, e.Span(), e.described()+" varies over time and belongs to "+e.owner.inWords()+", which is no type of occurrences"))
	}
}

// isOccurrence reports whether the values of e are occurrences.
func (e *Element) isOccurrence() bool {
	if isClassKind(e.metaclass) || isOccurrenceUsage(e.metaclass) {
		return true
	}
	for _, t := range e.allSupertypes() {
		if isClassKind(t.metaclass) {
			return true
		}
	}
	return false
}

// multiplicities checks that a type has one multiplicity at most.
func (c *checker) multiplicities(e *Element) {
	n := 0
	if e.decl != nil && e.decl.Multiplicity != nil {
		n++
	}
	for _, k := range e.members() {
		if k.metaclass != syntax.Multiplicity && k.metaclass != syntax.MultiplicityRange {
			continue
		}
		if n++; n > 1 {
			c.report(diagnostic.New(multipleMultiplicities, k.Span(), e.described()+" has a multiplicity already"))
		}
	}
}

// bounds checks that the bounds of a multiplicity are natural numbers.
func (c *checker) bounds(part *syntax.MultiplicityPart, scope *Element) {
	if part == nil {
		return
	}
	for _, x := range [...]syntax.Expr{part.Lower, part.Upper} {
		if x == nil {
			continue
		}
		if why := c.model.unnatural(x, scope); why != "" {
			c.report(diagnostic.New(multiplicityBoundType, x.Span(), "a multiplicity is bounded by natural numbers, and "+why))
			return
		}
	}
}

// reversed is d as seen through a conjugated port.
func reversed(d syntax.Direction) syntax.Direction {
	switch d {
	case syntax.In:
		return syntax.Out
	case syntax.Out:
		return syntax.In
	}
	return d
}
