package lower

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says what a name means where it is evaluated. The order is: names
// of the body itself, data of behaviours around it, features of the element
// that is checked, features of the object it runs on, and at last what the
// name resolves to in the model.

// A data is the names of one Env around a statement of a behaviour.
type data struct {
	slots map[string]int32
	// declared are the names that the behaviour declares, rather than only
	// assigns.
	declared map[string]bool
}

// name lowers a name. What it may mean only at run time is tried in order.
func (b *body) name(q syntax.QualifiedName, want int32) operand {
	if !q.IsSimple() {
		return b.qualified(q, want)
	}
	n := q.Segments[0].Text
	var done []int
	to := int32(-1)
	if l := b.lookup(n); l != nil && l.kind != givenLocal {
		return b.local(l, n, want)
	} else if l != nil {
		to = b.alloc()
		b.move(to, l.register)
		done = append(done, b.emit(exec.Instr{Op: exec.OpJumpPresent, B: to}))
	}
	try := func(in exec.Instr) {
		if to < 0 {
			to = b.alloc()
		}
		in.A = to
		b.emit(in)
		next := b.jump()
		done = append(done, b.jump())
		b.land(next)
	}
	for hops, d := range b.datas {
		if slot, ok := d.slots[n]; ok {
			try(exec.Instr{Op: exec.OpEnv, B: int32(hops), C: slot})
		}
	}
	if f := b.checkedFeature(n); f != nil {
		v, _ := f.Value()
		b.computing = append(b.computing, f)
		r := b.in(v.Scope, v.Expr, want)
		b.computing = b.computing[:len(b.computing)-1]
		return b.joined(r, to, done)
	}
	if n == "self" || n == "that" || n == "this" {
		try(exec.Instr{Op: exec.OpSelf})
	}
	e, why := b.l.model.Resolve(&q, b.scope)
	if b.self && !(e != nil && isPackage(e)) {
		try(exec.Instr{Op: exec.OpSelfFeature, B: int32(b.l.name(n))})
	}
	if e == nil {
		if f, ok := value.UnqualifiedFunction(n); ok && isOfExtension(f) {
			return b.joined(b.notInScope(f, n), to, done)
		} else if ok {
			return b.joined(b.konst(value.FunctionOf(value.NewNamed(f.Name, n, "", -1), value.NoObject)), to, done)
		}
		b.fail(diagnostic.UnresolvedName, "unresolved reference: "+n, why.Hint)
		return b.joined(b.konst(value.NullValue), to, done)
	}
	return b.joined(b.denote(e, n, want), to, done)
}

// isPackage reports whether e is a namespace that is no type.
func isPackage(e *model.Element) bool {
	m := e.Metaclass()
	return m == syntax.Package || m == syntax.LibraryPackage || m == syntax.Namespace
}

// joined makes the value of the last way of reading a name, v, the same as
// that of the ways before, which are in register to and jump from done.
func (b *body) joined(v operand, to int32, done []int) operand {
	if len(done) == 0 {
		return v
	}
	b.move(to, v)
	b.land(done...)
	b.top = max(b.top, to+1)
	return to
}

// in lowers x as it is written in scope, inside this body.
func (b *body) in(scope *model.Element, x syntax.Expr, want int32) operand {
	outer := b.scope
	b.scope = scope
	v := b.expr(x, want)
	b.scope = outer
	return v
}

// checkedFeature is the valued feature called n of the element that is
// checked; nil where there is none or its own value is being lowered.
func (b *body) checkedFeature(n string) *model.Element {
	for i := len(b.checked) - 1; i >= 0; i-- {
		for _, f := range b.checked[i].Features() {
			if f.Label != n || f.IsLibrary() && isRootBehaviour(f.Owner()) {
				continue
			}
			if _, has := f.Value(); has && !slices.Contains(b.computing, f.Element) && f.Direction() != syntax.Out {
				return f.Element
			}
			break
		}
	}
	return nil
}

