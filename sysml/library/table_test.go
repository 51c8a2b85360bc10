package library

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// allRows gives the rows of the tables of all packages that expand is for.
func allRows(t *testing.T, names string) map[string][]row {
	t.Helper()
	rows := map[string][]row{}
	for name := range strings.FieldsSeq(names) {
		doc, seq := table(name)
		if doc == "" {
			t.Errorf("%s has no documentation", name)
		}
		for r := range seq {
			rows[name] = append(rows[name], r)
		}
	}
	return rows
}

func namesOf(t *testing.T, package_ string) string {
	t.Helper()
	for _, g := range groups {
		if strings.Contains(" "+strings.Join(strings.Fields(g.names), " ")+" ", " "+package_+" ") {
			return g.names
		}
	}
	t.Fatalf("no group has %s", package_)
	return ""
}

func TestQuantityTables(t *testing.T) {
	widths := map[string][2]int{ // fewest and most fields of a row
		"import": {3, 3}, "alias": {3, 3}, "quantity": {3, 4}, "kind": {3, 3}, "use": {3, 4}, "vector": {4, 4}, "frame": {4, 4},
	}
	kinds := map[string]bool{"simple": true, "derived": true, "DimensionOneUnit": true}
	for name, rows := range allRows(t, namesOf(t, "ISQ")) {
		seen := map[string]bool{}
		for _, r := range rows {
			line := name + ": " + strings.Join(r, " ")
			width, ok := widths[r[0]]
			if !ok || len(r) < width[0] || len(r) > width[1] {
				t.Errorf("%s: no such row", line)
				continue
			}
			if r[0] == "import" {
				continue
			}
			if seen[r[1]] {
				t.Errorf("%s: declared twice", line)
			}
			seen[r[1]] = true
			if r[0] == "quantity" && !kinds[r[2]] {
				t.Errorf("%s: no kind of unit %q", line, r[2])
			}
			if (r[0] == "vector" || r[0] == "frame") && r[2] != "bound" && r[2] != "free" {
				t.Errorf("%s: neither bound nor free", line)
			}
			checkDimension(t, line, r)
		}
	}
}

func checkDimension(t *testing.T, line string, r row) {
	t.Helper()
	if r[0] != "quantity" {
		return
	}
	powers, ok := parseDimension(r.at(3))
	if !ok {
		t.Errorf("%s: %q is no product of powers of base quantities", line, r.at(3))
	}
	if (r[2] == "simple" || r[2] == "derived") != (len(powers) > 0) {
		t.Errorf("%s: %d base quantities in a %s unit", line, len(powers), r[2])
	}
	seen := map[string]bool{}
	for _, p := range powers {
		if n, err := strconv.Atoi(p.exponent); err != nil || n == 0 {
			t.Errorf("%s: exponent %q", line, p.exponent)
		}
		if seen[p.base.symbol] {
			t.Errorf("%s: %s twice", line, p.base.symbol)
		}
		seen[p.base.symbol] = true
	}
}

