package library

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Every file of the catalogue can be made, is what its name says, and declares
// the package it is found by.
func TestEmbeddedFiles(t *testing.T) {
	lib := Embedded()
	names, files := lib.Names(), lib.Files()
	if len(names) != len(files) {
		t.Fatalf("%d packages in %d files", len(names), len(files))
	}
	for i, name := range names {
		f, ok := lib.Lookup(name)
		if !ok {
			t.Errorf("no file for %s", name)
			continue
		}
		if same, _ := lib.File(files[i]); same != f {
			t.Errorf("%s and %s give two files", name, files[i])
		}
		if !f.Library || f.Name != files[i] {
			t.Errorf("%s: name %q, library %v", files[i], f.Name, f.Library)
		}
		if want := languageOf(path.Ext(files[i])); f.Language != want {
			t.Errorf("%s: language %v, want %v", f.Name, f.Language, want)
		}
		found := topPackages(f.Text)
		if want := []topPackage{{name, shortNames[name]}}; !slices.Equal(found, want) {
			t.Errorf("%s declares %v, want %v", f.Name, found, want)
		}
	}
	if _, ok := lib.Lookup("NoSuchPackage"); ok {
		t.Error("Lookup finds NoSuchPackage")
	}
	if _, ok := lib.File("NoSuchFile.sysml"); ok {
		t.Error("File finds NoSuchFile.sysml")
	}
}

