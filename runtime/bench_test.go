package runtime

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// bench is a session with text declared and budgets that no benchmark meets.
func bench(b *testing.B, text string) *Session {
	s := New(Options{Library: library.Embedded(), Budget: budget.Budget{}.With(budget.Steps, 1<<50).With(budget.Reads, 1<<30).
		With(budget.Elements, 1<<30).With(budget.Multiple, 1<<20)})
	declare(b, s, text)
	b.ReportAllocs()
	b.ResetTimer()
	return s
}

func call(b *testing.B, s *Session, name string, n int64) {
	if _, err := s.Call(context.Background(), name, []value.Value{value.Int(n)}, nil); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkFibonacci25(b *testing.B) {
	s := bench(b, `package P { private import ScalarValues::*;
		calc def fib { in n : Integer; return : Integer = if n < 2 ? n else fib(n - 1) + fib(n - 2); } }`)
	for b.Loop() {
		call(b, s, "P::fib", 25)
	}
}

const loops = `package P { private import ScalarValues::*;
	calc def repeat { in n : Integer; attribute i : Integer = 0; while i < n { assign i := i + 1; } return : Integer = i; }
	calc def count { in n : Integer; attribute s : Integer = 0; for k in 1..n { assign s := s + k; } return : Integer = s; }
	calc def real { in n : Integer; attribute i : Integer = 0; attribute x : Real = 0.0;
		while i < n { assign x := x + 0.5; assign i := i + 1; } return : Real = x; } }`

func BenchmarkWhile(b *testing.B) { iterations(b, "P::repeat", 1_000_000) }
func BenchmarkFor(b *testing.B)   { iterations(b, "P::count", 100_000) }
func BenchmarkReal(b *testing.B)  { iterations(b, "P::real", 100_000) }

func iterations(b *testing.B, name string, n int64) {
	s := bench(b, loops)
	for b.Loop() {
		call(b, s, name, n)
	}
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "iterations/s")
}

// parts is a part of n parts, each with a part and an assertion.
func parts(n int) string {
	return fmt.Sprintf(`package P { private import ScalarValues::*;
		part def Leaf { attribute mass : Real = 2.0; }
		part def Cell { part leaf : Leaf; attribute mass : Real = leaf.mass * 3.0; assert constraint light { mass < 10.0 } }
		part def Rack { part cells : Cell[%d]; } }`, n/2)
}

func BenchmarkValidate(b *testing.B) {
	for _, n := range []int{1_250, 2_500, 5_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := bench(b, parts(n))
			for b.Loop() {
				b.StopTimer()
				s.clearWorld()
				b.StartTimer()
				o, err := s.Instantiate(context.Background(), "P::Rack", "rack")
				if err != nil {
					b.Fatal(err)
				}
				v, err := s.Validate(context.Background(), fmt.Sprint("#", o.Number))
				if err != nil || !v.Valid() || len(v.Verdicts) != n/2 {
					b.Fatalf("%v, %v: %d verdicts", err, v.Valid(), len(v.Verdicts))
				}
			}
		})
	}
}

// BenchmarkNestedParts makes parts in parts of their own type, until no more
// objects are allowed: those are left to be read.
func BenchmarkNestedParts(b *testing.B) {
	for _, n := range []int64{2_000, 4_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := bench(b, `package P { part def Nest { part inner : Nest; exhibit state s { entry; then a; state a; } } }`)
			s.SetBudget(s.Budget().With(budget.Objects, n))
			for b.Loop() {
				b.StopTimer()
				s.clearWorld()
				b.StartTimer()
				if _, err := s.Instantiate(context.Background(), "P::Nest", "nest"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadOverObjects(b *testing.B) {
	s := bench(b, parts(20_000))
	x := `rack.cells.mass->NumericalFunctions::sum()`
	if _, err := s.Instantiate(context.Background(), "P::Rack", "rack"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v, err := s.EvaluateText(context.Background(), x, "")
		if err != nil || strings.TrimSpace(value.Trace(v)) != "60000.0" {
			b.Fatalf("%v %s", err, value.Trace(v))
		}
	}
}

// One element of a collection selected, mapped and summed.
func BenchmarkSelectCollectSum(b *testing.B) {
	const n = 100_000
	s := bench(b, `package P { private import ScalarValues::*; private import ControlFunctions::*; private import NumericalFunctions::*;
		calc def f { in n : Integer; return : Integer = sum((1..n)->select { in x; x % 2 == 0 }->collect { in x; x * x }); } }`)
	for b.Loop() {
		call(b, s, "P::f", n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
}