func TestParseDimension(t *testing.T) {
	for _, c := range []struct {
		text, want string // "!" where it is refused
	}{
		{"", ""},
		{"L", "length 1"},
		{"M L^2 T^-3", "mass 1, length 2, duration -3"},
		{"Θ^-1", "thermodynamicTemperature -1"},
		{"X", "!"},
		{"L Y^2", "!"},
	} {
		powers, ok := parseDimension(c.text)
		var words []string
		for _, p := range powers {
			words = append(words, p.base.name+" "+p.exponent)
		}
		got := strings.Join(words, ", ")
		if !ok {
			got = "!"
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// unitName finds the names in a unit expression.
var unitName = regexp.MustCompile(`'[^']*'|[A-Za-z_]\w*`)

// Every unit refers to units, prefixes and unit types that there are, and its
// numbers are numbers.
func TestUnitTables(t *testing.T) {
	quantities := &strings.Builder{}
	for name := range strings.FieldsSeq(namesOf(t, "ISQ")) {
		expandQuantities(quantities, name)
	}
	prefixes := map[string]bool{}
	for _, r := range allRows(t, "SIPrefixes")["SIPrefixes"] {
		prefixes[r.at(1)] = true
		checkNumber(t, "SIPrefixes: "+r.at(1), r.at(3))
	}
	known := map[string]bool{"one": true, "K": true} // of MeasurementReferences; SI.members.sysml
	tables := allRows(t, "SI USCustomaryUnits")
	for _, name := range []string{"SI", "USCustomaryUnits"} { // the latter uses the former
		seen := map[string]bool{}
		declare := func(n string) {
			if n != "" && seen[n] {
				t.Errorf("%s: %s is declared twice", name, n)
			}
			seen[n], known[n] = true, true
		}
		for _, r := range tables[name] {
			switch r[0] {
			case "import":
			case "alias":
				declare(r.at(1))
			default:
				if symbol := r.at(1); symbol != r.at(2) {
					declare(symbol)
				}
				declare(r.at(2))
			}
		}
		for _, r := range tables[name] {
			checkUnit(t, name+": "+strings.Join(r, " "), r, known, prefixes, quantities.String())
		}
	}
}

func checkUnit(t *testing.T, line string, r row, known, prefixes map[string]bool, quantities string) {
	t.Helper()
	expression := ""
	switch r[0] {
	case "import", "alias":
		return
	case "base":
	case "unit":
		expression = r.at(4)
	case "prefix":
		expression = r.at(5)
		if !prefixes[r.at(4)] {
			t.Errorf("%s: no prefix %q", line, r.at(4))
		}
	case "factor":
		expression = r.at(5)
		checkNumber(t, line, r.at(4))
		if word := r.at(6); word != "" && word != "approximate" {
			t.Errorf("%s: %q behind the unit", line, word)
		}
	default:
		t.Errorf("%s: no such row", line)
		return
	}
	if (expression == "") != (r[0] == "base") {
		t.Errorf("%s: in no other unit", line)
	}
	for _, n := range unitName.FindAllString(expression, -1) {
		if !known[n] {
			t.Errorf("%s: no unit %s", line, n)
		}
	}
	for unit := range strings.SplitSeq(r.at(3), ",") {
		if !strings.Contains(quantities, "attribute def "+unit+" ") && !strings.Contains(quantities, "alias "+unit+" for ") {
			t.Errorf("%s: no type %s of units", line, unit)
		}
	}
}

// checkNumber takes a number, a quotient of two, or an integer to a power.
func checkNumber(t *testing.T, line, text string) {
	t.Helper()
	for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '/' || c == '^' }) {
		if n, err := strconv.ParseFloat(part, 64); err != nil || n <= 0 {
			t.Errorf("%s: %q is no positive number", line, text)
		}
	}
}

// Every metaclass and every type that the metamodel tables name is there.
func TestMetaclassTables(t *testing.T) {
	known := map[string]bool{"Boolean": true, "Integer": true, "Rational": true, "Real": true, "String": true}
	for _, name := range []string{"KerML", "SysML"} { // the latter builds on the former
		rows := allRows(t, name)[name]
		for _, r := range rows {
			if r[0] == "enum" || strings.HasSuffix(r[0], "metaclass") {
				if known[r.at(1)] {
					t.Errorf("%s: %s is declared twice", name, r.at(1))
				}
				known[r.at(1)] = true
			}
		}
		for _, r := range rows {
			line := name + ": " + strings.Join(r, " ")
			switch r[0] {
			case "package", "enum":
			case "metaclass", "abstract metaclass":
				for general := range strings.SplitSeq(r.at(2), ",") {
					if general != "" && !known[general] {
						t.Errorf("%s: no metaclass %s", line, general)
					}
				}
			case "":
				if strings.Trim(r.at(1), "acdnor") != "" || !known[r.at(3)] || r.at(4) == "" {
					t.Errorf("%s: no feature", line)
				}
			default:
				t.Errorf("%s: no such row", line)
			}
		}
	}
}

// Two conversion factors of the published SI package are wrong by powers of
// ten. Ours has what the SI brochure says.
func TestFactorsThatThePublishedTextHasWrong(t *testing.T) {
	want := map[string]string{"tonne": "1.0E3", "'astronomical unit'": "149597870700"}
	for _, r := range allRows(t, "SI")["SI"] {
		if factor, ok := want[r.at(2)]; ok {
			if r.at(4) != factor {
				t.Errorf("%s is %s, want %s", r.at(2), r.at(4), factor)
			}
			delete(want, r.at(2))
		}
	}
	if len(want) > 0 {
		t.Errorf("no rows for %v", want)
	}
}
