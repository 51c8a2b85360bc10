package lower

import (
	"math"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Codes of what lowering finds, and running reports when it gets there.
var (
	notEvaluable = diagnostic.Register("not-an-expression",
		"An expression uses an operator or a form that has no value here.")
	notAValue = diagnostic.Register("not-a-value",
		"A name is read as a value that denotes a definition, a package or another element without one.")
	notAUnit = diagnostic.Register("not-a-unit",
		"What stands in the brackets of a quantity is no measurement unit.")
	badCalculation = diagnostic.Register("bad-calculation",
		"A calculation is declared or called in a way that gives no result: it assigns what it does not own, binds an output twice, or has no result expression.")
)

// expr lowers x and gives where its value is. The value is put into register
// want where that costs nothing; -1 for no wish.
func (b *body) expr(x syntax.Expr, want int32) operand {
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		return b.literal(x)
	case *syntax.NullExpression:
		if strings.HasPrefix(x.Span().Text(), "(") {
			return b.shut(b.open("sequence of", "0", x.Span()), b.konst(value.EmptySequence))
		}
		return b.shut(b.open("null", "", x.Span()), b.konst(value.NullValue))
	case *syntax.FeatureReferenceExpression:
		outer := b.open("feature", written(x.Name, x.Span().Text()), x.Span())
		return b.shut(outer, b.name(x.Name, want))
	case *syntax.FeatureChainExpression:
		return b.chain(x, want)
	case *syntax.OperatorExpression:
		return b.operator(x, want)
	case *syntax.InvocationExpression:
		return b.invocation(x, want)
	case *syntax.ConstructorExpression:
		return b.construct(x, want)
	case *syntax.SequenceExpression:
		return b.sequence(x, want)
	case *syntax.IndexExpression:
		outer := b.open("index", "", x.Span())
		top := b.top
		s := b.expr(x.Operand, -1)
		i := b.expr(x.Index, -1)
		b.top = top
		to := b.result(want)
		b.emit(exec.Instr{Op: exec.OpIndex, A: to, B: s, C: i})
		return b.shut(outer, to)
	case *syntax.BracketExpression:
		return b.quantity(x, want)
	case *syntax.CollectExpression:
		outer := b.open("collect", "", x.Span())
		return b.shut(outer, b.control("collect", []syntax.Expr{x.Operand}, x.Body, want))
	case *syntax.SelectExpression:
		outer := b.open("select", "", x.Span())
		return b.shut(outer, b.control("select", []syntax.Expr{x.Operand}, x.Body, want))
	case *syntax.BodyExpression:
		outer := b.open("body", "", x.Span())
		return b.shut(outer, b.failed(notEvaluable, "a body is a value only as the argument of a function", ""))
	case *syntax.MetadataAccessExpression:
		outer := b.open("metadata", "", x.Span())
		return b.shut(outer, b.metadata(x))
	}
	outer := b.open("expression", "", x.Span())
	return b.shut(outer, b.failed(notEvaluable, "this is no expression", ""))
}

// written is a name as the text spells it, without layout.
func written(q syntax.QualifiedName, text string) string {
	if len(q.Segments) == 1 && !q.Global {
		return q.Segments[0].Text
	}
	var parts []string
	for _, s := range q.Segments {
		parts = append(parts, s.Text)
	}
	return strings.Join(parts, "::")
}

func (b *body) literal(x *syntax.LiteralExpression) operand {
	outer := b.open("literal", literalText(x), x.Span())
	v, err := literal(x)
	if err != nil {
		return b.shut(outer, b.failed(diagnostic.Of(err)[0].Code, err.Error(), ""))
	}
	return b.shut(outer, b.konst(v))
}

func literalText(x *syntax.LiteralExpression) string {
	if x.Kind == syntax.LiteralString {
		return x.Span().Text()
	}
	return x.Text
}