// local reads a name of the body.
func (b *body) local(l *local, name string, want int32) operand {
	switch l.kind {
	case registerLocal:
		return l.register
	case outputLocal:
		return b.ownOutput(l, name)
	case valueLocal:
		v, has := l.element.Value()
		if !has {
			return b.failed(exec.NoValue, "no value for feature "+name, "")
		}
		if slices.Contains(b.computing, l.element) {
			return b.failed(exec.Cyclic, "cyclic feature value dependency: "+name, "")
		}
		b.computing = append(b.computing, l.element)
		r := b.in(v.Scope, v.Expr, want)
		b.computing = b.computing[:len(b.computing)-1]
		return r
	case usageLocal:
		return b.function(l.element)
	}
	return b.function(l.element)
}

// qualified lowers A::B::x.
func (b *body) qualified(q syntax.QualifiedName, want int32) operand {
	for i := 1; i < len(q.Segments); i++ {
		prefix := syntax.QualifiedName{Segments: q.Segments[:i], Global: q.Global, Range: q.Range}
		e, _ := b.l.model.Resolve(&prefix, b.scope)
		if e == nil || !isCalcUsage(e) {
			continue
		}
		return b.outputs(e, absent, q.Segments[i:], want)
	}
	e, why := b.l.model.Resolve(&q, b.scope)
	if e != nil {
		return b.denote(e, written(q, ""), want)
	}
	if v, found, err := value.LibraryConstant(written(q, "")); found {
		if err != nil {
			return b.failed(value.NotEvaluable, err.Error(), "")
		}
		return b.konst(v)
	}
	return b.missing(q, why)
}

// missing is the error of a qualified name that leads nowhere: which member
// of what there is not.
func (b *body) missing(q syntax.QualifiedName, why *diagnostic.Diagnostic) operand {
	for i := len(q.Segments) - 1; i > 0; i-- {
		prefix := syntax.QualifiedName{Segments: q.Segments[:i], Global: q.Global, Range: q.Range}
		e, _ := b.l.model.Resolve(&prefix, b.scope)
		if e == nil {
			continue
		}
		member := q.Segments[i].Text
		var names []string
		for _, m := range variantsOf(e) {
			names = append(names, label(m))
		}
		switch {
		case e.Metaclass() == syntax.EnumerationDefinition:
			return b.failed(exec.NoMember, "not a literal of the enumeration: "+member+" is not a literal of "+label(e)+
				" (literals: "+strings.Join(names, ", ")+")", why.Hint)
		case isVariation(e):
			return b.failed(exec.NoVariant, "not a variant of the variation: "+member+" is not a variant of "+label(e)+
				" (variants: "+strings.Join(names, ", ")+")", why.Hint)
		}
		return b.failed(exec.NoMember, "member "+member+" not found in "+label(e), why.Hint)
	}
	return b.failed(diagnostic.UnresolvedName, "unresolved reference: "+written(q, ""), why.Hint)
}

// denote lowers what an element of the model means as a value.
func (b *body) denote(e *model.Element, text string, want int32) operand {
	if e.IsLibrary() {
		if v, found, err := value.LibraryConstant(plainName(e)); found {
			if err != nil {
				return b.failed(value.NotEvaluable, err.Error(), "")
			}
			return b.konst(v)
		}
	}
	if e.IsLibrary() && label(e) == "localClock" { // there is one clock, whatever is part of what
		if whole := e.RedefinitionClosure(); len(whole) > 0 {
			e = whole[len(whole)-1]
		}
	}
	m := e.Metaclass()
	switch {
	case isLiteral(e):
		return b.enumeration(e, want)
	case isVariant(e):
		return b.konst(value.VariantOf(b.l.named(value.Variant, e), value.NoObject))
	case isCalc(e):
		return b.function(e)
	case isCondition(e):
		return b.conditionValue(e, want)
	case isVariation(e):
		if _, has := e.Value(); !has {
			return b.failed(exec.NoVariant, "variation has no variant selected: "+label(e), "")
		}
	}
	if slices.Contains(b.computing, e) {
		return b.failed(exec.Cyclic, "cyclic feature value dependency: "+text, "")
	}
	if v, has := e.Value(); has && m.IsFeature() {
		return b.plain(b.l.valueOf(v.Expr, v.Scope), want)
	}
	if e.IsLibrary() && isUnit(e) {
		return b.unitReference(e)
	}
	if denotesObject(e) {
		mult := e.Multiplicity()
		if mult.Declared && (mult.Upper < 0 || mult.Upper > 1) {
			return b.failed(exec.NoValue, "no value for feature "+text+": it denotes no single object", "")
		}
		to := b.result(want)
		b.emit(exec.Instr{Op: exec.OpGlobal, A: to, B: int32(b.l.global(e))})
		return to
	}
	if m.IsDefinition() || m.IsClassifier() {
		return b.failed(notAValue, "cannot evaluate definition "+label(e),
			"a definition is no value: name a usage of it, or make an object with `new "+e.QualifiedName()+"()`")
	}
	if !m.IsFeature() {
		return b.failed(notAValue, "cannot evaluate "+strings.ToLower(m.Keyword())+" "+label(e), "")
	}
	return b.failed(exec.NoValue, "no value for feature "+text, "")
}

