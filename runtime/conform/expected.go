package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// An Expected is a value as a case states it, or the error in its place.
type Expected struct {
	Type     string
	Value    json.RawMessage
	Unit     string
	Im       float64
	Text     string
	Elements []Expected
	// Error is text that the error producing the value must carry.
	Error string
}

// UnmarshalJSON reads {"type": ..., ...} or {"error": ...}.
func (e *Expected) UnmarshalJSON(data []byte) error {
	var form struct {
		Type     string          `json:"type"`
		Value    json.RawMessage `json:"value"`
		Unit     string          `json:"unit"`
		Im       float64         `json:"im"`
		Text     string          `json:"text"`
		Elements []Expected      `json:"elements"`
		Error    string          `json:"error"`
	}
	stated, err := strict(data, &form)
	if err != nil {
		return err
	}
	*e = Expected{form.Type, form.Value, form.Unit, form.Im, form.Text, form.Elements, form.Error}
	if stated["error"] {
		if len(stated) != 1 || e.Error == "" {
			return errors.New("an error stands alone")
		}
		return nil
	}
	return e.check(stated)
}

func (e *Expected) check(stated map[string]bool) error {
	required := map[string]string{"Integer": "value", "Real": "value", "Rational": "value", "Boolean": "value", "String": "value",
		"Quantity": "unit", "MeasurementRef": "unit", "CoordinateFrame": "text", "CoordinateTransformation": "text",
		"Complex": "value", "Sequence": "elements", "Set": "elements", "Variant": "value", "EnumLiteral": "value",
		"Function": "value", "Null": "", "Infinity": "", "Instance": "", "Unset": "", "Metaobject": ""}
	key, ok := required[e.Type]
	switch {
	case !ok:
		return fmt.Errorf("no value type %q", e.Type)
	case key != "" && !stated[key]:
		return fmt.Errorf("a %s states %q", e.Type, key)
	}
	var err error
	switch e.Type {
	case "Integer":
		_, err = e.integer()
	case "Real", "Complex", "Quantity":
		_, err = e.number()
	case "Boolean":
		err = json.Unmarshal(e.Value, new(bool))
	case "Rational", "String", "Variant", "EnumLiteral", "Function":
		_, err = e.string()
	}
	return err
}

func (e *Expected) integer() (n int64, err error) {
	err = json.Unmarshal(e.Value, &n)
	return n, err
}

func (e *Expected) number() (x float64, err error) {
	err = json.Unmarshal(e.Value, &x)
	return x, err
}

func (e *Expected) string() (s string, err error) {
	err = json.Unmarshal(e.Value, &s)
	return s, err
}

// Given is e as a value that a case passes in; ok is false for kinds that
// cannot be written down.
func (e *Expected) Given() (v value.Value, ok bool) {
	switch e.Type {
	case "Integer":
		n, _ := e.integer()
		return value.Int(n), true
	case "Real":
		x, _ := e.number()
		return value.Float(x), true
	case "Rational":
		s, _ := e.string()
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			return value.Value{}, false
		}
		return value.BigRational(r), true
	case "Boolean":
		var b bool
		json.Unmarshal(e.Value, &b)
		return value.Bool(b), true
	case "String":
		s, _ := e.string()
		return value.Text(s), true
	case "Null":
		return value.NullValue, true
	case "Infinity":
		return value.UnboundedValue, true
	case "Sequence":
		var elements []value.Value
		for i := range e.Elements {
			v, ok := e.Elements[i].Given()
			if !ok {
				return value.Value{}, false
			}
			elements = append(elements, v)
		}
		return value.SequenceOf(elements...), true
	}
	return value.Value{}, false
}

// Mismatch says how v differs from e; "" where it does not. names gives the
// qualified name of the usage that an object was made from; nil where that is
// not known.
func (e *Expected) Mismatch(v value.Value, names func(value.ObjectID) string) string {
	if e.matches(v, names) {
		return ""
	}
	return fmt.Sprintf("got %s %s, want %s", v.Kind(), value.Trace(v), e)
}