func literal(x *syntax.LiteralExpression) (value.Value, error) {
	switch x.Kind {
	case syntax.LiteralBoolean:
		return value.Bool(x.Text == "true"), nil
	case syntax.LiteralInteger, syntax.LiteralRational:
		return value.ParseNumber(x.Text)
	case syntax.LiteralString:
		return value.Text(x.Text), nil
	}
	return value.UnboundedValue, nil
}

var operators = map[syntax.OperatorKind]value.Operator{
	syntax.Plus: value.Identity, syntax.Minus: value.Negate, syntax.Not: value.Not,
	syntax.Power: value.Power, syntax.Multiply: value.Multiply, syntax.Divide: value.Divide,
	syntax.Remainder: value.Remainder, syntax.Add: value.Add, syntax.Subtract: value.Subtract,
	syntax.RangeTo: value.Range, syntax.Less: value.Less, syntax.LessEqual: value.LessEqual,
	syntax.Greater: value.Greater, syntax.GreaterEqual: value.GreaterEqual, syntax.Equal: value.EqualTo,
	syntax.NotEqual: value.NotEqualTo, syntax.Same: value.IdenticalTo, syntax.NotSame: value.NotIdenticalTo,
	syntax.And: value.BitAnd, syntax.Or: value.BitOr, syntax.Xor: value.Xor,
	syntax.ConditionalAnd: value.And, syntax.ConditionalOr: value.Or, syntax.Implies: value.Implies,
	syntax.Coalesce: value.Coalesce,
}

var fastOps = map[syntax.OperatorKind]exec.Op{
	syntax.Add: exec.OpAdd, syntax.Subtract: exec.OpSub, syntax.Multiply: exec.OpMul,
	syntax.Less: exec.OpLess, syntax.LessEqual: exec.OpLessEqual, syntax.Greater: exec.OpGreater,
	syntax.GreaterEqual: exec.OpGreaterEqual, syntax.Equal: exec.OpEqual, syntax.NotEqual: exec.OpNotEqual,
}

// spelling is the operator as the trace labels it: as written.
func spelling(x *syntax.OperatorExpression) string {
	if x.Operator == syntax.Power && x.Symbol.In(x.Span().File).Text() == "^" {
		return "^"
	}
	return x.Operator.String()
}

func (b *body) operator(x *syntax.OperatorExpression, want int32) operand {
	outer := b.open("operator", spelling(x), x.Span())
	if v, ok := fold(x); ok {
		return b.shut(outer, b.konst(v))
	}
	return b.shut(outer, b.operation(x, want))
}

func (b *body) operation(x *syntax.OperatorExpression, want int32) operand {
	switch x.Operator {
	case syntax.Conditional:
		return b.conditional(x)
	case syntax.ConditionalAnd, syntax.ConditionalOr, syntax.Implies, syntax.And, syntax.Or:
		return b.shortCircuit(x)
	case syntax.Coalesce:
		to := b.alloc()
		top := b.top
		b.into(x.Operands[0], to)
		isNull := b.emit(exec.Instr{Op: exec.OpJumpNull, B: to})
		over := b.jump()
		b.land(isNull)
		b.into(x.Operands[1], to)
		b.top = top
		b.land(over)
		return to
	case syntax.IsType, syntax.HasType, syntax.At, syntax.AtAt, syntax.As, syntax.All, syntax.Meta:
		return b.classify(x, want)
	}
	op, known := operators[x.Operator]
	if !known {
		return b.failed(notEvaluable, "unsupported operator: '"+x.Operator.String()+"': it has no value", "")
	}
	top := b.top
	if len(x.Operands) == 1 {
		v := b.expr(x.Operands[0], -1)
		b.top = top
		to := b.result(want)
		b.emit(exec.Instr{Op: exec.OpUnary, D: uint16(op), A: to, B: v})
		return to
	}
	l := b.expr(x.Operands[0], -1)
	r := b.expr(x.Operands[1], -1)
	b.top = top
	to := b.result(want)
	if fast, ok := fastOps[x.Operator]; ok {
		b.emit(exec.Instr{Op: fast, A: to, B: l, C: r})
	} else {
		b.emit(exec.Instr{Op: exec.OpBinary, D: uint16(op), A: to, B: l, C: r})
	}
	return to
}

