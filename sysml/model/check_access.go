package model

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks that features can be reached from where they are used: a
// feature exists only in what its owner types, so that one of another type
// needs a dot path that leads there (KerML 8.4.4.6).

// connectable reports f, the first link of what an end of a connector in
// context names, where context has no such feature.
// A variant connects what the owner of its variation has.
func (c *checker) connectable(context, f *Element, at source.Span) {
	for context != nil && context.isFeature() && context.isVariation() {
		context = context.owner
	}
	if context == nil || standsAlone(f) || hasFeature(context, f) {
		return
	}
	c.report(inaccessible(f, at))
}

// accessibleAround reports f, the first link of what is named in scope, where
// no namespace around has such a feature.
func (c *checker) accessibleAround(scope, f *Element, at source.Span) {
	if standsAlone(f) {
		return
	}
	for ns := scope; ns != nil; ns = ns.owner {
		if hasFeature(ns, f) {
			return
		}
	}
	c.report(inaccessible(f, at))
}

// standsAlone reports whether f can be named anywhere: what belongs to no
// type, literals and variants, metadata, which is looked at from outside, and
// what the text gives other featuring types than its owner.
func standsAlone(f *Element) bool {
	if !f.isFeature() || f.owner == nil || !f.owner.isType() || f.owner.isMetadata() || isMetadataType(f.owner) {
		return true
	}
	return f.decl != nil && f.decl.Member == syntax.VariantMember || isFeaturedElsewhere(f)
}

// hasFeature reports whether f is a feature of context: its own, or one that
// it inherits. What an accept action receives is one of the action that holds
// it too.
func hasFeature(context, f *Element) bool {
	if context == f.owner || context.isType() && context.specializes(f.owner) {
		return true
	}
	return f.isReceived() && f.owner.owner != nil && hasFeature(context, f.owner)
}

// isReceived reports whether e is what an accept action receives.
func (e *Element) isReceived() bool {
	return e.role == Payload && e.owner.metaclass == syntax.AcceptActionUsage
}

// isFeaturedElsewhere reports whether the text gives f other featuring types
// than its owner.
func isFeaturedElsewhere(f *Element) bool {
	if f.decl == nil {
		return false
	}
	for _, r := range f.decl.Relationships {
		if r.Kind == syntax.FeaturedBy {
			return true
		}
	}
	return f.decl.Member == syntax.TypeMember
}

func inaccessible(f *Element, at source.Span) *diagnostic.Diagnostic {
	d := diagnostic.New(inaccessibleFeature, at, f.described()+" belongs to "+f.owner.inWords()+" and cannot be reached from here").
		WithRelated(f.NameSpan(), "declared here")
	if path := dotPath(f, at.Text()); path != "" {
		return d.WithHint("write " + path)
	}
	return d.WithHint("name a feature of type " + f.owner.qualifiedName(true) + ", then a dot, then " + Quote(f.effectiveName()))
}

// dotPath is text, a qualified name of f, with dots behind its features; "" where
// it has none of these before f.
func dotPath(f *Element, text string) string {
	segments := strings.Split(text, "::")
	path := segments[len(segments)-1]
	dots := false
	for i := len(segments) - 2; i >= 0; i-- {
		if f = f.owner; f == nil {
			return ""
		}
		if f.isFeature() {
			path, dots = segments[i]+"."+path, true
		} else {
			path = segments[i] + "::" + path
		}
	}
	if !dots {
		return ""
	}
	return path
}

// linkBehindDot reports e, named behind a dot, where the value before the dot,
// at, has no such feature.
func (c *checker) linkBehindDot(at, e *Element, span source.Span) {
	switch {
	case !e.isFeature():
		c.report(diagnostic.New(invalidFeatureReference, span, "behind a dot stands a feature, and "+Quote(e.effectiveName())+" is "+article(e.kindName())+" "+e.kindName()).
			WithRelated(e.NameSpan(), "declared here"))
	case !standsAlone(e) && at.isType() && !hasFeature(at, e):
		c.report(diagnostic.New(invalidFeatureReference, span, Quote(at.effectiveName())+" has no feature "+Quote(e.effectiveName())+" of its own; it belongs to "+e.owner.inWords()).
			WithRelated(e.NameSpan(), "declared here"))
	}
}

// referent reports what an expression names where it is no feature.
func (c *checker) referent(e *Element, span source.Span) bool {
	if e.isFeature() {
		return true
	}
	c.report(diagnostic.New(invalidFeatureReference, span, "a value is expected, and "+Quote(e.effectiveName())+" is "+article(e.kindName())+" "+e.kindName()).
		WithRelated(e.NameSpan(), "declared here"))
	return false
}
