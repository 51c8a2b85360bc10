package model

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// parsed is text as a document.
func parsed(name, text string) *Document {
	f := source.NewFile(name, text)
	tree, _ := syntax.Parse(f, syntax.Options{})
	return &Document{File: f, Tree: tree, Owner: name}
}

// fleet is a model of n packages, each with definitions that specialize,
// redefine, import and use those of the one before it.
func fleet(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "package Fleet%d {\n\tprivate import ScalarValues::*;\n", i)
		general := ""
		if i > 0 {
			fmt.Fprintf(&b, "\tprivate import Fleet%d::*;\n", i-1)
			if i%8 != 0 {
				general = fmt.Sprintf(" :> Vehicle%d", i-1)
			}
		}
		fmt.Fprintf(&b, "\tpart def Wheel%d { attribute size : Real; attribute worn : Boolean = size < 1.0; }\n", i)
		fmt.Fprintf(&b, "\tpart def Vehicle%d%s {\n\t\tattribute mass%d : Real = 10.0;\n\t\tpart wheels%d : Wheel%d[4];\n", i, general, i, i, i)
		if general != "" {
			fmt.Fprintf(&b, "\t\tpart :>> wheels%d { attribute :>> size = 2.0; }\n", i-1)
		}
		fmt.Fprintf(&b, "\t\taction drive%d { in speed : Real; out far : Real; assign far := speed * mass%d; }\n", i, i)
		fmt.Fprintf(&b, "\t\tstate modes%d { entry; then off; state off; transition first off accept Go%d then on; state on; }\n\t}\n", i, i)
		fmt.Fprintf(&b, "\titem def Go%d;\n\tpart car%d : Vehicle%d;\n\trequirement light%d { subject v : Vehicle%d; require constraint { v.mass%d < 20.0 } }\n}\n", i, i, i, i, i, i)
	}
	return b.String()
}

func TestFleetIsClean(t *testing.T) {
	m := New(library.Embedded(), Options{})
	m.Add(parsed("fleet", fleet(20)))
	for _, d := range m.Check() {
		t.Errorf("line %d: %s: %s", d.Span.StartPosition().Line, d.Code, d.Message)
	}
}

// BenchmarkCheck shows that the cost of checking grows with the model and no
// faster: the time for each KiB stays the same.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{50, 100, 200, 400} {
		text := fleet(n)
		b.Run(fmt.Sprintf("packages=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m := New(library.Embedded(), Options{})
				m.Add(parsed("fleet", text))
				if m.Check().HasErrors() {
					b.Fatal("the model has errors")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/1000, "µs/package")
		})
	}
}

// lineOf is n types in a row, each the only general of the next, whose
// feature the next redefines.
func lineOf(n int) string {
	var b strings.Builder
	b.WriteString("part def T0 { attribute x; }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "part def T%d :> T%d { attribute :>> x; attribute y%d; }\n", i, i-1, i)
	}
	return b.String()
}

// BenchmarkGenerals shows what a long line of generals costs.
func BenchmarkGenerals(b *testing.B) {
	for _, n := range []int{50, 100, 200, 400} {
		text := lineOf(n)
		b.Run(fmt.Sprintf("types=%d", n), func(b *testing.B) {
			for b.Loop() {
				m := New(library.Embedded(), Options{})
				m.Add(parsed("line", text))
				if m.Check().HasErrors() {
					b.Fatal("the model has errors")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/1000, "µs/type")
		})
	}
}

// TestLongLinesOfGenerals: a line of a thousand types is checked at once,
// from whichever end it is declared; walking the line anew for each type and
// each name in it takes a minute.
func TestLongLinesOfGenerals(t *testing.T) {
	text := lineOf(1000)
	lines := strings.SplitAfter(text, "\n")
	slices.Reverse(lines)
	for _, text := range []string{text, strings.Join(lines, "")} {
		start := time.Now()
		m := New(library.Embedded(), Options{})
		m.Add(parsed("line", text))
		for _, d := range m.Check() {
			t.Errorf("line %d: %s: %s", d.Span.StartPosition().Line, d.Code, d.Message)
		}
		if n := len(m.Find("T999").AllFeatures()); n != 2*1000-1 {
			t.Errorf("the last type has %d features, want its own, those of 999 generals and what each redefines", n)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
	}
}

// BenchmarkCell is one cell of one line beside a session of 2 MB.
func BenchmarkCell(b *testing.B) {
	m := New(library.Embedded(), Options{Cells: true})
	text := fleet(2 << 20 / len(fleet(100)) * 100)
	m.Add(parsed("session", text))
	m.Check()
	for _, c := range []struct{ name, text string }{
		{"new", "part spare%d : Fleet7::Vehicle7 { attribute :>> mass7 = 12.0; }"},
		{"redeclared", "package Fleet3 { part def Vehicle3; part def Wheel%d; }"},
	} {
		b.Run(c.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				i++
				d := parsed("cell", fmt.Sprintf(c.text, i))
				m.Replace("cell", d)
				if m.Check(d).HasErrors() {
					b.Fatal(m.Check(d))
				}
			}
			m.Remove("cell")
		})
	}
}

// BenchmarkUnits is a model that imports ISQ and SI, library and all, from
// nothing but the library's parsed trees.
func BenchmarkUnits(b *testing.B) {
	text := "package P { private import ISQ::*; private import SI::*; attribute m : MassValue = 5 [kg]; }"
	for b.Loop() {
		m := New(library.Embedded(), Options{})
		m.Add(parsed("units", text))
		if list := m.Check(); list.HasErrors() {
			b.Fatal(list)
		}
	}
}

// BenchmarkSharedTraining is all training files of the published models,
// parsed, resolved and checked together with the embedded library.
func BenchmarkSharedTraining(b *testing.B) {
	if sharedDir() == "" {
		return
	}
	var files []*source.File
	for _, path := range filesBelow(b, filepath.Join(sharedDir(), "omg/training")) {
		files = append(files, readFile(b, path))
	}
	first := true
	for b.Loop() {
		start := time.Now()
		m := New(library.Embedded(), Options{})
		for _, f := range files {
			tree, _ := syntax.Parse(f, syntax.Options{})
			m.Add(&Document{File: f, Tree: tree, Owner: f.Name})
		}
		m.Check()
		if first {
			b.ReportMetric(float64(time.Since(start).Microseconds())/1000, "ms-first")
			first = false
		}
	}
}
