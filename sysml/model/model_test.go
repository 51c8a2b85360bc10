package model_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// document is text as a document of owner.
func document(owner, text string) *model.Document {
	f := source.NewFile(owner, text)
	tree, _ := syntax.Parse(f, syntax.Options{})
	return &model.Document{File: f, Tree: tree, Owner: owner}
}

// session is a model of cells.
func session(cells ...string) *model.Model {
	m := model.New(library.Embedded(), model.Options{Cells: true})
	for i, text := range cells {
		m.Add(document(fmt.Sprint("cell ", i+1), text))
	}
	return m
}

func find(t *testing.T, m *model.Model, name string) *model.Element {
	t.Helper()
	e := m.Find(name)
	if e == nil {
		t.Fatalf("%s is not found", name)
	}
	return e
}

func names(list []*model.Element) string {
	var all []string
	for _, e := range list {
		all = append(all, e.QualifiedName())
	}
	return strings.Join(all, " ")
}

func roots(m *model.Model) string { return names(m.Roots()) }

func messages(m *model.Model) string {
	var all []string
	for _, d := range m.Check() {
		all = append(all, d.Message)
	}
	return strings.Join(all, "; ")
}

// TestLaterCellReplacesRootMembers: a package that a later cell declares anew
// takes the place of the earlier one, for all that names it.
func TestLaterCellReplacesRootMembers(t *testing.T) {
	m := session(
		"package P { part def A { attribute x; } } part spare : P::A;",
		"part a : P::A { attribute :>> x; }")
	if got := messages(m); got != "" {
		t.Fatalf("at first: %s", got)
	}
	before := m.Generation()
	replaced := m.Add(document("cell 3", "package P { part def A { attribute y; } }"))
	if got := names(replaced); got != "P" {
		t.Errorf("replaced %q, want P", got)
	}
	if m.Generation() == before {
		t.Error("the generation did not grow, though names mean something else now")
	}
	if got := messages(m); got != "no feature x" {
		t.Errorf("with P declared anew: %q", got)
	}
	if got := roots(m); got != "spare a P" {
		t.Errorf("roots are %q", got)
	}
	m.Remove("cell 3")
	if got := messages(m); got != "" {
		t.Errorf("with the new P gone: %q", got)
	}
	m.Replace("cell 1", document("", "package P { part def A { attribute z; } }"))
	if got := messages(m); got != "no feature x" {
		t.Errorf("with another cell 1: %q", got)
	}
}

// TestCellThatOnlyAddsKeepsTheGeneration: what was worked out stays good when
// a cell declares names that nobody had looked for.
func TestCellThatOnlyAddsKeepsTheGeneration(t *testing.T) {
	m := session("part def A; part a : A;")
	m.Check()
	before := m.Generation()
	m.Add(document("cell 2", "part def B; part b : B;"))
	m.Check()
	if m.Generation() != before {
		t.Error("a cell of new names ended the generation")
	}
	m.Add(document("cell 3", "part c : C;"))
	if got := messages(m); !strings.Contains(got, "no definition C") {
		t.Fatalf("an unknown name: %q", got)
	}
	m.Add(document("cell 4", "part def C;"))
	if m.Generation() == before {
		t.Error("a name that was looked for in vain is there now, and the generation is the same")
	}
	if got := messages(m); got != "" {
		t.Errorf("with C: %s", got)
	}
}

// TestRootImportServesLaterCells holds among cells, and not among files.
func TestRootImportServesLaterCells(t *testing.T) {
	cells := []string{"private import ScalarValues::*;", "attribute x : Real;"}
	if got := messages(session(cells...)); got != "" {
		t.Errorf("cells: %s", got)
	}
	files := model.New(library.Embedded(), model.Options{})
	for i, text := range cells {
		files.Add(document(fmt.Sprint(i), text))
	}
	if got := messages(files); !strings.Contains(got, "no definition Real") {
		t.Errorf("files: %q", got)
	}
}

// TestFirstOfTwoPackagesWins holds among files.
func TestFirstOfTwoPackagesWins(t *testing.T) {
	m := model.New(library.Embedded(), model.Options{})
	m.Add(document("a", "package P { part def A; }"))
	m.Add(document("b", "package P { part def B; }"))
	m.Add(document("c", "part a : P::A; part b : P::B;"))
	if got := messages(m); got != "no definition B in P" {
		t.Errorf("got %q", got)
	}
}

