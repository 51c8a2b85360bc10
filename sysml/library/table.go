package library

import (
	"iter"
	"strings"
)

// A table is the facts of one package, facts/NAME.tsv: one row a line, fields
// apart by tabs, the first field says what the row is. The first line is the
// documentation of the package. What fits no row is written
// out in facts/NAME.members.sysml.

// A row is the fields of a line. Fields that are left out at its end are "".
type row []string

// at is field i of r, "" where r has fewer.
func (r row) at(i int) string {
	if i < len(r) {
		return r[i]
	}
	return ""
}

// table gives the documentation of package name and its rows.
func table(name string) (doc string, rows iter.Seq[row]) {
	text := read("facts/" + name + ".tsv")
	first, rest, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(first, "# "), func(yield func(row) bool) {
		for line := range strings.Lines(rest) {
			line = strings.TrimSuffix(line, "\n")
			if line != "" && !yield(strings.Split(line, "\t")) {
				return
			}
		}
	}
}

// openPackage writes the head of package name, as the texts have it.
func openPackage(w *strings.Builder, doc, name string) {
	w.WriteString("standard library package ")
	if short, ok := shortNames[name]; ok {
		write(w, "<", short, "> ")
	}
	write(w, name, " {\n\tdoc /* ", doc, " */\n\n")
}

// closePackage writes the members of package name that are in no row, and
// the end of it.
func closePackage(w *strings.Builder, name string) {
	if text, err := data.ReadFile("facts/" + name + ".members.sysml"); err == nil {
		w.Write(text)
	}
	w.WriteString("}\n")
}

// member writes the rows that every table may have: an import, an alias.
func member(w *strings.Builder, r row) bool {
	switch r[0] {
	case "import": // visibility, what
		write(w, "\t", r.at(1), " import ", r.at(2), ";\n")
	case "alias": // name, of what
		write(w, "\talias ", r.at(1), " for ", r.at(2), ";\n")
	default:
		return false
	}
	return true
}

func write(w *strings.Builder, parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
}
