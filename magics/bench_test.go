package magics

import (
	"fmt"
	"strings"
	"testing"
)

// bigModel declares n part definitions of five features each, in packages of
// fifty, with types and specializations across packages.
func bigModel(n int) string {
	var b strings.Builder
	for i := range n {
		if i%50 == 0 {
			if i > 0 {
				b.WriteString("}\n")
			}
			fmt.Fprintf(&b, "package P%d {\n    private import ScalarValues::*;\n", i/50)
		}
		fmt.Fprintf(&b, "    part def D%d {\n        attribute a%d : Integer = %d;\n        attribute mass : Real;\n", i, i, i)
		if i > 0 {
			fmt.Fprintf(&b, "        part before : P%d::D%d;\n", (i-1)/50, i-1)
		}
		b.WriteString("        port input;\n        action work;\n    }\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// benchShell is a session with a big model in it.
func benchShell(b *testing.B, n int) *replay {
	r := newReplay(b)
	if n > 0 {
		if out := r.execute(b, bigModel(n)); r.failed {
			b.Fatal(out)
		}
	}
	return r
}

func BenchmarkExecuteOne(b *testing.B) {
	r := benchShell(b, 0)
	sink := dropped{}
	b.ReportAllocs()
	for b.Loop() {
		r.shell.Execute(b.Context(), Cell{Code: "1", ID: "a", Count: 1}, sink)
		r.shell.history = r.shell.history[:0]
	}
}

func BenchmarkDeclareOneLine(b *testing.B) {
	for _, n := range []int{0, 1000, 10000} {
		b.Run(fmt.Sprintf("beside %d definitions", n), func(b *testing.B) {
			r := benchShell(b, n)
			b.ReportAllocs()
			for b.Loop() {
				r.shell.Execute(b.Context(), Cell{Code: "part def Wheel { attribute x = 1; }", ID: "a", Count: 1}, dropped{})
				r.shell.history = r.shell.history[:0]
			}
		})
	}
}

func BenchmarkComplete(b *testing.B) {
	r := benchShell(b, 1000)
	for _, c := range []struct{ name, code string }{
		{"root", "part x : P"},
		{"in a package", "package Q {\n    private import P3::*;\n    part x : D15"},
		{"features", "package Q { part x : P3::D151 { attribute y = ma"},
		{"qualified", "part x : P3::D1"},
		{"magic", "%set"},
		{"unit", "package Q { private import SI::*; attribute m = 5 [k"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.shell.Complete(b.Context(), c.code, len(c.code))
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{Dir: "."})
	}
}
