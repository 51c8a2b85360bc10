package value

import (
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"
)

// Trace is v in the spelling of traces, objects as instance#n with n their
// index plus one.
func Trace(v Value) string { return string(AppendTrace(nil, v, nil)) }

// AppendTrace appends v in the spelling of traces. objects gives the text of
// an object; nil numbers them by index, from 1.
func AppendTrace(dst []byte, v Value, objects func(ObjectID) string) []byte {
	p := printer{dst: dst, objects: objects}
	p.value(v)
	return p.dst
}

// User is v as listings show it to a user: as [Trace] does, but texts without
// quotes where they stand alone, and Reals rounded to two decimals.
func User(v Value, objects func(ObjectID) string) string {
	if s, ok := v.AsText(); ok {
		return s
	}
	p := printer{objects: objects, rounded: true}
	p.value(v)
	return string(p.dst)
}

type printer struct {
	dst     []byte
	objects func(ObjectID) string
	rounded bool
}

func (p *printer) text(s string) { p.dst = append(p.dst, s...) }

func (p *printer) value(v Value) {
	switch v.kind {
	case Absent:
		p.text("unset")
	case Null:
		p.text("null")
	case Boolean:
		p.dst = strconv.AppendBool(p.dst, v.bits != 0)
	case Integer, Rational, Real:
		p.number(v)
	case Unbounded:
		p.text("*")
	case String:
		s, _ := v.AsText()
		p.dst = strconv.AppendQuote(p.dst, s)
	case Object:
		id, _ := v.AsObject()
		p.object(id)
	case Sequence:
		p.list(v.elements(), "(", ")")
	case Vector:
		p.list(v.elements(), "⟨", "⟩")
	case Set, Bag:
		p.sorted(v)
	case OrderedSet:
		p.list(v.elements(), "{", "}")
	case Quantity:
		q := v.heap.part.(*quantity)
		p.number(q.number)
		p.unit(q.unit)
	default:
		p.rest(v)
	}
}

// rest prints the kinds that models meet seldom.
func (p *printer) rest(v Value) {
	switch v.kind {
	case Enumeration, Variant, Function, Metaobject, Type:
		p.named(v)
	case Array:
		p.array(v.elements(), v.Dimensions())
	case Map:
		p.entries(v.heap.part.(*collection))
	case TensorQuantity:
		t := v.heap.part.(*tensor)
		if len(t.dims) == 1 {
			p.list(t.numbers, "⟨", "⟩")
		} else {
			p.array(t.numbers, t.dims)
		}
		p.unit(t.unit)
	case MeasurementRef:
		p.text(v.heap.part.(*Unit).written)
	case CoordinateFrame:
		p.frame(v.heap.part.(*frame))
	case Transformation:
		t := v.heap.part.(*transformation)
		p.text(t.name + " (" + frameName(t.source) + " → " + frameName(t.target) + ")")
	case Complex:
		c := v.heap.part.(*complexPart)
		p.number(Float(c.re))
		if c.im < 0 || c.im == 0 && math.Signbit(c.im) {
			p.text(" - ")
			p.number(Float(-c.im))
		} else {
			p.text(" + ")
			p.number(Float(c.im))
		}
		p.text("i")
	case Body:
		p.text("expr(body)")
	case Undetermined:
		p.text("undetermined")
	}
}

func (p *printer) object(id ObjectID) {
	if p.objects != nil {
		p.text(p.objects(id))
		return
	}
	p.dst = strconv.AppendInt(append(p.dst, "instance#"...), int64(id)+1, 10)
}

func (p *printer) named(v Value) {
	n := v.heap.part.(*Named)
	switch v.kind {
	case Enumeration:
		p.text(n.owner + "::" + n.name)
	case Variant:
		p.text(n.name)
	case Function:
		p.text("calc(" + n.qualified + ")")
	case Metaobject:
		p.text("meta(" + n.qualified + " : " + n.owner + ")")
	default:
		p.text(n.qualified)
	}
}

func (p *printer) unit(u *Unit) {
	if u.written != "" {
		p.text(" [" + u.written + "]")
	}
}

func (p *printer) list(s *sequence, open, shut string) {
	p.text(open)
	first := true
	s.walk(func(e Value) bool {
		if !first {
			p.text(", ")
		}
		first = false
		p.value(e)
		return true
	})
	p.text(shut)
}

// sorted prints elements in the order of their texts.
func (p *printer) sorted(v Value) {
	var texts []string
	for e := range v.All() {
		q := printer{objects: p.objects, rounded: p.rounded}
		q.value(e)
		texts = append(texts, string(q.dst))
	}
	sort.Strings(texts)
	p.text("{" + strings.Join(texts, ", ") + "}")
}

// array prints rows in parentheses of their own.
func (p *printer) array(s *sequence, dims []int) {
	if len(dims) < 2 {
		p.list(s, "[", "]")
		return
	}
	p.text("[")
	each := 1
	for _, d := range dims[1:] {
		each *= d
	}
	for i := range dims[0] {
		if i > 0 {
			p.text(", ")
		}
		p.array(s.slice(i*each, (i+1)*each), dims[1:])
	}
	p.text("]")
}