// shortCircuit stops at the left operand when that decides.
func (b *body) shortCircuit(x *syntax.OperatorExpression) operand {
	left, right, decided := exec.AndLeft, exec.AndRight, exec.OpJumpIfNot
	result := value.False
	switch x.Operator {
	case syntax.ConditionalOr, syntax.Or:
		left, right, decided, result = exec.OrLeft, exec.OrRight, exec.OpJumpIf, value.True
	case syntax.Implies:
		left, right, result = exec.ImpliesLeft, exec.ImpliesRight, value.True
	}
	to := b.alloc() // not want: an operand may read what that holds
	top := b.top
	l := b.expr(x.Operands[0], to)
	skip := b.emit(exec.Instr{Op: decided, B: l, D: left})
	r := b.expr(x.Operands[1], to)
	b.emit(exec.Instr{Op: exec.OpCheckBool, B: r, D: right})
	b.move(to, r)
	over := b.jump()
	b.land(skip)
	b.move(to, b.konst(result))
	b.top = top
	b.land(over)
	return to
}

func (b *body) conditional(x *syntax.OperatorExpression) operand {
	to := b.alloc()
	top := b.top
	c := b.expr(x.Operands[0], to)
	otherwise := b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: c, D: exec.IfCondition})
	b.top = top
	b.into(x.Operands[1], to)
	over := b.jump()
	b.land(otherwise)
	b.top = top
	b.into(x.Operands[2], to)
	b.top = top
	b.land(over)
	return to
}

func (b *body) sequence(x *syntax.SequenceExpression, want int32) operand {
	outer := b.open("sequence of", strconv.Itoa(len(x.Elements)), x.Span())
	first, n := b.spread(x.Elements)
	b.top = first
	to := b.result(want)
	b.emit(exec.Instr{Op: exec.OpSequence, A: to, B: first, D: uint16(n)})
	return b.shut(outer, to)
}

// spread evaluates expressions into registers one behind the other.
func (b *body) spread(list []syntax.Expr) (first int32, n int) {
	first = b.top
	for i, x := range list {
		r := b.alloc()
		b.into(x, r)
		b.top = first + int32(i) + 1
	}
	return first, len(list)
}

// fold answers an operator whose operands are constants.
func fold(x syntax.Expr) (value.Value, bool) {
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		if x.Kind == syntax.LiteralString {
			return value.Value{}, false
		}
		v, err := literal(x)
		return v, err == nil
	case *syntax.OperatorExpression:
		if isLeastInteger(x) {
			return value.Int(math.MinInt64), true
		}
		var values []value.Value
		for _, o := range x.Operands {
			v, ok := fold(o)
			if !ok {
				return value.Value{}, false
			}
			values = append(values, v)
		}
		return foldOperator(x.Operator, values)
	}
	return value.Value{}, false
}

// isLeastInteger reports whether x is the least Integer, whose digits alone are
// beyond the greatest.
func isLeastInteger(x *syntax.OperatorExpression) bool {
	if x.Operator != syntax.Minus || len(x.Operands) != 1 {
		return false
	}
	digits, ok := x.Operands[0].(*syntax.LiteralExpression)
	return ok && digits.Kind == syntax.LiteralInteger && strings.TrimLeft(digits.Text, "0") == "9223372036854775808"
}

func foldOperator(op syntax.OperatorKind, v []value.Value) (value.Value, bool) {
	switch op {
	case syntax.Conditional:
		if c, ok := v[0].AsBool(); ok && c {
			return v[1], true
		} else if ok {
			return v[2], true
		}
		return value.Value{}, false
	case syntax.RangeTo, syntax.Same, syntax.NotSame, syntax.Coalesce, syntax.Tilde:
		return value.Value{}, false
	case syntax.Remainder:
		if v[0].Kind() != value.Integer || v[1].Kind() != value.Integer {
			return value.Value{}, false
		}
	}
	o, known := operators[op]
	switch {
	case !known:
		return value.Value{}, false
	case len(v) == 1:
		r, err := value.Unary(o, v[0])
		return r, err == nil
	}
	r, err := value.Binary(o, v[0], v[1])
	return r, err == nil
}

