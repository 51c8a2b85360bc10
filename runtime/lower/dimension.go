package lower

import (
	"math/big"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file finds the dimensions of quantity types and of units, from what the
// library declares of both.

// A Dimension is a product of powers of base quantities, by their symbols.
// What has dimension one has no powers.
type Dimension map[string]*big.Rat

// Equal reports whether d and o are the same dimension.
func (d Dimension) Equal(o Dimension) bool {
	for _, pair := range [...][2]Dimension{{d, o}, {o, d}} {
		for q, power := range pair[0] {
			if other := pair[1][q]; other == nil && power.Sign() != 0 || other != nil && other.Cmp(power) != 0 {
				return false
			}
		}
	}
	return true
}

// DimensionOf is the dimension of the quantities of type t; false where the
// type does not say.
func DimensionOf(t *model.Element) (Dimension, bool) {
	reference, ok := t.LookupInside("mRef")
	if !ok {
		return nil, false
	}
	for _, unit := range reference.Types() {
		if d, ok := dimensionOfUnits(unit); ok {
			return d, true
		}
	}
	return nil, false
}

// dimensionOfUnits is the dimension of the units of type t.
func dimensionOfUnits(t *model.Element) (Dimension, bool) {
	if t.Name() == "DimensionOneUnit" {
		return Dimension{}, true
	}
	d := Dimension{}
	for _, m := range t.Members() {
		for _, of := range m.Types() {
			if of.Name() != "QuantityPowerFactor" {
				continue
			}
			quantity, exponent := memberValue(m, "quantity"), memberValue(m, "exponent")
			if quantity == nil || exponent == nil {
				return nil, false
			}
			base, _ := quantity.Value()
			power, _ := exponent.Value()
			n, ok := new(big.Rat).SetString(strings.Trim(strings.ReplaceAll(power.Expr.Span().Text(), " ", ""), "()"))
			if !ok {
				return nil, false
			}
			d[symbolOf(base.Expr)] = n
		}
	}
	return d, len(d) > 0
}

// symbolOf is the last name of the path to a base quantity.
func symbolOf(x syntax.Expr) string {
	text := x.Span().Text()
	return text[strings.LastIndexAny(text, ".:")+1:]
}

// DimensionIn is the dimension of a unit in model m; false where the model does
// not say.
func DimensionIn(m *model.Model, u *value.Unit) (Dimension, bool) {
	d := Dimension{}
	for _, b := range u.Bases() {
		e := m.Find(b.Name)
		if e == nil {
			return nil, false
		}
		of, found := Dimension(nil), false
		for _, t := range e.Types() {
			if of, found = dimensionOfUnits(t); found {
				break
			}
		}
		if !found {
			return nil, false
		}
		for q, n := range of {
			if d[q] == nil {
				d[q] = new(big.Rat)
			}
			d[q].Add(d[q], new(big.Rat).Mul(n, big.NewRat(int64(b.Power.Num), int64(b.Power.Den))))
		}
	}
	return d, true
}
