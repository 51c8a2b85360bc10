package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file reduces measurement units, as the model declares them, to base
// units.

// A reduction is what a unit symbol reduces to, or why it does not.
type reduction struct {
	unit  *value.Unit
	err   *diagnostic.Diagnostic
	doing bool
}

// quantity lowers n [u].
func (b *body) quantity(x *syntax.BracketExpression, want int32) operand {
	outer := b.open("index", "", x.Span())
	u, err := b.l.unitExpr(x.Bracket, b.scope)
	if err != nil {
		return b.shut(outer, b.failed(err.Code, "not a quantity expression: "+err.Message, err.Hint))
	}
	u = u.Renamed(bracketText(x.Bracket))
	top := b.top
	n := b.expr(x.Operand, -1)
	b.top = top
	to := b.result(want)
	b.emit(exec.Instr{Op: exec.OpQuantity, A: to, B: n, C: b.konst(value.Reference(u))})
	return b.shut(outer, to)
}

// bracketText is a unit expression as written, without blanks and quotes and
// with ** for ^.
func bracketText(x syntax.Expr) string {
	text := strings.Join(strings.Fields(x.Span().Text()), "")
	return strings.NewReplacer("^", "**", "'", "").Replace(text)
}

// unitReference is a unit named as a value.
func (b *body) unitReference(e *model.Element) operand {
	u, err := b.l.reduce(e)
	if err != nil {
		return b.failed(err.Code, err.Message, err.Hint)
	}
	name := label(e)
	if s := e.ShortName(); s != "" {
		name = s
	}
	return b.konst(value.Reference(u.Renamed(name)))
}

func unitError(message string) *diagnostic.Diagnostic {
	return diagnostic.New(notAUnit, source.Span{}, message)
}

// unitExpr reduces a unit expression; its text is as written.
func (l *Lowering) unitExpr(x syntax.Expr, scope *model.Element) (*value.Unit, *diagnostic.Diagnostic) {
	switch x := x.(type) {
	case *syntax.LiteralExpression:
		if x.Text == "1" {
			return value.One, nil
		}
	case *syntax.FeatureReferenceExpression:
		e, _ := l.model.Resolve(&x.Name, scope)
		text := written(x.Name, "")
		if e == nil {
			d := unitError("not a measurement unit: unresolved unit " + text)
			if u := l.model.Find("SI::" + text); u != nil && isUnit(u) {
				d.Hint = "write SI::" + text + ", or bring the units of SI in with `private import SI::*;`"
			}
			return nil, d
		}
		if !isUnit(e) {
			return nil, l.notUnit(x.Name, e, scope)
		}
		u, err := l.reduce(e)
		if err != nil {
			return nil, err
		}
		return u.Renamed(unitText(x)), nil
	case *syntax.OperatorExpression:
		return l.unitOperator(x, scope)
	}
	return nil, unitError("not a measurement unit: " + strings.TrimSpace(x.Span().Text()))
}

// unitText is a unit's name as written, quotes included where they were.
func unitText(x *syntax.FeatureReferenceExpression) string {
	var parts []string
	for _, s := range x.Name.Segments {
		parts = append(parts, s.Text)
	}
	return strings.Join(parts, "::")
}

func (l *Lowering) unitOperator(x *syntax.OperatorExpression, scope *model.Element) (*value.Unit, *diagnostic.Diagnostic) {
	if len(x.Operands) != 2 {
		return nil, unitError("not a measurement unit: " + x.Span().Text())
	}
	left, err := l.unitExpr(x.Operands[0], scope)
	if err != nil {
		return nil, err
	}
	switch x.Operator {
	case syntax.Power:
		exponent, ok := fold(x.Operands[1])
		if num, den, small := smallRatio(exponent); ok && small {
			return left.Raise(num, den), nil
		}
		return nil, unitError("not a measurement unit: the exponent of " + x.Span().Text() + " is no constant")
	case syntax.Multiply, syntax.Divide:
		right, err := l.unitExpr(x.Operands[1], scope)
		if err != nil {
			return nil, err
		}
		if x.Operator == syntax.Multiply {
			return left.Times(right), nil
		}
		return left.Per(right), nil
	}
	return nil, unitError("not a measurement unit: " + x.Span().Text())
}

func smallRatio(v value.Value) (num, den int32, ok bool) {
	if n, is := v.AsInt(); is && n > -1000 && n < 1000 {
		return int32(n), 1, true
	}
	r, is := v.AsRational()
	if !is || !r.Num().IsInt64() || !r.Denom().IsInt64() {
		return 0, 0, false
	}
	n, d := r.Num().Int64(), r.Denom().Int64()
	return int32(n), int32(d), n > -1000 && n < 1000 && d < 1000
}

// notUnit says what the name of a unit means instead, and which unit it hides.
func (l *Lowering) notUnit(q syntax.QualifiedName, e, scope *model.Element) *diagnostic.Diagnostic {
	text := written(q, "")
	owner := "the root"
	if o := e.Owner(); o != nil && o.Owner() != nil {
		owner = plainName(o)
	}
	m := e.Metaclass().String()
	kind := strings.ToLower(m[:1]) + strings.Replace(m[1:], "Definition", "Def", 1)
	message := "not a measurement unit: " + text + " resolves to the " + kind + " " + label(e) + " declared in " + owner
	if q.IsSimple() && e.Owner() != nil {
		if hidden := l.hiddenUnit(text, e, scope); hidden != nil {
			message += ", shadowing the measurement unit " + plainName(hidden) + " — write " +
				plainName(hidden.Owner()) + "::" + text + " to name the unit"
		}
	}
	return unitError(message)
}