// metadata is the metaobject of a named element.
func (b *body) metadata(x *syntax.MetadataAccessExpression) operand {
	e, why := b.l.model.Resolve(&x.Element, b.scope)
	if e == nil {
		return b.failed(diagnostic.UnresolvedName, "unresolved reference: "+written(x.Element, ""), why.Hint)
	}
	return b.konst(value.MetaobjectOf(b.l.named(value.Metaobject, e)))
}

// construct is new T(...).
func (b *body) construct(x *syntax.ConstructorExpression, want int32) operand {
	outer := b.open("construct", refText(x.Type), x.Span())
	links, why := b.l.model.ResolveReference(&x.Type, b.scope)
	if len(links) == 0 {
		return b.shut(outer, b.failed(diagnostic.UnresolvedName, "unresolved reference: "+refText(x.Type), why.Hint))
	}
	return b.shut(outer, b.instance(links[len(links)-1], x.Arguments, want))
}

// instance makes an object of e with values for its features, by position or
// by name.
func (b *body) instance(e *model.Element, args []syntax.Argument, want int32) operand {
	if kind, ok := collections[plainName(e)]; ok {
		return b.collection(kind, args, want)
	}
	id := b.l.Type(e)
	top := b.top
	var names []exec.NameID
	var positional []model.Feature
	for _, f := range e.Features() {
		if f.Redefiner == nil && isData(f.Element) {
			positional = append(positional, f)
		}
	}
	first := b.top
	for i, a := range args {
		if len(a.Name.Segments) > 0 {
			names = append(names, b.l.name(a.Name.Last().Text))
		} else if i < len(positional) {
			names = append(names, b.l.name(positional[i].Label))
		} else {
			return b.failed(value.ArgumentCount, "argument count mismatch: "+label(e)+" has "+strconv.Itoa(len(positional))+
				" feature(s), got "+strconv.Itoa(len(args)), "")
		}
		b.into(a.Value, b.alloc())
	}
	object := b.alloc()
	b.emit(exec.Instr{Op: exec.OpMakeRoot, A: object, B: int32(id), C: int32(b.l.name(label(e))), D: 1})
	for i, n := range names {
		b.emit(exec.Instr{Op: exec.OpSetFeature, A: object, B: int32(n), C: first + int32(i)})
	}
	b.top = top
	return b.move(b.result(want), object)
}

// collections are the library's collections that are values of a kind of
// their own.
var collections = map[string]value.Kind{
	"Collections::Set": value.Set, "Collections::OrderedSet": value.OrderedSet, "Collections::Bag": value.Bag,
	"Collections::List": value.Sequence, "Collections::OrderedCollection": value.Sequence, "Collections::Array": value.Array,
}

// collection makes a collection of its elements: the only argument, or the
// one called elements; an array has dimensions before them.
func (b *body) collection(kind value.Kind, args []syntax.Argument, want int32) operand {
	top := b.top
	elements, dims := b.konst(value.EmptySequence), b.konst(value.EmptySequence)
	for i, a := range args {
		name := ""
		switch {
		case len(a.Name.Segments) > 0:
			name = a.Name.Last().Text
		case kind == value.Array && i == 0 && len(args) > 1:
			name = "dimensions"
		}
		v := b.expr(a.Value, -1)
		if name == "dimensions" {
			dims = v
		} else {
			elements = v
		}
	}
	b.top = top
	to := b.result(want)
	b.emit(exec.Instr{Op: exec.OpCollection, A: to, B: elements, C: dims, D: uint16(kind)})
	return to
}

// refText is a reference as written.
func refText(r syntax.Reference) string {
	var parts []string
	for _, q := range r.Links {
		parts = append(parts, written(q, ""))
	}
	return strings.Join(parts, ".")
}