func (p *printer) entries(c *collection) {
	p.text("{")
	for i := range c.sorted.len() {
		if i > 0 {
			p.text(", ")
		}
		p.value(c.sorted.at(i))
		p.text(" → ")
		p.value(c.values.at(i))
	}
	p.text("}")
}

func (p *printer) frame(f *frame) {
	p.text(f.name + " [")
	for i, u := range f.axes {
		if i > 0 {
			p.text(", ")
		}
		p.text(u.written)
	}
	p.text("]")
}

func frameName(v Value) string {
	if name, _, ok := v.AsFrame(); ok {
		return name
	}
	return Trace(v)
}

func (p *printer) number(v Value) {
	switch {
	case v.kind == Integer:
		p.dst = strconv.AppendInt(p.dst, int64(v.bits), 10)
	case p.rounded:
		x, _ := v.AsFloat()
		p.rounded2(x)
	case v.kind == Real:
		p.dst = appendReal(p.dst, math.Float64frombits(v.bits))
	default:
		p.dst = appendRational(p.dst, v)
	}
}

func (p *printer) rounded2(x float64) {
	if a := math.Abs(x); a >= 1e15 || a != 0 && a < 0.005 || x-x != 0 {
		p.dst = appendReal(p.dst, x)
		return
	}
	p.dst = strconv.AppendFloat(p.dst, x, 'f', 2, 64)
}

// appendReal is the shortest text that reads back as x, with a point or an
// exponent.
func appendReal(dst []byte, x float64) []byte {
	from := len(dst)
	dst = strconv.AppendFloat(dst, x, 'g', -1, 64)
	for _, c := range dst[from:] {
		switch c {
		case '.', 'e', 'E', 'n', 'N':
			return dst
		}
	}
	return append(dst, ".0"...)
}

// maxDecimals is how many decimals of an exact number are still written, and
// maxFraction how many characters of a fraction that has no end. What is
// longer is shown by the Real that is nearest, behind a sign that says so.
const (
	maxDecimals = 40
	maxFraction = 32
)

// appendRational is a decimal where it ends, in the spelling of the Real of
// that text where there is one, else a reduced fraction.
func appendRational(dst []byte, v Value) []byte {
	if num, den, ok := v.small(); ok && den == 1 && magnitude(num) < 1<<53 {
		return appendReal(dst, float64(num))
	}
	r, _ := v.AsRational()
	digits, ends := decimals(r)
	x, _ := r.Float64()
	if !ends {
		if fraction := r.String(); len(fraction) <= maxFraction || math.IsInf(x, 0) || x == 0 {
			return append(dst, fraction...)
		}
		return appendReal(append(dst, "≈"...), x)
	}
	text := appendReal(nil, x)
	if back, ok := new(big.Rat).SetString(string(text)); ok && back.Cmp(r) == 0 {
		return append(dst, text...)
	}
	if digits == 0 {
		return append(append(dst, r.Num().String()...), ".0"...)
	}
	return append(dst, r.FloatString(digits)...)
}

// decimals is how many decimals r has, and whether they are finitely many and
// few enough to write.
func decimals(r *big.Rat) (int, bool) {
	den := new(big.Int).Set(r.Denom())
	count := func(p int64) int {
		n, prime, q, m := 0, big.NewInt(p), new(big.Int), new(big.Int)
		for n <= maxDecimals {
			if q.QuoRem(den, prime, m); m.Sign() != 0 {
				break
			}
			den.Set(q)
			n++
		}
		return n
	}
	n := max(count(2), count(5))
	if den.Cmp(big.NewInt(1)) == 0 && n <= maxDecimals {
		return n, true
	}
	// 1e-300 is a decimal all the same where its Real spells it exactly.
	x, _ := r.Float64()
	back, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return 0, ok && back.Cmp(r) == 0
}

// TypeName is how an error text calls v: an Integer, a Real, an instance.
func (v Value) TypeName() string {
	switch v.kind {
	case Absent:
		return "no value"
	case Null:
		return "null"
	case Boolean:
		return "a Boolean"
	case Integer:
		return "an Integer"
	case Rational, Real:
		return "a Real"
	case Unbounded:
		return "the unbounded value *"
	case String:
		return "a string"
	case Enumeration:
		n, _ := v.AsNamed()
		return "the enumeration literal " + n.owner + "::" + n.name
	}
	return typeNames[v.kind]
}

var typeNames = [kinds]string{Variant: "a variant", Object: "an instance", Sequence: "a sequence", Set: "a set",
	Bag: "a bag", OrderedSet: "an ordered set", Array: "an array", Map: "a map", Quantity: "a quantity",
	TensorQuantity: "a vector quantity", MeasurementRef: "a measurement unit", CoordinateFrame: "a coordinate frame",
	Transformation: "a coordinate transformation", Complex: "a Complex", Vector: "a vector", Function: "a function",
	Body: "an expression", Metaobject: "a metaobject", Type: "a type", Undetermined: "an undetermined value"}

// kindWord is the kind of v in one lower-case word.
func (v Value) kindWord() string {
	name := v.TypeName()
	if v.kind == Enumeration {
		return "enumeration literal"
	}
	for _, article := range []string{"a ", "an ", "the "} {
		if rest, ok := strings.CutPrefix(name, article); ok {
			return rest
		}
	}
	return name
}
