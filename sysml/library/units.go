package library

import "strings"

// expandUnits writes a package of units.
func expandUnits(w *strings.Builder, name string) {
	doc, rows := table(name)
	openPackage(w, doc, name)
	for r := range rows {
		if !member(w, r) {
			unitRow(w, r)
		}
	}
	closePackage(w, name)
}

// unitRow writes the unit of r: symbol, name, unit types apart by commas, and
// what it is in other units.
func unitRow(w *strings.Builder, r row) {
	symbol, types := r.at(1), strings.Split(r.at(3), ",")
	w.WriteString("\tattribute ")
	if symbol != "" {
		write(w, "<", symbol, "> ")
	}
	write(w, r.at(2), " : ", strings.Join(types, ", "))
	var body []string
	switch r[0] {
	case "base": // defined by nothing else
	case "unit": // a product of powers of units
		write(w, " = ", r.at(4))
	case "prefix": // prefix, unit
		body = []string{":>> unitConversion : ConversionByPrefix { :>> prefix = " + r.at(4) +
			"; :>> referenceUnit = " + r.at(5) + "; }"}
	case "factor": // number, unit, "approximate" where the number is rounded
		exact := ""
		if r.at(6) == "approximate" {
			exact = " :>> isExact = false;"
		}
		body = []string{":>> unitConversion : ConversionByConvention { :>> referenceUnit = " + r.at(5) +
			"; :>> conversionFactor = " + r.at(4) + ";" + exact + " }"}
	}
	if len(types) > 1 {
		body = append(body, sameDimension(types))
	}
	if len(body) == 0 {
		w.WriteString(";\n")
		return
	}
	write(w, " { ", strings.Join(body, " "), " }\n")
}

// sameDimension makes the dimensions that a unit inherits from several types
// one.
func sameDimension(types []string) string {
	dimensions := strings.Join(types, "::quantityDimension, ") + "::quantityDimension"
	factors := strings.ReplaceAll(dimensions, "quantityDimension", "quantityDimension::quantityPowerFactors")
	return "attribute :>> " + dimensions + " { :>> " + factors + "; }"
}

// expandPrefixes writes the package of prefixes: name, symbol, factor.
func expandPrefixes(w *strings.Builder, name string) {
	doc, rows := table(name)
	openPackage(w, doc, name)
	w.WriteString("\tprivate import MeasurementReferences::*;\n")
	for r := range rows {
		write(w, "\tattribute ", r.at(1), " : UnitPrefix { :>> longName = \"", r.at(1), "\"; :>> symbol = \"", r.at(2),
			"\"; :>> conversionFactor = ", r.at(3), "; }\n")
	}
	closePackage(w, name)
}