func (e *Expected) matches(v value.Value, names func(value.ObjectID) string) bool {
	switch e.Type {
	case "Integer":
		n, err := e.integer()
		got, ok := v.AsInt()
		return err == nil && ok && got == n
	case "Real":
		x, err := e.number()
		got, ok := v.AsFloat()
		return err == nil && ok && v.Kind() != value.Integer && got == x
	case "Rational":
		s, _ := e.string()
		want, ok := new(big.Rat).SetString(s)
		got, isExact := v.AsRational()
		return ok && isExact && v.Kind() != value.Integer && want.Cmp(got) == 0
	case "Boolean":
		b, ok := v.AsBool()
		return ok && strconv.FormatBool(b) == string(e.Value)
	case "String":
		s, _ := e.string()
		got, ok := v.AsText()
		return ok && got == s
	case "Null":
		return v.Kind() == value.Null
	case "Infinity":
		return v.Kind() == value.Unbounded
	case "Unset":
		return v.Kind() == value.Absent
	}
	return e.matchesPart(v, names)
}

func (e *Expected) matchesPart(v value.Value, names func(value.ObjectID) string) bool {
	switch e.Type {
	case "Quantity":
		number, unit, ok := v.AsQuantity()
		want, _ := e.number()
		got, _ := number.AsFloat()
		return ok && unit.Written() == e.Unit && math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))
	case "MeasurementRef":
		unit, ok := v.AsReference()
		return ok && unit.Written() == e.Unit
	case "CoordinateFrame":
		return v.Kind() == value.CoordinateFrame && value.Trace(v) == e.Text
	case "CoordinateTransformation":
		return v.Kind() == value.Transformation && value.Trace(v) == e.Text
	case "Complex":
		re, im, _ := v.AsComplex()
		want, _ := e.number()
		return v.Kind() == value.Complex && re == want && im == e.Im
	case "Sequence", "Set":
		return e.matchesElements(v, names)
	case "Instance":
		id, ok := v.AsObject()
		if !ok || v.Kind() != value.Object {
			return false
		}
		s, err := e.string()
		return len(e.Value) == 0 || err == nil && names != nil && names(id) == s
	case "Variant", "EnumLiteral", "Function", "Metaobject":
		s, _ := e.string()
		kind := map[string]value.Kind{"Variant": value.Variant, "EnumLiteral": value.Enumeration,
			"Function": value.Function, "Metaobject": value.Metaobject}[e.Type]
		if v.Kind() != kind {
			return false
		}
		named, _ := v.AsNamed()
		return len(e.Value) == 0 || value.Trace(v) == s || named != nil && named.Qualified() == s
	}
	return false
}

func (e *Expected) matchesElements(v value.Value, names func(value.ObjectID) string) bool {
	isSet := v.Kind() == value.Set || v.Kind() == value.OrderedSet || v.Kind() == value.Bag
	if !v.Kind().IsCollection() || isSet != (e.Type == "Set") || v.Len() != len(e.Elements) {
		return false
	}
	i := 0
	for element := range v.All() {
		if !e.Elements[i].matches(element, names) {
			return false
		}
		i++
	}
	return true
}

// String is e for a message.
func (e *Expected) String() string {
	switch {
	case e.Error != "":
		return "the error " + strconv.Quote(e.Error)
	case len(e.Elements) > 0 || e.Type == "Sequence" || e.Type == "Set":
		s := e.Type + " ("
		for i := range e.Elements {
			if i > 0 {
				s += ", "
			}
			s += e.Elements[i].String()
		}
		return s + ")"
	case e.Unit != "":
		return e.Type + " " + string(e.Value) + " [" + e.Unit + "]"
	}
	s := e.Type + " " + string(e.Value) + e.Text
	if e.Type == "Complex" {
		s += " + " + strconv.FormatFloat(e.Im, 'g', -1, 64) + "i"
	}
	return s
}