// hiddenUnit is the unit called name that an import around scope would give,
// were it not for e.
func (l *Lowering) hiddenUnit(name string, e, scope *model.Element) *model.Element {
	for o := scope; o != nil; o = o.Owner() {
		for _, i := range o.Imports() {
			target := i.ImportTarget()
			if target == nil {
				continue
			}
			if m, ok := target.LookupMember(name); ok && m != e && isUnit(m) {
				return m
			}
		}
	}
	return nil
}

// isUnit reports whether e is declared as a measurement unit or scale.
func isUnit(e *model.Element) bool {
	if e.Metaclass() != syntax.AttributeUsage {
		return false
	}
	for _, t := range e.Types() {
		if t.Name() == "MeasurementUnit" || t.Name() == "TensorMeasurementReference" {
			return true
		}
		for _, s := range t.Supertypes() {
			if s.Name() == "TensorMeasurementReference" || s.Name() == "MeasurementUnit" {
				return true
			}
		}
	}
	return false
}

// reduce reduces the unit that e declares.
func (l *Lowering) reduce(e *model.Element) (*value.Unit, *diagnostic.Diagnostic) {
	r := l.units[e]
	if r == nil {
		r = &reduction{doing: true}
		l.units[e] = r
		r.unit, r.err = l.reduction(e)
		r.doing = false
	}
	if r.doing {
		return nil, unitError("not a measurement unit: the declaration of " + label(e) + " depends on itself")
	}
	return r.unit, r.err
}

func (l *Lowering) reduction(e *model.Element) (*value.Unit, *diagnostic.Diagnostic) {
	for _, m := range e.Members() {
		if m.EffectiveName() == "unitConversion" {
			return l.converted(e, m)
		}
	}
	if v, has := e.Value(); has {
		return l.unitExpr(v.Expr, v.Scope)
	}
	for _, t := range e.Types() {
		for _, s := range append([]*model.Element{t}, t.Supertypes()...) {
			if s.Name() == "DimensionOneUnit" {
				return value.One, nil
			}
		}
	}
	if m := memberValue(e, "unit"); m != nil { // a scale
		v, _ := m.Value()
		return l.unitExpr(v.Expr, v.Scope)
	}
	return value.NewUnit(label(e), 1, 1, 0, []value.BaseUnit{{Name: plainName(e), Power: value.Exponent{Num: 1, Den: 1}}}), nil
}

func memberValue(e *model.Element, name string) *model.Element {
	for _, m := range e.Members() {
		if m.EffectiveName() == name {
			if _, has := m.Value(); has {
				return m
			}
		}
	}
	return nil
}

// converted reduces a unit that is so much of another one.
func (l *Lowering) converted(e, conversion *model.Element) (*value.Unit, *diagnostic.Diagnostic) {
	reference := memberValue(conversion, "referenceUnit")
	if reference == nil {
		return nil, unitError("not a measurement unit: the conversion of " + label(e) + " names no reference unit")
	}
	v, _ := reference.Value()
	u, err := l.unitExpr(v.Expr, v.Scope)
	if err != nil {
		return nil, err
	}
	var num, den float64
	ok := false
	if f := memberValue(conversion, "conversionFactor"); f != nil {
		v, _ := f.Value()
		num, den, ok = l.factor(v.Expr, v.Scope)
	} else if p := memberValue(conversion, "prefix"); p != nil {
		v, _ := p.Value()
		if ref, is := v.Expr.(*syntax.FeatureReferenceExpression); is {
			if prefix, _ := l.model.Resolve(&ref.Name, v.Scope); prefix != nil {
				if f := memberValue(prefix, "conversionFactor"); f != nil {
					w, _ := f.Value()
					num, den, ok = l.factor(w.Expr, w.Scope)
				}
			}
		}
	}
	if !ok {
		return nil, unitError("not a measurement unit: the conversion factor of " + label(e) + " cannot be read")
	}
	return u.Scaled(label(e), num, den, 0), nil
}

// factor is a constant factor; a quotient stays a ratio.
func (l *Lowering) factor(x syntax.Expr, scope *model.Element) (num, den float64, ok bool) {
	if op, is := x.(*syntax.OperatorExpression); is && len(op.Operands) == 2 {
		an, ad, ok1 := l.factor(op.Operands[0], scope)
		bn, bd, ok2 := l.factor(op.Operands[1], scope)
		switch {
		case !ok1 || !ok2:
			return 0, 0, false
		case op.Operator == syntax.Divide:
			return an * bd, ad * bn, true
		case op.Operator == syntax.Multiply:
			return an * bn, ad * bd, true
		}
	}
	if ref, is := x.(*syntax.FeatureReferenceExpression); is {
		e, _ := l.model.Resolve(&ref.Name, scope)
		if e == nil {
			return 0, 0, false
		}
		if v, found, err := value.LibraryConstant(plainName(e)); found && err == nil {
			f, ok := v.AsFloat()
			return f, 1, ok
		}
		if v, has := e.Value(); has {
			return l.factor(v.Expr, v.Scope)
		}
		return 0, 0, false
	}
	v, ok := fold(x)
	f, number := v.AsFloat()
	return f, 1, ok && number
}
