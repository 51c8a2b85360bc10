package library

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// published opens the published library below the folder that ORRERY_SHARED
// names; false where the variable is not set.
func published(t *testing.T) (Source, bool) {
	t.Helper()
	dir := os.Getenv("ORRERY_SHARED")
	if dir == "" {
		return nil, false
	}
	lib, err := Open(filepath.Join(dir, "omg", "sysml.library"))
	if err != nil {
		t.Fatal(err)
	}
	return lib, true
}

// What ours declares otherwise than the published library, and why.
var explained = map[string]string{
	"SysML::Systems::ItemUsage::itemDefinition":                                                                                         "the published text subsets metadataItems twice",
	"SI::degree celsius (temperature difference):::>>unitConversion":                                                                    "published with the keyword attribute, unlike all others",
	"USCustomaryUnits::degree Rankine:::>>ThermodynamicTemperatureUnit::quantityDimension,TemperatureDifferenceUnit::quantityDimension": "published without the keyword attribute, unlike all others",
	"USCustomaryUnits::degree Fahrenheit (temperature difference):::>>unitConversion:::>>isExact":                                       "true by default",
	"USCustomaryUnits::degree Rankine:::>>unitConversion:::>>isExact":                                                                   "true by default",
	"SampledFunctions::Sample::sampling":                                                                                                "another name for a parameter",
	"SampledFunctions::interpolateLinear::result":                                                                                       "our own way to interpolate, for falling domains too",
	"SI::kelvin::temperatureOfWaterAtTriplePointInK:::>>definition":                                                                     "our own words",
	"SI::degree celsius (absolute temperature scale)::temperatureWaterAtFreezingPointInC:::>>definition":                                "our own words",
	"SI::tonne:::>>unitConversion:::>>conversionFactor":                                                                                 "a tonne is 1000 kg; published as 0.001",
	"SI::astronomical unit:::>>unitConversion:::>>conversionFactor":                                                                     "149597870700 m; published with eleven zeros more",
	"Time::Coordinated Universal Time:::>>definitionalEpoch:::>>definition":                                                             "our own words",
}

// Every name that the published library declares is declared by ours, as the
// same kind of element, with the same types, specializations, multiplicity and
// direction, and where we give it a value, with the same value.
func TestSharedCorpus(t *testing.T) {
	theirs, ok := published(t)
	if !ok {
		return
	}
	compared, leftOut := 0, 0
	for _, name := range theirs.Names() {
		file, _ := theirs.Lookup(name)
		if slices.Contains(extensions().Names(), name) {
			continue
		}
		ours, ok := Embedded().Lookup(name)
		if !ok {
			t.Errorf("%s is missing", name)
			continue
		}
		want, got := outline(t, file), outline(t, ours)
		for _, key := range sortedKeys(want) {
			compared++
			difference := want[key].difference(got[key])
			reason, known := explained[key]
			switch {
			case difference == "" && known:
				t.Errorf("%s is explained, but there is no difference", key)
			case difference != "" && known:
				t.Logf("%s: %s", key, reason)
			case difference != "":
				t.Errorf("%s %s", key, difference)
			case got[key].value != want[key].value:
				leftOut++
			}
		}
		for _, key := range sortedKeys(got) {
			if want[key] == nil {
				t.Errorf("%s is not in the published library: %s", key, got[key].signature)
			}
		}
	}
	t.Logf("%d declarations compared, the values of %d left out", compared, leftOut)
}

// A declared is what a comparison sees of one declaration.
type declared struct{ signature, value string }

// difference says where ours is not as d is published; "" where it is, or
// only leaves out the value.
func (d *declared) difference(ours *declared) string {
	switch {
	case ours == nil:
		return "is missing: " + d.signature
	case ours.signature != d.signature:
		return "\n\tpublished " + d.signature + "\n\tours      " + ours.signature
	case ours.value != "" && ours.value != d.value:
		return "\n\tpublished " + d.value + "\n\tours      " + ours.value
	}
	return ""
}

// outline is the declarations of file by qualified name; one without a name is
// known by what it redefines. Connectors, successions and invariants without a
// name are left out, and so is what is private.
func outline(t *testing.T, file *source.File) map[string]*declared {
	t.Helper()
	tree, found := syntax.Parse(file, syntax.Options{})
	for _, d := range found {
		t.Errorf("%s:%d: %s", file.Name, file.Position(d.Span.Start).Line, d.Message)
	}
	checkMayHold(t, file, tree)
	all := map[string]*declared{}
	addOutline(all, "", tree.Members)
	return all
}

