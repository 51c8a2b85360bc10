package value

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// An Exponent is the exact power of a base unit, reduced, Den > 0.
type Exponent struct{ Num, Den int32 }

// A BaseUnit is one factor of a reduced unit: the qualified name of a unit
// that is not defined by others, as SI::metre, and its power.
type BaseUnit struct {
	Name  string
	Power Exponent
}

// A Unit is a measurement unit as written and what it reduces to: a number m
// of it is m·Num/Den + Offset in the base units. The zero of an Offset makes
// it an ordinary unit; degrees Celsius have 273.15.
//
// Units are immutable and compared by content; make them with [NewUnit].
type Unit struct {
	Heap
	written  string
	num, den float64
	offset   float64
	bases    []BaseUnit // by name, no power zero
}

func (*Unit) isPart() {}

// One is the unit of a plain number.
var One = NewUnit("", 1, 1, 0, nil)

// NewUnit makes a unit: its text, its scale num/den (both finite, not zero),
// its offset in base units, and its base units in any order, of which those
// of one name are joined and those of power zero left out.
func NewUnit(written string, num, den, offset float64, bases []BaseUnit) *Unit {
	u := &Unit{written: written, num: num, den: den, offset: offset, bases: joinBases(bases)}
	u.part = u
	u.digest = mix(mix(mix(hashText(0, written), math.Float64bits(num)), math.Float64bits(den)), math.Float64bits(offset))
	for _, b := range u.bases {
		u.digest = mix(hashText(u.digest, b.Name), uint64(uint32(b.Power.Num))<<32|uint64(uint32(b.Power.Den)))
	}
	return u
}

