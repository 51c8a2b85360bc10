package api

import (
	"context"
	"fmt"
	"math"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file passes values between Starlark and the runtime.

// A Quantity is a value of a model that Starlark has no counterpart of: a
// quantity, an enumeration literal, a complex number and the like. It computes
// as in the model, units checked.
type Quantity struct {
	v    value.Value
	text string
}

var (
	_ starlark.HasAttrs   = Quantity{}
	_ starlark.HasBinary  = Quantity{}
	_ starlark.HasUnary   = Quantity{}
	_ starlark.Comparable = Quantity{}
)

func (q Quantity) String() string { return q.text }

// Type is "quantity", or what kind of value it is.
func (q Quantity) Type() string {
	switch q.v.Kind() {
	case value.Quantity, value.TensorQuantity:
		return "quantity"
	case value.Enumeration:
		return "enum"
	case value.Unbounded:
		return "unbounded"
	case value.Absent:
		return "unset"
	}
	return q.v.Kind().String()
}

// Freeze does nothing: a value never changes.
func (q Quantity) Freeze() {}

// Truth is false for unset.
func (q Quantity) Truth() starlark.Bool { return q.v.Kind() != value.Absent }

// Hash is that of the text.
func (q Quantity) Hash() (uint32, error) { return starlark.String(q.text).Hash() }

// OptionKey is the value as the model writes it.
func (q Quantity) OptionKey() string { return q.text }

// Magnitude is the number of a quantity.
func (q Quantity) Magnitude() (float64, bool) {
	n, _, ok := q.v.AsQuantity()
	if !ok {
		return 0, false
	}
	return n.AsFloat()
}

// AttrNames lists value and unit, and name for a literal.
func (q Quantity) AttrNames() []string {
	if _, ok := q.v.AsNamed(); ok {
		return []string{"name", "qualified_name"}
	}
	return []string{"unit", "value"}
}

// Attr is the number, the unit or the name.
func (q Quantity) Attr(name string) (starlark.Value, error) {
	if n, ok := q.v.AsNamed(); ok {
		switch name {
		case "name":
			return starlark.String(n.Name()), nil
		case "qualified_name":
			return starlark.String(n.Qualified()), nil
		}
		return nil, nil
	}
	number, unit, ok := q.v.AsQuantity()
	if !ok {
		return nil, nil
	}
	switch name {
	case "value":
		return plain(number), nil
	case "unit":
		return starlark.String(unit.Written()), nil
	}
	return nil, nil
}

var operators = map[syntax.Token]value.Operator{syntax.PLUS: value.Add, syntax.MINUS: value.Subtract, syntax.STAR: value.Multiply,
	syntax.SLASH: value.Divide, syntax.PERCENT: value.Remainder}

// Binary is arithmetic as the model does it.
func (q Quantity) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	operator, ok := operators[op]
	if !ok {
		return nil, nil
	}
	other, err := simple(y)
	if err != nil {
		return nil, nil
	}
	a, b := q.v, other
	if side == starlark.Right {
		a, b = b, a
	}
	r, err := value.Binary(operator, a, b)
	if err != nil {
		return nil, err
	}
	return plain(r), nil
}

// Unary is negation.
func (q Quantity) Unary(op syntax.Token) (starlark.Value, error) {
	if op != syntax.MINUS {
		return nil, nil
	}
	zero, err := value.Binary(value.Multiply, q.v, value.Int(-1))
	if err != nil {
		return nil, err
	}
	return plain(zero), nil
}

// CompareSameType compares as the model does.
func (q Quantity) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	o := y.(Quantity)
	switch op {
	case syntax.EQL, syntax.NEQ:
		same, err := value.Equal(q.v, o.v)
		return same == (op == syntax.EQL), err
	}
	operator := map[syntax.Token]value.Operator{syntax.LT: value.Less, syntax.LE: value.LessEqual, syntax.GT: value.Greater, syntax.GE: value.GreaterEqual}[op]
	r, err := value.Binary(operator, q.v, o.v)
	if err != nil {
		return false, err
	}
	truth, _ := r.AsBool()
	return truth, nil
}

// plain is v in Starlark where it names no object.
func plain(v value.Value) starlark.Value {
	switch v.Kind() {
	case value.Null:
		return starlark.None
	case value.Boolean:
		b, _ := v.AsBool()
		return starlark.Bool(b)
	case value.Integer:
		n, _ := v.AsInt()
		return starlark.MakeInt64(n)
	case value.Real, value.Rational:
		f, _ := v.AsFloat()
		return starlark.Float(f)
	case value.String:
		s, _ := v.AsText()
		return starlark.String(s)
	case value.Absent:
		return Quantity{v, "unset"}
	}
	return Quantity{v, value.Trace(v)}
}