// Nothing that is embedded is left out of the catalogue.
func TestEmbeddedCatalogue(t *testing.T) {
	used := map[string]bool{}
	for _, g := range groups {
		for name := range strings.FieldsSeq(g.names) {
			if g.expand == nil {
				used["text/"+g.folder+"/"+name+g.ext] = true
				continue
			}
			used["facts/"+name+".tsv"] = true
			used["facts/"+name+".members.sysml"] = true
		}
	}
	err := fs.WalkDir(data, ".", func(at string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !used[at] {
			t.Errorf("%s belongs to no package of the catalogue", at)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEmbeddedShortName(t *testing.T) {
	long, _ := Embedded().Lookup("USCustomaryUnits")
	short, ok := Embedded().Lookup("USCU")
	if !ok || short != long {
		t.Errorf("USCU is %v, want the file of USCustomaryUnits", short)
	}
	if slices.Contains(Embedded().Names(), "USCU") {
		t.Error("Names lists a short name")
	}
}

// Only what is asked for is made, and once for all goroutines.
func TestEmbeddedOnce(t *testing.T) {
	made := 0
	lib := newEmbedded([]group{
		{ext: ".sysml", names: "A", expand: func(w *strings.Builder, name string) { made++; write(w, "package A;") }},
		{ext: ".sysml", names: "B", expand: func(*strings.Builder, string) { t.Error("B was made") }},
	})
	got := make([]*source.File, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], _ = lib.Lookup("A") })
	}
	wg.Wait()
	for _, f := range got {
		if f != got[0] || f.Text != "package A;" {
			t.Errorf("got %+v", f)
		}
	}
	if made != 1 {
		t.Errorf("A was made %d times", made)
	}
}

func TestExpansionGolden(t *testing.T) {
	for _, name := range []string{"ISQBase.sysml", "ISQAcoustics.sysml", "SIPrefixes.sysml"} {
		f, ok := Embedded().File(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		golden := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(f.Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if f.Text != string(want) {
			t.Errorf("%s is not %s; -update rewrites it", name, golden)
		}
	}
}

// One line for each kind of row.
func TestExpansionLines(t *testing.T) {
	for _, c := range []struct{ file, line string }{
		{"SI.sysml", "attribute <m> metre : LengthUnit;"},
		{"SI.sysml", "attribute <N> newton : ForceUnit = kg*m/s^2;"},
		{"SI.sysml", "attribute <'km/h'> 'kilometre per hour' : SpeedUnit = km/h;"},
		{"SI.sysml", "attribute <km> kilometre : LengthUnit { :>> unitConversion : ConversionByPrefix { :>> prefix = kilo; :>> referenceUnit = m; } }"},
		{"SI.sysml", "attribute <h> hour : DurationUnit { :>> unitConversion : ConversionByConvention { :>> referenceUnit = min; :>> conversionFactor = 60; } }"},
		{"SI.sysml", "attribute <Da> dalton : MassUnit { :>> unitConversion : ConversionByConvention { :>> referenceUnit = kg; :>> conversionFactor = 1.66053906660e-27; :>> isExact = false; } }"},
		{"SI.sysml", "attribute <'N⋅m'> 'newton metre' : MomentOfForceUnit, TorqueUnit = N*m { attribute :>> MomentOfForceUnit::quantityDimension, TorqueUnit::quantityDimension { :>> MomentOfForceUnit::quantityDimension::quantityPowerFactors, TorqueUnit::quantityDimension::quantityPowerFactors; } }"},
		{"SI.sysml", "alias 'metric ton' for tonne;"},
		{"USCustomaryUnits.sysml", "attribute <ft> 'foot' : LengthUnit { :>> unitConversion : ConversionByConvention { :>> referenceUnit = m; :>> conversionFactor = 3.048E-01; } }"},
		{"USCustomaryUnits.sysml", "standard library package <USCU> USCustomaryUnits {"},
		{"ISQMechanics.sysml", "attribute def ForceUnit :> DerivedUnit {"},
		{"ISQThermodynamics.sysml", "attribute def ThermalEfficiencyValue :> DimensionOneValue;"},
		{"ISQSpaceTime.sysml", "attribute width : LengthValue :> scalarQuantities;"},
		{"ISQMechanics.sysml", "attribute momentOfInertiaTensor : Cartesian3dMomentOfInertiaTensor :> tensorQuantities;"},
		{"KerML.kerml", "abstract metaclass Element {"},
		{"KerML.kerml", "derived abstract var feature membership : Membership[0..*] ordered;"},
		{"KerML.kerml", "member feature 'inout' : FeatureDirectionKind[1];"},
		{"SysML.sysml", "metadata def PartUsage :> ItemUsage {"},
		{"SysML.sysml", "derived ref item partDefinition : PartDefinition[0..*] ordered :> itemDefinition, Metadata::metadataItems;"},
		{"SysML.sysml", "derived attribute isReference : Boolean[1..1];"},
		{"SysML.sysml", "enum 'timeslice';"},
	} {
		f, ok := Embedded().File(c.file)
		if !ok {
			t.Fatalf("no %s", c.file)
		}
		found := false
		for line := range strings.Lines(f.Text) {
			found = found || strings.TrimSpace(line) == c.line
		}
		if !found {
			t.Errorf("%s has no line\n\t%s", c.file, c.line)
		}
	}
}

// A package may hold what it declares, and nothing that only its imports or
// the bodies of its members name.
func TestMayHold(t *testing.T) {
	for _, c := range []struct {
		name, member string
		want         bool
	}{
		{"ISQMechanics", "force", true},
		{"ISQMechanics", "ForceValue", true},
		{"ISQMechanics", "momentOfInertiaTensor", true},
		{"ISQMechanics", "Real", false},
		{"ISQMechanics", "mass", false},
		{"ISQMechanics", "forcePF", false},
		{"ISQSpaceTime", "breadth", true},
		{"ISQ", "Real", true}, // it imports publicly
		{"USCU", "ft", true},
		{"SIPrefixes", "kilo", true},
		{"SIPrefixes", "m", false},
		{"ScalarValues", "Real", true},
		{"ScalarValues", "DataValue", false},
		{"Parts", "parts", true},
		{"Parts", "ownedPorts", false},
		{"NoSuchPackage", "x", false},
	} {
		if got := Embedded().MayHold(c.name, c.member); got != c.want {
			t.Errorf("MayHold(%q, %q) is %v, want %v", c.name, c.member, got, c.want)
		}
	}
}

// What importing ISQ and SI costs: goal at most 5 ms.
func BenchmarkExpandQuantitiesAndUnits(b *testing.B) {
	for b.Loop() {
		lib := newEmbedded(groups)
		for _, name := range lib.Names() {
			if strings.HasPrefix(name, "ISQ") || strings.HasPrefix(name, "SI") {
				lib.Lookup(name)
			}
		}
	}
}

// What it costs to see that a name is in no package of the ISQ, expansion
// included.
func BenchmarkMayHold(b *testing.B) {
	for b.Loop() {
		lib := newEmbedded(groups)
		for _, name := range lib.Names() {
			if strings.HasPrefix(name, "ISQ") && name != "ISQ" && lib.MayHold(name, "Real") {
				b.Fatal(name)
			}
		}
	}
}