func joinBases(bases []BaseUnit) []BaseUnit {
	sorted := append([]BaseUnit(nil), bases...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	joined := sorted[:0]
	for _, b := range sorted {
		if n := len(joined); n > 0 && joined[n-1].Name == b.Name {
			joined[n-1].Power = joined[n-1].Power.plus(b.Power)
			continue
		}
		joined = append(joined, b)
	}
	kept := joined[:0]
	for _, b := range joined {
		if b.Power.Num != 0 {
			b.Power = exponent(int64(b.Power.Num), int64(max(b.Power.Den, 1)))
			kept = append(kept, b)
		}
	}
	return kept
}

func exponent(num, den int64) Exponent {
	if den < 0 {
		num, den = -num, -den
	}
	if g := int64(gcd(magnitude(num), uint64(den))); g > 1 {
		num, den = num/g, den/g
	}
	return Exponent{int32(num), int32(den)}
}

func (e Exponent) plus(f Exponent) Exponent {
	a, b := int64(max(e.Den, 1)), int64(max(f.Den, 1))
	return exponent(int64(e.Num)*b+int64(f.Num)*a, a*b)
}

// Written is the unit's text as it is printed behind a number.
func (u *Unit) Written() string { return u.written }

// Scale is the ratio num/den that [NewUnit] was given.
func (u *Unit) Scale() (num, den float64) { return u.num, u.den }

// Offset is where the unit's zero lies, in base units.
func (u *Unit) Offset() float64 { return u.offset }

// Bases is what the unit reduces to. It must not be changed.
func (u *Unit) Bases() []BaseUnit { return u.bases }

// Renamed is u written as text.
func (u *Unit) Renamed(text string) *Unit { return NewUnit(text, u.num, u.den, u.offset, u.bases) }

// Scaled is the unit of which one is factor num/den of u, written as text;
// offset is in units of u.
func (u *Unit) Scaled(text string, num, den, offset float64) *Unit {
	return NewUnit(text, u.num*num, u.den*den, u.offset+offset*u.num/u.den, u.bases)
}

// Reduction is the text of the base units: SI::metre*SI::second**-1, or 1.
func (u *Unit) Reduction() string {
	if len(u.bases) == 0 {
		return "1"
	}
	var b strings.Builder
	for i, f := range u.bases {
		if i > 0 {
			b.WriteByte('*')
		}
		b.WriteString(f.Name)
		if f.Power.Den != 1 {
			b.WriteString("**(" + strconv.Itoa(int(f.Power.Num)) + "/" + strconv.Itoa(int(f.Power.Den)) + ")")
		} else if f.Power.Num != 1 {
			b.WriteString("**" + strconv.Itoa(int(f.Power.Num)))
		}
	}
	return b.String()
}

// Commensurable reports whether quantities in u and w can be converted: their
// base units and powers coincide.
func (u *Unit) Commensurable(w *Unit) bool {
	if u == w {
		return true
	}
	if len(u.bases) != len(w.bases) {
		return false
	}
	for i, b := range u.bases {
		if b != w.bases[i] {
			return false
		}
	}
	return true
}

// IsDimensionless reports whether u reduces to no base unit.
func (u *Unit) IsDimensionless() bool { return len(u.bases) == 0 }

// Same reports whether u and w have the same content, text included.
func (u *Unit) Same(w *Unit) bool {
	return u == w || u.digest == w.digest && u.written == w.written && u.num == w.num && u.den == w.den &&
		u.offset == w.offset && u.Commensurable(w)
}

// Convert is the number of w that m of u are. u and w must be commensurable.
// It is one expression, so that 5.4 km/h is exactly 1.5 m/s.
func (u *Unit) Convert(m float64, w *Unit) float64 {
	switch {
	case u == w || u.num == w.num && u.den == w.den && u.offset == w.offset:
		return m
	case u.offset == 0 && w.offset == 0:
		return float64(m*float64(u.num*w.den)) / float64(u.den*w.num)
	}
	base := float64(m*u.num)/u.den + u.offset
	return float64((base-w.offset)*w.den) / w.num
}

// Times is the unit of a product.
func (u *Unit) Times(w *Unit) *Unit { return u.product(w, "*", 1) }

// Per is the unit of a quotient.
func (u *Unit) Per(w *Unit) *Unit { return u.product(w, "/", -1) }

func (u *Unit) product(w *Unit, operator string, sign int32) *Unit {
	bases := append([]BaseUnit(nil), u.bases...)
	for _, b := range w.bases {
		bases = append(bases, BaseUnit{b.Name, Exponent{sign * b.Power.Num, b.Power.Den}})
	}
	num, den := u.num*w.num, u.den*w.den
	if sign < 0 {
		num, den = u.num*w.den, u.den*w.num
	}
	text := ""
	switch {
	case w.written == "":
		text = u.written
	case u.written == "" && sign > 0:
		text = w.written
	case u.written == "":
		text = "1/" + enclosed(w.written)
	default:
		text = enclosed(u.written) + operator + enclosed(w.written)
	}
	return NewUnit(text, num, den, 0, bases)
}

// enclosed puts a text that is an expression into parentheses.
func enclosed(text string) string {
	if strings.ContainsAny(text, "*/^·") {
		return "(" + text + ")"
	}
	return text
}

// Raise is the unit of a power; the exponent is num/den, den > 0. The text is
// (u)**n.
func (u *Unit) Raise(num, den int32) *Unit {
	bases := make([]BaseUnit, len(u.bases))
	for i, b := range u.bases {
		bases[i] = BaseUnit{b.Name, exponent(int64(b.Power.Num)*int64(num), int64(b.Power.Den)*int64(den))}
	}
	power := strconv.Itoa(int(num))
	exp := float64(num)
	if den != 1 {
		exp = float64(num) / float64(den)
		power = strconv.FormatFloat(exp, 'g', -1, 64)
	}
	text := ""
	if u.written != "" {
		text = "(" + u.written + ")**" + power
	}
	return NewUnit(text, math.Pow(u.num, exp), math.Pow(u.den, exp), 0, bases)
}

func errIncommensurable(from, to *Unit) error {
	d := diagnostic.New(Incommensurable, source.Span{}, "incommensurable units: cannot express "+from.described()+" in "+to.described())
	if from.written == "" || to.written == "" {
		d.Hint = "one of the two has no unit; a unit stands in brackets behind its number, such as 3 [" + from.written + to.written + "]"
	}
	return d
}

func (u *Unit) described() string {
	if u.written == "" {
		return "a plain number"
	}
	return u.written + " (" + u.Reduction() + ")"
}