// TestLibraryIsReadByNeed: a model that names nothing of the library reads
// none of it.
func TestLibraryIsReadByNeed(t *testing.T) {
	asked := &counting{Library: library.Embedded()}
	m := model.New(asked, model.Options{Cells: true})
	m.Add(document("a", "part def Tank { part pump : Pump; } part def Pump; part tank : Tank;"))
	m.Check()
	for _, n := range []string{"Tank", "Tank::pump", "tank"} {
		for _, f := range find(t, m, n).Features() {
			f.Types()
			f.Multiplicity()
		}
	}
	if n := m.LibraryDocuments(); n != 0 {
		t.Errorf("%d library files were parsed", n)
	}
	m.Add(document("b", "private import SI::*; private import ISQ::*; attribute m : MassValue = 5 [kg];"))
	m.Check()
	if n := m.LibraryDocuments(); n > 10 {
		t.Errorf("%d library files were parsed for a mass in kg", n)
	}
}

type counting struct{ model.Library }

const vehicles = `
package V {
	part def Wheel { attribute size; }
	part def Vehicle {
		attribute mass = 10;
		part wheels : Wheel[4];
		part engine[0..1];
		private attribute secret;
	}
	part def Car :> Vehicle {
		attribute doors;
		part motor :>> engine[1];
		part front[2] :> wheels;
	}
	part car : Car { :>> mass = 12; attribute colour; }
}
`

