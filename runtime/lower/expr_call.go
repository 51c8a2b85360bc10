package lower

import (
	"fmt"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// invocation lowers f(a, b), f(x = a), r->f(a) and r->f{ ... }.
func (b *body) invocation(x *syntax.InvocationExpression, want int32) operand {
	outer := b.open("invoke", refText(x.Callee), x.Span())
	return b.shut(outer, b.invoke(x, want))
}

func (b *body) invoke(x *syntax.InvocationExpression, want int32) operand {
	args := x.Arguments
	if x.Receiver != nil {
		for _, a := range args {
			if len(a.Name.Segments) > 0 {
				return b.failed(value.UnknownParameter, "receiver combined with named arguments: "+refText(x.Callee), "")
			}
		}
		args = append([]syntax.Argument{{Value: x.Receiver}}, args...)
	}
	if x.Callee.IsChain() {
		return b.invokeChain(x, args, want)
	}
	q := x.Callee.First()
	text := refText(x.Callee)
	if q.IsSimple() {
		if l := b.lookup(text); l != nil {
			if l.kind == usageLocal || l.kind == functionLocal {
				return b.call(b.l.calcOf(l.element), args, want)
			}
			return b.callValue(b.local(l, text, -1), args, want)
		}
	}
	if q.IsSimple() && b.checkedFeature(text) != nil {
		return b.callValue(b.name(q, -1), args, want)
	}
	e, why := b.l.model.Resolve(&q, b.scope)
	if e == nil || e.IsLibrary() {
		if f, ok := libraryFunction(e, text); ok {
			if e == nil && q.IsSimple() && isOfExtension(f) {
				return b.notInScope(f, text)
			}
			return b.native(f, x, args, want)
		}
	}
	if x.BodyArgument != nil {
		args = append(args[:len(args):len(args)], syntax.Argument{Value: x.BodyArgument})
	}
	switch {
	case e == nil:
		hint := ""
		if why != nil {
			hint = why.Hint
		}
		return b.failed(diagnostic.UnresolvedName, "unresolved reference: "+text, hint)
	case isCalc(e):
		return b.call(b.l.calcOf(e), args, want)
	case b.objectiveOf(e) != nil:
		return b.objective(b.objectiveOf(e), args, want)
	case isCondition(e):
		return b.call(b.l.calcOf(e), args, want)
	case e.Metaclass().IsDefinition() || e.Metaclass().IsClassifier():
		return b.instance(e, args, want)
	case e.Metaclass().IsFeature():
		fn := b.name(q, -1)
		return b.callValue(fn, args, want)
	}
	return b.failed(exec.NotCallable, text+" is no calculation", "")
}

// libraryFunction is what computes the function that e is, or that a bare
// name means where the model does not declare it.
func libraryFunction(e *model.Element, text string) (*value.LibraryFunction, bool) {
	if e != nil {
		return value.LookupFunction(plainName(e))
	}
	if strings.Contains(text, "::") {
		return value.LookupFunction(text)
	}
	return value.UnqualifiedFunction(text)
}

// isOfExtension reports whether f belongs to the functions that the standard
// library has not; a bare name means one of them only where it is imported.
func isOfExtension(f *value.LibraryFunction) bool {
	return strings.HasPrefix(f.Name, "OpenSysMLMathFunctions::")
}

func (b *body) notInScope(f *value.LibraryFunction, text string) operand {
	owner := strings.TrimSuffix(f.Name, "::"+text)
	return b.failed(diagnostic.UnresolvedName, "function is not in scope: "+text+" is declared by "+owner,
		"add `private import "+owner+"::*;`, or write "+f.Name)
}

// native lowers a call of a library function.
func (b *body) native(f *value.LibraryFunction, x *syntax.InvocationExpression, args []syntax.Argument, want int32) operand {
	if f.Bodies > 0 {
		return b.controlCall(f, x, args, want)
	}
	var names []string
	positional := 0
	for _, a := range args {
		if len(a.Name.Segments) > 0 {
			names = append(names, a.Name.Last().Text)
		} else {
			positional++
		}
	}
	places, err := f.Bind(positional, names)
	if err != nil {
		d := diagnostic.Of(err)[0]
		return b.failed(d.Code, d.Message, d.Hint)
	}
	n := 0
	for _, p := range places {
		n = max(n, p+1)
	}
	first := b.top
	for range n {
		b.alloc()
	}
	for i, a := range args {
		b.into(a.Value, first+int32(places[i]))
		b.top = first + int32(n)
	}
	b.top = first
	to := b.result(want)
	b.emit(exec.Instr{Op: exec.OpLibrary, A: to, B: first, C: b.l.function(f), D: uint16(n)})
	return to
}

// call lowers a call of a calculation of the model.
func (b *body) call(c *calc, args []syntax.Argument, want int32) operand {
	first, n, gaps, failed := b.arguments(c, args)
	if failed {
		return b.konst(value.NullValue)
	}
	return b.emitCall(exec.OpCall, c, first, n, gaps, want)
}

// emitCall emits the call of c with the n arguments from register first on;
// gaps says that some of them are not given.
func (b *body) emitCall(op exec.Op, c *calc, first int32, n int, gaps bool, want int32) operand {
	b.top = first
	to := b.result(want)
	if gaps {
		n |= exec.Gaps
	}
	b.emit(exec.Instr{Op: op, A: to, B: int32(b.l.callUnit(c)), C: first, D: uint16(n)})
	return to
}

// arguments evaluates the arguments of a call in the order written, each into
// the register of its parameter.
func (b *body) arguments(c *calc, args []syntax.Argument) (first int32, n int, gaps, failed bool) {
	b.l.describe(c)
	first = b.top
	places := make([]int, len(args))
	var unknown []string
	for i, a := range args {
		places[i] = i
		if len(a.Name.Segments) > 0 {
			name := a.Name.Last().Text
			if places[i] = c.param(name); places[i] < 0 {
				unknown = append(unknown, name)
			}
		}
		n = max(n, places[i]+1)
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		b.fail(value.UnknownParameter, fmt.Sprintf("unknown parameter: calc %s has no input parameter %q", c.name, unknown[0]), "")
		return first, 0, false, true
	}
	if n > len(c.params) {
		b.fail(value.ArgumentCount, fmt.Sprintf("calc argument count mismatch: calc %s takes %d argument(s), got %d", c.name, len(c.params), len(args)), "")
		return first, 0, false, true
	}
	gaps = len(args) < n
	for i := range n {
		r := b.alloc()
		given := false
		for _, p := range places {
			given = given || p == i
		}
		if !given {
			b.emit(exec.Instr{Op: exec.OpMove, A: r, B: b.konst(value.Value{})})
		}
	}
	for i, a := range args {
		b.argument(a.Value, first+int32(places[i]))
		b.top = first + int32(n)
	}
	return first, n, gaps, false
}

// callValue lowers a call of what a register holds.
func (b *body) callValue(fn operand, args []syntax.Argument, want int32) operand {
	if fn < 0 {
		fn = b.move(b.alloc(), fn)
	}
	first := b.top
	var names []string
	for _, a := range args {
		if len(a.Name.Segments) > 0 {
			names = append(names, a.Name.Last().Text)
		}
		b.argument(a.Value, b.alloc())
	}
	b.top = first
	to := b.result(want)
	in := exec.Instr{Op: exec.OpCallValue, A: to, B: fn, C: first, D: uint16(len(args))}
	if len(names) > 0 {
		b.u.Named = append(b.u.Named, exec.NamedCall{Positional: len(args) - len(names), Names: names})
		in.Op, in.D = exec.OpCallNamed, uint16(len(b.u.Named)-1)
	}
	b.emit(in)
	return to
}

// invokeChain lowers a.b.f(x).
func (b *body) invokeChain(x *syntax.InvocationExpression, args []syntax.Argument, want int32) operand {
	links, why := b.l.model.ResolveReference(&x.Callee, b.scope)
	if len(links) == 0 {
		hint := ""
		if why != nil {
			hint = why.Hint
		}
		return b.failed(diagnostic.UnresolvedName, "unresolved reference: "+refText(x.Callee), hint)
	}
	e := links[len(links)-1]
	if !isCalc(e) && !isCondition(e) {
		return b.failed(exec.NotCallable, refText(x.Callee)+" is no calculation", "")
	}
	base := &syntax.FeatureReferenceExpression{Node: syntax.Node{At: x.Span()}, Name: x.Callee.Links[0]}
	var object operand
	if n := len(x.Callee.Links); n > 2 {
		object = b.chain(&syntax.FeatureChainExpression{Node: syntax.Node{At: x.Span()}, Operand: base, Links: x.Callee.Links[1 : n-1]}, -1)
	} else {
		object = b.expr(base, -1)
	}
	c := b.l.calcOf(e)
	b.move(b.alloc(), object) // OpCallOn finds it before the arguments
	first, n, gaps, failed := b.arguments(c, args)
	if failed {
		return b.konst(value.NullValue)
	}
	return b.emitCall(exec.OpCallOn, c, first, n, gaps, want)
}

// classify lowers istype, hastype, @, @@, as, all and meta.
func (b *body) classify(x *syntax.OperatorExpression, want int32) operand {
	if x.Operator == syntax.At || x.Operator == syntax.AtAt {
		return b.annotated(x, want)
	}
	links, why := b.l.model.ResolveReference(&x.Type, b.scope)
	if len(links) == 0 {
		return b.failed(diagnostic.UnresolvedName, "unresolved reference: "+refText(x.Type), why.Hint)
	}
	t := links[len(links)-1]
	switch x.Operator {
	case syntax.All:
		return b.extent(t, want)
	case syntax.Meta:
		if e := b.subject(x); e != nil {
			return b.konst(value.MetaobjectOf(b.l.named(value.Metaobject, e)))
		}
		return b.failed(notEvaluable, "unsupported operator: 'meta': its left side names no element", "")
	}
	var v operand
	switch {
	case len(x.Operands) == 0:
		v = b.alloc()
		b.emit(exec.Instr{Op: exec.OpSelf, A: v})
		none := b.jump()
		over := b.jump()
		b.land(none)
		b.fail(notEvaluable, "the subject is left implicit and no object is being evaluated", "")
		b.land(over)
	case b.isUnvalued(x.Operands[0]):
		v = b.konst(value.EmptySequence)
	default:
		top := b.top
		v = b.expr(x.Operands[0], -1)
		b.top = top
	}
	if x.Operator == syntax.As { // a cast keeps what conforms
		to := b.result(want)
		b.u.Tests = append(b.u.Tests, b.l.typeTest(t))
		b.emit(exec.Instr{Op: exec.OpCast, A: to, B: v, C: int32(len(b.u.Tests) - 1)})
		return to
	}
	to := b.result(want)
	b.u.Tests = append(b.u.Tests, b.l.typeTest(t))
	exact := uint16(0)
	if x.Operator == syntax.HasType {
		exact = 1
	}
	b.emit(exec.Instr{Op: exec.OpClassify, A: to, B: v, C: int32(len(b.u.Tests) - 1), D: exact})
	return to
}

// isUnvalued reports whether x names an optional usage without a value.
func (b *body) isUnvalued(x syntax.Expr) bool {
	ref, ok := x.(*syntax.FeatureReferenceExpression)
	if !ok || ref.Name.IsSimple() && b.lookup(ref.Name.Segments[0].Text) != nil {
		return false
	}
	e, _ := b.l.model.Resolve(&ref.Name, b.scope)
	if e == nil || !isAttribute(e) {
		return false
	}
	_, has := e.Value()
	m := e.Multiplicity()
	return !has && m.Constant && m.Lower == 0 && e.Owner() != nil && !e.Owner().Metaclass().IsType()
}

// scalars are the library's scalar types with the kinds that have them as
// their direct type, nearest general last.
var scalars = map[string]struct{ exact, all []value.Kind }{
	"ScalarValues::Boolean":        {[]value.Kind{value.Boolean}, []value.Kind{value.Boolean}},
	"ScalarValues::String":         {[]value.Kind{value.String}, []value.Kind{value.String}},
	"ScalarValues::Integer":        {[]value.Kind{value.Integer}, []value.Kind{value.Integer}},
	"ScalarValues::Rational":       {nil, []value.Kind{value.Integer}},
	"ScalarValues::Real":           {[]value.Kind{value.Real, value.Rational}, []value.Kind{value.Integer, value.Rational, value.Real}},
	"ScalarValues::Complex":        {[]value.Kind{value.Complex}, []value.Kind{value.Integer, value.Rational, value.Real, value.Complex}},
	"ScalarValues::Number":         {nil, []value.Kind{value.Integer, value.Rational, value.Real, value.Complex}},
	"ScalarValues::NumericalValue": {nil, []value.Kind{value.Integer, value.Rational, value.Real, value.Complex}},
	"ScalarValues::ScalarValue":    {nil, []value.Kind{value.Boolean, value.String, value.Integer, value.Rational, value.Real, value.Complex}},
}

// typeTest says which values are of type t.
func (l *Lowering) typeTest(t *model.Element) exec.TypeTest {
	if t.Metaclass() == syntax.EnumerationDefinition || t.Is(syntax.Variation) || t.IsLibrary() && scalars[plainName(t)].all == nil {
		l.open = true // it may get more literals and variants
	}
	test := exec.TypeTest{Qualified: plainName(t)}
	s := scalars[test.Qualified]
	if test.Qualified == "Base::DataValue" || test.Qualified == "Base::Anything" {
		s.all = scalars["ScalarValues::ScalarValue"].all
	}
	for _, k := range s.exact {
		test.Exact |= 1 << k
	}
	for _, k := range s.all {
		test.Kinds |= 1 << k
	}
	var walk func(e *model.Element)
	walk = func(e *model.Element) {
		if (e.Metaclass() == syntax.EnumerationDefinition || isVariantMember(e)) && e.Specializes(t) {
			test.Elements = append(test.Elements, plainName(e))
		}
		for _, m := range e.Members() {
			walk(m)
		}
	}
	for _, r := range l.model.Roots() {
		walk(r)
	}
	sort.Strings(test.Elements)
	return test
}

// extent is all T: the objects that the usages of the model typed by T denote,
// in the order of document names, then of declaration.
func (b *body) extent(t *model.Element, want int32) operand {
	b.l.open = true
	docs := b.l.model.Documents()
	sort.SliceStable(docs, func(i, j int) bool { return docs[i].File.Name < docs[j].File.Name })
	first := b.top
	n := 0
	var walk func(e *model.Element)
	walk = func(e *model.Element) {
		for _, m := range e.Members() {
			switch {
			case isPackage(m):
				walk(m)
			case isObject(m) && m.Specializes(t):
				b.emit(exec.Instr{Op: exec.OpGlobal, A: b.alloc(), B: int32(b.l.global(m))})
				n++
			}
		}
	}
	for _, d := range docs {
		walk(b.l.model.Root(d.File))
	}
	b.top = first
	to := b.result(want)
	b.emit(exec.Instr{Op: exec.OpSequence, A: to, B: first, D: uint16(n)})
	return to
}

// subject is the element that the left side of @, @@ and meta names; nil
// where it names none.
func (b *body) subject(x *syntax.OperatorExpression) *model.Element {
	if len(x.Operands) == 0 {
		return nil
	}
	switch o := x.Operands[0].(type) {
	case *syntax.FeatureReferenceExpression:
		if o.Name.IsSimple() && b.lookup(o.Name.Segments[0].Text) != nil {
			return nil
		}
		e, _ := b.l.model.Resolve(&o.Name, b.scope)
		if e != nil && e.IsLibrary() && o.Name.IsSimple() && (e.Name() == "self" || e.Name() == "that") {
			return nil
		}
		return e
	case *syntax.MetadataAccessExpression:
		e, _ := b.l.model.Resolve(&o.Element, b.scope)
		return e
	}
	return nil
}

// annotated lowers x @ M and x @@ M, which the model alone decides where x
// names an element, and the type of the object where x is one.
func (b *body) annotated(x *syntax.OperatorExpression, want int32) operand {
	links, why := b.l.model.ResolveReference(&x.Type, b.scope)
	if why != nil && len(links) == 0 && x.Operator != syntax.AtAt {
		return b.failed(diagnostic.UnresolvedName, "unresolved reference: "+refText(x.Type), why.Hint)
	}
	var metadata *model.Element
	if len(links) > 0 {
		metadata = links[len(links)-1]
	}
	if e := b.subject(x); e != nil {
		if len(x.Operands) > 0 { // the name is a node of its own, which denotes its element
			ref := x.Operands[0]
			outer := b.open("feature", strings.TrimSpace(ref.Span().Text()), ref.Span())
			b.shut(outer, b.konst(value.MetaobjectOf(b.l.named(value.Metaobject, e))))
		}
		return b.konst(value.Bool(b.hasMetadata(e, x, metadata)))
	}
	b.l.open = true // more types may be annotated
	top := b.top
	var v operand
	if len(x.Operands) == 0 {
		v = b.alloc()
		b.emit(exec.Instr{Op: exec.OpSelf, A: v})
		none := b.jump()
		over := b.jump()
		b.land(none)
		b.fail(notEvaluable, "the subject is left implicit and no object is being evaluated", "")
		b.land(over)
	} else {
		v = b.expr(x.Operands[0], -1)
	}
	b.top = top
	to := b.result(want)
	b.u.Tests = append(b.u.Tests, exec.TypeTest{Elements: b.typesWithMetadata(x, metadata)})
	b.emit(exec.Instr{Op: exec.OpClassify, A: to, B: v, C: int32(len(b.u.Tests) - 1), D: 2})
	return to
}

// hasMetadata reports whether e is annotated by metadata, for x @ M, or is an
// instance of that metaclass, for x @@ M. A metadata of nil is not found: then
// the name of the metaclass alone decides.
func (b *body) hasMetadata(e *model.Element, x *syntax.OperatorExpression, metadata *model.Element) bool {
	if x.Operator == syntax.AtAt {
		if own := b.l.model.Find(metaclassName(e)); own != nil && metadata != nil && own.Specializes(metadata) {
			return true
		}
		return e.Metaclass().String() == x.Type.First().Last().Text
	}
	for _, a := range e.Annotations() {
		if a.Type != nil && metadata != nil && a.Type.Specializes(metadata) {
			return true
		}
	}
	return false
}

// typesWithMetadata are the types of the model for which x holds, by name.
func (b *body) typesWithMetadata(x *syntax.OperatorExpression, metadata *model.Element) []string {
	var names []string
	var walk func(e *model.Element)
	walk = func(e *model.Element) {
		if e.Metaclass().IsType() && b.hasMetadata(e, x, metadata) {
			names = append(names, plainName(e))
		}
		for _, m := range e.Members() {
			walk(m)
		}
	}
	for _, r := range b.l.model.Roots() {
		walk(r)
	}
	sort.Strings(names)
	return names
}
