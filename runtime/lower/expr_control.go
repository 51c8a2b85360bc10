package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers the functions that apply a body to elements. The body is
// part of the unit: a loop over the collection with the parameters in
// registers.

// An applied is what a control function applies: a body, or a calculation.
type applied struct {
	body     *syntax.BodyExpression
	scope    *model.Element
	calc     *calc
	function operand // a function value in a register
	params   int
}

// controlCall lowers a call of a control function in arrow or call notation.
func (b *body) controlCall(f *value.LibraryFunction, x *syntax.InvocationExpression, args []syntax.Argument, want int32) operand {
	if f.Builtin {
		return b.controlled(f, args, x, want)
	}
	b.note(exec.EnterNote, f.Name, 0)
	b.depth++
	v := b.controlled(f, args, x, want)
	b.depth--
	b.note(exec.ExitValueNote, f.Name, v)
	return v
}

// control lowers the dot notations of collect and select.
func (b *body) control(name string, args []syntax.Expr, x *syntax.BodyExpression, want int32) operand {
	f, _ := value.LookupFunction("ControlFunctions::" + name)
	list := []syntax.Argument{{Value: args[0]}}
	return b.controlled(f, list, &syntax.InvocationExpression{BodyArgument: x}, want)
}

func (b *body) controlled(f *value.LibraryFunction, args []syntax.Argument, x *syntax.InvocationExpression, want int32) operand {
	var fn applied
	fn.function = absent
	var collection syntax.Expr
	for _, a := range args {
		switch v := a.Value.(type) {
		case *syntax.BodyExpression:
			fn.body = v
		default:
			if collection == nil {
				collection = a.Value
			} else {
				fn = b.applies(v)
			}
		}
	}
	if x.BodyArgument != nil {
		fn.body = x.BodyArgument
	}
	if len(x.Function.Links) > 0 {
		fn = b.applies(&syntax.FeatureReferenceExpression{Node: syntax.Node{At: x.Span()}, Name: x.Function.First()})
	}
	if collection == nil || fn.body == nil && fn.calc == nil && fn.function == absent {
		return b.failed(value.ArgumentCount, "calc argument count mismatch: function "+f.Name+" takes 2 argument(s)", "")
	}
	seq, acc := b.alloc(), b.alloc()
	b.into(collection, seq)
	if fn.body != nil {
		fn.scope = b.scope.Body(fn.body)
		fn.params = len(bodyParameters(fn.body))
		outer := b.open("body", "", fn.body.Span())
		b.shut(outer, b.konst(value.BodyRef(0, 0)))
		if err := f.CheckBody(fn.params); err != nil {
			d := diagnostic.Of(err)[0]
			return b.failed(d.Code, d.Message, d.Hint)
		}
	}
	if !f.Builtin {
		b.note(exec.BindNote, f.Parameters[0].Name, seq)
		b.note(exec.BindNote, f.Parameters[1].Name, b.konst(value.BodyRef(0, 0)))
	}
	v := b.loop(f, seq, acc, fn)
	b.top = acc + 1
	return v
}

// applies is what an expression in place of a body names.
func (b *body) applies(x syntax.Expr) applied {
	if ref, ok := x.(*syntax.FeatureReferenceExpression); ok {
		if e, _ := b.l.model.Resolve(&ref.Name, b.scope); e != nil && (isCalc(e) || isCondition(e)) && !(ref.Name.IsSimple() && b.lookup(ref.Name.Last().Text) != nil) {
			return applied{calc: b.l.calcOf(e), function: absent}
		}
	}
	return applied{function: b.move(b.alloc(), b.expr(x, -1))}
}

func bodyParameters(x *syntax.BodyExpression) []*syntax.Decl {
	var params []*syntax.Decl
	if x.Body != nil {
		for _, d := range x.Body.Members {
			if d.Direction == syntax.In || d.Direction == syntax.InOut {
				params = append(params, d)
			}
		}
	}
	return params
}

// predicates say what a result of the body is called that is no Boolean.
var predicates = map[string]uint16{
	"select": exec.SelectPredicate, "reject": exec.RejectPredicate, "selectOne": exec.SelectOnePredicate,
	"forAll": exec.ForAllPredicate, "exists": exec.ExistsPredicate,
}

// starts are what the results of control functions begin as; of the others,
// null.
var starts = map[string]value.Value{"collect": value.EmptySequence, "select": value.EmptySequence,
	"reject": value.EmptySequence, "forAll": value.True, "exists": value.False}