// TestEffectiveFeatures: own features come first, then inherited ones, the
// nearest first, one for each name, and redefined ones stay and are marked.
func TestEffectiveFeatures(t *testing.T) {
	m := session(vehicles)
	for _, c := range []struct{ name, want string }{
		{"V::Vehicle", "mass wheels engine secret"},
		{"V::Car", "doors motor front mass wheels engine>motor"},
		{"V::car", "mass colour doors motor front wheels engine>motor"},
		{"V::Car::front", "size"},
	} {
		var got []string
		for _, f := range find(t, m, c.name).Features() {
			label := f.Label
			if f.Redefiner != nil {
				label += ">" + f.Redefiner.EffectiveName()
			}
			got = append(got, label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s has %s, want %s", c.name, s, c.want)
		}
	}
	n := 0
	for _, f := range find(t, m, "V::car").AllFeatures() {
		if f.Label == "mass" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("AllFeatures keeps %d features called mass, want both", n)
	}
}

// TestFeatureFacts: types, multiplicities and values are the own ones, or
// else those of what is redefined.
func TestFeatureFacts(t *testing.T) {
	m := session(vehicles)
	for _, c := range []struct{ name, types, multiplicity, value string }{
		{"V::Vehicle::wheels", "V::Wheel", "4..4", ""},
		{"V::Car::front", "V::Wheel", "2..2", ""},
		{"V::Car::motor", "Parts::Part", "1..1", ""},
		{"V::Vehicle::engine", "Parts::Part", "0..1", ""},
		{"V::car", "V::Car", "1..1 by default", ""},
		{"V::car::mass", "Base::DataValue", "1..1 by default", "12"},
		{"V::Vehicle::mass", "Base::DataValue", "1..1 by default", "10"},
	} {
		e := find(t, m, c.name)
		if got := names(e.Types()); got != c.types {
			t.Errorf("%s has the types %q, want %q", c.name, got, c.types)
		}
		x := e.Multiplicity()
		got := fmt.Sprintf("%d..%d", x.Lower, x.Upper)
		if !x.Declared {
			got += " by default"
		}
		if got != c.multiplicity {
			t.Errorf("%s has the multiplicity %s, want %s", c.name, got, c.multiplicity)
		}
		value := ""
		if v, ok := e.Value(); ok {
			value = v.Expr.Span().Text()
		}
		if value != c.value {
			t.Errorf("%s has the value %q, want %q", c.name, value, c.value)
		}
	}
	car := find(t, m, "V::car")
	for _, n := range []string{"V::Car", "V::Vehicle", "Parts::Part", "Base::Anything"} {
		if !car.Specializes(find(t, m, n)) {
			t.Errorf("V::car does not specialize %s", n)
		}
	}
	if car.Specializes(find(t, m, "V::Wheel")) {
		t.Error("V::car specializes V::Wheel")
	}
}

// TestGenerals: what is written comes first, what is implied is marked.
func TestGenerals(t *testing.T) {
	m := session(vehicles)
	var got []string
	for _, g := range find(t, m, "V::Car::motor").Generals() {
		s := g.Kind.String() + " " + g.Target.QualifiedName()
		if g.Implied {
			s += " implied"
		}
		got = append(got, s)
	}
	want := "Redefinition V::Vehicle::engine, Subsetting Parts::parts implied, Subsetting Items::Item::subparts implied"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// TestInScope: names are given from the inside out, and a nearer one hides
// another of its name.
func TestInScope(t *testing.T) {
	m := session("package P { part def A; part def B { attribute inner; part A; } private import Q::*; } package Q { part def C; private part def D; }")
	var got []string
	for n, e := range m.InScope(find(t, m, "P::B")) {
		if !e.IsLibrary() {
			got = append(got, n+"="+e.QualifiedName())
		}
	}
	want := "inner=P::B::inner A=P::B::A B=P::B C=Q::C P=P Q=Q"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	got = nil
	for n := range m.NamesOf(find(t, m, "Q")) {
		got = append(got, n)
	}
	if s := strings.Join(got, " "); s != "C" {
		t.Errorf("Q has %s", s)
	}
}

// TestInScopeKeepsFilters: what a filter stops is not offered.
func TestInScopeKeepsFilters(t *testing.T) {
	m := session("package P { private import Q::*[@M]; part here; } package Q { #M part a; part b; } metadata def M;")
	var got []string
	for n, e := range m.InScope(find(t, m, "P")) {
		if !e.IsLibrary() {
			got = append(got, n)
		}
	}
	if s := strings.Join(got, " "); s != "here a P Q M" {
		t.Errorf("got %s", s)
	}
}

// TestNamesOfUnderFilters: what one import's filter stops, another import
// brings; a filter of the namespace stops all of them; rings come to an end.
func TestNamesOfUnderFilters(t *testing.T) {
	m := session(`metadata def M;
		package Q { #M part a; part b; }
		package Both { public import Q::*[@M]; public import Q::*; }
		package Own { public import Q::*; filter @M; part c; }
		package Ring { public import Bow::*[@M]; #M part r; }
		package Bow { public import Ring::*[@M]; public import Q::*; #M part s; }`)
	for name, want := range map[string]string{"Both": "a b", "Own": "c a", "Ring": "r s a", "Bow": "s r a b"} {
		var got []string
		for n := range m.NamesOf(find(t, m, name)) {
			got = append(got, n)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s has %s, want %s", name, s, want)
		}
	}
}

// TestFindReadsQuotedNames and gives private members too.
func TestFindReadsQuotedNames(t *testing.T) {
	m := session("package 'a b' { private part def 'it''s'; part def <s> Long; part 'x::y'; }")
	_ = find(t, m, "'a b'")
	if got := find(t, m, "'a b'::s").QualifiedName(); got != "'a b'::Long" {
		t.Errorf("a short name leads to %s", got)
	}
	if got := find(t, m, "'a b'::'x::y'").QualifiedName(); got != "'a b'::'x::y'" {
		t.Errorf("got %s", got)
	}
	for _, bad := range []string{"", "::", "a::", "'a b", "'a b'::nothing", "'a b':::Long"} {
		if e := m.Find(bad); e != nil {
			t.Errorf("%q leads to %s", bad, e)
		}
	}
}

// TestAnnotations: prefix, body and about.
func TestAnnotations(t *testing.T) {
	m := session("metadata def A; metadata def B; metadata def C; #A part x { @B; } metadata C about x;")
	var got []string
	for _, a := range find(t, m, "x").Annotations() {
		got = append(got, a.Type.QualifiedName())
	}
	if s := strings.Join(got, " "); s != "A B C" {
		t.Errorf("got %s", s)
	}
}

// TestResolveNamesTheNearest checks what Resolve says to others.
func TestResolveNamesTheNearest(t *testing.T) {
	m := session("part def Tank; package P { part pump; }")
	q := syntax.QualifiedName{Segments: []syntax.Name{{Text: "P"}, {Text: "pmup"}}}
	e, d := m.Resolve(&q, find(t, m, "P"))
	if e != nil || d == nil || d.Message != "no element pmup in P, nearest: pump" {
		t.Errorf("got %v, %v", e, d)
	}
	if e, d := m.Resolve(&syntax.QualifiedName{}, find(t, m, "P")); e != nil || d == nil {
		t.Errorf("of no name: %v, %v", e, d)
	}
}

// TestResolveLinks: a chain is followed as far as it leads.
func TestResolveLinks(t *testing.T) {
	m := session("package P { part def Tank { part pump { attribute rate; } } part tank : Tank; }")
	for _, test := range []struct{ chain, want string }{
		{"tank", "P::tank"},
		{"tank.pump.rate", "P::tank P::Tank::pump P::Tank::pump::rate"},
		{"tank.pump.level.unit", "P::tank P::Tank::pump"},
		{"Tank.pump", "P::Tank"},
		{"tnak.pump.rate", ""},
		{"", ""},
	} {
		var ref syntax.Reference
		for _, link := range strings.FieldsFunc(test.chain, func(r rune) bool { return r == '.' }) {
			ref.Links = append(ref.Links, syntax.QualifiedName{Segments: []syntax.Name{{Text: link}}})
		}
		var got []string
		for _, e := range m.ResolveLinks(&ref, find(t, m, "P")) {
			got = append(got, e.QualifiedName())
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s leads to %q, want %q", test.chain, s, test.want)
		}
	}
}

// TestManyReadersAgree: what many goroutines ask at once is what one asks.
func TestManyReadersAgree(t *testing.T) {
	ask := func(m *model.Model) string {
		var all []string
		for _, n := range []string{"V::Vehicle", "V::Car", "V::car", "V::Car::front", "V::Car::motor"} {
			e := m.Find(n)
			for _, f := range e.Features() {
				all = append(all, f.Label+names(f.Types()))
			}
			all = append(all, names(e.Supertypes()))
		}
		for n := range m.InScope(m.Find("V::car")) {
			all = append(all, n)
		}
		return strings.Join(all, "\n") + messages(m)
	}
	want := ask(session(vehicles))
	m := session(vehicles)
	var wait sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		wait.Go(func() {
			got[i] = ask(m)
		})
	}
	wait.Wait()
	sort.Strings(got)
	if got[0] != want || got[len(got)-1] != want {
		t.Error("readers do not agree")
	}
}

// TestCallTriggerParameters: guard and effect of a transition see what the
// call that it waits for brings.
func TestCallTriggerParameters(t *testing.T) {
	f := source.NewFile("call", `part def Tank {
		attribute level;
		action setFlow { in litres; }
		state s {
			entry; then idle;
			state idle;
			accept setFlow(litres) if litres > 0 do assign level := litres then busy;
			accept setFlow(volume) if litres > 0 then busy;
			state busy;
		}
	}`)
	tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
	m := model.New(library.Embedded(), model.Options{})
	d := &model.Document{File: f, Tree: tree, Owner: "call"}
	m.Add(d)
	list = append(list, m.Check(d)...)
	if len(list) != 1 || list[0].Message != "no element litres" || list[0].Span.StartPosition().Line != 8 {
		t.Errorf("got %v, want only that the second trigger brings no litres", list)
	}
}

// TestReceivedPayloads: what an accept action receives is known by its bare
// name in the action that holds it, and nowhere else.
func TestReceivedPayloads(t *testing.T) {
	f := source.NewFile("post", `attribute def Note; action def Read {
		out x;
		action take accept n : Note;
		action { assign x := n; }
		action { assign x := take.n; }
		action inner { accept deep : Note; }
		assign x := deep;
	}
	action def Other { out x; assign x := n; }`)
	tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
	m := model.New(library.Embedded(), model.Options{})
	d := &model.Document{File: f, Tree: tree, Owner: "post"}
	m.Add(d)
	list = append(list, m.Check(d)...)
	var got []string
	for _, x := range list {
		got = append(got, fmt.Sprint(x.Span.StartPosition().Line, " ", x.Message))
	}
	if want := []string{"7 no element deep", "9 no element n"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