func addOutline(all map[string]*declared, owner string, members []*syntax.Decl) {
	for _, d := range members {
		name := label(d)
		if name == "" || d.Visibility == syntax.Private {
			continue
		}
		key := strings.TrimPrefix(owner+"::"+name, "::")
		all[key] = &declared{signature(d), value(d)}
		addOutline(all, key, d.Members())
	}
}

// label is how a declaration is told from its neighbours; "" where a
// comparison leaves it out.
func label(d *syntax.Decl) string {
	switch d.Metaclass {
	case syntax.Comment, syntax.Documentation, syntax.NoMetaclass:
		return ""
	case syntax.MembershipImport, syntax.NamespaceImport:
		if d.Visibility == syntax.Public {
			return compact(strings.TrimSuffix(d.Span.Text(), ";"))
		}
		return ""
	}
	switch {
	case d.Name.Text != "":
		return d.Name.Text
	case d.ShortName.Text != "":
		return "<" + d.ShortName.Text + ">"
	case d.Member == syntax.ReturnMember && d.Metaclass != syntax.Expression:
		return "return"
	}
	if redefined := d.Related(syntax.Redefines); len(redefined) > 0 {
		return ":>>" + targets(d, syntax.Redefines)
	}
	return ""
}

func signature(d *syntax.Decl) string {
	words := []string{d.Metaclass.String(), d.Direction.String(), d.Member.String()}
	if d.Name.Text != "" && d.ShortName.Text != "" {
		words = append(words, "<"+d.ShortName.Text+">")
	}
	for _, f := range []struct {
		flag syntax.Flags
		word string
	}{{syntax.Abstract, "abstract"}, {syntax.Derived, "derived"}, {syntax.Constant, "constant"}, {syntax.Ref, "ref"},
		{syntax.End, "end"}, {syntax.Composite, "composite"}, {syntax.Portion, "portion"}, {syntax.Var, "var"},
		{syntax.Ordered, "ordered"}, {syntax.Nonunique, "nonunique"}, {syntax.Sufficient, "all"}} {
		if d.Is(f.flag) {
			words = append(words, f.word)
		}
	}
	if d.Multiplicity != nil {
		words = append(words, compact(d.Multiplicity.In(d.Span.File).Text()))
	}
	for kind := syntax.TypedBy; kind <= syntax.Chains; kind++ {
		if t := targets(d, kind); t != "" {
			words = append(words, kind.String()+" "+t)
		}
	}
	if d.Cross != nil {
		words = append(words, "cross "+d.Cross.Name.Text+" "+signature(d.Cross))
	}
	if d.Metaclass == syntax.Membership {
		alias, _, _ := strings.Cut(d.Span.Text(), "{")
		words = append(words, compact(strings.TrimSuffix(alias, ";")))
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

func targets(d *syntax.Decl, kind syntax.RelationshipKind) string {
	var names []string
	for _, r := range d.Related(kind) {
		names = append(names, compact(r.In(d.Span.File).Text()))
	}
	return strings.Join(names, ",")
}

func value(d *syntax.Decl) string {
	if d.Value == nil {
		return ""
	}
	return compact(d.Value.In(d.Span.File).Text())
}

// compact is text without blanks, comments and documentation.
func compact(text string) string {
	s := topScanner{text: text}
	var w strings.Builder
	for word := s.next(); word != ""; word = s.next() {
		if word != "doc" {
			w.WriteString(word)
		}
	}
	return strings.ReplaceAll(w.String(), "{}", ";") // a body that held documentation only
}

func sortedKeys(m map[string]*declared) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// remarks finds comments and strings.
var remarks = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"[^"]*"`)

// No sentence of the published library stands in ours: its comments are
// compared line by line, and its strings.
func TestSharedNoSentence(t *testing.T) {
	theirs, ok := published(t)
	if !ok {
		return
	}
	var ours strings.Builder
	for _, name := range Embedded().Files() {
		f, _ := Embedded().File(name)
		ours.WriteString(f.Text)
	}
	own := ours.String()
	for _, name := range theirs.Files() {
		file, _ := theirs.File(name)
		if path.Dir(name) == "." { // an extension package of ours
			continue
		}
		for _, remark := range remarks.FindAllString(file.Text, -1) {
			for line := range strings.Lines(remark) {
				sentence := strings.Trim(line, " \t\r\n*/\"")
				if len(strings.Fields(sentence)) >= 4 && strings.Contains(own, sentence) {
					t.Errorf("%s: %q", name, sentence)
				}
			}
		}
	}
}
