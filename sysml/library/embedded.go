package library

import (
	"embed"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/sysml/source"
)

//go:embed text facts
var data embed.FS

// A group is files of one kind. Each file holds the one package it is named
// after.
type group struct {
	// folder of the texts below text/, "" for packages that are expanded.
	folder string
	// expand writes the members of package name; nil for texts.
	expand func(w *strings.Builder, name string)
	ext    string // with the dot; it tells the language
	names  string // of packages, apart by blanks
}

// groups is the catalogue of the embedded library, in the order of Files.
var groups = []group{
	{folder: "kernel", ext: ".kerml", names: `Base Links Occurrences Objects Performances Transfers
		ControlPerformances TransitionPerformances StatePerformances FeatureReferencingPerformances
		Clocks Observation Triggers SpatialFrames Metaobjects ScalarValues Collections VectorValues`},
	{expand: expandMetaclasses, ext: ".kerml", names: "KerML"},
	{folder: "functions", ext: ".kerml", names: `BaseFunctions DataFunctions ScalarFunctions
		NumericalFunctions BooleanFunctions ComplexFunctions RealFunctions RationalFunctions
		IntegerFunctions NaturalFunctions StringFunctions TrigFunctions VectorFunctions
		SequenceFunctions CollectionFunctions ControlFunctions OccurrenceFunctions`},
	{folder: "systems", ext: ".sysml", names: `Attributes Items Parts Ports Connections Interfaces Flows
		Allocations Actions Calculations Constraints Requirements States Cases AnalysisCases
		VerificationCases UseCases Views Metadata StandardViewDefinitions`},
	{expand: expandMetaclasses, ext: ".sysml", names: "SysML"},
	{folder: "domain", ext: ".sysml", names: `Quantities MeasurementReferences QuantityCalculations
		VectorCalculations TensorCalculations MeasurementRefCalculations Time`},
	{expand: expandQuantities, ext: ".sysml", names: `ISQ ISQBase ISQSpaceTime ISQMechanics
		ISQThermodynamics ISQElectromagnetism ISQLight ISQAcoustics ISQChemistryMolecular
		ISQAtomicNuclear ISQCharacteristicNumbers ISQCondensedMatter ISQInformation`},
	{expand: expandUnits, ext: ".sysml", names: "SI USCustomaryUnits"},
	{expand: expandPrefixes, ext: ".sysml", names: "SIPrefixes"},
	{folder: "domain", ext: ".sysml", names: `SpatialItems ShapeItems SampledFunctions
		StateSpaceRepresentation TradeStudies AnalysisTooling CausationConnections CauseAndEffect
		DerivationConnections RequirementDerivation ModelingMetadata RiskMetadata ImageMetadata
		ParametersOfInterestMetadata`},
	{folder: extensionFolder, ext: ".sysml", names: "Stochastic RandomFunctions OpenSysMLMathFunctions"},
}

const extensionFolder = "extension"

// shortNames are the packages that have one.
var shortNames = map[string]string{"USCustomaryUnits": "USCU"}

// Embedded is the library that is built in.
func Embedded() Source { return builtin() }

var builtin = sync.OnceValue(func() *embedded { return newEmbedded(groups) })

// extensions are the packages that no published library has.
var extensions = sync.OnceValue(func() *embedded {
	var own []group
	for _, g := range groups {
		if g.folder == extensionFolder {
			own = append(own, g)
		}
	}
	return newEmbedded(own)
})

// embedded is a Source whose files are made at first use. Its maps never
// change once made.
type embedded struct {
	names, files []string
	byPackage    map[string]*lazyFile // by name and short name
	byFile       map[string]*lazyFile
}

// A lazyFile is a file and what its package can hold, each made once.
type lazyFile struct {
	file    func() *source.File
	members func() members
}

func newEmbedded(groups []group) *embedded {
	e := &embedded{byPackage: map[string]*lazyFile{}, byFile: map[string]*lazyFile{}}
	for _, g := range groups {
		for name := range strings.FieldsSeq(g.names) {
			file := sync.OnceValue(func() *source.File { return g.file(name) })
			lazy := &lazyFile{file, sync.OnceValue(func() members { return membersOf(file().Text) })}
			e.names = append(e.names, name)
			e.files = append(e.files, name+g.ext)
			e.byFile[name+g.ext] = lazy
			e.byPackage[name] = lazy
			if short, ok := shortNames[name]; ok {
				e.byPackage[short] = lazy
			}
		}
	}
	return e
}

func (e *embedded) Lookup(name string) (*source.File, bool) { return get(e.byPackage, name) }
func (e *embedded) File(name string) (*source.File, bool)   { return get(e.byFile, name) }
func (e *embedded) Names() []string                         { return append([]string(nil), e.names...) }
func (e *embedded) Files() []string                         { return append([]string(nil), e.files...) }

func (e *embedded) MayHold(name, member string) bool {
	lazy, ok := e.byPackage[name]
	return ok && lazy.members().mayHold(member)
}

func get(files map[string]*lazyFile, name string) (*source.File, bool) {
	lazy, ok := files[name]
	if !ok {
		return nil, false
	}
	return lazy.file(), true
}

// file makes the file of package name.
func (g group) file(name string) *source.File {
	f := &source.File{Name: name + g.ext, Language: languageOf(g.ext), Library: true}
	if g.expand == nil {
		f.Text = read("text/" + g.folder + "/" + f.Name)
		return f
	}
	var w strings.Builder
	w.Grow(16 << 10)
	g.expand(&w, name)
	f.Text = w.String()
	return f
}

func languageOf(ext string) source.Language {
	if ext == ".kerml" {
		return source.KerML
	}
	return source.SysML
}

// read is the embedded file at path. The catalogue names no file that is not
// there; a test holds it to that.
func read(path string) string {
	text, err := data.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return string(text)
}
