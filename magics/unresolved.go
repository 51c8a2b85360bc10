package magics

import (
	"errors"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says of a name that led nowhere what was meant by it.

// explained is err with the place and the nearest names of the first name in
// expr that means nothing, where err says that there is one.
func (s *Shell) explained(err error, expr syntax.Expr) error {
	var d *diagnostic.Diagnostic
	if !errors.As(err, &d) || d.Code != diagnostic.UnresolvedName && d.Code != noMember || d.Hint != "" {
		return err
	}
	var found *diagnostic.Diagnostic
	syntax.Inspect(expr, func(node any) bool {
		if x, ok := node.(syntax.Expr); ok && found == nil {
			found = s.unresolvedIn(x)
		}
		return found == nil
	})
	if found == nil {
		return err
	}
	if plan.IsStarlark(expr.Span().Text()) && (found.Hint == nothingNear || strings.HasPrefix(found.Hint, nearMagic)) {
		found.Hint = "if this is Starlark, write %%starlark on the first line of the cell"
	}
	return found
}

// noMember is the code of what runtime says of a feature that is not there.
const noMember diagnostic.Code = "no-member"

// missingLink is what is wrong with the first link of a chain that its owner
// does not have; nil where all are there.
func (s *Shell) missingLink(x *syntax.FeatureChainExpression) *diagnostic.Diagnostic {
	path := x.Operand.Span().Text()
	for _, link := range x.Links {
		owner := s.typeOf(path, place{s.model(), s.top()})
		if owner == nil {
			return nil
		}
		name := link.Last().Text
		if _, ok := owner.LookupInside(name); !ok {
			var names []string
			for _, f := range owner.Features() {
				names = append(names, f.Label)
			}
			d := diagnostic.New(diagnostic.UnresolvedName, link.In(x.Span().File), path+" has no feature "+model.Quote(name))
			if near := nearest(name, names); near != "" {
				d.Hint = "nearest: " + model.Quote(near)
			} else {
				d.Hint = path + "? lists what it has"
			}
			return d
		}
		path += "." + model.Quote(name)
	}
	return nil
}

// unresolvedIn is what is wrong with the name that x itself is or calls.
func (s *Shell) unresolvedIn(x syntax.Expr) *diagnostic.Diagnostic {
	var name syntax.QualifiedName
	switch x := x.(type) {
	case *syntax.FeatureChainExpression:
		if d := s.unresolvedIn(x.Operand); d != nil {
			return d
		}
		return s.missingLink(x)
	case *syntax.FeatureReferenceExpression:
		name = x.Name
	case *syntax.InvocationExpression:
		name = x.Callee.First()
	case *syntax.ConstructorExpression:
		name = x.Type.First()
	case *syntax.OperatorExpression:
		name = x.Type.First()
	}
	if len(name.Segments) == 0 || s.isObject(name) {
		return nil
	}
	at := name.In(x.Span().File)
	if scope := s.top(); scope != nil {
		if _, d := s.model().Resolve(&name, scope); d == nil {
			return nil
		} else if d.Hint != "" || strings.Contains(d.Message, "nearest") || len(name.Segments) > 1 {
			located := *d // resolved in the scope of another text
			located.Span.File = at.File
			return &located
		}
	}
	return s.unknownElement(model.QuoteQualified(name), at)
}

// assignsToObject reports whether a cell is a line like x.y = 3, and x an object.
func (s *Shell) assignsToObject(text string) bool {
	path, value, ok := strings.Cut(text, "=")
	root, _, dotted := strings.Cut(path, ".")
	return ok && dotted && !strings.HasPrefix(value, "=") && !strings.Contains(text, "\n") && slices.Contains(s.objectNames(), root)
}

func (s *Shell) isObject(name syntax.QualifiedName) bool {
	for _, o := range s.objectNames() {
		if name.IsSimple() && o == name.Last().Text {
			return true
		}
	}
	return false
}