// loop emits the loop of a control function over register seq; its result is
// in acc.
func (b *body) loop(f *value.LibraryFunction, seq, acc int32, fn applied) operand {
	name := f.Name[len("ControlFunctions::"):]
	index, element := b.alloc(), b.alloc()
	b.emit(exec.Instr{Op: exec.OpMove, A: index, B: b.konst(value.Int(0))})
	start, known := starts[name]
	if !known {
		start = value.NullValue
	}
	b.emit(exec.Instr{Op: exec.OpMove, A: acc, B: b.konst(start)})
	best := int32(-1)
	switch name {
	case "minimize", "maximize":
		best = b.alloc()
		b.emit(exec.Instr{Op: exec.OpMove, A: best, B: b.konst(value.Value{})})
		some := b.emit(exec.Instr{Op: exec.OpJumpSome, B: seq})
		b.fail(value.MultiplicityError, f.ErrEmpty().Error(), "")
		b.land(some)
	case "reduce":
		b.emit(exec.Instr{Op: exec.OpNext, A: acc, B: seq, C: index})
		none := b.jump()
		defer func() { b.land(none) }()
	}
	top := b.top
	again := b.here()
	b.emit(exec.Instr{Op: exec.OpNext, A: element, B: seq, C: index})
	end := b.jump()
	args := []int32{element}
	if name == "reduce" {
		args = []int32{acc, element}
	}
	ends := []int{end}
	if decided := b.iteration(name, acc, element, b.apply(fn, args), best); decided >= 0 {
		ends = []int{decided, end}
	}
	b.top = top
	b.emit(exec.Instr{Op: exec.OpJump, A: again})
	b.land(ends...)
	return acc
}

// iteration emits what a control function does with v, which its body gave
// for an element: to its result in acc, and to the best value so far. It
// returns the jump that ends the loop early, -1 where there is none.
func (b *body) iteration(name string, acc, element int32, v operand, best int32) (decided int) {
	decided = -1
	switch name {
	case "collect":
		b.emit(exec.Instr{Op: exec.OpAppend, A: acc, B: v})
	case "select", "reject":
		op := exec.OpJumpIfNot
		if name == "reject" {
			op = exec.OpJumpIf
		}
		skip := b.emit(exec.Instr{Op: op, B: v, D: predicates[name]})
		b.emit(exec.Instr{Op: exec.OpAppend, A: acc, B: element})
		b.land(skip)
	case "selectOne":
		skip := b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: v, D: predicates[name]})
		b.emit(exec.Instr{Op: exec.OpMove, A: acc, B: element})
		decided = b.jump()
		b.land(skip)
	case "forAll", "exists":
		op := exec.OpJumpIf
		if name == "exists" {
			op = exec.OpJumpIfNot
		}
		skip := b.emit(exec.Instr{Op: op, B: v, D: predicates[name]})
		b.emit(exec.Instr{Op: exec.OpMove, A: acc, B: b.konst(value.Bool(name == "exists"))})
		decided = b.jump()
		b.land(skip)
	case "reduce":
		b.move(acc, v)
	case "minimize":
		b.keepBest(exec.OpLess, acc, v, best)
	case "maximize":
		b.keepBest(exec.OpGreater, acc, v, best)
	}
	return decided
}

// keepBest emits what keeps v where better says so or it is the first, and
// gives the best so far.
func (b *body) keepBest(better exec.Op, acc int32, v operand, best int32) {
	take := b.emit(exec.Instr{Op: exec.OpJumpAbsent, B: best})
	r := b.alloc()
	b.emit(exec.Instr{Op: better, A: r, B: v, C: best})
	worse := b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: r, D: exec.IfCondition})
	b.land(take)
	b.move(best, v)
	b.land(worse)
	b.emit(exec.Instr{Op: exec.OpMove, A: acc, B: best})
}

// apply evaluates what fn gives for the values in args.
func (b *body) apply(fn applied, args []int32) operand {
	if fn.body != nil {
		b.enter()
		params := bodyParameters(fn.body)
		for i, p := range params {
			if i < len(args) {
				b.blocks[len(b.blocks)-1].locals[p.Name.Text] = &local{kind: registerLocal, register: args[i]}
			}
		}
		var result syntax.Expr
		for _, m := range fn.scope.Members() {
			d := m.Decl()
			switch {
			case d == nil || d.Direction == syntax.In || d.Direction == syntax.InOut:
			case d.Member == syntax.ResultMember || d.Member == syntax.ReturnMember:
				if part, ok := d.Detail.(*syntax.ExpressionPart); ok {
					result = part.Expr
				} else if d.Value != nil {
					result = d.Value.Expr
				}
			case m.Metaclass().IsFeature() && label(m) != "":
				b.blocks[len(b.blocks)-1].locals[label(m)] = &local{kind: valueLocal, element: m}
			}
		}
		var v operand
		if result == nil {
			v = b.failed(exec.NoResult, "a body without a result expression has no value", "")
		} else {
			v = b.in(fn.scope, result, -1)
		}
		b.blocks = b.blocks[:len(b.blocks)-1]
		return v
	}
	first := b.top
	for _, a := range args {
		b.move(b.alloc(), a)
	}
	to := first
	if fn.calc != nil {
		b.emit(exec.Instr{Op: exec.OpCall, A: to, B: int32(b.l.callUnit(fn.calc)), C: first, D: uint16(len(args))})
	} else {
		b.emit(exec.Instr{Op: exec.OpCallValue, A: to, B: fn.function, C: first, D: uint16(len(args))})
	}
	return to
}
