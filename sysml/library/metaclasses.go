package library

import "strings"

// A metamodel says how one language writes its metaclasses.
type metamodel struct {
	imports   []string // at its head
	class     string   // keyword of a metaclass
	enum      string   // keyword of an enumeration
	attribute func(r row) string
	literal   func(enum, name string) string
}

// expandMetaclasses writes the metaclasses of KerML or SysML.
func expandMetaclasses(w *strings.Builder, name string) {
	m := kermlMetamodel
	if name == "SysML" {
		m = sysmlMetamodel
	}
	doc, rows := table(name)
	openPackage(w, doc, name)
	for _, i := range m.imports {
		write(w, "\t", i, ";\n")
	}
	inside, inClass := false, false // a package, a metaclass
	leave := func(class, pack bool) {
		if class && inClass {
			w.WriteString("\t\t}\n")
			inClass = false
		}
		if pack && inside {
			w.WriteString("\t}\n")
			inside = false
		}
	}
	for r := range rows {
		switch kind := r[0]; kind {
		case "package": // name, import
			leave(true, true)
			write(w, "\tpackage ", r.at(1), " {\n")
			if r.at(2) != "" {
				write(w, "\t\tpublic import ", r.at(2), "::*;\n")
			}
			inside = true
		case "metaclass", "abstract metaclass": // name, generals
			leave(true, false)
			abstract := strings.TrimSuffix(kind, "metaclass")
			write(w, "\t\t", abstract, m.class, " ", r.at(1), list(" :> ", r.at(2)), " {\n")
			inClass = true
		case "enum": // name, literals
			leave(true, false)
			write(w, "\t\t", m.enum, " ", r.at(1), " {\n")
			for literal := range strings.SplitSeq(r.at(2), ",") {
				write(w, "\t\t\t", m.literal(r.at(1), literal), ";\n")
			}
			w.WriteString("\t\t}\n")
		case "": // flags, name, type, multiplicity, subsetted, redefined
			write(w, "\t\t\t", m.attribute(r), ";\n")
		}
	}
	leave(true, true)
	closePackage(w, name)
}

var kermlMetamodel = metamodel{
	imports: []string{"private import ScalarValues::*", "public import Kernel::*"},
	class:   "metaclass",
	enum:    "datatype",
	attribute: func(r row) string {
		return flags(r, "d", "derived ", "a", "abstract ", "c", "composite ") + "var feature " + declaration(r, r.at(5))
	},
	literal: func(enum, name string) string { return "member feature " + name + " : " + enum + "[1]" },
}

var sysmlMetamodel = metamodel{
	imports: []string{"private import ScalarValues::*", "public import Systems::*"},
	class:   "metadata def",
	enum:    "enum def",
	attribute: func(r row) string {
		if isValue(r.at(3)) {
			return flags(r, "d", "derived ") + "attribute " + declaration(r, r.at(5))
		}
		subsetted := "Metadata::metadataItems"
		if r.at(5) != "" {
			subsetted = r.at(5) + "," + subsetted
		}
		return flags(r, "d", "derived ", "r", "ref ") + "item " + declaration(r, subsetted)
	},
	literal: func(_, name string) string { return "enum " + name },
}

// isValue reports whether the metaclass feature type is a data type: one of
// the primitive ones or an enumeration.
func isValue(name string) bool {
	switch name {
	case "Boolean", "Integer", "Rational", "Real", "String":
		return true
	}
	return strings.HasSuffix(name, "Kind")
}

// flags is the words of those pairs of letter and word whose letter r has.
func flags(r row, pairs ...string) string {
	words := ""
	for i := 0; i < len(pairs); i += 2 {
		if strings.Contains(r.at(1), pairs[i]) {
			words += pairs[i+1]
		}
	}
	return words
}

// declaration is what follows the keywords of a feature of a metaclass.
func declaration(r row, subsetted string) string {
	return r.at(2) + " : " + r.at(3) + "[" + r.at(4) + "]" + flags(r, "o", " ordered", "n", " nonunique") +
		list(" :> ", subsetted) + list(" :>> ", r.at(6))
}

// list writes names that are apart by commas behind a relation; "" where
// there are none.
func list(relation, names string) string {
	if names == "" {
		return ""
	}
	return relation + strings.ReplaceAll(names, ",", ", ")
}
