package library

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A baseQuantity is one of the seven that every dimension is a product of
// powers of.
type baseQuantity struct {
	symbol  string // of its dimension, as tables write it
	feature string // of isq, quoted where need be
	name    string // of the quantity
}

// Source: ISO 80000-1, 4.3.
var baseQuantities = []baseQuantity{
	{"L", "L", "length"},
	{"M", "M", "mass"},
	{"T", "T", "duration"},
	{"I", "I", "electricCurrent"},
	{"Θ", "'Θ'", "thermodynamicTemperature"},
	{"N", "N", "amountOfSubstance"},
	{"J", "J", "luminousIntensity"},
}

// A power is a base quantity to an exponent.
type power struct {
	base     baseQuantity
	exponent string // an integer other than zero
}

// parseDimension reads "L^2 M T^-2"; false where it names no base quantity.
func parseDimension(text string) ([]power, bool) {
	var powers []power
	for factor := range strings.FieldsSeq(text) {
		symbol, exponent, raised := strings.Cut(factor, "^")
		if !raised {
			exponent = "1"
		}
		found := false
		for _, b := range baseQuantities {
			if b.symbol == symbol {
				powers, found = append(powers, power{b, exponent}), true
			}
		}
		if !found {
			return nil, false
		}
	}
	return powers, true
}

// expandQuantities writes a package of the ISQ.
func expandQuantities(w *strings.Builder, name string) {
	doc, rows := table(name)
	openPackage(w, doc, name)
	w.WriteString("\tprivate import ScalarValues::Real;\n\tprivate import Quantities::*;\n" +
		"\tprivate import MeasurementReferences::*;\n")
	for r := range rows {
		if !member(w, r) {
			quantityRow(w, r)
		}
	}
	closePackage(w, name)
}

func quantityRow(w *strings.Builder, r row) {
	name := r.at(1)
	switch r[0] {
	case "quantity": // name, kind of unit, dimension: with a value type and a unit type of its own
		value, unit := capital(name, "Value"), capital(name, "Unit")
		write(w, "\tattribute def ", value, " :> ScalarQuantityValue {\n"+
			"\t\tattribute :>> num : Real;\n\t\tattribute :>> mRef : ", unit, "[1];\n\t}\n")
		write(w, "\tattribute ", name, " : ", value, "[*] nonunique :> scalarQuantities;\n")
		unitType(w, unit, r.at(2), r.at(3))
	case "kind": // name, general value type: with a value type of its own, measured in the units of the general
		value := capital(name, "Value")
		write(w, "\tattribute def ", value, " :> ", r.at(2), ";\n")
		write(w, "\tattribute ", name, " : ", value, " :> scalarQuantities;\n")
	case "use": // name, value type, the quantities it subsets where not scalar
		order := r.at(3)
		if order == "" {
			order = "scalar"
		}
		write(w, "\tattribute ", name, " : ", r.at(2), " :> ", order, "Quantities;\n")
	case "vector": // name, bound or free, frame
		value := capital(name, "")
		write(w, "\tattribute def ", value, " :> '3dVectorQuantityValue' {\n\t\tattribute :>> isBound = ",
			isBound(r.at(2)), ";\n\t\tattribute :>> mRef : ", r.at(3), "[1];\n\t}\n")
		write(w, "\tattribute ", name, " : ", value, " :> vectorQuantities;\n")
	case "frame": // name, bound or free, unit of all three axes
		write(w, "\tattribute def ", name, " :> '3dCoordinateFrame' {\n\t\tattribute :>> isBound = ",
			isBound(r.at(2)), ";\n\t\tattribute :>> isOrthogonal = true;\n\t\tattribute :>> mRefs : ", r.at(3), "[3];\n\t}\n")
	}
}

// unitType writes the type of the units of one quantity.
func unitType(w *strings.Builder, unit, kind, dimension string) {
	switch kind {
	case "simple":
		kind = "SimpleUnit"
	case "derived":
		kind = "DerivedUnit"
	}
	write(w, "\tattribute def ", unit, " :> ", kind)
	powers, _ := parseDimension(dimension)
	if len(powers) == 0 {
		w.WriteString(";\n")
		return
	}
	w.WriteString(" {\n")
	list := ""
	for i, p := range powers {
		factor := p.base.name + "PF"
		write(w, "\t\tprivate attribute ", factor, " : QuantityPowerFactor[1] { :>> quantity = isq.", p.base.feature,
			"; :>> exponent = ", p.exponent, "; }\n")
		if i > 0 {
			list += ", "
		}
		list += factor
	}
	if len(powers) > 1 {
		list = "(" + list + ")"
	}
	write(w, "\t\tattribute :>> quantityDimension { :>> quantityPowerFactors = ", list, "; }\n\t}\n")
}

func isBound(word string) string {
	if word == "bound" {
		return "true"
	}
	return "false"
}

// capital is name with a capital letter in front and suffix behind, inside
// its quotes where it has some.
func capital(name, suffix string) string {
	if inner, quoted := strings.CutPrefix(name, "'"); quoted {
		return "'" + capital(strings.TrimSuffix(inner, "'"), suffix) + "'"
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:] + suffix
}
