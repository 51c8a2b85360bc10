package model

import (
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file checks transitions and assignments.

// transitionRules checks the guard of a transition, and that only what leaves
// a state has a trigger.
func (c *checker) transitionRules(e *Element, part *syntax.TransitionPart) {
	if part.Guard != nil {
		switch c.model.scalarOf(part.Guard, e) {
		case unknownScalar, booleanScalar:
		default:
			c.report(diagnostic.New(guardNotBoolean, part.Guard.Span(), "a guard is a Boolean, and this is "+c.model.scalarOf(part.Guard, e).String()))
		}
	}
	if part.Trigger == nil || len(part.Source.Links) == 0 {
		return
	}
	links, why := c.model.connected(&part.Source, e, nil)
	if why != nil {
		return
	}
	source := links[len(links)-1]
	if isActionUsage(source.metaclass) && !isStateUsage(source.metaclass) && !source.doc.library {
		c.report(diagnostic.New(accepterSource, part.Trigger.In(e.doc.File), "only a transition out of a state waits for something, and "+source.described()+" is none").
			WithRelated(source.NameSpan(), "the source"))
	}
}

// assignment checks that what is assigned to may vary over time.
func (c *checker) assignment(e *Element, part *syntax.AssignPart) {
	f := c.model.denoted(part.Target, e)
	if f == nil || f.owner == nil || !f.isFeature() || c.model.options.Lenient {
		return
	}
	if isActionUsage(f.metaclass) || f.is(syntax.Constant) {
		at := part.Target.Span()
		c.report(diagnostic.New(targetNotVariable, at, f.described()+" does not vary over time, and nothing can be assigned to it").
			WithRelated(f.NameSpan(), "declared here"))
	}
}