// plain runs a unit of its own, such as the value of a package attribute.
func (b *body) plain(u exec.UnitID, want int32) operand {
	to := b.result(want)
	b.emit(exec.Instr{Op: exec.OpUnit, A: to, B: int32(u)})
	return to
}

// valueOf is the unit that evaluates x as it is written in scope.
func (l *Lowering) valueOf(x syntax.Expr, scope *model.Element) exec.UnitID {
	key := unitKey{x, scope, true}
	if u, ok := l.values[key]; ok {
		return u
	}
	name := ""
	if scope.Metaclass().IsFeature() {
		name = plainName(scope)
	}
	u := l.unit(name, exec.PlainUnit)
	l.values[key] = u.ID
	l.later(func() {
		l.compile(u, scope, func(b *body) {
			b.self = true
			if scope.Metaclass().IsFeature() {
				b.computing = append(b.computing, scope)
			}
			b.emit(exec.Instr{Op: exec.OpReturn, B: b.expr(x, -1)})
		})
	})
	return u.ID
}

// enumeration is the value of a literal: what it declares, or itself.
func (b *body) enumeration(e *model.Element, want int32) operand {
	if v, has := e.Value(); has {
		return b.plain(b.l.valueOf(v.Expr, v.Scope), want)
	}
	return b.konst(value.Literal(b.l.literal(e)))
}

// function is a calculation as a value.
func (b *body) function(e *model.Element) operand {
	c := b.l.describe(b.l.calcOf(e))
	if names := severalOutputs(c); names != "" {
		return b.failed(exec.NoValue, "no value: calc usage "+label(e)+" computes output features ("+names+"); read one of them", "")
	}
	return b.konst(value.FunctionOf(b.l.callable(c), value.NoObject))
}

// severalOutputs are the names of the outputs of the usage c where it has
// several and no result, so that it stands for no one value; "" otherwise.
func severalOutputs(c *calc) string {
	if !isCalcUsage(c.element) || len(c.outputs) < 2 {
		return ""
	}
	var names []string
	for _, o := range c.outputs {
		if o.result {
			return ""
		}
		names = append(names, o.name)
	}
	return strings.Join(names, ", ")
}

// chain lowers base.a.b: see semantics of feature chains in the name rules.
func (b *body) chain(x *syntax.FeatureChainExpression, want int32) operand {
	base, links := flatten(x)
	ref, isName := base.(*syntax.FeatureReferenceExpression)
	if !isName {
		return b.links(base, links, len(links), nil, want)
	}
	if v, ok := b.pin(x, ref.Name, links, want); ok {
		return v
	}
	elements := b.resolveChain(ref.Name, links)
	last := written(links[len(links)-1], "")
	var l *local
	if ref.Name.IsSimple() {
		l = b.lookup(ref.Name.Segments[0].Text)
	}
	if len(elements) > 0 && isCalcUsage(elements[0]) && (l == nil || l.kind == usageLocal) && !b.inData(ref.Name) {
		outer := b.open("chain", last, x.Span())
		return b.shut(outer, b.outputs(elements[0], absent, segments(links), want))
	}
	if l == nil && !b.inData(ref.Name) && len(elements) > 0 && denotesObject(elements[0]) && !isVariation(elements[0]) && b.isStatic(ref.Name, elements[0]) {
		if _, valued := elements[0].Value(); !valued {
			outer := b.open("chain", last, x.Span())
			top := b.top
			r := b.alloc()
			b.emit(exec.Instr{Op: exec.OpGlobal, A: r, B: int32(b.l.global(elements[0]))})
			v := b.walk(r, links, elements[1:], want)
			b.top = max(top, v+1)
			return b.shut(outer, v)
		}
	}
	return b.links(base, links, len(links), elements, want)
}