// toStarlark is v of session s in Starlark.
func (e *Environment) toStarlark(m *Model, s *runtime.Session, v value.Value) starlark.Value {
	switch v.Kind() {
	case value.Object:
		id, _ := v.AsObject()
		for _, o := range s.Objects() {
			if o.ID == id {
				return &Object{env: e, model: m, number: o.Number, name: o.Name, typ: o.Type}
			}
		}
		return starlark.None
	case value.Sequence, value.Bag, value.OrderedSet, value.Array, value.Vector:
		return frozen(e.elements(m, s, v))
	case value.Set:
		set := starlark.NewSet(v.Len())
		for _, x := range e.elements(m, s, v) {
			if set.Insert(x) != nil {
				return frozen(e.elements(m, s, v))
			}
		}
		set.Freeze()
		return set
	case value.Variant:
		n, _ := v.AsNamed()
		return variant{m, n.Qualified(), n.Name()}
	case value.Enumeration:
		return Quantity{v, s.Text(v)}
	}
	return plain(v)
}

func (e *Environment) elements(m *Model, s *runtime.Session, v value.Value) []starlark.Value {
	var out []starlark.Value
	for i := range v.Len() {
		out = append(out, e.toStarlark(m, s, v.At(i)))
	}
	return out
}

// simple is a Starlark value that needs no session as a value of a model.
func simple(v starlark.Value) (value.Value, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return value.NullValue, nil
	case starlark.Bool:
		return value.Bool(bool(v)), nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return value.Value{}, fmt.Errorf("%s does not fit into an Integer of a model", v)
		}
		return value.Int(n), nil
	case starlark.Float:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return value.Value{}, fmt.Errorf("%s is no value of a model", v)
		}
		return value.Float(float64(v)), nil
	case starlark.String:
		return value.Text(string(v)), nil
	case Quantity:
		return v.v, nil
	}
	return value.Value{}, fmt.Errorf("a model has no value for a Starlark %s", v.Type())
}

// maxNested bounds lists in lists.
const maxNested = 64

// toModel is v as a value of session s.
func (e *Environment) toModel(ctx context.Context, s *runtime.Session, v starlark.Value, depth int) (value.Value, error) {
	if depth == 0 {
		if err := lang.Finite(v); err != nil {
			return value.Value{}, err
		}
	}
	if depth > maxNested {
		return value.Value{}, fmt.Errorf("the list is nested deeper than %d", maxNested)
	}
	switch v := v.(type) {
	case *Object:
		return v.value(ctx, s)
	case variant:
		return v.value(ctx, s)
	case *starlark.Set:
		list, err := e.list(ctx, s, v, depth)
		return value.SetOf(list...), err
	case *starlark.List, starlark.Tuple:
		list, err := e.list(ctx, s, v.(starlark.Iterable), depth)
		return value.SequenceOf(list...), err
	case starlark.Sequence:
		if v.Type() == "range" {
			list, err := e.list(ctx, s, v, depth)
			return value.SequenceOf(list...), err
		}
	}
	return simple(v)
}

func (e *Environment) list(ctx context.Context, s *runtime.Session, v starlark.Iterable, depth int) ([]value.Value, error) {
	var out []value.Value
	it := v.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		y, err := e.toModel(ctx, s, x, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, y)
	}
	return out, nil
}

// arguments are the keyword arguments and args={} of a call, in order, without
// those that reserved names; given are the reserved ones as text.
func (e *Environment) arguments(ctx context.Context, s *runtime.Session, name string, kwargs []starlark.Tuple, reserved map[string]bool) (args []runtime.Argument, given map[string]starlark.Value, err error) {
	given = map[string]starlark.Value{}
	add := func(key string, v starlark.Value) error {
		x, err := e.toModel(ctx, s, v, 0)
		if err != nil {
			return fmt.Errorf("%s: argument %s: %w", name, key, err)
		}
		args = append(args, runtime.Argument{Name: key, Value: x})
		return nil
	}
	for _, kw := range kwargs {
		key := string(kw[0].(starlark.String))
		switch {
		case key == "args":
			dict, ok := kw[1].(*starlark.Dict)
			if !ok {
				return nil, nil, fmt.Errorf("%s: args is a dict of arguments by name, not %s", name, kw[1].Type())
			}
			for _, item := range dict.Items() {
				n, ok := starlark.AsString(item[0])
				if !ok {
					return nil, nil, fmt.Errorf("%s: args names its arguments by text, not by %s", name, item[0].Type())
				}
				if err := add(n, item[1]); err != nil {
					return nil, nil, err
				}
			}
		case reserved[key]:
			given[key] = kw[1]
		default:
			if err := add(key, kw[1]); err != nil {
				return nil, nil, err
			}
		}
	}
	return args, given, nil
}

var _ lang.Keyed = Quantity{}