// isStatic reports whether the name of element e cannot be that of a feature
// of the object the body runs on.
func (b *body) isStatic(q syntax.QualifiedName, e *model.Element) bool {
	if !b.self || !q.IsSimple() {
		return true
	}
	for o := b.scope; o != nil; o = o.Owner() {
		if o == e.Owner() {
			return !o.Metaclass().IsType()
		}
	}
	return e.Owner() == nil || !e.Owner().Metaclass().IsType()
}

func (b *body) inData(q syntax.QualifiedName) bool {
	if !q.IsSimple() {
		return false
	}
	for _, d := range b.datas {
		if _, ok := d.slots[q.Segments[0].Text]; ok {
			return true
		}
	}
	return false
}

// links lowers base and the first n links behind it, each a node of its own.
func (b *body) links(base syntax.Expr, links []syntax.QualifiedName, n int, elements []*model.Element, want int32) operand {
	if n == 0 {
		return b.expr(base, -1)
	}
	outer := b.open("chain", written(links[n-1], ""), base.Span())
	b.u.Nodes[b.node].Span.End = max(base.Span().End, links[n-1].End)
	top := b.top
	if n > 1 && len(elements) > n-1 && isCalcUsage(elements[n-1]) { // an output of a usage of what is before
		object := b.links(base, links, n-2, elements, -1)
		v := b.outputs(elements[n-1], object, segments(links[n-1:n]), want)
		b.top = max(top, v+1)
		return b.shut(outer, v)
	}
	r := b.links(base, links, n-1, elements, -1)
	var e []*model.Element
	if len(elements) > n {
		e = elements[n : n+1]
	}
	if n < len(links) || len(e) == 0 || !isCalcUsage(e[0]) {
		v := b.walk(r, links[n-1:n], e, want)
		if v >= 0 {
			b.top = max(top, v+1)
		}
		return b.shut(outer, v)
	}
	return b.shut(outer, b.walk(r, links[n-1:n], e, want))
}

// walk reads links one after the other from the value in r. elements are what
// they resolve to, as far as that is known.
func (b *body) walk(r operand, links []syntax.QualifiedName, elements []*model.Element, want int32) operand {
	for i, link := range links {
		var e *model.Element
		if i < len(elements) {
			e = elements[i]
		}
		if len(link.Segments) > 1 { // a.(b::c): what c is, wherever it is read
			if e != nil && (isVariant(e) || isLiteral(e)) {
				r = b.denote(e, written(link, ""), want)
				continue
			}
		}
		if e != nil && isCalcUsage(e) && i+1 < len(links) {
			return b.outputs(e, r, segments(links[i+1:]), want)
		}
		to := b.alloc()
		count := b.alloc()
		b.alloc()
		b.u.Names = append(b.u.Names, b.l.name(link.Last().Text))
		b.emit(exec.Instr{Op: exec.OpFeature, A: to, B: r, C: count, D: uint16(len(b.u.Names) - 1)})
		r = to
	}
	return r
}

// resolveChain is what name and links resolve to, as far as they do.
func (b *body) resolveChain(name syntax.QualifiedName, links []syntax.QualifiedName) []*model.Element {
	ref := syntax.Reference{Links: append([]syntax.QualifiedName{name}, links...)}
	return b.l.model.ResolveLinks(&ref, b.scope)
}

func flatten(x *syntax.FeatureChainExpression) (syntax.Expr, []syntax.QualifiedName) {
	base, links := x.Operand, x.Links
	for {
		inner, ok := base.(*syntax.FeatureChainExpression)
		if !ok {
			return base, links
		}
		base, links = inner.Operand, append(append([]syntax.QualifiedName(nil), inner.Links...), links...)
	}
}

func segments(links []syntax.QualifiedName) []syntax.Name {
	var names []syntax.Name
	for _, q := range links {
		names = append(names, q.Segments...)
	}
	return names
}
